"""Reads the printed columns from the data files: one file a game, transcribed from its rule sheet.

The files of the house's own games lie in a folder here, that of a package's game in the package.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from cardroom.paytables.pay import Basis, BonusKind, OperatorBonus, Pay, parse_pay
from cardroom.paytables.table import ColumnPair, PairHalf, PaytableColumn, PaytableLine, quote_names
from cardroom.plugins import GAME_GROUP, BadPackage, find_plugin, installed_plugins

_DATA = Path(__file__).with_name("data")
PLUGIN_FILE = "paytables.toml"

# A blank cell is no line, and neither is the n/a of Three Card Prime: a Mini-Royal cannot be beaten.
_NO_LINE = ("", "n/a")


@cache
def built_in_games() -> frozenset[str]:
    """The house's own games, without opening a file."""
    return frozenset(path.stem for path in _DATA.glob("*.toml"))


@cache
def games() -> tuple[str, ...]:
    """The games whose tables can be read: the house's in the order of their rule sheets, then those of packages."""
    built_in = sorted(built_in_games(), key=lambda game: str(_load_sheet(game)["sheet"]))
    return (
        *built_in,
        *(
            slug
            for slug in dict.fromkeys(plugin.slug for plugin in installed_plugins(GAME_GROUP))
            if _is_readable(slug)
        ),
    )


def has_sheet(game: str) -> bool:
    """Whether some file has tables for a game; a bad file of a package is an error with a sentence."""
    return game in built_in_games() or _load_plugin_sheet(game) is not None


def _is_readable(game: str) -> bool:
    try:
        return game not in built_in_games() and _load_plugin_sheet(game) is not None
    except BadPackage:
        return False


@cache
def sheet_title(game: str) -> str:
    """The title and the date of a game's rule sheet, as people cite it.

    >>> sheet_title("three-card-prime")
    'Three Card Prime, Rules of Play, revised September 3, 2015'
    """
    sheet = _load_sheet(game)
    return str(sheet.get("sheet_title", sheet["sheet"]))


@cache
def wagers(game: str) -> tuple[str, ...]:
    """The wagers of a game, in the order of its rule sheet, those without a table among them."""
    return tuple(_load_sheet(game)["wagers"])


@cache
def printed_columns(game: str) -> tuple[PaytableColumn, ...]:
    """Every column that the sheet of a game prints, from left to right and from the first appendix to the last."""
    return _parse_columns(_load_sheet(game))


@cache
def column_pairs(game: str) -> dict[str, ColumnPair]:
    """By wager how two columns make one table; every other column is a table by itself."""
    return _parse_pairs(_load_sheet(game))


def _parse_pairs(sheet: dict[str, Any]) -> dict[str, ColumnPair]:
    return {
        entry["wager"]: ColumnPair(entry["name"], _parse_half(entry["above"]), _parse_half(entry["below"]))
        for entry in sheet.get("joined", ())
    }


def _parse_half(entry: dict[str, Any]) -> PairHalf:
    return PairHalf(tuple(entry["columns"]), entry.get("event", "{event}"), entry.get("printed", "{printed}"))


@cache
def _load_sheet(game: str) -> dict[str, Any]:
    if game in built_in_games():
        return tomllib.loads((_DATA / f"{game}.toml").read_text("utf-8"))
    sheet = _load_plugin_sheet(game)
    assert sheet is not None, f"no sheet has tables for {game}"
    return sheet


@cache
def _load_plugin_sheet(game: str) -> dict[str, Any] | None:
    """The file of a package, once it is certain that all of it can be read; None when no package has the game."""
    plugin = find_plugin(GAME_GROUP, game)
    if plugin is None:
        return None
    path = plugin.find_file(PLUGIN_FILE)
    if path is None:
        raise plugin.error(f"there is no {PLUGIN_FILE} in the folder of {plugin.module.partition('.')[0]}")
    try:
        sheet = tomllib.loads(path.read_text("utf-8"))
        unlisted = {*_parse_pairs(sheet), *(column.wager for column in _parse_columns(sheet))} - set(sheet["wagers"])
    except (OSError, LookupError, TypeError, ValueError, AttributeError, AssertionError) as error:
        why = f"its {PLUGIN_FILE} cannot be read, {type(error).__name__}: {error}"
        raise plugin.error(why) from error
    if sheet["game"] != game:
        raise plugin.error(f"its {PLUGIN_FILE} is for {sheet['game']!r}")
    if unlisted:
        raise plugin.error(
            f"its {PLUGIN_FILE} has tables for {quote_names(sorted(unlisted))} but does not list the wager"
        )
    return sheet


def _parse_columns(sheet: dict[str, Any]) -> tuple[PaytableColumn, ...]:
    tables = sheet.get("table", ())  # where the rules themselves pay everything there is none
    return tuple(_parse_column(sheet, table, position) for table in tables for position in range(len(table["columns"])))


def _parse_column(sheet: dict[str, Any], table: dict[str, Any], position: int) -> PaytableColumn:
    return PaytableColumn(
        game=sheet["game"],
        wager=table["wager"],
        name=table["columns"][position],
        sheet=sheet["sheet"],
        appendix=table["appendix"],
        title=table["title"],
        basis=Basis(table["basis"]),
        lines=tuple(
            _parse_line(table, row, position) for row in table["lines"] if row["cells"][position] not in _NO_LINE
        ),
        notes=tuple(table["notes"]),
        feature=table.get("feature"),
        decks=tuple(table["decks"][position]) if "decks" in table else (),
    )


def _parse_line(table: dict[str, Any], row: dict[str, Any], position: int) -> PaytableLine:
    assert len(row["cells"]) == len(table["columns"]), f"{row['printed']} has a cell too many or too few"
    cell, basis = row["cells"][position], Basis(table["basis"])
    for ruling in table.get("overruled", ()):
        if row["event"] == ruling["event"] and table["columns"][position] in ruling["columns"]:
            return PaytableLine(row["event"], row["printed"], parse_pay(ruling["pay"], basis), cell, ruling["ruling"])
    return PaytableLine(row["event"], row["printed"], _apply_bonus_kind(table, parse_pay(cell, basis)), cell)


def _apply_bonus_kind(table: dict[str, Any], pay: Pay) -> Pay:
    """A printed "Bonus" is a fixed pay, unless the sheet lets the operator run it as a progressive too."""
    if pay == OperatorBonus(BonusKind.BONUS) and "bonus_accepts" in table:
        return OperatorBonus(BonusKind(table["bonus_accepts"]))
    return pay
