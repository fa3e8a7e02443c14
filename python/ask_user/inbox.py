"""Questions that wait for a person, and their answers, in a store: the host's side of the element's protocol.

An `Inbox` puts questions to people and keeps what they answer. `ask_user.fastapi` and `ask_user.starlette` serve it over HTTP; its methods also work in any
other framework, since none of them needs a running event loop except those that are `async`. Every question is stored before anybody sees it, and every
answer before it is acknowledged: a process that is killed in between loses nothing, and the next `ask` of the same call returns the stored answer.

Secrets are never stored. They are passed to `on_secrets` before the answer is stored, and to whoever waits for the answer in the same process.
Each answer has an id, so that the secrets of an answer that was not stored are never taken for those of another one.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import math
import os
import threading
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Literal, Protocol, TypeGuard, cast

from ._errors import AskUserError, RefusalError
from ._fork import begin
from ._native import Form, Walk
from ._types import Dialect, Host, Outcome, Record, Turn

How = Literal["answered", "declined", "turn_ended", "overtaken"]
"""How a question was closed. `overtaken`: `Inbox.close` was called before anybody answered."""

LARGEST_BODY = 8 * 1024 * 1024
"""The largest body of a request, in bytes."""

_HOW: dict[str, How] = {"completed": "answered", "failed": "answered", "replied": "declined", "turn_ended": "turn_ended"}
_TRIES = 50
# Of how many answers a process remembers the secrets.
_KEPT = 10_000


class QuestionClosedError(AskUserError):
    """The question was closed before anybody answered it."""


class OtherQuestionError(AskUserError, ValueError):
    """The call has been used for another question. Give each question a call id of its own."""


@dataclass(frozen=True)
class Entry:
    """A question as a store has it."""

    conversation: str
    call_id: str
    version: int
    """Counts the changes, from 1."""
    is_open: bool
    data: str
    """Everything else, as JSON text."""


class Store(Protocol):
    """What an `Inbox` needs of a database. Each method is one transaction, and may be called from several threads and processes."""

    def add(self, entry: Entry) -> bool:
        """Stores a new question. False, and no change, if the call is there already."""

    def get(self, conversation: str, call_id: str) -> Entry | None:
        """One question."""

    def replace(self, entry: Entry) -> bool:
        """Stores `entry` if the stored version is the one before `entry.version`. False, and no change, if it is another."""

    def waiting(self, conversation: str) -> list[Entry]:
        """The open questions of a conversation, the oldest first."""

    def forget(self, seconds: float) -> int:
        """Deletes the questions that were closed so many seconds ago or earlier, and returns how many."""


@dataclass(frozen=True)
class Answer:
    """How a question ended."""

    outcome: Outcome
    records: list[Record]
    """The audit trail."""
    turn: Turn
    """What the next question of the same turn begins with: the option `turn` of its host."""
    id: str = ""
    """The id under which `on_secrets` received the secrets of this answer. Empty if no person answered."""

    @property
    def result(self) -> Any:
        """The result for the agent, in its own format. None if the person ended the turn and the dialect has no result for that."""
        return self.outcome.get("result")

    @property
    def is_turn_ended(self) -> bool:
        """Whether the person ended the turn: the agent must stop."""
        return self.outcome["ends"] == "turn_ended"


@dataclass(frozen=True)
class Reply:
    """What to send back to the page: a status, a JSON body (none for the status 204), and headers."""

    status: int
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The body as JSON text."""
        return "" if self.body is None else json.dumps(self.body)


@dataclass(frozen=True)
class _Question:
    """What `Entry.data` contains."""

    request: str
    dialect: Dialect
    host: Host
    walk: dict[str, Any] | None = None
    closed: dict[str, Any] | None = None
    answer: dict[str, Any] | None = None
    given: str | None = None

    @classmethod
    def of(cls, entry: Entry) -> _Question:
        return cls(**json.loads(entry.data))

    def put_into(self, entry: Entry) -> Entry:
        """The next version of an entry, with this content."""
        return replace(entry, version=entry.version + 1, is_open=self.closed is None, data=json.dumps(self.__dict__))

    def form(self) -> Form:
        return Form.read(self.request, self.dialect, self.host)


