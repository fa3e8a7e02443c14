// The files of the package that the tests run on: a snapshot where ASK_USER_DIST names one (see tests/dist.mjs), else pkg/dist.
import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** The folder, as a URL that ends with a slash. */
export const DIST = process.env.ASK_USER_DIST ? new URL(`${pathToFileURL(process.env.ASK_USER_DIST).href.replace(/\/$/, "")}/`) : new URL("../../pkg/dist/", import.meta.url);

/**
 * The content of a file, as bytes or in an encoding.
 * @type {(name: string, encoding?: BufferEncoding) => any}
 */
export const file = (name, encoding) => readFileSync(new URL(name, DIST), encoding);

/**
 * The files of a module that is fetched: its two parts in what is published, and one file with all of it in a development build.
 * @type {(name: string) => string[]}
 */
export const partsOf = (name) => ["first", "rest"].map((part) => `${name}.${part}.wasm`).filter((part) => existsSync(new URL(part, DIST)));
