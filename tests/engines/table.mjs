// The table in README.md of what was tested where, made from the results of `cargo xtask hosts`: `node table.mjs NOTES`. Fails if README.md
// differs; with WRITE=1 it writes README.md.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROJECTS } from "../packaging/projects.mjs";

const [notes] = process.argv.slice(2);
const readme = fileURLToPath(new URL("../../README.md", import.meta.url));
const [BEGIN, END] = ["<!-- the table of hosts: made by `cargo xtask hosts` -->", "<!-- the end of the table of hosts -->"];

/** The share of an engine's tests that passed, rounded down to 20 %, so that the page does not change with every test. The other tests state why they are skipped. */
const share = ({ passed, all }) => `at least ${Math.floor((5 * passed) / all) * 20} %`;

/** What a host's suites came to: how many tests passed, and how many there are. */
function came(host) {
  const text = readFileSync(join(notes, `${host}.tap`), "utf8");
  const count = (what) => Number(text.match(new RegExp(`^# ${what} (\\d+)$`, "m"))[1]);
  if (count("fail") || count("cancelled")) throw new Error(`${host} has not passed`);
  const passed = (name) => new RegExp(`^ok \\d+ - ${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`, "m").test(text);
  return { passed: count("pass"), all: count("pass") + count("skipped"), has: passed };
}

const [packaging, firefox, webkit] = ["packaging", "firefox", "webkit"].map(came);
const projects = Object.keys(PROJECTS).filter((name) => packaging.has(`the packed package works in a new project: ${name}`));
const rows = [
  ["every vector in the form, every prompt with the keyboard and axe, fields, pages", `Chromium, in \`cargo xtask test\`; Firefox ESR, ${share(firefox)} of these tests; WebKitGTK, ${share(webkit)}, both with every fourth vector and in \`cargo xtask soak\` with all. Each skipped test states why`],
  ["the other browser tests: delivery, JSON, a conversation with a host, frames, an MCP App, a hostile page", "Chromium, in `cargo xtask test`, the MCP App in `cargo xtask hosts`; Firefox ESR and WebKitGTK, in `cargo xtask soak`"],
  ["the packed package in a new project with the tool's default settings", projects.join("; ")],
  ["React 18 and 19, Vue 3, Svelte 5 and Solid: parents that render at every keystroke, reordered lists, portals, Suspense, KeepAlive, dialogs, hot reload, removal", came("frameworks").passed ? "Chromium, under a strict content security policy; in `cargo xtask soak` also Firefox ESR and WebKitGTK" : ""],
  ["chats with the AI SDK, assistant-ui, CopilotKit, the OpenAI Agents SDK and Mastra: answers, Reply, End turn, wrong calls, several calls, reloads, a model that fails", "in `cargo xtask soak`: Chromium, under a strict content security policy, with a scripted model and no network"],
  ["the Leptos component in an application: an answer, a schema, another request, removal", came("leptos").passed ? "Chromium, under a strict content security policy" : ""],
  ["the WebAssembly component: every vector, random conversations; hostile values in Node", "in `cargo xtask soak`: wasmtime in Go; jco in Node"],
  ["the host in JavaScript: killed at every moment, stores that fail, every rule of docs/delivery.md", "in `cargo xtask soak`: SQLite, PostgreSQL; node:http, Express, Fastify, Hono, Next.js; Deno, Bun, workerd"],
  ["the wheel for Python: every vector, random conversations, hostile values, types", "in `cargo xtask soak`: CPython, with mypy and pyright"],
  ["a host in Python: delivery with FastAPI, interrupts of LangGraph, processes that are killed", "in `cargo xtask soak`: CPython and Chromium, with SQLite"],
  ["a desktop shell, with the keyboard", "in `cargo xtask soak`: wry on WebKitGTK"],
  ["OpenTelemetry's own code reads what the agent host exports; a collector that fails; no answer in it", "in `cargo xtask soak`: its packages for JavaScript"],
  ["Electron", came("electron").passed ? "its types; its main process, tested against docs/delivery.md; its page, preload script and IPC in Chromium. Not Electron itself" : ""],
];
const table = [BEGIN, "| what | where |", "| --- | --- |", ...rows.map((row) => `| ${row.join(" | ")} |`), END].join("\n");

const page = readFileSync(readme, "utf8");
const now = page.slice(page.indexOf(BEGIN), page.indexOf(END) + END.length);
if (now !== table) {
  if (process.env.WRITE !== "1") {
    console.error(`The table in README.md does not match this run. Run WRITE=1 cargo xtask hosts, or write:\n${table}`);
    process.exit(1);
  }
  writeFileSync(readme, page.replace(now, () => table));
}
