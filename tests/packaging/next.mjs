// The example of Next.js as the conformance suite sees it, and as a person with two visits and a reload does.
import assert from "node:assert/strict";
import { overHttp, send } from "../js/conformance.mjs";
import { AIMS } from "../js/wait.mjs";

/** A question of a new session, as the page gets it. */
export async function asked(url) {
  const { status, headers } = await send(`${url}/api/questions`, { headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: url } });
  assert.equal(status, 303);
  const [cookie] = headers["set-cookie"][0].split(";");
  const page = await (await fetch(url, { headers: { cookie } })).text();
  const [id] = page.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
  const at = `${url}/api/questions/${id}`;
  const { tool_call_id, request, options, version } = await state(`${at}/events`, cookie);
  const taken = async () => {
    const { type, closed } = await state(`${at}/events`, cookie);
    return type === "idle" ? [closed] : [];
  };
  const body = (response) => (response && typeof response === "object" && !Array.isArray(response) ? { tool_call_id, ...response } : response);
  return { ...overHttp({ url: `${at}/respond`, saveUrl: `${at}/walk`, headers: { Cookie: cookie }, body }), request, options, version, taken };
}

/** The state that a stream of events begins with. */
async function state(url, cookie) {
  const response = await fetch(url, { headers: { cookie } });
  assert.equal(response.status, 200);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ; text += (await reader.read()).value) {
    const [, data] = text.match(/^data: (.*)\n\n/m) ?? [];
    if (data) return void reader.cancel().catch(() => {}), JSON.parse(data);
  }
}

/** A person begins, reloads in between, answers, and reloads; another one visits. */
export async function session(browser, url, result) {
  const [person, other] = [await browser.newContext(), await browser.newContext()];
  try {
    await person.addInitScript(AIMS);
    const page = await person.newPage();
    const find = (selector) => page.locator("ask-user").locator(selector);
    await page.goto(url);
    await page.locator("button").click();
    const kept = page.waitForResponse((response) => response.url().endsWith("/walk") && response.status() === 204);
    await find("[data-answer=yes]").click();
    await kept;
    await page.reload();
    await find("label[for=option-0]").click();
    const address = page.waitForRequest((request) => request.url().endsWith("/respond"));
    await find(".views .tab").last().click();
    await find(".cm-content").fill('{"cpu": 2}');
    await find("[type=submit]").click();
    await page.locator("output").waitFor();
    await page.reload();
    assert.deepEqual(JSON.parse(await page.locator("output").textContent()), result);
    assert.equal(await page.locator("ask-user").count(), 0);
    // Who knows the address alone is told nothing.
    const visitor = await other.newPage();
    await visitor.goto(url);
    assert.equal(await visitor.locator("output").count(), 0);
    const events = (await address).url().replace("respond", "events");
    assert.equal(await visitor.evaluate(async (events) => (await fetch(events)).status, events), 404);
  } finally {
    await person.close();
    await other.close();
  }
}
