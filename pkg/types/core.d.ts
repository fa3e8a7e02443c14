// The headless package: a request of an agent becomes a walk, which a host steps through without any form.

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
/** A JSON value that is neither an array nor an object. */
export type Scalar = null | boolean | number | string;

/** The names of the dialects that a request can be read with. */
export type Dialect =
  | "ask_user" | "ask_user_question" | "claude" | "deepagents" | "mcp" | "gemini" | "codex" | "opencode" | "openclaw"
  | "langchain" | "ai_sdk" | "openai_agents" | "ag_ui" | "vscode" | "kimi" | "copilot" | "zed" | "mastra" | "roo" | "cline"
  | "acp" | "openai_responses" | "adk" | "agent_framework" | "managed_agents" | "pydantic_ai" | "langgraph" | "goose";

/**
 * A dialect of your own: which fields your agent's requests have, and how its results are written. Each name of a field has 1 to 64 bytes and does not begin with `_` or `$`.
 * docs/own-dialect.md explains all of it.
 */
export interface DialectDeclaration {
  /** The name that hosts use: 1 to 64 lower case letters, digits and `_`, the first a letter. */
  name: string;
  /** The tool as models know it. Default: the name. */
  tool?: string;
  /** The object around a request: its field `field` is one of the words `is`, and its field `request` has the request. */
  envelope?: { field: string; is: string[]; request: string };
  /** The field with the list of questions. Without it, a request is one question. */
  questions?: string;
  /** Other fields around the list. They say nothing that a person must see. */
  beside?: string[];
  /** Fields of a question that tell this dialect from others. Without them and without an envelope, a host names the dialect. */
  tells?: string[];
  /** The most questions. Default: 10,000. */
  most?: number;
  /** The fields of a question. */
  question: {
    /** The field with its text. */
    text: string;
    /** How many characters of the field `header` are shown. Without it, there is no header. */
    header?: number;
    /** The field with more to know, as Markdown. */
    context?: string;
    /** The options: the field with their list, the fields of one with its label (default: "label") and with its answer (default: the label), and how many there can be. If `least` is 0 (the default), a question without options asks for a text. */
    options?: { field: string; label?: string; value?: string; least?: number; most?: number };
    /** The field that allows several options (true or false). */
    multiple?: string;
    /** Whether a person may answer in their own words in place of an option: always (the default), never, or as a field says. */
    own_words?: boolean | { field: string; default: boolean };
    /** The field that makes the answer a secret (true or false). */
    secret?: string;
    /** Whether a question may be left empty. Default: false. */
    optional?: boolean;
    /** Whether a note may stand beside a chosen option. Default: false. */
    notes?: boolean;
  };
  /** What the answers of a list are told apart by. Default: their order, as a list. */
  key?: "list" | "place" | "text" | { field: string };
  /**
   * An answer: any JSON, in which these texts stand for parts of it. `$text`: all of it as one text. `$list`: as a list of texts. `$chosen`: the chosen options, a list. `$own`: the person's own words, or null.
   * `$is_own`: whether there are such words. `$note`: the note, or null. `$empty`: whether the question was left empty.
   */
  answer: Json;
  /** The result of a list: any JSON with the text `$answers` once. Default: `{ "answers": "$answers" }`. */
  result?: Json;
  /** What a Reply gives. Without it, there is no Reply. `words`: the person's words as the answer, or else this sentence, for single questions. `"answers"`: a list in which every question was left empty, whatever was chosen before. */
  reply?: { result: Json } | { words: string } | "answers";
  /** What the end of the turn and the end of its time give. Default: no result. */
  end_turn?: { result: Json };
  /** What a failure gives. Default: `"failure"`, `{ error, message }`. */
  failed?: { result: Json } | "failure";
}

/** The host's options. A request can set none of them. */
export interface Options {
  /** Reads the request with this dialect; by default with the one whose shape it has. */
  dialect?: Dialect;
  /** The id of the tool call that asks; ids of records begin with it. Default: `call_1`. */
  toolCallId?: string;
  /** Who asks, as the person should read it. */
  label?: string;
  /** Who asks, for the records. Default: the assistant. */
  source?: Source;
  /** Answers of the host's configuration, by question id; such a question is put to nobody. */
  staticAnswers?: { [id: string]: Json };
  /** Fixed answers for `secret` questions alone, by question id. */
  secretAnswers?: { [id: string]: Json };
  /** Whether an answer may be remembered for the rest of the turn. Default: what the dialect says. */
  reuse?: "turn" | "none";
  /** Whether all answers are shown before they are sent. Default: what the dialect says. */
  review?: boolean;
  /** Whether a button approves all tool calls of a form that are not decided yet, and sends them. Default: false. */
  approveAll?: boolean;
  /**
   * The tool calls that the agent made earlier in the turn, in their order. Beside a rule that the person may grant, the form says how many of them it would have covered. Of more than
   * 1,000, the last count. Default: none, and nothing is said.
   */
  calls?: { tool: string; arguments?: Json }[];
  /**
   * Ways to decide on tool calls that the host offers beside those of the agent, 20 at most: for calls of `tool`, or of any. The agent gets the decision on the call alone (`openai_agents`: that
   * it holds for the run); the host keeps the rule, as `grant` in the record of the answer has it. `decision` is `approve` by default. Default: none.
   */
  grants?: { tool?: string; decision?: "approve" | "reject"; scope: "session" | "always"; rule?: Json; shown: string }[];
  /**
   * What the host says of tool calls, 100 at most: of the question with this id, of calls of `tool`, or of any. `text` is a line of warning (at most 500 characters), and makes the button that
   * approves red. `action` is what that button says in place of *Approve* (at most 60 characters in one line). One of the two is required. It only adds to what is found. Default: none.
   */
  risks?: { question?: string; tool?: string; text?: string; action?: string }[];
  /** Whether Ctrl+Enter (⌘+Enter) approves a single tool call once it was seen to its end. It never approves a risky one. Default: false. */
  approveByKey?: boolean;
  /** What earlier forms of the same turn left: the `turn` of their walks. */
  turn?: Partial<Turn>;
  /** What the person answered or typed in a form that they left with Reply: the `drafts` of its walk. The same questions start from it; it answers nothing. */
  drafts?: Drafts;
  /** Whether a person is there to be asked. Default: true. */
  attached?: boolean;
  /** What happens to questions while no person is there. Default: `deny`. */
  detached?: Detached;
  /** Who is asked first. Default: `user`. */
  target?: Target;
  /** Who is asked first, by question id. Goes before `target`. */
  targets?: { [id: string]: Target };
  /**
   * A text that differs from form to form and from tab to tab, such as a random id. It makes idempotency keys unique. Default: none; the
   * element makes one.
   */
  nonce?: string;
  /** Questions that the person alone may answer: `true` for all, or by id. */
  exclusive?: boolean | { [id: string]: boolean };
  /**
   * What happens to a request without a named dialect that several dialects could have sent: it is read as the design's own with the warning
   * `assumed_dialect`, or rejected. Default: `assume`.
   */
  detect?: "assume" | "strict";
  /**
   * Where the words of a Reply go: into the result, where the dialect has room for them; into a message of the user, which the host makes of
   * `outcome.reply`; or nowhere, and there is no Reply. Default: `result`.
   */
  replies?: "result" | "message" | "none";
  /**
   * When the time for an answer is over, as RFC 3339 has it: `2026-11-28T12:00:00Z`. The host ends the walk by its own clock: `walk.expire(Date.now())`. Default: what
   * the request says, in `ag_ui`.
   */
  expiresAt?: string;
  /**
   * Whether the agent waits for the answer. With `false`, the person reads that the agent has gone on, and in a `Conversation` the answer is a message to it (`persist_messages`). To end the turn at such a question closes it alone. An agent waits for
   * an approval, a secret, and an answer that cannot be undone: a `Desk` refuses them with a `TypeError`. Default: true.
   */
  blocking?: boolean;
  /** Whether the agent that asks has no user: the form then fails at once with `sub_agent`. Default: false. */
  subAgent?: boolean;
  /** How much a request, an answer or a saved walk may hold. */
  limits?: Partial<Limits>;
}

