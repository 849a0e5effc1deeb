"""The examples that the rule sheets print, and the places where a reader would stumble."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from cardroom.cards import Rank, format_cards, parse_cards
from cardroom.hands import (
    Category,
    Hand,
    best_five,
    best_five_six_deck,
    best_five_wild,
    best_four,
    best_three,
    best_three_wild,
    is_wild,
)

Judge = Callable[..., Hand]


def falls(judge: Judge, *hands: str) -> bool:
    """Whether each of these hands beats the next one."""
    strengths = [judge(parse_cards(hand)).strength for hand in hands]
    return all(better > worse for better, worse in pairwise(strengths))


def called(judge: Judge, hand: str) -> str:
    return judge(parse_cards(hand)).category.value


def test_the_three_flushes_of_the_texas_shootout_sheet() -> None:
    flushes = ("Kh 9h 7h 7h 5h", "Qc Qc 6c 6c 3c", "Js 8s 8s 8s 2s")
    assert {called(best_five_six_deck, flush) for flush in flushes} == {"flush"}
    assert falls(best_five_six_deck, *flushes)


def test_pairs_in_a_flush_count_card_by_card() -> None:
    """Ruling TS-2."""
    assert falls(best_five_six_deck, "Qc Qc 6c 6c 3c", "Qh Th 9h 8h 2h", "Qs Ts 9s 2s 2s")


def test_a_suited_full_house_or_four_of_a_kind_keeps_its_own_rank() -> None:
    """Ruling TS-2."""
    assert called(best_five_six_deck, "9c 9c 9c 4c 4c") == "full house"
    assert called(best_five_six_deck, "9c 9c 9c 9c 4c") == "four of a kind"
    suited, mixed = (best_five_six_deck(parse_cards(hand)) for hand in ("9c 9c 9c 4c 4c", "9h 9s 9d 4c 4s"))
    assert suited == mixed


def test_five_of_a_kind_stands_on_both_sides_of_the_straight_flush() -> None:
    assert falls(best_five_six_deck, "2c 2c 2c 2c 2c", "As Ks Qs Js Ts", "Ah 2h 3h 4h 5h", "Ac Ac Ac Ac Ad")


def test_five_aces_are_found_among_seven_cards() -> None:
    hand = best_five_six_deck(parse_cards("Ac Kc Ad Ah Kd As Ac"))
    assert hand.category is Category.FIVE_OF_A_KIND
    assert {card.rank for card in hand.cards} == {Rank.ACE}


@pytest.mark.parametrize(
    ("judge", "low", "next_up"),
    [
        (best_three, "Ac 2d 3h", "2c 3d 4h"),
        (best_three, "Ac 2c 3c", "2d 3d 4d"),
        (best_four, "Ac 2d 3h 4s", "2c 3d 4h 5s"),
        (best_five, "Ac 2d 3h 4s 5c", "2c 3d 4h 5s 6c"),
        (best_five, "Ac 2c 3c 4c 5c", "2d 3d 4d 5d 6d"),
        (best_five_wild, "Ac Jk 3h 4s 5c", "3d 4h 5s 6c 7c"),
        (best_five_six_deck, "Ac 2d 3h 4s 5c", "2c 3d 4h 5s 6c"),
    ],
)
def test_the_straight_with_the_ace_below_is_the_lowest(judge: Judge, low: str, next_up: str) -> None:
    assert called(judge, low) == called(judge, next_up)
    assert "straight" in called(judge, low)
    assert falls(judge, next_up, low)


@pytest.mark.parametrize(
    ("judge", "hand"),
    [
        (best_three, "Kc Ad 2h"),
        (best_four, "Qc Kd Ah 2s"),
        (best_four, "Kc Ad 2h 3s"),
        (best_five, "Jc Qd Kh As 2c"),
        (best_five, "Qc Kd Ah 2s 3c"),
        (best_five, "Kc Ad 2h 3s 4c"),
        (best_five_six_deck, "Kc Ad 2h 3s 4c"),
    ],
)
def test_the_ace_never_plays_round_the_corner(judge: Judge, hand: str) -> None:
    assert called(judge, hand) == "high card"


def test_a_straight_beats_a_flush_with_three_and_four_cards_but_not_with_five() -> None:
    assert falls(best_three, "9c Td Jh", "As Js 9s")
    assert falls(best_four, "9c Td Jh Qs", "As Js 9s 2s")
    assert falls(best_five, "3s 5s 6s 7s 8s", "Ac Kd Qh Js Tc")


def test_the_mini_royal_outranks_every_other_straight_flush() -> None:
    """Ruling TP-7."""
    assert called(best_three, "As Ks Qs") == "mini-royal"
    assert falls(best_three, "Ac Kc Qc", "Ks Qs Js", "Ah 2h 3h", "Ac Ad Ah", "Ac Kd Qh")


def test_the_suited_king_queen_jack_of_three_card_treasure_is_a_straight_flush_only() -> None:
    """Sheet 000, Appendix B."""
    assert called(best_three_wild, "Ks Qs Js") == "straight flush"


def test_four_jacks_and_a_wild_card_are_five_of_a_kind() -> None:
    """Sheet 000, Appendices A and C."""
    for wild in ("Jk", "2c", "2s"):
        hand = best_five_wild(parse_cards(f"Jc Jd Jh Js {wild}"))
        assert hand.category is Category.FIVE_OF_A_KIND
        assert hand.description == "five of a kind, jacks, one wild"


def test_five_wild_cards_stand_between_the_natural_and_the_wild_royal() -> None:
    """Sheet 000, Appendix C."""
    all_wild = "2c 2d 2h 2s Jk"
    assert called(best_five_wild, all_wild) == "five wild cards"
    assert falls(best_five_wild, "Ts Js Qs Ks As", all_wild, "Ts Js Qs Ks Jk", "Ac Ad Ah As Jk")


def test_four_wild_cards_make_a_royal_with_any_high_card_and_else_five_of_a_kind() -> None:
    assert called(best_five_wild, "2c 2d 2h Jk Th") == "wild royal flush"
    assert called(best_five_wild, "2c 2d 2h Jk 9h") == "five of a kind"


def test_a_royal_flush_that_needs_no_wild_card_is_natural_though_wild_cards_are_there() -> None:
    hand = best_five_wild(parse_cards("2c Ts Js Qs Ks As Jk"))
    assert hand.category is Category.NATURAL_ROYAL_FLUSH
    assert format_cards(hand.cards) == "As Ks Qs Js Ts"


def test_a_wild_card_does_not_double_a_card_of_a_flush() -> None:
    """Ace, king and nine of a suit with a wild card: the wild card is the queen, not a second ace."""
    assert best_five_wild(parse_cards("As Ks 9s 4s Jk")) == best_five_wild(parse_cards("Ah Kh Qh 9h 4h"))


def test_three_cards_with_wild_ones_reach_the_mini_royal() -> None:
    for hand in ("As Ks Jk", "Qd 2c Jk", "2c 2d 2h"):
        assert called(best_three_wild, hand) == "mini-royal"


def test_only_deuces_and_the_joker_are_wild() -> None:
    assert [str(card) for card in parse_cards("2c 2d 2h 2s 3c As Jk") if is_wild(card)] == [
        "2c",
        "2d",
        "2h",
        "2s",
        "Jk",
    ]


def test_four_suited_cards_with_a_pair_among_them_are_a_flush() -> None:
    """Ruling TS-4."""
    assert called(best_four, "9h 9h 5h 3h") == "flush"
    assert called(best_four, "9h 9h 5h 5h") == "flush"
    assert called(best_four, "9h 9h 9h 5h") == "flush"
    assert called(best_four, "9h 9h 5h 3d") == "pair"


def test_quick_draw_lines_in_the_printed_order() -> None:
    """Sheet 002, Appendix A."""
    assert falls(
        best_four,
        "2c 2c 2c 2c",
        "Ah Kh Qh Jh",
        "Kh Qh Jh Th",
        "Ac Ac Ac Ad",
        "Ac Kd Qh Js",
        "As Ks Qs 9s",
        "Ac Ad Ah Ks",
        "Ac Ad Kh Ks",
        "Ac Ad Kh Qs",
        "Ac Kd Qh 9s",
    )


def test_the_dealer_plays_the_best_three_of_five() -> None:
    """Sheet 004, rule 6."""
    hand = best_three(parse_cards("9c Ac 9d 2c 3c"))
    assert hand.category is Category.STRAIGHT_FLUSH
    assert set(hand.cards) == set(parse_cards("Ac 2c 3c"))


def test_hands_of_the_same_ranks_are_copies() -> None:
    assert best_three(parse_cards("Qh 6d 4c")) == best_three(parse_cards("4s Qc 6h"))
    assert best_three(parse_cards("Qh 6d 4c")) != best_three(parse_cards("Qh 6d 5c"))
