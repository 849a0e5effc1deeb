"""Simulated rounds of Dueling for Dollars, as kernels.

A round is told by one number, its kind: what the first two cards are, and where more cards fall, how the war goes and
what the bonus wagers make of them. How the wagers end follows from the kind, so the kinds are all that is counted.

Six cards are drawn for every round although most need two: drawing for many rounds at once takes less time than finding
those that need more.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.games.dueling_for_dollars.bonuses import TIE_AFTER_TIE, TWO_PLUS_TWO, tie_after_tie, two_plus_two
from cardroom.kernels import kernel
from cardroom.odds.rounds.deals import ROUNDS, Cards, Counts, count_places, deal, parts

Bytes: TypeAlias = NDArray[np.uint8]

KINDS_OF_CARD: Final = 52
PAIRS: Final = KINDS_OF_CARD**2
"""Two cards are told by the code of the first times 52 plus that of the second."""
DRAWN: Final = 6
"""The player's card, the community card, the player's war card, the war community card, two added community cards."""

LEADS: Final = 3
"""The house is ahead in the war, a tie, the player is ahead."""
ENDS: Final = LEADS * len(TIE_AFTER_TIE) * len(TWO_PLUS_TWO)
"""How a round can go on after the first two cards."""


class DuelTables(NamedTuple):
    """What the kernels look up."""

    codes: Bytes
    """Of the cards in the shoe, by their place."""
    starts: Bytes
    """By the first two cards: which start they are."""
    at_war: NDArray[np.bool_]
    """By start: whether there is a war."""
    adds: NDArray[np.bool_]
    """By start: whether two more community cards are dealt."""
    rows: NDArray[np.int64]
    """By the first two cards: their row in the tables below."""
    war: NDArray[np.uint16]
    """By a row and the two war cards: who is ahead and what Tie After Tie makes of it, as part of a kind."""
    added: Bytes
    """By a row and the two added cards: the place in ``TWO_PLUS_TWO``."""


@kernel
def after_starts(starts: Bytes, leads: Bytes) -> tuple[NDArray[np.uint16], Bytes]:
    """For each start a row for all pairs of cards that may follow: what they add to the kind as war cards, where
    ``leads`` tells who is ahead, and their place in ``TWO_PLUS_TWO`` as added cards."""
    war, added = np.empty((len(starts), PAIRS), np.uint16), np.empty((len(starts), PAIRS), np.uint8)
    four = np.empty((1, 4), np.uint8)
    for row in range(len(starts)):
        four[0, 0], four[0, 1] = starts[row, 0], starts[row, 1]
        for pair in range(PAIRS):
            four[0, 2], four[0, 3] = pair // KINDS_OF_CARD, pair % KINDS_OF_CARD
            line = np.int64(leads[pair]) * len(TIE_AFTER_TIE) + tie_after_tie(four, 0)
            war[row, pair] = line * len(TWO_PLUS_TWO)
            added[row, pair] = two_plus_two(four, 0)
    return war, added


@kernel
def _begin(cards: Cards, t: DuelTables, kinds: NDArray[np.int64], waiting: NDArray[np.int64]) -> int:
    """The kind of each round by its first two cards; and how many rounds go on with more cards, and which."""
    codes, starts, goes_on = t.codes, t.starts, t.at_war | t.adds
    first, second = cards[0], cards[1]
    more = 0
    for at in range(ROUNDS):
        start = np.int64(starts[np.int64(codes[first[at]]) * KINDS_OF_CARD + codes[second[at]]])
        kinds[at] = start * ENDS
        waiting[more] = at
        more += int(goes_on[start])
    return more


@kernel
def _go_on(waiting: NDArray[np.int64], cards: Cards, t: DuelTables, kinds: NDArray[np.int64]) -> None:
    """Complete the kinds of the rounds that go on."""
    codes, starts, at_war, adds, rows, war, added = t.codes, t.starts, t.at_war, t.adds, t.rows, t.war, t.added
    for at in waiting:
        pair = np.int64(codes[cards[0, at]]) * KINDS_OF_CARD + codes[cards[1, at]]
        row, start = rows[pair], starts[pair]
        if at_war[start]:
            kinds[at] += war[row, np.int64(codes[cards[2, at]]) * KINDS_OF_CARD + codes[cards[3, at]]]
        if adds[start]:
            kinds[at] += added[row, np.int64(codes[cards[4, at]]) * KINDS_OF_CARD + codes[cards[5, at]]]


@kernel
def judge_duels(dealt: Bytes, surrendered: NDArray[np.bool_], t: DuelTables, kinds: NDArray[np.int32]) -> None:
    """The kinds of rounds that were dealt elsewhere, a row each, where every tie is a war but for those that are
    surrendered: their kinds come after all others."""
    starts, at_war, adds, rows, war, added = t.starts, t.at_war, t.adds, t.rows, t.war, t.added
    for at in range(len(dealt)):
        pair = np.int64(dealt[at, 0]) * KINDS_OF_CARD + dealt[at, 1]
        start = np.int64(starts[pair])
        kind = start * ENDS
        if at_war[start]:
            if surrendered[at]:
                kind += len(at_war) * ENDS
            else:
                kind += war[rows[pair], np.int64(dealt[at, 2]) * KINDS_OF_CARD + dealt[at, 3]]
        if adds[start]:
            kind += added[rows[pair], np.int64(dealt[at, 4]) * KINDS_OF_CARD + dealt[at, 5]]
        kinds[at] = kind


@kernel
def play_duels(seed: np.uint64, block: int, rounds: int, t: DuelTables, counts: Counts, listed: Counts) -> None:
    """Play rounds and count their kinds; where ``listed`` has room, it gets the kind of each round."""
    cards = np.empty((DRAWN, ROUNDS), np.uint16)
    kinds, waiting = np.empty(ROUNDS, np.int64), np.empty(ROUNDS + 1, np.int64)
    for part in range(parts(rounds)):
        deal(cards, len(t.codes), seed, block, part)
        more = _begin(cards, t, kinds, waiting)
        _go_on(waiting[:more], cards, t, kinds)
        played = min(ROUNDS, rounds - part * ROUNDS)
        count_places(kinds[:played], counts, 0)
        if len(listed):
            listed[part * ROUNDS : part * ROUNDS + played] = kinds[:played]
