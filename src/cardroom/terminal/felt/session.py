"""One player's session at a table: wagers, the deal, decisions, take or pay, and so on until the player leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.console import Console
from rich.text import Text

from cardroom.cards import Shoe
from cardroom.cards.shuffle import Seal
from cardroom.faults import BadInput, quoted
from cardroom.games.actions import Decide
from cardroom.games.decisions import Decision
from cardroom.games.layout_words import question_words
from cardroom.games.money import money
from cardroom.games.round import Round, advance
from cardroom.games.stakes import price, put_down
from cardroom.games.turns import SeatTurn
from cardroom.games.view import view
from cardroom.terminal.felt.choices import read_choice
from cardroom.terminal.felt.coach import Asked, Coach
from cardroom.terminal.felt.company import simple_choice
from cardroom.terminal.felt.faults import NotCovered
from cardroom.terminal.felt.prompts import Gone, Keys, Leave, Prompter, Reader
from cardroom.terminal.felt.school import School
from cardroom.terminal.felt.screen import RESULT_KEYS, Hint, Screen
from cardroom.terminal.felt.seating import ME, Seating
from cardroom.terminal.felt.tables import Hit, hits
from cardroom.terminal.felt.wagers import WagerDesk, Wagers, least_to_play
from cardroom.terminal.names import answer
from cardroom.terminal.pages.payouts import net_text


class Session:
    """What lasts from round to round, and the loop."""

    def __init__(
        self,
        console: Console,
        read: Reader,
        seating: Seating,
        seals: Iterator[Seal],
        balance: int,
        coach: Coach | None = None,
    ) -> None:
        self.balance = balance
        self.rounds = 0
        self._bought_in = balance
        self._last: Wagers = {}
        self._seating = seating
        self._seals = seals
        self._screen = Screen(console, seating)
        self._prompter = Prompter(console, read)
        self._desk = WagerDesk(self._prompter, seating.rules, seating.table, ME)
        self._school = School(self._screen, coach)
        self._left = False

    def play(self) -> None:
        """Play until the player leaves or has too little left."""
        least = least_to_play(self._seating.rules, self._seating.table, ME)
        try:
            while self.balance >= least and not self._left:
                self._one_round(next(self._seals))
            if self.balance < least:
                told = f"Your balance of {money(self.balance)} does not cover the least wager, {money(least)}."
                self._screen.say(told)
        except (Leave, KeyboardInterrupt):
            pass
        self._farewell()

    def _one_round(self, seal: Seal) -> None:
        def layout() -> None:
            self._screen.wagering(self._last, self.balance, seal)

        # The seal is shown before the wagers: the order of the cards is fixed before anybody knows what is wagered.
        self._last = self._desk.take(self._last, self.balance, layout, self._wagering_keys(layout))
        self._school.wagered(self._last)
        round_ = self._seating.rules.begin(self._seating.table, self._seating.wagers(self._last))
        round_ = self._played(round_, Shoe(seal.shuffle(self._seating.table.deck)), seal)
        settlement = self._seating.rules.settle(round_, self._screen.meters)
        self.balance += settlement.net(ME)
        self.rounds += 1

        def show() -> None:
            keys = () if self._left else RESULT_KEYS
            self._screen.result(round_, settlement, self.balance, seal, self._school.told(), keys)

        if self._left:
            show()
        else:
            self._prompter.ask(show, _only_enter, self._keys(hits(self._seating.table, settlement.of(ME))))

    def _played(self, round_: Round, shoe: Shoe, seal: Seal) -> Round:
        """To the end, also when the player leaves in the middle: then with the answers of a player who has left."""
        round_, shoe = advance(round_, shoe)
        while isinstance(round_.turn, SeatTurn):
            turn = round_.turn
            decision = simple_choice(turn) if turn.seat != ME else self._mine(round_, turn, seal)
            round_, shoe = advance(round_.apply(Decide(turn.seat, decision)), shoe)
        return round_

    def _mine(self, round_: Round, turn: SeatTurn, seal: Seal) -> Decision:
        while not self._left:
            try:
                return self._asked(round_, turn, seal)
            except Gone:
                self._left = True
            except (Leave, KeyboardInterrupt):
                self._left = self._prompter.is_sure(_at_stake(round_))
        return self._seating.rules.safe_answer(round_)

    def _asked(self, round_: Round, turn: SeatTurn, seal: Seal) -> Decision:
        left = self.balance - put_down(round_, ME)
        covered = tuple(one for one in turn.options if price(round_, one) <= left)
        words = question_words(turn, self._seating.rules.questions)
        hint: Hint | None = None

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
            self._screen.question(round_, turn, self.balance, seal, self._school.told(), hint)

        def ask_coach() -> None:
            nonlocal hint
            advice = self._school.advice(seal.round_name, view(round_, ME), words)
            hint = None if advice is None else Hint(advice, covered)

        keys = {**self._keys(), "h": ask_coach, "hint": ask_coach}
        given = self._prompter.ask(show, understand, keys)
        self._school.answered(Asked(seal.round_name, view(round_, ME), words, given, covered))
        return given

    def _keys(self, marked: frozenset[Hit] = frozenset()) -> dict[str, Callable[[], None]]:
        def help_() -> None:
            self._prompter.read_through(self._screen.help())

        def tables() -> None:
            self._prompter.read_through(self._screen.tables(marked))

        def coach() -> None:
            self._school.turn_on_or_off()

        def no_hint() -> None:
            raise BadInput("A hint is for a question of the game, once the cards are dealt: nothing is asked now.")

        return {
            **dict.fromkeys(("?", "help"), help_),
            **dict.fromkeys(("t", "tables", "paytables"), tables),
            **dict.fromkeys(("c", "coach"), coach),
            **dict.fromkeys(("h", "hint"), no_hint),
        }

    def _wagering_keys(self, layout: Callable[[], None]) -> Keys:
        """After a page of help the layout is drawn anew."""

        def then_layout(key: Callable[[], None]) -> Callable[[], None]:
            def pressed() -> None:
                key()
                layout()
                for one in self._school.told():
                    self._screen.console.print(one)

            return pressed

        return {name: then_layout(key) for name, key in self._keys().items()}

    def _farewell(self) -> None:
        rounds = {0: "no round", 1: "one round"}.get(self.rounds, f"{self.rounds} rounds")
        told = Text(
            f"You played {rounds} of {self._seating.table.facts.name}, sat down with {money(self._bought_in)} "
            f"and leave with {money(self.balance)}: "
        )
        self._screen.console.print(
            told.append(net_text(self.balance - self._bought_in)).append(". Thank you for playing.")
        )
        if self.rounds:
            self._school.report(self.balance - self._bought_in, self.rounds)


def _only_enter(typed: str) -> None:
    if typed:
        raise BadInput(f"{quoted(typed)} is nothing that can be done now: Enter goes on to the wagers, q leaves.")


def _at_stake(round_: Round) -> str:
    """What becomes of the chips of a player who leaves now."""
    safe = round_.game.safe_answer(round_)
    return (
        f"You have {money(put_down(round_, ME))} on the layout. If you leave, “{answer(safe).plain}” is answered for "
        "you, the round is played to its end without more of your money, and what it pays is yours. Leave?"
    )
