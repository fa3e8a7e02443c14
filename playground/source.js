// Writes a JSON value as JavaScript that a person would write: names without quotes where they need none, and on one line what fits there.

/** How long a line may get. */
const WIDTH = 100;
const NAME = /^[A-Za-z_$][\w$]*$/;

/** The source of a value that begins in a line that is indented by so many spaces. */
export function source(value, indent = 0) {
  const short = onOneLine(value);
  if (indent + short.length <= WIDTH || value === null || typeof value !== "object" || short.length <= 2) return short;
  const [inner, outer] = [" ".repeat(indent + 2), " ".repeat(indent)];
  const items = Array.isArray(value)
    ? value.map((item) => source(item, indent + 2))
    : Object.entries(value).map(([name, item]) => `${named(name)}: ${source(item, indent + 2)}`);
  const [begin, end] = Array.isArray(value) ? "[]" : "{}";
  return `${begin}\n${items.map((item) => `${inner}${item},\n`).join("")}${outer}${end}`;
}

function onOneLine(value) {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const items = Object.entries(value).map(([name, item]) => `${named(name)}: ${onOneLine(item)}`);
  return items.length ? `{ ${items.join(", ")} }` : "{}";
}

const named = (name) => (NAME.test(name) ? name : JSON.stringify(name));
