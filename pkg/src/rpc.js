// JSON-RPC 2.0 with the window that holds this one: requests both ways, notifications both ways. Knows no form.

const METHOD_NOT_FOUND = -32601;

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

  async #hear({ id, method, params, result, error }, origin) {
    if (method === undefined) {
      const waiting = this.#open.get(id);
      if (!waiting) return;
      this.#open.delete(id);
      this.#origin = origin;
      return error ? waiting.reject(new Error(String(error.message ?? "The host says no."))) : waiting.resolve(result ?? {});
    }
    const known = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (id === undefined) return known?.(params ?? {});
    if (known) this.#post({ jsonrpc: "2.0", id, result: (await known(params ?? {})) ?? {} });
    else this.#post({ jsonrpc: "2.0", id, error: { code: METHOD_NOT_FOUND, message: `There is no method ${JSON.stringify(method)} here.` } });
  }
}
