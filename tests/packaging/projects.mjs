// The fresh projects that the packed package is installed into: what builds each, and how a person meets it.

/** A page of files, at a path of the project; `policy` where the tool lets a page have a strict one. */
const files = (path, { policy = true, root = "" } = {}) => ({ path, policy, root });

/** By name. `begin` is what a person presses before the form is there. */
export const PROJECTS = {
  "plain HTML, a module script": { from: "examples/html", pages: [files("index.html")] },
  "a classic script, one file": { from: "tests/packaging/classic", pages: [files("index.html")] },
  "a page from file://": { from: "tests/packaging/classic", pages: [{ path: "index.html", protocol: "file:" }] },
  "React 19, Vite": { from: "examples/react", build: ["run", "build"], pages: [files("index.html", { root: "dist" })] },
  "React 19, Vite's server": { from: "examples/react", serve: ["npm", "exec", "vite", "--", "--strictPort", "--port"] },
  "Vue 3, Vite": { from: "examples/vue", build: ["run", "build"], pages: [files("index.html", { root: "dist" })] },
  "Svelte 5, Vite": { from: "examples/svelte", build: ["run", "build"], pages: [files("index.html", { root: "dist" })] },
  "Next.js, server and client": { from: "examples/next", build: ["run", "build"], serve: ["npm", "run", "serve", "--", "--port"], begin: "button" },
  "a chat with a streaming back end": { from: "examples/chat", serve: ["node", "server.js", "--port"] },
  "webpack 5": { from: "tests/packaging/webpack", build: ["run", "build"], pages: [files("index.html")] },
  esbuild: { from: "tests/packaging/esbuild", build: ["run", "build"], pages: [files("inline.html"), files("files.html")] },
  Rollup: { from: "tests/packaging/rollup", build: ["run", "build"], pages: [files("index.html")] },
  "TypeScript, nodenext and bundler": { from: "tests/packaging/typescript", build: ["run", "build"] },
  "Node, import and require": { from: "tests/packaging/node", scripts: ["import.mjs", "require.cjs"] },
};
