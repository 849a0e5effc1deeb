"""Simulates Three Card Prime, by kernels or in batches, with lookup tables from the game and its best strategy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import permutations
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Deck, Suit, parse_card, parse_cards
from cardroom.games import Decision, Pile, Place, Table, Verb
from cardroom.games.card_places import BURN, DEALER_HAND
from cardroom.games.three_card_prime.rules import (
    PLAY_QUESTION,
    all_seven_event,
    all_six_event,
    final_four_event,
    lowest_qualifying_strength,
    pair_bonus_event,
    prime_event,
)
from cardroom.hands import FIVE_CARD, FOUR_CARD, THREE_CARD, Category, Ranking, compute_strength, evaluate_many
from cardroom.hands.lookup_tables import lookup_tables
from cardroom.odds.pricer import Progress, ignore_progress
from cardroom.odds.simulation.batch import Action, Answers, Kinds, PaytableLines, RoundBatch, WagerGroup
from cardroom.odds.simulation.batch_deals import ByteArray
from cardroom.odds.simulation.deals import Block, Places
from cardroom.odds.simulation.runner import KernelPreparedTable, SimulatedRound, Simulator, check_strategy
from cardroom.odds.simulation.wager_plan import OutcomeIndex, WagerPlan, plan_from_outcomes, plan_wager
from cardroom.odds.three_card_prime.basic_strategy import lowest_playable_strength
from cardroom.odds.three_card_prime.best_strategy import (
    MAIN,
    DealerHands,
    PlayPays,
    dealer_hands,
    decode_hand,
    fold_payoff,
    is_play_better,
    payoff_counts,
    play_outcomes,
    suit_class_numbers,
)
from cardroom.odds.three_card_prime.counts import three_card_hands
from cardroom.odds.three_card_prime.kernels import (
    CARDS_DEALT,
    COLOR_SHIFT,
    DEALER_ROW,
    DECK,
    FOURTH_ROW,
    PLAY_SHIFT,
    PrimeTables,
    judge_prime,
    play_prime,
)

_COLORS: Final = (parse_cards("2c 2d 3c"), parse_cards("2c 3c 4c"), parse_cards("2d 3d 4d"))
"""Mixed, black, and red."""

PlayRule: TypeAlias = Callable[[int, DealerHands], bool]
"""Whether to play a hand, by its strength and the dealer's possible hands against it."""


@dataclass(frozen=True)
class PreparedPrime(KernelPreparedTable):
    """A table of Three Card Prime."""

    deck = Deck.ONE
    kernel_wagers = ("ante-play", "prime", "pair-bonus", "all-six", "final-four", "all-seven")

    wagers: tuple[WagerPlan, ...]
    kernel_tables: PrimeTables = field(repr=False)

    def play(self, block: Block) -> None:
        play_prime(block, self.kernel_tables, lookup_tables(FOUR_CARD), lookup_tables(FIVE_CARD))

    def simulated_round(self, seed: int, block: int, turn: int) -> SimulatedRound:
        seven = self.deal_cards(CARDS_DEALT, seed, block, turn)
        first, second, third = (card.code for card in seven[:3])
        hand_bits = self.kernel_tables.threes[(first * DECK + second) * DECK + third]
        unseen = next(other for other in STANDARD_DECK if other not in seven)
        return SimulatedRound(
            cards={
                Place(Pile.HAND, 1): tuple(seven[:3]),
                Place(Pile.FOURTH, 1): (seven[FOURTH_ROW],),
                BURN: (unseen,),  # any card: no rule looks at it
                DEALER_HAND: tuple(seven[DEALER_ROW:]),
            },
            decisions={PLAY_QUESTION: Decision(Verb.PLAY if hand_bits >> PLAY_SHIFT else Verb.FOLD)},
        )


class ThreeCardPrimeSimulator(Simulator):
    """Three Card Prime."""

    game = "three-card-prime"

    def prepare(self, table: Table, strategy: str = "best", progress: Progress = ignore_progress) -> PreparedPrime:
        check_strategy(strategy)
        pays = PlayPays(table.offers[MAIN].paytable)
        should_play = (
            partial(is_play_better, pays)
            if strategy == "best"
            else _minimum_strength_rule(lowest_playable_strength(pays))
        )
        plans = {slug: plan_wager(table, slug, progress=progress) for slug in table.offers}
        if strategy != "best":
            plans[MAIN] = plan_from_outcomes(plans[MAIN].request, tuple(play_outcomes(pays, should_play)))
        return PreparedPrime(tuple(plans.values()), prime_tables(_ante_play(plans[MAIN], pays), plans, should_play))


