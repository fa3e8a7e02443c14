// Receipts of old endings on a page, for tests: one is put beside the form, read, and compared with the one that the form itself shows.
import assert from "node:assert/strict";
import { Rendered } from "./rendered.mjs";

/** @import { Page } from "./browser.mjs" */

/**
 * What can be done with old receipts in a page: `find` in the one that is there, `show` one, `told` what it told, and the `rows` of any.
 * @param {Page} page
 */
export function receiptsIn(page) {
  /** @type {(selector: string) => import("playwright-core").Locator} */
  const find = (selector) => page.locator("#old").locator(selector);
  /**
   * Puts a receipt on the page, and notes every event that it fires, and every request that leaves the page.
   * @param {object} receipt
   * @param {{ attributes?: { [name: string]: string }, host?: object }} [more]
   */
  const show = async (receipt, { attributes = {}, host = {} } = {}) => {
    await page.evaluate(
      async ({ receipt, attributes, host }) => {
        await customElements.whenDefined("ask-user");
        addEventListener("error", (event) => event.error instanceof TypeError && event.preventDefault());
        document.querySelector("#old")?.remove();
        const element = Object.assign(document.createElement("ask-user"), { id: "old" });
        window.told = [];
        for (const name of ["ready", "step", "draft", "record", "result", "end-turn", "rejected", "error", "closed", "delivery"]) {
          element.addEventListener(`ask-user-${name}`, (/** @type {any} */ { detail }) => window.told.push([name, detail.error?.message]));
        }
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        element.host = { layout: "steps", ...host };
        element.receipt = /** @type {any} */ (receipt);
        document.body.append(element);
      },
      { receipt, attributes, host },
    );
    await find(".receipt, [role=alert]").first().waitFor({ state: "attached" });
    await page.evaluate(() => window.settled());
  };
  const told = () => page.evaluate(() => window.told);
  /**
   * The content of a receipt, without what Markdown and folding make of it.
   * @param {string} selector
   * @returns {Promise<any>}
   */
  const rows = (selector) =>
    page.evaluate((selector) => {
      const receipt = document.querySelector(selector)?.shadowRoot?.querySelector("[part=receipt]");
      return receipt && [receipt.dataset.ends, ...[...receipt.querySelectorAll(".ends, blockquote, dt, dd")].map((node) => node.textContent)];
    }, selector);
  return { find, show, told, rows };
}

/** Plays vectors on the form. The ending of each, as an old receipt, must look as it did when the form ended. */
export class Compared extends Rendered {
  /** @type {Page} */
  #page;
  /** @type {any} */
  #case;

  /** @param {Page} page */
  constructor(page) {
    super(page);
    this.#page = page;
  }

  /**
   * @param {any} given
   * @returns {Promise<any>}
   */
  open(given) {
    this.#case = given;
    return super.open(given);
  }

  async ending() {
    const ending = await super.ending();
    const { request, text, dialect, options } = this.#case;
    const { find, show, told, rows } = receiptsIn(this.#page);
    const walk = await this.#page.evaluate(() => window.form().walk);
    if (!walk) return ending;
    await show({ request: text ?? request, walk, dialect, options });
    const [live, old] = [await rows("main ask-user"), await rows("#old")];
    assert.deepEqual(await told(), []);
    assert.equal(await find("button, input, textarea, [tabindex='0']:not(pre)").count(), 0, "something to act with");
    if (live) assert.deepEqual(old, live);
    else assert.equal(old?.[0], "unfinished");
    await this.#page.evaluate(() => document.querySelector("#old")?.remove());
    return ending;
  }
}
