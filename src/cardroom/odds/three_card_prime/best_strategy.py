"""The best strategy of Ante and Play: every hand against every hand of the dealer, and its expected value.

The dealer's hands fall into three parts (TP-1): those that do not qualify, those that qualify and do not beat the
player, and those that beat the player. What each part pays is read from rounds that the game settles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Rank, Suit, card_from_code, card_from_rank_suit, parse_cards
from cardroom.games import Decision, Pile, Place, Verb
from cardroom.games.card_places import DEALER_HAND
from cardroom.games.three_card_prime.rules import PLAY_QUESTION, RULES, lowest_qualifying_strength
from cardroom.hands import THREE_CARD, Category, compute_strength, evaluate_many
from cardroom.odds.payoffs import SEAT, Net, WagerPayoff, example_table, settle_example
from cardroom.odds.result import WagerOutcome
from cardroom.odds.three_card_prime.counts import three_card_hands
from cardroom.paytables import Paytable, describe_pay

MAIN: Final = "ante-play"

UNQUALIFIED, BEATEN, BETTER = range(3)
"""The dealer's hand: below what qualifies; qualifying and not higher than the player's; higher."""

_HIGHEST: Final = {
    Category.MINI_ROYAL: parse_cards("As Ks Qs"),
    Category.STRAIGHT_FLUSH: parse_cards("Ks Qs Js"),
    Category.THREE_OF_A_KIND: parse_cards("As Ad Ah"),
    Category.STRAIGHT: parse_cards("As Kd Qh"),
    Category.FLUSH: parse_cards("As Ks Js"),
    Category.PAIR: parse_cards("As Ad Kh"),
    Category.HIGH_CARD: parse_cards("As Kd Jh"),
}
"""The highest hand of each kind; it beats the lowest qualifying hand."""


class PlayPayoff(NamedTuple):
    """One outcome of a played hand."""

    event: str
    """The event of the Play wager."""
    ante: Fraction
    """What the Ante wins or loses."""
    payoff: WagerPayoff


@cache
def play_payoff(category: Category, dealer: int) -> PlayPayoff:
    """The outcome of a hand of this kind against one of the three parts of the dealer's hands. No hand is higher than a
    mini-royal, so its outcome against a ``BETTER`` hand is that of a copy and never occurs."""
    payoff = _example_payoff(Verb.PLAY, _HIGHEST[category], _dealer_examples()[dealer])
    return PlayPayoff(payoff.trigger, payoff.stakes[0].net, payoff)


@cache
def fold_payoff() -> WagerPayoff:
    """The outcome of a folded hand."""
    return _example_payoff(Verb.FOLD, _HIGHEST[Category.HIGH_CARD], _dealer_examples()[BETTER])


def _example_payoff(verb: Verb, player: tuple[Card, ...], dealer: tuple[Card, ...]) -> WagerPayoff:
    dealt = {Place(Pile.HAND, SEAT): player, DEALER_HAND: dealer}
    return settle_example(example_table(RULES.facts.slug), MAIN, dealt, {PLAY_QUESTION: Decision(verb)})


def _dealer_examples() -> tuple[tuple[Card, ...], ...]:
    """The lowest hand, the lowest qualifying hand, and the highest hand."""
    return _unsuited_hand(1), _unsuited_hand(lowest_qualifying_strength()), parse_cards("Ac Kc Qc")


def _unsuited_hand(strength: int) -> tuple[Card, ...]:
    suits = Suit.CLUBS, Suit.DIAMONDS, Suit.CLUBS
    ranks = THREE_CARD.classes[strength - 1].ranks
    return tuple(card_from_rank_suit(Rank(rank), suit) for rank, suit in zip(ranks, suits, strict=True))


class DealerHands(NamedTuple):
    """The numbers of the dealer's possible hands against one hand of the player."""

    unqualified: int
    beaten: int
    """Qualifying and not higher than the player's: copies win for the player."""
    better: int

    @property
    def total(self) -> int:
        return sum(self)


class Matchup(NamedTuple):
    """The player's hands of one strength with the same numbers of the dealer's hands."""

    strength: int
    hands: int
    dealer: DealerHands


def _bits(cards: Iterable[Card]) -> np.uint64:
    """A set of cards, as bits."""
    return np.uint64(sum(1 << code for code in {card.code for card in cards}))


@cache
def _sorted_hands() -> tuple[NDArray[np.uint64], list[int]]:
    """All three-card hands from the lowest up, each as a set of bits, and the first index of each strength."""
    strengths = evaluate_many(THREE_CARD, three_card_hands())
    order = np.argsort(strengths, kind="stable")
    bits = np.uint64(1) << three_card_hands().astype(np.uint64)
    starts = np.searchsorted(strengths[order], np.arange(len(THREE_CARD.classes) + 2))
    return bits.sum(axis=1, dtype=np.uint64)[order], starts.tolist()


