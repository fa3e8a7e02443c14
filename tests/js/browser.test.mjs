// The harness of the browser suites: what a page does wrong fails the test that it happened in, and that test alone.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ENGINE } from "./browser.mjs";

const HARNESS = new URL("browser.mjs", import.meta.url).href;
/** A suite with a page, on which each of its tests does something. */
const SUITE = `
import { after, before, it } from "node:test";
import { launch } from ${JSON.stringify(HARNESS)};
let browser, page;
before(async () => { browser = await launch(); page = await browser.page(); });
after(() => browser.close());
const says = (act) => () => page.evaluate(act);
it("nothing", says(() => undefined));
it("style", says(() => void document.head.append(Object.assign(document.createElement("style"), { textContent: "p { color: red }" }))));
it("connection", says(() => fetch("https://elsewhere.invalid/").then(() => {}, () => {})));
it("error", says(() => void queueMicrotask(() => { throw new Error("nobody catches this"); })));
it("warning", says(() => console.warn("look here")));
it("provoked", async () => { await page.evaluate(() => console.error("as it should be")); page.faults.splice(0); });
it("a page that is closed", async () => { const other = await browser.page(); await other.evaluate(() => console.error("gone")); await other.context().close(); });
it("nothing more", says(() => undefined));`;

test("a violation of the policy, an error that nobody catches and a warning fail the test that they happen in", { skip: ENGINE !== "chromium" && "the harness is the same" }, () => {
  const folder = mkdtempSync(join(tmpdir(), "ask-user-"));
  try {
    const file = join(folder, "suite.test.mjs");
    writeFileSync(file, SUITE);
    const { NODE_TEST_CONTEXT, ...env } = process.env;
    const { stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", file], { env, encoding: "utf8" });
    const ends = Object.fromEntries([...stdout.matchAll(/^ *(not ok|ok) \d+ - (.*)$/gm)].map(([, end, name]) => [name, end]));
    const [fails, passes] = ["not ok", "ok"];
    const expected = { nothing: passes, style: fails, connection: fails, error: fails, warning: fails, provoked: passes, "a page that is closed": fails, "nothing more": passes };
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, ends[name]])), expected, stdout);
    for (const said of [/violates style-src/, /violates connect-src/, /nobody catches this/, /look here/, /gone/]) assert.match(stdout, said);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
