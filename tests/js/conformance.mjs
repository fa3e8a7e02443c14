// What docs/delivery.md asks of a host, as tests against a running one, whatever it is made of: `conforms(name, { due })` registers them.
// `due()` promises a question that is open, one for each test: `{ request, options, walk, taken(), post(response, key), raw(text, key), strangers }`.
// `taken` promises the results that the agent has got for it; without it, that is not looked at. `post` sends a response as a page does, `raw` a text in its
// place, and each of `strangers` sends it as somebody who may not. All promise what the host says: `{ is, words }`, where `is` is "taken", "conflict", "refused",
// "unheard" (no reply at all) or "failed".
// `overHttp` makes these of a URL; a target over HTTP has the tests of HTTP besides.
import assert from "node:assert/strict";
import { request as http } from "node:http";
import { test } from "node:test";
import { open, resume } from "../../pkg/dist/core.node.js";
import { until } from "./wait.mjs";

/**
 * @import { IncomingHttpHeaders, RequestOptions } from "node:http"
 * @import { Options, Question, SavedWalk, Walk } from "../../pkg/types/core.js"
 */

/** @typedef {{ [name: string]: string }} Headers */

/**
 * What a host says: "taken", "conflict", "refused", "unheard" (no reply at all) or "failed", with its words.
 * @typedef {{ is: string, words?: string, status?: number }} Said
 */

/**
 * Sends a response to a question.
 * @typedef {(response: any, key: string, more?: Headers) => Promise<Said>} Post
 */

/**
 * A question that is open at a host.
 * @typedef {object} Due
 * @property {unknown} request
 * @property {Options} options
 * @property {SavedWalk} [walk]
 * @property {() => Promise<any[]>} [taken] What the agent has got for it.
 * @property {Post} post
 * @property {(text: string, key: string) => Promise<Said>} raw
 * @property {Post[]} strangers
 */

/**
 * A host that is tried.
 * @typedef {{ due(): Promise<Due> }} Target
 */

/** @typedef {{ status: number, headers: IncomingHttpHeaders, text: string }} Response */

/** More than any host of ours reads. */
const HUGE = 20_000_000;

/**
 * @param {string} name
 * @param {Target} target
 */
export function conforms(name, { due }) {
  const asking = async () => {
    const question = await due();
    const { request, walk, options, taken } = question;
    const form = () => (walk ? resume(request, walk, options) : open(request, options));
    /**
     * Sees to it that the agent has got so many results.
     * @param {number} count
     */
    const got = async (count) => {
      if (!taken) return;
      await until(taken, `${count} results`, ({ length }) => length >= count);
      assert.equal((await taken()).length, count, "results");
    };
    /**
     * Sees to it that nothing is taken; gives the host's words.
     * @param {Promise<Said>} said
     */
    const refuses = async (said) => {
      const { is, words, status } = await said;
      assert.ok(is === "refused" || is === "unheard", `${is}, ${status}: ${words}`);
      await got(0);
      return { is, words, status };
    };
    /** @type {(said: Promise<Said>) => Promise<void>} */
    const takes = async (said) => {
      const { is, words, status } = await said;
      assert.equal(is, "taken", `${status}: ${words}`);
    };
    return { ...question, form, got, refuses, takes };
  };
  /** @type {(what: string) => string} */
  const says = (what) => `${name}: ${what}`;

  test(says("a whole answer is acknowledged, and the agent gets it once"), async () => {
    const { form, post, takes, got } = await asking();
    await takes(post(answered(form()).response, "k"));
    await got(1);
  });

  test(says("the same answer under the same key is acknowledged each time, and taken once, also at once"), async () => {
    const { form, post, takes, got } = await asking();
    const { response } = answered(form());
    await Promise.all(Array.from({ length: 10 }, () => takes(post(response, "k"))));
    await takes(post(response, "k"));
    await got(1);
  });

  test(says("another answer is a conflict once one was taken, under the same key and under another"), async () => {
    const { form, post, takes, got } = await asking();
    await takes(post(answered(form()).response, "k"));
    const other = answered(form(), true).response;
    assert.equal((await post(other, "k")).is, "conflict");
    assert.equal((await post(other, "l")).is, "conflict");
    await got(1);
  });

  test(says("what is no whole answer of this form is refused with words, and the question stays open"), async () => {
    const { form, post, refuses, takes } = await asking();
    const whole = answered(form()).response;
    const another = open({ questions: [{ id: "apply", text: "Another?", answer_type: "boolean" }] });
    const bodies = [form().response, {}, [], null, "x", { ...whole, walk: { ...whole.walk, log: [] } }, { ...whole, walk: undefined }];
    for (const body of [...bodies, another.response, answered(another).response]) {
      const { words } = await refuses(post(body, "k"));
      assert.ok(words, JSON.stringify(body));
    }
    await takes(post(whole, "k"));
  });

  test(says("a page that says that the request is no form closes nothing: the host reads it itself"), async () => {
    const { form, post, refuses, takes, got } = await asking();
    const rejected = { error: "invalid_request", message: "Forged.", problems: [] };
    for (const response of [{ rejected }, rejected, { rejected, walk: null, secrets: {} }]) {
      const { words } = await refuses(post(response, "k"));
      assert.ok(words, JSON.stringify(response));
    }
    await takes(post(answered(form()).response, "k"));
    await got(1);
  });

  test(says("what cannot be read, and a body without end, do no harm"), async () => {
    const { form, post, raw, refuses, takes } = await asking();
    for (const text of ["", "{", "null", '"x"', "[".repeat(100_000), "\u0000", "{\"a\":1e999}"]) await refuses(raw(text, "k"));
    await refuses(raw(`{"walk":"${"x".repeat(HUGE)}"}`, "k"));
    await takes(post(answered(form()).response, "k"));
  });

  test(says("who is not its own page takes nothing"), async () => {
    const { form, post, refuses, takes, strangers } = await asking();
    const { response } = answered(form());
    for (const stranger of strangers) await refuses(stranger(response, "k"));
    await takes(post(response, "k"));
  });

  test(says("each question has a nonce of its own"), async () => {
    const nonces = [(await due()).options.nonce, (await due()).options.nonce];
    assert.ok(nonces.every((nonce) => typeof nonce === "string" && nonce), String(nonces));
    assert.notEqual(nonces[0], nonces[1]);
  });
}

