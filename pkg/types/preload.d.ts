// What a page fetches for its first question, for servers and builds that print it.
/** A link of a page's head, or of the HTTP header `Link`: its attributes by name. */
export interface PreloadLink {
  rel: "modulepreload" | "preload";
  href: string;
  as?: "fetch";
  crossorigin?: "anonymous";
}

/**
 * What a page fetches for its first question: the script and the first part of the wasm. `base` is the address of the folder that has the files of the package's `dist`, such
 * as `/assets/ask-user/` or `https://cdn.example/ask-user@0.1.0/dist/`. A base without a slash at its end gets one. `manifest` is what `copy` of `ask-user/copy` returned, if the
 * files have names with hashes.
 * @throws {TypeError} for a base that is no string, or empty, and for a manifest without these files
 */
export function links(base: string, manifest?: Readonly<Record<string, string>>): PreloadLink[];

/** The same as `<link>` elements for the head of a page, a line for each. Characters that have a meaning in HTML are escaped. */
export function tags(base: string, manifest?: Readonly<Record<string, string>>): string;

/** The same as the value of the HTTP header `Link` (RFC 8288), for a response or for the status 103 Early Hints (RFC 8297). */
export function header(base: string, manifest?: Readonly<Record<string, string>>): string;
