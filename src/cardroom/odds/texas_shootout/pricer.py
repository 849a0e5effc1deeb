"""The odds of Texas Shootout, and its coach; every figure is exact.

The main game and its best strategy come from the tablebase, which counts every deal. Shootout Bonus and Jackpot are
counted over every board for that strategy, Quick Draw over every four cards. For the coach, Envy Bonus and Share the
Wealth count the seat's own hands only: other seats' hands have the same effect on every choice, except for the number
of hands with a Shootout Bonus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Deck
from cardroom.errors import BadInput
from cardroom.games import Decision, Pile, Place, SeatTurn, Table, Verb, View
from cardroom.games.texas_shootout.rules import BONUS_QUESTION, HAND_QUESTION
from cardroom.games.texas_shootout.side_wagers import (
    QUICK_DRAW_EVENTS,
    qualifying_feature,
    quick_draw_bits,
    quick_draw_bits_by_strength,
)
from cardroom.hands import FOUR_CARD
from cardroom.hands.lookup_tables import LookupTables, lookup_tables
from cardroom.kernels import cached_arrays, kernel
from cardroom.odds.payoffs import TriggerCounts, apply_paytable
from cardroom.odds.pricer import (
    Advice,
    BasicStrategy,
    LinkedWager,
    Policy,
    PricedWager,
    Pricer,
    Progress,
    Settings,
    ignore_progress,
    require_turn,
    seat_cards,
)
from cardroom.odds.result import WagerOutcome
from cardroom.odds.texas_shootout.best_strategy import (
    SideCounts,
    basic_choices,
    basic_strategy,
    best_outcome_counts,
    best_side_counts,
    bonus_outcomes,
    jackpot_outcomes,
)
from cardroom.odds.texas_shootout.board_counts import count_every_split, count_one_split
from cardroom.odds.texas_shootout.hand_values import hand_choice, hand_choice_values
from cardroom.odds.texas_shootout.hands_and_boards import (
    BOARD,
    CHOICE_COUNT,
    CHOICE_PAIRS,
    COPIES,
    KEEPS,
    KINDS_OF_CARD,
    choice_decision,
    count_same_color_boards,
    deal_counts,
    every_hand,
    pair_places,
    sorted_codes,
)
from cardroom.odds.texas_shootout.payoffs import (
    OUTCOME_COUNT,
    QUICK_DRAW,
    RESULT_COUNT,
    TIES,
    Cents,
    SideStake,
    SplitPrizes,
    bonus_prizes,
    example_payoff,
    jackpot_prizes,
    outcome_event,
    outcome_net,
    outcome_results,
    sum_prizes,
    ties_setting,
)
from cardroom.odds.texas_shootout.tablebase.file import tablebase
from cardroom.paytables import Paytable, describe_pay

_BOARDS = comb(KINDS_OF_CARD * COPIES - 4, BOARD)


@dataclass(frozen=True, slots=True)
class SeatWagers:
    """What a seat has on the table, in cents."""

    shootout: int
    ties: str = "lose"
    """``push`` if the Quick Draw wager is at least the Texas Shootout wager (TS-3)."""
    bonus: SideStake | None = None
    jackpot: SideStake | None = None
    meter: int = 0
    """The jackpot's meter, in cents."""


def choice_advice(four: Sequence[Card], wagers: SeatWagers) -> tuple[Advice, ...]:
    """Every choice for four cards with its value over all the seat's wagers, the best first. Later decisions are
    assumed to be the best."""
    hand = sorted_codes(four)
    sides = _side_values(hand, wagers)
    advice: dict[Decision, Advice] = {}
    for choice, net in enumerate(hand_choice_values(hand.tolist(), wagers.ties)):
        option = choice_decision(hand, choice)
        advice.setdefault(option, Advice(option, net * wagers.shootout + sides[choice]))
    return tuple(sorted(advice.values(), key=lambda option: -option.value))


def _side_values(hand: NDArray[np.uint8], wagers: SeatWagers) -> list[Fraction]:
    """The value of the Shootout Bonus and the Jackpot for each choice, in cents."""
    if wagers.bonus is None and wagers.jackpot is None:
        return [Fraction(0)] * CHOICE_COUNT
    counts = count_every_split(hand)
    values = [Fraction(0)] * CHOICE_COUNT
    for number, (first_keep, second_keep) in enumerate(CHOICE_PAIRS[KEEPS:]):
        boards = _PairBoards(hand[pair_places()[KEEPS + number]], counts[number])
        values[KEEPS + number] = boards.split_value(wagers)
        values[first_keep], values[second_keep] = (boards.kept_value(wagers, pair_index) for pair_index in (0, 1))
    return values


