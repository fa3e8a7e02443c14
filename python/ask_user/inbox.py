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
from typing import Any, Protocol, TypeGuard, TypeVar, cast

from ._desk import Closing, DeskInput, DeskReply, Handing
from ._errors import AskUserError
from ._fork import begin
from ._native import Desk
from ._types import Dialect, Host, Outcome, Record, Turn

How = Closing
"""How a question was closed. `overtaken`: `Inbox.close` was called before anybody answered."""
_T = TypeVar("_T")

LARGEST_BODY = 8 * 1024 * 1024
"""The largest body of a request, in bytes."""
MOST_VALUES = 250_000
"""The most values of a body: more than the answers to any form."""

_TRIES = 50
# How long an answer that could not be stored may come again, in milliseconds, and for how many questions that is known.
_AGAIN, _MISSED = 60_000, 10_000
# Of how many answers a process remembers the secrets.
_KEPT = 10_000
# Who says that a question has expired waits for no reply.
_NO_REPLY: DeskReply = {"code": "not_open", "status": 409, "message": "", "problems": []}


class QuestionClosedError(AskUserError):
    """The question was closed before anybody answered it, or has expired."""

    @property
    def how(self) -> How:
        """How it was closed."""
        how: How = self._data["how"]
        return how

    @property
    def result(self) -> Any:
        """What the agent's protocol has for a question that has expired; None if it has nothing."""
        return self._data["result"]

    @property
    def drafts(self) -> dict[str, Any]:
        """What the person had entered, as `Walk.drafts`. Begin another question with it: the option `drafts`."""
        drafts: dict[str, Any] = self._data["drafts"]
        return drafts

    @property
    def late(self) -> str | None:
        """What the person had answered when the time was over, as a message that may be given to the agent: it is no answer. None if they had answered nothing."""
        late: str | None = self._data["late"]
        return late


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


@dataclass
class _Question:
    """What `Entry.data` contains. The desk decides; the rest is the inbox's own. What was stored is read without the desk, which takes long for large forms."""

    desk: Desk
    answer_id: str = ""
    """The id of the answer, by which its secrets are kept elsewhere."""

    @classmethod
    def of(cls, entry: Entry) -> _Question:
        stored, answer_id = _stored(entry)
        return cls(Desk.from_json(stored), answer_id)

    @property
    def data(self) -> str:
        return json.dumps({"desk": self.desk.to_json(), "answer_id": self.answer_id})


def _stored(entry: Entry) -> tuple[dict[str, Any], str]:
    """A desk as it is stored, and the id of its answer."""
    data = json.loads(entry.data)
    if "desk" in data:
        return data["desk"], data["answer_id"]
    return _of_before(entry.call_id, data), (data.get("answer") or {}).get("id", "")


