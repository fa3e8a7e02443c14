// The JSON Schema validator of a form in a browser: fetches the wasm that lies beside it.
import init, { compileSchema } from "../build/validator/ask_user_validator.js";

// The person may be busy with another question: nothing else should wait for this.
await init({ module_or_path: fetch(new URL("ask_user_validator_bg.wasm", import.meta.url), { priority: "low" }) });

export { compileSchema };
