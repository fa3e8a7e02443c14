// The files of the package that the tests run on: a snapshot where ASK_USER_DIST names one (see tests/dist.mjs), else pkg/dist.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** The folder, as a URL that ends with a slash. */
export const DIST = process.env.ASK_USER_DIST ? new URL(`${pathToFileURL(process.env.ASK_USER_DIST).href.replace(/\/$/, "")}/`) : new URL("../../pkg/dist/", import.meta.url);

/** The content of a file, as bytes or in an encoding. */
export const file = (name, encoding) => readFileSync(new URL(name, DIST), encoding);
