"""A store for an `Inbox` in one SQLite file, which several processes of one machine can share."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .inbox import Entry

_TABLES = """
    CREATE TABLE IF NOT EXISTS ask_user_questions (
        place INTEGER PRIMARY KEY,
        conversation TEXT NOT NULL,
        call_id TEXT NOT NULL,
        version INTEGER NOT NULL,
        is_open INTEGER NOT NULL,
        closed_at REAL,
        data TEXT NOT NULL,
        UNIQUE (conversation, call_id));
    CREATE INDEX IF NOT EXISTS ask_user_closed ON ask_user_questions (closed_at) WHERE closed_at IS NOT NULL;
"""
_COLUMNS = "conversation, call_id, version, is_open, data"


class SqliteStore:
    """Questions in a SQLite file. A change is on the disk when its method returns (`synchronous = FULL`). `:memory:` is not possible, because each thread has a
    connection of its own."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        if self._path == ":memory:" or not self._path:
            raise ValueError("A store needs a file. Pass the path of one, which is created if it does not exist.")
        self._local = threading.local()
        self._lock = threading.Lock()
        self._connections: list[sqlite3.Connection] = []
        with self._transaction() as connection:
            for statement in filter(str.strip, _TABLES.split(";")):
                connection.execute(statement)

    def add(self, entry: Entry) -> bool:
        """Stores a new question. False, and no change, if the call is there already."""
        values = (entry.conversation, entry.call_id, entry.version, entry.is_open, _closed_at(entry), entry.data)
        insert = f"INSERT INTO ask_user_questions ({_COLUMNS.replace('data', 'closed_at, data')}) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        with self._transaction() as connection:
            return connection.execute(insert, values).rowcount == 1

    def get(self, conversation: str, call_id: str) -> Entry | None:
        """One question."""
        select = f"SELECT {_COLUMNS} FROM ask_user_questions WHERE conversation = ? AND call_id = ?"
        row = self._connection().execute(select, (conversation, call_id)).fetchone()
        return _entry(row) if row else None

    def replace(self, entry: Entry) -> bool:
        """Stores `entry` if the stored version is the one before `entry.version`."""
        values = (entry.version, entry.is_open, _closed_at(entry), entry.data, entry.conversation, entry.call_id, entry.version - 1)
        update = "UPDATE ask_user_questions SET version = ?, is_open = ?, closed_at = ?, data = ? WHERE conversation = ? AND call_id = ? AND version = ?"
        with self._transaction() as connection:
            return connection.execute(update, values).rowcount == 1

    def waiting(self, conversation: str) -> list[Entry]:
        """The open questions of a conversation, the oldest first."""
        select = f"SELECT {_COLUMNS} FROM ask_user_questions WHERE conversation = ? AND is_open ORDER BY place"
        return [_entry(row) for row in self._connection().execute(select, (conversation,))]

    def forget(self, seconds: float) -> int:
        """Deletes the questions that were closed so many seconds ago or earlier."""
        with self._transaction() as connection:
            return connection.execute("DELETE FROM ask_user_questions WHERE closed_at <= ?", (time.time() - seconds,)).rowcount

    def close(self) -> None:
        """Closes all connections. The store cannot be used any more."""
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self._path, timeout=30, isolation_level=None, check_same_thread=False)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            self._local.connection = connection
            with self._lock:
                self._connections.append(connection)
        return connection

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        connection = self._connection()
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _closed_at(entry: Entry) -> float | None:
    return None if entry.is_open else time.time()


def _entry(row: tuple[str, str, int, int, str]) -> Entry:
    conversation, call_id, version, is_open, data = row
    return Entry(conversation, call_id, version, bool(is_open), data)
