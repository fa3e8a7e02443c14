"""Waits for a state, never for a time: what the tests wait for. No other test has a pause of its own (`cargo xtask tidy`)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

LONGEST = 30.0
"""After how many seconds a state that has not come is a failure."""
AGAIN = 0.02
"""How many seconds lie between two looks."""


def pause(seconds: float) -> None:
    """Lets a time pass. For what is not seen otherwise."""
    time.sleep(seconds)


async def pauses(seconds: float) -> None:
    """Lets a time pass while other tasks go on."""
    await asyncio.sleep(seconds)


async def ticks(count: int) -> None:
    """Lets other tasks go on so often."""
    for _ in range(count):
        await asyncio.sleep(0)


def until(look: Callable[[], Found], what: str, is_so: Callable[[Found], object] = bool) -> Found:
    """Looks again and again until what `look` gives is so, and gives it. The error says what was there instead."""
    begun = time.monotonic()
    while not is_so(found := look()):
        assert time.monotonic() - begun < LONGEST, f"{what} did not come within {LONGEST:g} s; there was {found!r}"
        pause(AGAIN)
    return found


async def comes(look: Callable[[], Found], what: str, is_so: Callable[[Found], object] = bool) -> Found:
    """The same while other tasks go on."""
    begun = time.monotonic()
    while not is_so(found := look()):
        assert time.monotonic() - begun < LONGEST, f"{what} did not come within {LONGEST:g} s; there was {found!r}"
        await pauses(AGAIN)
    return found
