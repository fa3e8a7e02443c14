// The JSON Schema project's own test suite against the wasm build. `cargo xtask suite` writes the report into docs/json-schema.md.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join, relative, sep } from "node:path";
import { compileSchema, initSync } from "../../pkg/build/development/validator/ask_user_validator.js";

initSync({ module: readFileSync(new URL("../../pkg/build/development/validator/ask_user_validator_bg.wasm", import.meta.url)) });

/** Where the suite comes from: the source package of a validator that carries all of it, with the documents it refers to.
 * (The suite's own package on npm cannot be installed without access to its repository.) */
const SOURCE = {
  name: "jsonschema-4.26.0",
  url: "https://files.pythonhosted.org/packages/b3/fc/e067678238fa451312d4c62bf6e6cf5ec56375422aee02f9cb5f909b3047/jsonschema-4.26.0.tar.gz",
  sha256: "0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326",
};
/** The drafts, by the suite's names for them. */
const DRAFTS = {
  draft4: ["4", "http://json-schema.org/draft-04/schema#"],
  draft6: ["6", "http://json-schema.org/draft-06/schema#"],
  draft7: ["7", "http://json-schema.org/draft-07/schema#"],
  "draft2019-09": ["2019-09", "https://json-schema.org/draft/2019-09/schema"],
  "draft2020-12": ["2020-12", "https://json-schema.org/draft/2020-12/schema"],
};
const REMOTE = "http://localhost:1234/";
export const PAGE = new URL("../../docs/json-schema.md", import.meta.url);
const [BEGIN, END] = ["<!-- the report of the suite: made by a command -->\n", "<!-- the end of the report -->\n"];

