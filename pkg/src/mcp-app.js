/**
 * The view of an MCP App (extension `io.modelcontextprotocol/ui`, version 2026-01-26): one HTML file that shows the questions of the tool call it was
 * made for, in any host that has such views. The call's arguments are the request, of any dialect.
 *
 * The answer goes to the server by the tool that the asking tool names in its `_meta`, as `"ask-user/answer"`, with `{ tool_call_id, walk, secrets }`, so
 * that the call which asks can wait for it and give it as its own result. Where there is none, or the host calls no tools for a view, the result goes to the
 * model as a message; secrets then go nowhere.
 */
import "./inline.js";
import { APP_NO_WASM, APP_NOBODY, APP_WITHDRAWN } from "../build/words.js";
import { wasm } from "./anywhere.js";
import { initialize } from "./ask-user.js";
import { find, load } from "./locales.js";
import { Rpc } from "./rpc.js";
import { Words } from "./words.js";

/**
 * @import { AskUser, Host } from "../types/ask-user.js"
 * @import { Word } from "./words.js"
 */

/**
 * What the host can do.
 * @typedef {{ openLinks?: object, serverTools?: object, message?: object, updateModelContext?: object }} Can
 */

/**
 * Where the view stands.
 * @typedef {{ theme?: string, styles?: { variables?: { [name: string]: unknown } }, locale?: string, toolInfo?: { id?: string | number, tool?: { _meta?: { [name: string]: unknown } } } }} Context
 */

const VERSION = "2026-01-26";
const APP = { name: "ask-user", version: "0.1.0" };
/**
 * What a host names, and what it sets of ours.
 * @type {{ [name: string]: string }}
 */
const LOOKS = {
  "--color-text-primary": "text",
  "--color-text-secondary": "muted",
  "--color-text-danger": "error",
  "--color-background-primary": "surface",
  "--color-border-primary": "line",
  "--color-background-inverse": "accent",
  "--color-text-inverse": "on-accent",
  "--border-radius-md": "radius",
  "--font-sans": "font",
  "--font-mono": "mono",
};

/** @type {HTMLElement} */
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const looks = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, looks];
/**
 * What the host can do, and where the view stands.
 * @type {Can}
 */
let can = {};
/** @type {Context} */
let context = {};
/** @type {AskUser | undefined} */
let element;
let ended = false;
const words = new Words();

const host = new Rpc(globalThis.parent, {
  "ui/notifications/tool-input": ({ arguments: request }) => show(request),
  // A call that waits for the answer has it; one that does not wait is over before anybody could answer.
  "ui/notifications/tool-result": () => answerTool() && close(),
  "ui/notifications/tool-cancelled": () => close(),
  "ui/notifications/host-context-changed": (changed) => applyContext(changed),
  "ui/resource-teardown": () => element?.remove(),
  ping: () => ({}),
});

new ResizeObserver(() => {
  const { width, height } = main.getBoundingClientRect();
  host.notify("ui/notifications/size-changed", { width: Math.ceil(width), height: Math.ceil(height) });
}).observe(main);
// A sandbox opens no windows: the host does, and asks the person before.
document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement[]} */ (event.composedPath()).find(({ localName }) => localName === "a");
  if (!link?.href || !can.openLinks) return;
  event.preventDefault();
  // No other link answers a question.
  const opened = () => link.matches("[data-open]") && /** @type {HTMLElement | null | undefined} */ (element?.shadowRoot?.querySelector("[data-opened]"))?.click();
  host.request("ui/open-link", { url: link.href }).then(({ isError }) => isError || opened()).catch(reportError);
}, true);

begin();

async function begin() {
  if (!(await wasm())) initialize({ validator: () => Promise.reject(say(APP_NO_WASM)) });
  const appCapabilities = { availableDisplayModes: ["inline"] };
  const { hostCapabilities, hostContext } = await host.request("ui/initialize", { appInfo: APP, appCapabilities, protocolVersion: VERSION });
  can = hostCapabilities ?? {};
  applyContext(hostContext ?? {});
  host.notify("ui/notifications/initialized");
}

/**
 * Takes on the host's looks.
 * @param {Context} changed
 */
