"""A player's session at a table: wagers, deal, decisions, take or pay, round after round until the player leaves."""

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
from cardroom.translation import gettext


class TerminalSession:
    """The state between rounds, and the loop."""

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
        """Play until the player leaves or cannot afford the minimum."""
        minimum = minimum_to_play(self._seating.rules, self._seating.table, OWN_SEAT)
        try:
            while self.balance >= minimum and not self._has_left:
                self._play_round(next(self._seals))
            if self.balance < minimum:
                sentence = gettext("You have {balance}, and the minimum bet is {minimum}.")
                self._screen.print_line(
                    sentence.format(balance=format_cents(self.balance), minimum=format_cents(minimum))
                )
        except (PlayerLeaves, KeyboardInterrupt):
            pass
        self._print_farewell()

    def _play_round(self, seal: Seal) -> None:
        def layout() -> None:
            self._screen.show_wagering(self._last_wagers, self.balance, seal)

        # The seal is shown before the wagers: it proves that the cards were in order before the bets were known.
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
        """Play the round to its end; after the player leaves, with the default action."""
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
                sentence = gettext("To {verb} costs {cost} more and you have {balance}: choose another option.")
                raise BalanceTooLow(
                    sentence.format(verb=decision.verb, cost=format_cents(cost), balance=format_cents(remaining))
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
            raise BadInput(gettext("There is no decision to make now: ask for a hint after the deal."))

        return {
            **dict.fromkeys(("?", "help"), help_),
            **dict.fromkeys(("t", "tables", "paytables"), tables),
            **dict.fromkeys(("c", "coach"), coach),
            **dict.fromkeys(("h", "hint"), no_hint),
        }

    def _wagering_keys(self, layout: Callable[[], None]) -> Keys:
        """The keys during wagering; the layout is drawn again after a page of help."""

        def followed_by_layout(key: Callable[[], None]) -> Callable[[], None]:
            def handle_key() -> None:
                key()
                layout()
                for note in self._coach_log.notes():
                    self._screen.console.print(note)

            return handle_key

        return {name: followed_by_layout(key) for name, key in self._keys().items()}

    def _print_farewell(self) -> None:
        rounds = {0: gettext("no round"), 1: gettext("one round")}.get(
            self.rounds, gettext("{count} rounds").format(count=self.rounds)
        )
        sentence = gettext("You played {rounds} of {game}, started with {start} and leave with {end}: ").format(
            rounds=rounds,
            game=self._seating.table.facts.name,
            start=format_cents(self._bought_in),
            end=format_cents(self.balance),
        )
        net = net_text(self.balance - self._bought_in)
        self._screen.console.print(Text(sentence).append(net).append(gettext(". Thank you for playing.")))
        if self.rounds:
            self._coach_log.print_report(self.balance - self._bought_in, self.rounds)


def _require_enter(line: str) -> None:
    if line:
        sentence = gettext("{line} is not possible now: press Enter for the next bets, or q to leave.")
        raise BadInput(sentence.format(line=quote(line)))


def _leaving_warning(round_: Round) -> str:
    """The question whether to leave with chips on the layout."""
    default_action = round_.game.default_decision(round_)
    sentence = gettext(
        "You have {chips} on the layout. If you leave now, your decision is “{action}”, you bet nothing more, and you "
        "keep what the round pays. Leave?"
    )
    return sentence.format(
        chips=format_cents(cents_on_layout(round_, OWN_SEAT)), action=decision_text(default_action).plain
    )
