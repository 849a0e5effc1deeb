"""One player's session at a table: wagers, the deal, decisions, take or pay, and so on until the player leaves."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from cardroom.cards import Shoe
from cardroom.cards.shuffle import Seal
from cardroom.games.actions import Decide
from cardroom.games.decisions import Decision
from cardroom.games.money import money
from cardroom.games.round import Round, advance
from cardroom.games.stakes import price, put_down
from cardroom.games.turns import SeatTurn
from cardroom.terminal.felt.choices import read_choice
from cardroom.terminal.felt.company import simple_choice
from cardroom.terminal.felt.faults import NotCovered
from cardroom.terminal.felt.prompts import Leave, Prompter, Reader
from cardroom.terminal.felt.screen import KEYS, Screen
from cardroom.terminal.felt.seating import ME, Seating
from cardroom.terminal.felt.wagers import WagerDesk, Wagers, least_to_play
from cardroom.terminal.pages.payouts import net_text


class Session:
    """What lasts from round to round, and the loop."""

    def __init__(self, console: Console, read: Reader, seating: Seating, seals: Iterator[Seal], balance: int) -> None:
        self.balance = balance
        self.rounds = 0
        self._bought_in = balance
        self._last: Wagers = {}
        self._seating = seating
        self._seals = seals
        self._screen = Screen(console, seating)
        self._prompter = Prompter(console, read)
        self._desk = WagerDesk(self._prompter, seating.rules, seating.table, ME)

    def play(self) -> None:
        """Play until the player leaves or has too little left."""
        least = least_to_play(self._seating.rules, self._seating.table, ME)
        try:
            while self.balance >= least:
                self._one_round(next(self._seals))
            self._screen.say(f"Your balance of {money(self.balance)} does not cover the least wager, {money(least)}.")
        except (Leave, KeyboardInterrupt):
            pass
        self._farewell()

    def _one_round(self, seal: Seal) -> None:
        # The seal is shown before the wagers: the order of the cards is fixed before anybody knows what is wagered.
        self._last = self._desk.take(
            self._last,
            self.balance,
            lambda: self._screen.wagering(self._last, self.balance, seal),
            self._screen.help,
        )
        round_ = self._seating.rules.begin(self._seating.table, self._seating.wagers(self._last))
        round_ = self._played(round_, Shoe(seal.shuffle(self._seating.table.deck)), seal)
        settlement = self._seating.rules.settle(round_, self._screen.meters)
        self.balance += settlement.net(ME)
        self.rounds += 1

        def show() -> None:
            self._screen.result(round_, settlement, self.balance, seal, f"   Enter deals the next round · {KEYS}")

        self._prompter.ask(show, lambda _: None, self._screen.help)

    def _played(self, round_: Round, shoe: Shoe, seal: Seal) -> Round:
        round_, shoe = advance(round_, shoe)
        while isinstance(round_.turn, SeatTurn):
            turn = round_.turn
            decision = self._asked(round_, turn, seal) if turn.seat == ME else simple_choice(turn)
            round_, shoe = advance(round_.apply(Decide(turn.seat, decision)), shoe)
        return round_

    def _asked(self, round_: Round, turn: SeatTurn, seal: Seal) -> Decision:
        left = self.balance - put_down(round_, ME)

        def understand(typed: str) -> Decision:
            decision = read_choice(typed, turn.options, turn.also)
            cost = price(round_, decision)
            if cost > left:
                raise NotCovered(
                    f"To {decision.verb} takes {money(cost)} more and your balance is {money(left)}: "
                    "choose another answer."
                )
            return decision

        def show() -> None:
            self._screen.question(round_, turn, self.balance, seal)

        try:
            return self._prompter.ask(show, understand, self._screen.help)
        except Leave:
            self._forfeit(put_down(round_, ME))
            raise

    def _forfeit(self, chips: int) -> None:
        """Who leaves in the middle of a round leaves the chips of it on the layout."""
        self.balance -= chips
        self._screen.say(f"You leave in the middle of a round: your {money(chips)} on the layout stays with the house.")

    def _farewell(self) -> None:
        rounds = {0: "no round", 1: "one round"}.get(self.rounds, f"{self.rounds} rounds")
        told = Text(
            f"You played {rounds} of {self._seating.table.facts.name}, sat down with {money(self._bought_in)} "
            f"and leave with {money(self.balance)}: "
        )
        self._screen.console.print(
            told.append(net_text(self.balance - self._bought_in)).append(". Thank you for playing.")
        )
