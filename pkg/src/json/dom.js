// Making elements, and the looks that a part of the form brings with it. Knows no schema.

/**
 * The sheets of each document. A sheet of one document cannot be used in another.
 * @type {WeakMap<Document, Map<string, CSSStyleSheet>>}
 */
const sheets = new WeakMap();
/**
 * Adds the looks of a part to a shadow root, once.
 * @param {ShadowRoot} root
 * @param {string} style
 */
export function addStyles(root, style) {
  const { ownerDocument: document } = root;
  if (!sheets.has(document)) sheets.set(document, new Map());
  const own = /** @type {Map<string, CSSStyleSheet>} */ (sheets.get(document));
  const sheet = own.get(style) ?? new (document.defaultView ?? globalThis).CSSStyleSheet();
  if (!own.has(style)) sheet.replaceSync(style);
  own.set(style, sheet);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

/**
 * An element with properties and attributes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @param {{ [name: string]: string }} attributes
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties = {}, attributes = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/**
 * Lets the form know that what changes in a part of it follows from what the person did there: it is no surprise.
 * @param {EventTarget} part
 */
export function follows(part) {
  part.dispatchEvent(new Event("follows"));
}
