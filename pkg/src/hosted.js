// What a form needs whose answers are sent or kept, or whose questions a host announces: fetched with its wasm, by these forms alone.
export { Events } from "./announced.js";
export { Delivery, stay } from "./delivery.js";
export { attempt, rejection } from "./ending.js";
export { Keeping, stored } from "./keeping.js";
