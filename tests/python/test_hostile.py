"""Values that JSON cannot say, and input that means harm: each is an exception with its problem as data. Nothing crashes or hangs."""

from __future__ import annotations

import datetime
import json
import math
import threading
from collections.abc import Callable
from typing import Any

import ask_user._native
import pytest
from ask_user import (
    AskUserError,
    Conversation,
    Form,
    InternalError,
    MisuseError,
    NotJsonError,
    Reader,
    RefusalError,
    RejectionError,
    UnresumableError,
    Walk,
    detect_dialect,
    mend_records,
    permission,
    read_records,
    records_markdown,
    tool_definitions,
)
from hypothesis import given
from hypothesis import strategies as st

ASKS_SCHEMA = {"question": "Value?", "answer_type": "schema", "schema": True}
ASKS_TEXT = {"question": "Text?", "answer_type": "text"}


def cyclic_list() -> Any:
    value: list[Any] = [1]
    value.append({"a": value})
    return value


def cyclic_dict() -> Any:
    value: dict[str, Any] = {}
    value["a"] = [value]
    return value


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def laughs() -> Any:
    """A small object that is huge as JSON text: two to the power of sixty items."""
    value: Any = "ha"
    for _ in range(60):
        value = [value, value]
    return value


class Text(str):
    """A text that writes itself otherwise."""

    def __str__(self) -> str:
        raise RuntimeError("nobody asks for this")


class Number(int):
    """A number that writes itself otherwise."""

    def __repr__(self) -> str:
        raise RuntimeError("nobody asks for this")

    __str__ = __repr__


BAD: dict[str, Any] = {
    "nan": math.nan,
    "infinity": -math.inf,
    "bytes": b"bytes",
    "bytearray": bytearray(b"x"),
    "set": {1, 2},
    "date": datetime.date(2026, 1, 1),
    "object": object(),
    "class": dict,
    "function": len,
    "complex": 1j,
    "surrogate": "half \ud83d",
    "surrogate key": {"\udc00": 1},
    "integer key": {1: 2},
    "bytes key": {b"a": 2},
    "cyclic list": cyclic_list(),
    "cyclic dict": cyclic_dict(),
    "deep": nested(100_000),
    "long integer": 10**5_000,
}


@pytest.mark.parametrize("value", BAD.values(), ids=BAD)
def test_a_value_that_json_cannot_say_is_an_exception_everywhere(value: Any) -> None:
    form = Form.read(ASKS_SCHEMA)
    for place in (lambda: value, lambda: [0, value], lambda: {"a": {"b": value}}):
        bad = place()
        walk = Walk(form)
        before = walk.save()
        with pytest.raises(RejectionError) as rejected:
            Form.read({"questions": bad, **ASKS_TEXT} if bad is value else bad)
        assert rejected.value.problems[0]["code"] in ("invalid_json", "too_large")
        for act in (walk.answer, walk.check, lambda bad: walk.answer_all({"answer": bad}), lambda bad: walk.answers({"answer": bad})):
            with pytest.raises(RefusalError) as refused:
                act(bad)
            assert refused.value.code in ("wrong_type", "invalid_json", "too_large", "out_of_range")
            assert str(refused.value)
        with pytest.raises(RefusalError):
            walk.act({"type": "answer", "value": bad})
        with pytest.raises(UnresumableError):
            Walk.resume(form, bad)
        with pytest.raises(UnresumableError):
            walk.continued({"walk": before, "secrets": bad})
        with pytest.raises(NotJsonError):
            Form.read(ASKS_TEXT, host={"static_answers": {"answer": bad}})
        with pytest.raises(AskUserError):
            Conversation().on({"type": "closed", "how": "answered", "call_id": "a", "result": bad})
        with pytest.raises(AskUserError):
            Conversation.from_json(bad)
        for records in (mend_records, records_markdown):
            with pytest.raises(AskUserError):
                records([bad])
        assert walk.save() == before


