// JSON-RPC 2.0 with the window that holds this one: requests both ways, notifications both ways. Knows no form.

/**
 * The parameters of a request or a notification, as whoever sends it has written them.
 * @typedef {{ [name: string]: any }} Params
 */

/** @typedef {{ jsonrpc: "2.0", id?: string | number, method?: string, params?: Params, result?: any, error?: { code: number, message: string } }} Message */

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/**
 * Speaks with `host`, and with nobody else. `methods` answers its requests and hears its notifications, by name. Whoever answers first decides the origin
 * that is spoken to from then on, where it has one: a view in a sandbox cannot know it before.
 */
export class Rpc {
  /** @type {Window} */
  #host;
  /** @type {{ [name: string]: (params: Params) => unknown }} */
  #methods;
  /** @type {Map<unknown, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #open = new Map();
  #asked = 0;
  /** @type {string | undefined} */
  #origin;

  /**
   * @param {Window} host
   * @param {{ [name: string]: (params: Params) => unknown }} methods
   */
  constructor(host, methods) {
    this.#host = host;
    this.#methods = methods;
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== host || (this.#origin ?? origin) !== origin || data?.jsonrpc !== "2.0") return;
      this.#hear(data, origin);
    });
  }

  /**
   * @param {string} method
   * @param {Params} params
   */
  notify(method, params = {}) {
    this.#post({ jsonrpc: "2.0", method, params });
  }

  /**
   * The result; fails with what the host says of the error.
   * @param {string} method
   * @param {Params} params
   * @returns {Promise<any>}
   */
  request(method, params = {}) {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#post({ jsonrpc: "2.0", id, method, params });
    });
  }

  /** @param {Message} message */
  #post(message) {
    this.#host.postMessage(message, this.#origin && this.#origin !== "null" ? this.#origin : "*");
  }

  /**
   * @param {Message} message
   * @param {string} origin
   */
  #hear({ id, method, params, result, error }, origin) {
    if (method === undefined) {
      const waiting = this.#open.get(id);
      if (!waiting) return;
      this.#open.delete(id);
      this.#origin = origin;
      const { message } = error || {};
      return error ? waiting.reject(new Error(typeof message === "string" ? message : "The host says no.")) : waiting.resolve(result ?? {});
    }
    // Of another type no method is named, and nobody is told apart.
    if (typeof method !== "string" || !["string", "number", "undefined"].includes(typeof id)) return;
    this.#call(id, method, params ?? {});
  }

  /**
   * @param {Message["id"]} id
   * @param {string} method
   * @param {Params} params
   */
  async #call(id, method, params) {
    const known = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    /** @type {(said: Pick<Message, "result" | "error">) => void} */
    const answer = (said) => id !== undefined && this.#post({ jsonrpc: "2.0", id, ...said });
    if (!known) return answer({ error: { code: METHOD_NOT_FOUND, message: "There is no such method here." } });
    try {
      answer({ result: (await known(params)) ?? {} });
    } catch (error) {
      globalThis.reportError?.(error);
      // What failed here is nothing that the host should read.
      answer({ error: { code: INTERNAL_ERROR, message: "The method failed." } });
    }
  }
}
