// The words of one element, in its language: English, or what a locale and the host say instead. `web/src/language.rs` says what the form has said. Knows no
// element.

/** @import { Words as Given } from "../types/words.js" */

/**
 * A word of a script: its key and its English.
 * @typedef {readonly [key: string, english: string]} Word
 */

/**
 * What the form says, as `web/src/language.rs` writes it: a text, a number, a word, or a value that the language has a way to write.
 * @typedef {string | number | SaidWord | { [Kind in keyof SaidKinds]: { [kind in Kind]: SaidKinds[Kind] } }[keyof SaidKinds]} Said
 */

/**
 * A word as the line `key=English`, and its values.
 * @typedef {[line: string, values?: Values]} SaidWord
 */

/**
 * How many there are; "$" where another one puts a number in its place.
 * @typedef {number | "$"} Count
 */

/**
 * Values in place of `{name}`. One named `count` chooses the form of a text.
 * @typedef {{ count?: Count, [name: string]: Said | undefined }} Values
 */

/**
 * A violation of the schema of a question: its keyword, its place in the schema, what is wrong in English, and the id of the question.
 * @typedef {[keyword: string, path: string, message: string, id: string]} SaidViolation
 */

/** @typedef {{ hint: Said, list: Said[], between: [place: number, count: number], date: string, digits: string, violation: SaidViolation }} SaidKinds */

/**
 * How the values are written that the language has a way for.
 * @type {{ [Kind in keyof SaidKinds]: (said: SaidKinds[Kind], words: Words) => string }}
 */
const WRITTEN = {
  hint: (said, words) => words.text(said).replace(/^./u, (letter) => letter.toLocaleUpperCase(words.tag)),
  list: (said, { tag, text }) => new Intl.ListFormat(tag, { style: "narrow" }).format(said.map(text)),
  // A long list reads like one of four: between the first two, in the middle, and before the last.
  between: ([place, count], { tag, separators }) => {
    const [at, of] = count > 4 ? [place === 0 ? 0 : place === count - 2 ? 2 : 1, 4] : [place, count];
    separators[of] ??= new Intl.ListFormat(tag, { style: "narrow" }).formatToParts(Array(of).fill("x")).filter(({ type }) => type === "literal");
    return separators[of][at].value;
  },
  date: (day, { tag }) => new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day)),
  // Not grouped: it may be a year or a port. One with so many digits that some would be lost stays as it is.
  digits: (number, { tag }) => (/^[-.\d]{1,15}$/.test(number) ? new Intl.NumberFormat(tag, { useGrouping: false, maximumFractionDigits: 15 }).format(/** @type {Intl.StringNumericLiteral} */ (number)) : number),
  violation: (said, { violated }) => violated?.(said) ?? said[2],
};

/** The words of one element. A word of a script is a pair of its key and its English: `build/words.js` has them all, made of `web/words.txt`. */
export class Words {
  /** The language (BCP 47), for `Intl`. */
  tag = "en";
  /**
   * Says what a schema does not accept in other languages than English; there once there is a validator.
   * @type {((violation: SaidViolation) => string | undefined) | undefined}
   */
  violated;
  /**
   * What stands between the items of a list, by its length.
   * @type {ReturnType<Intl.ListFormat["formatToParts"]>[number][][]}
   */
  separators = [];
  /** @type {Given} */
  #given = {};
  /**
   * The nodes that follow the language, and what each does then. A node that nobody else has goes.
   * @type {Set<WeakRef<Node>>}
   */
  #followers = new Set();
  /** @type {WeakMap<Node, (() => void)[]>} */
  #acts = new WeakMap();

  /**
   * Changes the language: what is said instead of English, by key.
   * @param {string} tag
   * @param {Given} given
   */
  set(tag, given) {
    this.tag = tag;
    this.separators = [];
    this.#given = given;
    for (const follower of this.#followers) {
      const acts = this.#acts.get(/** @type {Node} */ (follower.deref()));
      if (!acts) this.#followers.delete(follower);
      for (const act of acts ?? []) act();
    }
  }

