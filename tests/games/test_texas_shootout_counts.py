"""How many deals meet each line, counted three times: by arithmetic, in the file of counts, and by the rules."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, pairwise
from math import comb, factorial, perm, prod

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.games.texas_shootout.house_way import CHOICES, choose_dealer_pair, house_way_line
from cardroom.games.texas_shootout.side_wagers import SHOOTOUT_EVENTS
from cardroom.hands import SIX_DECK, evaluate_many
from tests.enumeration import combinations, section
from tests.hands.every_hand import hands_with_copies, ways_to_deal

SLUG = "texas-shootout"
DECKS = 6
RANK = 4 * DECKS  # cards of one rank
SUIT = 13 * DECKS  # cards of one suit
NOTHING = "nothing"

Counts = dict[str, int]


# Quick Draw by arithmetic: four of 312 cards. Count every hand of a shape, and then subtract the suited hands.


def count_quick_draw() -> Counts:
    suited_fours = 52 * comb(DECKS, 4)
    runs_suited = 4 * DECKS**4  # of one length and position
    suited_trips = 52 * comb(DECKS, 3) * (SUIT - DECKS)
    suited_two_pair = 4 * comb(13, 2) * comb(DECKS, 2) ** 2
    others = comb(12, 2) * RANK**2  # two more cards with a pair, of two other ranks
    others_in_suit = comb(12, 2) * DECKS**2
    suited_pair = 4 * comb(DECKS, 2) * (others - others_in_suit)  # of one rank; four suited cards are a flush
    plain_pair = (comb(RANK, 2) - 4 * comb(DECKS, 2)) * others
    return {
        "four-of-a-kind-suited": suited_fours,
        "royal-flush": runs_suited,
        "straight-flush": 10 * runs_suited,
        "four-of-a-kind": 13 * comb(RANK, 4) - suited_fours,
        "straight": 11 * (RANK**4 - runs_suited),
        "flush": 4 * comb(SUIT, 4) - suited_fours - 11 * runs_suited,
        "three-of-a-kind": 13 * comb(RANK, 3) * 12 * RANK - suited_trips,
        "two-pair": comb(13, 2) * comb(RANK, 2) ** 2 - suited_two_pair,
        "suited-pair": 13 * suited_pair,
        "pair-of-jacks-or-better": 4 * plain_pair,
        "pair-of-eights-or-better": 3 * plain_pair,
        "any-pair": 6 * plain_pair,
    }


def count_quick_draw_without_suited_pairs() -> Counts:
    """TS/QD 3 and 4: a suited pair is paid as a pair of its rank; pairs of twos to sevens are not paid (TS-4)."""
    best = count_quick_draw()
    by_rank = best.pop("suited-pair") // 13
    del best["any-pair"]
    best["pair-of-jacks-or-better"] += 4 * by_rank
    best["pair-of-eights-or-better"] += 3 * by_rank
    return best


def count_quick_draw_with_jacks_or_better_last() -> Counts:
    """TS/QD 1 and 2: any suited pair is paid, and an unsuited pair of jacks or better."""
    best = count_quick_draw()
    del best["pair-of-eights-or-better"], best["any-pair"]
    return best


# The Shootout lines by arithmetic: five of 312 cards.


def count_five_cards() -> Counts:
    suited_fives = 52 * comb(DECKS, 5)
    runs_suited = 4 * DECKS**5
    suited_fours = 52 * comb(DECKS, 4) * (SUIT - DECKS)
    suited_full_houses = 4 * 13 * 12 * comb(DECKS, 3) * comb(DECKS, 2)
    suited_trips = 52 * comb(DECKS, 3) * comb(12, 2) * DECKS**2
    higher_in_suit = suited_fives + 10 * runs_suited + suited_fours + suited_full_houses
    return {
        "five-of-a-kind-suited": suited_fives,
        "royal-flush": runs_suited,
        "straight-flush": 9 * runs_suited,
        "five-of-a-kind": 13 * comb(RANK, 5) - suited_fives,
        "four-of-a-kind": 13 * comb(RANK, 4) * 12 * RANK,  # suited or not (TS-2)
        "full-house": 13 * 12 * comb(RANK, 3) * comb(RANK, 2),
        "flush": 4 * comb(SUIT, 5) - higher_in_suit,
        "straight": 10 * (RANK**5 - runs_suited),
        "three-of-a-kind": 13 * comb(RANK, 3) * comb(12, 2) * RANK**2 - suited_trips,
    }


# Seven of 312 cards. Only one suit can have five of the seven. So count every multiset of seven ranks for the line of
# its ranks. Then move each hand with five, six, or seven cards of one suit to the better of two lines: the line of its
# ranks and the line of its suit.

ORDER = (*count_five_cards(), NOTHING)
RUNS = [{14 if rank == 1 else rank for rank in range(top - 4, top + 1)} for top in range(5, 15)]


def count_choices(cards: tuple[int, ...], copies: int) -> int:
    return prod(comb(copies, times) for times in Counter(cards).values())


@cache
def find_line_of_ranks(ranks: tuple[int, ...]) -> int:
    """Return the place in ``ORDER`` of the line that seven ranks make without regard to suits."""
    most, *other_counts = sorted(Counter(ranks).values(), reverse=True)
    if most >= 5:
        return ORDER.index("five-of-a-kind")
    if most == 4:
        return ORDER.index("four-of-a-kind")
    if most == 3 and other_counts[0] >= 2:
        return ORDER.index("full-house")
    if any(run <= set(ranks) for run in RUNS):
        return ORDER.index("straight")
    return ORDER.index("three-of-a-kind" if most == 3 else NOTHING)


def find_line_of_suit(ranks: tuple[int, ...]) -> int:
    """Return the place in ``ORDER`` of the line that five or more cards of one suit make: a flush or better."""
    if max(Counter(ranks).values()) >= 5:
        return ORDER.index("five-of-a-kind-suited")
    if RUNS[-1] <= set(ranks):
        return ORDER.index("royal-flush")
    return ORDER.index("straight-flush" if any(run <= set(ranks) for run in RUNS) else "flush")


def count_seven_cards() -> Counts:
    counts = [0] * len(ORDER)
    for ranks in combinations_with_replacement(range(2, 15), 7):
        counts[find_line_of_ranks(ranks)] += count_choices(ranks, RANK)
    for size in (5, 6, 7):
        others = [
            (other, count_choices(other, RANK - DECKS))
            for other in combinations_with_replacement(range(2, 15), 7 - size)
        ]
        for suited in combinations_with_replacement(range(2, 15), size):
            suited_line, ways = find_line_of_suit(suited), 4 * count_choices(suited, DECKS)
            if not ways:
                continue
            for other, other_ways in others:
                line_of_ranks = find_line_of_ranks(tuple(sorted(suited + other)))
                if suited_line < line_of_ranks:
                    counts[line_of_ranks] -= ways * other_ways
                    counts[suited_line] += ways * other_ways
    return dict(zip(ORDER[:-1], counts, strict=False))


# The house way by arithmetic: how many deals meet none of the first n lines. From line 5 on the four ranks differ, so
# only suits are counted, and each card has six copies.


def count_house_way() -> list[int]:
    total = comb(312, 4)
    low = 6 * RANK  # cards from two to seven

    def count_different(ranks: int, cards: int, others: int) -> int:
        """Count hands with this many cards of different ranks, times the choices of the other cards."""
        return comb(ranks, cards) * RANK**cards * others

    none_of_1 = sum(count_different(7, high, comb(low, 4 - high)) for high in range(5))
    # No ace, or an ace without a jack, queen, or king.
    none_of_2 = sum(count_different(6, high, comb(low, 4 - high)) for high in range(5)) + RANK * sum(
        count_different(3, high, comb(low, 3 - high)) for high in range(4)
    )
    different = [comb(24, cards) * DECKS**cards for cards in range(5)]  # low cards, no two identical
    none_of_3 = sum(count_different(6, high, different[4 - high]) for high in range(5)) + RANK * sum(
        count_different(3, high, different[3 - high]) for high in range(4)
    )
    suits, ace_alone = 4**4, 4 * 3**3  # four cards of any suits; an ace and three cards of other suits
    none_of_4 = (comb(12, 4) + comb(9, 3)) * suits
    none_of_5 = comb(12, 4) * suits + comb(9, 3) * ace_alone
    # Tens to kings: no two of one suit, and then no two at all.
    tens_apart = sum(comb(4, tens) * perm(4, tens) * comb(8, 4 - tens) * 4 ** (4 - tens) for tens in range(5))
    none_of_6 = tens_apart + comb(9, 3) * ace_alone
    one_ten = (comb(8, 4) + 4 * comb(8, 3)) * suits
    none_of_7 = one_ten + comb(8, 3) * ace_alone
    none_of_8 = one_ten
    no_face = comb(9, 4) * suits
    none_of_9 = 3 * comb(8, 3) * ace_alone + no_face  # a face card alone in its suit, or none
    none_of_10 = no_face
    # Four of the nine ranks from two to ten with this many neighbors, none of them suited.
    none_of_11 = sum(comb(3, near) * comb(6, 4 - near) * 4 ** (4 - near) * 3**near for near in range(4))
    none_of_12 = comb(6, 4) * suits
    none_of_13 = comb(6, 4) * factorial(4)
    left_by_suits = [none_of_4, none_of_5, none_of_6, none_of_7, none_of_8, none_of_9, none_of_10]
    left_by_suits += [none_of_11, none_of_12, none_of_13, 0]
    remaining = [total, none_of_1, none_of_2, none_of_3, *(count * DECKS**4 for count in left_by_suits)]
    return [count - following for count, following in pairwise(remaining)]


# The arithmetic and the file


@pytest.mark.parametrize(
    ("name", "total", "counts"),
    [
        ("quick-draw", comb(312, 4), count_quick_draw()),
        ("TS/QD 1", comb(312, 4), count_quick_draw_with_jacks_or_better_last()),
        ("TS/QD 3", comb(312, 4), count_quick_draw_without_suited_pairs()),
        ("TS/QD 5", comb(312, 4), count_quick_draw()),
        ("five-cards", comb(312, 5), count_five_cards()),
        ("house-way", comb(312, 4), {f"line-{n}": ways for n, ways in enumerate(count_house_way(), 1)}),
    ],
)
def test_the_file_of_counts_agrees_with_arithmetic(name: str, total: int, counts: Counts) -> None:
    assert section(SLUG, name) == (total, counts)


def test_the_file_of_counts_agrees_with_arithmetic_for_seven_cards() -> None:
    assert section(SLUG, "seven-cards") == (comb(312, 7), count_seven_cards())


def test_every_deal_is_on_one_line_of_the_house_way() -> None:
    total, lines = section(SLUG, "house-way")
    assert sum(lines.values()) == total
    assert all(lines.values())


# The rules and the file


@cache
def list_four_cards() -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    hands = np.ascontiguousarray(hands_with_copies(52, 4))
    return hands, ways_to_deal(hands, DECKS)


def test_the_dealer_plays_each_line_of_the_house_way_as_often_as_expected() -> None:
    (hands, ways), lines = list_four_cards(), Counter[str]()
    for at, count in enumerate(ways.tolist()):
        low, high = sorted(int(hands[at, card]) for card in CHOICES[choose_dealer_pair(hands, at)])
        lines[f"line-{house_way_line(high // 4 + 2, low // 4 + 2, high % 4 == low % 4)}"] += count
    assert lines == section(SLUG, "house-way")[1]


def count_shootout_events(hands: NDArray[np.uint8], counts: Counter[str]) -> None:
    """Count the best Shootout event of each hand, times the number of its deals."""
    strengths, ways = evaluate_many(SIX_DECK, hands), ways_to_deal(hands, DECKS)
    events = [SHOOTOUT_EVENTS.get(hand_class.category, (NOTHING,))[0] for hand_class in SIX_DECK.classes]
    names = sorted(set(events))
    place = np.array([0, *map(names.index, events)], dtype=np.uint8)[strengths]
    for number, name in enumerate(names):
        counts[name] += int(ways[place == number].sum())


def test_the_rules_give_the_expected_counts_of_shootout_events_for_five_cards() -> None:
    counts = Counter[str]()
    count_shootout_events(np.ascontiguousarray(hands_with_copies(52, 5)), counts)
    assert counts.total() == comb(312, 5)
    del counts[NOTHING]
    assert counts == section(SLUG, "five-cards")[1]


@pytest.mark.long
def test_the_rules_give_the_expected_counts_of_shootout_events_for_seven_cards() -> None:
    counts = Counter[str]()
    for block in combinations(58, 7):
        count_shootout_events(block - np.arange(7, dtype=np.uint8), counts)
    assert counts.total() == comb(312, 7)
    del counts[NOTHING]
    assert counts == section(SLUG, "seven-cards")[1]
