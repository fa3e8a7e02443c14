// What a form needs whose answers are sent or kept, or whose questions a host announces: fetched with its wasm, by these forms alone.
export { Events } from "./announced.js";
export { stay } from "./delivery.js";
export { attempt } from "./ending.js";
export { deliver, keep, offer, reject, showDelivery, waits } from "./kept.js";
export { stored } from "./keeping.js";
