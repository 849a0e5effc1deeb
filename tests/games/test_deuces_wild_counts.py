"""How many hands meet each event, counted three times: by arithmetic, in the file of counts, and by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations as choices
from itertools import combinations_with_replacement
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cardroom.cards import Card, Deck, Shoe, Suit
from cardroom.games import Decide, Pile, Round, SeatTurn, advance, default_setup
from cardroom.games.deuces_wild.rules import FORTUNE_EVENTS, JACKPOT_EVENTS, MAIN_EVENTS, RULES
from cardroom.hands import FIVE_CARD_WILD, Category, Ranking, evaluate_many, is_wild
from cardroom.paytables import paytables
from tests.enumeration import combinations, section
from tests.examples import examples

SLUG = "deuces-wild"
CARDS = {"ante-play-raise": 5, "three-card-treasure": 3, "five-card-fortune": 5, "bonus-jackpot": 5}
NATURAL_RANKS = range(3, 15)
WILD_CARDS = 5

every_wager = pytest.mark.parametrize("wager", CARDS)

# By arithmetic. A kind of hand is its natural ranks, its number of wild cards, and whether the natural cards are of one
# suit. Its line follows from what the wild cards have to fill in; no evaluator is used.


def fits_in_a_run(ranks: tuple[int, ...], size: int) -> bool:
    """Whether wild cards can complete a straight of this size; the ace is high or low."""
    runs = [{14 if rank == 1 else rank for rank in range(low, low + size)} for low in range(1, 16 - size)]
    return len(set(ranks)) == len(ranks) and any(run.issuperset(ranks) for run in runs)


def find_treasure_line(ranks: tuple[int, ...], suited: bool) -> str:
    if suited and fits_in_a_run(ranks, 3):
        return "mini-royal" if min(ranks, default=14) >= 12 else "straight-flush"
    if len(set(ranks)) == 1:
        return "three-of-a-kind"
    if fits_in_a_run(ranks, 3):
        return "straight"
    return "flush" if suited else "pair-or-less"


def find_fortune_line(ranks: tuple[int, ...], suited: bool) -> str:
    wild = 5 - len(ranks)
    most_of_a_rank = max(Counter(ranks).values(), default=0)
    lines = {
        "natural-royal-flush": suited and not wild and fits_in_a_run(ranks, 5) and min(ranks) >= 10,
        "five-wild-cards": wild == 5,
        "wild-royal-flush": suited and fits_in_a_run(ranks, 5) and min(ranks, default=14) >= 10,
        "five-of-a-kind": len(set(ranks)) == 1,
        "straight-flush": suited and fits_in_a_run(ranks, 5),
        "four-of-a-kind": most_of_a_rank + wild >= 4,
        "full-house": len(set(ranks)) == 2,
        "flush": suited,
        "straight": fits_in_a_run(ranks, 5),
        "three-of-a-kind": most_of_a_rank + wild >= 3,
        "two-pair": len(set(ranks)) == 3 and wild == 0,  # a hand with a wild card is three of a kind, above
    }
    return next((line for line, met in lines.items() if met), "pair-or-less")


def find_main_line(ranks: tuple[int, ...], suited: bool) -> str:
    line = find_fortune_line(ranks, suited)
    return "wild-royal-flush" if line == "five-wild-cards" else line  # DW-4


def find_jackpot_line(ranks: tuple[int, ...], suited: bool) -> str:
    numbers = ("fewer-than-two", "fewer-than-two", "two", "three", "four", "five")
    return f"{numbers[5 - len(ranks)]}-wild-cards"


LINE = {
    "ante-play-raise": find_main_line,
    "three-card-treasure": find_treasure_line,
    "five-card-fortune": find_fortune_line,
    "bonus-jackpot": find_jackpot_line,
}


def count_by_arithmetic(wager: str) -> Counter[str]:
    size = CARDS[wager]
    counted: Counter[str] = Counter()
    for wild in range(min(size, WILD_CARDS) + 1):
        for ranks in combinations_with_replacement(NATURAL_RANKS, size - wild):
            deals = comb(WILD_CARDS, wild) * prod(comb(4, copies) for copies in Counter(ranks).values())
            one_suit = 4 if ranks else 1
            suited = comb(WILD_CARDS, wild) * one_suit if len(set(ranks)) == len(ranks) else 0
            if suited:
                counted[LINE[wager](ranks, True)] += suited
            if deals > suited:
                counted[LINE[wager](ranks, False)] += deals - suited
    return counted


# By the rules: every hand of the deck with the game's own events.


@pytest.fixture(scope="module")
def five_cards() -> NDArray[np.uint8]:
    return np.concatenate(list(combinations(Deck.WITH_JOKER.size, 5)))


def count_by_ranking(ranking: Ranking, events: Mapping[Category, str], hands: NDArray[np.uint8]) -> Counter[str]:
    counted: Counter[str] = Counter()
    for strength, count in enumerate(np.bincount(evaluate_many(ranking, hands)).tolist()):
        if count:
            counted[events[ranking.classes[strength - 1].category]] += count
    return counted


@every_wager
def test_the_file_of_counts_agrees_with_arithmetic(wager: str) -> None:
    _, counts = section(SLUG, wager)
    assert count_by_arithmetic(wager) == counts


@every_wager
def test_the_counts_add_up_to_every_hand_of_the_deck(wager: str) -> None:
    total, counts = section(SLUG, wager)
    assert sum(counts.values()) == total == comb(53, CARDS[wager])


@every_wager
def test_every_event_except_the_last_is_a_line_of_every_printed_paytable(wager: str) -> None:
    _, counts = section(SLUG, wager)
    *winning, losing = counts
    for table in paytables(SLUG, wager):
        assert [line.trigger for line in table.lines] == winning
        assert table.find_matching_line([losing]) is None


def test_the_counts_of_ante_play_raise_are_those_of_every_five_cards(five_cards: NDArray[np.uint8]) -> None:
    _, counts = section(SLUG, "ante-play-raise")
    assert count_by_ranking(FIVE_CARD_WILD, MAIN_EVENTS, five_cards) == counts


def test_the_counts_of_five_card_fortune_are_those_of_every_five_cards(five_cards: NDArray[np.uint8]) -> None:
    _, counts = section(SLUG, "five-card-fortune")
    assert count_by_ranking(FIVE_CARD_WILD, FORTUNE_EVENTS, five_cards) == counts


def test_the_counts_of_the_bonus_jackpot_are_those_of_every_five_cards(five_cards: NDArray[np.uint8]) -> None:
    _, counts = section(SLUG, "bonus-jackpot")
    wild = np.array([is_wild(card) for card in Deck.WITH_JOKER.distinct_cards()])
    counted: Counter[str] = Counter()
    for number, count in enumerate(np.bincount(wild[five_cards].sum(axis=1)).tolist()):
        counted[JACKPOT_EVENTS[number]] += count
    assert counted == counts


# In play: the payments of single rounds compared with the same arithmetic.

ALL_CARDS = Deck.WITH_JOKER.cards()
HIGH = tuple(card for card in ALL_CARDS if is_wild(card) or card.rank >= 10)
SPADES = tuple(card for card in ALL_CARDS if is_wild(card) or card.suit is Suit.SPADES)


def find_line(wager: str, hand: tuple[Card, ...]) -> str:
    natural = [card for card in hand if not is_wild(card)]
    return LINE[wager](tuple(card.rank for card in natural), len({card.suit for card in natural}) < 2)


def play_round(nine: list[Card], pick: int) -> Round:
    """Play a round with one seat that makes every wager, plays, raises, and selects a card for Five Card Fortune."""
    bets = {1: {wager: 1000 if wager == "ante-play-raise" else 100 for wager in CARDS}}
    round_, shoe = RULES.begin(RULES.open(default_setup(SLUG)), bets), Shoe(tuple(nine))
    while not round_.is_terminal:
        round_, shoe = advance(round_, shoe)
        if isinstance(round_.turn, SeatTurn):
            options = round_.turn.options
            at = pick % len(options) if round_.turn.question == "fortune" else -1
            round_ = round_.apply(Decide(1, options[at]))
    return round_


@settings(max_examples=examples(150), deadline=None)
@given(
    nine=st.sampled_from([ALL_CARDS, HIGH, SPADES]).flatmap(
        lambda part: st.lists(st.sampled_from(part), min_size=9, max_size=9, unique=True)
    ),
    pick=st.integers(0, 6),
)
def test_each_wager_of_a_round_is_paid_by_the_line_of_its_cards(nine: list[Card], pick: int) -> None:
    end = play_round(nine, pick)
    five = end.hand(1) + end.pile(Pile.FOURTH, 1) + end.pile(Pile.FIFTH, 1)
    reused = end.decisions[1, "fortune"].groups[0] + end.pile(Pile.COMMUNITY)
    order = list(section(SLUG, "five-card-fortune")[1])
    expected = {
        **dict.fromkeys(("ante", "play", "raise"), find_line("ante-play-raise", five)),
        "three-card-treasure": find_line("three-card-treasure", end.hand(1)),
        "five-card-fortune": min(
            (find_line("five-card-fortune", some) for some in choices(reused, 5)), key=order.index
        ),
        "bonus-jackpot": find_line("bonus-jackpot", five),
    }
    assert {payment.stake: payment.event for payment in RULES.settle(end).payments} == expected
