"""What goes in comes out: digits, the order of keys, copies, pickles, saved walks; secrets are nowhere else; threads may share a walk."""

from __future__ import annotations

import copy
import json
import pickle
import sys
import threading
from collections.abc import Callable
from typing import Any, get_args

import ask_user
import pytest
from ask_user import (
    Dialect,
    Conversation,
    Form,
    Reader,
    RefusalError,
    RejectionError,
    UnresumableError,
    Walk,
    detect_dialect,
    dialects,
    mend_records,
    permission,
    read_records,
    records_markdown,
    register_dialect,
    tool_definition,
    tool_definitions,
)
from case import vectors
from hypothesis import given
from hypothesis import strategies as st
from wait import pause

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(10**60), 10**60) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
ASKS_SCHEMA = {"question": "Value?", "answer_type": "schema", "schema": True}
SECRET = "hunter2-geheim"
ASKS_SECRET = {
    "questions": [
        {"id": "name", "text": "Name?", "answer_type": "text"},
        {"id": "key", "text": "Key?", "answer_type": "secret"},
        {"id": "sure", "text": "Sure?", "answer_type": "boolean"},
    ]
}


def answered() -> Walk:
    walk = Walk(Form.read(ASKS_SECRET, host={"nonce": "n"}))
    walk.answer("x")
    walk.answer(SECRET)
    return walk


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@given(JSON)
def test_an_answer_comes_out_as_it_went_in(value: Any) -> None:
    for act in ("answer", "answer_all", "answer_text", "typed", "act"):
        walk = Walk(Form.read(ASKS_SCHEMA))
        text = written(value)
        argument = {"answer": value, "answer_all": {"answer": value}, "act": {"type": "answer", "value": value}}.get(act, text)
        getattr(walk, act)(argument)
        outcome = walk.outcome
        assert outcome is not None
        assert written(outcome["result"]["answer"]) == written(value)
        again = pickle.loads(pickle.dumps(walk))
        assert again == walk and written(again.outcome) == written(outcome)


@given(st.integers(-(10**60), 10**60))
def test_an_integer_that_answers_would_round_is_refused(number: int) -> None:
    walk = Walk(Form.read(ASKS_SCHEMA))
    try:
        walk.answers({"answer": [number]})
    except RefusalError as error:
        assert error.code == "out_of_range" and int(float(number)) != number
        return
    outcome = walk.outcome
    assert outcome is not None
    assert outcome["result"]["answer"] == [number]


def test_a_number_of_three_hundred_digits_is_taken_and_one_that_no_double_reaches_is_refused() -> None:
    form = Form.read(ASKS_SCHEMA)
    walk = Walk(form)
    walk.answer(-(10**300 + 1))
    assert walk.result_text == f'{{"answer_type":"schema","answer":{-(10**300 + 1)}}}'
    for act in ("answer", "typed"):
        with pytest.raises(RefusalError) as refused:
            getattr(Walk(form), act)(10**400 if act == "answer" else str(10**400))
        assert refused.value.code == "invalid_json"


def test_the_draft_has_every_digit() -> None:
    walk = Walk(Form.read({"questions": [{"id": "a", "text": "A?", "answer_type": "schema", "schema": True}, {"id": "b", "text": "B?", "answer_type": "text"}]}))
    walk.answer({"z": 10**40, "a": 1})
    walk.back()
    step = walk.step
    assert step["state"] == "asking"
    assert written(step["draft"]) == written({"z": 10**40, "a": 1})


def test_walks_copy_pickle_and_resume_as_the_same_value() -> None:
    played = 0
    for _, case in vectors():
        if "rejected" in case or case.get("host", {}).get("secret_answers"):
            continue
        request = case["text"] if "text" in case else case["request"]
        form = Form.read(request, case.get("dialect"), case.get("host"))
        walk = Walk(form)
        assert pickle.loads(pickle.dumps(form)) == form == copy.deepcopy(form)
        for other in (copy.copy(walk), copy.deepcopy(walk), pickle.loads(pickle.dumps(walk)), Walk.resume(form, walk.save())):
            assert other == walk and other is not walk
            assert other.save() == walk.save() and other.step == walk.step and repr(other) == repr(walk)
        played += 1
    assert played > 150


