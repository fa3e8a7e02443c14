// What the build writes as dist/host.node.js, as its place there sees the types: what tests and examples import.
export * from "../types/host.js";
