"""Three Card Prime by the million rounds: the tables for the kernels, filled from the game and its best play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import permutations
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Deck, Suit, card, cards
from cardroom.games import Decision, Pile, Place, Table, Verb
from cardroom.games.places import BURN, DEALER_HAND
from cardroom.games.three_card_prime.rules import (
    PLAY_QUESTION,
    all_seven_event,
    all_six_event,
    final_four_event,
    lowest_qualifying_strength,
    pair_bonus_event,
    prime_event,
)
from cardroom.hands import FIVE_CARD, FOUR_CARD, THREE_CARD, Category, Ranking, batch, rank_strength
from cardroom.hands.tables import tables
from cardroom.odds.pricer import Progress, silent
from cardroom.odds.rounds.deals import Block, Places
from cardroom.odds.rounds.plan import Placing, WagerPlan, plan, planned
from cardroom.odds.rounds.simulation import Laid, Simulator, check_strategy
from cardroom.odds.rounds.wagers import PreparedWagers
from cardroom.odds.three_card_prime.counts import three_card_hands
from cardroom.odds.three_card_prime.kernels import (
    COLOR_SHIFT,
    DEALER,
    DEALT,
    DECK,
    FOURTH,
    PLAY_SHIFT,
    PrimeTables,
    play_prime,
)
from cardroom.odds.three_card_prime.play import (
    DealerHands,
    PlayPays,
    alike_hands,
    dealer_hands,
    endings_of_play,
    hand_numbered,
    ways_to_end,
    worth_playing,
)
from cardroom.odds.three_card_prime.results import MAIN, folded
from cardroom.odds.three_card_prime.strategy import lowest_to_play

_COLORS: Final = (cards("2c 2d 3c"), cards("2c 3c 4c"), cards("2d 3d 4d"))
"""Mixed, black and red."""

Plays: TypeAlias = Callable[[int, DealerHands], bool]
"""Whether a hand is played, by its strength and by what the dealer can have against it."""


@dataclass(frozen=True)
class PreparedPrime(PreparedWagers):
    """A table of Three Card Prime."""

    deck = Deck.ONE
    numbered = ("ante-play", "prime", "pair-bonus", "all-six", "final-four", "all-seven")

    wagers: tuple[WagerPlan, ...]
    looked_up: PrimeTables = field(repr=False)

    def play(self, block: Block) -> None:
        play_prime(block, self.looked_up, tables(FOUR_CARD), tables(FIVE_CARD))

    def laid(self, seed: int, block: int, turn: int) -> Laid:
        seven = self.dealt(DEALT, seed, block, turn)
        one, two, three = (card.code for card in seven[:3])
        known = self.looked_up.threes[(one * DECK + two) * DECK + three]
        unseen = next(other for other in STANDARD_DECK if other not in seven)
        return Laid(
            cards={
                Place(Pile.HAND, 1): tuple(seven[:3]),
                Place(Pile.FOURTH, 1): (seven[FOURTH],),
                BURN: (unseen,),  # any card: nobody ever looks at it
                DEALER_HAND: tuple(seven[DEALER:]),
            },
            decisions={PLAY_QUESTION: Decision(Verb.PLAY if known >> PLAY_SHIFT else Verb.FOLD)},
        )


class ThreeCardPrimeSimulator(Simulator):
    """Three Card Prime."""

    game = "three-card-prime"

    def prepare(self, table: Table, strategy: str = "best", progress: Progress = silent) -> PreparedPrime:
        check_strategy(strategy)
        pays = PlayPays(table.offered[MAIN].paytable)
        plays = partial(worth_playing, pays) if strategy == "best" else _at_least(lowest_to_play(pays))
        plans = {slug: plan(table, slug, progress=progress) for slug in table.offered}
        if strategy != "best":
            plans[MAIN] = planned(plans[MAIN].question, tuple(endings_of_play(pays, plays)))
        return PreparedPrime(tuple(plans.values()), prime_tables(_ante_play(plans[MAIN], pays), plans, plays))


def _at_least(lowest: int) -> Plays:
    return lambda strength, _: strength >= lowest


# The tables, each from a function of the game.


def prime_tables(ante_play: Places, wagers: Mapping[str, Placing], plays: Plays | None = None) -> PrimeTables:
    """What the kernels look up: where Ante and Play end, where the events of the other wagers stand, and which hands
    are played, where that is known beforehand."""
    return PrimeTables(
        threes=_threes(plays),
        qualifying=lowest_qualifying_strength(),
        ante_play=ante_play,
        prime=_prime(wagers.get("prime")),
        kinds=kinds_of(THREE_CARD),
        pair_bonus=_pair_bonus(wagers.get("pair-bonus")),
        all_six=_all_six(wagers.get("all-six")),
        royal=len(FIVE_CARD.classes),
        open_four=np.array([len(set(_final_four_events(kind))) > 1 for kind in THREE_CARD.order]),
        four_kinds=kinds_of(FOUR_CARD),
        final_four=_final_four(wagers.get("final-four")),
        all_seven=_all_seven(wagers.get("all-seven")),
        straight_flush=1 + [one.category for one in FIVE_CARD.classes].index(Category.STRAIGHT_FLUSH),
    )


def _threes(plays: Plays | None) -> NDArray[np.uint16]:
    """What is known of three cards, by their codes in any order."""
    hands = three_card_hands()
    reds = np.isin(hands % len(Suit), [suit for suit in Suit if suit.is_red]).sum(axis=1)
    colors = np.select([reds == 0, reds == 3], [1, 2], 0)
    known = batch(THREE_CARD, hands) | colors.astype(np.uint16) << COLOR_SHIFT
    if plays is not None:
        numbers, where = np.unique(alike_hands(), return_inverse=True)
        played = np.array([_played(hand_numbered(number), plays) for number in numbers.tolist()])[where]
        known |= played.astype(np.uint16) << PLAY_SHIFT
    threes = np.zeros((DECK, DECK, DECK), np.uint16)
    for one, two, three in permutations(range(3)):
        threes[hands[:, one], hands[:, two], hands[:, three]] = known
    return threes.reshape(-1)


def _played(hand: tuple[Card, ...], plays: Plays) -> bool:
    return plays(rank_strength(THREE_CARD, hand), dealer_hands(hand))


def kinds_of(ranking: Ranking) -> NDArray[np.uint8]:
    """By strength: the place of the category in the ranking's order."""
    return np.array([0, *(ranking.order.index(one.category) for one in ranking.classes)], np.uint8)


