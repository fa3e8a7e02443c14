"""Tests that the agents' own Python packages take our results, and that our examples of requests are what they send.

`pip install -r requirements.txt`, then `pytest test_packages.py`; the test of kimi-cli runs where requirements-kimi.txt is installed.
"""

import asyncio
import importlib.util
import json
import subprocess
from pathlib import Path

import pytest
from pydantic import TypeAdapter

HERE = Path(__file__).parent
CASES = json.loads(subprocess.run(["node", HERE / "cases.mjs"], capture_output=True, check=True).stdout)


def has(package):
    return pytest.mark.skipif(importlib.util.find_spec(package) is None, reason=f"{package} is not installed")


def takes(capsys, dialect, accept, at_least, broken, part="result", where=lambda case: True, known=None):
    """Pass each case to `accept`. A refusal that is not `known` fails, and so does a known one that is taken; `broken` must be refused."""
    known = known or {}
    cases = [case for case in CASES if case["dialect"] == dialect and not case["rejected"] and part in case and where(case)]

    def refusal(case):
        try:
            accept(case)
        except Exception as error:  # noqa: BLE001: whatever the package raises is a refusal
            return f"{type(error).__name__}: {error}"[:600]
        return None

    refused = {case["name"]: message for case in cases if (message := refusal(case)) is not None}
    taken = len(cases) - len(refused)
    with capsys.disabled():
        print(f"\n  {dialect}: {taken} of {len(cases)} taken" + "".join(f"\n  known: {name}: {reason}" for name, reason in known.items()))
    assert {name: message for name, message in refused.items() if name not in known} == {}
    assert [name for name in known if name not in refused] == [], "known as refused, but taken"
    assert taken >= at_least
    assert refusal({**cases[0], **broken}) is not None, "a broken one is refused"


def unwrapped(value):
    """What is in an envelope of JSON-RPC or of Claude's control protocol."""
    if "response" in value:
        return value["response"].get("response", value["response"])
    return value.get("result", value) if isinstance(value.get("result"), dict) else value


def params(request):
    return request.get("params", request)


NESTED = "A nested object is no property that MCP has for elicitations. The case is about a server that sends one all the same."


# agent-client-protocol: its pydantic models (of version 1).


@has("acp")
def test_agent_client_protocol_takes_every_result_of_acp(capsys):
    from acp.schema import RequestPermissionResponse

    def accept(case):
        RequestPermissionResponse.model_validate(unwrapped(case["result"]))

    takes(capsys, "acp", accept, 7, {"result": {"outcome": {"outcome": "selected"}}})


@has("acp")
def test_agent_client_protocol_sends_every_request_of_acp(capsys):
    from acp.schema import RequestPermissionRequest

    takes(
        capsys,
        "acp",
        lambda case: RequestPermissionRequest.model_validate(params(case["request"])),
        4,
        {"request": {"sessionId": "s", "options": []}},
        part="request",
        where=lambda case: "subject" not in params(case["request"]),
        known={
            "agents#acp-two-options-of-one-name": "The request lacks its `sessionId`: it is shortened.",
            "agents#acp-two-rules-of-one-name": "The request lacks its `sessionId`: it is shortened.",
        },
    )


# mcp: its pydantic models.


def elicits(case):
    return "action" in unwrapped(case["result"])


@has("mcp")
def test_mcp_takes_every_result_of_mcp(capsys):
    from mcp.types import ElicitResult

    def accept(case):
        sent = unwrapped(case["result"])
        assert ElicitResult.model_validate(sent).model_dump(exclude_none=True, by_alias=True) == sent

    takes(capsys, "mcp", accept, 20, {"result": {"action": "yes"}}, where=elicits, known={"mcp#a-nested-property-is-a-schema-question": NESTED})


@has("mcp")
def test_mcp_sends_every_request_of_mcp(capsys):
    from mcp.types import ElicitRequest

    takes(
        capsys,
        "mcp",
        lambda case: ElicitRequest.model_validate({"method": "elicitation/create", "params": params(case["request"])}),
        15,
        {"request": {"requestedSchema": 1}},
        part="request",
        where=lambda case: "requestedSchema" in params(case["request"]) or case["request"].get("mode") == "url",
    )


