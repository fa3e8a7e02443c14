// Checks answers in a worker. The page posts the validator's compiled module, and its rest if it comes in parts, with the schema, then a text each time. Of several texts
// that wait, the last is checked.
import { compileSchema, initSync } from "../../build/validator/ask_user_validator.js";
import { begin } from "../rest.validator.js";

/** @import { Fields } from "../../build/validator/ask_user_validator.js" */

/**
 * All that the page has posted: at first the modules and the schema, then each time what is asked.
 * @typedef {{ module: WebAssembly.Module, rest?: WebAssembly.Module, schema: string, number: number, text: string, options: string, work: number }} Message
 */

/** @type {Fields | undefined} */
let fields;
/**
 * What is asked next, and whether that is under way.
 * @type {Message | undefined}
 */
let asked;
let isDue = false;

addEventListener("message", ({ data }) => {
  asked = { ...asked, ...data };
  if (isDue) return;
  isDue = true;
  // Texts that were posted meanwhile come first.
  setTimeout(answer);
});

function answer() {
  isDue = false;
  const { module, rest, schema, number, text, options, work } = /** @type {Message} */ (asked);
  try {
    if (!fields) {
      begin(initSync({ module }), rest);
      fields = compileSchema(schema).fields();
    }
    const isRefused = fields.setText(text) !== undefined;
    postMessage({ number, violations: isRefused ? "[]" : fields.violations(options, work) });
  } catch {
    // After a panic the module answers nothing more.
    postMessage({ number });
  }
}
