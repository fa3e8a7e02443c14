// People at the element in tabs of Chromium, through the proxy: they answer, reply and end turns; tabs are closed, reloaded and doubled at any moment. Pauses of a
// second and more pass `SCALE` times as fast in these pages; nothing else of them is other than in use.
import { setTimeout as pause } from "node:timers/promises";
import { pageOf } from "../../js/agent-host.mjs";
import { openChromium } from "../../js/browser.mjs";
import { AIMS } from "../../js/wait.mjs";
import { Conversation } from "./conversation.mjs";
import { Ledger } from "./ledger.mjs";
import { random as source } from "./random.mjs";

const SCALE = 20;
/** How many questions of a conversation are answered. */
const ROUNDS = 4;
/** How long a person tries to answer, and waits for an answer to be sent, in milliseconds. */
const ACTS = 8_000;
const SETTLES = 30_000;
/** How long a page must ask a question, with nothing on its way, before the person believes it. */
const STABLE = 400;
const MISFORTUNES = { none: 35, reload: 25, close: 25, reloadTwice: 8, reloadAndClose: 7 };

/** A page with one element that listens to the conversation of its query, and tells the bench what it shows. */
export const PAGES = {
  "/troubles.js": "",
  ...pageOf("tab", `
if (query.storage) element.host = { storage: { get: (key) => localStorage.getItem(key), set: (key, text) => localStorage.setItem(key, text) } };
for (const name of ["result", "end-turn", "delivery", "closed"]) {
  const tell = ({ detail: { idempotencyKey: key, toolCallId: call, result, state } }) => window.told({ name, key, call, result, state });
  document.addEventListener("ask-user-" + name, tell);
}
document.querySelector("main").append(element);`),
};

/** What a page runs first: its clock. */
const faster = (scale) => {
  const real = window.setTimeout;
  /** @type {any} */ (window).setTimeout = (call, milliseconds, ...more) => real(call, milliseconds >= 1_000 ? milliseconds / scale : milliseconds, ...more);
};

/** Visits until `count` endings were made; gives them, as `judge` reads them. `visited` counts along. */
export async function visitTabs({ proxy, host, seed, count, visitors, visited }) {
  if (!count) return [];
  const browser = await openChromium();
  const endings = [];
  const isDone = () => visited.endings >= count;
  const visit = async (_, number) => {
    const random = source(seed, `visitor ${number}`);
    while (!isDone()) endings.push(...(await converse({ browser, proxy, host, random, visited, isDone })));
  };
  try {
    await Promise.all(Array.from({ length: visitors }, visit));
  } finally {
    await browser.close();
  }
  return endings;
}

/** One person's way through a conversation. */
async function converse({ browser, proxy, host, random, visited, isDone }) {
  const conversation = await Conversation.begin(host.url, pause);
  const context = await browser.newContext();
  const ledger = new Ledger(conversation.id, visited);
  const stored = random.chance(0.5);
  await context.addInitScript(faster, SCALE);
  await context.addInitScript(AIMS);
  await context.exposeBinding("told", ({ page }, what) => ledger.hear(page, what));
  const address = `${proxy.url}/tab?id=${conversation.id}&token=${conversation.token}${stored ? "&storage=1" : ""}`;
  const open = async (isBack = false) => {
    const page = await context.newPage();
    // The browser asks whoever leaves; whoever is asked leaves all the same.
    page.on("dialog", (dialog) => ((visited.asked += 1), dialog.accept().catch(() => {})));
    const tab = ledger.add(page, isBack);
    await page.goto(address, { waitUntil: "commit" }).catch(() => {});
    return tab;
  };
  const person = { conversation, ledger, random, visited, open, stored, kept: proxy.kept };
  try {
    for (let rounds = 0; rounds < ROUNDS && !isDone(); rounds += 1) await round(person, `tab ${conversation.id} ${rounds}`);
  } finally {
    conversation.end();
    await context.close();
  }
  return ledger.endings;
}

/** One question: answered in a tab, or in two at once, whatever becomes of them. */
async function round(person, text) {
  const { conversation, ledger, random, visited, open } = person;
  const { tool_call_id: call } = await conversation.question();
  const tabs = [ledger.alive.at(-1) ?? (await open())];
  if (random.chance(0.3)) {
    visited.doubled += 1;
    tabs.push(await open());
  }
  const same = random.chance(0.4);
  await Promise.all(
    tabs.map(async (tab, place) => {
      tab.begin();
      const way = random.weighted({ answer: 6, reply: 2, end: 2 });
      await Promise.all([act(person, tab, call, same ? "answer" : way, same ? text : `${text}.${place}`), suffer(person, tab)]);
    }),
  );
  await settle(person, tabs.length > 1);
  for (const spare of ledger.alive.slice(0, -1)) await leave(spare);
}

