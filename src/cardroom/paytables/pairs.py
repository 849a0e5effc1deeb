"""Two wagers of Three Card Prime use two printed columns at once; here they become one paytable."""

from collections.abc import Sequence
from dataclasses import replace

from cardroom.paytables.table import Column, Line, Paytable

WIN_OR_COPY = "Win or Copy"
_LOOSE_DEUCE = "PB/LD"


def single(column: Column) -> Paytable:
    """A column that is used by itself."""
    return Paytable(
        game=column.game,
        wager=column.wager,
        name=column.name,
        basis=column.basis,
        lines=column.lines,
        columns=(column,),
        feature=column.feature,
        decks=column.decks,
    )


def win_or_copy_and_bad_beat(columns: Sequence[Column]) -> tuple[Paytable, ...]:
    """The Play wager: Win or Copy above, and under it the Bad Beat column that gives the table its name (TP-2)."""
    win_or_copy = next(column for column in columns if column.name == WIN_OR_COPY)
    return tuple(
        _joined(column.name, win_or_copy, column, win_or_copy.lines + tuple(_bad_beat(line) for line in column.lines))
        for column in columns
        if column is not win_or_copy
    )


def ordinary_and_deuce(columns: Sequence[Column]) -> tuple[Paytable, ...]:
    """Pair Bonus: every ordinary column with every loose-deuce column (TP-3).

    The deuce column stands above, so that a hand with a deuce meets its own line first.
    """
    ordinary = [column for column in columns if not column.name.startswith(_LOOSE_DEUCE)]
    deuce = [column for column in columns if column.name.startswith(_LOOSE_DEUCE)]
    return tuple(
        _joined(f"{pb.name}+{ld.name}", pb, ld, tuple(_with_deuce(line) for line in ld.lines) + pb.lines)
        for pb in ordinary
        for ld in deuce
    )


# The wagers whose tables are made of two columns; every other column is a table by itself.
JOINED = {
    ("three-card-prime", "ante-play"): win_or_copy_and_bad_beat,
    ("three-card-prime", "pair-bonus"): ordinary_and_deuce,
}


def _joined(name: str, one: Column, other: Column, lines: tuple[Line, ...]) -> Paytable:
    return replace(single(one), name=name, lines=lines, columns=(one, other))


def _bad_beat(line: Line) -> Line:
    return replace(line, event=f"bad-beat-{line.event}", printed=f"{line.printed} (bad beat)")


def _with_deuce(line: Line) -> Line:
    return replace(line, event=f"{line.event}-with-deuce", printed=f"{line.printed} (with a deuce)")
