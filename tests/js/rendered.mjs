// Plays vectors against the form in a browser, acting on the page as a person would. What the form does not offer is not
// done by other ways.
import { NOT_OFFERED } from "./case.mjs";
import { Person } from "./person.mjs";
import { keepsStill, until } from "./wait.mjs";

/** How long another error than before may take, in milliseconds. */
const LATE = 2_000;

/** What is seen of a step, in a page. */
export const look = (/** @type {any} */ expected) => {
  const root = (window.form?.() ?? document.querySelector("ask-user")).shadowRoot;
  const text = (/** @type {string} */ selector) => root.querySelector(selector)?.textContent ?? null;
  const step = root.querySelector("[data-question]");
  const options = [...root.querySelectorAll("[data-option]")];
  const value = (/** @type {any} */ option) => JSON.parse(option.dataset.option);
  const field = root.querySelector("textarea.json") ?? root.querySelector("[data-field]");
  const consulting = step && "consulting" in step.dataset;
  const draft = () => {
    if (consulting) return null;
    switch (step?.dataset.type) {
      case "boolean": {
        const suggested = root.querySelector("[data-answer][data-suggested]");
        return suggested ? suggested.dataset.answer === "yes" : null;
      }
      case "select":
        if (root.querySelector("[data-other]")?.checked) return root.querySelector("#other").value;
        return options.filter((option) => option.checked).map(value)[0] ?? null;
      case "multi_select": {
        const chosen = options.filter((option) => option.checked).map(value);
        if (root.querySelector("[data-other]")?.checked) chosen.push(root.querySelector("#other").value);
        // None chosen and nothing drafted look the same.
        return chosen.length || expected.draft !== null ? chosen : null;
      }
      case "number":
        return field.value === "" ? null : JSON.parse(field.value);
      case "schema":
        return "drafted" in field.dataset ? JSON.parse(field.value) : null;
      default:
        return field ? field.value || (expected.draft === "" ? "" : null) : null;
    }
  };
  const advice = () => {
    const [reason, model] = [text("[data-reason]"), text(".advice [data-model]") ?? undefined];
    if (reason === null && text(".advice")) return { model };
    return reason && { reason, model };
  };
  // A context with Markdown: all code as it was written, and then without white space and marks of emphasis.
  const context = (/** @type {any} */ node, /** @type {any} */ wanted) => {
    if (!node?.querySelector(".md-code, em, code") || typeof wanted !== "string") return node?.textContent ?? null;
    const shown = node.cloneNode(true);
    for (const block of shown.querySelectorAll(".md-code")) {
      block.querySelector("button").remove();
      const [bar, pre] = block.children;
      block.replaceWith(`\`\`\`${bar.textContent}\n${pre.textContent}\n\`\`\``);
    }
    for (const code of shown.querySelectorAll("code")) code.replaceWith(`\`${code.textContent}\``);
    const bare = (/** @type {any} */ text) => text.replace(/[\s*]+/g, "");
    return bare(shown.textContent) === bare(wanted) ? wanted : shown.textContent;
  };
  const progress = text(".progress");
  return {
    question: step?.dataset.question ?? null,
    type: step?.dataset.type ?? null,
    // The form may ask about a call in other words than the core: they are tested with approvals.
    text: root.querySelector("legend .text")?.dataset.asked ?? text("legend .text, h2[data-question-text]"),
    header: text("legend .header:not([data-tool])"),
    context: context(root.querySelector("#context .context"), expected.context),
    progress: progress && progress.split(" of ").map(Number),
    back: root.querySelector("[data-way=back]") !== null,
    review: root.querySelector("[data-review]") !== null,
    asks: step && (consulting ? "assistant" : "person"),
    advice: advice(),
    options: options.length ? options.map(value) : null,
    optional: root.querySelector("[data-skip]") !== null,
    other: root.querySelector("[data-other]") !== null,
    draft: draft(),
  };
};

let taps = 0;