def _minimum_strength_rule(lowest: int) -> PlayRule:
    return lambda strength, _: strength >= lowest


# The lookup tables, from functions of the game.


def prime_tables(
    ante_play: Places, wagers: Mapping[str, OutcomeIndex], should_play: PlayRule | None = None
) -> PrimeTables:
    """The lookup tables of the kernels: the indexes of the outcomes of Ante and Play and of the other wagers, and the
    hands to play, if these are known beforehand."""
    return PrimeTables(
        threes=_threes(should_play),
        qualifying_strength=lowest_qualifying_strength(),
        ante_play=ante_play,
        prime=_prime(wagers.get("prime")),
        kinds=category_numbers(THREE_CARD),
        pair_bonus=_pair_bonus(wagers.get("pair-bonus")),
        all_six=_all_six(wagers.get("all-six")),
        royal=len(FIVE_CARD.classes),
        fourth_card_matters=np.array([len(set(_final_four_events(kind))) > 1 for kind in THREE_CARD.order]),
        four_kinds=category_numbers(FOUR_CARD),
        final_four=_final_four(wagers.get("final-four")),
        all_seven=_all_seven(wagers.get("all-seven")),
        straight_flush=1 + [hand_class.category for hand_class in FIVE_CARD.classes].index(Category.STRAIGHT_FLUSH),
    )


def _threes(should_play: PlayRule | None) -> NDArray[np.uint16]:
    """The lookup of three cards, by their codes in any order."""
    hands = three_card_hands()
    reds = np.isin(hands % len(Suit), [suit for suit in Suit if suit.is_red]).sum(axis=1)
    colors = np.select([reds == 0, reds == 3], [1, 2], 0)
    hand_bits = evaluate_many(THREE_CARD, hands) | colors.astype(np.uint16) << COLOR_SHIFT
    if should_play is not None:
        numbers, inverse = np.unique(suit_class_numbers(), return_inverse=True)
        is_played = np.array([_is_played(decode_hand(number), should_play) for number in numbers.tolist()])[inverse]
        hand_bits |= is_played.astype(np.uint16) << PLAY_SHIFT
    threes = np.zeros((DECK, DECK, DECK), np.uint16)
    for first, second, third in permutations(range(3)):
        threes[hands[:, first], hands[:, second], hands[:, third]] = hand_bits
    return threes.reshape(-1)


def _is_played(hand: tuple[Card, ...], should_play: PlayRule) -> bool:
    return should_play(compute_strength(THREE_CARD, hand), dealer_hands(hand))


def category_numbers(ranking: Ranking) -> NDArray[np.uint8]:
    """The index of the category in the ranking's order, by strength."""
    return np.array([0, *(ranking.order.index(hand_class.category) for hand_class in ranking.classes)], np.uint8)


def _ante_play(wager: WagerPlan, pays: PlayPays) -> Places:
    ends = [(outcome.trigger, outcome.net) for outcome in wager.outcomes]
    places = np.full((len(THREE_CARD.classes) + 1, len(DealerHands._fields)), -1, np.int16)
    fold = fold_payoff().trigger, fold_payoff().net
    places[0] = ends.index(fold) if fold in ends else -1
    for strength in range(1, len(places)):
        for dealer_part, (hand, _) in enumerate(payoff_counts(strength, DealerHands(1, 1, 1))):
            end = hand.event, pays.net(hand).units
            places[strength, dealer_part] = ends.index(end) if end in ends else -1
    return places


def _event_places(wager: OutcomeIndex | None, events: Iterable[str]) -> Places:
    """The indexes of the events in a wager's list of outcomes; -1 if the wager is not offered."""
    return wager.places([(event,) for event in events]) if wager else np.full(len(list(events)), -1, np.int16)


def _prime(wager: OutcomeIndex | None) -> Places:
    events = [prime_event(player, dealer) for player in _COLORS for dealer in _COLORS]
    return _event_places(wager, events).reshape(len(_COLORS), len(_COLORS))


