"""The conversation: from every state, every event gives a state or an exception; no result of a tool is lost or doubled, whatever comes
between, crashes too. `tests/native/conversation.rs` has the same properties of the core."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from ask_user import AskUserError, Conversation, Event, MisuseError, ToolCall, UnexpectedEventError, UnreadableStateError
from hypothesis import given
from hypothesis import strategies as st

HUGE = 10**30

# Which call something is about: that of the state, the oldest that waits, or any other.
WHICH = st.one_of(st.just("open"), st.just("open"), st.just("open"), st.just("waiting"), st.integers(0, 5).map(lambda number: f"call_{number}"))
VALUES = st.sampled_from([None, "done", {"b": 1, "a": HUGE}, [-HUGE, 1.5, True]])
HOW = ["answered", "replied", "declined", "turn_ended", "overtaken", "expired", "failed"]
HAPPENINGS = st.one_of(
    st.just(("message",)),
    st.tuples(st.just("model_responded"), st.integers(0, 3)),
    st.tuples(st.just("model_responded"), st.integers(1, 3)),
    st.just(("model_failed",)),
    st.tuples(st.just("tool_completed"), WHICH, VALUES),
    st.tuples(st.just("question_pending"), WHICH, VALUES),
    st.tuples(st.just("question_pending"), WHICH, VALUES),
    st.tuples(st.just("walk_saved"), WHICH, VALUES),
    st.tuples(st.just("closed"), WHICH, VALUES),
    st.tuples(st.just("closed"), WHICH, st.none() | VALUES),
    st.just(("stopped",)),
    st.just(("crash",)),
)


class Store:
    """A host that keeps to the contract, with its store."""

    def __init__(self, attended: bool, several: bool) -> None:
        self.conversation = Conversation(attended=attended, several_open=several)
        self.stored = json.dumps(self.conversation.to_json())
        self.results: dict[str, Any] = {}
        self.late: dict[str, Any] = {}
        self.calls: dict[str, Any] = {}

    def event(self, happening: tuple[Any, ...]) -> Event:
        name, *rest = happening
        if name == "crash":
            return {"type": "restarted"}
        event: dict[str, Any] = {"type": name}
        if name == "model_responded":
            first = len(self.calls)
            event["calls"] = [{"id": f"call_{first + n}", "name": "tool", "input": {"n": HUGE + n}} for n in range(rest[0])]
        elif rest:
            which, value = rest
            waiting = [one["call"] for one in self.conversation.open]
            call = waiting[0] if which == "waiting" and waiting else self.conversation.state.get("call")
            event["call_id"] = which if which not in ("open", "waiting") else call["id"] if call else "none"
            field = {"tool_completed": "content", "question_pending": "request", "walk_saved": "walk"}.get(name, "result")
            if not (name == "closed" and value is None):
                event[field] = value
            if name == "closed":
                event["how"] = HOW[len(self.results) % len(HOW)]
            if name == "tool_completed":
                event["is_error"] = False
            if name == "question_pending" and len(self.results) % 3 == 0:
                event["options"] = {"blocking": False}
        return event  # type: ignore[return-value]

    def happens(self, happening: tuple[Any, ...]) -> None:
        if happening[0] == "crash":
            self.conversation = Conversation.from_json(self.stored)
        event = self.event(happening)
        before = copy.copy(self.conversation)
        assert before == self.conversation
        ended = self.conversation.ended_by(event)
        try:
            effects = self.conversation.on(event)
        except UnexpectedEventError as error:
            assert self.conversation == before, f"{event} was refused and changed the state"
            assert event["type"] != "restarted", "a stored conversation cannot be gone on with"
            assert (any(map(is_waited_for, before.open)) and event["type"] == "message") == (error.code == "awaiting_user")
            assert str(error)
            return
        if event["type"] == "model_responded":
            self.calls |= {call["id"]: call for call in event["calls"]}
        for effect in effects:
            if effect["type"] == "persist_results":
                for result in effect["value"]:
                    assert result["call_id"] not in self.results, "a result is doubled"
                    self.results[result["call_id"]] = result
                    if "content" in event and event.get("call_id") == result["call_id"]:
                        assert result["content"] == event["content"], "a value has changed"
            elif effect["type"] == "persist_messages":
                for answer in effect["value"]:
                    assert answer["call_id"] in self.results and answer["call_id"] not in self.late, "an answer is doubled, or its call has no result"
                    self.late[answer["call_id"]] = answer
                    if "result" in event and event.get("call_id") == answer["call_id"]:
                        assert answer["content"] == event["result"], "a value has changed"
            elif effect["type"] == "persist_state":
                self.stored = json.dumps(self.conversation.to_json())
            elif effect["type"] == "execute":
                assert effect["value"]["id"] not in self.results, "a call has its result and is executed"
                assert effect["value"] == self.calls[effect["value"]["id"]], "a call has changed"
            elif effect["type"] == "notify":
                assert effect["value"]["type"] == self.conversation.notice["type"]
                closed = effect["value"].get("closed", [])
                closed = [one["tool_call_id"] for one in (closed if isinstance(closed, list) else [closed])]
                assert sorted(ended) == sorted(call for call in closed if call != event.get("call_id")), "what ends with an event is told before it"
            else:
                self.each_call_has_its_result()
        assert {"type": "persist_state"} in effects
        assert Conversation.from_json(self.stored) == self.conversation
        assert Conversation.from_json(json.loads(self.stored)).to_json() == self.conversation.to_json()
        assert pickle.loads(pickle.dumps(self.conversation)) == self.conversation

    def each_call_has_its_result(self) -> None:
        assert self.results.keys() == self.calls.keys(), "a result is lost"


def is_waited_for(question: Any) -> bool:
    return (question.get("options") or {}).get("blocking") is not False


@given(st.booleans(), st.booleans(), st.lists(HAPPENINGS, max_size=60))
def test_no_result_is_lost_or_doubled(attended: bool, several: bool, happenings: list[tuple[Any, ...]]) -> None:
    store = Store(attended, several)
    for happening in happenings:
        store.happens(happening)
    # However it stands, the person can end it.
    if store.conversation.state["state"] != "idle":
        store.happens(("stopped",))
    assert store.conversation.state == {"state": "idle"}
    store.each_call_has_its_result()
    # What the agent does not wait for stays open, also after a crash, until it is answered.
    store.happens(("crash",))
    waiting = [one["call"]["id"] for one in store.conversation.open]
    assert all(call in store.results and call not in store.late for call in waiting)
    for call in waiting:
        store.conversation.on({"type": "closed", "call_id": call, "how": "answered", "result": True})
    assert store.conversation.open == []


def test_several_questions_are_open_at_once_if_the_host_wants_that() -> None:
    for several in (False, True):
        conversation = Conversation(several_open=several)
        conversation.on({"type": "message"})
        conversation.on({"type": "model_responded", "calls": [{"id": name, "name": "tool", "input": {}} for name in "ab"]})
        conversation.on({"type": "question_pending", "call_id": "a", "request": {}})
        if several:
            conversation.on({"type": "question_pending", "call_id": "b", "request": {}})
        assert [one["call"]["id"] for one in conversation.open] == (["a", "b"] if several else ["a"])
        assert ("requests" in conversation.notice) == several
        assert Conversation.from_json(conversation.to_json()) == conversation
        closed = [effect["value"]["closed"] for effect in conversation.on({"type": "stopped"}) if effect["type"] == "notify"]
        assert isinstance(closed[0], list) == several


def test_each_question_that_ends_with_the_turn_has_the_result_that_the_host_gives_and_one_that_is_not_waited_for_ends_alone() -> None:
    conversation = Conversation(several_open=True)
    conversation.on({"type": "message"})
    conversation.on({"type": "model_responded", "calls": [{"id": name, "name": "tool", "input": {}} for name in ("later", "a", "b")]})
    conversation.on({"type": "question_pending", "call_id": "later", "request": {}, "options": {"blocking": False}})
    for name in "ab":
        conversation.on({"type": "question_pending", "call_id": name, "request": {}})
    alone = conversation.on({"type": "closed", "call_id": "later", "how": "turn_ended", "result": {"ended": True}})
    assert [effect["type"] for effect in alone] == ["persist_messages", "persist_state", "notify"]
    ended = conversation.on({"type": "stopped", "results": {"a": {"ended": "a"}}})[0]
    assert ended["type"] == "persist_results"
    assert {one["call_id"]: (one["content"], one["is_error"]) for one in ended["value"]} == {"a": ({"ended": "a"}, False), "b": ("User cancelled the question", True)}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON)
def test_what_is_no_stored_conversation_is_refused(value: Any) -> None:
    with pytest.raises(UnreadableStateError) as caught:
        Conversation.from_json(value)
    assert caught.value.reason


@given(JSON)
def test_what_is_no_event_is_refused(value: Any) -> None:
    conversation = Conversation()
    with pytest.raises(MisuseError):
        conversation.on(value)
    assert conversation == Conversation()


@given(JSON)
def test_a_value_goes_through_a_conversation_unchanged(value: Any) -> None:
    conversation = Conversation()
    conversation.on({"type": "message"})
    call: ToolCall = {"id": "a", "name": "tool", "input": value}
    effect = conversation.on({"type": "model_responded", "calls": [call]})[-1]
    assert effect["type"] == "execute" and effect["value"] == call
    assert json.dumps(effect["value"]["input"]) == json.dumps(value)
    again = Conversation.from_json(json.dumps(conversation.to_json()))
    assert again == conversation
    assert again.state["call"]["input"] == value


def test_a_call_that_is_not_open_is_named() -> None:
    with pytest.raises(UnexpectedEventError) as caught:
        Conversation().on({"type": "closed", "how": "answered", "call_id": "z", "result": None})
    assert (caught.value.code, caught.value.call_id) == ("not_open", "z")


def test_what_nests_deep_is_stored_and_read_again_or_refused() -> None:
    for depth in range(100, 130):
        value: Any = 1
        for _ in range(depth):
            value = [value]
        conversation = Conversation()
        conversation.on({"type": "message"})
        try:
            conversation.on({"type": "model_responded", "calls": [{"id": "a", "name": "b", "input": value}, {"id": "c", "name": "d", "input": value}]})
        except AskUserError:
            assert depth > 100
            continue
        assert Conversation.from_json(json.dumps(conversation.to_json())) == conversation
