"""Whether an answer counts at a host: the vectors of desks, with clients, crashes and restarts."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import datetime, timedelta, timezone
from typing import Any, cast

import pytest
from ask_user import Desk, DeskInput, Form, MisuseError, RejectionError, UnreadableStateError, Walk
from case import ROOT

SIMPLE = {"reject": "rejected", "stop": "stopped", "overtake": "overtaken", "expire": "expired"}
KEYS = {"ask", "client", "save", "respond", "answers", "crash", "restore", "reply", "problems", "hands", "ends", "stored_lacks", "version", *SIMPLE}
CASES = [case for folder in ("vectors", "cases", "random") for case in json.loads((ROOT / "tests" / folder / "desk.json").read_text())]
REQUEST = {"questions": [{"id": "apply", "text": "Apply?", "answer_type": "boolean"}]}


class Playing:
    """A host: what is in memory, and what is stored."""

    def __init__(self) -> None:
        self.desk: Any = None
        self.stored = ""
        self.texts = ""
        self.clients: dict[str, Any] = {}
        self.versions: dict[str, str] = {}

    def store(self) -> None:
        # As a database keeps it: the order of keys may be another.
        self.stored = json.dumps(self.desk.to_json(), sort_keys=True)
        self.texts += self.stored

    def acted(self, by: dict[str, Any]) -> Walk:
        """A client's walk after what it does. A new client does everything from the beginning."""
        request = self.clients[by["client"]] if "client" in by else {**self.desk.request, "walk": None}
        form = Form.read(request["request"], request.get("dialect"), request.get("options"))
        walk = Walk.resume(form, request["walk"]) if request.get("walk") else Walk(form)
        for act in by["acts"]:
            if "answer" in act:
                walk.answer(act["answer"])
            elif "reply" in act:
                walk.reply(None if act["reply"] is True else act["reply"])
            else:
                {"back": walk.back, "submit": walk.submit, "end_turn": walk.end_turn}[next(iter(act))]()
        return walk

    def sealed(self, input: dict[str, Any]) -> dict[str, Any]:
        secrets = self.desk.secrets_in(input)
        return input if secrets is None else {**input, "seal": {"by": "test", "digest": str(sum(ord(letter) * 31**place for place, letter in enumerate(secrets)) % 2**61)}}

    def input(self, step: dict[str, Any]) -> dict[str, Any] | None:
        if save := step.get("save"):
            return {"type": "saved", "walk": self.acted(save).save(), "replaces": self.versions.get(save.get("replaces", ""), save.get("replaces"))}
        if respond := step.get("respond"):
            response: Any = copy.deepcopy(self.acted(respond).response)
            if "tamper" in respond:
                *names, last = respond["tamper"].split("/")[1:]
                at = response
                for name in names:
                    at = at[name]
                at[int(last) if isinstance(at, list) else last] = "changed"
            return self.sealed({"type": "responded", "key": respond.get("key"), "tool_call_id": respond.get("call"), "response": response})
        if answers := step.get("answers"):
            return self.sealed({"type": "answered", "key": answers.get("key"), "nonce": answers.get("nonce"), "tool_call_id": answers.get("call"), "answers": answers["values"]})
        if "restore" in step:
            self.desk = Desk.from_json(self.stored)
            return {"type": "restored"}
        if type(now := step.get("expire")) is int:
            return {"type": "expired", "now": now}
        return next(({"type": name} for key, name in SIMPLE.items() if key in step), None)

    def step(self, step: dict[str, Any]) -> None:
        assert step.keys() <= KEYS
        reaction: dict[str, Any] = {}
        if asked := step.get("ask"):
            host = {**asked.get("options", {}), "tool_call_id": asked["call"], "nonce": asked["nonce"]}
            self.desk = Desk.ask(asked["request"], call_id=asked["call"], dialect=asked.get("dialect"), host=cast(Any, host), earlier=self.desk)
            self.store()
        elif "client" in step:
            self.clients[step["client"]] = self.desk.request
        else:
            input = self.input(step)
            if input:
                reaction = self.desk.on(input)
            if step.get("crash") == "not_stored":
                self.desk, reaction = None, {}
            if reaction.get("store"):
                self.store()
            if "crash" in step:
                self.desk, reaction = None, {}
            if "hand" in reaction and self.desk.on({"type": "handed"})["store"]:
                self.store()
        reply = reaction.get("reply", {})
        if "reply" in step:
            assert reply.get("code") == step["reply"]
        if "problems" in step:
            assert [{"question": one["question"], "code": one["code"]} for one in reply["problems"]] == step["problems"]
        if "version" in step:
            self.versions[step["version"]] = reply["version"]
        if "ends" in step:
            assert reaction.get("closed") == step["ends"]
        if "stored_lacks" in step:
            assert step["stored_lacks"] not in self.texts
        else:
            assert (reaction.get("hand") or {"outcome": {}})["outcome"].get("result") == step.get("hands")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_every_case_of_a_desk_plays(case: dict[str, Any]) -> None:
    playing = Playing()
    for step in case["steps"]:
        playing.step(step)