def _of_before(call_id: str, data: dict[str, Any]) -> dict[str, Any]:
    """The desk of a question that an earlier version has stored."""
    host, closed, answer = data["host"], data["closed"], data["answer"]
    desk: dict[str, Any] = {"ask_user_desk": 1, "call": call_id, "request": data["request"], "dialect": data["dialect"], "options": host}
    if data["walk"] is not None:
        desk["kept"] = data["walk"]
    if closed is not None:
        key = closed.get("key")
        desk["closed"] = {"how": closed["how"], "handed": True}
        if answer is not None:
            result = answer["outcome"].get("result")
            hand = {"key": key or "", "outcome": answer["outcome"], "result": None if result is None else json.dumps(result), "records": answer["records"], "turn": answer["turn"], "drafts": {}}
            desk["closed"]["hand"] = hand
        if answer is not None and key is not None:
            # What was sent is not known any more. The key of a page is another one for each ending, so the same key means the same answer.
            desk["closed"]["taken"] = {"key": key, "nonce": host.get("nonce"), "sent": None}
    return desk


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
        # Seals of this process are compared with no other's.
        self._sealer = "key" if key else uuid.uuid4().hex
        begin(self)
        # The latest answers with secrets that this process read, by their ids: secrets are in no store. An answer that was not stored has an id that nobody asks for.
        self._taken: dict[str, Handing] = {}
        # Where an answer could not be stored: when it came, and until when it may come again, in milliseconds since the beginning of 1970, and its key.
        self._missed: dict[tuple[str, str], tuple[int, int, str | None]] = {}

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
        if call_id.startswith(_OWN):
            raise ValueError(f"call_id must not begin with {_WORDS!r} or {_KEYS!r}: an inbox keeps the words of Replies and the keys of answers under such names.")
        options: Host = {**(host or {}), "tool_call_id": call_id}
        for name in ("secret_answers", "target", "targets", "tool_call_id", "nonce"):
            if name in (host or {}):
                raise ValueError(f"An inbox sets or does not support the option {name!r}. Leave it out.")
        options["nonce"] = uuid.uuid4().hex
        if isinstance(request, (bytes, bytearray, memoryview)):
            request = bytes(request).decode()
        question = _Question(Desk.ask(request, call_id=call_id, dialect=dialect, host=options))
        # What was answered without a person is handed over by `answered`.
        question.desk.on({"type": "handed"})
        if self._store.add(Entry(conversation, call_id, 1, question.desk.is_open, question.data)):
            self._tell(conversation)
            return
        there = self._store.get(conversation, call_id)
        if there is not None and _sorted(_stored(there)[0]["request"]) != _sorted(question.desk.to_json()["request"]):
            message = f"The call {call_id!r} of this conversation has put another question. Give each question a call id of its own."
            raise OtherQuestionError({"message": message})

    def answered(self, conversation: str, call_id: str) -> Answer | None:
        """The answer, or None while the question is open. Raises `QuestionClosedError` if it was closed without an answer, and `KeyError` if there is no such question."""
        entry = self._store.get(conversation, call_id) if _is_name(conversation) and _is_name(call_id) else None
        if entry is None:
            raise KeyError(call_id)
        stored, answer_id = _stored(entry)
        if self._expires(entry, stored):
            return self.answered(conversation, call_id)
        closed = stored.get("closed")
        if closed is None:
            return None
        answer = self._taken.get(answer_id) or closed.get("hand")
        if answer is None or closed["how"] == "expired":
            message = f"The question {call_id!r} was closed before anybody answered it ({closed['how']})."
            left = answer or {"result": None, "drafts": {}}
            result = None if left["result"] is None else json.loads(left["result"])
            raise QuestionClosedError({"message": message, "how": closed["how"], "result": result, "drafts": left["drafts"], "late": left.get("late")})
        outcome: Any = answer["outcome"] if answer_id in self._taken else {name: value for name, value in answer["outcome"].items() if name != "secrets"}
        return Answer(outcome, answer["records"], answer["turn"], answer_id)

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

        closed = self._change(conversation, call_id, lambda question, now: self._brings(question, {"type": "overtaken"}, now))
        if isinstance(closed, Reply):
            raise AskUserError({"message": "The question was not closed, because others change it all the time. Try again."})
        return closed is not None and closed["code"] == "taken"

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
        named = call_id = message.get("tool_call_id")
        plain, nonce = message.get("answers"), message.get("nonce")
        taken = None if key is None else self._call_of(conversation, key)
        if taken is not None and (named is None or _is_name(named)):
            # It is compared with the answer that was taken under its key, whichever question is open now.
            call_id = taken
        if call_id is None and plain is not None:
            waiting = self._waiting(conversation)
            if len(waiting) != 1:
                return _fault(409, "not_open", "No question is open, or several are. Name one with \"tool_call_id\".")
            call_id = waiting[0].call_id
        if not _is_name(call_id) or call_id.startswith(_OWN):
            return _fault(422, "bad_request", '"tool_call_id" is missing or cannot be the name of a call.')
        if plain is not None and (not isinstance(plain, dict) or "walk" in message):
            return _fault(422, "bad_request", '"answers" must be an object of answers by question, without "walk".')
        if plain is not None and not isinstance(nonce, str | None):
            return _fault(422, "bad_request", '"nonce" must be a string.')
        if "rejected" in message:
            sent: DeskInput = {"type": "rejected"}
        elif plain is not None:
            sent = {"type": "answered", "key": key, "answers": plain, "nonce": nonce, "tool_call_id": named}
        else:
            sent = {"type": "responded", "key": key, "response": message, "tool_call_id": named}
        at = self._clock(conversation, call_id)

        def bring(question: _Question, now: int) -> tuple[bool, DeskReply]:
            is_changed, came = self._brings(question, sent, now, (conversation, call_id))
            if is_changed and key is not None and came["code"] == "taken":
                # Before the answer is stored: what comes again under this key is for the same question.
                self._note(conversation, key, call_id)
            return is_changed, came

        try:
            reply = _reply(self._change(conversation, call_id, bring))
        except Exception:
            self._came(conversation, call_id, key, at, is_heard=False)
            raise
        self._came(conversation, call_id, key, at, is_heard=reply.status != 503)
        return reply

    def save(self, conversation: str, body: bytes | str, if_match: str | None = None) -> Reply:
        """Takes what a page sends to `save-url`. `if_match` is the header `If-Match`. The reply has the header `ETag`."""
        message = _message(body)
        if isinstance(message, Reply):
            return message
        call_id, saved = message.get("tool_call_id"), message.get("walk")
        if not _is_name(conversation):
            return _fault(404, "no_question", "There is no such question.")
        if not _is_name(call_id) or call_id.startswith(_OWN):
            return _fault(422, "bad_request", '"tool_call_id" is missing or cannot be the name of a call.')

        sent: DeskInput = {"type": "saved", "walk": saved, "replaces": if_match}
        return _reply(self._change(conversation, call_id, lambda question, now: self._brings(question, sent, now), silently=True))

    def notice(self, conversation: str, told: Sequence[str] = ()) -> tuple[str, list[str]]:
        """What is due now, as the data of a `state_change` event, and the calls that are due: pass them as `told` to the next call, so that the event also says how the
        questions that are not due any more were closed."""
        entries = self._waiting(conversation) if _is_name(conversation) else []
        due = [_due(entry) for entry in entries]
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

    def _call_of(self, conversation: str, key: str) -> str | None:
        """The call whose question has taken an answer under a key."""
        noted = self._store.get(conversation, _name_of(key))
        if noted is None:
            return None
        call_id: str = json.loads(noted.data)["call"]
        entry = self._store.get(conversation, call_id)
        # It may be noted of an answer that was not stored.
        closed = None if entry is None else _stored(entry)[0].get("closed")
        return call_id if closed and (closed.get("taken") or {}).get("key") == key else None

    def _note(self, conversation: str, key: str, call_id: str) -> None:
        """Notes which question takes an answer under a key."""
        name, data = _name_of(key), json.dumps({"call": call_id})
        there = self._store.get(conversation, name)
        if there is None:
            self._store.add(Entry(conversation, name, 1, False, data))
        elif there.data != data:
            self._store.replace(replace(there, version=there.version + 1, data=data))

    def _waiting(self, conversation: str) -> list[Entry]:
        """The open questions, the oldest first."""
        return [entry for entry in self._store.waiting(conversation) if not (entry.call_id.startswith(_WORDS) or self._expires(entry, _stored(entry)[0]))]

    def _expires(self, entry: Entry, stored: dict[str, Any]) -> bool:
        """Closes a question whose time is over. Whether it has done so."""
        if stored.get("closed") is not None or stored.get("expires", math.inf) > self._clock(entry.conversation, entry.call_id):
            return False

        def expire(question: _Question, now: int) -> tuple[bool, bool]:
            is_changed, _ = self._brings(question, {"type": "expired", "now": now}, now)
            return is_changed, not question.desk.is_open

        return self._change(entry.conversation, entry.call_id, expire) is True

    def _clock(self, conversation: str, call_id: str) -> int:
        """What time it is for a question, in milliseconds since the beginning of 1970. Where an answer could not be stored, it is the moment at which that came, for a minute."""
        now = _now()
        with self._lock:
            at, until, _ = self._missed.get((conversation, call_id), (now, 0, None))
        return at if now < until else now

    def _came(self, conversation: str, call_id: str, key: str | None, at: int, *, is_heard: bool) -> None:
        """Takes note of whether the store failed for an answer that came at a moment, under its key. If it did, the answer may come again."""
        name, now = (conversation, call_id), _now()
        with self._lock:
            _, until, of_key = self._missed.get(name, (0, 0, None))
            if is_heard and of_key == key:
                self._missed.pop(name, None)
            elif not is_heard and now >= until:
                self._missed[name] = (at, now + _AGAIN, key)
                while len(self._missed) > _MISSED:
                    del self._missed[next(iter(self._missed))]

    def _change(self, conversation: str, call_id: str, change: Callable[[_Question, int], tuple[bool, _T]], *, silently: bool = False) -> _T | Reply | None:
        """Changes a question, as often as it takes to be the only one who does. `change` gets what time it is, and says whether there is something to store, and what came of it. None if there is no such
        question, and a `Reply` if it was not stored."""
        for attempt in range(_TRIES):
            entry = self._store.get(conversation, call_id)
            if entry is None:
                return None
            question = _Question.of(entry)
            is_changed, came = change(question, self._clock(conversation, call_id))
            if not is_changed:
                return came
            if self._store.replace(replace(entry, version=entry.version + 1, is_open=question.desk.is_open, data=question.data)):
                if not silently:
                    self._tell(conversation)
                return came
            time.sleep(0.002 * attempt)
        return Reply(503, {"error": "busy", "message": "The host could not store this. Nothing was changed; try again."}, {"Retry-After": "1"})

    def _brings(self, question: _Question, sent: DeskInput, now: int, of: tuple[str, str] = ("", "")) -> tuple[bool, DeskReply]:
        """Brings an input to the desk of a question. Whether it has to be stored, and what the sender hears."""
        try:
            secrets = question.desk.secrets_in(sent)
        except AskUserError as error:
            # It is no JSON that a desk takes: too deep, half a character, a number with too many digits.
            problem: Any = {"question": None, "code": "bad_request", "message": str(error)}
            return False, {"code": "refused", "status": 422, "message": str(error), "problems": [problem]}
        if secrets is not None:
            digest = hmac.new(self._key or self._salt, secrets.encode(), "sha256").hexdigest()
            sent = {**sent, "seal": {"by": self._sealer, "digest": digest}}
        reaction = question.desk.on(sent, now=now)
        hand = reaction.get("hand")
        if hand:
            # Handing over is storing it: who waits looks there.
            question.desk.on({"type": "handed"})
            question.answer_id = uuid.uuid4().hex
            if hand["secrets"]:
                if self._on_secrets:
                    self._on_secrets(*of, question.answer_id, dict(hand["secrets"]))
                # Before it is stored, since whoever waits looks here as soon as it is.
                with self._lock:
                    self._taken[question.answer_id] = hand
                    while len(self._taken) > _KEPT:
                        del self._taken[next(iter(self._taken))]
        return reaction["store"], reaction.get("reply", _NO_REPLY)

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
        return {} if entry is None else cast("dict[str, str]", json.loads(entry.data)["words"])

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
        stored = None if entry is None else _stored(entry)[0]
        hand = ((stored or {}).get("closed") or {}).get("hand")
        if stored is None or hand is None or stored["options"].get("replies") != "message":
            return None
        return cast("str | None", hand["outcome"].get("reply"))

    def _set(self, change: Callable[[dict[str, str]], dict[str, str]]) -> None:
        for attempt in range(_TRIES):
            entry = self._inbox._store.get(self._conversation, self._call)
            words = change({} if entry is None else json.loads(entry.data)["words"])
            # While there are some, it is open, so that nothing forgets it.
            made = Entry(self._conversation, self._call, 1 if entry is None else entry.version + 1, bool(words), json.dumps({"words": words}))
            if self._inbox._store.add(made) if entry is None else self._inbox._store.replace(made):
                return
            time.sleep(0.002 * attempt)
        raise AskUserError({"message": "The words of a Reply were not stored, because others change them all the time. Try again."})


