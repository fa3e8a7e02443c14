// What the browser tests say to a page, for engines that Playwright does not drive: the part of its Page and Locator that they use, over
// a few primitives of an engine (`go`, `run`, `keys`, `click`, `resize`, `popup`). Clicks and keys are the engine's own.
/** As long as Playwright waits. */
const WAIT = 30_000;
const pause = (milliseconds = 25) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Waits while an element takes nothing: a question may be shown before it can be answered. */
const TAKES = 'if (element.matches(":disabled") || element.closest("[inert]")) return { wait: "it takes nothing yet" };';
/** In the page: waits, even where a test has stopped the time (and put the true one aside). */
const PAUSE = `(milliseconds) => new Promise((resolve) => (window.later ?? setTimeout)(resolve, milliseconds))`;

/** In the page: the elements that a chain of steps leads to, through open shadow roots. */
const LOCATE = `(chain) => {
  const within = (root) => [root, ...root.querySelectorAll("*")].flatMap((one) => (one.shadowRoot ? within(one.shadowRoot) : []));
  const holding = (root) => (root.shadowRoot ? [root.shadowRoot, root] : [root]).flatMap((one) => [one, ...[...one.querySelectorAll("*")].filter(({ shadowRoot }) => shadowRoot).flatMap(({ shadowRoot }) => holding(shadowRoot))]);
  const unique = (list) => [...new Set(list)];
  let found = [document];
  for (const step of chain) {
    if (step.css) found = unique(found.flatMap(holding).flatMap((root) => [...root.querySelectorAll(step.css)]));
    if (step.text) {
      const has = (one) => one.textContent.toLowerCase().includes(step.text.toLowerCase());
      found = unique(found.flatMap(holding).flatMap((root) => [root, ...root.querySelectorAll("*")]).filter((one) => one.textContent && has(one) && ![...one.children].some(has)));
    }
    if (step.role) {
      const by = (one) => one.getAttribute("aria-labelledby")?.split(" ").map((id) => one.getRootNode().getElementById(id)?.textContent.trim()).join(" ");
      const named = (one) => one.getAttribute("aria-label") ?? by(one) ?? (one.localName === "fieldset" ? one.querySelector("legend") : one.labels?.[0])?.textContent ?? one.textContent;
      const css = {
        textbox: "textarea, input:not([type=radio], [type=checkbox])", group: "fieldset, [role=group]", radio: "[type=radio]", checkbox: "[type=checkbox]", button: "button",
        combobox: "select", navigation: "nav, [role=navigation]", row: "tr", columnheader: "th",
      }[step.role];
      const has = (one) => step.name === undefined || named(one).trim() === step.name;
      found = unique(found.flatMap(holding).flatMap((root) => [...root.querySelectorAll(css)]).filter((one) => one.checkVisibility() && has(one) && (step.checked === undefined || one.checked === step.checked)));
    }
    if (step.hasText) found = found.filter((one) => holding(one).some(({ textContent }) => textContent.includes(step.hasText)));
    if (step.nth !== undefined) found = [found.at(step.nth)].filter(Boolean);
  }
  return found;
}`;

/** A document and the scripts in it: the page's own, or that of its frame. */
class Frame {
  #run;
  #page;

  constructor(/** @type {any} */ run, /** @type {any} */ page) {
    this.#run = run;
    this.#page = page;
  }

  evaluate(/** @type {any} */ act, /** @type {any} */ argument = undefined) {
    return this.run(`(argument) => (${act})(argument)`, argument);
  }

