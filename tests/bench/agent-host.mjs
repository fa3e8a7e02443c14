// The example host under load, on this machine: conversations with a question each, and open event streams, with the memory
// that they take. Bounded in count and in time; it prints figures and asserts none. `node agent-host.mjs PROGRAM [COUNT STREAMS]`.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resume } from "../../pkg/dist/core.node.js";

const [program, count = 500, streams = 1_000] = process.argv.slice(2);
const AT_ONCE = 16;
const LONGEST = 60_000;
const folder = mkdtempSync(join(tmpdir(), "agent-host-"));
const host = spawn(program, ["--port", "0", "--data", join(folder, "data.sqlite"), "--pace", "0"]);
const url = await new Promise((resolve) => {
  host.stdout.setEncoding("utf8").on("data", (text) => resolve(/Listening on (\S+)/.exec(text)[1]));
});
/** The tokens of the conversations, by their ids; and the header that opens the one of a path. */
const tokens = new Map();
const opens = (path) => ({ Authorization: `Bearer ${tokens.get(path.split("/")[2])}` });
const started = performance.now();
const ended = () => performance.now() - started > LONGEST;

try {
  const empty = memory();
  await measure(Math.min(AT_ONCE, Number(count)));
  const done = await measure(Number(count));
  console.log(`conversations with a question each: ${done.rate.toFixed(0)} a second (${done.count} of them, ${AT_ONCE} at once, client on the same machine)`);
  await open(Number(streams), empty);
} finally {
  host.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(wanted) {
  const begun = performance.now();
  let left = wanted;
  let count = 0;
  const work = async () => {
    while (left-- > 0 && !ended()) {
      await converse();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { count, rate: (count * 1_000) / (performance.now() - begun) };
}

/** From the person's message to the agent's last word, with four questions of which two are asked. */
async function converse() {
  const id = await begin();
  const { tool_call_id, request, dialect, options, walk } = await state(id, "awaiting_user_response");
  const form = resume(request, walk, { ...options, toolCallId: tool_call_id, tool_call_id: undefined, dialect });
  form.answer(false);
  form.answer("Smaller batches");
  await post(`/conversations/${id}/respond`, { tool_call_id, ...form.response });
  await state(id, "idle", tool_call_id);
}

async function begin() {
  const { id, token } = await post("/conversations", {});
  tokens.set(id, token);
  await post(`/conversations/${id}/messages`, { text: "Go." });
  return id;
}

async function post(path, body) {
  const response = await fetch(url + path, { method: "POST", headers: { "Content-Type": "application/json", ...opens(path) }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Listens until a state of this type comes; `after`: once this call has its result. */
function state(id, type, after) {
  return new Promise((resolve, reject) => {
    const request = get(`${url}/conversations/${id}/events`, { headers: opens(`/conversations/${id}`) }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more) => {
        text += more;
        if (after && !text.includes(`"tool_call_id":"${after}","how"`)) return;
        const states = [...text.matchAll(/event: state_change\ndata: (.*)\n/g)].map(([, data]) => JSON.parse(data));
        const found = states.findLast((state) => state.type === type);
        if (!found) return;
        request.destroy();
        resolve(found);
      });
    });
    request.on("error", reject);
  });
}

async function open(wanted, empty) {
  const ids = [];
  while (ids.length < wanted && !ended()) ids.push(...(await Promise.all(Array.from({ length: AT_ONCE }, begin))));
  const before = memory();
  const begun = performance.now();
  const requests = [];
  await Promise.all(
    ids.slice(0, wanted).map((id) =>
      new Promise((resolve, reject) => {
        const request = get(`${url}/conversations/${id}/events`, { agent: false, headers: opens(`/conversations/${id}`) }, (response) => response.once("data", resolve).on("error", () => {}));
        requests.push(request.on("error", reject));
      }),
    ),
  );
  const took = performance.now() - begun;
  const after = memory();
  console.log(`open event streams: ${requests.length}, each with its first event after ${took.toFixed(0)} ms`);
  if (after) {
    const each = ((after - before) * 1_024) / requests.length;
    console.log(`memory of the host: ${mib(empty)} at first, ${mib(before)} with ${ids.length + Number(count)} conversations, ${mib(after)} with the streams (${each.toFixed(1)} KiB each)`);
  }
  for (const request of requests) request.removeAllListeners("error").on("error", () => {}).destroy();
}

/** The resident memory of the host in MiB, where the system tells it. */
function memory() {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${host.pid}/status`, "utf8"))[1]) / 1_024;
  } catch {
    return undefined;
  }
}

function mib(value) {
  return `${value.toFixed(1)} MiB`;
}
