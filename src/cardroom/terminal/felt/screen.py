"""What stands on the screen at each moment of a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rich.console import Console, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.cards.shuffle import Seal
from cardroom.games.examples import example_meters
from cardroom.games.layout_words import question_words
from cardroom.games.money import money
from cardroom.games.round import Round
from cardroom.games.settlement import Settlement
from cardroom.games.stakes import price, put_down
from cardroom.games.turns import SeatTurn
from cardroom.games.view import view
from cardroom.terminal.cards import CardSize
from cardroom.terminal.felt.felt import Scene, felt, on_rail
from cardroom.terminal.felt.help import house_rules, meter_sentence
from cardroom.terminal.felt.layout import layout
from cardroom.terminal.felt.seating import ME, Seating
from cardroom.terminal.names import answer
from cardroom.terminal.pages.payouts import net_text, round_result
from cardroom.terminal.palette import COST, NUMBER, QUIET

KEYS: Final = "? help · q leaves"
LOW_SCREEN: Final = 32


class Screen:
    """Draws a table on a console; a terminal is cleared first, so that the felt stays where it is."""

    def __init__(self, console: Console, seating: Seating) -> None:
        self.console = console
        self.seating = seating
        self.meters = example_meters(seating.table)

    def wagering(self, last: Mapping[str, int], balance: int, seal: Seal) -> None:
        """Before the wagers: the layout, the meters, and the seal on the shuffle to come."""
        self._fresh()
        table = self.seating.table
        self.console.print(on_rail(layout(table, last), table.facts.name, _status(balance, seal)))
        for spot, cents in self.meters.items():
            self.say(meter_sentence(table, spot, cents), QUIET)
        self._seal(seal)
        self.console.print(Text.assemble(("Place your wagers.", "bold"), (f"   {KEYS}", QUIET)))

    def question(self, round_: Round, turn: SeatTurn, balance: int, seal: Seal) -> None:
        """The table, the question to the player and the answers with their numbers and prices."""
        self._fresh()
        self._table(round_, _status(balance - put_down(round_, ME), seal))
        self._seal(seal)
        self.console.print(Text.assemble((question_words(turn), "bold"), (f"   {KEYS}", QUIET)))
        self.console.print(_options(round_, turn))

    def result(self, round_: Round, settlement: Settlement, balance: int, seal: Seal, next_: str = "") -> None:
        """The open cards, take or pay, the key that opens the seal, and what can be done next."""
        self._fresh()
        self._table(round_, _status(balance, seal), {seat: settlement.net(seat) for seat in round_.seats})
        self.console.print(round_result(settlement, self.seating.table.facts, ME, short=self._is_low))
        self._seal(seal)
        self._digits("key ", seal.key.hex())
        self.console.print(Text.assemble(("This round: ", "bold"), net_text(settlement.net(ME)), (next_, QUIET)))

    def help(self) -> RenderableType:
        """The game in short, the tables in use, and what can be typed."""
        return house_rules(self.seating.table, self.meters)

    def say(self, sentence: str, style: str = "") -> None:
        """A line of text."""
        self.console.print(Text(sentence, style))

    @property
    def _is_low(self) -> bool:
        return self.console.height < LOW_SCREEN

    def _fresh(self) -> None:
        if self.console.is_terminal:
            self.console.clear()

    def _seal(self, seal: Seal) -> None:
        self._digits("seal", seal.commitment)

    def _digits(self, name: str, digits: str) -> None:
        """Digits to copy: never broken over two lines."""
        self.console.print(Text(f"{name} {digits}", QUIET), soft_wrap=True)

    def _table(self, round_: Round, status: str, nets: Mapping[int, int] | None = None) -> None:
        scene = Scene(
            table=round_.table,
            view=view(round_, ME),
            me=ME,
            chips={seat: round_.game.chips(round_, seat) for seat in round_.seats},
            status=status,
            nets=nets or {},
        )
        self.console.print(felt(scene, CardSize.fitting(self.console), airy=not self._is_low))


def _status(balance: int, seal: Seal) -> str:
    return f"{seal.round_name} · balance {money(balance)}"


def _options(round_: Round, turn: SeatTurn) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=NUMBER, justify="right")
    grid.add_column(no_wrap=True)
    grid.add_column(style=COST, no_wrap=True)
    grid.add_column(style=QUIET)
    for number, option in enumerate(turn.options, 1):
        cents = price(round_, option)
        cost = f"+{money(cents)}" if cents else ""
        grid.add_row(str(number), answer(option), cost, round_.game.meaning(option))
    return grid