/** Who asks. */
export type Source =
  | { source: "tool"; name: string }
  | { source: "assistant" }
  | { source: "user" }
  | { source: "other"; name: string };

/** The model to ask: its id, and whatever else the host needs. It is handed back unchanged. */
export interface Model {
  id: string;
  [name: string]: Json;
}

/** Who is asked first; with escalation a "no" of the assistant goes on to the person. */
export type Target =
  | "user" | "assistant" | "assistant_with_escalation"
  | { model?: Model; escalation?: boolean };

/** To fail, to take the question's default, or to ask the assistant. */
export type Policy = "deny" | "defaults" | "auto";
/** By kind of prompt: whether a tool may run, whether its result is delivered, what is asked. */
export interface Policies {
  run?: Policy;
  deliver?: Policy;
  tool?: Policy;
}
/** One policy, or one a kind of prompt; what is said of a tool counts first. */
export type Detached = Policy | (Policies & { tools?: { [tool: string]: Policy | Policies } });

export interface Limits {
  /** Bytes of a request, or of one answer, as JSON text. Default: 2,097,152. */
  bytes: number;
  /** Nesting of arrays and objects. Default: 64; at most 120. */
  depth: number;
  /** Questions of a form. Default: what the dialect says; 1,000 where it says nothing. */
  questions: number;
  /** Options of a question. Default: what the dialect says; 10,000 where it says nothing. */
  options: number;
  /** Questions of a turn: those asked in earlier forms, however they ended, those of forms that are still open, and those of this form. Default: no limit. */
  questionsPerTurn: number;
  /** Units of work that reading a request may take, and likewise checking all answers to a form. Default: 20,000,000. */
  work: number;
}

/** What the person answered or typed, by question id, for the next form of the turn. Plain JSON without secrets: pass it on as it is. */
export interface Drafts {
  [id: string]: Json;
}

/** What lasts for one turn of the agent. */
export interface Turn {
  /** How often each question was asked, by `<tool call id>.<question id>`. */
  attempts: { [key: string]: number };
  /** How many questions are in each form of the turn that is still open, by tool call id. The host sets it: they count for `limits.questionsPerTurn`. */
  open?: { [call: string]: number };
  /** What the person asked to remember, by `<tool name>.<question id>`. */
  remembered: { [key: string]: { question: Json; answer: Json } };
  /** Remembered permissions, by tool. The package keeps them for the host, and takes none for an answer. */
  permissions?: { [tool: string]: boolean };
}

export type ProblemCode =
  | "invalid_json" | "unknown_dialect" | "wrong_type" | "missing_field" | "empty_questions" | "too_many_questions"
  | "too_few_options" | "too_many_options" | "empty_text" | "invalid_id" | "duplicate_id" | "duplicate_question"
  | "duplicate_option" | "unknown_answer_type" | "options_required" | "options_not_allowed" | "schema_required"
  | "schema_not_allowed" | "invalid_schema" | "unknown_question" | "forward_reference" | "invalid_default"
  | "invalid_condition" | "invalid_rules" | "ambiguous_field" | "secret_reference" | "multiline_question" | "length_mismatch"
  | "unsafe_url" | "too_large" | "when_never_true" | "misplaced_field" | "assumed_dialect";

export type WarningCode =
  | "assumed_dialect" | "header_truncated" | "unknown_field" | "renamed_field" | "default_dropped" | "secret_default"
  | "dangerous_default";

/** One thing that is wrong with a request. */
export interface Problem<Code = ProblemCode> {
  code: Code;
  /** Where: an RFC 6901 JSON Pointer into the request. */
  path: string;
  /** What is wrong, with the values at fault. */
  message: string;
  /** What to do. */
  hint: string;
}

/** What to hand back to the model in place of a result, so that it can mend its call in one go. */
export interface ToolResult {
  error: "invalid_request";
  message: string;
  problems: Problem[];
}

export type AnswerType = "boolean" | "select" | "multi_select" | "text" | "number" | "secret" | "url" | "schema" | "approval";

/** What the person can decide about a tool call. */
export type DecisionType = "approve" | "edit" | "reject" | "respond";

