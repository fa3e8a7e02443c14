// Loaded into the server of a recipe (`node --import`): refuses every connection and name lookup that leaves this machine, and says so on standard error.
// The test of the recipe fails where that line appears: what a framework reports home, or fetches, is found here.
import dns from "node:dns";
import net from "node:net";

const HERE = /^(localhost|127\.0\.0\.1|::1|)$/;
const refuse = (host) => {
  console.error(`${OUTSIDE} ${host}`);
  return Object.assign(new Error(`${host} is not on this machine`), { code: "ENOTFOUND" });
};
/** What the line begins with. */
export const OUTSIDE = "leaves this machine:";

const { lookup } = dns;
/** @type {any} */ (dns).lookup = (host, ...more) => {
  if (HERE.test(host ?? "")) return /** @type {any} */ (lookup)(host, ...more);
  const error = refuse(host);
  process.nextTick(more.at(-1), error);
  return {};
};
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...given) {
  // `net.connect` hands its arguments over as a list.
  const [options] = Array.isArray(given[0]) ? given[0] : given;
  const host = options?.host ?? (typeof given[1] === "string" ? given[1] : undefined);
  if (host && net.isIP(host) && !HERE.test(host)) {
    process.nextTick(() => this.destroy(refuse(host)));
    return this;
  }
  return connect.apply(this, /** @type {any} */ (given));
};