def _ante_play(wager: WagerPlan, pays: PlayPays) -> Places:
    ends = [(one.event, one.net) for one in wager.endings]
    places = np.full((len(THREE_CARD.classes) + 1, len(DealerHands._fields)), -1, np.int16)
    fold = folded().event, folded().net
    places[0] = ends.index(fold) if fold in ends else -1
    for strength in range(1, len(places)):
        for against, (hand, _) in enumerate(ways_to_end(strength, DealerHands(1, 1, 1))):
            end = hand.event, pays.net(hand).units
            places[strength, against] = ends.index(end) if end in ends else -1
    return places


def _placed(wager: Placing | None, events: Iterable[str]) -> Places:
    """Where the events stand in a wager's list of endings; nowhere when it is not offered."""
    return wager.places([(event,) for event in events]) if wager else np.full(len(list(events)), -1, np.int16)


def _prime(wager: Placing | None) -> Places:
    events = [prime_event(player, dealer) for player in _COLORS for dealer in _COLORS]
    return _placed(wager, events).reshape(len(_COLORS), len(_COLORS))


def _pair_bonus(wager: Placing | None) -> Places:
    fourths = card("9c"), card("2c")
    events = [pair_bonus_event(kind, fourth) for kind in THREE_CARD.order for fourth in fourths]
    return _placed(wager, events).reshape(-1, len(fourths))


def _final_four_events(three: Category) -> Iterator[str]:
    for four in FOUR_CARD.order:
        for diamonds in (False, True):
            yield final_four_event(three, four, diamonds)


def _final_four(wager: Placing | None) -> Places:
    events = [event for kind in THREE_CARD.order for event in _final_four_events(kind)]
    return _placed(wager, events).reshape(len(THREE_CARD.order), len(FOUR_CARD.order), 2)


def _all_six(wager: Placing | None) -> Places:
    """By strength, and last the six-card royals, which the best five cards do not tell."""
    no_run = STANDARD_DECK[:6]
    events = [all_six_event(no_run, one.category) for one in (FIVE_CARD.classes[0], *FIVE_CARD.classes)]
    royals = [cards(f"9{suit} T{suit} J{suit} Q{suit} K{suit} A{suit}") for suit in "cd"]
    return _placed(wager, [*events, *(all_six_event(royal, Category.ROYAL_FLUSH) for royal in royals)])


def _all_seven(wager: Placing | None) -> Places:
    """By strength, and last the seven-card straight flush, which the best five cards do not tell."""
    no_run = STANDARD_DECK[:7]
    events = [all_seven_event(no_run, one.category) for one in (FIVE_CARD.classes[0], *FIVE_CARD.classes)]
    return _placed(wager, [*events, all_seven_event(cards("2c 3c 4c 5c 6c 7c 8c"), Category.STRAIGHT_FLUSH)])


SIMULATOR: Final = ThreeCardPrimeSimulator()
