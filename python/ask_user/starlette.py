"""An `Inbox` over HTTP, for Starlette: what the attributes `events-url`, `respond-url`, `cancel-url` and `save-url` of the element `<ask-user>` need."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Union
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, Router

from .inbox import LARGEST_BODY, Inbox, Reply

Authorize = Callable[[Request, str], Union[bool, Awaitable[bool]]]
"""Whether a request may see and answer the questions of a conversation: `authorize(request, conversation)`."""

_PAUSE = 15.0


def router(inbox: Inbox, *, authorize: Authorize, origins: Sequence[str]) -> Router:
    """The routes as a Starlette router, for example for `Mount("/conversations", router(…))`. The arguments are those of `routes`."""
    return Router(routes(inbox, authorize=authorize, origins=origins))


def routes(inbox: Inbox, *, authorize: Authorize, origins: Sequence[str]) -> list[Route]:
    """The routes, each below `/{conversation}`: `GET /events`, `POST /respond`, `POST /cancel`, `PUT /walk`.

    - `authorize(request, conversation)` decides who may see and answer the questions of a conversation. The URL alone must not be enough: check the session or a token. It is
      asked for each request, and for an open stream before each event and every 15 seconds.
    - `origins` are the origins of your own pages, such as `https://app.example.com`. A request whose `Host` or `Origin` is none of them is refused with 403."""
    guard = _Guard(inbox, authorize, [_origin(one) for one in origins])
    if not guard.origins:
        raise ValueError('Name the origins of your own pages, such as origins=["https://app.example.com"].')
    return [
        Route("/{conversation}/events", guard.events, methods=["GET"]),
        Route("/{conversation}/respond", guard.respond, methods=["POST"]),
        Route("/{conversation}/cancel", guard.respond, methods=["POST"]),
        Route("/{conversation}/walk", guard.save, methods=["PUT"]),
    ]


class _Guard:
    def __init__(self, inbox: Inbox, authorize: Authorize, origins: list[tuple[str, str]]) -> None:
        self.inbox = inbox
        self.authorize = authorize
        self.origins = origins

    async def events(self, request: Request) -> Response:
        refused = await self._refuses(request)
        if refused:
            return refused
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(self._stream(request), media_type="text/event-stream", headers=headers)

    async def _stream(self, request: Request) -> AsyncIterator[str]:
        """Server-sent events, with a comment after each pause, so that proxies keep the connection and a client that is gone is noticed. It ends when the client may not see
        the conversation any more; the client then tries again, and hears why."""
        events = self.inbox.events(request.path_params["conversation"])
        following = asyncio.ensure_future(anext(events))
        try:
            yield "retry: 500\n\n"
            while True:
                done, _ = await asyncio.wait([following], timeout=_PAUSE)
                if await self._refuses(request):
                    return
                if not done:
                    yield ": \n\n"
                    continue
                yield f"event: state_change\ndata: {following.result()}\n\n"
                following = asyncio.ensure_future(anext(events))
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            await events.aclose()  # type: ignore[attr-defined]

    async def respond(self, request: Request) -> Response:
        return await self._take(request, self.inbox.respond, "idempotency-key")

    async def save(self, request: Request) -> Response:
        return await self._take(request, self.inbox.save, "if-match")

    async def _take(self, request: Request, take: Callable[[str, bytes, str | None], Reply], header: str) -> Response:
        """Hands the body and a header of a request to the inbox."""
        body = await self._body(request)
        if isinstance(body, Response):
            return body
        return _response(await asyncio.to_thread(take, request.path_params["conversation"], body, request.headers.get(header)))

    async def _body(self, request: Request) -> bytes | Response:
        refused = await self._refuses(request)
        if refused:
            return refused
        # A form of another site can send no JSON without asking first.
        if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            return _fault(415, "not_json", "Send application/json.")
        body = bytearray()
        async for piece in request.stream():
            # What is too large is read to its end and dropped: a client that has not sent everything hears no reply.
            if len(body) <= LARGEST_BODY:
                body += piece
        return bytes(body) if len(body) <= LARGEST_BODY else _fault(413, "too_large", f"The body is larger than {LARGEST_BODY} bytes.")

    async def _refuses(self, request: Request) -> Response | None:
        origin = request.headers.get("origin")
        named = request.headers.get("host", "").lower()
        if named not in [host for _, host in self.origins] or (origin is not None and _parts(origin) not in self.origins):
            return _fault(403, "other_origin", "The request names another host, or comes from a page of another origin. See the argument \"origins\".")
        allowed = self.authorize(request, request.path_params["conversation"])
        if inspect.isawaitable(allowed):
            allowed = await allowed
        return None if allowed is True else _fault(403, "not_yours", "You may not see this conversation.")


def _response(reply: Reply) -> Response:
    media_type = None if reply.body is None else "application/json"
    return Response(reply.text, reply.status, dict(reply.headers), media_type)


def _fault(status: int, error: str, message: str) -> Response:
    return _response(Reply(status, {"error": error, "message": message, "problems": []}))


def _origin(text: str) -> tuple[str, str]:
    parts = _parts(text)
    if parts is None:
        raise ValueError(f'{text!r} is not an origin. An origin is a scheme and a host, such as "https://app.example.com" or "http://localhost:8000".')
    return parts


def _parts(text: str) -> tuple[str, str] | None:
    """The scheme and the host of an origin, in lower case and without the scheme's own port."""
    try:
        url = urlsplit(text)
        host, port = url.hostname, url.port
    except ValueError:
        return None
    if url.scheme not in ("http", "https") or not host or url.path or url.query or url.fragment or url.username is not None:
        return None
    host = f"[{host}]" if ":" in host else host
    return url.scheme, host if port in (None, {"http": 80, "https": 443}[url.scheme]) else f"{host}:{port}"
