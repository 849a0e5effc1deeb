"""The library accepts texts for decisions and cards, and a refusal of another type shows the value that was passed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cardroom.cards import ChaCha20Source, Deck, as_cards, parse_card, parse_cards, shuffle_shoe
from cardroom.errors import BadInput
from cardroom.games import Deal, Decide, Decision, Round, TakeStep, Verb, advance, default_setup, game
from cardroom.games.actions import DealerStep
from cardroom.hands import (
    FIVE_CARD,
    THREE_CARD,
    best_five,
    best_three,
    compute_strength,
    encode_hands,
    evaluate,
    evaluate_many,
)

PRIME = game("three-card-prime")


@pytest.fixture
def round_at_decision() -> Round:
    """A round in which seat 1 decides whether to play."""
    table = PRIME.open(default_setup("three-card-prime"))
    round_ = PRIME.begin(table, {1: {"ante-play": 10_00}})
    return advance(round_, shuffle_shoe(table.deck, ChaCha20Source.from_seed(267)))[0]


def test_a_decision_may_be_a_text(round_at_decision: Round) -> None:
    assert Decide(1, "play") == Decide(1, Decision(Verb.PLAY))
    assert Decide(1, "set As Ks Qs | Qh Qd 2c").decision.groups == (parse_cards("As Ks Qs"), parse_cards("Qh Qd 2c"))
    assert round_at_decision.apply(Decide(1, "play")) == round_at_decision.apply(Decide(1, Decision(Verb.PLAY)))
    assert Decision("keep", ["Kd As"]) == Decision(Verb.KEEP, (parse_cards("As Kd"),))
    assert TakeStep("reveal").step is DealerStep.REVEAL


def test_a_seat_may_be_an_integer_of_any_type() -> None:
    assert type(Decide(np.int64(1), "play").seat) is int  # type: ignore[arg-type]


def test_cards_may_be_texts() -> None:
    assert Deal("As") == Deal(parse_card("As"))
    mixed = [parse_card("Kh"), "4d", "Ks", "4c", "Kd", "9s", "2h"]
    for cards in (mixed, tuple(mixed), "Kh 4d Ks 4c Kd 9s 2h", "Kh,4d,Ks,4c,Kd,9s,2h"):
        assert best_five(cards) == best_five(parse_cards("Kh 4d Ks 4c Kd 9s 2h"))
        assert compute_strength(FIVE_CARD, cards) == best_five(cards).strength
        assert best_five(cards).description == "full house, kings over fours"
    assert best_three("As Ks Qs").strength == len(THREE_CARD.classes)
    assert evaluate_many(THREE_CARD, ["As Ks Qs"]).tolist() == [len(THREE_CARD.classes)]
    assert encode_hands(["2c 3c"]).tolist() == [[0, 4]]
    assert shuffle_shoe(Deck.ONE, ChaCha20Source.from_seed(1)).put_on_top("As Ks").order[:2] == parse_cards("As Ks")


WRONG: dict[str, tuple[Any, ...]] = {
    "decide": (lambda value: Decide(1, value), 7, "A decision is a Decision or its text"),
    "seat": (lambda value: Decide(value, "play"), "1", "A seat is a whole number"),
    "truth as a seat": (lambda value: Decide(value, "play"), True, "A seat is a whole number"),
    "verb": (Decision, 3, "A verb is a Verb"),
    "group": (lambda value: Decision("keep", value), [5], "Cards are a text", 5),
    "step": (TakeStep, "pay", "A dealer's step is"),
    "deal": (Deal, 51, "A card is a Card or its name"),
    "cards": (best_five, 7, "Cards are a text"),
    "no cards": (best_five, None, "Cards are a text"),
    "bytes": (best_five, b"As Ks", "Cards are a text"),
    "a card": (best_three, ["As", "Ks", 43], "A card is a Card or its name", 43),
    "strength": (lambda value: compute_strength(FIVE_CARD, value), [1, 2, 3, 4, 5], "A card is a Card or its name", 1),
    "batch": (lambda value: evaluate_many(FIVE_CARD, value), [[1, 2, 3, 4, 5]], "A card is a Card or its name", 1),
    "ranking": (lambda value: evaluate(value, "As Ks Qs"), "three-card", "A ranking is a Ranking"),
    "seats of wagers": (lambda value: begin({value: {"ante-play": 1000}}), "1", "A seat is a whole number"),
    "an amount": (lambda value: begin({1: {"ante-play": value}}), "$10", "wagers by spot in whole cents"),
    "a fraction": (lambda value: begin({1: {"ante-play": value}}), 1000.0, "wagers by spot in whole cents"),
    "wagers of a seat": (lambda value: begin({1: value}), 1000, "wagers by spot"),
    "wagers": (lambda value: begin(value), [1000], "Pass wagers by seat and spot"),
}
"""A call, its wrong argument, the sentence, and the wrong part if the sentence names only a part of the argument."""


def begin(bets: Any) -> Round:
    return PRIME.begin(PRIME.open(default_setup("three-card-prime")), bets)


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_type_is_refused_with_the_value_and_its_type(case: str) -> None:
    call, argument, sentence, *wrong_part = WRONG[case]
    wrong_value = wrong_part[0] if wrong_part else argument
    with pytest.raises(BadInput) as refused:
        call(argument)
    assert sentence in str(refused.value)
    assert f"{wrong_value!r} ({type(wrong_value).__name__})" in str(refused.value)


def test_a_round_refuses_a_text_instead_of_an_action(round_at_decision: Round) -> None:
    with pytest.raises(BadInput):
        round_at_decision.apply("play")  # type: ignore[arg-type]


def test_hands_of_different_lengths_are_refused() -> None:
    with pytest.raises(BadInput):
        evaluate_many(THREE_CARD, ["As Ks Qs", "As Ks Qs Js"])


def test_wrong_cards_in_texts_are_refused() -> None:
    with pytest.raises(BadInput):
        best_five("As As Ks Qs Js")
    with pytest.raises(BadInput):
        best_five("As Ks Qs Js")
    with pytest.raises(BadInput):
        as_cards("As Xx")
    with pytest.raises(BadInput):
        best_five("As Ks Qs Js Jk")
