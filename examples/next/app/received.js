// What every route handler does first: it looks who asks, and reads the body.
import { find, Refused } from "./questions.js";

/** The cookie that says whose questions these are. A real app has the session of its own accounts. */
export const SESSION = "session";
/** Bytes of a body. */
const LARGEST = 8 * 1024 * 1024;
/** The names that this server goes by, each with its port, if it is not only reached from this machine: `HOSTS=app.example,www.app.example`. */
const NAMES = process.env.HOSTS?.split(",");

/** Gives a route handler of what `handle({ question, request })` returns or throws. */
export const handled = (handle) => async (request, { params }) => {
  try {
    ours(request);
    const { id } = (await params) ?? {};
    return await handle({ request, question: id && find(request.cookies.get(SESSION)?.value, id) });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return Response.json({ message: error.message, ...error.body }, { status: error.status, headers: error.headers });
  }
};

/** Refuses a request that names another host, or that a page of another origin has made. */
export function ours({ headers }) {
  const [host, origin] = [headers.get("host") ?? "", headers.get("origin")];
  const known = NAMES ? NAMES.includes(host) : /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host);
  if (!known || (origin !== null && origin !== `http://${host}` && origin !== `https://${host}`)) throw new Refused(403, "The page is of another origin.");
}

/** The body, an object in JSON. A form of another site can send no JSON. */
export async function json({ headers, body }) {
  if (!/^application\/json\s*(;|$)/i.test(headers.get("content-type") ?? "")) throw new Refused(415, "Send application/json.");
  const chunks = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    if ((size += chunk.length) > LARGEST) throw new Refused(413, "This is too large.");
    chunks.push(chunk);
  }
  try {
    return Object(JSON.parse(Buffer.concat(chunks).toString()));
  } catch {
    throw new Refused(400, "This is no JSON.");
  }
}