/** How far a decision on a tool call reaches. */
export interface Grant {
  /** This call alone; calls like it until the agent's session ends; or until the rule is taken back. */
  scope: "once" | "session" | "always";
  /** The rule that the agent would keep, as it sent it. */
  rule: Json;
  /** The sentence that the person reads. */
  shown: string;
}

/** Something about a tool call that a person should know before they approve it: the host states it (`stated`), or a short list of patterns has found it. A call without one may be risky all the same. */
export interface Risk {
  kind: "deletes" | "overwrites" | "publishes" | "pays" | "elevated" | "fetched" | "stated";
  /** What says so: words of the command, the name of the tool, or the host's sentence. */
  found: string;
}

/** A grant that the agent offers, with the decision that it belongs to. */
export interface OfferedGrant extends Grant {
  decision: "approve" | "reject";
  /**
   * How many of the turn's earlier calls (the option `calls`) the rule would have covered. Left out where there were none, or where it cannot be said of one of them. An answer may
   * have it or not.
   */
  covered?: { calls: number; of: number };
}

/** The answer to an `approval`. */
export type Decision =
  | { type: "approve" }
  /** The tool runs with these arguments. */
  | { type: "edit"; arguments: Json }
  /** The tool does not run. */
  | { type: "reject"; message?: string }
  /** The tool does not run, and the message stands in place of its result. */
  | { type: "respond"; message: string };

export interface Choice {
  /** What the answer is when it is chosen. */
  value: Scalar;
  /** The value as JSON text, where it is a whole number that a JavaScript number does not hold: hand it to `answerText`. */
  value_text?: string;
  /** What the person reads. */
  label: string;
  description?: string;
  /** What choosing it would look like: text in a fixed-width font. */
  preview?: string;
  /** The agent advises it. Mark it; never select it. */
  recommended?: true;
  /** Choosing it cannot be undone. Say so, and ask once more before you give the answer. */
  danger?: true;
}

export interface Question {
  id: string;
  type: AnswerType;
  text: string;
  /** Whether it may be left empty: the answer is then null. */
  optional: boolean;
  /** Whether a note may stand beside the answer. */
  notes: boolean;
  /** An answer other than null cannot be undone; of a `boolean`, `true`. Say so, and ask once more before you give the answer. */
  danger?: true;
  header?: string;
  context?: string;
  /** An example of an answer. */
  placeholder?: string;
  /** For `select` and `multi_select`. */
  options?: Choice[];
  /** For `select` and `multi_select`: whether a text may stand in place of an option. */
  other?: boolean;
  /** For `multi_select`: how many may be selected. */
  min_selections?: number;
  max_selections?: number;
  /** For `text`: how many characters (Unicode scalar values) it may have. */
  min_length?: number;
  max_length?: number;
  /** For `text`. */
  format?: "email" | "uri" | "date" | "date-time";
  /** For `text`: a regular expression (ECMA-262) that must be found in it. */
  pattern?: string;
  /** For `number`: whether it must be whole. */
  integer?: true;
  /** For `number`, inclusive. */
  minimum?: number;
  maximum?: number;
  /** For `url`: the address to open, and its host. */
  url?: string;
  host?: string;
  /** For `schema`, and for the edited arguments of an `approval`: a JSON Schema. */
  schema?: Json;
  /** For `approval`: the tool, the arguments as the agent sent them, and what the person can decide. */
  tool?: string;
  arguments?: Json;
  decisions?: DecisionType[];
  /** For `approval`: the ways to decide that the agent offers. `{ type, grant }` answers with one of them, without its `decision`. */
  grants?: OfferedGrant[];
  /** For `approval`: what is risky about the call: what the host states, and what is found by a short list of patterns, at most five things each. */
  risks?: Risk[];
  /** For `approval`: what approving does, as the host calls it: the label of the button in place of *Approve*. */
  action?: string;
  /** For `approval`: `false` where the `message` of a rejection does not reach the agent. */
  reasons?: false;
}

/** A call of the tool `ask_user`, as a model writes it. `null` in a field is as good as none. */
export interface AskUserCall {
  questions: AskUserQuestion[];
}

/** One of its questions. */
export interface AskUserQuestion {
  /** The name of the answer in the result. Unique, not empty, without dots, and neither `cancelled` nor `error`. */
  id: string;
  text: string;
  answer_type: "boolean" | "select" | "multi_select" | "text" | "number" | "secret" | "schema";
  header?: string | null;
  /** Markdown. */
  context?: string | null;
  /** For `select` and `multi_select`. */
  options?: (Exclude<Scalar, null> | AskUserOption)[] | null;
  /** For `select` and `multi_select`: a text may stand in place of an option, or beside options. */
  other?: boolean | null;
  /** For all but `secret`: it may be left empty. */
  optional?: boolean | null;
  default?: Json;
  /** For `text`, `number`, `schema` and `secret`. */
  placeholder?: string | null;
  /** For `multi_select`. */
  min_selections?: number | null;
  max_selections?: number | null;
  /** For `text`. */
  min_length?: number | null;
  max_length?: number | null;
  pattern?: string | null;
  format?: "email" | "uri" | "date" | "date-time" | null;
  /** For `number`, inclusive. */
  minimum?: number | null;
  maximum?: number | null;
  integer?: boolean | null;
  /** For `schema`: a JSON Schema, or its JSON text. */
  schema?: boolean | string | { [keyword: string]: Json } | null;
  /** An answer cannot be undone; of a `boolean`, the "yes". */
  danger?: boolean | null;
  when?: AskUserCondition | null;
}

/** An option of one of its questions: with a value, a label, or both. */
export interface AskUserOption {
  value?: Scalar;
  label?: string | null;
  description?: string | null;
  preview?: string | null;
  recommended?: boolean | null;
  danger?: boolean | null;
}

/** When a question is asked: an answer to an earlier one, or several conditions. */
export type AskUserCondition =
  | (Only<"equals"> & { question_id: string; equals: Json })
  | (Only<"in"> & { question_id: string; in: Json[] })
  | (Only<"contains"> & { question_id: string; contains: Json })
  | (Only<"answered"> & { question_id: string; answered: boolean })
  | (Only<"all"> & { all: AskUserCondition[] })
  | (Only<"any"> & { any: AskUserCondition[] })
  | (Only<"not"> & { not: AskUserCondition });

