"""The dealer's house way, line by line (sheet 002, TS-1)."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cardroom.cards import JOKER, Card, Deck, card_from_code, format_cards, parse_cards
from cardroom.cards.deck import TooManyCopies
from cardroom.games.texas_shootout.house_way import CHOICES, LINES, equal_choices, house_way, pair_preference
from cardroom.hands import BadHand
from tests.enumeration import combinations
from tests.examples import examples
from tests.games.house_way_reference import SHEET, choose_by_sheet


def choose_cards(four: str) -> str:
    return format_cards(house_way(parse_cards(four)).cards)


@pytest.mark.parametrize(
    ("line", "four", "expected"),
    [
        (1, "8h 8c As Kd", "8h 8c"),
        (2, "Ah Jc 7s 7s", "Ah Jc"),
        (3, "5s 5s Ah Th", "5s 5s"),
        (4, "2c 2d As Ts", "2d 2c"),
        (5, "Ah 2h Tc 9s", "Ah 2h"),
        (6, "Ts Js Kc Qd", "Js Ts"),
        (7, "Kc Qd 9c 8c", "Kc Qd"),
        (8, "Ac 9d 8h 7s", "Ac 9d"),
        (9, "Jc 2c 9d 8d", "Jc 2c"),
        (10, "Jc 2d 9h 8s", "Jc 9h"),
        (11, "3c 2c Td 9h", "3c 2c"),
        (12, "Tc 9d 7d 2h", "Tc 9d"),
        (13, "Tc 8d 6d 2h", "8d 6d"),
        (14, "Tc 8d 6h 2s", "Tc 8d"),
    ],
)
def test_each_line_decides_its_hands(line: int, four: str, expected: str) -> None:
    way = house_way(parse_cards(four))
    assert (way.line, format_cards(way.cards)) == (line, expected)


@pytest.mark.parametrize(
    ("four", "line"),
    [
        ("8c 8d 2h 3s", 1),
        ("7c 7d 2h 3s", 4),  # sevens are below "8's or better"
        ("Ac Jd 2h 3s", 2),
        ("Ac Td 2h 3s", 7),  # an ace and a ten: both are ten or higher, but below ace-jack
        ("Ac Tc 2h 3s", 5),
        ("Ac 9d 2h 3s", 8),
        ("Jc Td 2h 3s", 7),
        ("Jc 9d 2h 3s", 10),  # only one card is ten or higher
        ("Jc 9c 2h 3s", 9),
        ("Tc 9d 2h 4s", 12),  # a ten is no face card
        ("Tc 9c 2h 4s", 11),
        ("Tc 8d 2h 4s", 14),
        ("Ac 2d 4h 6s", 8),  # an ace and a two are ace high before they are connected
    ],
)
def test_each_line_begins_and_ends_at_the_right_hands(four: str, line: int) -> None:
    assert house_way(parse_cards(four)).line == line


@pytest.mark.parametrize(
    ("four", "expected"),
    [
        ("Kc Kd Qs Qs", "Kd Kc"),  # line 1
        ("2c 2c 7d 7d", "7d 7d"),  # line 3
        ("2c 2d 7c 7d", "7d 7c"),  # line 4
        ("Qc Jc Kd Td", "Kd Td"),  # line 6
        ("Ac Td Kh Qs", "Ac Kh"),  # line 2, and not two of line 7
        ("Jc 2c Qd 3d", "Qd Jc"),  # line 7, although queen high suited is possible
        ("Jc 7c 9d 8d", "Jc 7c"),  # line 9, although the connected cards are suited
        ("6c 5c 9d 8d", "9d 8d"),  # line 11
        ("6c 5d 9h 8s", "9h 8s"),  # line 12
        ("Tc 2c 8d 6d", "Tc 2c"),  # line 13
    ],
)
def test_the_highest_first_card_wins_within_a_line(four: str, expected: str) -> None:
    assert choose_cards(four) == expected


@pytest.mark.parametrize(
    ("four", "expected"),
    [
        ("Ac Qd Jc 2h", "Ac Qd"),  # line 2: the higher second card, although ace-jack is suited
        ("Ac 9c 8c 2d", "Ac 9c"),  # line 5
        ("Kc Jc Tc 2d", "Kc Jc"),  # line 6
        ("Kc Jd Th 2s", "Kc Jd"),  # line 7
        ("Ac 9d 8h 2s", "Ac 9d"),  # line 8
        ("Kc 8c 3c 9d", "Kc 8c"),  # line 9
        ("Kc 9d 8h 2s", "Kc 9d"),  # line 10
        ("Tc 6c 2c 8d", "Tc 6c"),  # line 13
    ],
)
def test_the_highest_second_card_wins_when_the_first_is_the_same(four: str, expected: str) -> None:
    assert choose_cards(four) == expected


@pytest.mark.parametrize(
    ("four", "expected"),
    [
        ("Kc Kd Kd 2h", "Kd Kd"),
        ("Ks Kc Kd Ks", "Ks Ks"),
        ("9d 9d 9c 2h", "9d 9d"),
    ],
)
def test_of_equal_pairs_a_suited_one_is_played(four: str, expected: str) -> None:
    assert choose_cards(four) == expected


@pytest.mark.parametrize(
    ("four", "expected"),
    [
        ("Ks Kh Kd Kc", "Ks Kh"),
        ("Kc Ks Kd Kh", "Ks Kc"),
        ("Ks Kh Kd 2c", "Ks Kh"),
        ("Kd 2c Kh Ks", "Kh Kd"),
        ("2c Kd Ks Kh", "Ks Kd"),
        ("8s 8s 8c 8c", "8s 8s"),
        (
            "8c 8s 8s 8c",
            "8c 8c",
        ),  # the very first card, although the other pair is complete sooner
        ("7s 7h 7h 7s", "7s 7s"),
        ("5s 5h 5c 2d", "5s 5h"),
    ],
)
def test_of_equal_choices_the_cards_dealt_first_are_kept(four: str, expected: str) -> None:
    assert choose_cards(four) == expected


@cache
def list_hands() -> NDArray[np.int64]:
    hands: NDArray[np.int64] = next(combinations(55, 4)).astype(np.int64) - range(4)  # repeats allowed
    return hands


def find_three_of_a_rank() -> NDArray[np.bool_]:
    """Return which of all hands, whose cards are in ascending order, have three or four cards of a rank."""
    a, b, c, d = (list_hands() >> 2).T
    mask: NDArray[np.bool_] = (a == c) | (b == d)
    return mask


def test_each_of_n_equal_choices_is_kept_in_one_nth_of_the_dealing_orders() -> None:
    hands_by_choices = Counter[int]()
    for codes in list_hands()[find_three_of_a_rank()].tolist():
        four = tuple(map(card_from_code, codes))
        equal = equal_choices(four)
        by_choice = Counter(house_way(order).cards for order in permutations(four))
        assert by_choice == dict.fromkeys(equal, 24 // len(equal))
        assert len(equal) == 1 or len({card.rank for two in equal for card in two}) == 1
        hands_by_choices[len(equal)] += 1
    # Three suits of a rank and another card; two suits of a rank, each twice; four suits of a rank.
    assert hands_by_choices == {1: hands_by_choices[1], 3: 13 * 4 * 48, 2: 13 * 6, 6: 13}


def test_only_three_or_four_cards_of_a_rank_leave_equal_choices() -> None:
    preferences = np.array([[pair_preference(one, other) for other in range(52)] for one in range(52)])
    hands = list_hands()[~find_three_of_a_rank()]
    values = np.sort([preferences[hands[:, one], hands[:, other]] for one, other in CHOICES], axis=0)
    assert len(hands) > 300_000
    assert (values[-1] > values[-2]).all()


def test_the_house_way_does_not_depend_on_the_names_of_suits() -> None:
    for suits in permutations(range(4)):
        for one, other in product(range(52), repeat=2):
            changed = (code & ~3 | suits[code & 3] for code in (one, other))
            assert pair_preference(*changed) == pair_preference(one, other) == pair_preference(other, one)


def test_a_suited_low_pair_is_played_before_a_higher_unsuited_one() -> None:
    assert choose_cards("2d 2d 7c 7h") == "2d 2d"


def test_the_order_of_the_deal_does_not_matter_without_equal_choices() -> None:
    for four in ("Ks Kh Kh Kc", "7s 7s 7s 7c", "Ah Kd Qh Jh", "Tc 8d 6d 2h", "9c 8c 9d 8d"):
        assert len({choose_cards(" ".join(order)) for order in permutations(four.split())}) == 1


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(range(312)), min_size=4, max_size=4, unique=True))
def test_any_four_cards_of_six_decks_are_set_as_on_the_sheet(places: list[int]) -> None:
    check_against_sheet(tuple(Deck.SIX.cards()[place] for place in places))


def test_a_systematic_sample_of_all_hands_is_set_as_on_the_sheet() -> None:
    hands = list_hands()
    assert len(hands) == 341_055
    lines = {check_against_sheet(tuple(map(card_from_code, row))) for row in hands[::97].tolist()}
    assert lines == set(range(1, 15))


def test_three_and_four_cards_of_a_rank_are_set_as_on_the_sheet_in_every_order() -> None:
    for four in ("Ks Kh Kd 2c", "5c 5h 5s Ad", "9c 9d 9h 9s", "3d 3d 3h 3h", "7s 7s 7c 7d"):
        for order in permutations(parse_cards(four)):
            check_against_sheet(order)


def check_against_sheet(four: tuple[Card, ...]) -> int:
    way = house_way(four)
    line, (high, low) = choose_by_sheet(four)
    assert way.line == line
    assert {str(card) for card in way.cards} == {high, low}
    return line


def test_the_text_names_the_line_as_the_sheet_prints_it() -> None:
    assert house_way(parse_cards("8h 8c As Kd")).text == "line 1, Highest Pair, 8’s or Better: 8♥ 8♣"
    assert house_way(parse_cards("Th 2s Ts As")).text == "line 1, Highest Pair, 8’s or Better: 10♠ 10♥"
    assert len(LINES) == len(SHEET)


@pytest.mark.parametrize(
    ("four", "because"),
    [
        ("8h 8c As Kd", "Better: it is the first line."),
        ("9h 7d Ks 2s", "Suited: no other two meet an earlier line."),
        ("As Kh Qd 3c", "Better: the best of 2 choices on it."),
        ("Ks Kc Kh 2d", "Better: of 3 equal choices the cards dealt first."),
        ("3s 3c 3h 3d", "Unsuited: of 6 equal choices the cards dealt first."),
        ("3s 3c 3c 3s", "Suited: of 2 equal choices the cards dealt first."),
        ("3s 3s 3s 3c", "Suited: no other two meet an earlier line."),
    ],
)
def test_the_explanation_says_why_these_cards_are_chosen(four: str, because: str) -> None:
    assert house_way(parse_cards(four)).explain(parse_cards(four)).endswith(because)


@pytest.mark.parametrize("four", ["As Ks Qs", "As Ks Qs Js Ts", ""])
def test_the_house_way_refuses_any_number_of_cards_but_four(four: str) -> None:
    with pytest.raises(BadHand):
        house_way(parse_cards(four))
    with pytest.raises(BadHand):
        equal_choices(parse_cards(four))


def test_the_joker_is_not_in_the_game() -> None:
    with pytest.raises(TooManyCopies):
        house_way((*parse_cards("As Ks Qs"), JOKER))
