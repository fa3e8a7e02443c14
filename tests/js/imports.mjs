// Lists what a wasm module imports: `node imports.mjs MODULE`. Fails on anything but what wasm-bindgen itself needs: a way to
// throw, the table of references, and its casts.
import { readFileSync } from "node:fs";

const OWN = /^(__wbg___wbindgen_throw_[0-9a-f]+|__wbindgen_init_externref_table|__wbindgen_generic_[0-9a-f]+)$/;
const module = new WebAssembly.Module(readFileSync(process.argv[2]));
for (const { name } of WebAssembly.Module.imports(module)) {
  const own = OWN.test(name);
  console.log(`  ${name}${own ? "" : ": not wasm-bindgen's own"}`);
  if (!own) process.exitCode = 1;
}
