"""Which two of four cards the house way keeps, for every two cards beside every other two."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kernel
from cardroom.odds.texas_shootout.tablebase.shoe import SHARES, Shoe


class Keeping(NamedTuple):
    """What the house way does, by pairs."""

    share: NDArray[np.uint8]
    """By two cards and the other two: the share that the first two are kept, in sixths."""
    beside: NDArray[np.uint8]
    """The same by pair and two single cards: ``beside[pair, one, other]``."""
    first: NDArray[np.int64]
    """By pair: where its entries in the next two begin; one more for the end."""
    one: NDArray[np.uint8]
    """The two cards beside which it may be kept."""
    other: NDArray[np.uint8]
    shares: NDArray[np.uint8]
    kept: NDArray[np.uint16]
    """By pair p and other pair q: the pair that is kept of the four. Where equal choices are of different cards, the
    number after the last pair."""
    several_first: NDArray[np.int64]
    """By pair p: where its entries in ``several`` begin; one more for the end."""
    several: NDArray[np.uint16]
    """The other pairs q beside which several choices of different cards are equal."""
    partners: NDArray[np.int32]
    """By pair and one more card: in how many sixths of ways another card of the full shoe lies with it, the pair and
    the card being gone, so that the pair is kept."""


@kernel
def _shares(
    pairs: NDArray[np.uint8], pair_at: NDArray[np.uint16], wanted: NDArray[np.int64], share: NDArray[np.uint8],
    kept: NDArray[np.uint16],
) -> None:  # fmt: skip
    six = np.empty(6, np.int64)
    for p in range(len(pairs)):
        for q in range(len(pairs)):
            six[0], six[1] = q, p
            for one in range(2):
                for other in range(2):
                    six[2 + 2 * one + other] = pair_at[pairs[p, one], pairs[q, other]]
            best = -1
            for at in range(6):
                best = max(best, wanted[six[at]])
            equal = 0
            for at in range(6):
                equal += wanted[six[at]] == best
            share[p, q] = SHARES // equal if wanted[p] == best else 0
            # Equal choices of the same cards are one; others are several.
            which = -1
            for at in range(6):
                if wanted[six[at]] == best:
                    if which < 0:
                        which = six[at]
                    elif six[at] != which:
                        which = len(pairs)
                        break
            kept[p, q] = which


def keeping(shoe: Shoe) -> Keeping:
    """For all pairs of a shoe."""
    count, kinds = shoe.pair_count, shoe.kinds
    share, kept = np.empty((count, count), np.uint8), np.empty((count, count), np.uint16)
    _shares(shoe.pairs, shoe.pair_at, shoe.wanted, share, kept)
    beside = share[:, shoe.pair_at]
    first = np.zeros(count + 1, np.int64)
    first[1:] = np.cumsum((share > 0).sum(axis=1))
    at, others = np.nonzero(share)
    # All copies of the other card, less those that lie in the pair or are the one more card.
    gone = np.zeros((count, kinds), np.int64)
    np.add.at(gone, (np.arange(count)[:, None], shoe.pairs), 1)
    partners = np.empty((count, kinds), np.int64)
    for card in range(kinds):
        left = shoe.copies - gone
        left[:, card] -= 1
        partners[:, card] = (left * beside[:, card, :].astype(np.int64)).sum(axis=1)
    several_first = np.zeros(count + 1, np.int64)
    several_first[1:] = np.cumsum((kept == count).sum(axis=1))
    one, other = shoe.pairs[others].T
    return Keeping(
        share=share,
        beside=np.ascontiguousarray(beside),
        first=first,
        one=np.ascontiguousarray(one),
        other=np.ascontiguousarray(other),
        shares=share[at, others],
        kept=kept,
        several_first=several_first,
        several=np.nonzero(kept == count)[1].astype(np.uint16),
        partners=partners.astype(np.int32),
    )
