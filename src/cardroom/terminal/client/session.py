"""One player's session at a table: wagers, the deal, decisions, take or pay, and so on until the player leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.console import Console
from rich.text import Text

from cardroom.cards import Shoe
from cardroom.cards.shuffle import Seal
from cardroom.errors import BadInput, quote
from cardroom.games.actions import Decide, Decision, SeatTurn
from cardroom.games.game import cents_on_layout, decision_cost
from cardroom.games.money import format_cents
from cardroom.games.round import Round, advance
from cardroom.games.view import describe_question, view
from cardroom.terminal.cards import decision_text
from cardroom.terminal.client.coach_advice import AnsweredQuestion, TerminalCoach
from cardroom.terminal.client.coach_log import CoachLog
from cardroom.terminal.client.help import Hit, hits
from cardroom.terminal.client.prompts import (
    BalanceTooLow,
    InputEnded,
    Keys,
    PlayerLeaves,
    Prompter,
    Reader,
    parse_choice,
)
from cardroom.terminal.client.screen import RESULT_KEYS, Hint, TableScreen
from cardroom.terminal.client.seating import OWN_SEAT, Seating, bot_decision
from cardroom.terminal.client.wagers import SpotWagers, WagerPrompt, minimum_to_play
from cardroom.terminal.pages.settlements import net_text


class TerminalSession:
    """What lasts from round to round, and the loop."""

    def __init__(
        self,
        console: Console,
        read: Reader,
        seating: Seating,
        seals: Iterator[Seal],
        balance: int,
        coach: TerminalCoach | None = None,
    ) -> None:
        self.balance = balance
        self.rounds = 0
        self._bought_in = balance
        self._last_wagers: SpotWagers = {}
        self._seating = seating
        self._seals = seals
        self._screen = TableScreen(console, seating)
        self._prompter = Prompter(console, read)
        self._wager_prompt = WagerPrompt(self._prompter, seating.rules, seating.table, OWN_SEAT)
        self._coach_log = CoachLog(self._screen, coach)
        self._has_left = False

    def play(self) -> None:
        """Play until the player leaves or has too little left."""
        minimum = minimum_to_play(self._seating.rules, self._seating.table, OWN_SEAT)
        try:
            while self.balance >= minimum and not self._has_left:
                self._play_round(next(self._seals))
            if self.balance < minimum:
                sentence = (
                    f"Your balance of {format_cents(self.balance)} does not cover the least wager, "
                    f"{format_cents(minimum)}."
                )
                self._screen.print_line(sentence)
        except (PlayerLeaves, KeyboardInterrupt):
            pass
        self._print_farewell()

    def _play_round(self, seal: Seal) -> None:
        def layout() -> None:
            self._screen.show_wagering(self._last_wagers, self.balance, seal)

        # The seal is shown before the wagers: the order of the cards is fixed before anybody knows what is wagered.
        self._last_wagers = self._wager_prompt.ask_wagers(
            self._last_wagers, self.balance, layout, self._wagering_keys(layout)
        )
        self._coach_log.record_wagers(self._last_wagers)
        round_ = self._seating.rules.begin(self._seating.table, self._seating.wagers(self._last_wagers))
        round_ = self._finish_round(round_, Shoe(seal.shuffle(self._seating.table.deck)), seal)
        settlement = self._seating.rules.settle(round_, self._screen.meters)
        self.balance += settlement.net(OWN_SEAT)
        self.rounds += 1

        def show() -> None:
            keys = () if self._has_left else RESULT_KEYS
            self._screen.show_result(round_, settlement, self.balance, seal, self._coach_log.notes(), keys)

        if self._has_left:
            show()
        else:
            self._prompter.ask(
                show, _require_enter, self._keys(hits(self._seating.table, settlement.seat_payments(OWN_SEAT)))
            )

    def _finish_round(self, round_: Round, shoe: Shoe, seal: Seal) -> Round:
        """To the end, also when the player leaves in the middle: then with the answers of a player who has left."""
        round_, shoe = advance(round_, shoe)
        while isinstance(round_.turn, SeatTurn):
            turn = round_.turn
            decision = bot_decision(turn) if turn.seat != OWN_SEAT else self._own_decision(round_, turn, seal)
            round_, shoe = advance(round_.apply(Decide(turn.seat, decision)), shoe)
        return round_

    def _own_decision(self, round_: Round, turn: SeatTurn, seal: Seal) -> Decision:
        while not self._has_left:
            try:
                return self._ask_decision(round_, turn, seal)
            except InputEnded:
                self._has_left = True
            except (PlayerLeaves, KeyboardInterrupt):
                self._has_left = self._prompter.confirm(_leaving_warning(round_))
        return self._seating.rules.default_decision(round_)

    def _ask_decision(self, round_: Round, turn: SeatTurn, seal: Seal) -> Decision:
        remaining = self.balance - cents_on_layout(round_, OWN_SEAT)
        affordable_decisions = tuple(option for option in turn.options if decision_cost(round_, option) <= remaining)
        question_text = describe_question(turn, self._seating.rules.question_texts)
        hint: Hint | None = None

        def parse(line: str) -> Decision:
            decision = parse_choice(line, turn.options, turn.unlisted_options)
            cost = decision_cost(round_, decision)
            if cost > remaining:
                raise BalanceTooLow(
                    f"To {decision.verb} takes {format_cents(cost)} more and your balance is "
                    f"{format_cents(remaining)}: "
                    "choose another answer."
                )
            return decision

        def show() -> None:
            self._screen.show_question(round_, turn, self.balance, seal, self._coach_log.notes(), hint)

        def ask_coach() -> None:
            nonlocal hint
            advice = self._coach_log.request_advice(seal.round_name, view(round_, OWN_SEAT), question_text)
            hint = None if advice is None else Hint(advice, affordable_decisions)

        keys = {**self._keys(), "h": ask_coach, "hint": ask_coach}
        choice = self._prompter.ask(show, parse, keys)
        self._coach_log.record_answer(
            AnsweredQuestion(seal.round_name, view(round_, OWN_SEAT), question_text, choice, affordable_decisions)
        )
        return choice

    def _keys(self, hit_lines: frozenset[Hit] = frozenset()) -> dict[str, Callable[[], None]]:
        def help_() -> None:
            self._prompter.show_pages(self._screen.help())

        def tables() -> None:
            self._prompter.show_pages(self._screen.paytables(hit_lines))

        def coach() -> None:
            self._coach_log.toggle()

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

        def followed_by_layout(key: Callable[[], None]) -> Callable[[], None]:
            def handle_key() -> None:
                key()
                layout()
                for note in self._coach_log.notes():
                    self._screen.console.print(note)

            return handle_key

        return {name: followed_by_layout(key) for name, key in self._keys().items()}

    def _print_farewell(self) -> None:
        rounds = {0: "no round", 1: "one round"}.get(self.rounds, f"{self.rounds} rounds")
        sentence = Text(
            f"You played {rounds} of {self._seating.table.facts.name}, sat down with {format_cents(self._bought_in)} "
            f"and leave with {format_cents(self.balance)}: "
        )
        self._screen.console.print(
            sentence.append(net_text(self.balance - self._bought_in)).append(". Thank you for playing.")
        )
        if self.rounds:
            self._coach_log.print_report(self.balance - self._bought_in, self.rounds)


def _require_enter(line: str) -> None:
    if line:
        raise BadInput(f"{quote(line)} is nothing that can be done now: Enter goes on to the wagers, q leaves.")


def _leaving_warning(round_: Round) -> str:
    """What becomes of the chips of a player who leaves now."""
    default_action = round_.game.default_decision(round_)
    return (
        f"You have {format_cents(cents_on_layout(round_, OWN_SEAT))} on the layout. If you leave, "
        f"“{decision_text(default_action).plain}” is answered for "
        "you, the round is played to its end without more of your money, and what it pays is yours. Leave?"
    )
