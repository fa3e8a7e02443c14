"""Uses of the package, for the type checkers: `mypy --strict` and pyright accept this file, and each line with `error` is one that they must reject."""

from __future__ import annotations

from ask_user import (
    Action,
    Conversation,
    Event,
    Form,
    Host,
    Reader,
    RefusalError,
    RejectionError,
    Step,
    UnexpectedEventError,
    Verdict,
    Walk,
    detect_dialect,
    permission,
    read_records,
    tool_definition,
)

host: Host = {"tool_call_id": "call_7", "target": {"model": {"id": "small", "region": "eu"}}, "limits": {"depth": 20}}


def shown(step: Step) -> str:
    """Every state of a step."""
    match step["state"]:
        case "asking":
            question = step["question"]
            labels: list[str] = [option["label"] for option in question.get("options", [])]
            return question["text"] + ", ".join(labels)
        case "review":
            return ", ".join(answer["text"] for answer in step["answers"])
        case "checking" | "waiting":
            return ""
        case "done":
            return step["ends"]


def walked(request: object) -> object:
    """A walk from its request to its result."""
    try:
        form = Form.read(request, dialect="ask_user", host=host)
    except RejectionError as error:
        hints: list[str] = [problem["hint"] for problem in error.problems]
        return error.tool_result, hints
    walk = Walk(form)
    text: str = shown(walk.step)
    try:
        walk.answer({"cpu": [1, 2.5, None, True]}, note="a note")
    except RefusalError as error:
        if error.code == "schema_mismatch":
            return [violation["instance_path"] for violation in error.details]
    walk.answer_all({"a": True, "b": ["x"]})
    consultation = walk.consultation
    if consultation is not None:
        verdict: Verdict = {"answer": True, "record": consultation["record"]}
        walk.assistant(verdict)
    action: Action = {"type": "reply", "text": "No."}
    walk.act(action)
    again = Walk.resume(form, walk.save())
    outcome = again.outcome
    return text if outcome is None else outcome.get("result")


def conversed(event: Event) -> list[str]:
    """A conversation, and its effects by their types."""
    conversation = Conversation(attended=True)
    names: list[str] = []
    try:
        for effect in conversation.on(event):
            if effect["type"] == "execute":
                names.append(effect["value"]["name"])
            elif effect["type"] == "persist_results":
                names += [result["call_id"] for result in effect["value"]]
    except UnexpectedEventError as error:
        names.append(error.code)
    return names


def more() -> None:
    """The functions."""
    reader = Reader("mcp", {"nonce": "n"})
    reader.write(b"{}")
    walk: Walk = reader.end()
    key: str = walk.idempotency_key
    dialect: str = detect_dialect(key)
    definition = tool_definition(dialect)
    name: str | None = definition["name"] if definition else None
    if permission(name or "", "run") == "granted":
        read_records([{"type": "turn"}], lambda line: line["type"] == "turn")


def wrong(walk: Walk, form: Form) -> None:
    """What both checkers must find: an unused comment is an error as well."""
    walk.answer({1, 2})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    walk.answer("x", "a note")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Form.read("{}", dialect="latin")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Form.read("{}", host={"labell": "x"})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    walk.result_text.upper()  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]
    walk.step = {}  # type: ignore  # pyright: ignore
    form.dialekt  # type: ignore[attr-defined]  # pyright: ignore
    Walk(walk)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Conversation().on({"type": "explode"})  # type: ignore[typeddict-item]  # pyright: ignore[reportArgumentType]
