// The packed package in a fresh project of every tool, each built with the tool's defaults and met in a real browser, through a whole
// form: a question, options, and JSON with a schema, for which validator and editor have to be found. It is called by
// `cargo xtask hosts packaging`; a project's packages are installed once, and again when they or the package change.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { conformsOverHttp, keepsVersions } from "../js/conformance.mjs";
import { freePort } from "../js/free-port.mjs";
import { AIMS, until } from "../js/wait.mjs";
import { asked, session } from "./next.mjs";
import { PROJECTS } from "./projects.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const work = join(root, "target/packaging");
const { chromium } = createRequire(join(root, "pkg/package.json"))("playwright-core");
const npm = (folder, args) => promisify(execFile)("npm", args, { cwd: folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", CI: "1" } });
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; base-uri 'none'";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".json": "application/json" };
const RESULT = { apply: true, environment: "staging", limits: { cpu: 2 } };

let browser;
let tarball;
let packed;
before(async () => {
  mkdirSync(work, { recursive: true });
  for (const name of readdirSync(work)) if (name.endsWith(".tgz")) rmSync(join(work, name));
  const [{ filename, files }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", work], { cwd: join(root, "pkg"), encoding: "utf8" }));
  packed = files.map(({ path }) => path).sort();
  const bytes = readFileSync(join(work, filename));
  // Named by what it holds: npm installs a tarball of another name anew.
  tarball = join(work, `ask-user-${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}.tgz`);
  writeFileSync(tarball, bytes);
  rmSync(join(work, filename));
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", chromiumSandbox: false, args: ["--disable-gpu", "--disable-background-networking"] });
});
after(() => browser.close());

test("the tarball holds what is needed, and nothing else", () => {
  const entries = JSON.parse(readFileSync(join(root, "pkg/package.json"), "utf8")).exports;
  // One that stands for several files has them all in the list below.
  const named = JSON.stringify(entries).match(/"\.\/[^"]+\.(js|cjs|ts|cts|json|wasm|html)"(?!:)/g).map((path) => path.slice(3, -1)).filter((path) => !path.includes("*"));
  for (const path of named) assert.ok(packed.includes(path), `${path} is exported, and not in the tarball`);
  // What the entries load when it is needed, and what the types are made of.
  const loaded = ["dist/cli.js", "dist/date-time.js", "dist/deadline.js", "dist/editor.js", "dist/fields.js", "dist/fields.worker.js", "dist/fold.js", "dist/form.first.wasm", "dist/form.rest.wasm", "dist/history.js", "dist/hosted.js", "dist/inbox.js", "dist/inbox.page.css", "dist/inbox.page.js", "dist/markdown.js", "dist/overrides.js", "dist/rendered.js", "dist/validator.first.wasm", "dist/validator.js", "dist/validator.rest.wasm", "dist/writing.js", ...readdirSync(join(root, "pkg/dist/locales")).map((name) => `dist/locales/${name}`), "types/words.d.ts", ...readdirSync(join(root, "pkg/themes")).map((name) => `themes/${name}`)];
  const about = ["LICENSE-APACHE", "LICENSE-MIT", "README.md"];
  assert.deepEqual(packed, [...new Set([...named, ...loaded, ...about])].sort());
});

for (const [name, project] of Object.entries(PROJECTS)) {
  test(`the packed package works in a new project: ${name}`, async () => {
    const folder = await built(name);
    for (const script of project.scripts ?? []) {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], { cwd: folder });
      assert.deepEqual(JSON.parse(stdout), RESULT);
      assert.equal(stderr.replaceAll(/.*(ExperimentalWarning|--trace-warnings).*\n/g, ""), "");
    }
    for (const { path, protocol, policy, root: below } of project.pages ?? []) {
      if (protocol) {
        await filled(pathToFileURL(join(folder, path)).href);
        continue;
      }
      const server = await served(join(folder, below), policy);
      await filled(`${server.url}/${path}`).finally(() => server.close());
    }
    if (project.serve) {
      const server = await started(folder, project.serve);
      await filled(server.url, project.begin).finally(() => server.close());
    }
  });
}

const NEXT = "Next.js, server and client";
let next;
/** The server of Next.js, for all tests that follow. */
const nextServer = () => (next ??= built(NEXT).then((folder) => started(folder, PROJECTS[NEXT].serve)));
after(async () => (await next)?.close());

// Next.js itself answers "*" with 500, and goes on.
const NEXT_HOST = { due: async () => asked((await nextServer()).url), unrouted: ["*"] };
conformsOverHttp("Next.js", NEXT_HOST);
keepsVersions("Next.js", NEXT_HOST);

test("Next.js: the server has the answer, a reload shows it, and another visitor sees nothing of it", async () => {
  const { url } = await nextServer();
  await session(browser, url, RESULT);
});

const folders = new Map();
/** The folder of a project that is installed and built, once for all tests. */
function built(name) {
  const project = PROJECTS[name];
  const build = async () => {
    const folder = await installed(project);
    if (project.build) await npm(folder, project.build);
    return folder;
  };
  if (!folders.has(name)) folders.set(name, build());
  return folders.get(name);
}

/** Copies a project, with the tarball in the package's place, and installs what it names. */
async function installed({ from }) {
  const folder = join(work, from.replaceAll("/", "-"));
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!["node_modules", "package-lock.json", ".installed"].includes(name)) rmSync(join(folder, name), { recursive: true });
  const foreign = (path) => !/node_modules|package-lock|[/\\](dist|\.next)$/.test(path.slice(root.length));
  cpSync(join(root, from), folder, { recursive: true, filter: foreign });
  const manifest = readFileSync(join(folder, "package.json"), "utf8").replace(/file:[./]*pkg/, `file:${tarball}`);
  writeFileSync(join(folder, "package.json"), manifest);
  const marker = join(folder, ".installed");
  if (!existsSync(marker) || readFileSync(marker, "utf8") !== manifest) {
    rmSync(marker, { force: true });
    await npm(folder, ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]);
    writeFileSync(marker, manifest);
  }
  return folder;
}

