// What the build writes as dist/copy.js, as its place there sees the types: what tests and examples import.
export * from "../types/copy.js";
