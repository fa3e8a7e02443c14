// The browser's notifications of new questions, if the person wants them. They say who asks and the first line of the question.
import { TEXTS } from "./texts.js";

export class Notices {
  #choose;
  #shown = new Map();
  /** The questions that were open before; undefined until the list is known. */
  #known;
  /** Asks for notifications. It is there as long as the browser can still be asked. */
  button = Object.assign(document.createElement("button"), { type: "button", className: "notify", textContent: TEXTS.notify, hidden: true });

  /** `choose(id)` shows the question of a notification that is pressed. */
  constructor(choose) {
    this.#choose = choose;
    if (!globalThis.Notification) return;
    const offer = () => (this.button.hidden = Notification.permission !== "default");
    // Browsers ask only where the person has pressed something.
    this.button.addEventListener("click", () => Notification.requestPermission().then(offer, offer));
    offer();
  }

  /** These questions are open now. */
  heard(open) {
    for (const [id, notice] of this.#shown) if (!open.some((one) => one.id === id)) this.#close(id, notice);
    const fresh = this.#known ? open.filter(({ id }) => !this.#known.has(id)) : [];
    this.#known = new Set(open.map(({ id }) => id));
    // A person who looks at the page sees the question there.
    if (!document.hidden || globalThis.Notification?.permission !== "granted") return;
    for (const one of fresh) this.#show(one);
  }

  #show({ id, who, text }) {
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

  #close(id, notice) {
    this.#shown.delete(id);
    notice.close();
  }
}
