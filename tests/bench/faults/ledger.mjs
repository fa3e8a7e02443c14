// What tabs told: each ending with what its person was shown, over reloads, and in the tab that the person opens when one is gone.

/** A tab with its page. */
class Tab {
  isGone = false;
  hasEnded = false;
  /** What it told of a delivery before it told of the ending. */
  early = [];

  constructor(page, isBack) {
    this.page = page;
    /** Whether it was opened to see what became of an answer. */
    this.isBack = isBack;
    this.loads = 0;
    /** When its document was asked for last. */
    this.since = performance.now();
    page.on("domcontentloaded", () => (this.loads += 1));
    page.on("close", () => (this.isGone = true));
    this.begin();
  }

  /** A new question is to be answered. */
  begin() {
    this.isBack = false;
    this.hasEnded = false;
    /** Kept once the form has ended, or the person has stopped trying. */
    this.done = new Promise((/** @type {(value?: unknown) => void} */ resolve) => (this.stop = resolve));
  }

  end() {
    this.hasEnded = true;
    this.stop();
  }

  find(selector) {
    return this.page.locator("ask-user").locator(selector);
  }

  /** Whether the page was loaded again since it told of this ending last. */
  wasReloaded({ load }) {
    return this.loads > load;
  }

  /** What it shows: the name of a question, the state of a delivery. */
  async shown() {
    try {
      return await this.page.evaluate(() => {
        const root = document.querySelector("ask-user")?.shadowRoot;
        return { question: root?.querySelector("[data-question]")?.dataset.question, delivery: root?.querySelector("[data-delivery]")?.dataset.delivery };
      });
    } catch {
      // It is being loaded, or gone.
      return {};
    }
  }
}

export class Ledger {
  endings = [];
  #tabs = new Map();
  #conversation;
  #visited;

  constructor(conversation, visited) {
    this.#conversation = conversation;
    this.#visited = visited;
  }

  add(page, isBack) {
    const tab = new Tab(page, isBack);
    if (isBack) tab.isBack = true;
    this.#tabs.set(page, tab);
    return tab;
  }

  /** The tabs that are open, the oldest first. */
  get alive() {
    return [...this.#tabs.values()].filter(({ isGone }) => !isGone);
  }

  /** A page tells something of its element. */
  hear(page, { name, key, call, result, state }) {
    const tab = this.#tabs.get(page);
    const own = (ending) => ending.tab === tab;
    if (name === "closed") {
      for (const ending of this.endings.filter((ending) => own(ending) && ending.call === call && !ending.isSettled)) ending.show("closed");
      return;
    }
    const known = this.endings.find((ending) => own(ending) && ending.key === key);
    if (name === "delivery") return void (known?.show(state) ?? tab.early.push([key, state]));
    const early = tab.early.splice(0).flatMap(([of, state]) => (of === key ? [state] : []));
    tab.end();
    const taken = known ?? (tab.isBack ? this.endings.find((ending) => ending.key === key && ending.tab.isGone) : undefined);
    if (taken) return taken.goesOn(tab, early);
    this.#visited.endings += 1;
    const kind = name === "end-turn" ? "the end of the turn" : result?.cancelled ? "a reply" : "an answer";
    const ending = new Ending({ conversation: this.#conversation, call, key, kind, result: name === "end-turn" ? "User cancelled the question" : result });
    this.endings.push(ending);
    ending.goesOn(tab, early);
  }
}

/** An ending in a tab. */
class Ending {
  states = [];
  isSettled = false;

  constructor(known) {
    Object.assign(this, known);
  }

  /** A tab sends it, for the first time or again. */
  goesOn(tab, states) {
    Object.assign(this, { tab, load: tab.loads });
    for (const state of states) this.show(state);
  }

  show(state) {
    this.states.push(state);
    // A page that is loaded again sends what it has, though the person had left it: what becomes of that is to be seen.
    this.isSettled = state === "sent" || state === "closed";
    return true;
  }

  /** The person knows what became of it, though no page has said so. */
  settle(fate) {
    this.fate = fate;
    this.isSettled = true;
  }
}
