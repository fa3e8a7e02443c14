// What the form takes in a field with a format, the validator of MCP's own SDK takes, too: its server would refuse the answer otherwise.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { open } from "../../pkg/dist/core.node.js";
import { Dice } from "./dice.mjs";

const { AjvJsonSchemaValidator } = createRequire(new URL("../../examples/package.json", import.meta.url))("@modelcontextprotocol/sdk/validation/ajv");

/** Texts of each format, and parts that are put into them. */
const SEEDS = {
  email: [["ada@example.com", "o'hara+x@sub.example.org", "a.b@c-d.co", "x_y%z@a1.io", "!#$&*/=?^`{|}~@e.fr"], ["@", ".", "..", "-", "a", "é", " ", "\"", "b.c", "1", "_", "'", "%", "localhost"]],
  uri: [["https://example.com/a?b=c#d", "mailto:ada@example.com", "urn:isbn:0451450523", "http://[::1]:80/", "ftp://a.b/c%20d"], ["%", "%2", "[", "]", ":", "/", "#", "?", " ", "é", "@", "\\", "//", "::", "1", "a"]],
  date: [["2024-02-29", "2026-11-28", "0001-01-01", "9999-12-31"], ["0", "1", "2", "3", "9", "-", "/", " ", "T", "Z"]],
  "date-time": [["2026-11-28T12:00:00Z", "2024-02-29T23:59:60Z", "1990-12-31T15:59:60-08:00", "2026-11-28t12:00:00.123+05:30"], ["0", "1", "2", "5", "6", "9", ":", "-", "+", ".", "Z", "T", " "]],
};

/** A text of a format, changed in a few places. */
function changed(dice, [texts, parts]) {
  let text = dice.pick(texts);
  for (let changes = dice.below(4); changes > 0; changes -= 1) {
    const at = dice.below(text.length + 1);
    text = text.slice(0, at) + (dice.below(3) ? dice.pick(parts) : "") + text.slice(at + dice.below(3));
  }
  return text;
}

for (const [format, seeds] of /** @type {[string, any][]} */ (Object.entries(SEEDS))) {
  test(`every ${format} that the form takes is one to MCP's SDK`, () => {
    const property = { type: "string", format };
    const check = new AjvJsonSchemaValidator().getValidator(property);
    const request = { message: "?", requestedSchema: { type: "object", properties: { x: property }, required: ["x"] } };
    const dice = new Dice(7);
    let taken = 0;
    for (let tries = 0; tries < 4_000; tries += 1) {
      const text = changed(dice, seeds);
      const walk = open(request, { dialect: "mcp" });
      try {
        walk.answer(text);
      } catch {
        continue;
      }
      taken += 1;
      const { x } = /** @type {any} */ (walk.outcome.result).content;
      assert.ok(check(x).valid, JSON.stringify(x));
    }
    assert.ok(taken > 400, `${taken} were taken`);
  });
}
