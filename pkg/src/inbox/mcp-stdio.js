// The command `ask-user mcp`: the MCP server over standard input and output.
import { createInterface } from "node:readline";
import { UNREADABLE } from "./mcp-tools.js";
import { Mcp } from "./mcp.js";
import { Connection, Delivery } from "./received.js";

/**
 * @import { Readable, Writable } from "node:stream"
 * @import { Options, Send } from "./mcp.js"
 */

/**
 * Serves until the input ends. `definition` is that of `ask_user`. `wait` is after how many seconds a call stops waiting; undefined is never. `folder` is where the agent works. With `elicits`, the headless package, a client that
 * can ask the person is asked to, beside the inbox.
 * @param {Options & { input: Readable, output: Writable }} options
 */
export async function serveMcp({ client, definition, input, output, folder, wait, version, elicits, every }) {
  const pipe = new Connection();
  /** @type {Send} */
  const send = (message) => {
    const delivery = new Delivery();
    output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`, (error) => (error ? delivery.dies() : pipe.carries(delivery)));
    return delivery;
  };
  const server = new Mcp({ client, definition, folder, wait, version, elicits, every });
  const end = () => {
    pipe.ends(true);
    return server.end();
  };
  // The client may be gone before it says so.
  output.on("error", end);
  for await (const line of createInterface({ input, crlfDelay: Infinity })) if (line.trim()) hear(line, server, send);
  await end();
}

/**
 * Takes what stands in a line.
 * @param {string} line
 * @param {Mcp} server
 * @param {Send} send
 */
function hear(line, server, send) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return void send({ id: null, error: { code: UNREADABLE, message: "This is not JSON." } });
  }
  // Up to the version 2025-03-26, several messages could come as a list.
  for (const one of Array.isArray(message) ? message : [message]) server.take(one, send);
}
