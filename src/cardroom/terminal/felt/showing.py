"""A table without a player: one round is shown from the wagers to the payouts."""

from __future__ import annotations

from rich.console import Console

from cardroom.cards import Shoe
from cardroom.cards.shuffle import Seal
from cardroom.games.actions import Decide
from cardroom.games.bets import full_wagers
from cardroom.games.round import advance
from cardroom.games.turns import SeatTurn
from cardroom.terminal.felt.company import simple_choice
from cardroom.terminal.felt.screen import Screen
from cardroom.terminal.felt.seating import ME, Seating
from cardroom.terminal.names import answer


def show_round(console: Console, seating: Seating, seal: Seal, balance: int) -> None:
    """Seat 1 makes as many wagers as it may and answers like the other players."""
    screen = Screen(console, seating)
    mine = full_wagers(seating.rules, seating.table, ME)
    screen.wagering(mine, balance, seal)
    round_ = seating.rules.begin(seating.table, seating.wagers(mine))
    round_, shoe = advance(round_, Shoe(seal.shuffle(seating.table.deck)))
    while isinstance(round_.turn, SeatTurn):
        turn = round_.turn
        decision = simple_choice(turn)
        if turn.seat == ME:
            screen.question(round_, turn, balance, seal)
            console.print("> ", answer(decision), "\n", sep="")
        round_, shoe = advance(round_.apply(Decide(turn.seat, decision)), shoe)
    settlement = seating.rules.settle(round_, screen.meters)
    screen.result(round_, settlement, balance + settlement.net(ME), seal)
    console.print()
