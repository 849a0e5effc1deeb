"""Whether claims of live rounds agree with what was typed of the rounds: in the end, and whenever something was typed
while a claim stood.

Claims stand on the chains of jackpots and typed cards on those of felts, so times tell which came first. The clocks of
two servers may differ by a little: a claim that was refused at about that time did not stand.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.floor.kept.chains import jackpot_chain
from cardroom.floor.kept.live_recall import typed_in_round
from cardroom.floor.kept.recall import happened
from cardroom.floor.live.claimed import contradictions, disagreements, same_cards
from cardroom.floor.live.happenings import CardsTyped
from cardroom.floor.verification.reading import AsStored
from cardroom.floor.verification.replayed import Replayed, TypedLive
from cardroom.floor.verification.report import wrong
from cardroom.jackpots.claim.earlier import ClaimedBefore, EarlierClaim
from cardroom.ledger.clock import MAX_CLOCK_LAG
from cardroom.ledger.store import LedgerReader


def compare_typed(replayed: Replayed, now: LedgerReader) -> None:
    """Find cards, wagers or answers that were typed otherwise than a claim that stood has them."""
    claimed: dict[tuple[str, str], set[str]] = {}
    for one in replayed.claimed:
        claimed.setdefault((one.table, one.round), set()).add(one.jackpot)
    books = AsStored(now)
    for typed in replayed.typed_live:
        for jackpot in sorted(claimed.get((typed.table, typed.round), ())):
            for claim in _standing(books, jackpot, typed):
                _compare(books, jackpot, claim, typed)


def compare_claims_with_typed(replayed: Replayed, now: LedgerReader) -> None:
    """Find a claim that was neither refused nor taken back, and contradicts what was typed of its round."""
    typed = {(one.table, one.round) for one in replayed.typed_live}
    rounds: dict[tuple[str, str], list[tuple[str, EarlierClaim]]] = {}
    for (table, round_id, jackpot), claims in sorted(replayed.claims_of_rounds.items()):
        if (table, round_id) in typed:
            rounds.setdefault((table, round_id), []).extend((jackpot, claim) for claim in claims)
    events = {(one.jackpot, one.claim): one for one in replayed.claimed}
    for (table, round_id), claimed in rounds.items():
        found = typed_in_round(AsStored(now), replayed.felts[table], round_id)
        assert found is not None  # something was typed in it
        for jackpot, claim in claimed:
            event = events[jackpot, claim.claim or claim.command]
            for what, says, was in disagreements(claim, found.live):
                sentence = f"claim {event.claim} contradicts {what} as typed in round {round_id}"
                raise wrong(sentence, event.chain, event.sequence, event.id, was, says)
            for same in same_cards(claim, found.live.cards, [one for _, one in claimed], found.deck):
                sentence = f"claim {event.claim} has {same.card}, typed at {same.typed_at!r} in round {round_id}"
                expected = f"{same.card} {same.number}"
                raise wrong(sentence, event.chain, event.sequence, event.id, expected, same.claimed_at)


def _standing(books: AsStored, jackpot: str, typed: TypedLive) -> Iterator[EarlierClaim]:
    """The claims of the round that stood before something was typed, and still did afterwards."""
    known, before = ClaimedBefore(), None
    for event in books.events(jackpot_chain(jackpot)):
        if before is None and event.time >= typed.time:
            before = known
        if event.time > typed.time + MAX_CLOCK_LAG:
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
