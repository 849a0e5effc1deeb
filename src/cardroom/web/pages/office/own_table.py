"""A paytable of the operator's own in the form of a table: it comes from a set-up and is carried along, hidden."""

from __future__ import annotations

import json

from cardroom.documents import read_json
from cardroom.errors import BadInput
from cardroom.games.setup import WagerSetup
from cardroom.paytables import BadPaytable, Paytable, PaytableSpec, build_custom_paytable
from cardroom.paytables.custom_paytable import parse_spec_lines
from cardroom.web.pages.office.fields import Typed


def own_typed(slug: str, offered: WagerSetup) -> dict[str, str]:
    """The field that carries it."""
    own = offered.custom_paytable
    if own is None:
        return {}
    return {f"own_table.{slug}": json.dumps({"name": own.name, "basis": own.basis, "lines": own.lines})}


def carried(typed: Typed, slug: str) -> PaytableSpec | None:
    """The table that the form carries for a wager."""
    text = typed.get(f"own_table.{slug}", "")
    if not text:
        return None
    match read_json(text, BadPaytable, "The paytable"):
        case {"name": str(name), "basis": str(basis), "lines": lines}:
            return PaytableSpec(name, basis, parse_spec_lines(lines))
    raise BadPaytable("The paytable has a name, a basis and lines.")


def with_carried(typed: Typed, slug: str, printed: tuple[Paytable, ...]) -> tuple[Paytable, ...]:
    """The tables to choose from for a wager: the printed ones, and the one that the form carries."""
    own = carried(typed, slug)
    if own is None:
        return printed
    try:
        return (*printed, build_custom_paytable(typed["game"], slug, own))
    except BadInput:
        return printed  # the door of the table says what is wrong
