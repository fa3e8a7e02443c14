"""A store for an `Inbox` in one SQLite file, which several processes of one machine can share."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ._fork import begin
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
# How many seconds a connection waits for another one's transaction.
_PATIENCE = 30.0
# Connections that a process inherited. They must be neither used nor closed: closing one would release the locks that another one holds on the same file.
_inherited: list[list[sqlite3.Connection]] = []


class SqliteStore:
    """Questions in a SQLite file. A change is on the disk when its method returns (`synchronous = FULL`). A store keeps as many connections as calls have run at the
    same time, and a process that was forked opens its own. `:memory:` is not possible, because each connection would have a database of its own."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        if self._path == ":memory:" or not self._path:
            raise ValueError("A store needs a file. Pass the path of one, which is created if it does not exist.")
        self._is_closed = False
        self._free: list[sqlite3.Connection] = []
        begin(self)
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
        with self._connection() as connection:
            row = connection.execute(select, (conversation, call_id)).fetchone()
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
        with self._connection() as connection:
            rows = connection.execute(select, (conversation,)).fetchall()
        return [_entry(row) for row in rows]

    def forget(self, seconds: float) -> int:
        """Deletes the questions that were closed so many seconds ago or earlier."""
        with self._transaction() as connection:
            return connection.execute("DELETE FROM ask_user_questions WHERE closed_at <= ?", (time.time() - seconds,)).rowcount

    def close(self) -> None:
        """Closes all connections. The store cannot be used any more."""
        with self._lock:
            self._is_closed = True
            while self._free:
                self._free.pop().close()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A connection that nobody else uses meanwhile."""
        with self._lock:
            if self._is_closed:
                raise sqlite3.ProgrammingError("The store is closed.")
            connection = self._free.pop() if self._free else None
        if connection is None:
            connection = _open(self._path)
        try:
            yield connection
        except sqlite3.Error:
            # It may be in a state that nobody expects.
            connection.close()
            raise
        except BaseException:
            self._give_back(connection)
            raise
        self._give_back(connection)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._lock:
            # An interrupt may have come between two statements.
            if not self._is_closed and not connection.in_transaction:
                self._free.append(connection)
                return
        connection.close()

    def _begin(self) -> None:
        """Begins without connections, and with a lock that nobody holds."""
        self._lock = threading.Lock()
        if self._free:
            _inherited.append(self._free)
        self._free = []

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._connection() as connection:
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise


def _open(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    begun = time.monotonic()
    # SQLite does not wait for others while it changes the mode of a new file.
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError:
            if time.monotonic() - begun > _PATIENCE:
                connection.close()
                raise
            time.sleep(0.01)
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _closed_at(entry: Entry) -> float | None:
    return None if entry.is_open else time.time()


def _entry(row: tuple[str, str, int, int, str]) -> Entry:
    conversation, call_id, version, is_open, data = row
    return Entry(conversation, call_id, version, bool(is_open), data)
