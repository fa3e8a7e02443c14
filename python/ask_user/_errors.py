"""The exceptions. Each carries its problem as data, and each can be pickled."""

from __future__ import annotations

import json
from typing import Any

from ._types import Problem, RefusalCode, RefusedAnswer, ToolResult, UnexpectedCode, UnresumableCode, Violation


class AskUserError(Exception):
    """The base of all exceptions of this package."""

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__(data)
        self._data = data

    def __str__(self) -> str:
        return str(self._data["message"])


class RejectionError(AskUserError):
    """The request is not a form. Give `tool_result` to the model in place of a result."""

    @property
    def problems(self) -> list[Problem]:
        """Every problem of the request."""
        problems: list[Problem] = self._data["problems"]
        return problems

    @property
    def tool_result(self) -> ToolResult:
        """What the model needs to correct its call."""
        result: ToolResult = self._data  # type: ignore[assignment]
        return result


class RefusalError(AskUserError):
    """An action was refused. The walk is unchanged."""

    @property
    def code(self) -> RefusalCode:
        """Why, as a stable code."""
        code: RefusalCode = self._data["code"]
        return code

    @property
    def details(self) -> list[Violation]:
        """With `schema_mismatch`: every violation of the schema."""
        details: list[Violation] = self._data.get("details", [])
        return details

    @property
    def refused(self) -> list[RefusedAnswer]:
        """With `refused_answers`: the answers that were refused, as far as they fit into 64 kB."""
        refused: list[RefusedAnswer] = self._data.get("refused", [])
        return refused

    @property
    def total(self) -> int:
        """With `refused_answers`: how many answers were refused in all."""
        return int(self._data.get("total", len(self.refused)))


class UnresumableError(AskUserError):
    """A saved walk, or a page's response, could not be resumed."""

    @property
    def code(self) -> UnresumableCode:
        """Why, as a stable code."""
        code: UnresumableCode = self._data["code"]
        return code


class UnexpectedEventError(AskUserError):
    """An event cannot happen in this state. The conversation is unchanged."""

    @property
    def code(self) -> UnexpectedCode:
        """Why, as a stable code."""
        code: UnexpectedCode = self._data["code"]
        return code

    @property
    def call_id(self) -> str | None:
        """The id of the call that it is about."""
        return self._data.get("call_id")


class UnreadableStateError(AskUserError, ValueError):
    """A stored conversation could not be read."""

    @property
    def reason(self) -> str:
        """What is missing or wrong."""
        return str(self._data["reason"])


class MisuseError(AskUserError, ValueError):
    """The host's own code gives an option or a value that does not exist. Input of an agent or a person never causes it."""


class NotJsonError(AskUserError, TypeError):
    """JSON has no form for a value, such as NaN, bytes or a list that contains itself."""


class InternalError(AskUserError, RuntimeError):
    """An error in ask-user itself. The walk or conversation that was being changed cannot be used any more."""


_KINDS: dict[str, type[AskUserError]] = {
    "rejection": RejectionError,
    "refusal": RefusalError,
    "unresumable": UnresumableError,
    "unexpected": UnexpectedEventError,
    "unreadable_state": UnreadableStateError,
    "misuse": MisuseError,
    "not_json": NotJsonError,
    "internal": InternalError,
}


def made(kind: str, data: str) -> AskUserError:
    """The exception of a kind, with its data as JSON text: for the native module."""
    return _KINDS[kind](json.loads(data))
