// Clients without a page, in a thread of its own: each ending is sent by the package's `Delivery` and `byHttp`. Their clock alone is faster: pauses of a second and
// more, which only they make here, pass `SCALE` times as fast. What each client was shown is told to the thread that started this one.
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { byHttp, Delivery } from "../../../pkg/src/delivery.js";
import { resume } from "../../../pkg/dist/core.node.js";
import { Conversation } from "./conversation.mjs";
import { random as source } from "./random.mjs";

export const SCALE = 50;
const { url, host, seed, count, atOnce } = workerData;
const real = globalThis.setTimeout;
/** @type {any} */ (globalThis).setTimeout = (call, milliseconds, ...more) => real(call, milliseconds >= 1_000 ? milliseconds / SCALE : milliseconds, ...more);

/** How often an answer, or two of them, come to a question. */
const ROUNDS = { answer: 44, deploy: 8, reply: 12, end: 9, different: 14, same: 6, oneKey: 7 };
/** How many endings a conversation has before the next one begins. */
const ENDINGS = 12;
/** How long the host may take to tell that a question was answered, in milliseconds. */
const TOLD = 5_000;

let allowed = 0;
let begun = 0;
parentPort.on("message", (message) => (allowed = message.allowed));
await Promise.all(Array.from({ length: atOnce }, (_, number) => converse(source(seed, `client ${number}`), number)));
parentPort.postMessage({ done: true });
parentPort.close();

/** Conversations one after the other, until there are enough endings. */
async function converse(random, number) {
  for (let turn = 0; begun < count; turn += 1) {
    const conversation = await Conversation.begin(host, pause);
    for (let endings = 0; endings < ENDINGS && begun < count; ) {
      while (begun >= allowed && begun < count) await pause(20);
      const state = await conversation.question();
      if (begun >= count) break;
      const made = round(random, state, `${number}.${turn}.${endings}`, count - begun);
      begun += made.length;
      endings += made.length;
      const shown = await Promise.all(made.map((ending) => deliver(random, conversation, state, ending)));
      for (const ending of shown) parentPort.postMessage({ ending });
      if (!shown.some(({ states }) => states.at(-1) === "sent")) continue;
      for (const began = performance.now(); conversation.asks(state.tool_call_id) && performance.now() - began < TOLD; ) await conversation.changes(100);
    }
    conversation.end();
  }
}

/** The endings of one round: of one client, or of two at the same question. */
function round(random, state, name, most) {
  const kind = random.weighted(ROUNDS);
  const plain = () => random.weighted({ answer: 5, deploy: 1, reply: 2, end: 1 });
  const isPair = ["different", "same", "oneKey"].includes(kind);
  if (!isPair || most < 2) return [ending(state, isPair ? "answer" : kind, name)];
  const one = ending(state, plain(), `${name}.a`);
  if (kind === "same") return [one, { ...one, kind: "the same answer twice" }];
  const other = ending(state, "answer", `${name}.b`);
  // Secrets do not tell two answers apart: only their texts do.
  if (other.body.secret) return [one];
  const pair = kind === "oneKey" ? [one, { ...other, key: one.key }] : [one, other];
  return pair.map((each) => ({ ...each, kind: kind === "oneKey" ? "two answers under one key" : "two different answers" }));
}

/** A walk to its end: what is sent, under which key, and the result that the agent must get. Texts that a client types are nowhere else. */
function ending(state, kind, name) {
  const walk = resume(state.request, state.walk, { ...state.options, toolCallId: state.tool_call_id, tool_call_id: undefined, dialect: state.dialect });
  const text = `said by ${name}`;
  const { id: first } = state.questions[0];
  const decided = { apply: null, environment: null, note: null, reason: null };
  const ways = {
    answer() {
      if (first !== "apply") return ways[first]();
      walk.answer(false);
      walk.answer(text);
      return { ...decided, apply: false, reason: text };
    },
    deploy() {
      if (first !== "apply") return ways[first]();
      walk.answer(true);
      walk.answer("staging");
      walk.answer(text);
      return { ...decided, apply: true, environment: "staging", note: text };
    },
    token() {
      walk.answer(text);
      return { posted: true };
    },
    reply() {
      if (first === "apply") walk.answer(true);
      walk.reply(text);
      return { cancelled: true, answered: first === "apply" ? { apply: true } : {}, reply: text };
    },
    end() {
      walk.endTurn();
      return "User cancelled the question";
    },
  };
  const names = { answer: "an answer", deploy: "an answer", reply: "a reply", end: "the end of the turn" };
  const result = ways[kind]();
  const { response, idempotencyKey: key } = walk;
  const body = { value: response, secret: Object.keys(response.secrets).length > 0 };
  return { kind: names[kind], path: kind === "end" ? "cancel" : "respond", key, result, log: response.walk.log, body };
}

/** Sends an ending as the package does, and gives what the person was shown. Where it says that it failed, the person tries again a few times, or does not. */
function deliver(random, { id, token }, { tool_call_id: call }, { path, body, ...ending }) {
  const opened = (address, init) => fetch(address, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });
  const attempt = byHttp({ url: `${url}/conversations/${id}/${path}`, body: JSON.stringify({ tool_call_id: call, ...body.value }), key: ending.key, headers: {}, call: opened });
  const states = [];
  let presses = random.whole(0, 4);
  return new Promise((resolve) => {
    const show = (state) => {
      states.push(state);
      const again = (least, most) => pause(random.between(least, most)).then(() => delivery.again());
      if (state === "sent") return resolve({ conversation: id, call, ...ending, states });
      if (state === "retrying" && random.chance(0.05)) again(0, 50);
      if (state !== "failed") return;
      if (presses-- > 0) again(10, 200);
      else {
        // The person leaves it: a try that was asked for just before is given up.
        delivery.stop();
        resolve({ conversation: id, call, ...ending, states });
      }
    };
    // Clients at one question do not begin in the same moment.
    let delivery;
    pause(random.between(0, 40)).then(() => (delivery = new Delivery(attempt, show)));
  });
}
