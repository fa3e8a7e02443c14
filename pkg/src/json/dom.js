// Making elements, and the looks that a part of the form brings with it. Knows no schema.

let sheet;
/** Adds the looks of this part to a shadow root, once. */
export function dress(root, style) {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

/** An element with properties and attributes. */
export function element(tag, properties = {}, attributes = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}