def _pair_bonus(wager: OutcomeIndex | None) -> Places:
    fourths = parse_card("9c"), parse_card("2c")
    events = [pair_bonus_event(kind, fourth) for kind in THREE_CARD.order for fourth in fourths]
    return _event_places(wager, events).reshape(-1, len(fourths))


def _final_four_events(three: Category) -> Iterator[str]:
    for four in FOUR_CARD.order:
        for diamonds in (False, True):
            yield final_four_event(three, four, diamonds)


def _final_four(wager: OutcomeIndex | None) -> Places:
    events = [event for kind in THREE_CARD.order for event in _final_four_events(kind)]
    return _event_places(wager, events).reshape(len(THREE_CARD.order), len(FOUR_CARD.order), 2)


def _all_six(wager: OutcomeIndex | None) -> Places:
    """By strength; last, the six-card royals, which the best five cards do not show."""
    no_run = STANDARD_DECK[:6]
    events = [all_six_event(no_run, hand_class.category) for hand_class in (FIVE_CARD.classes[0], *FIVE_CARD.classes)]
    royals = [parse_cards(f"9{suit} T{suit} J{suit} Q{suit} K{suit} A{suit}") for suit in "cd"]
    return _event_places(wager, [*events, *(all_six_event(royal, Category.ROYAL_FLUSH) for royal in royals)])


def _all_seven(wager: OutcomeIndex | None) -> Places:
    """By strength; last, the seven-card straight flush, which the best five cards do not show."""
    no_run = STANDARD_DECK[:7]
    events = [all_seven_event(no_run, hand_class.category) for hand_class in (FIVE_CARD.classes[0], *FIVE_CARD.classes)]
    return _event_places(
        wager, [*events, all_seven_event(parse_cards("2c 3c 4c 5c 6c 7c 8c"), Category.STRAIGHT_FLUSH)]
    )


SIMULATOR: Final = ThreeCardPrimeSimulator()


_DEALER_PARTS: Final = len(DealerHands._fields)


class PrimeBatch(RoundBatch):
    """Three Card Prime."""

    hand_size = 3
    card_places = (*[Place(Pile.HAND, 1)] * 3, Place(Pile.FOURTH, 1), *[DEALER_HAND] * 3, BURN)
    questions = (PLAY_QUESTION,)
    all_actions = (Action(Verb.FOLD), Action(Verb.PLAY))

    @cached_property
    def wager_groups(self) -> tuple[WagerGroup, ...]:
        hands = 1 + _DEALER_PARTS * len(THREE_CARD.order)
        return tuple(WagerGroup((slug,), hands if slug == MAIN else self._lines[slug].count) for slug in self.wagers)

    @cached_property
    def _lines(self) -> dict[str, PaytableLines]:
        return {slug: PaytableLines(self.table.offers[slug].paytable) for slug in self.wagers if slug != MAIN}

    @cached_property
    def _tables(self) -> PrimeTables:
        return prime_tables(_hand_kinds(), self._lines)

    @cached_property
    def _columns(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        slugs = list(self.wagers)
        return np.array([slugs.index(slug) if slug in slugs else -1 for slug in PreparedPrime.kernel_wagers], np.int64)

    def outcome_kinds(self, cards: ByteArray, answers: Answers) -> Kinds:
        kinds = np.empty((len(self.wager_groups), len(cards)), np.int32)
        is_played = answers[:, 0] == self.actions.index(Action(Verb.PLAY))
        judge_prime(
            cards, is_played, self._columns, self._tables, lookup_tables(FOUR_CARD), lookup_tables(FIVE_CARD), kinds
        )
        return kinds


def _hand_kinds() -> Places:
    """The kinds by strength of a played hand (0 for a folded one) and by the dealer's hand; hands of one category share
    a kind."""
    kinds = (
        category_numbers(THREE_CARD).astype(np.int16)[:, None] * _DEALER_PARTS
        + 1
        + np.arange(_DEALER_PARTS, dtype=np.int16)
    )
    kinds[0] = 0
    hand_kinds: Places = kinds.astype(np.int16)
    return hand_kinds


BATCH: Final = PrimeBatch
