"""The types of a desk: what clients and the agent do, and what follows. At run time all of them are dicts."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from ._types import Outcome, Record, Turn

Closing = Literal["answered", "replied", "declined", "turn_ended", "overtaken", "expired", "failed"]
"""How a question at a host was closed."""


class Seal(TypedDict):
    """A digest of secrets. Two are compared only if the same key has made them."""

    by: str
    """The name of the key: one that all processes share, or one of this process."""
    digest: str
    """The digest, such as an HMAC of what `secrets_in` gives."""


class DeskInput(TypedDict, total=False):
    """What a client or the agent does. `type` is always needed."""

    type: Literal["responded", "answered", "saved", "rejected", "stopped", "overtaken", "expired", "handed", "restored"]
    key: str | None
    """The idempotency key of `responded` and `answered`. Without one, it is that of the question."""
    response: Any
    """What `responded` brings: `Walk.response`."""
    answers: dict[str, Any]
    """What `answered` brings: values by the ids or texts of the questions."""
    nonce: str | None
    """The nonce of the question that `answered` is for, if the client knows it."""
    tool_call_id: str | None
    """The id of the call that `responded` or `answered` is for, if the client names it."""
    seal: Seal | None
    """The digest of the secrets in them, if there are some."""
    walk: Any
    """What `saved` brings: `Walk.save()`."""
    replaces: str | None
    """The versions that `saved` may replace, as `If-Match` has them; any version without it."""
    now: int | None
    """What time it is for `expired`, in milliseconds since the beginning of 1970 in UTC. If the time is not over by then, nothing happens. Without it, the time is over."""


class DeskProblem(TypedDict):
    """What is wrong with an answer."""

    question: str | None
    code: str
    message: str


class DeskReply(TypedDict, total=False):
    """What the sender of an input hears. The first four are always there."""

    code: Literal["taken", "taken_before", "kept", "sent_differently", "not_open", "behind", "needs_key", "incomplete", "refused", "not_rejected", "unreadable"]
    status: int
    """The HTTP status that says the same."""
    message: str
    problems: list[DeskProblem]
    version: str
    """The version of the walk that is kept now, as a strong ETag."""
    walk: dict[str, Any]
    """With `behind`, the walk that is kept."""


class _Late(TypedDict, total=False):
    late: str
    """Of a question that has expired: what the person had answered, as a message that the host may give to the agent. It is no answer. Never with a consent, a secret, or what cannot be undone."""


class Handing(_Late):
    """What the agent gets when a question is closed."""

    key: str
    """Names the answer: the same each time it is handed over."""
    outcome: Outcome
    result: str | None
    """The result as JSON text, with every digit of its numbers."""
    records: list[Record]
    turn: Turn
    """What the next form of the same turn begins with."""
    drafts: dict[str, Any]
    secrets: dict[str, str]
    """The secrets that were given, by question id, also where the result has them."""


class DeskReaction(TypedDict, total=False):
    """What follows from an input. `store` is always there."""

    store: bool
    """Whether the desk has changed: store it first."""
    reply: DeskReply
    closed: Closing
    """How this input closed the question: tell all clients."""
    hand: Handing
    """What to hand to the agent. Then report `handed`."""


class ClosedDesk(TypedDict):
    """How a question was closed, and under which key."""

    how: Closing
    key: str | None
