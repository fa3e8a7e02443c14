// The rules of markdown-it's parsers, by chain. It stands in for markdown-it's own, which can also be changed while it runs.
export default class Ruler {
  #rules = [];
  #chains = {};

  push(_name, rule, { alt = [] } = {}) {
    this.#rules.push({ rule, alt });
  }

  /** The rules that can end a block of a kind; all of them for no kind. */
  getRules(chain) {
    return (this.#chains[chain] ??= this.#rules.filter(({ alt }) => !chain || alt.includes(chain)).map(({ rule }) => rule));
  }
}
