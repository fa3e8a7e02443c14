// The types are true: everything that the package gives while it plays the vectors is written down with its declared type,
// and the compiler must accept it, unknown fields included; and it must not accept what is wrong.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { dialects, toolDefinitions } from "../../pkg/dist/core.node.js";
import { PROJECTS, checked, filesOf, scripts } from "../types.mjs";
import { play } from "./case.mjs";
import { Headless } from "./headless.mjs";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const FOLDER = path("../../pkg/build/types/");
const HEAD = `import type * as Core from "../../types/core.js";\nimport type { AskUser } from "../../types/ask-user.js";\n`;

/** Gives what the compiler says of texts, each a file of its own: `text0.ts`, `text1.ts` and so on. */
async function compiled(...texts) {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [place, text] of texts.entries()) writeFileSync(`${FOLDER}text${place}.ts`, HEAD + text);
  return checked("pkg/tsconfig.json");
}

/** Writes down all that a walk gives, at every step of a case. */
class Witness extends Headless {
  lines = [];

  #note(type, value) {
    if (value !== undefined) this.lines.push(`({} as any as (_: ${type}) => void)(${JSON.stringify(value)});`);
  }

  async open(asked) {
    const opened = await super.open(asked);
    if (opened.rejected) {
      this.#note("Core.Problem[]", opened.rejected);
    } else {
      const { dialect } = this.walk.form;
      // What it has besides is a warning: the types know no such field. A request of a sub-agent is not read.
      if (dialect === "ask_user" && !asked.options?.subAgent && asked.request?.questions && !this.walk.form.warnings.some(({ code }) => code.endsWith("_field"))) this.#note("Core.AskUserCall", asked.request);
      this.#note("Core.Problem<Core.WarningCode>[]", this.walk.form.warnings);
      this.#note("Core.Options", { ...asked.options, dialect: asked.dialect });
      this.#look();
    }
    return opened;
  }

  async act(action) {
    const refusal = await super.act(action);
    if (refusal) this.#note("Pick<Core.RefusalError, 'code' | 'details' | 'refused'>", { code: refusal.code, details: refusal.details, refused: refusal.refused });
    this.#look();
    return refusal;
  }

  #look() {
    this.#note("Core.Step", this.walk.step);
    this.#note("Core.Asking[]", this.walk.page());
    this.#note("Core.Asking[]", this.walk.approvals);
    this.#note("Core.Outcome", this.walk.outcome);
    this.#note("Core.AuditRecord[]", this.walk.records);
    this.#note("Core.SavedWalk", this.walk.save());
    this.#note("Core.Turn", this.walk.turn);
    this.#note("Core.Walk['form']", this.walk.form);
    this.#note("Core.Consultation", this.walk.consultation);
  }
}

test("what the package gives has its declared types", async () => {
  const witness = new Witness();
  const pending = readFileSync(path("../vectors.pending"), "utf8");
  for (const folder of ["../vectors/", "../cases/"]) {
    for (const file of readdirSync(path(folder)).filter((file) => !pending.includes(`${file}:`) && file !== "desk.json")) {
      for (const case_ of JSON.parse(readFileSync(path(folder + file), "utf8"))) await play(case_, witness);
    }
  }
  await witness.open({ request: { question: "Sure?", answer_type: "boolean" }, options: { review: true } });
  await witness.act({ do: "answer", value: true });
  const definitions = dialects().map((name) => `({} as any as (_: Core.ToolDefinition[]) => void)(${JSON.stringify(toolDefinitions(name))});`);
  assert.ok(witness.lines.length > 500);
  assert.equal(await compiled([...witness.lines, ...definitions].join("\n")), "");
});

test("a page that listens to the element has typed details", async () => {
  const right = `
    const element: AskUser = document.createElement("ask-user");
    element.request = { question: "Go on?" };
    element.addEventListener("ask-user-result", ({ detail }) => { const { result, idempotencyKey }: { result: Core.Json | undefined; idempotencyKey: string } = detail; });
    element.addEventListener("ask-user-rejected", ({ detail }) => { detail.problems.map(({ code }) => code === "duplicate_id"); });
    element.walk = element.walk;
    import { ask } from "../../types/ask-user.js";
    ask({ question: "Go on?" }, { parent: document.body, signal: new AbortController().signal }).then(({ outcome }) => outcome.ends);
    import type { AskUserProps } from "../../types/jsx.js";
    const props: AskUserProps = { request: {}, label: "x", "onask-user-result": ({ detail }) => detail.idempotencyKey.length, className: "wide" };
    type There = import("react").JSX.IntrinsicElements["ask-user"];
    const there: There = props;`;
  assert.equal(await compiled(right), "");
});

