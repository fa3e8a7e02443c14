// Runs in the page of a browser test: fills in the fields of a schema as a person would who knows nothing of it. It types into what stands there, sends, and
// mends what the form says is wrong, by the controls that the form leads to.

/** What a person tries in a text, one after the other, until nothing is said about it. */
const TEXTS = [
  "example", "1", "1.0.0", "a", "2024-05-06", "a@example.com", "https://example.com/", "2024-05-06T07:08:09Z", "07:08:09", "v1", "10", "100", "0.5", "-1", "true", "#/a", "/a", "./a", "a:b",
  "main", "an example of a longer text that has more characters", "3.1.0", "1.2", "1s", "10m", "node", "123-45", "12345", "123456789012", "A", "AB", "aA1", "00000000-0000-0000-0000-000000000000", "@a/b", "a/b", "a.b", "*", "^1", "P1D", "127.0.0.1",
];
/** What a person tries where there is only JSON. */
const JSONS = ['"example"', "1", "{}", "[]", "true", "null", '["example"]', '{"a": "b"}'];
/** So many fields are filled in before the first sending, and so often is something mended. */
const FIRST = 8;
const ROUNDS = 120;

const root = () => window.form().shadowRoot;
const visible = (selector) => [...root().querySelectorAll(`.properties ${selector}`)].filter((element) => element.checkVisibility());
const pause = () => window.passed();

/** How often something was tried at a place. */
const tries = new Map();
/** The places that were filled in as JSON. */
const asJson = new Set();

function type(control, text) {
  control.focus();
  control.value = text;
  control.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Numbers and examples that the form names beside a control. */
function hinted(control) {
  const said = (control.getAttribute("aria-describedby") ?? "").split(" ").map((id) => root().getElementById(id)?.textContent ?? "").join(" ");
  const example = /for example (.+?)(?:, |$)/.exec(said)?.[1];
  const pattern = [...said.matchAll(/pattern (\S+?)(?:,|\s|$)/g)].flatMap(([, source]) => source.replace(/[\^$()\\]/g, "").split("|"));
  return [control.placeholder, example, ...(said.match(/-?\d+(\.\d+)?/g) ?? []), ...pattern].filter(Boolean);
}

/** Does the next thing that a person would try at a control. Says whether there was one. */
function answer(control, problem) {
  const place = control.dataset.at ?? control.id;
  const tried = tries.get(place) ?? 0;
  tries.set(place, tried + 1);
  const lacks = /lacks the property "(.+?)"/.exec(problem)?.[1];
  const missing = lacks && [...root().querySelectorAll("[data-add]")].find((button) => button.dataset.add === lacks && button.checkVisibility());
  if (missing) return next([missing], 0, (button) => button.click());
  const items = /must have (an item|at least \d+ item)/.test(problem) && add(control.closest(".items") ?? control.closest(".group")?.querySelector(".items"));
  if (items) return true;
  if (/propert(y|ies)\.$/.test(problem) && add(control.closest(".members"), tried)) return true;
  if (control.matches(".raw")) {
    asJson.add(place);
    return next(JSONS, tried, (text) => type(control, text));
  }
  if (control.localName === "select") return next([...control.options].filter(({ value }) => value !== ""), tried, ({ value }) => type(control, value));
  if (control.type === "radio") {
    const all = [...root().querySelectorAll(`input[name="${CSS.escape(control.name)}"]`)];
    return next(all, tried, (radio) => radio.click());
  }
  if (control.type === "checkbox") return next([...control.closest(".options").querySelectorAll("input:not(:checked)")], 0, (box) => box.click());
  if (control.type === "date") return next(["2024-05-06"], tried, (text) => type(control, text));
  if (control.matches("input, textarea")) return next([...hinted(control), ...TEXTS, ""], tried, (text) => type(control, text));
  if (control.localName === "button") return next([control], tried && 1, (button) => button.click());
  return false;
}

function next(all, tried, act) {
  if (tried >= all.length) return false;
  act(all[tried]);
  return true;
}

/** Adds a part to a list or an object. */
function add(box, which = 0) {
  const buttons = [...(box?.querySelectorAll(":scope > .buttons .add, :scope > .adds .add") ?? [])].filter((button) => button.checkVisibility());
  const button = buttons[which % buttons.length];
  if (!button) return false;
  button.click();
  const panel = box.querySelector(":scope > .adds .panel");
  panel?.querySelector("li button")?.click();
  const key = box.querySelector(":scope > .entry.new :is(input, select)");
  if (key) {
    if (key.localName === "select") key.selectedIndex = 1;
    else key.value = TEXTS[Math.max(0, which)];
    key.closest(".entry").querySelector(".buttons button").click();
  }
  return true;
}

/** Fills in the first fields that are there, and one that is not. */
function begin() {
  add(root().querySelector(".whole > .body > .members"));
  const empty = visible(":is(input[type=text], textarea:not(.raw))").filter(({ value, readOnly }) => value === "" && !readOnly);
  for (const control of empty.slice(0, FIRST)) answer(control, "");
}

/** Sends, and says what the form says is wrong: links that lead there. */
async function send() {
  root().querySelector("[type=submit]").click();
  await pause();
  await window.settled();
  return [...root().querySelectorAll(".wrong-list:not([hidden]) li button")];
}

const sent = () => window.seen.find(([name]) => name === "result")?.[1].resultText;

/** Fills in the form. Gives `{ text, asJson }`, the answer that was sent and the places where JSON was typed; or `{ stuck }`, what is wrong and could not be mended. */
window.fill = async () => {
  tries.clear();
  asJson.clear();
  begin();
  for (let round = 0; round < ROUNDS; round += 1) {
    const wrong = await send();
    if (sent() !== undefined) return { text: sent(), asJson: [...asJson], rounds: round };
    if (!wrong.length && !root().activeElement?.closest(".properties")) return { stuck: root().querySelector("#error")?.textContent ?? "nothing is said" };
    if (!mend(wrong)) return { stuck: wrong.map(({ textContent }) => textContent).join("; "), round };
  }
  return { stuck: `still wrong: ${root().querySelector(".wrong-list")?.innerText}` };
};

/** Mends what is wrong first: where a choice was made, what is wrong within it comes before the choice. */
function mend(wrong) {
  let later;
  // What was begun is filled in before more is added.
  const begun = wrong.filter(({ textContent }) => textContent.includes("Enter a value"));
  for (const link of wrong.length ? [...begun, ...wrong] : [undefined]) {
    link?.click();
    const control = root().activeElement;
    if (!control) continue;
    const isMade = control.closest(".variant") && (control.localName === "select" ? control.value !== "" : control.checked);
    if (isMade) later ??= link;
    else if (answer(control, link?.textContent ?? "")) return true;
  }
  later?.click();
  return later !== undefined && answer(root().activeElement, later.textContent);
}