/** One operator: the others are absent or null. */
type Only<Operator> = { [Other in Exclude<"equals" | "in" | "contains" | "answered" | "all" | "any" | "not", Operator>]?: null };

/** A question that is asked. */
export interface Asking {
  state: "asking";
  /** Whom it is put to: with `assistant`, see `Walk.consultation`. */
  asks: "person" | "assistant";
  /** Where an assistant advised against it, and the person has the last word. */
  advice?: Advice;
  question: Question;
  /**
   * The place of the question from 1, and how many there are; null for a form of one question. How many there are is null while the request is still
   * being written.
   */
  progress: [number, number | null] | null;
  /** Whether `back` is offered. */
  back: boolean;
  /** What the field holds at first; null where nothing does. Never an answer by itself. */
  draft: Json;
  /** The draft is an answer that the person gave before, and not the default. */
  draft_answered?: true;
  /** Whether the draft is, or ends with, a text in place of an option. */
  draft_other?: true;
  /** The note beside the draft. */
  draft_note?: string;
  /** The draft as JSON text, where a number in it has more digits than a JavaScript number holds. */
  draft_text?: string;
  /** What the agent says above the question. */
  message?: string;
  /** Whether the answer can be remembered for the rest of the turn. */
  remember: boolean;
}

/** What the person is to be shown. */
export type Step =
  | Asking
  | { state: "review"; back: boolean; answers: ReviewedAnswer[]; message?: string }
  | { state: "checking" }
  /** What follows in the request is still being written. An answer, a reply or the end of the turn that the person has given already waits for it. */
  | { state: "waiting"; back: boolean }
  | { state: "done"; ends: Ending };

/** What an assistant said. */
export interface Advice {
  /** Absent where the assistant gave none. */
  reason?: string;
  /** The name of the model, where the host knows it. */
  model?: string;
}

/** What an assistant says to a question: what the schema of the consultation asks for, and the model's name. */
export interface Verdict extends Advice {
  answer: Json;
  /** The record that it answers: `record` of the consultation. The element fills it in. */
  record?: string;
}

/** How to ask an assistant in the person's place. */
export interface Consultation {
  /** The id of the record that the verdict answers: give it back with the verdict. */
  record: string;
  /** The model to ask, as the host's `target` names it. */
  model?: Model;
  prompt: string;
  /** JSON Schema of the verdict: `reason`, then `answer`. */
  schema: { [keyword: string]: Json };
}

export interface ReviewedAnswer {
  id: string;
  text: string;
  /** Whether the question was asked; one that was skipped was not. */
  asked: boolean;
  /** The answer; `[redacted]` for a secret, null for a skipped question. */
  answer: Json;
  /** Whether `change` is offered. */
  change: boolean;
  /** The note beside the answer. */
  note?: string;
}

export type Ending = "completed" | "replied" | "turn_ended" | "expired" | "failed";

/** How a walk ended. */
export interface Outcome {
  ends: Ending;
  /** For the agent, in its dialect's shape; absent where it gets none. Take `resultText` where digits matter. */
  result?: Json;
  /** The secrets, by question id: for the host alone. */
  secrets?: { [id: string]: string };
  /** What the person wrote, with `replied`. */
  reply?: string;
  /** Why, with `failed`. */
  error?: "invalid_static_answer" | "no_prompt_backend" | "assistant_routing_denied" | "no_default" | "sub_agent";
  /** What to tell the model beside the result, where somebody said no to what a tool wanted to do. */
  explanation?: string;
}

/** One line of the audit trail. */
export type AuditRecord =
  | { type: "inquiry_request"; id: string; source: Source; question: RecordedQuestion }
  | { type: "inquiry_response"; outcome: "answered"; id: string; answer: Json;
      /** The answer as JSON text, where a number in it has more digits than a number of JavaScript holds. */
      answer_text?: string; note?: string; reason?: string }
  | { type: "inquiry_response"; outcome: "cancelled"; id: string; reason: string }
  | { type: "inquiry_response"; outcome: "redacted"; id: string };

export interface RecordedQuestion {
  text: string;
  header?: string;
  context?: string;
  danger?: true;
  answer_type: {
    type: AnswerType;
    options?: { value: Scalar; label?: string; description?: string; preview?: string; recommended?: true; danger?: true }[];
    schema?: Json;
    url?: string;
    tool?: string;
    arguments?: Json;
    decisions?: DecisionType[];
    grants?: OfferedGrant[];
    risks?: Risk[];
    action?: string;
    reasons?: false;
  };
  default?: Json;
}

/** A walk as JSON, without its secrets. What it holds is the package's own; store it and give it to `resume`. */
export interface SavedWalk {
  readonly ask_user_walk: 2;
  readonly form: string;
  readonly nonce?: string;
  readonly provisional?: true | "growing";
  readonly attempts?: { readonly [id: string]: number };
  readonly questions: readonly string[];
  readonly log: readonly (readonly string[])[];
  readonly events: readonly [number, string];
  readonly checksum: string;
  /** What was typed in a form and not answered yet; never a secret. */
  readonly typed?: { readonly [key: string]: string };
}

export type RefusalCode =
  | "wrong_type" | "not_an_option" | "duplicate_selection" | "too_few" | "too_many" | "too_short" | "too_long"
  | "out_of_range" | "not_an_integer" | "pattern_mismatch" | "bad_format" | "required" | "invalid_json"
  | "schema_mismatch" | "too_large" | "not_allowed" | "refused_answers" | "finished" | "internal";

/** Why an answer is refused. */
export interface Refusal {
  code: RefusalCode;
  message: string;
  /** With `schema_mismatch`: every violation. */
  details?: Violation[];
}

/** One of several answers that was refused. */
export interface RefusedAnswer extends Refusal {
  /** The id of the question, or the name that was given and is no question's. */
  question: string;
}

