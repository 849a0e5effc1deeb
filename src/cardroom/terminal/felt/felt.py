"""The table as one seat sees it: dealer and community cards on top, the seats below, chips on the spots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich import box
from rich.align import Align
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.decisions import Decision, Verb
from cardroom.games.layout_words import GROUP_NAMES, stake_name
from cardroom.games.lying import Lying, seat_piles, table_piles
from cardroom.games.money import money
from cardroom.games.stakes import Chips
from cardroom.games.table import Table
from cardroom.games.view import View
from cardroom.terminal.cards import CardSize, card_row, tags
from cardroom.terminal.names import answer
from cardroom.terminal.palette import FELT, GOLD, LABEL, ON_FELT, RAIL_ON_FELT, plaque_style

CHIP: Final = "●"
GAP: Final = "  "


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that is drawn on the felt."""

    table: Table
    view: View
    me: int
    chips: Mapping[int, Iterable[Chips]]
    status: str
    """What stands on the lower rail: the round and the balance."""
    nets: Mapping[int, int] = field(default_factory=dict)
    """What each seat won or lost, once the round is over."""


def felt(scene: Scene, size: CardSize, *, airy: bool = True) -> Panel:
    """The table; on a low screen without the lines between its parts."""
    parts: list[RenderableType] = [
        _side_by_side(list(table_piles(scene.view)), size),
        Group(*_my_cards(scene, size), _my_line(scene)),
    ]
    others = [seat for seat in scene.view.bets if seat != scene.me]
    if others:
        parts.append(_company(scene, others))
    if airy:
        parts = [part for one in parts for part in (_rule(), one)][1:]
    return on_rail(Group(*parts), scene.table.facts.name, scene.status)


def on_rail(inside: RenderableType, title: str, status: str) -> Panel:
    """Anything that lies on the felt, with the wooden rail around it."""
    red = f"#ff6b6b on {FELT}"
    return Panel(
        inside,
        box=box.HEAVY,
        title=Text.assemble(("♠ ", ON_FELT), ("♥ ", red), (f" {title} ", GOLD), (" ♦", red), (" ♣", ON_FELT)),
        subtitle=Text(status, GOLD),
        style=ON_FELT,
        border_style=RAIL_ON_FELT,
        padding=(0, 1),
    )


def _rule() -> RenderableType:
    return Align.center(Text("· " * 30, LABEL))


def _my_cards(scene: Scene, size: CardSize) -> Iterator[RenderableType]:
    """Nothing in a game whose cards all lie on the table."""
    if scene.table.facts.seat_cards:
        yield _side_by_side(list(seat_piles(scene.view, scene.me)), size)


def _side_by_side(piles: Sequence[Lying], size: CardSize) -> RenderableType:
    if not piles:
        return Align.center(Text("no cards yet", LABEL))
    grid = Grid.grid(padding=(0, 2))
    for _ in piles:
        grid.add_column(justify="center", no_wrap=True)
    grid.add_row(*(Text(pile.name.upper(), LABEL) for pile in piles))
    grid.add_row(*(card_row(pile.cards, size) for pile in piles))
    return Align.center(grid)


def _my_line(scene: Scene) -> RenderableType:
    """My chips, what I have said (the cards of it lie on the felt) and in the end what I won or lost."""
    said = (_quoted(_verb(one) if _verb(one) in GROUP_NAMES else one) for one in _said(scene, scene.me))
    return _Packed([*_chips(scene, scene.me), *said, *_net(scene, scene.me)])


@dataclass(frozen=True, slots=True)
class _Packed:
    """Short texts in centered lines; none of them is broken over two lines."""

    texts: Sequence[Text]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = [Text()]
        for text in self.texts:
            if lines[-1] and lines[-1].cell_len + len(GAP) + text.cell_len > options.max_width:
                lines.append(Text())
            lines[-1].append(GAP if lines[-1] else "").append(text)
        yield from (Align.center(line) for line in lines)


def _said(scene: Scene, seat: int) -> list[Decision | Verb]:
    return [decision for (who, _), decision in scene.view.decisions.items() if who == seat]


def _verb(decision: Decision | Verb) -> Verb:
    return decision if isinstance(decision, Verb) else decision.verb


def _quoted(decision: Decision | Verb) -> Text:
    return Text.assemble("“", answer(decision), "”", style=LABEL)


def _chips(scene: Scene, seat: int) -> Iterator[Text]:
    for one in scene.chips.get(seat, ()):
        name = stake_name(scene.table.facts, one.spot, one.stake)
        yield Text.assemble((f"{CHIP} ", GOLD), f"{name} ", (money(one.cents), GOLD))


def _net(scene: Scene, seat: int) -> Iterator[Text]:
    if seat in scene.nets:
        cents = scene.nets[seat]
        words = f"wins {money(cents)}" if cents > 0 else f"loses {money(-cents)}" if cents < 0 else "even"
        yield Text(f" {words} ", plaque_style(cents))


def _company(scene: Scene, seats: Sequence[int]) -> RenderableType:
    """The other players, one line each."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=LABEL, no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column()
    for seat in seats:
        cards = [card for place, pile in scene.view.piles.items() if place.seat == seat for card in pile]
        said = (_quoted(decision) for decision in _said(scene, seat))
        grid.add_row(f"seat {seat}", tags(cards), Text("  ").join([*_chips(scene, seat), *said, *_net(scene, seat)]))
    return grid
