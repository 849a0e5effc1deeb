"""Ask for a player's wagers, spot by spot, and show the limits and paytables of the spots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rich.table import Table as Grid
from rich.text import Text

from cardroom.errors import BadInput
from cardroom.games.game import Game, cents_on_layout
from cardroom.games.money import format_cents, parse_dollars
from cardroom.games.playable_table import Table
from cardroom.games.round import find_bet_fault
from cardroom.games.setup import WagerLimits
from cardroom.games.view import spot_name
from cardroom.terminal.client.drawing import CHIP
from cardroom.terminal.client.prompts import BalanceTooLow, Keys, Prompter
from cardroom.terminal.console import GOLD, LABEL, ON_GREEN, QUIET, RETRY
from cardroom.translation import gettext


def limits_text(limits: WagerLimits) -> str:
    """The minimum and maximum of a spot."""
    minimum = format_cents(limits.minimum)
    return minimum if limits.minimum == limits.maximum else f"{minimum} to {format_cents(limits.maximum)}"


def limits_and_step_text(limits: WagerLimits) -> str:
    """The limits of a spot.

    >>> limits_and_step_text(WagerLimits(10_00, 200_00, 5_00)), limits_and_step_text(WagerLimits(1_00, 1_00, 1_00))
    ('$10 to $200, in steps of $5', '$1')
    """
    return (
        limits_text(limits)
        if limits.minimum == limits.maximum
        else f"{limits_text(limits)}, in steps of {format_cents(limits.step)}"
    )


def draw_layout(table: Table, last_wagers: Mapping[str, int]) -> Grid:
    """The spots with their last wagers, limits, and paytables."""
    grid = Grid.grid(padding=(0, 2))
    for style in (f"bold {ON_GREEN}", GOLD, ON_GREEN, ON_GREEN, LABEL):
        grid.add_column(style=style, overflow="fold")
    grid.add_row(*(Text(head, LABEL) for head in ("SPOT", "LAST", "LIMITS", "STEP", "PAYTABLE")))
    for spot, offered in table.spots.items():
        repeated = f"{CHIP} {format_cents(last_wagers[spot])}" if spot in last_wagers else ""
        limits, pays = offered.limits, offered.paytable.display_name or "even money"
        grid.add_row(spot_name(table, spot), repeated, limits_text(limits), format_cents(limits.step), pays)
    return grid


NO_WAGER: Final = ("0", "$0", "no", "none", "-")
REPEAT_KEY: Final = "="

SpotWagers = dict[str, int]


class _RepeatWagers(Exception):
    """The player repeats every wager of the last round."""


def minimum_to_play(rules: Game, table: Table, seat: int) -> int:
    """The minimum amount to play a round."""
    single = ({spot: offered.limits.minimum} for spot, offered in table.spots.items())
    return min(
        cents_on_layout(rules.begin(table, {seat: wagers}), seat)
        for wagers in single
        if find_bet_fault(rules, table, seat, wagers) is None
    )


class WagerPrompt:
    """Asks one seat for its wagers, and again if the rules or the balance refuse one."""

    def __init__(self, prompter: Prompter, rules: Game, table: Table, seat: int) -> None:
        self._prompter = prompter
        self._rules = rules
        self._table = table
        self._seat = seat

    def ask_wagers(
        self,
        last_wagers: Mapping[str, int],
        balance: int,
        show: Callable[[], None],
        keys: Keys,
    ) -> SpotWagers:
        """The wagers for one round; Enter repeats the last one on a spot."""
        show()
        try:
            while True:
                wagers: SpotWagers = {}
                for spot in self._table.spots:
                    amount = self._ask_amount(spot, wagers, last_wagers, balance, keys)
                    if amount:
                        wagers[spot] = amount
                if wagers:
                    return wagers
                self._print_line(gettext("You have no bets yet: bet on any spot, or leave with q."))
        except _RepeatWagers:
            return dict(last_wagers)

    def _ask_amount(
        self, spot: str, wagers: SpotWagers, last_wagers: Mapping[str, int], balance: int, keys: Keys
    ) -> int:
        offered = self._table.spots[spot]
        if any(self._table.spots[other_spot] is offered for other_spot in wagers):
            return 0
        refusal = find_bet_fault(self._rules, self._table, self._seat, {**wagers, spot: offered.limits.minimum})
        if refusal is not None:
            sentence = gettext("No bet on {spot}: {reason}")
            self._print_line(sentence.format(spot=spot_name(self._table, spot), reason=refusal), QUIET)
            return 0
        is_required = self._is_required(spot)
        opening = offered.limits.minimum if not last_wagers and spot == next(iter(self._table.spots)) else 0
        default_amount = last_wagers.get(spot, opening)
        if default_amount and not self._is_allowed({**wagers, spot: default_amount}, balance):
            default_amount = 0  # the line never offers a bet that would be refused
        can_repeat = bool(last_wagers) and not wagers and self._is_allowed(dict(last_wagers), balance)

        def parse(line: str) -> int:
            if line == REPEAT_KEY and can_repeat:
                raise _RepeatWagers
            amount = default_amount if not line else 0 if line.lower() in NO_WAGER else parse_dollars(line)
            if amount:
                self._check({**wagers, spot: amount}, balance)
            elif is_required:
                sentence = gettext("You need this bet to play: {limits}.")
                raise BadInput(sentence.format(limits=limits_and_step_text(offered.limits)))
            return amount

        def show() -> None:
            enter = (
                ""
                if is_required and not default_amount
                else gettext("Enter {amount}").format(amount=format_cents(default_amount))
                if default_amount
                else gettext("Enter none")
            )
            none = gettext("0 none") if default_amount and not is_required else ""
            all_again = gettext("{key} repeat all").format(key=REPEAT_KEY) if can_repeat else ""
            keys = " · ".join(filter(None, (enter, none, all_again)))
            name = (spot_name(self._table, spot), "bold")
            self._prompter.console.print(
                Text.assemble(name, f"  {limits_text(offered.limits)}", (f"  {keys}", QUIET)), end=" "
            )

        return self._prompter.ask(show, parse, keys)

    def _is_required(self, spot: str) -> bool:
        """A required wager may have several spots: the last of them is needed when no other is taken."""
        offered = self._table.spots[spot]
        return (
            offered.wager.required
            and spot
            == [other_spot for other_spot, spot_offer in self._table.spots.items() if spot_offer is offered][-1]
        )

    def _is_allowed(self, wagers: SpotWagers, balance: int) -> bool:
        try:
            self._check(wagers, balance)
        except BadInput:
            return False
        return True

    def _check(self, wagers: SpotWagers, balance: int) -> None:
        fault = find_bet_fault(self._rules, self._table, self._seat, wagers)
        if fault is not None:
            raise BadInput(fault)
        total = cents_on_layout(self._rules.begin(self._table, {self._seat: wagers}), self._seat)
        if total > balance:
            raise BalanceTooLow(
                gettext("Your bets total {total} and you have {balance}: bet less.").format(
                    total=format_cents(total), balance=format_cents(balance)
                )
            )

    def _print_line(self, sentence: str, style: str = RETRY) -> None:
        self._prompter.console.print(Text(sentence, style))
