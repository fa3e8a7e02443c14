// The front end of docs/front-end.md, as it stands there: what it shows before it takes an approval, and what is no answer.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const PROJECT = path(`../../target/front-end-${process.pid}/`);
/** @type {(request: any, label: string, io: any) => Promise<any>} */
let approve;
before(async () => {
  const [, code] = /^```js\n(.*?)^```/ms.exec(readFileSync(path("../../docs/front-end.md"), "utf8"));
  mkdirSync(`${PROJECT}node_modules`, { recursive: true });
  symlinkSync(path("../../pkg"), `${PROJECT}node_modules/ask-user`, "junction");
  writeFileSync(`${PROJECT}front-end.mjs`, code);
  ({ approve } = await import(pathToFileURL(`${PROJECT}front-end.mjs`).href));
});
after(() => rmSync(PROJECT, { recursive: true, force: true }));

const asks = (...commands) => ({
  action_requests: commands.map((command) => ({ name: "bash", args: { command } })),
  review_configs: [{ action_name: "bash", allowed_decisions: ["approve", "reject"] }],
});
/** Types a line at each prompt; gives the walk, and what stood in the terminal at each. */
async function typed(request, lines, label = "Deploy agent") {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: "utf8" })];
  const shown = [];
  let text = "";
  output.on("data", (more) => {
    text += more;
    if (!text.endsWith("why not: ")) return;
    shown.push(text);
    text = "";
    input.write(`${lines.shift() ?? "approve"}\n`);
  });
  return { walk: await approve(request, label, { input, output }), shown };
}

test("a command of many lines is shown whole, with its tool and who asks, before it can be approved", async () => {
  const command = Array.from({ length: 40 }, (_, place) => `step ${place}`).join("\n");
  const { walk, shown: [shown] } = await typed(asks(command), ["approve"]);
  for (const part of ["Deploy agent asks:", "tool: bash", "step 0\\n", "step 39"]) assert.ok(shown.includes(part), part);
  assert.deepEqual(walk.outcome.result.decisions, [{ type: "approve" }]);
});

test("signs that cannot be seen are shown as signs, and no escape sequence reaches the terminal", async () => {
  const { shown: [shown] } = await typed(asks("ls \u001b[2J\u202e rm"), ["no"], "Deploy\u001b[2J\u200bagent");
  assert.doesNotMatch(shown, /[\u001b\u202e\u200b]/);
  assert.match(shown, /Deploy<U\+001B>\[2J<U\+200B>agent asks:/);
});

test("an empty line decides nothing, and only the word approves", async () => {
  const { walk, shown } = await typed(asks("ls"), ["", "  ", "Approve it"]);
  assert.equal(shown.length, 3);
  assert.deepEqual(walk.outcome.result.decisions.map(({ type }) => type), ["reject"]);
  assert.equal(walk.outcome.result.decisions[0].message, "Approve it");
});

test("each of several calls is decided by itself, and a risk is said", async () => {
  const { walk, shown } = await typed(asks("rm -rf build", "ls"), ["keep it", "approve"]);
  assert.match(shown[0], /! deletes: rm -rf/);
  assert.doesNotMatch(shown[1], /! /);
  assert.deepEqual(walk.outcome.result.decisions.map(({ type }) => type), ["reject", "approve"]);
});