@has("mcp")
def test_mcp_takes_the_answers_to_input_required(capsys):
    import mcp.types as types

    def accept(case):
        # The form reads the elicitations. The requests for sampling of the case are empty.
        asked = {key: value for key, value in case["request"]["inputRequests"].items() if value["method"] == "elicitation/create"}
        types.InputRequiredResult.model_validate({**case["request"], "inputRequests": asked})
        assert asked.keys() == case["result"]["inputResponses"].keys()
        for answer in case["result"]["inputResponses"].values():
            types.ElicitResult.model_validate(answer)
        assert case["result"]["requestState"] == case["request"]["requestState"]

    takes(capsys, "mcp", accept, 1, {"result": {"inputResponses": {"github_login": {"action": "yes"}}, "requestState": "blob"}}, where=lambda case: "inputRequests" in case["request"])


# pydantic-ai-slim: DeferredToolRequests and DeferredToolResults, strictly, and the calls that its run makes of them.


@has("pydantic_ai")
def test_pydantic_ai_takes_every_result_of_pydantic_ai(capsys):
    from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, Tool
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import FunctionModel

    def accept(case):
        requests = TypeAdapter(DeferredToolRequests).validate_python(case["request"])
        results = TypeAdapter(DeferredToolResults).validate_python(case["result"])
        assert set(case["result"]) == {"approvals"}
        assert set(results.approvals) == {call.tool_call_id for call in requests.approvals}
        ran = []

        def run(name):
            def tool(path: str) -> str:
                ran.append({"name": name, "path": path})
                return "done"

            return Tool(tool, name=name, requires_approval=True)

        turn = iter([ModelResponse(parts=requests.approvals), ModelResponse(parts=[TextPart("Done.")])])
        agent = Agent(
            FunctionModel(lambda messages, info: next(turn)),
            tools=[run(name) for name in {call.tool_name for call in requests.approvals}],
            output_type=[str, DeferredToolRequests],
        )
        first = agent.run_sync("Go on.")
        assert isinstance(first.output, DeferredToolRequests)
        last = agent.run_sync(message_history=first.all_messages(), deferred_tool_results=results)
        returned = {part.tool_call_id: part.content for message in last.all_messages() for part in message.parts if isinstance(part, ToolReturnPart)}
        expected = []
        for call in requests.approvals:
            approval = case["result"]["approvals"][call.tool_call_id]
            if approval is True:
                expected.append({"name": call.tool_name, **call.args_as_dict()})
            elif approval["kind"] == "tool-approved":
                expected.append({"name": call.tool_name, **approval["override_args"]})
            else:
                assert returned[call.tool_call_id] == approval["message"]
        assert sorted(ran, key=str) == sorted(expected, key=str)

    takes(capsys, "pydantic_ai", accept, 1, {"result": {"approvals": {"c1": {"kind": "denied"}}}})


# google-adk: the function response is one that its flow finds, and its confirmation is read as the flow reads it.


@has("google.adk")
def test_google_adk_takes_every_result_of_adk(capsys):
    from google.adk.flows.llm_flows.tools._confirmation import _get_original_function_call_args, _parse_tool_confirmation
    from google.genai.types import FunctionCall, FunctionResponse

    def accept(case):
        call = FunctionCall.model_validate(case["request"])
        assert _get_original_function_call_args(call) is not None
        response = FunctionResponse.model_validate(case["result"])
        assert (response.name, response.id) == (call.name, call.id)
        confirmation = _parse_tool_confirmation(response.response)
        assert confirmation.confirmed is case["result"]["response"]["confirmed"]

    takes(capsys, "adk", accept, 1, {"result": {"name": "adk_request_confirmation", "id": "adk-1", "response": {"approved": True}}})


# agent-framework-core: its Content, as it reads the JSON of a request, and the response that it makes itself of it.


@has("agent_framework")
def test_agent_framework_takes_every_result_of_agent_framework(capsys):
    from agent_framework import Content

    def accept(case):
        request = Content.from_dict(case["request"])
        response = Content.from_dict(case["result"])
        own = request.to_function_approval_response(approved=case["result"]["approved"])
        assert response.to_dict(exclude_none=True) == own.to_dict(exclude_none=True)

    takes(capsys, "agent_framework", accept, 1, {"result": {"type": "function_approval_response", "id": "a1", "approved": "yes"}})


# anthropic and openai: the typed dictionaries of their clients, strictly.


