// Delivery of a result by HTTP: once, however often it must be sent. Knows no form; the element shows its state.

/** Pauses before each further try, in milliseconds; a `Retry-After` of the server counts instead, up to a minute. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
const LONGEST_PAUSE = 60_000;
/** How many characters of a server's words are shown. */
const WORDS = 300;

/**
 * One delivery. `show(state, message)` is called with `sending`, `retrying`, `sent` or `failed`.
 * Network errors, 408, 429 and 5xx are tried again by themselves; any other 4xx is final, with the server's words, until
 * `again()`. The body and the key never change.
 */
export class Delivery {
  #request;
  #show;
  #timer;
  #tries = 0;
  #busy = false;
  #done = false;
  #stopped = false;

  constructor({ url, body, key }, show) {
    this.#request = {
      url,
      init: {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": key },
        body,
        credentials: "same-origin",
        redirect: "follow",
      },
    };
    this.#show = show;
    globalThis.addEventListener?.("online", this.#online);
    this.#send();
  }

  /** Tries at once, from the first pause on again. */
  again() {
    this.#tries = 0;
    this.#send();
  }

  /** Ends all further tries. What is on its way stays on its way. */
  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    globalThis.removeEventListener?.("online", this.#online);
  }

  #online = () => this.again();

  async #send() {
    if (this.#busy || this.#done || this.#stopped) return;
    clearTimeout(this.#timer);
    this.#busy = true;
    this.#report("sending");
    const outcome = await this.#post();
    this.#busy = false;
    if (outcome.sent) {
      this.#done = true;
      this.stop();
      this.#show("sent");
    } else if (outcome.final || this.#tries >= PAUSES.length) {
      this.#report("failed", outcome.message);
    } else {
      const pause = Math.min(outcome.pause ?? PAUSES[this.#tries], LONGEST_PAUSE);
      this.#tries += 1;
      this.#report("retrying");
      if (!this.#stopped) this.#timer = setTimeout(() => this.#send(), pause);
    }
  }

  async #post() {
    try {
      const response = await fetch(this.#request.url, this.#request.init);
      if (response.ok) return { sent: true };
      const again = response.status === 408 || response.status === 429 || response.status >= 500;
      const message = await words(response);
      return again ? { pause: retryAfter(response), message } : { final: true, message };
    } catch {
      return {};
    }
  }

  #report(state, message) {
    if (!this.#stopped) this.#show(state, message);
  }
}

/** `Retry-After` (RFC 9110, section 10.2.3) in milliseconds. */
function retryAfter(response) {
  const value = response.headers.get("Retry-After");
  if (!value) return undefined;
  const pause = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(pause) ? Math.max(pause, 0) : undefined;
}

/** What a server says of a refusal: the message of a JSON body (RFC 9457 names among others), or a plain text. */
async function words(response) {
  const text = await response.text().catch(() => "");
  const type = response.headers.get("Content-Type") ?? "";
  let said = type.includes("html") ? "" : text;
  if (type.includes("json")) {
    try {
      const body = JSON.parse(text);
      said = [body.message, body.detail, body.error?.message, body.error, body.title].find((one) => typeof one === "string") ?? "";
    } catch {
      // Not the JSON that it claims to be: its text is shown.
    }
  }
  return said.trim().slice(0, WORDS) || `${response.status} ${response.statusText}`.trim();
}
