// A token of markdown-it's parsers. It stands in for markdown-it's own, which also changes attributes.
export default class Token {
  constructor(type, tag, nesting) {
    Object.assign(this, { type, tag, nesting, level: 0, content: "", markup: "", info: "", attrs: null, children: null, meta: null, map: null, block: false, hidden: false });
  }
}
