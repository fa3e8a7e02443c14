"""A host in a terminal: asks what an agent wants to know, and prints its result. `b` goes back, `r` replies, `q` ends the turn.

    pip install wasmtime && python ask.py
"""

import getpass
import sys
from pathlib import Path

from ask_user import AskUser, RefusalError

COMPONENT = Path(__file__).parents[2] / "target/component/ask-user.wasm"
REQUEST = {
    "questions": [
        {"id": "apply", "text": "Apply the migration?", "answer_type": "boolean"},
        {"id": "environment", "text": "Which environment?", "answer_type": "select", "options": ["staging", "production"],
         "when": {"question_id": "apply", "equals": True}},
        {"id": "limits", "text": "With which limits (JSON)?", "answer_type": "schema",
         "schema": {"type": "object", "properties": {"cpu": {"type": "integer"}}, "required": ["cpu"]},
         "when": {"question_id": "apply", "equals": True}},
    ]
}


def main():
    walk = AskUser(COMPONENT).open(REQUEST, tool_call_id="call_1")
    while walk.outcome is None:
        try:
            ask(walk, walk.step["question"])
        except RefusalError as refusal:
            print(refusal)
    print(walk.result_text or "The turn is ended.")


def ask(walk, question):
    print(question["text"])
    for place, option in enumerate(question.get("options", []), 1):
        print(f"  {place}  {option['label']}")
    typed = getpass.getpass("> ") if question["type"] == "secret" else input("> ")
    if typed == "b":
        walk.back()
    elif typed == "r":
        walk.reply(input("Your words> "))
    elif typed == "q":
        walk.end_turn()
    elif question["type"] == "boolean":
        walk.answer({"y": True, "n": False}.get(typed, typed))
    elif question["type"] in ("select", "multi_select"):
        chosen = [option["value"] for place, option in enumerate(question["options"], 1) if str(place) in typed.split()]
        walk.answer(chosen if question["type"] == "multi_select" else next(iter(chosen), typed))
    else:
        walk.typed(typed)


if __name__ == "__main__":
    try:
        main()
    except (EOFError, KeyboardInterrupt):
        sys.exit("Nobody answered.")
