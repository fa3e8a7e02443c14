// Reads the binary format of WebAssembly (WebAssembly Core Specification, section 5).

/**
 * A section: its id, where it begins, and where its content begins and ends.
 * @typedef {{ id: number, start: number, content: number, end: number }} Section
 */

export class Binary {
  at = 0;

  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.bytes = bytes;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** An unsigned integer as LEB128. */
  integer() {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  name() {
    const length = this.integer();
    return this.bytes.toString("utf8", this.at, (this.at += length));
  }

  /**
   * The sections of a module: the id of each, where it begins, and where its content begins and ends.
   * @returns {Generator<Section, void, undefined>}
   */
  *sections() {
    this.at = 8;
    while (this.at < this.bytes.length) {
      const start = this.at;
      const id = this.byte();
      const end = this.integer() + this.at;
      yield { id, start, content: this.at, end };
      this.at = end;
    }
  }
}

/**
 * An unsigned integer as LEB128.
 * @param {number} value
 */
export function leb(value) {
  /** @type {number[]} */
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
}
