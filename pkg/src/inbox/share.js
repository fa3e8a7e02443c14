// Where else than on this machine the page of the inbox can be opened: at the machine's own addresses in its network, and at the address of a reverse proxy. What a terminal shows of that.
import { networkInterfaces } from "node:os";
import { renderUnicodeCompact } from "uqr";

/**
 * @import { IncomingMessage } from "node:http"
 * @import { NetworkInterfaceInfo } from "node:os"
 */

/** What a proxy adds to a request that it passes on. */
const PASSED_ON = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/** What the paths of the inbox begin with. */
const OWN = ["s", "health", "codes", "session", "questions", "receipts", "mcp", "locales"];

/** The addresses of this machine in its networks: IPv4 alone. */
export const inNetwork = (interfaces = networkInterfaces()) => [...new Set(/** @type {NetworkInterfaceInfo[]} */ (Object.values(interfaces).flat()).filter(({ family, internal }) => family === "IPv4" && !internal).map(({ address }) => address))];

/**
 * The address at which a reverse proxy has the inbox, with a slash at its end.
 * @param {string} text
 */
export function publicAddress(text) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.password || url.search || url.hash) throw new Error("--public must be the address of a page, such as https://home.example/inbox/, without a question mark, a name or a password.");
  if (OWN.includes(url.pathname.split("/")[1])) throw new Error(`--public must have a path that does not begin with /${url.pathname.split("/")[1]}: the inbox uses that itself.`);
  return new URL(url.href.replace(/\/*$/, "/"));
}

/**
 * Whether something has passed a request on that another machine may have sent.
 * @type {(incoming: IncomingMessage) => boolean}
 */
export const isPassedOn = ({ socket, headers }) => !/^(::ffff:)?127\./.test(socket.remoteAddress ?? "") || PASSED_ON.some((name) => headers[name] !== undefined);

/**
 * What a terminal shows of the addresses for other devices: the first one as a code for the camera of a phone, in black and white whatever colours the terminal has, and what it means.
 * @param {string[]} addresses
 */
export function announcement(addresses, isColoured = false) {
  const [first] = addresses;
  const isOpen = addresses.some((address) => address.startsWith("http:"));
  const meaning = [
    "Whoever has one of these addresses first can see and answer every question, until you delete devices.json.",
    ...(isOpen ? ["Nothing encrypts http: others in this network can read and change what is sent. Use it in a network that you trust alone."] : []),
  ];
  const code = renderUnicodeCompact(first, { border: 2 });
  const shown = isColoured ? code.replace(/^.*$/gm, "\u001b[97;40m$&\u001b[0m") : code;
  return `From another device, open\n\n${addresses.map((address) => `  ${address}`).join("\n")}\n\n${shown}\n\n${meaning.join("\n")}\n`;
}