_WORDS = "the words of replies to"
"""The beginning of the names under which words are kept."""
_KEYS = "the answer under the key"
"""The beginning of the names under which it is kept which question has taken the answer under a key."""
_OWN = (_WORDS, _KEYS)


def _name_of(key: str) -> str:
    """Under which name it is kept which question has taken the answer under a key. A key may be of any length, and have any character."""
    return f"{_KEYS} {hashlib.sha256(key.encode(errors='surrogatepass')).hexdigest()}"


def _reply(reply: DeskReply | Reply | None) -> Reply:
    """What a page hears."""
    if reply is None:
        return _fault(404, "no_question", "There is no such question.")
    if isinstance(reply, Reply):
        return reply
    code, headers = reply["code"], {"ETag": reply["version"]} if "version" in reply else {}
    if code in ("taken", "taken_before"):
        return Reply(reply["status"], {"accepted": True, "again": code == "taken_before"}, headers)
    if code == "kept":
        return Reply(reply["status"], None, headers)
    body: dict[str, Any] = {"error": code, "message": reply["message"], "problems": reply["problems"]}
    return Reply(reply["status"], {**body, "walk": reply.get("walk")} if code == "behind" else body, headers)


def _message(body: bytes | str) -> dict[str, Any] | Reply:
    """The body of a request as JSON."""
    if len(body) > LARGEST_BODY:
        return _fault(413, "too_large", f"The body is larger than {LARGEST_BODY} bytes.")
    try:
        text = body if isinstance(body, str) else body.decode()
        # It is looked through before it is parsed. Every second part between quotes is a string.
        outside = "".join(text.replace("\\\\", "").replace('\\"', "").split('"')[::2])
        if sum(map(outside.count, ",[{")) > MOST_VALUES:
            return _fault(422, "bad_request", f"The body has more than {MOST_VALUES} values.")
        message = json.loads(text, parse_constant=_refuse, parse_float=_exact)
    except _LosesDigitsError as error:
        return _fault(422, "bad_request", f"The number {str(error)[:60]} cannot be read without losing digits. Send a walk, which has its numbers as text.")
    except (ValueError, RecursionError):
        return _fault(400, "unreadable", "The body is not JSON.")
    return message if isinstance(message, dict) else _fault(422, "bad_request", "The body must be a JSON object.")


