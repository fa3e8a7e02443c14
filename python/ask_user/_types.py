"""The types of the values that go in and out. At run time all of them are dicts, lists, texts, numbers, booleans and None."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

Json = Union[None, bool, int, float, str, "Sequence[Json]", "Mapping[str, Json]"]
"""A JSON value that goes in. Lists and tuples are arrays; integers may have any number of digits."""

Scalar = Union[None, bool, int, float, str]

Dialect = Literal[
    "mcp",
    "langchain",
    "ai_sdk",
    "openai_agents",
    "ag_ui",
    "vscode",
    "kimi",
    "copilot",
    "zed",
    "mastra",
    "roo",
    "cline",
    "acp",
    "openai_responses",
    "adk",
    "agent_framework",
    "managed_agents",
    "pydantic_ai",
    "langgraph",
    "goose",
    "deepagents",
    "ask_user",
    "openclaw",
    "codex",
    "gemini",
    "opencode",
    "ask_user_question",
    "claude",
]
"""The names of the dialects that a request can be read with."""


class _Source(TypedDict):
    source: Literal["tool", "assistant", "user", "other"]


class Source(_Source, total=False):
    """Who asks. `name` belongs to `tool` and `other`."""

    name: str


class AssistantTarget(TypedDict, total=False):
    """An assistant that is asked first. `model` has a text `id`, and whatever else the host needs."""

    model: Mapping[str, Any]
    escalation: bool


Target = Union[Literal["user", "assistant", "assistant_with_escalation"], AssistantTarget]
"""Who is asked first. With escalation, a "no" of the assistant goes on to the person."""

Policy = Literal["deny", "defaults", "auto"]
"""To fail, to take the question's default, or to ask the assistant."""


class Policies(TypedDict, total=False):
    """A policy for each kind of prompt."""

    run: Policy
    deliver: Policy
    tool: Policy


class DetachedPolicies(Policies, total=False):
    """Policies, and those of single tools, which count first."""

    tools: Mapping[str, Policy | Policies]


class Limits(TypedDict, total=False):
    """How much a request, an answer or a saved walk may hold."""

    bytes: int
    """Bytes of a request, or of one answer, as JSON text. Default: 2,097,152."""
    depth: int
    """Nesting of lists and dicts. Default: 64; at most 120."""
    questions: int
    options: int
    questions_per_turn: int
    work: int
    """Units of work for reading a request, and for checking all answers. Default: 20,000,000."""


class Turn(TypedDict, total=False):
    """What lasts for one turn of the agent."""

    attempts: dict[str, int]
    open: dict[str, int]
    """How many questions are in each form of the turn that is still open, by tool call id. The host sets it: they count for `questions_per_turn`."""
    remembered: dict[str, Any]
    permissions: dict[str, bool]


class _HostGrant(TypedDict):
    scope: Literal["session", "always"]
    shown: str


class HostGrant(_HostGrant, total=False):
    """A way to decide on tool calls that the host offers: for calls of ``tool``, or of any. ``decision`` is ``approve`` by default."""

    tool: str
    decision: Literal["approve", "reject"]
    rule: Json


class HostRisk(TypedDict, total=False):
    """What the host says of tool calls: of the question with this id, of calls of ``tool``, or of any.

    ``text`` is a line of warning, ``action`` what the button that approves says. One of the two is required.
    """

    question: str
    tool: str
    text: str
    action: str


class _Named(TypedDict):
    tool: str


class Called(_Named, total=False):
    """A tool call that the agent made earlier in the turn."""

    arguments: Json


