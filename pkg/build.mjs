// Bundles the package: `node build.mjs`, after wasm-bindgen has written build/core and build/web.
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { build, transform } from "esbuild";

const here = new URL("./", import.meta.url);
const path = (name) => new URL(name, here).pathname;

const css = await transform(await readFile(path("src/ask-user.css"), "utf8"), { loader: "css", minify: true });
await writeFile(path("build/style.js"), `export default ${JSON.stringify(css.code.trim())};\n`);

await rm(path("dist"), { recursive: true, force: true });
await mkdir(path("dist"), { recursive: true });
const shared = { bundle: true, format: "esm", target: "es2022", minify: true, legalComments: "none", logLevel: "warning" };
// The package in chunks would cost each page another round trip: what two entries share is small, and stands in both.
await build({
  ...shared,
  entryPoints: { "ask-user": path("src/ask-user.js") },
  outdir: path("dist"),
  plugins: [{ name: "on-demand", setup: (builder) => builder.onResolve({ filter: /^\.\/core\.js$/ }, onDemand) }],
});
await build({ ...shared, entryPoints: { core: path("src/core.browser.js") }, outdir: path("dist") });
await build({ ...shared, entryPoints: { "core.node": path("src/core.node.js") }, outdir: path("dist"), platform: "node" });
for (const room of ["core", "web"]) {
  const wasm = `ask_user_${room}_bg.wasm`;
  await copyFile(path(`build/${room}/${wasm}`), path(`dist/${wasm}`));
}

/** The headless package is a file of its own, which the element imports when a form has a schema. */
function onDemand({ kind, path }) {
  return kind === "dynamic-import" ? { path, external: true } : undefined;
}
