// Bundles an app of a framework as its users do: its own compiler where it has one, the package by its name, and React 18 in the place of
// React 19 where that is asked for.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { compile, compileModule } from "svelte/compiler";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const { build } = createRequire(path("../../pkg/package.json"))("esbuild");
/** What an app gets for a name where it runs with React 18. */
const EIGHTEEN = { react: "react18", "react-dom": "react18-dom" };
const DEFINE = {
  "process.env.NODE_ENV": '"development"',
  __VUE_OPTIONS_API__: "false",
  __VUE_PROD_DEVTOOLS__: "false",
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "true",
};

/** The package as it is built: the element stays a file of the server's, so that it finds its wasm; the component is bundled. */
const PACKAGE = {
  name: "ask-user",
  setup(builder) {
    builder.onResolve({ filter: /^ask-user$|\/ask-user\.js$/ }, ({ kind }) =>
      kind === "entry-point" ? undefined : { path: "/pkg/dist/ask-user.js", external: true });
    builder.onResolve({ filter: /^ask-user\/react$/ }, () => ({ path: path("../../pkg/dist/react.js") }));
  },
};

/** Components of Svelte. Its elements are made one by one, since a strict policy takes no markup. */
const SVELTE = {
  name: "svelte",
  setup(builder) {
    builder.onLoad({ filter: /\.svelte$/ }, async ({ path: filename }) => {
      const source = await readFile(filename, "utf8");
      return { contents: compile(source, { filename, generate: "client", fragments: "tree", css: "external" }).js.code };
    });
    builder.onLoad({ filter: /\.svelte\.js$/ }, async ({ path: filename }) => ({
      contents: compileModule(await readFile(filename, "utf8"), { filename, generate: "client" }).js.code,
    }));
  },
};

/** The script of an app, for a browser; with `server`, for Node. */
export async function bundle(entry, { react = 19, server = false } = {}) {
  const { outputFiles: [file] } = await build({
    entryPoints: [path(entry)],
    bundle: true,
    write: false,
    format: server ? "cjs" : "esm",
    platform: server ? "node" : "browser",
    target: "es2022",
    logLevel: "warning",
    define: DEFINE,
    nodePaths: [path("node_modules")],
    alias: react === 18 ? EIGHTEEN : {},
    plugins: [PACKAGE, SVELTE],
    legalComments: "none",
  });
  return file.text;
}
