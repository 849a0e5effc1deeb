"""The screens of a round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.cards.shuffle import Seal
from cardroom.games.actions import Decision, SeatTurn
from cardroom.games.example_rounds import example_meters
from cardroom.games.game import cents_on_layout, decision_cost
from cardroom.games.money import format_cents
from cardroom.games.playable_table import WagerOffer
from cardroom.games.round import Round
from cardroom.games.settlement import Settlement
from cardroom.games.view import describe_question, view
from cardroom.odds.pricer import Advice
from cardroom.terminal.cards import decision_text
from cardroom.terminal.client.coach_advice import hint_caption, hint_table
from cardroom.terminal.client.drawing import (
    SCALES,
    PackedText,
    Scale,
    TableDrawing,
    draw_table,
    draw_table_panel,
    required_width,
)
from cardroom.terminal.client.help import Hit, draw_side_tables, hits, house_rules, meter_sentence, paytables_page
from cardroom.terminal.client.seating import OWN_SEAT, Seating
from cardroom.terminal.client.wagers import draw_layout
from cardroom.terminal.console import COST, NUMBER, QUIET
from cardroom.terminal.pages.settlements import net_text, round_result
from cardroom.translation import gettext

KEYS: Final = ("? help", "t paytables", "q leaves")
QUESTION_KEYS: Final = ("h hint", "c coach", *KEYS)
RESULT_KEYS: Final = ("Enter next bets", *KEYS)
TABLE_WIDTH: Final = 80
"""The width of the table before paytables fit next to it."""

COLUMN_GAP: Final = " "
"""The gap between the table and the paytables."""


class Hint(NamedTuple):
    """The coach's advice on a decision."""

    advice: Sequence[Advice]
    affordable_decisions: Sequence[Decision]
    """The options that the balance covers."""


