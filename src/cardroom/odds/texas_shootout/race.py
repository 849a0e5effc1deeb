"""Simulated rounds of Texas Shootout, as kernels: the cards from a Philox stream, the dealer's hand by the house way,
and each of the player's hands against it. Counts are integers and do not depend on the number of threads.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.board import best_of, board_sums
from cardroom.hands.strength import ascending
from cardroom.hands.tables import Tables
from cardroom.kernels import inlined, kernel, parallel_kernel, prange
from cardroom.odds.rounds.philox import draw, philox, refused_below
from cardroom.odds.texas_shootout.hands import (
    COPIES,
    KEEPS,
    KINDS_OF_CARD,
    dealer_preferences,
    hand_number,
    pair_places,
    suit_exchanges,
)
from cardroom.odds.texas_shootout.results import RESULTS

Bytes: TypeAlias = NDArray[np.uint8]

JOINT: Final = RESULTS**KEEPS
"""Joint results of a hand's six pairs, as digits to the base 3, choice 0 lowest."""
ENDS: Final = RESULTS + RESULTS**2
"""How a round can end: the result of the one hand, or of the two hands of a split: 3 + 3 * first + second."""

_DECK: Final = KINDS_OF_CARD * COPIES
_HAND_WORDS: Final = np.uint64(1 << 16)
"""Where in a round's stream the numbers for the player's hand begin."""


class Stream(NamedTuple):
    """Which random numbers the rounds of a block are dealt from, and how many rounds there are."""

    seed: int
    number: int
    block: int
    rounds: int


class Looked(NamedTuple):
    """What simulated rounds look up."""

    pairs: NDArray[np.uint8]
    """By choice: the places of the cards that it plays."""
    exchanges: NDArray[np.uint8]
    """The orders of the suits in which the dealer's cards are looked at, in turn: the code that each code becomes."""
    wanted: NDArray[np.int32]
    """The house way's preference for each two cards."""


@cache
def looked_up(orders: int) -> Looked:
    """With so many orders of the suits."""
    return Looked(pair_places(), suit_exchanges()[:orders].copy(), dealer_preferences())


# Dealing


@kernel
def _deck_without(gone: NDArray[np.int64]) -> Bytes:
    deck = np.empty(_DECK, np.uint8)
    cards = 0
    for code in range(KINDS_OF_CARD):
        for _ in range(COPIES - gone[code]):
            deck[cards] = code
            cards += 1
    return deck[:cards]


@kernel
def full_deck() -> Bytes:
    """Six decks in order."""
    return _deck_without(np.zeros(KINDS_OF_CARD, np.int64))


@kernel
def fair_limits(cards: int, lead: int) -> tuple[np.uint64, np.uint64, np.uint64]:
    """What the rests of the draws must not be below: the player's hand, the dealer's hand, the board."""
    hand = refused_below(cards, 4) if lead else np.uint64(0)
    return hand, refused_below(cards - lead, 4), refused_below(cards - lead - 4, 5)


@kernel
def deal_round(
    deck: Bytes, lead: int, limits: tuple[np.uint64, np.uint64, np.uint64], turn: int, stream: Stream
) -> None:
    """Lay the cards of a round on top of the deck: the player's four when ``lead`` is 4 (none when it is 0), the
    dealer's four, the five of the board."""
    seed_0, seed_1 = np.uint64(stream.seed & 0xFFFFFFFF), np.uint64(stream.seed >> 32)
    here, there, place = np.uint64(turn), np.uint64(stream.block), np.uint64(stream.number)
    cards = len(deck)
    attempt = np.uint64(0)
    fair = False
    while not fair:
        fair = True
        if lead:
            w, x, _, _ = philox(here, there, place, attempt + _HAND_WORDS, seed_0, seed_1)
            fair = bool(draw(deck, 0, cards, 4, w, x) >= limits[0])
        w, x, y, z = philox(here, there, place, attempt, seed_0, seed_1)
        fair &= bool(draw(deck, lead, cards, 4, w, x) >= limits[1])
        fair &= bool(draw(deck, lead + 4, cards, 5, y, z) >= limits[2])
        attempt += np.uint64(1)


# Comparing


@inlined
def result(own: np.uint16, dealer: np.uint16) -> int:
    """Loss, tie or win."""
    return int(own >= dealer) + int(own > dealer)


@kernel
def dealers_pair(deck: Bytes, at: int, exchanges: Bytes, order: int, wanted: NDArray[np.int32]) -> int:
    """Which pair the house way plays of the four cards from ``deck[at]`` on, with their suits exchanged in this
    order."""
    best, choice, number = -1, 0, 0
    for low in range(3):
        for high in range(low + 1, 4):
            value = wanted[exchanges[order, deck[at + low]], exchanges[order, deck[at + high]]]
            if value > best:
                best, choice = value, number
            number += 1
    return choice


# Rounds