/** Answers what the tab shows, until the form has ended, the question is closed, or the tab is. */
async function act({ conversation }, tab, call, way, text) {
  const click = (selector) => tab.find(selector).first().click({ timeout: 1_000 });
  const steps = {
    apply: () => click("[data-answer=no]"),
    async reason() {
      await tab.find("[data-field]").fill(text, { timeout: 1_000 });
      await click("[type=submit]");
    },
    async reply() {
      if (!(await tab.find("#reply").count())) await click("[data-way=reply]");
      await tab.find("#reply").fill(text, { timeout: 1_000 });
      await click("[data-send-reply]");
    },
    async end() {
      if (!(await tab.find("[data-end-turn]").count())) await click("[data-way=end-turn]");
      await click("[data-end-turn]");
    },
  };
  for (const until = performance.now() + ACTS; performance.now() < until && !tab.hasEnded && !tab.isGone && conversation.asks(call); ) {
    const { question } = await tab.shown();
    // What was not taken, since it came too early or the page went away, is done again.
    if (question) await (steps[way] ?? steps[question])().catch(() => {});
    await pause(50);
  }
  tab.stop();
}

/** What becomes of a tab: at any moment, or just after its form has ended. */
async function suffer({ random, visited }, tab) {
  const kind = random.weighted(MISFORTUNES);
  if (kind === "none") return;
  if (random.chance(0.3)) await pause(random.between(300, 2_500));
  else await tab.done.then(() => pause(random.between(0, random.chance(0.5) ? 30 : 600)));
  const reload = async () => {
    visited.reloaded += 1;
    tab.since = performance.now();
    await tab.page.reload({ waitUntil: "commit", timeout: 5_000 }).catch(() => {});
  };
  if (kind !== "close") await reload();
  if (kind === "reloadTwice" || kind === "reloadAndClose") await pause(random.between(50, 1_500));
  if (kind === "reloadTwice") await reload();
  if (kind === "close" || kind === "reloadAndClose") {
    visited.closed += 1;
    await leave(tab);
  }
}

/** Closes a tab as a person does: the page hears of it, and the browser may ask. */
async function leave(tab) {
  tab.isGone = true;
  const gone = tab.page.waitForEvent("close", { timeout: 3_000 }).catch(() => tab.page.close());
  await tab.page.close({ runBeforeUnload: true }).catch(() => {});
  await gone;
}

/** Waits until the person knows of each answer what became of it, by the tabs that are left, or by one that is opened for that. */
async function settle({ conversation, ledger, random, open, stored, kept }, isDoubled) {
  const presses = new Map();
  const asking = new Map();
  for (const until = performance.now() + SETTLES; performance.now() < until; await pause(50)) {
    const waiting = ledger.endings.filter(({ isSettled }) => !isSettled);
    if (!waiting.length) return;
    if (waiting.some(({ tab }) => tab.isGone) && !ledger.alive.some(({ isBack }) => isBack)) await open(true);
    for (const tab of ledger.alive) {
      const { question, delivery } = await tab.shown();
      // Where another of their answers is shown as failed, they know as well that the question is open.
      const asks = (question && !delivery) || delivery === "failed";
      if (!asks) asking.delete(tab);
      else if (!asking.has(tab)) asking.set(tab, performance.now());
    }
    const isAsked = (tab) => asking.has(tab) && performance.now() - asking.get(tab) > STABLE;
    for (const ending of waiting) {
      const { tab, states, key, call } = ending;
      if (states.at(-1) === "failed" && !tab.isGone) {
        const left = presses.get(ending) ?? random.whole(0, 3);
        presses.set(ending, left - 1);
        if (left > 0) await tab.find("[data-again]").click({ timeout: 500 }).catch(() => {});
        else ending.isSettled = true;
      } else if (states.at(-1) === "failed") {
        ending.isSettled = true;
      } else if (tab.isGone || tab.wasReloaded(ending)) {
        const here = tab.isGone ? ledger.alive.filter(({ isBack }) => isBack) : [tab];
        if (!conversation.asks(call)) ending.settle("overtaken");
        else if (here.some(isAsked)) {
          // What a store of its own has, or what the host has kept, must have been sent by the page that came back.
          // What was kept after it came back, it could not know.
          const { since } = here.find(isAsked);
          // The second half of a key is the print of the walk's events, which equal walks of two conversations share.
          const isKept = kept.some((one) => one.at < since && one.conversation === conversation.id && one.body.includes(`"${call}"`) && one.body.includes(key.slice(16)));
          ending.settle(!isDoubled && stored ? "asked again, with a storage" : !isDoubled && isKept ? "asked again, and it was kept" : "asked again");
        }
      }
    }
  }
  for (const ending of ledger.endings.filter(({ isSettled }) => !isSettled)) ending.settle(await unsettled(ending, ledger));
}

/** Says what the person sees of an answer that came to nothing in time. */
async function unsettled({ tab }, ledger) {
  const shown = await Promise.all(ledger.alive.map((tab) => tab.shown()));
  return `nothing was told in time; its tab is ${tab.isGone ? "gone" : "open"}, and the open ones show ${JSON.stringify(shown)}`;
}
