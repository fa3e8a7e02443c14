// The page of the inbox in a browser: the list, the form for the question that is chosen, receipts, keys, two pages at once, and pages of others.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { launch } from "./browser.mjs";
import { Home } from "./inbox-app.mjs";
import { Person } from "./person.mjs";
import { allDone, becomes, hasFocus, painted, takesAnswers, until } from "./wait.mjs";

const AXE = readFileSync(createRequire(new URL("../../pkg/package.json", import.meta.url)).resolve("axe-core/axe.min.js"), "utf8");
const asks = (text, more = {}) => ({ request: { questions: [{ id: "go", text, answer_type: "boolean" }] }, who: "Claude Code", folder: "/work/shop", ...more });

let browser;
let home;
const homes = [];
before(async () => (browser = await launch()));
after(async () => {
  // Also that of a test whose hooks have failed.
  for (const one of homes) await one.end();
  await browser.close();
});
beforeEach(async () => {
  homes.push((home = new Home()));
  await home.start();
});
afterEach(async () => {
  while (contexts.length) await contexts.pop().close();
  await home.end();
});

const contexts = [];
/** A page of the playground, which is another origin, in a browser of its own. */
async function elsewhere(options = {}) {
  const page = await browser.page("/blank", options);
  contexts.push(page.context());
  return page;
}

/** A page of the inbox, in a browser of its own. */
async function visit(options = {}, address = undefined) {
  const page = await elsewhere(options);
  await page.goto(address ?? (await home.page()));
  await page.locator("main").waitFor();
  return page;
}

const put = async (...given) => (await home.program("POST", "/questions", asks(...given))).body.id;
const listed = (page) => page.locator(".open button b").allTextContents();
const chosen = (page) => page.locator(".open [aria-current=true] b").allTextContents();
const asked = (page, text) => until(() => page.locator("ask-user").evaluate((form) => form.shadowRoot?.textContent ?? ""), text, (shown) => shown.includes(text));
const yes = async (page) => {
  await takesAnswers(page, "[data-question=go]");
  await new Person(page).find("[data-answer=yes]").click();
};

test("the code leaves the address, opens the page once, and the browser needs it no more", async () => {
  const page = await visit();
  assert.equal(page.url(), `${home.address}/`);
  assert.equal(await page.evaluate(() => history.length), 2 + 1);
  await page.reload();
  await page.getByText("No agent is asking anything.").waitFor();
  assert.equal(await page.title(), "ask-user");
  // Neither a cookie nor a place that others can read has the key.
  assert.deepEqual(await page.context().cookies(), []);
  assert.equal(home.read("devices.json").length, 1);
  // Where the browser has a secret already, the code is taken back.
  const again = await home.page();
  await page.goto("about:blank");
  await page.goto(again);
  await page.getByText("No agent is asking anything.").waitFor();
  const second = await visit({}, again);
  await second.getByText("Open this page with the address that ask-user printed.").waitFor();
  assert.deepEqual([home.read("devices.json").length, second.faults.splice(0).length], [1, 1]);
  const stranger = await visit({}, `${home.address}/`);
  await stranger.getByText("Open this page with the address that ask-user printed.").waitFor();
  await stranger.goto("about:blank");
  await stranger.goto(`${home.address}/#code=${home.read("tokens.json").page}`);
  await stranger.getByText("Open this page with the address that ask-user printed.").waitFor();
  assert.equal(stranger.faults.splice(0).length, 1, "the refused code");
});

