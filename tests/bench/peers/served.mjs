// What the browser gets of the renderers: each page bundled for production, all files compressed with Brotli before they are served.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { render } from "../../../pkg/dist/html.node.js";
import { tags } from "../../../pkg/dist/preload.js";
import { TYPES } from "../../../playground/server.mjs";
import { THREE } from "./questions.mjs";

const pkg = new URL("../../../pkg/", import.meta.url);
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const { build } = createRequire(new URL("package.json", pkg))("esbuild");
const options = { bundle: true, write: false, minify: true, target: "es2022", legalComments: "none", define: { "process.env.NODE_ENV": '"production"' }, logLevel: "error" };
const DIST = "/pkg/dist/";
/** What a page of ask-user loads from there, to show and to answer plain questions. */
const PACKAGE = ["ask-user.js", "rendered.js", "form.first.wasm", "form.rest.wasm"];
const head = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>form</title><link rel="icon" href="data:,">';

/** The bytes of a file, and how many they are when packed. */
export function packed(content) {
  const raw = Buffer.from(content);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length };
  const brotli = brotliCompressSync(raw, { params });
  return { body: brotli, brotli: brotli.length, gzip: gzipSync(raw, { level: 9 }).length };
}

/** What a script is, bundled. */
export const bundled = async (contents) => (await build({ ...options, stdin: { contents, resolveDir: fileURLToPath(pkg) }, format: "esm" })).outputFiles[0].contents;

export const fromPackage = (name) => readFileSync(new URL(`dist/${name}`, pkg));

/** What runs in the pages of a renderer before anything else, once `window.bench` is there. */
export async function harness(name) {
  const alias = { driver: path(`${name}/driver.js`) };
  const { outputFiles } = await build({ ...options, entryPoints: [path("inside.js")], alias, format: "iife" });
  return outputFiles[0].text;
}

/** The scripts and the body of a page of ask-user. */
function ofElement(name) {
  const links = name === "ask-user-preloaded" ? tags(DIST) : "";
  const question = name === "ask-user-html" ? render({ questions: THREE.questions }) : "";
  return [`${links}<script type="module" src="${DIST}ask-user.js"></script>`, `<ask-user>${question}</ask-user>`];
}

/** All files of these renderers, each by its name and the folder of its page. `answer` comes between a request and the server's own answer; `sizes` gives those of what has these paths. */
export async function files(names) {
  const all = new Map();
  for (const { name, folder } of names) {
    const { outputFiles } = await build({ ...options, entryPoints: [path(`${folder}/page.js`)], outdir: path(name), format: "esm" });
    const style = outputFiles.some((file) => file.path.endsWith(".css")) ? '<link rel="stylesheet" href="page.css">' : "";
    const [scripts, body] = folder === "ask-user" ? ofElement(name) : ["", "<main></main>"];
    all.set(`/${name}/`, `${head}${style}${scripts}<script type="module" src="page.js"></script>${body}`);
    for (const file of outputFiles) all.set(`/${name}/page${extname(file.path)}`, file.contents);
  }
  for (const name of PACKAGE) all.set(DIST + name, fromPackage(name));
  for (const [name, content] of all) all.set(name, packed(content));

  const answer = (request, response, forward) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file = all.get(pathname);
    if (!file) return forward();
    response.writeHead(200, { "Content-Type": TYPES[extname(pathname) || ".html"], "Content-Encoding": "br", "Content-Length": file.brotli });
    response.end(file.body);
  };
  const sizes = (paths) => {
    const found = [...new Set(paths)].map((path) => all.get(path) ?? { brotli: NaN, gzip: NaN });
    return Object.fromEntries(["gzip", "brotli"].map((kind) => [kind, found.reduce((sum, file) => sum + file[kind], 0)]));
  };
  return { answer, sizes };
}