  async run(/** @type {string} */ source, /** @type {any} */ argument = undefined) {
    const text = await this.#run(
      `async (text) => {
        // An error that the page takes for its own is none, as for the driver of Chromium.
        const troubles = () => (window.troubles ?? []).splice(0).flatMap(({ event, text }) => (event?.defaultPrevented ? [] : [text]));
        try {
          const value = await (${source})(text === "" ? undefined : JSON.parse(text));
          return JSON.stringify({ value, troubles: troubles() });
        } catch (error) {
          return JSON.stringify({ error: String(error), troubles: troubles() });
        }
      }`,
      argument === undefined ? "" : JSON.stringify(argument),
    );
    const { value, error, troubles } = JSON.parse(text);
    this.#page.faults.push(...troubles);
    if (error !== undefined) throw new Error(error);
    return value;
  }

  async waitForFunction(/** @type {any} */ act, /** @type {any} */ argument = undefined) {
    for (const begun = Date.now(); ; await pause()) {
      const { there, value } = await this.run(`async (argument) => {
        const value = await (${act})(argument);
        return { there: Boolean(value), value };
      }`, argument);
      if (there) return { jsonValue: async () => value };
      if (Date.now() - begun > WAIT) throw new Error(`did not come to be: ${act}`);
    }
  }

  locator(/** @type {string} */ css, /** @type {{ hasText?: string }} */ { hasText } = {}) {
    return new Locator(this.#page, this, [{ css, hasText }]);
  }
}

export class Page {
  /** @type {any} */
  #engine;
  /** @type {any} */
  #tab;
  /**
   * The page's own document, and that of its frame.
   * @type {any}
   */
  #frames;
  /** @type {any[]} */
  faults = [];

  static async open(/** @type {any} */ engine) {
    const page = new Page();
    page.#engine = engine;
    page.#tab = await engine.open();
    page.#frames = [false, true].map((within) => new Frame((/** @type {string} */ source, /** @type {string} */ text) => page.#tab.run(source, text, within), page));
    return page;
  }

  keyboard = {
    press: async (/** @type {string} */ combination) => {
      const parts = combination === "+" ? ["+"] : combination.split("+");
      const key = parts.pop();
      // With a modifier a letter is a key, and no capital.
      await this.#tab.keys(parts, parts.length && key?.length === 1 ? key.toLowerCase() : key);
    },
    type: async (/** @type {string} */ text, { delay = 0 } = {}) => {
      for (const character of text) {
        await this.#tab.keys([], character);
        if (delay) await pause(delay);
      }
    },
    /** As a text that is pasted. */
    insertText: (/** @type {string} */ text) => this.evaluate((/** @type {string} */ text) => void document.execCommand("insertText", false, text), text),
  };

  goto(/** @type {string} */ url) {
    return this.#tab.go(url);
  }
  async reload() {
    await this.goto(await this.evaluate(() => location.href));
  }
  title() {
    return this.evaluate(() => document.title);
  }

  setViewport(/** @type {{ width: number, height: number }} */ { width, height }) {
    return this.#tab.resize(width, height);
  }

  evaluate(/** @type {any} */ act, /** @type {any} */ argument = undefined) {
    return this.#frames[0].evaluate(act, argument);
  }
  waitForFunction(/** @type {any} */ act, /** @type {any} */ argument = undefined) {
    return this.#frames[0].waitForFunction(act, argument);
  }

  getByRole(/** @type {string} */ role, /** @type {{ name?: string, checked?: boolean }} */ { name, checked } = {}) {
    return this.locator("html").getByRole(role, { name, checked });
  }
  getByText(/** @type {string} */ text) {
    return this.locator("html").getByText(text);
  }
  locator(/** @type {string} */ css, /** @type {any} */ options = undefined) {
    return this.#frames[0].locator(css, options);
  }
  /** Waits are as long as they are here. */
  setDefaultTimeout() {}

  /** The document of the one frame. */
  frameLocator() {
    return this.#frames[1];
  }
  frames() {
    return this.#frames;
  }

  /** What is in the frame is pointed at and typed into by way of the page. */
  async click(/** @type {{ x: number, y: number }} */ { x, y }, /** @type {any} */ frame) {
    const place = frame === this.#frames[0] ? { x: 0, y: 0 } : await this.evaluate(() => {
      const frame = document.querySelector("iframe");
      const { x, y } = /** @type {HTMLIFrameElement} */ (frame).getBoundingClientRect();
      return { x: x + /** @type {HTMLIFrameElement} */ (frame).clientLeft, y: y + /** @type {HTMLIFrameElement} */ (frame).clientTop };
    });
    await this.#tab.click(place.x + x, place.y + y);
  }
  move(/** @type {{ x: number, y: number }} */ { x, y }) {
    return this.#tab.move(x, y);
  }
  get mouse() {
    return { move: (/** @type {number} */ x, /** @type {number} */ y) => this.#tab.move(x, y), click: (/** @type {number} */ x, /** @type {number} */ y) => this.#tab.click(x, y) };
  }

  context() {
    return {
      waitForEvent: async () => {
        const look = this.#tab.popup;
        return {
          // Looked for when it is to be closed: the click that opens it comes in between.
          close: async () => {
            for (const begun = Date.now(); Date.now() - begun < WAIT; await pause()) {
              const close = await look();
              if (close) return close();
            }
            throw new Error("no page was opened");
          },
        };
      },
      close: () => this.close(),
    };
  }
  close() {
    return this.#tab.close();
  }

  get engine() {
    return this.#engine.name;
  }
}

