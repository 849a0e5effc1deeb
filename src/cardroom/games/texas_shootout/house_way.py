"""The house way: which two of the four cards the dealer of Texas Shootout plays (sheet 002, TS-1).

A choice of two cards belongs to the first of the 14 lines that it meets. The dealer plays the choice of the first
line; inside a line the highest cards (first card, then second), then suited cards over unsuited ones. Of equal choices
the dealer keeps the cards dealt first; suits have no rank. It comes to that among pairs of one rank only, with three or
four cards of it. So the four cards are always given in the order in which they were dealt.

>>> from cardroom.cards import cards
>>> house_way(cards("Kh Qh As Tc")).words
'line 2, Ace – Jack or Better: A♠ K♥'
>>> house_way(cards("Kh Qd As Tc")).kept, house_way(cards("7h 7d As Ts")).line
((Card('As'), Card('Kh')), 4)
>>> house_way(cards("Kh Kc 2d Ks")).kept, house_way(cards("Ks 2d Kc Kh")).kept
((Card('Kh'), Card('Kc')), (Card('Ks'), Card('Kc')))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Deck, printed
from cardroom.hands import BadHand
from cardroom.hands.strength import Codes
from cardroom.kernels import kept_arrays, kernel, rule

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
"""As the sheet prints them; line 1 stands at index 0."""

CHOICES: Final = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
"""The six ways to choose two of four cards, by the number that the kernel gives. Of cards in the order in which they
were dealt, the choice with the card dealt first comes first."""

_EIGHT: Final = 8
_TEN: Final = 10
_JACK: Final = 11
_ACE: Final = 14


@rule
def line_of(high: int, low: int, suited: bool) -> int:
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
def preference(one: int, other: int) -> int:
    """A number that is higher the sooner the dealer plays these two cards, by their codes; which suits they are says
    nothing, only whether it is one."""
    high, low = (max(one, other) >> 2) + 2, (min(one, other) >> 2) + 2
    suited = one & 3 == other & 3
    return ((14 - line_of(high, low, suited)) << 9) | (high << 5) | (low << 1) | suited


@kernel
def dealers_choice(hands: Codes, at: int) -> int:
    """Which of the ``CHOICES`` the dealer plays of the four cards in row ``at``, which are in the order in which they
    were dealt: of equal choices the first."""
    best, choice, number = -1, 0, 0
    for one in range(3):
        for other in range(one + 1, 4):
            wanted = preference(int(hands[at, one]), int(hands[at, other]))
            if wanted > best:
                best, choice = wanted, number
            number += 1
    return choice


@dataclass(frozen=True, slots=True)
class HouseWay:
    """The two cards that the dealer plays, the higher one first, and the line that chose them."""

    line: int
    kept: tuple[Card, Card]

    @property
    def words(self) -> str:
        return f"line {self.line}, {LINES[self.line - 1]}: {printed(self.kept)}"

    def why(self, four: Sequence[Card]) -> str:
        """Why the dealer plays these two of the four, in a sentence.

        >>> from cardroom.cards import cards
        >>> four = cards("9h 7d Ks 2s")
        >>> house_way(four).why(four)
        'Of 9♥ 7♦ K♠ 2♠ the house way plays K♠ 2♠ by line 9, Face Card High Suited: no two of them meet a line before.'
        >>> four = cards("As Kh Qd 3c")
        >>> house_way(four).why(four)
        'Of A♠ K♥ Q♦ 3♣ the house way plays A♠ K♥ by line 2, Ace – Jack or Better: the best of 2 choices on it.'
        >>> four = cards("5s 5h 5h 5s")
        >>> house_way(four).why(four)
        'Of 5♠ 5♥ 5♥ 5♠ the house way plays 5♠ 5♠ by line 3, Any Pair Suited: of 2 equal choices the cards dealt first.'
        """
        chosen = f"line {self.line}, {LINES[self.line - 1]}"
        return f"Of {printed(four)} the house way plays {printed(self.kept)} by {chosen}: {self._before_others(four)}."

    def _before_others(self, four: Sequence[Card]) -> str:
        """What these two cards have before any other two of the four."""
        equal = len(equal_choices(four))
        if equal > 1:
            return f"of {equal} equal choices the cards dealt first"
        line = _by_two_cards().line
        on_it = sum(line[high.code, low.code] == self.line for high, low in _choices(four))
        if on_it > 1:
            return f"the best of {on_it} choices on it"
        return "no two of them meet a line before" if self.line > 1 else "it is the first line"


class _ByTwoCards(NamedTuple):
    """What the kernels say of any two cards by their codes, in Python's own numbers: a table asks for one hand at a
    time, and most programs that do so need no kernel besides."""

    preference: memoryview
    line: memoryview


@cache
def _by_two_cards() -> _ByTwoCards:
    kept = kept_arrays("house-way", _of_two_cards)
    return _ByTwoCards(kept["preference"].data, kept["line"].data)


def _of_two_cards() -> dict[str, NDArray[Any]]:
    def line(one: Card, other: Card) -> int:
        low, high = sorted((one, other))
        return line_of(int(high.rank), int(low.rank), high.suit == low.suit)

    wanted = [[preference(one.code, other.code) for other in STANDARD_DECK] for one in STANDARD_DECK]
    lines = [[line(one, other) for other in STANDARD_DECK] for one in STANDARD_DECK]
    return {"preference": np.array(wanted, np.int32), "line": np.array(lines, np.uint8)}


def house_way(four: Sequence[Card]) -> HouseWay:
    """Set the dealer's four cards, which are in the order in which they were dealt."""
    _check(four)
    wanted, line = _by_two_cards()
    # Of choices that are wanted alike the first, as the kernel has it.
    one, other = max(CHOICES, key=lambda two: wanted[four[two[0]].code, four[two[1]].code])
    low, high = sorted((four[one], four[other]))
    return HouseWay(line[high.code, low.code], (high, low))


def equal_choices(four: Sequence[Card]) -> tuple[tuple[Card, Card], ...]:
    """The choices of which the dealer keeps the one that was dealt first; mostly there is one only. In whatever order
    the cards are dealt they are the same, and of n of them each is kept in one order of n.

    >>> from cardroom.cards import cards
    >>> [*equal_choices(cards("8s 8s 8c 8c"))], len(equal_choices(cards("8s 8s 8s 8c")))
    ([(Card('8s'), Card('8s')), (Card('8c'), Card('8c'))], 1)
    """
    _check(four)
    wanted = _by_two_cards().preference
    by_choice = {two: wanted[two[0].code, two[1].code] for two in _choices(four)}
    most = max(by_choice.values())
    return tuple(two for two, value in by_choice.items() if value == most)


def _check(four: Sequence[Card]) -> None:
    if len(four) != 4:
        raise BadHand(f"The house way sets four cards; there are {len(four)}.")
    Deck.SIX.check(four)


def _choices(four: Sequence[Card]) -> dict[tuple[Card, Card], None]:
    """Every two of the four cards, the higher one first; two that are the same to the eye as others once."""
    pairs = ((four[one], four[other]) for one, other in CHOICES)
    return dict.fromkeys((max(pair), min(pair)) for pair in pairs)
