"""What stands on the screen at each moment of a round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.cards.shuffle import Seal
from cardroom.games.decisions import Decision
from cardroom.games.examples import example_meters
from cardroom.games.layout_words import question_words
from cardroom.games.money import money
from cardroom.games.round import Round
from cardroom.games.settlement import Settlement
from cardroom.games.stakes import price, put_down
from cardroom.games.table import Offered
from cardroom.games.turns import SeatTurn
from cardroom.games.view import view
from cardroom.odds.pricer import Advice
from cardroom.terminal.felt.felt import Scene, felt, on_rail, width_of
from cardroom.terminal.felt.help import house_rules, meter_sentence, tables_page
from cardroom.terminal.felt.layout import layout
from cardroom.terminal.felt.lessons import hint_table, hint_words
from cardroom.terminal.felt.packed import Packed
from cardroom.terminal.felt.scale import SCALES, Scale
from cardroom.terminal.felt.seating import ME, Seating
from cardroom.terminal.felt.tables import Hit, hits, tables_beside
from cardroom.terminal.names import answer
from cardroom.terminal.pages.payouts import net_text, round_result
from cardroom.terminal.palette import COST, NUMBER, QUIET

KEYS: Final = ("? help", "t paytables", "q leaves")
QUESTION_KEYS: Final = ("h hint", "c coach", *KEYS)
RESULT_KEYS: Final = ("Enter goes on to the wagers", *KEYS)
FELT_WIDTH: Final = 80
"""What the felt needs before anything stands beside it."""

BESIDE: Final = " "
"""What parts it from the tables."""


class Hint(NamedTuple):
    """What the coach says to a question."""

    advice: Sequence[Advice]
    covered: Sequence[Decision]
    """The answers that the balance covers."""


class Screen:
    """Draws a table on a console; a terminal is cleared first, so that the felt stays where it is."""

    def __init__(self, console: Console, seating: Seating) -> None:
        self.console = console
        self.seating = seating
        self.meters = example_meters(seating.table)

    def wagering(self, last: Mapping[str, int], balance: int, seal: Seal) -> None:
        """Before the wagers: the layout, the meters, and the seal on the shuffle to come."""
        table = self.seating.table

        def drawn(_: Scale) -> Iterable[RenderableType]:
            yield on_rail(layout(table, last), table.facts.name, _status(balance, seal))
            yield from (Text(meter_sentence(table, spot, cents), QUIET) for spot, cents in self.meters.items())
            yield _seal(seal)
            yield _with_keys(Text("Place your wagers.", "bold"), KEYS)

        self._draw(drawn, tuple(table.offered.values()), below=len(table.spots))

    def question(
        self,
        round_: Round,
        turn: SeatTurn,
        balance: int,
        seal: Seal,
        told: Sequence[RenderableType] = (),
        hint: Hint | None = None,
    ) -> None:
        """The table, the question to the player and the answers with their numbers and prices, or what they are
        worth."""
        scene = self._scene(round_, _status(balance - put_down(round_, ME), seal))
        words = question_words(turn, round_.game.questions)

        def drawn(scale: Scale) -> Iterable[RenderableType]:
            yield felt(scene, scale)
            if scale.seal:
                yield _seal(seal)
            yield from told
            yield _with_keys(Text(words, "bold"), QUESTION_KEYS)
            if hint is None:
                yield _options(round_, turn, brief=scale.brief)
            else:
                yield hint_table(turn.options, hint.advice, hint.covered)
                yield Text(hint_words(hint.advice), QUIET)

        self._draw(drawn, self._wagered(round_), scene)

    def result(
        self,
        round_: Round,
        settlement: Settlement,
        balance: int,
        seal: Seal,
        told: Sequence[RenderableType] = (),
        keys: Sequence[str] = (),
    ) -> None:
        """The open cards, take or pay, the key that opens the seal, and what can be done next."""
        scene = self._scene(round_, _status(balance, seal), {seat: settlement.net(seat) for seat in round_.seats})

        def drawn(scale: Scale) -> Iterable[RenderableType]:
            yield felt(scene, scale)
            yield round_result(settlement, self.seating.table.facts, ME, brief=scale.brief)
            yield _seal(seal)
            yield Text(f"key  {seal.key.hex()}", QUIET, overflow="fold")
            yield from told
            yield _with_keys(Text.assemble(("This round: ", "bold"), net_text(settlement.net(ME))), keys)

        self._draw(drawn, self._wagered(round_), scene, hits(self.seating.table, settlement.of(ME)))

    def help(self) -> RenderableType:
        """The game in short, the tables in use, and what can be typed."""
        return house_rules(self.seating.table, self.meters)

    def tables(self, marked: frozenset[Hit] = frozenset()) -> RenderableType:
        """The tables in use, with the lines that were hit."""
        return tables_page(self.seating.table, marked)

    def say(self, sentence: str, style: str = "") -> None:
        """A line of text."""
        self.console.print(Text(sentence, style))

    def _wagered(self, round_: Round) -> tuple[Offered, ...]:
        """The tables of the wagers that the player made."""
        table = self.seating.table
        return tuple(table.offered[table.spots[spot].wager.slug] for spot in round_.bets[ME])

    def _draw(
        self,
        drawn: Callable[[Scale], Iterable[RenderableType]],
        tables: Sequence[Offered],
        scene: Scene | None = None,
        marked: frozenset[Hit] = frozenset(),
        below: int = 1,
    ) -> None:
        """As large as it fits above the lines that are typed on; tables beside it where the screen is wide enough."""
        room = self.console.height - below
        beside = tables_beside(tables, marked, self.console.width - FELT_WIDTH - len(BESIDE), room)
        width = self.console.width - (beside.width + len(BESIDE) if beside else 0)
        parts = self._fitting(drawn, scene, width, room)
        if self.console.is_terminal:
            self.console.clear()
        if beside is None:
            self.console.print(parts)
        else:
            grid = Grid.grid()
            for wide in (width, len(BESIDE), beside.width):
                grid.add_column(width=wide)
            grid.add_row(parts, BESIDE, beside.drawn)
            self.console.print(grid)

    def _fitting(
        self, drawn: Callable[[Scale], Iterable[RenderableType]], scene: Scene | None, width: int, room: int
    ) -> Group:
        parts = Group()
        for scale in SCALES:
            if self.console.height < scale.height:
                continue
            if scene is not None and scale.cards is not None and width_of(scene, scale.cards) > width:
                continue
            parts = Group(*drawn(scale))
            lines = self.console.render_lines(parts, self.console.options.update(width=width), pad=False)
            if len(lines) <= room:
                break
        return parts

    def _scene(self, round_: Round, status: str, nets: Mapping[int, int] | None = None) -> Scene:
        return Scene(
            rules=round_.game,
            table=round_.table,
            view=view(round_, ME),
            me=ME,
            chips={seat: tuple(round_.game.chips(round_, seat)) for seat in round_.seats},
            status=status,
            nets=nets or {},
        )


def _status(balance: int, seal: Seal) -> str:
    return f"{seal.round_name} · balance {money(balance)}"


def _seal(seal: Seal) -> Text:
    return Text(f"seal {seal.commitment}", QUIET, overflow="fold")


def _with_keys(said: Text, keys: Sequence[str]) -> Packed:
    """A sentence, and behind it what can be typed."""
    first, *others = [Text(one, QUIET) for one in keys] or [Text()]
    return Packed([Text.assemble(said, "   ", first), *others], centered=False, between=" · ")


def _options(round_: Round, turn: SeatTurn, *, brief: bool) -> Grid:
    """The answers, what each puts down besides, and what it means where there is room."""
    costs = [price(round_, option) for option in turn.options]
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=NUMBER, justify="right")
    grid.add_column(overflow="fold")
    if any(costs):
        grid.add_column(style=COST, no_wrap=True)
    if not brief:
        grid.add_column(style=QUIET)
    for number, (option, cents) in enumerate(zip(turn.options, costs, strict=True), 1):
        cost = [f"+{money(cents)}" if cents else ""] if any(costs) else []
        meaning = [] if brief else [round_.game.meaning(option)]
        grid.add_row(str(number), answer(option), *cost, *meaning)
    return grid
