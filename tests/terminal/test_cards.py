from __future__ import annotations

import pytest

from cardroom.cards import STANDARD_DECK, cards
from cardroom.terminal.cards import CardSize, card_row, face, tags
from tests.terminal.typist import quiet_console


@pytest.mark.parametrize("size", CardSize)
def test_every_card_and_every_back_is_drawn_in_a_box_of_the_same_size(size: CardSize) -> None:
    for card in (*STANDARD_DECK, *cards("Jk"), None):
        lines = card_row((card,), size).plain.splitlines()
        assert [len(line) for line in lines] == [size.width] * size.value[1]


def test_a_back_tells_nothing_of_the_card() -> None:
    assert set(card_row((None,), CardSize.LARGE).plain) <= set("╭─╮│░╰╯\n")


def test_ten_is_written_as_on_a_card_and_the_joker_by_name() -> None:
    assert [face(card) for card in cards("Th As Jk")] == ["10♥", "A♠", "Joker"]


def test_red_suits_are_red_and_black_ones_are_not() -> None:
    hearts, spades = (tags(cards(name)).spans[0].style for name in ("Kh", "Ks"))
    assert hearts != spades


@pytest.mark.parametrize(
    ("width", "height", "size"),
    [(80, 24, CardSize.SMALL), (120, 40, CardSize.LARGE), (120, 24, CardSize.SMALL), (80, 50, CardSize.SMALL)],
)
def test_large_cards_need_a_large_screen(width: int, height: int, size: CardSize) -> None:
    assert CardSize.fitting(quiet_console(width, height)) is size
