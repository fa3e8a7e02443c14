"""Graphs of LangGraph whose interrupts are questions in an inbox: one, several at once, in a process that is killed between question and answer."""

from __future__ import annotations

import asyncio
import json
import operator
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from ask_user import Form, RejectionError, Walk
from ask_user.inbox import Inbox, QuestionClosedError
from ask_user.langgraph import TurnEndedError, interrupts, run
from ask_user.sqlite import SqliteStore
from deepagents import create_deep_agent
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import MemorySaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import interrupt
from wait import comes, until

CONFIG: Any = {"configurable": {"thread_id": "thread-1"}}


class State(TypedDict, total=False):
    method: str
    hours: str
    proceed: bool
    log: Annotated[list[str], lambda one, other: one + other]


def graph(checkpointer: Any) -> Any:
    """Two questions at the same time, and one after them."""

    def choose(state: State) -> State:
        answer = interrupt({"type": "user_question", "question": "How should people sign in?", "options": ["Passkeys", "Password"], "descriptions": [None, None], "default": 0})
        return {"method": answer["response"], "log": ["choose"]}

    def limit(state: State) -> State:
        answer = interrupt({"type": "user_question", "question": "How many hours?", "options": ["1", "8"], "descriptions": [None, None], "default": 1})
        return {"hours": answer["response"], "log": ["limit"]}

    def confirm(state: State) -> State:
        asked = {"action_requests": [{"name": "rewrite", "args": {"method": state["method"]}}], "review_configs": [{"action_name": "rewrite", "allowed_decisions": ["approve", "reject"]}]}
        answer = interrupt(asked)
        return {"proceed": answer["decisions"][0]["type"] == "approve", "log": ["confirm"]}

    made = StateGraph(State)
    for node in (choose, limit, confirm):
        made.add_node(node.__name__, node)
    made.add_edge(START, "choose")
    made.add_edge(START, "limit")
    made.add_edge(["choose", "limit"], "confirm")
    made.add_edge("confirm", END)
    return made.compile(checkpointer=checkpointer)


def requests(inbox: Inbox) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(inbox.notice("thread-1")[0]).get("requests", [])
    return found


def answer(inbox: Inbox, call: str, value: Any) -> None:
    """What a page posts for a form with one question."""
    question = next(one for one in requests(inbox) if one["tool_call_id"] == call)
    walk = Walk(Form.read(question["request"], question.get("dialect"), question["options"]))
    walk.answer(value)
    reply = inbox.respond("thread-1", json.dumps({"tool_call_id": call, **walk.response}), f"key-{call}")
    assert reply.status == 200, reply.text


async def asked(inbox: Inbox, count: int) -> list[dict[str, Any]]:
    return await comes(lambda: requests(inbox), f"{count} questions", lambda found: len(found) == count)


def test_interrupts_at_the_same_time_are_questions_of_their_own(tmp_path: Path) -> None:
    async def all_of_it() -> Any:
        inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
        running = asyncio.ensure_future(run(graph(MemorySaver()), {"log": []}, CONFIG, inbox=inbox))
        first, second = await asked(inbox, 2)
        answer(inbox, second["tool_call_id"], "8")
        answer(inbox, first["tool_call_id"], "Password")
        (third,) = await asked(inbox, 1)
        answer(inbox, third["tool_call_id"], {"type": "approve"})
        return await asyncio.wait_for(running, 20)

    value = asyncio.run(all_of_it())
    assert (value["method"], value["hours"], value["proceed"]) == ("Password", "8", True)
    assert sorted(value["log"]) == ["choose", "confirm", "limit"]


def single(node: Any) -> Any:
    made = StateGraph(State)
    made.add_node("node", node)
    made.add_edge(START, "node")
    made.add_edge("node", END)
    return made.compile(checkpointer=MemorySaver())


def test_each_interrupt_of_one_node_is_answered_by_the_person(tmp_path: Path) -> None:
    """The questions are equal, and so are the calls of one node but for their number."""
    deleted: list[str] = []

    def node(state: State) -> State:
        files = [file for file in "abc" if interrupt({"question": "Delete the next file?", "answer_type": "boolean"})["answer"]]
        deleted[:] = files
        return {"log": files}

    async def all_of_it() -> Any:
        inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
        running = asyncio.ensure_future(run(single(node), {"log": []}, CONFIG, inbox=inbox))
        calls = set()
        for approves in (True, False, True):
            found = await comes(lambda: [one for one in requests(inbox) if one["tool_call_id"] not in calls], "the next question")
            calls.add(found[0]["tool_call_id"])
            answer(inbox, found[0]["tool_call_id"], approves)
        return await asyncio.wait_for(running, 20)

    assert asyncio.run(all_of_it())["log"] == deleted == ["a", "c"]


