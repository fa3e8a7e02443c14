// The JSON Schema validator of a form in a browser.
import init, { compileSchema } from "../build/validator/ask_user_validator.js";

/** Loads the module, by default from the file that lies beside this one, and gives its `compileSchema`. */
export async function load(source) {
  // The person may be busy with another question: nothing else should wait for this.
  await init({ module_or_path: source ?? fetch(new URL("validator.wasm", import.meta.url), { priority: "low" }) });
  return compileSchema;
}
