from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import parse_cards
from cardroom.games.actions import Decision, SeatTurn, Verb, options
from cardroom.terminal.client.prompts import UnknownChoice, parse_choice

FOLD_OR_PLAY = options(Verb.FOLD, Verb.PLAY)
KEEP_NINES = Decision(Verb.KEEP, (parse_cards("9c 9h"),))
KEEP_ACE_TEN = Decision(Verb.KEEP, (parse_cards("As Th"),))
SPLIT = Decision(Verb.SPLIT, (parse_cards("As Th"), parse_cards("9c 9h")))
SHOOTOUT = (KEEP_NINES, KEEP_ACE_TEN, SPLIT)


@pytest.mark.parametrize("text", ["2", " 2 ", "play", "PLAY", "p", "pl"])
def test_a_number_a_word_and_the_start_of_a_word_mean_the_same(text: str) -> None:
    assert parse_choice(text, FOLD_OR_PLAY) == Decision(Verb.PLAY)


@pytest.mark.parametrize("text", ["keep as th", "keep 10h as", "k AsTh", "as 10h | 9c 9h", "split", "split 9h 9c"])
def test_cards_are_read_in_any_order_and_spelling(text: str) -> None:
    assert parse_choice(text, SHOOTOUT) == (KEEP_ACE_TEN if text.startswith("k") else SPLIT)


def test_cards_alone_are_enough_when_only_one_option_speaks_of_them() -> None:
    assert parse_choice("as th", (KEEP_NINES, KEEP_ACE_TEN)) == KEEP_ACE_TEN


def test_one_hand_is_enough_to_name_a_division_of_six_cards() -> None:
    kings = Decision(Verb.SET, (parse_cards("Ks Kd 2c"), parse_cards("9h 9c 4s")))
    mixed = Decision(Verb.SET, (parse_cards("Ks Kd 4s"), parse_cards("9h 9c 2c")))
    assert parse_choice("9h9c2c", (kings, mixed)) == mixed
    assert parse_choice("set ks kd 2c", (kings, mixed)) == kings


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("split 9h 9c | as 10h", "split 9h 9c | As Th"),
        ("9c9h / thas", "split 9h 9c | As Th"),
        ("split as 10h | 9h 9c", "split As Th | 9h 9c"),
        ("split 9h 9c", "split As Th | 9h 9c"),
        ("3", "split As Th | 9h 9c"),
    ],
)
def test_hands_typed_in_another_order_keep_it_where_the_order_is_free(text: str, meant: str) -> None:
    turn = SeatTurn(1, "hand", (KEEP_NINES, KEEP_ACE_TEN, SPLIT), unlisted_options=(SPLIT.with_reversed_groups,))
    assert str(parse_choice(text, turn.options, turn.unlisted_options)) == meant


def test_a_joker_is_called_by_its_name() -> None:
    choose = Decision(Verb.CHOOSE, (parse_cards("Jk"),))
    assert parse_choice("joker", (choose, Decision(Verb.CHOOSE, (parse_cards("As"),)))) == choose


@pytest.mark.parametrize("text", ["as th", "keep"])
def test_what_could_mean_two_things_is_asked_again(text: str) -> None:
    with pytest.raises(UnknownChoice, match="could mean"):
        parse_choice(text, SHOOTOUT)


@pytest.mark.parametrize("text", ["", "3", "0", "raise", "fold as", "as", "play play", "|", "９", "-1", "9" * 5_000])
def test_anything_else_is_shown_what_would_be_right(text: str) -> None:
    with pytest.raises(UnknownChoice, match="type a number from 1 to 2, or for example 'play'"):
        parse_choice(text, FOLD_OR_PLAY)


@given(
    st.text(max_size=30) | st.from_regex(r"(keep|split|k|s)? ?([2-9tjqka10]{1,2}[cdhs][ |/,-]?){0,5}", fullmatch=True)
)
def test_no_typing_ever_crashes(text: str) -> None:
    try:
        chosen = parse_choice(text, SHOOTOUT)
    except UnknownChoice:
        return
    assert chosen in SHOOTOUT
