// The words of a language: `import de from "ask-user/locales/de.js"`.
import type { Words } from "./words.js";

declare const words: Words;
export default words;