@pytest.mark.parametrize("value", [laughs(), ["x" * 3_000_000], "x" * 3_000_000, {"x" * 3_000_000: 1}])
def test_what_is_larger_than_the_limits_is_too_large(value: Any) -> None:
    with pytest.raises(RejectionError) as rejected:
        Form.read({"question": value, "answer_type": "text"})
    assert [problem["code"] for problem in rejected.value.problems] == ["too_large"]
    with pytest.raises(RefusalError) as refused:
        Walk(Form.read(ASKS_SCHEMA)).answer(value)
    assert refused.value.code == "too_large"


@pytest.mark.parametrize("depth", [65, 130, 511])
def test_what_nests_deeper_than_the_limits_is_too_large(depth: int) -> None:
    with pytest.raises(RejectionError) as rejected:
        Form.read(nested(depth))
    assert rejected.value.problems[0]["code"] == "too_large"
    walk = Walk(Form.read(ASKS_SCHEMA))
    for act in (walk.answer, lambda value: walk.answers({"answer": value})):
        with pytest.raises(RefusalError) as refused:
            act(nested(depth))
        codes = [one["code"] for one in refused.value.refused] or [refused.value.code]
        assert codes == ["too_large"]


def test_the_deepest_value_that_a_host_can_allow_fits_the_stack_of_a_thread() -> None:
    form = Form.read(ASKS_SCHEMA, host={"limits": {"depth": 120}})
    done = []

    def walks() -> None:
        walk = Walk(form)
        walk.answer(nested(119))
        outcome = walk.outcome
        assert outcome is not None
        assert outcome["result"]["answer"] == nested(119)
        assert Walk.resume(form, walk.save()) == walk
        done.append(True)

    threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=walks)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(0)
    assert done == [True]


@pytest.mark.parametrize("text", ["[" * 1_000_000, '{"a":' * 1_000_000, "", "nul", "\0", '"\\ud800"', "1e999", "[" * 200 + "]" * 200])
def test_a_text_that_is_no_json_is_an_exception_everywhere(text: str) -> None:
    form = Form.read(ASKS_SCHEMA)
    walk = Walk(form)
    for given in (text, text.encode()):
        with pytest.raises(RejectionError):
            Form.read(given)
        with pytest.raises(RejectionError):
            detect_dialect(given)
        with pytest.raises(UnresumableError):
            Walk.resume(form, given)
        with pytest.raises(UnresumableError):
            walk.continued(given)
        with pytest.raises(AskUserError):
            Conversation.from_json(given)
        with pytest.raises(MisuseError):
            mend_records(given)
        with pytest.raises(MisuseError):
            read_records(given, lambda line: True)
    for act in (walk.answer_text, walk.typed):
        with pytest.raises(RefusalError):
            act(text)


def test_bytes_that_are_not_utf_8_are_an_exception_everywhere() -> None:
    for given in (b"\xff", b"\xed\xa0\x80"):
        with pytest.raises(RejectionError):
            Form.read(given)
        with pytest.raises(MisuseError):
            Reader().write(given)
    with pytest.raises(TypeError):
        Reader().write(1)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        Reader().write("\ud800")
    reader = Reader()
    reader.write('{"question": "é'.encode()[:-1])
    for _ in range(2):
        with pytest.raises(RejectionError):
            reader.end()
    with pytest.raises(MisuseError):
        reader.write("more")


def test_subclasses_are_taken_as_what_they_are() -> None:
    walk = Walk(Form.read(ASKS_SCHEMA))
    walk.answer({Text("a"): Text("b"), "c": Number(7), "d": Number(10**30), "e": (True, None)})
    outcome = walk.outcome
    assert outcome is not None
    assert outcome["result"]["answer"] == {"a": "b", "c": 7, "d": 10**30, "e": [True, None]}


