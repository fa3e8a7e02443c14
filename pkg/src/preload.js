// What a page fetches for its first question, as tags and as a header: a server or a build prints them, and the browser fetches the form's script and its wasm
// together with the page.

/** The links, with the names of the files in the package's folder `dist`. */
const LINKS = [
  { rel: "modulepreload", href: "ask-user.js" },
  { rel: "preload", as: "fetch", crossorigin: "anonymous", href: "form.first.wasm" },
];

/** The links as objects. `base` is the address of the folder that has the files of `dist`. */
export const links = (base) => LINKS.map((link) => ({ ...link, href: `${folder(base)}${link.href}` }));

/** The links as HTML, for the head of a page. */
export const tags = (base) => links(base).map((link) => `<link${attributes(link)}>`).join("\n");

/** The links as the value of the HTTP header `Link` (RFC 8288), which a server can send before the page: with the status 103 (RFC 8297). */
export const header = (base) => links(base).map(({ href, ...more }) => `<${href}>${Object.entries(more).map(([name, value]) => `; ${name}=${value}`).join("")}`).join(", ");

/** An address that can stand in HTML and in a header. */
function folder(base) {
  if (typeof base !== "string" || base === "") throw new TypeError('The base must be the address of the folder with the files of the package, such as "/assets/ask-user/".');
  const address = encodeURI(base.toWellFormed()).replaceAll("%25", "%").replaceAll("'", "%27");
  return address.endsWith("/") ? address : `${address}/`;
}

const attributes = (link) => Object.entries(link).map(([name, value]) => ` ${name}="${value.replaceAll("&", "&amp;")}"`).join("");
