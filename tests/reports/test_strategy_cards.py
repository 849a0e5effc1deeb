"""Pocket strategy cards: their content, and that it fits."""

from __future__ import annotations

import json
import re
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import typst

from cardroom.games import game_slugs
from cardroom.odds import BasicStrategy
from cardroom.odds.pricer import StrategyRule
from cardroom.reports.strategy_cards import StrategyCard, cards_pages, cards_pdf, print_cards, strategy_cards
from cardroom.reports.strategy_cards import cards as pocket_cards
from cardroom.reports.strategy_cards.cards import _TEMPLATE, CARD_COLORS, DEFAULT_CARD_COLOR, _inputs
from tests.odds.three_card_double_play.in_words import TIES
from tests.reports.pdf_text import pieces

DAY = date(2026, 3, 2)
LONG = (
    "Low hand: a pair counts 6 if jacks or better, 5 if nines or better, 4 if fives or better, else 3.",
    *(f"{tie[:1].upper()}{tie[1:]}." for tie in TIES),
)


def card(*rules: str, game: str = "red-dog", name: str = "Red Dog") -> StrategyCard:
    return StrategyCard(
        game=game,
        name=name,
        wager="Ante",
        assumed="6 decks",
        rules=rules,
        cost="Costs 0.253% ± 0.004% of a unit against the best play",
        exactly="Exactly 1039061719/410390040060 of a unit",
        edges="House edge 0.636% with it, 0.509% at best",
        unit="A unit is one Ante",
    )


def fitted(*cards: StrategyCard) -> list[dict[str, float]]:
    """For each side of the cards: the height of the rules, the space for them, and the text size."""
    found: Any = typst.query(_TEMPLATE.read_bytes(), "<fitted>", field="value", sys_inputs=_inputs(cards))
    sides: list[dict[str, float]] = json.loads(found)
    return sides


def text(*cards: StrategyCard) -> str:
    return " ".join(pieces(cards_pdf(cards, DAY)))


def squeezed(words: str) -> str:
    """The letters without spaces and line breaks."""
    return re.sub(r"[\s\u200b]", "", words)


@pytest.mark.parametrize(
    ("rules", "name"),
    [(1, "Red Dog"), (8, "Red Dog"), (11, "Red Dog"), (20, "A Game with a Rather Long Name of Its Own")],
)
def test_every_rule_fits_and_can_be_read(rules: int, name: str) -> None:
    one = card(*(LONG[number % len(LONG)] for number in range(rules)), name=name)
    sides = fitted(one)
    assert all(side["high"] <= side["room"] for side in sides)
    assert all(7 <= side["size"] <= 14 for side in sides)
    assert (len(sides) == 1) == (rules <= 11)
    card_text = squeezed(text(one))
    assert all(card_text.count(squeezed(rule)) == one.rules.count(rule) for rule in set(one.rules))
    assert f"{len(sides)}of{len(sides)}" in card_text or len(sides) == 1


def test_short_strategies_have_large_letters() -> None:
    assert [side["size"] for side in fitted(card("Always go to war on a tie."))] == [14]


def test_four_cards_are_on_a_page() -> None:
    assert [len(cards_pages([card("Play.")] * number, 20)) for number in (1, 4, 5)] == [1, 1, 2]


def test_the_card_has_all_assumptions_and_results() -> None:
    one = card("Play.", "Fold the rest.")
    card_text = squeezed(text(one))
    for words in (one.name, one.wager, one.assumed, *one.rules, one.cost, one.exactly, one.edges, one.unit):
        assert squeezed(words) in card_text


def test_the_same_cards_give_the_same_bytes(tmp_path: Path) -> None:
    print_cards([card("Play.")], tmp_path / "card.pdf", DAY)
    assert (tmp_path / "card.pdf").read_bytes() == cards_pdf([card("Play.")], DAY)


def test_card_colors_are_those_of_the_tables_in_the_browser() -> None:
    tokens = (Path(pocket_cards.__file__).parents[2] / "web" / "static" / "css" / "tokens.css").read_text("utf-8")
    assert dict(re.findall(r'\[data-game="([a-z-]+)"\] \{ --cloth: (#[0-9a-f]{6});', tokens)) == CARD_COLORS
    assert f"  --cloth: {DEFAULT_CARD_COLOR};" in tokens
    assert set(CARD_COLORS) == set(game_slugs())


# The texts


def test_a_game_has_a_card_for_each_wager_with_decisions() -> None:
    assert [card.wager for card in strategy_cards("deuces-wild")] == ["Ante / Play / Raise", "Five Card Fortune"]
    (duel,) = strategy_cards("dueling-for-dollars")
    assert duel == StrategyCard(
        game="dueling-for-dollars",
        name="Dueling for Dollars",
        wager="Duel",
        assumed="6 decks, no tie after tie bonus",
        rules=("Always go to war on a tie.",),
        cost="Costs nothing: it is the best play",
        exactly="",
        edges="House edge 2.877%",
        unit="A unit is one duel",
    )


def test_a_simulated_cost_says_its_error() -> None:
    found = BasicStrategy((StrategyRule("keep the pair"),), Fraction(-1, 50), Fraction(-1, 100), 12_000_000, 0.00005)
    assert pocket_cards._cost(found) == "Costs 1.00% ± 0.00500% of a unit against the best play"
    assert pocket_cards._exact_text(found) == "Simulated over 12,000,000 rounds; ± is one standard error"


def test_options_are_in_plain_words() -> None:
    said = [pocket_cards._setting(*one) for one in (("decks", 1), ("decks", 6), ("ties", "push"), ("bonus", True))]
    assert said == ["1 deck", "6 decks", "ties push", "with bonus"]
