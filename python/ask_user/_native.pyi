"""The native module: the core of ask-user. Its classes can be used from several threads at once; each call is atomic."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Literal, final

from ._desk import ClosedDesk, DeskInput, DeskReaction, Handing
from ._events import Effect, Event
from ._types import (
    Asking,
    Consultation,
    Dialect,
    Host,
    Json,
    Outcome,
    Permission,
    Problem,
    Question,
    Record,
    RecordStream,
    SavedWalk,
    Step,
    ToolDefinition,
    Turn,
    Verdict,
    WalkResponse,
)

__all__ = [
    "Conversation",
    "Desk",
    "Form",
    "Reader",
    "Walk",
    "_panic",
    "detect_dialect",
    "dialects",
    "mend_records",
    "permission",
    "read_records",
    "records_markdown",
    "register_dialect",
    "tool_definitions",
]

@final
class Form:
    """A validated request. It never changes."""

    def __new__(cls, request: object, /, *, dialect: Dialect | None = None, host: Host | None = None) -> Form: ...
    @staticmethod
    def read(request: object, /, dialect: Dialect | None = None, host: Host | None = None) -> Form:
        """Reads a request: a value, or JSON text, or its UTF-8 bytes. Raises RejectionError, or MisuseError for an invalid option."""
    @property
    def dialect(self) -> Dialect: ...
    @property
    def label(self) -> str | None: ...
    @property
    def message(self) -> str | None: ...
    @property
    def review(self) -> bool: ...
    @property
    def reply(self) -> Literal["with_words", "without_words", "no"]:
        """What a reply can be. Words that would not reach the agent are refused, and so is a reply where there is none."""
    @property
    def expires_at(self) -> str | None:
        """When the time for an answer is over, as RFC 3339 has it."""
    @property
    def questions(self) -> list[Question]: ...
    @property
    def warnings(self) -> list[Problem]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Form: ...
    def __deepcopy__(self, _memo: object, /) -> Form: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    __hash__: None  # type: ignore[assignment]

@final
class Walk:
    """One person's progress through a form. Every method that acts raises RefusalError if the action is refused."""

    def __new__(cls, form: Form, /) -> Walk: ...
    @staticmethod
    def resume(form: Form, saved: object, /, *, secrets: dict[str, str] | None = None) -> Walk:
        """Resumes a saved walk, as a value or as JSON text. Raises UnresumableError."""
    @property
    def form(self) -> Form | None:
        """None while the request is still being written."""
    @property
    def step(self) -> Step: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def result_text(self) -> str | None: ...
    @property
    def records(self) -> list[Record]: ...
    def records_from(self, start: int, /) -> list[Record]: ...
    @property
    def turn(self) -> Turn: ...
    @property
    def drafts(self) -> dict[str, Any]: ...
    @property
    def idempotency_key(self) -> str: ...
    @property
    def consultation(self) -> Consultation | None: ...
    @property
    def template(self) -> Any: ...
    @property
    def response(self) -> WalkResponse: ...
    @property
    def approvals(self) -> list[Asking]: ...
    def page(self, answers: dict[str, Any] | None = None, /) -> list[Asking]:
        """The questions to show on one page, with the answers that the page holds now."""
    def to_confirm(self, answers: dict[str, Any], /) -> list[str]:
        """The ids of the questions whose answers cannot be undone."""
    def check(self, value: Json, /, *, other: str | None = None) -> None:
        """Raises RefusalError if the open question refuses this answer. Nothing changes."""
    def answer(
        self, value: Json, /, *, other: str | None = None, note: str | None = None, remember: bool = False
    ) -> None: ...
    def answer_text(
        self, text: str, /, *, other: str | None = None, note: str | None = None, remember: bool = False
    ) -> None:
        """Answers with JSON text."""
    def answer_all(self, answers: dict[str, Any], /) -> None:
        """Answers several questions by id. Either all answers are accepted or none is."""
    def answers(self, answers: dict[str, Any], /) -> None:
        """Answers the whole form with plain values, and submits it. Either all answers are accepted or none is."""
    def typed(self, text: str, /) -> None:
        """Answers with what was typed: JSON for `schema`, a number for `number`, the text itself elsewhere."""
    def back(self) -> None: ...
    def reply(self, text: str | None = None, /) -> None: ...
    def end_turn(self) -> None: ...
    def expire(self, now: datetime, /) -> bool:
        """Ends the walk as expired if its time is over by `now`, which must have a time zone. Gives whether it has expired."""
    def submit(self) -> None: ...
    def change(self, question: str, /) -> None: ...
    def assistant(self, verdict: Verdict | Mapping[str, Any] | None, /, record: str | None = None) -> None:
        """Brings the verdict of the assistant that is asked. None: there is no verdict, and the next in turn is asked."""
    def act(self, action: Mapping[str, Any], /) -> None:
        """Carries out an action that is data: see `ask_user.Action`."""
    def save(self) -> SavedWalk: ...
    def continued(self, response: object, /) -> Walk:
        """This walk as it went on in a page, by the page's response. Raises UnresumableError."""
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Walk: ...
    def __deepcopy__(self, _memo: object, /) -> Walk: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    __hash__: None  # type: ignore[assignment]

