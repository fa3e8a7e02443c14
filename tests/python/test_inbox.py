"""An inbox, on a real SQLite file, and on PostgreSQL where DATABASE names one: what is stored, what is acknowledged, what is refused."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from ask_user import AskUserError, Form, RejectionError, Walk
from ask_user.inbox import Entry, Inbox, OtherQuestionError, QuestionClosedError, Reply, Store
from ask_user.sqlite import SqliteStore
from wait import pause, pauses, ticks

REQUEST: dict[str, Any] = {
    "questions": [
        {"id": "apply", "text": "Apply it?", "answer_type": "boolean"},
        {"id": "env", "text": "Where?", "answer_type": "select", "options": ["staging", "production"], "when": {"question_id": "apply", "equals": True}},
    ]
}
SECRET = {"questions": [{"id": "key", "text": "Key?", "answer_type": "secret"}]}
DATABASES = ["sqlite"] + (["postgres"] if os.environ.get("DATABASE") else [])


@pytest.fixture(params=DATABASES)
def store(request: Any, tmp_path: Path) -> Iterator[Store]:
    if request.param == "sqlite":
        sqlite = SqliteStore(tmp_path / "questions.db")
        yield sqlite
        sqlite.close()
        return
    from ask_user.postgres import PostgresStore
    from psycopg_pool import ConnectionPool

    with ConnectionPool(os.environ["DATABASE"], min_size=1, max_size=8, open=True) as pool:
        with pool.connection() as connection:
            connection.execute("DROP TABLE IF EXISTS ask_user_questions")
        yield PostgresStore(pool)


@pytest.fixture
def inbox(store: Store) -> Inbox:
    return Inbox(store, poll=0.05)


def due(inbox: Inbox, name: str = "c") -> dict[str, Any]:
    state: dict[str, Any] = json.loads(inbox.notice(name)[0])
    return state


def client(inbox: Inbox, name: str = "c", place: int = 0) -> tuple[str, Walk]:
    """The walk of a page, and the call of its question."""
    question = due(inbox, name)["requests"][place]
    return question["tool_call_id"], Walk(Form.read(question["request"], question.get("dialect"), question["options"]))


def body(call: str, walk: Walk) -> str:
    return json.dumps({"tool_call_id": call, **walk.response})


def test_an_answer_is_stored_before_it_is_acknowledged_and_survives_the_process(store: Store, inbox: Inbox) -> None:
    inbox.put("c", REQUEST, call_id="call_1", host={"label": "Deploy agent"})
    call, walk = client(inbox)
    walk.answer(True)
    assert inbox.respond("c", body(call, walk), "k").status == 422
    walk.answer("staging")
    assert inbox.respond("c", body(call, walk), "k").status == 200
    for another in (inbox, Inbox(store)):
        answer = another.answered("c", "call_1")
        assert answer is not None
        assert answer.result == {"apply": True, "env": "staging"}
        assert [record["type"] for record in answer.records].count("inquiry_response") == 2
        assert asyncio.run(another.ask("c", REQUEST, call_id="call_1")).result == answer.result
    assert due(inbox) == {"type": "idle"}


def test_the_same_answer_is_acknowledged_again_and_another_one_is_a_conflict(inbox: Inbox) -> None:
    inbox.put("c", REQUEST, call_id="call_1")
    call, walk = client(inbox)
    walk.answer(False)
    other = client(inbox)[1]
    other.answer(True)
    other.answer("production")
    assert [inbox.respond("c", body(call, walk), "k").status for _ in range(3)] == [200, 200, 200]
    assert inbox.respond("c", body(call, other), "k").status == 409
    assert inbox.respond("c", body(call, other), "l").status == 409
    assert inbox.respond("c", body(call, walk), "l").status == 409
    assert inbox.answered("c", "call_1").result == {"apply": False, "env": None}  # type: ignore[union-attr]


def test_many_answers_at_once_count_once(inbox: Inbox) -> None:
    inbox.put("c", REQUEST, call_id="call_1")
    call, yes = client(inbox)
    no = client(inbox)[1]
    no.answer(False)
    yes.answer(True)
    yes.answer("staging")
    replies: list[tuple[str, Reply]] = []
    threads = [
        threading.Thread(target=lambda key=key, walk=walk: replies.append((key, inbox.respond("c", body(call, walk), key))))
        for _ in range(8)
        for key, walk in (("yes", yes), ("no", no))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    accepted = {key for key, reply in replies if reply.status == 200}
    assert len(accepted) == 1
    assert {reply.status for key, reply in replies if key not in accepted} == {409}
    assert sum(reply.body == {"accepted": True, "again": False} for _, reply in replies) == 1


def test_secrets_are_not_stored_and_reach_whoever_waits(tmp_path: Path) -> None:
    kept: list[tuple[str, dict[str, str]]] = []

    def keep(conversation: str, call_id: str, answer_id: str, secrets: dict[str, str]) -> None:
        kept.append((answer_id, secrets))
        if len(kept) == 1:
            raise OSError("The vault is closed.")

    path = tmp_path / "questions.db"
    inbox = Inbox(SqliteStore(path), on_secrets=keep)
    inbox.put("c", SECRET, call_id="call_1")
    call, walk = client(inbox)
    walk.answer("hunter-2-hunter")
    with pytest.raises(OSError):
        inbox.respond("c", body(call, walk), "k")
    assert inbox.answered("c", "call_1") is None
    assert inbox.respond("c", body(call, walk), "k").status == 200
    answer = inbox.answered("c", "call_1")
    assert answer is not None and answer.outcome["secrets"] == {"key": "hunter-2-hunter"}
    assert [secrets for _, secrets in kept] == [{"key": "hunter-2-hunter"}] * 2
    assert answer.id == kept[1][0] != kept[0][0]
    other = client_of(SECRET, "call_1", inbox)
    other.answer("another")
    # The same key, and only the secret differs.
    assert inbox.respond("c", body(call, other), "k").status == 409
    sqlite3.connect(path).execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert all(b"hunter-2" not in file.read_bytes() for file in tmp_path.iterdir())
    assert Inbox(SqliteStore(path)).answered("c", "call_1").outcome.get("secrets") is None  # type: ignore[union-attr]


def test_two_tabs_whose_secrets_differ_are_not_mixed(store: Store) -> None:
    for round in range(20):
        inbox = Inbox(store)
        inbox.put("c", SECRET, call_id=f"call_{round}")
        call = f"call_{round}"
        bodies = {}
        for secret in ("one", "two"):
            walk = client_of(SECRET, call, inbox)
            walk.answer(secret)
            bodies[secret] = body(call, walk)
        replies: list[tuple[str, int]] = []
        threads = [threading.Thread(target=lambda secret=secret: replies.append((secret, inbox.respond("c", bodies[secret], f"k{round}").status))) for secret in bodies for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        accepted = {secret for secret, status in replies if status == 200}
        assert accepted == {inbox.answered("c", call).outcome["secrets"]["key"]}  # type: ignore[union-attr]


class Paused(SqliteStore):
    """Does something before it stores an answer, or after."""

    def __init__(self, path: Path, before: Callable[[], None] | None = None, after: Callable[[], None] | None = None) -> None:
        super().__init__(path)
        self.before, self.after = before, after

    def replace(self, entry: Entry) -> bool:
        before, self.before = self.before, None
        if before:
            before()
        stored = super().replace(entry)
        after, self.after = self.after, None
        if after:
            after()
        return stored


TWO = {"questions": [{"id": "user", "text": "User?", "answer_type": "text"}, {"id": "key", "text": "Key?", "answer_type": "secret"}]}


@pytest.mark.parametrize("key", [None, b"k" * 32])
def test_the_secret_of_an_answer_that_came_too_late_reaches_nobody(tmp_path: Path, key: bytes | None) -> None:
    vault: dict[str, dict[str, str]] = {}

    def keep(conversation: str, call_id: str, answer_id: str, secrets: dict[str, str]) -> None:
        vault[answer_id] = secrets

    path = tmp_path / "questions.db"
    first = Inbox(SqliteStore(path), on_secrets=keep, key=key)
    first.put("c", TWO, call_id="call_1")
    call, alice = client(first)
    bob = client(first)[1]
    for walk, user, secret in ((alice, "alice", "of alice"), (bob, "bob", "of bob")):
        walk.answer(user)
        walk.answer(secret)
    # The second process has read the answer of Bob when the first one stores that of Alice.
    late = Inbox(Paused(path, before=lambda: taken.append(first.respond("c", body(call, alice), "a").status)), on_secrets=keep, key=key)
    taken: list[int] = []
    assert late.respond("c", body(call, bob), "b").status == 409
    assert taken == [200]
    for inbox in (first, late):
        answer = inbox.answered("c", "call_1")
        assert answer is not None and answer.result["user"] == "alice"
        assert answer.outcome.get("secrets", {}).get("key") in ("of alice", None)
        assert vault[answer.id] == {"key": "of alice"}
    assert first.answered("c", "call_1").outcome["secrets"] == {"key": "of alice"}  # type: ignore[union-attr]


def test_with_a_key_every_process_knows_an_answer_again_by_its_secret(tmp_path: Path) -> None:
    path = tmp_path / "questions.db"
    first, second = [Inbox(SqliteStore(path), key=b"k" * 32) for _ in range(2)]
    first.put("c", SECRET, call_id="call_1")
    call, right = client(first)
    wrong = client(first)[1]
    right.answer("hunter-2-hunter")
    wrong.answer("another")
    assert first.respond("c", body(call, right), "k").status == 200
    assert second.respond("c", body(call, wrong), "k").status == 409
    assert second.respond("c", body(call, right), "k").body == {"accepted": True, "again": True}
    assert all(b"hunter-2" not in file.read_bytes() for file in tmp_path.iterdir())
    with pytest.raises(ValueError, match="32 bytes"):
        Inbox(SqliteStore(path), key=b"short")


def test_the_secret_of_an_answer_is_kept_where_the_store_fails_after_it_has_stored(tmp_path: Path) -> None:
    def fails() -> None:
        raise OSError("The connection is lost.")

    inbox = Inbox(Paused(tmp_path / "questions.db", after=fails))
    inbox.put("c", SECRET, call_id="call_1")
    call, walk = client(inbox)
    walk.answer("hunter-2-hunter")
    with pytest.raises(OSError):
        inbox.respond("c", body(call, walk), "k")
    assert inbox.respond("c", body(call, walk), "k").body == {"accepted": True, "again": True}
    assert inbox.answered("c", "call_1").outcome["secrets"] == {"key": "hunter-2-hunter"}  # type: ignore[union-attr]


def test_a_call_that_is_used_again_after_its_question_was_forgotten_has_no_old_secret(tmp_path: Path) -> None:
    path = tmp_path / "questions.db"
    first, second = [Inbox(SqliteStore(path)) for _ in range(2)]
    for inbox in (first, second):
        first.put("c", SECRET, call_id="call_1")
        assert inbox.respond("c", json.dumps({"answers": {"key": f"of {inbox is first}"}})).status == 200
        if inbox is first:
            assert first.forget(0) == 1
    assert first.answered("c", "call_1").outcome.get("secrets") is None  # type: ignore[union-attr]


def test_a_secret_cannot_be_answered_by_the_host(inbox: Inbox) -> None:
    with pytest.raises(ValueError, match="without answers to secret questions"):
        inbox.put("c", SECRET, call_id="call_1", host={"static_answers": {"key": "hunter-2-hunter"}})
    assert due(inbox) == {"type": "idle"}


@pytest.mark.parametrize("name", ["", "\0", "a\0b", "\ud800"])
def test_a_name_that_no_database_can_store_is_refused(inbox: Inbox, name: str) -> None:
    for conversation, call in ((name, "call_1"), ("c", name)):
        with pytest.raises(ValueError, match="must be a text"):
            inbox.put(conversation, REQUEST, call_id=call)
        text = json.dumps({"tool_call_id": call, "walk": {}})
        assert inbox.respond(conversation, text).status == inbox.save(conversation, text).status == (404 if call else 422) if conversation == name else 422

    async def first() -> str:
        return await anext(inbox.events(name or "c"))

    assert asyncio.run(first()) == '{"type":"idle"}'


def test_a_request_is_the_same_in_bytes_and_with_its_keys_in_another_order(inbox: Inbox) -> None:
    inbox.put("c", json.dumps(REQUEST).encode(), call_id="call_1")
    inbox.put("c", REQUEST, call_id="call_1")
    inbox.put("c", {"questions": [dict(reversed(list(one.items()))) for one in REQUEST["questions"]]}, call_id="call_1")
    with pytest.raises(OtherQuestionError):
        inbox.put("c", {"questions": list(reversed(REQUEST["questions"][:1])) + [{**REQUEST["questions"][1], "when": {"question_id": "apply", "equals": False}}]}, call_id="call_1")
    number: dict[str, Any] = {"question": "How many?", "answer_type": "number", "default": 1}
    inbox.put("c", number, call_id="call_2")
    with pytest.raises(OtherQuestionError):
        inbox.put("c", {**number, "default": 1.0}, call_id="call_2")


def test_close_says_so_where_others_change_the_question_all_the_time(tmp_path: Path) -> None:
    class Busy(SqliteStore):
        def replace(self, entry: Entry) -> bool:
            return False

    inbox = Inbox(Busy(tmp_path / "questions.db"))
    inbox.put("c", REQUEST, call_id="call_1")
    with pytest.raises(AskUserError, match="Try again"):
        inbox.close("c", "call_1")
    assert not inbox.close("c", "call_2")


def test_a_file_has_as_many_connections_as_calls_at_once(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "questions.db")
    inbox = Inbox(store)
    inbox.put("c", REQUEST, call_id="call_1")
    for _ in range(50):
        thread = threading.Thread(target=inbox.notice, args=("c",))
        thread.start()
        thread.join()
    names = [os.readlink(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")]
    assert sum(name == str(tmp_path / "questions.db") for name in names) == 1
    store.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        inbox.notice("c")


def test_an_interrupt_between_two_statements_leaves_no_transaction_open(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "questions.db")
    inbox = Inbox(store)

    class Interrupted:
        """A connection whose BEGIN is done when the interrupt comes."""

        def __init__(self, connection: sqlite3.Connection) -> None:
            self.connection = connection

        def __getattr__(self, name: str) -> Any:
            return getattr(self.connection, name)

        def execute(self, text: str, *rest: Any) -> Any:
            done = self.connection.execute(text, *rest)
            if text.startswith("BEGIN"):
                raise KeyboardInterrupt
            return done

    store._free[:] = [Interrupted(store._free[0])]  # type: ignore[list-item]
    with pytest.raises(KeyboardInterrupt):
        inbox.put("c", REQUEST, call_id="call_1")
    assert not any(connection.in_transaction for connection in store._free)
    Inbox(SqliteStore(tmp_path / "questions.db")).put("c", REQUEST, call_id="call_1")


def test_a_process_that_is_forked_waits_for_no_thread_of_its_parent(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "questions.db")
    inbox = Inbox(store)

    def child() -> None:
        inbox.put("c", REQUEST, call_id="call_1")

    process = multiprocessing.get_context("fork").Process(target=child)
    # As a thread would that is about to take a connection, and to tell of a change.
    with store._lock, inbox._lock:
        process.start()
    process.join(20)
    assert process.exitcode == 0
    assert len(due(inbox)["requests"]) == 1


def _waits_and_opens(path: str, barrier: Any) -> None:
    barrier.wait()
    SqliteStore(path).close()


def test_processes_open_a_new_file_together(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    for round in range(15):
        barrier = context.Barrier(6)
        processes = [context.Process(target=_waits_and_opens, args=(str(tmp_path / f"{round}.db"), barrier)) for _ in range(6)]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        assert [process.exitcode for process in processes] == [0] * 6


def test_an_answer_in_a_process_that_was_forked_outlives_the_store_of_its_parent(tmp_path: Path) -> None:
    path = tmp_path / "questions.db"
    store = SqliteStore(path)
    inbox = Inbox(store)
    inbox.put("c", REQUEST, call_id="call_1")
    context = multiprocessing.get_context("fork")
    closed, replies = context.Event(), context.SimpleQueue()

    def child() -> None:
        closed.wait()
        replies.put(inbox.respond("c", json.dumps({"answers": {"apply": False}}), "k").status)

    process = context.Process(target=child)
    process.start()
    store.close()
    closed.set()
    process.join()
    assert replies.get() == 200
    answer = Inbox(SqliteStore(path)).answered("c", "call_1")
    assert answer is not None and answer.result == {"apply": False, "env": None}


def test_the_secrets_of_old_answers_are_given_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ask_user.inbox._KEPT", 3)
    inbox = Inbox(store)
    for place in range(6):
        inbox.put("c", SECRET, call_id=f"call_{place}")
        assert inbox.respond("c", json.dumps({"tool_call_id": f"call_{place}", "answers": {"key": "x"}})).status == 200
    assert [inbox.answered("c", f"call_{place}").outcome.get("secrets") for place in range(6)] == [None] * 3 + [{"key": "x"}] * 3  # type: ignore[union-attr]


def client_of(request: Any, call: str, inbox: Inbox) -> Walk:
    entry = inbox._store.get("c", call)
    assert entry is not None
    return Walk(Form.read(request, None, json.loads(entry.data)["desk"]["options"]))


def test_no_number_loses_a_digit(inbox: Inbox) -> None:
    inbox.put("c", {"question": "How many?", "answer_type": "number"}, call_id="call_1")
    for number in ("0.1000000000000000055511151231257827", "1e400", "-1.00000000000000000001", "1e-99999999999999999999"):
        reply = inbox.respond("c", f'{{"answers":{{"answer":{number}}}}}')
        assert reply.status == 422 and "losing digits" in reply.text, number
    assert inbox.respond("c", '{"and":[1e3,0.10,-0.0,5e-324,1.7976931348623157e308],"answers":{"answer":1200e-2}}').status == 200
    assert inbox.answered("c", "call_1").result["answer"] == 12  # type: ignore[union-attr]


def test_plain_answers_are_taken_all_or_none(inbox: Inbox) -> None:
    inbox.put("c", REQUEST, call_id="call_1")
    refused = inbox.respond("c", json.dumps({"answers": {"env": "test"}}))
    assert refused.status == 422 and refused.body is not None
    assert {(one["question"], one["code"]) for one in refused.body["problems"]} == {("apply", "required"), ("env", "not_an_option")}
    whole = json.dumps({"answers": {"apply": True, "env": "staging"}, "tool_call_id": "call_1"})
    assert [inbox.respond("c", whole).status for _ in range(2)] == [200, 200]
    assert inbox.respond("c", json.dumps({"answers": {"apply": False}, "tool_call_id": "call_1"})).status == 409
    assert inbox.respond("c", json.dumps({"answers": {"apply": False}})).status == 409


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", '"x"', "[]", "[" * 100_000, '{"tool_call_id":', "\x00", '{"a":NaN}', b"\xff\xfe\x00", '{"tool_call_id": 1}', "{}", '{"tool_call_id": "call_1"}',
     '{"tool_call_id": "call_1", "walk": null, "secrets": {}}', '{"tool_call_id": "call_1", "rejected": {}}', '{"tool_call_id": "call_1", "answers": []}',
     '{"tool_call_id": "call_1", "answers": {"apply": true}, "walk": {}}', '{"tool_call_id": "call_1", "answers": {"apply": ' + "9" * 5000 + "}}"],
)
def test_a_body_that_is_no_answer_is_refused_and_the_question_stays_open(inbox: Inbox, text: str | bytes) -> None:
    inbox.put("c", REQUEST, call_id="call_1")
    for reply in (inbox.respond("c", text, "k"), inbox.save("c", text)):
        assert 400 <= reply.status < 500
        assert json.loads(reply.text)["message"]
    assert inbox.answered("c", "call_1") is None
    assert inbox.respond("c", '{"tool_call_id": "call_2"}').status == 404
    assert inbox.respond("other", '{"tool_call_id": "call_1", "answers": {}}').status == 404


@pytest.mark.parametrize("answers", ["[" + "1," * 3_900_000 + "1]", "{" + ",".join(f'"{name}":1' for name in range(300_000)) + "}"], ids=["a list", "names"])
def test_a_body_with_more_values_than_any_answer_is_refused(inbox: Inbox, answers: str) -> None:
    inbox.put("c", REQUEST, call_id="call_1")
    reply = inbox.respond("c", f'{{"answers":{answers}}}')
    assert reply.status == 422 and reply.body is not None and "more than 250000 values" in reply.body["message"]


def test_plain_answers_may_say_which_question_they_are_for(inbox: Inbox) -> None:
    inbox.put("c", {"question": "Sure?", "answer_type": "boolean"}, call_id="call_1")
    nonce = due(inbox)["requests"][0]["options"]["nonce"]
    for other, status in [("other", 409), (1, 422), (nonce, 200)]:
        assert inbox.respond("c", json.dumps({"answers": {"answer": True}, "nonce": other})).status == status


def test_commas_in_a_text_are_no_values(inbox: Inbox) -> None:
    inbox.put("c", {"question": "Why?", "answer_type": "text"}, call_id="call_1")
    reply = inbox.respond("c", json.dumps({"answers": {"answer": ',[{"\\' * 60_000}}))
    assert reply.status == 200, reply.body


def test_a_body_that_is_too_large_is_refused(inbox: Inbox) -> None:
    assert inbox.respond("c", b" " * (8 * 1024 * 1024 + 1)).status == 413


def test_a_request_that_is_no_form_and_a_call_that_is_used_twice_are_errors(inbox: Inbox) -> None:
    with pytest.raises(RejectionError):
        inbox.put("c", {"questions": []}, call_id="call_1")
    inbox.put("c", REQUEST, call_id="call_1")
    inbox.put("c", REQUEST, call_id="call_1")
    with pytest.raises(OtherQuestionError):
        inbox.put("c", SECRET, call_id="call_1")
    for option in ("secret_answers", "target", "targets", "nonce", "tool_call_id"):
        with pytest.raises(ValueError, match=option):
            inbox.put("c", REQUEST, call_id="call_2", host={option: {}})  # type: ignore[arg-type]
    assert len(due(inbox)["requests"]) == 1


def test_a_closed_question_is_told_and_takes_nothing(inbox: Inbox) -> None:
    inbox.put("c", REQUEST, call_id="call_1")
    inbox.put("c", SECRET, call_id="call_2")
    call, walk = client(inbox)
    walk.answer(False)
    _, told = inbox.notice("c")
    assert inbox.close("c", "call_1") and not inbox.close("c", "call_1") and not inbox.close("c", "call_3")
    text, told = inbox.notice("c", told)
    state = json.loads(text)
    assert state["closed"] == [{"tool_call_id": "call_1", "how": "overtaken"}]
    assert [one["tool_call_id"] for one in state["requests"]] == ["call_2"]
    assert inbox.respond("c", body(call, walk), "k").status == 409
    with pytest.raises(QuestionClosedError):
        inbox.answered("c", "call_1")
    with pytest.raises(QuestionClosedError):
        asyncio.run(inbox.ask("c", REQUEST, call_id="call_1"))
    with pytest.raises(KeyError):
        inbox.answered("c", "call_9")


def test_a_question_expires_by_the_clock_of_the_host_and_a_late_answer_counts_for_nothing(inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    start = time.time_ns()
    end = datetime.fromtimestamp(start // 10**9 + 60, timezone.utc).isoformat()
    for call in ("call_1", "call_2", "call_3"):
        inbox.put("c", REQUEST, call_id=call, host={"expires_at": end})
    call, walk = client(inbox)
    walk.answer(False)
    _, told = inbox.notice("c")
    monkeypatch.setattr(time, "time_ns", lambda: start + 61 * 10**9)
    # An answer that comes late finds it out, and so does the program, and a page that looks.
    assert inbox.respond("c", body(call, walk), "k").status == 409
    with pytest.raises(QuestionClosedError, match="expired"):
        inbox.answered("c", "call_2")
    state = json.loads(inbox.notice("c", told)[0])
    assert (state["type"], [one["how"] for one in state["closed"]]) == ("idle", ["expired"] * 3)
    assert inbox.respond("c", body(call, walk), "k").status == 409
    with pytest.raises(QuestionClosedError, match="expired"):
        inbox.answered("c", "call_1")


def test_an_answer_that_came_in_time_and_could_not_be_stored_counts_when_it_comes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = time.time_ns()

    def fails() -> None:
        raise OSError("The connection is lost.")

    def at(seconds: int) -> None:
        monkeypatch.setattr(time, "time_ns", lambda: start + seconds * 10**9)

    store = Paused(tmp_path / "questions.db")
    inbox = Inbox(store)
    end = datetime.fromtimestamp(start // 10**9 + 60, timezone.utc).isoformat()
    for call in ("call_1", "call_2"):
        inbox.put("c", REQUEST, call_id=call, host={"expires_at": end})
    at(50)
    for call in ("call_1", "call_2"):
        store.before = fails
        with pytest.raises(OSError):
            inbox.respond("c", json.dumps({"tool_call_id": call, "answers": {"apply": False}}), "k")
    at(80)
    assert inbox.answered("c", "call_1") is None
    assert inbox.respond("c", json.dumps({"tool_call_id": "call_1", "answers": {"apply": False}}), "k").status == 200
    assert inbox.answered("c", "call_1") is not None
    at(115)
    with pytest.raises(QuestionClosedError, match="expired"):
        inbox.answered("c", "call_2")


def test_a_plain_answer_that_comes_again_under_its_key_is_not_taken_for_the_next_question(inbox: Inbox) -> None:
    inbox.put("c", REQUEST, call_id="call_1")
    answer = json.dumps({"answers": {"apply": False}})
    assert inbox.respond("c", answer, "k").status == 200
    inbox.put("c", REQUEST, call_id="call_2")
    again = inbox.respond("c", answer, "k")
    assert (again.status, again.body) == (200, {"accepted": True, "again": True})
    assert inbox.answered("c", "call_2") is None
    # Another answer under the key, and one for another question, are not taken.
    assert inbox.respond("c", json.dumps({"answers": {"apply": True}}), "k").status == 409
    assert inbox.respond("c", json.dumps({"tool_call_id": "call_2", "answers": {"apply": False}}), "k").status == 409
    assert inbox.answered("c", "call_2") is None
    assert inbox.respond("c", answer, "l").status == 200


def test_whoever_asked_gets_what_came_too_late_as_a_draft(inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    start = time.time_ns()
    end = datetime.fromtimestamp(start // 10**9 + 60, timezone.utc).isoformat()
    inbox.put("c", {"questions": [{"id": "name", "text": "Which name?", "answer_type": "text"}]}, call_id="call_1", host={"expires_at": end})
    call, walk = client(inbox)
    walk.answer("Ada")
    monkeypatch.setattr(time, "time_ns", lambda: start + 61 * 10**9)
    assert inbox.respond("c", body(call, walk), "k").status == 409
    with pytest.raises(QuestionClosedError) as closed:
        inbox.answered("c", "call_1")
    assert (closed.value.how, closed.value.result) == ("expired", None)
    assert "Ada" in json.dumps(closed.value.drafts)
    inbox.put("c", REQUEST, call_id="call_2")
    inbox.close("c", "call_2")
    with pytest.raises(QuestionClosedError) as closed:
        inbox.answered("c", "call_2")
    assert (closed.value.how, closed.value.drafts) == ("overtaken", {})


def test_a_question_that_expires_wakes_the_program_that_waits(inbox: Inbox) -> None:
    interrupts = {"interrupts": [{"id": "i", "reason": "input", "message": "Name?", "expiresAt": datetime.fromtimestamp(time.time() + 0.2, timezone.utc).isoformat()}]}
    with pytest.raises(QuestionClosedError, match="expired"):
        asyncio.run(inbox.ask("c", interrupts, call_id="call_1", dialect="ag_ui"))


def test_what_was_closed_long_ago_is_forgotten_and_what_is_open_stays(inbox: Inbox) -> None:
    inbox.put("c", REQUEST, call_id="call_1")
    inbox.put("c", SECRET, call_id="call_2")
    inbox.close("c", "call_1")
    assert inbox.forget(60) == 0
    pause(0.02)
    assert inbox.forget(0.01) == 1
    assert [one["tool_call_id"] for one in due(inbox)["requests"]] == ["call_2"]


def test_a_question_that_the_host_answers_itself_is_never_put(inbox: Inbox) -> None:
    inbox.put("c", {"questions": [REQUEST["questions"][0]]}, call_id="call_1", host={"static_answers": {"apply": False}})
    assert due(inbox) == {"type": "idle"}
    assert inbox.answered("c", "call_1").result == {"apply": False}  # type: ignore[union-attr]


def test_the_person_who_ends_the_turn_stops_the_agent(inbox: Inbox) -> None:
    inbox.put("c", REQUEST, call_id="call_1")
    call, walk = client(inbox)
    walk.end_turn()
    assert inbox.respond("c", body(call, walk), "k").status == 200
    answer = inbox.answered("c", "call_1")
    assert answer is not None and answer.is_turn_ended


def test_whoever_waits_hears_of_an_answer_at_once_and_of_one_in_another_process_soon(store: Store) -> None:
    async def waits(inbox: Inbox, answers: Callable[[], object]) -> float:
        waiting = asyncio.ensure_future(inbox.ask("c", REQUEST, call_id=f"call_{id(answers)}"))
        await pauses(0.2)
        assert not waiting.done()
        began = time.monotonic()
        await asyncio.to_thread(answers)
        assert (await asyncio.wait_for(waiting, 20)).result == {"apply": False, "env": None}
        return time.monotonic() - began

    def answers(inbox: Inbox) -> Callable[[], object]:
        return lambda: inbox.respond("c", json.dumps({"answers": {"apply": False}}))

    slow = Inbox(store, poll=600)
    asyncio.run(waits(slow, answers(slow)))
    asyncio.run(waits(Inbox(store, poll=0.05), answers(Inbox(store))))


def test_a_task_that_is_cancelled_leaves_its_question_open(inbox: Inbox) -> None:
    async def cancelled() -> None:
        waiting = asyncio.ensure_future(inbox.ask("c", REQUEST, call_id="call_1"))
        await pauses(0.1)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(cancelled())
    assert len(due(inbox)["requests"]) == 1
    assert not inbox._waiters, "nobody waits any more"


@pytest.mark.parametrize("count", range(6))
def test_a_task_that_is_cancelled_together_with_a_change_ends(inbox: Inbox, count: int) -> None:
    async def cancelled(inbox: Inbox) -> None:
        waiting = asyncio.ensure_future(inbox.ask("c", REQUEST, call_id="call_1"))
        await pauses(0.1)
        await asyncio.to_thread(inbox.put, "c", REQUEST, call_id=f"other_{count}")
        await ticks(count)
        waiting.cancel()
        done, _ = await asyncio.wait([waiting], timeout=0.04)
        assert done and waiting.cancelled()

    asyncio.run(cancelled(Inbox(inbox._store, poll=60)))


def test_a_stream_tells_each_state_once(inbox: Inbox) -> None:
    watching = inbox.watch("c")
    assert json.loads(next(watching) or "")["type"] == "idle"
    assert next(watching) is None
    inbox.put("c", REQUEST, call_id="call_1")
    assert json.loads(next(watching) or "")["type"] == "awaiting_user_response"
    inbox.respond("c", json.dumps({"answers": {"apply": False}}), "k")
    state = json.loads(next(watching) or "")
    assert state == {"type": "idle", "closed": [{"tool_call_id": "call_1", "how": "answered", "key": "k"}]}


def test_a_request_keeps_its_digits_keys_and_lines_on_the_way_to_the_page(inbox: Inbox) -> None:
    text = '{\n "questions": [\r\n  {"id": "n", "text": "a\\nb", "answer_type": "schema", "schema": {"type": "integer", "maximum": 123456789012345678901234567890}}]}'
    inbox.put("c", text, call_id="call_1")
    told = inbox.notice("c")[0]
    assert "\n" not in told and "\r" not in told and "123456789012345678901234567890" in told
    assert Form.read(due(inbox)["requests"][0]["request"]).questions == Form.read(text).questions


def _answers_and_dies(path: str, dies: str) -> None:
    """A process that answers, and is killed just before or just after the answer is stored."""

    class Dying(SqliteStore):
        def replace(self, entry: Entry) -> bool:
            if dies == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            super().replace(entry)
            os.kill(os.getpid(), signal.SIGKILL)
            return True

    Inbox(Dying(path)).respond("c", json.dumps({"answers": {"apply": False}, "tool_call_id": "call_1"}), "k")


@pytest.mark.parametrize("dies", ["before", "after"])
def test_an_answer_counts_once_though_the_process_that_takes_it_is_killed(tmp_path: Path, dies: str) -> None:
    path = tmp_path / "questions.db"
    inbox = Inbox(SqliteStore(path))
    inbox.put("c", REQUEST, call_id="call_1")
    process = multiprocessing.get_context("spawn").Process(target=_answers_and_dies, args=(str(path), dies))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert (inbox.answered("c", "call_1") is not None) == (dies == "after")
    # The page heard nothing, and sends it again.
    reply = inbox.respond("c", json.dumps({"answers": {"apply": False}, "tool_call_id": "call_1"}), "k")
    assert (reply.status, reply.body) == (200, {"accepted": True, "again": dies == "after"})
    assert inbox.answered("c", "call_1").result == {"apply": False, "env": None}  # type: ignore[union-attr]


def test_questions_that_the_version_before_has_stored_are_read(tmp_path: Path) -> None:
    """`tests/python/stored.json` was written by that version: an open question, one whose walk was saved, an answered one, one with a secret, and one that was closed."""
    store = SqliteStore(tmp_path / "questions.db")
    inbox = Inbox(store)
    stored = json.loads((Path(__file__).parent / "stored.json").read_text())
    for one in stored["entries"]:
        assert store.add(Entry("c", one["call_id"], 1, one["is_open"], one["data"]))
    assert [one["tool_call_id"] for one in due(inbox)["requests"]] == ["open", "saved"]
    answered = inbox.answered("c", "answered")
    assert answered is not None and (answered.result, answered.outcome["ends"]) == ({"apply": True, "env": "staging"}, "completed")
    with pytest.raises(QuestionClosedError):
        inbox.answered("c", "closed")
    secret = inbox.answered("c", "secret")
    assert secret is not None and secret.result == {"key": "[redacted]"}
    # The same answers again, and others.
    sent = stored["sent"]
    assert inbox.respond("c", json.dumps(sent["answered"]), "k").body == {"accepted": True, "again": True}
    assert inbox.respond("c", json.dumps(sent["answered"]), "other").status == 409
    # A page goes on from the walk that was saved.
    request = next(one for one in due(inbox)["requests"] if one["tool_call_id"] == "saved")
    walk = Walk.resume(Form.read(request["request"], request.get("dialect"), request["options"]), request["walk"])
    assert walk.step["question"]["id"] == "env"  # type: ignore[typeddict-item]
    walk.answer("production")
    assert inbox.respond("c", json.dumps({"tool_call_id": "saved", **walk.response}), "k2").status == 200
    assert inbox.close("c", "open") is True
    assert due(inbox) == {"type": "idle"}


def test_a_secret_in_the_agents_own_result_is_not_stored(tmp_path: Path) -> None:
    path = tmp_path / "questions.db"
    told: list[Any] = []
    inbox = Inbox(SqliteStore(path), on_secrets=lambda *one: told.append(one[3]))
    request = {"questions": [{"id": "token", "header": "Token", "question": "Which token?", "isSecret": True, "options": None}]}
    inbox.put("c", request, call_id="call_1", dialect="codex")
    assert inbox.respond("c", json.dumps({"answers": {"token": "hunter2-hunter2"}})).status == 200
    answer = inbox.answered("c", "call_1")
    assert answer is not None and answer.result == {"answers": {"token": {"answers": ["hunter2-hunter2"]}}}
    assert told == [{"token": "hunter2-hunter2"}]
    assert all(b"hunter2" not in file.read_bytes() for file in tmp_path.iterdir())
    other = Inbox(SqliteStore(path)).answered("c", "call_1")
    assert other is not None and other.result == {"answers": {"token": {"answers": ["[redacted]"]}}}


def test_a_question_whose_dialect_nobody_named_can_be_answered_as_it_was_read(inbox: Inbox) -> None:
    inbox.put("c", {"question": "Which?", "options": ["a", "b"], "answer_type": "select"}, call_id="call_1")
    assert "dialect" not in due(inbox)["requests"][0]
    assert inbox.respond("c", json.dumps({"answers": {"answer": "b"}})).status == 200


@pytest.mark.parametrize(
    "answers",
    ['{"n":12345678901234567890123}', '{"why":"\\ud83d"}', '{"n":' + "[" * 600 + "]" * 600 + "}"],
    ids=["a number of 23 digits", "half a character", "too deep"],
)
def test_answers_that_are_no_values_of_a_desk_are_refused(inbox: Inbox, answers: str) -> None:
    inbox.put("c", {"questions": [{"id": "n", "text": "Which?", "answer_type": "schema", "schema": {"type": "object"}}]}, call_id="call_1")
    reply = inbox.respond("c", f'{{"tool_call_id":"call_1","answers":{answers}}}')
    assert reply.status in (400, 422), reply.text
    assert inbox.save("c", '{"tool_call_id":"call_1","walk":' + "[" * 130 + "]" * 130 + "}").status in (400, 422)
    assert inbox.answered("c", "call_1") is None


def test_a_stored_question_that_cannot_be_read_any_more_can_be_closed_and_stands_in_nobodys_way(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "questions.db")
    inbox = Inbox(store)
    old = json.loads((Path(__file__).parent / "stored.json").read_text())["entries"]
    data = json.loads(next(one for one in old if one["call_id"] == "answered")["data"])
    data["host"]["an_option_that_is_gone"] = True
    assert store.add(Entry("c", "answered", 1, False, json.dumps(data)))
    assert store.add(Entry("c", "open", 1, True, json.dumps({**data, "closed": None, "answer": None, "given": None})))
    inbox.put("c", REQUEST, call_id="call_1")
    answered = inbox.answered("c", "answered")
    assert answered is not None and answered.result == {"apply": True, "env": "staging"}
    assert [one["tool_call_id"] for one in due(inbox)["requests"]] == ["open", "call_1"]
    assert inbox.respond("c", json.dumps({"tool_call_id": "open", "answers": {"apply": False}})).status == 500
    assert inbox.close("c", "open") is True
    assert [one["tool_call_id"] for one in due(inbox)["requests"]] == ["call_1"]


def test_what_is_typed_after_the_first_save_is_kept(inbox: Inbox) -> None:
    inbox.put("c", REQUEST, call_id="call_1")
    saved: Any = Walk(Form.read(REQUEST, None, json.loads(inbox.notice("c")[0])["requests"][0]["options"])).save()
    tag = None
    for text in ("a", "ab", "abc"):
        reply = inbox.save("c", json.dumps({"tool_call_id": "call_1", "walk": {**saved, "typed": {"env.note": text}}}), tag)
        assert reply.status == 204 and reply.headers["ETag"] != tag
        tag = reply.headers["ETag"]
        assert due(inbox)["requests"][0]["walk"]["typed"] == {"env.note": text}
        assert due(inbox)["requests"][0]["version"] == tag
