// Plays vectors through the agent host in a browser that runs no script: the model asks, the form is plain HTML, and the model gets the result. What the
// form does not offer is not done by other ways.
import { NOT_OFFERED } from "./case.mjs";
import { look } from "./rendered.mjs";
import { reply } from "./model-server.mjs";
import { until } from "./wait.mjs";

/**
 * @import { BrowserContext, Page } from "playwright-core"
 * @import { AgentHost } from "./agent-host.mjs"
 * @import { ModelServer } from "./model-server.mjs"
 */

/**
 * What a form posts beside its fields: names and values.
 * @type {(html: string) => [name: string, value: string][]}
 */
export const hiddenIn = (html) => [...html.matchAll(/<input type="hidden" name="([^"]*)" value(?:="([^"]*)")?>/g)].map(([, name, value = ""]) => [name, value]);

export class PlainForm {
  /** @type {AgentHost} */
  #host;
  /** @type {ModelServer} */
  #server;
  /** @type {BrowserContext} */
  #context;
  /** @type {Page} */
  #page = /** @type {any} */ (undefined);
  /** @type {string} */
  #id = /** @type {any} */ (undefined);
  /** @type {string} */
  #toolCallId = /** @type {any} */ (undefined);
  #count = 0;
  /** The last walk that the host told of. */
  #shown = "";

