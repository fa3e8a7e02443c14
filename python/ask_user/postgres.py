"""A store for an `Inbox` in PostgreSQL, which any number of machines can share. It needs the package `psycopg_pool` (psycopg 3)."""

from __future__ import annotations

from psycopg import Connection
from psycopg_pool import ConnectionPool

from .inbox import Entry

_TABLES = """
    CREATE TABLE IF NOT EXISTS ask_user_questions (
        place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        conversation TEXT NOT NULL,
        call_id TEXT NOT NULL,
        version BIGINT NOT NULL,
        is_open BOOLEAN NOT NULL,
        closed_at TIMESTAMPTZ,
        data TEXT NOT NULL,
        UNIQUE (conversation, call_id));
    CREATE INDEX IF NOT EXISTS ask_user_closed ON ask_user_questions (closed_at) WHERE closed_at IS NOT NULL;
"""
# Two processes that start at the same moment must not create the tables at once.
_LOCK = 0x61736B75
_COLUMNS = "conversation, call_id, version, is_open, data"


class PostgresStore:
    """Questions in PostgreSQL. A text that contains the character U+0000 cannot be stored there as it is, so the data is JSON text, in which it is escaped."""

    def __init__(self, pool: ConnectionPool[Connection[tuple[object, ...]]]) -> None:
        """`pool` is open, and stays the caller's: the store does not close it."""
        self._pool = pool
        with pool.connection() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            connection.execute(_TABLES)

    def add(self, entry: Entry) -> bool:
        """Stores a new question. False, and no change, if the call is there already."""
        insert = (
            f"INSERT INTO ask_user_questions ({_COLUMNS}, closed_at)"
            " VALUES (%s, %s, %s, %s, %s, CASE WHEN %s THEN NULL ELSE now() END) ON CONFLICT DO NOTHING"
        )
        values = (entry.conversation, entry.call_id, entry.version, entry.is_open, entry.data, entry.is_open)
        with self._pool.connection() as connection:
            return connection.execute(insert, values).rowcount == 1

    def get(self, conversation: str, call_id: str) -> Entry | None:
        """One question."""
        select = f"SELECT {_COLUMNS} FROM ask_user_questions WHERE conversation = %s AND call_id = %s"
        with self._pool.connection() as connection:
            row = connection.execute(select, (conversation, call_id)).fetchone()
        return Entry(*row) if row else None  # type: ignore[arg-type]

    def replace(self, entry: Entry) -> bool:
        """Stores `entry` if the stored version is the one before `entry.version`."""
        update = (
            "UPDATE ask_user_questions SET version = %s, is_open = %s, data = %s, closed_at = CASE WHEN %s THEN NULL ELSE now() END"
            " WHERE conversation = %s AND call_id = %s AND version = %s"
        )
        values = (entry.version, entry.is_open, entry.data, entry.is_open, entry.conversation, entry.call_id, entry.version - 1)
        with self._pool.connection() as connection:
            return connection.execute(update, values).rowcount == 1

    def waiting(self, conversation: str) -> list[Entry]:
        """The open questions of a conversation, the oldest first."""
        select = f"SELECT {_COLUMNS} FROM ask_user_questions WHERE conversation = %s AND is_open ORDER BY place"
        with self._pool.connection() as connection:
            rows = connection.execute(select, (conversation,)).fetchall()
        return [Entry(*row) for row in rows]  # type: ignore[arg-type]

    def forget(self, seconds: float) -> int:
        """Deletes the questions that were closed so many seconds ago or earlier."""
        delete = "DELETE FROM ask_user_questions WHERE closed_at <= now() - make_interval(secs => %s)"
        with self._pool.connection() as connection:
            return connection.execute(delete, (seconds,)).rowcount
