"""A host of one's own in Python: it asks a question in the browser, keeps everything in a file, and gives the answer to the agent. A desk decides what counts.
`python host.py --port 3000 --data question.json --files node_modules/ask-user/dist`, with the packages ask-user, starlette and uvicorn."""

import argparse
import asyncio
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import uvicorn
from ask_user import AskUserError, Desk, DeskInput, DeskReply
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int, default=3000)
parser.add_argument("--data", type=Path, default=Path("question.json"))
parser.add_argument("--files", default="node_modules/ask-user/dist")
options = parser.parse_args()
OWN = [f"{name}:{options.port}" for name in ("127.0.0.1", "localhost", "[::1]")]
LARGEST = 8 * 1024 * 1024
KEY = secrets.token_bytes(32)
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A question</title><script type="module" src="/ask-user/ask-user.js"></script>
<ask-user events-url="/events" respond-url="/respond" cancel-url="/respond" save-url="/walk"></ask-user></html>"""
changed = asyncio.Condition()
stored = ""


def store(desk: Desk) -> None:
    """Stores the desk before anything else is done with it: the file is whole at any moment."""
    global stored
    following = options.data.with_suffix(".next")
    following.write_text(json.dumps(desk.to_json()))
    os.replace(following, options.data)
    stored = options.data.read_text()


def bring(given: dict[str, Any]) -> DeskReply | None:
    """Brings what happens to the desk, and does what follows. Gives what the sender hears."""
    desk, happened = Desk.from_json(stored), cast(DeskInput, given)
    if (text := desk.secrets_in(happened)) is not None:
        happened["seal"] = {"by": "this process", "digest": hmac.new(KEY, text.encode(), hashlib.sha256).hexdigest()}
    reaction = desk.on(happened)
    if reaction["store"]:
        store(desk)
    if hand := reaction.get("hand"):
        # Here the agent goes on. After a crash it may come once more, under the same key.
        print(f"The agent gets {hand['result']} ({hand['key']})", flush=True)
        desk.on({"type": "handed"})
        store(desk)
    return reaction.get("reply")


async def take(request: Request) -> Response:
    """An answer, or how far the person has come."""
    headers, text = request.headers, b""
    if headers.get("host") not in OWN or headers.get("origin") not in [None, *(f"http://{own}" for own in OWN)]:
        return JSONResponse({"message": "The page is of another origin."}, 403)
    if headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        return JSONResponse({"message": "Send application/json."}, 415)
    async for piece in request.stream():
        if len(text := text + piece) > LARGEST:
            return JSONResponse({"message": "The body is too large."}, 413)
    try:
        body = json.loads(text)
        walk = body.get("walk") if isinstance(body, dict) else None
        kind = "saved" if request.url.path == "/walk" else "responded"
        reply = bring({"type": kind, "key": headers.get("idempotency-key"), "response": body, "walk": walk, "replaces": headers.get("if-match")})
    except (ValueError, RecursionError, AskUserError):
        return JSONResponse({"message": "The body is not JSON, or no answer."}, 422)
    async with changed:
        changed.notify_all()
    etag = {"ETag": reply["version"]} if reply and "version" in reply else {}
    return Response(status_code=204, headers=etag) if not reply or reply["status"] == 204 else JSONResponse(reply, reply["status"], etag)


async def events(_: Request) -> Response:
    """What a page hears: the question as it stands, and then that it is closed."""

    async def told() -> AsyncIterator[str]:
        while (desk := Desk.from_json(stored)).is_open:
            yield f"event: state_change\ndata: {json.dumps({'type': 'awaiting_user_response', **desk.request})}\n\n"
            async with changed:
                await changed.wait()
        closed = {"tool_call_id": desk.request["tool_call_id"], **(desk.closed or {})}
        yield f"event: state_change\ndata: {json.dumps({'type': 'idle', 'closed': closed})}\n\n"

    return StreamingResponse(told(), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


if options.data.exists():
    stored = options.data.read_text()
    bring({"type": "restored"})
else:
    question = (Path(__file__).parent / "request.json").read_text()
    # The nonce tells this question from another one of the same call.
    store(Desk.ask(question, call_id="call_1", host={"tool_call_id": "call_1", "nonce": secrets.token_hex(16), "label": "Deploy agent"}))
routes = [Route("/", lambda _: HTMLResponse(PAGE)), Route("/events", events), Mount("/ask-user", StaticFiles(directory=options.files))]
app = Starlette(routes=[*routes, Route("/respond", take, methods=["POST"]), Route("/walk", take, methods=["PUT"])])
print(f"http://localhost:{options.port}", flush=True)
uvicorn.run(app, host="127.0.0.1", port=options.port, log_level="warning")
