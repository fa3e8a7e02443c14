"""What has to begin anew in a process that was forked: another thread of its parent may have held a lock at that moment."""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Begins(Protocol):
    """Has locks, or what a process must not share with another."""

    def _begin(self) -> None: ...


_all: weakref.WeakSet[Begins] = weakref.WeakSet()


def begin(one: Begins) -> None:
    """Lets it begin now, and again in each process that is forked from this one."""
    one._begin()
    _all.add(one)


def _forked() -> None:
    for one in _all:
        one._begin()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
