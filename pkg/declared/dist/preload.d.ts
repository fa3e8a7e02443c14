// What the build writes as dist/preload.js, as its place there sees the types: what tests and examples import.
export * from "../types/preload.js";
