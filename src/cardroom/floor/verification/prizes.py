"""Whether the prizes that a felt paid, or says that wait, are those that jackpots and promotions gave for its rounds.

A felt adds up what several of them pay a seat, and each of them tells of several felts, so neither side can be followed
in the other's order. Each amount is multiplied by a number that follows from the round, the seat and the cards, and
from a salt that nobody knew when the books were written. The sums of a table agree if every single amount does; only
when they do not is it worth to look which one it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from cardroom.floor.felt.happenings import RoundPlayed
from cardroom.floor.felt.state import FeltState, round_id
from cardroom.games import Round, round_to_json
from cardroom.jackpots.happenings import ClaimJoined, ClaimLocked, PrizesPaid, PrizesWon, PromotionPrizePaid
from cardroom.jackpots.meter.state import JackpotState

_KNOWN_BY = ("wagers", "cards", "decisions")
"""What of a record is the round itself. A jackpot judges it by the table that it displays."""


class Told(NamedTuple):
    """An amount that somebody tells of."""

    what: str
    cents: int


def weigh(sums: Counter[str], salt: bytes, table: str, told: Iterable[Told], digest: bytes) -> None:
    """Add what is told of a round of a table; the digest is that of its record."""
    for one in told:
        weight = blake2b(one.what.encode(), digest_size=16, key=salt, person=digest).digest()
        sums[table] += one.cents * int.from_bytes(weight, "big")


def record_digest(record: Mapping[str, Any]) -> bytes:
    """The cards, wagers and answers of a round in sixteen bytes."""
    known = {name: record[name] for name in _KNOWN_BY}
    return blake2b(orjson.dumps(known, option=orjson.OPT_SORT_KEYS), digest_size=16).digest()


def round_digest(played: Round) -> bytes:
    """The same of a round that was dealt again."""
    return record_digest(round_to_json(played))


def told_by_felt(state: FeltState, played: RoundPlayed) -> Iterator[Told]:
    """What a felt says of the prizes of the round that it ends."""
    id = round_id(played.table, played.number)
    for seat, cents in played.prizes:
        yield _paid(id, seat, cents)
    for seat, jackpot, claim, cents in played.waiting:
        one = state.seated(seat)
        yield _waits(id, seat, one.player if one and not one.company else "", jackpot, claim, cents)
    for spot, cents in played.meters.items():
        yield _showed(id, spot, cents)


def told_by_jackpot(won: PrizesWon, before: JackpotState) -> Iterator[Told]:
    """What a jackpot says of the prizes that an automatic table claimed."""
    if isinstance(won, PrizesPaid):
        for prize in won.prizes:
            yield _paid(won.round, prize.seat, prize.cents)
    elif isinstance(won, ClaimLocked | ClaimJoined):
        sat = dict(won.sat)
        for prize in won.prizes:
            yield _waits(won.round, prize.seat, sat.get(prize.seat, ""), won.jackpot, won.claim, prize.cents)
        level = next((prize.level for prize in won.prizes if prize.level is not None), None)
        if level is not None:
            spot = before.jackpot.offers[won.game].wager.slug
            yield _showed(won.round, spot, before.meter(level).shown)


def told_by_promotion(paid: PromotionPrizePaid) -> Iterator[Told]:
    """What a promotion says that an automatic table paid."""
    yield _paid(paid.round, paid.seat, paid.cents)


def _paid(round: str, seat: int, cents: int) -> Told:
    return Told(f"prizes paid at once to seat {seat} of round {round}", cents)


def _waits(round: str, seat: int, player: str, jackpot: str, claim: str, cents: int) -> Told:
    to = f" ({player})" if player else ""
    return Told(f"claim {claim} of jackpot {jackpot} for seat {seat}{to} of round {round}", cents)


def _showed(round: str, spot: str, cents: int) -> Told:
    return Told(f"what the meter of {spot} showed in round {round}", cents)