def test_a_text_with_half_a_character_is_refused_wherever_the_person_writes() -> None:
    walk = Walk(Form.read({"questions": [{"id": "a", "text": "A?", "answer_type": "select", "options": ["x", "y"], "other": True}], "x": 0}))
    half = "\ud800"
    acts: list[Callable[[], object]] = [
        lambda: walk.answer(None, other=half),
        lambda: walk.answer("x", note=half),
        lambda: walk.typed(half),
        lambda: walk.reply(half),
        lambda: walk.change(half),
        lambda: walk.answers({half: 1}),
        lambda: walk.assistant({"answer": 1}, half),
    ]
    for act in acts:
        with pytest.raises(RefusalError) as refused:
            act()
        assert refused.value.code == "wrong_type"


def test_an_action_of_a_client_that_is_none_is_refused() -> None:
    walk = Walk(Form.read(ASKS_TEXT))
    actions: list[dict[Any, Any]] = [
        {},
        {"type": "explode"},
        {"type": 1},
        {"type": "answer"},
        {"type": "answer", "value": "x", "more": 1},
        {"type": "answer", "value": "x", "note": 5},
        {"type": "answer", "value": "x", "remember": "yes"},
        {"type": "typed", "text": 1},
        {"type": "typed", "text": None},
        {"type": "change"},
        {"type": "reply", "text": {}},
        {"type": "back", "text": "x"},
        {"type": "save"},
        {"type": "__init__"},
        {1: 2},
    ]
    for action in actions:
        with pytest.raises(RefusalError) as refused:
            walk.act(action)
        assert refused.value.code == "not_allowed"
    assert walk == Walk(Form.read(ASKS_TEXT))
    walk.act({"type": "answer", "value": "x"})
    assert walk.is_over


def test_the_hosts_own_mistakes_are_named() -> None:
    with pytest.raises(MisuseError, match="labell"):
        Form.read(ASKS_TEXT, host={"labell": "x"})  # type: ignore[arg-type]
    with pytest.raises(MisuseError, match="limits"):
        Form.read(ASKS_TEXT, host={"limits": {"depth": -1}})
    with pytest.raises(RejectionError) as rejected:
        Form.read(ASKS_TEXT, "latin")  # type: ignore[arg-type]
    assert rejected.value.problems[0]["code"] == "unknown_dialect"
    with pytest.raises(MisuseError):
        permission("git", "never")
    assert tool_definitions("latin") == []
    with pytest.raises(TypeError):
        Walk(ASKS_TEXT)  # type: ignore[arg-type]


def test_the_form_of_an_agent_without_a_user_fails_whatever_the_request_is() -> None:
    for request in (ASKS_TEXT, math.nan, cyclic_list(), b"\xff", "nul"):
        outcome = Walk(Form.read(request, host={"sub_agent": True})).outcome
        assert outcome is not None
        assert (outcome["ends"], outcome.get("error")) == ("failed", "sub_agent")


def test_a_panic_is_an_exception() -> None:
    with pytest.raises(InternalError, match="on purpose"):
        ask_user._native._panic()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)) | st.binary() | st.just(10**400),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner) | st.sets(st.integers()),
    max_leaves=15,
)
FIELDS = ["question", "questions", "answer_type", "options", "schema", "id", "text", "when", "default"]


@given(ANYTHING, st.dictionaries(st.sampled_from(FIELDS), ANYTHING))
def test_anything_gives_a_value_or_an_exception_of_the_package(value: Any, fields: dict[str, Any]) -> None:
    walk = Walk(Form.read(ASKS_SCHEMA))
    for call in (
        lambda: Form.read(value),
        lambda: Form.read(fields),
        lambda: Form.read({"questions": [{"id": "a", "text": "A?", "answer_type": "text", **fields}]}),
        lambda: Form.read(ASKS_TEXT, host=value),
        lambda: Form.read(ASKS_TEXT, host={"static_answers": {"answer": value}}),
        lambda: Walk.resume(Form.read(ASKS_TEXT), value),
        lambda: walk.assistant(value),
        lambda: walk.continued(value),
        lambda: walk.answer(value),
        lambda: Conversation().on(value),
        lambda: Conversation.from_json(value),
        lambda: mend_records(value),
        lambda: records_markdown([value]),
        lambda: read_records([value]),
    ):
        try:
            call()
        except AskUserError as error:
            assert str(error)
            json.dumps(error.args)
