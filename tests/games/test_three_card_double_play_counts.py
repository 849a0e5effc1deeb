"""The counts of 3 Card Double Play Poker, from a slow implementation of the sheet.

The counts of Pick-3 and Super-3's are not published. The file of counts has the results of this module: it takes one
hand of each kind, up to the names of the suits, lists the ten divisions of the hand, and compares each division with
the printed lines one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations as choose
from itertools import combinations_with_replacement, islice, product
from math import comb, factorial, prod

import numpy as np
import pytest

from cardroom.cards import STANDARD_DECK, Card, Rank, Suit, card_from_rank_suit, format_cards
from cardroom.games.three_card_double_play.divisions import (
    PICK_3_EVENTS,
    SUPER_3S_EVENTS,
    line_tables,
    matching_events,
)
from cardroom.games.three_card_double_play.rules import LOW_HAND_EVENTS
from cardroom.hands import THREE_CARD, encode_hands, evaluate_many
from cardroom.paytables import paytable
from tests.enumeration import combinations, section
from tests.hands import reference

SLUG = "three-card-double-play"
# The printed paytables have three sets of lines; one paytable represents each set.
LINE_SETS = [
    ("pick-3-double-pairs", "pick-3", "P3-1", PICK_3_EVENTS),
    ("pick-3-double-flush-or-straight", "pick-3", "P3-10", PICK_3_EVENTS),
    ("super-3s", "super-3s", "S3J-1", SUPER_3S_EVENTS),
]
by_division = pytest.mark.parametrize(("name", "wager", "table", "events"), LINE_SETS)

# The slow implementation. A division is a pair of hand kinds, in the words of rule 5.

MINI_ROYAL, STRAIGHT_FLUSH, TRIPS = "mini-royal", "straight flush", "three of a kind"
DIVISIONS = [(two, tuple({1, 2, 3, 4, 5} - set(two))) for two in choose(range(1, 6), 2)]
Kinds = tuple[str, str]


@cache
def map_three_cards_to_kinds() -> dict[frozenset[Card], str]:
    return {frozenset(three): reference.THREE_CARD.match(three).line for three in choose(STANDARD_DECK, 3)}


def list_divisions(six: tuple[Card, ...]) -> frozenset[Kinds]:
    """Return the kinds of the two hands of each division; the hand with the first card comes first."""
    kinds = map_three_cards_to_kinds()
    return frozenset(
        (kinds[frozenset((six[0], *(six[at] for at in two)))], kinds[frozenset(six[at] for at in three)])
        for two, three in DIVISIONS
    )


def meets_line(line: str, division: Kinds) -> bool:
    """Return whether a division is exactly what a printed line requires."""
    royals = division.count(MINI_ROYAL)
    flushes = division.count(STRAIGHT_FLUSH)
    trips = division.count(TRIPS)
    match line:
        case "double-mini-royal":
            return royals == 2
        case "mini-royal-with-straight-flush":
            return royals == 1 and flushes == 1
        case "mini-royal-with-trips":
            return royals == 1 and trips == 1
        case "mini-royal-and-trips-or-straight-flush":
            return royals == 1 and trips + flushes == 1
        case "double-trips-or-straight-flush":
            return trips + flushes == 2
        case "one-mini-royal":
            return royals == 1 and trips + flushes == 0
        case "single-trips-or-straight-flush" | "one-trips-or-straight-flush":
            return royals == 0 and trips + flushes == 1
        case "double-flush-or-straight":
            return division.count("flush") + division.count("straight") == 2
        case "double-pairs":
            return division.count("pair") == 2
        case "other":
            return True
    raise AssertionError(line)


@cache
def find_paid_line(divisions: frozenset[Kinds], wager: str, table: str) -> str:
    """Return the first line of a paytable that one of the divisions meets."""
    lines = [line.trigger for line in paytable(SLUG, wager, table).lines]
    return next(line for line in lines if any(meets_line(line, division) for division in divisions))


Suits = tuple[tuple[Rank, ...], ...]
"""The ranks in each suit, the longest suit first; suits without cards are omitted."""
SUIT_SIZES = ((6,), (5, 1), (4, 2), (4, 1, 1), (3, 3), (3, 2, 1), (3, 1, 1, 1), (2, 2, 2), (2, 2, 1, 1))


def iterate_kinds_of_six() -> Iterator[Suits]:
    """Yield one hand of six for each kind, up to the names of the suits."""
    for sizes in SUIT_SIZES:
        # Suits with the same number of cards can be exchanged, so their ranks are chosen without regard to order.
        groups = [
            combinations_with_replacement(list(choose(Rank, size)), sizes.count(size)) for size in dict.fromkeys(sizes)
        ]
        for chosen in product(*groups):
            yield tuple(ranks for group in chosen for ranks in group)


def make_hand(suits: Suits) -> tuple[Card, ...]:
    return tuple(card_from_rank_suit(rank, suit) for suit, ranks in zip(Suit, suits, strict=False) for rank in ranks)


def count_hands_of_kind(suits: Suits) -> int:
    """Count the hands that differ from this one only in the names of the suits, including itself."""
    suits_with_same_ranks = Counter(suits + ((),) * (4 - len(suits)))
    return factorial(4) // prod(factorial(count) for count in suits_with_same_ranks.values())


def test_the_rules_and_the_slow_implementation_agree_on_every_hundredth_kind_of_hand() -> None:
    for suits in islice(iterate_kinds_of_six(), 0, None, 100):
        six = make_hand(suits)
        divisions = list_divisions(six)
        for _, wager, table, events in LINE_SETS:
            line = paytable(SLUG, wager, table).find_matching_line(matching_events(six, events))
            assert line is not None
            assert line.trigger == find_paid_line(divisions, wager, table), format_cards(six)


@pytest.mark.long
def test_the_slow_implementation_gives_the_counts_in_the_file() -> None:
    counts_by_name: dict[str, Counter[str]] = {name: Counter() for name, *_ in LINE_SETS}
    for suits in iterate_kinds_of_six():
        divisions = list_divisions(make_hand(suits))
        for name, wager, table, _ in LINE_SETS:
            counts_by_name[name][find_paid_line(divisions, wager, table)] += count_hands_of_kind(suits)
    for name, counts in counts_by_name.items():
        total, expected = section(SLUG, name)
        assert counts.total() == total == comb(52, 6)
        assert counts == expected


def test_the_counts_of_the_dealers_hand_are_those_of_every_five_cards() -> None:
    total, expected = section(SLUG, "dealer")
    counts: Counter[str] = Counter()
    for hands in combinations(52, 5):
        for strength, count in enumerate(np.bincount(evaluate_many(THREE_CARD, hands)).tolist()):
            if count:
                counts[LOW_HAND_EVENTS[THREE_CARD.classes[strength - 1].category]] += count
    assert counts.total() == total
    assert counts == expected


def test_the_table_of_kinds_agrees_with_the_sheet_for_every_three_cards() -> None:
    kinds, _ = line_tables()
    for three, line in map_three_cards_to_kinds().items():
        ((a, b, c),) = encode_hands((tuple(three),)).tolist()
        assert THREE_CARD.order[kinds[a, b, c]] == line
