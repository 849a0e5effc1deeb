"""An empty database becomes a ledger, and an old one is migrated; a newer one is left as it is.

A newer one says which versions may still use its tables, so that servers can be updated one after the other while the
room plays on: the first of them adds its tables, and the others continue without them. A running program checks this
with every command: when it may no longer use the tables, it stores nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, select, text

from cardroom.errors import quote
from cardroom.ledger.errors import BadLedger, DatabaseNewer, EmptyDatabase
from cardroom.ledger.schema import VERSION, VERSION_SQL, VERSION_TABLE, compatibility, metadata

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def stored_version(connection: Connection, address: str) -> str | None:
    """The revision of a database; None when it is empty."""
    tables = set(inspect(connection).get_table_names())
    if VERSION_TABLE in tables:
        versions = connection.execute(text(VERSION_SQL)).scalars().all()
        if len(versions) != 1:
            raise BadLedger(f"{address} does not say which version its tables have: restore the last backup.")
        return str(versions[0])
    if tables:
        raise BadLedger(
            f"{address} contains something else ({', '.join(sorted(tables)[:3])} …): a ledger needs a database "
            "of its own."
        )
    return None


def is_compatible(connection: Connection, stored: str) -> bool:
    """Whether this program may use tables of that version as they are: its own, or a newer one that only adds
    tables."""
    if stored == VERSION:
        return True
    if not (stored.isdigit() and stored > VERSION) or not inspect(connection).has_table(compatibility.name):
        return False
    oldest_versions = connection.execute(select(compatibility.c.since)).scalars().all()
    return len(oldest_versions) == 1 and str(oldest_versions[0]) <= VERSION


def refuse_newer(since: str | None, address: str) -> None:
    """Stop a running program when a newer one has changed the tables; ``since`` is the result of `SINCE`."""
    if since is not None and since > VERSION:
        raise DatabaseNewer(
            "A newer Cardroom has changed the database so that this version cannot use it: nothing was stored. Stop "
            "this server and start the new version.",
            f"{address}: its tables are for {since} and later, this program supports {VERSION}",
        )


def migrate(connection: Connection, address: str, *, may_create: bool = True) -> str | None:
    """Migrate the tables in the transaction of the connection; the caller keeps others out.

    Returns the former version, if it was an older one.
    """
    stored = stored_version(connection, address)
    if stored is not None and is_compatible(connection, stored):
        return None
    if stored is None and not may_create:
        raise EmptyDatabase(f"{address} is empty: no ledger was ever begun there.")
    # Reading the migrations takes longer than the rest of opening a ledger, and is hardly ever needed.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    steps = ScriptDirectory.from_config(config)
    if stored is not None and stored not in {step.revision for step in steps.walk_revisions()}:
        raise unknown_version_error(address, stored)
    if stored is not None and set(metadata.tables) <= set(inspect(connection).get_table_names()):
        raise BadLedger(
            f"{address} says that its tables have version {stored}, but they have {VERSION}: the version was set "
            "back outside the program. Restore the last backup."
        )
    with EnvironmentContext(
        config, steps, fn=lambda revision, _: steps._upgrade_revs(VERSION, revision)
    ) as environment:
        environment.configure(connection=connection, version_table=VERSION_TABLE)
        environment.run_migrations()
    return stored


def unknown_version_error(address: str, stored: str) -> BadLedger:
    """Tables of a version that this program does not support."""
    if stored.isdigit() and stored > VERSION:
        return BadLedger(
            f"{address} was written by a newer Cardroom (its tables have version {stored}, this program supports "
            f"{VERSION}): use the newer one."
        )
    return BadLedger(
        f"{address} has tables of version {quote(stored)}, which no Cardroom has had (this one supports {VERSION}): "
        "restore the last backup."
    )
