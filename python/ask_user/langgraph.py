"""LangGraph: the interrupts of a graph as questions in an `Inbox`, and their answers as what the graph resumes with.

It needs the package `langgraph`, version 1.2.20 or later, and a graph with a checkpointer. In earlier versions all interrupts of one node have the same id, so that the
answer to one question would be used for the next one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any, cast

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.channels import BinaryOperatorAggregate
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Interrupt, StateSnapshot

from ._errors import AskUserError
from ._native import Form
from ._types import Dialect, Host, Turn
from .inbox import Answer, Inbox, KeptWords, QuestionClosedError


if tuple(int(part) for part in version("langgraph").split(".")[:3] if part.isdigit()) < (1, 2, 20):
    raise ImportError("ask_user.langgraph needs langgraph 1.2.20 or later: earlier versions give all interrupts of a node one id. Install ask-user[langgraph].")

_ENDED = "The person ended the turn. To go on in the same thread, pass new input with overtake=True."


_RECEIVED = "ask_user_received"
"""Where a checkpoint's metadata names the questions whose words the graph has received. LangGraph writes it together with the words."""


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
    message: Callable[[str], Any] | None = None,
) -> Any:
    """Runs a graph to its end, and returns its last value. Whenever the graph stops at interrupts, each is put to the person as a question, and the graph resumes with the
    results.

    - If the graph stands at interrupts already, has words to receive or has not ended with them, for example after a restart, `input` is not used: the same questions are asked again, or their stored
      answers are used. With `overtake`, those questions are closed instead, and the graph begins with `input`: what to do with a new message of the person, also after the end
      of a turn.
    - `conversation` is the conversation of the inbox: by default the graph's `thread_id`.
    - An interrupt's value is read as a request, in the dialect `dialect` or the one that is detected. Raises `RejectionError` if it is not one: handle such interrupts yourself.
    - With the host's option `replies: "message"`, the words of a Reply are the graph's next input, once it has ended with the result. `message` makes that input of them; by
      default it is a message of the user in `messages`. Raises `ValueError` if the graph's input has no list `messages` that grows and there is no `message`. With `overtake`,
      they come before `input`.
    - One call at a time for each thread, as for the graph itself: two would run it twice.
    - Raises `TurnEndedError` if the person ends the turn; other questions that were put at the same time are closed then. Raises `QuestionClosedError` if a question is closed."""
    name = conversation or str(config.get("configurable", {}).get("thread_id", ""))
    if not name:
        raise ValueError('Pass "conversation", or a config with a "thread_id".')
    options: Host = dict(host or {})  # type: ignore[assignment]
    if options.get("replies") == "message" and message is None and not _takes_messages(graph):
        raise ValueError('The graph\'s input has no list "messages" that grows. Pass "message", which makes the input of the words of a Reply, or leave out the host\'s option "replies".')
    kept = KeptWords(inbox, name, str(config.get("configurable", {}).get("thread_id", "")))

    async def invoke(value: Any, received: Iterable[str] = ()) -> Any:
        metadata = {**(config.get("metadata") or {}), _RECEIVED: ",".join(received)}
        return await graph.ainvoke(value, {**config, "metadata": metadata})

    async def receive(words: dict[str, str]) -> Any:
        said = "\n\n".join(words.values())
        try:
            return await invoke(message(said) if message else _message(said, next(iter(words))), words)
        finally:
            await stands()

    async def stands() -> tuple[StateSnapshot, dict[str, str], bool]:
        """Where the graph stands, the words that it has not received, by question, and whether it has begun with words and not ended."""
        state = await graph.aget_state(config)
        received = str((cast("dict[str, Any]", state.metadata or {})).get(_RECEIVED, ""))
        values: Any = state.values
        messages = values.get("messages") if isinstance(values, dict) else None
        said = [str(getattr(one, "id", "")).removeprefix(_ID) for one in messages or [] if str(getattr(one, "id", "")).startswith(_ID)]
        words = await asyncio.to_thread(kept.all)
        if any(call in words for call in said):
            # They were received together.
            received += "," + ",".join(words)
        await asyncio.to_thread(kept.drop, received.split(","))
        return state, await asyncio.to_thread(kept.all), bool(received and state.next)

    state, words, is_begun = await stands()
    value = None
    if overtake:
        # Also of a Reply that nobody has fetched yet.
        await asyncio.to_thread(kept.add, [one.id for one in state.interrupts])
        for one in state.interrupts:
            await asyncio.to_thread(inbox.close, name, one.id)
        words = await asyncio.to_thread(kept.all)
        if words:
            await receive(words)
        value = await invoke(input)
    elif not state.interrupts and state.next and (words or is_begun) and not _has_breakpoints(graph):
        # The process was killed while the graph ran with the results, or with the words.
        value = await invoke(None)
    elif not state.interrupts and not (words and not state.next):
        value = await invoke(input)
    while True:
        state, words, _ = await stands()
        waiting = list(state.interrupts)
        if not waiting:
            if not words or state.next:
                return value
            value = await receive(words)
            continue
        # Before anybody sees one of them. Each counts for those after it.
        hosts: list[Host] = []
        counts: dict[str, int] = {}
        for one in waiting:
            hosts.append({**options, "turn": {**options.get("turn", {}), "open": dict(counts)}} if counts else options)
            counts[one.id] = len(Form.read(one.value, dialect, hosts[-1]).questions)
        # One after the other, so that the person sees them in the order of the graph.
        for one, own in zip(waiting, hosts):
            await asyncio.to_thread(inbox.put, name, one.value, call_id=one.id, dialect=dialect, host=own)
        answers = await _all(inbox, name, [one.id for one in waiting])
        options["turn"] = _merged(answers)
        await asyncio.to_thread(kept.add, [one.id for one in waiting])
        # Each result goes to its own interrupt. One without an id would go to all of them.
        value = await invoke(Command(resume={one.id: answer.result for one, answer in zip(waiting, answers)}))


_ID = "ask-user-reply-"
"""The beginning of the ids of the messages that have the words of a Reply. After it comes the first question that they reply to."""


def _message(words: str, call: str) -> dict[str, Any]:
    return {"messages": [HumanMessage(words, id=_ID + call)]}


def _takes_messages(graph: CompiledStateGraph[Any, Any, Any, Any]) -> bool:
    """Whether the input of a graph has a list `messages` that grows."""
    channels: Any = graph.builder.schemas.get(graph.builder.input_schema, graph.channels)
    return "messages" in channels and isinstance(graph.channels.get("messages"), BinaryOperatorAggregate)


def _has_breakpoints(graph: CompiledStateGraph[Any, Any, Any, Any]) -> bool:
    """Whether a graph stops where its author said, and not only at interrupts: what comes after such a stop is the caller's to decide."""
    return bool(graph.interrupt_before_nodes or graph.interrupt_after_nodes)


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
