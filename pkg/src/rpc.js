// JSON-RPC 2.0 with the window that holds this one: requests both ways, notifications both ways. Knows no form.

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/**
 * Speaks with `host`, and with nobody else. `methods` answers its requests and hears its notifications, by name. Whoever answers first decides the origin
 * that is spoken to from then on, where it has one: a view in a sandbox cannot know it before.
 */
export class Rpc {
  #host;
  #methods;
  #open = new Map();
  #asked = 0;
  #origin;

  constructor(host, methods) {
    this.#host = host;
    this.#methods = methods;
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== host || (this.#origin ?? origin) !== origin || data?.jsonrpc !== "2.0") return;
      this.#hear(data, origin);
    });
  }

  notify(method, params = {}) {
    this.#post({ jsonrpc: "2.0", method, params });
  }

  /** The result; fails with what the host says of the error. */
  request(method, params = {}) {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#post({ jsonrpc: "2.0", id, method, params });
    });
  }

  #post(message) {
    this.#host.postMessage(message, this.#origin && this.#origin !== "null" ? this.#origin : "*");
  }

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

  async #call(id, method, params) {
    const known = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
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