def test_the_end_of_the_turn_leaves_the_graph_at_its_interrupt_until_new_input_overtakes_it(tmp_path: Path) -> None:
    async def ended() -> Any:
        inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
        made = graph(MemorySaver())
        running = asyncio.ensure_future(run(made, {"log": []}, CONFIG, inbox=inbox))
        question = (await asked(inbox, 2))[1]
        walk = Walk(Form.read(question["request"], question.get("dialect"), question["options"]))
        walk.end_turn()
        assert inbox.respond("thread-1", json.dumps({"tool_call_id": question["tool_call_id"], **walk.response}), "k").status == 200
        with pytest.raises(TurnEndedError):
            await asyncio.wait_for(running, 20)
        # The other question belongs to the turn, too.
        assert requests(inbox) == []
        assert len(await interrupts(made, CONFIG)) == 2
        with pytest.raises(TurnEndedError, match="overtake=True"):
            await run(made, {"log": []}, CONFIG, inbox=inbox)
        running = asyncio.ensure_future(run(made, {"log": ["again"]}, CONFIG, inbox=inbox, overtake=True))
        for question, value in zip(await asked(inbox, 2), ("Passkeys", "1")):
            answer(inbox, question["tool_call_id"], value)
        answer(inbox, (await asked(inbox, 1))[0]["tool_call_id"], {"type": "approve"})
        return await asyncio.wait_for(running, 20)

    assert asyncio.run(ended())["proceed"]


def test_new_input_overtakes_questions_that_are_open(tmp_path: Path) -> None:
    def node(state: State) -> State:
        said = interrupt({"question": f"{state['log'][-1]}?", "answer_type": "boolean"})
        return {"log": [str(said["answer"])]}

    async def all_of_it() -> Any:
        inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
        made = single(node)
        waiting = asyncio.ensure_future(run(made, {"log": ["one"]}, CONFIG, inbox=inbox))
        await asked(inbox, 1)
        running = asyncio.ensure_future(run(made, {"log": ["two"]}, CONFIG, inbox=inbox, overtake=True))
        with pytest.raises(QuestionClosedError):
            await asyncio.wait_for(waiting, 20)
        (question,) = await asked(inbox, 1)
        assert question["request"]["question"] == "two?"
        answer(inbox, question["tool_call_id"], True)
        return await asyncio.wait_for(running, 20)

    assert asyncio.run(all_of_it())["log"][-1] == "True"


def test_no_question_is_shown_where_another_interrupt_is_no_form(tmp_path: Path) -> None:
    made = StateGraph(State)
    for name, value in (("good", {"question": "Sure?", "answer_type": "boolean"}), ("odd", {"odd": True})):

        def node(state: State, value: Any = value) -> State:
            return {"log": [str(interrupt(value))]}

        made.add_node(name, node)
        made.add_edge(START, name)
    inbox = Inbox(SqliteStore(tmp_path / "questions.db"))
    with pytest.raises(RejectionError):
        asyncio.run(run(made.compile(checkpointer=MemorySaver()), {"log": []}, CONFIG, inbox=inbox))
    assert requests(inbox) == []


def test_interrupts_at_the_same_time_count_for_the_limit_of_the_turn(tmp_path: Path) -> None:
    async def all_of_it() -> None:
        inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
        with pytest.raises(RejectionError) as caught:
            await run(graph(MemorySaver()), {"log": []}, CONFIG, inbox=inbox, host={"limits": {"questions_per_turn": 1}})
        assert caught.value.problems[0]["code"] == "too_many_questions"
        assert requests(inbox) == []
        running = asyncio.ensure_future(run(graph(MemorySaver()), {"log": []}, CONFIG, inbox=inbox, host={"limits": {"questions_per_turn": 2}}))
        first, second = await asked(inbox, 2)
        answer(inbox, first["tool_call_id"], "Password")
        answer(inbox, second["tool_call_id"], "8")
        # The third of the turn.
        with pytest.raises(RejectionError) as caught:
            await asyncio.wait_for(running, 20)
        assert caught.value.problems[0]["code"] == "too_many_questions"

    asyncio.run(all_of_it())


