"""Straight flushes of six and seven cards (All-Six, All Seven, Super-Six), and of any other length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import Card, Suit, parse_cards
from cardroom.hands import FIVE_CARD_WILD, SIX_DECK, straight_flush_top
from tests.hands.dealing import MANY, hands_of

ACE = 14


def by_looking(some: tuple[Card, ...], length: int) -> int:
    """Try every top card in every suit, the highest first; deuces and the joker are not wild in these games."""
    there = {(int(card.rank), card.suit) for card in some if not card.is_joker}
    for top in range(ACE, length - 1, -1):
        run = [ACE if rank == 1 else rank for rank in range(top - length + 1, top + 1)]
        if any(all((rank, suit) in there for rank in run) for suit in Suit):
            return top
    return 0


@MANY
@given(some=hands_of(SIX_DECK, 7) | hands_of(FIVE_CARD_WILD, 7), length=st.integers(3, 7))
def test_the_highest_run_is_found_and_the_joker_fills_no_gap(some: tuple[Card, ...], length: int) -> None:
    assert straight_flush_top(some, length) == by_looking(some, length)


@MANY
@given(
    suit=st.sampled_from("cdhs"), ranks=st.sets(st.sampled_from("23456789TJQKA"), max_size=7), length=st.integers(3, 7)
)
def test_runs_within_one_suit_are_found(suit: str, ranks: set[str], length: int) -> None:
    some = parse_cards([rank + suit for rank in ranks])
    assert straight_flush_top(some, length) == by_looking(some, length)


@pytest.mark.parametrize(
    ("held", "length", "top"),
    [
        ("9d Td Jd Qd Kd Ad", 6, 14),
        ("8d 9d Td Jd Qd Kd", 6, 13),
        ("Ad 2d 3d 4d 5d 6d", 6, 6),
        ("Ac 2c 3c 4c 5c 6c 7c", 7, 7),
        ("Ac 2c 3c 4c 5c 6c 7c", 6, 7),
        ("8h 9h Th Jh Qh Kh Ah", 7, 14),
        ("Jh Qh Kh Ah 2h 3h 4h", 6, 0),
        ("Kh Ah 2h 3h 4h 5h 6h", 7, 0),
        ("9d Td Jd Qd Kd As", 6, 0),
        ("9d Td Jd Qd Kd Jk", 6, 0),
        ("Ac 3c 4c 5c 6c Jk", 6, 0),
        ("As Ks Qs", 3, 14),
        ("", 3, 0),
    ],
)
def test_the_ace_closes_a_run_at_either_end_and_never_round_the_corner(held: str, length: int, top: int) -> None:
    assert straight_flush_top(parse_cards(held) if held else (), length) == top


def test_the_highest_of_two_runs_counts() -> None:
    assert straight_flush_top(parse_cards("3c 4c 5c 9h Th Jh"), 3) == 11
    assert straight_flush_top(parse_cards("Qc Kc Ac 9h Th Jh"), 3) == 14
