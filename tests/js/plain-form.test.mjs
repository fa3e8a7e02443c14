// The form without a script: the agent host writes it as HTML and takes what a browser posts whose scripts are switched off.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, test } from "node:test";
import { AgentHost } from "./agent-host.mjs";
import { ENGINE, openChromium } from "./browser.mjs";
import { play } from "./case.mjs";
import { ModelServer } from "./model-server.mjs";
import { PlainForm } from "./plain-form.mjs";

const options = { skip: ENGINE !== "chromium" && "scripts are switched off in Chromium alone" };
const CASES = JSON.parse(readFileSync(new URL("../vectors/walk.json", import.meta.url), "utf8"));

let server;
let host;
let browser;
let form;
before(async () => {
  server = await ModelServer.start();
  host = await AgentHost.start({ options: ["--model", server.url, "--model-name", "test-model"], environment: { OPENAI_API_KEY: "" } });
  browser = await openChromium();
});
beforeEach(async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 700, height: 700 } });
  form = new PlainForm(host, server, context);
});
after(async () => {
  await browser?.close();
  await host?.close();
  await server?.close();
});

for (const case_ of CASES) {
  test(`walk.json without a script: ${case_.name}`, options, async () => {
    await play(case_, form);
  });
}
