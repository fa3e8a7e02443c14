// Everything in one file, a classic script or a module, that fetches nothing: for script tags, `file://`, and places that serve no files. A
// classic script exports nothing and sets no global: the class has `ask`, `initialize`, `preload`, `registerDialect`, `connect` and
// `serve`.
import form from "../build/form.packed.js";
import validator from "../build/validator.packed.js";
import { connect, serve } from "./channel.js";
import { ask, AskUser, initialize, preload, registerDialect } from "./ask-user.js";

initialize({ form: () => unpacked(form), validator: () => unpacked(validator) });
Object.assign(AskUser, { ask, connect, initialize, preload, registerDialect, serve });

/**
 * A wasm module out of its text: base64 of gzip.
 * @param {string} text
 */
function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "Content-Type": "application/wasm" } });
}
