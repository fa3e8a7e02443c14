// What the form as a script asks of wasm-bindgen besides: where the values of the page end that are always there. In a module it is the tool that
// fills this in: 1,024 places, then `undefined`, `null`, `true` and `false`.
export const __wbindgen_externref_statics_end = () => 1028;
