"""Agent frameworks whose questions go to an `Inbox`: MCP elicitation, the OpenAI Agents SDK, Pydantic AI and the Claude Agent SDK.

Each function is a few lines to copy. `tests/python/test_recipes.py` runs them with the frameworks' own packages.
"""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

from ask_user import tool_definition
from ask_user.inbox import Answer, Inbox


def mcp_elicitation(inbox: Inbox, conversation: str, server: str) -> Any:
    """The `elicitation_callback` of an MCP client. `server` is the name that the person sees above the question."""
    from mcp_types import ElicitResult

    async def elicit(context: Any, params: Any) -> ElicitResult:
        request = params.model_dump(mode="json", by_alias=True, exclude_none=True)
        call = uuid.uuid4().hex
        putting = asyncio.ensure_future(asyncio.to_thread(inbox.put, conversation, request, call_id=call, dialect="mcp", host={"label": server}))
        try:
            await asyncio.shield(putting)
            answer = await inbox.answer(conversation, call)
        except asyncio.CancelledError:
            # The server waits no more, and nobody else knows this call.
            await asyncio.wait([putting])
            await asyncio.to_thread(inbox.close, conversation, call)
            raise
        return ElicitResult.model_validate(answer.result)

    return elicit


async def run_openai_agent(agent: Any, input: Any, *, inbox: Inbox, conversation: str, **options: Any) -> Any:
    """Runs an agent of the OpenAI Agents SDK. Tool calls that need an approval are put to the person, all of one interruption on one page."""
    from agents import Runner

    result = await Runner.run(agent, input, **options)
    while result.interruptions:
        state = result.to_state()
        items: list[dict[str, Any]] = [{"type": "tool_approval_item", "raw_item": _plain(item.raw_item), "tool_name": item.tool_name} for item in result.interruptions]
        call = "-".join(str(item["raw_item"].get("call_id") or item["raw_item"].get("id")) for item in items)
        answer = await inbox.ask(conversation, {"interruptions": items}, call_id=call)
        for item, decision in zip(result.interruptions, answer.result["decisions"]):
            if decision["approved"]:
                state.approve(item)
            else:
                state.reject(item, rejection_message=decision.get("message"))
        if answer.is_turn_ended:
            return result
        result = await Runner.run(agent, state, **options)
    return result


class TurnEnded(Exception):
    """The person ended the turn."""


async def run_pydantic_agent(agent: Any, prompt: str, *, inbox: Inbox, conversation: str, **options: Any) -> Any:
    """Runs an agent of Pydantic AI whose `output_type` includes `DeferredToolRequests`. Tool calls that need an approval are put to the person, and so are the calls of
    the external tool `ask_user` (see `ask_user_toolset`). If the person ends the turn, the model is not called again: the result then has the calls as its output."""
    from pydantic_ai import DeferredToolRequests, ToolApproved, ToolDenied

    result = await agent.run(prompt, **options)
    while isinstance(result.output, DeferredToolRequests):
        asked = result.output
        names = [call.tool_call_id for call in (*asked.approvals, *asked.calls)]

        async def answered(request: Any, call_id: str, dialect: Any) -> Answer:
            answer = await inbox.ask(conversation, request, call_id=call_id, dialect=dialect)
            if answer.is_turn_ended:
                raise TurnEnded
            return answer

        async def approval(call: Any) -> Any:
            request = {
                "action_requests": [{"name": call.tool_name, "args": call.args_as_dict()}],
                "review_configs": [{"action_name": call.tool_name, "allowed_decisions": ["approve", "edit", "reject"]}],
            }
            answer = await answered(request, call.tool_call_id, "langchain")
            decision = answer.result["decisions"][0]
            if decision["type"] == "approve":
                return ToolApproved()
            if decision["type"] == "edit":
                return ToolApproved(override_args=decision["edited_action"]["args"])
            return ToolDenied(decision.get("message") or "The person said no.")

        async def question(call: Any) -> Any:
            return (await answered(call.args_as_dict(), call.tool_call_id, "ask_user")).result

        tasks = [asyncio.ensure_future(one) for one in (*map(approval, asked.approvals), *map(question, asked.calls))]
        try:
            said = await asyncio.gather(*tasks)
        except TurnEnded:
            for name in names:
                await asyncio.to_thread(inbox.close, conversation, name)
            return result
        finally:
            for task in tasks:
                task.cancel()
        results = asked.build_results(
            approvals=dict(zip(names, said[: len(asked.approvals)])),
            calls=dict(zip(names[len(asked.approvals) :], said[len(asked.approvals) :])),
        )
        result = await agent.run(message_history=result.all_messages(), deferred_tool_results=results, **options)
    return result


def ask_user_toolset() -> Any:
    """The tool `ask_user` for an agent of Pydantic AI: `Agent(…, toolsets=[ask_user_toolset()], output_type=[str, DeferredToolRequests])`."""
    from pydantic_ai import ExternalToolset, ToolDefinition

    made = tool_definition("ask_user")
    assert made is not None
    return ExternalToolset([ToolDefinition(name=made["name"], description=made["description"], parameters_json_schema=made["parameters"])])


def claude_permissions(inbox: Inbox, conversation: str, allow: Any, deny: Any) -> Any:
    """The callback `can_use_tool` of the Claude Agent SDK. `allow` and `deny` are its classes `PermissionResultAllow` and `PermissionResultDeny`. The tool `AskUserQuestion`
    becomes its questions, and any other tool an approval."""

    async def can_use_tool(tool_name: str, input: dict[str, Any], context: Any) -> Any:
        request = {"tool_name": tool_name, "input": input}
        answer: Answer = await inbox.ask(conversation, request, call_id=context.tool_use_id, dialect="claude")
        said = answer.result
        if answer.is_turn_ended:
            return deny(message=(said or {}).get("message", "The person ended the turn."), interrupt=True)
        if said["behavior"] == "allow":
            return allow(updated_input=said.get("updatedInput"))
        return deny(message=said["message"], interrupt=said.get("interrupt", False))

    return can_use_tool


def _plain(item: Any) -> dict[str, Any]:
    """A tool call as a dict, whether it is one or a model of Pydantic."""
    found: dict[str, Any] = item if isinstance(item, dict) else item.model_dump(mode="json", exclude_none=True)
    return found
