// What the build writes as dist/element.js, as its place there sees the types: what tests and examples import.
export * from "../types/element.js";
