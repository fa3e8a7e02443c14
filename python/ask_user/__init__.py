"""ask-user: reads an agent's questions, takes a person through them, and writes the result in the agent's own format.

    form = Form.read(request)
    walk = Walk(form)
    walk.answer(True)
    walk.outcome

Values are dicts, lists, texts, numbers, booleans and None. See docs/python.md of the project.
"""

from __future__ import annotations

from ._errors import (
    AskUserError,
    InternalError,
    MisuseError,
    NotJsonError,
    RefusalError,
    RejectionError,
    UnexpectedEventError,
    UnreadableStateError,
    UnresumableError,
)
from ._desk import DeskInput, DeskReaction, DeskReply
from ._events import Effect, Event, ToolCall
from ._native import (
    Conversation,
    Desk,
    Form,
    Reader,
    Walk,
    detect_dialect,
    dialects,
    mend_records,
    permission,
    read_records,
    records_markdown,
    register_dialect,
    tool_definitions,
)
from ._types import (
    Action,
    Asking,
    Consultation,
    Dialect,
    Host,
    Json,
    Limits,
    Outcome,
    Problem,
    Question,
    Record,
    Review,
    SavedWalk,
    Source,
    Step,
    Target,
    ToolDefinition,
    Turn,
    Verdict,
    Violation,
)

__all__ = [
    "Action",
    "AskUserError",
    "Asking",
    "Consultation",
    "Conversation",
    "Desk",
    "DeskInput",
    "DeskReaction",
    "DeskReply",
    "Dialect",
    "Effect",
    "Event",
    "Form",
    "Host",
    "InternalError",
    "Json",
    "Limits",
    "MisuseError",
    "NotJsonError",
    "Outcome",
    "Problem",
    "Question",
    "Reader",
    "Record",
    "RefusalError",
    "RejectionError",
    "Review",
    "SavedWalk",
    "Source",
    "Step",
    "Target",
    "ToolCall",
    "ToolDefinition",
    "Turn",
    "UnexpectedEventError",
    "UnreadableStateError",
    "UnresumableError",
    "Verdict",
    "Violation",
    "Walk",
    "detect_dialect",
    "dialects",
    "mend_records",
    "permission",
    "read_records",
    "records_markdown",
    "register_dialect",
    "tool_definition",
    "tool_definitions",
]


def tool_definition(dialect: str, name: str | None = None) -> ToolDefinition | None:
    """The definition of a dialect's tool: the first, or the one with this name."""
    definitions = tool_definitions(dialect)
    return next((one for one in definitions if name is None or one["name"] == name), None)
