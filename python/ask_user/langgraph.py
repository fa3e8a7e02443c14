"""LangGraph: the interrupts of a graph as questions in an `Inbox`, and their answers as what the graph resumes with.

It needs the package `langgraph`, version 1.2.20 or later, and a graph with a checkpointer. In earlier versions all interrupts of one node have the same id, so that the
answer to one question would be used for the next one.
"""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Interrupt

from ._errors import AskUserError
from ._native import Form
from ._types import Dialect, Host, Turn
from .inbox import Answer, Inbox, QuestionClosedError


if tuple(int(part) for part in version("langgraph").split(".")[:3] if part.isdigit()) < (1, 2, 20):
    raise ImportError("ask_user.langgraph needs langgraph 1.2.20 or later: earlier versions give all interrupts of a node one id. Install ask-user[langgraph].")

_ENDED = "The person ended the turn. To go on in the same thread, pass new input with overtake=True."


class TurnEndedError(AskUserError):
    """The person ended the turn. The graph stays at its interrupt, with everything that was answered in the inbox. To go on in the same thread, call `run` with new input and
    `overtake=True`."""


async def run(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    input: Any,
    config: RunnableConfig,
    *,
    inbox: Inbox,
    conversation: str | None = None,
    dialect: Dialect | None = None,
    host: Host | None = None,
    overtake: bool = False,
) -> Any:
    """Runs a graph to its end, and returns its last value. Whenever the graph stops at interrupts, each is put to the person as a question, and the graph resumes with the
    results.

    - If the graph stands at interrupts already, for example after a restart, `input` is not used: the same questions are asked again, or their stored answers are used.
      With `overtake`, those questions are closed instead, and the graph begins with `input`: what to do with a new message of the person, also after the end of a turn.
    - `conversation` is the conversation of the inbox: by default the graph's `thread_id`.
    - An interrupt's value is read as a request, in the dialect `dialect` or the one that is detected. Raises `RejectionError` if it is not one: handle such interrupts yourself.
    - The words of a Reply reach the graph only in its result. Raises `ValueError` for a host with `replies: "message"`.
    - Raises `TurnEndedError` if the person ends the turn; other questions that were put at the same time are closed then. Raises `QuestionClosedError` if a question is closed."""
    name = conversation or str(config.get("configurable", {}).get("thread_id", ""))
    if not name:
        raise ValueError('Pass "conversation", or a config with a "thread_id".')
    options: Host = dict(host or {})  # type: ignore[assignment]
    if options.get("replies") == "message":
        raise ValueError('The host\'s option "replies" cannot be "message" here: run() gives the graph results, and no messages. Leave it out, or set it to "none".')
    waiting = await interrupts(graph, config)
    if overtake:
        for one in waiting:
            await asyncio.to_thread(inbox.close, name, one.id)
        waiting = []
    value = None if waiting else await graph.ainvoke(input, config)
    while waiting := waiting or await interrupts(graph, config):
        # Before anybody sees one of them.
        for one in waiting:
            Form.read(one.value, dialect, options)
        # One after the other, so that the person sees them in the order of the graph.
        for one in waiting:
            await asyncio.to_thread(inbox.put, name, one.value, call_id=one.id, dialect=dialect, host=options)
        answers = await _all(inbox, name, [one.id for one in waiting])
        options["turn"] = _merged(answers)
        # Each result goes to its own interrupt. One without an id would go to all of them.
        resume = {one.id: answer.result for one, answer in zip(waiting, answers)}
        value = await graph.ainvoke(Command(resume=resume), config)
        waiting = []
    return value


async def interrupts(graph: CompiledStateGraph[Any, Any, Any, Any], config: RunnableConfig) -> list[Interrupt]:
    """The interrupts that a graph stands at."""
    return list((await graph.aget_state(config)).interrupts)


def _merged(answers: list[Answer]) -> Turn:
    """The turn after questions that were put at the same time."""
    parts: dict[str, Any] = {}
    for answer in answers:
        for name, values in answer.turn.items():
            parts[name] = {**parts.get(name, {}), **cast("dict[str, Any]", values)}
    return cast("Turn", parts)


async def _all(inbox: Inbox, conversation: str, calls: list[str]) -> list[Answer]:
    """All answers. If one ends the turn, the other questions are closed."""

    def ended() -> None:
        for call in calls:
            inbox.close(conversation, call)

    async def one(call: str) -> Answer:
        answer = await inbox.answer(conversation, call)
        if answer.is_turn_ended:
            raise TurnEndedError({"message": _ENDED})
        return answer

    tasks = [asyncio.ensure_future(one(call)) for call in calls]
    try:
        results = await asyncio.gather(*tasks)
    except AskUserError:
        # An end of the turn that was stored before is found together with the questions that it closed.
        said = await asyncio.gather(*(asyncio.to_thread(_ending, inbox, conversation, call) for call in calls))
        if not any(said):
            raise
        await asyncio.to_thread(ended)
        raise TurnEndedError({"message": _ENDED}) from None
    finally:
        for task in tasks:
            task.cancel()
    return list(results)


def _ending(inbox: Inbox, conversation: str, call: str) -> bool:
    """Whether the answer to a question has ended the turn."""
    try:
        answer = inbox.answered(conversation, call)
    except QuestionClosedError:
        return False
    return answer is not None and answer.is_turn_ended
