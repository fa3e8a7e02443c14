// What the build writes as dist/channel.js, as its place there sees the types: what tests and examples import.
export * from "../types/channel.js";
