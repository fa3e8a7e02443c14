// Delivery of a result, once, however often it must be sent: by HTTP, or as a host has it. Knows no form; the element shows its state.

/** Pauses before each further try, in milliseconds; a `Retry-After` of the server counts instead, up to a minute. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
const LONGEST_PAUSE = 60_000;
/** How many bytes a page that is left may still send: the Fetch standard allows 64 KiB for all of a page's requests (HTTP-network-or-cache fetch, step 8.10). */
const KEPT_ALIVE = 60_000;
/** How many characters of a server's words are shown. */
const WORDS = 300;

/**
 * One try by HTTP. Network errors, 408, 429 and 5xx are to be tried again; any other 4xx is final, with the server's words. The body and
 * the key never change.
 */
export const byHttp = ({ url, body, key }) => async () => {
  try {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    // A page that is closed right after the answer still sends it.
    const keepalive = new Blob([body]).size <= KEPT_ALIVE;
    const response = await fetch(url, { method: "POST", headers, body, keepalive, credentials: "same-origin", redirect: "follow" });
    if (response.ok) return { sent: true };
    const again = response.status === 408 || response.status === 429 || response.status >= 500;
    const message = await words(response);
    return again ? { pause: retryAfter(response), message } : { final: true, message };
  } catch {
    return {};
  }
};

/** One try by a function of the host; what it throws is final. */
export const byHost = (deliver, end) => async () => {
  try {
    await deliver(end);
    return { sent: true };
  } catch (error) {
    return { final: true, message: String(error?.message ?? error).slice(0, WORDS) };
  }
};

/**
 * One delivery by tries, each `{ sent }`, or `{ final }`, with a `message`, or to be made again, perhaps after a `pause`. `show(state, message)` is
 * called with `sending`, `retrying`, `sent` or `failed`. What is final stays so until `again()`.
 */
export class Delivery {
  #try;
  #show;
  #timer;
  #tries = 0;
  #busy = false;
  #done = false;
  #stopped = false;

  constructor(attempt, show) {
    this.#try = attempt;
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
    const outcome = await this.#try();
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
