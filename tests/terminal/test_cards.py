from __future__ import annotations

import pytest

from cardroom.cards import STANDARD_DECK, parse_cards
from cardroom.hands import is_wild
from cardroom.terminal.cards import CardSize, card_row, card_tags, face


@pytest.mark.parametrize("size", CardSize)
def test_every_card_and_every_back_is_drawn_in_a_box_of_the_same_size(size: CardSize) -> None:
    for card in (*STANDARD_DECK, *parse_cards("Jk"), None):
        lines = card_row((card,), size).plain.splitlines()
        assert [len(line) for line in lines] == [size.width] * size.value[1]


def test_a_back_tells_nothing_of_the_card() -> None:
    assert set(card_row((None,), CardSize.LARGE).plain) <= set("╭─╮│░╰╯\n")


def test_ten_is_written_as_on_a_card_and_the_joker_by_name() -> None:
    assert [face(card) for card in parse_cards("Th As Jk")] == ["10♥", "A♠", "Joker"]


def test_red_suits_are_red_and_black_ones_are_not() -> None:
    hearts, spades = (card_tags(parse_cards(name)).spans[0].style for name in ("Kh", "Ks"))
    assert hearts != spades


def test_a_wild_card_carries_a_star_and_others_do_not() -> None:
    row = card_row(parse_cards("2s Jk As"), CardSize.SMALL, is_wild).plain.splitlines()
    assert row[-1] == "╰─★─╯ ╰─★─╯ ╰───╯"
    assert card_tags(parse_cards("2s Jk As"), is_wild).plain == "2♠★ Joker★ A♠"
