// How two windows come to a port of their own: the page says hello, the host hands over a port, and from then on only the port speaks.
// A message from any other window or origin is not heard. Knows no form.

/** @import { Refused, Transport } from "../../types/channel.js" */

/** @typedef {(fault: Refused) => void} Refuse */

const HELLO = "ask-user:hello";
const PORT = "ask-user:port";
/** Milliseconds before the page says hello again, at first and at most. */
const PAUSE = 500;
const LONGEST_PAUSE = 5_000;

/**
 * A transport over a port.
 * @param {MessagePort} port
 * @returns {Transport}
 */
export function overPort(port) {
  return {
    post: (text) => port.postMessage(text),
    listen(heard) {
      /** @type {(event: MessageEvent) => void} */
      const on = ({ data }) => heard(data);
      port.addEventListener("message", on);
      port.start();
      return () => (port.removeEventListener("message", on), port.close());
    },
  };
}

/**
 * Gives the page in `target` a port whenever it says hello; its other end goes to `offered`. Ends by the function that it gives.
 * @param {Window} target
 * @param {string | undefined} origin
 * @param {(transport: Transport) => void} offered
 * @param {Refuse} refused
 */
export function offer(target, origin, offered, refused) {
  return listen(target, origin, ({ data }) => {
    if (data !== HELLO) return refused({ code: "malformed", message: "The page says hello, and the host hands over a port." });
    const { port1, port2 } = new MessageChannel();
    offered(overPort(port1));
    target.postMessage(PORT, addressed(origin), [port2]);
  }, refused);
}

/**
 * Waits in a page for the port of its host, the window `source` of that origin, and gives it to `taken`; later ones are refused.
 * @param {Window} source
 * @param {string | undefined} origin
 * @param {(transport: Transport) => void} taken
 * @param {Refuse} refused
 */
export function accept(source, origin, taken, refused) {
  let there = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let again;
  const end = listen(source, origin, ({ data, ports }) => {
    if (data !== PORT || ports.length !== 1) return refused({ code: "malformed", message: "The host hands over one port." });
    if (there) return refused({ code: "repeated", message: "The page has the port of its host." });
    there = true;
    clearTimeout(again);
    taken(overPort(ports[0]));
  }, refused);
  // The host may begin to listen after the page.
  /** @type {(pause: number) => void} */
  const hello = (pause) => {
    source.postMessage(HELLO, addressed(origin));
    again = setTimeout(hello, pause, Math.min(2 * pause, LONGEST_PAUSE));
  };
  hello(PAUSE);
  return () => (clearTimeout(again), end());
}

/**
 * @param {Window} source
 * @param {string | undefined} origin
 * @param {(event: MessageEvent) => void} heard
 * @param {Refuse} refused
 * @returns {() => void}
 */
function listen(source, origin, heard, refused) {
  if (typeof origin !== "string" || !/^(null|[a-z][a-z0-9+.-]*:\/\/[^/*?#]+)$/i.test(origin)) {
    throw new TypeError(`Name the origin of the other window, such as "https://chat.example", not ${JSON.stringify(origin)}.`);
  }
  /** @type {(event: MessageEvent) => void} */
  const on = (event) => {
    // What other windows say, to whomever, is no business of ours.
    if (event.data !== HELLO && event.data !== PORT) return;
    if (event.source !== source || event.origin !== origin) {
      return refused({ code: "wrong_origin", message: `A message from ${event.origin} is not heard here.` });
    }
    heard(event);
  };
  addEventListener("message", on);
  return () => removeEventListener("message", on);
}

/**
 * An opaque origin (a sandboxed frame, `file://`) has no name that a message could be addressed to.
 * @type {(origin: string | undefined) => string}
 */
const addressed = (origin) => (origin === "null" ? "*" : /** @type {string} */ (origin));