class Host(TypedDict, total=False):
    """The host's options. A request can set none of them."""

    tool_call_id: str
    """The id of the tool call that asks. Ids of records begin with it. Default: `call_1`."""
    label: str
    """Who asks, as the person should read it."""
    source: Source
    """Who asks, for the records. Default: the assistant."""
    static_answers: Mapping[str, Json]
    """Answers of the host's configuration, by question id. Nobody is asked these questions."""
    secret_answers: Mapping[str, Json]
    """Fixed answers to `secret` questions, by question id."""
    reuse: Literal["turn", "none"]
    review: bool
    approve_all: bool
    grants: Sequence[HostGrant]
    """Ways to decide on tool calls that the host offers beside those of the agent, 20 at most. The host keeps the rule, as the record of the answer has it."""
    risks: Sequence[HostRisk]
    """What the host says of tool calls, 100 at most. It only adds to what is found."""
    approve_by_key: bool
    """Whether Ctrl+Enter approves a single tool call. It never approves a risky one. Default: False."""
    calls: Sequence[Called]
    """The tool calls that the agent made earlier in the turn: a form says how many of them a rule would have covered. Of more than 1,000, the last count."""
    turn: Turn
    """What earlier forms of the same turn left: `Walk.turn`."""
    drafts: Mapping[str, Any]
    """What the person typed in a form that was left with a reply: `Walk.drafts`."""
    attached: bool
    """Whether a person can be asked. Default: True."""
    detached: Policy | DetachedPolicies
    """What happens to questions while no person can be asked. Default: `deny`."""
    target: Target
    targets: Mapping[str, Target]
    nonce: str
    """A text that differs from form to form. It makes idempotency keys unique."""
    exclusive: bool | Mapping[str, bool]
    """Questions that only the person may answer: True for all, or by id."""
    detect: Literal["assume", "strict"]
    """What happens to a request without a named dialect that several dialects could have sent. Default: `assume`, with a warning."""
    replies: Literal["result", "message", "none"]
    """Where the words of a reply go: into the result, into a message of the user that the host makes of `Outcome.reply`, or nowhere. Default: `result`."""
    expires_at: str
    """When the time for an answer is over, as RFC 3339 has it. The host ends the walk by its own clock: `Walk.expire`."""
    blocking: bool
    """Whether the agent waits for the answer. With False, the person reads that it has gone on, and in a `Conversation` the answer is a message to it. An agent waits for an approval, a secret, and an answer that cannot be undone. Default: True."""
    sub_agent: bool
    """Whether the agent has no user. The form then fails at once with `sub_agent`."""
    limits: Limits


class Problem(TypedDict):
    """One thing that is wrong with a request."""

    code: str
    path: str
    """Where: a JSON Pointer into the request."""
    message: str
    hint: str


class ToolResult(TypedDict):
    """What to give to the model in place of a result, so that it can correct its call."""

    error: Literal["invalid_request"]
    message: str
    problems: list[Problem]


AnswerType = Literal["boolean", "select", "multi_select", "text", "number", "secret", "url", "schema", "approval"]


class _Choice(TypedDict):
    value: Any
    label: str


class Choice(_Choice, total=False):
    """An option of a question. `value` is the answer when it is chosen."""

    description: str
    preview: str
    recommended: Literal[True]
    danger: Literal[True]


class _Question(TypedDict):
    id: str
    type: AnswerType
    text: str
    optional: bool
    notes: bool


class Question(_Question, total=False):
    """A question, as it is shown."""

    danger: Literal[True]
    header: str
    context: str
    placeholder: str
    options: list[Choice]
    other: bool
    min_selections: int
    max_selections: int
    min_length: int
    max_length: int
    format: Literal["email", "uri", "date", "date-time"]
    pattern: str
    integer: Literal[True]
    minimum: float
    maximum: float
    url: str
    host: str
    schema: Any
    tool: str
    arguments: Any
    decisions: list[Literal["approve", "edit", "reject", "respond"]]
    grants: list["OfferedGrant"]
    risks: list["Risk"]
    action: str
    reasons: Literal[False]


class Risk(TypedDict):
    """Something about a tool call that a person should know before they approve it: the host states it, or a short list of patterns has found it.

    ``found`` is what says so: words of the command, the name of the tool, or the sentence of the host.
    """

    kind: Literal["deletes", "overwrites", "publishes", "pays", "elevated", "fetched", "stated"]
    found: str


class Grant(TypedDict):
    """How far a decision on a tool call reaches.

    ``rule`` is the rule that the agent would keep, as it sent it, and ``shown`` the sentence that the person reads.
    """

    scope: Literal["once", "session", "always"]
    rule: Any
    shown: str


class Covered(TypedDict):
    """How many of the turn's earlier calls a rule would have covered, of those in `Host.calls`."""

    calls: int
    of: int


class _Decided(Grant):
    decision: Literal["approve", "reject"]


class OfferedGrant(_Decided, total=False):
    """A grant that the agent offers, with the decision that it belongs to.

    ``covered`` is left out where there were no earlier calls, or where it cannot be said of one of them.
    """

    covered: Covered


class Advice(TypedDict, total=False):
    """What an assistant said."""

    reason: str
    model: str


class _Asking(TypedDict):
    state: Literal["asking"]
    asks: Literal["person", "assistant"]
    question: Question
    progress: list[int | None] | None
    back: bool
    draft: Any
    remember: bool


class Asking(_Asking, total=False):
    """A question is asked."""

    advice: Advice
    draft_answered: Literal[True]
    draft_other: Literal[True]
    draft_note: str
    draft_text: str
    message: str


class _ReviewedAnswer(TypedDict):
    id: str
    text: str
    asked: bool
    answer: Any
    change: bool


