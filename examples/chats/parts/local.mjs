// A server for the person at this machine: strict headers, bodies of limited size, and no requests from pages of other origins. There are no accounts.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { secureHeaders } from "hono/secure-headers";

const SELF = "'self'";
const POLICY = { defaultSrc: ["'none'"], scriptSrc: [SELF, "'wasm-unsafe-eval'"], styleSrc: [SELF], connectSrc: [SELF] };

/** The app, to which routes below `/api` are added. `policy` has what a page needs beyond the strict content security policy. */
export function localApp(policy = {}) {
  const app = new Hono();
  app.use(secureHeaders({ contentSecurityPolicy: { ...POLICY, ...policy } }));
  app.use("/api/*", bodyLimit({ maxSize: 8 * 1024 * 1024 }), async (c, next) => {
    // A page of another site can send requests here, and can give its own name this machine's address.
    const { host, origin } = c.req.header();
    const isOurs = /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host) && [undefined, `http://${host}`].includes(origin);
    return isOurs ? next() : c.json({ message: "The page is of another origin." }, 403);
  });
  return app;
}

/** Adds the files of a folder, named by a file URL. */
export function files(app, folder, path = "") {
  const root = relative(process.cwd(), fileURLToPath(folder));
  app.use(`${path}/*`, serveStatic({ root, rewriteRequestPath: (url) => url.slice(path.length) }));
}

/** Listens on the port that the command line names: `--port 5181`. */
export function listen(app) {
  const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
  serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => console.log(`The chat is at http://localhost:${port}`));
}
