// Files under names with their hashes: what a page fetches from such a folder, and when a name changes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { copy } from "../../pkg/dist/copy.js";
import { header, links } from "../../pkg/dist/preload.js";
import { launch, WATCH } from "./browser.mjs";
import { DIST as FILES } from "./package-files.mjs";
import { passed, takesAnswers } from "./wait.mjs";

const DIST = fileURLToPath(FILES);
const HASHED = /\.[0-9a-f]{12}\.(js|wasm)$/;

const made = [];
const folder = (below = tmpdir()) => {
  const one = mkdtempSync(join(below, "copy-"));
  made.push(one);
  return one;
};
after(() => made.forEach((one) => rmSync(one, { recursive: true })));

test("every file that the element can fetch has a name with its hash, and no name of a file without one is left", async () => {
  const target = folder();
  const manifest = await copy(target, { entries: ["ask-user.js", "core.js", "html.load.js"] });
  assert.deepEqual(JSON.parse(readFileSync(join(target, "manifest.json"), "utf8")), manifest);
  for (const name of ["ask-user.js", "form.first.wasm", "form.rest.wasm", "date-time.js", "deadline.js", "editor.js", "fields.js", "fold.js", "history.js", "fields.worker.js", "markdown.js", "locales/de.js", "validator.js", "validator.first.wasm", "core.load.js", "rendered.js", "hosted.js", "writing.js"]) {
    assert.match(manifest[name] ?? name, HASHED, name);
  }
  const there = readdirSync(target, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  assert.equal(there.length, Object.keys(manifest).length + 1);
  for (const name of Object.values(manifest).filter((name) => name.endsWith(".js"))) {
    const text = readFileSync(join(target, name), "utf8");
    for (const old of Object.keys(manifest)) assert.ok(!text.includes(`/${old}"`) && !text.includes(`("${old}"`), `${name} names ${old}`);
  }
});

test("the desktop example has every file that its form can fetch", async () => {
  const fetched = Object.keys(await copy(folder(), { entries: ["ask-user.js", "channel.js"] }));
  const files = readFileSync(new URL("../../examples/desktop/src/files.rs", import.meta.url), "utf8");
  // Its questions are not put to an assistant.
  assert.deepEqual(fetched.filter((name) => !files.includes(`"/ask-user/${name}"`) && !name.startsWith("core.")), []);
});

test("a name changes with the file and with what it fetches, and with nothing else", async () => {
  const dist = folder();
  cpSync(DIST, dist, { recursive: true });
  const { copy: copyFrom } = await import(join(dist, "copy.js"));
  const before = await copyFrom(folder());
  assert.deepEqual(await copyFrom(folder()), before, "it depends on the content alone");
  const changed = async (name) => {
    const old = readFileSync(join(dist, name));
    writeFileSync(join(dist, name), Buffer.concat([old, Buffer.from(name.endsWith(".js") ? "\n" : "\0")]));
    const now = await copyFrom(folder());
    writeFileSync(join(dist, name), old);
    return Object.keys(before).filter((one) => before[one] !== now[one]);
  };
  assert.deepEqual((await changed("locales/de.js")).sort(), ["ask-user.js", "locales/de.js"]);
  assert.ok(!(await changed("editor.js")).includes("form.first.wasm"));
  assert.deepEqual(await changed("ask-user.js"), ["ask-user.js"]);
});

test("an unknown entry and a missing folder are errors that say what to do", async () => {
  await assert.rejects(copy(folder(), { entries: ["none.js"] }), /no file "none.js".*An entry is a name such as "ask-user.js"/);
  for (const one of /** @type {any[]} */ ([undefined, "", 1])) await assert.rejects(copy(one), /Name the folder/);
});

test("the command copies, and explains itself", () => {
  const run = (...words) => spawnSync(process.execPath, [join(DIST, "cli.js"), ...words], { encoding: "utf8" });
  const target = folder();
  const done = run("copy", target);
  assert.equal(done.status, 0, done.stderr);
  const manifest = JSON.parse(readFileSync(join(target, "manifest.json"), "utf8"));
  assert.ok(done.stdout.includes(manifest["ask-user.js"]));
  for (const words of [["copy"], ["move", target]]) {
    const { status, stderr } = run(...words);
    assert.equal(status, 2);
    assert.match(stderr, /ask-user copy FOLDER/);
  }
  assert.equal(run("copy", target, "none.js").status, 1);
  assert.equal(run("copy", join(target, "manifest.json", "below")).status, 1);
});

test("links name the files of the manifest", async () => {
  const manifest = await copy(folder());
  assert.deepEqual(links("/assets/", manifest).map(({ href }) => href), [`/assets/${manifest["ask-user.js"]}`, `/assets/${manifest["form.first.wasm"]}`]);
  assert.ok(header("/assets/", manifest).includes(manifest["ask-user.js"]));
  assert.throws(() => links("/assets/", {}), /manifest.*ask-user\.js/);
});

test("in a browser, a form with a schema, Markdown and another language fetches only such names, each once", async () => {
  // Where the server finds it.
  const target = folder(DIST);
  const manifest = await copy(target);
  const base = `/pkg/dist/${basename(target)}/`;
  const browser = await launch({ pages: { "/empty": `<!doctype html><html lang="de"><title>x</title>${WATCH}<main></main></html>` } });
  try {
    const page = await browser.page("/empty");
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.evaluate(async ({ base, entry }) => {
      await import(base + entry);
      const element = document.createElement("ask-user");
      element.request = { questions: [{ id: "n", text: "**Which** configuration?", answer_type: "schema", schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } }] };
      window.ended = new Promise((resolve) => element.addEventListener("ask-user-result", ({ detail }) => resolve(detail.result)));
      document.body.append(element);
    }, { base, entry: manifest["ask-user.js"] });
    await page.locator("ask-user").locator("strong").waitFor();
    const field = page.locator("ask-user").getByRole("textbox", { name: /name/i }).first();
    await field.fill("Ada");
    await passed(page, 500);
    await takesAnswers(page, "[type=submit]");
    await page.locator("ask-user").getByRole("button", { name: /senden/i }).click();
    assert.deepEqual(await page.evaluate(() => window.ended), { n: { name: "Ada" } });
    const fetched = asked.filter((path) => path.startsWith(base));
    for (const path of fetched) assert.match(path, HASHED);
    const names = fetched.map((path) => path.slice(base.length));
    for (const name of ["ask-user.js", "form.first.wasm", "form.rest.wasm", "markdown.js", "locales/de.js", "validator.js", "fields.js"]) assert.ok(names.includes(manifest[name]), `${name}: ${names}`);
    assert.deepEqual(asked.filter((path) => path.startsWith("/pkg/")), fetched);
    assert.equal(new Set(fetched).size, fetched.length, String(fetched));
  } finally {
    await browser.close();
  }
});
