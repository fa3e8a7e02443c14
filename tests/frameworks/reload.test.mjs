// Hot reload by Vite's own server: the source of the component around a form changes while a person types. React keeps the element; Vue and Svelte
// make another one, which goes on with the walk that the page has kept. `npm ci` in this folder first.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import react from "@vitejs/plugin-react";
import vue from "@vitejs/plugin-vue";
import { createServer } from "vite";
import { launch } from "../js/browser.mjs";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** What does not change: what is asked, what was told, and the walk that the page keeps. */
const STORE = `
export const request = { questions: [{ id: "log", text: "What should the log say?", answer_type: "text" }, { id: "go", text: "Go on?", answer_type: "boolean", when: { question_id: "log", equals: "half a text" } }] };
export const told = (window.told ??= []);
export const kept = (window.kept ??= {});
export const keep = (form) => void (kept.walk = form.walk);
export const record = (detail) => told.push(["record", detail.record.type + detail.record.id]);
export const result = (detail) => told.push(["result", detail.result]);
`;

/** For each framework: its plugins, its files, and the text in them that is changed. */
const APPS = {
  "React 19": {
    plugins: [react()],
    keeps: true,
    files: {
      "main.jsx": `import { createRoot } from "react-dom/client";\nimport App from "./App.jsx";\ncreateRoot(document.querySelector("#app")).render(<App />);`,
      "App.jsx": `import { AskUser } from "ask-user/react";
import { keep, kept, record, request, result } from "./store.js";
export default function App() {
  const keeps = (_, { target }) => keep(target);
  return <main><h1>Version 1</h1><AskUser request={request} walk={kept.walk} onStep={keeps} onDraft={keeps} onRecord={record} onResult={result} /></main>;
}`,
    },
    edited: "App.jsx",
  },
  "Vue 3": {
    plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === "ask-user" } } })],
    files: {
      "main.js": `import { createApp } from "vue";\nimport App from "./App.vue";\ncreateApp(App).mount("#app");`,
      "App.vue": `<script setup>
import "ask-user";
import { keep, kept, record, request, result } from "./store.js";
const title = "Version 1";
const walk = kept.walk;
</script>
<template>
  <main><h1>{{ title }}</h1><ask-user :request.prop="request" :walk.prop="walk" @ask-user-step="keep($event.target)" @ask-user-draft="keep($event.target)"
    @ask-user-record="record($event.detail)" @ask-user-result="result($event.detail)" /></main>
</template>`,
    },
    edited: "App.vue",
  },
  "Svelte 5": {
    plugins: [svelte({ configFile: false })],
    files: {
      "main.js": `import { mount } from "svelte";\nimport App from "./App.svelte";\nmount(App, { target: document.querySelector("#app") });`,
      "App.svelte": `<script>
  import "ask-user";
  import { keep, kept, record, request, result } from "./store.js";
  const title = "Version 1";
  const walk = kept.walk;
</script>
<main><h1>{title}</h1><ask-user {request} {walk} onask-user-step={(event) => keep(event.target)} onask-user-draft={(event) => keep(event.target)}
  onask-user-record={(event) => record(event.detail)} onask-user-result={(event) => result(event.detail)}></ask-user></main>`,
    },
    edited: "App.svelte",
  },
};

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** A project of its own, which finds the packages of this folder, and Vite's server for it. */
async function served({ plugins, files }) {
  const folder = mkdtempSync(join(tmpdir(), "ask-user-reload-"));
  symlinkSync(path("node_modules"), join(folder, "node_modules"));
  const [main] = Object.keys(files);
  const page = `<!doctype html><html lang="en"><title>reload</title><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="/${main}"></script></html>`;
  for (const [name, text] of Object.entries({ ...files, "store.js": STORE, "index.html": page })) writeFileSync(join(folder, name), text);
  const dist = path("../../pkg/dist/");
  const server = await createServer({
    root: folder,
    configFile: false,
    cacheDir: join(folder, ".vite"),
    logLevel: "silent",
    plugins,
    resolve: { alias: [{ find: /^ask-user$/, replacement: join(dist, "ask-user.js") }, { find: /^ask-user\/react$/, replacement: join(dist, "react.js") }] },
    server: { host: "127.0.0.1", port: 0, fs: { strict: false }, watch: { usePolling: true, interval: 50 } },
  });
  await server.listen();
  const close = async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, url: `http://127.0.0.1:${server.httpServer.address().port}/`, close };
}

for (const [name, app] of Object.entries(APPS)) {
  test(`${name}: a hot reload keeps what was typed and how far the person has come, and tells nothing twice`, async () => {
    const { folder, url, close } = await served(app);
    const page = await browser.page();
    try {
      await page.goto(url);
      const field = page.locator("ask-user").locator("[data-field]");
      await field.fill("half a ");
      await page.evaluate(() => void (window.first = document.querySelector("ask-user")));
      const edit = async (version) => {
        const text = app.files[app.edited].replace(/Version/, `Edition ${version},`);
        writeFileSync(join(folder, app.edited), text);
        await page.waitForFunction((version) => document.querySelector("h1").textContent.includes(`Edition ${version}`), version);
      };
      await edit(1);
      await field.waitFor();
      assert.equal(await field.inputValue(), "half a ");
      assert.equal(await page.evaluate(() => window.first === document.querySelector("ask-user")), Boolean(app.keeps));
      await field.fill("half a text");
      await page.locator("ask-user").locator("[type=submit]").click();
      await page.locator("ask-user").locator("[data-question=go]").waitFor();
      await edit(2);
      await page.locator("ask-user").locator("[data-question=go]").waitFor();
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      await page.locator("ask-user").locator("[data-answer=yes]").click();
      await page.locator("ask-user").locator("[part=receipt]").waitFor();
      // An element that is made anew with a walk that has ended tells its end again, for a host that has missed it.
      if (app.keeps) await edit(3);
      const told = await page.evaluate(() => window.told);
      assert.deepEqual(told.filter(([kind]) => kind === "result"), [["result", { log: "half a text", go: true }]]);
      const records = told.filter(([kind]) => kind === "record").map(([, record]) => record);
      assert.deepEqual(records, [...new Set(records)]);
      assert.deepEqual(page.faults, []);
    } finally {
      await page.context().close();
      await close();
    }
  });
}
