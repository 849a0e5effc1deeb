"""The house way: which two of the four cards the dealer of Texas Shootout plays (sheet 002, TS-1).

A choice of two cards belongs to the first of the 14 lines that it meets. The dealer plays the choice of the first
line; inside a line the highest cards (first card, then second), then suited cards over unsuited ones. Of equal choices
the dealer keeps the cards dealt first; suits have no rank. It comes to that among pairs of one rank only, with three or
four cards of it. So the four cards are always given in the order in which they were dealt.

>>> from cardroom.cards import parse_cards
>>> house_way(parse_cards("Kh Qh As Tc")).text
'line 2, Ace – Jack or Better: A♠ K♥'
>>> house_way(parse_cards("Kh Qd As Tc")).cards, house_way(parse_cards("7h 7d As Ts")).line
((Card('As'), Card('Kh')), 4)
>>> house_way(parse_cards("Kh Kc 2d Ks")).cards, house_way(parse_cards("Ks 2d Kc Kh")).cards
((Card('Kh'), Card('Kc')), (Card('Ks'), Card('Kc')))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Deck, format_card_symbols
from cardroom.hands import BadHand
from cardroom.hands.strength import Codes
from cardroom.kernels import cached_arrays, kernel, rule
from cardroom.translation import gettext

LINES: Final = (
    "Highest Pair, 8’s or Better",
    "Ace – Jack or Better",
    "Any Pair Suited",
    "Any Pair Unsuited",
    "Ace High Suited",
    "Ten – Jack or Better Suited",
    "Ten – Jack or Better Unsuited",
    "Ace High Unsuited",
    "Face Card High Suited",
    "Face Card High Unsuited",
    "Connected Cards Suited",
    "Connected Cards Unsuited",
    "Two Highest Cards Suited",
    "Two Highest Cards Unsuited",
)
"""As the sheet prints them; line 1 has index 0."""

CHOICES: Final = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
"""The six ways to choose two of four cards, by the number that the kernel gives. Of cards in the order in which they
were dealt, the choice with the card dealt first comes first."""

_EIGHT: Final = 8
_TEN: Final = 10
_JACK: Final = 11
_ACE: Final = 14


@rule
def house_way_line(high: int, low: int, suited: bool) -> int:
    """The first line that two cards of these ranks meet, 1 to 14; ``high`` is not below ``low``."""
    pair = high == low
    if pair and high >= _EIGHT:
        return 1
    if high == _ACE and low >= _JACK:
        return 2
    if pair and suited:
        return 3
    if pair:
        return 4
    if high == _ACE and suited:
        return 5
    # "Ten-Jack or better": both cards ten or higher, so an ace with a ten is among them.
    if low >= _TEN and suited:
        return 6
    if low >= _TEN:
        return 7
    if high == _ACE:
        return 8
    if high >= _JACK and suited:
        return 9
    if high >= _JACK:
        return 10
    if high == low + 1 and suited:
        return 11
    if high == low + 1:
        return 12
    if suited:
        return 13
    return 14


@rule
def pair_preference(first_card: int, second_card: int) -> int:
    """A number for two cards by their codes: the dealer plays the pair with the highest. Suits matter only by being the
    same or not."""
    high, low = (max(first_card, second_card) >> 2) + 2, (min(first_card, second_card) >> 2) + 2
    suited = first_card & 3 == second_card & 3
    return ((14 - house_way_line(high, low, suited)) << 9) | (high << 5) | (low << 1) | suited


@kernel
def choose_dealer_pair(hands: Codes, row: int) -> int:
    """Which of the ``CHOICES`` the dealer plays of the four cards in row ``row``, which are in the order in which they
    were dealt: of equal choices the first."""
    best_value, choice, number = -1, 0, 0
    for first_index in range(3):
        for second_index in range(first_index + 1, 4):
            value = pair_preference(int(hands[row, first_index]), int(hands[row, second_index]))
            if value > best_value:
                best_value, choice = value, number
            number += 1
    return choice


@dataclass(frozen=True, slots=True)
class HouseWay:
    """The two cards that the dealer plays, the higher one first, and the line that they meet."""

    line: int
    cards: tuple[Card, Card]

    @property
    def text(self) -> str:
        return f"line {self.line}, {LINES[self.line - 1]}: {format_card_symbols(self.cards)}"

    def explain(self, four: Sequence[Card]) -> str:
        """Why the dealer plays these two of the four, in a sentence.

        >>> from cardroom.cards import parse_cards
        >>> four = parse_cards("9h 7d Ks 2s")
        >>> house_way(four).explain(four)
        'Of 9♥ 7♦ K♠ 2♠ the house way plays K♠ 2♠ by line 9, Face Card High Suited: no other two meet an earlier line.'
        >>> four = parse_cards("As Kh Qd 3c")
        >>> house_way(four).explain(four)
        'Of A♠ K♥ Q♦ 3♣ the house way plays A♠ K♥ by line 2, Ace – Jack or Better: the best of 2 choices on it.'
        >>> four = parse_cards("5s 5h 5h 5s")
        >>> house_way(four).explain(four)
        'Of 5♠ 5♥ 5♥ 5♠ the house way plays 5♠ 5♠ by line 3, Any Pair Suited: of 2 equal choices the cards dealt first.'
        """
        return gettext("Of {four} the house way plays {cards} by line {line}, {line_text}: {reason}.").format(
            four=format_card_symbols(four),
            cards=format_card_symbols(self.cards),
            line=self.line,
            line_text=LINES[self.line - 1],
            reason=self._explain_preference(four),
        )

    def _explain_preference(self, four: Sequence[Card]) -> str:
        """Why the house way prefers these two to any other two of the four."""
        equal_count = len(equal_choices(four))
        if equal_count > 1:
            return gettext("of {count} equal choices the cards dealt first").format(count=equal_count)
        line = _pair_lookup().line
        line_count = sum(line[high.code][low.code] == self.line for high, low in _distinct_pairs(four))
        if line_count > 1:
            return gettext("the best of {count} choices on it").format(count=line_count)
        if self.line > 1:
            return gettext("no other two meet an earlier line")
        return gettext("it is the first line")


class _PairLookup(NamedTuple):
    """The kernels' results for any two cards by their codes, as Python numbers: a live table needs one hand at a time,
    and so no kernel."""

    preference: list[list[int]]
    line: list[list[int]]


@cache
def _pair_lookup() -> _PairLookup:
    arrays = cached_arrays("house-way", _build_pair_arrays)
    return _PairLookup(arrays["preference"].tolist(), arrays["line"].tolist())


def _build_pair_arrays() -> dict[str, NDArray[Any]]:
    def pair_line(one: Card, other: Card) -> int:
        low, high = sorted((one, other))
        return house_way_line(int(high.rank), int(low.rank), high.suit == low.suit)

    preferences = [
        [pair_preference(first_card.code, second_card.code) for second_card in STANDARD_DECK]
        for first_card in STANDARD_DECK
    ]
    lines = [[pair_line(first_card, second_card) for second_card in STANDARD_DECK] for first_card in STANDARD_DECK]
    return {"preference": np.array(preferences, np.int32), "line": np.array(lines, np.uint8)}


def house_way(four: Sequence[Card]) -> HouseWay:
    """Set the dealer's four cards, which are in the order in which they were dealt."""
    _check_hand(four)
    return set_dealer_cards(four)