/** Ways to use a control. What a screen reader or a switch does is its default action: the focus, and a click without a pointer. */
export const HANDS = {
  mouse: (/** @type {import("playwright-core").Locator} */ control) => control.click(),
  async tap(/** @type {import("playwright-core").Locator} */ control) {
    await control.scrollIntoViewIfNeeded();
    const { x, y, width, height } = /** @type {{ x: number, y: number, width: number, height: number }} */ (await control.boundingBox());
    const client = await control.page().context().newCDPSession(control.page());
    // A second apart: two taps at one place, as fast as a test makes them, are a double tap.
    const timestamp = (taps += 1) + Date.now() / 1_000;
    await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: x + width / 2, y: y + height / 2 }], timestamp });
    await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [], timestamp: timestamp + 0.05 });
    await client.detach();
  },
  virtual: (/** @type {import("playwright-core").Locator} */ control) =>
    control.evaluate((/** @type {any} */ node) => {
      const target = node.control ?? node;
      target.focus();
      target.click();
    }),
};

export class Rendered {
  #page;
  #comesInPieces;
  /** @type {any} */
  #asked;
  /**
   * What was last typed: at which step, over which draft.
   * @type {any}
   */
  #typed;
  /**
   * The ending that was told before the walk was resumed.
   * @type {any}
   */
  #before;
  #acts = 0;
  /** Which of the tool calls of a page is next. A page is sent after each decision; it is taken once all are there. */
  #call = 0;

  /** How a control is used. */
  #use;
  /** Whether keys are pressed in turn with that. */
  #hasKeys;

  /** `comesInPieces`: requests come in pieces, as a model writes them. `by`: how the person uses a control (`HANDS`); without it, by the mouse and by keys in turn. */
  constructor(/** @type {import("./browser.mjs").Page} */ page, /** @type {{ comesInPieces?: boolean, by?: keyof typeof HANDS }} */ { comesInPieces = false, by } = {}) {
    this.#page = page;
    this.#comesInPieces = comesInPieces;
    this.#use = by ? HANDS[by] : HANDS.mouse;
    this.#hasKeys = !by;
  }

  async open(/** @type {import("./case.mjs").Asked} */ { request, text, dialect, options }) {
    const { toolCallId, label, ...host } = options;
    const attributes = { dialect, "tool-call-id": toolCallId, label };
    this.#typed = this.#before = undefined;
    this.#call = 0;
    this.#asked = { request: text ?? request, attributes, host };
    const [name, detail] = await this.#ask({ ...this.#asked, comesInPieces: this.#comesInPieces });
    return name === "rejected" ? { rejected: detail.problems } : { warnings: detail.warnings };
  }