test("questions come by themselves, and one after the other is answered", async () => {
  const page = await visit();
  await page.getByText("No agent is asking anything.").waitFor();
  await put("Delete the branches?");
  await put("Deploy now?", { who: "nightly.sh", folder: "/srv" });
  await becomes(() => listed(page), ["Delete the branches?", "Deploy now?"]);
  assert.equal(await page.title(), "(2) ask-user");
  assert.match(await page.locator("link[rel=icon]").getAttribute("href"), /open=2/);
  assert.equal(await page.getByRole("heading", { level: 1 }).textContent(), "2 open questions");
  assert.deepEqual(await page.locator(".open small").allTextContents(), ["Claude Code · /work/shop", "nightly.sh · /srv"]);
  assert.deepEqual(await chosen(page), ["Delete the branches?"]);
  await yes(page);
  await becomes(() => chosen(page), ["Deploy now?"]);
  await asked(page, "Deploy now?");
  await yes(page);
  await page.getByText("No agent is asking anything.").waitFor();
  await becomes(() => page.locator(".closed summary span").allTextContents(), ["Deploy now?", "Delete the branches?"]);
  assert.deepEqual(await page.locator(".closed summary i").allTextContents(), ["Yes", "Yes"]);
  assert.equal(await page.title(), "ask-user");
  // A receipt that is open stays open when others come.
  await page.locator(".closed summary").first().click();
  await page.locator(".closed dd").first().waitFor();
  await home.program("DELETE", `/questions/${await put("Still needed?")}`);
  await becomes(() => page.locator(".closed summary span").allTextContents(), ["Still needed?", "Deploy now?", "Delete the branches?"]);
  assert.equal(await page.locator(".closed details").nth(1).getAttribute("open"), "");
  await page.getByRole("searchbox").fill("nightly");
  await becomes(() => page.locator(".closed summary span").allTextContents(), ["Deploy now?"]);
  await page.getByRole("searchbox").fill("nothing of this");
  await page.getByText("No receipt has all of these words.").waitFor();
  assert.deepEqual(page.faults, []);
});

/** Answers an approval on a page with what it offers beyond this call. */
async function allowsMore(page) {
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "rm -rf build" }, permission_suggestions: [{ type: "addRules", rules: [{ toolName: "Bash", ruleContent: "rm:*" }], behavior: "allow", destination: "localSettings" }] };
  const { body } = await home.program("POST", "/questions", { request, dialect: "claude", who: "Claude Code", folder: "/work/shop" });
  await takesAnswers(page, "[data-question=q1]");
  await new Person(page).find("[data-reach=approve] .option label").nth(1).click();
  await new Person(page).find("[data-decision=approve]").click();
  await becomes(() => listed(page), []);
  return body.id;
}

test("what was granted beyond one call is on a page of its own, with who keeps it and the receipt of the answer", async () => {
  const page = await visit();
  await page.getByRole("link", { name: "What you granted beyond one call" }).click();
  await page.getByText("You have granted nothing beyond one call.").waitFor();
  await hasFocus(page, "h1");
  await page.getByRole("link", { name: "Back to the questions" }).click();
  await page.getByText("No agent is asking anything.").waitFor();
  const id = await allowsMore(page);
  await page.getByRole("link", { name: "What you granted beyond one call" }).click();
  const item = page.locator(".granted li");
  await becomes(() => item.locator(".rule").allTextContents(), ["Allow Bash(rm:*), in your settings of this project"]);
  assert.match(await item.textContent(), /Allowed, from then on.*Claude Code · \/work\/shop.*Claude Code keeps it in \.claude\/settings\.local\.json of the project\. To take it back, remove it there.*has not said that it has this answer/);
  await home.program("DELETE", `/questions/${id}`);
  // Nothing there promises what the inbox cannot do.
  assert.equal(await page.locator(".granted button").count(), 0);
  await page.keyboard.press("j");
  await page.reload();
  await item.waitFor();
  assert.doesNotMatch(await item.textContent(), /has not said/);
  await put("Deploy now?");
  await becomes(() => page.title(), "(1) ask-user");
  await item.getByRole("link", { name: "Its receipt" }).click();
  await hasFocus(page, ".closed details[open] summary");
  assert.equal(page.url(), `${home.address}/#receipt=${id}`);
  await becomes(() => page.locator(".closed summary span").allTextContents(), ["Run Bash?"]);
  assert.deepEqual(await listed(page), ["Deploy now?"]);
  await page.goBack();
  await item.waitFor();
  assert.deepEqual(page.faults, []);
});

