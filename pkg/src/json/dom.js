// Making elements, and the looks that a part of the form brings with it. Knows no schema.

const sheets = new Map();
/** Adds the looks of a part to a shadow root, once. */
export function dress(root, style) {
  const sheet = sheets.get(style) ?? new CSSStyleSheet();
  if (!sheets.has(style)) sheet.replaceSync(style);
  sheets.set(style, sheet);
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

/** An element with properties and attributes. */
export function element(tag, properties = {}, attributes = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
