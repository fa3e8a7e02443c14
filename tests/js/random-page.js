// Runs in a page: a page that does at random what pages do, and a person in it who acts on what they saw half a second before. Each answer that is taken must be the one that
// they meant, for the question that they saw. The person's input is made here: a press is what a browser makes of one, and a key does what it does to what has the focus.

/** What a person sees at least this long before, they have seen, in milliseconds of the clock of events. */
const SEEN = 500;
const frames = async (count) => {
  for (; count; count -= 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    reads();
  }
};
const clock = () => window.eventClock;
const passes = (milliseconds) => (clock().ahead += milliseconds);

const main = document.querySelector("main");
const chat = Object.assign(document.createElement("textarea"), { rows: 2 });
document.body.append(chat);
clock().stopped ??= performance.now() - clock().ahead;

// A view transition shows pictures of what was there before: for a few frames here.
const styles = new CSSStyleSheet();
styles.replaceSync("::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) { animation-duration: 40ms }");
document.adoptedStyleSheets = [styles];

let dice;
const pick = (list) => list[Math.floor(dice() * list.length)];
const chance = (of) => dice() < of;

/** Every request has ids of its own: an answer says to which question it belongs. */
let count = 0;
/** The tools that calls ask for. A question of theirs has no id of its own. */
const tools = new Map();
/** A request of a form, in another call where it asks to approve one. A page has no field for a text here: in some of them Enter sends it. */
function asks(element) {
  if (chance(0.2)) {
    const tool = `tool${(count += 1)}`;
    const command = Array.from({ length: pick([1, 10, 40]) }, (_, line) => `rm -r build/${count}/${line}`).join("\n");
    element.setAttribute("tool-call-id", `call${(count += 1)}`);
    tools.set(element.getAttribute("tool-call-id"), tool);
    return { action_requests: [{ name: tool, args: { command } }], review_configs: [{ action_name: tool, allowed_decisions: ["approve", "reject"] }] };
  }
  return questions(element.host.layout !== "steps");
}
function questions(isPage) {
  count += 1;
  const id = `q${count}`;
  const boolean = { id, text: `Delete disk ${count}?`, answer_type: "boolean", ...(chance(0.3) && { default: true }), ...(chance(0.2) && { context: "The **last** backup is a day old." }) };
  const select = { id, text: `Where to, ${count}?`, answer_type: "select", options: ["production", "staging", "test"] };
  const more = { id: `${id}b`, text: `Restart ${count}, too?`, answer_type: "boolean" };
  const text = { id, text: `Name of disk ${count}?`, answer_type: "text", ...(chance(0.5) && { max_length: 40 }) };
  const short = [[boolean], [select], [boolean, more], [select, more]];
  return { questions: pick(isPage ? short : [...short, [text], [text, more]]) };
}

const form = () => main.querySelector("ask-user");
function put() {
  const element = document.createElement("ask-user");
  element.setAttribute("tool-call-id", `call${(count += 1)}`);
  element.host = { layout: pick(["steps", "steps", "steps", "steps", "page", "page", "tabs"]) };
  element.request = asks(element);
  form()?.remove();
  main.append(element);
}

const line = () => Object.assign(document.createElement("p"), { className: "line", textContent: "Another message" });
/** What pages do. */
const ACTS = {
  "another request": () => (form().request = asks(form())),
  "another element": put,
  "the same again": () => (form().request = structuredClone(form().request)),
  "another call": () => {
    const tool = tools.get(form().getAttribute("tool-call-id"));
    form().setAttribute("tool-call-id", `call${(count += 1)}`);
    tools.set(`call${count}`, tool);
  },
  "a line above": () => main.prepend(line()),
  "a line less": () => main.querySelector(".line")?.remove(),
  "another language": () => (form().lang = pick(["es", "ar", "de", "en"])),
  "another direction": () => (document.documentElement.dir = pick(["rtl", "ltr"])),
  "another width": () => (main.style.paddingInlineStart = `${pick([0, 90, 200])}px`),
  "another label": () => form().setAttribute("label", pick(["Deploy agent", "Another agent"])),
  focus: () => form().focus(),
  "focus elsewhere": () => chat.focus(),
  hidden: () => (form().style.display = "none"),
  shown: () => (form().style.display = ""),
  inert: () => (main.inert = true),
  live: () => (main.inert = false),
  covered: () => document.querySelector(".cover") ?? document.body.append(Object.assign(document.createElement("div"), { className: "cover", style: "position: fixed; inset: 0; background: white" })),
  uncovered: () => document.querySelector(".cover")?.remove(),
  "a dialog": () => document.querySelector("dialog") ?? document.body.appendChild(Object.assign(document.createElement("dialog"), { textContent: "Saved" })).showModal(),
  "no dialog": () => document.querySelector("dialog")?.remove(),
  "put there again": () => main.append(form()),
  "a view transition": () => void document.startViewTransition?.(() => main.prepend(line()))?.ready.catch(() => {}),
  scrolled: () => scrollBy(0, pick([-60, 60])),
  "behind another window": () => (document.hasFocus = () => false),
  "in front": () => delete document.hasFocus,
};
const CALM = ["shown", "live", "uncovered", "no dialog", "in front"];
const did = [];
function acts(name = pick(Object.keys(ACTS))) {
  did.push(`${name} at ${Math.round(clock().ahead)}`);
  ACTS[name]();
}