/** The folder of the suite, fetched once into the cache and checked. */
export async function suite() {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "ask-user");
  const folder = join(cache, SOURCE.name, "json");
  if (existsSync(folder)) return folder;
  console.log(`· fetching the JSON Schema test suite into ${cache}`);
  const response = await fetch(SOURCE.url);
  if (!response.ok) throw new Error(`${SOURCE.url}: ${response.status}; the JSON Schema test suite cannot be fetched`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== SOURCE.sha256) throw new Error(`${SOURCE.url} has the SHA-256 ${found}, not ${SOURCE.sha256}`);
  const fresh = join(cache, `${SOURCE.name}.${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  execFileSync("tar", ["-xzf", "-", "-C", fresh], { input: bytes });
  rmSync(join(cache, SOURCE.name), { recursive: true, force: true });
  renameSync(join(fresh, SOURCE.name), join(cache, SOURCE.name));
  rmSync(fresh, { recursive: true });
  return folder;
}

/** Every test of every draft: `{ draft, file, group, test, expected, found }`; `found` is what was thrown where the schema was refused. */
export async function results() {
  return (await groups()).flatMap(({ draft, file, group, schema, documents, tests }) => {
    const check = checker(schema, documents);
    return tests.map((/** @type {{ description: any, data: any, valid: any }} */ { description: test, data, valid }) => ({ draft, file, group, test, expected: valid, found: check(data) }));
  });
}

/** Every schema of every draft, with its tests: `{ draft, file, group, schema, documents, tests }`. */
export async function groups() {
  const folder = await suite();
  return Object.entries(DRAFTS).flatMap(([name, [draft, uri]]) => {
    const documents = JSON.stringify(remotes(join(folder, "remotes"), name));
    const tests = join(folder, "tests", name);
    return files(tests).flatMap((/** @type {string} */ path) => {
      const file = relative(tests, path).split(sep).join("/");
      const named = (/** @type {any} */ schema) => (typeof schema === "object" && !file.endsWith("no-schema.json") ? { $schema: uri, ...schema } : schema);
      return read(path).map((/** @type {{ description: any, schema: any, tests: any }} */ { description, schema, tests }) => ({ draft, file, group: description, schema: named(schema), documents, tests }));
    });
  });
}

/** The same, each with its schema `compiled` until the next one comes. Schemas that are refused are left out. */
export async function* compiledGroups() {
  for (const group of await groups()) {
    let compiled;
    try {
      compiled = compileSchema(JSON.stringify(group.schema), group.documents);
    } catch {
      continue;
    }
    yield { ...group, compiled };
    compiled.free();
  }
}

function checker(/** @type {any} */ schema, /** @type {any} */ documents) {
  let compiled;
  try {
    compiled = compileSchema(JSON.stringify(schema), documents);
  } catch (fault) {
    return () => fault;
  }
  return (/** @type {any} */ data) => compiled.check(JSON.stringify(data)) === undefined;
}

/** The documents that tests of a draft may refer to: those for all drafts, and its own. */
function remotes(/** @type {string} */ folder, /** @type {string} */ draft) {
  const own = (/** @type {string} */ path) => path.startsWith(draft) || !path.startsWith("draft");
  const paths = files(folder).map((/** @type {string} */ path) => relative(folder, path).split(sep).join("/"));
  return Object.fromEntries(paths.filter(own).map((/** @type {string} */ path) => [REMOTE + path, read(join(folder, path))]));
}

/** @returns {string[]} */
function files(/** @type {string} */ folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)]))
    .filter((path) => path.endsWith(".json"));
}

function read(/** @type {string} */ path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

export const passed = (/** @type {{ expected: any, found: any }} */ { expected, found }) => expected === found;
export const required = (/** @type {{ file: string }} */ { file }) => !file.startsWith("optional/");
/** A required test which says that a format is no more than a remark. We assert formats, as a form has to. */
export const assertsFormat = (/** @type {{ file: string, expected: any, found: any }} */ { file, expected, found }) => file === "format.json" && expected === true && found === false;

/** The report, as Markdown. */
export function report(/** @type {any} */ all) {
  const drafts = Object.values(DRAFTS).map(([draft]) => draft);
  const of = (/** @type {any} */ tests) => `${tests.filter(passed).length} of ${tests.length}`;
  const format = (/** @type {{ file: string }} */ { file }) => file.startsWith("optional/format/");
  const rows = drafts.map((draft) => {
    const tests = all.filter((/** @type {any} */ test) => test.draft === draft);
    const optional = tests.filter((/** @type {any} */ test) => !required(test) && !format(test));
    return [draft, of(tests.filter((/** @type {any} */ test) => required(test) && !assertsFormat(test))), tests.filter(assertsFormat).length, of(tests.filter(format)), of(optional)];
  });
  const formats = [...new Set(all.filter(format).map((/** @type {{ file: string }} */ { file }) => basename(file, ".json")))].sort();
  const byFormat = formats.map((name) => [
    `\`${name}\``,
    ...drafts.map((draft) => {
      const tests = all.filter((/** @type {any} */ test) => test.draft === draft && test.file === `optional/format/${name}.json`);
      return tests.length ? of(tests) : "–";
    }),
  ]);
  const missed = all.filter((/** @type {any} */ test) => !passed(test) && !required(test) && !format(test));
  const byGroup = [...new Set(missed.map((/** @type {{ file: string, group: any }} */ { file, group }) => `\`${basename(file)}\`: ${group}`))].sort();
  const named = byGroup.map((name) => [name, [...new Set(missed.filter((/** @type {{ file: string, group: any }} */ { file, group }) => `\`${basename(file)}\`: ${group}` === name).map((/** @type {{ draft: string }} */ { draft }) => draft))].join(", ")]);
  return [
    table(["draft", "required tests passed", "formats asserted", "tests of formats passed", "other optional tests passed"], rows),
    table(["format", ...drafts], byFormat),
    named.length ? table(["optional, and not passed", "in drafts"], named) : "Every other optional test is passed.\n",
  ].join("\n");
}

function table(/** @type {any} */ head, /** @type {any} */ rows) {
  const line = (/** @type {any} */ cells) => `| ${cells.join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map((/** @type {any} */ row) => line(row.map((/** @type {any} */ cell) => String(cell).replaceAll("|", "\\|")))).join("");
}

/** The page with a report in it. */
export function page(/** @type {string} */ text, /** @type {any} */ made) {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  return `${text.slice(0, from + BEGIN.length)}\n${made}\n${text.slice(to)}`;
}

if (process.argv[1]?.endsWith("suite.mjs")) {
  const all = await results();
  const made = report(all);
  writeFileSync(PAGE, page(readFileSync(PAGE, "utf8"), made));
  console.log(made);
  for (const test of all.filter((test) => required(test) && !passed(test) && !assertsFormat(test))) {
    console.log(`${test.draft} ${test.file}: ${test.group}: ${test.test}: ${test.found}`);
  }
}
