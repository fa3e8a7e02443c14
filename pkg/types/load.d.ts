// For a script tag of a page: defines <ask-user>, as `ask-user` does, and lets the browser fetch the form's script and its wasm at the same time.
export {};