/** What is at a point: within the form, if that is there. */
const at = (x, y) => document.elementFromPoint(x, y)?.shadowRoot?.elementFromPoint(x, y) ?? document.elementFromPoint(x, y);
/** The ends of commands that the person has seen. */
const read = new WeakSet();
/** Notes which of them are in sight. */
function reads() {
  for (const end of form()?.shadowRoot?.querySelectorAll("[data-approval] .end") ?? []) {
    const { x, y } = end.getBoundingClientRect();
    if (!end.closest("details:not([open])") && [-2, 2].some((aside) => at(x + aside, y - 2)?.closest("[data-approval]"))) read.add(end);
  }
}

/** What the person sees: each answer that can be given, with where it is and what it means; and what they would do to give it by a key. Of a page: what can be chosen, which answers nothing yet; and what sends all that is chosen. */
function look() {
  const root = form()?.shadowRoot;
  if (!root || !document.hasFocus() || main.inert) return [];
  const seen = [];
  const sees = (node, id, answer, key) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    const place = [x + Math.min(width / 2, 12), y + height / 2];
    const hit = width && at(...place);
    const isSeen = hit && (node === hit || node.contains(hit));
    if (isSeen) seen.push({ id, answer, place, key });
    return isSeen;
  };
  for (const call of root.querySelectorAll("[data-approval]")) {
    const ends = [...call.querySelectorAll(".end")];
    const button = call.querySelector("[data-decision=approve]");
    if (button && !call.closest("[inert]")) sees(button, call.dataset.approvalTool, ends.every((end) => read.has(end)) ? "approve" : "read first");
  }
  const page = root.querySelector("[data-page]");
  if (page && !page.closest("[inert]")) {
    const chosen = {};
    for (const question of page.querySelectorAll("[data-on-page]")) {
      for (const radio of question.querySelectorAll("input[type=radio]")) {
        const answer = radio.dataset.option ? JSON.parse(radio.dataset.option) : radio.id.startsWith("yes");
        if (radio.checked) chosen[question.dataset.onPage] = answer;
        const label = question.querySelector(`label[for="${radio.id}"]`);
        if (label) sees(label, question.dataset.onPage, "chosen");
      }
    }
    const send = page.querySelector(".actions [type=submit]") ?? root.querySelector(".actions [type=submit]");
    // Under tabs, all but the review sends nothing.
    const sends = page.dataset.tabs === undefined || send?.matches("[data-submit]");
    if (send) for (let often = 0; often < 4; often += 1) sees(send, "page", sends ? chosen : "chosen");
  }
  for (const question of root.querySelectorAll("[data-question]")) {
    if (question.closest("[inert]")) continue;
    const id = question.dataset.question;
    if (root.querySelector("[data-page]")) continue;
    const isIn = root.activeElement !== null;
    for (const word of ["yes", "no"]) {
      const button = question.querySelector(`[data-answer=${word}]`) ?? root.querySelector(`[data-answer=${word}]`);
      if (button) sees(button, id, word === "yes", isIn && word[0]);
    }
    const field = question.querySelector("textarea[data-field], input[type=text][data-field]");
    if (field) sees(field, id, `disk ${count}`);
    for (const [place, option] of [...question.querySelectorAll("[data-option]")].entries()) {
      const label = question.querySelector(`label[for="${option.id}"]`);
      if (label) sees(label, id, JSON.parse(option.dataset.option), isIn && String(place + 1));
    }
  }
  return seen;
}

