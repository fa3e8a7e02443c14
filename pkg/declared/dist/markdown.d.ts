// What the build writes as dist/markdown.js, as its place there sees the types: what tests and examples import.
export * from "../src/markdown.js";
