"""A witness in the database: notes for everything that the house does by itself at a table which server stored it, and
which server had the lease at that moment. It sees the rows that are stored, and knows nothing of how they got there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import psycopg

_COME = """
    CREATE TABLE witnessed (number bigserial, id text, chain text, stored_by text, holder text, epoch bigint);
    CREATE TABLE held (number bigserial, chain text, holder text, epoch bigint);
    CREATE FUNCTION note_deed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO witnessed (id, chain, stored_by, holder, epoch)
        SELECT NEW.id, NEW.chain, current_setting('application_name'), leases.holder, leases.epoch
        FROM (SELECT NEW.chain AS at) AS deed LEFT JOIN leases ON leases.chain = deed.at;
        RETURN NULL;
    END $$;
    CREATE FUNCTION note_lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO held (chain, holder, epoch) VALUES (NEW.chain, NEW.holder, NEW.epoch);
        RETURN NULL;
    END $$;
    CREATE TRIGGER witness AFTER INSERT ON events FOR EACH ROW
        WHEN (NEW.chain LIKE 'table:%'
              AND NEW.id ~ '^(clock|bot|absence/call-absent-player|absence/remove-absent-player)/')
        EXECUTE FUNCTION note_deed();
    CREATE TRIGGER witness AFTER INSERT OR UPDATE ON leases FOR EACH ROW EXECUTE FUNCTION note_lease();
"""
_GO = "DROP TRIGGER witness ON events; DROP TRIGGER witness ON leases;"


@dataclass
class Observations:
    """What a witness has seen."""

    play_commands: Counter[str] = field(default_factory=Counter)
    """How many commands each server did."""
    without_lease: list[tuple[object, ...]] = field(default_factory=list)
    """Commands of a server that did not have the lease when they were stored."""
    out_of_order: list[tuple[object, ...]] = field(default_factory=list)
    """Leases that did not go on with the next epoch."""
    handed: int = 0
    """How often a lease went from one server to another, or to no user."""


@contextmanager
def watch_servers(books: str) -> Iterator[Observations]:
    """Have everything noted inside; it is shown at the end, and nothing of the witness is left on the books' tables."""
    result = Observations()
    with psycopg.connect(books, autocommit=True) as connection:
        connection.execute(_COME)
        try:
            yield result
        finally:
            connection.execute(_GO)
        for id, chain, by, holder, epoch in connection.execute(
            "SELECT id, chain, stored_by, holder, epoch FROM witnessed ORDER BY number"
        ):
            result.play_commands[by] += 1
            if by != f"cardroom {holder}":
                result.without_lease.append((id, chain, by, holder, epoch))
        last: dict[str, int] = {}
        for chain, holder, epoch in connection.execute("SELECT chain, holder, epoch FROM held ORDER BY number"):
            if epoch != last.get(chain, epoch - 1) + 1:
                result.out_of_order.append((chain, holder, epoch))
            result.handed += epoch > 1
            last[chain] = epoch
