"""Where the counts of 3 Card Double Play Poker come from.

Pick-3 and Super-3's counts are not published. The data file has them from the slow reading below: one hand of
each kind that differs in more than the names of the suits, its ten divisions written out, each division compared with
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
# The printed tables fall into three sets of lines; one table stands for each.
LINE_SETS = [
    ("pick-3-double-pairs", "pick-3", "P3-1", PICK_3_EVENTS),
    ("pick-3-double-flush-or-straight", "pick-3", "P3-10", PICK_3_EVENTS),
    ("super-3s", "super-3s", "S3J-1", SUPER_3S_EVENTS),
]
by_division = pytest.mark.parametrize(("name", "wager", "table", "events"), LINE_SETS)

# The slow reading. A division is the pair of what its two hands are, in the words of rule 5.

MINI_ROYAL, STRAIGHT_FLUSH, TRIPS = "mini-royal", "straight flush", "three of a kind"
DIVISIONS = [(two, tuple({1, 2, 3, 4, 5} - set(two))) for two in choose(range(1, 6), 2)]
Kinds = tuple[str, str]


@cache
def kind_of_every_three() -> dict[frozenset[Card], str]:
    return {frozenset(three): reference.THREE_CARD.match(three).line for three in choose(STANDARD_DECK, 3)}


def written_out(six: tuple[Card, ...]) -> frozenset[Kinds]:
    """What the two hands of each of the ten divisions are, the division parted by its first card."""
    kinds = kind_of_every_three()
    return frozenset(
        (kinds[frozenset((six[0], *(six[at] for at in two)))], kinds[frozenset(six[at] for at in three)])
        for two, three in DIVISIONS
    )


def meets(line: str, division: Kinds) -> bool:
    """Whether a division is what a printed line says, neither more nor less."""
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
def line_paid(written: frozenset[Kinds], wager: str, table: str) -> str:
    """The first line of a table that one of the divisions is."""
    lines = [line.trigger for line in paytable(SLUG, wager, table).lines]
    return next(line for line in lines if any(meets(line, division) for division in written))


Suits = tuple[tuple[Rank, ...], ...]
"""The ranks in each suit, the longest suit first; suits without cards are left out."""
SUIT_SIZES = ((6,), (5, 1), (4, 2), (4, 1, 1), (3, 3), (3, 2, 1), (3, 1, 1, 1), (2, 2, 2), (2, 2, 1, 1))


def kinds_of_six() -> Iterator[Suits]:
    """One hand of six for each kind up to the names of the suits."""
    for sizes in SUIT_SIZES:
        # Suits with equally many cards can be exchanged, so their ranks are chosen without regard to order.
        groups = [
            combinations_with_replacement(list(choose(Rank, size)), sizes.count(size)) for size in dict.fromkeys(sizes)
        ]
        for chosen in product(*groups):
            yield tuple(ranks for group in chosen for ranks in group)


def hand_of(suits: Suits) -> tuple[Card, ...]:
    return tuple(card_from_rank_suit(rank, suit) for suit, ranks in zip(Suit, suits, strict=False) for rank in ranks)


def hands_of_the_kind(suits: Suits) -> int:
    """How many hands differ from this one in the names of the suits only."""
    alike = Counter(suits + ((),) * (4 - len(suits)))
    return factorial(4) // prod(factorial(count) for count in alike.values())


def test_the_kernel_and_the_slow_reading_agree_on_one_kind_of_hand_in_a_hundred() -> None:
    for suits in islice(kinds_of_six(), 0, None, 100):
        six = hand_of(suits)
        written = written_out(six)
        for _, wager, table, events in LINE_SETS:
            line = paytable(SLUG, wager, table).find_matching_line(matching_events(six, events))
            assert line is not None
            assert line.trigger == line_paid(written, wager, table), format_cards(six)


@pytest.mark.long
def test_the_slow_reading_gives_the_counts_of_the_data_file() -> None:
    found: dict[str, Counter[str]] = {name: Counter() for name, *_ in LINE_SETS}
    for suits in kinds_of_six():
        written = written_out(hand_of(suits))
        for name, wager, table, _ in LINE_SETS:
            found[name][line_paid(written, wager, table)] += hands_of_the_kind(suits)
    for name, counted in found.items():
        total, expected = section(SLUG, name)
        assert counted.total() == total == comb(52, 6)
        assert counted == expected


def test_the_dealers_best_three_of_five_come_as_often_as_counted_one_by_one() -> None:
    total, expected = section(SLUG, "dealer")
    found: Counter[str] = Counter()
    for hands in combinations(52, 5):
        for strength, count in enumerate(np.bincount(evaluate_many(THREE_CARD, hands)).tolist()):
            if count:
                found[LOW_HAND_EVENTS[THREE_CARD.classes[strength - 1].category]] += count
    assert found.total() == total
    assert found == expected


def test_the_kinds_table_knows_every_three_cards_as_the_sheet_does() -> None:
    kinds, _ = line_tables()
    for three, line in kind_of_every_three().items():
        ((a, b, c),) = encode_hands((tuple(three),)).tolist()
        assert THREE_CARD.order[kinds[a, b, c]] == line