def strictly(of, value):
    """Validate a typed dictionary, and refuse the fields that it does not have."""
    TypeAdapter(of).validate_python(value)
    unknown = set(value) - set(of.__annotations__)
    assert unknown == set(), f"unknown fields: {unknown}"


@has("anthropic")
def test_anthropic_takes_every_result_of_managed_agents(capsys):
    from anthropic.types.beta.sessions import BetaManagedAgentsUserToolConfirmationEventParams as Confirmation

    takes(
        capsys,
        "managed_agents",
        lambda case: strictly(Confirmation, case["result"]),
        2,
        {"result": {"type": "user.tool_confirmation", "tool_use_id": "a", "result": "maybe"}},
    )


@has("openai")
def test_openai_takes_every_result_of_openai_responses(capsys):
    from openai.types.responses.response_input_item_param import McpApprovalResponse

    takes(
        capsys,
        "openai_responses",
        lambda case: strictly(McpApprovalResponse, case["result"]),
        2,
        {"result": {"type": "mcp_approval_response", "approval_request_id": "a", "approved": True}},
    )


@has("openai")
def test_openai_sends_every_request_of_openai_responses(capsys):
    from openai.types.responses.response_input_item_param import McpApprovalRequest

    takes(capsys, "openai_responses", lambda case: strictly(McpApprovalRequest, case["request"]), 2, {"request": {"type": "mcp_approval_request"}}, part="request")


# claude-agent-sdk: a real Query gets the request as a control request and answers with our result, made of the SDK's own classes; the wire must have our result.


@has("claude_agent_sdk")
def test_claude_agent_sdk_takes_every_result_of_claude(capsys):
    from claude_agent_sdk import PermissionResultAllow, PermissionResultDeny, PermissionUpdate
    from claude_agent_sdk._internal.query import Query

    def accept(case):
        request = case["request"].get("request", case["request"])
        if "tool_name" not in request:
            request = {"tool_name": "AskUserQuestion", "input": request}
        snake = {"displayName": "display_name", "blockedPath": "blocked_path", "decisionReason": "decision_reason", "suggestions": "permission_suggestions"}
        control = {"subtype": "can_use_tool", **{snake.get(name, name): value for name, value in request.items()}}
        sent = unwrapped(case["result"])
        written = []

        class Transport:
            async def write(self, text):
                written.append(json.loads(text))

        async def decide(tool, arguments, context):
            assert (tool, arguments) == (request["tool_name"], request["input"])
            if sent["behavior"] == "allow":
                updates = sent.get("updatedPermissions")
                known = [update.to_dict() for update in context.suggestions]
                assert all(update in known for update in updates or [])
                return PermissionResultAllow(
                    updated_input=sent["updatedInput"],
                    updated_permissions=None if updates is None else [PermissionUpdate.from_dict(update) for update in updates],
                )
            return PermissionResultDeny(message=sent["message"], interrupt=sent.get("interrupt", False))

        query = Query(transport=Transport(), is_streaming_mode=True, can_use_tool=decide)
        asyncio.run(query._handle_control_request({"type": "control_request", "request_id": "r1", "request": control}))
        # The Python SDK has no place for the classification of a decision, which is for statistics.
        expected = {name: value for name, value in sent.items() if name != "decisionClassification"}
        assert written == [{"type": "control_response", "response": {"subtype": "success", "request_id": "r1", "response": expected}}]

    takes(capsys, "claude", accept, 10, {"result": {"behavior": "deny"}})


# langchain: a real agent with a scripted model and HumanInTheLoopMiddleware, in both of its modes, resumed with our result.


