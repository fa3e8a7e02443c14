"""The types of a conversation: what happens, and what the host must do. At run time all of them are dicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict, Union

from ._desk import Closing


class ToolCall(TypedDict):
    """A tool call of the model."""

    id: str
    name: str
    input: Any


class CallResult(TypedDict):
    """The result of a tool call, for the model."""

    call_id: str
    content: Any
    is_error: bool


class Event(TypedDict, total=False):
    """Something that happened in a conversation. `type` is always needed; docs/python.md lists the fields of each."""

    type: Literal[
        "message",
        "model_responded",
        "model_failed",
        "tool_completed",
        "question_pending",
        "walk_saved",
        "closed",
        "stopped",
        "restarted",
    ]
    calls: Sequence[ToolCall]
    call_id: str
    content: Any
    is_error: bool
    request: Any
    dialect: str | None
    options: Any
    walk: Any
    how: Closing
    result: Any
    results: dict[str, Any]


class PersistResults(TypedDict):
    """Store these results, in one transaction with the conversation."""

    type: Literal["persist_results"]
    value: list[CallResult]


class PersistMessages(TypedDict):
    """Store these answers as messages to the model, in one transaction with the conversation. The agent did not wait for them, and their calls have their results."""

    type: Literal["persist_messages"]
    value: list[CallResult]


class PersistState(TypedDict):
    """Store the conversation."""

    type: Literal["persist_state"]


class Notify(TypedDict):
    """Tell all clients."""

    type: Literal["notify"]
    value: dict[str, Any]


class Execute(TypedDict):
    """Run a tool."""

    type: Literal["execute"]
    value: ToolCall


class RequestModel(TypedDict):
    """Send all that is stored to the model."""

    type: Literal["request_model"]


class TurnDone(TypedDict):
    """The turn is over."""

    type: Literal["done"]


Effect = Union[PersistResults, PersistMessages, PersistState, Notify, Execute, RequestModel, TurnDone]
"""Something that the host must do, in the order of the list. `type` tells which of them it is."""
