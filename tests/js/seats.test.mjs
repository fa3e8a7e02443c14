// People who use the form by taps, or by the default actions that screen readers and switches trigger: the vectors are played by each of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { ELSEWHERE, launch } from "./browser.mjs";
import { play } from "./case.mjs";
import { Rendered } from "./rendered.mjs";

/** Between them, questions of every type, consent, approvals, reviews, Back, Reply and the end of a turn. A case is played if an act at its types is in none before it. */
const FILES = ["vectors/walk.json", "vectors/ask_user_full.json", "vectors/mcp.json", "vectors/truth.json", "cases/approvals.json", "cases/other.json"];
const [CASES, seen] = [[], new Set()];
for (const file of FILES) {
  for (const one of JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8"))) {
    const types = [...JSON.stringify(one.request ?? one.text).matchAll(/"(?:answer_type|type|mode)":"([a-z_]+)"/g)].map(([, type]) => type);
    const acts = (one.steps ?? []).flatMap((step) => Object.keys(step).filter((key) => !["sees", "refused", "details"].includes(key)));
    const kinds = [...new Set(types)].flatMap((type) => acts.map((act) => `${type} ${act}`));
    if (one.rejected || kinds.every((kind) => seen.has(kind))) continue;
    for (const kind of kinds) seen.add(kind);
    CASES.push([file, one]);
  }
}

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

for (const [by, options] of /** @type {any[][]} */ ([["tap", { hasTouch: true }], ["virtual", {}]])) {
  test(`every case is answered by a person who uses the form by ${by === "tap" ? "taps" : "default actions, as a screen reader or a switch does"}`, { skip: by === "tap" && ELSEWHERE }, async () => {
    const page = await browser.page("/blank", options);
    const driver = new Rendered(page, { by });
    let played = 0;
    for (const [file, one] of CASES) {
      await play(one, driver).catch((error) => assert.fail(`${file}#${one.name}: ${error.message}`));
      played += 1;
    }
    assert.ok(played > 20, `only ${played} cases`);
    await page.context().close();
  });
}
