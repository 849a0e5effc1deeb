"""The paytables of a layout: beside the felt where there is room, on a page of their own elsewhere. After the
settlement the lines are marked that were hit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.layout_words import plain
from cardroom.games.money import money
from cardroom.games.settlement import Payment
from cardroom.games.table import Offered, Table
from cardroom.paytables import Paytable, words
from cardroom.terminal.pages.payouts import NOTHING
from cardroom.terminal.palette import HIT, QUIET

MARK: Final = "▶ "
UNMARKED: Final = "  "
GAP: Final = 2
EVEN_MONEY: Final = "even-money"


class Hit(NamedTuple):
    """A line of a paytable that a wager was paid by."""

    wager: str
    event: str
    of_feature: bool = False


def hits(table: Table, payments: Iterable[Payment]) -> frozenset[Hit]:
    """The lines by which these stakes were paid."""
    return frozenset(one for payment in payments for one in _hit(table.spots[payment.spot], payment))


def _hit(offered: Offered, payment: Payment) -> Iterator[Hit]:
    feature, slug = offered.feature, offered.wager.slug
    if payment.pay in NOTHING:
        return
    if feature is not None and payment.stake == feature.kind.replace("-", " "):
        yield Hit(slug, payment.event, of_feature=True)
    elif offered.paytable.lines:
        if any(line.event == payment.event for line in offered.paytable.lines):
            yield Hit(slug, payment.event)
    elif payment.paid > payment.wagered:
        yield Hit(slug, EVEN_MONEY)


@dataclass(frozen=True, slots=True)
class _Row:
    label: str
    pays: str = ""
    is_hit: bool = False
    style: str = ""


def _rows(offered: Offered, marked: frozenset[Hit]) -> Iterator[_Row]:
    slug = offered.wager.slug
    yield _Row(offered.wager.name, offered.paytable.called or "by the rules", style="bold")
    if not offered.paytable.lines:
        yield _Row("a win", "1 to 1", Hit(slug, EVEN_MONEY) in marked)
    yield from _lines(offered.paytable, slug, marked)
    if offered.feature is not None:
        yield _Row(f"{plain(offered.feature.kind)}, from {money(offered.feature.qualifying)}", style=QUIET)
        yield from _lines(offered.feature.paytable, slug, marked, of_feature=True)


def _lines(table: Paytable, slug: str, marked: frozenset[Hit], *, of_feature: bool = False) -> Iterator[_Row]:
    for line in table.lines:
        if line.pay not in NOTHING:
            yield _Row(line.printed, words(line.pay), Hit(slug, line.event, of_feature) in marked)


def paytable_grid(offered: Offered, marked: frozenset[Hit] = frozenset(), width: int | None = None) -> RenderableType:
    """One paytable, with a mark before each line that was hit."""
    grid = Grid.grid(padding=(0, GAP, 0, 0))
    grid.width = width
    grid.add_column(ratio=1 if width else None)
    grid.add_column(justify="right", no_wrap=True)
    for row in _rows(offered, marked):
        label = Text((MARK if row.is_hit else UNMARKED) + row.label, row.style)
        grid.add_row(label, Text(row.pays, QUIET if row.style else ""), style=HIT if row.is_hit else None)
    return grid


def _width(offered: Offered) -> int:
    rows = list(_rows(offered, frozenset()))
    return len(MARK) + max(len(row.label) for row in rows) + GAP + max(len(row.pays) for row in rows)


class Beside(NamedTuple):
    """What stands beside the felt, and how wide it is."""

    drawn: RenderableType
    width: int


def tables_beside(
    some: Sequence[Offered], marked: frozenset[Hit], width: int, height: int, most_columns: int = 2
) -> Beside | None:
    """As many of these tables as fit in so much room, the first ones first; those with a line that was hit before all.
    None where there is no room for any."""
    if not some:
        return None
    one = max(map(_width, some))
    columns = min(width // (one + GAP), most_columns)
    placed: list[list[Offered]] = [[]]
    left_out: list[str] = []
    for offered in sorted(some, key=lambda each: not any(hit.wager == each.wager.slug for hit in marked)):
        lines = sum(1 for _ in _rows(offered, marked)) + 1
        at = _first_with_room(placed, columns, lines, height - 1)
        if at is None:
            left_out.append(offered.wager.name)
        else:
            placed[at].append(offered)
    placed = [column for column in placed if column]
    if not placed or columns < 1:
        return None
    grid = Grid.grid(padding=(0, 0, 0, GAP))
    stacks = [[part for each in column for part in (paytable_grid(each, marked, one), "")][:-1] for column in placed]
    for _ in placed:
        grid.add_column(width=one)
    grid.add_row(*(Group(*stack) for stack in stacks))
    rest = [Text(f"  {'' if not left_out else 't shows: '}{', '.join(left_out)}", QUIET)] if left_out else []
    return Beside(Group(grid, *rest), len(placed) * (one + GAP))


def _first_with_room(placed: list[list[Offered]], columns: int, lines: int, height: int) -> int | None:
    for at in range(columns):
        if at == len(placed):
            placed.append([])
        used = sum(sum(1 for _ in _rows(each, frozenset())) + 1 for each in placed[at])
        if used + lines - 1 <= height:
            return at
    return None
