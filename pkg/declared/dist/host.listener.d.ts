// What the build writes as dist/host.listener.js, as its place there sees the types: what tests and examples import.
export * from "../types/host.listener.js";
