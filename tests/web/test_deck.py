"""The deck that pages show: complete, with true pips, and small enough for the first page."""

from __future__ import annotations

import gzip
import re
from xml.etree import ElementTree

import pytest

from cardroom.cards import JOKER, STANDARD_DECK
from cardroom.games.money import DENOMINATIONS
from cardroom.web.pages.assets import STATIC
from cardroom.web.pages.card_images import PIPS, sprite
from cardroom.web.pages.templating import ENVIRONMENT, stack_chips

SVG = "{http://www.w3.org/2000/svg}"
SYMBOLS = {symbol.get("id", ""): symbol for symbol in ElementTree.fromstring(sprite())}


def test_every_card_the_joker_and_the_back_are_drawn_once() -> None:
    assert list(SYMBOLS) == [*map(str, STANDARD_DECK), str(JOKER), "back"]
    assert len(SYMBOLS) == 54
    assert len({ElementTree.tostring(symbol) for symbol in SYMBOLS.values()}) == 54, (
        "no two are alike but for their names"
    )


@pytest.mark.parametrize("name", [card for card in map(str, STANDARD_DECK) if card[0] not in "JQK"])
def test_a_number_card_has_as_many_pips_as_it_says(name: str) -> None:
    group = SYMBOLS[name].find(f"{SVG}g")
    assert group is not None
    outlines = group[0].get("d", "").count("z")
    worth = {"A": 1, "T": 10}.get(name[0]) or int(name[0])
    assert outlines == worth
    assert f"var(--suit-{name[1]}," in group.get("style", "")


def test_pips_lie_the_same_when_the_card_is_turned_but_for_the_seven() -> None:
    lopsided = {rank for rank, places in PIPS.items() if {(250 - x, 350 - y) for x, y in places} != set(places)}
    assert lopsided == {"7"}


def test_the_deck_is_small_enough_for_the_first_page() -> None:
    assert len(gzip.compress(sprite().encode(), 9)) < 12_000


def test_the_page_sets_the_colors_of_the_suits() -> None:
    tokens = (STATIC / "css" / "tokens.css").read_text("utf-8")
    assert all(f"{name}:" in tokens for name in re.findall(r"var\((--[\w-]+)", sprite()))


@pytest.mark.parametrize("cents", [1, 99, 5_00, 137_50, 999_99, 20_000_00])
def test_the_chips_that_are_drawn_make_up_the_sum(cents: int) -> None:
    picture = stack_chips(cents)
    assert sum(stack.chips[0].value * stack.number for stack in picture.stacks) == cents
    inside = [
        0 < chip.x < picture.width and 0 < chip.y < picture.height for stack in picture.stacks for chip in stack.chips
    ]
    assert all(inside)


def test_every_denomination_has_its_color() -> None:
    style = (STATIC / "css" / "chips.css").read_text("utf-8")
    assert all(re.search(rf"\.worth-{value}\b", style) for value in DENOMINATIONS)


def test_a_back_tells_nothing_and_a_face_says_its_name() -> None:
    parts = ENVIRONMENT.get_template("parts.html").module
    shown, hidden = str(parts.card("Qh")), str(parts.card(None))  # type: ignore[attr-defined]
    assert 'aria-label="Queen of hearts"' in shown
    assert "#Qh" in shown
    assert 'aria-label="face down"' in hidden
    assert "#back" in hidden
