"""The router of an inbox: what the conformance suite does not see from outside."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from ask_user.inbox import Inbox
from ask_user.sqlite import SqliteStore
from ask_user.starlette import routes
from starlette.requests import Request
from starlette.responses import StreamingResponse


@pytest.mark.parametrize("then", ["a question comes", "nothing happens"])
def test_a_stream_ends_once_the_client_may_not_see_the_conversation_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str) -> None:
    monkeypatch.setattr("ask_user.starlette._PAUSE", 0.05)
    inbox = Inbox(SqliteStore(tmp_path / "questions.db"), poll=0.02)
    allowed = [True]
    events = next(route for route in routes(inbox, authorize=lambda request, conversation: allowed[0], origins=["https://app.example.com"]) if route.path.endswith("/events"))

    async def read() -> list[str]:
        headers = [(b"host", b"app.example.com")]
        request = Request({"type": "http", "method": "GET", "path": "/c/events", "headers": headers, "query_string": b"", "path_params": {"conversation": "c"}})
        response = await events.endpoint(request)
        assert isinstance(response, StreamingResponse)
        heard: list[str] = []
        async for piece in response.body_iterator:
            assert isinstance(piece, str)
            heard.append(piece)
            if "idle" in piece:
                allowed[0] = False
                if then == "a question comes":
                    await asyncio.to_thread(inbox.put, "c", {"question": "Secret?", "answer_type": "boolean"}, call_id="call_1")
        return heard

    heard = asyncio.run(asyncio.wait_for(read(), 10))
    assert heard == ["retry: 500\n\n", 'event: state_change\ndata: {"type":"idle"}\n\n']
    assert not inbox._waiters
