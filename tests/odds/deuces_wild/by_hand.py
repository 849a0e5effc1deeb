"""Deuces Wild computed the slow way, from the rule sheet alone, as a check of the exact odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from statistics import mean

from cardroom.cards import Card, Deck, Rank
from cardroom.paytables import ForOne, Loss, Paytable, Push, ToOne

LINES = (
    "natural-royal-flush",
    "five-wild-cards",
    "wild-royal-flush",
    "five-of-a-kind",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
    "pair-or-less",
)
RUNS = [set(range(low, low + 5)) for low in range(2, 11)] + [{14, 2, 3, 4, 5}]
ROYAL = set(range(10, 15))


def is_wild(card: Card) -> bool:
    return str(card) in ("Jk", "2c", "2d", "2h", "2s")


@cache
def _line(ranks: tuple[int, ...], one_suit: bool) -> int:
    wild = 5 - len(ranks)
    copies = sorted(Counter(ranks).values(), reverse=True) or [0]
    different = copies[0] <= 1
    run = different and any(set(ranks) <= row for row in RUNS)
    kinds = len(copies)
    met = {
        "natural-royal-flush": wild == 0 and one_suit and set(ranks) == ROYAL,
        "five-wild-cards": wild == 5,
        "wild-royal-flush": one_suit and different and set(ranks) <= ROYAL,
        "five-of-a-kind": copies[0] + wild == 5,
        "straight-flush": one_suit and run,
        "four-of-a-kind": copies[0] + wild >= 4,
        "full-house": kinds == 2,
        "flush": one_suit,
        "straight": run,
        "three-of-a-kind": copies[0] + wild >= 3,
        "two-pair": copies[:2] == [2, 2],
        "pair-or-less": True,
    }
    return next(place for place, line in enumerate(LINES) if met[line])


def line(five: Iterable[Card]) -> int:
    """The index of the line that five cards make."""
    natural = [card for card in five if not is_wild(card)]
    return _line(tuple(sorted(card.rank for card in natural)), len({card.suit for card in natural}) <= 1)


def best_line(cards: Sequence[Card]) -> str:
    """The highest line of five of the cards."""
    return LINES[min(line(five) for five in combinations(cards, 5))]


def odds_of(table: Paytable, event: str) -> Fraction:
    """What one unit nets on a table that pays odds."""
    found = table.find_matching_line([event])
    match found.pay if found else Loss():
        case ToOne(odds):
            return odds
        case ForOne(odds):
            return odds - 1
        case Push():
            return Fraction(0)
        case Loss():
            return Fraction(-1)
        case pay:
            raise AssertionError(pay)


def left(*gone: Iterable[Card]) -> list[Card]:
    """The cards of the deck that are not gone."""
    missing = {card for group in gone for card in group}
    return [card for card in Deck.WITH_JOKER.cards() if card not in missing]


def _main_event(five: Sequence[Card]) -> str:
    event = LINES[line(five)]
    return "wild-royal-flush" if event == "five-wild-cards" else event  # DW-4


def main_nets(table: Paytable) -> Mapping[str, Fraction]:
    return {event: odds_of(table, event) for event in LINES}


def raised(table: Paytable, four: Sequence[Card], rest: Sequence[Card]) -> Fraction:
    """The value of a raise, in Antes."""
    nets = main_nets(table)
    return 4 * mean(nets[_main_event((*four, fifth))] for fifth in rest)


def played(table: Paytable, three: Sequence[Card], rest: Sequence[Card]) -> Fraction:
    """The value of a Play wager with the better of fold and raise after each fourth card."""
    after = [
        max(Fraction(-2), raised(table, (*three, fourth), [card for card in rest if card != fourth])) for fourth in rest
    ]
    return mean(after)


def fortune(table: Paytable, chosen: Sequence[Card], rest: Sequence[Card]) -> Fraction:
    """The value of a selection for Five Card Fortune."""
    nets = main_nets(table)
    counts = Counter(best_line((*chosen, *community)) for community in combinations(rest, 4))
    return sum((nets[event] * count for event, count in counts.items()), Fraction(0)) / counts.total()


def plays(three: Sequence[Card], *, rows: bool) -> bool:
    """A pair or better, three to a straight flush; with ``rows`` three in a row from 5-6-7 to T-J-Q as well."""
    if any(map(is_wild, three)) or len({card.rank for card in three}) < 3:
        return True
    ranks = sorted(int(card.rank) for card in three)
    if len({card.suit for card in three}) == 1 and any(set(ranks) <= row for row in RUNS):
        return True
    return rows and ranks[2] - ranks[0] == 2 and ranks[0] >= 5 and ranks[2] <= Rank.QUEEN


def raises(four: Sequence[Card]) -> bool:
    """A pair or better, four to a flush, four to a straight but A-3-4-5."""
    if any(map(is_wild, four)) or len({card.rank for card in four}) < 4:
        return True
    ranks = [int(card.rank) for card in four]
    return len({card.suit for card in four}) == 1 or max(ranks) - min(ranks) <= 4