/** A server of files, as plain as they come. */
async function served(folder, policy) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const bytes = await readFile(join(folder, path)).catch(() => undefined);
    if (!bytes) return response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
    response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", ...(policy ? { "Content-Security-Policy": POLICY } : {}) });
    response.end(bytes);
  });
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)));
  return { url: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`, close: () => (server.closeAllConnections(), server.close()) };
}

/** A tool's own server, on a port that was free. */
async function started(folder, /** @type {any} */ [program, ...args]) {
  const port = await freePort();
  const child = spawn(program, [...args, String(port)], { cwd: folder, detached: true, stdio: "ignore", env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } });
  const url = `http://localhost:${port}`;
  await until(() => fetch(url).catch(String), `an answer of ${args.join(" ")} on ${url}`, (/** @type {any} */ { ok }) => ok);
  return { url, close: () => process.kill(-child.pid) };
}

/** Fills the form in, and looks at what the page was given. */
async function filled(url, begin) {
  const page = await browser.newPage();
  await page.addInitScript(AIMS);
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !message.location().url.endsWith("/favicon.ico")) faults.push(`${message.text()} ${message.location().url}`);
  });
  try {
    await page.goto(url);
    if (begin) await page.locator(begin).click();
    const find = (selector) => page.locator("ask-user").locator(selector);
    await find("[data-answer=yes]").click();
    await find("label[for=option-0]").click();
    await find(".views .tab").last().click();
    await find(".cm-content").fill('{"cpu": "two"}');
    await find(".cm-lintRange-error").waitFor();
    await find("[type=submit]").click();
    await find(".error[data-code=schema_mismatch]").waitFor();
    await find(".cm-content").fill('{"cpu": 2}');
    await find("[type=submit]").click();
    await page.locator("output").waitFor();
    assert.deepEqual(JSON.parse(await page.locator("output").textContent()), RESULT);
    assert.deepEqual(faults, []);
  } catch (error) {
    throw new Error(`${url}: ${error.message}\n${faults.join("\n")}`);
  } finally {
    await page.close();
  }
}
