"""The counts of Dueling for Dollars by hand: the file of counts, and the lines that the cards of a deal meet.

Deals are ordered: the player's card, the community card, and so on.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import perm

import pytest

from cardroom.cards import STANDARD_DECK, Card, Rank, Suit, card_from_rank_suit
from cardroom.games.dueling_for_dollars.bonuses import BONUSES, TIE_AFTER_TIE, matching_lines
from cardroom.paytables import paytables
from tests.enumeration import section

SLUG = "dueling-for-dollars"
DECKS = (5, 6, 8)
CARDS = {"tie-plus": 2, "combo": 2, "tie-after-tie": 4, "two-plus-two": 4}

every_count = pytest.mark.parametrize(("wager", "decks"), list(product(CARDS, DECKS)))


# By hand. There are D copies of each card, n = 52 D cards, and perm(m, k) ways to deal k of m cards in order.


def count_tie_plus(d: int) -> dict[str, int]:
    n = 52 * d
    return {"suited-pair-tie": n * (d - 1), "unsuited-pair-tie": n * 3 * d, "not-a-tie": n * (n - 4 * d)}


def count_combo(d: int) -> dict[str, int]:
    """Each rank connects with two others, so ten ranks neither pair nor connect."""
    n = 52 * d
    return {
        "straight-flush": n * 2 * d,
        "straight": n * 2 * 3 * d,
        "flush": n * 10 * d,
        "pair": n * (4 * d - 1),
        "no-combo": n * 10 * 3 * d,
    }


def count_tie_after_tie(d: int) -> dict[str, int]:
    """A rank has 4 D cards: 2 D of each color and D of each suit. "Two color" is what remains after one color."""
    n, rank, color = 52 * d, 4 * d, 2 * d
    other_ranks, third_ranks = n - rank, n - 2 * rank
    same_suit = 13 * 4 * perm(d, 4)
    one_color_quads, one_color_trips, one_color_tie = (13 * 2 * perm(color, k) for k in (4, 3, 2))
    one_color_pairs = 2 * 13 * 12 * perm(color, 2) ** 2
    one_of_the_war_cards = 2 * other_ranks
    return {
        "quads-same-suit": same_suit,
        "quads-same-color": one_color_quads - same_suit,
        "quads-two-color": 13 * perm(rank, 4) - one_color_quads,
        "two-pairs-same-color": one_color_pairs,
        "trips-same-color": one_color_trips * one_of_the_war_cards,
        "trips-two-color": (13 * perm(rank, 3) - one_color_trips) * one_of_the_war_cards,
        "two-pairs-two-color": 13 * 12 * perm(rank, 2) ** 2 - one_color_pairs,
        "one-tie-one-color": one_color_tie * other_ranks * third_ranks,
        "one-tie-two-color": (13 * perm(rank, 2) - one_color_tie) * other_ranks * third_ranks,
        "not-a-tie": n * other_ranks * perm(n - 2, 2),
    }


def count_two_plus_two(d: int) -> dict[str, int]:
    """Count the lines of 2 + 2.

    A suit has 13 starts, from A-2 to K-A. The two starts with an ace extend to a run of three at one end, and the other
    11 at both ends. A run of four contains three starts. K-A with 2 and 3, and A-2 with Q and K, make a run of three
    without one card of the start. There are 12 three-card runs in a suit, or 36 if each of their ranks is counted.
    """
    n, rank = 52 * d, 4 * d
    added = perm(n - 2, 2)
    run_starts = 4 * 2 * d**2  # for each of the 13: four suits, two orders
    pair_starts = 13 * perm(rank, 2)

    def extend(ends: int) -> int:
        return added - perm(n - 2 - ends * d, 2)

    royal = run_starts * 3 * 2 * d**2
    four_run = run_starts * 10 * 3 * 2 * d**2
    round_the_ace = 2 * 2 * d**2
    three_run = run_starts * (11 * extend(2) + 2 * extend(1) + round_the_ace) - royal - four_run
    # A suited pair makes a run in its one suit, an unsuited pair in either of two suits.
    three_run_of_pair = 36 * (4 * perm(d, 2) * 2 * d**2 + 4 * 3 * d**2 * 2 * 2 * d**2)
    four_alike = 13 * perm(rank, 4)
    three_alike = run_starts * 13 * 2 * perm(rank - 1, 2)
    three_alike_of_pair = 13 * perm(rank, 3) * 2 * (n - rank)
    return {
        "royal-flush": royal,
        "four-card-straight-flush": four_run,
        "four-of-a-kind": four_alike,
        "three-card-straight-flush": three_run + three_run_of_pair,
        "three-of-a-kind": three_alike + three_alike_of_pair,
        "starting-straight-flush": run_starts * 13 * added - royal - four_run - three_run - three_alike,
        "starting-pair": pair_starts * added - four_alike - three_run_of_pair - three_alike_of_pair,
        "no-starting-hand": (n * (n - 1) - run_starts * 13 - pair_starts) * added,
    }


BY_HAND = {
    "tie-plus": count_tie_plus,
    "combo": count_combo,
    "tie-after-tie": count_tie_after_tie,
    "two-plus-two": count_two_plus_two,
}


@every_count
def test_the_file_of_counts_agrees_with_arithmetic(wager: str, decks: int) -> None:
    total, expected = section(SLUG, f"{wager}-{decks}-decks")
    assert total == sum(expected.values()) == perm(52 * decks, CARDS[wager])
    assert BY_HAND[wager](decks) == expected


def test_every_printed_line_of_a_bonus_wager_can_be_met() -> None:
    for wager, bonus in BONUSES.items():
        possible_lines = {line for lines in bonus.lines_by_kind for line in lines}
        for table in paytables(SLUG, wager):
            assert {line.trigger for line in table.lines} <= possible_lines


# All the lines that a hand meets, line by line as on the sheet


def read_two_plus_two(four: tuple[Card, ...]) -> set[str]:
    """Return the lines that four cards with a qualifying start meet."""
    runs = [{14, 2, 3, 4}, *({low, low + 1, low + 2, low + 3} for low in range(2, 12))]
    short_runs = [{14, 2, 3}, *({low, low + 1, low + 2} for low in range(2, 13))]
    ranks_by_suit = [{card.rank for card in four if card.suit == suit} for suit in Suit]
    most_alike = max(sum(card.rank == rank for card in four) for rank in Rank)
    start_line = {"starting-pair" if four[0].rank == four[1].rank else "starting-straight-flush"}
    lines = {
        "royal-flush": any(ranks == {14, 13, 12, 11} for ranks in ranks_by_suit),
        "four-card-straight-flush": any(ranks in runs for ranks in ranks_by_suit),
        "four-of-a-kind": most_alike == 4,
        "three-card-straight-flush": any(run <= ranks for run in short_runs for ranks in ranks_by_suit),
        "three-of-a-kind": most_alike >= 3,
    }
    return start_line | {line for line, is_met in lines.items() if is_met}


def test_two_plus_two_meets_every_line_that_the_sheet_gives_it() -> None:
    for rank in Rank:
        above = Rank.TWO if rank is Rank.ACE else Rank(rank + 1)
        first = card_from_rank_suit(rank, Suit.SPADES)
        for community in (card_from_rank_suit(above, Suit.SPADES), first, card_from_rank_suit(rank, Suit.HEARTS)):
            for added in combinations_with_replacement(STANDARD_DECK, 2):
                four = (first, community, *added)
                assert set(matching_lines("two-plus-two", four)) == read_two_plus_two(four)


def read_tie_after_tie(four: tuple[Card, ...]) -> str:
    """Return the line of four cards whose first two cards tie."""
    same_rank = [card for card in four if card.rank == four[0].rank]
    second_tie = four[2].rank == four[3].rank
    if len(same_rank) == 4:
        if len({card.suit for card in four}) == 1:
            return "quads-same-suit"
        return "quads-same-color" if len({card.is_red for card in four}) == 1 else "quads-two-color"
    cards_of_line = four if second_tie else same_rank
    one_color = len({card.is_red for card in cards_of_line}) == 1
    if len(cards_of_line) == 2:
        return "one-tie-one-color" if one_color else "one-tie-two-color"
    return f"{'trips' if len(cards_of_line) == 3 else 'two-pairs'}-{'same' if one_color else 'two'}-color"


def test_tie_after_tie_meets_the_line_that_the_sheet_gives_it() -> None:
    nines = [card_from_rank_suit(Rank.NINE, suit) for suit in Suit]
    war_cards = [card_from_rank_suit(rank, suit) for rank in (Rank.TWO, Rank.NINE, Rank.ACE) for suit in Suit]
    lines_met = set()
    for four in product(nines, nines, war_cards, war_cards):
        assert matching_lines("tie-after-tie", four) == (read_tie_after_tie(four),)
        lines_met.add(read_tie_after_tie(four))
    assert {(line,) for line in lines_met} == set(TIE_AFTER_TIE) - {("not-a-tie",)}


def test_after_a_surrender_any_tie_is_on_a_one_tie_line() -> None:
    for first, second in product(STANDARD_DECK, repeat=2):
        (line,) = matching_lines("tie-after-tie", (first, second))
        tied = first.rank == second.rank
        color = "one" if first.is_red == second.is_red else "two"
        assert line == (f"one-tie-{color}-color" if tied else "not-a-tie")
