// The examples of docs/ask_user.md run: each request opens, and what the person does gives the result that stands beside it. Its tables of fields and codes are complete.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { open, RefusalError, RejectionError, toolDefinitions } from "../../pkg/dist/core.node.js";

const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const PAGE = read("docs/ask_user.md");
const CASES = JSON.parse(read("tests/native/rejections.json"));
const section = (heading) => PAGE.split(/^##+ /m).find((text) => text.startsWith(`${heading}\n`));
/** The rows of the tables of a text, without the heads; each is a list of the pieces of code in each cell. */
const rows = (text) => [...text.matchAll(/^\| (`.*) \|$/gm)].map(([, row]) => row.split(" | ").map((cell) => [...cell.matchAll(/`([^`]*)`/g)].map(([, code]) => code)));
/** The names in the first column of the tables. */
const names = (heading) => rows(section(heading)).flatMap(([names]) => names.filter((name) => /^[a-z_]+$/.test(name))).sort();

/** Does what an example says that the person does, and gives the result. */
function play(request, acts) {
  const walk = open(request);
  assert.deepEqual(walk.form.warnings, []);
  for (const { answer, other, refused, reply, end_turn: ends, ...rest } of acts) {
    assert.deepEqual(rest, {}, "an unknown act");
    const act = () => {
      if (ends) walk.endTurn();
      else if (reply !== undefined) walk.reply(reply || undefined);
      else walk.answer(answer, { other });
    };
    if (refused) assert.throws(act, (error) => error instanceof RefusalError && error.code === refused, `${JSON.stringify(answer)}: not ${refused}`);
    else act();
  }
  assert.equal(walk.step.state, "done");
  return walk.outcome.result;
}

test("every request of the page opens, and each row after it gives the result that it shows", () => {
  assert.deepEqual([...PAGE.matchAll(/^```(.+)$/gm)].filter(([, kind]) => kind !== "json request"), []);
  const [, ...examples] = PAGE.split(/^```json request\n/m);
  assert.ok(examples.length > 0);
  for (const example of examples) {
    const [request, after] = example.split(/^```$/m);
    const played = after.match(/^\| `\[.*$/gm) ?? [];
    assert.ok(played.length > 0, `nothing is done with ${request}`);
    for (const row of played) {
      const [, acts, result] = row.match(/^\| `(.*)` \| (?:`(.*)`|nothing) \|$/) ?? assert.fail(row);
      assert.equal(JSON.stringify(play(JSON.parse(request), JSON.parse(acts))), result && JSON.stringify(JSON.parse(result)), row);
    }
  }
});

test("the tables have the fields and types of the tool's definition, and the type secret", () => {
  const question = /** @type {any} */ (toolDefinitions("ask_user")[0].parameters.properties).questions.items.properties;
  assert.deepEqual(names("Fields of a question"), Object.keys(question).sort());
  assert.deepEqual(names("Answer types"), [...question.answer_type.enum, "secret"].sort());
  assert.deepEqual(names("Options"), Object.keys(question.options.items.anyOf[1].properties).sort());
});

test("each wrong question of the page is rejected with the code beside it", () => {
  const examples = rows(section("Rejected requests"));
  assert.ok(examples.length > 0);
  for (const [codes, given] of examples) {
    const found = given.map((changes) => {
      try {
        return open({ questions: [{ id: "a", text: "Why?", answer_type: "text", ...JSON.parse(changes) }] }, { dialect: "ask_user" }).form.dialect;
      } catch (error) {
        if (!(error instanceof RejectionError)) throw error;
        return [...new Set(error.problems.map(({ code }) => code))].join();
      }
    });
    assert.deepEqual(found, codes);
  }
});

test("the page names every code that a call of ask_user is rejected with", () => {
  const codes = CASES.filter(({ dialect }) => dialect === "ask_user").flatMap(({ rejection }) => rejection.problems.map(({ code }) => code));
  assert.ok(codes.length > 0);
  for (const code of codes) assert.ok(section("Rejected requests").includes(`\`${code}\``), code);
});
