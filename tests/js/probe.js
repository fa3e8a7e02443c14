// Runs in the page of a browser test: notes the events of all forms, and puts forms on the page.
const NAMES = ["ready", "step", "record", "result", "end-turn", "rejected"];

window.seen = [];
for (const name of NAMES) {
  document.addEventListener(`ask-user-${name}`, (event) => window.seen.push([name, event.detail]));
}

/** Puts a form on the page, in place of all others, and waits until its request is accepted or rejected. */
window.ask = async ({ request, attributes = {}, host, saved }) => {
  await customElements.whenDefined("ask-user");
  window.seen.length = 0;
  const element = document.createElement("ask-user");
  for (const [name, value] of Object.entries(attributes)) if (value != null) element.setAttribute(name, value);
  // Most tests go from question to question; those of pages say so.
  element.host = { layout: "steps", ...host };
  element.request = request;
  if (saved) element.walk = saved;
  const verdict = new Promise((resolve, reject) => {
    window.addEventListener("error", (event) => reject(event.error), { once: true });
    element.addEventListener("ask-user-ready", resolve, { once: true });
    element.addEventListener("ask-user-rejected", resolve, { once: true });
  });
  document.querySelector("main").replaceChildren(element);
  await verdict;
  await window.settled();
  return window.seen.find(([name]) => name === "ready" || name === "rejected");
};

/** Waits until everything that the last action has set off is painted: what is pressed before does not count. A page behind another paints nothing. */
window.settled = () =>
  new Promise((resolve) => {
    // Where a test has stopped the time, it has put the true one aside.
    const later = window.later ?? window.setTimeout.bind(window);
    later(() => {
      later(resolve, 250);
      requestAnimationFrame(() => requestAnimationFrame(() => later(resolve)));
    });
  });

/** A task of the page's after those that are due, now or after so many milliseconds: what was put off for less is done by then. */
window.passed = (milliseconds = 0) => new Promise((resolve) => (window.later ?? window.setTimeout)(resolve, milliseconds));

/** The form on the page. */
window.form = () => document.querySelector("ask-user");
