// Whether a client has received an answer. That it was written says little: the connection may have been cut, or the client killed, before it was read.

/**
 * @import { EventEmitter } from "node:events"
 */

/**
 * What is needed of a socket.
 * @typedef {EventEmitter & { destroyed?: boolean }} Line
 */

/**
 * What a client says of an answer: see `heard`.
 * @typedef {"has" | "unsure" | "cut" | "lost"} What
 */

/** How long a connection must stay whole after an answer was written, until that counts as read, in milliseconds. The system ends those of a client that is gone. */
export const SETTLES = 1_000;

/** An answer on its way to a client. */
export class Delivery {
  /** @type {"waits" | "written" | "had" | "unsure"} */
  #state = "waits";
  /** @type {number | undefined} */
  #since;
  #isDead = false;
  /** @type {(what: What) => unknown} */
  #hear = () => undefined;
  /** @type {() => void} */
  #write = () => undefined;
  /**
   * Resolves when the answer was written to a connection, or never will be.
   * @type {Promise<void>}
   */
  written = new Promise((resolve) => (this.#write = resolve));

  /** Whether it may just be read: it was written, the connection is whole, and the time that that takes is not over. */
  get isUnderWay() {
    return this.#state === "written";
  }

  /** Whether nothing more comes of it. */
  get isOver() {
    return this.#state === "had" || (this.#isDead && this.#state === "waits");
  }

  /**
   * Calls `hear` when the client has the answer (`has`), when nobody can say that (`unsure`), when it has not got it (`cut`), and when it has not got what it
   * seemed to have (`lost`).
   * @param {(what: What) => unknown} hear
   */
  heard(hear) {
    this.#hear = hear;
  }

  writes() {
    if (this.#state !== "had") this.#state = "written";
    this.#write();
  }

  has() {
    if (this.#state === "had") return;
    this.#state = "had";
    this.#write();
    this.#hear("has");
  }

  /** The connection has ended as it does where everything was read, and also where a proxy was cut. */
  ends() {
    if (this.#state !== "written") return;
    [this.#state, this.#since] = ["unsure", Date.now()];
    this.#hear("unsure");
  }

  /** The connection has ended before everything was read. */
  cut() {
    const before = this.#state;
    this.#state = "waits";
    if (before !== "waits") this.#hear(before === "had" ? "lost" : "cut");
  }

  /** The client has sent something else. What was sent at the same moment says nothing. */
  later() {
    if (this.#state === "unsure" && Date.now() - /** @type {number} */ (this.#since) >= SETTLES) this.has();
  }

  /** The client has ended the session by itself: it has what came through. */
  closes() {
    if (["written", "unsure"].includes(this.#state)) this.has();
  }

  /** It is not written any more. */
  dies() {
    this.#isDead = true;
    this.#write();
    if (this.#state === "waits") this.#hear("cut");
  }
}

/** A connection on which answers are written: that of a socket, or of a pipe. */
export class Connection {
  /** @type {WeakMap<Line, Connection>} */
  static #all = new WeakMap();
  /**
   * The timer of each delivery.
   * @type {Map<Delivery, NodeJS.Timeout>}
   */
  #carried = new Map();
  /** @type {Line | undefined} */
  #socket;

  /**
   * That of a socket.
   * @param {Line} socket
   */
  static of(socket) {
    const one = Connection.#all.get(socket) ?? new Connection(socket);
    Connection.#all.set(socket, one);
    return one;
  }

  /**
   * Another request comes on a socket: what was written there before was read.
   * @param {Line} socket
   */
  static goesOn(socket) {
    Connection.#all.get(socket)?.comes();
  }

  /** @param {Line} [socket] */
  constructor(socket) {
    this.#socket = socket;
    // A reset is an error first. The end is heard later than what comes on other connections at the same moment.
    socket?.once("error", () => this.ends(true)).once("close", (isReset) => this.ends(isReset));
  }

  /**
   * An answer was written.
   * @param {Delivery} delivery
   */
  carries(delivery) {
    if (this.#socket?.destroyed) return delivery.cut();
    delivery.writes();
    const settles = () => {
      // A socket may still say that it was not read.
      if (!this.#socket) this.#carried.delete(delivery);
      delivery.has();
    };
    this.#carried.set(delivery, setTimeout(settles, SETTLES).unref());
  }

  /** The client sends another request on this connection. */
  comes() {
    for (const [delivery, timer] of this.#carried) {
      clearTimeout(timer);
      delivery.has();
    }
    this.#carried.clear();
  }

  /**
   * The connection has ended. One is reset where it was closed with something unread.
   * @param {boolean} isReset
   */
  ends(isReset) {
    for (const [delivery, timer] of this.#carried) {
      clearTimeout(timer);
      if (isReset) delivery.cut();
      else delivery.ends();
    }
    this.#carried.clear();
  }
}
