// For esbuild: the parts of markdown-it by their names, as `markdown-it/src/parser_block.ts`, out of the sources that its package brings along
// (`sourcesContent` of its source map). Its bundle is one module whose rules all hold each other, and weighs three times what is needed of it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { posix } from "node:path";

const FOLDER = "markdown-it/src/";
/** What stands in for other packages, and for parts that do more than is needed here: files of our own, or code. */
const INSTEAD = {
  entities: file("entities"),
  "ruler.ts": file("ruler"),
  "uc.micro": "export const P = /\\p{P}/u, S = /\\p{S}/u;",
  mdurl: "",
  "token.ts": file("token"),
  // Addresses without a mark of their own are found in the text that is left.
  "rules_inline/linkify.ts": "export default () => false;",
};

export const MARKDOWN = {
  name: "markdown",
  setup(builder) {
    const sources = read();
    const resolve = (path) => {
      const instead = INSTEAD[path];
      if (instead instanceof URL) return { path: fileURLToPath(instead) };
      if (instead === undefined && !sources.has(path)) throw new Error(`markdown-it has no ${path}: see pkg/markdown.mjs`);
      return { path, namespace: "markdown-it", sideEffects: false };
    };
    builder.onResolve({ filter: /^markdown-it\/src\// }, ({ path }) => resolve(path.slice(FOLDER.length)));
    const within = ({ path, importer }) => resolve(path.startsWith(".") ? posix.join(posix.dirname(importer), path) : path);
    builder.onResolve({ filter: /.*/, namespace: "markdown-it" }, within);
    builder.onLoad({ filter: /.*/, namespace: "markdown-it" }, ({ path }) => ({ contents: INSTEAD[path] ?? sources.get(path), loader: "ts" }));
  },
};

function file(name) {
  return new URL(`src/markdown/${name}.js`, import.meta.url);
}

/** The sources of the package that is installed. */
function read() {
  const bundle = createRequire(import.meta.url).resolve("markdown-it").replace(/markdown-it\.cjs\.js$/, "markdown-it.mjs.map");
  const { sources, sourcesContent } = JSON.parse(readFileSync(bundle, "utf8"));
  return new Map(sources.map((name, place) => [name.replace(/^.*\/src\//, ""), sourcesContent[place]]));
}