class Inbox:
    """Puts questions to people and keeps their answers. Its methods can be called from several threads at once."""

    def __init__(
        self,
        store: Store,
        *,
        on_secrets: Callable[[str, str, str, dict[str, str]], None] | None = None,
        key: bytes | None = None,
        poll: float = 1.0,
    ) -> None:
        """- `on_secrets(conversation, call_id, answer_id, secrets)` receives the secrets of an answer before the answer is stored. Keep them under `answer_id`: it is the `id` of
          the `Answer`. If it raises, nothing is stored and the page tries again. It can also be called for an answer that is not stored in the end, because
          another one was faster or the store failed; no `Answer` has that id.
        - `key` is a random text of 32 bytes or more that is not in the database, the same for all processes. With it, every process recognises an answer that comes again with
          another secret, and refuses it; a digest of the secrets under this key is stored for that. Without it, only the process that took the answer does.
        - `poll` is how often, in seconds, the store is asked for what another process has changed."""
        if key is not None and len(key) < 32:
            raise ValueError("The key has fewer than 32 bytes. Make one with secrets.token_bytes(32).")
        self._store = store
        self._on_secrets = on_secrets
        self._poll = poll
        self._key = key
        self._salt = os.urandom(32)
        begin(self)
        # Of the latest answers that this process read, by their ids: secrets are in no store. An answer that was not stored has an id that nobody asks for.
        self._taken: dict[str, tuple[dict[str, str], str]] = {}

    def _begin(self) -> None:
        """Begins without anybody who waits, and with a lock that nobody holds."""
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._count = 0
        # Who waits for changes, by conversation.
        self._waiters: dict[str, set[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = {}

    # The agent's side.

    def put(
        self,
        conversation: str,
        request: Any,
        *,
        call_id: str,
        dialect: Dialect | None = None,
        host: Host | None = None,
    ) -> None:
        """Puts a question to the person. Nothing happens if the same call has put the same request before.

        Raises `RejectionError` if the request is not a form: give its `tool_result` to the model. Raises `OtherQuestionError` if the call has put another request, and
        `ValueError` if the conversation or the call has an impossible name: it must not be empty, and must not contain U+0000 or half of a surrogate pair.
        The options `secret_answers`, `target` and `targets` are not possible here, nor are `static_answers` to secret questions: a store has no secrets, and an inbox asks no assistant."""
        for name, text in (("conversation", conversation), ("call_id", call_id)):
            if not _is_name(text):
                raise ValueError(f"{name} must be a text that is not empty, without U+0000 and without half of a surrogate pair.")
        if call_id.startswith(_WORDS):
            raise ValueError(f"call_id must not begin with {_WORDS!r}: an inbox keeps the words of Replies under such names.")
        options: Host = {**(host or {}), "tool_call_id": call_id}
        for name in ("secret_answers", "target", "targets", "tool_call_id", "nonce"):
            if name in (host or {}):
                raise ValueError(f"An inbox sets or does not support the option {name!r}. Leave it out.")
        options["nonce"] = uuid.uuid4().hex
        form = Form.read(request, dialect, options)
        known = options.get("static_answers", {})
        for one in form.questions:
            if one["type"] == "secret" and one["id"] in known:
                raise ValueError(f"The question {one['id']!r} is secret, and an inbox stores no secrets. Leave its answer out of static_answers.")
        if isinstance(request, (bytes, bytearray, memoryview)):
            request = bytes(request).decode()
        text = request if isinstance(request, str) else _text(request)
        # Newlines in JSON text are white space; in an event stream they would end a line.
        text = text.replace("\r", " ").replace("\n", " ")
        question = _Question(text, form.dialect, options)
        walk = Walk(form)
        if walk.is_over:
            question = replace(question, **_ended(walk, None))
        entry = Entry(conversation, call_id, 1, question.closed is None, json.dumps(question.__dict__))
        if self._store.add(entry):
            self._tell(conversation)
            return
        there = self._store.get(conversation, call_id)
        if there is not None and not _is_same(_Question.of(there).request, text):
            message = f"The call {call_id!r} of this conversation has put another question. Give each question a call id of its own."
            raise OtherQuestionError({"message": message})

    def answered(self, conversation: str, call_id: str) -> Answer | None:
        """The answer, or None while the question is open. Raises `QuestionClosedError` if it was closed without an answer, and `KeyError` if there is no such question."""
        entry = self._store.get(conversation, call_id) if _is_name(conversation) and _is_name(call_id) else None
        if entry is None:
            raise KeyError(call_id)
        question = _Question.of(entry)
        if question.closed is None:
            return None
        if question.answer is None:
            raise QuestionClosedError({"message": f"The question {call_id!r} was closed before anybody answered it."})
        answer = question.answer
        name = answer.get("id", "")
        secrets, _ = self._taken.get(name, ({}, ""))
        outcome: Any = {**answer["outcome"], "secrets": dict(secrets)} if secrets else answer["outcome"]
        return Answer(outcome, answer["records"], answer["turn"], name)

    async def ask(
        self,
        conversation: str,
        request: Any,
        *,
        call_id: str,
        dialect: Dialect | None = None,
        host: Host | None = None,
    ) -> Answer:
        """Puts a question and waits for its answer, however long that takes. If the task is cancelled, the question stays open: ask again with the same call, after a restart too."""
        await asyncio.to_thread(self.put, conversation, request, call_id=call_id, dialect=dialect, host=host)
        return await self.answer(conversation, call_id)

    async def answer(self, conversation: str, call_id: str) -> Answer:
        """Waits for the answer to a question that was put. Raises as `answered` does."""
        async for _ in self._changes(conversation):
            answer = await asyncio.to_thread(self.answered, conversation, call_id)
            if answer is not None:
                return answer
        raise AssertionError("changes never end")

    def close(self, conversation: str, call_id: str) -> bool:
        """Closes a question that is not needed any more. False if it was closed already, or if there is no such question. Raises `AskUserError` if others change the question
        all the time: it is open then."""

        def closes(question: _Question) -> _Question | bool:
            return False if question.closed else replace(question, closed={"how": "overtaken"}, walk=None)

        closed = self._change(conversation, call_id, closes)
        if isinstance(closed, Reply):
            raise AskUserError({"message": "The question was not closed, because others change it all the time. Try again."})
        return closed is True

    def forget(self, seconds: float) -> int:
        """Deletes the questions that were closed so many seconds ago or earlier, and returns how many. A page that sends one of their answers again then hears that there is no such question."""
        return self._store.forget(seconds)

    # The page's side.

    def respond(self, conversation: str, body: bytes | str, key: str | None = None) -> Reply:
        """Takes what a page posts to `respond-url` or `cancel-url`. `key` is the header `Idempotency-Key`."""
        message = _message(body)
        if isinstance(message, Reply):
            return message
        if not _is_name(conversation):
            return _fault(404, "no_question", "There is no such question.")
        text = body if isinstance(body, str) else body.decode()
        call_id = message.get("tool_call_id")
        plain = message.get("answers")
        if call_id is None and plain is not None:
            waiting = self._waiting(conversation)
            if len(waiting) != 1:
                return _fault(409, "nothing_open", "No question is open, or several are. Name one with \"tool_call_id\".")
            call_id = waiting[0].call_id
        if not _is_name(call_id) or call_id.startswith(_WORDS):
            return _fault(422, "bad_request", '"tool_call_id" is missing or cannot be the name of a call.')
        if "rejected" in message:
            return _fault(422, "not_rejected", "This host has read the request as a form. Reload the page, and answer there.")
        if plain is not None and (not isinstance(plain, dict) or "walk" in message):
            return _fault(422, "bad_request", '"answers" must be an object of answers by question, without "walk".')
        key = key or f"{call_id} {'answers' if plain is not None else ''}"

        def takes(question: _Question) -> _Question | Reply:
            is_closed = question.closed is not None
            try:
                walk = Walk(question.form())
                if plain is None:
                    walk = walk.continued(text)
                else:
                    walk.answers(plain)
            except AskUserError as error:
                return _conflict() if is_closed else _unfit(error)
            outcome = walk.outcome
            if outcome is None:
                return _conflict() if is_closed else _incomplete(walk)
            saved: Any = walk.save()
            given = _digest([key, saved["log"]])
            secrets: dict[str, str] = dict(outcome.get("secrets", {}))
            digest = hmac.new(self._key or self._salt, _text([question.host.get("nonce"), secrets]).encode(), "sha256").hexdigest()
            if is_closed:
                is_same = question.given == given and self._is_taken(question, digest)
                return Reply(200, {"accepted": True, "again": True}) if is_same else _conflict()
            name = uuid.uuid4().hex
            if secrets:
                if self._on_secrets:
                    self._on_secrets(conversation, call_id, name, dict(secrets))
                # Before it is stored, since whoever waits looks here as soon as it is.
                with self._lock:
                    self._taken[name] = (secrets, digest)
                    while len(self._taken) > _KEPT:
                        del self._taken[next(iter(self._taken))]
            ended = _ended(walk, key)
            ended["answer"]["id"] = name
            if secrets and self._key:
                ended["answer"]["digest"] = digest
            return replace(question, given=given, **ended)

        changed = self._change(conversation, call_id, takes)
        if changed is True:
            return Reply(200, {"accepted": True, "again": False})
        if changed is None:
            return _fault(404, "no_question", "There is no such question.")
        return changed if isinstance(changed, Reply) else _busy()

    def save(self, conversation: str, body: bytes | str, if_match: str | None = None) -> Reply:
        """Takes what a page sends to `save-url`. `if_match` is the header `If-Match`. The reply has the header `ETag`."""
        message = _message(body)
        if isinstance(message, Reply):
            return message
        call_id, saved = message.get("tool_call_id"), message.get("walk")
        if not _is_name(conversation):
            return _fault(404, "no_question", "There is no such question.")
        if not _is_name(call_id) or call_id.startswith(_WORDS):
            return _fault(422, "bad_request", '"tool_call_id" is missing or cannot be the name of a call.')

        def keeps(question: _Question) -> _Question | Reply:
            if question.closed is not None:
                return _fault(409, "closed", "This question has been closed.")
            version = _version(question.walk)
            names = [one.strip() for one in if_match.split(",")] if if_match is not None else []
            if if_match is not None and if_match.strip() != "*" and version not in names:
                words = "The answers were changed in another tab or on another device."
                return Reply(412, {"error": "behind", "message": words, "walk": question.walk}, {"ETag": version})
            try:
                # A walk that was changed after it was saved is not kept.
                Walk(question.form()).continued({"walk": saved, "secrets": {}})
            except AskUserError as error:
                return _unfit(error)
            if if_match is None and _is_older(saved, question.walk):
                return Reply(204, None, {"ETag": version})
            return replace(question, walk=cast("dict[str, Any]", saved))

        changed = self._change(conversation, call_id, keeps, silently=True)
        if changed is True:
            # Of what this request has stored: another page may have saved since.
            return Reply(204, None, {"ETag": _version(saved)})
        if changed is None:
            return _fault(404, "no_question", "There is no such question.")
        return changed if isinstance(changed, Reply) else _busy()

    def notice(self, conversation: str, told: Sequence[str] = ()) -> tuple[str, list[str]]:
        """What is due now, as the data of a `state_change` event, and the calls that are due: pass them as `told` to the next call, so that the event also says how the
        questions that are not due any more were closed."""
        entries = self._waiting(conversation) if _is_name(conversation) else []
        due = [_due(entry, _Question.of(entry)) for entry in entries]
        calls = [entry.call_id for entry in entries]
        closed = [_closed(call_id, self._store.get(conversation, call_id)) for call_id in told if call_id not in calls]
        parts = ['"type":"awaiting_user_response","requests":[' + ",".join(due) + "]"] if due else ['"type":"idle"']
        if closed:
            parts.append(f'"closed":{_text(closed)}')
        return "{" + ",".join(parts) + "}", calls

    async def events(self, conversation: str) -> AsyncIterator[str]:
        """The data of each `state_change` event, as long as the caller reads on."""
        last, told = "", list[str]()
        async for _ in self._changes(conversation):
            text, told = await asyncio.to_thread(self.notice, conversation, told)
            if text != last:
                last = text
                yield text

    def watch(self, conversation: str, *, until: Callable[[], bool] = lambda: False) -> Iterator[str | None]:
        """The same for frameworks without an event loop. It yields None every `poll` seconds if nothing has changed: send a comment line then, to notice that the
        client is gone."""
        last, told = "", list[str]()
        while not until():
            with self._lock:
                count = self._count
            text, told = self.notice(conversation, told)
            yield text if text != last else None
            last = text
            with self._changed:
                self._changed.wait_for(lambda: self._count != count, timeout=self._poll)  # noqa: B023

    # What both sides share.

    def _waiting(self, conversation: str) -> list[Entry]:
        """The open questions, the oldest first."""
        return [entry for entry in self._store.waiting(conversation) if not entry.call_id.startswith(_WORDS)]

    def _change(
        self,
        conversation: str,
        call_id: str,
        change: Callable[[_Question], _Question | Reply | bool],
        *,
        silently: bool = False,
    ) -> Reply | bool | None:
        """Changes a question, as often as it takes to be the only one who does. True if it is stored, None if there is no such question, or what `change` returned in place of a question."""
        for attempt in range(_TRIES):
            entry = self._store.get(conversation, call_id)
            if entry is None:
                return None
            question = change(_Question.of(entry))
            if not isinstance(question, _Question):
                return question
            if self._store.replace(question.put_into(entry)):
                if not silently:
                    self._tell(conversation)
                return True
            time.sleep(0.002 * attempt)
        return _busy()

    def _is_taken(self, question: _Question, digest: str) -> bool:
        """Whether the secrets of the answer that was stored have this digest. Of an answer that another process took without a key, nobody knows."""
        answer = question.answer or {}
        known = (self._key and answer.get("digest")) or self._taken.get(answer.get("id", ""), ({}, digest))[1]
        return hmac.compare_digest(known, digest)

    def _tell(self, conversation: str) -> None:
        """Wakes whoever waits in this process for changes of a conversation."""
        with self._changed:
            self._count += 1
            self._changed.notify_all()
            for loop, event in self._waiters.get(conversation, ()):
                try:
                    loop.call_soon_threadsafe(event.set)
                except RuntimeError:  # The loop is closed, and nobody waits in it.
                    pass

    async def _changes(self, conversation: str) -> AsyncIterator[None]:
        """Yields at once, after each change in this process, and every `poll` seconds."""
        event, loop = asyncio.Event(), asyncio.get_running_loop()
        waiter = (loop, event)
        with self._lock:
            self._waiters.setdefault(conversation, set()).add(waiter)
        try:
            while True:
                event.clear()
                yield
                # Before Python 3.12, wait_for swallows a cancellation that comes together with the event.
                waking = loop.call_later(self._poll, event.set)
                try:
                    await event.wait()
                finally:
                    waking.cancel()
        finally:
            with self._lock:
                waiters = self._waiters[conversation]
                waiters.discard(waiter)
                if not waiters:
                    del self._waiters[conversation]


class KeptWords:
    """The words of Replies that an agent has still to receive as a message, in the store of an inbox: by question, in the order in which they were added. A process that is
    killed between the result and the message finds them again."""

    def __init__(self, inbox: Inbox, conversation: str, agent: str) -> None:
        """`agent` tells the agents of one conversation apart."""
        self._inbox = inbox
        self._conversation = conversation
        self._call = f"{_WORDS} {agent}"

    def all(self) -> dict[str, str]:
        """All of them."""
        entry = self._inbox._store.get(self._conversation, self._call)
        return {} if entry is None else cast("dict[str, str]", json.loads(_Question.of(entry).request))

    def add(self, calls: Iterable[str]) -> None:
        """Adds the words of those questions that were answered by a Reply and whose host delivers words as messages."""
        found = ((call, self._reply(call)) for call in calls)
        words = {call: reply for call, reply in found if reply}
        if not words.keys() <= self.all().keys():
            self._set(lambda kept: {**kept, **{call: text for call, text in words.items() if call not in kept}})

    def drop(self, calls: Iterable[str]) -> None:
        """Drops the words that were received."""
        received = set(calls)
        if received & self.all().keys():
            self._set(lambda kept: {call: text for call, text in kept.items() if call not in received})

    def _reply(self, call: str) -> str | None:
        entry = self._inbox._store.get(self._conversation, call)
        question = None if entry is None else _Question.of(entry)
        if question is None or question.answer is None or question.host.get("replies") != "message":
            return None
        return cast("str | None", question.answer["outcome"].get("reply"))

    def _set(self, change: Callable[[dict[str, str]], dict[str, str]]) -> None:
        question = _Question("{}", "detect", {})
        self._inbox._store.add(Entry(self._conversation, self._call, 1, True, json.dumps(question.__dict__)))

        def changes(question: _Question) -> _Question:
            words = change(json.loads(question.request))
            # While there are some, it is open, so that nothing forgets it.
            return replace(question, request=_text(words), closed=None if words else {"how": "overtaken"})

        if self._inbox._change(self._conversation, self._call, changes, silently=True) is not True:
            raise AskUserError({"message": "The words of a Reply were not stored, because others change them all the time. Try again."})


_WORDS = "the words of replies to"
"""The beginning of the names under which words are kept."""


def _ended(walk: Walk, key: str | None) -> dict[str, Any]:
    """What is stored of a walk that has ended: everything but its secrets."""
    outcome = cast("dict[str, Any]", walk.outcome)
    kept = {name: value for name, value in outcome.items() if name != "secrets"}
    answer = {"outcome": kept, "records": walk.records, "turn": walk.turn}
    return {"closed": {"how": _HOW[outcome["ends"]], "key": key}, "answer": answer, "walk": None}


def _message(body: bytes | str) -> dict[str, Any] | Reply:
    """The body of a request as JSON."""
    if len(body) > LARGEST_BODY:
        return _fault(413, "too_large", f"The body is larger than {LARGEST_BODY} bytes.")
    try:
        message = json.loads(body if isinstance(body, str) else body.decode(), parse_constant=_refuse, parse_float=_exact)
    except _LosesDigitsError as error:
        return _fault(422, "bad_request", f"The number {str(error)[:60]} cannot be read without losing digits. Send it as a string, or send a walk.")
    except (ValueError, RecursionError):
        return _fault(400, "unreadable", "The body is not JSON.")
    return message if isinstance(message, dict) else _fault(422, "bad_request", "The body must be a JSON object.")


def _is_name(text: Any) -> TypeGuard[str]:
    """Whether a text can name a conversation or a call: not empty, and without what a database cannot store."""
    return isinstance(text, str) and bool(text) and not any(char == "\0" or "\ud800" <= char <= "\udfff" for char in text)


def _is_same(one: str, other: str) -> bool:
    """Whether two requests are the same but for white space and the order of keys."""
    return one == other or _sorted(one) == _sorted(other)


def _sorted(text: str) -> str:
    # Numbers stay as they were written.
    numbers: dict[str, Any] = dict.fromkeys(("parse_int", "parse_float"), lambda digits: {"\0": digits})
    try:
        return json.dumps(json.loads(text, **numbers), sort_keys=True)
    except (ValueError, RecursionError):
        return text


class _LosesDigitsError(ValueError):
    """A number in JSON text that a float does not keep."""


def _exact(text: str) -> float:
    number = float(text)
    try:
        if not math.isinf(number) and Decimal(repr(number)) == Decimal(text):
            return number
    except ArithmeticError:
        pass
    raise _LosesDigitsError(text)


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _due(entry: Entry, question: _Question) -> str:
    """A question that is due, as JSON text. The request stays as it was written."""
    more = {"dialect": question.dialect, "options": question.host, "walk": question.walk, "version": _version(question.walk)}
    more = {name: value for name, value in more.items() if value is not None}
    return f'{{"tool_call_id":{_text(entry.call_id)},"request":{question.request},{_text(more)[1:]}'


def _closed(call_id: str, entry: Entry | None) -> dict[str, Any]:
    how = _Question.of(entry).closed if entry else None
    return {"tool_call_id": call_id, **(how or {"how": "overtaken"})}


def _version(walk: Any) -> str:
    """The version of a saved walk, as an ETag."""
    return f'"{_digest(walk)[:16]}"'


def _is_older(saved: Any, kept: dict[str, Any] | None) -> bool:
    """Whether a saved walk is an earlier version of another one: nothing leaves the log of a walk."""
    if kept is None:
        return False
    log: list[Any] = saved["log"]
    return len(log) < len(kept["log"]) and kept["log"][: len(log)] == log


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _digest(value: Any) -> str:
    return hashlib.sha256(_text(value).encode()).hexdigest()


def _fault(status: int, error: str, message: str, problems: Any = ()) -> Reply:
    return Reply(status, {"error": error, "message": message, "problems": list(problems)})


def _conflict() -> Reply:
    return _fault(409, "answered_differently", "Another answer to this question was accepted, or the question was closed. This answer does not count.")


def _busy() -> Reply:
    return Reply(503, {"error": "busy", "message": "The host could not store this. Nothing was changed; try again."}, {"Retry-After": "1"})


def _incomplete(walk: Walk) -> Reply:
    step = walk.step
    words = "The answers were not submitted on the review." if step["state"] == "review" else "Not every question is answered."
    return _fault(422, "incomplete", words)


def _unfit(error: AskUserError) -> Reply:
    """The reply to answers that do not fit."""
    code = getattr(error, "code", "unfit")
    if isinstance(error, RefusalError):
        return _fault(422, code, str(error), error.refused)
    return _fault(422, code, str(error), [{"code": code, "message": str(error), "question": None}])
