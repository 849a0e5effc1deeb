"""The help page of ``?``: a summary of the game, the paytables in use, and the keys.

The paytables are beside the table if there is space, else on their own page. After the settlement, the winning lines
are marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.money import format_cents
from cardroom.games.playable_table import Table, WagerOffer
from cardroom.games.registry import game
from cardroom.games.settlement import Payment
from cardroom.games.view import humanize_slug, spot_name
from cardroom.paytables import Paytable, describe_pay
from cardroom.terminal.console import HIT, QUIET, TITLE
from cardroom.terminal.pages.settlements import NO_PAYOUT
from cardroom.translation import gettext

MARK: Final = "▶ "
NO_MARK: Final = "  "
GAP: Final = 2
EVEN_MONEY: Final = "even-money"


class Hit(NamedTuple):
    """A paytable line that paid a wager."""

    wager: str
    event: str
    is_feature: bool = False


def hits(table: Table, payments: Iterable[Payment]) -> frozenset[Hit]:
    """The lines that paid these stakes."""
    return frozenset(hit for payment in payments for hit in _payment_hits(table.spots[payment.spot], payment))


def _payment_hits(offered: WagerOffer, payment: Payment) -> Iterator[Hit]:
    feature, slug = offered.feature, offered.wager.slug
    if payment.pay in NO_PAYOUT:
        return
    if feature is not None and payment.stake == feature.kind.replace("-", " "):
        yield Hit(slug, payment.event, is_feature=True)
    elif offered.paytable.lines:
        if any(line.trigger == payment.event for line in offered.paytable.lines):
            yield Hit(slug, payment.event)
    elif payment.known_return > payment.wagered:
        yield Hit(slug, EVEN_MONEY)


@dataclass(frozen=True, slots=True)
class _Row:
    label: str
    pays: str = ""
    is_hit: bool = False
    style: str = ""


def _rows(offered: WagerOffer, hit_lines: frozenset[Hit]) -> Iterator[_Row]:
    slug = offered.wager.slug
    yield _Row(offered.wager.name, offered.paytable.display_name or "by the rules", style="bold")
    if not offered.paytable.lines:
        yield _Row("a win", "1 to 1", Hit(slug, EVEN_MONEY) in hit_lines)
    yield from _lines(offered.paytable, slug, hit_lines)
    if offered.feature is not None:
        yield _Row(
            f"{humanize_slug(offered.feature.kind)}, from {format_cents(offered.feature.qualifying)}", style=QUIET
        )
        yield from _lines(offered.feature.paytable, slug, hit_lines, is_feature=True)


def _lines(table: Paytable, slug: str, hit_lines: frozenset[Hit], *, is_feature: bool = False) -> Iterator[_Row]:
    for line in table.lines:
        if line.pay not in NO_PAYOUT:
            yield _Row(line.label, describe_pay(line.pay), Hit(slug, line.trigger, is_feature) in hit_lines)


def paytable_grid(
    offered: WagerOffer, hit_lines: frozenset[Hit] = frozenset(), width: int | None = None
) -> RenderableType:
    """One paytable, with a mark before each winning line."""
    grid = Grid.grid(padding=(0, GAP, 0, 0))
    grid.width = width
    grid.add_column(ratio=1 if width else None)
    grid.add_column(justify="right", no_wrap=True)
    for row in _rows(offered, hit_lines):
        label = Text((MARK if row.is_hit else NO_MARK) + row.label, row.style)
        grid.add_row(label, Text(row.pays, QUIET if row.style else ""), style=HIT if row.is_hit else None)
    return grid


def _width(offered: WagerOffer) -> int:
    rows = list(_rows(offered, frozenset()))
    return len(MARK) + max(len(row.label) for row in rows) + GAP + max(len(row.pays) for row in rows)


class SideTables(NamedTuple):
    """The paytables beside the table, and their width."""

    renderable: RenderableType
    width: int


def draw_side_tables(
    offered_wagers: Sequence[WagerOffer], hit_lines: frozenset[Hit], width: int, height: int, max_columns: int = 2
) -> SideTables | None:
    """As many paytables as fit, those with a winning line first. None if none fits."""
    if not offered_wagers:
        return None
    table_width = max(map(_width, offered_wagers))
    columns = min(width // (table_width + GAP), max_columns)
    column_tables: list[list[WagerOffer]] = [[]]
    omitted_names: list[str] = []
    for offered in sorted(offered_wagers, key=lambda item: not any(hit.wager == item.wager.slug for hit in hit_lines)):
        lines = sum(1 for _ in _rows(offered, hit_lines)) + 1
        index = _find_column(column_tables, columns, lines, height - 1)
        if index is None:
            omitted_names.append(offered.wager.name)
        else:
            column_tables[index].append(offered)
    column_tables = [column for column in column_tables if column]
    if not column_tables or columns < 1:
        return None
    grid = Grid.grid(padding=(0, 0, 0, GAP))
    stacks = [
        [part for item in column for part in (paytable_grid(item, hit_lines, table_width), "")][:-1]
        for column in column_tables
    ]
    for _ in column_tables:
        grid.add_column(width=table_width)
    grid.add_row(*(Group(*stack) for stack in stacks))
    rest = (
        [Text("  " + gettext("t shows: {names}").format(names=", ".join(omitted_names)), QUIET)]
        if omitted_names
        else []
    )
    return SideTables(Group(grid, *rest), len(column_tables) * (table_width + GAP))


def _find_column(column_tables: list[list[WagerOffer]], columns: int, lines: int, height: int) -> int | None:
    for index in range(columns):
        if index == len(column_tables):
            column_tables.append([])
        used = sum(sum(1 for _ in _rows(offered, frozenset())) + 1 for offered in column_tables[index])
        if used + lines - 1 <= height:
            return index
    return None


def typing_help() -> tuple[str, ...]:
    """What a player can type, in sentences."""
    return (
        gettext("Decisions: the number, a word such as fold or its beginning, or cards such as As Kd."),
        gettext("Bets: dollars such as 10 or 2.50. Enter repeats the last bet, 0 is none, = repeats all bets."),
        gettext("h before a decision: the average value of each option, and the best one."),
        gettext("c turns the coach on or off; the coach shows the cost of each decision."),
        gettext("t shows the paytables; after a round, the winning lines are marked."),
        gettext("q or Ctrl-C leaves. With chips on the layout, you confirm first."),
        gettext("If you leave during a round, you bet nothing more and keep what the round pays."),
        gettext("Keys that you type before a question appears have no effect."),
        gettext("The seal is the SHA-256 of a secret key and the round's name. It is shown before the bets."),
        gettext("The key is shown after the round: with it, you can check the seal and deal the same cards again."),
    )


def house_rules(table: Table, meters: Mapping[str, int]) -> RenderableType:
    """The game and the rules of this table."""
    facts = table.facts
    sentences = game(facts.slug).summary.strip().splitlines()
    sentences += [f"{option.text.capitalize()}: {_value(table.options[option.name])}." for option in facts.options]
    if table.spots_per_player is not None:
        sentences.append(gettext("You can bet on up to {count} spots.").format(count=table.spots_per_player))
    if table.payout_limit is not None:
        sentences.append(table.payout_limit.text)
    sentences += [meter_sentence(table, spot, cents) for spot, cents in meters.items()]
    return Group(
        Text(f"{facts.name}, {table.deck.description}, rule sheet: {facts.sheet_title}", TITLE),
        _points(sentences),
        Text("\n" + gettext("What to type"), TITLE),
        _points(typing_help()),
        Text("\n" + gettext("Paytables"), TITLE),
        paytables_page(table),
    )


def paytables_page(table: Table, hit_lines: frozenset[Hit] = frozenset()) -> RenderableType:
    """The paytables in use, side by side, with the winning lines marked."""
    return Columns([paytable_grid(offered, hit_lines) for offered in table.offers.values()], padding=(1, 2))


def meter_sentence(table: Table, spot: str, cents: int) -> str:
    """A sentence about a meter."""
    sentence = gettext("The {spot} meter is {amount}, a fixed example.")
    return sentence.format(spot=spot_name(table, spot), amount=format_cents(cents))


def _value(value: str | bool) -> str:
    return value if isinstance(value, str) else "yes" if value else "no"


def _points(sentences: Sequence[str]) -> RenderableType:
    grid = Grid.grid(padding=(0, 1))
    for sentence in sentences:
        grid.add_row("·", sentence)
    return grid