class TableScreen:
    """Draws a table on a console. A terminal is cleared first, so that the table stays in place."""

    def __init__(self, console: Console, seating: Seating) -> None:
        self.console = console
        self.seating = seating
        self.meters = example_meters(seating.table)

    def show_wagering(self, last_wagers: Mapping[str, int], balance: int, seal: Seal) -> None:
        """The screen before the wagers: the layout, the meters, and the seal of the next shuffle."""
        table = self.seating.table

        def draw_parts(_: Scale) -> Iterable[RenderableType]:
            yield draw_table_panel(draw_layout(table, last_wagers), table.facts.name, _status(balance, seal))
            yield from (Text(meter_sentence(table, spot, cents), QUIET) for spot, cents in self.meters.items())
            yield _seal(seal)
            yield _line_with_keys(Text(gettext("Place your bets."), "bold"), KEYS)

        self._draw(draw_parts, tuple(table.offers.values()), input_lines=len(table.spots))

    def show_question(
        self,
        round_: Round,
        turn: SeatTurn,
        balance: int,
        seal: Seal,
        notes: Sequence[RenderableType] = (),
        hint: Hint | None = None,
    ) -> None:
        """The table, the question, and the options with their numbers and costs, or their values."""
        drawing = self._drawing(round_, _status(balance - cents_on_layout(round_, OWN_SEAT), seal))
        question_text = describe_question(turn, round_.game.question_texts)

        def draw_parts(scale: Scale) -> Iterable[RenderableType]:
            yield draw_table(drawing, scale)
            if scale.shows_seal:
                yield _seal(seal)
            yield from notes
            yield _line_with_keys(Text(question_text, "bold"), QUESTION_KEYS)
            if hint is None:
                yield _options(round_, turn, is_brief=scale.is_brief)
            else:
                yield hint_table(turn.options, hint.advice, hint.affordable_decisions)
                yield Text(hint_caption(hint.advice), QUIET)

        self._draw(draw_parts, self._own_paytables(round_), drawing)

    def show_result(
        self,
        round_: Round,
        settlement: Settlement,
        balance: int,
        seal: Seal,
        notes: Sequence[RenderableType] = (),
        keys: Sequence[str] = (),
    ) -> None:
        """The open cards, take or pay, the key of the seal, and the next keys."""
        drawing = self._drawing(round_, _status(balance, seal), {seat: settlement.net(seat) for seat in round_.seats})

        def draw_parts(scale: Scale) -> Iterable[RenderableType]:
            yield draw_table(drawing, scale)
            yield round_result(settlement, self.seating.table.facts, OWN_SEAT, is_brief=scale.is_brief)
            yield _seal(seal)
            yield Text(f"key  {seal.key.hex()}", QUIET, overflow="fold")
            yield from notes
            yield _line_with_keys(
                Text.assemble((gettext("This round: "), "bold"), net_text(settlement.net(OWN_SEAT))), keys
            )

        self._draw(
            draw_parts,
            self._own_paytables(round_),
            drawing,
            hits(self.seating.table, settlement.seat_payments(OWN_SEAT)),
        )

    def help(self) -> RenderableType:
        """A summary of the game, the paytables in use, and the keys."""
        return house_rules(self.seating.table, self.meters)

    def paytables(self, hit_lines: frozenset[Hit] = frozenset()) -> RenderableType:
        """The paytables in use, with the winning lines."""
        return paytables_page(self.seating.table, hit_lines)

    def print_line(self, sentence: str, style: str = "") -> None:
        """A line of text."""
        self.console.print(Text(sentence, style))

    def _own_paytables(self, round_: Round) -> tuple[WagerOffer, ...]:
        """The paytables of the player's wagers."""
        table = self.seating.table
        return tuple(table.offers[table.spots[spot].wager.slug] for spot in round_.bets[OWN_SEAT])

    def _draw(
        self,
        draw_parts: Callable[[Scale], Iterable[RenderableType]],
        tables: Sequence[WagerOffer],
        drawing: TableDrawing | None = None,
        hit_lines: frozenset[Hit] = frozenset(),
        input_lines: int = 1,
    ) -> None:
        """Draw as large as possible above the input lines, with paytables beside it if the screen is wide enough."""
        room = self.console.height - input_lines
        side_tables = draw_side_tables(tables, hit_lines, self.console.width - TABLE_WIDTH - len(COLUMN_GAP), room)
        width = self.console.width - (side_tables.width + len(COLUMN_GAP) if side_tables else 0)
        parts = self._fit(draw_parts, drawing, width, room)
        if self.console.is_terminal:
            self.console.clear()
        if side_tables is None:
            self.console.print(parts)
        else:
            grid = Grid.grid()
            for column_width in (width, len(COLUMN_GAP), side_tables.width):
                grid.add_column(width=column_width)
            grid.add_row(parts, COLUMN_GAP, side_tables.renderable)
            self.console.print(grid)

    def _fit(
        self,
        draw_parts: Callable[[Scale], Iterable[RenderableType]],
        drawing: TableDrawing | None,
        width: int,
        room: int,
    ) -> Group:
        parts = Group()
        for scale in SCALES:
            if self.console.height < scale.height:
                continue
            if drawing is not None and scale.card_size is not None and required_width(drawing, scale.card_size) > width:
                continue
            parts = Group(*draw_parts(scale))
            lines = self.console.render_lines(parts, self.console.options.update(width=width), pad=False)
            if len(lines) <= room:
                break
        return parts

    def _drawing(self, round_: Round, status: str, nets: Mapping[int, int] | None = None) -> TableDrawing:
        return TableDrawing(
            rules=round_.game,
            table=round_.table,
            view=view(round_, OWN_SEAT),
            own_seat=OWN_SEAT,
            chips={seat: tuple(round_.game.chips(round_, seat)) for seat in round_.seats},
            status=status,
            nets=nets or {},
        )


def _status(balance: int, seal: Seal) -> str:
    return f"{seal.round_name} · balance {format_cents(balance)}"


def _seal(seal: Seal) -> Text:
    return Text(f"seal {seal.commitment}", QUIET, overflow="fold")


def _line_with_keys(sentence: Text, keys: Sequence[str]) -> PackedText:
    """A sentence, followed by the keys."""
    first, *more_keys = [Text(gettext(key), QUIET) for key in keys] or [Text()]
    return PackedText([Text.assemble(sentence, "   ", first), *more_keys], centered=False, separator=" · ")


def _options(round_: Round, turn: SeatTurn, *, is_brief: bool) -> Grid:
    """The options with their costs, and their meaning if there is space."""
    costs = [decision_cost(round_, option) for option in turn.options]
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=NUMBER, justify="right")
    grid.add_column(overflow="fold")
    if any(costs):
        grid.add_column(style=COST, no_wrap=True)
    if not is_brief:
        grid.add_column(style=QUIET)
    for number, (option, cents) in enumerate(zip(turn.options, costs, strict=True), 1):
        cost = [f"+{format_cents(cents)}" if cents else ""] if any(costs) else []
        meaning = [] if is_brief else [round_.game.describe_decision(option)]
        grid.add_row(str(number), decision_text(option), *cost, *meaning)
    return grid
