// A host of one's own (examples/own-host) as a process, for tests in any language: it conforms to docs/delivery.md, keeps versions, and loses nothing when it is killed.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { open } from "../../pkg/dist/core.node.js";
import { conformsOverHttp, first, keepsVersions, overHttp } from "./conformance.mjs";
import { freePort } from "./free-port.mjs";
import { until } from "./wait.mjs";

/** @import { ChildProcessByStdio } from "node:child_process" */

/**
 * A host that runs: where it keeps its question, its address, and what it has written.
 * @typedef {object} Running
 * @property {string} data
 * @property {string} url
 * @property {string} said
 * @property {ChildProcessByStdio<null, import("node:stream").Readable, null>} process
 * @property {() => Promise<unknown>} run
 * @property {() => Promise<unknown>} kill
 * @property {() => void} close
 */

/** @type {(data: { type?: string }) => boolean} */
const isAsked = ({ type }) => type === "awaiting_user_response";

/**
 * Registers the tests. `command(port, data)` is how the host is started.
 * @param {string} name
 * @param {(port: number, data: string) => string[]} command
 */
export function ownHost(name, command) {
  /** @type {Running[]} */
  const running = [];
  after(() => running.forEach((one) => one.close()));

  /** A host with a question that is open. */
  const start = async () => {
    const folder = mkdtempSync(join(tmpdir(), "own-host-"));
    const [data, port] = [join(folder, "question.json"), await freePort()];
    const one = /** @type {Running} */ (/** @type {object} */ ({ data, url: `http://127.0.0.1:${port}`, said: "" }));
    one.run = () => {
      const [program, ...words] = command(port, data);
      one.process = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
      one.process.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => (one.said += text));
      const ended = new Promise((_, reject) => one.process.once("exit", (/** @type {number} */ code) => reject(new Error(`${name} has ended with ${code}`))));
      // It is killed in the end.
      ended.catch(() => undefined);
      return Promise.race([ended, listens()]);
    };
    const listens = () => until(() => fetch(one.url).then(({ ok }) => ok, () => false), `${name}, listening`);
    one.kill = () => {
      const gone = new Promise((resolve) => one.process.once("exit", resolve));
      one.process.kill("SIGKILL");
      return gone;
    };
    one.close = () => (one.process.kill("SIGKILL"), rmSync(folder, { recursive: true, force: true }));
    running.push(one);
    await one.run();
    return one;
  };

  const due = async () => {
    const one = await start();
    const { tool_call_id: toolCallId, request, options, walk, version, dialect } = await first(`${one.url}/events`, {}, isAsked);
    const taken = async () => [...one.said.matchAll(/The agent gets (.*) \(/g)].map(([, result]) => result);
    return { ...overHttp({ url: `${one.url}/respond`, saveUrl: `${one.url}/walk` }), request, options: { ...options, tool_call_id: undefined, toolCallId, dialect }, walk, version, taken, one };
  };

  conformsOverHttp(name, { due });
  keepsVersions(name, { due });

  test(`${name}: an answer is taken once, also where the process is killed after it`, async () => {
    const { one, request, options, post, taken } = await due();
    const walk = open(request, options);
    walk.answer(false);
    assert.equal((await post(walk.response, "k")).is, "taken");
    await until(async () => (await taken()).length, "a result for the agent");
    await one.kill();
    assert.equal(JSON.parse(readFileSync(one.data, "utf8")).closed.how, "answered");
    await one.run();
    assert.equal((await post(walk.response, "k")).is, "taken");
    const other = open(request, options);
    other.reply("Wait.");
    assert.equal((await post(other.response, "l")).is, "conflict");
    assert.deepEqual(await taken(), ['{"apply":false,"environment":null}']);
  });
}
