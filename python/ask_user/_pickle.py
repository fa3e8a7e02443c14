"""What pickles name: functions that make forms, walks, conversations and desks again."""

from __future__ import annotations

import json
from typing import Any

from ._native import Conversation, Desk, Form, Walk


def form(request: str, dialect: Any, options: str) -> Form:
    """A form from what it was read from."""
    return Form.read(request, dialect, json.loads(options))


def walk(request: str, dialect: Any, options: str, saved: str) -> Walk:
    """A walk from its form and its saved JSON."""
    return Walk.resume(form(request, dialect, options), saved)


def conversation(stored: Any) -> Conversation:
    """A conversation from its stored JSON."""
    return Conversation.from_json(stored)


def desk(stored: Any) -> Desk:
    """A desk from its stored JSON."""
    return Desk.from_json(stored)
