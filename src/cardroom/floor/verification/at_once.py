"""What dealers have paid alone, over all jackpots of a round: no more to a seat than the room lets them (BJ-46).

The chains of the jackpots are replayed one by one, so each claim says what it counted from the others; here they are
held against one another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from cardroom.floor.verification.replayed import AtOnce
from cardroom.floor.verification.report import wrong


def compare_at_once(claimed: Iterable[AtOnce]) -> None:
    """Find what a seat was paid beyond the limit, or counted from elsewhere without having been paid there."""
    of_rounds = defaultdict[tuple[str, str], list[AtOnce]](list)
    for one in claimed:
        of_rounds[one.table, one.round].append(one)
    for of_a_round in of_rounds.values():
        for seat in sorted({seat for one in of_a_round for seat in one.paid}):
            _compare_seat(seat, [one for one in of_a_round if seat in one.paid])
        for one in of_a_round:
            _compare_elsewhere(one, of_a_round)


def _compare_seat(seat: int, claimed: Sequence[AtOnce]) -> None:
    """Whichever came last counted all that was paid then, so the largest limit of them holds for all together."""
    paid, most, last = sum(one.paid[seat] for one in claimed), max(one.alone for one in claimed), claimed[-1]
    if paid > most:
        what = f"it paid seat {seat} more at once in round {last.round} of {last.table} than a dealer pays alone"
        raise wrong(what, last.chain, last.sequence, last.id, f"{most} at most", paid)


def _compare_elsewhere(claim: AtOnce, claimed: Sequence[AtOnce]) -> None:
    for seat, cents in claim.elsewhere:
        paid = sum(max(one.paid.get(seat, 0), 0) for one in claimed if one.chain != claim.chain)
        if cents > paid:
            what = f"it names prizes that no other jackpot paid seat {seat} in round {claim.round} of {claim.table}"
            raise wrong(what, claim.chain, claim.sequence, claim.id, f"{paid} at most", cents)
