// A host that is heard, for tests: a stream of events at `/events`, and what is posted to `/answers`. It stands in front of the server of a browser test.

export class Stream {
  #listeners = new Set();
  /**
   * The last event, for who comes later.
   * @type {any}
   */
  #last;
  /**
   * What was posted, in order: `{ key, body }`.
   * @type {any[]}
   */
  posted = [];
  /** The status of each answer, by its call; 200 without one. */
  status = {};

  /** Between a request and its answer: `browser.meddle = stream.meddle`. */
  /** @type {import("./browser.mjs").Meddle} */
  meddle = (request, response, forward) => {
    const { pathname } = new URL(String(request.url), "http://localhost");
    if (pathname === "/events") return this.#listen(response);
    if (pathname === "/answers/respond" && request.method === "POST") return void this.#take(request, response);
    return forward();
  };

  /**
   * Tells all who listen, and who comes later.
   * @param {any} event
   */
  say(event) {
    this.#last = `event: state_change\ndata: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
    for (const listener of this.#listeners) listener.write(this.#last);
  }

  /** Whether anybody listens. Who does has been told the last event. */
  get isHeard() {
    return this.#listeners.size > 0;
  }

  /** Ends all streams. */
  close() {
    for (const listener of this.#listeners) listener.end();
  }

  /** @param {import("node:http").ServerResponse} response */
  #listen(response) {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
    response.flushHeaders();
    if (this.#last) response.write(this.#last);
    this.#listeners.add(response);
    response.on("close", () => this.#listeners.delete(response));
  }

  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  async #take(request, response) {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const body = JSON.parse(text);
    this.posted.push({ key: request.headers["idempotency-key"], outcome: request.headers["ask-user-outcome"], body });
    const status = /** @type {{ [call: string]: any }} */ (this.status)[body.tool_call_id] ?? 200;
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify({ message: "The host says no." }));
  }
}
