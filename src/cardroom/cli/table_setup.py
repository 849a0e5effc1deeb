"""Read a table's setup file: the game's setup, the table's name, and its options.

A table with a tabulator uses the same file for ``cardroom tabulator add``. A table without jackpots has only the game's
keys, its name, and the section ``[play]``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cardroom.chart_of_accounts import Currency
from cardroom.cli.shared.setup_files import TABLE_KEYS
from cardroom.cli.shared.table_files import read_table_files
from cardroom.documents import read_toml
from cardroom.errors import quote
from cardroom.games import TableSetup, game
from cardroom.games.setup import setup_from_json, with_custom_paytables
from cardroom.room.jackpot.lifecycle import with_displayed_bonuses
from cardroom.room.setup.toml_reader import SetupSection, UnreadableSetup
from cardroom.service import CardRoom, DealingMode, PlayTerms


class BadPlayFile(UnreadableSetup):
    """An incomplete or wrong setup file of a table."""


class PlayFile(NamedTuple):
    """The contents of a table's setup file."""

    table: str
    setup: TableSetup
    terms: PlayTerms


class _PlaySection(SetupSection):
    error_type = BadPlayFile


def read_play_file(text: str, paytables: Sequence[str] | None = None, *, is_live: bool = False) -> PlayFile:
    """Read a table's file, and files with custom paytables for its wagers. ``is_live`` makes the table live, whatever
    the file says."""
    content = read_toml(text, BadPlayFile, "The table's file")
    table_keys: dict[str, Any] = {name: content.pop(name) for name in TABLE_KEYS if name in content}
    table = table_keys.get("table")
    if not isinstance(table, str):
        raise BadPlayFile("The table's file needs 'table': the table's name, as a text.")
    play_section = table_keys.get("play", {})
    if is_live and isinstance(play_section, Mapping):
        play_section = {**play_section, "mode": str(DealingMode.LIVE), "money": str(Currency.REAL)}
    setup = setup_from_json(content)
    files, slug = read_table_files(paytables, setup.game)
    if files.setup is not None:
        raise BadPlayFile("The table's file is its setup already: use --table only for custom paytables.")
    custom_setup = with_custom_paytables(setup, files.paytables, game(slug or "").facts) if files.paytables else setup
    return PlayFile(table, custom_setup, read_play_terms(play_section))


def read_play_terms(content: object) -> PlayTerms:
    """The options in the section ``[play]``; missing ones have their defaults."""
    section, defaults = _PlaySection(content, "[play]"), PlayTerms()
    mode = section.get("mode", str, str(DealingMode.AUTOMATIC))
    if mode not in set(DealingMode):
        raise BadPlayFile(f"'mode' in [play] is {' or '.join(map(quote, DealingMode))}, not {quote(mode)}.")
    currency = section.get("money", str, str(Currency.REAL if mode == DealingMode.LIVE else Currency.PLAY))
    if currency not in set(Currency):
        raise BadPlayFile(f"'money' in [play] is {' or '.join(map(quote, Currency))}, not {quote(currency)}.")
    terms = defaults._replace(
        mode=DealingMode(mode),
        money=Currency(currency),
        betting=section.get("betting", int, defaults.betting),
        deciding=section.get("deciding", int, defaults.deciding),
        buy_in=section.amount("buy_in", defaults.buy_in),
    )
    section.refuse_unread()
    return terms


def add_displayed_amounts(card_room: CardRoom, file: PlayFile) -> TableSetup:
    """The setup with the amounts that the table's jackpots display, as its tabulator has it."""
    if file.table not in card_room.list_tabulators() or (tabulator_state := card_room.tabulator(file.table)).closed:
        return file.setup
    return with_displayed_bonuses(file.setup, [card_room.jackpot(jackpot) for jackpot in tabulator_state.jackpots])
