"""A host for the tests: a FastAPI application with an inbox, in SQLite or PostgreSQL, served by uvicorn.

    python server.py PORT DATABASE [FOLDER]

DATABASE is a file, or a URL that begins with `postgresql:`. FOLDER is served at `/`. It prints "ready" when it listens.

`POST /begin` with a request begins a conversation whose agent asks it, and returns `{"id", "token", "call"}`. `GET /results/{id}` lists what the agent got.
An agent that was stopped with the process goes on after a restart, as an agent with stored conversations would.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import sqlite3
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from ask_user import RejectionError
from ask_user.fastapi import router
from ask_user.inbox import Inbox, Store
from ask_user.sqlite import SqliteStore
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles

port, database, *folder = sys.argv[1:]


def store() -> Store:
    if not database.startswith("postgresql:"):
        return SqliteStore(database)
    from ask_user.postgres import PostgresStore
    from psycopg_pool import ConnectionPool

    return PostgresStore(ConnectionPool(database, min_size=1, max_size=8, open=True))


inbox = Inbox(store(), poll=0.2)
# What the agent is: its conversations, and what it got for each of its calls.
agents = sqlite3.connect(f"{database}.agents" if not database.startswith("postgresql:") else f"/tmp/ask-user-agents-{port}", isolation_level=None)
agents.execute("CREATE TABLE IF NOT EXISTS agents (id TEXT PRIMARY KEY, token TEXT, request TEXT, result TEXT)")
tasks: set[asyncio.Task[None]] = set()


async def agent(name: str, request: Any) -> None:
    """Asks one question, and stores its result."""
    try:
        answer = await inbox.ask(name, request, call_id="call_1", host={"label": "Deploy agent"})
        result = answer.result
    except RejectionError as error:
        result = error.tool_result
    agents.execute("UPDATE agents SET result = json_insert(coalesce(result, '[]'), '$[#]', json(?)) WHERE id = ?", (json.dumps(result), name))


def begin(name: str, request: Any) -> None:
    task = asyncio.ensure_future(agent(name, request))
    tasks.add(task)
    task.add_done_callback(tasks.discard)


@asynccontextmanager
async def life(app: FastAPI) -> AsyncIterator[None]:
    for name, request in agents.execute("SELECT id, request FROM agents WHERE result IS NULL").fetchall():
        begin(name, json.loads(request))
    print("ready", flush=True)
    yield


def authorize(request: Request, conversation: str) -> bool:
    row = agents.execute("SELECT token FROM agents WHERE id = ?", (conversation,)).fetchone()
    given = request.headers.get("authorization", "").removeprefix("Bearer ") or request.cookies.get("token", "")
    return row is not None and hmac.compare_digest(row[0].encode(), given.encode())


app = FastAPI(lifespan=life)
origins = [f"http://127.0.0.1:{port}", f"http://localhost:{port}"]
app.include_router(router(inbox, authorize=authorize, origins=origins), prefix="/conversations")


@app.post("/begin")
async def started(request: Request) -> JSONResponse:
    name, token, asked = uuid.uuid4().hex, uuid.uuid4().hex, await request.json()
    agents.execute("INSERT INTO agents (id, token, request) VALUES (?, ?, ?)", (name, token, json.dumps(asked)))
    begin(name, asked)
    response = JSONResponse({"id": name, "token": token})
    response.set_cookie("token", token, path=f"/conversations/{name}", httponly=True, samesite="strict")
    return response


@app.get("/results/{name}")
async def results(name: str) -> Any:
    row = agents.execute("SELECT result FROM agents WHERE id = ?", (name,)).fetchone()
    return json.loads(row[0] or "[]") if row else []


if folder:
    app.mount("/", StaticFiles(directory=folder[0], html=True))

uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning", timeout_graceful_shutdown=1)
