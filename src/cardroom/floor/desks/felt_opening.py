"""The door of a felt: its game's set-up, its terms, and the tabulator that counts its jackpot wagers."""

from __future__ import annotations

import re
from typing import Final

from cardroom.errors import BadInput, quote
from cardroom.floor.felt.faults import NotNow
from cardroom.floor.felt.naming import PRACTICE
from cardroom.floor.felt.state import FeltState
from cardroom.floor.felt.terms import FeltTerms, Mode, checked_terms
from cardroom.floor.kept.table import TableState
from cardroom.games import TableSetup, game
from cardroom.jackpots.setup.models import model

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,59}")


class BadFelt(BadInput):
    """A felt that cannot open."""


def refuse_if_open(before: FeltState | None) -> None:
    """A felt that is open keeps its set-up."""
    if before is not None and not before.closed:
        raise NotNow(f"Table {before.table} is open already: close it before it gets another set-up.")


def refuse_name(table: str, owner: str) -> None:
    """A felt's name is short and plain, and does not look like a player's own practice table."""
    if not _NAME.fullmatch(table):
        raise BadFelt(f"{quote(table)} cannot be a table's name: use 1 to 60 letters, digits and dashes.")
    if table.startswith(PRACTICE) and not owner:
        raise BadFelt(f"{table} would be the name of a player's own practice table: do not begin it with {PRACTICE!r}.")


def checked_felt(table: str, setup: TableSetup, terms: FeltTerms, counted: TableState | None) -> None:
    """Refuse what no felt can be."""
    refuse_name(table, terms.owner)
    at = game(setup.game).open(setup)
    checked_terms(terms, setup)
    linked = set[str]()
    if counted is not None and not counted.closed:
        if counted.game_setup != setup:
            raise BadFelt(
                f"The tabulator of {table} is set up for another layout than the felt: open both with the same set-up."
            )
        if terms.mode is Mode.AUTOMATIC and model(counted.tabulator.table.tabulator).data_logger:
            raise BadFelt(
                f"The tabulator of {table} counts through a data logger, which no program presses: an automatic table "
                "needs a tabulator with a button."
            )
        if counted.money is not terms.money:
            raise BadFelt(
                f"The jackpots of {table} are of {counted.money.label}, and the felt deals for {terms.money.label}: "
                "the two never meet."
            )
        linked = {one.wager for one in counted.playing.wagers if one.jackpot is not None}
    if terms.mode is Mode.LIVE:
        return
    for slug, offered in at.offers.items():
        if offered.has_meter and slug not in linked:
            raise BadFelt(
                f"{offered.wager.name} pays a share of a meter ({offered.paytable.name}), and no jackpot of {table} "
                "has one: link the table to a jackpot first, choose another paytable, or leave the wager out."
            )