  /**
   * `context` is a browser's, without scripts.
   * @param {AgentHost} host
   * @param {ModelServer} server
   * @param {BrowserContext} context
   */
  constructor(host, server, context) {
    [this.#host, this.#server, this.#context] = [host, server, context];
  }

  get page() {
    return this.#page;
  }

  get id() {
    return this.#id;
  }

  /**
   * The model asks, and the person opens the form.
   * @param {{ request: any, layout?: string, [name: string]: any }} asked
   * @returns {Promise<any>}
   */
  async open({ request, layout = "steps" }) {
    await this.#page?.close();
    this.#toolCallId = `call_${(this.#count += 1)}`;
    this.#server.gives(reply("", [[this.#toolCallId, "ask_user", request]]), reply("Thank you."));
    this.#id = await this.#host.begin("Go on.");
    this.#page = await this.#context.newPage();
    await this.#page.goto(`${this.#host.url}/conversations/${this.#id}/form?token=${this.#host.token(this.#id)}&layout=${layout}`);
    await this.find("[part=base]").waitFor();
    return { warnings: [] };
  }

  /** @param {string} selector */
  find(selector) {
    return this.#page.locator("ask-user").locator(selector);
  }

  /** @param {any} expected */
  see(expected) {
    return this.#page.evaluate(look, expected);
  }

  /**
   * Presses a button, and waits for the page that comes of it.
   * @param {string} selector
   * @returns {Promise<any>}
   */
  async press(selector) {
    if ((await this.find(selector).count()) === 0) return NOT_OFFERED;
    await Promise.all([this.#page.waitForEvent("load"), this.find(selector).click()]);
    return undefined;
  }

  /**
   * @param {any} action
   * @returns {Promise<any>}
   */
  async act(action) {
    if ((await this.#do(action)) === NOT_OFFERED) return NOT_OFFERED;
    const error = this.find(".error[data-code]");
    return (await error.count()) ? { code: await error.getAttribute("data-code"), message: await error.textContent() } : undefined;
  }

  /**
   * @param {any} action
   * @returns {Promise<any>}
   */
  async #do(action) {
    switch (action.do) {
      case "back":
        return this.press("[data-way=back]");
      case "submit":
        return this.press("[data-submit]");
      case "change":
        return this.press(`[data-change=${action.id}]`);
      case "endTurn":
        return (await this.press("[data-way=end-turn]")) ?? this.press("[data-end-turn]");
      case "reply":
        if ((await this.press("[data-way=reply]")) === NOT_OFFERED) return NOT_OFFERED;
        // Where words do not reach the agent, there is no field for them.
        if (await this.find("#reply").count()) await this.find("#reply").fill(action.text ?? "");
        else if (action.text) return (await this.press("[data-cancel]")) ?? NOT_OFFERED;
        return this.press("[data-send-reply]");
      case "answer":
        return this.#answer(action.value);
      default:
        return NOT_OFFERED;
    }
  }

  /**
   * @param {any} value
   * @returns {Promise<any>}
   */
  async #answer(value) {
    // The page is whole, and does not change any more.
    const asked = this.find("[data-question]");
    const type = (await asked.count()) === 1 ? await asked.getAttribute("data-type") : undefined;
    switch (type) {
      case "boolean":
        return typeof value === "boolean" ? this.press(`[data-answer=${value ? "yes" : "no"}]`) : NOT_OFFERED;
      case "select":
      case "multi_select": {
        if (Array.isArray(value) !== (type === "multi_select")) return NOT_OFFERED;
        const wanted = [value].flat().filter((one) => one !== null).map((one) => JSON.stringify(one));
        const options = await this.find("[data-option]").all();
        let found = 0;
        for (const option of options) {
          const isWanted = wanted.includes(String(await option.getAttribute("data-option")));
          found += isWanted ? 1 : 0;
          if (isWanted) await option.check();
          else if (type === "multi_select") await option.uncheck();
        }
        if (found !== wanted.length) return NOT_OFFERED;
        if (found === 0) await this.#leaveEmpty();
        return this.press(".actions .primary");
      }
      case "text":
      case "secret":
      case "number":
      case "schema":
        if (type === "number" ? !["string", "number"].includes(typeof value) : type !== "schema" && typeof value !== "string") return NOT_OFFERED;
        await this.find("[data-field]").fill(type === "schema" ? JSON.stringify(value) : String(value));
        if (value === "") await this.#leaveEmpty();
        return this.press(".actions .primary");
      default:
        return NOT_OFFERED;
    }
  }

  /** Says that the empty field is the answer, where that takes an act of its own. */
  async #leaveEmpty() {
    const box = this.find("[data-empty]");
    if ((await box.count()) === 0) return;
    // For a text, it is offered once one is missing.
    if (!(await box.isVisible())) await this.press(".actions .primary");
    await box.check();
  }

  /** The host is killed, and the page loaded again. */
  async resume() {
    await this.#host.kill();
    await this.#host.start();
    await this.#page.reload();
  }

  /** The walk as the host has it, without what was typed beside it. */
  async saved() {
    const walk = (await this.#state()).walk;
    if (walk) this.#shown = JSON.stringify({ ...walk, typed: undefined });
    return this.#shown;
  }

  async #state() {
    const states = (await this.#host.events(this.#id)).filter(([kind]) => kind === "state_change");
    return states.at(-1)?.[1];
  }

  async ending() {
    await until(() => this.#state(), "an idle agent", ({ type }) => type === "idle");
    const results = (await this.#host.results(this.#id))[this.#toolCallId] ?? [];
    if (results.length > 1) throw new Error(`the call has ${results.length} results`);
    const result = parsed(results[0]);
    // What ends with the turn has no answer for the model.
    if (this.#server.requests.length === 1) return { outcome: { ends: "turn_ended" }, records: (await this.#host.records(this.#id)).flat() };
    const ends = result?.cancelled ? "replied" : "completed";
    return { outcome: { ends, result }, records: (await this.#host.records(this.#id)).flat() };
  }

  /** All that a page is made of. Without a question, it loads itself again and again. */
  async shown() {
    for (;;) {
      const content = await this.#page.evaluate(() => document.documentElement.outerHTML + (document.querySelector("ask-user")?.shadowRoot?.innerHTML ?? "")).catch(() => undefined);
      if (content !== undefined) return content;
    }
  }
}

  /** @type {(content: any) => any} */
const parsed = (content) => {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
};
