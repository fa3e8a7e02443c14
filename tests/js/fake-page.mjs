// What a page has, as far as the channel uses it, without a browser: windows, ports, elements, timers. Nothing happens by itself.
import { requestText } from "../../pkg/src/core/values.js";
import { SECRET } from "./hostile-dice.mjs";

/** Runs something in a page of its own, and puts back what was there. */
export async function withPage(/** @type {any} */ run) {
  const page = new FakePage();
  const before = Object.keys(page.globals).map((name) => /** @type {[string, PropertyDescriptor | undefined]} */ ([name, Object.getOwnPropertyDescriptor(globalThis, name)]));
  for (const [name, value] of Object.entries(page.globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  try {
    return await run(page);
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete /** @type {any} */ (globalThis)[name];
    }
  }
}

class FakePage {
  listeners = new Set();
  parent = new FakeParent();
  /**
   * The elements that were made, on the page or not.
   * @type {any[]}
   */
  made = [];
  #timers = new Map();
  #timed = 0;
  globals = {
    addEventListener: (/** @type {any} */ _, /** @type {any} */ listener) => this.listeners.add(listener),
    removeEventListener: (/** @type {any} */ _, /** @type {any} */ listener) => this.listeners.delete(listener),
    setTimeout: (/** @type {any} */ act, /** @type {any} */ _, /** @type {any[]} */ ...given) => (this.#timers.set(++this.#timed, () => act(...given)), this.#timed),
    clearTimeout: (/** @type {any} */ timer) => this.#timers.delete(timer),
    MessagePort: FakePort,
    MessageChannel: FakeChannel,
    ResizeObserver: class {
      constructor(/** @type {any} */ act) {
        this.act = act;
      }
      observe(/** @type {any} */ parent) {
        parent.observer = this;
      }
      disconnect() {
        this.act = () => {};
      }
    },
    customElements: { get: () => FakeElement },
    document: { createElement: () => this.#element() },
  };

  #element() {
    const element = new FakeElement();
    this.made.push(element);
    return element;
  }

  /** Something is said to the window of the page. */
  hear(/** @type {any} */ event) {
    for (const listener of [...this.listeners]) listener(event);
  }

  /** Every timer that is set runs. */
  later() {
    const due = [...this.#timers.values()];
    this.#timers.clear();
    for (const act of due) act();
  }
}

/** A window that hands what is posted to it to `received`. */
export class FakeWindow {
  window = this;
  /** @param {(...given: any[]) => void} received */
  constructor(received = () => {}) {
    this.postMessage = received;
  }
}

export class FakePort {
  /** @type {FakePort} */
  peer = /** @type {any} */ (undefined);
  /** @type {((data: any) => void) | undefined} */
  received;
  open = true;
  #listeners = new Set();

  /** How many ports of lines are open. */
  static opened(/** @type {any} */ lines) {
    return lines.filter((/** @type {{ port: any }} */ { port }) => port.peer.open).length;
  }

  postMessage(/** @type {any} */ data) {
    if (this.open) this.peer.received?.(data);
  }

  addEventListener(/** @type {any} */ _, /** @type {any} */ listener) {
    this.#listeners.add(listener);
  }

  removeEventListener(/** @type {any} */ _, /** @type {any} */ listener) {
    this.#listeners.delete(listener);
  }

  start() {}

  close() {
    this.open = false;
  }

  hear(/** @type {any} */ data) {
    if (this.open) for (const listener of this.#listeners) listener({ data });
  }
}

class FakeChannel {
  port1 = new FakePort();
  port2 = new FakePort();
  constructor() {
    [this.port1.peer, this.port2.peer] = [this.port2, this.port1];
  }
}

class FakeParent {
  /** @type {{ act(): void } | undefined} */
  observer;
  /** @type {any[]} */
  children = [];
  height = 0;

  append(/** @type {any} */ element) {
    element.parent = this;
    this.children.push(element);
  }

  getBoundingClientRect() {
    return { height: this.height };
  }

  resize(/** @type {number} */ height) {
    this.height = height;
    this.observer?.act();
  }
}

/** Takes and tells what <ask-user> takes and tells. */
class FakeElement {
  /** How long its walk is, as text. */
  weight = 1;
  /** @type {FakeParent} */
  parent = /** @type {any} */ (undefined);
  #listeners = new Map();

  addEventListener(/** @type {any} */ name, /** @type {any} */ listener) {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  setAttribute() {}

  get walk() {
    return { ask_user_walk: 2, log: [], checksum: "0".repeat(this.weight) };
  }

  set walk(walk) {
    requestText(walk);
  }

  remove() {
    this.parent.children = this.parent.children.filter((other) => other !== this);
    this.tell("removed");
  }

  tell(/** @type {any} */ name) {
    const detail = {
      step: { state: "asking" }, record: { id: "call_1.a" }, outcome: { ends: "completed" }, result: { key: "[redacted]" }, secrets: { key: SECRET },
      problems: [], message: "No.", toolResult: { message: "No.", problems: [] }, error: new TypeError("No."),
    };
    const parts = {
      step: ["step"], record: ["record"], rejected: ["problems", "message", "toolResult"], error: ["error"],
      result: ["outcome", "result", "secrets"], "end-turn": ["outcome", "secrets"],
    };
    const told = Object.fromEntries((/** @type {{ [name: string]: string[] }} */ (parts)[name] ?? []).map((part) => [part, /** @type {any} */ (detail)[part]]));
    for (const listener of this.#listeners.get(`ask-user-${name}`) ?? []) listener({ detail: told });
  }
}