def test_a_desk_can_be_copied_and_pickled() -> None:
    desk = Desk.ask(REQUEST, call_id="call_1", host={"tool_call_id": "call_1", "nonce": "n1"})
    for other in (copy.copy(desk), copy.deepcopy(desk), pickle.loads(pickle.dumps(desk))):
        assert other.on({"type": "answered", "answers": {"apply": True}})["closed"] == "answered"
        assert other.closed is not None and other.answer is not None
        assert (other.is_open, other.closed["how"], other.answer["outcome"].get("result")) == (False, "answered", {"apply": True})
    assert (desk.is_open, desk.closed, desk.answer) == (True, None, None)
    assert repr(desk) == "<ask_user.Desk open>"


def test_what_is_no_question_no_desk_and_no_input_is_refused() -> None:
    with pytest.raises(RejectionError):
        Desk.ask({"questions": []}, call_id="call_1")
    with pytest.raises(UnreadableStateError):
        Desk.from_json("{}")
    desk = Desk.ask(REQUEST, call_id="call_1")
    with pytest.raises(MisuseError, match="not an input of a desk"):
        desk.on(cast(DeskInput, {"type": "answer"}))
    with pytest.raises(MisuseError, match="secret_answers"):
        Desk.ask({"questions": [{"id": "token", "text": "Token?", "answer_type": "secret"}]}, call_id="call_1", host={"secret_answers": {"token": "x"}})


def test_a_desk_that_is_told_the_time_expires_before_it_takes_an_answer() -> None:
    options: Any = {"tool_call_id": "call_1", "nonce": "n1", "expires_at": "2026-11-28T12:00:00Z"}
    desk = Desk.ask(REQUEST, call_id="call_1", host=options)
    assert desk.request["expires_at"] == "2026-11-28T12:00:00Z"
    late = copy.copy(desk)
    assert desk.on({"type": "answered", "answers": {"apply": True}}, now=1795867199999)["closed"] == "answered"
    reaction = late.on({"type": "answered", "answers": {"apply": True}}, now=1795867200000)
    assert (reaction["closed"], reaction["reply"]["code"], reaction["store"]) == ("expired", "not_open", True)


def test_a_walk_expires_by_a_moment_with_a_time_zone() -> None:
    form = Form.read(REQUEST, host={"expires_at": "2026-11-28T12:00:00Z"})
    walk = Walk(form)
    assert form.expires_at == "2026-11-28T12:00:00Z"
    with pytest.raises(ValueError, match="time zone"):
        walk.expire(datetime(2030, 1, 1))
    assert not walk.expire(datetime(2026, 11, 28, 11, 59, 59, tzinfo=timezone.utc))
    assert walk.expire(datetime(2026, 11, 28, 13, 0, 0, tzinfo=timezone(timedelta(hours=1))))
    assert walk.outcome is not None and walk.outcome["ends"] == "expired"
