"""Every printed paytable, by game, wager, and name.

A paytable is also available as JSON, and with the columns of its appendix side by side.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import assert_never

from cardroom.errors import BadInput, shorten, suggest_name
from cardroom.paytables import sheets
from cardroom.paytables.pay import Basis, Dollars, ForOne, Loss, OperatorBonus, Pay, Percent, Push, ToOne, describe_pay
from cardroom.paytables.sheets import printed_columns, sheet_title
from cardroom.paytables.table import (
    CUSTOM_NOTE,
    Paytable,
    PaytableColumn,
    PaytableLine,
    paytable_from_column,
    quote_names,
)


class UnknownPaytable(BadInput):
    """A game, wager, feature or table that no sheet prints."""


def games() -> tuple[str, ...]:
    """The games, in the order of their rule sheets, then those of installed packages.

    >>> games()[:5]
    ('deuces-wild', 'three-card-prime', 'texas-shootout', 'dueling-for-dollars', 'three-card-double-play')
    """
    return sheets.games()


def wagers(game: str) -> tuple[str, ...]:
    """The wagers of a game, in the order of its rule sheet.

    >>> wagers("dueling-for-dollars")
    ('duel', 'tie-plus', 'combo', 'tie-after-tie', 'two-plus-two')
    """
    if not sheets.has_sheet(game):
        suggestion = suggest_name(game, games())
        raise UnknownPaytable(f'There is no game "{shorten(game)}"; the games are {quote_names(games())}.{suggestion}')
    return sheets.wagers(game)


def paytable_columns(game: str | None = None) -> tuple[PaytableColumn, ...]:
    """The named columns of one game or of all.

    A column that is no table by itself and gives none its name is not among them: Win or Copy of Three Card Prime.

    >>> len(paytable_columns("deuces-wild")), len(paytable_columns("dueling-for-dollars"))
    (16, 13)
    """
    if game is None:
        return tuple(column for game_slug in games() for column in paytable_columns(game_slug))
    wagers(game)  # refuses an unknown game
    pairs = sheets.column_pairs(game)
    return tuple(
        column
        for column in sheets.printed_columns(game)
        if column.wager not in pairs or pairs[column.wager].shows_name(column.name)
    )


@cache
def paytables(game: str, wager: str, feature: str | None = None) -> tuple[Paytable, ...]:
    """The tables an operator may choose from for a wager, or for a feature that rides on it.

    A wager that pays even money by its rules has one table, without a name or lines.

    >>> [table.name for table in paytables("three-card-prime", "pair-bonus")][:2]
    ['PB 1+PB/LD 1', 'PB 1+PB/LD 2']
    >>> [table.name for table in paytables("texas-shootout", "shootout-bonus", "color")]
    ['TS/CB 1', 'TS/CB 2', 'TS/CB 3', 'TS/CB 4']
    """
    if wager not in wagers(game):
        wager_list, suggestion = quote_names(wagers(game)), suggest_name(wager, wagers(game))
        raise UnknownPaytable(f'{game} has no wager "{shorten(wager)}"; its wagers are {wager_list}.{suggestion}')
    wager_columns = [column for column in sheets.printed_columns(game) if column.wager == wager]
    if feature is None and not wager_columns:
        return (Paytable(game, wager, "", Basis.TO_ONE, ()),)
    feature_columns = [column for column in wager_columns if column.feature == feature]
    if not feature_columns:
        features = dict.fromkeys(column.feature for column in wager_columns if column.feature is not None)
        raise UnknownPaytable(
            f'{game} {wager} has no feature "{shorten(str(feature))}"; its features are {quote_names(features)}.'
        )
    pair = sheets.column_pairs(game).get(wager)
    if pair is not None and feature is None:
        return pair.build_tables(feature_columns)
    return tuple(paytable_from_column(column) for column in feature_columns)


def paytable(game: str, wager: str, name: str, feature: str | None = None) -> Paytable:
    """One table by its printed name.

    >>> [line.cell for line in paytable("deuces-wild", "three-card-treasure", "B").lines]
    ['25', '5', '4', '3', '1']
    >>> paytable("three-card-prime", "prime", "PRW-3")
    Traceback (most recent call last):
    ...
    cardroom.paytables.catalog.UnknownPaytable: three-card-prime prime has no table "PRW-3"; ...
    """
    choice = paytables(game, wager, feature)
    for table in choice:
        if table.name == name:
            return table
    feature_text = f" {feature}" if feature else ""
    names = [table.name for table in choice]
    sentence = f'{game} {wager}{feature_text} has no table "{shorten(name)}"; its tables are {quote_names(names)}.'
    raise UnknownPaytable(sentence + suggest_name(name, names))


def column_to_json(column: PaytableColumn) -> dict[str, object]:
    """The column with its source, line by line; a table that bears its name shows its other half too.

    >>> from cardroom.paytables import paytable_columns
    >>> shown = column_to_json(paytable_columns("three-card-prime")[4])
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
        "lines": [_line_to_json(line) for line in _lines_in_force(column)],
    }