def test_a_copy_goes_its_own_way() -> None:
    walk = answered()
    other = copy.copy(walk)
    other.answer(True)
    assert other != walk and not walk.is_over
    assert other.outcome == {"ends": "completed", "result": {"name": "x", "key": "[redacted]", "sure": True}, "secrets": {"key": SECRET}}
    assert walk != 1 and walk != None  # noqa: E711
    for value in (walk, walk.form, Conversation()):
        with pytest.raises(TypeError):
            hash(value)


def test_a_secret_is_only_in_the_outcome_and_the_response() -> None:
    walk = answered()
    shown: list[Any] = [repr(walk), str(walk), repr(walk.form), walk.save(), walk.records, walk.turn, walk.drafts, walk.step]
    walk.answer(True)
    shown += [repr(walk), walk.save(), walk.records, walk.turn, walk.drafts, walk.result_text, records_markdown(walk.records)]
    assert SECRET not in written(shown)
    assert SECRET.encode() not in pickle.dumps(walk)
    assert SECRET in written(walk.outcome) and SECRET in written(walk.response)


def test_a_walk_resumes_without_its_secrets_or_with_them() -> None:
    walk = answered()
    form = walk.form
    assert form is not None
    step = Walk.resume(form, walk.save()).step
    assert step["state"] == "asking" and step["question"]["id"] == "key"
    again = Walk.resume(form, json.dumps(walk.save()), secrets={"key": SECRET})
    assert again == walk
    response = walk.response
    walk.answer(True)
    assert Walk(form).continued(walk.response) == walk
    assert Walk(form).continued(json.dumps(response)) == again


def test_the_hosts_secrets_are_in_no_repr_and_in_no_pickle() -> None:
    form = Form.read(ASKS_SECRET, host={"secret_answers": {"key": SECRET}})
    walk = Walk(form)
    for value in (form, walk):
        assert SECRET not in repr(value)
        with pytest.raises(TypeError, match="secret_answers"):
            pickle.dumps(value)
    assert SECRET not in written(walk.save())
    with pytest.raises(ask_user.MisuseError) as misuse:
        Form.read(ASKS_SECRET, host={"secret_answers": SECRET})  # type: ignore[arg-type]
    assert SECRET not in repr(misuse.value)


def test_a_refused_secret_is_not_in_the_exception() -> None:
    walk = Walk(Form.read(ASKS_SECRET))
    walk.answer("x")
    values: list[Any] = [[SECRET], {"a": SECRET}, {"a": [SECRET, float("nan")]}, ""]
    for value in values:
        with pytest.raises(RefusalError) as refused:
            walk.answer(value)
        assert SECRET not in repr(refused.value)


def test_exceptions_carry_their_problem_and_pickle() -> None:
    with pytest.raises(RejectionError) as rejected:
        Form.read({"questions": [{"id": "a", "text": "", "answer_type": "txt"}]})
    error = pickle.loads(pickle.dumps(rejected.value))
    assert error.problems == rejected.value.problems and len(error.problems) > 1
    assert error.tool_result["error"] == "invalid_request" and str(error) == error.tool_result["message"]
    walk = Walk(Form.read({"question": "N?", "answer_type": "schema", "schema": {"type": "integer"}}))
    with pytest.raises(RefusalError) as refused:
        walk.answer("x")
    assert [one["keyword"] for one in refused.value.details] == ["type"]
    two = Walk(Form.read(ASKS_SECRET))
    with pytest.raises(RefusalError) as refused:
        two.answers({"name": 1, "sure": True})
    assert refused.value.code == "refused_answers" and refused.value.total == 2
    assert [(one["question"], one["code"]) for one in refused.value.refused] == [("name", "wrong_type"), ("key", "required")]
    assert pickle.loads(pickle.dumps(refused.value)).refused == refused.value.refused
    with pytest.raises(UnresumableError) as unresumable:
        Walk.resume(Form.read(ASKS_SECRET), {**two.save(), "checksum": "0"})
    assert unresumable.value.code == "tampered"


