"""Every figure of the paper about Texas Shootout, computed from the tablebase alone."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.cards import card_from_code, format_cards
from cardroom.games.texas_shootout.house_way import CHOICES, LINES, house_way_line
from cardroom.odds import Odds, PriceQuery, compute_odds, find_requests
from cardroom.odds.texas_shootout.tablebase.board_totals import orbits
from cardroom.odds.texas_shootout.tablebase.file import tablebase
from cardroom.odds.texas_shootout.tablebase.proof import hand_combinations
from cardroom.odds.texas_shootout.tablebase.shoe import SIX_DECKS, house_way_table
from cardroom.odds.texas_shootout.tablebase.wide_integers import (
    LIMB_COUNT,
    Limbs,
    argmax_limbs,
    to_int,
    to_ints,
    weighted_sum,
)

PAPER = Path("docs", "texas-shootout.md").read_text("utf-8")
HANDS = comb(312, 4)
SPLIT_HANDS = 8


@cache
def ways() -> NDArray[np.int64]:
    return hand_combinations(SIX_DECKS, tablebase().hands)


@cache
def values(ties: str) -> Limbs:
    """Sixths of deals won minus those lost, by hand and choice (six pairs to keep, three splits)."""
    joint = tablebase().all_joint_counts().reshape(-1, 3, 3, 3, LIMB_COUNT)
    pairs = np.concatenate([joint.sum(axis=3), joint.sum(axis=2)[:, ::-1]], axis=1)
    kept = pairs[:, :, 2] - pairs[:, :, 0] - (pairs[:, :, 1] if ties == "lose" else 0)
    return np.concatenate([kept, np.stack([kept[:, one] + kept[:, 5 - one] for one in range(3)], axis=1)], axis=1)


def chosen(some: Limbs, choices: NDArray[np.int64]) -> Limbs:
    return np.take_along_axis(some, choices[:, None, None], axis=1)[:, 0]


@cache
def best(ties: str) -> NDArray[np.int64]:
    return argmax_limbs(values(ties))


def mean(some: Limbs, hands: NDArray[np.bool_] | slice = slice(None), share: int = 1) -> Fraction:
    """The average of the hands' values, weighted by their deals."""
    total = to_int(weighted_sum(some[hands], ways()[hands]))
    return Fraction(total, share * tablebase().deals * int(ways()[hands].sum()))


@cache
def house_way() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each hand: the line that sets it, and the share of each pair in sixths."""
    cards = tablebase().hands.astype(np.int64)
    pairs = np.column_stack([SIX_DECKS.pair_numbers[cards[:, one], cards[:, other]] for one, other in CHOICES])
    wanted = SIX_DECKS.pair_preferences[pairs]
    kept = wanted == wanted.max(axis=1, keepdims=True)
    lines = np.array([_line(*sorted(pair)) for pair in SIX_DECKS.pairs.tolist()])
    line = np.take_along_axis(lines[pairs], wanted.argmax(axis=1)[:, None], axis=1)[:, 0]
    return line, 6 * kept // kept.sum(axis=1, keepdims=True)


def _line(low: int, high: int) -> int:
    return house_way_line((high >> 2) + 2, (low >> 2) + 2, high & 3 == low & 3)


def like_the_dealer(ties: str) -> Limbs:
    """The value of the pairs that the dealer would keep, in sixths of sixths, by hand."""
    found: Limbs = (values(ties)[:, :6] * house_way()[1][:, :, None]).sum(axis=1)
    return found


def percent(value: Fraction, digits: int) -> str:
    return f"{float(100 * value):.{digits}f} %".replace("-", "−")


def signed(value: Fraction) -> str:
    return f"{float(value):+.4f}".replace("-", "−")


def figure_rows() -> Iterator[str]:
    edges, all_money, splits, dealer = [], [], [], []
    for ties in ("lose", "push"):
        wins = mean(chosen(values(ties), best(ties)))
        split = Fraction(int(ways()[best(ties) >= 6].sum()), HANDS)
        edges.append(percent(-wins, 4))
        all_money.append(percent(-wins / (1 + split), 4))
        splits.append(percent(split, 3))
        alike = -mean(like_the_dealer(ties), share=6)
        dealer.append(percent(alike, 4) if alike else "0")
    yield f"| house edge, of the first wager | {edges[0]} | {edges[1]} |"
    yield f"| of all money wagered | {all_money[0]} | {all_money[1]} |"
    yield f"| hands that are split | {splits[0]} | {splits[1]} |"
    yield f"| a player who sets like the dealer | {dealer[0]} | {dealer[1]} |"


@cache
def odds(wager: str, table: str | None = None, ties: str | None = None) -> Odds:
    """The program's odds."""
    [question] = find_requests(PriceQuery("texas-shootout", wager, table, {} if ties is None else {"ties": ties}))
    return compute_odds(question)


