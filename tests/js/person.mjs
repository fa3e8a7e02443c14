// A person at the one form of a page, for tests: looks, clicks and types.
import { launch } from "./browser.mjs";
import { keepsStill } from "./wait.mjs";

/** @import { Page } from "./browser.mjs" */

/**
 * A browser with one blank page, and a person at it.
 * @param {Parameters<typeof launch>[0]} [options]
 */
export async function arrived(options) {
  const browser = await launch(options);
  const page = await browser.page();
  return { browser, page, person: new Person(page) };
}

export class Person {
  /** @type {Page} */
  #page;

  /** @param {Page} page */
  constructor(page) {
    this.#page = page;
  }

  /**
   * Puts a form on the page, and looks at it before anything is pressed.
   * @param {unknown} request
   * @param {object} more
   */
  async ask(request, more = {}) {
    const said = await this.#page.evaluate((asked) => window.ask(asked), { request, ...more });
    await keepsStill(this.#page);
    return said;
  }

  settled() {
    return this.#page.evaluate(() => window.settled());
  }

  /**
   * @param {string} selector
   * @param {Parameters<import("playwright-core").Locator["locator"]>[1]} [options]
   */
  find(selector, options) {
    return this.#page.locator("ask-user").locator(selector, options);
  }

  /**
   * Asks one question for JSON, `q`, and waits for the editor to be there, before or behind the fields.
   * @param {unknown} schema
   * @param {object} more
   */
  async askJson(schema, more = {}) {
    await this.ask({ questions: [{ id: "q", text: "Which?", answer_type: "schema", schema, ...more }] });
    await this.find(".cm-content").waitFor({ state: "attached" });
  }

  /** Goes to the JSON editor of a question, from the fields where it begins with them. */
  async asText() {
    await this.find(".cm-content").waitFor({ state: "attached" });
    if (await this.find(".properties:not([hidden])").count()) await this.find(".tab").nth(1).click();
    await this.find(".cm-content").waitFor();
  }

  /** @param {string} selector */
  async click(selector) {
    await this.find(selector).click();
    await this.settled();
  }

  /** @param {string[]} keys */
  async press(...keys) {
    for (const key of keys) {
      // What presses a button is pressed with care.
      if (/Enter|Space/.test(key)) await keepsStill(this.#page);
      await this.#page.keyboard.press(key);
      await this.settled();
    }
  }

  /**
   * The events since the form was put there: `[name, detail]`.
   * @returns {Promise<[name: string, detail: any][]>}
   */
  seen() {
    return this.#page.evaluate(() => window.seen);
  }

  async names() {
    return (await this.seen()).map(([name]) => name);
  }

  /**
   * The detail of the result or of the end of the turn, once there is one.
   * @returns {Promise<any>}
   */
  async end() {
    return (await this.seen()).find(([name]) => name === "result" || name === "end-turn")?.[1];
  }

  async result() {
    return (await this.end())?.result;
  }

  /** What has the focus within the form: a name of it and its element; null where nothing has. */
  focused() {
    return this.#page.evaluate(() => {
      const active = window.form().shadowRoot.activeElement;
      return active && (active.dataset.way ?? active.dataset.question ?? active.id) + ":" + active.localName;
    });
  }

  /**
   * What axe finds wrong with the form, perhaps with options of its own, and the references to ids that are not there.
   * @param {object} options
   */
  async barriers(options = {}) {
    return this.#page.evaluate(async (options) => {
      if (!window.axe) await import("/axe.js");
      const { violations } = await window.axe.run(document.querySelector("ask-user"), { resultTypes: ["violations"], ...options });
      const root = window.form().shadowRoot;
      const references = [...root.querySelectorAll("[aria-describedby], [aria-labelledby], [for]")].flatMap((element) =>
        ["aria-describedby", "aria-labelledby", "for"].flatMap((name) => element.getAttribute(name)?.split(" ") ?? []),
      );
      const dangling = references.filter((id) => !root.getElementById(id));
      return [...violations.map((/** @type {any} */ { id, nodes }) => `${id}: ${nodes[0].html}`), ...dangling.map((id) => `no element has the id ${id}`)];
    }, options);
  }
}