@has("langchain")
def test_langchain_takes_every_result_of_langchain(capsys):
    from langchain.agents import create_agent
    from langchain.agents.middleware import HumanInTheLoopMiddleware
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.tools import StructuredTool
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command

    class Model(GenericFakeChatModel):
        def bind_tools(self, tools, **kwargs):
            return self

    def accept(case):
        request, result = case["request"], case["result"]
        single = request.get("type") == "tool_approval"
        actions = [request] if single else request["action_requests"]
        if single:
            kinds = ["approve", "edit", "reject", "respond"]
            allowed = {request["name"]: kinds}
        else:
            allowed = {config["action_name"]: config.get("allowed_decisions", config.get("allowedDecisions")) for config in request["review_configs"]}
        ran = []

        def tool(name):
            def run(**arguments):
                ran.append({"name": name, "args": arguments})
                return "done"

            schema = {"title": name, "description": name, "type": "object", "properties": {}, "additionalProperties": True}
            return StructuredTool.from_function(func=run, name=name, description=name, args_schema=schema)

        calls = [{"name": action["name"], "args": action["args"], "id": f"call_{at}", "type": "tool_call"} for at, action in enumerate(actions)]
        model = Model(messages=iter([AIMessage("", tool_calls=calls), *[AIMessage("Done.")] * 3]))
        middleware = HumanInTheLoopMiddleware(
            {name: {"allowed_decisions": kinds} for name, kinds in allowed.items()}, interrupt_mode="per_call" if single else "batched"
        )
        agent = create_agent(model, [tool(name) for name in allowed], middleware=[middleware], checkpointer=InMemorySaver())
        config = {"configurable": {"thread_id": "t"}}
        first = agent.invoke({"messages": [("user", "Go on.")]}, config)
        asked = first["__interrupt__"][0].value
        if single:
            assert asked["type"] == "tool_approval"
        else:
            assert [action["name"] for action in asked["action_requests"]] == [action["name"] for action in actions]
        last = agent.invoke(Command(resume=result), config)
        answers = {message.tool_call_id: message.content for message in last["messages"] if isinstance(message, ToolMessage)}
        expected = []
        for call, decision in zip(calls, [result] if single else result["decisions"], strict=True):
            if decision["type"] == "approve":
                expected.append({"name": call["name"], "args": call["args"]})
            elif decision["type"] == "edit":
                expected.append(decision["edited_action"])
            elif "message" in decision:
                assert decision["message"] in answers[call["id"]]
        assert ran == expected

    takes(
        capsys,
        "langchain",
        accept,
        20,
        {"result": {"decisions": [{"type": "ignore"}]}},
        # What is in camel case is of the JavaScript package: packages.test.mjs has it.
        where=lambda case: "actionRequests" not in case["request"],
    )


# langgraph: the typed dictionaries of its prebuilt interrupt.


@has("langgraph")
def test_langgraph_takes_every_result_of_langgraph(capsys):
    from langgraph.prebuilt.interrupt import HumanInterrupt, HumanResponse

    def accept(case):
        strictly(HumanInterrupt, case["request"])
        [answer] = case["result"]
        strictly(HumanResponse, answer)

    takes(capsys, "langgraph", accept, 4, {"result": [{"type": "approve", "args": None}]})


# kimi-cli: its tool itself. A client takes the request from the wire and answers with our answers.


@has("kimi_cli")
def test_kimi_cli_takes_every_result_of_kimi(capsys):
    import kimi_cli.tools.ask_user as module
    from kimi_cli.tools.ask_user import AskUserQuestion, Params
    from kimi_cli.wire.types import QuestionRequest, QuestionResponse

    class Call:
        id = "call_1"

    def accept(case):
        request, result = case["request"], case["result"]
        asked = []

        def send(question):
            asked.append(question)
            answers = result["answers"] if isinstance(result, dict) else {}
            question.resolve(QuestionResponse(request_id=question.id, answers=answers).answers)

        if "tool_call_id" in request:
            QuestionRequest.model_validate(request)
        module.get_wire_or_none, module.wire_send, module.get_current_tool_call_or_none = lambda: True, send, lambda: Call
        value = asyncio.run(AskUserQuestion()(Params.model_validate({"questions": request["questions"]})))
        assert len(asked) == 1 and not value.is_error
        if isinstance(result, str):
            assert value.output == result
        else:
            assert json.loads(value.output) == result

    takes(capsys, "kimi", accept, 3, {"result": {"answers": ["a"]}})


# ag-ui-protocol: its pydantic models.


@has("ag_ui")
def test_ag_ui_protocol_takes_every_result_of_ag_ui(capsys):
    from ag_ui.core import RunAgentInput

    def accept(case):
        value = {"threadId": "t", "runId": "r", "state": {}, "messages": [], "tools": [], "context": [], "forwardedProps": {}, "resume": case["result"]}
        read = RunAgentInput.model_validate(value)
        assert [entry.model_dump(by_alias=True, exclude_none=True) for entry in read.resume] == case["result"]

    takes(capsys, "ag_ui", accept, 15, {"result": [{"interruptId": "i", "status": "answered"}]})