def test_an_interrupt_that_is_no_form_is_the_callers(tmp_path: Path) -> None:
    def odd(state: State) -> State:
        interrupt({"odd": True})
        return {}

    made = StateGraph(State)
    made.add_node("odd", odd)
    made.add_edge(START, "odd")
    compiled = made.compile(checkpointer=MemorySaver())
    inbox = Inbox(SqliteStore(tmp_path / "questions.db"))
    with pytest.raises(RejectionError):
        asyncio.run(run(compiled, {}, CONFIG, inbox=inbox))


PROGRAM = """
import asyncio, json, sys
sys.path.insert(0, {here!r})
from test_langgraph import CONFIG, graph
from ask_user.inbox import Inbox
from ask_user.langgraph import run
from ask_user.sqlite import SqliteStore
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

async def main():
    async with AsyncSqliteSaver.from_conn_string({folder!r} + "/graph.db") as saver:
        inbox = Inbox(SqliteStore({folder!r} + "/questions.db"), poll=0.05)
        value = await run(graph(saver), {{"log": []}}, CONFIG, inbox=inbox)
        print(json.dumps(value), flush=True)

asyncio.run(main())
"""


def test_a_process_that_is_killed_at_each_step_goes_on_where_it_stood(tmp_path: Path) -> None:
    program = PROGRAM.format(here=str(Path(__file__).parent), folder=str(tmp_path))
    inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)

    def begin() -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)

    def waits(process: subprocess.Popen[str], count: int) -> list[dict[str, Any]]:
        def look() -> list[dict[str, Any]]:
            assert process.poll() is None, "the process has stopped"
            return requests(inbox)

        return until(look, f"{count} questions", lambda found: len(found) == count)

    def killed(process: subprocess.Popen[str]) -> None:
        process.kill()
        process.communicate()

    process = begin()
    first, second = waits(process, 2)
    killed(process)
    # Answered while no agent runs.
    answer(inbox, first["tool_call_id"], "Password")
    process = begin()
    assert [one["tool_call_id"] for one in waits(process, 1)] == [second["tool_call_id"]]
    killed(process)
    answer(inbox, second["tool_call_id"], "8")
    process = begin()
    (third,) = waits(process, 1)
    assert third["tool_call_id"] not in (first["tool_call_id"], second["tool_call_id"])
    killed(process)
    answer(inbox, third["tool_call_id"], {"type": "approve"})
    process = begin()
    value = json.loads(process.communicate(timeout=60)[0])
    assert (value["method"], value["hours"], value["proceed"]) == ("Password", "8", True)
    assert sorted(value["log"]) == ["choose", "confirm", "limit"], "each node ended once"
    assert requests(inbox) == []


class Scripted(BaseChatModel):
    """A model that calls a tool twice at once, and then says what it heard."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **options: Any) -> ChatResult:
        heard = [str(message.content) for message in messages if isinstance(message, ToolMessage)]
        calls: Any = [{"name": "cancel_order", "args": {"order": order}, "id": f"call_{order}"} for order in (41, 42)]
        message = AIMessage(content=" ".join(heard)) if heard else AIMessage(content="", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


class Heard(TypedDict, total=False):
    messages: Annotated[list[Any], add_messages]
    answers: Annotated[list[str], operator.add]


def asks_twice(checkpointer: Any) -> Any:
    """A node that asks two questions, one after the other, whenever the last message is not the words of the person."""

    def node(state: Heard) -> Heard:
        heard = [str(message.content) for message in state["messages"]]
        if heard[-1:] != ["Deploy it."]:
            return {"answers": [f"heard {heard[-1]}"]}
        said = [interrupt({"type": "user_question", "question": f"{name}?", "options": ["a", "b"], "descriptions": [None, None]}) for name in ("First", "Second")]
        return {"answers": [one["response"] for one in said]}

    made = StateGraph(Heard)
    made.add_node("node", node)
    made.add_edge(START, "node")
    made.add_edge("node", END)
    return made.compile(checkpointer=checkpointer)


def replied(inbox: Inbox, call: str, words: str) -> None:
    """What a page posts when the person replies."""
    question = next(one for one in requests(inbox) if one["tool_call_id"] == call)
    walk = Walk(Form.read(question["request"], question.get("dialect"), question["options"]))
    walk.reply(words)
    assert inbox.respond("thread-1", json.dumps({"tool_call_id": call, **walk.response}), f"key-{call}").status == 200


WORDS_PROGRAM = """
import asyncio, json, os, sys
sys.path.insert(0, {here!r})
from test_langgraph import CONFIG, asks_twice
from ask_user import langgraph
from ask_user.inbox import Inbox
from ask_user.sqlite import SqliteStore
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