test("a receipt is copied, and shown for copying where the browser does not let a page copy", async () => {
  const page = await visit();
  await put("Deploy now?");
  await yes(page);
  await page.locator(".closed summary").click();
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (text) => (window.copied = text) } }));
  const button = page.locator(".closed details button");
  await button.click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  const text = await page.evaluate(() => window.copied);
  assert.match((await home.run(["verify", "-"], { input: text })).out, /^"Deploy now\?" by "Claude Code" in "\/work\/shop" was answered with "Yes" from "Chrome on /);
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await button.click();
  await hasFocus(page, "textarea");
  assert.equal(await page.evaluate(() => getSelection().toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)), text);
  assert.deepEqual(page.faults, []);
});

test("J and K lead from question to question, and not from within the form", async () => {
  for (const text of ["First?", "Second?", "Third?"]) await put(text);
  const page = await visit();
  await becomes(() => chosen(page), ["First?"]);
  for (const [key, wanted] of [["j", "Second?"], ["j", "Third?"], ["j", "Third?"], ["k", "Second?"], ["K", "First?"], ["k", "First?"]]) {
    await page.keyboard.press(key);
    assert.deepEqual(await chosen(page), [wanted], key);
  }
  await hasFocus(page, ".open [aria-current=true]");
  await takesAnswers(page, "[data-question=go]");
  await page.keyboard.press("Enter");
  await until(() => page.evaluate(() => document.activeElement.localName), "the focus in the form", (name) => name === "ask-user");
  await page.keyboard.press("j");
  await allDone(page);
  assert.deepEqual(await chosen(page), ["First?"]);
  // The form's own keys answer, and lead on to the next question.
  for (const next of ["Second?", "Third?"]) {
    await takesAnswers(page, "[data-question=go]");
    await page.keyboard.press("y");
    await becomes(() => chosen(page), [next]);
    await asked(page, next);
    await until(() => page.evaluate(() => document.activeElement.localName), "the focus in the form", (name) => name === "ask-user");
  }
  await page.getByRole("searchbox").focus();
  await page.keyboard.press("j");
  assert.deepEqual([await chosen(page), await page.getByRole("searchbox").inputValue()], [["Third?"], "j"]);
});

test("of two pages, one answer counts, and the other page says so", async () => {
  await put("Deploy now?");
  const id = await put("And then?");
  const [one, other] = [await visit(), await visit()];
  await asked(other, "Deploy now?");
  await yes(one);
  await asked(other, "Answered elsewhere");
  await becomes(() => listed(other), ["And then?"]);
  // What the person looked at stays until they go on.
  assert.deepEqual(await chosen(other), []);
  await other.keyboard.press("j");
  await asked(other, "And then?");
  assert.equal(home.read("devices.json").length, 2);
  await home.program("DELETE", `/questions/${id}`);
  await becomes(() => other.locator(".closed summary b").allTextContents(), ["Closed by the agent", "Answered"]);
  assert.match(await other.locator(".closed small").last().textContent(), /from Chrome on /);
});

/** In a page: takes the place of the browser's notifications, and of what says that the page is behind others. */
const BEHIND = `
  window.notices = [];
  window.Notification = class extends EventTarget {
    static permission = "default";
    static requestPermission = async () => (this.permission = "granted");
    constructor(title, { body, tag }) { super(); Object.assign(this, { title, body, tag, isOpen: true }); window.notices.push(this); }
    close() { this.isOpen = false; }
  };
  Object.defineProperty(document, "hidden", { get: () => window.isBehind ?? false });`;