@parallel_kernel
def play_blocks(stream: Stream, ends: NDArray[np.int64], choices: Bytes, look: Looked, t: Tables) -> None:
    """Play a block of rounds for each row of ``ends``, the first of them the stream's, and count how they end.

    ``choices`` has a row for each strategy: the choice by the number of the hand. All strategies play the same cards:
    ``ends`` counts how each one ends, or with two of them how both end together (12 * first + second).
    """
    for row in prange(len(ends)):
        block = Stream(stream.seed, stream.number, stream.block + row, stream.rounds)
        _play_block(block, ends[row], choices, look, t)


@kernel
def _play_block(stream: Stream, ends: NDArray[np.int64], choices: Bytes, look: Looked, t: Tables) -> None:
    pairs, exchanges, wanted = look.pairs, look.exchanges, look.wanted
    keys, unsuited, suited, rows, shift, mask = t.keys, t.unsuited, t.suited, t.rows, t.row_shift, t.slot_mask
    deck = full_deck()
    limits = fair_limits(len(deck), 4)
    hand = np.empty(4, np.int64)
    for turn in range(stream.rounds):
        deal_round(deck, 4, limits, turn, stream)
        a, b, c, d = ascending(int(deck[0]), int(deck[1]), int(deck[2]), int(deck[3]))
        hand[0], hand[1], hand[2], hand[3] = a, b, c, d
        number = hand_number(a, b, c, d)
        board = board_sums(deck[8], deck[9], deck[10], deck[11], deck[12], keys)
        pair = dealers_pair(deck, 4, exchanges, 0, wanted)
        one, other = deck[4 + pairs[pair, 0]], deck[4 + pairs[pair, 1]]
        dealer = best_of(one, other, board, keys, unsuited, suited, rows, shift, mask)
        both, end, before = 0, 0, -1
        for strategy in range(len(choices)):
            choice = int(choices[strategy, number])
            if choice != before:
                a, b = hand[pairs[choice, 0]], hand[pairs[choice, 1]]
                end = result(best_of(a, b, board, keys, unsuited, suited, rows, shift, mask), dealer)
                if choice >= KEEPS:
                    a, b = hand[pairs[choice, 2]], hand[pairs[choice, 3]]
                    second = result(best_of(a, b, board, keys, unsuited, suited, rows, shift, mask), dealer)
                    end = RESULTS + RESULTS * end + second
                before = choice
            both = ENDS * both + end
        ends[both] += 1


@parallel_kernel
def race_blocks(
    stream: Stream, hands: Bytes, numbers: NDArray[np.int64], joint: NDArray[np.int32], look: Looked, t: Tables
) -> None:
    """Play a block of rounds with each hand, and count the joint results of its six pairs against the dealer. Each hand
    has a stream of its own, with the number that ``numbers`` says."""
    for row in prange(len(hands)):
        gone = np.zeros(KINDS_OF_CARD, np.int64)
        for card in range(4):
            gone[hands[row, card]] += 1
        own = Stream(stream.seed, numbers[row], stream.block, stream.rounds)
        joint_results(own, hands[row], gone, joint[row], look, t)


@parallel_kernel
def hand_blocks(
    stream: Stream, hand: Bytes, gone: NDArray[np.int64], joint: NDArray[np.int32], look: Looked, t: Tables
) -> None:
    """Play a block for each row of ``joint`` with one hand; the cards in ``gone``, the hand's own among them, are
    out of the deck."""
    for block in prange(len(joint)):
        own = Stream(stream.seed, stream.number, block, stream.rounds)
        joint_results(own, hand, gone, joint[block], look, t)


@kernel
def joint_results(
    stream: Stream, hand: Bytes, gone: NDArray[np.int64], joint: NDArray[np.int32], look: Looked, t: Tables
) -> None:
    """Play rounds with a hand and add the joint results of its six pairs to ``joint``.

    The dealer's suits are exchanged in each of the orders in turn; in all 24 of them the results are means over the
    suits of the hand.
    """
    pairs, exchanges, wanted = look.pairs, look.exchanges, look.wanted
    keys, unsuited, suited, rows, shift, mask = t.keys, t.unsuited, t.suited, t.rows, t.row_shift, t.slot_mask
    deck = _deck_without(gone)
    limits = fair_limits(len(deck), 0)
    orders = len(exchanges)
    for turn in range(stream.rounds):
        deal_round(deck, 0, limits, turn, stream)
        board = board_sums(deck[4], deck[5], deck[6], deck[7], deck[8], keys)
        pair = dealers_pair(deck, 0, exchanges, turn % orders, wanted)
        one, other = deck[np.int64(pairs[pair, 0])], deck[np.int64(pairs[pair, 1])]
        dealer = best_of(one, other, board, keys, unsuited, suited, rows, shift, mask)
        digits, digit = 0, 1
        for low in range(3):
            for high in range(low + 1, 4):
                a, b = hand[low], hand[high]
                digits += digit * result(best_of(a, b, board, keys, unsuited, suited, rows, shift, mask), dealer)
                digit *= RESULTS
        joint[digits] += 1