at = sys.argv[1]
async def main():
    async with AsyncSqliteSaver.from_conn_string({folder!r} + "/graph.db") as saver:
        inbox = Inbox(SqliteStore({folder!r} + "/questions.db"), poll=0.05)
        graph = asks_twice(saver)
        invoke, count = graph.ainvoke, 0
        async def counted(value, config):
            nonlocal count
            count += 1
            if at == f"before {{count}}":
                os._exit(9)
            value = await invoke(value, config)
            if at == f"after {{count}}":
                os._exit(9)
            return value
        graph.ainvoke = counted
        value = await langgraph.run(graph, {{"messages": [("user", "Deploy it.")]}}, CONFIG, inbox=inbox, host={{"replies": "message"}})
        print(json.dumps({{"messages": [one.content for one in value["messages"]], "answers": value["answers"]}}), flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("at", ["never", "after 1", "before 2", "after 2", "before 3", "after 3", "before 4", "after 4"])
def test_the_words_of_a_reply_reach_the_graph_once_as_a_message_whenever_the_process_is_killed(tmp_path: Path, at: str) -> None:
    program = WORDS_PROGRAM.format(here=str(Path(__file__).parent), folder=str(tmp_path))
    inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
    process: list[subprocess.Popen[str]] = []

    def begin(at: str) -> None:
        process[:] = [subprocess.Popen([sys.executable, "-c", program, at], stdout=subprocess.PIPE, text=True)]

    def waits() -> dict[str, Any]:
        """The question that is open. A process that was killed runs again."""

        def look() -> list[dict[str, Any]]:
            if process[0].poll() == 9:
                begin("never")
            assert process[0].poll() is None, "the process has stopped"
            return requests(inbox)

        return until(look, "a question", lambda found: len(found) == 1)[0]

    begin(at)
    replied(inbox, waits()["tool_call_id"], "Use the other one.")
    second = until(waits, "the second question", lambda found: found["request"]["question"] == "Second?")
    answer(inbox, second["tool_call_id"], "b")
    output = process[0].communicate(timeout=60)[0]
    again: list[str] = []
    if process[0].returncode == 9:
        begin("never")
        if at == "after 4":
            # The graph had ended: it begins with its input again.
            again = ["Deploy it."]
            answer(inbox, waits()["tool_call_id"], "a")
            answer(inbox, until(waits, "the second question", lambda found: found["request"]["question"] == "Second?")["tool_call_id"], "a")
        output = process[0].communicate(timeout=60)[0]
    assert json.loads(output)["messages"] == ["Deploy it.", "Use the other one.", *again]


class OnlyLog(TypedDict, total=False):
    log: list[str]


class Plain(TypedDict, total=False):
    messages: list[Any]


def test_words_need_a_graph_with_messages_or_a_function_that_makes_its_input_of_them(tmp_path: Path) -> None:
    inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
    hidden: Any = StateGraph(Heard, input_schema=OnlyLog)
    plain: Any = StateGraph(Plain)
    for made in (hidden, plain):
        made.add_node("node", lambda state: {})
        made.add_edge(START, "node")
    for one in (graph(MemorySaver()), hidden.compile(checkpointer=MemorySaver()), plain.compile(checkpointer=MemorySaver())):
        with pytest.raises(ValueError, match='has no list "messages" that grows'):
            asyncio.run(run(one, {"log": []}, CONFIG, inbox=inbox, host={"replies": "message"}))

    def node(state: State) -> State:
        if state["log"][-1] != "begin":
            return {"log": ["end"]}
        return {"log": [str(interrupt({"type": "user_question", "question": "Which?", "options": ["a", "b"], "descriptions": [None, None]}))]}

    async def all_of_it() -> Any:
        running = asyncio.ensure_future(
            run(single(node), {"log": ["begin"]}, CONFIG, inbox=inbox, host={"replies": "message"}, message=lambda words: {"log": [words]})
        )
        (question,) = await asked(inbox, 1)
        replied(inbox, question["tool_call_id"], "Neither.")
        return await asyncio.wait_for(running, 20)

    assert asyncio.run(all_of_it())["log"][-2:] == ["Neither.", "end"]


def test_words_that_the_graph_has_not_received_come_before_new_input(tmp_path: Path) -> None:
    async def all_of_it() -> Any:
        inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
        made = asks_twice(MemorySaver())
        begun = {"messages": [("user", "Deploy it.")]}
        waiting = asyncio.ensure_future(run(made, begun, CONFIG, inbox=inbox, host={"replies": "message"}))
        (question,) = await asked(inbox, 1)
        replied(inbox, question["tool_call_id"], "Use the other one.")
        await comes(lambda: requests(inbox), "the second question", lambda found: [one["request"]["question"] for one in found] == ["Second?"])
        value = await run(made, {"messages": [("user", "Stop.")]}, CONFIG, inbox=inbox, host={"replies": "message"}, overtake=True)
        with pytest.raises(QuestionClosedError):
            await asyncio.wait_for(waiting, 20)
        return value

    assert [one.content for one in asyncio.run(all_of_it())["messages"]] == ["Deploy it.", "Use the other one.", "Stop."]


def test_a_reply_that_nobody_has_fetched_comes_before_new_input_too(tmp_path: Path) -> None:
    async def all_of_it() -> Any:
        inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
        made = asks_twice(MemorySaver())
        waiting = asyncio.ensure_future(run(made, {"messages": [("user", "Deploy it.")]}, CONFIG, inbox=inbox, host={"replies": "message"}))
        (question,) = await asked(inbox, 1)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        replied(inbox, question["tool_call_id"], "Use the other one.")
        return await run(made, {"messages": [("user", "Stop.")]}, CONFIG, inbox=inbox, host={"replies": "message"}, overtake=True)

    assert [one.content for one in asyncio.run(all_of_it())["messages"]] == ["Deploy it.", "Use the other one.", "Stop."]


def test_words_are_not_forgotten_and_no_other_thread_or_page_hears_of_them(tmp_path: Path) -> None:
    async def all_of_it() -> Any:
        inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
        made = asks_twice(MemorySaver())
        options: Any = {"inbox": inbox, "conversation": "thread-1", "host": {"replies": "message"}}
        waiting = asyncio.ensure_future(run(made, {"messages": [("user", "Deploy it.")]}, CONFIG, **options))
        (question,) = await asked(inbox, 1)
        replied(inbox, question["tool_call_id"], "For this thread only.")
        found = await comes(lambda: requests(inbox), "the second question", lambda found: [one["request"]["question"] for one in found] == ["Second?"])
        inbox.forget(0)
        assert len(requests(inbox)) == 1
        bodies: list[dict[str, Any]] = [{}, {"answers": {}}, {"walk": {}, "secrets": {}}]
        for body in bodies:
            for name in ("the words of replies to thread-1", "the words of replies to"):
                assert inbox.respond("thread-1", json.dumps({"tool_call_id": name, **body}), "k").status == 422
        with pytest.raises(ValueError, match="must not begin with"):
            inbox.put("thread-1", {"question": "Which?"}, call_id="the words of replies to thread-1")
        other = await run(made, {"messages": [("user", "Hello.")]}, {"configurable": {"thread_id": "another"}}, **options)
        assert [one.content for one in other["messages"]] == ["Hello."]
        answer(inbox, found[0]["tool_call_id"], "a")
        return await asyncio.wait_for(waiting, 20)

    assert [one.content for one in asyncio.run(all_of_it())["messages"]] == ["Deploy it.", "For this thread only."]


def test_a_run_with_words_that_failed_goes_on_and_hears_them_once(tmp_path: Path) -> None:
    fails = [True, True]

    def node(state: Heard) -> Heard:
        if str(state["messages"][-1].content) == "Deploy it.":
            interrupt({"type": "user_question", "question": "Which?", "options": ["a", "b"], "descriptions": [None, None]})
        elif fails and fails.pop():
            raise OSError("the model is down")
        return {"answers": [str(state["messages"][-1].content)]}

    made = StateGraph(Heard)
    made.add_node("node", node)
    made.add_edge(START, "node")
    compiled = made.compile(checkpointer=MemorySaver())

    async def all_of_it() -> Any:
        inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
        first: Any = {"messages": [("user", "Deploy it.")]}
        running = asyncio.ensure_future(run(compiled, first, CONFIG, inbox=inbox, host={"replies": "message"}))
        (question,) = await asked(inbox, 1)
        replied(inbox, question["tool_call_id"], "Neither.")
        with pytest.raises(OSError):
            await asyncio.wait_for(running, 20)
        with pytest.raises(OSError):
            await run(compiled, first, CONFIG, inbox=inbox, host={"replies": "message"})
        # Somebody else goes on with the thread: its checkpoints do not say what was received.
        await compiled.ainvoke(None, CONFIG)
        return await run(compiled, {"messages": [("user", "Next.")]}, CONFIG, inbox=inbox, host={"replies": "message"})

    assert [one.content for one in asyncio.run(all_of_it())["messages"]] == ["Deploy it.", "Neither.", "Next."]


def test_no_words_and_no_restart_go_past_a_breakpoint(tmp_path: Path) -> None:
    done: list[str] = []

    def ask(state: Heard) -> Heard:
        interrupt({"type": "user_question", "question": "Which?", "options": ["a", "b"], "descriptions": [None, None]})
        return {}

    def danger(state: Heard) -> Heard:
        done.append("danger")
        return {}

    made = StateGraph(Heard)
    made.add_node("ask", ask)
    made.add_node("danger", danger)
    made.add_edge(START, "ask")
    made.add_edge("ask", "danger")
    compiled = made.compile(checkpointer=MemorySaver(), interrupt_before=["danger"])

    async def all_of_it() -> None:
        inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
        options: Any = {"inbox": inbox, "host": {"replies": "message"}}
        running = asyncio.ensure_future(run(compiled, {"messages": [("user", "Deploy it.")]}, CONFIG, **options))
        (question,) = await asked(inbox, 1)
        replied(inbox, question["tool_call_id"], "Neither.")
        value = await asyncio.wait_for(running, 20)
        assert ([one.content for one in value["messages"]], done) == (["Deploy it."], [])
        # The caller lets it go on. Then the graph has ended, and hears the words, which ask again.
        running = asyncio.ensure_future(run(compiled, None, CONFIG, **options))
        await asked(inbox, 1)
        assert done == ["danger"]
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(all_of_it())


@pytest.mark.parametrize("kind", ["langchain", "deepagents"])
@pytest.mark.parametrize("keeps", ["sqlite", "postgres"])
def test_an_agent_whose_tools_need_an_approval(tmp_path: Path, kind: str, keeps: str) -> None:
    if keeps == "postgres" and not os.environ.get("DATABASE"):
        pytest.skip("DATABASE names no PostgreSQL")
    done: list[int] = []

    def cancel_order(order: int) -> str:
        """Cancels an order."""
        done.append(order)
        return f"Cancelled {order}."

    def agent(saver: Any) -> Any:
        if kind == "langchain":
            middleware = HumanInTheLoopMiddleware(interrupt_on={"cancel_order": True})
            return create_agent(Scripted(), [cancel_order], middleware=[middleware], checkpointer=saver)
        return create_deep_agent(Scripted(), [cancel_order], interrupt_on={"cancel_order": True}, checkpointer=saver)

    async def all_of_it(saver: Any) -> Any:
        inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)
        config: Any = {"configurable": {"thread_id": "thread-1"}}
        running = asyncio.ensure_future(run(agent(saver), {"messages": [("user", "Cancel my orders.")]}, config, inbox=inbox))
        (question,) = await asked(inbox, 1)
        walk = Walk(Form.read(question["request"], question.get("dialect"), question["options"]))
        walk.answer({"type": "approve"})
        walk.answer({"type": "reject", "message": "It has been shipped."})
        body = json.dumps({"tool_call_id": question["tool_call_id"], **walk.response})
        # The agent is gone before the answer comes.
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert inbox.respond("thread-1", body, "k").status == 200
        return await asyncio.wait_for(run(agent(saver), None, config, inbox=inbox), 30)

    async def kept() -> Any:
        if keeps == "sqlite":
            async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "graph.db")) as saver:
                return await all_of_it(saver)
        async with AsyncPostgresSaver.from_conn_string(os.environ["DATABASE"]) as saver:
            await saver.setup()
            await saver.adelete_thread("thread-1")
            return await all_of_it(saver)

    value = asyncio.run(kept())
    assert done == [41]
    said = str(value["messages"][-1].content)
    assert "Cancelled 41." in said and "It has been shipped." in said
