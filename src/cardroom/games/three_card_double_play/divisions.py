"""The ten divisions of six cards into two hands of three: how they may be set, and what Pick-3 and Super-3's find.

Sheet 004, rules 3 and 5 and Appendices B and D, as DP-2 to DP-4 read them.

>>> from cardroom.cards import parse_cards
>>> str(suggest_setting(parse_cards("As Ks Qs Qd Qh 2c")))
'set As Ks Qs | Qh Qd 2c'
>>> matching_events(parse_cards("As Ks Qs Qd Qh 2c"), PICK_3_EVENTS)
('one-mini-royal', 'single-trips-or-straight-flush', 'other')
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, permutations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, card_from_code
from cardroom.games.actions import Decision, Verb
from cardroom.hands import THREE_CARD, Category, Hand, encode_hands, evaluate_all_unchecked, evaluate_many
from cardroom.hands.strength import Codes
from cardroom.kernels import cached_arrays, kernel

_C = Category
_STRAIGHT_FLUSHES: Final = {_C.STRAIGHT_FLUSH, _C.MINI_ROYAL}
_TRIPS_OR_STRAIGHT_FLUSH: Final = {_C.THREE_OF_A_KIND} | _STRAIGHT_FLUSHES
_FLUSH_OR_STRAIGHT: Final = {_C.FLUSH, _C.STRAIGHT} | _STRAIGHT_FLUSHES
_PAIR: Final = {_C.PAIR, _C.THREE_OF_A_KIND}

PICK_3_EVENTS: Final = (
    "double-mini-royal",
    "mini-royal-and-trips-or-straight-flush",
    "double-trips-or-straight-flush",
    "one-mini-royal",
    "single-trips-or-straight-flush",
    "double-flush-or-straight",
    "double-pairs",
    "other",
)
"""Appendix B from the top line down; no printed table has both of the last two lines before ``other``."""

SUPER_3S_EVENTS: Final = (
    "double-mini-royal",
    "mini-royal-with-straight-flush",
    "mini-royal-with-trips",
    "double-trips-or-straight-flush",
    "one-mini-royal",
    "one-trips-or-straight-flush",
    "other",
)
"""Appendix D from the top line down."""

EVENTS: Final = tuple(dict.fromkeys(PICK_3_EVENTS + SUPER_3S_EVENTS))
"""Every line of both appendices; its place here is its bit in what ``division_line_bits`` returns."""

_BIT_INDEX: Final = {event: place for place, event in enumerate(EVENTS)}

_SINGLE_HAND_EVENTS: Final = ("one-mini-royal", "single-trips-or-straight-flush", "one-trips-or-straight-flush")


def division_events(first_category: Category, second_category: Category) -> Iterator[str]:
    """The lines of both appendices that a division meets, by what its two hands are (DP-4).

    A good hand meets the lower lines too: a mini-royal is a straight flush, a straight flush is a flush and a
    straight, trips hold a pair. The higher line stands above them on every printed table, so it is the one that pays.
    """
    categories = {first_category, second_category}
    mini_royal = _C.MINI_ROYAL in categories
    conditions = {
        "double-mini-royal": categories == {_C.MINI_ROYAL},
        "mini-royal-with-straight-flush": mini_royal and categories <= _STRAIGHT_FLUSHES,
        "mini-royal-with-trips": categories == {_C.MINI_ROYAL, _C.THREE_OF_A_KIND},
        "mini-royal-and-trips-or-straight-flush": mini_royal and categories <= _TRIPS_OR_STRAIGHT_FLUSH,
        "double-trips-or-straight-flush": categories <= _TRIPS_OR_STRAIGHT_FLUSH,
        "one-mini-royal": mini_royal,
        "single-trips-or-straight-flush": not categories.isdisjoint(_TRIPS_OR_STRAIGHT_FLUSH),
        "one-trips-or-straight-flush": not categories.isdisjoint(_TRIPS_OR_STRAIGHT_FLUSH),
        "double-flush-or-straight": categories <= _FLUSH_OR_STRAIGHT,
        "double-pairs": categories <= _PAIR,
        "other": True,
    }
    return (event for event, is_met in conditions.items() if is_met)


# Over millions of hands: the same lines as bits.


class LineTables(NamedTuple):
    """What ``division_line_bits`` looks up."""

    kinds: NDArray[np.uint8]
    """By the codes of three different cards in any order: the place of their hand in the order of rule 5."""
    lines: NDArray[np.uint16]
    """By the kinds of two hands: the lines that they meet together, one bit for each of ``EVENTS``."""


@cache
def line_tables() -> LineTables:
    """The tables; built once, then read from the user's cache folder."""
    arrays = _cached_arrays()
    return LineTables(arrays["kinds"], arrays["lines"])


