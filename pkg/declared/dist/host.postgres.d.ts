// What the build writes as dist/host.postgres.js, as its place there sees the types: what tests and examples import.
export * from "../types/host.postgres.js";
