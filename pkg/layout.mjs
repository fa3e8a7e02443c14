// Which constants a module has in its memory, and what refers to them: of a module that was linked with its relocations (`--emit-relocs`), as the tool conventions
// have them (https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md). So the constants that the rest of a module alone needs come with it (`split.mjs`).
import { Binary } from "./binary.mjs";

/**
 * A segment of data: where it is in memory, its length, where it is in its section, and what it has.
 * @typedef {{ address: number, size: number, content: number, data: Uint8Array }} Segment
 */

/**
 * A symbol. One of data of the module says where that is.
 * @typedef {{ segment?: number, offset?: number, size?: number }} Symbol
 */

/**
 * The relocation of an address: where it is in its section, and of which symbol with which addend.
 * @typedef {{ at: number, symbol: number, addend: number }} Relocation
 */

/**
 * A constant: where it begins and ends in memory, and the places of those that it points to.
 * @typedef {{ start: number, end: number, needs: Set<number> }} Constant
 */

/** @typedef {{ constants: Map<number, Constant>, always: Set<number>, at(address: number): number[], bytes(start: number, end: number): Uint8Array }} Layout */

const [CUSTOM, DATA] = [0, 11];
/** The parts of the section `linking`: names of segments, and symbols. */
const [SEGMENTS, SYMBOLS] = [5, 8];
/** The kinds of symbols: a function, data, a global, a section, a tag, a table. */
const [OF_DATA, OF_SECTION] = [1, 3];
/** Flags of symbols: it is not defined here, and it has a name all the same. */
const [UNDEFINED, NAMED] = [0x10, 0x40];
/** The segment of what is never written. */
const CONSTANTS = ".rodata";
/** The relocations of addresses in memory: in an instruction's offset, in a constant, in data. */
const ADDRESSES = new Set([3, 4, 5]);
/** The others that have an addend: offsets in functions and sections. */
const OFFSETS = new Set([8, 9]);
/** Those without: functions, types, globals, tags and tables. */
const OTHERS = new Set([0, 1, 2, 6, 7, 10, 12, 13, 18, 19, 20, 26]);

/**
 * The constants of a module: `start` and `end` of each, and `needs`, the places of those that it points to. `at` gives the places of those that an address in code may
 * be of; `always` has those that code also points before or behind. `bytes` gives what is in memory between two addresses.
 * @param {Buffer} bytes
 * @returns {Layout}
 */
export function layoutOf(bytes) {
  const binary = new Binary(bytes);
  /** @type {[Segment[], string[], Symbol[], Map<string, Relocation[]>]} */
  const [segments, names, symbols, relocations] = [[], [], [], new Map()];
  for (const { id, content, end } of binary.sections()) {
    if (id === DATA) segments.push(...segmentsOf(binary, content));
    if (id !== CUSTOM) continue;
    const name = binary.name();
    if (name === "linking") read(binary, end, names, symbols);
    if (name === "reloc.CODE" || name === "reloc.DATA") relocations.set(name, relocationsOf(binary));
  }
  if (!symbols.length || relocations.size !== 2) throw new Error("the module has no relocations: link it with --emit-relocs");
  /** @type {Map<number, Constant>} */
  const constants = new Map();
  for (const [place, { segment, offset, size }] of symbols.entries()) {
    if (segment === undefined || offset === undefined || size === undefined || names[segment] !== CONSTANTS) continue;
    const start = segments[segment].address + offset;
    constants.set(place, { start, end: start + size, needs: new Set() });
  }
  const sorted = [...constants].sort(([, one], [, other]) => one.start - other.start);
  const longest = Math.max(0, ...sorted.map(([, { start, end }]) => end - start));
  /**
   * The places of the constants that have this address in them.
   * @type {(address: number) => number[]}
   */
  const around = (address) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle][1].start <= address) low = middle + 1;
      else high = middle;
    }
    const found = [];
    for (let at = low - 1; at >= 0 && sorted[at][1].start > address - longest; at -= 1) if (address < sorted[at][1].end) found.push(sorted[at][0]);
    return found;
  };
  /** @type {[Map<number, Set<number>>, Set<number>]} */
  const [pointed, always] = [new Map(), new Set()];
  for (const { symbol, addend } of relocations.get("reloc.CODE") ?? []) {
    const constant = constants.get(symbol);
    if (!constant) continue;
    const address = constant.start + addend;
    if (address < constant.start || address > constant.end) always.add(symbol);
    if (!pointed.has(address)) pointed.set(address, new Set());
    pointed.get(address)?.add(symbol);
  }
  for (const { at, symbol } of relocations.get("reloc.DATA") ?? []) {
    const segment = /** @type {Segment} */ (segments.find(({ content, size }) => at >= content && at < content + size));
    const owners = around(segment.address + at - segment.content);
    for (const owner of owners) if (constants.has(symbol)) constants.get(owner)?.needs.add(symbol);
    // What can be written is of the first part.
    if (!owners.length && constants.has(symbol)) always.add(symbol);
  }
  return { constants, always, at: (address) => [...(pointed.get(address) ?? []), ...around(address)], bytes: memoryOf(segments) };
}