@final
class Reader:
    """A request that is still being written."""

    def __new__(cls, dialect: Dialect | None = None, host: Host | None = None) -> Reader: ...
    @property
    def walk(self) -> Walk: ...
    @property
    def is_anew(self) -> bool:
        """Whether the walk began anew at the end, because the end of the request contradicts its beginning."""
    def write(self, piece: str | bytes, /) -> None: ...
    def end(self) -> Walk:
        """Reads the whole request. Raises RejectionError."""

@final
class Conversation:
    """The state of a conversation with an agent that calls tools."""

    def __new__(cls, *, attended: bool = True, several_open: bool = False) -> Conversation:
        """With `several_open`, the later calls of a response run while the question of an earlier one is open. Both options are stored with the conversation."""
    @staticmethod
    def from_json(stored: object, /) -> Conversation:
        """Reads a stored conversation, as a value or as JSON text. Raises UnreadableStateError."""
    def to_json(self) -> dict[str, Any]: ...
    @property
    def state(self) -> dict[str, Any]: ...
    @property
    def open(self) -> list[dict[str, Any]]:
        """The questions that wait for the person, the oldest first: `call`, `request`, and perhaps `dialect`, `options`, `walk`."""
    @property
    def notice(self) -> dict[str, Any]: ...
    def ended_by(self, event: Event, /) -> list[str]:
        """The ids of the calls whose questions end with an event, beside the question that it is about: all that the agent waits for, if the event ends the turn. Ask before you report
        `closed` or `stopped`, which bring the `results` of these calls. Raises MisuseError for what is no event."""
    def on(self, event: Event, /) -> list[Effect]:
        """Takes an event, and gives what to do. Raises UnexpectedEventError if it cannot happen in this state."""
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Conversation: ...
    def __deepcopy__(self, _memo: object, /) -> Conversation: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    __hash__: None  # type: ignore[assignment]

@final
class Desk:
    """One open question at a host, from asked to closed: whether an answer counts, and what follows. Store `to_json()` where a reaction says so, before you do anything else,
    and report one input at a time. After a restart, read it with `from_json` and report `restored`. What is stored has no secrets."""

    @staticmethod
    def ask(request: object, /, *, call_id: str, dialect: str | None = None, host: Host | None = None, earlier: Desk | None = None) -> Desk:
        """Asks a question. The host's option `nonce` tells it from another one of the same call, and `earlier` is the desk of that call, if the agent has used its id before.
        Raises RejectionError if the request is not a form."""
    @staticmethod
    def from_json(stored: object, /) -> Desk:
        """Reads a stored desk, as a value or as JSON text. Raises UnreadableStateError."""
    def to_json(self) -> dict[str, Any]: ...
    @property
    def is_open(self) -> bool: ...
    @property
    def closed(self) -> ClosedDesk | None:
        """How the question was closed, and under which key."""
    @property
    def answer(self) -> Handing | None:
        """What the agent gets, without secrets."""
    @property
    def request(self) -> dict[str, Any]:
        """What a client needs to show the question: the fields of a request in a `state_change` event."""
    def secrets_in(self, input: DeskInput, /) -> str | None:
        """The secrets in an input as text, to make a seal of them."""
    def on(self, input: DeskInput, /, now: int | None = None) -> DeskReaction:
        """Takes an input, and says what follows. With `now`, the host's clock in milliseconds since the beginning of 1970, the question expires before that if its time is over.
        Raises MisuseError for what is no input."""
    def __copy__(self) -> Desk: ...
    def __deepcopy__(self, _memo: object, /) -> Desk: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

def dialects() -> list[Dialect]: ...
def register_dialect(declaration: Mapping[str, Any], /) -> Dialect:
    """Declares a dialect of your own until the process ends, and returns its name. Raises MisuseError for what is no declaration."""
def detect_dialect(request: object, /, *, host: Host | None = None) -> Dialect: ...
def tool_definitions(dialect: str, /, *, sub_agent: bool = False) -> list[ToolDefinition]: ...
def permission(tool: str, kind: str, /, *, host: Host | None = None) -> Permission: ...
def mend_records(records: object, /) -> list[Record]: ...
def read_records(stored: object, /, begins_turn: Callable[[Any], object] | None = None) -> RecordStream: ...
def records_markdown(records: object, /) -> str: ...
def _panic() -> None: ...
