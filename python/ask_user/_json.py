"""JSON text as Python values, with every digit of an integer."""

from __future__ import annotations

import json
import secrets
from typing import Any

MARK = "ask-user-int-" + secrets.token_hex(16)
"""The key of an object that stands for an integer of more than 64 bits inside a conversation, only within this process."""


def loads(text: str) -> Any:
    """Reads JSON text."""
    return json.loads(text, object_hook=_unmarked) if MARK in text else json.loads(text)


def _unmarked(fields: dict[str, Any]) -> Any:
    return int(fields[MARK]) if MARK in fields else fields