@cache
def _cached_arrays() -> dict[str, NDArray[Any]]:
    return cached_arrays("three-card-divisions", _build_arrays)


def _build_arrays() -> dict[str, NDArray[Any]]:
    order = THREE_CARD.order
    kind_of = np.array([0, *_kinds_by_class()], np.uint8)
    hands = encode_hands(combinations(STANDARD_DECK, 3))
    found_strengths = evaluate_many(THREE_CARD, hands)
    kinds = np.zeros((len(STANDARD_DECK),) * 3, np.uint8)
    for first, second, third in permutations(range(3)):
        kinds[hands[:, first], hands[:, second], hands[:, third]] = kind_of[found_strengths]
    bits = [[sum(1 << EVENTS.index(event) for event in division_events(a, b)) for b in order] for a in order]
    strengths = np.zeros((len(STANDARD_DECK),) * 3, np.uint16)
    strengths[hands[:, 2], hands[:, 1], hands[:, 0]] = found_strengths  # from the highest card down
    return {"kinds": kinds, "lines": np.array(bits, np.uint16), "strengths": strengths}


@kernel
def division_line_bits(hands: Codes, row: int, kinds: NDArray[np.uint8], lines: NDArray[np.uint16]) -> int:
    """The lines that some division of the six cards in row ``row`` meets (DP-3): bits by their place in ``EVENTS``."""
    a, b, c = hands[row, 0], hands[row, 1], hands[row, 2]
    d, e, f = hands[row, 3], hands[row, 4], hands[row, 5]
    bits: int = (
        lines[kinds[a, b, c], kinds[d, e, f]]
        | lines[kinds[a, b, d], kinds[c, e, f]]
        | lines[kinds[a, b, e], kinds[c, d, f]]
        | lines[kinds[a, b, f], kinds[c, d, e]]
        | lines[kinds[a, c, d], kinds[b, e, f]]
        | lines[kinds[a, c, e], kinds[b, d, f]]
        | lines[kinds[a, c, f], kinds[b, d, e]]
        | lines[kinds[a, d, e], kinds[b, c, f]]
        | lines[kinds[a, d, f], kinds[b, c, e]]
        | lines[kinds[a, e, f], kinds[b, c, d]]
    )
    return bits


def events_from_bits(bits: int, events: Sequence[str]) -> tuple[str, ...]:
    """Those of these events whose bits are set, in the order given."""
    return tuple([event for event in events if bits >> _BIT_INDEX[event] & 1])


# One hand at the table.


def matching_events(six: Sequence[Card], events: Sequence[str]) -> tuple[str, ...]:
    """Which of a wager's events the six cards meet, however they were set (DP-3); the best one first."""
    bits, lines = 0, _scalar_tables().lines
    for ranked in ranked_divisions(six):
        bits |= lines[ranked.kinds]
    return events_from_bits(bits, events)


class Division(NamedTuple):
    """Six cards as two hands of three, the higher one in the High Hand box (rule 3, DP-2)."""

    high: Hand
    low: Hand

    @property
    def decision(self) -> Decision:
        return Decision(Verb.SET, (self.high.cards, self.low.cards))

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Every way to set it, the listed one first: two equal hands may go into either box (DP-6)."""
        is_even = self.high.strength == self.low.strength
        return (self.decision, self.decision.with_reversed_groups) if is_even else (self.decision,)


class RankedDivision(NamedTuple):
    """A division by the strengths of its hands alone. The cards of each come from the highest down."""

    high: tuple[Card, ...]
    low: tuple[Card, ...]
    strengths: tuple[int, int]
    kinds: tuple[int, int]
    """The places of the two hands in the order of rule 5."""

    @property
    def decision(self) -> Decision:
        return Decision.from_sorted_groups(Verb.SET, (self.high, self.low))

    @property
    def is_even(self) -> bool:
        """Whether both hands are equal, so that they may go into either box (DP-6)."""
        return self.strengths[0] == self.strengths[1]

    @property
    def division(self) -> Division:
        high, low = evaluate_all_unchecked(THREE_CARD, (self.high, self.low))
        return Division(high, low)


class _ScalarTables(NamedTuple):
    """The line tables in Python's own numbers, for a hand at a time."""

    strengths: memoryview
    """By the codes of three cards from the highest down."""
    kind_of: tuple[int, ...]
    """By strength."""
    lines: Mapping[tuple[int, int], int]


