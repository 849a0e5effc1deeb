from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import cards
from cardroom.games.decisions import Decision, Verb, options
from cardroom.games.turns import SeatTurn
from cardroom.terminal.felt.choices import read_choice
from cardroom.terminal.felt.faults import NotUnderstood

FOLD_OR_PLAY = options(Verb.FOLD, Verb.PLAY)
KEEP_NINES = Decision(Verb.KEEP, (cards("9c 9h"),))
KEEP_ACE_TEN = Decision(Verb.KEEP, (cards("As Th"),))
SPLIT = Decision(Verb.SPLIT, (cards("As Th"), cards("9c 9h")))
SHOOTOUT = (KEEP_NINES, KEEP_ACE_TEN, SPLIT)


@pytest.mark.parametrize("text", ["2", " 2 ", "play", "PLAY", "p", "pl"])
def test_a_number_a_word_and_the_start_of_a_word_mean_the_same(text: str) -> None:
    assert read_choice(text, FOLD_OR_PLAY) == Decision(Verb.PLAY)


@pytest.mark.parametrize("text", ["keep as th", "keep 10h as", "k AsTh", "as 10h | 9c 9h", "split", "split 9h 9c"])
def test_cards_are_read_in_any_order_and_spelling(text: str) -> None:
    assert read_choice(text, SHOOTOUT) == (KEEP_ACE_TEN if text.startswith("k") else SPLIT)


def test_cards_alone_are_enough_when_only_one_option_speaks_of_them() -> None:
    assert read_choice("as th", (KEEP_NINES, KEEP_ACE_TEN)) == KEEP_ACE_TEN


def test_one_hand_is_enough_to_name_a_division_of_six_cards() -> None:
    kings = Decision(Verb.SET, (cards("Ks Kd 2c"), cards("9h 9c 4s")))
    mixed = Decision(Verb.SET, (cards("Ks Kd 4s"), cards("9h 9c 2c")))
    assert read_choice("9h9c2c", (kings, mixed)) == mixed
    assert read_choice("set ks kd 2c", (kings, mixed)) == kings


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
    turn = SeatTurn(1, "hand", (KEEP_NINES, KEEP_ACE_TEN, SPLIT), also=(SPLIT.turned_about,))
    assert str(read_choice(text, turn.options, turn.also)) == meant


def test_a_joker_is_called_by_its_name() -> None:
    choose = Decision(Verb.CHOOSE, (cards("Jk"),))
    assert read_choice("joker", (choose, Decision(Verb.CHOOSE, (cards("As"),)))) == choose


@pytest.mark.parametrize("text", ["as th", "keep"])
def test_what_could_mean_two_things_is_asked_again(text: str) -> None:
    with pytest.raises(NotUnderstood, match="could mean"):
        read_choice(text, SHOOTOUT)


@pytest.mark.parametrize("text", ["", "3", "0", "raise", "fold as", "as", "play play", "|", "９", "-1", "9" * 5_000])
def test_anything_else_is_told_what_would_be_right(text: str) -> None:
    with pytest.raises(NotUnderstood, match="type a number from 1 to 2, or such as 'play'"):
        read_choice(text, FOLD_OR_PLAY)


@given(
    st.text(max_size=30) | st.from_regex(r"(keep|split|k|s)? ?([2-9tjqka10]{1,2}[cdhs][ |/,-]?){0,5}", fullmatch=True)
)
def test_no_typing_ever_crashes(text: str) -> None:
    try:
        chosen = read_choice(text, SHOOTOUT)
    except NotUnderstood:
        return
    assert chosen in SHOOTOUT
