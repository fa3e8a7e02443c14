// Makes dist/ of what wasm-bindgen has written to build/core, build/validator and build/web: bundles the scripts, and
// optimises the wasm modules for size. Say `node build.mjs`.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
/** What Rust's wasm target takes for granted, and so may the optimiser. */
const FEATURES = [
  "--enable-bulk-memory",
  "--enable-multivalue",
  "--enable-mutable-globals",
  "--enable-nontrapping-float-to-int",
  "--enable-reference-types",
  "--enable-sign-ext",
];

/** Smaller and smaller until nothing more is gained; the first kilobyte of memory is the far end of the stack, where no
 * address of ours can point, so that offsets can be folded into loads. Functions that are called alike are made
 * from one source and look alike: side by side they are packed better. */
const PASSES = ["-Oz", "--converge", "--low-memory-unused", "--reorder-functions-by-name", "--strip-debug", "--strip-producers"];

/** The wasm modules in dist/, and the rooms that they are built from. */
const MODULES = { form: "web", core: "core", validator: "validator" };

await rm(path("dist"), { recursive: true, force: true });
await mkdir(path("dist"), { recursive: true });
for (const [name, room] of Object.entries(MODULES)) await optimise(name, room);
await bundle();
await writeTools();
for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) await copyFile(path(`../${name}`), path(name));

async function bundle() {
  for (const [from, to] of [["ask-user", "style"], ["editor", "editor-style"], ["fields", "fields-style"]]) {
    const css = await transform(await readFile(path(`src/${from}.css`), "utf8"), { loader: "css", minify: true });
    await writeFile(path(`build/${to}.js`), `export default ${JSON.stringify(css.code.trim())};\n`);
  }
  for (const name of ["form", "validator"]) {
    const packed = gzipSync(await readFile(path(`dist/${name}.wasm`)), { level: 9 }).toString("base64");
    await writeFile(path(`build/${name}.packed.js`), `export default ${JSON.stringify(packed)};\n`);
  }
  const shared = { bundle: true, format: "esm", target: "es2022", minify: true, legalComments: "none", logLevel: "warning" };
  // Chunks would cost each page another round trip: what two entries share stands in both. A page loads one of them.
  await build({
    ...shared,
    entryPoints: { "ask-user": path("src/ask-user.js"), element: path("src/element.js") },
    outdir: path("dist"),
    plugins: [{ name: "on-demand", setup: (builder) => builder.onResolve({ filter: /^\.\/(core\.load|editor|fields|validator)\.js$/ }, onDemand) }],
  });
  await build({ ...shared, entryPoints: { core: path("src/core.browser.js") }, outdir: path("dist"), external: ["./core.load.js"] });
  for (const name of ["core.load", "editor", "fields", "validator"]) {
    await build({ ...shared, entryPoints: { [name]: path(`src/${name}.js`) }, outdir: path("dist") });
  }
  const classic = { format: "iife", inject: [path("src/here.js")], define: { "import.meta.url": "here" } };
  await build({ ...shared, ...classic, entryPoints: { inline: path("src/inline.js") }, outdir: path("dist") });
  const node = { ...shared, entryPoints: { "core.node": path("src/core.node.js") }, outdir: path("dist"), platform: "node" };
  await build(node);
  const required = { format: "cjs", outExtension: { ".js": ".cjs" }, inject: [path("src/here.node.js")], define: { "import.meta.url": "here" } };
  await build({ ...node, ...required });
  await copyFile(path("types/core.d.ts"), path("dist/core.d.cts"));
}

/** The definitions of all tools, by dialect, ready to hand to a model. */
async function writeTools() {
  const { dialects, toolDefinitions } = await import("./dist/core.node.js");
  const tools = Object.fromEntries(dialects().map((dialect) => [dialect, toolDefinitions(dialect)]));
  await writeFile(path("dist/tools.json"), `${JSON.stringify(tools, undefined, 2)}\n`);
}

/** What the element imports when a form needs it is a file of its own: the validator, the fields, the editor, the headless package. */
function onDemand({ kind, path }) {
  return kind === "dynamic-import" ? { path, external: true } : undefined;
}

/** Optimises a module, unless its bytes have been optimised before. */
async function optimise(name, room) {
  const bound = path(`build/${room}/ask_user_${room}_bg.wasm`);
  const made = createHash("sha256").update(await readFile(bound)).update([...FEATURES, ...PASSES].join()).digest("hex").slice(0, 16);
  const optimised = path(`build/${room}.${made}.wasm`);
  if (!existsSync(optimised)) {
    console.log(`· optimising ${name}.wasm`);
    const script = path("node_modules/binaryen/bin/wasm-opt");
    const args = [script, bound, ...PASSES, ...FEATURES, "-o", optimised];
    execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  }
  await copyFile(optimised, path(`dist/${name}.wasm`));
}
