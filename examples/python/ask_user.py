"""ask-user in Python: the component, run by wasmtime. Every value is plain Python; every fault is an exception."""

import json
import threading
import weakref
from pathlib import Path

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant

FORMS = "ask-user:core/forms@0.1.0"
CONVERSATIONS = "ask-user:core/conversations@0.1.0"


class RejectionError(Exception):
    """The request is not a form: give `tool_result` to the model."""

    def __init__(self, tool_result):
        super().__init__(tool_result["message"])
        self.tool_result = tool_result


class RefusalError(Exception):
    """An action was refused. The walk is unchanged."""

    def __init__(self, refusal):
        super().__init__(refusal.message)
        self.code = refusal.code
        self.details = json.loads(refusal.details) if refusal.details else None


class UnresumableError(Exception):
    """A saved walk could not be resumed."""

    def __init__(self, fault):
        super().__init__(fault.message)
        self.code = fault.code


class UnexpectedEventError(Exception):
    """An event cannot happen in this state. The conversation is unchanged."""

    def __init__(self, fault):
        super().__init__(fault.message)
        self.code = fault.code
        self.call_id = getattr(fault, "call-id")


class AskUser:
    """The component, loaded once. Several threads may use it; it does one thing at a time."""

    def __init__(self, path, memory=1 << 32):
        engine = Engine()
        self._store = Store(engine)
        # More memory than this is refused, and the component cannot be used any more.
        self._store.set_limits(memory_size=memory)
        # It imports nothing: there is nothing to link.
        self._instance = Linker(engine).instantiate(self._store, Component(engine, Path(path).read_bytes()))
        self._functions = {}
        self._lock = threading.Lock()
        # What Python has freed, and the component has not yet.
        self._freed = []

    def call(self, name, *arguments, interface=FORMS):
        """Calls a function of an interface, as it is in `wit/ask-user.wit`."""
        with self._lock:
            while self._freed:
                self._freed.pop().drop(self._store)
            if (interface, name) not in self._functions:
                index = self._instance.get_export_index(self._store, interface)
                index = self._instance.get_export_index(self._store, name, index)
                self._functions[interface, name] = self._instance.get_func(self._store, index)
            return self._functions[interface, name](self._store, *arguments)

    def open(self, request, dialect=None, **options):
        """Reads a request (a value, or JSON text) and begins to walk."""
        return Walk(self, _opened(self.call("open", _text(request), dialect, json.dumps(options))))

    def resume(self, request, saved, dialect=None, secrets=None, **options):
        """Resumes a saved walk, with the same request and options, and its secret answers if they are known."""
        known = None if secrets is None else json.dumps(secrets)
        return Walk(self, _opened(self.call("resume", _text(request), _text(saved), dialect, json.dumps(options), known)))

    def stream(self, dialect=None, **options):
        """Begins to read a request that is still being written."""
        return Reader(self, _opened(self.call("stream", dialect, json.dumps(options))))

    def conversation(self, attended=True):
        """An idle conversation. `attended` says whether a person can be asked."""
        return Conversation(self, self.call("[constructor]conversation", attended, interface=CONVERSATIONS))

    def stored_conversation(self, stored):
        """A conversation as it was stored. Raises ValueError if it is none."""
        read = self.call("[static]conversation.read", _text(stored), interface=CONVERSATIONS)
        return Conversation(self, _right(read))

    def detect_dialect(self, request, **options):
        """The name of the dialect whose shape a request has."""
        return _opened(self.call("detect-dialect", _text(request), json.dumps(options)))

    def tool_definitions(self, dialect, sub_agent=False):
        """The definitions of a dialect's tools, for a model; none for an agent without a user."""
        return json.loads(self.call("tool-definitions", dialect, sub_agent))

    def dialects(self):
        """The names of all dialects."""
        return self.call("dialects")

    def permission(self, tool, kind, **options):
        """Whether a tool may run, or may deliver its result. `kind` is "run", "deliver" or "tool"."""
        return json.loads(_right(self.call("permission", tool, kind, json.dumps(options))))

    def mend_records(self, records):
        """Repairs the records of one turn."""
        return json.loads(_right(self.call("mend-records", json.dumps(records))))

    def read_records(self, lines, turns=()):
        """Reads the stored lines of many turns; `turns` are the places of the lines that begin one."""
        return json.loads(_right(self.call("read-records", json.dumps(lines), list(turns))))

    def records_markdown(self, records):
        """Records as Markdown, for people to read."""
        return _right(self.call("records-markdown", json.dumps(records)))


class _Resource:
    """Something that the component holds. The component frees it after Python has freed this."""

    _interface = FORMS
    _kind = ""

    def __init__(self, component, resource):
        self._component = component
        self._resource = resource
        weakref.finalize(self, component._freed.append, resource).atexit = False

    def _get(self, name, *arguments):
        return self._component.call(f"[method]{self._kind}.{name}", self._resource, *arguments, interface=self._interface)

    def _json(self, name, *arguments):
        text = self._get(name, *arguments)
        return None if text is None else json.loads(text)