def bonus_values(first: Sequence[Card], second: Sequence[Card], bonus: SideStake) -> dict[Verb, Fraction]:
    """The value, after a split, of matching the Shootout Bonus, or of placing it on one of the hands."""
    cards = np.array([card.code for card in (*first, *second)], np.uint8)
    return _PairBoards(cards, count_one_split(cards)).bonus_values(bonus)


class _PairBoards:
    """Two pairs of cards and all boards, by the kinds of hands that both make."""

    def __init__(self, cards: NDArray[np.uint8], counts: NDArray[np.int64]) -> None:
        self._cards = cards
        self._joint_counts = [
            (first_kind, second_kind, int(counts[first_kind, second_kind]))
            for first_kind, second_kind in np.argwhere(counts).tolist()
        ]
        self._single_counts: tuple[list[int], list[int]] = counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()

    def _color_prize(self, pair_index: int, bonus: SideStake) -> int:
        """The value of seven cards of one color on one of the hands, over all boards."""
        pair = self._cards[2 * pair_index : 2 * pair_index + 2]
        return bonus.color_cents * count_same_color_boards(pair, self._cards) if bonus.color_cents else 0

    def kept_value(self, wagers: SeatWagers, pair_index: int) -> Fraction:
        """The value of the side wagers if one pair is kept and the other discarded."""
        total: Cents = 0
        if wagers.bonus:
            total += sum_prizes(
                self._single_counts[pair_index], bonus_prizes(wagers.bonus).single_hand
            ) + self._color_prize(pair_index, wagers.bonus)
        if wagers.jackpot:
            total += sum_prizes(
                self._single_counts[pair_index], jackpot_prizes(wagers.jackpot, wagers.meter).single_hand
            )
        return Fraction(total) / _BOARDS

    def split_value(self, wagers: SeatWagers) -> Fraction:
        """The value of the side wagers if both pairs are played, with the best placement of the Shootout Bonus."""
        value = max(self.bonus_values(wagers.bonus).values()) if wagers.bonus else Fraction(0)
        if wagers.jackpot:
            value += Fraction(self._joint_prize(jackpot_prizes(wagers.jackpot, wagers.meter).both_hands)) / _BOARDS
        return value

    def bonus_values(self, bonus: SideStake) -> dict[Verb, Fraction]:
        """The value of the Shootout Bonus on one hand of a split, on the other, and matched."""
        prizes = bonus_prizes(bonus)
        totals = [
            sum_prizes(self._single_counts[pair_index], prizes.split_hand) + self._color_prize(pair_index, bonus)
            for pair_index in (0, 1)
        ]
        if prizes.features is not None:
            totals = [
                total + self._joint_prize(feature_prizes)
                for total, feature_prizes in zip(totals, prizes.features, strict=True)
            ]
        first, second = (Fraction(cents) / _BOARDS for cents in totals)
        return {Verb.MATCH: first + second, Verb.FIRST_HAND: first, Verb.SECOND_HAND: second}

    def _joint_prize(self, prizes: SplitPrizes) -> Cents:
        return sum(count * prizes[first_kind][second_kind] for first_kind, second_kind, count in self._joint_counts)


_MAIN_NOTE: Final = ("Every deal of player, dealer, and board is counted.",)

_TIES_PUSH: Final = LinkedWager(
    "quick-draw",
    "A tie pushes for a player whose Quick Draw wager is at least as large as the Texas Shootout wager (TS-3).",
)


