// What the build writes as dist/rendered.js, as its place there sees the types: what tests and examples import.
export * from "../src/rendered.js";
