"""A printed column as plain values, for whoever reads the tables with a program."""

from typing import assert_never

from cardroom.paytables.pay import Dollars, ForOne, Loss, OperatorBonus, Pay, Percent, Push, ToOne, words
from cardroom.paytables.printed import paytables
from cardroom.paytables.sheets import sheet_title
from cardroom.paytables.table import NOT_PRINTED, Column, Line, Paytable


def as_json(column: Column) -> dict[str, object]:
    """The column with its source, line by line; a table that bears its name shows its other half too.

    >>> from cardroom.paytables import columns
    >>> shown = as_json(columns("three-card-prime")[4])
    >>> shown["name"], shown["appendix"], shown["lines"][0]["pays"]
    ('PRW-1', 'B', '4 to 1')
    """
    return {
        "game": column.game,
        "wager": column.wager,
        "name": column.name,
        "sheet": column.sheet,
        "sheet_title": sheet_title(column.game),
        "appendix": column.appendix,
        "title": column.title,
        "basis": str(column.basis),
        "feature": column.feature,
        "decks": list(column.decks) or None,
        "lines": [_line_as_json(line) for line in _lines(column)],
    }


def own_as_json(table: Paytable) -> dict[str, object]:
    """A table that nobody printed in the same form: no sheet and no appendix has it."""
    return {
        "game": table.game,
        "wager": table.wager,
        "name": table.name,
        "sheet": None,
        "appendix": None,
        "title": NOT_PRINTED,
        "basis": str(table.basis),
        "feature": table.feature,
        "decks": None,
        "lines": [_line_as_json(line) for line in table.lines],
    }


def _lines(column: Column) -> tuple[Line, ...]:
    for table in paytables(column.game, column.wager, column.feature):
        if table.name == column.name:
            return table.lines
    return column.lines


def _line_as_json(line: Line) -> dict[str, object]:
    return {
        "event": line.event,
        "printed": line.printed,
        "pays": words(line.pay),
        "kind": _kind(line.pay),
        "cell": line.cell,
        "overruled": line.overruled,
    }


def _kind(pay: Pay) -> str:
    match pay:
        case ToOne():
            return "to-1"
        case ForOne():
            return "for-1"
        case Push():
            return "push"
        case Loss():
            return "loss"
        case Percent():
            return "percent"
        case Dollars():
            return "dollars"
        case OperatorBonus():
            return "operator-bonus"
        case _:
            assert_never(pay)