/**
 * What is in a memory at its beginning, between two addresses: that of the data in a module.
 * @param {Segment[]} segments
 * @returns {(start: number, end: number) => Uint8Array}
 */
export function memoryOf(segments) {
  return (start, end) => {
    const found = new Uint8Array(end - start);
    for (const { address, size, data } of segments) {
      const [from, to] = [Math.max(start, address), Math.min(end, address + size)];
      if (from < to) found.set(data.subarray(from - address, to - address), from - start);
    }
    return found;
  };
}

/**
 * The segments of the data of a module: where each is in memory, where in the section, and what it has. `content` is where the section begins.
 * @param {Binary} binary
 * @param {number} content
 */
export function segmentsOf(binary, content) {
  /** @type {Segment[]} */
  const segments = [];
  for (let left = binary.integer(); left; left -= 1) {
    if (binary.integer() !== 0 || binary.byte() !== 0x41) throw new Error("a segment of data is not at a constant address");
    const address = signed(binary);
    if (binary.byte() !== 0x0b) throw new Error("a segment of data is not at a constant address");
    const size = binary.integer();
    segments.push({ address, size, content: binary.at - content, data: binary.bytes.subarray(binary.at, binary.at + size) });
    binary.at += size;
  }
  return segments;
}

/**
 * A signed integer of 32 bits as LEB128.
 * @param {Binary} binary
 * @returns {number}
 */
function signed(binary) {
  for (let value = 0, shift = 0; ; ) {
    const byte = binary.byte();
    value |= (byte & 127) << shift;
    shift += 7;
    if (byte < 128) return shift < 32 && byte & 64 ? value | (-1 << shift) : value;
  }
}

/**
 * Reads the names of segments, and the symbols: of one that is no data of this module, nothing.
 * @param {Binary} binary
 * @param {number} end
 * @param {string[]} names
 * @param {Symbol[]} symbols
 */
function read(binary, end, names, symbols) {
  const version = binary.integer();
  if (version !== 2) throw new Error(`relocations of version ${version} cannot be read`);
  while (binary.at < end) {
    const [kind, size] = [binary.byte(), binary.integer()];
    const next = binary.at + size;
    if (kind === SEGMENTS) {
      for (let left = binary.integer(); left; left -= 1) {
        names.push(binary.name());
        binary.integer();
        binary.integer();
      }
    }
    if (kind === SYMBOLS) for (let left = binary.integer(); left; left -= 1) symbols.push(symbolOf(binary));
    binary.at = next;
  }
}

/**
 * @param {Binary} binary
 * @returns {Symbol}
 */
function symbolOf(binary) {
  const [kind, flags] = [binary.byte(), binary.integer()];
  if (kind === OF_DATA) {
    binary.name();
    return flags & UNDEFINED ? {} : { segment: binary.integer(), offset: binary.integer(), size: binary.integer() };
  }
  binary.integer();
  if (kind !== OF_SECTION && (!(flags & UNDEFINED) || flags & NAMED)) binary.name();
  return {};
}

/**
 * The relocations of addresses: where each is in its section, and of which symbol with which addend.
 * @param {Binary} binary
 */
function relocationsOf(binary) {
  /** @type {Relocation[]} */
  const found = [];
  binary.integer();
  for (let left = binary.integer(); left; left -= 1) {
    const [type, at, symbol] = [binary.byte(), binary.integer(), binary.integer()];
    if (ADDRESSES.has(type)) found.push({ at, symbol, addend: signed(binary) });
    else if (OFFSETS.has(type)) signed(binary);
    else if (!OTHERS.has(type)) throw new Error(`a relocation of type ${type} cannot be read`);
  }
  return found;
}
