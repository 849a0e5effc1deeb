"""The odds of Dueling for Dollars: war or surrender, and the four bonus wagers, with five, six and eight decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from cardroom.cards import Card, Deck, Rank, deck_of
from cardroom.faults import BadInput
from cardroom.games import Decision, NotAllowed, Pile, Place, SeatTurn, Table, Verb, View
from cardroom.games.dueling_for_dollars.bonuses import lines_met
from cardroom.games.dueling_for_dollars.rules import RULES, TIE_QUESTION
from cardroom.games.frozen import FrozenMap
from cardroom.games.settlement import meter_prize
from cardroom.games.table import Offered
from cardroom.hands import BadHand
from cardroom.odds.dueling_for_dollars.bonuses import bonus_kinds, ways_from
from cardroom.odds.dueling_for_dollars.strategy import simple_wars, war_or_surrender
from cardroom.odds.dueling_for_dollars.war import endings_of_best_duel, results, war_value
from cardroom.odds.endings import EventCounts, endings, net_units
from cardroom.odds.play import Play, asked, own_cards
from cardroom.odds.pricer import Advice, Priced, Pricer, Progress, Settings, SimpleStrategy, silent
from cardroom.paytables import Paytable, Percent

MAIN: Final = "duel"
JACKPOT_OF_TIES: Final = "tie-after-tie"
_SPOT: Final = "player"  # the figures of the spots are equal: the war cards fall in either order equally often

_DUEL_NOTES: Final = (
    "The PLAYER, DEALER and PLAY spots have the same figures, and burning cards changes nothing (DD-3).",
    "Deals without a war count with any two cards that could follow.",
)
_TIE_AFTER_TIE_NOTE: Final = (
    "Every tie goes to war, which is the best play of the duel; a player who surrenders keeps only the One Tie lines "
    "(DD-5)."
)


class DuelingForDollarsOdds(Pricer):
    """Exact figures over all deals."""

    game = "dueling-for-dollars"

    def settings(self, wager: str) -> tuple[Settings, ...]:
        decks = [deck.decks for deck in RULES.facts.decks]
        if wager != MAIN:
            return tuple({"decks": number} for number in decks)
        return tuple({"decks": number, "tie_after_tie_bonus": bonus} for number in decks for bonus in (False, True))

    def price(self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent) -> Priced:
        decks = _deck(settings).decks
        if wager == MAIN:
            return Priced(tuple(endings_of_best_duel(_SPOT, _bonus(settings), decks)), notes=_DUEL_NOTES)
        if table.decks and decks not in table.decks:
            allowed = " or ".join(map(str, table.decks))
            raise BadInput(f"Table {table.name} is for {allowed} decks, not {decks} (DD-7).")
        progress(f"every deal of {wager} with {decks} decks", 0.0)
        kinds = bonus_kinds(wager, decks)
        progress(f"every deal of {wager} with {decks} decks", 1.0)
        jackpot = RULES.facts.wager(wager).jackpot is not None
        notes = (_TIE_AFTER_TIE_NOTE,) if wager == JACKPOT_OF_TIES else ()
        return Priced(tuple(endings(kinds, table, jackpot=jackpot)), notes=notes)

    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        _refuse_bonus(wager)
        deck = _deck(settings)
        if len(hand) != 2:
            raise BadHand(f"War or surrender is asked about two tied cards, such as 8c 8d; there are {len(hand)}.")
        deck.check(hand)
        mine, community = hand
        if mine.rank != community.rank:
            raise BadHand(f"{mine} and {community} do not tie, so nothing is asked: write a tie such as 8c 8d.")
        war = war_value(_SPOT, _bonus(settings), _ranks_left(deck, Counter(hand)))
        surrender = results(_SPOT, _bonus(settings)).surrender.net
        return _best_first(war, surrender)

    def simple_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent
    ) -> SimpleStrategy:
        _refuse_bonus(wager)
        return war_or_surrender(_SPOT, _bonus(settings), _deck(settings).decks)

    def simple_play(self, table: Table, progress: Progress = silent) -> Play:
        bonus, decks = bool(table.options["tie_after_tie_bonus"]), table.deck.decks
        spots = [spot for spot, offered in table.spots.items() if offered.wager.slug == MAIN]
        return WarsOfRank(FrozenMap({spot: simple_wars(spot, bonus, decks) for spot in spots}))

    def advise(self, table: Table, seen: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        """War or surrender, for the duel and the Tie After Tie wager that a surrender limits (DD-5). Every card that
        lies open is gone from the shoe. A percentage prize counts whole: who else may win it is not yet decided."""
        match seen.turn:
            case SeatTurn(asked, question) if asked == seat and question == TIE_QUESTION:
                pass
            case _:
                raise NotAllowed(f"Seat {seat} has nothing to decide now: ask when it is asked about a tie.")
        for place in (Place(Pile.WAR, seat), Place(Pile.WAR_COMMUNITY)):
            if any(seen.piles.get(place, ())):
                raise NotAllowed(
                    f"A war card of seat {seat} is open before the seat has decided, so war has no price: ask with the "
                    "war cards face down."
                )
        gone = Counter(card for cards in seen.piles.values() for card in cards if card)
        bets = seen.bets[seat]
        spot = next(spot for spot in bets if table.spots[spot].wager.slug == MAIN)
        bonus = bool(table.options["tie_after_tie_bonus"])
        war = war_value(spot, bonus, _ranks_left(table.deck, gone)) * bets[spot]
        surrender = results(spot, bonus).surrender.net * bets[spot]
        if stake := bets.get(JACKPOT_OF_TIES):
            tie = *seen.piles[Place(Pile.HAND, seat)], *seen.piles[Place(Pile.COMMUNITY)]
            mine, community = (card for card in tie if card)  # both lie open
            offered, meter = table.offered[JACKPOT_OF_TIES], meters.get(JACKPOT_OF_TIES, 0)
            left = np.array([table.deck.copies(card) - gone[card] for card in table.deck.kinds()], dtype=np.int64)
            war += _jackpot_value(ways_from(JACKPOT_OF_TIES, mine.code, community.code, left), offered, stake, meter)
            one_tie = {lines_met(JACKPOT_OF_TIES, (mine, community)): 1}
            surrender += _jackpot_value(one_tie, offered, stake, meter)
        return tuple(Advice(decision, value) for decision, value in _best_first(war, surrender))


@dataclass(frozen=True)
class WarsOfRank:
    """Goes to war on ties of some ranks and surrenders the others."""

    at_war: Mapping[str, frozenset[Rank]]
    """By spot of the layout."""

    def __call__(self, seen: View) -> Decision:
        (tied,) = own_cards(seen, Pile.HAND)
        spot = next(spot for spot in seen.bets[asked(seen).seat] if spot in self.at_war)
        return Decision(Verb.WAR if tied.rank in self.at_war[spot] else Verb.SURRENDER)


def _jackpot_value(kinds: EventCounts, offered: Offered, stake: int, meter: int) -> Fraction:
    """What a jackpot wager wins or loses on average, in cents."""
    table, total = offered.paytable, Fraction(0)
    for lines, count in kinds.items():
        pay = table.pay(lines)
        prize = meter_prize(pay, meter) if isinstance(pay, Percent) else 0
        total += count * (net_units(pay, table.basis, stake).units * stake + prize)
    return total / sum(kinds.values())


def _ranks_left(deck: Deck, gone: Counter[Card]) -> dict[Rank, int]:
    left = dict.fromkeys(Rank, 0)
    for card in deck.kinds():
        left[card.rank] += deck.copies(card) - gone[card]
    return left


def _best_first(war: Fraction, surrender: Fraction) -> tuple[tuple[Decision, Fraction], ...]:
    """Equal values: surrender first, which risks less."""
    values = ((Decision(Verb.SURRENDER), surrender), (Decision(Verb.WAR), war))
    return tuple(sorted(values, key=lambda pair: pair[1], reverse=True))


def _deck(settings: Settings) -> Deck:
    """The shoe asked for, or the recommended one."""
    decks = settings.get("decks", RULES.facts.decks[0].decks)
    if decks not in [deck.decks for deck in RULES.facts.decks]:
        raise BadInput(f"Dueling for Dollars is played with 5, 6 or 8 decks, not {decks}.")
    return deck_of(int(decks))


def _bonus(settings: Settings) -> bool:
    return bool(settings.get("tie_after_tie_bonus", False))


def _refuse_bonus(wager: str) -> None:
    if wager != MAIN:
        raise BadInput(f"The {wager} wager asks the player nothing once it is made: ask about {MAIN}.")


PRICER: Final = DuelingForDollarsOdds()