@cache
def _scalar_tables() -> _ScalarTables:
    tables = line_tables()
    kinds = range(len(THREE_CARD.order))
    lines = {(high_kind, low_kind): int(tables.lines[high_kind, low_kind]) for high_kind in kinds for low_kind in kinds}
    return _ScalarTables(_cached_arrays()["strengths"].data, (0, *_kinds_by_class()), lines)


def _kinds_by_class() -> Iterator[int]:
    """By class of hands: its place in the order of rule 5."""
    return (THREE_CARD.order.index(hand_class.category) for hand_class in THREE_CARD.classes)


def ranked_divisions(six: Sequence[Card]) -> tuple[RankedDivision, ...]:
    """The ten divisions of six cards. Of two equal hands the one with the highest card is listed as the high hand."""
    return _ranked_divisions(tuple(sorted([card.code for card in six], reverse=True)))


@lru_cache(maxsize=64)  # a table asks for the same few hands from the deal to the last payment
def _ranked_divisions(descending_codes: tuple[int, ...]) -> tuple[RankedDivision, ...]:
    strength_of, kind_of, _ = _scalar_tables()
    # The twenty hands come in such an order that the first and the last have all six cards, and so on inwards; the
    # highest card is in the first ten.
    hands = list(combinations(map(card_from_code, descending_codes), 3))
    strengths = [strength_of[three] for three in combinations(descending_codes, 3)]
    ranked = []
    for index in range(10):
        high, low = (index, 19 - index) if strengths[index] >= strengths[19 - index] else (19 - index, index)
        pair_strengths = strengths[high], strengths[low]
        ranked.append(
            RankedDivision(
                hands[high], hands[low], pair_strengths, (kind_of[pair_strengths[0]], kind_of[pair_strengths[1]])
            )
        )
    return tuple(ranked)


def divisions(six: Sequence[Card]) -> tuple[Division, ...]:
    """The ten divisions with their hands."""
    return tuple(ranked.division for ranked in ranked_divisions(six))


def event_hands(six: Sequence[Card], event: str) -> tuple[Hand, ...]:
    """The hand or the two hands that meet a line, from the best division that does; none for ``other``."""
    if event == "other":
        return ()
    bit, lines = 1 << _BIT_INDEX[event], _scalar_tables().lines
    best = max(
        (ranked for ranked in ranked_divisions(six) if lines[ranked.kinds] & bit), key=lambda ranked: ranked.strengths
    ).division
    return (best.high,) if event in _SINGLE_HAND_EVENTS else best


def suggest_setting(six: Sequence[Card]) -> Decision:
    """How a dealer sets a hand for a player who asks. The sheet leaves it to the player; this is a house way that can
    be followed by eye. Over 200,000 sampled hands, the dealer's hand taken as independent of the player's, it gave up
    one to two cents for each dollar on the High Hand, by table LWB1 to LWB6, against the best setting of each hand.

    1. Put a pair or better into the low hand if it can be done: high cards seldom beat the best three of five.
    2. Then make the high hand as good as the list of rule 5 goes, a straight before a flush and so on.
    3. Then make the low hand as high as it can be, because it is the one that pays more; then the high hand.
    """
    return max(ranked_divisions(six), key=_setting_preference).decision


def _setting_preference(ranked: RankedDivision) -> tuple[bool, int, int, int]:
    (high, low), (high_kind, low_kind) = ranked.strengths, ranked.kinds
    return low_kind > _NO_PAIR, high_kind, low, high


_NO_PAIR: Final = THREE_CARD.order.index(_C.HIGH_CARD)