/**
 * All of these, and those of HTTP, for a target that is made with `overHttp`. `unrouted` are odd addresses that a framework answers before its host sees them.
 * @param {string} name
 * @param {{ due(): Promise<Due & { url: string }>, unrouted?: string[] }} target
 */
export function conformsOverHttp(name, target) {
  conforms(name, target);

  test(`${name}: an answer that does not fit is 422, and another one after the first is 409`, async () => {
    const { request, options, walk, post } = await target.due();
    const form = () => (walk ? resume(request, walk, options) : open(request, options));
    assert.equal((await post(form().response, "k")).status, 422);
    assert.ok(Number((await post(answered(form()).response, "k")).status) < 300);
    assert.equal((await post(answered(form(), true).response, "k")).status, 409);
  });

  test(`${name}: an odd address does no harm`, async () => {
    const { request, options, walk, post, url } = await target.due();
    for (const path of ["//", "///", "/%", "/%00", "/..%2f..%2f", "/?".padEnd(6_000, "x"), "*", "http://evil.example/", "http://[/"]) {
      const { status } = await send(url, { method: "GET", path });
      assert.ok(status < 500 || target.unrouted?.includes(path), `${path}: ${status}`);
    }
    const form = walk ? resume(request, walk, options) : open(request, options);
    assert.equal((await post(answered(form).response, "k")).is, "taken", "the host is alive");
  });
}

/**
 * What a host must do that keeps walks: `due()` gives `keep(body, headers)` and the `version` of what is kept, too.
 * @param {string} name
 * @param {{ due(): Promise<Due & { version: string, keep(body: any, headers?: Headers): Promise<Response> }> }} target
 */
export function keepsVersions(name, { due }) {
  test(`${name}: a walk that was kept has a version, and nothing that replaces another one is kept`, async () => {
    const { request, options, walk, keep, version, post } = await due();
    const form = () => (walk ? resume(request, walk, options) : open(request, options));
    const walks = [true, false].map((first) => {
      const one = form();
      one.answer(first);
      return one.save();
    });
    const first = await keep({ walk: walks[0] }, { "If-Match": version });
    assert.equal(first.status, 204, first.text);
    assert.match(String(first.headers.etag), /^"[^"]*"$/, "a weak ETag never matches");
    assert.notEqual(first.headers.etag, version);

    const behind = await keep({ walk: walks[1] }, { "If-Match": version });
    assert.deepEqual([behind.status, behind.headers.etag], [412, first.headers.etag]);
    assert.deepEqual(JSON.parse(behind.text).walk, walks[0]);
    assert.ok(JSON.parse(behind.text).message);

    const second = await keep({ walk: walks[1] }, { "If-Match": String(first.headers.etag) });
    assert.equal(second.status, 204, second.text);
    assert.equal((await keep({ walk: walks[0] })).status, 204, "without a version, whatever is kept is replaced");

    const further = resume(request, walks[0], options);
    further.back();
    assert.equal((await keep({ walk: further.save() })).status, 204);
    const late = await keep({ walk: walks[0] });
    assert.equal(late.status, 204, "one that comes late is acknowledged");
    assert.deepEqual(JSON.parse((await keep({ walk: walks[1] }, { "If-Match": '"none"' })).text).walk, further.save(), "and replaces nothing that goes on from it");

    const forged = await keep({ walk: { ...walks[0], log: [...walks[0].log, ...walks[0].log, ...walks[0].log] } });
    assert.ok(forged.status >= 400 && forged.status < 500, String(forged.status));
    assert.ok(Number((await post(answered(form()).response, "k")).status) < 300);
    assert.ok([409, 410].includes((await keep({ walk: walks[0] })).status), "nothing is kept of a question that is closed");
  });
}

