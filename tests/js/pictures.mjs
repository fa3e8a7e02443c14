// Pictures for tests: cut out, put on one sheet, compared. A sheet is a PNG of 16 colours, and a list says what stands where on it.
import { createRequire } from "node:module";
import { crc32, deflateSync, inflateSync } from "node:zlib";

const require = createRequire(new URL("../../pkg/package.json", import.meta.url));
const { PNG } = /** @type {any} */ (require)("pngjs");
const { default: pixelmatch } = await import(require.resolve("pixelmatch"));

/** How far a colour may be off, from 0 to 1. The colours of a sheet are fewer than those of the screen. */
const THRESHOLD = 0.1;
/** As many as four bits can say. */
const MOST_COLOURS = 16;
const GAP = 8;
const PLAIN = 12;

export const read = (/** @type {Buffer} */ bytes) => PNG.sync.read(bytes);
export const write = (/** @type {any} */ picture) => PNG.sync.write(picture);

/** A part of a picture. */
export function cut(/** @type {any} */ picture, /** @type {number[]} */ [x, y, width, height]) {
  const part = new PNG({ width, height });
  PNG.bitblt(picture, part, x, y, width, height, 0, 0);
  return part;
}

/** Puts pictures by name on one sheet of so many columns: each into the shortest. Gives the sheet and the places, `{ [name]: [x, y, width, height] }`. */
export function sheet(/** @type {any} */ pictures, /** @type {number} */ columns) {
  const wide = Math.max(...Object.values(pictures).map(({ width }) => width)) + GAP;
  const heights = Array(columns).fill(0);
  /** @type {{ [name: string]: [x: number, y: number, width: number, height: number] }} */
  const places = {};
  for (const [name, { width, height }] of Object.entries(pictures)) {
    const column = heights.indexOf(Math.min(...heights));
    places[name] = [column * wide, heights[column], width, height];
    heights[column] += height + GAP;
  }
  const all = new PNG({ width: columns * wide - GAP, height: Math.max(...heights) - GAP });
  all.data.fill(128);
  for (let at = 3; at < all.data.length; at += 4) all.data[at] = 255;
  for (const [name, picture] of Object.entries(pictures)) PNG.bitblt(picture, all, 0, 0, picture.width, picture.height, places[name][0], places[name][1]);
  return { sheet: all, places };
}

/** How many pixels of two pictures differ, and a picture of that; `undefined` where the pictures are not of one size. */
export function compare(/** @type {any} */ now, /** @type {any} */ before, threshold = THRESHOLD) {
  if (now.width !== before.width || now.height !== before.height) return undefined;
  const { width, height } = now;
  const diff = new PNG({ width, height });
  return { count: pixelmatch(now.data, before.data, diff.data, width, height, { threshold, includeAA: false }), diff };
}

