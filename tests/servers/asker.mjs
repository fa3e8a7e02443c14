// A program with an inbox on an SQLite file: `node asker.mjs FILE PORT MOMENT`. With a port, it serves the inbox; without (""), it asks alone. It asks one question, and prints what it
// got as one line of JSON. It ends itself with SIGKILL at the given moment: moments are counted before and after each call of the store. 0 is never.
import { createServer } from "node:http";
import Database from "better-sqlite3";
import { createInbox } from "../../pkg/dist/host.node.js";
import { listener } from "../../pkg/dist/host.listener.js";
import { sqlite } from "../../pkg/dist/host.sqlite.js";
import { mortal } from "./moments.mjs";

const [file, port] = process.argv.slice(2);
const store = await sqlite(new Database(file));
const inbox = createInbox({ store: mortal(store), authorize: () => true, poll: 20 });
if (port) await new Promise((/** @type {(value?: unknown) => void} */ resolve) => createServer(listener(inbox)).listen(Number(port), "127.0.0.1", () => resolve()));
console.log("ready");
const request = { questions: [{ id: "sure", text: "Sure?", answer_type: "boolean" }, { id: "key", text: "Which key?", answer_type: "secret" }] };
const { result, secrets } = await inbox.ask({ conversation: "deploy", callId: "call_1", request });
console.log(JSON.stringify({ result, secrets }));
