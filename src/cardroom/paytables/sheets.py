"""Reads the printed columns from the data files: one file a game, transcribed from its rule sheet.

The files of the house's own games lie in a folder here, that of a package's game in the package.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from cardroom.packages import GAMES, BadPackage, announced, announced_for
from cardroom.paytables.pairs import Half, Joined
from cardroom.paytables.pay import Accepts, Basis, OperatorBonus, Pay, parse_pay
from cardroom.paytables.table import Column, Line, listed

_DATA = Path(__file__).with_name("data")
VISITORS_FILE = "paytables.toml"

# A blank cell is no line, and neither is the n/a of Three Card Prime: a Mini-Royal cannot be beaten.
_NO_LINE = ("", "n/a")


@cache
def house() -> frozenset[str]:
    """The house's own games, without opening a file."""
    return frozenset(path.stem for path in _DATA.glob("*.toml"))


@cache
def games() -> tuple[str, ...]:
    """The games whose tables can be read: the house's in the order of their rule sheets, then those of packages."""
    own = sorted(house(), key=lambda game: str(_sheet(game)["sheet"]))
    return (*own, *(one for one in dict.fromkeys(visitor.slug for visitor in announced(GAMES)) if _readable(one)))


def knows(game: str) -> bool:
    """Whether some file has tables for a game; what is wrong with the file of a package is told in a sentence."""
    return game in house() or _visiting_sheet(game) is not None


def _readable(game: str) -> bool:
    try:
        return game not in house() and _visiting_sheet(game) is not None
    except BadPackage:
        return False


@cache
def sheet_title(game: str) -> str:
    """The title and the date of a game's rule sheet, as people cite it.

    >>> sheet_title("three-card-prime")
    'Three Card Prime, Rules of Play, revised September 3, 2015'
    """
    sheet = _sheet(game)
    return str(sheet.get("sheet_title", sheet["sheet"]))


@cache
def wagers(game: str) -> tuple[str, ...]:
    """The wagers of a game, in the order of its rule sheet, those without a table among them."""
    return tuple(_sheet(game)["wagers"])


@cache
def printed_columns(game: str) -> tuple[Column, ...]:
    """Every column that the sheet of a game prints, from left to right and from the first appendix to the last."""
    return _columns(_sheet(game))


@cache
def joined(game: str) -> dict[str, Joined]:
    """By wager how two columns make one table; every other column is a table by itself."""
    return _joined(_sheet(game))


def _joined(sheet: dict[str, Any]) -> dict[str, Joined]:
    return {
        one["wager"]: Joined(one["name"], _half(one["above"]), _half(one["below"])) for one in sheet.get("joined", ())
    }


def _half(entry: dict[str, Any]) -> Half:
    return Half(tuple(entry["columns"]), entry.get("event", "{event}"), entry.get("printed", "{printed}"))


@cache
def _sheet(game: str) -> dict[str, Any]:
    if game in house():
        return tomllib.loads((_DATA / f"{game}.toml").read_text("utf-8"))
    sheet = _visiting_sheet(game)
    assert sheet is not None, f"nobody has tables for {game}"
    return sheet


@cache
def _visiting_sheet(game: str) -> dict[str, Any] | None:
    """The file of a package, once it is certain that all of it can be read; None when no package has the game."""
    visitor = announced_for(GAMES, game)
    if visitor is None:
        return None
    path = visitor.beside(VISITORS_FILE)
    if path is None:
        raise visitor.refused(f"there is no {VISITORS_FILE} in the folder of {visitor.module.partition('.')[0]}")
    try:
        sheet = tomllib.loads(path.read_text("utf-8"))
        unlisted = {*_joined(sheet), *(column.wager for column in _columns(sheet))} - set(sheet["wagers"])
    except (OSError, LookupError, TypeError, ValueError, AttributeError, AssertionError) as fault:
        why = f"its {VISITORS_FILE} cannot be read, {type(fault).__name__}: {fault}"
        raise visitor.refused(why) from fault
    if sheet["game"] != game:
        raise visitor.refused(f"its {VISITORS_FILE} is for {sheet['game']!r}")
    if unlisted:
        raise visitor.refused(
            f"its {VISITORS_FILE} has tables for {listed(sorted(unlisted))} but does not list the wager"
        )
    return sheet


def _columns(sheet: dict[str, Any]) -> tuple[Column, ...]:
    tables = sheet.get("table", ())  # where the rules themselves pay everything there is none
    return tuple(_column(sheet, table, position) for table in tables for position in range(len(table["columns"])))


def _column(sheet: dict[str, Any], table: dict[str, Any], position: int) -> Column:
    return Column(
        game=sheet["game"],
        wager=table["wager"],
        name=table["columns"][position],
        sheet=sheet["sheet"],
        appendix=table["appendix"],
        title=table["title"],
        basis=Basis(table["basis"]),
        lines=tuple(_line(table, row, position) for row in table["lines"] if row["cells"][position] not in _NO_LINE),
        notes=tuple(table["notes"]),
        feature=table.get("feature"),
        decks=tuple(table["decks"][position]) if "decks" in table else (),
    )


def _line(table: dict[str, Any], row: dict[str, Any], position: int) -> Line:
    assert len(row["cells"]) == len(table["columns"]), f"{row['printed']} has a cell too many or too few"
    cell, basis = row["cells"][position], Basis(table["basis"])
    for ruling in table.get("overruled", ()):
        if row["event"] == ruling["event"] and table["columns"][position] in ruling["columns"]:
            return Line(row["event"], row["printed"], parse_pay(ruling["pay"], basis), cell, ruling["ruling"])
    return Line(row["event"], row["printed"], _accepting(table, parse_pay(cell, basis)), cell)


def _accepting(table: dict[str, Any], pay: Pay) -> Pay:
    """A printed "Bonus" is a fixed pay, unless the sheet lets the operator run it as a progressive too."""
    if pay == OperatorBonus(Accepts.BONUS) and "bonus_accepts" in table:
        return OperatorBonus(Accepts(table["bonus_accepts"]))
    return pay
