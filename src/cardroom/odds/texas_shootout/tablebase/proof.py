"""Whether a tablebase is right: its rules, its sums, and some hands counted again in another way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import names, of_code
from cardroom.games.texas_shootout.house_way import CHOICES
from cardroom.odds.texas_shootout.tablebase.counts import LOSS, WIN, HandCounts
from cardroom.odds.texas_shootout.tablebase.file import Tablebase, rules_digest
from cardroom.odds.texas_shootout.tablebase.plain import count_plainly
from cardroom.odds.texas_shootout.tablebase.shoe import SHARES, Shoe
from cardroom.odds.texas_shootout.tablebase.whole import PARTS, value_of, values_of, weighted


def ways_of_hands(shoe: Shoe, codes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """In how many ways a hand of each class is dealt: all exchanges of its suits."""
    return np.array([_ways(shoe, tuple(hand)) for hand in codes.tolist()], np.int64)


def _ways(shoe: Shoe, codes: tuple[int, ...]) -> int:
    """The four suits are alike: each set of ranks that one of them holds can go to any that is free."""
    held = [tuple(code >> 2 for code in codes if code & 3 == suit) for suit in range(4)]
    alike = prod(_FACTORIAL[held.count(one)] for one in set(held))
    return 24 // alike * shoe.ways(codes)


_FACTORIAL = (1, 1, 2, 6, 24)


@dataclass(frozen=True)
class Recounted:
    """A hand that was counted again."""

    hand: tuple[int, ...]
    """Codes of its cards."""
    agrees: bool

    @property
    def cards(self) -> str:
        return names([of_code(code) for code in reversed(self.hand)])


@dataclass(frozen=True)
class Proof:
    """What was looked at, and whether it holds."""

    digest: str
    hands: int
    deals: int
    """Of a round, as the hands of the tablebase have them together."""
    all_deals: int
    """Of a round: the shoe choose four, five and four."""
    same_rules: bool
    ahead: int
    """Sixths of deals that a player who sets every hand as the dealer does wins more often than loses."""
    recounted: tuple[Recounted, ...]

    @property
    def has_every_deal(self) -> bool:
        return self.deals == self.all_deals

    @property
    def is_fair(self) -> bool:
        """Two who set their hands alike win equally often."""
        return self.ahead == 0

    @property
    def holds(self) -> bool:
        return self.has_every_deal and self.is_fair and self.same_rules and all(one.agrees for one in self.recounted)

    def entry(self) -> dict[str, Any]:
        """For programs; whole numbers of any size as text."""
        return {
            "holds": self.holds,
            "sha256": self.digest,
            "hands": self.hands,
            "deals": str(self.deals),
            "has_every_deal": self.has_every_deal,
            "same_rules": self.same_rules,
            "is_fair": self.is_fair,
            "recounted": [{"hand": one.cards, "agrees": one.agrees} for one in self.recounted],
        }


def drawn(base: Tablebase, count: int, seed: int) -> list[int]:
    """Numbers of hands to be counted again, drawn at random."""
    return sorted(Random(seed).sample(range(len(base)), count))  # noqa: S311 (no money hangs on which)


def prove(base: Tablebase, hands: Sequence[int], told: Callable[[int], None] = lambda _: None) -> Proof:
    """Look at a tablebase, and count these of its hands again."""
    shoe = base.shoe
    again = count_plainly(shoe, [_hand(base, number) for number in hands], told) if hands else []
    # The three splits of a hand have the same deals: each of them must come to all.
    sums = weighted(base.every_joint().sum(axis=2), ways_of_hands(shoe, base.hands))
    every_deal = {deals // SHARES if deals % SHARES == 0 else -1 for deals in values_of(sums.reshape(-1, PARTS))}
    return Proof(
        digest=base.digest,
        hands=len(base),
        deals=every_deal.pop() if len(every_deal) == 1 else -1,
        all_deals=shoe.deals,
        same_rules=base.rules == rules_digest(shoe),
        ahead=ahead_like_the_dealer(base),
        recounted=tuple(
            Recounted(tuple(base.hands[number].tolist()), _cells(counts) == base.joint(number))
            for number, counts in zip(hands, again, strict=True)
        ),
    )


def ahead_like_the_dealer(base: Tablebase) -> int:
    """How many sixths of deals more a player wins than loses who keeps what the house way would keep. Dealer and player
    are then alike, so a right count comes to nothing, over all hands together."""
    shoe, joint = base.shoe, base.every_joint().reshape(len(base), 3, 3, 3, PARTS)
    first, second = joint.sum(axis=3), joint.sum(axis=2)
    # The pairs of a hand in the order of ``CHOICES``: the second pairs of the splits come last, from the last split on.
    pairs = np.concatenate([first, second[:, ::-1]], axis=1)
    ahead = pairs[:, :, WIN] - pairs[:, :, LOSS]
    cards = np.searchsorted(shoe.codes, base.hands)
    wanted = np.column_stack([shoe.wanted[shoe.pair_at[cards[:, one], cards[:, other]]] for one, other in CHOICES])
    kept = wanted == wanted.max(axis=1, keepdims=True)
    shares = SHARES * kept // kept.sum(axis=1, keepdims=True)
    total = weighted((ahead * shares[:, :, None]).sum(axis=1), ways_of_hands(shoe, base.hands))
    found, rest = divmod(value_of(total), SHARES)
    return found if rest == 0 else 1


def _hand(base: Tablebase, number: int) -> tuple[int, int, int, int]:
    """The hand's cards as the shoe numbers them."""
    a, b, c, d = np.searchsorted(base.shoe.codes, base.hands[number]).tolist()
    return a, b, c, d


def _cells(counts: HandCounts) -> list[int]:
    return [cell for joint in counts.splits for row in joint for cell in row]
