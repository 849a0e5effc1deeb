"""A paytable of the operator's own in the form of a table: it comes from a set-up and is carried along, hidden."""

from __future__ import annotations

import json

from cardroom.documents import read_json
from cardroom.faults import BadInput
from cardroom.games.setup import WagerSetup
from cardroom.paytables import BadPaytable, OwnTable, Paytable, own_paytable
from cardroom.paytables.custom import own_lines
from cardroom.web.pages.office.fields import Typed


def own_typed(slug: str, offered: WagerSetup) -> dict[str, str]:
    """The field that carries it."""
    own = offered.table
    if own is None:
        return {}
    return {f"own_table.{slug}": json.dumps({"name": own.name, "basis": own.basis, "lines": own.lines})}


def carried(typed: Typed, slug: str) -> OwnTable | None:
    """The table that the form carries for a wager."""
    text = typed.get(f"own_table.{slug}", "")
    if not text:
        return None
    match read_json(text, BadPaytable, "The paytable"):
        case {"name": str(name), "basis": str(basis), "lines": lines}:
            return OwnTable(name, basis, own_lines(lines))
    raise BadPaytable("The paytable has a name, a basis and lines.")


def with_carried(typed: Typed, slug: str, printed: tuple[Paytable, ...]) -> tuple[Paytable, ...]:
    """The tables to choose from for a wager: the printed ones, and the one that the form carries."""
    own = carried(typed, slug)
    if own is None:
        return printed
    try:
        return (*printed, own_paytable(typed["game"], slug, own))
    except BadInput:
        return printed  # the door of the table says what is wrong
