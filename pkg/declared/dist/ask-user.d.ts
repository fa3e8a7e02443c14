// What the build writes as dist/ask-user.js, as its place there sees the types: what tests and examples import.
export * from "../types/ask-user.js";
