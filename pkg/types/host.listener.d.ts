// A host or an inbox for servers that have no Request and Response: Node's own, Express and Fastify.
import type { Host, Inbox } from "./host.js";

/**
 * For `createServer` of node:http, and as a middleware of Express: what is none of the host's goes to `next`, or is answered with 404. The first two are Node's
 * `IncomingMessage` and `ServerResponse`.
 */
export function listener(host: Host | Inbox): (request: any, response: any, next?: (error?: any) => void) => Promise<void>;

/** For Fastify: `app.register(plugin(host))`. */
export function plugin(host: Host | Inbox): (app: any) => Promise<void>;
