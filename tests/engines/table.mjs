// The table in README.md of what was tried where, out of what `cargo xtask hosts` has just noted: `node table.mjs NOTES`. Fails when the page
// differs; with WRITE=1 it writes the page.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROJECTS } from "../packaging/projects.mjs";

const [notes] = process.argv.slice(2);
const readme = fileURLToPath(new URL("../../README.md", import.meta.url));
const [BEGIN, END] = ["<!-- the table of hosts: made by `cargo xtask hosts` -->", "<!-- the end of the table of hosts -->"];

/** How many of the tests of an engine passed, in steps of ten of a hundred: the page does not change with every test. The others say why they are skipped. */
const share = ({ passed, all }) => `at least ${Math.floor((10 * passed) / all) * 10} of 100 tests`;

/** What a host's suites came to: how many tests passed, and how many there are. */
function came(host) {
  const text = readFileSync(join(notes, `${host}.tap`), "utf8");
  const count = (what) => Number(text.match(new RegExp(`^# ${what} (\\d+)$`, "m"))[1]);
  if (count("fail") || count("cancelled")) throw new Error(`${host} has not passed`);
  const passed = (name) => new RegExp(`^ok \\d+ - ${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`, "m").test(text);
  return { passed: count("pass"), all: count("pass") + count("skipped"), has: passed };
}

const [packaging, firefox, webkit] = ["packaging", "firefox", "webkit"].map(came);
const projects = Object.keys(PROJECTS).filter((name) => packaging.has(name));
const rows = [
  ["the browser suites: every vector on the form, every prompt by keys and axe, JSON, delivery, a conversation with a host, frames, an MCP App, a hostile page", `Chromium, in \`cargo xtask test\`; Firefox ESR, ${share(firefox)}; WebKitGTK, ${share(webkit)}; the others say why they are skipped`],
  ["the packed package in a fresh project, built with the tool's defaults, filled in", projects.join("; ")],
  ["React 18 and 19, Vue 3, Svelte 5 and Solid: parents that render at every keystroke, lists that are put in another order, portals, Suspense, KeepAlive, dialogs, hot reload, removal", came("frameworks").passed ? "Chromium, under a strict content security policy; `cargo xtask soak`: Firefox ESR and WebKitGTK" : ""],
  ["the component of Leptos in an application: an answer, a schema, another request, removal", came("leptos").passed ? "Chromium, under a strict content security policy" : ""],
  ["the component, every vector", came("component").has("every vector passes through wasmtime in Python, and the rest of the interface answers") ? "wasmtime in Python; jco in Node" : ""],
  ["a desktop shell in a window, by the keyboard", came("desktop").passed ? "wry on WebKitGTK" : ""],
  ["Electron", came("electron").passed ? "types; its main process, held to docs/delivery.md, and its page, preload script and IPC in Chromium; not Electron itself" : ""],
];
const table = [BEGIN, "| what | where |", "| --- | --- |", ...rows.map((row) => `| ${row.join(" | ")} |`), END].join("\n");

const page = readFileSync(readme, "utf8");
const now = page.slice(page.indexOf(BEGIN), page.indexOf(END) + END.length);
if (now !== table) {
  if (process.env.WRITE !== "1") {
    console.error(`The table in README.md is not what was just tried. Run WRITE=1 cargo xtask hosts, or write:\n${table}`);
    process.exit(1);
  }
  writeFileSync(readme, page.replace(now, () => table));
}
