"""An `Inbox` over HTTP, for FastAPI: `app.include_router(router(inbox, …), prefix="/conversations")`."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter

from .inbox import Inbox
from .starlette import Authorize, routes


def router(inbox: Inbox, *, authorize: Authorize, origins: Sequence[str]) -> APIRouter:
    """The routes of `ask_user.starlette.routes`, with the same arguments. Dependencies of the application do not apply to them: `authorize` decides who may answer."""
    made = APIRouter()
    made.routes.extend(routes(inbox, authorize=authorize, origins=origins))
    return made