const pixelsOf = (/** @type {{ width: number, height: number, data: any }} */ { width, height, data }) => new Uint32Array(data.buffer, data.byteOffset, width * height);
const parts = (/** @type {number} */ pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
const distance = (/** @type {any} */ one, /** @type {any} */ other) => (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2;

/** The colours that stand for those of a picture: all, where they are few. */
function palette(/** @type {any} */ picture) {
  const counts = new Map();
  let [last, run] = [/** @type {number | undefined} */ (undefined), 0];
  for (const pixel of pixelsOf(picture)) {
    if (pixel !== last) {
      counts.set(last, (counts.get(last) ?? 0) + run);
      [last, run] = [pixel, 0];
    }
    run += 1;
  }
  counts.set(last, (counts.get(last) ?? 0) + run);
  counts.delete(undefined);
  const colours = [...counts].map(([pixel, count]) => ({ colour: parts(pixel), weight: count ** 0.35, away: Infinity }));
  const chosen = [];
  let next = colours.reduce((most, one) => (one.weight > most.weight ? one : most));
  while (chosen.length < MOST_COLOURS && next.away > 0) {
    const { colour } = next;
    chosen.push(colour);
    // What is far from all that are chosen, and is there often, is next.
    for (const one of colours) one.away = Math.min(one.away, distance(one.colour, colour));
    next = colours.reduce((most, one) => (one.away * one.weight > most.away * most.weight ? one : most));
  }
  return chosen;
}

/** The colours of areas and lines in a picture, those of a text's edges left out: of rows of twelve equal pixels. */
export function plainColours(/** @type {any} */ picture) {
  const found = new Set();
  let [last, run] = [/** @type {number | undefined} */ (undefined), 0];
  for (const pixel of pixelsOf(picture)) {
    run = pixel === last ? run + 1 : 1;
    last = pixel;
    if (run === PLAIN) found.add(`#${parts(pixel).map((part) => part.toString(16).padStart(2, "0")).join("")}`);
  }
  return [...found];
}

/** A picture in the colours of a palette alone, and for each pixel the place of its colour. */
export function inColours(/** @type {any} */ picture, /** @type {number[][]} */ colours) {
  const places = new Map();
  const nearest = (/** @type {number} */ pixel) => {
    const away = colours.map((/** @type {number[]} */ colour) => distance(colour, parts(pixel)));
    return away.indexOf(Math.min(...away));
  };
  const { width, height } = picture;
  const mapped = new PNG({ width, height });
  const [from, to, indices] = [pixelsOf(picture), pixelsOf(mapped), new Uint8Array(width * height)];
  const whole = wholeColours(colours);
  let [last, index] = /** @type {any[]} */ ([undefined, 0]);
  for (let at = 0; at < from.length; at += 1) {
    if (from[at] !== last) {
      last = from[at];
      index = places.get(last);
      if (index === undefined) places.set(last, (index = nearest(last)));
    }
    indices[at] = index;
    to[at] = whole[index];
  }
  return { mapped, indices };
}

/** A picture as a PNG with a palette of 16 colours: an eighth of the bytes. */
export function palettePng(/** @type {any} */ picture) {
  const { width, height } = picture;
  const colours = palette(picture);
  const { indices } = inColours(picture, colours);
  const row = 1 + Math.ceil(width / 2);
  const lines = Buffer.alloc(row * height);
  for (const [at, index] of indices.entries()) {
    const x = at % width;
    lines[((at - x) / width) * row + 1 + (x >> 1)] |= x & 1 ? index : index << 4;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([4, 3, 0, 0, 0], 8);
  const chunks = [["IHDR", head], ["PLTE", Buffer.from(colours.flat())], ["IDAT", deflateSync(lines, { level: 9 })], ["IEND", Buffer.alloc(0)]];
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), ...chunks.map(([name, content]) => chunk(/** @type {string} */ (name), content))]);
}

/** Reads what `palettePng` wrote: the picture, and its colours. Other PNGs are read by `read`. */
export function readPalettePng(/** @type {Buffer} */ bytes) {
  /** @type {{ [name: string]: Buffer }} */
  const chunks = {};
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12) chunks[bytes.toString("latin1", at + 4, at + 8)] = bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at));
  const [width, height] = [chunks.IHDR.readUInt32BE(0), chunks.IHDR.readUInt32BE(4)];
  const colours = Array.from({ length: chunks.PLTE.length / 3 }, (_, place) => [...chunks.PLTE.subarray(place * 3, place * 3 + 3)]);
  const [whole, lines, row] = [wholeColours(colours), inflateSync(chunks.IDAT), 1 + Math.ceil(width / 2)];
  const picture = new PNG({ width, height });
  const to = pixelsOf(picture);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const two = lines[y * row + 1 + (x >> 1)];
      to[at] = whole[x & 1 ? two & 15 : two >> 4];
    }
  }
  return { picture, colours };
}

const wholeColours = (/** @type {number[][]} */ colours) => Uint32Array.from(colours, ([r, g, b]) => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0);

function chunk(/** @type {string} */ name, /** @type {any} */ content) {
  const named = Buffer.concat([Buffer.from(name), content]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(content.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
