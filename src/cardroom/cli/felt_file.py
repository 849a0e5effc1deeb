"""A table to play at, as an operator writes it: the game's set-up, its name, and what holds for those who play there.

It is the file of the table with its tabulator (``cardroom jackpot table``), where it has one; a table without jackpots
has only the game's keys, its name and the section ``[felt]``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cardroom.accounts import Currency
from cardroom.cli.jackpot.table_file import BESIDE
from cardroom.cli.shared.table_files import read_table_files
from cardroom.documents import read_toml
from cardroom.errors import quote
from cardroom.floor import FeltTerms, Floor, Mode
from cardroom.games import TableSetup, game
from cardroom.games.setup import setup_from_json, with_custom_paytables
from cardroom.jackpots import with_displayed_bonuses
from cardroom.jackpots.setup.faults import BadFile
from cardroom.jackpots.setup.reading import Section


class BadFeltFile(BadFile):
    """A file that does not say what is played at a table."""


class FeltFile(NamedTuple):
    """A table as it is to be opened for playing."""

    table: str
    setup: TableSetup
    terms: FeltTerms


class _Felt(Section):
    error_type = BadFeltFile


def read_felt_file(text: str, paytables: Sequence[str] | None = None, *, live: bool = False) -> FeltFile:
    """Read a table's file, and files with paytables that nobody printed for some of its wagers. ``live`` says that a
    dealer deals there, whatever the file says."""
    entry = read_toml(text, BadFeltFile, "The table's file")
    beside: dict[str, Any] = {name: entry.pop(name) for name in BESIDE if name in entry}
    table = beside.get("table")
    if not isinstance(table, str):
        raise BadFeltFile("The table's file needs 'table': what commands call it, as a text.")
    written = beside.get("felt", {})
    if live and isinstance(written, Mapping):
        written = {**written, "mode": str(Mode.LIVE), "money": str(Currency.REAL)}
    setup = setup_from_json(entry)
    files, slug = read_table_files(paytables, setup.game)
    if files.setup is not None:
        raise BadFeltFile("The table's file is its set-up: --table names paytables that nobody printed beside it.")
    own = with_custom_paytables(setup, files.paytables, game(slug or "").facts) if files.paytables else setup
    return FeltFile(table, own, read_terms(written))


def read_terms(entry: object) -> FeltTerms:
    """The section ``[felt]``; what it leaves out is as usual."""
    section, usual = _Felt(entry, "[felt]"), FeltTerms()
    mode = section.get("mode", str, str(Mode.AUTOMATIC))
    if mode not in set(Mode):
        raise BadFeltFile(f"'mode' in [felt] is {' or '.join(map(quote, Mode))}, not {quote(mode)}.")
    money = section.get("money", str, str(Currency.REAL if mode == Mode.LIVE else Currency.PLAY))
    if money not in set(Currency):
        raise BadFeltFile(f"'money' in [felt] is {' or '.join(map(quote, Currency))}, not {quote(money)}.")
    terms = usual._replace(
        mode=Mode(mode),
        money=Currency(money),
        betting=section.get("betting", int, usual.betting),
        deciding=section.get("deciding", int, usual.deciding),
        buy_in=section.amount("buy_in", usual.buy_in),
    )
    section.refuse_unread()
    return terms


def as_displayed(floor: Floor, file: FeltFile) -> TableSetup:
    """The set-up as its tabulator knows it, with the amounts that its jackpots display."""
    if file.table not in floor.tables() or (counted := floor.table(file.table)).closed:
        return file.setup
    return with_displayed_bonuses(file.setup, [floor.jackpot(one) for one in counted.jackpots])
