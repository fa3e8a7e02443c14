// Many agents at one inbox, all of whose processes are killed at random: agents that come by every door, people who answer, and what must be true afterwards. Each answer names its person and its
// question, so that one that is lost, doubled, or given to another is seen.
import { randomUUID } from "node:crypto";
import { checked } from "../../pkg/src/inbox/receipts.js";
import { Dice } from "./dice.mjs";
import { Person } from "./person.mjs";
import { keepsStill, pause, takesAnswers, until } from "./wait.mjs";

/**
 * @import { Page } from "./browser.mjs"
 * @import { Home } from "./inbox-app.mjs"
 */

/**
 * An agent with MCP that runs: sends a request, and ends.
 * @typedef {{ send(method: string, params: object): Promise<any>, end(): void }} Life
 */

/**
 * A question, the values that its agent got, and its receipts in the inbox.
 * @typedef {{ token: string, agent: string, got: string[], receipts: { id: string, who?: string, how: string, value?: string, device?: string, check: { code: number, said: string } }[] }} Asked
 */

/** How long nothing may come of anything, in milliseconds. */
const PATIENCE = 180_000;
/** How often an agent looks for its answers, and a person at the list, in milliseconds. */
const LOOKS = 150;
/** How long a question may be missing from an agent's own list before the agent takes it for one that was never asked: a session over HTTP that was cut is thought to live for five seconds. */
const MISSING = 8_000;
const VERSION = "2025-11-25";

const textOf = (/** @type {string} */ token, /** @type {string} */ who) => `Question ${token} of ${who}?`;
const tokenIn = (/** @type {string | null} */ text) => /Question (q\d+) of /.exec(String(text))?.[1];
const requestOf = (/** @type {string} */ token, /** @type {string} */ who) => ({ questions: [{ id: "answer", text: textOf(token, who), answer_type: "text" }] });

/** What a run has come to: its figures, and `faults`, which are none if nothing was lost, doubled, or given to another. */
export class Crowd {
  /** @type {Home} */
  home = /** @type {any} */ (undefined);
  /** @type {Dice} */
  dice = /** @type {any} */ (undefined);
  /** By token: `{ agent, got }`, the values that the agent has got. */
  asked = new Map();
  /**
   * What people were told that it counts.
   * @type {{ person: string, id: string, value?: string }[]}
   */
  accepted = [];
  counts = { inboxKilled: 0, agentsKilled: 0, askedAgain: 0, refused: 0, overtaken: 0, cut: 0, mostOpen: 0 };
  /** @type {any[]} */
  people = [];
  /** @type {any[]} */
  faults = [];
  isOver = false;
  #left;
  #last = 0;
  #answered = 0;
  /** @type {(value?: any) => void} */
  #sending = () => undefined;

  constructor(/** @type {{ home: any, seed: any, agents: any, open: any, questions: any }} */ { home, seed, agents, open, questions }) {
    Object.assign(this, { home, dice: new Dice(seed) });
    this.#left = questions;
    const doors = [Asking, Posting, McpProcess, McpSession];
    this.agents = Array.from({ length: agents }, (_, place) => new doors[place % doors.length](this, `agent-${place}`));
    // So many questions are open in all, as far as there are any.
    this.slots = Array.from({ length: open }, (_, place) => this.agents[place % agents]);
  }

