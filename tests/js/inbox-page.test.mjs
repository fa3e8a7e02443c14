// A person at a page of an inbox (`createInbox`), in a browser: several questions, one that the program closes, and one that expires.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, mock, test } from "node:test";
import { listener } from "../../pkg/dist/host.listener.js";
import { createInbox, memory } from "../../pkg/dist/host.node.js";
import { CHAT } from "./agent-host.mjs";
import { launch } from "./browser.mjs";
import { Person } from "./person.mjs";
import { becomes, takesAnswers } from "./wait.mjs";

const asks = (id, answer_type = "boolean") => ({ questions: [{ id, text: `The question ${id}?`, answer_type }] });

let inbox;
let server;
let browser;
before(async () => {
  inbox = createInbox({ store: memory(), authorize: () => true, label: "Git agent" });
  server = createServer(listener(inbox));
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, "127.0.0.1", resolve)));
  browser = await launch({ pages: CHAT, host: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}` });
});
after(async () => {
  await browser.close();
  inbox.shutdown();
  server.closeAllConnections();
  server.close();
});

test("a person answers one question after the other, and the program gets each answer", async () => {
  const conversation = "chat";
  const page = await browser.page(`/chat?id=${conversation}`);
  const person = new Person(page);
  const closings = () => page.evaluate(() => window.closings.map(({ how, toolCallId }) => [how, toolCallId]));
  await inbox.put({ conversation, callId: "call_1", request: asks("branches") });
  const key = inbox.ask({ conversation, callId: "call_2", request: asks("key", "secret") });
  await takesAnswers(page, "[data-question=branches]");
  await person.find("[data-answer=yes]").click();
  assert.deepEqual((await inbox.ask({ conversation, callId: "call_1", request: asks("branches") })).result, { branches: true });
  await takesAnswers(page, "[data-question=key]");
  await person.find("[data-field]").fill("correct horse");
  await person.find("[type=submit]").click();
  assert.deepEqual((await key).secrets, { key: "correct horse" });
  // The program needs this one no more.
  await inbox.put({ conversation, callId: "call_3", request: asks("tags") });
  await takesAnswers(page, "[data-question=tags]");
  assert.equal(await inbox.close(conversation, "call_3"), true);
  await becomes(closings, [["overtaken", "call_3"]]);
  await inbox.put({ conversation, callId: "call_4", request: asks("late"), expiresIn: 60_000 });
  await takesAnswers(page, "[data-question=late]");
  const later = Date.now() + 60_000;
  const clock = mock.method(Date, "now", () => later);
  assert.deepEqual(await inbox.waiting(conversation), []);
  clock.mock.restore();
  await becomes(async () => (await closings()).at(-1), ["expired", "call_4"]);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