test("a page behind others notifies of new questions, if that is wanted", async () => {
  await put("Before?");
  const page = await browser.page("/blank", {}, BEHIND);
  contexts.push(page.context());
  await page.goto(await home.page());
  await becomes(() => listed(page), ["Before?"]);
  const told = () => page.evaluate(() => window.notices.map(({ title, body, isOpen }) => [title, body, isOpen]));
  await page.evaluate(() => (window.isBehind = true));
  await put("Not asked for?");
  await becomes(() => listed(page), ["Before?", "Not asked for?"]);
  const notify = page.getByRole("button", { name: "Notify me of new questions" });
  assert.equal(await notify.getAttribute("aria-pressed"), "false");
  await notify.click();
  await becomes(() => notify.getAttribute("aria-pressed"), "true");
  await put("Deploy now?\nWith the key s3cret?");
  const other = await put("And then?");
  await becomes(told, [["Claude Code", "Deploy now?", true], ["Claude Code", "And then?", true]]);
  await home.program("DELETE", `/questions/${other}`);
  await becomes(told, [["Claude Code", "Deploy now?", true], ["Claude Code", "And then?", false]]);
  await page.evaluate(() => window.notices[0].dispatchEvent(new Event("click")));
  assert.deepEqual([await chosen(page), (await told())[0][2]], [["Deploy now?"], false]);
  await page.evaluate(() => (window.isBehind = false));
  await put("Seen?");
  await becomes(async () => (await listed(page)).length, 4);
  assert.equal((await told()).length, 2);
  // It can be turned off again, and stays off.
  await notify.click();
  await becomes(() => notify.getAttribute("aria-pressed"), "false");
  await page.evaluate(() => (window.isBehind = true));
  await put("Not told?");
  await becomes(async () => (await listed(page)).length, 5);
  assert.equal((await told()).length, 2);
  assert.deepEqual(await page.evaluate(() => JSON.parse(localStorage.getItem("ask-user inbox notices"))), { notify: false, sound: false });
});

test("the tabs of a browser share one connection for the list", async () => {
  const first = await visit();
  await put("Deploy now?");
  await becomes(() => listed(first), ["Deploy now?"]);
  const others = [];
  for (let count = 0; count < 7; count += 1) {
    const page = await first.context().newPage();
    await page.goto(`${home.address}/`);
    others.push(page);
  }
  for (const page of others) await becomes(() => listed(page), ["Deploy now?"]);
  await put("And then?");
  for (const page of [first, ...others]) await becomes(() => listed(page), ["Deploy now?", "And then?"]);
});

/** A page that shows a question of an inbox that was killed, and the port that the inbox had. */
async function crashed() {
  await put("Deploy now?");
  const page = await visit();
  await asked(page, "Deploy now?");
  const { port } = new URL(home.address);
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  return { page, port };
}

test("the page says that the inbox is gone, and goes on when it is back", async () => {
  const { page, port } = await crashed();
  await page.getByText("The inbox does not answer.").waitFor();
  await home.start("--port", port);
  await page.getByText("The inbox does not answer.").waitFor({ state: "hidden" });
  await put("And then?");
  await becomes(() => listed(page), ["Deploy now?", "And then?"]);
  await yes(page);
  await becomes(() => listed(page), ["And then?"]);
  // What could not be fetched meanwhile.
  page.faults.length = 0;
});

test("what was just typed is still there when the inbox comes back", async () => {
  await put("Which name?", { request: { questions: [{ id: "name", text: "Which name?", answer_type: "text" }] } });
  const page = await visit();
  await asked(page, "Which name?");
  const { port } = new URL(home.address);
  await page.locator("ask-user [data-field]").fill("Ada");
  home.inbox.process.kill("SIGKILL");
  await home.inbox.ended;
  await page.getByText("The inbox does not answer.").waitFor();
  await page.locator("ask-user [data-field]").fill("Ada Lovelace");
  const before = await page.locator("ask-user").getAttribute("respond-url");
  await home.start("--port", port);
  await until(() => page.locator("ask-user").getAttribute("respond-url"), "the form with the new addresses", (now) => now !== before);
  await becomes(() => page.locator("ask-user [data-field]").inputValue(), "Ada Lovelace");
  page.faults.length = 0;
});

