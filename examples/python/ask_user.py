"""ask-user in Python: the component, run by wasmtime. Every value is plain Python; every fault is an exception."""

import json
from pathlib import Path

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant

INTERFACE = "ask-user:core/forms@0.1.0"


class RejectionError(Exception):
    """The request became no form: hand `tool_result` back to the model."""

    def __init__(self, tool_result):
        super().__init__(tool_result["message"])
        self.tool_result = tool_result


class RefusalError(Exception):
    """An action was not taken; the walk is as it was."""

    def __init__(self, refusal):
        super().__init__(refusal.message)
        self.code = refusal.code
        self.details = json.loads(refusal.details) if refusal.details else None


class UnresumableError(Exception):
    """A saved walk could not be taken up."""

    def __init__(self, fault):
        super().__init__(fault.message)
        self.code = fault.code


class AskUser:
    """The component, loaded once; one at a time may call it."""

    def __init__(self, path):
        engine = Engine()
        self._store = Store(engine)
        # It imports nothing: there is nothing to link.
        self._instance = Linker(engine).instantiate(self._store, Component(engine, Path(path).read_bytes()))
        self._forms = self._instance.get_export_index(self._store, INTERFACE)
        self._functions = {}

    def call(self, name, *arguments):
        """Calls a function of the interface, as it is in `wit/ask-user.wit`."""
        if name not in self._functions:
            index = self._instance.get_export_index(self._store, name, self._forms)
            self._functions[name] = self._instance.get_func(self._store, index)
        function = self._functions[name]
        result = function(self._store, *arguments)
        function.post_return(self._store)
        return result

    def open(self, request, dialect=None, **options):
        """Reads a request (a value, or JSON text) and begins to walk."""
        return self._opened(self.call("open", _text(request), dialect, json.dumps(options)))

    def resume(self, request, saved, dialect=None, **options):
        """Takes up a saved walk, with the same request and options."""
        return self._opened(self.call("resume", _text(request), _text(saved), dialect, json.dumps(options)))

    def tool_definitions(self, dialect, sub_agent=False):
        """The definitions of a dialect's tools, to hand to a model; none for an agent without a user."""
        return json.loads(self.call("tool-definitions", dialect, sub_agent))

    def read_records(self, lines, turns=()):
        """Reads the stored lines of many turns; `turns` are the places of the lines that begin one."""
        result = self.call("read-records", json.dumps(lines), list(turns))
        if result.tag == "err":
            raise ValueError(result.payload)
        return json.loads(result.payload)

    def _opened(self, result):
        if not isinstance(result, Variant):
            return Walk(self, result)
        if result.tag == "rejection":
            raise RejectionError(json.loads(result.payload))
        raise UnresumableError(result.payload) if result.tag == "unresumable" else ValueError(result.payload)


class Walk:
    """One person's way through a form."""

    def __init__(self, component, resource):
        self._component = component
        self._resource = resource

    def _get(self, name, *arguments):
        return self._component.call(f"[method]walk.{name}", self._resource, *arguments)

    def _json(self, name, *arguments):
        text = self._get(name, *arguments)
        return None if text is None else json.loads(text)

    def _act(self, tag, payload=None):
        refusal = self._get("act", Variant(tag, payload))
        if refusal is not None:
            raise RefusalError(refusal)

    form = property(lambda self: self._json("form"))
    step = property(lambda self: self._json("step"))
    consultation = property(lambda self: self._json("consultation"))
    template = property(lambda self: self._json("template"))
    outcome = property(lambda self: self._json("outcome"))
    result_text = property(lambda self: self._get("result-text"))
    records = property(lambda self: self._json("records", 0))
    turn = property(lambda self: self._json("turn"))
    idempotency_key = property(lambda self: self._get("idempotency-key"))
    response = property(lambda self: self._json("response"))

    def answer(self, value, other=None, note=None, remember=False):
        """Answers; None leaves an optional question empty. `other` is a text in place of an option: `value` is then None, or the list of
        the options beside it."""
        answer = Record()
        answer.value, answer.other, answer.note, answer.remember = json.dumps(value), other, note, remember
        self._act("answer", answer)

    def answers(self, answers):
        """Answers the form with plain values by question, all of them or none."""
        refusal = self._get("answers", json.dumps(answers))
        if refusal is not None:
            raise RefusalError(refusal)

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


def _text(value):
    return value if isinstance(value, str) else json.dumps(value)