  /** The next question of an agent; undefined if there is none. */
  next(/** @type {any} */ agent) {
    if (this.#left <= 0) return undefined;
    this.#left -= 1;
    return this.again(agent);
  }

  /** A question of its own, also where the same is asked again. */
  again(/** @type {any} */ agent) {
    const token = `q${(this.#last += 1)}`;
    this.asked.set(token, { agent, got: [] });
    return token;
  }

  /** An agent has an answer: in place of which question, and what. */
  got(/** @type {any} */ agent, /** @type {string} */ token, /** @type {any} */ value) {
    const one = this.asked.get(token);
    if (one?.agent !== agent) return void this.faults.push(`${agent.name} got the answer to ${token} of ${one?.agent.name}: ${value}`);
    one.got.push(value);
    if (one.got.length === 1) this.#answered += 1;
  }

  get answered() {
    return this.#answered;
  }

  /** An answer is on its way to the inbox. */
  sends() {
    this.#sending();
  }

  /** Waits until an inbox answers; gives its address. */
  async up() {
    return until(
      async () => {
        try {
          const { address } = this.home;
          return (await fetch(`${address}/health`)).ok && address;
        } catch {
          return undefined;
        }
      },
      "an inbox that runs",
      Boolean,
      PATIENCE,
    );
  }

  /** Asks and answers all questions, and kills the inbox and agents meanwhile. */
  async run(/** @type {{ kills: any, agentKills: any, people: any }} */ { kills, agentKills, people }) {
    const questions = this.#left;
    this.people = people;
    const killing = async (/** @type {number} */ count, /** @type {any} */ kill) => {
      for (let done = 0; done < count; done += 1) {
        const place = ((done + 0.5) / count) * questions * 0.95;
        await until(() => this.isOver || this.#answered >= place, "the next answers", Boolean, PATIENCE);
        if (this.isOver) return;
        await kill();
      }
    };
    const answering = people.map((/** @type {any} */ person) => person.answers());
    const work = this.slots.map(async (agent) => {
      for (let token; (token = this.next(agent)) !== undefined; ) await agent.ask(token);
    });
    const killings = [killing(kills, () => this.#killInbox()), killing(agentKills, async () => ((this.counts.agentsKilled += 1), this.dice.pick(this.agents).kill()))];
    try {
      await Promise.all([...work, ...killings]);
      // Questions of which the agent did not know that they were asked are open still.
      await until(async () => (await this.#open()).length, "the last answers", (length) => length === 0, PATIENCE);
    } catch (error) {
      for (const person of people) console.error(`${person.name}: ${await person.shows?.()}`);
      throw error;
    } finally {
      this.isOver = true;
    }
    await Promise.all(answering);
    for (const agent of this.agents) await agent.collects();
    await this.#judge();
    for (const agent of this.agents) agent.kill();
  }

  async #open() {
    await this.up();
    const open = await (await this.home.person()).open().catch(() => [{}]);
    return open;
  }

  /** Kills the inbox, half of the times while an answer is on its way, and starts another one, unless a command is faster. */
  async #killInbox() {
    await this.up();
    if (this.dice.below(2)) await Promise.race([new Promise((resolve) => (this.#sending = resolve)), pause(1_000)]);
    await pause(this.dice.below(8));
    const { pid } = this.home.read("running.json");
    process.kill(pid, "SIGKILL");
    this.counts.inboxKilled += 1;
    await pause(this.dice.below(200));
    this.home.begin([]);
    await this.up();
  }

  /** Compares what people were told, what agents got, and what the inbox has. */
  async #judge() {
    const reader = await this.home.person();
    const key = (await this.home.run(["key"])).out.trim();
    const asked = [];
    for (const [token, { agent, got }] of this.asked) {
      const text = textOf(token, agent.name);
      const found = (await reader.receipts(text)).receipts.filter((/** @type {any} */ one) => one.text === text);
      const receipts = [];
      for (const { id, who, how, answers } of found) {
        const receipt = await reader.receipt(id);
        receipts.push({ id, who, how, value: answers[0]?.answer, device: receipt.device?.id, check: checked(JSON.stringify(receipt), key) });
      }
      asked.push({ token, agent: agent.name, got, receipts });
    }
    this.faults.push(...judge({ asked, accepted: this.accepted, devices: new Map(this.people.map(({ name, device }) => [name, device])) }));
    const answered = asked.filter(({ receipts }) => receipts.some(({ how }) => how === "answered"));
    Object.assign(this.counts, {
      asked: asked.length,
      answered: answered.length,
      accepted: this.accepted.length,
      sentForAnother: this.accepted.filter((one) => !isOwn(one)).length,
      gotTwice: asked.filter(({ got }) => got.length > 1).length,
      withoutDevice: answered.filter(({ receipts }) => receipts.some(({ device }) => device === undefined)).length,
    });
  }
}

/**
 * What is wrong, as sentences. `asked` has, by question, the agent, the values that it got, and the receipts that the inbox has; `accepted` what people were told that it counts, and `devices` the browser of each person. The answer
 * to a question is the name of a person and the token of the question. Pages that show the same question share what was typed: one person may send what another one has written. A page also sends an answer again that another one has given and that the inbox was killed over, and shows that one: the `value` is the other's then, and
 * the receipt names the page of the person who has written it.
 * @param {{ asked: Asked[], accepted: { person: string, id: string, value?: string }[], devices: Map<string, string | undefined> }} run
 */
export function judge({ asked, accepted, devices }) {
  const faults = [];
  for (const { token, agent, got, receipts } of asked) {
    if (receipts.length > 1) faults.push(`doubled: ${token} stands in ${receipts.length} receipts`);
    // A question without a receipt never came to the inbox: the agent was killed before, and has asked again.
    if (receipts.length === 0 && got.length) faults.push(`${agent} got ${got[0]}, and there is no receipt of ${token}`);
    for (const { id, who, how, value, device, check } of receipts) {
      if (check.code !== 0) faults.push(`the receipt of ${token}: ${check.said}`);
      if (who !== agent) faults.push(`another's: ${token} of ${agent} stands under ${who}`);
      if (how !== "answered") {
        faults.push(`lost: ${token} is ${how}`);
        continue;
      }
      const [name, about] = String(value).split(" ");
      if (!devices.has(name) || about !== token) faults.push(`another's: ${token} has the answer ${value}`);
      // Where nobody has heard that it counts, the page was cut: it may be that of any person.
      const people = [...new Set(accepted.filter((/** @type {any} */ one) => one.id === id && isOwn(one)).map((/** @type {{ person: any }} */ { person }) => person))];
      if (people.length > 1) faults.push(`doubled: ${people.join(" and ")} were told that their answers to ${token} count`);
      const known = people.length ? people.map((person) => devices.get(person)) : [...devices.values()];
      if (device !== undefined && !known.includes(device)) faults.push(`another's: the receipt of ${token} has not the device of ${people[0] ?? "anybody"}`);
      if (got.length === 0) faults.push(`lost: ${agent} never got the answer to ${token}`);
      for (const one of got) if (one !== value) faults.push(`doubled: ${agent} got ${one} for ${token}, and the inbox has ${value}`);
    }
  }
  const all = new Map(asked.flatMap((/** @type {{ receipts: any }} */ { receipts }) => receipts.map((/** @type {any} */ one) => [one.id, one.value])));
  for (const { person, id, value } of accepted) if (value === undefined ? !all.get(id) : all.get(id) !== value) faults.push(`lost: ${person} was told that ${value} counts for ${id}, and the inbox has ${all.get(id)}`);
  return faults;
}

/**
 * Whether a person was told that their own answer counts.
 * @param {{ person: string, value?: string }} accepted
 */
const isOwn = ({ person, value }) => value?.startsWith(`${person} `) === true;

class Agent {
  constructor(/** @type {Crowd} */ crowd, /** @type {string} */ name) {
    this.crowd = crowd;
    this.name = name;
    this.folder = `/work/${name}`;
  }

  /** What an agent does at the end to get what it has not got. */
  async collects() {}
}

/** `ask-user ask`, a process for each question. One that is killed is run again with the same id. */
class Asking extends Agent {
  #processes = new Set();

  kill() {
    for (const { process } of this.#processes) process.kill("SIGKILL");
  }

  async ask(/** @type {string} */ token) {
    const id = randomUUID();
    for (;;) {
      const one = this.crowd.home.begin(["ask", "-", "--id", id, "--who", this.name, "--folder", this.folder], { input: JSON.stringify(requestOf(token, this.name)) });
      this.#processes.add(one);
      const code = await one.ended;
      this.#processes.delete(one);
      if (code === 0) return this.crowd.got(this, token, JSON.parse(one.out).answer);
      if (code !== "SIGKILL") {
        this.crowd.counts.refused += 1;
        this.crowd.faults.push(`ask-user ask ended with ${code}: ${one.err}`);
        return;
      }
    }
  }
}

/** `POST /questions`, and the answer by long poll. A program that is killed knows its ids when it begins again. */
class Posting extends Agent {
  #life = new AbortController();

  kill() {
    this.#life.abort();
    this.#life = new AbortController();
  }

  async ask(/** @type {string} */ token) {
    const id = randomUUID();
    for (;;) {
      const { signal } = this.#life;
      const send = async (/** @type {string} */ method, /** @type {string} */ path, /** @type {object | undefined} */ body = undefined) => {
        const response = await fetch(`${await this.crowd.up()}${path}`, { method, signal, body: body && JSON.stringify(body), headers: { Authorization: `Bearer ${this.crowd.home.read("tokens.json").ask}`, "Content-Type": "application/json" } });
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
        return response.json();
      };
      try {
        await send("POST", "/questions", { id, request: requestOf(token, this.name), who: this.name, folder: this.folder });
        let state;
        do state = await send("GET", `/questions/${id}?wait=20`);
        while (state.state === "open");
        this.crowd.got(this, token, state.result?.answer);
        await send("DELETE", `/questions/${id}`);
        return;
      } catch (/** @type {any} */ error) {
        if (/: [45]\d\d /.test(error.message) && !/: 503 /.test(error.message)) return void this.crowd.faults.push(`${this.name}: ${error.message}`);
        if (this.crowd.asked.get(token).got.length) return;
      }
    }
  }
}

/** An agent with MCP: what it asks and waits for, and what it looks for after it was killed. A subclass has `begin()`. */
class Mcp extends Agent {
  /** @type {Promise<Life> | undefined} */
  #life;
  /** By token: what hears that an answer has come, or that there is no such question. */
  #missing = new Map();
  /** @type {any} */
  #looking;

  /**
   * Begins.
   * @returns {Promise<Life>}
   */
  async begin() {
    throw new Error("An agent begins in its own way.");
  }

  kill() {
    this.#life?.then((life) => life.end()).catch(() => undefined);
    this.#life = undefined;
  }

  #alive() {
    return (this.#life ??= this.begin().catch((error) => {
      this.#life = undefined;
      throw error;
    }));
  }

  async #call(/** @type {string} */ name, /** @type {any} */ given) {
    const life = this.#alive();
    try {
      const { result, error } = await (await life).send("tools/call", { name, arguments: given });
      if (error) throw new Error(error.message);
      const text = result.content[0].text;
      if (result.isError) throw new Error(text);
      return JSON.parse(text);
    } catch (error) {
      // Whoever sees it first begins anew.
      if (this.#life === life) this.#life = undefined;
      (await life.catch(() => undefined))?.end();
      throw error;
    }
  }

  async ask(/** @type {string} */ token) {
    for (let one = token; ; one = this.crowd.again(this)) {
      try {
        const { answer } = await this.#call("ask_user", requestOf(one, this.name));
        if (answer !== undefined) return this.crowd.got(this, one, answer);
      } catch (/** @type {any} */ error) {
        if (/could not be asked/.test(error.message)) this.crowd.counts.refused += 1;
      }
      if (await this.#comes(one)) return;
      this.crowd.counts.askedAgain += 1;
    }
  }

  /** Whether the answer to a question comes that was not waited for. */
  #comes(/** @type {string} */ token) {
    const comes = new Promise((resolve) => this.#missing.set(token, { resolve, since: Date.now() }));
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    return comes;
  }

  async #look() {
    while (this.#missing.size) {
      await pause(LOOKS);
      const open = await this.#collect().catch(() => undefined);
      if (!open) continue;
      for (const [token, one] of this.#missing) {
        if (open.some((/** @type {{ question: any }} */ { question }) => tokenIn(question) === token)) one.since = Date.now();
        const isThere = this.crowd.asked.get(token).got.length > 0;
        if (!isThere && Date.now() - one.since < MISSING) continue;
        this.#missing.delete(token);
        one.resolve(isThere);
      }
    }
  }

  /** Takes the answers that have come; gives what is open. */
  async #collect() {
    const { answers, open } = await this.#call("answers", {});
    for (const { question, result } of answers) this.crowd.got(this, /** @type {string} */ (tokenIn(question)), result?.answer);
    return open;
  }

  async collects() {
    // What came too late for a call that was cut. A session that was cut is thought to live for a while.
    const begun = Date.now();
    const own = () => [...this.crowd.asked.values()].filter(({ agent, got }) => agent === this && got.length === 0).length;
    while (own() && Date.now() - begun < MISSING) {
      await this.#collect().catch(() => undefined);
      await pause(LOOKS);
    }
  }
}

const hello = (/** @type {string} */ name) => ({ protocolVersion: VERSION, capabilities: {}, clientInfo: { name, version: "1" } });

/** `ask-user mcp`: a process that is killed. */
class McpProcess extends Mcp {
  async begin() {
    const { process: child, ended } = this.crowd.home.begin(["mcp", "--folder", this.folder]);
    const waiting = new Map();
    let last = 0;
    let rest = "";
    child.stdout.on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = /** @type {string} */ (lines.pop());
      for (const line of lines) {
        const message = JSON.parse(line);
        waiting.get(message.id)?.resolve(message);
      }
    });
    child.stdin.on("error", () => undefined);
    ended.then(() => waiting.forEach(({ reject }) => reject(new Error("The process has ended."))));
    const send = (/** @type {string} */ method, /** @type {any} */ params) =>
      new Promise((resolve, reject) => {
        const id = (last += 1);
        waiting.set(id, { resolve, reject });
        if (child.exitCode !== null || child.signalCode !== null) return reject(new Error("The process has ended."));
        child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      });
    await send("initialize", hello(this.name));
    return { send, end: () => child.kill("SIGKILL") };
  }
}

/** `/mcp`: a session whose connections are cut, and which is never taken up again. */
class McpSession extends Mcp {
  async begin() {
    const end = new AbortController();
    const address = await this.crowd.up();
    const headers = /** @type {{ [name: string]: any }} */ ({ Authorization: `Bearer ${this.crowd.home.read("tokens.json").ask}`, "Content-Type": "application/json", Accept: "application/json", "MCP-Protocol-Version": VERSION });
    let last = 0;
    const send = async (/** @type {string} */ method, /** @type {any} */ params) => {
      const response = await fetch(`${address}/mcp?folder=${this.folder}`, { method: "POST", signal: end.signal, headers, body: JSON.stringify({ jsonrpc: "2.0", id: (last += 1), method, params }) });
      if (!response.ok) throw new Error(`The session is gone: ${response.status}`);
      headers["Mcp-Session-Id"] ??= response.headers.get("mcp-session-id");
      return response.json();
    };
    await send("initialize", hello(this.name));
    return { send, end: () => end.abort() };
  }
}

/** A person without a browser, who sends answers as the page does: the same one again under its key, until it hears what came of it. */
export class PlainPerson {
  /**
   * The browser that the inbox knows.
   * @type {string | undefined}
   */
  device;

  constructor(/** @type {Crowd} */ crowd, /** @type {string} */ name) {
    this.crowd = crowd;
    this.name = name;
  }

  async answers() {
    const { crowd, name } = this;
    let own;
    let sent;
    while (!crowd.isOver) {
      try {
        const person = await crowd.home.person(own);
        own = person.own;
        this.device = own.device;
        while (!crowd.isOver) {
          if (!sent) {
            const open = await person.open();
            crowd.counts.mostOpen = Math.max(crowd.counts.mostOpen, open.length);
            if (!open.length) {
              await pause(LOOKS);
              continue;
            }
            // Half of the times the one that others take as well.
            const { id, text } = crowd.dice.below(2) ? open[0] : crowd.dice.pick(open);
            sent = { id, token: tokenIn(text), key: randomUUID() };
          }
          const { id, token, key } = sent;
          const sending = person.answer(id, { answer: `${name} ${token}` }, {}, { headers: { "Idempotency-Key": key } });
          crowd.sends();
          const { status, body } = await sending;
          // Another inbox has begun: the page's key is a new one.
          if (status === 401 || status === 503) break;
          if (status === 200) crowd.accepted.push({ person: name, id, value: `${name} ${token}` });
          else if (status === 409 || status === 404) crowd.counts.overtaken += 1;
          else crowd.faults.push(`${name} got ${status} for ${token}: ${JSON.stringify(body)}`);
          sent = undefined;
          await pause(crowd.dice.below(100));
        }
      } catch {
        crowd.counts.cut += 1;
        await pause(LOOKS);
      }
    }
  }
}

/** In a page: notes the answers that were shown as sent, each with the id of its question and what its receipt shows. */
export const NOTES = `window.sent = [];
const idOf = (form) => /conversations\\/([^/]+)\\//.exec(form?.getAttribute("respond-url"))?.[1];
document.addEventListener("ask-user-delivery", ({ target, detail }) => {
  const id = idOf(target);
  // The receipt says so in the same moment.
  if (detail.state === "sent") queueMicrotask(() => window.sent.push([id, /(?:Answered)?([a-z]+ q\\d+)/.exec(target.shadowRoot.querySelector("[data-ends]")?.textContent)?.[1]]));
});`;

/** A person at a page in a browser. */
export class PagePerson {
  /**
   * The browser that the inbox knows.
   * @type {string | undefined}
   */
  device;
  /** @type {unknown} */
  cut;

  constructor(/** @type {Crowd} */ crowd, /** @type {string} */ name, /** @type {Page} */ page) {
    this.crowd = crowd;
    this.name = name;
    this.page = page;
  }

  /** What went wrong last, and what the page shows. */
  async shows() {
    const { page, cut } = this;
    const [form, shown] = await page.evaluate(() => [document.querySelector("ask-user")?.shadowRoot?.textContent, document.body.innerText]);
    return JSON.stringify({ cut: String(cut).slice(0, 1_000), form, shown: shown.slice(0, 500), faults: page.faults.slice(-5) });
  }

  async answers() {
    const { crowd, name, page } = this;
    await page.goto(await crowd.home.page());
    await page.locator("main").waitFor();
    this.device = await page.evaluate(() => JSON.parse(String(localStorage.getItem("ask-user inbox secret"))).device);
    const person = new Person(page);
    while (!crowd.isOver) {
      try {
        const items = page.locator(".open button");
        const count = await items.count();
        crowd.counts.mostOpen = Math.max(crowd.counts.mostOpen, count);
        if (count === 0) {
          await pause(LOOKS);
          continue;
        }
        await items.nth(crowd.dice.below(2) ? 0 : crowd.dice.below(count)).click({ timeout: 2_000 });
        await takesAnswers(page, "[data-field]", undefined);
        const token = tokenIn(await person.find("[data-question]").first().textContent({ timeout: 2_000 }));
        await person.find("[data-field]").fill(`${name} ${token}`, { timeout: 2_000 });
        await keepsStill(page);
        crowd.sends();
        await person.find("[type=submit]").click({ timeout: 2_000 });
        const before = await page.evaluate(() => window.sent.length);
        await until(() => page.evaluate(() => [window.sent.length, document.querySelector("ask-user")?.shadowRoot?.querySelector("[data-field]") !== null]), "what comes of it", ([sent, isOpen]) => sent > before || !isOpen || crowd.isOver, 5_000);
      } catch (error) {
        this.cut = error;
        crowd.counts.cut += 1;
      }
    }
    for (const [id, value] of await page.evaluate(() => window.sent)) crowd.accepted.push({ person: name, id, value });
    page.faults.length = 0;
  }
}
