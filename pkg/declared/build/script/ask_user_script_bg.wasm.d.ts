// The form's module as a script: what a module of wasm exports.
export const memory: WebAssembly.Memory;
