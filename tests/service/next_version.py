"""The program that comes after this one, invented. Its ledger has a table more, and its `jackpot-disabled` event has a
second version, which says until when.

A process is of one version, so this one runs in a process of its own: ``python -m tests.service.next_version``.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from cardroom.errors import BadInput
from cardroom.ledger import open_ledger, schema, sqlite
from cardroom.ledger import schema_version as migrate
from cardroom.room.event_types import event_type
from cardroom.room.jackpot import lifecycle as service
from cardroom.room.jackpot.events import JackpotDisabled
from cardroom.service import CardRoom, restore_backup, verify_card_room
from cardroom.service.queries.chain_history import read_domain_event

STEP: Final = """
import sqlalchemy as sa
from alembic import op

revision, down_revision = "{version}", "{before}"


def upgrade():
    op.create_table("added_in_{version}", sa.Column("name", sa.Text, primary_key=True))
    {more}
"""
ENDS_THE_OLD: Final = "op.execute(\"UPDATE ledger_readable SET since = '0003'\")"


def write_migrations(folder: Path, newest: str) -> Path:
    """The migrations of today and those of later: 0002 only adds a table; after 0003 today's program cannot go on."""
    shutil.copytree(migrate.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    steps = {"0002": ("0001", "pass"), "0003": ("0002", ENDS_THE_OLD)}
    for version, (before, more) in steps.items():
        if version <= newest:
            text = STEP.format(version=version, before=before, more=more)
            (folder / "versions" / f"v{version}_later.py").write_text(text)
    return folder


def become_newer(folder: Path) -> None:
    """Let this process be the program that brings these migrations."""
    later = sorted(path.name[1:5] for path in (folder / "versions").glob("v*_later.py"))
    for module in (schema, migrate, sqlite):
        module.VERSION = later[-1]  # type: ignore[attr-defined]
    migrate.MIGRATIONS = folder  # type: ignore[misc]
    for version in later:
        sa.Table(f"added_in_{version}", schema.metadata, sa.Column("name", sa.Text, primary_key=True))

    @event_type(JackpotDisabled.kind)
    class DisabledUntil(JackpotDisabled):
        version = 2
        until: str

        @staticmethod
        def upcast_v1_v2(payload: dict[str, Any]) -> dict[str, Any]:
            return payload | {"until": "further notice"}

    def disabled(jackpot: str, who: str, why: str) -> JackpotDisabled:
        return DisabledUntil(jackpot, who, why, "noon")

    service.JackpotDisabled = disabled  # type: ignore[misc,assignment]


def work(url: str, why: str) -> dict[str, Any]:
    """Open the books, disable a jackpot for a while, and look at everything."""
    with open_ledger(url) as ledger:
        card_room = CardRoom(ledger)
        card_room.jackpots.disable(f"disable {why}", "Nia", "final-four", why)
        card_room.jackpots.enable(f"enable {why}", "Nia", "final-four")
        events = [event for event in ledger.events("jackpot:final-four") if event.kind == JackpotDisabled.kind]
        result: list[Any] = [read_domain_event(event) for event in events]
        return {
            "came_from": ledger.store.migrated_from,
            "stored": [[event.version, sorted(event.payload)] for event in events],  # type: ignore[arg-type]
            "read": [[one.why, one.until] for one in result],
            "found": str(verify_card_room(ledger).discrepancy),
        }


def restored(backup: str, url: str) -> dict[str, Any]:
    return {"found": str(restore_backup(Path(backup), url).report.discrepancy)}


def main(folder: str, what: str, *arguments: str) -> None:
    become_newer(Path(folder))
    if what == "cardroom":
        from cardroom.cli import main as cardroom

        sys.argv = [what, *arguments]
        cardroom()
        return
    try:
        print(json.dumps({"work": work, "restore": restored}[what](*arguments)))
    except BadInput as fault:
        print(json.dumps({"refused": str(fault)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
