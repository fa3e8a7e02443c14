// What a page fetches for its first question, as tags and as a header: a server or a build prints them, and the browser fetches the form's script and its wasm
// together with the page.

/** @import { PreloadLink } from "../types/preload.js" */

/**
 * The names of the files, by their names in `dist`.
 * @typedef {Readonly<Record<string, string>>} Manifest
 */

/**
 * The links, with the names of the files in the package's folder `dist`.
 * @type {PreloadLink[]}
 */
const LINKS = [
  { rel: "modulepreload", href: "ask-user.js" },
  { rel: "preload", as: "fetch", crossorigin: "anonymous", href: "form.first.wasm" },
];

/**
 * The links as objects. `base` is the address of the folder that has the files of `dist`; `manifest` are their names there, where `copy` has made them.
 * @type {(base: string, manifest?: Manifest) => PreloadLink[]}
 */
export const links = (base, manifest) => LINKS.map((link) => ({ ...link, href: `${folder(base)}${named(link.href, manifest)}` }));

/**
 * The links as HTML, for the head of a page.
 * @type {(base: string, manifest?: Manifest) => string}
 */
export const tags = (base, manifest) => links(base, manifest).map((link) => `<link${attributes(link)}>`).join("\n");

/**
 * The links as the value of the HTTP header `Link` (RFC 8288), which a server can send before the page: with the status 103 (RFC 8297).
 * @type {(base: string, manifest?: Manifest) => string}
 */
export const header = (base, manifest) => links(base, manifest).map(({ href, ...more }) => `<${href}>${Object.entries(more).map(([name, value]) => `; ${name}=${value}`).join("")}`).join(", ");

/**
 * An address that can stand in HTML and in a header.
 * @param {string} base
 */
function folder(base) {
  if (typeof base !== "string" || base === "") throw new TypeError('The base must be the address of the folder with the files of the package, such as "/assets/ask-user/".');
  const address = encodeURI(base.toWellFormed()).replaceAll("%25", "%").replaceAll("'", "%27");
  return address.endsWith("/") ? address : `${address}/`;
}

/**
 * @param {string} name
 * @param {Manifest | undefined} manifest
 */
function named(name, manifest) {
  if (manifest === undefined) return name;
  const found = manifest?.[name];
  if (typeof found !== "string") throw new TypeError(`The manifest has no "${name}". Pass what \`copy\` of ask-user/copy returns, or the content of manifest.json.`);
  return encodeURI(found);
}

/** @type {(link: PreloadLink) => string} */
const attributes = (link) => Object.entries(link).map(([name, value]) => ` ${name}="${value.replaceAll("&", "&amp;")}"`).join("");
