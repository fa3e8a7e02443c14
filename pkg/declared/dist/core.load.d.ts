// What the build writes as dist/core.load.js, as its place there sees the types: what tests and examples import.
export * from "../types/core.load.js";