/** One place where a value does not fit its schema. */
export interface Violation {
  /** Where in the value, as a JSON Pointer. */
  instance_path: string;
  /** Where in the schema, as a JSON Pointer. */
  schema_path: string;
  keyword: string;
  message: string;
}

/** The request became no form. */
export class RejectionError extends Error {
  private constructor();
  readonly name: "RejectionError";
  readonly problems: Problem[];
  readonly toolResult: ToolResult;
}

/** An action was not taken; the walk is as it was. */
export class RefusalError extends Error {
  private constructor();
  readonly name: "RefusalError";
  readonly code: RefusalCode;
  /** With `schema_mismatch`: every violation. */
  readonly details?: Violation[];
  /** With `refused_answers`: the answers that were refused, as far as they fit into 64 kB. */
  readonly refused?: RefusedAnswer[];
  /** With `refused_answers`: how many answers were refused in all. */
  readonly total?: number;
}

export type UnresumableCode = "not_a_saved_walk" | "other_version" | "other_form" | "other_options" | "tampered" | "unchecked";

/** A saved walk could not be resumed. */
export class UnresumableError extends Error {
  private constructor();
  readonly name: "UnresumableError";
  readonly code: UnresumableCode;
}

/** What stands beside an answer. */
export interface Beside {
  /**
   * A text in place of an option, or beside the options that the answer lists; the answer is null if there are none. With `true`, the
   * answer itself is the text, or the last item of the list is. Default: false.
   */
  other?: string | boolean;
  /** A note beside the answer. */
  note?: string;
  /** Whether to remember the answer for the rest of the turn. Default: false. */
  remember?: boolean;
}

/** What an answer is checked with. */
export interface Checked {
  /** As beside an answer. */
  other?: string | boolean;
  /** The id of the question. Default: the question that is open. */
  id?: string;
}

/** Answers by question, as a client posts them: `{ "answers": … }`. */
export interface PlainAnswers {
  [question: string]: Json;
}

/** What a page sends to its host. */
export interface WalkResponse {
  walk: SavedWalk;
  /** By question id. */
  secrets: { [id: string]: string };
}

/** One person's way through a form. Every method that acts throws a `RefusalError` where it is not taken. */
export interface Walk {
  readonly form: {
    dialect: Dialect;
    questions: number;
    warnings: Problem<WarningCode>[];
    /** What a Reply can be. Words that would not reach the agent are refused with `not_allowed`, and so is a Reply where there is none. */
    reply: "with_words" | "without_words" | "no";
    label?: string;
    /** When the agent stops waiting, as its request says. After it, no answer may be delivered: the host's clock decides. */
    expires_at?: string;
    /** There if the agent does not wait for the answer: the host or the request says so. */
    blocking?: false;
  };
  /** Changes with every action. */
  readonly step: Step;
  /** Undefined while the walk has not ended. */
  readonly outcome: Outcome | undefined;
  /** Whether the walk has ended. */
  readonly isOver: boolean;
  /** The result as JSON text, with every digit; undefined where there is none. */
  readonly resultText: string | undefined;
  /** The audit trail so far; it only grows. */
  readonly records: AuditRecord[];
  /** The records from a place on. */
  recordsFrom(index: number): AuditRecord[];
  /** What the next form of the same turn begins with. */
  readonly turn: Turn;
  /** What the questions of the next form start from, where it asks the same again: after a Reply, all answers of the person. Empty after the end of the turn. */
  readonly drafts: Drafts;
  /** A key that tells this ending from every other of the turn, the same however often it is sent. */
  readonly idempotencyKey: string;
  /** A value to start from, at a `schema` question: defaults of its schema, and constants that it requires. Undefined if it states nothing, and elsewhere. */
  readonly template: Json | undefined;
  /** The tool calls to decide on one page, from the open question on: answer them with `answerAll`, or one by one. Empty at other steps. */
  readonly approvals: Asking[];
  /**
   * The questions to show on one page, from the open one on: answer them with `answerAll`. `answers` is what the page holds now, by question id; what is missing or would be refused counts as
   * not answered. A question whose condition looks at such an answer is left out until it is known whether it is asked. The page ends before a tool call, and before a question that an
   * assistant is asked first. Empty at other steps.
   */
  page(answers?: { [id: string]: Json }): Asking[];
  /**
   * The ids of the questions whose answers, among these by question id, cannot be undone. Show them and ask once more before you give the answers: the walk takes them without. Empty if an answer
   * would be refused.
   */
  toConfirm(answers: { [id: string]: Json }): string[];
  /** Why the open question would refuse this answer, or the question with this `id`, asked now or later; undefined if it would take it. Nothing changes, and nothing is thrown for an answer. */
  check(value: Json, more?: Checked): Refusal | undefined;
  /** The same for an answer as JSON text, in which no digit is lost. */
  checkText(text: string, more?: Checked): Refusal | undefined;
  /** Answers. Only an explicit null leaves an optional question empty: what JSON has no value for, such as NaN or undefined, is refused. */
  answer(value: Json, more?: Beside): void;
  /**
   * Answers several questions at once, by id. Either every answer is taken, as if they had been given one by one in the order of the
   * questions, or none is, and the error has each refusal in `refused`.
   */
  answerAll(answers: { [id: string]: Json }): void;
  /**
   * Answers the form with plain values, as a client posts them: by the ids of the questions; in `ask_user_question` and `claude` by their texts,
   * too. Every question that is asked must have an answer (null leaves an optional one empty), and every other one none, or null. A text that
   * is no option counts as "Other" where the question offers that. A form with a review is submitted as well. All answers are taken, or none is: the
   * error then has everything that is wrong in `refused`.
   */
  answers(answers: PlainAnswers): void;
  /** Answers with JSON text, in which no digit is lost. */
  answerText(text: string, more?: Beside): void;
  /** Answers with what was typed: JSON for `schema`, a decimal number for `number`, the text itself for `text` and `secret`. */
  typed(text: string): void;
  /** @deprecated Use `typed`. */
  editor(text: string): void;
  back(): void;
  /** Cancels the form, perhaps with a message; the turn goes on. */
  reply(text?: string): void;
  endTurn(): void;
  /**
   * Ends the walk as `expired` if the time for an answer is over (`form.expires_at`). `now` is the host's clock, in milliseconds since the beginning of 1970: `Date.now()`.
   * Gives whether the walk has expired, now or before.
   */
  expire(now: number): boolean;
  /** On the review: sends the answers. */
  submit(): void;
  /** On the review: changes the answer to a question. */
  change(id: string): void;
  /** How to ask the assistant; undefined where none is asked. */
  readonly consultation: Consultation | undefined;
  /**
   * Brings the verdict of the assistant that is asked, with the `record` of the consultation that it answers: in the verdict or beside
   * it. A verdict on another record is refused. `null` says that there is no verdict; the next one in turn is then asked, as where the
   * question does not take the answer.
   */
  assistant(verdict: Verdict | null | undefined, record?: string): void;
  save(): SavedWalk;
  /** What a page sends to a host that reads it again: the saved walk, and its secrets. Never store it, never log it. */
  readonly response: WalkResponse;
  /**
   * This walk as it went on in a page, by the page's `response`: everything is done again through the same checks.
   * @throws {UnresumableError} where it does not continue this walk, or was tampered with
   */
  continued(response: WalkResponse | string): Walk;
}

