"""What a stake wins by the kinds of the seat's hands, worked out once for all hands that are asked about."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias

from cardroom.odds.texas_shootout.boards import HAND_KINDS
from cardroom.odds.texas_shootout.prizes import Cents, Stake

Alone: TypeAlias = tuple[Cents, ...]
"""By kind of the one hand."""
Both: TypeAlias = tuple[tuple[Cents, ...], ...]
"""By kinds of the first hand and the second."""

_STAKES: Final = 64
"""Stakes whose prizes are remembered: a table has a few wagers, and players who bet different amounts."""


class BonusPrizes(NamedTuple):
    """Of a Shootout Bonus wager."""

    kept: Alone
    """On a hand that is played alone, its feature included."""
    riding: Alone
    """On one hand of a split, without the feature."""
    features: tuple[Both, Both] | None
    """What the feature adds on the first hand of a split and on the second."""


@lru_cache(_STAKES)
def bonus_prizes(stake: Stake) -> BonusPrizes:
    """By kind of hand."""
    riding = tuple(stake.bonus_net(kind) for kind in HAND_KINDS)
    if stake.feature is None:
        return BonusPrizes(riding, riding, None)
    first, second = (
        tuple(tuple(stake.feature_cents(own, (one, other)) for other in HAND_KINDS) for one in HAND_KINDS)
        for own in (0, 1)
    )
    kept = tuple(net + stake.feature_cents(0, (kind,)) for net, kind in zip(riding, HAND_KINDS, strict=True))
    return BonusPrizes(kept, riding, (first, second))


class JackpotPrizes(NamedTuple):
    """Of a Jackpot wager."""

    kept: Alone
    split: Both


@lru_cache(_STAKES)
def _fixed_prizes(stake: Stake) -> JackpotPrizes:
    """Without what comes off the meter."""
    return JackpotPrizes(
        tuple(stake.fixed_jackpot_net((kind,)) + stake.feature_cents(0, (kind,)) for kind in HAND_KINDS),
        tuple(
            tuple(
                stake.fixed_jackpot_net((one, other)) + sum(stake.feature_cents(own, (one, other)) for own in (0, 1))
                for other in HAND_KINDS
            )
            for one in HAND_KINDS
        ),
    )


@lru_cache(_STAKES)
def jackpot_prizes(stake: Stake, meter: int) -> JackpotPrizes:
    """With what the meter shows in cents. It moves from round to round, and few kinds of hands win of it."""
    fixed, on_percentage = _fixed_prizes(stake), [stake.on_percentage(kind) for kind in HAND_KINDS]

    @cache
    def shared(*places: int) -> int:
        return stake.from_meter([HAND_KINDS[place] for place in places], meter)

    def more(*places: int) -> int:
        return shared(*(place for place in places if on_percentage[place]))

    return JackpotPrizes(
        tuple(net + more(one) for one, net in enumerate(fixed.kept)),
        tuple(tuple(net + more(one, other) for other, net in enumerate(nets)) for one, nets in enumerate(fixed.split)),
    )


def won(counts: Sequence[int], prizes: Alone) -> Cents:
    """Over so many boards that make each kind."""
    return sum(count * prize for count, prize in zip(counts, prizes, strict=True) if count)
