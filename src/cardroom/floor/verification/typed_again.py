"""Whether what a claim rests on was typed otherwise while the claim stood.

Claims stand on the chains of jackpots and typed cards on those of felts, so times tell which came first. The clocks of
two servers may differ by a little: a claim that was refused at about that time did not stand.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.floor.kept.chains import jackpot_chain
from cardroom.floor.kept.recall import happened
from cardroom.floor.live.claimed import contradictions
from cardroom.floor.live.happenings import CardsTyped
from cardroom.floor.verification.reading import AsStored
from cardroom.floor.verification.replayed import Replayed, TypedLive
from cardroom.floor.verification.report import wrong
from cardroom.jackpots.claim.earlier import ClaimedBefore, EarlierClaim
from cardroom.ledger.clock import HELD
from cardroom.ledger.store import Reading


def compare_typed(replayed: Replayed, now: Reading) -> None:
    """Find cards, wagers or answers that were typed otherwise than a claim that stood has them."""
    claimed: dict[tuple[str, str], set[str]] = {}
    for one in replayed.claimed:
        claimed.setdefault((one.table, one.round), set()).add(one.jackpot)
    books = AsStored(now)
    for typed in replayed.typed_live:
        for jackpot in sorted(claimed.get((typed.table, typed.round), ())):
            for claim in _standing(books, jackpot, typed):
                _compare(books, jackpot, claim, typed)


def _standing(books: AsStored, jackpot: str, typed: TypedLive) -> Iterator[EarlierClaim]:
    """The claims of the round that stood before something was typed, and still did afterwards."""
    known, before = ClaimedBefore(), None
    for event in books.events(jackpot_chain(jackpot)):
        if before is None and event.time >= typed.time:
            before = known
        if event.time > typed.time + HELD:
            break
        known = known.after(happened(event), typed.table, typed.round)
    still = {one.command: one for one in known.earlier}
    yield from (still[one.command] for one in (before or known).earlier if one.command in still)


def _compare(books: AsStored, jackpot: str, claim: EarlierClaim, typed: TypedLive) -> None:
    (event,) = books.events(typed.chain, typed.sequence - 1, 1)
    told = happened(event)
    assert isinstance(told, CardsTyped)
    for found in contradictions(told, claim):
        of = f"claim {claim.claim}" if claim.claim else "a prize that was paid at once"
        what = f"it types {found.what} of round {typed.round} anew, on which {of} of {jackpot} rests"
        raise wrong(what, typed.chain, typed.sequence, typed.id, found.claimed, found.typed or "nothing")