test("the component for React has typed props, callbacks and a typed ref", async () => {
  const right = `
    import { createElement, createRef } from "react";
    import { AskUser as Form, type AskUserElement, type AskUserProps } from "../../types/react.js";
    const ref = createRef<AskUserElement>();
    createElement(Form, { ref, request: { question: "Go on?" }, host: { review: true }, walk: null, className: "wide", style: { color: "red" } });
    createElement(Form, { key: "k", ref: (form) => { form?.focus(); }, onResult: ({ idempotencyKey }) => idempotencyKey.length });
    const props: AskUserProps = { toolCallId: "call_7", dialect: "mcp", onDraft: (_, event) => { props.walk = event.target.walk; } };
    const rejected: AskUserProps["onRejected"] = ({ problems }, { detail }) => problems === detail.problems;`;
  assert.equal(await compiled(right), "");
});

test("a desk needs a nonce where there was an earlier question, and else none", async () => {
  const right = `declare const { Desk }: typeof Core;
    const desk = Desk.ask({}, { toolCallId: "call_1", dialect: "ask_user" });
    Desk.ask({}, { toolCallId: "call_1", nonce: "n2", earlier: desk });`;
  assert.equal(await compiled(right), "");
});

test("what is wrong is not accepted", async () => {
  const wrong = [
    `const step: Core.Step = { state: "asking" };`,
    `const options: Core.Options = { labell: "x" };`,
    `const options: Core.Options = { limits: { questions_per_turn: 1 } };`,
    `declare const walk: Core.Walk; walk.check(true)!.refused;`,
    `const call: Core.AskUserCall = { questions: [{ id: "a", text: "A?", answer_type: "bool" }] };`,
    `const call: Core.AskUserCall = { questions: [{ id: "a", text: "A?", answer_type: "text", when: { question_id: "b", equals: 1, in: [1] } }] };`,
    `const ended: Core.Outcome = { ends: "done" };`,
    `const props: import("../../types/jsx.js").AskUserProps = { "onask-user-result": ({ detail }) => detail.results };`,
    `const props: import("../../types/react.js").AskUserProps = { labell: "x" };`,
    `const props: import("../../types/react.js").AskUserProps = { onResult: ({ results }) => results };`,
    `const props: import("../../types/react.js").AskUserProps = { respondUrl: 1 };`,
    `import { ask } from "../../types/ask-user.js"; ask({}, { parnet: document.body });`,
    `declare const element: AskUser; element.addEventListener("ask-user-result", ({ detail }) => detail.results);`,
    `declare const walk: Core.Walk; walk.answer(undefined);`,
    `declare const { Desk }: typeof Core; Desk.ask({}, { toolCallId: "call_1", earlier: {} });`,
  ];
  const said = await compiled(...wrong);
  for (const [place, text] of wrong.entries()) assert.match(said, new RegExp(`text${place}\\.ts.*error TS`), text);
});

for (const project of PROJECTS) {
  test(`${project}: the scripts have the types that their comments say`, async () => assert.equal(await checked(project), ""));
}

test("every script of the project is checked", async () => {
  const all = scripts().filter((name) => /\.(jsx?|mjs|cjs)$/.test(name));
  const seen = new Set((await Promise.all(PROJECTS.map(filesOf))).flat());
  assert.deepEqual(all.filter((name) => !seen.has(name)), []);
});


test("each entry of the package is compared with its declarations", async () => {
  const { exports } = JSON.parse(readFileSync(path("../../pkg/package.json"), "utf8"));
  const declared = [...JSON.stringify(exports).matchAll(/"types":"\.\/types\/([\w.-]+)\.d\.ts"/g)].map(([, name]) => name);
  const compared = readFileSync(path("../../pkg/declared/public.ts"), "utf8");
  const missing = [...new Set(declared)].filter((name) => name !== "jsx" && !compared.includes(`from "../types/${name}.js"`));
  assert.deepEqual([declared.length > 15, missing], [true, []]);
});

