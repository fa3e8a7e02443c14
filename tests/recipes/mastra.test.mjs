// The recipe for Mastra.
import assert from "node:assert/strict";
import { test } from "node:test";
import { asks } from "./asks.mjs";

const FAILED = /^Tool input validation failed for ask_user\. Please fix the following errors and try again:/;

asks("mastra", {
  // Mastra rewrites the schema for OpenAI's strict mode: every property is required, and most may be null.
  parameters(sent, { properties: { questions } }) {
    const { items } = sent.properties.questions;
    assert.deepEqual([Object.keys(items.properties), items.required], [Object.keys(questions.items.properties), Object.keys(questions.items.properties)]);
  },
  lacks: { early: "the run is suspended when the whole reply is there", writing: "the run is suspended when the whole reply is there" },
  // Mastra checks arguments against the tool's schema before the tool is called. It makes `{}` of arguments that are not JSON.
  wrong({ message }) {
    assert.match(message, FAILED);
    assert.match(message, /questions\.0\.answer_type/);
  },
  broken: /must have required property 'questions'/,
  more({ at, call, definition, DEPLOY, ENVIRONMENT, answer, exchanges }) {
    test("mastra: a call with null for all that is left out, as Mastra's schema wants it, is shown", async () => {
      const { model, chat } = at();
      const empty = Object.fromEntries(Object.keys(definition.parameters.properties.questions.items.properties).map((name) => [name, null]));
      model.play({ calls: [call({ questions: DEPLOY.questions.map((question) => ({ ...empty, ...question })) })] });
      await chat.say("Deploy.");
      await answer(chat.form(ENVIRONMENT));
      await chat.hears('I heard: {"environment":"production","why":"A fix"}');
      assert.equal(model.requests.length, 2);
    });
    test("mastra: a wrong call that fits the schema goes back to the model with what to fix", async () => {
      const { model, chat } = at();
      const twice = { questions: [DEPLOY.questions[1], DEPLOY.questions[1]] };
      model.play({ calls: [call(twice)] }, { calls: [call(DEPLOY)] });
      await chat.say("Deploy.");
      await answer(chat.form(ENVIRONMENT));
      await chat.hears('I heard: {"environment":"production","why":"A fix"}');
      const [[request, { error, problems }]] = exchanges(model);
      assert.deepEqual([request, error, problems.map(({ code }) => code)], [twice, "invalid_request", ["duplicate_id"]]);
    });
  },
});
