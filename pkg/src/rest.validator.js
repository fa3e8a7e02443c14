// The second part of the validator's module. The first compiles usual schemas and checks values by them; the rest is fetched once the first is there.
import { restOf } from "./rest.js";

export const { begin, compiled, isWhole, load, need } = restOf(() => new URL("validator.rest.wasm", import.meta.url));

/** What a schema has that the first part does not compile, or check by, alone: patterns with more than groups, classes and repetitions; rare keywords and formats. The text may be within a JSON string. */
const UNUSUAL = /\(\?[^:]|\\[1-9bBkpP]|[*+?}]\+|\b(?:unevaluated(?:Items|Properties)|contentEncoding)\b|\$(?:dynamic|recursive|vocabulary)|"format\\*"\s*:\s*\\*"(?:duration|idn-|ip|iri|json-pointer|regex|relative-|uri-template)/;

/**
 * Whether the text of a schema, or of a request with schemas, looks as if the first part does by itself. If it does not, the page waits (`need`).
 * @type {(text: string) => boolean}
 */
export const isUsual = (text) => !UNUSUAL.test(text);