test("a dialect has a definition for each name of the type of such dialects, and for no other", async () => {
  const defined = dialects().filter((name) => toolDefinitions(name).length);
  const names = defined.map((name) => `${JSON.stringify(name)}: true`).join(", ");
  assert.equal(await compiled(`const all: { [name in Core.ToolDialect]: true } = { ${names} };`), "");
});

test("what wasm-bindgen writes has each function that is declared for the scripts", async () => {
  // The tests know the bindings of the development build alone.
  const modules = { core: "ask_user_core", html: "ask_user_html", validator: "ask_user_validator", web: "ask_user_web" };
  for (const [folder, name] of Object.entries(modules)) {
    const written = readFileSync(path(`../../pkg/build/development/${folder}/${name}.js`), "utf8");
    const said = readFileSync(path(`../../pkg/declared/build/${folder}/${name}.d.ts`), "utf8");
    const methods = [...said.matchAll(/^(?:export function|  (?:static |get )*)(?: )?(\w+)\(/gm)].map(([, name]) => name);
    assert.ok(methods.length > 2, folder);
    assert.deepEqual(methods.filter((method) => !new RegExp(`^(?: {4}(?:static |get )?|export function |function )${method}\\(`, "m").test(written)), [], folder);
  }
});

test("the types of the element, of JSX and of the component have what the manifest has, and nothing else", async () => {
  const [{ declarations: [element] }] = JSON.parse(readFileSync(path("../../pkg/custom-elements.json"), "utf8")).modules;
  const names = (list) => list.map(({ name }) => name);
  const union = (list) => [...new Set(list)].map((name) => JSON.stringify(name)).join(" | ");
  const inCamelCase = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  /** The types of the manifest, which names them as the package does. */
  const typed = ({ type }) => type.text.replace(/\b(?!(?:CustomEvent|Record|Partial)\b)[A-Z]\w+/g, (name) => `Ask.${name}`);
  const fields = element.members.filter(({ kind }) => kind === "field");
  const settable = names(fields.filter(({ readonly }) => !readonly));
  const [attributes, events] = [names(element.attributes), names(element.events)];
  // The component takes the turn from `host`, and is gone when the element is.
  const props = [...settable.filter((name) => name !== "turn"), ...attributes.map(inCamelCase), "className", "style", "id"];
  const callbacks = events.filter((name) => name !== "ask-user-removed").map((name) => inCamelCase(name.replace("ask-user", "on")));
  const checks = [
    `Same<Exclude<keyof AskUser, keyof HTMLElement>, Exclude<${union(names(element.members))}, keyof HTMLElement>>`,
    ...fields.map((field) => `Same<AskUser["${field.name}"], ${typed(field)}>`),
    ...fields.map(({ name, readonly = false }) => `Same<IsReadonly<"${name}">, ${readonly}>`),
    `Same<keyof Ask.AskUserEventMap, ${union(events)}>`,
    ...element.events.map((event) => `Same<Ask.AskUserEventMap["${event.name}"], ${typed(event)}>`),
    `Same<Exclude<keyof Jsx.AskUserProps, keyof Html>, Exclude<${union([...settable, ...attributes, ...events.map((name) => `on${name}`)])}, keyof Html>>`,
    ...element.attributes.filter(({ name }) => name !== "request").map((attribute) => `Same<Jsx.AskUserProps["${attribute.name}"], ${typed(attribute)} | undefined>`),
    `Same<keyof Component.AskUserProps, ${union([...props, ...callbacks])}>`,
  ];
  const head = `
    import type * as Ask from "../../types/ask-user.js";
    import type * as Jsx from "../../types/jsx.js";
    import type * as Component from "../../types/react.js";
    import type { DetailedHTMLProps, HTMLAttributes } from "react";
    type Html = DetailedHTMLProps<HTMLAttributes<AskUser>, AskUser>;
    type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : [One, "is not", Other]) : [One, "is not", Other];
    type Exactly<One, Other> = (<Any>() => Any extends One ? 1 : 2) extends (<Any>() => Any extends Other ? 1 : 2) ? true : false;
    type IsReadonly<Name extends keyof AskUser> = Exactly<Pick<AskUser, Name>, { -readonly [name in Name]: AskUser[name] }> extends true ? false : true;`;
  assert.ok(checks.length > 30);
  assert.equal(await compiled(`${head}\n${checks.map((check, place) => `const check${place}: ${check} = true;`).join("\n")}`), "");
});
