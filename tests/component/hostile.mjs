// Hostile texts in every place of the interface that takes a text: each is answered with a value or with an error of the interface, and the component can
// still be used. A trap would be an `Error`.
import assert from "node:assert/strict";
import { Dice } from "../js/dice.mjs";

const REQUEST = { questions: [{ id: "a", text: "A?", answer_type: "boolean" }, { id: "b", text: "B?", answer_type: "schema", schema: { type: "object" } }] };
const EVENT = { type: "model_responded", calls: [{ id: "a", name: "b", input: { c: [1, "x"] } }] };

/** Texts that mean harm, whatever they are taken for. */
const TEXTS = [
  "", " ", "\u0000", "{", "nul", "null", "true", "-0", "[]", "{}", '"', '"\\ud800"', "\ufeff{}", "1e400", "9".repeat(100_000), '{"a":1,"a":2}',
  "[".repeat(1_000_000), '{"a":'.repeat(200_000), "[".repeat(100) + "]".repeat(100), `[${"0,".repeat(1_500_000)}0]`, `"${"x".repeat(5_000_000)}"`,
  `{${Array.from({ length: 50_000 }, (_, n) => `"${n}":${n}`).join()}}`, `[${Array.from({ length: 300_000 }, () => '{"":[]}').join()}]`,
  '{"__proto__":{"type":"message"}}', '{"type":"inquiry_request","id":"a","id":"b"}', '[{"type":"inquiry_response"},{"id":1,"answer":1},null,[[]]]',
];

/** Every place that takes a text, as a function of it. */
function places(forms, conversations) {
  const request = JSON.stringify(REQUEST);
  const walk = () => forms.open(request, undefined, "{}");
  const saved = JSON.stringify(JSON.parse(walk().save()));
  const act = (tag, of) => (text) => walk().act({ tag, val: of(text) });
  const answer = (fields) => ({ value: "null", other: undefined, note: undefined, remember: false, ...fields });
  const on = (text) => {
    const conversation = new conversations.Conversation(true, false);
    conversation.on('{"type":"message"}');
    return conversation.on(text);
  };
  const written = (text) => {
    const reader = forms.stream(undefined, "{}");
    // In three pieces, which may cut it anywhere.
    for (const [from, to] of [[0, 7], [7, text.length >> 1], [text.length >> 1, text.length]]) reader.write(text.slice(from, Math.max(from, to)));
    reader.walk().step();
    return reader.end();
  };
  return {
    open: (text) => forms.open(text, undefined, "{}").step(),
    dialect: (text) => forms.open(request, text, "{}"),
    options: (text) => forms.open(request, undefined, text),
    stream: written,
    streamOptions: (text) => forms.stream(text, text),
    resumeRequest: (text) => forms.resume(text, saved, undefined, "{}", undefined),
    saved: (text) => forms.resume(request, text, undefined, "{}", undefined),
    secrets: (text) => forms.resume(request, saved, undefined, "{}", text),
    detect: (text) => forms.detectDialect(text, "{}"),
    definitions: (text) => forms.toolDefinitions(text, false),
    permission: (text) => forms.permission(text, "run", "{}"),
    permissionOptions: (text) => forms.permission("a", "run", text),
    mend: (text) => forms.mendRecords(text),
    records: (text) => forms.readRecords(text, [0, 1, 4_294_967_295]),
    markdown: (text) => forms.recordsMarkdown(text),
    answer: act("answer", (text) => answer({ value: text })),
    other: act("answer", (text) => answer({ value: text, other: text, note: text })),
    typed: act("typed", (text) => text),
    reply: act("reply", (text) => text),
    change: act("change", (text) => text),
    verdict: act("assistant", (text) => ({ id: text, said: text })),
    check: (text) => walk().check(text, undefined),
    checkOther: (text) => walk().check(text, text),
    answers: (text) => walk().answers(text),
    answerAll: (text) => walk().answerAll([["a", text], [text, "true"], ["a", text]]),
    page: (text) => walk().page([["b", text], [text, text]]),
    confirm: (text) => walk().toConfirm([["a", text]]),
    continued: (text) => walk().continued(text),
    conversation: (text) => conversations.Conversation.read(text),
    event: on,
  };
}

/** Gives how many of the texts were taken, and how many refused. */
export function attack({ forms, conversations }, rounds) {
  const [counts, dice, all] = [{ taken: 0, refused: 0 }, new Dice(7), places(forms, conversations)];
  const right = JSON.parse(forms.open(JSON.stringify(REQUEST), undefined, "{}").save());
  const valid = [REQUEST, right, { walk: right, secrets: {} }, EVENT, JSON.parse(new conversations.Conversation(true, false).save())].map((value) => JSON.stringify(value));
  const broken = Array.from({ length: rounds }, () => mutated(dice.pick(valid), dice));
  for (const [name, take] of Object.entries(all)) {
    for (const text of [...TEXTS, ...valid, ...broken]) {
      try {
        take(text);
        counts.taken += 1;
      } catch (error) {
        const at = `${name} with ${text.slice(0, 60)}`;
        assert.ok(!(error instanceof Error), `${at}: ${error}`);
        assert.ok(typeof error === "string" ? error : (error.message ?? error.val), at);
        counts.refused += 1;
      }
    }
    assert.match(forms.open(JSON.stringify(REQUEST), undefined, "{}").step(), /asking/, name);
  }
  return counts;
}

/** A text with some of its characters repeated, left out, or replaced. */
function mutated(text, dice) {
  let found = text;
  for (let left = 1 + dice.below(3); left > 0; left -= 1) {
    const [from, to] = [dice.below(found.length), dice.below(found.length)].sort((one, other) => one - other);
    const part = dice.pick(["", found.slice(from, to), found.slice(from, to).repeat(2), "null", "-1", '"\\u0000"', "{}", "[[]]", "1e999", "💥"]);
    found = found.slice(0, from) + part + found.slice(to);
  }
  return found;
}
