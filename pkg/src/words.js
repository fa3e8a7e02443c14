// The words of one element, in its language: English, or what a locale and the host say instead. `web/src/language.rs` says what the form has said. Knows no
// element.

/** How the values are written that the language has a way for. */
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
  digits: (number, { tag }) => (/^[-.\d]{1,15}$/.test(number) ? new Intl.NumberFormat(tag, { useGrouping: false, maximumFractionDigits: 15 }).format(number) : number),
  violation: (said, { violated }) => violated?.(said) ?? said[2],
};

/** The words of one element. A word of a script is a pair of its key and its English: `build/words.js` has them all, made of `web/words.txt`. */
export class Words {
  /** The language (BCP 47), for `Intl`. */
  tag = "en";
  /** Says what a schema does not accept in other languages than English; there once there is a validator. */
  violated;
  /** What stands between the items of a list, by its length. */
  separators = [];
  #given = {};
  /** The nodes that follow the language, and what each does then. A node that nobody else has goes. */
  #followers = new Set();
  #acts = new WeakMap();

  /** Changes the language: what is said instead of English, by key. */
  set(tag, given) {
    this.tag = tag;
    this.separators = [];
    this.#given = given;
    for (const follower of this.#followers) {
      const acts = this.#acts.get(follower.deref());
      if (!acts) this.#followers.delete(follower);
      for (const act of acts ?? []) act();
    }
  }

  /** A word of a script, with values in place of `{name}`. */
  say([key, english], values = {}) {
    return this.#fill(this.#template(key, english, values.count), values);
  }

  /** Says in a node what the form says, at a place in it: "" is its text, "<" and ">" what comes before and after the value of a word, a name an attribute. */
  speak = (node, place, said) => {
    const value = /^["[{]/.test(said) ? JSON.parse(said) : [said];
    this.follow(node, () => {
      if (place === "") node.data = this.text(value);
      else if (place === "<" || place === ">") node.data = this.#of(value).split(/\{\w+\}/)[place === "<" ? 0 : 1] ?? "";
      else node.setAttribute(place, this.text(value));
    });
  };

  /** What the form says, as text. */
  text = (value) => {
    if (typeof value === "string") return value;
    if (typeof value === "number") return this.#number(value);
    if (Array.isArray(value)) return this.#fill(this.#of(value), value[1] ?? {});
    const [[kind, said]] = Object.entries(value);
    return WRITTEN[kind](said, this);
  };

  /** A number. An integer in English is written without `Intl`, whose first use in a page takes as long as showing a question. */
  #number(value) {
    const isPlain = this.tag === "en" && Number.isSafeInteger(value);
    return isPlain ? String(value).replace(/\B(?=(\d{3})+$)/g, ",") : new Intl.NumberFormat(this.tag).format(value);
  }

  /** Several texts in one, as the language lists them; of a disjunction, one counts. */
  list(texts, type) {
    return new Intl.ListFormat(this.tag, { type }).format(texts);
  }

  /** Does what says something in a node: now, and whenever the language changes. */
  follow(node, act) {
    act();
    const acts = this.#acts.get(node);
    if (acts) return void acts.push(act);
    this.#acts.set(node, [act]);
    this.#followers.add(new WeakRef(node));
  }

  /** What is said for a key in place of English, if anything is, in the form for a count. */
  given(key, count) {
    const given = Object.hasOwn(this.#given, key) ? this.#given[key] : undefined;
    const text = typeof given === "object" ? (given?.[new Intl.PluralRules(this.tag).select(count ?? 0)] ?? given?.other) : given;
    return typeof text === "string" ? text : undefined;
  }

  /** The template of a word that the form says as the line `key=English`. */
  #of([line, values]) {
    const end = line.indexOf("=");
    return this.#template(line.slice(0, end), line.slice(end + 1), values?.count);
  }

  #template(key, english, count) {
    const given = this.given(key, count);
    if (given !== undefined || count === undefined) return given ?? english;
    const [one, other = one] = english.split(" | ");
    return count === 1 ? one : other;
  }

  /** In a language from right to left values are isolated, so that they do not change places with what is around them. */
  #fill(text, values) {
    const isRtl = this.#given.direction === "rtl";
    return text.replace(/\{(\w+)\}/g, (all, name) => {
      if (!Object.hasOwn(values, name)) return all;
      return isRtl && typeof values[name] === "string" ? `\u2068${values[name]}\u2069` : this.text(values[name]);
    });
  }
}