  #ask(/** @type {any} */ asked) {
    return this.#page.evaluate((/** @type {{ [name: string]: any }} */ { comesInPieces, ...asked }) => {
      // The host's assistant: it says what the case says, when the case says it.
      const assistant = () => new Promise((resolve) => (window.conclude = resolve));
      async function* pieces(/** @type {any} */ text) {
        for (let at = 0; at < text.length; at += 5) yield text.slice(at, at + 5);
      }
      const { request } = asked;
      const written = comesInPieces ? pieces(typeof request === "string" ? request : JSON.stringify(request)) : request;
      return window.ask({ ...asked, request: written, host: { ...asked.host, assistant } });
    }, asked);
  }

  async see(/** @type {any} */ expected) {
    if ((await this.#find("[data-approval]").count()) > 0) return this.#seeCall(expected);
    const seen = await this.#look(expected);
    // That more may come was said, and what is said on a step stays there.
    if (this.#comesInPieces && String(seen.progress) === "1,1") seen.progress = null;
    const typed = this.#typed;
    if (typed?.step !== (await this.#shownStep())) return seen;
    // A refused answer stays as typed; the draft is what stood there before.
    const text = await this.#find("textarea.json, [data-field]:not(.cm-content)").first().inputValue();
    if (text !== typed.text) throw new Error(`what was typed is gone: ${text}`);
    return { ...seen, draft: typed.draft };
  }

  /** The tool call that is next. Back leads to the one before it, which stands on the same page. */
  async #seeCall(/** @type {any} */ expected) {
    const seen = await this.#look(expected);
    const call = await this.#page.evaluate((/** @type {any[]} */ [place, others]) => {
      const call = window.form().shadowRoot.querySelectorAll("[data-approval]")[place];
      const text = (/** @type {string} */ selector) => call?.querySelector(selector)?.textContent ?? null;
      const context = call?.querySelector(".about .context")?.cloneNode(true);
      for (const code of context?.querySelectorAll("code") ?? []) code.replaceWith(`\`${code.textContent}\``);
      const type = call?.querySelector("[data-decision]:checked")?.dataset.decision;
      const words = call?.querySelector("[data-words]")?.value;
      // A command stands for itself. What is beside it has not changed.
      const edited = () => (call.querySelector("textarea.command") ? { ...others, command: words } : JSON.parse(words));
      const beside = type === "edit" ? { arguments: edited() } : words ? { message: words } : {};
      return { question: call?.dataset.approval ?? null, text: call?.querySelector("legend .text")?.dataset.asked ?? text("legend .text"), context: context?.textContent ?? null, draft: type ? { type, ...beside } : null };
    }, [this.#call, expected.draft?.arguments]);
    // In Markdown, paragraphs stand without what is between them.
    const bare = (/** @type {any} */ text) => text?.replace(/\s+/g, "");
    if (bare(call.context) === bare(expected.context)) call.context = expected.context;
    return { ...seen, ...call, back: seen.back || this.#call > 0 };
  }

  #look(/** @type {any} */ expected) {
    return this.#page.evaluate(look, expected);
  }

  async act(/** @type {any} */ action) {
    this.#acts += 1;
    const [before, earlier] = [await this.#shownStep(), await this.#error()];
    if ((await this.#do(action)) === NOT_OFFERED) return NOT_OFFERED;
    await this.#page.evaluate(() => window.settled());
    // What cannot be undone is confirmed on the same step.
    if (await this.#find("[data-confirm]").count()) {
      await this.#click("[data-confirm]");
      await this.#page.evaluate(() => window.settled());
    }
    // A check may take longer than what is painted. The same error may be right twice, so another one is not waited for long.
    const isAnswered = async () => (await this.#shownStep()) !== before || (await this.#error()) !== earlier;
    const mayBeLate = ["answer", "editor"].includes(action.do) && !(await this.#find("[data-approval]").count());
    if (mayBeLate) await until(isAnswered, "a change of the page", Boolean, LATE).catch(() => undefined);
    if ((await this.#shownStep()) !== before) {
      this.#call = 0;
      return undefined;
    }
    if (action.do === "back") return undefined;
    return this.#page.evaluate((/** @type {number} */ place) => {
      const root = window.form().shadowRoot;
      const call = root.querySelectorAll("[data-approval]")[place];
      const error = (call ?? root).querySelector(".error[data-code]");
      // The decision on this call is there; others are not yet.
      if (call && !error) return "taken";
      const details = [...(error?.querySelectorAll("li") ?? [])];
      return {
        code: error?.dataset.code,
        message: error?.textContent ?? "the page did not change",
        details: details.map(({ dataset }) => ({ instance_path: dataset.path, keyword: dataset.keyword })),
      };
    }, this.#call).then((/** @type {any} */ found) => (found === "taken" ? void (this.#call += 1) : found));
  }

  async resume() {
    // The decisions of a page are no answers before it is sent: they are kept like what was typed.
    const isPage = (await this.#type()) === "approval";
    const saved = isPage ? await this.#page.evaluate(() => JSON.stringify(window.form().walk)) : await this.saved();
    const told = await this.#told();
    await this.#ask({ ...this.#asked, saved });
    this.#before = told;
  }

  async saved() {
    // What was typed and not taken stands beside the walk; it is no part of what happened.
    return this.#page.evaluate(() => JSON.stringify({ ...window.form().walk, typed: undefined }));
  }

  async ending() {
    const told = await this.#told();
    if (told && this.#before) throw new Error("the ending is told again of a walk that had ended");
    return { outcome: (told ?? this.#before)?.outcome, records: await this.#page.evaluate(() => window.form().records) };
  }

  /** The ending that the form has told. */
  async #told() {
    const seen = await this.#page.evaluate(() => window.seen);
    return seen.find((/** @type {string[]} */ [name]) => name === "result" || name === "end-turn")?.[1];
  }

  async shown() {
    return this.#page.evaluate(() => window.form().shadowRoot.innerHTML);
  }

  /** How many steps the form has shown: two steps may look alike. */
  /** What the form says is wrong with the answer, if it says so. */
  #error() {
    return this.#page.evaluate(() => window.form().shadowRoot.querySelector(".error[data-code]")?.textContent);
  }

  #shownStep() {
    return this.#page.evaluate(() => window.seen.filter((/** @type {string[]} */ [name]) => name === "step").length);
  }

  #find(/** @type {string} */ selector) {
    return this.#page.locator("ask-user").locator(selector);
  }

  async #click(/** @type {string} */ selector) {
    const found = this.#find(selector);
    if ((await found.count()) === 0) return NOT_OFFERED;
    await this.#use(found);
  }

  /** Follows a link that opens a page of its own, and closes that page: in the background this one would be slowed. */
  async #follow(/** @type {string} */ selector) {
    const opened = this.#page.context().waitForEvent("page");
    await this.#click(selector);
    await (await opened).close();
    // Where the page has lost the focus to what was opened, nobody is asked.
    await this.#page.evaluate(() => window.form().shadowRoot.querySelector("[data-opened]")?.click());
    await this.#page.evaluate(() => window.settled());
  }

  /** Lets pass the time after a step of the person's own in which nothing is pressed yet. */
  async #aims() {
    await this.#page.evaluate(() => window.settled());
    await keepsStill(this.#page);
  }

  async #do(/** @type {any} */ action) {
    // A schema, or what else came late, may just have moved what is shown.
    await keepsStill(this.#page);
    switch (action.do) {
      case "back":
        if (this.#call > 0) return void (this.#call -= 1);
        return this.#press("b", "[data-way=back]");
      case "submit":
        return this.#click("[data-submit]");
      case "assistant":
        if ((await this.#find("[data-consulting]").count()) === 0) return NOT_OFFERED;
        // The headless package, which knows how to ask, may still be on its way.
        await this.#page.waitForFunction(() => window.conclude);
        return this.#page.evaluate((/** @type {any} */ verdict) => {
          window.conclude(verdict);
          window.conclude = undefined;
        }, action.verdict);
      case "endTurn":
        if ((await this.#press("s", "[data-way=end-turn]")) === NOT_OFFERED) return NOT_OFFERED;
        await this.#page.evaluate(() => window.settled());
        return this.#click("[data-end-turn]");
      case "change":
        return this.#click(`[data-change=${JSON.stringify(action.id)}]`);
      case "reply":
        if ((await this.#press("r", "[data-way=reply]")) === NOT_OFFERED) return NOT_OFFERED;
        await this.#aims();
        // Where words do not reach the agent, there is no field for them.
        if (await this.#find("#reply").count()) await this.#find("#reply").pressSequentially(action.text ?? "");
        else if (action.text) {
          await this.#click("[data-cancel]");
          await this.#aims();
          return NOT_OFFERED;
        }
        return this.#click("[data-send-reply]");
      case "editor": {
        const typed = ["schema", "number", "text", "secret"].includes(await this.#type());
        return typed ? this.#enter(action.text) : NOT_OFFERED;
      }
      default:
        return this.#answer(action);
    }
  }

  /** By its key on every second action, where no text field has the focus; by a click else. */
  async #press(/** @type {string} */ key, /** @type {string} */ selector) {
    const inText = ["schema", "number", "text", "secret"].includes(await this.#type());
    if (!this.#hasKeys || this.#acts % 2 || inText) return this.#click(selector);
    if ((await this.#find(selector).count()) === 0) return NOT_OFFERED;
    // The form takes no focus that it was not given.
    if (await this.#page.evaluate(() => window.form().shadowRoot.activeElement === null)) await this.#find("legend, h2").first().focus();
    // A list takes letters itself; from the ways to go on they act.
    if (await this.#page.evaluate(() => window.form().shadowRoot.activeElement?.matches("input:not([data-remember])"))) await this.#page.keyboard.press("Escape");
    await this.#page.keyboard.press(key);
  }

  #type() {
    return this.#page.evaluate(() => window.form().shadowRoot.querySelector("[data-question]")?.dataset.type);
  }

  async #answer(/** @type {{ value: any, note: any, other: any, remember: any }} */ { value, note, other, remember }) {
    const type = await this.#type();
    if (remember && type !== "boolean") return NOT_OFFERED;
    if (value === null && !["select", "number", "schema"].includes(type)) return this.#click("[data-skip]");
    if (other) {
      const written = Array.isArray(value) ? value.at(-1) : value;
      if ((await this.#find("[data-other]").count()) === 0) return NOT_OFFERED;
      if (!(await this.#find("[data-other]").isChecked())) await this.#use(this.#find("[for=option-other]"));
      await this.#find("#other").fill(written);
      value = Array.isArray(value) ? value.slice(0, -1) : null;
    }
    const notes = (await this.#find("#note").count()) > 0;
    if (note !== undefined && !notes) return NOT_OFFERED;
    // A note may stand there from before Back; an answer without one takes it away.
    if (notes) await this.#note(note ?? "");
    switch (type) {
      case "url":
        return value === true ? this.#follow("[data-open]") : NOT_OFFERED;
      case "boolean": {
        if (typeof value !== "boolean") return NOT_OFFERED;
        const name = value ? "yes" : "no";
        if (!remember) return this.#press(name[0], `[data-answer=${name}]`);
        const box = this.#find("[data-remember]");
        if ((await box.count()) === 0) return NOT_OFFERED;
        if (this.#acts % 2 === 0) return this.#press(name[0].toUpperCase(), `[data-answer=${name}]`);
        if (!(await box.isChecked())) await this.#use(box);
        return this.#click(`[data-answer=${name}]`);
      }
      case "select":
        return this.#select(value);
      case "multi_select":
        if (!Array.isArray(value) || (await this.#choose(value)) === NOT_OFFERED) return NOT_OFFERED;
        if (value.length === 0 && !other) await this.#leaveEmpty();
        return this.#click("[type=submit]");
      case "text":
      case "secret":
        return typeof value === "string" ? this.#enter(value) : NOT_OFFERED;
      case "number":
        if (value === null) return this.#enter("");
        return ["number", "string"].includes(typeof value) ? this.#enter(String(value)) : NOT_OFFERED;
      case "schema":
        return this.#enter(JSON.stringify(value, undefined, 2));
      case "approval":
        return this.#decide(value);
      default:
        return NOT_OFFERED;
    }
  }

  /** Chooses an option. By a click that answers, where one does; its button answers else. */
  async #select(/** @type {any} */ value) {
    const before = await this.#shownStep();
    if (value !== null && (await this.#choose([value])) === NOT_OFFERED) return NOT_OFFERED;
    await this.#page.evaluate(() => window.settled());
    if ((await this.#shownStep()) === before) return this.#click("[type=submit]");
  }

  /** Says that the empty field is the answer, where that takes an act of its own. */
  async #leaveEmpty() {
    const box = this.#find("[data-empty]");
    if ((await box.count()) === 0) return;
    // For a text, it is offered once one is missing.
    if (!(await box.isVisible())) await this.#use(this.#find("[type=submit]").first());
    if (!(await box.isChecked())) await this.#use(box);
  }

  /** Writes a note. Its field is folded away while it is empty. */
  async #note(/** @type {any} */ text) {
    const field = this.#find("#note");
    if (!(await field.isVisible())) {
      if (text === "") return;
      await this.#use(this.#find(".note summary"));
    }
    await field.fill(text);
  }

  /** Decides on the tool call that is next, and sends the page. */
  async #decide(/** @type {any} */ value) {
    const { type, arguments: edited, message = "", grant, ...others } = value ?? {};
    if (Object.keys(others).length || (type !== "edit" && edited !== undefined) || (type === "edit" && edited === undefined)) return NOT_OFFERED;
    const call = this.#find("[data-approval]").nth(this.#call);
    const single = (await this.#find("[data-approval]").count()) === 1;
    // Another decision may have been chosen before, and refused.
    if (single && (await call.locator("[data-undecide]").count())) await this.#use(call.locator("[data-undecide]"));
    await this.#page.evaluate(() => window.settled());
    const control = call.locator(`[data-decision=${type}]`);
    if (!type || (await control.count()) === 0) return NOT_OFFERED;
    // The ways to approve a single call stand beside its button, which sends it.
    const sends = single && type === "approve";
    if (!sends) {
      await this.#use(control);
      await this.#page.evaluate(() => window.settled());
      // A rejection without words is sent.
      if ((await call.count()) === 0) return;
    }
    if (grant && !(await this.#reach(call, grant))) return NOT_OFFERED;
    if (sends) return void (await this.#use(control));
    const hasWords = (await call.locator("[data-words]").count()) > 0;
    if (type === "edit" && (await call.locator("textarea.command").count())) {
      if (!(await this.#command(call, edited))) return NOT_OFFERED;
    } else if (hasWords) await this.#write(call, type === "edit" ? JSON.stringify(edited) : message);
    else if (message) return NOT_OFFERED;
    if (type !== "approve" || !single) await this.#use(this.#find("[type=submit]").first());
  }

  /** Changes a command: all arguments where there are others, or else the command alone. Says whether the form offers that. */
  async #command(/** @type {import("playwright-core").Locator} */ call, /** @type {any} */ edited) {
    const all = call.locator("[data-all-arguments]");
    if (await all.count()) {
      await this.#use(all);
      await this.#page.evaluate(() => window.settled());
      await this.#write(call, JSON.stringify(edited));
    } else {
      if (typeof edited?.command !== "string" || Object.keys(edited).length > 1) return false;
      await this.#write(call, edited.command);
    }
    return true;
  }

  /** Chooses how far a decision reaches, by its scope and the sentence beside it; says whether that is offered. */
  async #reach(/** @type {import("playwright-core").Locator} */ call, /** @type {{ scope: any, shown: any }} */ { scope, shown }) {
    const found = call.locator(`.reach .option:has([data-grant=${scope}])`);
    const texts = await found.locator(".description").allTextContents();
    const place = texts.indexOf(shown);
    if (place >= 0) await this.#use(found.nth(place).locator("label"));
    await this.#page.evaluate(() => window.settled());
    return place >= 0;
  }

  /** Writes the words or the arguments of a decision; arguments into the editor, once it is there. */
  async #write(/** @type {import("playwright-core").Locator} */ call, /** @type {any} */ text) {
    if (await call.locator("textarea.json").count()) await this.#asText();
    const area = call.locator(".cm-content, textarea:not(.json), textarea.json:not([hidden])").first();
    await area.focus();
    await this.#page.keyboard.press("Control+A");
    if (text === "") await this.#page.keyboard.press("Delete");
    else await this.#page.keyboard.insertText(text);
  }

  /** Goes to the text of a question for JSON. Under a finger there is no editor for it. */
  async #asText() {
    if (this.#use !== HANDS.tap) return new Person(this.#page).asText();
    if (await this.#find(".properties:not([hidden])").count()) await this.#use(this.#find(".tab").nth(1));
    await this.#find("textarea.json:not([hidden])").waitFor();
  }

  /** Brings the options to be chosen exactly these, in the order given. */
  async #choose(/** @type {any} */ values) {
    const places = await this.#page.evaluate((/** @type {any} */ values) => {
      const options = [...window.form().shadowRoot.querySelectorAll("[data-option]")];
      const texts = options.map((option) => JSON.stringify(JSON.parse(option.dataset.option)));
      const wanted = values.map((/** @type {any} */ value) => texts.indexOf(JSON.stringify(value)));
      if (wanted.includes(-1) || new Set(wanted).size < wanted.length) return undefined;
      const others = options.flatMap((option, place) =>
        option.type === "checkbox" && option.checked && !wanted.includes(place) ? [place] : [],
      );
      return [...others, ...wanted.filter((/** @type {number} */ place) => !options[place].checked)];
    }, values);
    if (!places) return NOT_OFFERED;
    for (const place of places) await this.#use(this.#find(`label[for=option-${place}]`));
  }

  /** Waits until the field holds what was typed: a person sees it there before going on. An editor takes it up in a later task. */
  async #holds(/** @type {any} */ text) {
    const field = this.#find("textarea.json, [data-field]:not(.cm-content)").first();
    await until(() => field.inputValue(), `${JSON.stringify(text)} in the field`, (value) => value === text);
  }

  /** Types a text in place of what the field holds, and continues by the keyboard or by the button. */
  async #enter(/** @type {any} */ text) {
    const step = await this.#shownStep();
    const draft = this.#typed?.step === step ? this.#typed.draft : (await this.#look({})).draft;
    this.#typed = { step, draft, text };
    // JSON is typed into the editor, once it is there.
    if ((await this.#type()) === "schema") await this.#asText();
    const field = this.#find("[data-field]");
    const isDate = (await field.getAttribute("type")) === "date";
    // A date field takes no other text.
    if (isDate && text !== "" && !(await field.evaluate((/** @type {any} */ _, /** @type {any} */ text) => Object.assign(document.createElement("input"), { type: "date", value: text }).value === text, text))) return NOT_OFFERED;
    await field.focus();
    if (isDate) await field.fill(text);
    else {
      await this.#page.keyboard.press("Control+A");
      if (text === "") await this.#page.keyboard.press("Delete");
      else await this.#page.keyboard.insertText(text);
      await this.#holds(text);
    }
    if (text === "") await this.#leaveEmpty();
    if (this.#hasKeys && this.#acts % 2) await this.#page.keyboard.press("Control+Enter");
    else await this.#use(this.#find("[type=submit]").first());
  }
}
