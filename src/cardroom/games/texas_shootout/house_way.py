"""The house way: which two of the four cards the dealer of Texas Shootout plays (sheet 002, TS-1).

A choice of two cards belongs to the first of the 14 lines that it meets. The dealer plays the choice of the first
line; inside a line the highest cards (first card, then second), then suited cards over unsuited ones, and what is
still equal by suits: clubs, diamonds, hearts, spades, lowest first. Suits come to that among pairs of one rank only.

>>> from cardroom.cards import cards
>>> house_way(cards("Kh Qh As Tc")).words
'line 2, Ace – Jack or Better: As Kh'
>>> house_way(cards("Kh Qd As Tc")).kept, house_way(cards("7h 7d As Ts")).line
((Card('As'), Card('Kh')), 4)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Deck, names
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
"""The six ways to choose two of four cards, by the number that the kernel gives."""

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
    """A number that is higher the sooner the dealer plays these two cards, by their codes."""
    # The higher rank first; of two equal ranks the lower suit.
    swap = one >> 2 < other >> 2 or (one >> 2 == other >> 2 and one & 3 > other & 3)
    first, second = (other, one) if swap else (one, other)
    high, low = (first >> 2) + 2, (second >> 2) + 2
    suited = first & 3 == second & 3
    cards_then_suited = ((14 - line_of(high, low, suited)) << 9) | (high << 5) | (low << 1) | suited
    lowest_suits_first = 15 - ((first & 3) << 2 | (second & 3))
    return (cards_then_suited << 4) | lowest_suits_first


@kernel
def dealers_choice(hands: Codes, at: int) -> int:
    """Which of the ``CHOICES`` the dealer plays of the four cards in row ``at``."""
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
        return f"line {self.line}, {LINES[self.line - 1]}: {names(self.kept)}"

    def why(self, four: Sequence[Card]) -> str:
        """Why the dealer plays these two of the four, in a sentence.

        >>> from cardroom.cards import cards
        >>> four = cards("9h 7d Ks 2s")
        >>> house_way(four).why(four)
        'Of 9h 7d Ks 2s the house way plays Ks 2s by line 9, Face Card High Suited: no two of them meet a line before.'
        >>> four = cards("As Kh Qd 3c")
        >>> house_way(four).why(four)
        'Of As Kh Qd 3c the house way plays As Kh by line 2, Ace – Jack or Better: the best of 2 choices on it.'
        """
        line = _by_two_cards().line
        # A table of two cards is the same either way round.
        choices = {tuple(sorted((four[one], four[other]))) for one, other in CHOICES}
        on_it = sum(line[high.code, low.code] == self.line for low, high in choices)
        alone = "no two of them meet a line before" if self.line > 1 else "it is the first line"
        why = alone if on_it == 1 else f"the best of {on_it} choices on it"
        chosen = f"line {self.line}, {LINES[self.line - 1]}"
        return f"Of {names(four)} the house way plays {names(self.kept)} by {chosen}: {why}."


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
    """Set the dealer's four cards."""
    if len(four) != 4:
        raise BadHand(f"The house way sets four cards; there are {len(four)}.")
    Deck.SIX.check(four)
    wanted, line = _by_two_cards()
    # Of two choices that are wanted alike the first, as the kernel has it.
    one, other = max(CHOICES, key=lambda two: wanted[four[two[0]].code, four[two[1]].code])
    low, high = sorted((four[one], four[other]))
    return HouseWay(line[high.code, low.code], (high, low))
