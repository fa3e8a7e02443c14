// What the browser tests say to a page, for engines that Playwright does not drive: the part of its Page and Locator that they use, over
// a few primitives of an engine (`go`, `run`, `keys`, `click`, `resize`, `popup`). Clicks and keys are the engine's own.
const WAIT = 10_000;
const pause = () => new Promise((resolve) => setTimeout(resolve, 25));

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
      found = unique(found.flatMap(holding).flatMap((root) => [...root.querySelectorAll("*")]).filter((one) => has(one) && ![...one.children].some(has)));
    }
    if (step.role) {
      const named = (one) => one.getAttribute("aria-label") ?? (one.localName === "fieldset" ? one.querySelector("legend") : one.labels?.[0])?.textContent ?? one.textContent;
      const css = { textbox: "textarea, input:not([type=radio], [type=checkbox])", group: "fieldset", radio: "[type=radio]", checkbox: "[type=checkbox]", button: "button" }[step.role];
      const has = (one) => step.name === undefined || named(one).trim() === step.name;
      found = unique(found.flatMap(holding).flatMap((root) => [...root.querySelectorAll(css)]).filter((one) => one.checkVisibility() && has(one)));
    }
    if (step.hasText) found = found.filter((one) => one.textContent.includes(step.hasText));
    if (step.nth !== undefined) found = [found.at(step.nth)].filter(Boolean);
  }
  return found;
}`;

export class Page {
  #engine;
  #tab;
  faults = [];

  static async open(engine) {
    const page = new Page();
    page.#engine = engine;
    page.#tab = await engine.open();
    return page;
  }

  keyboard = {
    press: async (combination) => {
      const parts = combination === "+" ? ["+"] : combination.split("+");
      const key = parts.pop();
      // With a modifier a letter is a key, and no capital.
      await this.#tab.keys(parts, parts.length && key.length === 1 ? key.toLowerCase() : key);
    },
    type: async (text) => {
      for (const character of text) await this.#tab.keys([], character);
    },
    /** As a text that is pasted. */
    insertText: (text) => this.evaluate((text) => void document.execCommand("insertText", false, text), text),
  };

  goto(url) {
    return this.#tab.go(url);
  }

  setViewport({ width, height }) {
    return this.#tab.resize(width, height);
  }

  evaluate(act, argument) {
    return this.#run(`(argument) => (${act})(argument)`, argument);
  }

  async #run(source, argument) {
    const text = await this.#tab.run(
      `async (text) => {
        const troubles = () => (window.troubles ?? []).splice(0);
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
    this.faults.push(...troubles);
    if (error !== undefined) throw new Error(error);
    return value;
  }

  async waitForFunction(act, argument) {
    const begun = Date.now();
    for (;;) {
      const { there, value } = await this.#run(`async (argument) => {
        const value = await (${act})(argument);
        return { there: Boolean(value), value };
      }`, argument);
      if (there) return { jsonValue: async () => value };
      if (Date.now() - begun > WAIT) throw new Error(`did not come to be: ${act}`);
      await pause();
    }
  }

  waitForTimeout(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  getByRole(role, { name } = {}) {
    return this.locator("html").getByRole(role, { name });
  }
  locator(css) {
    return new Locator(this, (step, source, argument) => this.#run(source.replaceAll("LOCATE", LOCATE), { chain: step, argument }), this.#tab, [{ css }]);
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
      close: async () => undefined,
    };
  }

  get engine() {
    return this.#engine.name;
  }
}

class Locator {
  #page;
  #ask;
  #tab;
  #chain;

  constructor(page, ask, tab, chain) {
    this.#page = page;
    this.#ask = ask;
    this.#tab = tab;
    this.#chain = chain;
  }

  #with(step) {
    return new Locator(this.#page, this.#ask, this.#tab, [...this.#chain, step]);
  }
  locator(css) {
    return this.#with({ css });
  }
  /** By one of the roles that native elements have, and the whole name. */
  getByRole(role, { name } = {}) {
    return this.#with({ role, name });
  }
  getByText(text) {
    return this.#with({ text });
  }
  filter({ hasText }) {
    return this.#with({ hasText });
  }
  first() {
    return this.nth(0);
  }
  last() {
    return this.nth(-1);
  }
  nth(nth) {
    return this.#with({ nth });
  }

  #all(source, argument) {
    return this.#ask(this.#chain, `({ chain, argument }) => (${source})((LOCATE)(chain), argument)`, argument);
  }

  /** Waits for the one element, and does something with it. */
  async #one(act, argument) {
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
  evaluateAll(act, argument) {
    return this.#all(String(act), argument);
  }
  evaluate(act, argument) {
    return this.#one(String(act), argument);
  }
  textContent() {
    return this.#one("(element) => element.textContent");
  }
  innerText() {
    return this.#one("(element) => element.innerText");
  }
  inputValue() {
    return this.#one("(element) => element.value");
  }
  async check() {
    if (!(await this.isChecked())) await this.click();
  }
  isChecked() {
    return this.#one("(element) => element.checked");
  }
  getAttribute(name) {
    return this.#one("(element, name) => element.getAttribute(name)", name);
  }
  async isVisible() {
    return (await this.count()) > 0 && this.#one("(element) => element.checkVisibility()");
  }
  async focus() {
    // Firefox gives a legend no focus before it has been laid out.
    await this.#one("(element) => void (element.getClientRects(), element.focus())");
  }

  async waitFor({ state = "visible" } = {}) {
    const states = {
      visible: "(found) => found.some((one) => one.getClientRects().length && getComputedStyle(one).visibility !== 'hidden')",
      attached: "(found) => found.length > 0",
      detached: "(found) => found.length === 0",
    };
    for (const begun = Date.now(); ; await pause()) {
      if (await this.#all(states[state])) return;
      if (Date.now() - begun > WAIT) throw new Error(`${JSON.stringify(this.#chain)} is not ${state}`);
    }
  }

  /** Clicks, and again where the click went elsewhere: on a slow machine the page may have moved in between. */
  async click() {
    for (let tries = 0; tries < 5; tries += 1) {
      const { x, y } = await this.#middle();
      await this.#tab.click(x, y);
      const arrived = await this.#page.evaluate(async () => {
        for (let waited = 0; waited < 10 && !window.clicked; waited += 1) await new Promise((resolve) => setTimeout(resolve, 10));
        return window.clicked;
      });
      if (arrived) return;
    }
    throw new Error(`${JSON.stringify(this.#chain)}: no click arrives`);
  }
  async hover() {
    const { x, y } = await this.#middle();
    await this.#tab.move(x, y);
  }

  /** Where to point, once the element stands still and nothing lies over it. */
  #middle() {
    return this.#one(`async (element) => {
      element.scrollIntoView({ block: "center", inline: "nearest" });
      const place = () => element.getClientRects()[0];
      const before = place();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const now = place();
      if (!before || !now || before.top !== now.top || before.left !== now.left) return { wait: "it moves, or is not shown" };
      const [x, y] = [now.left + now.width / 2, now.top + now.height / 2];
      let hit = document.elementFromPoint(x, y);
      while (hit?.shadowRoot?.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit) hit = hit.shadowRoot.elementFromPoint(x, y);
      window.clicked = false;
      document.addEventListener("click", (event) => (window.clicked ||= event.composedPath().includes(element)), { capture: true, once: true });
      return element === hit || element.contains(hit) ? { x, y } : { wait: "it is covered by " + hit?.outerHTML.slice(0, 80) };
    }`);
  }

  async press(combination) {
    await this.focus();
    await this.#page.keyboard.press(combination);
  }
  async pressSequentially(text) {
    await this.focus();
    await this.#page.keyboard.type(text);
  }

  async fill(text) {
    const editable = await this.#one(`(element, text) => {
      if (!element.getClientRects().length) return { wait: "it is not shown" };
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
