// The host for JavaScript in a route handler of Next.js, built for production with the packed package: it keeps to docs/delivery.md.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { conformsOverHttp, keepsVersions } from "../js/conformance.mjs";
import { freePort } from "../js/free-port.mjs";
import { begin, due, read } from "../js/js-host.mjs";
import { pause, until } from "../js/wait.mjs";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
// Kept from run to run: its packages are many.
const folder = path("../../target/servers/next");
mkdirSync(folder, { recursive: true });
cpSync(path("next"), folder, { recursive: true });
const environment = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", CI: "1" };
const run = (program, ...words) => execFileSync(program, words, { cwd: folder, env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: path("../../pkg"), encoding: "utf8" }));
rmSync(join(folder, "node_modules/ask-user"), { recursive: true, force: true });
run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--no-save", "--no-package-lock");
run("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--no-save", "--no-package-lock", `./${filename}`);
run("node", "node_modules/next/dist/bin/next", "build");

const port = await freePort();
const server = spawn(process.execPath, ["node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1", "--port", String(port)], { cwd: folder, env: environment, stdio: ["ignore", "ignore", "inherit"] });
after(() => server.kill("SIGKILL"));
const url = `http://127.0.0.1:${port}`;
await until(() => fetch(url).catch(String), `an answer on ${url}`, (found) => found instanceof Response);

const where = { base: "/api/conversations" };
// Next.js itself answers "*" with 500, and goes on.
const target = { due: () => due(url, where), unrouted: ["*"] };
conformsOverHttp("Next.js with the host", target);
keepsVersions("Next.js with the host", target);

test("Next.js: events arrive as they happen, and the application's own pages are left alone", async () => {
  assert.match(await (await fetch(url)).text(), /hello/);
  const { at, opens } = await begin(url, undefined, where);
  const heard = read(`${at}/events`, opens, (found) => found.some(({ data }) => data.type === "awaiting_user_response"));
  await pause(300);
  await fetch(`${at}/messages`, { method: "POST", headers: { "Content-Type": "application/json", ...opens }, body: JSON.stringify({ text: "Go on." }) });
  assert.ok((await heard).length > 1);
});
