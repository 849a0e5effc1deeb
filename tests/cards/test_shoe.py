"""Dealing, burning, cutting and stacking."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import (
    STANDARD_DECK,
    Card,
    ChaCha20Source,
    Deck,
    EmptyShoe,
    Shoe,
    format_cards,
    parse_card,
    parse_cards,
    shuffle_shoe,
)
from cardroom.errors import BadInput

FIVE = "As Kd 7h 2c 9s"
shoes = st.lists(st.sampled_from(STANDARD_DECK), min_size=1, max_size=30).map(lambda order: Shoe(tuple(order)))


def to_come(shoe: Shoe) -> tuple[Card, ...]:
    """All the cards that are left, dealt out."""
    dealt = []
    while shoe.remaining:
        one, shoe = shoe.deal()
        dealt.append(one)
    return tuple(dealt)


def test_cards_come_in_their_order_until_none_is_left() -> None:
    shoe = Shoe(parse_cards(FIVE))
    assert shoe.remaining == 5
    assert format_cards(to_come(shoe)) == FIVE


def test_an_empty_shoe_gives_no_card() -> None:
    shoe = Shoe(parse_cards("As"))
    _, shoe = shoe.deal()
    with pytest.raises(EmptyShoe):
        shoe.deal()
    with pytest.raises(EmptyShoe):
        Shoe(()).deal()


def test_dealing_leaves_the_shoe_before_it_as_it_was() -> None:
    shoe = Shoe(parse_cards(FIVE))
    first, _ = shoe.deal()
    again, _ = shoe.deal()
    assert first == again == parse_card("As")
    assert shoe.remaining == 5


def test_burnt_cards_are_put_aside_and_never_dealt() -> None:
    shoe = Shoe(parse_cards(FIVE)).burn(2)
    assert shoe.burned_cards == parse_cards("As Kd")
    assert shoe.remaining == 3
    one, shoe = shoe.deal()
    shoe = shoe.burn()
    assert one == parse_card("7h")
    assert shoe.burned_cards == parse_cards("As Kd 2c")
    assert to_come(shoe) == parse_cards("9s")


@given(shoe=shoes, count=st.integers(0, 30))
def test_burning_takes_just_so_many_cards(shoe: Shoe, count: int) -> None:
    if count <= shoe.remaining:
        after = shoe.burn(count)
        assert after.burned_cards + to_come(after) == shoe.order
    else:
        with pytest.raises(EmptyShoe):
            shoe.burn(count)


def test_fewer_than_no_cards_cannot_be_burnt() -> None:
    with pytest.raises(EmptyShoe):
        Shoe(parse_cards(FIVE)).burn(-1)


def test_a_cut_moves_the_top_cards_behind_the_others() -> None:
    assert format_cards(to_come(Shoe(parse_cards(FIVE)).cut(2))) == "7h 2c 9s As Kd"


@given(shoe=shoes, part=st.floats(0, 1))
def test_two_cuts_that_add_up_to_the_shoe_undo_each_other(shoe: Shoe, part: float) -> None:
    depth = int(part * shoe.remaining)
    assert shoe.cut(depth).cut(shoe.remaining - depth) == shoe


@pytest.mark.parametrize("depth", [-1, 6])
def test_a_cut_outside_the_shoe_is_refused(depth: int) -> None:
    with pytest.raises(BadInput):
        Shoe(parse_cards(FIVE)).cut(depth)


def test_a_shoe_is_cut_before_the_first_card() -> None:
    _, dealt_from = Shoe(parse_cards(FIVE)).deal()
    for begun in (dealt_from, Shoe(parse_cards(FIVE)).burn()):
        with pytest.raises(BadInput):
            begun.cut(2)


def test_known_cards_come_first_and_the_rest_keep_their_order() -> None:
    shoe = Shoe(parse_cards(FIVE)).put_on_top(parse_cards("2c As"))
    assert format_cards(to_come(shoe)) == "2c As Kd 7h 9s"


def test_stacking_a_begun_shoe_leaves_the_dealt_cards_alone() -> None:
    first, shoe = Shoe(parse_cards(FIVE)).deal()
    shoe = shoe.burn().put_on_top(parse_cards("9s"))
    assert first == parse_card("As")
    assert shoe.burned_cards == parse_cards("Kd")
    assert format_cards(to_come(shoe)) == "9s 7h 2c"


def test_a_card_that_is_gone_cannot_be_put_on_top() -> None:
    _, shoe = Shoe(parse_cards(FIVE)).deal()
    with pytest.raises(EmptyShoe):
        shoe.put_on_top(parse_cards("As"))
    with pytest.raises(EmptyShoe):
        shoe.put_on_top(parse_cards("Kd Kd"))


def test_six_decks_can_be_stacked_with_six_copies_and_not_seven() -> None:
    shoe = Shoe(Deck.SIX.cards())
    assert to_come(shoe.put_on_top(parse_cards("9h " * 6)))[:6] == parse_cards("9h " * 6)
    with pytest.raises(EmptyShoe):
        shoe.put_on_top(parse_cards("9h " * 7))


@given(shoe=shoes, table=st.data())
def test_stacking_adds_and_loses_no_card(shoe: Shoe, table: st.DataObject) -> None:
    known = table.draw(st.permutations(shoe.order))[: table.draw(st.integers(0, shoe.remaining))]
    stacked = shoe.put_on_top(known)
    assert list(to_come(stacked))[: len(known)] == known
    assert Counter(stacked.order) == Counter(shoe.order)


@pytest.mark.parametrize("deck", Deck, ids=lambda deck: deck.name)
def test_a_fresh_shoe_holds_the_whole_deck_in_a_new_order(deck: Deck) -> None:
    shoe = shuffle_shoe(deck, ChaCha20Source.from_seed("a fresh shoe"))
    assert (shoe.remaining, shoe.burned_cards) == (deck.size, ())
    assert Counter(shoe.order) == Counter(deck.cards())
    assert shoe.order != deck.cards()
    assert shuffle_shoe(deck, ChaCha20Source.from_seed("a fresh shoe")) == shoe


def test_several_cards_are_dealt_as_one_after_the_other() -> None:
    shoe = Shoe(parse_cards("As Kd 7h 2c 9s")).burn()
    together, after = shoe.deal_several(3)
    one_by_one = []
    for _ in range(3):
        card, shoe = shoe.deal()
        one_by_one.append(card)
    assert together == tuple(one_by_one) == parse_cards("Kd 7h 2c")
    assert after == shoe


@pytest.mark.parametrize("count", [4, -1])
def test_no_more_cards_are_dealt_than_there_are(count: int) -> None:
    shoe = Shoe(parse_cards("As Kd 7h"))
    with pytest.raises(EmptyShoe):
        shoe.deal_several(count)