class Locator {
  #page;
  #frame;
  #chain;

  constructor(/** @type {any} */ page, /** @type {any} */ frame, /** @type {any} */ chain) {
    this.#page = page;
    this.#frame = frame;
    this.#chain = chain;
  }

  #with(/** @type {any} */ step) {
    return new Locator(this.#page, this.#frame, [...this.#chain, step]);
  }
  locator(/** @type {string} */ css) {
    return this.#with({ css });
  }
  /** By one of the roles that native elements have, and the whole name. */
  getByRole(/** @type {string} */ role, /** @type {{ name?: string, checked?: boolean }} */ { name, checked } = {}) {
    return this.#with({ role, name, checked });
  }
  getByText(/** @type {string} */ text) {
    return this.#with({ text });
  }
  filter(/** @type {{ hasText: any }} */ { hasText }) {
    return this.#with({ hasText });
  }
  first() {
    return this.nth(0);
  }
  last() {
    return this.nth(-1);
  }
  nth(/** @type {number} */ nth) {
    return this.#with({ nth });
  }

  #all(/** @type {string} */ source, /** @type {any} */ argument = undefined) {
    return this.#frame.run(`({ chain, argument }) => (${source})((${LOCATE})(chain), argument)`, { chain: this.#chain, argument });
  }

  /** Waits for the one element, and does something with it. */
  async #one(/** @type {any} */ act, /** @type {any} */ argument = undefined) {
    const source = `async ([element, more], argument) => {
      if (!element) return { wait: "there is none" };
      if (more) return { wait: "there are several" };
      return { value: await (${act})(element, argument) };
    }`;
    for (const begun = Date.now(); ; await pause()) {
      const { value, wait } = await this.#all(source, argument);
      if (!wait && !value?.wait) return value;
      if (Date.now() - begun > WAIT) throw new Error(`${JSON.stringify(this.#chain)}: ${wait ?? value.wait}`);
    }
  }

  count() {
    return this.#all("(found) => found.length");
  }
  allTextContents() {
    return this.#all("(found) => found.map(({ textContent }) => textContent)");
  }
  evaluateAll(/** @type {any} */ act, /** @type {any} */ argument = undefined) {
    return this.#all(String(act), argument);
  }
  evaluate(/** @type {any} */ act, /** @type {any} */ argument = undefined) {
    return this.#one(String(act), argument);
  }
  textContent() {
    return this.#one("(element) => element.textContent");
  }
  innerHTML() {
    return this.#one("(element) => element.innerHTML");
  }
  innerText() {
    return this.#one("(element) => element.innerText");
  }
  inputValue() {
    return this.#one("(element) => element.value");
  }
  boundingBox() {
    return this.#one("(element) => { const { x, y, width, height } = element.getBoundingClientRect(); return { x, y, width, height }; }");
  }
  selectOption(/** @type {any} */ wanted) {
    return this.#one(`(element, wanted) => {
      element.value = [...element.options].find((option) => (wanted.label === undefined ? option.value === wanted || option.text === wanted : option.text === wanted.label)).value;
      for (const name of ["input", "change"]) element.dispatchEvent(new Event(name, { bubbles: true }));
    }`, wanted);
  }
  async check() {
    if (!(await this.isChecked())) await this.click();
  }
  isChecked() {
    return this.#one("(element) => element.checked");
  }
  getAttribute(/** @type {string} */ name) {
    return this.#one("(element, name) => element.getAttribute(name)", name);
  }
  async isVisible() {
    return (await this.count()) > 0 && this.#one("(element) => element.checkVisibility()");
  }
  async focus() {
    // Firefox gives a legend no focus before it has been laid out.
    await this.#one(`(element) => {
      ${TAKES}
      element.getClientRects();
      element.focus();
    }`);
  }

  async waitFor({ state = "visible" } = {}) {
    const states = {
      visible: "(found) => found.some((one) => one.getClientRects().length && getComputedStyle(one).visibility !== 'hidden')",
      attached: "(found) => found.length > 0",
      detached: "(found) => found.length === 0",
      hidden: "(found) => found.every((one) => !one.checkVisibility())",
    };
    for (const begun = Date.now(); ; await pause()) {
      if (await this.#all(/** @type {{ [state: string]: string }} */ (states)[state])) return;
      if (Date.now() - begun > WAIT) throw new Error(`${JSON.stringify(this.#chain)} is not ${state}`);
    }
  }

  /**
   * Clicks, and again where the click went elsewhere: on a slow machine the page may have moved in between. A click that takes long is waited for: what it
   * does may remove the element. The page may also have made the element anew in between: a click on whatever the chain leads to by then counts.
   */
  async click() {
    for (let tries = 0; tries < 5; tries += 1) {
      let place;
      try {
        place = await this.#middle();
      } catch (error) {
        // The click before this one may have arrived late, and removed the element.
        if (tries && (await this.#frame.run("() => window.clicked"))) return;
        throw error;
      }
      await this.#page.click(place, this.#frame);
      const arrived = await this.#frame.run(`async () => {
        for (let waited = 0; waited < 300 && window.clicked === undefined; waited += 1) await (${PAUSE})(10);
        return window.clicked;
      }`);
      if (arrived) return;
    }
    throw new Error(`${JSON.stringify(this.#chain)}: no click arrives`);
  }
  async hover() {
    await this.#page.move(await this.#middle());
  }

  /** Where to point, once the element stands still and nothing lies over it. */
  #middle() {
    return this.#one(`async (element) => {
      element.scrollIntoView({ block: "center", inline: "nearest" });
      const place = () => element.getClientRects()[0];
      const before = place();
      // What is not painted yet takes no click. A page behind another paints nothing.
      const painted = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      await Promise.race([painted, (${PAUSE})(200)]);
      await (${PAUSE})(5);
      const now = place();
      if (!before || !now || before.top !== now.top || before.left !== now.left) return { wait: "it moves, or is not shown" };
      const [x, y] = [now.left + now.width / 2, now.top + now.height / 2];
      let hit = document.elementFromPoint(x, y);
      while (hit?.shadowRoot?.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit) hit = hit.shadowRoot.elementFromPoint(x, y);
      window.clicked = undefined;
      // A box that is clicked is another by then: what was checked is not any more.
      const leads = (event) => event.composedPath().includes(element) || (${LOCATE})(${JSON.stringify(this.#chain)}).some((one) => event.composedPath().includes(one));
      document.addEventListener("click", (event) => (window.clicked = leads(event)), { capture: true, once: true });
      return element === hit || element.contains(hit) ? { x, y } : { wait: "it is covered by " + hit?.outerHTML.slice(0, 80) };
    }`);
  }

  async press(/** @type {string} */ combination) {
    await this.focus();
    await this.#page.keyboard.press(combination);
  }
  async pressSequentially(/** @type {string} */ text, /** @type {any} */ options = undefined) {
    await this.focus();
    await this.#page.keyboard.type(text, options);
  }

  async fill(/** @type {string} */ text) {
    const editable = await this.#one(`(element, text) => {
      if (!element.getClientRects().length) return { wait: "it is not shown" };
      ${TAKES}
      element.focus();
      if (element.isContentEditable) return true;
      const kind = element.localName === "textarea" ? HTMLTextAreaElement : HTMLInputElement;
      Object.getOwnPropertyDescriptor(kind.prototype, "value").set.call(element, text);
      element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    }`, text);
    if (!editable) return;
    await this.#page.keyboard.press("Control+a");
    await this.#page.keyboard.insertText(text);
  }
}
