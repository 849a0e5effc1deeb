"""The triggers that keep history as it was written, and whether they still do.

A trigger that is gone changes nothing by itself, but somebody took it away to change something: a verification that
finds all else whole looks for the triggers too. How they came to be stands in the migrations; here stands what is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from cardroom.ledger.report import Finding
from cardroom.ledger.schema import commands, entries, events, key, names

HISTORY: Final = (events, entries, names, commands)
"""The tables in which nothing is ever changed."""

_NEVER: Final = "is never changed: a correction is a new event."
_PUT_BACK: Final = "Find out who did it; a backup that is restored into a new database has all of them again."


class Place(NamedTuple):
    """On which table a trigger stands, and its name."""

    table: str
    name: str


class Trigger(NamedTuple):
    """What a trigger does, as its database describes it, blanks aside."""

    text: str
    is_on: bool = True


Triggers: TypeAlias = Mapping[Place, Trigger]


class Guards(NamedTuple):
    """The triggers that should be there, and those that are."""

    wanted: Triggers
    there: Triggers

    def finding(self) -> Finding | None:
        """The first trigger that does not keep history any more, or that the ledger never made."""
        for at in sorted(self.wanted.keys() | self.there.keys()):
            if sentence := self._sentence(at):
                return Finding("triggers", "trigger", f"{sentence} {_PUT_BACK}", id=at.name)
        return None

    def _sentence(self, at: Place) -> str | None:
        wanted, there = self.wanted.get(at), self.there.get(at)
        keeps = f"The trigger {at.name}, which keeps {at.table} as it was written,"
        if wanted is None:
            return f"The trigger {at.name} on {at.table} is none of the ledger's."
        if there is None:
            return f"{keeps} is missing."
        if not there.is_on:
            return f"{keeps} is switched off."
        return f"{keeps} was changed." if there != wanted else None


def of_sqlite() -> dict[Place, Trigger]:
    """The triggers of a file: one a deed, and one against INSERT OR REPLACE, which deletes without asking."""
    wanted: dict[Place, Trigger] = {}
    for table in HISTORY:
        here = table.name
        refuse = f"BEGIN SELECT RAISE(ABORT, 'What stands in {here} {_NEVER}'); END"
        same = " AND ".join(f"{column} = NEW.{column}" for column in key(table))
        there = f"WHEN EXISTS (SELECT 1 FROM {here} WHERE {same})"  # noqa: S608
        deeds = {
            f"{here}_refuse_update": f"BEFORE UPDATE ON {here}",
            f"{here}_refuse_delete": f"BEFORE DELETE ON {here}",
            f"{here}_refuse_replace": f"BEFORE INSERT ON {here} {there}",
        }
        wanted |= {Place(here, name): Trigger(f"CREATE TRIGGER {name} {deed} {refuse}") for name, deed in deeds.items()}
    return wanted


BEFORE_UPDATE_DELETE_TRUNCATE: Final = 2 + 16 + 8 + 32
"""How PostgreSQL numbers a trigger for a whole statement."""


def of_postgresql() -> dict[Place, Trigger]:
    """The triggers of a server: one a table, and what its function does."""
    refuse = f"BEGIN RAISE EXCEPTION 'What stands in % {_NEVER}', TG_TABLE_NAME; END"
    does = Trigger(f"{BEFORE_UPDATE_DELETE_TRUNCATE} always {refuse}")
    return {Place(table.name, f"{table.name}_refuse_change"): does for table in HISTORY}


def plain(text: str) -> str:
    """A text without regard to blanks and ends of lines."""
    return " ".join(text.split())
