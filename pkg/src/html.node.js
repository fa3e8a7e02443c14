// A form as HTML in Node: reads the wasm that lies beside it.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as raw from "../build/html/ask_user_html.js";
import { bind } from "./html.js";

// Not by `new URL(…)`: where a server's code is bundled, that may be an address for browsers.
raw.initSync({ module: readFileSync(join(dirname(fileURLToPath(import.meta.url)), "html.wasm")) });

export const { render, post } = bind(raw);