def test_a_page_asks_several_questions_and_takes_all_answers_or_none() -> None:
    walk = Walk(
        Form.read(
            {
                "questions": [
                    {"id": "a", "text": "A?", "answer_type": "boolean", "danger": True},
                    {"id": "b", "text": "B?", "answer_type": "text", "when": {"question_id": "a", "equals": True}},
                    {"id": "c", "text": "C?", "answer_type": "number"},
                ]
            }
        )
    )
    assert [asking["question"]["id"] for asking in walk.page()] == ["a", "c"]
    assert [asking["question"]["id"] for asking in walk.page({"a": True})] == ["a", "b", "c"]
    assert (walk.to_confirm({"a": True, "b": "x"}), walk.to_confirm({"a": False})) == (["a"], [])
    before = copy.copy(walk)
    with pytest.raises(RefusalError):
        walk.answer_all({"c": "x", "a": True, "b": "x"})
    assert walk == before
    walk.answer_all({"c": 3, "b": "x", "a": True})
    assert walk.outcome == {"ends": "completed", "result": {"a": True, "b": "x", "c": 3}}


def test_a_reader_asks_before_the_request_is_whole() -> None:
    text = json.dumps({"questions": [{"id": "a", "text": "Ä?", "answer_type": "boolean"}, {"id": "b", "text": "B?", "answer_type": "text"}]}, ensure_ascii=False)
    reader = Reader("ask_user", {"tool_call_id": "call_7"})
    walk = reader.walk
    assert walk.step == {"state": "waiting", "back": False} and walk.form is None
    cut = text.index('{"id": "b"')
    for byte in text[:cut].encode():
        reader.write(bytes([byte]))
    step = walk.step
    assert step["state"] == "asking" and step["question"]["text"] == "Ä?"
    walk.answer(True)
    assert walk.step["state"] == "waiting"
    with pytest.raises(TypeError):
        pickle.dumps(walk)
    reader.write(text[cut:])
    assert reader.end() is walk and reader.end() is walk and not reader.is_anew
    walk.answer("x")
    assert walk.outcome == {"ends": "completed", "result": {"a": True, "b": "x"}}
    assert pickle.loads(pickle.dumps(walk)) == walk
    assert walk.records[0]["id"].startswith("call_7")


def test_an_assistant_answers_or_the_person_does() -> None:
    form = Form.read({"question": "Go on?", "answer_type": "boolean"}, host={"target": {"model": {"id": "small"}, "escalation": True}})
    walk = Walk(form)
    asked = walk.consultation
    assert asked is not None and asked.get("model") == {"id": "small"}
    with pytest.raises(RefusalError) as refused:
        walk.assistant({"answer": True, "reason": "x"})
    assert refused.value.code == "not_allowed"
    with pytest.raises(RefusalError):
        walk.assistant({"answer": True}, "another")
    no = copy.copy(walk)
    no.assistant({"answer": False, "reason": "Too soon."}, asked["record"])
    step = no.step
    assert step["state"] == "asking" and step["asks"] == "person" and step.get("advice", {}).get("reason") == "Too soon."
    walk.assistant({"answer": True, "reason": "x", "record": asked["record"]})
    assert walk.outcome == {"ends": "completed", "result": {"answer": True, "answer_type": "boolean"}}
    none = Walk(form)
    none.assistant(None)
    assert none.step["state"] == "asking" and none.consultation is None


def test_permission_is_remembered_asked_for_or_given_by_policy() -> None:
    assert permission("git", "run") == "ask"
    assert permission("git", "run", host={"attached": False}) == "denied"
    assert permission("git", "run", host={"attached": False, "detached": "auto"}) == "granted"
    assert permission("git", "deliver", host={"turn": {"attempts": {}, "remembered": {}, "permissions": {"git": False}}}) == "refused"


def test_dialects_are_named_found_and_defined() -> None:
    assert "ask_user" in dialects() and set(dialects()) - {"acme"} == set(get_args(Dialect))
    found = {case["dialect"] if "dialect" in case else None for _, case in vectors()}
    assert found & set(dialects())
    for _, case in vectors():
        if "rejected" in case or "dialect" in case or case.get("host", {}).get("sub_agent"):
            continue
        request = case["text"] if "text" in case else case["request"]
        assert detect_dialect(request) == Form.read(request, host=case.get("host")).dialect
    with pytest.raises(RejectionError):
        detect_dialect({"x": 1})
    definition = tool_definition("ask_user")
    assert definition is not None and definition["name"] == "ask_user" and definition["parameters"]["type"] == "object"
    assert tool_definition("ask_user", "ask_user_simple") is not None and tool_definition("ask_user", "x") is None
    assert tool_definitions("ask_user", sub_agent=True) == []


