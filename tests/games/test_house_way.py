"""The dealer's house way, line by line (sheet 002, TS-1)."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.cards import JOKER, Card, Deck, cards, names, of_code
from cardroom.cards.deck import TooManyCopies
from cardroom.games.texas_shootout.house_way import LINES, house_way
from cardroom.hands import BadHand
from tests.enumeration import combinations
from tests.examples import examples
from tests.games.house_way_reference import SHEET, set_by_the_sheet


def kept(four: str) -> str:
    return names(house_way(cards(four)).kept)


@pytest.mark.parametrize(
    ("line", "four", "played"),
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
def test_each_line_decides_its_hands(line: int, four: str, played: str) -> None:
    way = house_way(cards(four))
    assert (way.line, names(way.kept)) == (line, played)


@pytest.mark.parametrize(
    ("four", "line"),
    [
        ("8c 8d 2h 3s", 1),
        ("7c 7d 2h 3s", 4),  # sevens are below "8's or better"
        ("Ac Jd 2h 3s", 2),
        ("Ac Td 2h 3s", 7),  # an ace with a ten: both ten or higher, but below ace-jack
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
def test_where_a_line_begins_and_ends(four: str, line: int) -> None:
    assert house_way(cards(four)).line == line


@pytest.mark.parametrize(
    ("four", "played"),
    [
        ("Kc Kd Qs Qs", "Kd Kc"),  # line 1
        ("2c 2c 7d 7d", "7d 7d"),  # line 3
        ("2c 2d 7c 7d", "7d 7c"),  # line 4
        ("Qc Jc Kd Td", "Kd Td"),  # line 6
        ("Ac Td Kh Qs", "Ac Kh"),  # line 2, and not two of line 7
        ("Jc 2c Qd 3d", "Qd Jc"),  # line 7, although queen high suited is there
        ("Jc 7c 9d 8d", "Jc 7c"),  # line 9, although the connected cards are suited
        ("6c 5c 9d 8d", "9d 8d"),  # line 11
        ("6c 5d 9h 8s", "9h 8s"),  # line 12
        ("Tc 2c 8d 6d", "Tc 2c"),  # line 13
    ],
)
def test_the_highest_first_card_wins_inside_a_line(four: str, played: str) -> None:
    assert kept(four) == played


@pytest.mark.parametrize(
    ("four", "played"),
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
def test_the_highest_second_card_wins_when_the_first_is_the_same(four: str, played: str) -> None:
    assert kept(four) == played


@pytest.mark.parametrize(
    ("four", "played"),
    [
        ("Kc Kd Kd 2h", "Kd Kd"),
        ("Ks Kc Kd Ks", "Ks Ks"),
        ("9d 9d 9c 2h", "9d 9d"),
    ],
)
def test_of_equal_pairs_a_suited_one_is_played(four: str, played: str) -> None:
    assert kept(four) == played


@pytest.mark.parametrize(
    ("four", "played"),
    [
        ("Ks Kh Kd Kc", "Kd Kc"),
        ("Ks Kh Kd 2c", "Kh Kd"),
        ("8s 8s 8c 8c", "8c 8c"),
        ("7s 7s 7h 7h", "7h 7h"),
        ("5s 5h 5c 2d", "5h 5c"),
    ],
)
def test_what_is_still_equal_goes_by_suits_from_clubs_up(four: str, played: str) -> None:
    assert kept(four) == played


def test_a_suited_low_pair_is_played_before_a_higher_unsuited_one() -> None:
    assert kept("2d 2d 7c 7h") == "2d 2d"


def test_the_order_in_which_the_cards_lie_does_not_matter() -> None:
    for four in ("Ks Kh Kd Kc", "7s 7s 7c 7c", "Ah Kd Qh Jh", "Tc 8d 6d 2h", "9c 8c 9d 8d"):
        assert len({kept(" ".join(order)) for order in permutations(four.split())}) == 1


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(range(312)), min_size=4, max_size=4, unique=True))
def test_any_four_cards_of_six_decks_are_set_as_the_sheet_says(places: list[int]) -> None:
    _agrees(tuple(Deck.SIX.cards()[place] for place in places))


def test_a_systematic_sample_of_all_hands_is_set_as_the_sheet_says() -> None:
    every = next(combinations(55, 4)).astype(int) - range(4)  # repeats allowed
    assert len(every) == 341_055
    lines = {_agrees(tuple(map(of_code, row))) for row in every[::97].tolist()}
    assert lines == set(range(1, 15))


def _agrees(four: tuple[Card, ...]) -> int:
    way = house_way(four)
    line, (high, low) = set_by_the_sheet(four)
    assert way.line == line
    assert {str(card) for card in way.kept} == {high, low}
    return line


def test_the_words_name_the_line_as_the_sheet_prints_it() -> None:
    assert house_way(cards("8h 8c As Kd")).words == "line 1, Highest Pair, 8’s or Better: 8h 8c"
    assert len(LINES) == len(SHEET)


@pytest.mark.parametrize("four", ["As Ks Qs", "As Ks Qs Js Ts", ""])
def test_the_house_way_sets_four_cards_and_no_other_number(four: str) -> None:
    with pytest.raises(BadHand, match="sets four cards"):
        house_way(cards(four))


def test_the_joker_is_not_in_the_game() -> None:
    with pytest.raises(TooManyCopies, match="Jk is not in the game"):
        house_way((*cards("As Ks Qs"), JOKER))
