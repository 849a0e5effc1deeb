"""The odds of Deuces Wild: every figure exact, from every hand that the 53 cards can give."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final

import numpy as np

from cardroom.cards import Card
from cardroom.faults import BadInput
from cardroom.games import Decision, Pile, Place, SeatTurn, Table, View
from cardroom.games.deuces_wild.rules import (
    ANTE_PLAY_RAISE,
    BONUS_JACKPOT,
    FIVE_CARD_FORTUNE,
    FORTUNE_QUESTION,
    JACKPOT_EVENTS,
    RAISE_QUESTION,
    THREE_CARD_TREASURE,
    TREASURE_EVENTS,
)
from cardroom.games.places import COMMUNITY
from cardroom.hands import THREE_CARD_WILD, batch, is_wild
from cardroom.odds.deuces_wild import preferences as deuces_wild_keys
from cardroom.odds.deuces_wild import strategy as deuces_wild_rules
from cardroom.odds.deuces_wild.ante import AnteGame
from cardroom.odds.deuces_wild.coach import ante_values, best_first, fortune_values
from cardroom.odds.deuces_wild.counts import DECK, all_sets, by_event, without
from cardroom.odds.deuces_wild.fortune import FortuneGame
from cardroom.odds.deuces_wild.simple_play import simple_play
from cardroom.odds.endings import EventCounts, endings
from cardroom.odds.play import Play
from cardroom.odds.pricer import Advice, Priced, Pricer, Progress, Settings, SimpleStrategy, silent
from cardroom.odds.result import Ending
from cardroom.paytables import Paytable

_ASKED: Final = {ANTE_PLAY_RAISE: (3, 4), FIVE_CARD_FORTUNE: (3,)}
"""With how many cards a wager asks its player something."""


_NOTES: Final = {
    ANTE_PLAY_RAISE: (
        "The table pays on Ante, Play and Raise alike, four Antes in all (DW-3).",
        "Five wild cards are a Wild Royal Flush (DW-4).",
        "A wager is added where that is better than to fold, not where it is equal.",
    ),
    THREE_CARD_TREASURE: ("The wager stands whether the Ante is folded or not (DW-7).",),
    FIVE_CARD_FORTUNE: (
        "The hand is made with four community cards (DW-5).",
        "The card is chosen before a community card is seen; wild cards may be chosen together (DW-6).",
    ),
    BONUS_JACKPOT: ("The player gets five cards whatever happens to the Ante (DW-7).",),
}


class NothingAsked(BadInput):
    """A question that no player of this wager is asked."""


@cache
def treasure_kinds() -> EventCounts:
    """Three Card Treasure over all first three cards."""
    _, *strengths = np.bincount(
        batch(THREE_CARD_WILD, all_sets(3)), minlength=len(THREE_CARD_WILD.classes) + 1
    ).tolist()
    events = (TREASURE_EVENTS[one.category] for one in THREE_CARD_WILD.classes)
    return by_event(zip(events, strengths, strict=True))


@cache
def jackpot_kinds() -> EventCounts:
    """Bonus Jackpot over all five cards: only how many of them are wild matters."""
    wild = sum(is_wild(card) for card in DECK.kinds())
    return by_event(
        (event, comb(wild, number) * comb(DECK.size - wild, 5 - number)) for number, event in enumerate(JACKPOT_EVENTS)
    )


class DeucesWildPricer(Pricer):
    """What the wagers of Deuces Wild are worth, and how they are played best."""

    game = "deuces-wild"

    def settings(self, wager: str) -> tuple[Settings, ...]:
        _known(wager)
        return ({},)

    def price(self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent) -> Priced:
        progress("counting hands", 0.0)
        found = tuple(self._endings(_known(wager), table))
        progress("counting hands", 1.0)
        return Priced(found, notes=_NOTES[wager])

    def _endings(self, wager: str, table: Paytable) -> tuple[Ending, ...]:
        if wager == ANTE_PLAY_RAISE:
            ante = AnteGame(table)
            return tuple(ante.endings(ante.best))
        if wager == FIVE_CARD_FORTUNE:
            return tuple(endings(FortuneGame(table).best.kinds(), table))
        if wager == THREE_CARD_TREASURE:
            return tuple(endings(treasure_kinds(), table))
        return tuple(endings(jackpot_kinds(), table, jackpot=True))

    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        sizes = _asked(wager)
        if len(hand) not in sizes:
            wanted = " or ".join({3: "three", 4: "four"}[size] for size in sizes)
            raise NothingAsked(f"A player of {wager} is asked with {wanted} cards, not with {len(hand)}.")
        DECK.check(hand)
        values = ante_values if wager == ANTE_PLAY_RAISE else fortune_values
        return best_first(values(table, hand, without(hand)))

    def simple_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent
    ) -> SimpleStrategy:
        _asked(wager)
        progress("searching for a strategy", 0.0)
        if wager == ANTE_PLAY_RAISE:
            found = deuces_wild_rules.simple_strategy(AnteGame(table))
        else:
            found = deuces_wild_keys.simple_strategy(FortuneGame(table))
        progress("searching for a strategy", 1.0)
        return found

    def simple_play(self, table: Table, progress: Progress = silent) -> Play:
        return simple_play(table)

    def advise(self, table: Table, seen: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        if not isinstance(seen.turn, SeatTurn) or seen.turn.seat != seat or seen.viewer != seat:
            raise NothingAsked(f"Seat {seat} is not asked anything now: advice is for the seat whose turn it is.")
        question = seen.turn.question
        _refuse_cards_to_come(seen, seat, question)
        rest = without([card for pile in seen.piles.values() for card in pile if card is not None])
        wager = FIVE_CARD_FORTUNE if question == FORTUNE_QUESTION else ANTE_PLAY_RAISE
        wagered, held, meter = seen.bets[seat][wager], _held(seen, seat), meters.get(wager, 0)
        paytable = table.offered[wager].paytable
        if wager == FIVE_CARD_FORTUNE:
            shown = tuple(card for card in seen.piles.get(COMMUNITY, ()) if card is not None)
            worth = fortune_values(paytable, held, rest, wagered, meter, shown)
        else:  # the Ante's five cards are the player's own: an exposed community card is only gone from the deck
            worth = ante_values(paytable, held, rest, wagered, meter)
        return tuple(Advice(decision, value * wagered) for decision, value in best_first(worth))


def _refuse_cards_to_come(seen: View, seat: int, question: str) -> None:
    """A seat is asked before it may see the next of its own cards (rule 22)."""
    early = [Pile.FIFTH] if question == RAISE_QUESTION else [Pile.FOURTH, Pile.FIFTH]
    for pile in early:
        if any(card is not None for card in seen.piles.get(Place(pile, seat), ())):
            raise NothingAsked(
                f"The {pile} card of seat {seat} is open before the seat may see it, so this decision has no price: "
                f"ask with the {pile} card face down."
            )


def _held(seen: View, seat: int) -> tuple[Card, ...]:
    """The three or four cards that the seat has and sees."""
    places = Place(Pile.HAND, seat), Place(Pile.FOURTH, seat)
    return tuple(card for place in places for card in seen.piles.get(place, ()) if card is not None)


def _known(wager: str) -> str:
    if wager not in _NOTES:
        raise BadInput(f"Deuces Wild has no wager {wager!r}: it has {', '.join(_NOTES)}.")
    return wager


def _asked(wager: str) -> tuple[int, ...]:
    if _known(wager) not in _ASKED:
        raise NothingAsked(f"A player of {wager} has nothing to decide: ask about {' or '.join(_ASKED)}.")
    return _ASKED[wager]


PRICER: Final = DeucesWildPricer()
