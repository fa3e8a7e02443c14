// In each page of the comparison, before its own scripts: tells when a question can be answered, answers it, and takes the times.
// `window.bench` has the questions, their right answers, and the form in the renderer's own format; the driver of the renderer is bundled with it.
import driver from "driver";

const { bench } = window;
const { questions, answers } = bench;
/** How long something may take, in milliseconds. */
const PATIENCE = 120_000;
const CHANGES = { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "style", "hidden", "disabled", "inert", "open"] };
const roots = /** @type {Set<Document | ShadowRoot>} */ (new Set([document]));
let look;
const observer = new MutationObserver(() => look?.());
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (...given) {
  const root = attach.apply(this, given);
  roots.add(root);
  if (look) observer.observe(root, CHANGES);
  return root;
};

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
/** The next task: what the renderer has put off until the end of this one is done. */
const task = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(port1.close());
    port2.postMessage(undefined);
  });

/** Visible, and laid out: asking for the box makes the browser do it. */
const isVisible = (control) => Boolean(control?.isConnected && control.checkVisibility({ visibilityProperty: true }) && control.getBoundingClientRect().height > 0);

function isEnabled(control) {
  // What came as HTML is seen, and waits for its script.
  const waits = (at) => "rendered" in at.dataset && at.getRootNode().host?.localName === "ask-user";
  for (let at = control; at; at = at.parentElement ?? at.getRootNode().host) if (at.inert || waits(at)) return false;
  return !control.matches(":disabled");
}

function canBeAnswered(question) {
  const control = driver.control(question);
  return isVisible(control) && isEnabled(control);
}

/** Waits until something is so, looking after each change and in each frame: gives the time. One wait at a time. */
function until(isSo, what) {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      observer.disconnect();
      look = undefined;
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error(`waited in vain for ${what}`));
    }, PATIENCE);
    const mine = () => {
      if (!isSo()) return;
      const now = performance.now();
      end();
      resolve(now);
    };
    look = mine;
    for (const { shadowRoot } of document.querySelectorAll("ask-user")) if (shadowRoot) roots.add(shadowRoot);
    for (const root of roots) observer.observe(root, CHANGES);
    requestAnimationFrame(function inFrame() {
      if (look !== mine) return;
      mine();
      requestAnimationFrame(inFrame);
    });
  });
}

const arrival = (question) => until(() => canBeAnswered(question), question.id);
const ended = () => window.answered ?? until(() => window.answered, "the answers");

let visibleAt;
const ready = until(() => {
  if (!isVisible(driver.control(questions[0]))) return false;
  visibleAt ??= performance.now();
  return canBeAnswered(questions[0]);
}, "the first question");

/** When the first question was visible and when it could be answered, since the navigation began; and since the form was handed over. */
bench.first = ready.then((readyAt) => ({ visibleAt, readyAt, sinceHandedOver: readyAt - performance.getEntriesByName("handed over")[0].startTime }));

/** What was fetched, and when each was there. */
bench.fetched = () => performance.getEntriesByType("resource").map((/** @type {any} */ { name, responseEnd }) => ({ path: new URL(name).pathname, at: responseEnd }));

/** Answers one question after the other, each after a pause: how long each step took that showed another question, and the answers. */
bench.steps = async (pause) => {
  const taken = [];
  for (const [place, question] of questions.entries()) {
    const next = questions[place + 1];
    await driver.put(question, answers[question.id]);
    // Some show the button to go on a little later.
    await frame();
    await task();
    // A person's click comes at any time within a frame.
    if (pause) await sleep(pause + Math.random() * 17);
    const isThere = !next || canBeAnswered(next);
    const begun = performance.now();
    const shown = isThere ? undefined : arrival(next);
    await driver.commit(question, answers[question.id]);
    if (shown) taken.push((await shown) - begun);
  }
  await ended();
  return { taken, answers: window.answered };
};

/** Answers all questions as fast as the renderer shows them, for no longer than a time: how long it took, for how many, and the answers. */
bench.all = async (budget) => {
  const begun = performance.now();
  let count = 0;
  for (const [place, question] of questions.entries()) {
    const next = questions[place + 1];
    await driver.put(question, answers[question.id]);
    const shown = next && !driver.isWhole ? arrival(next) : undefined;
    await driver.commit(question, answers[question.id]);
    await shown;
    await task();
    // Where all are on one page, this one is laid out again.
    if (next && driver.isWhole) canBeAnswered(next);
    count += 1;
    if (performance.now() - begun > budget) break;
  }
  if (count === questions.length) await ended();
  return { taken: performance.now() - begun, count, answers: window.answered };
};

/** Work that shows which process the page is in. */
bench.work = () => {
  const begun = performance.now();
  while (performance.now() - begun < 150);
};
