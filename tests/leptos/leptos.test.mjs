// The component in a Leptos application, under the policy of all pages: the application of examples/leptos, which `cargo xtask hosts leptos` builds
// into target/leptos. What the person answers comes into the application's signals, which the page shows.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, beforeEach, test } from "node:test";
import { launch, WATCH } from "../js/browser.mjs";

const built = (name) => readFile(new URL(`../../target/leptos/${name}`, import.meta.url));
const example = (name) => readFile(new URL(`../../examples/leptos/${name}`, import.meta.url), "utf8");

let browser;
let page;
before(async () => {
  const pages = {
    "/leptos/": (await example("index.html")).replace("<title>", `${WATCH}<title>`),
    "/leptos/page.js": await example("page.js"),
    "/leptos/built/ask-user-leptos.js": await built("ask-user-leptos.js"),
    "/leptos/built/ask-user-leptos_bg.wasm": await built("ask-user-leptos_bg.wasm"),
  };
  browser = await launch({ pages });
});
after(() => browser?.close());
beforeEach(async () => {
  page = await browser.page("/leptos/");
  await page.locator("[data-ask-user]").waitFor();
});

const text = (id) => page.locator(`output#${id}, pre#${id}`).textContent();
const painted = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
const asked = async (id) => {
  await page.locator(`[data-question="${id}"]`).waitFor();
  await painted();
};

test("the answers come into the application's signals", async () => {
  await asked("apply");
  assert.equal(await text("question"), "apply");
  await page.locator("[data-question] :is(button, label)", { hasText: "Yes" }).first().click();
  await asked("env");
  assert.equal(await text("question"), "env");
  await page.getByLabel("production").check();
  await painted();
  const next = page.locator('[data-question="env"] button[type=submit]');
  if (await next.count()) await next.click();
  await page.locator("#result", { hasText: "production" }).waitFor();
  assert.deepEqual(JSON.parse(await text("result")), { apply: true, env: "production" });
  assert.equal(await text("question"), "");
});

test("the form has its styles, and they are its own", async () => {
  await asked("apply");
  const { display, outside } = await page.evaluate(() => {
    const base = document.querySelector("[data-ask-user]").shadowRoot.querySelector(".base");
    return { display: getComputedStyle(base).display, outside: document.querySelectorAll("style, link, [style]").length };
  });
  assert.equal(display, "grid");
  assert.equal(outside, 0);
});

test("another request starts another form, and a form that is removed is gone", async () => {
  await asked("apply");
  await page.click("#settings");
  await asked("settings");
  assert.equal(await page.locator(".base").count(), 1);
  await page.click("#remove");
  await page.locator("[data-ask-user]").waitFor({ state: "detached" });
  await page.click("#deploy");
  await asked("apply");
  assert.equal(await page.locator(".base").count(), 1);
});

test("short questions stand on one page, and are sent together", async () => {
  await page.click("#booking");
  await page.locator("[data-page]").waitFor();
  await painted();
  await page.getByLabel("Who travels?").fill("Ada");
  await page.getByLabel("No", { exact: true }).check();
  await page.locator("[data-page] button[type=submit]").click();
  await page.locator("#result", { hasText: "Ada" }).waitFor();
  assert.deepEqual(JSON.parse(await text("result")), { name: "Ada", train: false });
});

test("a schema is checked in the application", async () => {
  await page.click("#settings");
  await asked("settings");
  const area = page.locator("textarea.json");
  const send = async (json) => {
    await area.fill(json);
    await painted();
    await page.locator('[data-question="settings"] button[type=submit]').click();
  };
  await send('{ "replicas": 0 }');
  await page.locator('[data-path="/replicas"]').waitFor();
  await send('{ "replicas": 3 }');
  await page.locator("#result", { hasText: "replicas" }).waitFor();
  assert.deepEqual(JSON.parse(await text("result")), { settings: { replicas: 3 } });
});

test("a request that cannot be shown is rejected to the application", async () => {
  await page.click("#unknown");
  await page.locator("[data-ask-user] .notice").waitFor();
  await page.waitForFunction(() => document.querySelector("#result").textContent !== "");
  assert.match(await text("result"), /1 problem/);
});

test("nothing in the form is a barrier", async () => {
  await asked("apply");
  const found = await page.evaluate(async () => {
    await import("/axe.js");
    const { violations } = await window.axe.run(document.querySelector("[data-ask-user]"));
    return violations.map(({ id }) => id);
  });
  assert.deepEqual(found, []);
});
