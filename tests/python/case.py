"""One vector: a request, what a person does, and what must result. `tests/js/case.mjs` does the same for the builds for JavaScript."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ask_user import Form, Reader, RefusalError, RejectionError, Walk

ROOT = Path(__file__).parent.parent.parent

CASE_KEYS = set(
    "name dialect tool_call_id host request text rejected warnings steps ends error secrets explains result records".split()
)
STEP_KEYS = set(
    "sees answer note remember other editor back submit end_turn reply change save_and_resume assistant refused details".split()
)
SEES_KEYS = set(
    "question type text header context progress back draft options optional other advice review asks".split()
)


class CaseFailure(AssertionError):
    """Something in a case is not as it must be."""


def vectors() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every case of the files that are not pending, with its name."""
    pending = [line.split(": ")[0] for line in (ROOT / "tests/vectors.pending").read_text().splitlines() if line and line[0] != "#"]
    for folder in ("tests/vectors", "tests/cases"):
        for file in sorted((ROOT / folder).glob("*.json")):
            if file.name == "desk.json":
                continue
            if file.name not in pending:
                for case in json.loads(file.read_text(encoding="utf-8")):
                    yield f"{file.name}#{case['name']}", case


def play(case: dict[str, Any], piece: int | None = None) -> None:
    """Plays a case. With `piece`, the request comes in pieces of so many bytes."""
    known(case, CASE_KEYS)
    host = dict(case.get("host", {}))
    if "tool_call_id" in case:
        host["tool_call_id"] = case["tool_call_id"]
    request = case["text"] if "text" in case else case.get("request")
    dialect = case.get("dialect")
    try:
        walk = opened(request, dialect, host, piece)
    except RejectionError as error:
        if "rejected" not in case:
            raise CaseFailure(f"was rejected: {places(error.problems)}") from error
        same_set("problems", places(error.problems), case["rejected"])
        return
    if "rejected" in case:
        raise CaseFailure("was read, but must be rejected")
    form = walk.form
    assert form is not None
    same_set("warnings", places(form.warnings), case.get("warnings", []))
    for number, step in enumerate(case.get("steps", []), 1):
        try:
            walk = do_step(step, walk, form)
        except CaseFailure as failure:
            raise CaseFailure(f"step {number}: {failure}") from failure
    check_ending(case, walk)


def opened(request: Any, dialect: Any, host: Any, piece: int | None) -> Walk:
    if piece is None:
        return Walk(Form.read(request, dialect, host))
    text = request if isinstance(request, str) else json.dumps(request, ensure_ascii=False)
    reader = Reader(dialect, host)
    written = text.encode("utf-8")
    for start in range(0, len(written), piece):
        reader.write(written[start : start + piece])
    return reader.end()


def do_step(step: dict[str, Any], walk: Walk, form: Form) -> Walk:
    known(step, STEP_KEYS)
    if "sees" in step:
        known(step["sees"], SEES_KEYS)
        seen = see(walk)
        for key, expected in step["sees"].items():
            same(key, seen.get(key), expected)
    before = walk.save()
    refusal: RefusalError | None = None
    for action in actions(step):
        try:
            act(walk, action)
        except RefusalError as error:
            refusal = error
    if "save_and_resume" in step:
        walk = Walk.resume(form, json.dumps(walk.save()))
    if (refusal.code if refusal else None) != step.get("refused"):
        raise CaseFailure(f"refused with {refusal and refusal.code} where {step.get('refused')} is expected. {refusal}")
    if refusal:
        if "details" in step:
            found = [{key: one[key] for key in ("instance_path", "keyword")} for one in refusal.details]
            same_set("details", found, step["details"])
        same("the walk after a refused action", walk.save(), before)
    return walk


def see(walk: Walk) -> dict[str, Any]:
    step: dict[str, Any] = dict(walk.step)
    question = step.get("question", {})
    options = question.get("options")
    return {
        **step,
        **question,
        "question": question.get("id"),
        "review": step["state"] == "review",
        "back": step.get("back", False),
        "options": None if options is None else [option["value"] for option in options],
    }


def actions(step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "answer" in step:
        value, other = step["answer"], None
        if step.get("other"):
            *beside, last = value if isinstance(value, list) else [value]
            value, other = (beside if isinstance(value, list) else None), last
        yield {"type": "answer", "value": value, "other": other, "note": step.get("note"), "remember": step.get("remember", False)}
    if "editor" in step:
        yield {"type": "typed", "text": step["editor"]}
    for name in ("back", "submit", "end_turn"):
        if name in step:
            yield {"type": name}
    if "reply" in step:
        yield {"type": "reply", "text": step["reply"] if isinstance(step["reply"], str) else None}
    if "change" in step:
        yield {"type": "change", "question": step["change"]}
    if "assistant" in step:
        yield {"type": "assistant", "verdict": step["assistant"]}


def act(walk: Walk, action: dict[str, Any]) -> None:
    if action["type"] == "assistant":
        consultation = walk.consultation
        action["record"] = consultation["record"] if consultation else ""
    walk.act(action)


def check_ending(case: dict[str, Any], walk: Walk) -> None:
    outcome: dict[str, Any] = dict(walk.outcome or {})
    same("ends", outcome.get("ends"), case.get("ends"))
    same("error", outcome.get("error"), case.get("error"))
    same("secrets", outcome.get("secrets"), case.get("secrets"))
    if not ("result" in outcome and case.get("ends") == "failed" and "result" not in case):
        same("whether there is a result", "result" in outcome, "result" in case)
        same("result", outcome.get("result"), case.get("result"))
    if "result" in outcome:
        text = walk.result_text
        assert text is not None
        same("the text of the result", json.loads(text), outcome["result"])
    for word in case.get("explains", []):
        if word not in outcome.get("explanation", ""):
            raise CaseFailure(f"the explanation lacks {word!r}: {outcome.get('explanation')}")
    records = walk.records
    if "records" in case:
        same("records", records, case["records"])
    shown = json.dumps([records, walk.save(), repr(walk), repr(walk.form)], ensure_ascii=False)
    for secret in outcome.get("secrets", {}).values():
        # A secret of a letter or two stands in many words: it leaks where it stands as a value.
        if secret and (json.dumps(secret) if len(secret) < 4 else secret) in shown:
            raise CaseFailure("a secret is in the records, in the saved walk or in a repr")


def places(problems: Any) -> list[dict[str, Any]]:
    return [{"code": problem["code"], "path": problem["path"]} for problem in problems]


def known(fields: dict[str, Any], keys: set[str]) -> None:
    for key in fields:
        if key not in keys:
            raise CaseFailure(f"nobody knows the key {key!r}")


def is_same(found: Any, expected: Any) -> bool:
    """Equal with the order of keys. Numbers are compared by value; True is no number."""
    if isinstance(found, bool) or isinstance(expected, bool):
        return found is expected
    if isinstance(found, dict) and isinstance(expected, dict):
        return list(found) == list(expected) and all(is_same(found[key], expected[key]) for key in found)
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(is_same, found, expected))
    return bool(found == expected)


def same(what: str, found: Any, expected: Any) -> None:
    if not is_same(found, expected):
        raise CaseFailure(f"{what} is {found!r} where {expected!r} is expected")


def same_set(what: str, found: Any, expected: Any) -> None:
    same(what, *(sorted(json.dumps(one) for one in some) for some in (found, expected)))