def _is_name(text: Any) -> TypeGuard[str]:
    """Whether a text can name a conversation or a call: not empty, and without what a database cannot store."""
    return isinstance(text, str) and bool(text) and not any(char == "\0" or "\ud800" <= char <= "\udfff" for char in text)


def _sorted(request: str) -> str:
    """A request, whatever the order of its keys."""
    # Numbers stay as they were written.
    numbers: dict[str, Any] = dict.fromkeys(("parse_int", "parse_float"), lambda digits: {"\0": digits})
    return json.dumps(json.loads(request, **numbers), sort_keys=True)


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


def _due(entry: Entry) -> str:
    """A question that is due, as JSON text. The request stays as it was written."""
    stored, _ = _stored(entry)
    others = {"dialect": stored["dialect"], "options": stored["options"], "walk": stored.get("kept") or stored.get("handed_out"), "version": stored.get("version")}
    # A question whose dialect nobody named is read by its shape.
    others = {name: value for name, value in others.items() if value is not None and (name, value) != ("dialect", "detect")}
    return f'{{"tool_call_id":{_text(entry.call_id)},"request":{stored["request"]},{_text(others)[1:]}'


def _closed(call_id: str, entry: Entry | None) -> dict[str, Any]:
    closed = _stored(entry)[0].get("closed") if entry else None
    how, taken = (closed or {}).get("how", "overtaken"), (closed or {}).get("taken")
    return {"tool_call_id": call_id, "how": how, **({"key": taken["key"]} if taken else {})}


def _now() -> int:
    """What time it is, in milliseconds since the beginning of 1970."""
    return time.time_ns() // 1_000_000


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _fault(status: int, error: str, message: str, problems: Any = ()) -> Reply:
    return Reply(status, {"error": error, "message": message, "problems": list(problems)})
