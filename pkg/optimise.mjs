// Makes wasm modules smaller, and one of them a script.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { basename, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Binary, leb } from "./binary.mjs";

/** What Rust's wasm target takes for granted, and so may the optimiser. */
export const FEATURES = [
  "--enable-bulk-memory",
  "--enable-multivalue",
  "--enable-mutable-globals",
  "--enable-nontrapping-float-to-int",
  "--enable-reference-types",
  "--enable-sign-ext",
];

/** What the module is optimised with while its functions have names. Smaller and smaller until nothing more is gained; the first kilobyte of memory is the far end of the stack, where no
 * address of ours can point, so that offsets can be folded into loads. Functions whose names are alike are made from one source and
 * look alike: side by side they are packed better. A large function that is called once stays a function, since inlined it would
 * be apart from those like it. The control flow is built anew first. */
export const NAMED_PASSES = ["--flatten", "--rereloop", "-Oz", "--one-caller-inline-max-function-size=25", "--converge", "--memory-packing", "--low-memory-unused", "--reorder-functions-by-name"];
const PASSES = [...NAMED_PASSES, "--strip-debug", "--strip-producers"];

/**
 * Optimises the module `from` into `to`, unless its bytes have been optimised before, and are in `cache`.
 * @type {(from: string, to: string, cache: string) => Promise<void>}
 */
export const optimise = (from, to, cache) =>
  made(from, to, cache, [...FEATURES, ...PASSES], async (optimised) => {
    console.log(`· optimising ${basename(to)}`);
    await tool("wasm-opt", from, ...PASSES, ...FEATURES, "-o", optimised);
  });

/** What has to be made into what a script has. */
const LOWERED = ["--llvm-nontrapping-fptoint-lowering", "--signext-lowering", "--llvm-memory-copy-fill-lowering", "--strip-target-features"];
/** What is left then. */
const SCRIPTED = ["--mvp-features", "--enable-mutable-globals"];

/**
 * Makes the module `from` the script `to`, likewise.
 * @type {(from: string, to: string, cache: string) => Promise<void>}
 */
export const script = (from, to, cache) =>
  made(from, to, cache, [...FEATURES, ...LOWERED, ...PASSES, ...SCRIPTED, String(GROWS), GROWN], async (scripted) => {
    console.log(`· making the script ${basename(to)}`);
    const [lowered, plain] = [`${scripted}.wasm`, `${scripted}.js`];
    await tool("wasm-opt", from, ...LOWERED, ...FEATURES, "-o", lowered);
    await tool("wasm-opt", lowered, ...PASSES, ...SCRIPTED, "-o", lowered);
    await tool("wasm2js", lowered, "-Oz", "--low-memory-unused", ...SCRIPTED, "-o", plain);
    const text = await readFile(plain, "utf8");
    if (!GROWS.test(text)) throw new Error("wasm2js grows a memory in another way than it did");
    await writeFile(scripted, text.replace(GROWS, GROWN));
  });

/** A memory that grows is moved, as in wasm: whoever still looks at what it was sees that it is no more. */
const GROWS = /new ArrayBuffer\((\w+) << 16\)(;\s*var (\w+) = new Int8Array\(\w+\);)\s*\3\.set\(HEAP8\);/;
const GROWN = "buffer.transfer($1 << 16)$2";

/**
 * Puts zeros in place of the names of source files in a module, where they are said to be the places of panics: no hook prints a panic. Nothing moves by it.
 * @param {string} module
 */
export async function blankPaths(module) {
  // Each byte is one character.
  const text = (await readFile(module)).toString("latin1");
  await writeFile(module, text.replace(SOURCE, (path) => "\0".repeat(path.length)), "latin1");
}

/** The name of a source file: of Rust's library, of a dependency or of the project. */
const SOURCE = /(?:\/rustc\/[0-9a-f]{40}\/library|cargo\/index\.crates\.io-[0-9a-f]{16}|(?:core|web|validator)\/src)\/[\w./-]+?\.rs/g;

/** Gives the imports and exports of a module short names, in the module and in its bindings, where wasm-bindgen ends a name with 16 digits of
 * a hash, which no packing makes smaller, and to the module that the imports are from. */
