// Splits a module in two: what is usually used first, and the rest, which is fetched right after. Both are one program over one memory and one table: the second part
// is linked to the first by `src/rest.js`. A profile says what is used first: `profile.mjs` shows many questions with the form, and `profile.validator.mjs` checks by
// many schemas with the validator.
import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import binaryen from "binaryen";
import { Binary } from "./binary.mjs";
import { layoutOf, memoryOf, segmentsOf } from "./layout.mjs";
import { FEATURES, madeAll, run, tool } from "./optimise.mjs";

/** @import { Layout, Segment } from "./layout.mjs" */

/** @typedef {binaryen.Module} Module */

/**
 * A run of memory: where it begins and ends.
 * @typedef {[start: number, end: number]} Run
 */

/** @type {(name: string) => string} */
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
/**
 * What binaryen has and its types lack.
 * @type {any}
 */
const untyped = binaryen;
/** Requests that are shown beside questions of each type. Of them, the profile shows those that the first part shows by itself (`src/rest.form.js`). */
const REQUESTS = ["walk", "ask_user_question", "deepagents", "consent", "other_dialects"].map((name) => path(`../tests/vectors/${name}.json`));
/**
 * The profile of each module, what is handed to it, and what in `src/` hands the first part what it calls when it needs the rest.
 * @type {{ [name: string]: { profile: string, inputs: string[], linker: string } }}
 */
export const SPLIT = {
  form: { profile: path("profile.mjs"), inputs: REQUESTS, linker: "rest.form.js" },
  validator: { profile: path("profile.validator.mjs"), inputs: [path("profile.schemas.json")], linker: "rest.validator.js" },
};

/** Where each function that runs leaves a byte: the far end of the stack, which no profile comes near. */
const SEEN = 4_096;
/** What the first part calls when it needs the rest: its name in the linker, and in the module. */
const [NEED, NEEDED] = ["need", "_rest"];
/** The function of the first part that calls it, unless the rest is linked. It stands in place of the same few bytes in each function that needs the rest. */
const CHECK = "_check";
/** How the bindings begin the object of what the module imports. */
const IMPORTS = "const import0 = {";
/** How they end then. */
const LINKED = new RegExp(`\\nimport \\{ ${NEED} \\} from "[^"]+";\\n$`);
/** What is 1 once the rest is linked. */
const THERE = "there";
/** The memory of a module, which the rest has no part of its own in. */
const MEMORY = "0";
const SMALL = ["-Oz", "--low-memory-unused", "--memory-packing", "--dealign", "--strip-debug", "--strip-producers"];
/** How many bytes between two runs of constants of the rest come with them in the rest, since a segment of its own takes as many. The first part keeps its own there. */
const SEGMENT = 8;
/** The bytes of a page of memory. */
const PAGE = 65_536;

/**
 * Writes the parts of the module `whole`, whose name is one of `SPLIT`, to two files, the first part and the rest, unless they are in `cache`. `bindings` are those of the whole, and of the
 * first. `linked` is the module as it was linked, with relocations: without it, the first part has all constants.
 * @param {string} name
 * @param {string} whole
 * @param {string[]} files
 * @param {string} bindings
 * @param {string} cache
 * @param {string} [linked]
 */
export async function split(name, whole, files, bindings, cache, linked) {
  const { profile, inputs, linker } = SPLIT[name];
  const sources = [fileURLToPath(import.meta.url), path("layout.mjs"), profile, path(`src/${linker}`), ...inputs, ...(linked ? [linked] : [])];
  const made = await Promise.all(sources.map((file) => readFile(file, "latin1")));
  await madeAll(whole, files, cache, [...SMALL, ...made], async (first, rest) => {
    console.log(`· splitting ${name}.wasm`);
    // Without names: each function has that of its place.
    await tool("wasm-opt", whole, "--strip-debug", ...FEATURES, "-o", first);
    const bytes = await readFile(first);
    const program = new Program(bytes, await usedBy(name, bytes, rest, bindings), linked ? layoutOf(await readFile(linked)) : undefined);
    await writeFile(first, program.first());
    await writeFile(rest, program.rest());
    for (const part of [first, rest]) await tool("wasm-opt", part, ...SMALL, ...FEATURES, "-o", part);
  });
}