function applyContext(changed) {
  context = { ...context, ...changed };
  const { theme, styles, locale } = context;
  speak(locale);
  const named = Object.entries(styles?.variables ?? {}).filter(([name, value]) => Object.hasOwn(LOOKS, name) && typeof value === "string");
  looks.replaceSync(`:root { color-scheme: ${theme === "dark" || theme === "light" ? theme : "light dark"}; } ask-user {}`);
  const rule = /** @type {CSSStyleRule} */ (looks.cssRules[1]);
  for (const [name, value] of /** @type {[string, string][]} */ (named)) rule.style.setProperty(`--ask-user-${LOOKS[name]}`, value);
}

/**
 * Speaks the language of the host, as far as it can.
 * @param {unknown} tag
 */
async function speak(tag) {
  if (typeof tag !== "string" || tag === document.documentElement.lang) return;
  document.documentElement.lang = tag;
  const name = find(tag);
  const given = /** @type {import("../types/words.js").Words} */ ((name && (await load(name))) ?? {});
  if (document.documentElement.lang !== tag) return;
  document.documentElement.dir = given.direction ?? "ltr";
  words.set(name ? tag : "en", given);
}

/**
 * Shows the questions of the call.
 * @param {unknown} request
 */
async function show(request) {
  if (element) return;
  element = document.createElement("ask-user");
  element.addEventListener("ask-user-rejected", (event) => {
    const { detail } = event;
    event.preventDefault();
    tell({ result: detail.toolResult, resultText: JSON.stringify(detail.toolResult) }).catch(reportError);
  });
  for (const name of ["result", "end-turn"]) element.addEventListener(`ask-user-${name}`, () => (ended = true));
  const id = callId();
  element.host = { deliver, ...(id === undefined ? {} : { toolCallId: id }) };
  element.request = request ?? {};
  main.replaceChildren(element);
}

/** The id of the call, which JSON-RPC has as a string or a number. */
function callId() {
  const id = context.toolInfo?.id;
  return ["string", "number"].includes(typeof id) ? String(id) : undefined;
}

/** The tool that takes the answer, where the asking tool names one and the host calls it. */
function answerTool() {
  const name = context.toolInfo?.tool?._meta?.["ask-user/answer"];
  return typeof name === "string" && can.serverTools ? name : undefined;
}

/**
 * Takes the end to the server, or to the model.
 * @param {Parameters<NonNullable<Host["deliver"]>>[0]} end
 */
async function deliver(end) {
  const name = answerTool();
  if (name) {
    const called = { name, arguments: { tool_call_id: callId() ?? "", ...end.response } };
    const { isError, content } = await host.request("tools/call", called);
    if (isError) throw new Error(content?.find((/** @type {{ type: string }} */ { type }) => type === "text")?.text ?? words.say(APP_NOBODY));
    return;
  }
  await tell(end);
}

/**
 * Tells the model what came of the question.
 * @param {{ resultText?: string, result?: unknown, outcome?: Pick<import("../types/core.js").Outcome, "ends" | "explanation"> }} end
 */
async function tell({ result, resultText, outcome }) {
  const text = [resultText ?? JSON.stringify({ ends: /** @type {{ ends: string }} */ (outcome).ends }), outcome?.explanation].filter(Boolean).join("\n\n");
  const content = [{ type: "text", text }];
  if (can.message) {
    const { isError } = await host.request("ui/message", { role: "user", content });
    if (isError) throw new Error(words.say(APP_NOBODY));
  } else if (can.updateModelContext) {
    const structuredContent = typeof result === "object" && result && !Array.isArray(result) ? { structuredContent: result } : {};
    await host.request("ui/update-model-context", { content, ...structuredContent });
  } else {
    throw new Error(words.say(APP_NOBODY));
  }
}

/** The call is over: what nobody answered here is open no more. */
function close() {
  if (ended) return;
  ended = true;
  say(APP_WITHDRAWN);
}

/** @param {Word} word */
function say(word) {
  const said = document.createElement("p");
  said.setAttribute("role", "status");
  words.follow(said, () => (said.textContent = words.say(word)));
  main.replaceChildren(said);
}
