"""Hand ranking: batches of raw cards, one hand at a time, and other libraries with the same hands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import process_time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.agreement import check_order, one_of_each
from bench.measure import MILLION, Figure, Promise, count_to, in_turns, second_run
from bench.peers import PEERS, Hands, Loop, Peer
from bench.result_table import Sheet
from cardroom.cards import card_from_code
from cardroom.hands import (
    FIVE_CARD,
    FIVE_CARD_WILD,
    SIX_DECK,
    THREE_CARD,
    THREE_CARD_WILD,
    Ranking,
    best_five,
    compute_strength,
    evaluate_many,
)
from cardroom.hands.strength import Codes
from cardroom.kernels import kernel

SUBJECT: Final = "hands"
CORES: Final = 1
BATCH: Final = 8 * MILLION
ONE_BY_ONE: Final = 10_000
"""The number of hands, from the start of the batch, for one-by-one ranking."""
LONG_ENOUGH: Final = 0.5
"""Seconds of measurement, for libraries that need only a few milliseconds."""
MOST_ADDITIONS: Final = 3.0
"""The time limit for ranking a hand of seven, as a multiple of adding up its cards."""
FEWEST_PEERS: Final = 50.0
"""The least ratio of Cardroom's batch rate to any other library's one-by-one rate."""
MOST_COUNTS: Final = 50.0
"""The time limit for one call from Python that ranks a hand of seven, as a count of a plain Python loop: a million
hands per second on a machine with two cores at 2.8 GHz."""
BATCH_AGAINST: Final = "Cardroom's batch is"
ONE_AGAINST: Final = "one by one it is"


def sheets() -> list[Sheet]:
    seven = _batch("best five of seven, one deck", FIVE_CARD, 7, MOST_ADDITIONS)
    five = _batch("five cards, one deck", FIVE_CARD, 5)
    others = (
        _batch("best five of seven, six decks", SIX_DECK, 7, MOST_ADDITIONS),
        _batch("best five of six, one deck", FIVE_CARD, 6),
        _batch("five cards, wild", FIVE_CARD_WILD, 5),
        _batch("three cards", THREE_CARD, 3),
        _batch("best three of five", THREE_CARD, 5),
        _batch("three cards, wild", THREE_CARD_WILD, 3),
    )
    return [
        Sheet("Hands in batches, from raw cards, one core", (seven, five, *others)),
        _compared("Best five of seven cards beside other libraries, one core", 7, seven),
        _compared("Five cards beside other libraries, one core", 5, five),
    ]


def random_hands(ranking: Ranking, size: int, count: int = BATCH) -> NDArray[np.uint8]:
    """Hands dealt without replacement from the ranking's deck, all different deals."""
    generator = np.random.default_rng(2024)
    deck = np.array([card.code for card in ranking.deck.cards()], dtype=np.uint8)
    each = len(deck) // size
    blocks = []
    for _ in range(-(-count // (each * 50_000))):
        order = generator.permuted(np.broadcast_to(deck, (50_000, len(deck))), axis=1)
        blocks.append(order[:, : each * size].reshape(-1, size))
    return np.ascontiguousarray(np.concatenate(blocks)[:count])


@kernel
def added_up(hands: Codes, sums: NDArray[np.uint16]) -> None:
    """The least possible work with the same cards: read them all, and write one number per hand."""
    for at in range(len(hands)):
        total = 0
        for card in range(hands.shape[1]):
            total += hands[at, card]
        sums[at] = total


def _batch(what: str, ranking: Ranking, size: int, most: float | None = None) -> Figure:
    hands = random_hands(ranking, size)
    sums = np.zeros(len(hands), np.uint16)
    timed = in_turns(lambda: evaluate_many(ranking, hands), lambda: added_up(hands, sums), clock=process_time)
    promise = None if most is None else Promise("adding up the same cards", timed.yardsticks, most, at_least=False)
    return Figure(what, len(hands) / timed.seconds, "hands/s", promise)


# Beside other libraries


def _compared(title: str, size: int, in_batch: Figure) -> Sheet:
    """The rate of each library with the same hands, after a check that all rank them in the same order."""
    hands = [tuple(map(card_from_code, codes)) for codes in random_hands(FIVE_CARD, size)[:ONE_BY_ONE].tolist()]
    batched = replace(in_batch, what="Cardroom, batch", promise=None)
    strength = _one_by_one_promised(hands)
    checked = _one_by_one("Cardroom, one by one, checked", lambda: [best_five(hand) for hand in hands])
    words = _one_by_one(
        "Cardroom, one by one, with description", lambda: [best_five(hand).description for hand in hands]
    )
    others = [_rate_of(peer, hands) for peer in PEERS if peer.version]
    if others:
        fastest = max(others, key=lambda other: other.measured)
        ratio = batched.measured / fastest.measured
        batched = replace(batched, promise=Promise(fastest.what, ratio, FEWEST_PEERS))
    figures = (batched, strength, checked, words, *others)
    return Sheet(title, tuple(_with_ratios(figure, batched, strength) for figure in figures), _note(size))


def _note(size: int) -> str:
    missing = [peer.package for peer in PEERS if not peer.version]
    if missing:
        return f"Not installed and not compared: {', '.join(missing)}; `make bench` installs them."
    every = "one of every class and " if size == FIVE_CARD.size else ""
    return (
        "× is how many times as many hands Cardroom ranks in the same time: below 1 the other is faster. "
        f"All put the same hands ({every}{ONE_BY_ONE:,} random ones) in the same order, ties included."
    )


def _rate_of(peer: Peer, hands: Hands) -> Figure:
    for sample in _samples(hands):
        theirs = [peer.strength(found) for found in peer.prepare(sample)()]
        check_order(peer.package, sample, [compute_strength(FIVE_CARD, hand) for hand in sample], theirs)
    return _one_by_one(f"{peer.package} {peer.version}, one by one", peer.prepare(hands))


def _samples(hands: Hands) -> Iterator[Hands]:
    yield hands
    if len(hands[0]) == FIVE_CARD.size:
        yield one_of_each()


def _one_by_one(what: str, loop: Loop) -> Figure:
    return Figure(what, ONE_BY_ONE / second_run(loop, LONG_ENOUGH), "hands/s")


def _one_by_one_promised(hands: Hands) -> Figure:
    timed = in_turns(
        lambda: [compute_strength(FIVE_CARD, hand) for hand in hands], lambda: count_to(ONE_BY_ONE), clock=process_time
    )
    promise = Promise("counting one up in Python", timed.yardsticks, MOST_COUNTS, at_least=False)
    return Figure("Cardroom, one by one", ONE_BY_ONE / timed.seconds, "hands/s", promise)


def _with_ratios(figure: Figure, batched: Figure, strength: Figure) -> Figure:
    ratios = {BATCH_AGAINST: batched.measured / figure.measured}
    if figure is not batched:
        ratios[ONE_AGAINST] = strength.measured / figure.measured
    return replace(figure, ratios=ratios)