/**
 * Lets the bindings hand the first part what it calls when it needs the rest.
 * @param {string} name
 * @param {string} bindings
 */
export async function withNeed(name, bindings) {
  const written = await readFile(bindings, "utf8");
  // Bindings that are still there from a build before, which may have had another linker.
  const text = written.replace(`${IMPORTS} ${NEEDED}: ${NEED},`, IMPORTS).replace(LINKED, "");
  const [before, after, ...more] = text.split(IMPORTS);
  if (after === undefined || more.length) throw new Error(`${bindings} has no "${IMPORTS}"`);
  await writeFile(bindings, `${before}${IMPORTS} ${NEEDED}: ${NEED},${after}\nimport { ${NEED} } from "../../../src/${SPLIT[name].linker}";\n`);
}

/**
 * The places of the functions of a module that run in its profile. `name` is one of `SPLIT`.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @param {string} beside
 * @param {string} bindings
 * @returns {Promise<Set<number>>}
 */
export async function usedBy(name, bytes, beside, bindings) {
  const { profile, inputs } = SPLIT[name];
  const module = binaryen.readBinary(bytes);
  const functions = functionsOf(module);
  for (const [place, { module: imported, body, results }] of functions.entries()) {
    if (imported) continue;
    const seen = module.i32.store8(0, 1, module.i32.const(SEEN + place), module.i32.const(1));
    untyped.Function.setBody(module.getFunctionByIndex(place), module.block(null, [seen, body], results));
  }
  const watched = `${beside}.watched`;
  await writeFile(watched, written(module));
  const said = await run(profile, watched, bindings, SEEN, functions.length, ...inputs);
  await rm(watched);
  return new Set(JSON.parse(said));
}

/** A module, and which of its functions are of the first part. */
class Program {
  /** @type {Buffer} */
  #bytes;
  /** @type {ReturnType<typeof functionsOf>} */
  #functions;
  /**
   * The functions of the first part, and those of the module that all imports are from, by name.
   * @type {Set<string>}
   */
  #first;
  /**
   * The functions that each function calls.
   * @type {Map<string, Set<string>>}
   */
  #calls;
  /**
   * The table, where its entries start, and these by name.
   * @type {string}
   */
  #table;
  /** @type {number} */
  #start;
  /** @type {string[]} */
  #entries;
  /**
   * The name of the build, from the module and from what is in which part: the first part exports something by it, and the rest imports all from it. Parts of two builds cannot be linked.
   * @type {string}
   */
  #build;
  /**
   * Where in the table each function is that the other part calls, or that stands in the table anyway.
   * @type {Map<string, number>}
   */
  #places = new Map();
  /**
   * The functions of the rest, and those of the first part that they call.
   * @type {ReturnType<typeof functionsOf>}
   */
  #rest;
  /** @type {Set<string>} */
  #shared;
  /**
   * The functions that are added to the table, in the order of the module.
   * @type {string[]}
   */
  #added;
  /**
   * The constants that the rest alone needs: where each run begins and ends in memory. Nothing of the first part is in one.
   * @type {Run[]}
   */
  #moved = [];

