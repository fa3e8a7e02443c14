// What the page is before its script runs: HTML without a question in it, its icons, and what lets a browser install the page and show it while no inbox runs.
import { TEXTS } from "./texts.js";

/** The page. Its script fills it. */
export const page = () => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${TEXTS.title}</title>
<link rel="icon" href="icon.svg">
<link rel="manifest" href="manifest.webmanifest">
<meta name="theme-color" content="#2f5bea">
<link rel="stylesheet" href="inbox.page.css">
<script type="module" src="ask-user.js"></script>
<script type="module" src="inbox.page.js"></script>
<body></body>
</html>
`;

/**
 * The icon: a speech bubble, in which the number of open questions stands, if there are any.
 * @param {number} open
 */
export function icon(open) {
  const count = Math.min(Math.max(Math.trunc(open), 0), 99);
  const text = count ? `<text x="16" y="20" font-family="system-ui,sans-serif" font-size="15" font-weight="700" fill="#fff" text-anchor="middle">${count}</text>` : "";
  const dots = count ? "" : [9, 16, 23].map((x) => `<circle cx="${x}" cy="14" r="2.2" fill="#fff"/>`).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M6 2h20a4 4 0 0 1 4 4v16a4 4 0 0 1-4 4H15l-7 5v-5H6a4 4 0 0 1-4-4V6a4 4 0 0 1 4-4z" fill="${count ? "#b3261e" : "#2f5bea"}"/>${text}${dots}</svg>`;
}

/** The icon of the page as an app: systems may cut its corners off. */
export const appIcon = () => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="M0 0h64v64H0z" fill="#2f5bea"/><path d="M19 17h26a4 4 0 0 1 4 4v16a4 4 0 0 1-4 4H34l-7 6v-6h-8a4 4 0 0 1-4-4V21a4 4 0 0 1 4-4z" fill="#fff"/><path d="M23 29h.01M32 29h.01M41 29h.01" stroke="#2f5bea" stroke-width="5" stroke-linecap="round"/></svg>`;

/** What the page is as an app. Its addresses are relative: a proxy may have it at any path. */
export const manifest = () => ({
  name: TEXTS.app.name,
  short_name: TEXTS.title,
  description: TEXTS.app.description,
  id: "./",
  start_url: "./",
  scope: "./",
  display: "standalone",
  background_color: "#f3f4f6",
  theme_color: "#2f5bea",
  icons: [{ src: "app.svg", sizes: "any", type: "image/svg+xml", purpose: "any" }, { src: "app.svg", sizes: "any", type: "image/svg+xml", purpose: "maskable" }],
});

/**
 * What the browser keeps of the page, by its names below that of the page: files that are the same for everybody. Nothing else is ever kept: questions, answers
 * and keys have other addresses.
 */
export const SHELL = ["", "ask-user.js", "inbox.page.js", "inbox.page.css", "icon.svg", "app.svg", "manifest.webmanifest"];

/**
 * The service worker. What the inbox answers comes first; what is kept is shown while it does not.
 * @type {(version: string) => string}
 */
export const worker = (version) => `const [KEPT, SHELL] = ${JSON.stringify([`ask-user inbox ${version}`, SHELL])};
const file = (name) => name || "./";
const nameOf = ({ method, url }) => {
  const [{ origin, pathname }, scope] = [new URL(url), new URL(registration.scope)];
  const name = pathname.slice(scope.pathname.length);
  return method === "GET" && origin === scope.origin && pathname.startsWith(scope.pathname) && SHELL.includes(name) ? name : undefined;
};
const keep = async () => {
  await (await caches.open(KEPT)).addAll(SHELL.map((name) => new Request(file(name), { cache: "reload" })));
  await skipWaiting();
};
const begin = async () => {
  for (const one of await caches.keys()) if (one.startsWith("ask-user inbox ") && one !== KEPT) await caches.delete(one);
  await clients.claim();
};
const kept = async (name) => (await (await caches.open(KEPT)).match(file(name))) ?? Response.error();
addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(begin()));
addEventListener("fetch", (event) => {
  const name = nameOf(event.request);
  if (name !== undefined) event.respondWith(fetch(event.request).catch(() => kept(name)));
});
`;
