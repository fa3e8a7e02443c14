// How the page tells of new questions, if the person wants that: the browser's notifications, with who asks and the first line of the question, and a sound.
import { TEXTS } from "./texts.js";

/** Where the browser keeps what is wanted, and the questions that one of its tabs has heard of: all tabs ring once. */
const [KEY, RANG] = ["ask-user inbox notices", "ask-user inbox rang"];
/** The tones of the sound: when each begins and how long it lasts, in seconds, and its frequency. */
const TONES = [[0, 0.18, 660], [0.14, 0.3, 880]];
const LOUD = 0.15;

/**
 * A question that is open, as the page hears of it.
 * @typedef {{ id: string, who?: string, folder?: string, at: number, expires?: number, text: string, count: number, danger: boolean, only_here?: boolean }} Open
 */

/**
 * What is wanted.
 * @typedef {{ notify: boolean, sound: boolean }} Wanted
 */

export class Notices {
  /** @type {(id: string) => void} */
  #choose;
  /** @type {Map<string, Notification>} */
  #shown = new Map();
  /**
   * The questions that were open before; undefined until the list is known.
   * @type {Set<string> | undefined}
   */
  #known;
  #wanted = read();
  /** @type {AudioContext | undefined} */
  #audio;
  #notify = toggle(TEXTS.notify);
  #sound = toggle(TEXTS.sound);
  /** What turns each on and off. */
  buttons = [this.#notify, this.#sound];

  /**
   * `choose(id)` shows the question of a notification that is pressed.
   * @param {(id: string) => void} choose
   */
  constructor(choose) {
    this.#choose = choose;
    // Browsers ask only where the person has pressed something.
    this.#notify.addEventListener("click", async () => {
      const isGranted = Notification.permission === "granted";
      if (!isGranted) await Notification.requestPermission().catch(() => undefined);
      this.#want({ notify: !isGranted || !this.#wanted.notify });
      this.#show();
    });
    this.#sound.addEventListener("click", async () => {
      this.#want({ sound: !this.#wanted.sound });
      this.#show();
      if (!this.#wanted.sound) return;
      await this.#ready()?.resume();
      // So the person hears what it is.
      this.#ring();
    });
    // Browsers let a page ring once the person has done something in it.
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => this.#wanted.sound && this.#ready()?.resume());
    addEventListener("storage", ({ key }) => {
      if (key !== KEY) return;
      this.#wanted = read();
      this.#show();
    });
    this.#show();
  }

  /**
   * These questions are open now, and not put away.
   * @param {Open[]} open
   */
  heard(open) {
    for (const [id, notice] of this.#shown) if (!open.some((one) => one.id === id)) this.#close(id, notice);
    const fresh = this.#known ? open.filter(({ id }) => !/** @type {Set<string>} */ (this.#known).has(id)) : [];
    this.#known = new Set(open.map(({ id }) => id));
    const isFirst = this.#isFirst(open);
    if (!fresh.length) return;
    if (this.#wanted.sound && isFirst) this.#ring();
    // A person who looks at the page sees the question there.
    if (document.hidden && this.#isNotified) for (const one of fresh) this.#tell(one);
  }

  get #isNotified() {
    return globalThis.Notification?.permission === "granted" && this.#wanted.notify;
  }

  /** @param {Partial<Wanted>} more */
  #want(more) {
    this.#wanted = { ...this.#wanted, ...more };
    localStorage.setItem(KEY, JSON.stringify(this.#wanted));
  }

  /** Shows what is on. What the browser has refused cannot be turned on here. */
  #show() {
    this.#notify.hidden = !globalThis.Notification || Notification.permission === "denied";
    this.#notify.ariaPressed = String(this.#isNotified);
    this.#sound.hidden = !globalThis.AudioContext;
    this.#sound.ariaPressed = String(this.#wanted.sound);
  }

  /**
   * Whether no other tab of this browser has heard of these questions before.
   * @param {Open[]} open
   */
  #isFirst(open) {
    const said = open.map(({ id }) => id).join();
    if (localStorage.getItem(RANG) === said) return false;
    localStorage.setItem(RANG, said);
    return true;
  }

  #ready() {
    return (this.#audio ??= globalThis.AudioContext && new AudioContext());
  }

  #ring() {
    const audio = this.#ready();
    // Nothing rings late.
    if (audio?.state !== "running") return void audio?.resume();
    for (const [begins, lasts, frequency] of TONES) {
      const [tone, gain] = [audio.createOscillator(), audio.createGain()];
      const at = audio.currentTime + begins;
      tone.frequency.value = frequency;
      gain.gain.setValueAtTime(LOUD, at);
      gain.gain.linearRampToValueAtTime(0, at + lasts);
      tone.connect(gain).connect(audio.destination);
      tone.start(at);
      tone.stop(at + lasts);
    }
  }

  /** @param {Open} question */
  #tell({ id, who, text }) {
    let notice;
    try {
      // If several tabs show the same notification, the browser keeps one.
      notice = new Notification(who ?? TEXTS.someone, { body: text, tag: id, icon: "icon.svg?open=1" });
    } catch {
      // On phones, only a service worker can show notifications.
      return;
    }
    this.#shown.set(id, notice);
    notice.addEventListener("click", () => {
      window.focus();
      this.#choose(id);
      this.#close(id, notice);
    });
  }

  /**
   * @param {string} id
   * @param {Notification} notice
   */
  #close(id, notice) {
    this.#shown.delete(id);
    notice.close();
  }
}

/**
 * A button that is on or off.
 * @type {(textContent: string) => HTMLButtonElement}
 */
const toggle = (textContent) => Object.assign(document.createElement("button"), { type: "button", className: "notify", textContent, hidden: true });

/**
 * What is wanted: notifications where the browser may show them, and no sound.
 * @returns {Wanted}
 */
function read() {
  const wanted = { notify: true, sound: false };
  try {
    return { ...wanted, ...JSON.parse(/** @type {string} */ (localStorage.getItem(KEY))) };
  } catch {
    return wanted;
  }
}