test("a page sends nothing of use to another program that has the port of its inbox", async () => {
  const { page, port } = await crashed();
  const heard = [];
  const other = createServer((request, response) => (heard.push(request.url), response.end("{}")));
  await until(() => new Promise((resolve) => other.once("error", () => resolve(false)).listen(Number(port), "127.0.0.1", () => resolve(true))), "the port");
  try {
    await until(() => heard, "what the page asks", (urls) => urls.some((url) => url.startsWith("/health")) && urls.some((url) => url.endsWith("/events") || url.includes("/events?")));
  } finally {
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  }
  await home.start("--port", port);
  for (const url of heard.filter((one) => one.startsWith("/s/"))) assert.equal((await fetch(`${home.address}${url}`)).status, 401, url);
  const secret = await page.evaluate(() => localStorage.getItem("ask-user inbox secret"));
  assert.ok(!heard.some((url) => url.includes(JSON.parse(secret).key)));
  // The page goes on, and the form with it.
  await page.getByText("The inbox does not answer.").waitFor({ state: "hidden" });
  await yes(page);
  await becomes(() => listed(page), []);
  page.faults.length = 0;
});

test("the page of another origin can neither ask, nor answer, nor read", async () => {
  const id = await put("Deploy now?");
  const { ask: token } = home.read("tokens.json");
  const { key } = await home.person();
  const page = await elsewhere({ bypassCSP: true });
  const tried = await page.evaluate(
    async ({ address, id, key, token }) => {
      const attempt = (path, init) => fetch(address + path, init).then(async (response) => [response.type, response.status, await response.text()], () => "refused");
      const json = { "Content-Type": "application/json" };
      const simple = { method: "POST", mode: "no-cors", headers: { "Content-Type": "text/plain" }, body: '{"answers":{"go":true}}' };
      return Promise.all([
        attempt("/health"),
        attempt(`/s/${key}/receipts`),
        attempt("/questions", { method: "POST", headers: { ...json, Authorization: `Bearer ${token}` }, body: '{"request":{"question":"Evil?","answer_type":"boolean"}}' }),
        attempt(`/s/${key}/conversations/${id}/respond`, { method: "POST", headers: json, body: '{"answers":{"go":true}}' }),
        attempt(`/s/${key}/conversations/${id}/respond`, simple),
        attempt("/questions", simple),
      ]);
    },
    { address: home.address, id, key, token },
  );
  assert.deepEqual(tried, Array(6).fill("refused"));
  // Nor in a frame.
  await page.evaluate((address) => document.body.append(Object.assign(document.createElement("iframe"), { src: address })), home.address);
  await until(() => page.faults, "the frame that is refused", (faults) => faults.some((one) => one.includes("frame-ancestors 'none'")));
  const [{ text }, ...more] = await (await home.person()).open();
  assert.deepEqual([text, more.length], ["Deploy now?", 0]);
  page.faults.length = 0;
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 1_100]) {
    test(`${colorScheme}, ${width} pixels wide: none, one and sixty questions fit, and have no barrier`, async () => {
      const page = await visit({ colorScheme, viewport: { width, height: 800 } });
      const fits = async () => {
        await painted(page);
        const wide = () => [...document.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((one) => one.outerHTML.slice(0, 120));
        assert.deepEqual(await page.evaluate(wide), [], "nothing is wider than the window");
        const found = await page.evaluate(`${AXE}; axe.run(document, { resultTypes: ["violations"], rules: { "page-has-heading-one": { enabled: true } } }).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`);
        assert.deepEqual(found, []);
      };
      await page.getByText("No agent is asking anything.").waitFor();
      await fits();
      await put("Delete the 14 merged branches, " + "and_everything_that_belongs_to_them".repeat(4) + "?", { folder: "/work/" + "a-long-folder/".repeat(10) });
      await takesAnswers(page, "[data-question=go]");
      await fits();
      await Promise.all(Array.from({ length: 59 }, (_, place) => put(`Question ${place}?`)));
      await becomes(async () => (await listed(page)).length, 60);
      await fits();
      await yes(page);
      await becomes(async () => (await listed(page)).length, 59);
      await page.locator(".closed summary").click();
      await fits();
      await page.goto(`${home.address}/#grants`);
      await page.getByText("You have granted nothing beyond one call.").waitFor();
      await fits();
      assert.deepEqual(page.faults, []);
    });
  }
}
