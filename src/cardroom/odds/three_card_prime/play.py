"""Ante and Play of Three Card Prime: every hand against every hand of the dealer, and what playing it is worth.

The dealer's hands fall into three parts (TP-1): those that do not qualify, those that qualify and do not beat the
player, and those that beat the player. What each part pays is read off settled rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, of_code
from cardroom.games.three_card_prime.rules import lowest_qualifying_strength
from cardroom.hands import THREE_CARD, batch, rank_strength
from cardroom.odds.endings import Net
from cardroom.odds.result import Ending
from cardroom.odds.three_card_prime.counts import three_card_hands
from cardroom.odds.three_card_prime.results import PlayedHand, folded, played
from cardroom.paytables import Paytable, words


class DealerHands(NamedTuple):
    """How many hands the dealer can have against one hand of the player."""

    unqualified: int
    beaten: int
    """Qualifying and not higher than the player's: copies win for the player."""
    better: int

    @property
    def total(self) -> int:
        return sum(self)


class Matchup(NamedTuple):
    """Player's hands of one strength against which the dealer has the same numbers of hands."""

    strength: int
    hands: int
    dealer: DealerHands


def _bits(cards: Iterable[Card]) -> np.uint64:
    """A set of cards as bits."""
    return np.uint64(sum(1 << code for code in {card.code for card in cards}))


@cache
def _ascending() -> tuple[NDArray[np.uint64], list[int]]:
    """All three-card hands from the lowest up, each as a set of bits, and where the hands of each strength start."""
    strengths = batch(THREE_CARD, three_card_hands())
    order = np.argsort(strengths, kind="stable")
    bits = np.uint64(1) << three_card_hands().astype(np.uint64)
    starts = np.searchsorted(strengths[order], np.arange(len(THREE_CARD.classes) + 2))
    return bits.sum(axis=1, dtype=np.uint64)[order], starts.tolist()


def dealer_hands(player: tuple[Card, ...], elsewhere: Iterable[Card] = (), shown: Iterable[Card] = ()) -> DealerHands:
    """The dealer's hands against the player's, when the cards seen elsewhere are gone from the deck as well. Cards of
    the dealer that are ``shown`` are in every one of the hands.

    >>> from cardroom.cards import cards
    >>> dealer_hands(cards("As Ks Qs"))
    DealerHands(unqualified=6720, beaten=11704, better=0)
    >>> dealer_hands(cards("As Ks Qs"), shown=cards("2c"))
    DealerHands(unqualified=525, beaten=603, better=0)
    """
    in_hand = _bits(shown)
    decided = _bits((*player, *elsewhere)) | in_hand
    hands, starts = _ascending()
    possible = (hands & decided) == in_hand
    qualifying = starts[lowest_qualifying_strength()]
    winning = max(qualifying, starts[rank_strength(THREE_CARD, player) + 1])
    return DealerHands(
        unqualified=int(np.count_nonzero(possible[:qualifying])),
        beaten=int(np.count_nonzero(possible[qualifying:winning])),
        better=int(np.count_nonzero(possible[winning:])),
    )


@cache
def alike_hands() -> NDArray[np.int64]:
    """For each of the three-card hands the number of the lowest one that differs from it by an exchange of suits only:
    its codes as digits to the base 52."""
    hands = three_card_hands().astype(np.int64)
    alike = np.full(len(hands), 52**3, np.int64)
    for suits in permutations(range(4)):
        exchanged = np.sort(hands // 4 * 4 + np.array(suits)[hands % 4], axis=1)
        np.minimum(alike, exchanged @ np.array([52**2, 52, 1]), out=alike)
    return alike


def hand_numbered(number: int) -> tuple[Card, ...]:
    """The hand that ``alike_hands`` tells by this number."""
    return tuple(of_code(code) for code in (number // 52**2, number // 52 % 52, number % 52))


@cache
def matchups() -> tuple[Matchup, ...]:
    """All hands of the player from the lowest up. Suits are equals, so one hand stands for all that differ from it
    by an exchange of suits only."""
    found: Counter[tuple[int, DealerHands]] = Counter()
    numbers, counts = np.unique(alike_hands(), return_counts=True)
    for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
        player = hand_numbered(number)
        found[rank_strength(THREE_CARD, player), dealer_hands(player)] += count
    return tuple(sorted(Matchup(strength, hands, dealer) for (strength, dealer), hands in found.items()))


class PlayPays:
    """A paytable for Ante and Play, and the size of the Ante in cents where a line pays a fixed amount."""

    def __init__(self, table: Paytable, ante_cents: int = 100) -> None:
        self.table = table
        self._ante_cents = ante_cents
        self._nets: dict[tuple[str, Fraction], Net] = {}

    def net(self, hand: PlayedHand) -> Net:
        """What Ante and Play win or lose together."""
        key = hand.event, hand.ante
        if key not in self._nets:
            pay = self.table.pay((hand.event,))
            self._nets[key] = hand.both.net_when(pay, self.table.basis, self._ante_cents)
        return self._nets[key]

    def playing(self, strength: int, dealer: DealerHands, meter: Fraction = Fraction(0)) -> Fraction:
        """What playing wins or loses in Antes, summed over all hands of the dealer."""
        total = Fraction(0)
        for hand, count in ways_to_end(strength, dealer):
            if count:
                net = self.net(hand)
                total += count * (net.units + net.percent * meter if meter else net.units)
        return total


def ways_to_end(strength: int, dealer: DealerHands) -> Iterator[tuple[PlayedHand, int]]:
    """How a hand that is played ends against each part of the dealer's hands, and how often."""
    category = THREE_CARD.classes[strength - 1].category
    for part, count in enumerate(dealer):
        yield played(category, part), count


def worth_playing(pays: PlayPays, strength: int, dealer: DealerHands) -> bool:
    """Whether playing a hand is worth more than a fold."""
    return pays.playing(strength, dealer) > folded().net * dealer.total


def endings_of_best_play(pays: PlayPays) -> Iterator[Ending]:
    """How Ante and Play end when every hand is played that is worth it, line by line."""
    return endings_of_play(pays, partial(worth_playing, pays))


def endings_of_play(pays: PlayPays, plays: Callable[[int, DealerHands], bool]) -> Iterator[Ending]:
    """How Ante and Play end when those hands are played for which ``plays`` says so, line by line."""
    counts: Counter[tuple[str, Fraction]] = Counter()
    hands_of: dict[tuple[str, Fraction], PlayedHand] = {}
    folds = 0
    for strength, hands, dealer in matchups():
        if plays(strength, dealer):
            for hand, count in ways_to_end(strength, dealer):
                counts[hand.event, hand.ante] += hands * count
                hands_of[hand.event, hand.ante] = hand
        else:
            folds += hands * dealer.total
    listed = [line.event for line in pays.table.lines]
    antes = sorted({ante for _, ante in counts}, reverse=True)
    for event in dict.fromkeys([*listed, *(event for event, _ in counts)]):
        for ante in antes:
            if count := counts[event, ante]:
                hand = hands_of[event, ante]
                net, pay = pays.net(hand), pays.table.pay((event,))
                yield Ending(event, words(pay), count, net.units, wagered=hand.both.wagered, percent=net.percent)
    if folds:
        fold = folded()
        yield Ending(fold.event, words(fold.stakes[0].pay), folds, fold.net, wagered=fold.wagered)
