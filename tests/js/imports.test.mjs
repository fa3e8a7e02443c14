// The core's module has no I/O, clock or randomness: it imports nothing but what wasm-bindgen itself needs, which is a way to throw, the table of references, and casts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { file } from "./package-files.mjs";

const OWN = /^(__wbg___wbindgen_throw_[0-9a-f]+|__wbindgen_init_externref_table|__wbindgen_generic_[0-9a-f]+|__wbindgen_cast_[0-9a-f]+)$/;
const others = (name) => WebAssembly.Module.imports(new WebAssembly.Module(file(name))).filter(({ name }) => !OWN.test(name));

test("the core's module imports no I/O, no clock and no randomness", () => assert.deepEqual(others("core.wasm"), []));

test("the form's module imports the page, so the check tells one from the other", () => assert.ok(others("form.wasm").length > 0));
