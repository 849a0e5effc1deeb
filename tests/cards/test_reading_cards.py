"""Cards are read and written the way the trade writes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import (
    JOKER,
    JOKER_CODE,
    STANDARD_DECK,
    BadCard,
    Card,
    Rank,
    Suit,
    card_from_code,
    card_from_rank_suit,
    format_cards,
    parse_card,
    parse_cards,
)
from cardroom.errors import BadInput
from cardroom.terminal.cards import card_tags, face

any_card = st.sampled_from([*STANDARD_DECK, JOKER])


def test_a_standard_deck_is_every_rank_in_every_suit_once() -> None:
    written = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    assert [str(one) for one in STANDARD_DECK] == written
    assert [(one.rank, one.suit) for one in STANDARD_DECK] == [(rank, suit) for rank in Rank for suit in Suit]
    assert str(JOKER) == "Jk"


@given(one=any_card)
def test_a_card_that_is_written_reads_as_itself(one: Card) -> None:
    assert parse_card(str(one)) is one
    assert parse_card(str(one).upper()) is one
    assert parse_card(f"  {str(one).lower()}\n") is one


@given(some=st.lists(any_card))
def test_cards_that_are_written_read_as_themselves(some: list[Card]) -> None:
    assert parse_cards(format_cards(some)) == tuple(some)
    assert parse_cards(str(one) for one in some) == tuple(some)


@given(one=any_card)
def test_a_card_is_found_by_its_code_and_by_rank_and_suit(one: Card) -> None:
    assert card_from_code(one.code) is one
    assert Card(one.code) == one
    assert one.is_joker == (one.code == JOKER_CODE)
    if not one.is_joker:
        assert card_from_rank_suit(one.rank, one.suit) is one


@pytest.mark.parametrize(
    ("written", "meant"), [("10h", "Th"), ("10S", "Ts"), (" 10c ", "Tc"), ("jK", "Jk"), ("jC", "Jc")]
)
def test_other_ways_to_write_a_card(written: str, meant: str) -> None:
    assert str(parse_card(written)) == meant


@given(one=any_card)
def test_a_card_reads_as_every_page_prints_it(one: Card) -> None:
    for printed in (one.symbol, face(one), face(one).lower()):
        assert parse_card(printed) is one
    assert parse_cards(str(card_tags([one, one]))) == (one, one)


@pytest.mark.parametrize("written", ["10♥\ufe0f", "T♥\ufe0e", "t♡", " 10♥ ", "10♡"])
def test_a_sign_may_be_outlined_or_drawn_as_a_picture(written: str) -> None:
    assert str(parse_card(written)) == "Th"


@pytest.mark.parametrize("written", ["Qh 6d 4c", "Q♥ 6♦ 4♣", "Qh,6d,4c", "qh, 6D ,4c", "  Qh\t6d\n4c  "])
def test_cards_may_be_parted_by_blanks_or_commas(written: str) -> None:
    assert parse_cards(written) == (parse_card("Qh"), parse_card("6d"), parse_card("4c"))


@given(some=st.lists(any_card))
def test_cards_may_be_written_without_anything_between_them(some: list[Card]) -> None:
    assert parse_cards("".join(map(str, some))) == tuple(some)
    assert parse_cards("".join(card.symbol for card in some)) == tuple(some)


@pytest.mark.parametrize("text", ["AsK", "sAKs", "AsKx", "As.Ks", "1sKs", "AsKs" * 1000])
def test_joined_cards_with_a_fault_are_refused(text: str) -> None:
    with pytest.raises(BadCard):
        parse_cards(text)


@given(card=any_card)
def test_a_card_is_made_from_its_name_its_symbol_or_its_code(card: Card) -> None:
    assert Card(str(card)) == Card(card.symbol) == Card(card.code) == Card(card) == card
    assert eval(repr(card)) == card


@pytest.mark.parametrize("value", ["", "Zz", True, None, 2.5, [0]])
def test_a_card_is_not_made_from_anything_else(value: object) -> None:
    with pytest.raises(BadCard):
        Card(value)  # type: ignore[arg-type]


NO_CARDS = ("", " ", "A", "s", "As Kd", "1s", "0h", "11h", "1x", "sA", "Ass", "♠A", "A♠♠", "jokers", "Xk", "52")
NO_TENS = ("10", "10x", "10 h", "10sh", "10jk")


@pytest.mark.parametrize("written", NO_CARDS + NO_TENS)
def test_what_is_no_card_is_refused_by_name(written: str) -> None:
    with pytest.raises(BadCard) as refused:
        parse_card(written)
    assert repr(written) in str(refused.value)
    assert "such as 'As' or 'Td'" in str(refused.value)


def test_one_bad_card_spoils_the_list() -> None:
    with pytest.raises(BadCard):
        parse_cards("As Zz Kd")


@pytest.mark.parametrize("code", [-1, -53, 53, 255])
def test_a_number_that_is_no_cards_code_is_refused(code: int) -> None:
    for ask in (Card, card_from_code):
        with pytest.raises(BadCard):
            ask(code)


@pytest.mark.parametrize("question", ["rank", "suit", "is_red"])
def test_the_joker_has_neither_rank_nor_suit_nor_color(question: str) -> None:
    with pytest.raises(BadCard):
        getattr(JOKER, question)


def test_hearts_and_diamonds_are_red() -> None:
    assert [parse_card(text).is_red for text in ("9c", "9d", "9h", "9s")] == [False, True, True, False]


def test_cards_are_shown_with_the_sign_of_their_suit() -> None:
    assert [one.symbol for one in parse_cards("As Td 2c Qh Jk")] == ["A♠", "10♦", "2♣", "Q♥", "★"]


def test_cards_sort_by_rank_and_then_clubs_diamonds_hearts_spades() -> None:
    assert format_cards(sorted(parse_cards("As 2s Ad 2c Kh Jk 2h"))) == "2c 2h 2s Kh Ad As Jk"


def test_ranks_have_words_for_one_and_for_several() -> None:
    assert (Rank.SIX.word, Rank.SIX.plural) == ("six", "sixes")
    assert (Rank.ACE.word, Rank.ACE.plural) == ("ace", "aces")
    assert "".join(rank.letter for rank in Rank) == "23456789TJQKA"


def test_a_card_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        parse_card("As").code = 3  # type: ignore[misc]


def test_a_bad_card_is_a_fault_of_what_came_in() -> None:
    assert issubclass(BadCard, BadInput)
