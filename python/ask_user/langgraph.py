"""LangGraph: the interrupts of a graph as questions in an `Inbox`, and their answers as what the graph resumes with.

It needs the package `langgraph`, and a graph with a checkpointer.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Interrupt

from ._errors import AskUserError
from ._types import Dialect, Host, Turn
from .inbox import Answer, Inbox


class TurnEndedError(AskUserError):
    """The person ended the turn. The graph stays at its interrupt, with everything that was answered in the inbox."""


async def run(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    input: Any,
    config: RunnableConfig,
    *,
    inbox: Inbox,
    conversation: str | None = None,
    dialect: Dialect | None = None,
    host: Host | None = None,
) -> Any:
    """Runs a graph to its end, and returns its last value. Whenever the graph stops at interrupts, each is put to the person as a question, and the graph resumes with the
    results.

    - If the graph stands at interrupts already, for example after a restart, `input` is not used: the same questions are asked again, or their stored answers are used.
    - `conversation` is the conversation of the inbox: by default the graph's `thread_id`.
    - An interrupt's value is read as a request, in the dialect `dialect` or the one that is detected. Raises `RejectionError` if it is not one: handle such interrupts yourself.
    - Raises `TurnEndedError` if the person ends the turn, and `QuestionClosedError` if a question is closed."""
    name = conversation or str(config.get("configurable", {}).get("thread_id", ""))
    if not name:
        raise ValueError('Pass "conversation", or a config with a "thread_id".')
    options: Host = dict(host or {})  # type: ignore[assignment]
    waiting = await interrupts(graph, config)
    value = None if waiting else await graph.ainvoke(input, config)
    while waiting := waiting or await interrupts(graph, config):
        # One after the other, so that the person sees them in the order of the graph.
        for one in waiting:
            await asyncio.to_thread(inbox.put, name, one.value, call_id=one.id, dialect=dialect, host=options)
        answers: list[Answer] = await _all(inbox.answer(name, one.id) for one in waiting)
        if any(answer.is_turn_ended for answer in answers):
            raise TurnEndedError({"message": "The person ended the turn."})
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


async def _all(asked: Any) -> list[Answer]:
    """All answers. If one fails, the others are not waited for."""
    tasks = [asyncio.ensure_future(one) for one in asked]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
