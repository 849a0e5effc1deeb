"""The odds of 3 Card Double Play Poker: how to set six cards, when to double, and the four bonus wagers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from cardroom.cards import Card, Deck
from cardroom.faults import BadInput
from cardroom.games import Decision, NotAllowed, Pile, Place, SeatTurn, Table, Verb, View
from cardroom.games.places import DEALER_HAND
from cardroom.games.three_card_double_play.rules import DOUBLE_QUESTION, PLAYER_CARDS, RULES, SET_QUESTION
from cardroom.hands import BadHand
from cardroom.odds.endings import EventCounts, endings
from cardroom.odds.play import Play
from cardroom.odds.pricer import Advice, Priced, Pricer, Progress, Settings, SimpleStrategy, silent
from cardroom.odds.three_card_double_play.bonuses import (
    pick_3_kinds,
    pick_5_kinds,
    super_3s_kinds,
    super_six_kinds,
)
from cardroom.odds.three_card_double_play.coach import Valued, valued_settings
from cardroom.odds.three_card_double_play.counts import threes
from cardroom.odds.three_card_double_play.results import BOTH_WIN, MAIN, ended
from cardroom.odds.three_card_double_play.setting import LowHandPays, best_play
from cardroom.odds.three_card_double_play.strategy import simple_play, simple_strategy
from cardroom.paytables import Dollars, Paytable

_BONUSES: Final[Mapping[str, Callable[[], EventCounts]]] = {
    "pick-3": pick_3_kinds,
    "pick-5": pick_5_kinds,
    "super-3s": super_3s_kinds,
    "super-six": super_six_kinds,
}

_MAIN_NOTES: Final = (
    "High and Low are one unit each, so two units are down before the deal; doubling doubles both (DP-1, DP-2).",
    "Lines are those of the low hand when both hands win; the High Hand wager beside it wins even money.",
    "A copy of the dealer's hand wins for the player (rule 7).",
)
_BY_DIVISION_NOTES: Final = (
    "The best line that some division of the six cards into two hands of three meets, however they were set (DP-3).",
    "A straight flush or trips in one of the two hands puts a division on a higher line (DP-4).",
)
_BEST_FIVE_NOTES: Final = ("The best five of the six cards count, whatever becomes of the main game (DP-5).",)
_BONUS_NOTES: Final = {
    "pick-3": _BY_DIVISION_NOTES,
    "pick-5": _BEST_FIVE_NOTES,
    "super-3s": _BY_DIVISION_NOTES,
    "super-six": (*_BEST_FIVE_NOTES, "A six-card straight flush runs from ace low to ace high (DP-5)."),
}
_DOLLARS_NOTE: Final = "Prizes in dollars are held against a wager of one dollar."


class ThreeCardDoublePlayOdds(Pricer):
    """Exact figures over all deals."""

    game = RULES.facts.slug

    def settings(self, wager: str) -> tuple[Settings, ...]:
        return ({},)

    def price(self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent) -> Priced:
        if wager == MAIN:
            return self._main_game(LowHandPays(table), progress)
        progress(f"every hand of {wager}", 0.0)
        kinds = _BONUSES[wager]()
        progress(f"every hand of {wager}", 1.0)
        jackpot = RULES.facts.wager(wager).jackpot is not None
        # A jackpot wager is one dollar by the rules; other wagers are what the player likes.
        notes = _BONUS_NOTES[wager] + (() if jackpot else _dollars_note(table))
        return Priced(tuple(endings(kinds, table, jackpot=jackpot)), notes=notes)

    def _main_game(self, pays: LowHandPays, progress: Progress) -> Priced:
        progress("every hand of six against the dealer's five", 0.0)
        threes()
        progress("the best setting of every hand", 0.9)
        found = tuple(best_play(pays).endings(pays))
        progress("the best setting of every hand", 1.0)
        return Priced(found, initial_wager=int(ended(BOTH_WIN).wagered), notes=_MAIN_NOTES + _dollars_note(pays.table))

    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        """Each setting as ``double`` or ``stand``, whichever is better after it, with the two hands."""
        _refuse_bonus(wager)
        if len(hand) != PLAYER_CARDS:
            raise BadHand(f"Six cards are set as two hands of three; there are {len(hand)}: write such as {_EXAMPLE}.")
        Deck.ONE.check(hand)
        return tuple((one.played, one.best) for one in valued_settings(LowHandPays(table), hand))

    def simple_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent
    ) -> SimpleStrategy:
        _refuse_bonus(wager)
        best = self.price(wager, table, settings, lambda what, part: progress(what, part / 2))
        deals = sum(one.combinations for one in best.endings)
        best_return = sum((one.combinations * one.net for one in best.endings), Fraction(0)) / deals
        progress("strategies for people, tried on every hand", 0.5)
        found = simple_strategy(LowHandPays(table), best_return)
        progress("strategies for people, tried on every hand", 1.0)
        return found

    def simple_play(self, table: Table, progress: Progress = silent) -> Play:
        progress("the setting of every hand", 0.0)
        play = simple_play(LowHandPays(table.offered[MAIN].paytable))
        progress("the setting of every hand", 1.0)
        return play

    def advise(self, table: Table, seen: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        """Setting, or doubling a hand that is set, the best first; for the High and Low wagers alone, because neither
        answer touches the bonus wagers. A setting is worth what it is with the right answer about doubling."""
        match seen.turn:
            case SeatTurn(asked, question) if asked == seat:
                pass
            case _:
                raise NotAllowed(f"Seat {seat} has nothing to decide now: ask when it has to set its hand or double.")
        own = Place(Pile.HAND, seat)
        six = tuple(card for card in seen.piles[own] if card)
        if len(six) < PLAYER_CARDS:
            raise NotAllowed(f"The cards of seat {seat} are hidden from {seen.viewer}: ask with that seat's own view.")
        shown = tuple(card for card in seen.piles.get(DEALER_HAND, ()) if card)
        if shown and seen.viewer != seat:  # rule 2: players see them only after they have set their hands
            raise NotAllowed(
                f"The {seen.viewer} sees the dealer's cards, as no player does: ask with the seat's own view."
            )
        elsewhere = [
            card for place, cards in seen.piles.items() if place not in (own, DEALER_HAND) for card in cards if card
        ]
        wager = seen.bets[seat][MAIN]
        valued = valued_settings(LowHandPays(table.offered[MAIN].paytable, wager), six, elsewhere, shown)
        if question == SET_QUESTION:
            return tuple(Advice(one.division.decision, one.best * wager) for one in valued)
        assert question == DOUBLE_QUESTION
        chosen = seen.decisions[seat, SET_QUESTION]
        return _doubling(next(one for one in valued if chosen in one.division.decisions), wager)


def _doubling(chosen: Valued, wager: int) -> tuple[Advice, ...]:
    """Equal values: standing first, which risks less."""
    values = ((Verb.STAND, chosen.stand), (Verb.DOUBLE, chosen.double))
    both = [Advice(Decision(verb), value * wager) for verb, value in values]
    return tuple(sorted(both, key=lambda advice: advice.value, reverse=True))


def _refuse_bonus(wager: str) -> None:
    if wager != MAIN:
        raise BadInput(f"The {wager} wager asks the player nothing once it is made: ask about {MAIN}.")


def _dollars_note(table: Paytable) -> tuple[str, ...]:
    return (_DOLLARS_NOTE,) if any(isinstance(line.pay, Dollars) for line in table.lines) else ()


_EXAMPLE: Final = "As Ks Qs Qd Qh 2c"

PRICER: Final = ThreeCardDoublePlayOdds()
