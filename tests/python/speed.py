"""How long the native module and the component in wasmtime take for the same walks. Prints a table; the third argument is where it is written.

Call: `python speed.py COMPONENT WASMTIME TABLE`, or `cargo xtask bench python`."""

from __future__ import annotations

import importlib.util
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ask_user import Form, Walk
from case import ROOT

sys.path.insert(0, sys.argv[2])


def example() -> Any:
    """The module of the example, which has the same name as the package."""
    spec = importlib.util.spec_from_file_location("example_ask_user", ROOT / "examples/python/ask_user.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COMPONENT = example().AskUser(sys.argv[1])


def questions(count: int, **more: Any) -> dict[str, Any]:
    return {"questions": [{"id": f"q{n}", "text": f"Question {n}?", "answer_type": "text", **more} for n in range(count)]}


SCHEMA = {"type": "object", "properties": {"cpu": {"type": "integer", "minimum": 1}}, "required": ["cpu"]}
ONE, MANY, SCHEMAS = questions(1), questions(100), questions(10)
for question in SCHEMAS["questions"]:
    question |= {"answer_type": "schema", "schema": SCHEMA}


def walks(begin: Callable[[Any], Any], request: Any, answer: Any) -> Callable[[], Any]:
    def all_of_it() -> Any:
        walk = begin(request)
        while walk.step["state"] == "asking":
            walk.answer(answer)
        return walk.outcome["result"], walk.records

    return all_of_it


def native(request: Any) -> Any:
    return Walk(Form.read(request))


SCENES: list[tuple[str, Any, Any]] = [
    ("one question of text", ONE, "x"),
    ("100 questions of text", MANY, "x"),
    ("10 questions with a JSON Schema", SCHEMAS, {"cpu": 2}),
]


def milliseconds(act: Callable[[], Any], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        act()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def main() -> None:
    lines = ["| a form is read, answered, and its result and records are taken | native module | component in wasmtime | ratio |", "| --- | --- | --- | --- |"]
    for name, request, answer in SCENES:
        own, other = walks(native, request, answer), walks(COMPONENT.open, request, answer)
        assert json.dumps(own()) == json.dumps(other()), "both do the same"
        # In turns, so that what else the machine does meets both.
        pairs = [(milliseconds(own, 5), milliseconds(other, 5)) for _ in range(15)]
        mine, theirs = (statistics.median(times) for times in zip(*pairs))
        ratio = statistics.median(theirs / mine for mine, theirs in pairs)
        lines.append(f"| {name} | {mine:.2f} ms | {theirs:.2f} ms | {ratio:.1f} |")
    table = "\n".join(lines) + "\n"
    print(table)
    Path(sys.argv[3]).write_text(table)


main()
