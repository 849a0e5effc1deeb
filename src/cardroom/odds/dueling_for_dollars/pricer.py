"""The odds of Dueling for Dollars: war or surrender, and the four bonus wagers, with five, six, and eight decks.

The kernels of the game find the lines that the cards meet. The counts cover ordered deals from a full shoe or from the
cards that are left: the player's card, the community card, and then the war cards (Tie After Tie) or the two added
community cards (2 + 2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Deck, Rank, find_deck
from cardroom.errors import BadInput
from cardroom.games import Decision, IllegalAction, Pile, Place, SeatTurn, Table, Verb, View
from cardroom.games.dueling_for_dollars.bonuses import BONUSES, Codes, matching_lines, tie_after_tie, two_plus_two
from cardroom.games.dueling_for_dollars.rules import RULES, TIE_QUESTION
from cardroom.games.frozen_map import FrozenMap
from cardroom.games.playable_table import WagerOffer
from cardroom.games.settlement import meter_prize
from cardroom.hands import BadHand
from cardroom.kernels import kernel
from cardroom.odds.dueling_for_dollars.basic_strategy import basic_strategy, basic_war_ranks
from cardroom.odds.dueling_for_dollars.best_strategy import best_duel_outcomes, duel_payoffs, war_value
from cardroom.odds.payoffs import TriggerCounts, apply_paytable, net_units
from cardroom.odds.pricer import (
    Advice,
    BasicStrategy,
    Policy,
    PricedWager,
    Pricer,
    Progress,
    Settings,
    ignore_progress,
    require_turn,
    seat_cards,
)
from cardroom.paytables import Paytable, Percent

Copies: TypeAlias = NDArray[np.int64]
"""The number of copies of each card that are left, by code."""
KINDS_OF_CARD: Final = 52


# With eight decks there are 416 x 415 x 414 x 413 deals, some 3 x 10**10: far below 2**63.


@kernel
def _count_following(four: Codes, remaining: Copies, is_war: bool, ways: NDArray[np.int64]) -> None:
    """Count every two cards that can follow the first two of ``four``, at war or added to the community."""
    for third in range(KINDS_OF_CARD):
        for fourth in range(KINDS_OF_CARD):
            four[0, 2], four[0, 3] = third, fourth
            kind = tie_after_tie(four, 0) if is_war else two_plus_two(four, 0)
            ways[kind] += remaining[third] * (remaining[fourth] - (third == fourth))


_FOUR_CARD_WAGERS: Final = ("tie-after-tie", "two-plus-two")
"""The wagers that depend on the two following cards."""


def following_counts(wager: str, first: int, community: int, remaining: Copies) -> TriggerCounts:
    """The number of ways to deal the two following cards, by kind, with these copies left."""
    kinds = BONUSES[wager].lines_by_kind
    ways = np.zeros(len(kinds), np.int64)
    four = np.array([[first, community, 0, 0]], np.uint8)
    _count_following(four, remaining, wager == "tie-after-tie", ways)
    return {lines: count for lines, count in zip(kinds, ways.tolist(), strict=True) if count}


@cache
def bonus_event_counts(wager: str, decks: int) -> TriggerCounts:
    """Over all deals from a full shoe."""
    bonus, rows = BONUSES[wager], _first_pairs()
    event_counts: Counter[tuple[str, ...]] = Counter()
    for at, (first, community) in enumerate(rows.tolist()):
        remaining = np.full(KINDS_OF_CARD, decks, np.int64)
        remaining[first] -= 1
        ways = decks * int(remaining[community])
        remaining[community] -= 1
        if wager in _FOUR_CARD_WAGERS:
            for lines, count in following_counts(wager, first, community, remaining).items():
                event_counts[lines] += ways * count
        else:
            event_counts[bonus.lines_by_kind[bonus.classify(rows, at)]] += ways
    return event_counts


def _first_pairs() -> Codes:
    """Every first card with every community card."""
    deck = np.arange(KINDS_OF_CARD, dtype=np.uint8)
    return np.column_stack([np.repeat(deck, KINDS_OF_CARD), np.tile(deck, KINDS_OF_CARD)])


MAIN: Final = "duel"
TIE_AFTER_TIE_WAGER: Final = "tie-after-tie"
_SPOT: Final = "player"  # the spots have equal figures: the war cards come in either order equally often

_DUEL_NOTES: Final = (
    "The PLAYER, DEALER and PLAY spots have the same figures, and burning cards changes nothing (DD-3).",
    "A deal without a war counts with any two cards that could follow.",
)
_TIE_AFTER_TIE_NOTE: Final = (
    "Every tie goes to war, which is the best play of the duel; a player who surrenders keeps only the One Tie lines "
    "(DD-5)."
)


class DuelingForDollarsPricer(Pricer):
    """Exact figures over all deals."""

    game = "dueling-for-dollars"

    def settings(self, wager: str) -> tuple[Settings, ...]:
        decks = [deck.decks for deck in RULES.facts.decks]
        if wager != MAIN:
            return tuple({"decks": number} for number in decks)
        return tuple({"decks": number, "tie_after_tie_bonus": bonus} for number in decks for bonus in (False, True))

    def price(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> PricedWager:
        decks = _deck(settings).decks
        if wager == MAIN:
            return PricedWager(tuple(best_duel_outcomes(_SPOT, _bonus(settings), decks)), notes=_DUEL_NOTES)
        if table.decks and decks not in table.decks:
            allowed = " or ".join(map(str, table.decks))
            raise BadInput(f"Table {table.name} is for {allowed} decks, not {decks} (DD-7).")
        progress(f"every deal of {wager} with {decks} decks", 0.0)
        kinds = bonus_event_counts(wager, decks)
        progress(f"every deal of {wager} with {decks} decks", 1.0)
        jackpot = RULES.facts.wager(wager).jackpot is not None
        notes = (_TIE_AFTER_TIE_NOTE,) if wager == TIE_AFTER_TIE_WAGER else ()
        return PricedWager(tuple(apply_paytable(kinds, table, is_jackpot=jackpot)), notes=notes)

    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        _refuse_bonus(wager)
        deck = _deck(settings)
        if len(hand) != 2:
            raise BadHand(f"War or surrender needs two tied cards, such as 8c 8d; this hand has {len(hand)}.")
        deck.check(hand)
        player_card, community = hand
        if player_card.rank != community.rank:
            raise BadHand(
                f"{player_card} and {community} do not tie, so there is nothing to decide: write a tie such as 8c 8d."
            )
        war = war_value(_SPOT, _bonus(settings), _remaining_ranks(deck, Counter(hand)))
        surrender = duel_payoffs(_SPOT, _bonus(settings)).surrender.net
        return _rank_decisions(war, surrender)

    def basic_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> BasicStrategy:
        _refuse_bonus(wager)
        return basic_strategy(_SPOT, _bonus(settings), _deck(settings).decks)

    def basic_policy(self, table: Table, progress: Progress = ignore_progress) -> Policy:
        bonus, decks = bool(table.options["tie_after_tie_bonus"]), table.deck.decks
        spots = [spot for spot, offered in table.spots.items() if offered.wager.slug == MAIN]
        return DuelBasicPolicy(FrozenMap({spot: basic_war_ranks(spot, bonus, decks) for spot in spots}))

    def advise(self, table: Table, view: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        """War or surrender, for the duel and for the Tie After Tie wager, which a surrender limits (DD-5). Every
        face-up card is gone from the shoe. A percentage prize counts in full: other winners are not yet known."""
        match view.turn:
            case SeatTurn(turn_seat, question) if turn_seat == seat and question == TIE_QUESTION:
                pass
            case _:
                raise IllegalAction(f"Seat {seat} has nothing to decide now: ask when the seat has a tie.")
        for place in (Place(Pile.WAR, seat), Place(Pile.WAR_COMMUNITY)):
            if any(view.piles.get(place, ())):
                raise IllegalAction(
                    f"A war card of seat {seat} is face up before the seat has decided, so war cannot be priced: turn "
                    "the war cards face down."
                )
        seen_cards = Counter(card for cards in view.piles.values() for card in cards if card)
        bets = view.bets[seat]
        spot = next(spot for spot in bets if table.spots[spot].wager.slug == MAIN)
        bonus = bool(table.options["tie_after_tie_bonus"])
        war = war_value(spot, bonus, _remaining_ranks(table.deck, seen_cards)) * bets[spot]
        surrender = duel_payoffs(spot, bonus).surrender.net * bets[spot]
        if stake := bets.get(TIE_AFTER_TIE_WAGER):
            tie = *view.piles[Place(Pile.HAND, seat)], *view.piles[Place(Pile.COMMUNITY)]
            player_card, community = (card for card in tie if card)  # both are face up
            offered, meter = table.offers[TIE_AFTER_TIE_WAGER], meters.get(TIE_AFTER_TIE_WAGER, 0)
            remaining = np.array(
                [table.deck.count_copies(card) - seen_cards[card] for card in table.deck.distinct_cards()],
                dtype=np.int64,
            )
            war += _jackpot_value(
                following_counts(TIE_AFTER_TIE_WAGER, player_card.code, community.code, remaining),
                offered,
                stake,
                meter,
            )
            one_tie = {matching_lines(TIE_AFTER_TIE_WAGER, (player_card, community)): 1}
            surrender += _jackpot_value(one_tie, offered, stake, meter)
        return tuple(Advice(decision, value) for decision, value in _rank_decisions(war, surrender))


@dataclass(frozen=True)
class DuelBasicPolicy:
    """Goes to war on ties of some ranks and surrenders the others."""

    war_ranks: Mapping[str, frozenset[Rank]]
    """By spot of the layout."""

    def __call__(self, view: View) -> Decision:
        (tied_card,) = seat_cards(view, Pile.HAND)
        spot = next(spot for spot in view.bets[require_turn(view).seat] if spot in self.war_ranks)
        return Decision(Verb.WAR if tied_card.rank in self.war_ranks[spot] else Verb.SURRENDER)


def _jackpot_value(kinds: TriggerCounts, offered: WagerOffer, stake: int, meter: int) -> Fraction:
    """The average net result of a jackpot wager, in cents."""
    table, total = offered.paytable, Fraction(0)
    for lines, count in kinds.items():
        pay = table.find_pay(lines)
        prize = meter_prize(pay, meter) if isinstance(pay, Percent) else 0
        total += count * (net_units(pay, table.basis, stake).units * stake + prize)
    return total / sum(kinds.values())


def _remaining_ranks(deck: Deck, seen_cards: Counter[Card]) -> dict[Rank, int]:
    remaining = dict.fromkeys(Rank, 0)
    for card in deck.distinct_cards():
        remaining[card.rank] += deck.count_copies(card) - seen_cards[card]
    return remaining


def _rank_decisions(war: Fraction, surrender: Fraction) -> tuple[tuple[Decision, Fraction], ...]:
    """The advice, the best first. Of equal values surrender comes first, which risks less."""
    values = ((Decision(Verb.SURRENDER), surrender), (Decision(Verb.WAR), war))
    return tuple(sorted(values, key=lambda pair: pair[1], reverse=True))


def _deck(settings: Settings) -> Deck:
    """The requested number of decks, or the recommended one."""
    decks = settings.get("decks", RULES.facts.decks[0].decks)
    if decks not in [deck.decks for deck in RULES.facts.decks]:
        raise BadInput(f"Dueling for Dollars is played with 5, 6 or 8 decks, not {decks}.")
    return find_deck(int(decks))


def _bonus(settings: Settings) -> bool:
    return bool(settings.get("tie_after_tie_bonus", False))


def _refuse_bonus(wager: str) -> None:
    if wager != MAIN:
        raise BadInput(f"The {wager} wager needs no decision after it is made: choose {MAIN}.")


PRICER: Final = DuelingForDollarsPricer()