class ReviewedAnswer(_ReviewedAnswer, total=False):
    """An answer on the review. That of a secret is `[redacted]`."""

    note: str


class _Review(TypedDict):
    state: Literal["review"]
    back: bool
    answers: list[ReviewedAnswer]


class Review(_Review, total=False):
    """All answers are shown before they are sent."""

    message: str


class Checking(TypedDict):
    """The schemas of the form are not compiled yet. It does not occur after `Form.read`."""

    state: Literal["checking"]


class Waiting(TypedDict):
    """What follows in the request is still being written."""

    state: Literal["waiting"]
    back: bool


Ending = Literal["completed", "replied", "turn_ended", "expired", "failed"]


class Done(TypedDict):
    """The walk has ended."""

    state: Literal["done"]
    ends: Ending


Step = Union[Asking, Review, Checking, Waiting, Done]
"""What to show now. `state` tells which of them it is."""


class _Outcome(TypedDict):
    ends: Ending


class Outcome(_Outcome, total=False):
    """How a walk ended."""

    result: Any
    """For the agent, in its own format. Absent if the agent gets none."""
    secrets: dict[str, str]
    """By question id. For the host alone."""
    reply: str
    error: Literal["invalid_static_answer", "no_prompt_backend", "assistant_routing_denied", "no_default", "sub_agent"]
    explanation: str


class _Consultation(TypedDict):
    record: str
    prompt: str
    schema: dict[str, Any]


class Consultation(_Consultation, total=False):
    """How to ask an assistant in the person's place. `record` belongs into the verdict."""

    model: dict[str, Any]


class _Verdict(TypedDict):
    answer: Json


class Verdict(_Verdict, total=False):
    """What an assistant answers."""

    reason: str
    model: str
    record: str


class SavedWalk(TypedDict):
    """A saved walk. Store it anywhere, and do not change it."""

    ask_user_walk: int


class WalkResponse(TypedDict):
    """What a page sends to its host. Do not store or log it: it has the secrets."""

    walk: Any
    secrets: dict[str, str]


class Action(TypedDict, total=False):
    """An action as data, for `Walk.act`. `type` is always needed."""

    type: Literal["answer", "typed", "back", "reply", "end_turn", "submit", "change", "assistant"]
    value: Json
    other: str | None
    note: str | None
    remember: bool
    text: str | None
    question: str
    verdict: Mapping[str, Any] | None
    record: str | None


class Record(TypedDict, total=False):
    """One line of the audit trail: a request (`source`, `question`) or a response (`outcome`, `answer`, `note`, `reason`)."""

    type: Literal["inquiry_request", "inquiry_response"]
    id: str
    source: Source
    question: dict[str, Any]
    outcome: Literal["answered", "cancelled", "redacted"]
    answer: Any
    answer_text: str
    """The answer as JSON text, where a number in it has more digits than most readers of JSON hold."""
    note: str
    reason: str


class UnreadableLine(TypedDict):
    """A stored line that should be a record and cannot be read."""

    index: int
    reason: str


class RecordStream(TypedDict):
    """Stored records, repaired turn by turn."""

    turns: list[list[Record]]
    unreadable: list[UnreadableLine]


class _ToolDefinition(TypedDict):
    name: str
    description: str
    parameters: dict[str, Any]


class ToolDefinition(_ToolDefinition, total=False):
    """What to tell a model of a tool that asks the user."""

    strict_parameters: dict[str, Any]
    instructions: str


RefusalCode = Literal[
    "wrong_type",
    "not_an_option",
    "duplicate_selection",
    "too_few",
    "too_many",
    "too_short",
    "too_long",
    "out_of_range",
    "not_an_integer",
    "pattern_mismatch",
    "bad_format",
    "required",
    "invalid_json",
    "schema_mismatch",
    "too_large",
    "not_allowed",
    "refused_answers",
    "finished",
    "internal",
]

UnresumableCode = Literal["not_a_saved_walk", "other_version", "other_form", "other_options", "tampered", "unchecked"]

UnexpectedCode = Literal["awaiting_user", "busy", "not_open", "duplicate_call", "open_call", "too_many_calls", "unfit_call_id", "out_of_place"]

Permission = Literal["granted", "refused", "ask", "denied"]


class Violation(TypedDict):
    """One place where a value does not fit its schema."""

    instance_path: str
    schema_path: str
    keyword: str
    message: str


class _RefusedAnswer(TypedDict):
    question: str
    code: RefusalCode
    message: str


class RefusedAnswer(_RefusedAnswer, total=False):
    """One of several answers that was refused."""

    details: list[Violation]
