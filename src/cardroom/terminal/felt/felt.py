"""The table as one seat sees it: dealer and community cards on top, the seats below, chips on the spots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich import box
from rich.align import Align
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.decisions import Decision, Verb
from cardroom.games.game import Game
from cardroom.games.layout_words import GROUP_NAMES, stake_name
from cardroom.games.lying import Lying, seat_piles, table_piles
from cardroom.games.money import money
from cardroom.games.stakes import Chips
from cardroom.games.table import Table
from cardroom.games.view import View
from cardroom.terminal.cards import STAR, CardSize, card_row, tags
from cardroom.terminal.felt.packed import Packed
from cardroom.terminal.felt.scale import Scale
from cardroom.terminal.names import answer
from cardroom.terminal.palette import FELT, GOLD, LABEL, ON_FELT, RAIL_ON_FELT, plaque_style

CHIP: Final = "●"
BETWEEN_PILES: Final = 2
RAIL: Final = 4
"""What the rail and its padding take of the width."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that is drawn on the felt."""

    rules: Game
    table: Table
    view: View
    me: int
    chips: Mapping[int, Iterable[Chips]]
    status: str
    """What stands on the lower rail: the round and the balance."""
    nets: Mapping[int, int] = field(default_factory=dict)
    """What each seat won or lost, once the round is over."""

    @property
    def shared(self) -> list[Lying]:
        """The cards of the table."""
        return list(table_piles(self.view, self.rules.dealer_plays))

    @property
    def mine(self) -> list[Lying]:
        """Nothing in a game whose cards all lie on the table."""
        return list(seat_piles(self.view, self.me)) if self.table.facts.seat_cards else []

    @property
    def shows_wild(self) -> bool:
        seen = (card for pile in self.view.piles.values() for card in pile if card is not None)
        return any(self.rules.is_wild(card) for card in seen)


def width_of(scene: Scene, size: CardSize) -> int:
    """How wide a felt has to be on which the cards of this size lie side by side."""
    return RAIL + max(_across(scene.shared, size), _across(scene.mine, size))


def felt(scene: Scene, scale: Scale) -> Panel:
    """The table; on a low screen without the lines between its parts."""
    mine: list[RenderableType] = [_laid(scene, scene.mine, scale)] if scene.table.facts.seat_cards else []
    parts: list[RenderableType] = [_laid(scene, scene.shared, scale), Group(*mine, _my_line(scene, scale))]
    others = [seat for seat in scene.view.bets if seat != scene.me]
    if others:
        parts.append(_others(scene, others) if scale.alone else _company(scene, others, scale))
    if scale.airy:
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


def _across(piles: Sequence[Lying], size: CardSize) -> int:
    return sum(_pile_width(pile, size) for pile in piles) + BETWEEN_PILES * max(len(piles) - 1, 0)


def _pile_width(pile: Lying, size: CardSize) -> int:
    return max(cell_len(pile.name), len(pile.cards) * (size.width + 1) - 1)


def _laid(scene: Scene, piles: Sequence[Lying], scale: Scale) -> RenderableType:
    if not piles:
        return Align.center(Text("no cards yet", LABEL))
    if scale.cards is None:
        named = (Text.assemble((f"{one.name.upper()} ", LABEL), tags(one.cards, scene.rules.is_wild)) for one in piles)
        return Packed(list(named))
    grid = Grid.grid(padding=(0, BETWEEN_PILES))
    for _ in piles:
        grid.add_column(justify="center", no_wrap=True)
    grid.add_row(*(Text(pile.name.upper(), LABEL) for pile in piles))
    grid.add_row(*(card_row(pile.cards, scale.cards, scene.rules.is_wild) for pile in piles))
    return Align.center(grid)


def _my_line(scene: Scene, scale: Scale) -> RenderableType:
    """My chips, what I have said (the cards of it lie on the felt) and in the end what I won or lost."""
    answers = [] if scale.brief else _said(scene, scene.me)
    said = (_quoted(_verb(one) if _verb(one) in GROUP_NAMES else one) for one in answers)
    wild = [Text(f"{STAR} wild", LABEL)] if scene.shows_wild else []
    return Packed([*_chips(scene, scene.me), *said, *wild, *_net(scene, scene.me)])


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
        words = f"win {money(cents)}" if cents > 0 else f"loss {money(-cents)}" if cents < 0 else "even"
        yield Text(f" {words} ", plaque_style(cents))


def _company(scene: Scene, seats: Sequence[int], scale: Scale) -> RenderableType:
    """The other players; where there is little room, one line each with all their chips together."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=LABEL, no_wrap=True)
    grid.add_column()
    for seat in seats:
        theirs = [*_their_cards(scene, seat), *_their_part(scene, seat, scale)]
        grid.add_row(f"seat {seat}", Packed(theirs, centered=False))
    return grid


def _others(scene: Scene, seats: Sequence[int]) -> RenderableType:
    """A word about each of the other players."""
    named = (Text.assemble((f"seat {seat}", LABEL), *_net(scene, seat)) for seat in seats)
    return Packed(list(named), between="  ")


def _their_cards(scene: Scene, seat: int) -> Iterator[Text]:
    """Their cards as they lie there; where they were laid out in hands, the hands."""
    piles = list(seat_piles(scene.view, seat, hand=""))
    named = any(one.name in names for one in piles for names in GROUP_NAMES.values())
    for pile in piles:
        name = f"{pile.name.removesuffix(' hand')} " if named else ""
        yield Text.assemble((name, LABEL), tags(pile.cards, scene.rules.is_wild))


def _their_part(scene: Scene, seat: int, scale: Scale) -> Iterator[Text]:
    said = _said(scene, seat)
    if not scale.brief:
        yield from _chips(scene, seat)
        yield from map(_quoted, said)
    else:
        yield Text.assemble((f"{CHIP} ", GOLD), (money(sum(one.cents for one in scene.chips.get(seat, ()))), GOLD))
        hidden = any(None in pile for place, pile in scene.view.piles.items() if place.seat == seat)
        yield from (_quoted(one if hidden else _verb(one)) for one in said[-1:])
    yield from _net(scene, seat)
