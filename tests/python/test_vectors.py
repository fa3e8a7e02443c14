"""Every vector passes, whole and while its request is still being written; a runner that cannot fail proves nothing."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from case import CaseFailure, play, vectors

CASES = list(vectors())


def test_there_are_vectors() -> None:
    assert len(CASES) > 180


@pytest.mark.parametrize(("name", "case"), CASES, ids=[name for name, _ in CASES])
def test_vector(name: str, case: dict[str, Any]) -> None:
    play(case)


@pytest.mark.parametrize("piece", [1, 7, 1_000])
def test_every_vector_passes_while_its_request_is_written(piece: int) -> None:
    for name, case in CASES:
        try:
            play(case, piece)
        except CaseFailure as failure:
            raise AssertionError(f"{name} by {piece}") from failure


RIGHT: dict[str, Any] = {
    "name": "x",
    "request": {
        "questions": [
            {"id": "a", "text": "A?", "answer_type": "boolean"},
            {"id": "b", "text": "B?", "answer_type": "text"},
        ]
    },
    "steps": [
        {"sees": {"progress": [1, 2]}, "answer": True},
        {"answer": 1, "refused": "wrong_type"},
        {"answer": "x"},
    ],
    "ends": "completed",
    "result": {"a": True, "b": "x"},
}


def test_the_case_that_is_made_wrong_below_is_right() -> None:
    play(RIGHT)


@pytest.mark.parametrize(
    ("path", "wrong"),
    [
        (["result"], {"b": "x", "a": True}),
        (["result", "a"], 1),
        (["result", "b"], "y"),
        (["ends"], "replied"),
        (["rejected"], []),
        (["warnings"], [{"code": "unknown_field", "path": ""}]),
        (["steps", 0, "sees", "progress"], [2, 2]),
        (["steps", 1, "refused"], "not_allowed"),
        (["steps", 2, "answer"], "y"),
        (["steps", 0, "sees"], {"unknown": 1}),
        (["steps", 1], {"unknown": 1}),
        (["records"], []),
    ],
)
def test_a_case_that_says_something_wrong_fails(path: list[Any], wrong: Any) -> None:
    case = copy.deepcopy(RIGHT)
    place: Any = case
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = wrong
    with pytest.raises(CaseFailure):
        play(case)
