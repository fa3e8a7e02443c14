// Lets tests run on a snapshot of the package: where ASK_USER_DIST names a folder, imports of files in pkg/dist give the files of that folder. Loaded by `node --import`.
import { register } from "node:module";
import { pathToFileURL } from "node:url";
import { isMainThread } from "node:worker_threads";

const folder = (path) => pathToFileURL(path).href.replace(/\/?$/, "/");
const DIST = new URL("../pkg/dist/", import.meta.url).href;
const SNAPSHOT = process.env.ASK_USER_DIST && folder(process.env.ASK_USER_DIST);

// The file is loaded twice: in a process, where it registers itself, and in the thread of its hooks.
if (isMainThread && SNAPSHOT) register(import.meta.url);

/** The hook of Node that finds a module. */
export async function resolve(specifier, context, next) {
  const mapped = (url) => (url.startsWith(DIST) ? SNAPSHOT + url.slice(DIST.length) : url);
  const relative = /^(?:\.{0,2}\/|file:)/.test(specifier) && context.parentURL ? new URL(specifier, context.parentURL).href : specifier;
  if (relative.startsWith(DIST)) return next(mapped(relative), context);
  if (!/^ask-user(?:\/|$)/.test(specifier)) return next(specifier, context);
  // The package's own file may not be there: the error says which it is.
  const { url } = await next(specifier, context).catch((error) => (typeof error.url === "string" ? error : Promise.reject(error)));
  const [, name] = /\/ask-user\/dist\/(.+)$|$/.exec(url);
  return name ? next(SNAPSHOT + name, context) : next(mapped(url), context);
}
