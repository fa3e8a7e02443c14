// Builds the package out of the modules and bindings that wasm-bindgen has written: bundles the scripts and optimises the modules for size.
// `node build.mjs` reads build/published and writes dist; `node build.mjs --development` reads build/development, optimises nothing, and writes
// build/development/dist, which has every file of dist but mcp-app.html and the second part of each module.
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { parse } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { ANYWHERE } from "./anywhere.mjs";
import { bindings } from "./bindings.mjs";
import { blankPaths, optimise, script, shorten } from "./optimise.mjs";
import { prune } from "./prune.mjs";
import { SPLIT, split, withNeed } from "./split.mjs";
import { encoded } from "./texts.mjs";
import { keys, script as words } from "./words.mjs";

/** @import { BuildOptions, OnResolveArgs, Plugin } from "esbuild" */

/** @type {(name: string) => string} */
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
/** The languages besides English, each a file in dist/locales. */
const LOCALES = (await readdir(path("src/locales"))).map((file) => parse(file).name);
const IS_DEVELOPMENT = process.argv.includes("--development");
/** The folder of the modules and bindings, and the folder that is written. */
const BUILD = `build/${IS_DEVELOPMENT ? "development" : "published"}`;
const DIST = IS_DEVELOPMENT ? `${BUILD}/dist` : "dist";
/**
 * The wasm modules in dist/, and the folders that they are built from. Those that take longest come first.
 * @type {{ [name: string]: string }}
 */
const MODULES = { validator: "validator", html: "html", core: "core", form: "web" };

const HAS_HTML = existsSync(path(`${BUILD}/html`));
const BINDINGS = bindings(BUILD);
/** What markdown-it imports for its classes and names of characters, and what stands in for it. Of mdurl it uses nothing. */
const CHARACTERS = Object.fromEntries(["entities", "mdurl", "uc.micro"].map((name) => [name, path("src/markdown/characters.js")]));
/**
 * For a bundle that fetches nothing and is to stay small: it has no language but English, and takes others from its host.
 * @type {Plugin}
 */
const ENGLISH = { name: "english", setup: (builder) => builder.onLoad({ filter: /src.files\.js$/ }, () => ({ contents: "export const FILES = {};" })) };
/**
 * For a bundle that has no files beside it: it starts no worker.
 * @type {Plugin}
 */
const ALONE = { name: "alone", setup: (builder) => builder.onLoad({ filter: /fields.spawn\.js$/ }, () => ({ contents: "export const spawn = undefined;" })) };

await rm(path(DIST), { recursive: true, force: true });
await mkdir(path(DIST), { recursive: true });
await (IS_DEVELOPMENT ? copied() : modules());
await bundle();
await writeTools();
await writePreload();
for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) await copyFile(path(`../${name}`), path(name));

/** Puts the modules as they are where the package has them. In place of the first part of a module stands the whole. The playground's build has no module for HTML. */
async function copied() {
  for (const [name, folder] of Object.entries(MODULES)) {
    if (name === "html" && !HAS_HTML) continue;
    const module = path(`${BUILD}/${folder}/ask_user_${folder}_bg.wasm`);
    for (const file of [name, ...(name in SPLIT ? [`${name}.first`] : [])]) await copyFile(module, path(`${DIST}/${file}.wasm`));
  }
}