  /**
   * @param {Buffer} bytes
   * @param {Set<number>} used
   * @param {Layout} [layout]
   */
  constructor(bytes, used, layout) {
    this.#bytes = bytes;
    const module = binaryen.readBinary(bytes);
    this.#functions = functionsOf(module);
    this.#first = new Set(this.#functions.filter(({ module }, place) => module || used.has(place)).map(({ name }) => name));
    const text = module.emitText();
    this.#calls = callsOf(text);
    if (layout) this.#moved = movedFrom(layout, text, this.#first, memoryOf(dataOf(bytes)));
    const parts = JSON.stringify([[...this.#first], this.#moved]);
    this.#build = createHash("sha256").update(bytes).update(parts).digest("hex").slice(0, 8);
    if (module.getNumElementSegments() !== 1) throw new Error("the module has not one segment of elements");
    const { table, offset, data } = binaryen.getElementSegmentInfo(module.getElementSegmentByIndex(0));
    [this.#table, this.#start, this.#entries] = [table, /** @type {{ value: number }} */ (/** @type {unknown} */ (binaryen.getExpressionInfo(offset))).value, data];
    const exported = exportsOf(module).filter(({ kind }) => kind === binaryen.ExternalFunction).map(({ value }) => value);
    module.dispose();
    this.#rest = this.#functions.filter(({ name }) => !this.#first.has(name));
    const called = [...this.#called(this.#first), ...exported.filter((name) => !this.#first.has(name))];
    const shared = this.#called(new Set(this.#rest.map(({ name }) => name)));
    // Functions that are in the table keep their places.
    const wanted = new Set([...called, ...shared].filter((name) => !data.includes(name)));
    // In the order of the module: so the list compresses best.
    this.#added = this.#functions.map(({ name }) => name).filter((name) => wanted.has(name));
    for (const [place, name] of [...data, ...this.#added].entries()) if (!this.#places.has(name)) this.#places.set(name, this.#start + place);
    this.#shared = new Set(shared);
  }

  /**
   * The functions of the other part that those of one part call.
   * @param {Set<string>} part
   */
  #called(part) {
    const called = [...part].flatMap((name) => [...(this.#calls.get(name) ?? [])]);
    return [...new Set(called)].filter((name) => !part.has(name));
  }

  /** The first part. In place of each function of the rest stands one that fetches the rest, if it is not there, and calls it through the table. */
  first() {
    const module = binaryen.readBinary(blanked(this.#bytes, this.#moved));
    const { module: imports } = /** @type {binaryen.FunctionInfo} */ (this.#functions.find(({ module }) => module));
    module.addFunctionImport(NEEDED, /** @type {string} */ (imports), NEEDED, binaryen.none, binaryen.none);
    module.addGlobal(THERE, binaryen.i32, true, module.i32.const(0));
    const { i32 } = module;
    const check = module.if(i32.eqz(module.global.get(THERE, binaryen.i32)), module.call(NEEDED, [], binaryen.none));
    module.addFunction(CHECK, binaryen.none, binaryen.none, [], check);
    for (const { name, params, results } of this.#rest) {
      module.removeFunction(name);
      // What the rest alone calls is not called from here.
      const call = this.#places.has(name) ? this.#call(module, name, params, results) : module.unreachable();
      module.addFunction(name, params, results, [], module.block(null, [module.call(CHECK, [], binaryen.none), call], results));
    }
    this.#fill(module, new Map(this.#added.filter((name) => this.#first.has(name)).map((name) => /** @type {[place: number, name: string]} */ ([this.#places.get(name), name]))));
    this.#grow(module);
    module.addMemoryExport(MEMORY, MEMORY);
    for (const { name } of tablesOf(module)) module.addTableExport(name, kind("t", name));
    for (const { name } of globalsOf(module)) module.addGlobalExport(name, name === THERE ? THERE : kind("g", name));
    module.addGlobalExport(THERE, this.#build);
    return written(module);
  }

  /**
   * Calls a function of the other part, with the parameters of the function around it.
   * @param {Module} module
   * @param {string} name
   * @param {number} params
   * @param {number} results
   */
  #call(module, name, params, results) {
    const given = binaryen.expandType(params).map((type, at) => module.local.get(at, type));
    return module.call_indirect(this.#table, module.i32.const(/** @type {number} */ (this.#places.get(name))), given, params, results);
  }

  /**
   * Puts functions into the table, each at its place.
   * @param {Module} module
   * @param {Map<number, string>} places
   */
  #fill(module, places) {
    for (const [start, names] of runsOf(places)) module.addActiveElementSegment(this.#table, `from ${start}`, names, module.i32.const(start));
  }

  /**
   * Makes room in the table for the functions that one part calls of the other.
   * @param {Module} module
   */
  #grow(module) {
    const table = module.getTable(this.#table);
    const size = Math.max(untyped.Table.getInitial(table), ...[...this.#places.values()].map((place) => place + 1));
    untyped.Table.setInitial(table, size);
    if (untyped.Table.hasMax(table)) untyped.Table.setMax(table, size);
  }

  /** The rest: functions alone, which it puts into the table. In place of each function of the first part that it calls stands one that calls it through the table: an export of the first part
   * would be an object of the page's script, made while the first question waits. */
  rest() {
    const module = binaryen.readBinary(this.#bytes);
    for (const { name } of exportsOf(module)) module.removeExport(name);
    for (const { name, params, results } of this.#functions.filter(({ name }) => this.#first.has(name))) {
      module.removeFunction(name);
      if (this.#shared.has(name)) module.addFunction(name, params, results, [], this.#call(module, name, params, results));
    }
    module.removeElementSegment(binaryen.getElementSegmentInfo(module.getElementSegmentByIndex(0)).name);
    // An entry of the table may stand there twice.
    const places = new Map([...this.#places].map(([name, place]) => [place, name]));
    for (const [place, name] of this.#entries.entries()) places.set(this.#start + place, name);
    this.#fill(module, new Map([...places].filter(([, name]) => !this.#first.has(name))));
    const memory = memoryOf(dataOf(this.#bytes));
    const constants = joined(this.#moved).map(([start, end]) => ({ offset: module.i32.const(start), data: memory(start, end), passive: false }));
    module.setMemory(Math.ceil(Math.max(0, ...this.#moved.map(([, end]) => end)) / PAGE), -1, null, constants);
    module.addMemoryImport(MEMORY, this.#build, MEMORY);
    this.#grow(module);
    for (const { name } of tablesOf(module)) module.addTableImport(name, this.#build, kind("t", name));
    for (const { name, type, mutable } of globalsOf(module)) module.addGlobalImport(name, this.#build, kind("g", name), type, mutable);
    return written(module);
  }
}

/**
 * The segments of the data of a module.
 * @param {Buffer} bytes
 * @returns {Segment[]}
 */
function dataOf(bytes) {
  const binary = new Binary(bytes);
  for (const { id, content } of binary.sections()) if (id === DATA) return segmentsOf(binary, content);
  return [];
}

/** The id of the section of data. */
const DATA = 11;

/**
 * A module with zeros where these runs of its memory are, which the optimiser then leaves out.
 * @param {Buffer} bytes
 * @param {Run[]} runs
 */
function blanked(bytes, runs) {
  const module = Buffer.from(bytes);
  for (const { address, size, data } of dataOf(module)) {
    for (const [start, end] of runs) data.fill(0, Math.min(size, Math.max(0, start - address)), Math.min(size, Math.max(0, end - address)));
  }
  return module;
}

/**
 * The runs of constants that no function of the first part can reach: no number in it is an address in one of them, and no constant that it needs points to one. `text` is the module's, `first`
 * has the names of the functions, `memory` gives what is in the module's memory.
 * @param {Layout} layout
 * @param {string} text
 * @param {Set<string>} first
 * @param {(start: number, end: number) => Uint8Array} memory
 * @returns {Run[]}
 */
function movedFrom({ constants, always, at, bytes }, text, first, memory) {
  const needed = new Set(always);
  for (const part of functionsIn(text)) {
    if (!first.has(nameOf(part))) continue;
    for (const [, number] of part.matchAll(/(?:i32\.const |offset=)(\d+)/g)) for (const place of at(Number(number))) needed.add(place);
  }
  // A set goes through what is added meanwhile.
  for (const place of needed) for (const other of constants.get(place)?.needs ?? []) needed.add(other);
  const all = [...constants].map(([place, { start, end }]) => ({ start, end, isFirst: needed.has(place) })).sort((one, other) => one.start - other.start);
  const [from, to] = [Math.min(...all.map(({ start }) => start)), Math.max(...all.map(({ end }) => end))];
  const [linked, there] = [bytes(from, to), memory(from, to)];
  // Names of source files are blank by now.
  const differs = there.findIndex((byte, place) => byte !== 0 && byte !== linked[place]);
  if (differs >= 0) throw new Error(`the module has another constant at ${from + differs} than when it was linked`);
  const isOfRest = new Uint8Array(to - from);
  for (const { start, end } of all) isOfRest.fill(1, start - from, end - from);
  for (const { start, end, isFirst } of all) if (isFirst) isOfRest.fill(0, start - from, end - from);
  /** @type {Run[]} */
  const runs = [];
  isOfRest.forEach((is, place) => {
    if (!is || there[place] === 0) return;
    const last = runs.at(-1);
    if (last?.[1] === from + place) last[1] += 1;
    else runs.push([from + place, from + place + 1]);
  });
  return runs;
}

/**
 * Runs of memory, where those that are near each other are one.
 * @param {Run[]} runs
 */
function joined(runs) {
  /** @type {Run[]} */
  const all = [];
  for (const [start, end] of runs) {
    const last = all.at(-1);
    if (last && start - last[1] < SEGMENT) last[1] = end;
    else all.push([start, end]);
  }
  return all;
}

/**
 * What is in a list that a module has, from the first to the last.
 * @type {<T>(count: number, at: (place: number) => T) => T[]}
 */
const listOf = (count, at) => Array.from({ length: count }, (_, place) => at(place));
/** @type {(module: Module) => binaryen.FunctionInfo[]} */
const functionsOf = (module) => listOf(module.getNumFunctions(), (place) => binaryen.getFunctionInfo(module.getFunctionByIndex(place)));
/** @type {(module: Module) => any[]} */
const tablesOf = (module) => listOf(module.getNumTables(), (place) => binaryen.getTableInfo(module.getTableByIndex(place)));
/** @type {(module: Module) => any[]} */
const globalsOf = (module) => listOf(module.getNumGlobals(), (place) => binaryen.getGlobalInfo(module.getGlobalByIndex(place)));
/** @type {(module: Module) => any[]} */
const exportsOf = (module) => listOf(module.getNumExports(), (place) => binaryen.getExportInfo(module.getExportByIndex(place)));

/**
 * The name of an export that is no function.
 * @type {(letter: string, name: string) => string}
 */
const kind = (letter, name) => `${letter} ${name}`;

/**
 * The functions in the text of a module, and the name of one.
 * @type {(text: string) => string[]}
 */
const functionsIn = (text) => text.split(/^ (?=\(func )/m).slice(1);
/** @type {(text: string) => string} */
const nameOf = (text) => /** @type {RegExpExecArray} */ (/^\(func \$(\S+)/.exec(text))[1];

/**
 * The functions that each function calls, as its text says.
 * @param {string} text
 * @returns {Map<string, Set<string>>}
 */
function callsOf(text) {
  const calls = new Map();
  for (const part of functionsIn(text)) {
    calls.set(nameOf(part), new Set([...part.matchAll(/\((?:call|ref\.func) \$([^\s)]+)/g)].map(([, called]) => called)));
  }
  return calls;
}

/**
 * The names of places that follow one another, each with the first of these.
 * @param {Map<number, string>} places
 */
function runsOf(places) {
  /** @type {[start: number, names: string[]][]} */
  const runs = [];
  for (const [place, name] of [...places].sort(([one], [other]) => one - other)) {
    const last = runs.at(-1);
    if (last && last[0] + last[1].length === place) last[1].push(name);
    else runs.push([place, [name]]);
  }
  return runs;
}

/** @param {Module} module */
function written(module) {
  if (!module.validate()) throw new Error("what was made of the module is not valid");
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}