/**
 * The data of the first event of a stream that is wanted.
 * @param {string} url
 * @param {Headers} headers
 * @param {(data: any) => boolean} wanted
 */
export async function first(url, headers, wanted) {
  const response = await fetch(url, { headers });
  const reader = /** @type {ReadableStream<any>} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) throw new Error("the stream has ended");
    text += value;
    const found = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data)).findLast(wanted);
    if (found) return void reader.cancel().catch(() => {}), found;
  }
}

/**
 * How a question at a URL is answered: `headers` open it, and `body(response)` is what is posted; `saveUrl` keeps walks.
 * @param {{ url: string, saveUrl?: string, headers?: Headers, body?: (response: any) => any }} where
 */
export function overHttp({ url, saveUrl, headers = {}, body = (response) => response }) {
  /** @type {(walk: any, more?: Headers) => Promise<Response>} */
  const keep = (walk, more) => send(/** @type {string} */ (saveUrl), { method: "PUT", body: JSON.stringify(body(walk)), headers: { ...headers, ...more } });
  /** @type {(text: string, key: string, more?: Headers) => Promise<Said>} */
  const raw = async (text, key, more) => told(await send(url, { body: text, headers: { ...headers, "Idempotency-Key": key, ...more } }));
  /** @type {Post} */
  const post = (response, key, more) => raw(JSON.stringify(body(response)) ?? "", key, more);
  const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx"];
  /** @type {Post[]} */
  const strangers = [
    { Origin: "https://evil.example" }, { Origin: "null" }, { Host: "evil.example" }, { Host: "localhost.evil.example" }, ...types.map((type) => ({ "Content-Type": type })),
  ].map((more) => (response, key) => post(response, key, /** @type {Headers} */ (more)));
  // The address alone opens nothing where headers open it.
  for (const name in headers) strangers.push((response, key) => post(response, key, { [name]: "nothing" }));
  return { url, raw, post, keep, strangers };
}

/**
 * What a status says, by docs/delivery.md.
 * @param {{ status: number, text: string }} response
 * @returns {Said}
 */
function told({ status, text }) {
  if (status === 0) return { is: "unheard", status };
  if (status >= 200 && status < 300) return { is: "taken", status };
  let words;
  try {
    words = JSON.parse(text).message;
  } catch {
    // No JSON has no message.
  }
  return { is: status === 409 ? "conflict" : status >= 400 && status < 500 ? "refused" : "failed", words, status };
}

/**
 * One request as it is said, with a `Host` and a path that fetch would not send; gives its status, 0 where the connection was closed.
 * @param {string} url
 * @param {{ method?: string, headers?: Headers, body?: string, path?: string }} [options]
 * @returns {Promise<Response>}
 */
export function send(url, { method = "POST", headers = {}, body = "", path } = {}) {
  const { hostname, port, pathname, search, host } = new URL(url);
  return new Promise((resolve) => {
    const options = { hostname, port, method, agent: false, path: path ?? pathname + search, headers: { Host: host, "Content-Type": "application/json", ...headers } };
    const asked = http(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more) => (text += more)).on("end", () => resolve({ status: Number(response.statusCode), headers: response.headers, text }));
      response.on("error", () => resolve({ status: Number(response.statusCode), headers: response.headers, text }));
    });
    asked.on("error", () => resolve({ status: 0, headers: {}, text: "" }));
    // A host that has answered may close before all is written.
    asked.on("socket", (socket) => socket.on("error", () => {}));
    asked.end(body);
  });
}

/**
 * Answers each question with the first thing that fits; `other` answers the first boolean differently.
 * @param {Walk} form
 * @param {boolean} other
 */
function answered(form, other = false) {
  for (let first = other; !form.outcome; ) {
    const { state, question } = /** @type {{ state: string, question?: Question }} */ (form.step);
    if (state === "review") {
      form.submit();
      continue;
    }
    const { type, options } = /** @type {Question} */ (question);
    const value = /** @type {{ [type: string]: any }} */ ({ boolean: !first, select: options?.[0]?.value ?? options?.[0], multi_select: [], text: "So.", number: 1, secret: "s", url: true })[type];
    if (type === "boolean") first = false;
    form.answer(type === "schema" ? { cpu: 2 } : value);
  }
  return form;
}
