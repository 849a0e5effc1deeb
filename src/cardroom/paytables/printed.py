"""Every printed paytable, by game, wager and name."""

from functools import cache

from cardroom.faults import BadInput, close_to, shortened
from cardroom.paytables import sheets
from cardroom.paytables.pairs import single
from cardroom.paytables.pay import Basis
from cardroom.paytables.table import Column, Paytable, listed


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
    if not sheets.knows(game):
        meant = close_to(game, games())
        raise UnknownPaytable(f'There is no game "{shortened(game)}"; the games are {listed(games())}.{meant}')
    return sheets.wagers(game)


def columns(game: str | None = None) -> tuple[Column, ...]:
    """The named columns of one game or of all.

    A column that is no table by itself and gives none its name is not among them: Win or Copy of Three Card Prime.

    >>> len(columns("deuces-wild")), len(columns("dueling-for-dollars"))
    (16, 13)
    """
    if game is None:
        return tuple(column for each in games() for column in columns(each))
    wagers(game)  # refuses an unknown game
    joined = sheets.joined(game)
    return tuple(
        column
        for column in sheets.printed_columns(game)
        if column.wager not in joined or joined[column.wager].names(column.name)
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
        there, meant = listed(wagers(game)), close_to(wager, wagers(game))
        raise UnknownPaytable(f'{game} has no wager "{shortened(wager)}"; its wagers are {there}.{meant}')
    printed = [column for column in sheets.printed_columns(game) if column.wager == wager]
    if feature is None and not printed:
        return (Paytable(game, wager, "", Basis.TO_ONE, ()),)
    chosen = [column for column in printed if column.feature == feature]
    if not chosen:
        features = dict.fromkeys(column.feature for column in printed if column.feature is not None)
        raise UnknownPaytable(
            f'{game} {wager} has no feature "{shortened(str(feature))}"; its features are {listed(features)}.'
        )
    joined = sheets.joined(game).get(wager)
    if joined is not None and feature is None:
        return joined.tables(chosen)
    return tuple(single(column) for column in chosen)


def paytable(game: str, wager: str, name: str, feature: str | None = None) -> Paytable:
    """One table by its printed name.

    >>> [line.cell for line in paytable("deuces-wild", "three-card-treasure", "B").lines]
    ['25', '5', '4', '3', '1']
    >>> paytable("three-card-prime", "prime", "PRW-3")
    Traceback (most recent call last):
    ...
    cardroom.paytables.printed.UnknownPaytable: three-card-prime prime has no table "PRW-3"; ...
    """
    choice = paytables(game, wager, feature)
    for table in choice:
        if table.name == name:
            return table
    riding = f" {feature}" if feature else ""
    there = [table.name for table in choice]
    sentence = f'{game} {wager}{riding} has no table "{shortened(name)}"; its tables are {listed(there)}.'
    raise UnknownPaytable(sentence + close_to(name, there))
