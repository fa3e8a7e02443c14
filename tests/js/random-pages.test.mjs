// Pages that do at random what pages do, with people who answer at random: no answer is taken that the person did not mean, for the question that they saw.
// `ACTS` says how many acts of the person (300), `SEED` repeats a run.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { BLANK, launch } from "./browser.mjs";
import { pause } from "./wait.mjs";

const ACTS = Number(process.env.ACTS ?? 300);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
/** How many pages play side by side. */
const PAGES = ACTS > 1_000 ? 8 : 1;

let browser;
before(async () => {
  const pages = { "/random": BLANK.replace("</html>", '<script type="module" src="/random-page.js"></script></html>'), "/random-page.js": readFileSync(new URL("random-page.js", import.meta.url), "utf8") };
  browser = await launch({ pages });
  // Parts that come late.
  browser.meddle = async (request, response, forward) => {
    if (/\/dist\/.+\//.test(request.url) && Math.random() < 0.3) await pause(Math.random() * 300);
    forward();
  };
});
after(() => browser.close());

test(`each answer that is taken was meant, for the question that was seen (seed ${SEED})`, async () => {
  const played = await Promise.all(
    Array.from({ length: PAGES }, async (_, place) => {
      const page = await browser.page("/random", { viewport: { width: 640, height: 500 } });
      await page.evaluate(() => (window.isHasty = true));
      await page.waitForFunction(() => window.play && customElements.get("ask-user"));
      // In parts: a test says more than that it took too long.
      const all = { wrong: [], taken: 0, meant: 0, refused: 0, chosen: 0, acts: 0, approved: 0, pages: 0 };
      for (let left = Math.ceil(ACTS / PAGES), part = 0; left > 0 && !all.wrong.length; left -= 100, part += 1) {
        const { wrong, tally } = await page.evaluate(
          ([times, seed]) => {
            // mulberry32
            let state = seed;
            const random = () => {
              state = (state + 0x6d2b79f5) | 0;
              let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
              mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
              return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
            };
            return window.play(times, random);
          },
          [Math.min(left, 100), SEED + place * 100_003 + part],
        );
        all.wrong.push(...wrong);
        for (const [name, more] of Object.entries(tally)) all[name] += more;
      }
      await page.context().close();
      return all;
    }),
  );
  const wrong = played.flatMap(({ wrong }) => wrong);
  assert.deepEqual(wrong, [], "answers that nobody meant");
  const sum = (name) => played.reduce((all, one) => all + one[name], 0);
  console.log(`${sum("acts")} acts at a form, ${sum("meant")} answers meant (${sum("pages")} pages, ${sum("approved")} approvals), ${sum("taken") - sum("meant")} not meant`);
  // A form that takes nothing would pass as well.
  assert.ok(sum("meant") > sum("acts") / 20, `${sum("meant")} of ${sum("acts")} acts were taken`);
  assert.ok(ACTS < 1_000 || (sum("pages") && sum("approved")), "pages and approvals were taken");
});