def test_a_dialect_of_the_host_s_own_is_declared() -> None:
    acme: dict[str, Any] = {
        "name": "acme",
        "questions": "acmeItems",
        "question": {"text": "prompt", "options": {"field": "choices", "value": "code"}},
        "key": {"field": "ref"},
        "answer": {"picked": "$chosen", "said": "$own"},
    }
    dialect = register_dialect(acme)
    assert (dialect, register_dialect(acme), "acme" in dialects()) == ("acme", "acme", True)
    request = {"acmeItems": [{"ref": "a", "prompt": "Where?", "choices": [{"label": "Staging", "code": "s"}, {"label": "Production", "code": "p"}]}]}
    walk = Walk(Form.read(request, dialect=dialect))
    walk.answer("s")
    assert walk.outcome is not None and walk.outcome["result"] == {"answers": {"a": {"picked": ["s"], "said": None}}}
    with pytest.raises(ask_user.MisuseError, match="would be lost"):
        register_dialect({**acme, "name": "other", "answer": "$chosen"})
    with pytest.raises(ask_user.MisuseError, match="declared otherwise"):
        register_dialect({**acme, "tool": "ask"})


def test_records_are_mended_read_and_written_for_people() -> None:
    walk = Walk(Form.read({"question": "Delete *it*?", "answer_type": "boolean"}))
    open_record = walk.records
    assert [record["type"] for record in mend_records(open_record)] == ["inquiry_request", "inquiry_response"]
    walk.answer(True)
    assert walk.records_from(1) == walk.records[1:]
    lines: list[Any] = [{"type": "turn"}, *walk.records, {"type": "turn"}, {"type": "inquiry_response"}, *open_record]
    stream = read_records(lines, lambda line: line["type"] == "turn")
    assert stream["turns"] == [walk.records, mend_records(open_record)]
    assert [line["index"] for line in stream["unreadable"]] == [4]
    assert read_records(json.dumps(lines), lambda line: line["type"] == "turn") == stream
    with pytest.raises(ZeroDivisionError):
        read_records(lines, lambda line: 1 / 0)
    assert "Delete" in records_markdown(walk.records)


def test_threads_share_a_walk_and_one_of_them_answers() -> None:
    for _ in range(20):
        walk = Walk(Form.read({"question": "First?", "answer_type": "text"}))
        refused: list[str] = []

        def answers(name: str) -> None:
            try:
                walk.answer(name)
            except RefusalError as error:
                refused.append(error.code)

        threads = [threading.Thread(target=answers, args=(str(number),)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert refused == ["finished"] * 7
        assert len(walk.records) == 2


def test_other_threads_run_while_the_core_works() -> None:
    schema = {"type": "array", "items": {"type": "object", "required": ["a"], "properties": {"a": {"minimum": 0}}}}
    questions = [{"id": f"q{n}", "text": "?", "answer_type": "schema", "schema": schema} for n in range(300)]
    text = json.dumps({"questions": questions})
    form = Form.read(text)
    walk = Walk(form)
    value = json.dumps([{"a": 1}] * 10_000)
    answered_once = copy.copy(walk)
    answered_once.answer_text(value)
    saved = answered_once.save()
    interval = sys.getswitchinterval()
    # A thread lets go of the interpreter only where it says so itself.
    sys.setswitchinterval(1_000)
    try:
        for work in (lambda: Form.read(text), lambda: Walk.resume(form, saved), lambda: copy.copy(walk).answer_text(value)):
            # The other thread has to wake up in time: it gets some chances.
            assert any(runs_during(work) for _ in range(100))
        assert not any(runs_during(lambda: sum(range(1_000_000))) for _ in range(20)), "the check finds what holds the interpreter"
    finally:
        sys.setswitchinterval(interval)


def runs_during(work: Callable[[], object]) -> bool:
    """Whether another thread runs while this one works."""
    begin, ran = threading.Event(), []
    waiting = threading.Event()

    def other() -> None:
        waiting.set()
        begin.wait()
        ran.append(True)

    thread = threading.Thread(target=other)
    thread.start()
    waiting.wait()
    # The other thread goes on to wait for the beginning.
    pause(0.05)
    begin.set()
    work()
    found = bool(ran)
    thread.join()
    return found
