// A host on an SQLite file that ends itself with SIGKILL at the given moment: `node mortal.mjs FILE PORT MOMENT`. Moments are counted: before and after each call of
// the store, and each time that the agent or a tool begins or ends. It prints "ready" once it has resumed, and what each tool did to the file `FILE.done`.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import Database from "better-sqlite3";
import { createHost } from "../../pkg/dist/host.node.js";
import { listener } from "../../pkg/dist/host.listener.js";
import { sqlite } from "../../pkg/dist/host.sqlite.js";
import { TOOLS, scripted } from "../js/js-host.mjs";
import { between, mortal } from "./moments.mjs";

const [file, port] = process.argv.slice(2);
const store = await sqlite(new Database(file));
const add = ({ a, b }, { id, callId }) => {
  // Each run of a tool is noted, so that a test can see one that ran twice.
  appendFileSync(`${file}.done`, `${id} ${callId}\n`);
  return a + b;
};
const host = createHost({
  store: mortal(store),
  agent: between(scripted),
  tools: { ...TOOLS, add: between(async (input, context) => add(input, context)) },
});
await host.resume();
createServer(listener(host)).listen(Number(port), "127.0.0.1", () => console.log("ready"));
