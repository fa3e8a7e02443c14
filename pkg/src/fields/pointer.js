// JSON Pointers (RFC 6901).

/**
 * The pointer of a member or an item of what another one points at.
 * @type {(pointer: string, part: string | number) => string}
 */
export const below = (pointer, part) => `${pointer}/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/**
 * The pointer that a path makes.
 * @type {(path: (string | number)[]) => string}
 */
export const pointerOf = (path) => path.reduce(below, "");

/**
 * The keys and places in a pointer, all as texts.
 * @type {(pointer: string) => string[]}
 */
export const partsOf = (pointer) => pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/**
 * The pointers of what a pointer's place is in, from the whole to the place itself.
 * @type {(pointer: string) => string[]}
 */
export const around = (pointer) => {
  const found = [];
  for (let end = pointer.indexOf("/", 1); end > 0; end = pointer.indexOf("/", end + 1)) found.push(pointer.slice(0, end));
  return pointer ? ["", ...found, pointer] : [""];
};

/**
 * Whether a place is another, or in it.
 * @type {(pointer: string, other: string) => boolean}
 */
export const isWithin = (pointer, other) => pointer === other || pointer.startsWith(`${other}/`);