def set_dealer_cards(four: Sequence[Card]) -> HouseWay:
    """The same for cards that the caller has checked, such as those of a round."""
    preferences, line = _pair_lookup()
    codes = [card.code for card in four]
    # Of equal choices the first, as in the kernel.
    values = [preferences[codes[first]][codes[second]] for first, second in CHOICES]
    first, second = CHOICES[values.index(max(values))]
    low, high = (first, second) if codes[first] < codes[second] else (second, first)
    return HouseWay(line[codes[high]][codes[low]], (four[high], four[low]))


def equal_choices(four: Sequence[Card]) -> tuple[tuple[Card, Card], ...]:
    """The equal choices of which the dealer keeps the one dealt first; usually there is only one. They are the same in
    every order of the deal, and each of n choices is kept in one of n orders.

    >>> from cardroom.cards import parse_cards
    >>> [*equal_choices(parse_cards("8s 8s 8c 8c"))], len(equal_choices(parse_cards("8s 8s 8s 8c")))
    ([(Card('8s'), Card('8s')), (Card('8c'), Card('8c'))], 1)
    """
    _check_hand(four)
    preferences = _pair_lookup().preference
    by_choice = {pair: preferences[pair[0].code][pair[1].code] for pair in _distinct_pairs(four)}
    best_value = max(by_choice.values())
    return tuple(pair for pair, value in by_choice.items() if value == best_value)


def _check_hand(four: Sequence[Card]) -> None:
    if len(four) != 4:
        raise BadHand(f"The house way sets four cards; there are {len(four)}.")
    Deck.SIX.check(four)


def _distinct_pairs(four: Sequence[Card]) -> dict[tuple[Card, Card], None]:
    """Every two of the four cards, the higher one first; identical choices once."""
    pairs = ((four[first_index], four[second_index]) for first_index, second_index in CHOICES)
    return dict.fromkeys((max(pair), min(pair)) for pair in pairs)
