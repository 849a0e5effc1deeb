"""Reads the printed columns from the data files: one file a game, transcribed from its rule sheet."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from cardroom.paytables.pay import Accepts, Basis, OperatorBonus, Pay, parse_pay
from cardroom.paytables.table import Column, Feature, Line

_DATA = Path(__file__).with_name("data")

# A blank cell is no line, and neither is the n/a of Three Card Prime: a Mini-Royal cannot be beaten.
_NO_LINE = ("", "n/a")


@cache
def slugs() -> frozenset[str]:
    """The games that have a data file, without opening one."""
    return frozenset(path.stem for path in _DATA.glob("*.toml"))


@cache
def games() -> tuple[str, ...]:
    """The games, in the order of their rule sheets."""
    return tuple(sorted(slugs(), key=lambda game: str(_sheet(game)["sheet"])))


@cache
def wagers(game: str) -> tuple[str, ...]:
    """The wagers of a game, in the order of its rule sheet, those without a table among them."""
    return tuple(_sheet(game)["wagers"])


@cache
def printed_columns(game: str) -> tuple[Column, ...]:
    """Every column that the sheet of a game prints, from left to right and from the first appendix to the last."""
    sheet = _sheet(game)
    return tuple(
        _column(sheet, table, position) for table in sheet["table"] for position in range(len(table["columns"]))
    )


@cache
def _sheet(game: str) -> dict[str, Any]:
    with (_DATA / f"{game}.toml").open("rb") as file:
        return tomllib.load(file)


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
        feature=Feature(table["feature"]) if "feature" in table else None,
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
