"""The counts of Dueling for Dollars by hand: the data file, and which lines the cards of a deal meet.

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


def tie_plus_by_hand(d: int) -> dict[str, int]:
    n = 52 * d
    return {"suited-pair-tie": n * (d - 1), "unsuited-pair-tie": n * 3 * d, "not-a-tie": n * (n - 4 * d)}


def combo_by_hand(d: int) -> dict[str, int]:
    """Each rank connects with two others, so ten ranks are left that neither pair nor connect."""
    n = 52 * d
    return {
        "straight-flush": n * 2 * d,
        "straight": n * 2 * 3 * d,
        "flush": n * 10 * d,
        "pair": n * (4 * d - 1),
        "no-combo": n * 10 * 3 * d,
    }


def tie_after_tie_by_hand(d: int) -> dict[str, int]:
    """A rank has 4 D cards, 2 D of them in a color and D in a suit; "two color" is what one color leaves over."""
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


def two_plus_two_by_hand(d: int) -> dict[str, int]:
    """Of the 13 starts in a suit (A-2 to K-A) two, those with the ace, extend to a run of three at one end, and the
    11 others at both. A run of four holds three starts. K-A with 2 and 3, and A-2 with Q and K, make a run of three
    without one of the start. Three-card runs: 12 in a suit, 36 in all when each of their ranks is counted."""
    n, rank = 52 * d, 4 * d
    added = perm(n - 2, 2)
    run_starts = 4 * 2 * d**2  # for each of the 13: four suits, two orders
    pair_starts = 13 * perm(rank, 2)

    def extended(ends: int) -> int:
        return added - perm(n - 2 - ends * d, 2)

    royal = run_starts * 3 * 2 * d**2
    four_run = run_starts * 10 * 3 * 2 * d**2
    round_the_ace = 2 * 2 * d**2
    three_run = run_starts * (11 * extended(2) + 2 * extended(1) + round_the_ace) - royal - four_run
    # A suited pair makes a run in its one suit, an unsuited one in either of two.
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
    "tie-plus": tie_plus_by_hand,
    "combo": combo_by_hand,
    "tie-after-tie": tie_after_tie_by_hand,
    "two-plus-two": two_plus_two_by_hand,
}


@every_count
def test_the_data_file_agrees_with_arithmetic(wager: str, decks: int) -> None:
    total, expected = section(SLUG, f"{wager}-{decks}-decks")
    assert total == sum(expected.values()) == perm(52 * decks, CARDS[wager])
    assert BY_HAND[wager](decks) == expected


def test_every_printed_line_of_a_bonus_wager_can_be_met() -> None:
    for wager, bonus in BONUSES.items():
        met = {line for lines in bonus.lines_by_kind for line in lines}
        for table in paytables(SLUG, wager):
            assert {line.trigger for line in table.lines} <= met


# All the lines that a hand meets, line by line as the sheet has them


def sheet_two_plus_two(four: tuple[Card, ...]) -> set[str]:
    """What four cards of a qualifying start meet."""
    runs = [{14, 2, 3, 4}, *({low, low + 1, low + 2, low + 3} for low in range(2, 12))]
    short_runs = [{14, 2, 3}, *({low, low + 1, low + 2} for low in range(2, 13))]
    held = [{card.rank for card in four if card.suit == suit} for suit in Suit]
    most_alike = max(sum(card.rank == rank for card in four) for rank in Rank)
    met = {"starting-pair" if four[0].rank == four[1].rank else "starting-straight-flush"}
    lines = {
        "royal-flush": any(ranks == {14, 13, 12, 11} for ranks in held),
        "four-card-straight-flush": any(ranks in runs for ranks in held),
        "four-of-a-kind": most_alike == 4,
        "three-card-straight-flush": any(run <= ranks for run in short_runs for ranks in held),
        "three-of-a-kind": most_alike >= 3,
    }
    return met | {line for line, is_met in lines.items() if is_met}


def test_two_plus_two_meets_every_line_that_the_sheet_would_give_it() -> None:
    for rank in Rank:
        above = Rank.TWO if rank is Rank.ACE else Rank(rank + 1)
        first = card_from_rank_suit(rank, Suit.SPADES)
        for community in (card_from_rank_suit(above, Suit.SPADES), first, card_from_rank_suit(rank, Suit.HEARTS)):
            for added in combinations_with_replacement(STANDARD_DECK, 2):
                four = (first, community, *added)
                assert set(matching_lines("two-plus-two", four)) == sheet_two_plus_two(four)


def sheet_tie_after_tie(four: tuple[Card, ...]) -> str:
    """The line of four cards whose first two tie."""
    alike = [card for card in four if card.rank == four[0].rank]
    second_tie = four[2].rank == four[3].rank
    if len(alike) == 4:
        if len({card.suit for card in four}) == 1:
            return "quads-same-suit"
        return "quads-same-color" if len({card.is_red for card in four}) == 1 else "quads-two-color"
    makers = four if second_tie else alike
    one_color = len({card.is_red for card in makers}) == 1
    if len(makers) == 2:
        return "one-tie-one-color" if one_color else "one-tie-two-color"
    return f"{'trips' if len(makers) == 3 else 'two-pairs'}-{'same' if one_color else 'two'}-color"


def test_tie_after_tie_meets_the_line_that_the_sheet_would_give_it() -> None:
    nines = [card_from_rank_suit(Rank.NINE, suit) for suit in Suit]
    some = [card_from_rank_suit(rank, suit) for rank in (Rank.TWO, Rank.NINE, Rank.ACE) for suit in Suit]
    seen = set()
    for four in product(nines, nines, some, some):
        assert matching_lines("tie-after-tie", four) == (sheet_tie_after_tie(four),)
        seen.add(sheet_tie_after_tie(four))
    assert {(line,) for line in seen} == set(TIE_AFTER_TIE) - {("not-a-tie",)}


def test_after_a_surrender_a_tie_is_one_tie_whatever_its_cards() -> None:
    for first, second in product(STANDARD_DECK, repeat=2):
        (line,) = matching_lines("tie-after-tie", (first, second))
        tied = first.rank == second.rank
        color = "one" if first.is_red == second.is_red else "two"
        assert line == (f"one-tie-{color}-color" if tied else "not-a-tie")