async function modules() {
  /** @type {(entry: [name: string, folder: string]) => Promise<void>} */
  const making = async ([name, folder]) => {
    const module = path(`${BUILD}/${folder}/ask_user_${folder}_bg.wasm`);
    const bindings = path(`${BUILD}/${folder}/ask_user_${folder}.js`);
    // Of the first download alone: the others are fetched later, or not over a network.
    if (name === "form") {
      await prune(module, bindings, ["mount", "registerDialect", "__wbg_init"]);
      await shorten(module, bindings);
    }
    if (name in SPLIT) await withNeed(name, bindings);
    if (name === "validator") await encoded(bindings);
    await blankPaths(module);
    await optimise(module, path(`${DIST}/${name}.wasm`), path("build"));
    // As it was linked: from that, the constants are known that the rest alone needs.
    const linked = name === "form" ? path(`${BUILD}/${folder}/linked.wasm`) : undefined;
    if (name in SPLIT) await split(name, path(`${DIST}/${name}.wasm`), ["first", "rest"].map((part) => path(`${DIST}/${name}.${part}.wasm`)), bindings, path("build"), linked);
  };
  const scripting = async () => {
    await prune(path(`${BUILD}/script/ask_user_script_bg.wasm`), path(`${BUILD}/script/ask_user_script_bg.js`), ["mount", "registerDialect", "__wbg_set_wasm"]);
    await blankPaths(path(`${BUILD}/script/ask_user_script_bg.wasm`));
    await script(path(`${BUILD}/script/ask_user_script_bg.wasm`), path(`${BUILD}/script/ask_user_script_bg.wasm.js`), path("build"));
  };
  // As many at once as there are processors: each is one thread of the optimiser.
  const left = [scripting, ...Object.entries(MODULES).map((one) => () => making(one))];
  const lane = async () => {
    for (let next; (next = left.shift()); ) await next();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

async function bundle() {
  await writeFile(path("build/words.js"), await words());
  await writeFile(path("build/keys.js"), await keys());
  for (const [from, to] of [["ask-user", "style"], ["date-time", "date-time-style"], ["editor", "editor-style"], ["fields", "fields-style"], ["fold", "fold-style"], ["history", "history-style"], ["markdown", "markdown-style"]]) {
    const css = await transform(await readFile(path(`src/${from}.css`), "utf8"), { loader: "css", minify: true });
    await writeFile(path(`build/${to}.js`), `export default ${JSON.stringify(css.code.trim())};\n`);
  }
  for (const name of ["form", "validator"]) {
    const packed = gzipSync(await readFile(path(`${DIST}/${name}.wasm`)), { level: 9 }).toString("base64");
    await writeFile(path(`${BUILD}/${name}.packed.js`), `export default ${JSON.stringify(packed)};\n`);
  }
  /** @type {BuildOptions} */
  const shared = { bundle: true, format: "esm", target: "es2022", minify: true, legalComments: "none", logLevel: "warning", ignoreAnnotations: true, plugins: [BINDINGS], alias: CHARACTERS };
  // Chunks would cost each page another round trip: what two entries share stands in both. A page loads one of them.
  await build({
    ...shared,
    entryPoints: { "ask-user": path("src/ask-user.js"), element: path("src/element.js") },
    outdir: path(DIST),
    plugins: [BINDINGS, { name: "on-demand", setup: (builder) => builder.onResolve({ filter: /^\.\/(core\.load|date-time|deadline|editor|fields|fold|history|hosted|markdown|overrides|rendered|validator|writing|locales\/[\w-]+)\.js$/ }, onDemand) }],
  });
  await build({ ...shared, entryPoints: { core: path("src/core.browser.js") }, outdir: path(DIST), external: ["./core.load.js"] });
  for (const name of ["channel", "core.load", "date-time", "deadline", "editor", "fields", "fold", "history", "hosted", ...(HAS_HTML ? ["html.load"] : []), "markdown", "overrides", "preload", "rendered", "streams", "validator", "writing"]) {
    await build({ ...shared, entryPoints: { [name]: path(`src/${name}.js`) }, outdir: path(DIST) });
  }
  await build({ ...shared, entryPoints: { "fields.worker": path("src/fields/worker.js") }, outdir: path(DIST) });
  await build({ ...shared, charset: "utf8", entryPoints: Object.fromEntries(LOCALES.map((name) => [name, path(`src/locales/${name}.js`)])), outdir: path(`${DIST}/locales`) });
  // Its directive says to Next.js that it is for the browser too.
  await build({ ...shared, entryPoints: { react: path("src/react.js") }, outdir: path(DIST), external: ["react", "./ask-user.js"] });
  /** @type {BuildOptions} */
  const classic = { format: "iife", inject: [path("src/here.js")], define: { "import.meta.url": "here" } };
  await build({ ...shared, ...classic, entryPoints: { inline: path("src/inline.js") }, outdir: path(DIST), plugins: [BINDINGS, ENGLISH, ALONE] });
  // Without a module that is a script, no view for hosts that run no wasm.
  if (!IS_DEVELOPMENT) {
    const app = await build({ ...shared, ...classic, entryPoints: [path("src/mcp-app.js")], plugins: [ANYWHERE, BINDINGS, ALONE], write: false });
    await writeFile(path(`${DIST}/mcp-app.html`), page(app.outputFiles[0].text));
  }
  /** @type {BuildOptions} */
  const node = { ...shared, entryPoints: { "core.node": path("src/core.node.js") }, outdir: path(DIST), platform: "node" };
  await build(node);
  if (HAS_HTML) await build({ ...node, entryPoints: { "html.node": path("src/html.node.js") } });
  await build({ ...node, entryPoints: { copy: path("src/copy.js") } });
  // The inbox: its commands and its process, which load the headless package that lies beside them, and its page.
  /** @type {{ [path: string]: string }} */
  const named = { "./copy.js": "./copy.js", "../core.node.js": "./core.node.js", "./inbox/commands.js": "./inbox.js" };
  /** @type {Plugin} */
  const beside = { name: "beside", setup: (builder) => builder.onResolve({ filter: /./ }, ({ kind, path }) => (kind !== "entry-point" && named[path] ? { path: named[path], external: true } : undefined)) };
  // The code for a phone's camera stands in the command: what the user installs has no dependency.
  /** @type {Plugin} */
  const within = { name: "within", setup: (builder) => builder.onResolve({ filter: /^uqr$/ }, ({ path }) => ({ path: fileURLToPath(import.meta.resolve(path)) })) };
  const { version } = JSON.parse(await readFile(path("package.json"), "utf8"));
  await build({ ...node, entryPoints: { cli: path("src/cli.js") }, plugins: [beside], banner: { js: "#!/usr/bin/env node" } });
  await build({ ...node, entryPoints: { inbox: path("src/inbox/commands.js") }, packages: "external", plugins: [BINDINGS, within, beside], define: { VERSION: JSON.stringify(version) } });
  await build({ ...shared, entryPoints: { "inbox.page": path("src/inbox/page.js") }, outdir: path(DIST) });
  await writeFile(path(`${DIST}/inbox.page.css`), (await transform(await readFile(path("src/inbox/page.css"), "utf8"), { loader: "css", minify: true })).code);
  // The wasm and the errors of a host are those of the headless package that the application imports.
  await build({ ...node, entryPoints: { "host.node": path("src/host.node.js") }, external: ["./core.node.js"] });
  await build({ ...shared, entryPoints: { "host.load": path("src/host.load.js") }, outdir: path(DIST), external: ["./core.load.js"] });
  for (const name of ["listener", "postgres", "sqlite"]) {
    await build({ ...node, entryPoints: { [`host.${name}`]: path(`src/hosting/${name}.js`) }, packages: "external" });
  }
  /** @type {BuildOptions} */
  const required = { format: "cjs", outExtension: { ".js": ".cjs" }, inject: [path("src/here.node.js")], define: { "import.meta.url": "here" } };
  await build({ ...node, ...required });
  await copyFile(path("types/core.d.ts"), path(`${DIST}/core.d.cts`));
  for (const name of ["ask-user", "element", "inline"]) await leaveToThePage(path(`${DIST}/${name}.js`));
}

/**
 * An import whose address only the page knows is none of a bundler's. The words that tell bundlers so are lost to the minifier.
 * @param {string} file
 */
async function leaveToThePage(file) {
  const [before, after, ...more] = (await readFile(file, "utf8")).split("import(`");
  if (after === undefined || more.length) throw new Error(`${file}: there should be one import of an address that is made`);
  await writeFile(file, `${before}import(/* webpackIgnore: true */ /* @vite-ignore */ \`${after}`);
}

/**
 * A page of one file: its script stands in it.
 * @param {string} script
 */
function page(script) {
  const head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>ask-user</title>';
  const style = "<style>:root{color-scheme:light dark}body{margin:0}main{padding:2px;font:1rem/1.5 system-ui,sans-serif}</style>";
  return `<!doctype html>\n<html lang="en">${head}${style}<main></main><script>${script}</script></html>\n`;
}

/** The definitions of all tools, by dialect, ready to hand to a model. */
async function writeTools() {
  const { dialects, toolDefinitions } = await import(`./${DIST}/core.node.js`);
  const tools = Object.fromEntries(dialects().map((/** @type {string} */ dialect) => [dialect, toolDefinitions(dialect)]));
  await writeFile(path(`${DIST}/tools.json`), `${JSON.stringify(tools, undefined, 2)}\n`);
}

/**
 * The links that a page can have for its first question, with the names of the files in dist/.
 * @returns {Promise<void>}
 */
async function writePreload() {
  const { links } = await import(`./${DIST}/preload.js`);
  const named = links("./").map((/** @type {import("./types/preload.d.ts").PreloadLink} */ { href, ...link }) => ({ ...link, href: href.slice("./".length) }));
  await writeFile(path(`${DIST}/preload.json`), `${JSON.stringify(named, undefined, 2)}\n`);
}

/**
 * What the element imports when a form needs it is a file of its own: the validator, the fields, the editor, Markdown, the headless package.
 * @param {OnResolveArgs} args
 */
function onDemand({ kind, path }) {
  return kind === "dynamic-import" ? { path, external: true } : undefined;
}