def deviation_rows() -> Iterator[str]:
    lose, push = (odds("shootout", ties=ties) for ties in ("lose", "push"))
    yield f"| standard deviation | {lose.standard_deviation:.4f} | {push.standard_deviation:.4f} |"
    yield f"| rounds that win something | {percent(lose.hit_frequency, 3)} | {percent(push.hit_frequency, 3)} |"


def quick_draw_rows() -> Iterator[str]:
    main = odds("shootout", ties="push")
    for number in range(1, 9):
        name = f"TS/QD {number}"
        quick = odds("quick-draw", name)
        assert main.expected_return is not None
        assert quick.expected_return is not None
        both = -(main.expected_return + quick.expected_return) / 2
        yield f"| {name} | {percent(-quick.expected_return, 4)} | {percent(both, 4)} |"


def line_rows() -> Iterator[str]:
    line, _ = house_way()
    at_best, alike = chosen(values("lose"), best("lose")), like_the_dealer("lose")
    for number, name in enumerate(LINES, 1):
        hands = line == number
        share = percent(Fraction(int(ways()[hands].sum()), HANDS), 2)
        row = signed(mean(alike, hands, share=6)), signed(mean(at_best, hands))
        yield f"| {number} | {name} | {share} | {row[0]} | {row[1]} |"


def split_rows() -> Iterator[str]:
    some = values("lose")
    alone = chosen(some, argmax_limbs(some[:, :6]))
    both = chosen(some, best("lose"))
    gains = np.array([float(number) for number in to_ints(both - alone)])
    for number in np.argsort(-gains, kind="stable")[:SPLIT_HANDS]:
        cards = [card_from_code(int(code)) for code in tablebase().hands[number]]
        first, second = CHOICES[best("lose")[number] - 6], CHOICES[5 - (best("lose")[number] - 6)]
        two = [format_cards(sorted((cards[place] for place in places), reverse=True)) for places in (second, first)]
        wins, gain = (Fraction(to_int(one[number]), tablebase().deals) for one in (both, both - alone))
        yield f"| {format_cards(reversed(cards))} | {two[0]} and {two[1]} | {signed(wins)} | {signed(gain)} |"


@pytest.mark.parametrize("rows", [figure_rows, deviation_rows, quick_draw_rows, line_rows, split_rows])
def test_the_tables_of_the_paper_are_what_the_tablebase_says(rows: object) -> None:
    assert callable(rows)
    table_rows = list(rows())
    assert len(table_rows) >= 2
    assert [row for row in table_rows if row not in PAPER] == []


def test_the_fractions_of_the_paper_are_what_the_tablebase_says() -> None:
    for ties in ("lose", "push"):
        wins = abs(mean(chosen(values(ties), best(ties))))
        assert f"{wins.numerator} / {wins.denominator}" in PAPER
    assert f"{SIX_DECKS.deals:,}" in PAPER
    assert f"{len(orbits(SIX_DECKS).sizes):,} " in PAPER.replace(".", " ")
    assert f"{len(house_way_table(SIX_DECKS).shares):,} ways" in PAPER
    assert f"{comb(56, 5):,} boards" in PAPER


@pytest.mark.parametrize("ties", ["lose", "push"])
def test_the_program_gives_the_figures_of_the_tablebase(ties: str) -> None:
    priced = odds("shootout", ties=ties)
    assert priced.expected_return == mean(chosen(values(ties), best(ties)))
    assert priced.combinations == SIX_DECKS.deals
    assert priced.simulated_rounds is None
    assert priced.standard_error is None


def test_the_dealer_gives_away_most_on_line_12() -> None:
    line, _ = house_way()
    at_best, alike = chosen(values("lose"), best("lose")), like_the_dealer("lose")
    cost = {
        number: (mean(at_best, line == number) - mean(alike, line == number, share=6))
        * int(ways()[line == number].sum())
        for number in range(1, 15)
    }
    assert max(cost, key=lambda number: cost[number]) == 12