/** What to tell a model of a tool that asks the person. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema, in the subset that model providers take. */
  parameters: { [keyword: string]: Json };
  /**
   * Of the tools of `ask_user`: the same for providers that hold a model to a schema (`strict: true`). Every property is required, may be null where it was
   * optional, and there are no others.
   */
  strict_parameters?: { [keyword: string]: Json };
  /** For the system prompt, where the framework has a place for it: when to ask, and when not to. */
  instructions?: string;
}

/**
 * Reads a request (a value, or JSON text) and begins to walk.
 * @throws {RejectionError} with every problem of the request
 * @throws {TypeError} for an option that does not exist or cannot have its value
 */
export function open(request: unknown, options?: Options): Walk;

/** A request that is still being written. */
export interface RequestStream {
  /** The walk of the questions that are complete. Its step is `waiting` where the next one is not. It has no outcome, and cannot be resumed, before the end. */
  readonly walk: Walk;
  /**
   * Whether the walk began anew at the end, because that contradicts the beginning: a second list of questions, or a field that makes it another agent's
   * request. What was answered before stands in its fields as drafts.
   */
  readonly isAnew: boolean;
  /**
   * Takes in what comes next: text, or bytes of UTF-8. A character may be cut anywhere.
   * @throws {TypeError} for anything else, and after the end
   */
  write(piece: string | ArrayBuffer | ArrayBufferView): void;
  /**
   * Reads the whole request, now that nothing more comes, and gives the walk.
   * @throws {RejectionError} with every problem of the request. What the person answered is in `walk.drafts`, for the next request of the turn.
   */
  end(): Walk;
}

/**
 * Begins to walk a request whose text is still being written by a model. Its questions can be answered as soon as they are complete.
 * @throws {TypeError} for an option that does not exist or cannot have its value
 * @throws {RejectionError} for a dialect that does not exist
 */
export function openStream(options?: Options): RequestStream;

/**
 * Takes up a saved walk (as `save` gave it, or its JSON text) with the same request and options. `secrets` are those of the walk by question id, as
 * `response` has them; a question whose secret is missing is asked again.
 * @throws {UnresumableError} where it is none, of another form, or tampered with; and as `open`
 */
export function resume(request: unknown, saved: SavedWalk | string, options?: Options, secrets?: Readonly<Record<string, string>>): Walk;

/** The agent that definitions are for. */
export interface AgentOptions {
  /** Whether the agent has no user to ask: it then gets no definition. Default: false. */
  subAgent?: boolean;
}

/** The dialects with tools that a model can call by a definition of this package. */
export type ToolDialect = "ask_user" | "ask_user_question" | "claude" | "deepagents" | "mcp" | "gemini" | "codex" | "opencode";

/** The definition of a dialect's tool: the first where it has several, or the one with this name. Undefined where there is none. */
export function toolDefinition(dialect: ToolDialect, name?: undefined): ToolDefinition;
export function toolDefinition(dialect: string, name?: string): ToolDefinition | undefined;

/**
 * The definitions of a dialect's tools. `ask_user` has two, of which an agent gets one: `ask_user` with all that a form can do, and `ask_user_simple`. An
 * empty list for an agent without a user, and where there is no such dialect.
 */
export function toolDefinitions(dialect: string, options?: AgentOptions): ToolDefinition[];

/**
 * The dialect whose shape a request has: the one that `open` reads it with if no dialect is named. Nothing else of the request is checked.
 * @throws {RejectionError} for what is no JSON, is larger than the limits allow, or has the shape of no dialect
 * @throws {TypeError} for an option that does not exist or cannot have its value
 */
export function detectDialect(request: unknown, options?: Options): Dialect;

/** The names of all dialects, your own first. */
export function dialects(): Dialect[];

/**
 * Declares a dialect of your own until the process ends, and returns its name. The same declaration twice is one dialect. Register it before a stored desk or walk of it is read.
 * @throws {TypeError} for what is no declaration, if an answer would be lost by it, if its name is taken, and for more than 64 or one of more than 65,536 bytes of JSON
 */
export function registerDialect(declaration: DialectDeclaration | string): Dialect;

/** Mends the records of one turn: a request without a response is closed, a response without a request dropped. */
export function mendRecords(records: AuditRecord[] | string): AuditRecord[];

/** A stream of stored lines that was read and mended. */
export interface RecordStream {
  /** The records of each turn: every request has its response, and every response its request. */
  turns: AuditRecord[][];
  /** The lines that should be records and cannot be read: their places in the stream, from 0, and why. */
  unreadable: { index: number; reason: string }[];
}

/**
 * Reads the stored lines of many turns (a list, or the JSON text of one), and mends them turn by turn: a pair is never made across turns.
 * Lines that are no records are left out; the older flat form `{ id, answer }` is read. `beginsTurn` says of each line, in order, whether a turn
 * begins there; without it, all lines are one turn.
 * @throws {TypeError} where `lines` is no list
 */