/**
 * @param {string} module
 * @param {string} bindings
 */
export async function shorten(module, bindings) {
  const script = await readFile(bindings, "utf8");
  const found = [...new Set(script.match(LONG))];
  if (!found.length) return;
  const names = new Map(found.map((name, place) => [name, `_${place.toString(36)}`]));
  await writeFile(module, renamed(await readFile(module), names));
  await writeFile(bindings, script.replace(LONG, (name) => /** @type {string} */ (names.get(name))));
}

/** The name of the module that all imports are from, and the names with hashes. */
const LONG = /\.\/\w+_bg\.js(?=":)|\b(?:__wbg_\w+_|__wbindgen_generic_|wasm_bindgen__convert__\w+_h)[0-9a-f]{16}\b/g;

/**
 * The module with other names for its imports and exports (WebAssembly Core Specification, sections 5.5.5 and 5.5.10). Each import is a function.
 * @param {Buffer} module
 * @param {Map<string, string>} names
 */
function renamed(module, names) {
  const [IMPORTS, EXPORTS] = [2, 7];
  const binary = new Binary(module);
  /**
   * A kind, and the index of a type or of what is exported.
   * @type {(field: string) => Buffer}
   */
  const described = (field) => {
    const kind = binary.byte();
    if (kind > 4) throw new Error(`${field} has the unknown kind ${kind}`);
    return Buffer.from([kind, ...leb(binary.integer())]);
  };
  const parts = [module.subarray(0, 8)];
  for (const { id, start, end } of binary.sections()) {
    if (id !== IMPORTS && id !== EXPORTS) {
      parts.push(module.subarray(start, end));
      continue;
    }
    const count = binary.integer();
    /** @type {Buffer[]} */
    const fields = [Buffer.from(leb(count))];
    for (let place = 0; place < count; place++) {
      const from = id === IMPORTS ? binary.name() : undefined;
      if (from !== undefined) fields.push(text(names.get(from) ?? from));
      const field = binary.name();
      if (id === IMPORTS && module[binary.at] !== 0) throw new Error(`the import ${field} is not a function`);
      fields.push(text(names.get(field) ?? field), described(field));
    }
    if (binary.at !== end) throw new Error(`the section ${id} is not as long as it says`);
    const body = Buffer.concat(fields);
    parts.push(Buffer.from([id, ...leb(body.length)]), body);
  }
  return Buffer.concat(parts);
}

/** @param {string} name */
function text(name) {
  const bytes = Buffer.from(name);
  return Buffer.concat([Buffer.from(leb(bytes.length)), bytes]);
}

/**
 * Runs a tool of binaryen, and promises what it says.
 * @type {(name: string, ...args: (string | number)[]) => Promise<string>}
 */
export const tool = (name, ...args) => run(fileURLToPath(new URL(`node_modules/binaryen/bin/${name}`, import.meta.url)), ...args);

/**
 * Runs a script in a process of its own, and promises what it says.
 * @param {(string | number)[]} args
 */
export async function run(...args) {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args.map(String), { encoding: "utf8", maxBuffer: 2 ** 28 });
  process.stderr.write(stderr);
  return stdout;
}

/**
 * Makes `to` of `from`, unless the same has been made of the same, and is in `cache`.
 * @type {(from: string, to: string, cache: string, settings: (string | RegExp)[], make: (to: string) => Promise<unknown>) => Promise<void>}
 */
const made = (from, to, cache, settings, make) => madeAll(from, [to], cache, settings, make);

/**
 * The same for several files, which are made together.
 * @param {string} from
 * @param {string[]} files
 * @param {string} cache
 * @param {unknown[]} settings
 * @param {(...files: string[]) => Promise<unknown>} make
 */
export async function madeAll(from, files, cache, settings, make) {
  const hash = createHash("sha256").update(await readFile(from)).update(settings.join()).digest("hex").slice(0, 16);
  const kept = files.map((to) => join(cache, `${parse(to).name}.${hash}${parse(to).ext}`));
  if (!kept.every(existsSync)) await make(...kept);
  for (const [place, to] of files.entries()) await copyFile(kept[place], to);
}
