// What wasm-bindgen writes for the form as a script: the same bindings, over what wasm2js makes of the module.
export { mount, registerDialect } from "../web/ask_user_web.js";

export function __wbg_set_wasm(module: object): void;
