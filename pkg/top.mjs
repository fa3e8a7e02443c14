// Prints where the bytes of the first download go: the functions of the form's first part by module of the source, the largest of them, and the scripts.
// `node top.mjs [COUNT]`, after a build. Bytes are those before packing. A function that has become part of another one counts there.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bindings } from "./bindings.mjs";
import { Binary } from "./binary.mjs";
import { named, sourceName } from "./named.mjs";
import { usedBy } from "./split.mjs";

/** @typedef {{ size: number, name: string, count?: number }} Row */

const COUNT = Number(process.argv[2] ?? 30);
/** @type {(name: string) => string} */
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const [CUSTOM, IMPORTS, CODE, DATA] = [0, 2, 10, 11];

const file = await named();
const bytes = await readFile(file);
const { functions, data } = read(bytes);
const shown = await usedBy("form", bytes, file, path("build/published/web/ask_user_web.js"));
const first = functions.filter(({ place }) => shown.has(place));
const all = sum(first);
const kept = read(await readFile(path("dist/form.first.wasm"))).data;
console.log(`The first part has ${first.length} of ${functions.length} functions, with ${all} of ${sum(functions)} bytes of code, and ${kept} of ${data} bytes of data.\n`);
table(grouped(first, ({ name }) => moduleOf(name)), all);
console.log();
for (const { size, name } of first.sort((one, other) => other.size - one.size).slice(0, COUNT)) line(size, all, sourceName(name));
console.log("\nThe script ask-user.js:\n");
const scripts = await scriptsOf("src/ask-user.js");
table(scripts, sum(scripts));

/**
 * The functions of a module that are not imported: the place, the bytes of the body and the name of each; and the bytes of its data.
 * @param {Buffer} bytes
 */
function read(bytes) {
  const binary = new Binary(bytes);
  /** @type {[number[], Map<number, string>]} */
  const [sizes, names] = [[], new Map()];
  let [imported, data] = [0, 0];
  for (const { id, content, end } of binary.sections()) {
    if (id === IMPORTS) imported = binary.integer();
    if (id === DATA) data = end - content;
    if (id === CODE) {
      for (let left = binary.integer(); left; left -= 1) {
        const size = binary.integer();
        sizes.push(size);
        binary.at += size;
      }
    }
    if (id !== CUSTOM || binary.name() !== "name") continue;
    while (binary.at < end) {
      const [kind, length] = [binary.byte(), binary.integer()];
      const next = binary.at + length;
      // The names of functions (WebAssembly Core Specification, section 7.4.1).
      if (kind === 1) for (let left = binary.integer(); left; left -= 1) names.set(binary.integer(), binary.name());
      binary.at = next;
    }
  }
  return { data, functions: sizes.map((size, at) => ({ size, place: imported + at, name: names.get(imported + at) ?? "" })) };
}

/**
 * The crate and the module that a function is of, or that the type is of whose trait it has.
 * @param {string} name
 */
function moduleOf(name) {
  const [, crate, module] = /^[<&]*(?:dyn |mut |\*const )*([a-z]\w*)(?:::(\w+))?/.exec(sourceName(name)) ?? [];
  if (!crate) return "others";
  return module && module !== "undefined" ? `${crate}::${module}` : crate;
}

/**
 * @param {Row[]} list
 * @param {(row: Row) => string} key
 * @returns {Row[]}
 */
function grouped(list, key) {
  /** @type {Map<string, { name: string, size: number, count: number }>} */
  const groups = new Map();
  for (const one of list) {
    const name = key(one);
    const { size, count } = groups.get(name) ?? { size: 0, count: 0 };
    groups.set(name, { name, size: size + one.size, count: count + 1 });
  }
  return [...groups.values()];
}

/**
 * How many bytes of a script each of its sources takes.
 * @param {string} entry
 */
async function scriptsOf(entry) {
  /** @type {import("esbuild").Plugin} */
  const onDemand = { name: "on-demand", setup: (builder) => builder.onResolve({ filter: /./ }, ({ kind, path }) => (kind === "dynamic-import" ? { path, external: true } : undefined)) };
  const { metafile } = await build({ entryPoints: [path(entry)], bundle: true, format: "esm", target: "es2022", minify: true, write: false, metafile: true, outdir: path("build"), plugins: [bindings("build/published"), onDemand], logLevel: "warning" });
  const [{ inputs }] = Object.values(metafile.outputs);
  return Object.entries(inputs).map(([name, { bytesInOutput: size }]) => ({ name, size }));
}

/**
 * @param {Row[]} rows
 * @param {number} all
 */
function table(rows, all) {
  for (const { size, name, count } of rows.sort((one, other) => other.size - one.size).slice(0, COUNT)) line(size, all, name + (count ? ` (${count})` : ""));
}

/**
 * @param {number} size
 * @param {number} all
 * @param {string} name
 */
function line(size, all, name) {
  console.log(`${String(size).padStart(8)} ${((100 * size) / all).toFixed(1).padStart(5)} %  ${name.slice(0, 150)}`);
}

/** @param {{ size: number }[]} list */
function sum(list) {
  return list.reduce((all, { size }) => all + size, 0);
}