@has("ag_ui")
def test_ag_ui_protocol_sends_every_request_of_ag_ui(capsys):
    from ag_ui.core import Interrupt, RunFinishedEvent

    def accept(case):
        request = case["request"]
        if "type" in request:
            RunFinishedEvent.model_validate(request)
        else:
            for interrupt in request.get("interrupts") or request["outcome"]["interrupts"]:
                Interrupt.model_validate(interrupt)

    takes(capsys, "ag_ui", accept, 12, {"request": {"interrupts": [{"id": 1}]}}, part="request")


# openai-agents: a real run with a scripted model is interrupted by the calls of the request, and goes on with our decisions.


@has("agents")
def test_openai_agents_takes_every_result_of_openai_agents(capsys):
    from agents import Agent, FunctionTool, RunConfig, Runner
    from agents.testing import ScriptedModel, assistant_message, function_call

    def items(request):
        return [item.get("rawItem") or item["raw_item"] for item in request.get("interruptions", [request])]

    async def run(case):
        result = case["result"]
        calls = [(item["name"], item.get("callId") or item["call_id"], item["arguments"]) for item in items(case["request"])]
        ran = []

        def tool(name, call_id):
            async def invoke(context, arguments):
                ran.append(call_id)
                return "done"

            schema = {"type": "object", "properties": {}, "additionalProperties": True}
            return FunctionTool(name=name, description=name, params_json_schema=schema, on_invoke_tool=invoke, strict_json_schema=False, needs_approval=True)

        model = ScriptedModel([[function_call(name, arguments, call_id=call_id) for name, call_id, arguments in calls], [assistant_message("Done.")]])
        agent = Agent(name="Assistant", model=model, tools=[tool(name, call_id) for name, call_id, _ in calls])
        config = RunConfig(tracing_disabled=True)
        first = await Runner.run(agent, "Go on.", run_config=config)
        assert len(first.interruptions) == len(calls)
        state = first.to_state()
        decisions = result.get("decisions") or [{"callId": calls[0][1], **result}]
        for decision in decisions:
            item = next(item for item in first.interruptions if item.call_id == decision["callId"])
            if decision["approved"]:
                state.approve(item)
            else:
                state.reject(item, rejection_message=decision.get("message"))
        last = await Runner.run(agent, state, run_config=config)
        assert last.interruptions == []
        assert ran == [decision["callId"] for decision in decisions if decision["approved"]]
        told = json.dumps(last.to_input_list())
        assert all(decision.get("message", "") in told for decision in decisions)

    takes(
        capsys,
        "openai_agents",
        lambda case: asyncio.run(run(case)),
        2,
        {"result": {"decisions": [{"callId": "another", "approved": True}]}},
        where=lambda case: all(item["type"] == "function_call" for item in items(case["request"])),
    )


# langchain (MCP): its own function that turns the answers to elicitations into what the server gets.


@has("fastmcp")
@pytest.mark.filterwarnings("ignore")
def test_langchain_takes_every_result_of_its_elicitations(capsys):
    from langchain.mcp.elicitation import MCPElicitationFormRequest, MCPElicitationUrlRequest, _build_responses, _describe_request
    from mcp.types import ElicitRequest

    def accept(case):
        asked = {}
        for entry in case["request"]["requests"]:
            strictly(MCPElicitationFormRequest if entry["mode"] == "form" else MCPElicitationUrlRequest, entry)
            fields = {"requested_schema": "requestedSchema"}
            values = {fields.get(name, name): value for name, value in entry.items() if name != "key"}
            asked[entry["key"]] = ElicitRequest.model_validate({"method": "elicitation/create", "params": values})
            assert _describe_request(entry["key"], asked[entry["key"]]) == entry
        made = _build_responses(asked, case["result"]["responses"], case["request"]["tool_name"])
        assert {key: answer.model_dump(exclude_none=True) for key, answer in made.items()} == case["result"]["responses"]

    takes(
        capsys,
        "mcp",
        accept,
        1,
        {"result": {"responses": {"a": {"action": "yes"}, "b": {"action": "accept"}}}},
        where=lambda case: case["request"].get("type") == "mcp_elicitation",
    )
