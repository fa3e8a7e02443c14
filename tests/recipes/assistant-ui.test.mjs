// The recipe for assistant-ui, with the Responses API.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asks } from "./asks.mjs";
import { gate } from "./model.mjs";

asks("assistant-ui", {
  lacks: { resume: "the page keeps the messages: a reply that is cut off is asked for again" },
  more({ at, call, DEPLOY, ENVIRONMENT, answer, exchanges }) {
    test("assistant-ui: a reply that a reload cuts off is asked for again, with the message and the answer", async () => {
      const { model, chat } = at();
      const cut = gate();
      model.play({ text: ["Let me ", cut] }, { calls: [call(DEPLOY)] }, { text: ["I go ", cut] });
      await chat.say("Deploy.");
      await chat.hears("Let me");
      await chat.page.reload();
      const form = chat.form(ENVIRONMENT);
      await form.shown();
      await answer(form);
      await chat.hears("I go");
      await chat.page.reload();
      await chat.hears('I heard: {"environment":"production","why":"A fix"}');
      assert.equal(model.requests.length, 4);
      assert.deepEqual(exchanges(model), [[DEPLOY, { environment: "production", why: "A fix" }]]);
      assert.deepEqual(await chat.texts(), ["Deploy.", 'I heard: {"environment":"production","why":"A fix"}']);
      cut.open();
    });
  },
});
