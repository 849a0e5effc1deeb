"""Kernels that simulate Dueling for Dollars.

One number, the kind, describes a round: its first two cards and, if more cards are dealt, the result of the war and of
the bonus wagers. The kind determines the outcomes of all wagers, so the kernels count only kinds.

The kernels draw six cards for every round although most need two: this takes less time than finding the rounds that
need more.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.games.dueling_for_dollars.bonuses import TIE_AFTER_TIE, TWO_PLUS_TWO, tie_after_tie, two_plus_two
from cardroom.kernels import kernel
from cardroom.odds.simulation.deals import PART_ROUNDS, Cards, Counts, count_places, deal, part_count

Bytes: TypeAlias = NDArray[np.uint8]

KINDS_OF_CARD: Final = 52
CARD_PAIRS: Final = KINDS_OF_CARD**2
"""The number of card pairs. A pair is the code of the first card times 52 plus the code of the second."""
CARDS_DEALT: Final = 6
"""The player's card, the community card, the player's war card, the war community card, two added community cards."""

LEADS: Final = 3
"""The house is ahead in the war, a tie, the player is ahead."""
CONTINUATIONS: Final = LEADS * len(TIE_AFTER_TIE) * len(TWO_PLUS_TWO)
"""The number of ways in which a round can continue after the first two cards."""


class DuelTables(NamedTuple):
    """The lookup tables of the kernels."""

    codes: Bytes
    """The codes of the cards in the shoe, by place."""
    starts: Bytes
    """The start number of the first two cards."""
    is_war: NDArray[np.bool_]
    """Whether a start leads to a war."""
    adds_cards: NDArray[np.bool_]
    """Whether a start leads to two more community cards."""
    rows: NDArray[np.int64]
    """The row of the first two cards in the tables below."""
    war_kinds: NDArray[np.uint16]
    """The war result and the Tie After Tie line as part of a kind, by row and war cards."""
    added_kinds: Bytes
    """The index in ``TWO_PLUS_TWO``, by row and added cards."""


@kernel
def continuation_tables(starts: Bytes, leads: Bytes) -> tuple[NDArray[np.uint16], Bytes]:
    """Two tables with a row per start and a column per pair of following cards: what they add to the kind as war cards
    (``leads`` says who is ahead), and their index in ``TWO_PLUS_TWO`` as added cards."""
    war, added = np.empty((len(starts), CARD_PAIRS), np.uint16), np.empty((len(starts), CARD_PAIRS), np.uint8)
    four = np.empty((1, 4), np.uint8)
    for row in range(len(starts)):
        four[0, 0], four[0, 1] = starts[row, 0], starts[row, 1]
        for pair in range(CARD_PAIRS):
            four[0, 2], four[0, 3] = pair // KINDS_OF_CARD, pair % KINDS_OF_CARD
            line = np.int64(leads[pair]) * len(TIE_AFTER_TIE) + tie_after_tie(four, 0)
            war[row, pair] = line * len(TWO_PLUS_TWO)
            added[row, pair] = two_plus_two(four, 0)
    return war, added


@kernel
def _start_rounds(cards: Cards, t: DuelTables, kinds: NDArray[np.int64], open_rounds: NDArray[np.int64]) -> int:
    """Store the kind of each round by its first two cards, and the rounds that need more cards. Returns their
    number."""
    codes, starts, goes_on = t.codes, t.starts, t.is_war | t.adds_cards
    first, second = cards[0], cards[1]
    more = 0
    for at in range(PART_ROUNDS):
        start = np.int64(starts[np.int64(codes[first[at]]) * KINDS_OF_CARD + codes[second[at]]])
        kinds[at] = start * CONTINUATIONS
        open_rounds[more] = at
        more += int(goes_on[start])
    return more


@kernel
def _continue_rounds(open_rounds: NDArray[np.int64], cards: Cards, t: DuelTables, kinds: NDArray[np.int64]) -> None:
    """Complete the kinds of the rounds that need more cards."""
    codes, starts, at_war, adds, rows, war, added = (
        t.codes,
        t.starts,
        t.is_war,
        t.adds_cards,
        t.rows,
        t.war_kinds,
        t.added_kinds,
    )
    for at in open_rounds:
        pair = np.int64(codes[cards[0, at]]) * KINDS_OF_CARD + codes[cards[1, at]]
        row, start = rows[pair], starts[pair]
        if at_war[start]:
            kinds[at] += war[row, np.int64(codes[cards[2, at]]) * KINDS_OF_CARD + codes[cards[3, at]]]
        if adds[start]:
            kinds[at] += added[row, np.int64(codes[cards[4, at]]) * KINDS_OF_CARD + codes[cards[5, at]]]


@kernel
def judge_duels(deals: Bytes, is_surrendered: NDArray[np.bool_], t: DuelTables, kinds: NDArray[np.int32]) -> None:
    """The kinds of rounds that were dealt elsewhere, a row each. Every tie that is not surrendered is a war; the kinds
    of surrendered ties come after all others."""
    starts, at_war, adds, rows, war, added = t.starts, t.is_war, t.adds_cards, t.rows, t.war_kinds, t.added_kinds
    for at in range(len(deals)):
        pair = np.int64(deals[at, 0]) * KINDS_OF_CARD + deals[at, 1]
        start = np.int64(starts[pair])
        kind = start * CONTINUATIONS
        if at_war[start]:
            if is_surrendered[at]:
                kind += len(at_war) * CONTINUATIONS
            else:
                kind += war[rows[pair], np.int64(deals[at, 2]) * KINDS_OF_CARD + deals[at, 3]]
        if adds[start]:
            kind += added[rows[pair], np.int64(deals[at, 4]) * KINDS_OF_CARD + deals[at, 5]]
        kinds[at] = kind


@kernel
def play_duels(seed: np.uint64, block: int, rounds: int, t: DuelTables, counts: Counts, round_kinds: Counts) -> None:
    """Play rounds and count their kinds. If ``round_kinds`` has room, it receives the kind of each round."""
    cards = np.empty((CARDS_DEALT, PART_ROUNDS), np.uint16)
    kinds, open_rounds = np.empty(PART_ROUNDS, np.int64), np.empty(PART_ROUNDS + 1, np.int64)
    for part in range(part_count(rounds)):
        deal(cards, len(t.codes), seed, block, part)
        more = _start_rounds(cards, t, kinds, open_rounds)
        _continue_rounds(open_rounds[:more], cards, t, kinds)
        played = min(PART_ROUNDS, rounds - part * PART_ROUNDS)
        count_places(kinds[:played], counts, 0)
        if len(round_kinds):
            round_kinds[part * PART_ROUNDS : part * PART_ROUNDS + played] = kinds[:played]
