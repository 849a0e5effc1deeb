"""How many cards a deck has, and what it cannot give."""

from __future__ import annotations

from collections import Counter

import pytest

from cardroom.cards import JOKER, STANDARD_DECK, Deck, TooManyCopies, find_deck, parse_card, parse_cards
from cardroom.errors import BadInput

SIZES = {
    Deck.ONE: 52,
    Deck.WITH_JOKER: 53,
    Deck.TWO: 104,
    Deck.FOUR: 208,
    Deck.FIVE: 260,
    Deck.SIX: 312,
    Deck.EIGHT: 416,
}
each_deck = pytest.mark.parametrize("deck", Deck, ids=lambda deck: deck.name)


@each_deck
def test_a_deck_holds_as_many_cards_as_the_sheets_say(deck: Deck) -> None:
    assert deck.size == len(deck.cards()) == SIZES[deck]


@each_deck
def test_a_deck_holds_every_card_as_often_as_it_has_decks(deck: Deck) -> None:
    assert Counter(deck.cards()) == {one: deck.count_copies(one) for one in deck.distinct_cards()}
    assert {deck.count_copies(one) for one in STANDARD_DECK} == {deck.decks}
    assert deck.count_copies(JOKER) == deck.jokers == (deck is Deck.WITH_JOKER)


@each_deck
def test_all_the_cards_of_a_deck_can_come_and_not_one_more(deck: Deck) -> None:
    every_card = deck.cards()
    deck.check(every_card)
    for one in (parse_card("As"), parse_card("2c")):
        assert deck.explain_impossible(every_card, one) is not None
        with pytest.raises(TooManyCopies):
            deck.check([*every_card, one])


@each_deck
def test_the_joker_is_only_in_the_deck_that_has_it(deck: Deck) -> None:
    if deck is Deck.WITH_JOKER:
        deck.check([JOKER])
        assert deck.explain_impossible([], JOKER) is None
    else:
        reason = f"Jk is not in the game: it is played with {deck.description}."
        assert deck.explain_impossible([], JOKER) == reason
        with pytest.raises(TooManyCopies) as refused:
            deck.check([JOKER])
        assert str(refused.value) == reason


def test_six_decks_give_a_card_six_times_and_refuse_the_seventh() -> None:
    six = parse_cards("9h " * 6)
    Deck.SIX.check(six)
    assert Deck.SIX.explain_impossible(six[:5], parse_card("9h")) is None
    assert Deck.SIX.explain_impossible(six, parse_card("9h")) == "9h is there 7 times but 6 decks have only 6."
    with pytest.raises(TooManyCopies):
        Deck.SIX.check([*six, parse_card("9h")])


def test_one_deck_refuses_the_same_card_twice() -> None:
    assert (
        Deck.ONE.explain_impossible(parse_cards("As Kd"), parse_card("As"))
        == "As is there twice but one deck has only one."
    )
    assert Deck.ONE.explain_impossible(parse_cards("As Kd"), parse_card("Ks")) is None
    assert (
        Deck.WITH_JOKER.explain_impossible([JOKER], JOKER)
        == "Jk is there twice but one deck with the joker has only one."
    )


@each_deck
def test_a_deck_is_found_by_its_numbers(deck: Deck) -> None:
    assert find_deck(deck.decks, deck.jokers) is deck


def test_without_a_number_of_jokers_there_are_none() -> None:
    assert find_deck(1) is Deck.ONE


@pytest.mark.parametrize(("decks", "jokers"), [(0, 0), (3, 0), (7, 0), (6, 1), (1, 2), (-1, 0)])
def test_a_deck_that_no_game_knows_is_refused(decks: int, jokers: int) -> None:
    with pytest.raises(BadInput):
        find_deck(decks, jokers)


def test_decks_in_words() -> None:
    one, with_joker, *several = (deck.description for deck in Deck)
    assert (one, with_joker) == ("one deck", "one deck with the joker")
    assert several == ["2 decks", "4 decks", "5 decks", "6 decks", "8 decks"]


@pytest.mark.parametrize(
    ("deck", "some", "held"),
    [
        (Deck.ONE, "As Kd", True),
        (Deck.ONE, "As Kd As", False),
        (Deck.ONE, "Jk", False),
        (Deck.WITH_JOKER, "Jk As", True),
        (Deck.WITH_JOKER, "Jk As Jk", False),
        (Deck.WITH_JOKER, "As As", False),
        (Deck.TWO, "As Kd As", True),
        (Deck.TWO, "As As As", False),
        (Deck.SIX, "As As As As As As 2c", True),
        (Deck.SIX, "As As As As As As As", False),
        (Deck.SIX, "Jk", False),
        (Deck.ONE, "", True),
    ],
)
def test_a_deck_holds_what_it_can_give_together(deck: Deck, some: str, held: bool) -> None:
    assert deck.contains(parse_cards(some)) == held
    if not held:
        with pytest.raises(TooManyCopies):
            deck.check(parse_cards(some))