class TexasShootoutPricer(Pricer):
    """The odds of Texas Shootout."""

    game = "texas-shootout"

    def settings(self, wager: str) -> tuple[Settings, ...]:
        return tuple({"ties": ties} for ties in TIES) if wager == "shootout" else ({},)

    def linked_wager(self, wager: str, settings: Settings) -> LinkedWager | None:
        return _TIES_PUSH if wager == "shootout" and _ties(settings) == "push" else None

    def price(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> PricedWager:
        match wager:
            case "quick-draw":
                return PricedWager(tuple(apply_paytable(quick_draw_event_counts(), table)))
            case "shootout":
                ties = _ties(settings)
                return PricedWager(tuple(main_outcomes(best_outcome_counts(ties), ties)), notes=_MAIN_NOTE)
            case "shootout-bonus":
                bonus = tuple(bonus_outcomes(_side_counts(settings), table))
                return PricedWager(bonus, notes=_side_notes(settings))
            case "jackpot":
                jackpot = tuple(jackpot_outcomes(_side_counts(settings), table))
                return PricedWager(jackpot, notes=_side_notes(settings)[:1])
        raise _unknown_wager(wager)

    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        """For ``shootout``: the choices for four cards. For ``shootout-bonus``: its placement if the first two of the
        four cards are the first hand of a split and the last two the second."""
        if wager not in ("shootout", "shootout-bonus"):
            raise BadInput(f"The {wager} wager needs no decision: choose shootout or shootout-bonus.")
        if len(hand) != 4:
            raise BadInput(f"A Texas Shootout hand has four cards; this hand has {len(hand)}.")
        Deck.SIX.check(hand)
        if wager == "shootout-bonus":
            placements = bonus_values(hand[:2], hand[2:], SideStake(100, table))
            return tuple(
                sorted(((Decision(verb), value / 100) for verb, value in placements.items()), key=_negated_value)
            )
        codes = sorted_codes(hand)
        values: dict[Decision, Fraction] = {}
        for choice, value in enumerate(hand_choice_values(codes.tolist(), _ties(settings))):
            values.setdefault(choice_decision(codes, choice), value)
        return tuple(sorted(values.items(), key=_negated_value))

    def basic_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> BasicStrategy:
        if wager != "shootout":
            raise BadInput(f"The {wager} wager has no strategy of its own: choose shootout.")
        return basic_strategy(_ties(settings))

    def basic_policy(self, table: Table, progress: Progress = ignore_progress) -> Policy:
        return ShootoutBasicPolicy(table, basic_choices())

    def advise(self, table: Table, view: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        """The exact value of each decision over all the seat's wagers. At its decision, a seat sees its own four cards
        and no others; a view with more cards is an error."""
        match view.turn:
            case SeatTurn(turn_seat, question, options) if turn_seat == seat:
                pass
            case _:
                raise BadInput(f"Seat {seat} has nothing to decide now.")
        hand = _own_hand(view, seat)
        wagers = seat_wagers(table, view, seat, meters)
        if _other_cards(view, seat):
            raise BadInput(
                f"Seat {seat} decides from its own four cards, before any other card is face up: "
                "ask with the seat's view at that time."
            )
        if question == HAND_QUESTION:
            return choice_advice(hand, wagers)
        assert question == BONUS_QUESTION
        assert wagers.bonus is not None
        hand_decision = view.decisions[seat, HAND_QUESTION]
        assert isinstance(hand_decision, Decision)
        first, second = hand_decision.groups
        values = bonus_values(first, second, wagers.bonus)
        advice = (Advice(option, values[option.verb]) for option in options)
        return tuple(sorted(advice, key=lambda item: -item.value))


@dataclass(frozen=True)
class ShootoutBasicPolicy:
    """Plays the two cards with the most points; places the Shootout Bonus of a split for the highest value."""

    table: Table
    choices: NDArray[np.uint8] = field(repr=False)
    """The choice of each class of hands."""

    def __call__(self, view: View) -> Decision:
        turn, hand = require_turn(view), seat_cards(view, Pile.HAND)
        wagers = seat_wagers(self.table, view, turn.seat, {})
        if turn.question == HAND_QUESTION:
            codes = sorted_codes(hand)
            number, order = tablebase().locate(codes.tolist())
            return choice_decision(codes, hand_choice(int(self.choices[number]), order))
        hand_decision = view.decisions[turn.seat, HAND_QUESTION]
        assert isinstance(hand_decision, Decision)
        assert wagers.bonus is not None
        first, second = hand_decision.groups
        values = bonus_values(first, second, wagers.bonus)
        return max(turn.options, key=lambda option: values[option.verb])


def _side_counts(settings: Settings) -> SideCounts:
    """The rule for ties. The side wagers do not depend on it, but the strategy of the main game does: a seat with a
    Quick Draw wager plays differently."""
    return best_side_counts(_ties(settings))


def _side_notes(settings: Settings) -> tuple[str, ...]:
    ties = {"lose": "losing", "push": "pushing"}[_ties(settings)]
    return (
        f"Counted exactly for the best play of the main game, ties {ties}.",
        "After a split, the Shootout Bonus is matched or goes on the better hand, whichever has the higher value.",
    )


def _negated_value(item: tuple[Decision, Fraction]) -> Fraction:
    return -item[1]


def _unknown_wager(wager: str) -> BadInput:
    return BadInput(f"Texas Shootout has no wager {wager!r}: choose shootout, quick-draw, shootout-bonus or jackpot.")


def _ties(settings: Settings) -> str:
    ties = settings.get("ties", TIES[0])
    if ties not in TIES:
        raise BadInput(f"'ties' cannot be {ties!r}: choose {' or '.join(TIES)}.")
    return str(ties)


# Quick Draw


@kernel
def _count_quick_draw(
    hands: NDArray[np.uint8], deal_counts: NDArray[np.int64], t: LookupTables, by_strength: NDArray[np.uint16]
) -> NDArray[np.int64]:
    """The number of deals that meet the events, by their bits; at most 312 choose 4, about 3.9e8."""
    counts = np.zeros(1 << len(QUICK_DRAW_EVENTS), np.int64)
    for at in range(len(hands)):
        counts[quick_draw_bits(hands, at, t, by_strength)] += deal_counts[at]
    return counts


@cache
def quick_draw_event_counts() -> TriggerCounts:
    """The number of the 312 choose 4 hands that meet exactly these events, the best one first."""

    def build() -> dict[str, NDArray[np.int64]]:
        hands = every_hand()
        return {
            "found": _count_quick_draw(
                hands, deal_counts(hands), lookup_tables(FOUR_CARD), quick_draw_bits_by_strength()
            )
        }

    counts = cached_arrays("shootout-quick-draw", build)["found"]
    return {
        tuple(event for place, event in enumerate(QUICK_DRAW_EVENTS) if int(bits) >> place & 1): int(counts[bits])
        for bits in np.flatnonzero(counts)
    }


# The main game


def main_outcomes(outcome_counts: Sequence[int], ties: str) -> list[WagerOutcome]:
    """The ends of a round, the best first; two hands with the same results in either order are one end."""
    outcomes: dict[str, WagerOutcome] = {}
    for end in sorted(
        range(OUTCOME_COUNT),
        key=lambda number: (len(outcome_results(number)), -outcome_net(number, "push"), -max(outcome_results(number))),
    ):
        event, round_ = outcome_event(end), example_payoff(outcome_results(end), ties)
        before = outcomes[event].combinations if event in outcomes else 0
        pays = describe_pay(round_.stakes[0].pay) if end < RESULT_COUNT else f"net {outcome_net(end, ties):+d}"
        outcomes[event] = WagerOutcome(event, pays, outcome_counts[end] + before, round_.net, round_.wagered)
    return list(outcomes.values())


# Advice


def _own_hand(view: View, seat: int) -> tuple[Card, ...]:
    hand = view.piles[Place(Pile.HAND, seat)]
    if any(card is None for card in hand):
        raise BadInput(f"This view does not show seat {seat}'s cards: ask with the seat's own view.")
    return tuple(card for card in hand if card is not None)


def _other_cards(view: View, seat: int) -> tuple[Card, ...]:
    """Every other face-up card."""
    own_place = Place(Pile.HAND, seat)
    return tuple(card for place, pile in view.piles.items() if place != own_place for card in pile if card is not None)


def seat_wagers(table: Table, view: View, seat: int, meters: Mapping[str, int]) -> SeatWagers:
    """What a seat has on the table."""
    bets = view.bets[seat]
    shootout = bets["shootout"]
    return SeatWagers(
        shootout=shootout,
        ties=ties_setting(shootout, bets.get(QUICK_DRAW, 0)),
        bonus=_stake(table, "shootout-bonus", bets),
        jackpot=_stake(table, "jackpot", bets),
        meter=meters.get("jackpot", 0),
    )


def _stake(table: Table, spot: str, bets: Mapping[str, int]) -> SideStake | None:
    if spot not in bets:
        return None
    offered = table.spots[spot]
    return SideStake(bets[spot], offered.paytable, qualifying_feature(offered, bets[spot]))


PRICER: Final = TexasShootoutPricer()