export function readRecords(lines: readonly unknown[] | string, beginsTurn?: (line: any) => boolean): RecordStream;

/** Records for people to read, in Markdown. */
export function recordsMarkdown(records: AuditRecord[] | string): string;

/**
 * Whether a tool may run (`run`), or may deliver its result (`deliver`): by what was remembered in `turn`, else `ask`, or, while no person is there, by
 * `detached`.
 * @throws {TypeError} for another kind, and for an option that does not exist or cannot have its value
 */
export function permission(tool: string, kind: "run" | "deliver" | "tool", options?: Options): "granted" | "refused" | "ask" | "denied";

/** A tool call of the model, as the state machine names it. */
export interface ConversationCall {
  /** Differs from those of the other calls of the same response. */
  id: string;
  name: string;
  input: Json;
}

/** The result of a tool call, for the model. */
export interface ConversationResult {
  call_id: string;
  content: Json;
  /** Whether the content is an error message. */
  is_error: boolean;
}

/** The answer to a question that the agent did not wait for (`blocking: false`): a message to the model. Its call had its result when it asked. */
export interface ConversationAnswer {
  call_id: string;
  /** What the result of the call would have been. */
  content: Json;
  /** Whether the content is an error message: there is no answer. */
  is_error: boolean;
}

/** Something that happened. A question whose `options` have `blocking: false` is one that the agent does not wait for. */
export type ConversationEvent =
  | { type: "message" }
  | { type: "model_responded"; calls: ConversationCall[] }
  | { type: "model_failed" }
  | { type: "tool_completed"; call_id: string; content: Json; is_error: boolean }
  | { type: "question_pending"; call_id: string; request: Json; dialect?: Dialect; options?: { [name: string]: Json }; walk?: SavedWalk }
  | { type: "walk_saved"; call_id: string; walk: SavedWalk }
  | {
      type: "closed";
      call_id: string;
      how: Closing;
      result?: Json;
      /** If the turn ends with this question: the results of the other questions that end with it, by call. One that is missing is an error. */
      results?: { [call: string]: Json };
    }
  | { type: "stopped"; /** The results of the questions that end with it, by call. */ results?: { [call: string]: Json } }
  | { type: "restarted" };

/** A question that waits for the person, as clients are told of it. */
export interface ConversationRequest {
  tool_call_id: string;
  tool: string;
  request: Json;
  questions?: Json;
  dialect?: Dialect;
  options?: { [name: string]: Json };
  walk?: SavedWalk;
  /** The version of the saved walk, as an ETag. The host sets it. */
  version?: string;
}

/** A question that was closed. The host sets `key`. */
export interface ConversationClosed {
  tool_call_id: string;
  how: Closing;
  key?: string;
}

/** What clients are told: the data of a `state_change` event. With one open question, it has the fields of its request; they are told of also while another call runs. */
export interface ConversationNotice extends Partial<ConversationRequest> {
  type: "idle" | "requesting_model" | "executing" | "awaiting_user_response";
  /** With several open questions: all of them, first those that the agent waits for, each the oldest first. */
  requests?: ConversationRequest[];
  /** What the agent does, where it waits for none of the open questions. */
  agent?: "idle" | "requesting_model" | "executing";
  /** The question that this event closed, or a list of several. */
  closed?: ConversationClosed | ConversationClosed[];
}

/** Something that the host must do. */
export type ConversationEffect =
  | { type: "persist_results"; value: ConversationResult[] }
  | { type: "persist_messages"; value: ConversationAnswer[] }
  | { type: "persist_state" }
  | { type: "notify"; value: ConversationNotice }
  | { type: "execute"; value: ConversationCall }
  | { type: "request_model" }
  | { type: "done" };

/** The state. */
export type ConversationState =
  | { state: "idle" }
  | { state: "requesting_model"; /** How many answers have come as messages since: the response does not know of them. */ unheard?: number }
  | { state: "executing"; call: ConversationCall; remaining: ConversationCall[] }
  | {
      state: "awaiting_user_response";
      call: ConversationCall;
      remaining: ConversationCall[];
      request: Json;
      dialect?: Dialect;
      options?: { [name: string]: Json };
      walk?: SavedWalk;
    };

/** A question that waits for the person, in a conversation. */
export interface ConversationOpen {
  call: ConversationCall;
  request: Json;
  dialect?: Dialect;
  options?: { [name: string]: Json };
  walk?: SavedWalk;
}

export type UnexpectedEventCode = "awaiting_user" | "busy" | "not_open" | "duplicate_call" | "open_call" | "too_many_calls" | "unfit_call_id" | "out_of_place";

/** The event cannot happen in this state. The conversation is as it was. */
export class UnexpectedEventError extends Error {
  private constructor();
  readonly name: "UnexpectedEventError";
  readonly code: UnexpectedEventCode;
  /** The id of the call that it is about. */
  readonly callId?: string;
}

/** A stored conversation, or a stored desk, could not be read. */
export class UnreadableStateError extends Error {
  private constructor();
  readonly name: "UnreadableStateError";
  /** What is missing or wrong. */
  readonly reason: string;
}

/**
 * The state machine of a host that runs tools. Store `toJSON()`, the results of `persist_results` and the messages of `persist_messages` in one transaction, before you carry out any other effect
 * of the same event. After a restart, read it with `fromJSON` and report `restarted`. `ask-user/host` does all of this.
 */
