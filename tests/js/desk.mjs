// Plays the vectors of desks (`tests/vectors/desk.json`): one open question at a host, with clients, crashes and restarts. The desk may be one whose methods are asynchronous.
import assert from "node:assert/strict";

/**
 * What JSON says: a step of a case, or a part of one.
 * @typedef {{ [name: string]: any }} Given
 */

const KEYS = ["ask", "client", "save", "respond", "answers", "reject", "stop", "overtake", "expire", "crash", "restore", "reply", "problems", "hands", "ends", "stored_lacks", "version"];
/** @type {{ [name: string]: string }} */
const SIMPLE = { reject: "rejected", stop: "stopped", overtake: "overtaken", expire: "expired" };

/**
 * Plays a case. Fails at the first step that differs. `core` is the headless package, or has another `Desk`.
 * @param {{ Desk: any, open: any, resume: any }} core
 * @param {Given} case_
 */
export async function play({ Desk, open, resume }, { steps }) {
  const [clients, versions] = [new Map(), new Map()];
  let [desk, stored, texts] = /** @type {any[]} */ ([undefined, undefined, ""]);
  const store = async () => {
    // As a database keeps it.
    stored = JSON.stringify(await desk.toJSON());
    texts += stored;
  };

  /** A client's walk after what it does. A new client does everything from the beginning, also where another one has kept its walk. */
  /** @type {(given: Given) => Promise<any>} */
  const acted = async ({ client, acts }) => {
    const { request, dialect, options, walk: kept } = client === undefined ? { ...(await desk.request), walk: undefined } : clients.get(client);
    const walk = kept ? resume(request, kept, { dialect, ...options }) : open(request, { dialect, ...options });
    for (const act of acts) {
      if ("answer" in act) walk.answer(act.answer);
      else if (act.back) walk.back();
      else if (act.submit) walk.submit();
      else if (act.end_turn) walk.endTurn();
      else if ("reply" in act) walk.reply(act.reply === true ? undefined : act.reply);
      else assert.fail(`nobody knows the act ${JSON.stringify(act)}`);
    }
    return walk;
  };

  /** @type {(input: Given) => Promise<Given>} */
  const sealed = async (input) => {
    const secrets = await desk.secretsIn(input);
    return secrets === undefined ? input : { ...input, seal: { by: "test", digest: [...secrets].reduce((sum, letter) => (sum * 31n + BigInt(letter.codePointAt(0))) % 2n ** 61n, 0n).toString(16) } };
  };

  /** @type {(step: Given) => Promise<Given | undefined>} */
  const inputOf = async (step) => {
    if (step.save) return { type: "saved", walk: (await acted(step.save)).save(), replaces: versions.get(step.save.replaces) ?? step.save.replaces };
    if (step.respond) {
      const response = structuredClone((await acted(step.respond)).response);
      if (step.respond.tamper) {
        const names = step.respond.tamper.split("/").slice(1);
        names.slice(0, -1).reduce((/** @type {any} */ value, /** @type {any} */ name) => value[name], response)[names.at(-1)] = "changed";
      }
      return sealed({ type: "responded", key: step.respond.key, tool_call_id: step.respond.call, response });
    }
    if (step.answers) return sealed({ type: "answered", key: step.answers.key, nonce: step.answers.nonce, tool_call_id: step.answers.call, answers: step.answers.values });
    if (step.restore) {
      desk = await Desk.fromJSON(stored);
      return { type: "restored" };
    }
    const name = Object.keys(SIMPLE).find((name) => step[name]);
    return name ? { type: SIMPLE[name], ...(typeof step[name] === "number" && { now: step[name] }) } : undefined;
  };

  for (const [place, step] of steps.entries()) {
    const where = `step ${place + 1}`;
    const unknown = Object.keys(step).find((key) => !KEYS.includes(key));
    assert.equal(unknown, undefined, `${where}: nobody knows the key ${unknown}`);
    /** @type {Given} */
    let reaction = {};
    if (step.ask) {
      const { call, dialect, request, options, nonce } = step.ask;
      desk = await Desk.ask(request, { ...options, dialect, nonce, toolCallId: call, earlier: desk && (await desk.toJSON()) });
      await store();
    } else if (step.client) {
      clients.set(step.client, await desk.request);
    } else {
      const input = await inputOf(step);
      if (input) reaction = await desk.on(input);
      if (step.crash === "not_stored") [desk, reaction] = [undefined, {}];
      if (reaction.store) await store();
      if (step.crash) [desk, reaction] = [undefined, {}];
      if (reaction.hand && (await desk.on({ type: "handed" })).store) await store();
    }
    const { reply, hand, closed } = reaction;
    if ("reply" in step) assert.equal(reply?.code, step.reply, where);
    if (step.problems) assert.deepEqual(reply.problems.map((/** @type {any} */ { question, code }) => ({ question, code })), step.problems, where);
    if (step.version) versions.set(step.version, reply.version);
    if (step.ends) assert.equal(closed, step.ends, where);
    if (step.stored_lacks) assert.ok(!texts.includes(step.stored_lacks), `${where}: ${step.stored_lacks} is stored`);
    else assert.deepEqual(hand?.outcome.result ?? null, step.hands ?? null, where);
  }
}
