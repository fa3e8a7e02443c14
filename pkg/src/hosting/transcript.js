// The lines of a conversation as they are stored and told, and as the agent sees them.

/** What the person said. */
export const said = (text) => message({ role: "user", text });

/** What the model responded. `raw` is for the agent alone. */
export const responded = ({ text, calls, raw }) => message({ role: "assistant", text, calls, ...(raw === undefined ? {} : { raw }) });

/** Something went wrong, for the person alone. `try_again` says whether the same request makes sense again. */
export const failed = (text, mayTryAgain) => message({ role: "error", text, try_again: mayTryAgain });

/** What a tool gave, with the content as JSON text. `secret` is the nonce of the question whose secrets are redacted in it. */
export function resulted({ call_id, is_error }, content, secret) {
  const more = secret === undefined ? "" : `,"secret":${JSON.stringify(secret)}`;
  return { kind: "message", text: `{"role":"tool","call_id":${JSON.stringify(call_id)},"content":${content},"is_error":${is_error}${more}}` };
}

const message = (line) => ({ kind: "message", text: JSON.stringify(line) });

/** A stored line as clients hear it. */
export function told(text) {
  const line = JSON.parse(text);
  if (line.raw === undefined && line.secret === undefined) return text;
  const { raw: _, secret: __, ...public_ } = line;
  return JSON.stringify(public_);
}

/** A stored line as the agent sees it. It does not see the errors that the person was told. `secrets` has results with their secrets, by the nonces of their questions. */
export function entry(text, secrets = new Map()) {
  const { role, text: words, calls, raw, call_id: callId, content, is_error: isError, secret } = JSON.parse(text);
  if (role === "user") return { role, text: words };
  if (role === "assistant") return { role, text: words, calls, ...(raw === undefined ? {} : { raw }) };
  // The text keeps digits that a number of JavaScript does not hold.
  const whole = secrets.get(secret);
  if (role === "tool") return { role, callId, content: whole ? JSON.parse(whole) : content, contentText: whole ?? contentOf(text), isError };
  return undefined;
}

/** A transcript in which the results of the calls of a response have the order of the calls, whichever was answered first. */
export function ordered(messages) {
  const places = new Map();
  const placed = messages.map((message, place) => {
    for (const [number, { id }] of (message.calls ?? []).entries()) places.set(id, place + 1 + number);
    return [message.role === "tool" ? (places.get(message.callId) ?? place) : place, message];
  });
  return placed.sort(([one], [other]) => one - other).map(([, message]) => message);
}

/** The content of a tool's line, as the JSON text that it was stored as. */
const contentOf = (text) => text.slice(text.indexOf(',"content":', text.indexOf('"call_id":')) + 11, text.lastIndexOf(',"is_error":'));
