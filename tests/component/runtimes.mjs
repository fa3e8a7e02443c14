// The component in two runtimes: wasmtime in Go, and jco in Node. Each is asked in the same way: `call(name, ...arguments)` gives
// `{ ok }`, or what went wrong as `{ rejected }`, `{ refused }`, `{ unexpected }`, `{ misuse }` or `{ trap }`.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transpile } from "@bytecodealliance/jco-transpile";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const component = join(root, "target/component/ask-user.wasm");
/** The programs in Go: the driver, and the example in a terminal. */
export const go = join(root, "target/component/go");

const FORMS = "ask-user:core/forms@0.1.0";
const CONVERSATIONS = "ask-user:core/conversations@0.1.0";
const DESKS = "ask-user:core/desks@0.1.0";

/** The interfaces as jco makes them a module of JavaScript. */
export async function transpiled() {
  const folder = join(root, "target/component/js");
  const { files } = await transpile(component, { name: "ask-user", noComponentErrorWrapping: true });
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  const module = await import(pathToFileURL(join(folder, "ask-user.js")).href);
  return { forms: module[FORMS], conversations: module[CONVERSATIONS], desks: module[DESKS] };
}

/** The component as jco makes it a module. */
export async function inNode() {
  const { forms, conversations, desks } = await transpiled();
  let walk, reader, conversation, desk;
  const opened = { open, resume, stream, continued };
  function open(request, dialect, options) {
    walk = forms.open(text(request), dialect ?? undefined, JSON.stringify(options));
  }
  function resume(request, saved, dialect, options, secrets) {
    walk = forms.resume(text(request), text(saved), dialect ?? undefined, JSON.stringify(options), secrets && JSON.stringify(secrets));
  }
  function stream(dialect, options) {
    reader = forms.stream(dialect ?? undefined, JSON.stringify(options));
    walk = reader.walk();
  }
  function continued(response) {
    walk = walk.continued(text(response));
  }
  const act = (tag, val) => walk.act({ tag, val });
  const byId = (answers) => Object.entries(answers).map(([id, value]) => [id, JSON.stringify(value)]);
  const calls = {
    answer: (value, other, note, remember) => act("answer", { value: JSON.stringify(value), other: other ?? undefined, note: note ?? undefined, remember }),
    assistant: (verdict, id) => act("assistant", { id, said: JSON.stringify(verdict) }),
    back: () => act("back"),
    change: (id) => act("change", id),
    end_turn: () => act("end-turn"),
    reply: (message) => act("reply", message ?? undefined),
    submit: () => act("submit"),
    typed: (typed) => act("typed", typed),
    answer_all: (answers) => walk.answerAll(byId(answers)),
    answers: (answers) => walk.answers(JSON.stringify(answers)),
    check: (value, other) => walk.check(JSON.stringify(value), other ?? undefined),
    page: (answers) => json(walk.page(byId(answers))),
    to_confirm: (answers) => walk.toConfirm(byId(answers)),
    records: () => json(walk.records(0)),
    is_over: () => walk.isOver(),
    idempotency_key: () => walk.idempotencyKey(),
    result_text: () => walk.resultText(),
    write: (piece) => reader.write(piece),
    end: () => reader.end(),
    conversation: (attended, severalOpen = false) => json((conversation = new conversations.Conversation(attended, severalOpen)).save()),
    stored_conversation: (stored) => json((conversation = conversations.Conversation.read(text(stored))).save()),
    stored: () => json(conversation.save()),
    state: () => json(conversation.state()),
    notice: () => json(conversation.notice()),
    waiting: () => json(conversation.open()),
    ended_by: (event) => json(conversation.endedBy(text(event))),
    on: (event) => json(conversation.on(text(event))),
    desk_ask: (call, request, dialect, options, earlier) => json((desk = desks.Desk.ask(call, text(request), dialect ?? undefined, JSON.stringify(options), earlier == null ? undefined : text(earlier))).save()),
    desk_read: (stored) => json((desk = desks.Desk.read(text(stored))).save()),
    desk_begun: (saved) => json((desk = desk.begun(text(saved))).save()),
    desk_save: () => json(desk.save()),
    desk_request: () => json(desk.request()),
    desk_closed: () => json(desk.closed()),
    desk_answer: () => json(desk.answer()),
    desk_secrets: (input) => desk.secretsIn(text(input)),
    desk_on: (input) => json(desk.on(text(input))),
    dialects: () => forms.dialects(),
    register_dialect: (declaration) => forms.registerDialect(JSON.stringify(declaration)),
    detect_dialect: (request, options) => forms.detectDialect(text(request), JSON.stringify(options)),
    permission: (tool, kind, options) => json(forms.permission(tool, kind, JSON.stringify(options))),
    tool_definitions: (dialect, subAgent = false) => json(forms.toolDefinitions(dialect, subAgent)),
    mend_records: (records) => json(forms.mendRecords(JSON.stringify(records))),
    read_records: (lines, turns) => json(forms.readRecords(JSON.stringify(lines), turns)),
    records_markdown: (records) => forms.recordsMarkdown(JSON.stringify(records)),
  };
  const call = async (name, ...rest) => {
    try {
      if (opened[name]) {
        opened[name](...rest);
        return { ok: json(walk.form()) };
      }
      return { ok: (calls[name] ?? (() => json(walk[name]())))(...rest) ?? null };
    } catch (error) {
      return fault(name, error);
    }
  };
  return { call, end() {} };
}

/** What was thrown, in the way of all runtimes. */
function fault(name, error) {
  if (error instanceof Error) return { trap: error.message };
  if (name === "end") return { rejected: JSON.parse(error).problems };
  if (typeof error === "string") return { misuse: error };
  if (error.tag === "rejection") return { rejected: JSON.parse(error.val).problems };
  if (error.tag === "misuse") return { misuse: error.val };
  if (error.tag === "unresumable") return { refused: error.val };
  if (error.tag === "unexpected") return { unexpected: { code: error.val.code, message: error.val.message, call_id: error.val.callId ?? null } };
  return { refused: { ...error, details: json(error.details) ?? undefined } };
}

function json(text) {
  return text === undefined ? null : JSON.parse(text);
}

function text(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The component in wasmtime, in a process of Go. With `memory`, it may take so many bytes. */
export function inGo(memory) {
  return driven(join(go, "driver"), [component, ...(memory ? [String(memory)] : [])]);
}

/** A process that is driven by lines of JSON. */
function driven(program, args) {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = async (...line) => {
    child.stdin.write(`${JSON.stringify(line)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${program} has ended.`);
    const said = JSON.parse(value);
    if (said.refused?.details === null) delete said.refused.details;
    return said;
  };
  return { call, end: () => child.stdin.end() };
}
