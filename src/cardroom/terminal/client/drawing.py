"""Draws the table as one seat sees it: dealer and community cards on top, the seats below, chips on the spots.

The drawing is as large as the screen allows. Short texts share lines, and no short text is broken over two lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rich import box
from rich.align import Align
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.actions import Decision, Verb
from cardroom.games.game import ChipStack, Game
from cardroom.games.money import format_cents
from cardroom.games.playable_table import Table
from cardroom.games.view import GROUP_NAMES, DisplayedPile, View, display_seat_piles, display_table_piles, stake_name
from cardroom.terminal.cards import STAR, CardSize, card_row, card_tags, decision_text
from cardroom.terminal.console import GOLD, LABEL, ON_GREEN, RAIL_ON_GREEN, TABLE_GREEN, plaque_style
from cardroom.translation import gettext


class Scale(NamedTuple):
    """The level of detail of a drawing."""

    card_size: CardSize | None
    """None for cards as tags in a line."""
    has_dividers: bool = False
    """Whether lines separate the parts of the table."""
    shows_seal: bool = True
    """Whether the seal is also shown during the play; it is always shown before the wagers and at the end."""
    is_brief: bool = False
    """Whether each other seat has one line, options have no explanation, and so on."""
    own_seat_only: bool = False
    """Whether only the player's seat is drawn, with a short note on the others."""
    height: int = 0
    """The minimum height of the screen, so that the table keeps its size from question to question."""


SCALES: Final = (
    Scale(CardSize.LARGE, has_dividers=True, height=36),
    Scale(CardSize.SMALL, has_dividers=True, height=32),
    Scale(CardSize.SMALL),
    Scale(CardSize.SMALL, shows_seal=False, is_brief=True),
    Scale(None, shows_seal=False, is_brief=True),
    Scale(None, shows_seal=False, is_brief=True, own_seat_only=True),
)
"""Largest first."""


@dataclass(frozen=True, slots=True)
class PackedText:
    """Texts in as few lines as possible; only a text that is longer than a line is broken."""

    texts: Sequence[Text]
    centered: bool = True
    separator: str = "  "

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = [Text()]
        for text in self.texts:
            if lines[-1] and lines[-1].cell_len + len(self.separator) + text.cell_len > options.max_width:
                lines.append(Text())
            lines[-1].append(self.separator if lines[-1] else "").append(text)
        yield from (Align.center(line) if self.centered else line for line in lines)


CHIP: Final = "●"
PILE_GAP: Final = 2
RAIL_WIDTH: Final = 4
"""The width of the rail and its padding."""


@dataclass(frozen=True, slots=True)
class TableDrawing:
    """The contents of a drawing of the table."""

    rules: Game
    table: Table
    view: View
    own_seat: int
    chips: Mapping[int, Iterable[ChipStack]]
    status: str
    """The text on the lower rail: the round and the balance."""
    nets: Mapping[int, int] = field(default_factory=dict)
    """The net result of each seat after the round."""

    @property
    def common_piles(self) -> list[DisplayedPile]:
        """The cards of the table."""
        return list(display_table_piles(self.view, self.rules.select_dealer_cards))

    @property
    def own_piles(self) -> list[DisplayedPile]:
        """The seat's own piles; none in a game whose cards are all on the table."""
        return list(display_seat_piles(self.view, self.own_seat)) if self.table.facts.seat_cards else []

    @property
    def has_wild_card(self) -> bool:
        visible_cards = (card for pile in self.view.piles.values() for card in pile if card is not None)
        return any(self.rules.is_wild(card) for card in visible_cards)


def required_width(drawing: TableDrawing, size: CardSize) -> int:
    """The width of a table with the cards of this size side by side."""
    return RAIL_WIDTH + max(_piles_width(drawing.common_piles, size), _piles_width(drawing.own_piles, size))


def draw_table(drawing: TableDrawing, scale: Scale) -> Panel:
    """The table; on a low screen without lines between its parts."""
    own_parts: list[RenderableType] = (
        [_draw_piles(drawing, drawing.own_piles, scale)] if drawing.table.facts.seat_cards else []
    )
    parts: list[RenderableType] = [
        _draw_piles(drawing, drawing.common_piles, scale),
        Group(*own_parts, _own_seat_line(drawing, scale)),
    ]
    other_seats = [seat for seat in drawing.view.bets if seat != drawing.own_seat]
    if other_seats:
        parts.append(
            _other_seat_results(drawing, other_seats)
            if scale.own_seat_only
            else _other_seats(drawing, other_seats, scale)
        )
    if scale.has_dividers:
        parts = [part for section in parts for part in (_rule(), section)][1:]
    return draw_table_panel(Group(*parts), drawing.table.facts.name, drawing.status)


def draw_table_panel(content: RenderableType, title: str, status: str) -> Panel:
    """The table with its wooden rail around a drawing."""
    red = f"#ff6b6b on {TABLE_GREEN}"
    return Panel(
        content,
        box=box.HEAVY,
        title=Text.assemble(("♠ ", ON_GREEN), ("♥ ", red), (f" {title} ", GOLD), (" ♦", red), (" ♣", ON_GREEN)),
        subtitle=Text(status, GOLD),
        style=ON_GREEN,
        border_style=RAIL_ON_GREEN,
        padding=(0, 1),
    )