class Walk(_Resource):
    """One person's progress through a form."""

    _kind = "walk"

    def _do(self, name, *arguments):
        refusal = self._get(name, *arguments)
        if refusal is not None:
            raise RefusalError(refusal)

    def _act(self, tag, payload=None):
        self._do("act", Variant(tag, payload))

    form = property(lambda self: self._json("form"))
    step = property(lambda self: self._json("step"))
    consultation = property(lambda self: self._json("consultation"))
    template = property(lambda self: self._json("template"))
    approvals = property(lambda self: self._json("approvals"))
    is_over = property(lambda self: self._get("is-over"))
    outcome = property(lambda self: self._json("outcome"))
    result_text = property(lambda self: self._get("result-text"))
    records = property(lambda self: self._json("records", 0))
    turn = property(lambda self: self._json("turn"))
    drafts = property(lambda self: self._json("drafts"))
    idempotency_key = property(lambda self: self._get("idempotency-key"))
    response = property(lambda self: self._json("response"))

    def answer(self, value, other=None, note=None, remember=False):
        """Answers; None leaves an optional question empty. `other` is a text in place of an option: `value` is then None, or the list of
        the options that are selected as well."""
        answer = Record()
        answer.value, answer.other, answer.note, answer.remember = json.dumps(value), other, note, remember
        self._act("answer", answer)

    def answer_all(self, answers):
        """Answers several questions by id, all of them or none."""
        self._do("answer-all", _by_id(answers))

    def answers(self, answers):
        """Answers the form with plain values by question, all of them or none."""
        self._do("answers", json.dumps(answers))

    def check(self, value, other=None):
        """Raises RefusalError if the open question refuses this answer. Nothing changes."""
        self._do("check", json.dumps(value), other)

    def page(self, answers=None):
        """The questions to show on one page, with the answers that it contains now."""
        return self._json("page", _by_id(answers or {}))

    def to_confirm(self, answers):
        """The ids of the questions whose answers cannot be undone."""
        return self._get("to-confirm", _by_id(answers))

    def typed(self, text):
        """Answers with what was typed: JSON for `schema`, a number for `number`, the text itself elsewhere."""
        self._act("typed", text)

    def back(self):
        self._act("back")

    def reply(self, text=None):
        """Cancels the form, perhaps with a message; the turn goes on."""
        self._act("reply", text)

    def end_turn(self):
        self._act("end-turn")

    def submit(self):
        self._act("submit")

    def change(self, question):
        self._act("change", question)

    def assistant(self, verdict, record):
        """Brings the verdict of the assistant that is asked on a record, that of `consultation`; None says that there is no verdict."""
        named = Record()
        named.id, named.said = record, json.dumps(verdict)
        self._act("assistant", named)

    def save(self):
        """The walk so far, without its secrets."""
        return self._json("save")

    def continued(self, response):
        """This walk as it went on in a page, by the page's response."""
        result = self._get("continued", _text(response))
        if isinstance(result, Record):
            raise UnresumableError(result)
        return Walk(self._component, result)


class Reader(_Resource):
    """A request that is still being written."""

    _kind = "reader"

    def __init__(self, component, resource):
        super().__init__(component, resource)
        # The walk over the questions that are complete. The first of them can be answered at once.
        self.walk = Walk(component, self._get("walk"))

    def write(self, piece):
        """Takes in the text that comes next. Raises ValueError after the end."""
        _right(self._get("write", piece))

    def end(self):
        """Reads the whole request. Returns whether the walk began anew, because the end of the request contradicts its beginning."""
        said = self._get("end")
        if isinstance(said, str):
            raise RejectionError(json.loads(said))
        return said


class Conversation(_Resource):
    """The state machine of a host that runs tools. Store it in one transaction with the results before you carry out anything else."""

    _interface = CONVERSATIONS
    _kind = "conversation"

    state = property(lambda self: self._json("state"))
    notice = property(lambda self: self._json("notice"))

    def save(self):
        """The conversation, to be stored."""
        return self._json("save")

    def on(self, event):
        """Takes an event, and returns what to do, in order. Raises ValueError if it is not an event."""
        said = self._get("on", _text(event))
        if said.tag == "ok":
            return json.loads(said.payload)
        raise ValueError(said.payload) if isinstance(said.payload, str) else UnexpectedEventError(said.payload)


def _text(value):
    return value if isinstance(value, str) else json.dumps(value)


def _by_id(answers):
    return [(question, json.dumps(value)) for question, value in answers.items()]


def _opened(result):
    """What a function returned, or the fault as an exception."""
    if not isinstance(result, Variant):
        return result
    if result.tag == "rejection":
        raise RejectionError(json.loads(result.payload))
    raise UnresumableError(result.payload) if result.tag == "unresumable" else ValueError(result.payload)


def _right(result):
    """The same where the fault is a text."""
    if isinstance(result, Variant) and result.tag == "ok":
        return result.payload
    if isinstance(result, (Variant, str)):
        raise ValueError(getattr(result, "payload", result))
    return result
