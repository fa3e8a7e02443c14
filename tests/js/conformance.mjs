// What docs/delivery.md asks of a host, as tests against a running one, whatever it is made of: `conforms(name, target)` registers them.
// A target gives, for each test, a question that is open: `due()` promises `{ call, request, options, walk, url, headers, body(response), taken() }`, where
// `url` takes answers, `headers` open it, `body` is what is posted, and `taken` promises the results that the agent has got for the call.
import assert from "node:assert/strict";
import { request as http } from "node:http";
import { test } from "node:test";
import { open, resume } from "../../pkg/dist/core.node.js";

/** One request as it is said, with a `Host` and a path that fetch would not send; gives its status, 0 where the connection was closed. */
export function send(url, { method = "POST", headers = {}, body = "", path } = {}) {
  const { hostname, port, pathname, search, host } = new URL(url);
  return new Promise((resolve) => {
    const options = { hostname, port, method, path: path ?? pathname + search, headers: { Host: host, "Content-Type": "application/json", ...headers } };
    const asked = http(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more) => (text += more)).on("end", () => resolve({ status: response.statusCode, text }));
      response.on("error", () => resolve({ status: response.statusCode, text }));
    });
    asked.on("error", () => resolve({ status: 0, text: "" }));
    // A host that has answered may close before all is written.
    asked.on("socket", (socket) => socket.on("error", () => {}));
    asked.end(body);
  });
}

/** Answers each question with the first thing that fits; `other` answers the first boolean differently. */
function answered(form, other = false) {
  for (let first = other; !form.outcome; ) {
    const { state, question } = form.step;
    if (state === "review") {
      form.submit();
      continue;
    }
    const { type, options, schema } = question;
    const value = { boolean: !first, select: options?.[0]?.value ?? options?.[0], multi_select: [], text: "So.", number: 1, secret: "s", url: true, schema: schema && form.template }[type];
    if (type === "boolean") first = false;
    form.answer(type === "schema" ? { cpu: 2 } : value);
  }
  return form;
}

export function conforms(name, { due }) {
  const asking = async () => {
    const question = await due();
    const { request, walk, options } = question;
    const form = () => (walk ? resume(request, walk, options) : open(request, options));
    const post = (body, key, more = {}) => {
      const text = typeof body === "string" ? body : JSON.stringify(question.body(body)) ?? "";
      return send(question.url, { body: text, headers: { ...question.headers, "Idempotency-Key": key, ...more.headers } });
    };
    const refuses = async (status, body, key, more) => {
      const came = await post(body, key, more);
      assert.ok(came.status === 0 || (came.status >= 400 && came.status < 500), `${came.status}: ${came.text}`);
      if (status) assert.equal(came.status, status, came.text);
      assert.deepEqual(await question.taken(), [], "nothing was taken");
      return came;
    };
    return { ...question, form, post, refuses };
  };
  const says = (what) => `${name}: ${what}`;

  test(says("a whole answer is acknowledged by 2xx, without a redirect, and the agent gets it once"), async () => {
    const { form, post, taken } = await asking();
    const whole = answered(form());
    const { status } = await post(whole.response, "k");
    assert.ok(status >= 200 && status < 300, String(status));
    assert.equal((await taken()).length, 1);
  });

  test(says("the same answer under the same key is acknowledged each time, and taken once, also at once"), async () => {
    const { form, post, taken } = await asking();
    const whole = answered(form());
    const statuses = await Promise.all(Array.from({ length: 10 }, () => post(whole.response, "k")));
    statuses.push(await post(whole.response, "k"));
    for (const { status, text } of statuses) assert.ok(status >= 200 && status < 300, `${status}: ${text}`);
    assert.equal((await taken()).length, 1);
  });

  test(says("another answer is a conflict once one was taken, under the same key and under another"), async () => {
    const { form, post, taken } = await asking();
    assert.ok((await post(answered(form()).response, "k")).status < 300);
    const other = answered(form(), true).response;
    assert.equal((await post(other, "k")).status, 409);
    assert.equal((await post(other, "l")).status, 409);
    assert.equal((await taken()).length, 1);
  });

  test(says("what is no whole answer of this form is refused with words, and the question stays open"), async () => {
    const { form, refuses, post } = await asking();
    const whole = answered(form()).response;
    for (const body of [form().response, {}, [], null, "x", { ...whole, walk: { ...whole.walk, log: [] } }, { ...whole, walk: undefined }]) {
      const { text } = await refuses(undefined, body, "k");
      assert.ok(JSON.parse(text).message, text);
    }
    await refuses(422, open({ questions: [{ id: "apply", text: "Another?", answer_type: "boolean" }] }).response, "k");
    for (const text of ["", "{", "null", '"x"', "[".repeat(100_000), "\u0000", "{\"a\":1e999}"]) await refuses(undefined, text, "k");
    assert.ok((await post(whole, "k")).status < 300);
  });

  test(says("a page of another site, another name of the host and a form's own content type take nothing"), async () => {
    const { form, refuses, post } = await asking();
    const whole = answered(form()).response;
    await refuses(undefined, whole, "k", { headers: { Origin: "https://evil.example" } });
    await refuses(undefined, whole, "k", { headers: { Origin: "null" } });
    await refuses(undefined, whole, "k", { headers: { Host: "evil.example" } });
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      await refuses(undefined, whole, "k", { headers: { "Content-Type": type } });
    }
    assert.ok((await post(whole, "k")).status < 300);
  });

  test(says("a body without end, a call that is not open and an odd address do no harm"), async () => {
    const { form, post, refuses, url } = await asking();
    await refuses(undefined, `{"walk":"${"x".repeat(20_000_000)}"}`, "k");
    for (const path of ["//", "/%", "/..%2f..%2f", "/?".padEnd(6_000, "x"), "*", "http://evil.example/"]) {
      const { status } = await send(url, { method: "GET", path });
      assert.ok(status < 500, `${path}: ${status}`);
    }
    assert.ok((await post(answered(form()).response, "k")).status < 300, "the host is alive");
  });
}