  /**
   * A word of a script, with values in place of `{name}`.
   * @param {Word} word
   * @param {Values} values
   */
  say([key, english], values = {}) {
    return this.#fill(this.#template(key, english, values.count), values);
  }

  /**
   * Says in a node what the form says, at a place in it: "" is its text, "<" and ">" what comes before and after the value of a word, a name an attribute.
   * @type {(node: Node, place: string, said: string) => void}
   */
  speak = (node, place, said) => {
    const value = /^["[{]/.test(said) ? JSON.parse(said) : [said];
    this.follow(node, () => {
      if (place === "") /** @type {Text} */ (node).data = this.text(value);
      else if (place === "<" || place === ">") /** @type {Text} */ (node).data = this.#of(value).split(/\{\w+\}/)[place === "<" ? 0 : 1] ?? "";
      else /** @type {Element} */ (node).setAttribute(place, this.text(value));
    });
  };

  /**
   * What the form says, as text.
   * @type {(value: Said) => string}
   */
  text = (value) => {
    if (typeof value === "string") return value;
    if (typeof value === "number") return this.#number(value);
    if (Array.isArray(value)) return this.#fill(this.#of(value), value[1] ?? {});
    const [[kind, said]] = Object.entries(value);
    return /** @type {(said: unknown, words: Words) => string} */ (WRITTEN[/** @type {keyof SaidKinds} */ (kind)])(said, this);
  };

  /**
   * A number. An integer in English is written without `Intl`, whose first use in a page takes as long as showing a question.
   * @param {number} value
   */
  #number(value) {
    const isPlain = this.tag === "en" && Number.isSafeInteger(value);
    return isPlain ? String(value).replace(/\B(?=(\d{3})+$)/g, ",") : new Intl.NumberFormat(this.tag).format(value);
  }

  /**
   * Several texts in one, as the language lists them; of a disjunction, one counts.
   * @param {string[]} texts
   * @param {Intl.ListFormatType} [type]
   */
  list(texts, type) {
    return new Intl.ListFormat(this.tag, { type }).format(texts);
  }

  /**
   * Does what says something in a node: now, and whenever the language changes.
   * @param {Node} node
   * @param {() => void} act
   */
  follow(node, act) {
    act();
    const acts = this.#acts.get(node);
    if (acts) return void acts.push(act);
    this.#acts.set(node, [act]);
    this.#followers.add(new WeakRef(node));
  }

  /**
   * What is said for a key in place of English, if anything is, in the form for a count.
   * @param {string} key
   * @param {Count} [count]
   * @returns {string | undefined}
   */
  given(key, count) {
    const given = Object.hasOwn(this.#given, key) ? this.#given[/** @type {keyof Given} */ (key)] : undefined;
    const text = typeof given === "object" ? (given?.[new Intl.PluralRules(this.tag).select(/** @type {number} */ (count ?? 0))] ?? given?.other) : given;
    return typeof text === "string" ? text : undefined;
  }

  /**
   * The template of a word that the form says as the line `key=English`.
   * @param {SaidWord} word
   */
  #of([line, values]) {
    const end = line.indexOf("=");
    return this.#template(line.slice(0, end), line.slice(end + 1), values?.count);
  }

  /**
   * @param {string} key
   * @param {string} english
   * @param {Count} [count]
   */
  #template(key, english, count) {
    const given = this.given(key, count);
    if (given !== undefined || count === undefined) return given ?? english;
    const [one, other = one] = english.split(" | ");
    return count === 1 ? one : other;
  }

  /**
   * In a language from right to left values are isolated, so that they do not change places with what is around them.
   * @param {string} text
   * @param {Values} values
   * @returns {string}
   */
  #fill(text, values) {
    const isRtl = this.#given.direction === "rtl";
    return text.replace(/\{(\w+)\}/g, (all, name) => {
      if (!Object.hasOwn(values, name)) return all;
      return isRtl && typeof values[name] === "string" ? `\u2068${values[name]}\u2069` : this.text(/** @type {Said} */ (values[name]));
    });
  }
}
