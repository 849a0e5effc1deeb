"""Taking a player's wagers, spot by spot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rich.text import Text

from cardroom.faults import BadInput
from cardroom.games.bets import bet_fault
from cardroom.games.game import Game
from cardroom.games.layout_words import spot_name
from cardroom.games.money import dollars, money
from cardroom.games.stakes import put_down
from cardroom.games.table import Table
from cardroom.terminal.felt.faults import NotCovered
from cardroom.terminal.felt.layout import span, span_and_step
from cardroom.terminal.felt.prompts import Keys, Prompter
from cardroom.terminal.palette import ASKED_AGAIN, QUIET

NO_WAGER: Final = ("0", "$0", "no", "none", "-")
ALL_AGAIN: Final = "="

Wagers = dict[str, int]


class _AllAgain(Exception):
    """The player repeats every wager of the last round."""


def least_to_play(rules: Game, table: Table, seat: int) -> int:
    """The smallest amount that gets a player into a round."""
    single = ({spot: offered.limits.minimum} for spot, offered in table.spots.items())
    return min(
        put_down(rules.begin(table, {seat: one}), seat) for one in single if bet_fault(rules, table, seat, one) is None
    )


class WagerDesk:
    """Asks one seat for its wagers; what the rules or the balance refuse is asked again."""

    def __init__(self, prompter: Prompter, rules: Game, table: Table, seat: int) -> None:
        self._prompter = prompter
        self._rules = rules
        self._table = table
        self._seat = seat

    def take(
        self,
        last: Mapping[str, int],
        balance: int,
        show: Callable[[], None],
        keys: Keys,
    ) -> Wagers:
        """The wagers for one round; Enter repeats the last one on a spot."""
        show()
        try:
            while True:
                wagers: Wagers = {}
                for spot in self._table.spots:
                    amount = self._ask(spot, wagers, last, balance, keys)
                    if amount:
                        wagers[spot] = amount
                if wagers:
                    return wagers
                self._say("You have made no wager: put one on any spot, or leave with q.")
        except _AllAgain:
            return dict(last)

    def _ask(self, spot: str, so_far: Wagers, last: Mapping[str, int], balance: int, keys: Keys) -> int:
        offered = self._table.spots[spot]
        if any(self._table.spots[other] is offered for other in so_far):
            return 0
        closed = bet_fault(self._rules, self._table, self._seat, {**so_far, spot: offered.limits.minimum})
        if closed is not None:
            self._say(f"{spot_name(self._table, spot)} is not asked: {closed}", QUIET)
            return 0
        needed = self._is_needed(spot)
        opening = offered.limits.minimum if not last and spot == next(iter(self._table.spots)) else 0
        usual = last.get(spot, opening)
        if usual and not self._takes({**so_far, spot: usual}, balance):
            usual = 0  # Enter does what its line says, so it says nothing that would be refused
        again = bool(last) and not so_far and self._takes(dict(last), balance)

        def understand(typed: str) -> int:
            if typed == ALL_AGAIN and again:
                raise _AllAgain
            amount = usual if not typed else 0 if typed.lower() in NO_WAGER else dollars(typed)
            if amount:
                self._check({**so_far, spot: amount}, balance)
            elif needed:
                raise BadInput(f"This wager is needed to be dealt in: it takes {span_and_step(offered.limits)}.")
            return amount

        def show() -> None:
            enter = "" if needed and not usual else f"Enter {money(usual)}" if usual else "Enter none"
            none = "0 none" if usual and not needed else ""
            all_again = f"{ALL_AGAIN} all as before" if again else ""
            keys = " · ".join(filter(None, (enter, none, all_again)))
            name = (spot_name(self._table, spot), "bold")
            self._prompter.console.print(
                Text.assemble(name, f"  {span(offered.limits)}", (f"  {keys}", QUIET)), end=" "
            )

        return self._prompter.ask(show, understand, keys)

    def _is_needed(self, spot: str) -> bool:
        """A required wager may have several spots: the last of them is needed when no other is taken."""
        offered = self._table.spots[spot]
        return (
            offered.wager.required and spot == [other for other, one in self._table.spots.items() if one is offered][-1]
        )

    def _takes(self, wagers: Wagers, balance: int) -> bool:
        try:
            self._check(wagers, balance)
        except BadInput:
            return False
        return True

    def _check(self, wagers: Wagers, balance: int) -> None:
        fault = bet_fault(self._rules, self._table, self._seat, wagers)
        if fault is not None:
            raise BadInput(fault)
        takes = put_down(self._rules.begin(self._table, {self._seat: wagers}), self._seat)
        if takes > balance:
            raise NotCovered(f"That takes {money(takes)} in all and your balance is {money(balance)}: wager less.")

    def _say(self, sentence: str, style: str = ASKED_AGAIN) -> None:
        self._prompter.console.print(Text(sentence, style))
