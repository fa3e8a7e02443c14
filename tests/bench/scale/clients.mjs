// Clients of several agent hosts, as persons would be: each asks any of the hosts, and another one if that does not answer. They note what they were promised.
import { Agent, request } from "node:http";

/** How long one request may take, and the pause before another. */
const LIMIT = 10_000;
const PAUSE = 50;

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * Holds so many conversations, some at once, until all are done or `until` has come. `hosts` gives the addresses of the hosts. Gives what was promised: the
 * `conversations`, each with the `answers` that were acknowledged, by call; the times in milliseconds that answers and questions took; and what nobody expects.
 */
export async function converse({ hosts, count, atOnce, until, random = Math.random, progress = { done: 0 } }) {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const found = { conversations: [], answers: [], questions: [], strange: [], unfinished: [] };
  let left = count;
  const any = () => {
    const all = hosts();
    return all[Math.floor(random() * all.length)];
  };
  const work = async () => {
    while (left-- > 0 && performance.now() < until) {
      const own = { id: undefined, answers: {}, done: false };
      found.conversations.push(own);
      try {
        await hold(own);
        own.done = true;
      } catch (error) {
        found.unfinished.push(`${own.id}: ${error.message}`);
      }
      progress.done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  agent.destroy();
  return found;

  /** One conversation: a message, every question that comes, and the end. */
  async function hold(own) {
    const created = await send("POST", "/conversations", {}, {}, (status) => status === 201);
    own.id = created.body.id;
    const opens = { Authorization: `Bearer ${created.body.token}` };
    const base = `/conversations/${own.id}`;
    const asked = performance.now();
    // One whose acknowledgement was lost has begun the work.
    await send("POST", `${base}/messages`, { text: "Go." }, opens, (status) => status === 202 || status === 409);
    const stream = { last: 0 };
    for (let number = 0; ; number += 1) {
      const state = await next(base, opens, stream, own.answers);
      if (number === 0) found.questions.push(performance.now() - asked);
      if (state.type === "idle") return;
      const call = state.tool_call_id;
      const answers = { apply: false, reason: `${own.id} ${call}` };
      const sent = performance.now();
      const headers = { ...opens, "Idempotency-Key": `${own.id} ${call}` };
      const { status, body } = await send("POST", `${base}/respond`, { tool_call_id: call, answers }, headers, (status) => status < 500);
      if (status === 200) own.answers[call] = answers.reason;
      else found.strange.push(`${own.id} ${call}: ${status} ${JSON.stringify(body)}`);
      found.answers.push(performance.now() - sent);
    }
  }

  /** Sends to any of the hosts until one replies as is wanted. */
  async function send(method, path, body, headers, isWanted) {
    for (;;) {
      const reply = await once(method, any() + path, body, headers).catch((error) => error);
      if (!(reply instanceof Error) && isWanted(reply.status)) return reply;
      if (!(reply instanceof Error) && reply.status < 500) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
      if (performance.now() > until) throw new Error(`${method} ${path}: ${reply.message ?? reply.status}`);
      await pause(PAUSE);
    }
  }

  function once(method, url, body, headers) {
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, agent, timeout: LIMIT, headers: { "Content-Type": "application/json", ...headers } }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (more) => (text += more));
        response.on("end", () => {
          try {
            resolve({ status: response.statusCode, body: text && JSON.parse(text) });
          } catch (error) {
            reject(error);
          }
        });
        response.on("error", reject).on("aborted", () => reject(new Error("cut off")));
      });
      sent.on("error", reject).on("timeout", () => sent.destroy(new Error("no reply in time")));
      sent.end(JSON.stringify(body));
    });
  }

  /** The next state in which the person is asked something new, or the agent is done; from any of the hosts, and from another when that one ends. */
  async function next(base, opens, stream, answered) {
    for (;;) {
      const state = await listen(`${any()}${base}/events`, opens, stream, answered).catch(() => undefined);
      if (state) return state;
      if (performance.now() > until) throw new Error("no question and no end came");
      await pause(PAUSE);
    }
  }

  function listen(url, opens, stream, answered) {
    return new Promise((resolve, reject) => {
      const heard = request(url, { agent: false, headers: { ...opens, "Last-Event-ID": String(stream.last) } }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (more) => {
          text += more;
          for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
            const event = text.slice(0, end);
            const [, id] = /^id: ?(\d+)$/m.exec(event) ?? [];
            const [, data] = /^data: ?(.*)$/m.exec(event) ?? [];
            if (!id || !/^event: ?state_change$/m.test(event)) continue;
            const state = JSON.parse(data);
            const isNew = state.type === "awaiting_user_response" && !(state.tool_call_id in answered);
            // A conversation is idle before its message, too, but nothing says so then.
            if (!isNew && state.type !== "idle") continue;
            stream.last = Number(id);
            clearTimeout(limit);
            heard.destroy();
            return void resolve(state);
          }
        });
        response.on("end", () => reject(new Error("ended"))).on("error", reject);
      });
      // A host that is paused or cut off says nothing: another one is asked.
      const limit = setTimeout(() => heard.destroy(new Error("nothing in time")), LIMIT);
      heard.on("error", (error) => (clearTimeout(limit), reject(error))).end();
    });
  }
}

/** What became of it, by the transcripts: `lines` are `{ conversation, ...line }`, `states` the states by conversation. Gives lists of sentences. */
export function judge(found, lines, states) {
  const verdict = { lost: [], doubled: [], stuck: [] };
  const of = new Map();
  for (const line of lines) of.set(line.conversation, [...(of.get(line.conversation) ?? []), line]);
  for (const { id, answers, done } of found.conversations) {
    if (!id) continue;
    const own = of.get(id) ?? [];
    const state = states.get(id);
    if (state !== "idle") verdict.stuck.push(`${id}: ${state}`);
    else if (!done) verdict.stuck.push(`${id}: its person did not see the end`);
    const calls = own.flatMap(({ role, calls }) => (role === "assistant" ? calls.map((call) => call.id) : []));
    const results = grouped(own);
    for (const call of new Set([...calls, ...results.keys()])) {
      const got = results.get(call) ?? [];
      if (got.length > 1 || calls.filter((other) => other === call).length > 1) verdict.doubled.push(`${id} ${call}: ${got.length} results`);
      if (got.length === 0 && state === "idle") verdict.lost.push(`${id} ${call}: no result`);
    }
    for (const [call, reason] of Object.entries(answers)) {
      if (!(results.get(call) ?? []).some(({ content }) => content?.reason === reason)) verdict.lost.push(`${id} ${call}: acknowledged, and the agent has not got it`);
    }
  }
  return verdict;
}

function grouped(lines) {
  const groups = new Map();
  for (const line of lines) if (line.role === "tool") groups.set(line.call_id, [...(groups.get(line.call_id) ?? []), line]);
  return groups;
}

/** The value below which a share of the values is. */
export function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