export class Conversation {
  /**
   * An idle conversation. `attended` (default: true) says whether a person can be asked. With `severalOpen` (default: false), the later calls of a response run while
   * the question of an earlier one is open, so several can be open at once. Both are stored with the conversation.
   */
  constructor(options?: { attended?: boolean; severalOpen?: boolean });
  /** @throws {UnreadableStateError} for what is no stored conversation */
  static fromJSON(stored: unknown): Conversation;
  /** Changes with `on`. */
  readonly state: ConversationState;
  /** The questions that wait for the person: first those that the agent waits for, each the oldest first. Changes with `on`. */
  readonly open: ConversationOpen[];
  /** What to tell a client that connects now. Changes with `on`. */
  readonly notice: ConversationNotice;
  /**
   * The ids of the calls whose questions end with an event (or its JSON text), beside the question that it is about: all that the agent waits for, if the event ends the turn. Ask before you
   * report `closed` or `stopped`, which bring the `results` of these calls.
   * @throws {TypeError} for what is no event
   */
  endedBy(event: ConversationEvent | string): string[];
  /**
   * Takes an event (or its JSON text), and gives the effects to carry out, in this order.
   * @throws {UnexpectedEventError} where it cannot happen in this state
   * @throws {TypeError} for what is no event
   */
  on(event: ConversationEvent | string): ConversationEffect[];
  /** To be stored. */
  toJSON(): ConversationState & { ask_user_conversation: 1; attended: boolean; several_open?: true; beside?: ConversationOpen[] };
}

/** How a question at a host was closed. */
export type Closing = "answered" | "replied" | "declined" | "turn_ended" | "overtaken" | "expired" | "failed";

/** A digest of secrets. Two are compared only if the same key has made them. */
export interface Seal {
  /** The name of the key: one that all processes share, or one of this process. */
  readonly by: string;
  /** The digest, such as an HMAC of what `secretsIn` gives. */
  readonly digest: string;
}

/** What a client or the agent does. A `key` is the idempotency key; without one, it is that of the question. */
export type DeskInput =
  /** `tool_call_id`: that of the call, if the client names it. */
  | { type: "responded"; key?: string; response: unknown; tool_call_id?: string; seal?: Seal }
  /** `nonce` and `tool_call_id`: those of the question, if the client knows them. */
  | { type: "answered"; key?: string; answers: { [question: string]: Json }; nonce?: string; tool_call_id?: string; seal?: Seal }
  /** `replaces`: the versions that the walk may replace, as `If-Match` has them; any version without it. */
  | { type: "saved"; walk: unknown; replaces?: string }
  /** A client cannot read the request. */
  | { type: "rejected" }
  /** The person has stopped the agent: that ends the turn. */
  | { type: "stopped" }
  /** The agent goes on without an answer. */
  | { type: "overtaken" }
  /** The time for an answer is over. */
  /** `now`: what time it is, in milliseconds since the beginning of 1970. If the time is not over by then, nothing happens. Without it, the time is over. */
  | { type: "expired"; now?: number }
  /** The agent has what was to be handed over. */
  | { type: "handed" }
  /** The host was restarted and has loaded the desk. */
  | { type: "restored" };

/** What the sender of an input hears. */
export interface DeskReply {
  code: "taken" | "taken_before" | "kept" | "sent_differently" | "not_open" | "behind" | "needs_key" | "incomplete" | "refused" | "not_rejected" | "unreadable";
  /** The HTTP status that says the same. */
  status: number;
  /** What happened and what to do, in English. */
  message: string;
  /** Everything that is wrong with the answer. */
  problems: { question: string | null; code: string; message: string }[];
  /** The version of the walk that is kept now, as a strong ETag. */
  version?: string;
  /** With `behind`, the walk that is kept. */
  walk?: SavedWalk;
}

/** What the agent gets when a question is closed. */
export interface Handing {
  /** Names the answer: the same each time it is handed over. */
  key: string;
  outcome: Outcome;
  /** The result as JSON text, with every digit of its numbers. */
  result: string | null;
  records: AuditRecord[];
  /** What the next form of the same turn begins with. */
  turn: Turn;
  /** What was typed and not answered. */
  drafts: { [question: string]: Json };
  /**
   * Of a question that has expired: what the person had answered, as a message that the host may give to the agent. It is no answer. Never with a consent, a secret, or what cannot be undone.
   */
  late?: string;
  /** The secrets that were given, by question id, also where the result has them. */
  secrets: { [question: string]: string };
}

/** What follows from an input. */
export interface DeskReaction {
  /** Whether the desk has changed: store `toJSON()` before anything else. */
  store: boolean;
  /** What the sender hears, if somebody waits for a reply. */
  reply?: DeskReply;
  /** How this input closed the question: tell all clients. */
  closed?: Closing;
  /** What to hand to the agent. Then report `handed`. */
  hand?: Handing;
}

/**
 * One open question at a host, from asked to closed: whether an answer counts, and what follows. Store `toJSON()` where a reaction says so, before you do anything
 * else, and report one input at a time. After a restart, read it with `fromJSON` and report `restored`. What is stored has no secrets.
 */
export class Desk {
  private constructor();
  /**
   * Asks a question. `toolCallId` is the id of the call that asks, `nonce` tells this question from another one of the same call id, and `earlier` is the desk
   * of that call id, if the agent has used it before: then a nonce is needed.
   * @throws {RejectionError} for a request that is no form
   */
  static ask(request: unknown, options: Options & { toolCallId: string } & ({ nonce: string; earlier?: Desk | object } | { earlier?: undefined })): Desk;
  /** @throws {UnreadableStateError} for what is no stored desk */
  static fromJSON(stored: unknown): Desk;
  /**
   * The same question with a walk of it that was saved before it was handed out, for example because an assistant was asked before the person.
   * @throws {UnresumableError} for what is no walk of this question
   */
  begun(walk: SavedWalk): Desk;
  /** Whether the question waits for the person. */
  readonly isOpen: boolean;
  /** How the question was closed, and under which key. */
  readonly closed: { how: Closing; key: string | null } | undefined;
  /** What the agent gets, without secrets. */
  readonly answer: Handing | undefined;
  /** What a client needs to show the question: the fields of a request in a `state_change` event. */
  readonly request: { tool_call_id: string; request: Json; dialect?: Dialect; options?: object; walk?: SavedWalk; version: string; expires_at?: string };
  /** The secrets in an input as text, to make a `Seal` of them. */
  secretsIn(input: DeskInput | string): string | undefined;
  /**
   * Takes an input, or one as JSON text, which keeps every digit of its numbers. With `now`, the host's clock in milliseconds since the beginning of 1970, the question
   * expires before that if its time is over.
   * @throws {TypeError} for what is no input
   */
  on(input: DeskInput | string, now?: number): DeskReaction;
  /** To be stored. */
  toJSON(): object;
}