def _rule() -> RenderableType:
    return Align.center(Text("· " * 30, LABEL))


def _piles_width(piles: Sequence[DisplayedPile], size: CardSize) -> int:
    return sum(_pile_width(pile, size) for pile in piles) + PILE_GAP * max(len(piles) - 1, 0)


def _pile_width(pile: DisplayedPile, size: CardSize) -> int:
    return max(cell_len(pile.name), len(pile.cards) * (size.width + 1) - 1)


def _draw_piles(drawing: TableDrawing, piles: Sequence[DisplayedPile], scale: Scale) -> RenderableType:
    if not piles:
        return Align.center(Text(gettext("no cards yet"), LABEL))
    if scale.card_size is None:
        labels = (
            Text.assemble((f"{named_pile.name.upper()} ", LABEL), card_tags(named_pile.cards, drawing.rules.is_wild))
            for named_pile in piles
        )
        return PackedText(list(labels))
    grid = Grid.grid(padding=(0, PILE_GAP))
    for _ in piles:
        grid.add_column(justify="center", no_wrap=True)
    grid.add_row(*(Text(pile.name.upper(), LABEL) for pile in piles))
    grid.add_row(*(card_row(pile.cards, scale.card_size, drawing.rules.is_wild) for pile in piles))
    return Align.center(grid)


def _own_seat_line(drawing: TableDrawing, scale: Scale) -> RenderableType:
    """The player's chips, decisions, and net result."""
    answers = [] if scale.is_brief else _seat_decisions(drawing, drawing.own_seat)
    quotes = (_quote_decision(_verb(decision) if _verb(decision) in GROUP_NAMES else decision) for decision in answers)
    wild = [Text(f"{STAR} {gettext('wild')}", LABEL)] if drawing.has_wild_card else []
    return PackedText([*_chips(drawing, drawing.own_seat), *quotes, *wild, *_net(drawing, drawing.own_seat)])


def _seat_decisions(drawing: TableDrawing, seat: int) -> list[Decision | Verb]:
    return [decision for (decider, _), decision in drawing.view.decisions.items() if decider == seat]


def _verb(decision: Decision | Verb) -> Verb:
    return decision if isinstance(decision, Verb) else decision.verb


def _quote_decision(decision: Decision | Verb) -> Text:
    return Text.assemble("“", decision_text(decision), "”", style=LABEL)


def _chips(drawing: TableDrawing, seat: int) -> Iterator[Text]:
    for stake in drawing.chips.get(seat, ()):
        name = stake_name(drawing.table.facts, stake.spot, stake.stake)
        yield Text.assemble((f"{CHIP} ", GOLD), f"{name} ", (format_cents(stake.cents), GOLD))


def _net(drawing: TableDrawing, seat: int) -> Iterator[Text]:
    if seat in drawing.nets:
        cents = drawing.nets[seat]
        if cents:
            template = gettext("win {amount}") if cents > 0 else gettext("loss {amount}")
            result = template.format(amount=format_cents(abs(cents)))
        else:
            result = gettext("even")
        yield Text(f" {result} ", plaque_style(cents))


def _other_seats(drawing: TableDrawing, seats: Sequence[int], scale: Scale) -> RenderableType:
    """The other players; with little space, one line each with their total chips."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=LABEL, no_wrap=True)
    grid.add_column()
    for seat in seats:
        details = [*_seat_cards(drawing, seat), *_seat_details(drawing, seat, scale)]
        grid.add_row(f"seat {seat}", PackedText(details, centered=False))
    return grid


def _other_seat_results(drawing: TableDrawing, seats: Sequence[int]) -> RenderableType:
    """A short note on each of the other players."""
    labels = (Text.assemble((f"seat {seat}", LABEL), *_net(drawing, seat)) for seat in seats)
    return PackedText(list(labels), separator="  ")


def _seat_cards(drawing: TableDrawing, seat: int) -> Iterator[Text]:
    """A seat's cards by hand."""
    piles = list(display_seat_piles(drawing.view, seat, hand_name=""))
    has_named_hands = any(named_pile.name in names for named_pile in piles for names in GROUP_NAMES.values())
    for pile in piles:
        name = f"{pile.name.removesuffix(' hand')} " if has_named_hands else ""
        yield Text.assemble((name, LABEL), card_tags(pile.cards, drawing.rules.is_wild))


def _seat_details(drawing: TableDrawing, seat: int, scale: Scale) -> Iterator[Text]:
    decisions = _seat_decisions(drawing, seat)
    if not scale.is_brief:
        yield from _chips(drawing, seat)
        yield from map(_quote_decision, decisions)
    else:
        yield Text.assemble(
            (f"{CHIP} ", GOLD), (format_cents(sum(item.cents for item in drawing.chips.get(seat, ()))), GOLD)
        )
        hidden = any(None in pile for place, pile in drawing.view.piles.items() if place.seat == seat)
        yield from (_quote_decision(item if hidden else _verb(item)) for item in decisions[-1:])
    yield from _net(drawing, seat)
