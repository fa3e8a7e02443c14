"""The recipes of `examples/python-host/recipes.py` with the frameworks' own packages and models that are scripted: what the person says is what the agent gets."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ask_user import Form, Walk
from ask_user.inbox import Inbox
from ask_user.sqlite import SqliteStore
from mcp.client.client import Client
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult
from pydantic import BaseModel
from wait import comes, pauses

sys.path.insert(0, str(Path(__file__).parents[2] / "examples/python-host"))
import recipes


@pytest.fixture
def inbox(tmp_path: Path) -> Inbox:
    return Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.05)


async def person(inbox: Inbox, says: Callable[[Walk], None]) -> None:
    """Answers whatever becomes due, as a page does, until it is cancelled."""
    while True:
        state = json.loads((await asyncio.to_thread(inbox.notice, "c"))[0])
        for question in state.get("requests", []):
            walk = Walk(Form.read(question["request"], question.get("dialect"), question["options"]))
            while not walk.is_over:
                says(walk)
            body = json.dumps({"tool_call_id": question["tool_call_id"], **walk.response})
            reply = await asyncio.to_thread(inbox.respond, "c", body, question["tool_call_id"])
            assert reply.status == 200, reply.text
        await pauses(0.02)


async def beside(inbox: Inbox, says: Callable[[Walk], None], agent: Any) -> Any:
    """Runs an agent beside a person."""
    answering = asyncio.ensure_future(person(inbox, says))
    running = asyncio.ensure_future(agent)
    try:
        await asyncio.wait([answering, running], timeout=30, return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            answering.result()
        return await asyncio.wait_for(running, 1)
    finally:
        answering.cancel()


def answers(*values: Any) -> Callable[[Walk], None]:
    left = list(values)

    def says(walk: Walk) -> None:
        if walk.step["state"] == "review":
            walk.submit()
        else:
            walk.answer(left.pop(0))

    return says


def test_mcp_a_server_that_elicits_gets_what_the_person_said(inbox: Inbox) -> None:
    class Contact(BaseModel):
        email: str
        seats: int

    server = MCPServer("accounts")

    @server.tool()
    async def register(ctx: Context[Any]) -> str:
        result = await ctx.elicit("Whom may we write to?", Contact)
        return result.data.model_dump_json() if result.action == "accept" else result.action

    @server.tool()
    async def register_later(ctx: Context[Any]) -> str | InputRequiredResult:
        """The same by the protocol of 2026, in which the client calls again with what was said."""
        if ctx.input_responses is None:
            schema = {"type": "object", "properties": {"email": {"type": "string"}, "seats": {"type": "integer"}}, "required": ["email", "seats"]}
            params = ElicitRequestFormParams(message="Whom may we write to?", requested_schema=schema)
            return InputRequiredResult(input_requests={"contact": ElicitRequest(params=params)}, request_state="1")
        said: Any = ctx.input_responses["contact"]
        return json.dumps(said.content) if said.action == "accept" else str(said.action)

    async def called(tool: str, mode: str) -> str:
        elicit = recipes.mcp_elicitation(inbox, "c", "accounts")
        async with Client(server, mode=mode, elicitation_callback=elicit) as client:
            result = await client.call_tool(tool, {})
            return str(getattr(result.content[0], "text", ""))

    for tool, mode in (("register", "legacy"), ("register_later", "auto")):
        assert json.loads(asyncio.run(beside(inbox, answers("ada@example.com", 3), called(tool, mode)))) == {"email": "ada@example.com", "seats": 3}
        assert asyncio.run(beside(inbox, lambda walk: walk.reply(), called(tool, mode))) == "decline"
        assert asyncio.run(beside(inbox, lambda walk: walk.end_turn(), called(tool, mode))) == "cancel"


def test_openai_agents_each_call_is_decided_by_the_person(inbox: Inbox) -> None:
    from agents import Agent, Model, ModelResponse, RunConfig, Usage, function_tool
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    done: list[int] = []

    @function_tool(needs_approval=True)
    def cancel_order(order: int) -> str:
        """Cancels an order."""
        done.append(order)
        return f"Cancelled {order}."

    def call(name: str, order: int) -> Any:
        return ResponseFunctionToolCall(type="function_call", call_id=name, name="cancel_order", arguments=json.dumps({"order": order}))

    class Scripted(Model):
        async def get_response(self, system_instructions: Any, input: Any, *rest: Any, **more: Any) -> ModelResponse:
            results = [one["output"] for one in input if isinstance(one, dict) and one.get("type") == "function_call_output"] if isinstance(input, list) else []
            if results:
                text = ResponseOutputText(type="output_text", text=" ".join(map(str, results)), annotations=[])
                output: list[Any] = [ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[text])]
            else:
                output = [call("call_1", 41), call("call_2", 42)]
            return ModelResponse(output=output, usage=Usage(), response_id=None)

        def stream_response(self, *rest: Any, **more: Any) -> Any:
            raise NotImplementedError

    agent = Agent(name="Shop", model=Scripted(), tools=[cancel_order])
    says = answers({"type": "approve"}, {"type": "reject", "message": "It has been shipped."})
    running = recipes.run_openai_agent(agent, "Cancel my orders.", inbox=inbox, conversation="c", run_config=RunConfig(tracing_disabled=True))
    result = asyncio.run(beside(inbox, says, running))
    assert done == [41]
    assert "Cancelled 41." in result.final_output and "It has been shipped." in result.final_output


def test_pydantic_ai_approvals_and_questions_at_the_same_time(inbox: Inbox) -> None:
    from pydantic_ai import Agent, DeferredToolRequests, ModelMessage, ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    scaled: list[int] = []

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        results = [part for part in messages[-1].parts if part.part_kind == "tool-return"]
        if results:
            return ModelResponse(parts=[TextPart(json.dumps({part.tool_name: part.content for part in results}))])
        assert {"scale", "ask_user"} <= {tool.name for tool in info.function_tools}
        question = {"questions": [{"id": "region", "text": "Which region?", "answer_type": "select", "options": ["eu", "us"]}]}
        return ModelResponse(parts=[ToolCallPart("scale", {"replicas": 3}, "call_1"), ToolCallPart("ask_user", question, "call_2")])

    agent = Agent(FunctionModel(model), output_type=[str, DeferredToolRequests], toolsets=[recipes.ask_user_toolset()])

    @agent.tool_plain(requires_approval=True)
    def scale(replicas: int) -> str:
        scaled.append(replicas)
        return f"scaled to {replicas}"

    def says(walk: Walk) -> None:
        step: Any = walk.step
        walk.answer("eu" if step["question"]["type"] == "select" else {"type": "edit", "arguments": {"replicas": 2}})

    result = asyncio.run(beside(inbox, says, recipes.run_pydantic_agent(agent, "Scale it.", inbox=inbox, conversation="c")))
    assert scaled == [2]
    assert json.loads(result.output) == {"scale": "scaled to 2", "ask_user": {"region": "eu"}}


@pytest.mark.parametrize("ends", ["select", "tool"])
def test_pydantic_ai_calls_the_model_no_more_once_the_turn_has_ended(inbox: Inbox, ends: str) -> None:
    from pydantic_ai import Agent, DeferredToolRequests, ModelMessage, ModelResponse, ToolCallPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    times: list[int] = []

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        times.append(len(messages))
        question = {"questions": [{"id": "region", "text": "Which region?", "answer_type": "select", "options": ["eu", "us"]}]}
        return ModelResponse(parts=[ToolCallPart("scale", {"replicas": 3}, "call_1"), ToolCallPart("ask_user", question, "call_2")])

    agent = Agent(FunctionModel(model), output_type=[str, DeferredToolRequests], toolsets=[recipes.ask_user_toolset()])

    @agent.tool_plain(requires_approval=True)
    def scale(replicas: int) -> str:
        raise AssertionError("nobody approved it")

    def says(walk: Walk) -> None:
        step: Any = walk.step
        if (step["question"]["type"] == "select") == (ends == "select"):
            walk.end_turn()

    async def all_of_it() -> Any:
        running = asyncio.ensure_future(recipes.run_pydantic_agent(agent, "Scale it.", inbox=inbox, conversation="c"))
        found = await comes(lambda: json.loads(inbox.notice("c")[0]).get("requests", []), "two questions", lambda all_: len(all_) >= 2)
        for one in found:
            walk = Walk(Form.read(one["request"], one.get("dialect"), one["options"]))
            says(walk)
            if walk.is_over:
                inbox.respond("c", json.dumps({"tool_call_id": one["tool_call_id"], **walk.response}), "k")
        return await asyncio.wait_for(running, 20)

    assert isinstance(asyncio.run(all_of_it()).output, DeferredToolRequests)
    assert len(times) == 1
    # Nothing of the turn is asked any more.
    assert "requests" not in json.loads(inbox.notice("c")[0])


def test_mcp_a_question_is_closed_where_the_server_waits_no_more(inbox: Inbox) -> None:
    async def cancelled() -> None:
        params = ElicitRequestFormParams(message="Sure?", requested_schema={"type": "object", "properties": {"sure": {"type": "boolean"}}})
        # At once, while the question is being stored, and once it is open.
        for pause in (*(place / 1_000 for place in range(20)), 0.3):
            waiting = asyncio.ensure_future(recipes.mcp_elicitation(inbox, "c", "accounts")(None, params))
            await pauses(pause)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting

    asyncio.run(cancelled())
    assert json.loads(inbox.notice("c")[0]) == {"type": "idle"}


def test_claude_permissions_in_the_shape_of_the_sdk(inbox: Inbox) -> None:
    """The SDK itself is no dependency: its licence does not allow that. The classes here have its fields."""

    @dataclass
    class Allow:
        behavior: str = "allow"
        updated_input: dict[str, Any] | None = None

    @dataclass
    class Deny:
        behavior: str = "deny"
        message: str = ""
        interrupt: bool = False

    can_use_tool = recipes.claude_permissions(inbox, "c", Allow, Deny)
    command = {"command": "rm -rf target"}
    context = SimpleNamespace(tool_use_id="toolu_1")
    denied = asyncio.run(beside(inbox, answers({"type": "reject", "message": "Use cargo clean."}), can_use_tool("Bash", command, context)))
    assert isinstance(denied, Deny) and "Use cargo clean." in denied.message
    context = SimpleNamespace(tool_use_id="toolu_2")
    allowed = asyncio.run(beside(inbox, answers({"type": "approve"}), can_use_tool("Bash", command, context)))
    assert isinstance(allowed, Allow) and allowed.updated_input == command
    questions = {"questions": [{"question": "Where?", "header": "Place", "options": [{"label": "Left", "description": "x"}, {"label": "Right", "description": "y"}], "multiSelect": False}]}
    context = SimpleNamespace(tool_use_id="toolu_3")
    answered = asyncio.run(beside(inbox, answers("Left"), can_use_tool("AskUserQuestion", questions, context)))
    assert answered.updated_input["answers"] == {"Where?": "Left"}
    for place, (tool, given) in enumerate((("AskUserQuestion", questions), ("Bash", command))):
        context = SimpleNamespace(tool_use_id=f"toolu_end_{place}")
        ended = asyncio.run(beside(inbox, lambda walk: walk.end_turn(), can_use_tool(tool, given, context)))
        assert isinstance(ended, Deny) and ended.interrupt
