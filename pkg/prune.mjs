// Takes out of a wasm module and its bindings what nothing reaches: what dependencies export and the form never calls, and all that only
// this uses. wasm-bindgen keeps every export of every crate, and the optimiser keeps all that is exported.
import { readFile, rm, writeFile } from "node:fs/promises";
import { FEATURES, tool } from "./optimise.mjs";

/**
 * A part of the bindings: its name, or none, and its text.
 * @typedef {{ name: string, text: string }} Part
 */

/**
 * Keeps of a module, and of the bindings that wasm-bindgen wrote for it, what is reached from these names of the bindings.
 * @param {string} module
 * @param {string} bindings
 * @param {string[]} names
 */
export async function prune(module, bindings, names) {
  const written = await readFile(bindings, "utf8");
  if (written.startsWith(DONE)) return;
  const compiled = new WebAssembly.Module(await readFile(module));
  const imports = new Map(WebAssembly.Module.imports(compiled).map(({ module, name }) => [name, module]));
  const exports = WebAssembly.Module.exports(compiled).map(({ name }) => name);
  const parts = partsOf(written);
  const texts = new Map();
  for (const { name, text } of parts) texts.set(name, (texts.get(name) ?? "") + text);
  const missing = names.filter((name) => !texts.has(name));
  if (missing.length) throw new Error(`${bindings} has no ${missing.join(", ")}`);

  /** @type {(name: string, text: string) => string[]} */
  const reached = (name, text) => {
    const words = new Set(text.match(/[\w$]+/g));
    const scripts = [...texts.keys()].filter((other) => other !== name && words.has(other) && !imports.has(other));
    return [...scripts.map(script), ...exports.filter((other) => words.has(other)).map(exported)];
  };
  /** @type {{ name: string, root?: boolean, import?: (string | undefined)[], export?: string, reaches?: string[] }[]} */
  const graph = [...texts].map(([name, text]) => ({
    name: script(name),
    // A statement without a name does something when the bindings are loaded: it stays.
    ...(name === "" || names.includes(name) ? { root: true } : {}),
    ...(imports.has(name) ? { import: [imports.get(name), name] } : {}),
    reaches: reached(name, text),
  }));
  graph.push(...exports.map((name) => ({ name: exported(name), export: name })));
  const described = `${module}.json`;
  await writeFile(described, JSON.stringify(graph));
  const said = await tool("wasm-metadce", module, "--graph-file", described, ...FEATURES, "-g", "-o", module);
  await rm(described);
  const unused = new Set([...said.matchAll(/^unused: script (.*)$/gm)].map(([, name]) => name));
  await writeFile(bindings, DONE + parts.filter(({ name }) => !unused.has(name)).map(({ text }) => text).join(""));
}

/** How bindings begin that have been through this. */
const DONE = "// Without what nothing reaches.\n";

/** @type {(name: string) => string} */
const script = (name) => `script ${name}`;
/** @type {(name: string) => string} */
const exported = (name) => `export ${name}`;

/**
 * What stands at the top of the bindings, and each function in the object of what the module imports: its name, or none, and its text without comments.
 * @param {string} text
 * @returns {Part[]}
 */
function partsOf(text) {
  const plain = text.replace(/^ *\/\*\*.*?\*\/\n/gms, "").replace(/^ *\/\/.*\n/gm, "");
  return plain.split(/^(?=(?:export|async|function|class|const|let|var|if|import)\b)/m).flatMap((part) => {
    // It matches nothing, too.
    const [, declared, variable, extended] = /** @type {RegExpExecArray} */ (/^(?:(?:export )?(?:async )?(?:function|class) (\w+)|(?:const|let|var) (\w+)(?= =|;)|if \(Symbol\.dispose\) (\w+))?/.exec(part));
    const name = declared ?? variable ?? extended ?? "";
    if (name !== "__wbg_get_imports") return [{ name, text: part }];
    return part.split(/^(?= {8}\w+: function)|(?<=^ {8}\},\n)/m).map((inner) => ({ name: /^ {8}(\w+): function/.exec(inner)?.[1] ?? name, text: inner }));
  });
}
