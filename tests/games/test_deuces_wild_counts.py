"""How many hands meet each event, counted three times: by arithmetic, in the file of counts, and by the rules."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.cards import Deck
from cardroom.games.deuces_wild import FORTUNE_EVENTS, JACKPOT_EVENTS, MAIN_EVENTS, TREASURE_EVENTS
from cardroom.hands import FIVE_CARD_WILD, THREE_CARD_WILD, Category, Ranking, batch, is_wild
from cardroom.paytables import paytables

COUNTS = tomllib.loads((Path(__file__).parents[1] / "counts" / "deuces-wild.toml").read_text(encoding="utf-8"))
WAGERS = ("ante-play-raise", "three-card-treasure", "five-card-fortune", "bonus-jackpot")
NATURAL_RANKS = range(3, 15)
WILD_CARDS = 5

# By arithmetic. A kind of hand is its natural ranks, its number of wild cards, and whether the natural cards are of one
# suit. What it is follows from what the wild cards would have to fill in; nothing is evaluated.


def within_a_run(ranks: tuple[int, ...], size: int) -> bool:
    """Whether wild cards can complete a straight of this size; the ace is high or low."""
    runs = [{14 if rank == 1 else rank for rank in range(low, low + size)} for low in range(1, 16 - size)]
    return len(set(ranks)) == len(ranks) and any(run.issuperset(ranks) for run in runs)


def treasure_line(ranks: tuple[int, ...], suited: bool) -> str:
    if suited and within_a_run(ranks, 3):
        return "mini-royal" if min(ranks, default=14) >= 12 else "straight-flush"
    if len(set(ranks)) == 1:
        return "three-of-a-kind"
    if within_a_run(ranks, 3):
        return "straight"
    return "flush" if suited else "pair-or-less"


def fortune_line(ranks: tuple[int, ...], suited: bool) -> str:
    wild = 5 - len(ranks)
    most = max(Counter(ranks).values(), default=0)
    lines = {
        "natural-royal-flush": suited and not wild and within_a_run(ranks, 5) and min(ranks) >= 10,
        "five-wild-cards": wild == 5,
        "wild-royal-flush": suited and within_a_run(ranks, 5) and min(ranks, default=14) >= 10,
        "five-of-a-kind": len(set(ranks)) == 1,
        "straight-flush": suited and within_a_run(ranks, 5),
        "four-of-a-kind": most + wild >= 4,
        "full-house": len(set(ranks)) == 2,
        "flush": suited,
        "straight": within_a_run(ranks, 5),
        "three-of-a-kind": most + wild >= 3,
        "two-pair": len(set(ranks)) == 3 and wild == 0,  # three of a kind with two others is above
    }
    return next((line for line, met in lines.items() if met), "pair-or-less")


def main_line(ranks: tuple[int, ...], suited: bool) -> str:
    line = fortune_line(ranks, suited)
    return "wild-royal-flush" if line == "five-wild-cards" else line  # DW-4


def jackpot_line(ranks: tuple[int, ...], suited: bool) -> str:
    numbers = ("fewer-than-two", "fewer-than-two", "two", "three", "four", "five")
    return f"{numbers[5 - len(ranks)]}-wild-cards"


LINE = {
    "ante-play-raise": main_line,
    "three-card-treasure": treasure_line,
    "five-card-fortune": fortune_line,
    "bonus-jackpot": jackpot_line,
}


def by_arithmetic(wager: str) -> Counter[str]:
    size = COUNTS[wager]["cards"]
    found: Counter[str] = Counter()
    for wild in range(min(size, WILD_CARDS) + 1):
        for ranks in combinations_with_replacement(NATURAL_RANKS, size - wild):
            deals = comb(WILD_CARDS, wild) * prod(comb(4, copies) for copies in Counter(ranks).values())
            one_suit = 4 if ranks else 1
            suited = comb(WILD_CARDS, wild) * one_suit if len(set(ranks)) == len(ranks) else 0
            if suited:
                found[LINE[wager](ranks, True)] += suited
            if deals > suited:
                found[LINE[wager](ranks, False)] += deals - suited
    return found


# By the rules: every hand of the deck through the game's own events.


def every_hand(size: int) -> NDArray[np.uint8]:
    hands = combinations(range(Deck.WITH_JOKER.size), size)
    return np.fromiter(hands, dtype=np.dtype((np.uint8, size)), count=comb(Deck.WITH_JOKER.size, size))


@pytest.fixture(scope="module")
def five_cards() -> NDArray[np.uint8]:
    return every_hand(5)


def by_ranking(ranking: Ranking, events: Mapping[Category, str], hands: NDArray[np.uint8]) -> Counter[str]:
    found: Counter[str] = Counter()
    for strength, count in enumerate(np.bincount(batch(ranking, hands)).tolist()):
        if count:
            found[events[ranking.classes[strength - 1].category]] += count
    return found


@pytest.mark.parametrize("wager", WAGERS)
def test_the_file_of_counts_agrees_with_arithmetic(wager: str) -> None:
    assert by_arithmetic(wager) == COUNTS[wager]["counts"]


@pytest.mark.parametrize("wager", WAGERS)
def test_the_counts_add_up_to_every_hand_of_the_deck(wager: str) -> None:
    size = COUNTS[wager]["cards"]
    assert sum(COUNTS[wager]["counts"].values()) == COUNTS[wager]["total"] == comb(53, size)


@pytest.mark.parametrize("wager", WAGERS)
def test_every_event_but_the_losing_one_is_a_line_of_every_table(wager: str) -> None:
    *winning, losing = COUNTS[wager]["counts"]
    for table in paytables("deuces-wild", wager):
        assert [line.event for line in table.lines] == winning
        assert table.first([losing]) is None


def test_three_card_treasure_over_every_three_cards() -> None:
    found = by_ranking(THREE_CARD_WILD, TREASURE_EVENTS, every_hand(3))
    assert found == COUNTS["three-card-treasure"]["counts"]


def test_ante_play_raise_over_every_five_cards(five_cards: NDArray[np.uint8]) -> None:
    found = by_ranking(FIVE_CARD_WILD, MAIN_EVENTS, five_cards)
    assert found == COUNTS["ante-play-raise"]["counts"]


def test_five_card_fortune_with_one_selected_card_over_every_five_cards(five_cards: NDArray[np.uint8]) -> None:
    found = by_ranking(FIVE_CARD_WILD, FORTUNE_EVENTS, five_cards)
    assert found == COUNTS["five-card-fortune"]["counts"]


def test_bonus_jackpot_over_every_five_cards(five_cards: NDArray[np.uint8]) -> None:
    wild = np.array([is_wild(card) for card in Deck.WITH_JOKER.kinds()])
    found: Counter[str] = Counter()
    for number, count in enumerate(np.bincount(wild[five_cards].sum(axis=1)).tolist()):
        found[JACKPOT_EVENTS[number]] += count
    assert found == COUNTS["bonus-jackpot"]["counts"]