const fire = (target, Kind, name, more) => target.dispatchEvent(new Kind(name, { bubbles: true, composed: true, cancelable: true, view: window, ...more }));
/** A press at a point, as a browser tells of it. */
async function press([x, y], pointerType) {
  const down = at(x, y);
  if (!down) return;
  const point = { clientX: x, clientY: y, pointerType, isPrimary: true, button: 0, detail: 0 };
  const isTaken = !fire(down, PointerEvent, "pointerdown", point);
  if (!isTaken) down.closest("textarea, input")?.focus();
  passes(pick([20, 60, 90]));
  if (chance(0.2)) await frames(1);
  const up = at(x, y);
  if (up) fire(up, PointerEvent, "pointerup", point);
  if (up === down) fire(up, PointerEvent, "click", { ...point, detail: 1 });
}
function type(key) {
  let target = document.activeElement;
  while (target?.shadowRoot?.activeElement) target = target.shadowRoot.activeElement;
  if (!target) return;
  const isTaken = !fire(target, KeyboardEvent, "keydown", { key });
  if (!isTaken && key.length === 1 && target.matches("textarea[data-field], input[type=text][data-field]")) {
    target.setRangeText(key, target.selectionStart, target.selectionEnd, "end");
    target.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, data: key }));
  }
  if (!isTaken && (key === "Enter" || key === " ") && target.matches("button, summary")) target.dispatchEvent(new PointerEvent("click", { bubbles: true, composed: true, cancelable: true }));
  fire(target, KeyboardEvent, "keyup", { key });
}

/** The answers that the forms have taken: question and value. */
const taken = [];
document.addEventListener("ask-user-record", ({ detail: { record } }) => {
  if (record.type !== "inquiry_response" || record.outcome !== "answered") return;
  const [, call, id] = /^(.*)\.(q\d+b?)\./.exec(record.id);
  taken.push(record.answer?.type ? [tools.get(call), record.answer.type] : [id, record.answer]);
});

/** Plays so many acts of the person. Gives what went wrong, and how much was taken. */
window.play = async (times, random) => {
  dice = random;
  const [wrong, tally] = [[], { taken: 0, meant: 0, refused: 0, chosen: 0, acts: 0, approved: 0, pages: 0 }];
  put();
  for (let time = 0; time < times; time += 1) {
    if (!form() || form().shadowRoot?.querySelector("[data-ends]") || chance(0.02)) put();
    if (chance(0.9)) for (const name of CALM) ACTS[name]();
    if (chance(0.3)) acts();
    await frames(3);
    passes(chance(0.8) ? 1_200 : 200);
    // What moved since is seen, and is no surprise after that.
    document.dispatchEvent(new Event("scroll"));
    await frames(2);
    passes(600);
    const seen = look();
    did.length = 0;
    const before = taken.length;
    // What happens now, the person does not see before they act.
    let left = SEEN - 10;
    for (let more = chance(0.4) ? 0 : pick([1, 1, 2, 3]); more; more -= 1) {
      const pause = Math.floor(dice() * left);
      passes(pause);
      left -= pause;
      acts();
      if (chance(0.5)) await frames(pick([1, 2, 3]));
    }
    passes(left);
    const meant = seen.length ? pick(seen) : undefined;
    let how = "writes in the chat";
    if (meant && chance(0.8)) {
      how = meant.key && chance(0.5) ? `key ${meant.key}` : pick(["mouse", "touch"]);
      if (typeof meant.answer === "string" && meant.answer.startsWith("disk")) {
        how = "types";
        await press(meant.place, "mouse");
        // What stands there already, they replace.
        let field = document.activeElement;
        while (field?.shadowRoot?.activeElement) field = field.shadowRoot.activeElement;
        field?.select?.();
        for (const key of [...meant.answer, "Enter"]) {
          if (chance(0.05)) acts();
          if (chance(0.1)) await frames(2);
          passes(pick([60, 90, 140]));
          type(key);
        }
      } else if (how.startsWith("key")) type(meant.key);
      else await press(meant.place, how);
      tally.acts += 1;
      if (chance(0.15) && ["mouse", "touch"].includes(how)) {
        passes(pick([30, 120, 250]));
        await press([meant.place[0] + pick([0, 7]), meant.place[1]], how);
      }
    } else {
      chat.focus();
      for (const key of pick(["yes", "no, 2", "n1y"])) {
        // The page takes the focus away, and the person does not see that before they have typed on.
        if (chance(0.3)) form()?.focus();
        passes(pick([60, 90, 140]));
        type(key);
        await frames(chance(0.2) ? 2 : 0);
      }
      if (chance(0.5)) type("Enter");
    }
    await frames(2);
    const answers = taken.slice(before);
    tally.taken += answers.length;
    const isPage = meant?.id === "page";
    const isMeant = ([id, answer]) => how !== "writes in the chat" && (isPage ? meant.answer[id] === answer : answers.length === 1 && id === meant.id && answer === meant.answer);
    if (answers.length && answers.every(isMeant)) {
      tally.meant += answers.length;
      if (isPage) tally.pages += 1;
      if (meant.answer === "approve") tally.approved += 1;
    } else if (answers.length) wrong.push({ time, how, meant, answers, did: [...did] });
    else if (meant?.answer === "chosen") tally.chosen += 1;
    else tally.refused += 1;
    if (wrong.length > 4) break;
  }
  return { wrong, tally };
};