def dealer_hands(
    player: tuple[Card, ...], other_cards: Iterable[Card] = (), exposed_cards: Iterable[Card] = ()
) -> DealerHands:
    """The dealer's hands against the player's hand. Cards seen elsewhere are gone from the deck too. Every hand of the
    dealer contains the ``exposed_cards``.

    >>> from cardroom.cards import parse_cards
    >>> dealer_hands(parse_cards("As Ks Qs"))
    DealerHands(unqualified=6720, beaten=11704, better=0)
    >>> dealer_hands(parse_cards("As Ks Qs"), exposed_cards=parse_cards("2c"))
    DealerHands(unqualified=525, beaten=603, better=0)
    """
    in_hand = _bits(exposed_cards)
    located = _bits((*player, *other_cards)) | in_hand
    hands, starts = _sorted_hands()
    possible = (hands & located) == in_hand
    qualifying = starts[lowest_qualifying_strength()]
    winning = max(qualifying, starts[compute_strength(THREE_CARD, player) + 1])
    return DealerHands(
        unqualified=int(np.count_nonzero(possible[:qualifying])),
        beaten=int(np.count_nonzero(possible[qualifying:winning])),
        better=int(np.count_nonzero(possible[winning:])),
    )


@cache
def suit_class_numbers() -> NDArray[np.int64]:
    """For each three-card hand, the number of the lowest hand that differs only by an exchange of suits: its codes as
    digits in base 52."""
    hands = three_card_hands().astype(np.int64)
    numbers = np.full(len(hands), 52**3, np.int64)
    for suits in permutations(range(4)):
        exchanged = np.sort(hands // 4 * 4 + np.array(suits)[hands % 4], axis=1)
        np.minimum(numbers, exchanged @ np.array([52**2, 52, 1]), out=numbers)
    return numbers


def decode_hand(number: int) -> tuple[Card, ...]:
    """The hand with this number of ``suit_class_numbers``."""
    return tuple(card_from_code(code) for code in (number // 52**2, number // 52 % 52, number % 52))


@cache
def matchups() -> tuple[Matchup, ...]:
    """All hands of the player from the lowest up. Suits are equivalent, so one hand represents all that differ by an
    exchange of suits only."""
    hand_counts: Counter[tuple[int, DealerHands]] = Counter()
    numbers, counts = np.unique(suit_class_numbers(), return_counts=True)
    for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
        player = decode_hand(number)
        hand_counts[compute_strength(THREE_CARD, player), dealer_hands(player)] += count
    return tuple(sorted(Matchup(strength, hands, dealer) for (strength, dealer), hands in hand_counts.items()))


class PlayPays:
    """A paytable for Ante and Play, and the Ante in cents, in case a line pays a fixed amount."""

    def __init__(self, table: Paytable, ante_cents: int = 100) -> None:
        self.table = table
        self._ante_cents = ante_cents
        self._nets: dict[tuple[str, Fraction], Net] = {}

    def net(self, hand: PlayPayoff) -> Net:
        """What Ante and Play win or lose together."""
        key = hand.event, hand.ante
        if key not in self._nets:
            pay = self.table.find_pay((hand.event,))
            self._nets[key] = hand.payoff.net_with_pay(pay, self.table.basis, self._ante_cents)
        return self._nets[key]

    def play_total(self, strength: int, dealer: DealerHands, meter: Fraction = Fraction(0)) -> Fraction:
        """The net result of playing in Antes, summed over all hands of the dealer."""
        total = Fraction(0)
        for hand, count in payoff_counts(strength, dealer):
            if count:
                net = self.net(hand)
                total += count * (net.units + net.percent * meter if meter else net.units)
        return total


def payoff_counts(strength: int, dealer: DealerHands) -> Iterator[tuple[PlayPayoff, int]]:
    """The outcomes of a played hand against each part of the dealer's hands, with their counts."""
    category = THREE_CARD.classes[strength - 1].category
    for part, count in enumerate(dealer):
        yield play_payoff(category, part), count


def is_play_better(pays: PlayPays, strength: int, dealer: DealerHands) -> bool:
    """Whether playing a hand has a higher value than a fold."""
    return pays.play_total(strength, dealer) > fold_payoff().net * dealer.total


def best_play_outcomes(pays: PlayPays) -> Iterator[WagerOutcome]:
    """The outcomes of Ante and Play under the best strategy, line by line."""
    return play_outcomes(pays, partial(is_play_better, pays))


def play_outcomes(pays: PlayPays, should_play: Callable[[int, DealerHands], bool]) -> Iterator[WagerOutcome]:
    """The outcomes of Ante and Play, line by line, if the player plays the hands that ``should_play`` selects."""
    counts: Counter[tuple[str, Fraction]] = Counter()
    hands_of: dict[tuple[str, Fraction], PlayPayoff] = {}
    folds = 0
    for strength, hands, dealer in matchups():
        if should_play(strength, dealer):
            for hand, count in payoff_counts(strength, dealer):
                counts[hand.event, hand.ante] += hands * count
                hands_of[hand.event, hand.ante] = hand
        else:
            folds += hands * dealer.total
    listed = [line.trigger for line in pays.table.lines]
    antes = sorted({ante for _, ante in counts}, reverse=True)
    for event in dict.fromkeys([*listed, *(event for event, _ in counts)]):
        for ante in antes:
            if count := counts[event, ante]:
                hand = hands_of[event, ante]
                net, pay = pays.net(hand), pays.table.find_pay((event,))
                yield WagerOutcome(
                    event, describe_pay(pay), count, net.units, wagered=hand.payoff.wagered, percent=net.percent
                )
    if folds:
        fold = fold_payoff()
        yield WagerOutcome(fold.trigger, describe_pay(fold.stakes[0].pay), folds, fold.net, wagered=fold.wagered)