def custom_paytable_to_json(table: Paytable) -> dict[str, object]:
    """A custom table in the same form, without sheet and appendix."""
    return {
        "game": table.game,
        "wager": table.wager,
        "name": table.name,
        "sheet": None,
        "appendix": None,
        "title": CUSTOM_NOTE,
        "basis": str(table.basis),
        "feature": table.feature,
        "decks": None,
        "lines": [_line_to_json(line) for line in table.lines],
    }


def _lines_in_force(column: PaytableColumn) -> tuple[PaytableLine, ...]:
    for table in paytables(column.game, column.wager, column.feature):
        if table.name == column.name:
            return table.lines
    return column.lines


def _line_to_json(line: PaytableLine) -> dict[str, object]:
    return {
        "event": line.trigger,
        "printed": line.label,
        "pays": describe_pay(line.pay),
        "kind": _pay_kind(line.pay),
        "cell": line.cell,
        "overruled": line.ruling,
    }


def _pay_kind(pay: Pay) -> str:
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


@dataclass(frozen=True, slots=True)
class Appendix:
    """One table of an appendix."""

    columns: tuple[PaytableColumn, ...]

    @property
    def rows(self) -> dict[str, str]:
        """The printed labels by event, in an order that every column's lines follow."""
        rows: dict[str, str] = {}
        for column in self.columns:
            order = list(rows)
            position = -1
            for line in column.lines:
                if line.trigger in rows:
                    position = order.index(line.trigger)
                else:
                    position += 1
                    order.insert(position, line.trigger)
                    rows[line.trigger] = line.label
            rows = {trigger: rows[trigger] for trigger in order}
        return rows

    @property
    def ruling_notes(self) -> tuple[str, ...]:
        """A sentence for each printed cell that a ruling sets aside."""
        sentences = {
            f"printed {line.cell}, but {line.ruling} rules: {describe_pay(line.pay)}."
            for column in self.columns
            for line in column.lines
            if line.ruling
        }
        return tuple(sorted(sentences))

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes under the table, each once."""
        return tuple(dict.fromkeys(note for column in self.columns for note in column.notes))


def find_column_line(column: PaytableColumn, trigger: str) -> PaytableLine | None:
    """The line of a column for an event; None where its cell is blank."""
    return next((line for line in column.lines if line.trigger == trigger), None)


def appendices(game: str, wager: str | None = None) -> Iterator[Appendix]:
    """The tables of a game's sheet in its order; columns that stand together there share their notes.

    >>> [len(one.columns) for one in appendices("three-card-prime", "prime")]
    [2]
    """
    columns = (column for column in printed_columns(game) if wager in (None, column.wager))
    for _, group in groupby(columns, key=lambda column: (column.appendix, column.title, column.notes)):
        yield Appendix(tuple(group))
