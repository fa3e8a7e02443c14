// The host for JavaScript in other runtimes than Node, with their own servers: they keep to docs/delivery.md.
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { conformsOverHttp, keepsVersions } from "../js/conformance.mjs";
import { freePort } from "../js/free-port.mjs";
import { due } from "../js/js-host.mjs";
import { pause } from "../js/wait.mjs";

const require = createRequire(import.meta.url);
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const dist = path("../../pkg/dist/");
const folder = mkdtempSync("/tmp/ask-user-runtimes-");
const children = [];
after(async () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** The program itself, from the npm package that has it for Linux. The script that npm puts before it starts it as a child, which would outlive the test. */
const program = (owner, name, file) => join(dirname(require.resolve(`${owner}/package.json`, { paths: [dirname(require.resolve(`${name}/package.json`))] })), file);

const AGENT = `
const QUESTIONS = { questions: [
  { id: "apply", text: "Apply the migration?", answer_type: "boolean" },
  { id: "environment", text: "Which environment?", answer_type: "select", options: ["staging", "production"], when: { question_id: "apply", equals: true } },
] };
const agent = async ({ results }) => results.length ? "I got " + results[0].contentText + "." : { calls: [{ id: crypto.randomUUID(), name: "ask_user", input: QUESTIONS }] };
`;

const RUNTIMES = {
  async Deno(port) {
    const file = join(folder, "deno.mjs");
    writeFileSync(file, `import { createHost, memory } from "${dist}host.node.js";${AGENT}const host = createHost({ store: memory(), agent });Deno.serve({ port: ${port}, hostname: "127.0.0.1" }, (request) => host.handle(request));`);
    return [program("@deno/linux-x64-glibc", "deno", "deno"), ["run", "--no-config", "--allow-read", "--allow-net", "--allow-env", file]];
  },
  async "Deno, node:sqlite"(port) {
    const file = join(folder, "deno-sqlite.mjs");
    writeFileSync(file, `import { DatabaseSync } from "node:sqlite";import { createHost } from "${dist}host.node.js";import { sqlite } from "${dist}host.sqlite.js";${AGENT}
const host = createHost({ store: await sqlite(new DatabaseSync("${folder}/deno.db")), agent });Deno.serve({ port: ${port}, hostname: "127.0.0.1" }, (request) => host.handle(request));`);
    return [program("@deno/linux-x64-glibc", "deno", "deno"), ["run", "--no-config", "--allow-all", file]];
  },
  async "Bun, bun:sqlite"(port) {
    const file = join(folder, "bun.mjs");
    writeFileSync(file, `import { createHost } from "${dist}host.node.js";import { sqlite } from "${dist}host.sqlite.js";${AGENT}
const host = createHost({ store: await sqlite("${folder}/bun.db"), agent });Bun.serve({ port: ${port}, hostname: "127.0.0.1", idleTimeout: 0, fetch: (request) => host.handle(request) });`);
    return [program("@oven/bun-linux-x64", "bun", "bin/bun"), ["run", file]];
  },
  async "workerd, the runtime of Cloudflare Workers"(port) {
    // It embeds only what lies beside its configuration.
    for (const name of ["core.wasm", "host.load.js", "core.load.js"]) copyFileSync(join(dist, name), join(folder, name));
    writeFileSync(join(folder, "worker.mjs"), `import core from "core.wasm";import { load } from "host.load.js";${AGENT}
let host;
export default { async fetch(request, environment, context) {
  host ??= load(core).then(({ createHost, memory }) => createHost({ store: memory(), agent }));
  const response = await (await host).handle(request);
  context.waitUntil((await host).settled());
  return response;
} };`);
    writeFileSync(join(folder, "workerd.capnp"), `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
      (name = "worker.mjs", esModule = embed "worker.mjs"),
      (name = "core.wasm", wasm = embed "core.wasm"),
      (name = "host.load.js", esModule = embed "host.load.js"),
      (name = "core.load.js", esModule = embed "core.load.js"),
    ],
    compatibilityDate = "2026-01-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`);
    return [program("@cloudflare/workerd-linux-64", "workerd", "bin/workerd"), ["serve", join(folder, "workerd.capnp")]];
  },
};

const chosen = Object.entries(RUNTIMES).filter(([name]) => !process.env.RUNTIME || name.startsWith(process.env.RUNTIME));
for (const [name, command] of chosen) {
  const port = await freePort();
  const [file, words] = await command(port);
  const child = spawn(/** @type {any} */ (file), /** @type {string[]} */ (words), { stdio: ["ignore", "ignore", "inherit"] });
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries += 1) {
    try {
      await (await fetch(url)).text();
      break;
    } catch (error) {
      if (tries === 300 || child.exitCode !== null) for (const one of children) one.kill("SIGKILL");
      if (tries === 300 || child.exitCode !== null) throw new Error(`${name} does not start`, { cause: error });
      await pause(100);
    }
  }
  const target = { due: () => due(url) };
  conformsOverHttp(name, target);
  keepsVersions(name, target);
}
