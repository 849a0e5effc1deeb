"""Which prize it is, when a felt and the jackpots and promotions do not tell the same of a round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cardroom.floor.felt.happenings import RoundBegun, RoundPlayed
from cardroom.floor.felt.naming import begun_name
from cardroom.floor.kept.chains import felt_chain, jackpot_chain, promotion_chain
from cardroom.floor.kept.felt_recall import past_round
from cardroom.floor.kept.recall import happened
from cardroom.floor.kept.subjects import FELTS, JACKPOTS
from cardroom.floor.verification.prizes import (
    Told,
    record_digest,
    round_digest,
    told_by_felt,
    told_by_jackpot,
    told_by_promotion,
)
from cardroom.floor.verification.reading import AsStored, told_by
from cardroom.floor.verification.replayed import ClaimJudged, Replayed
from cardroom.floor.verification.report import NotAsReplayed, wrong
from cardroom.jackpots.happenings import PrizesWon, PromotionPrizePaid
from cardroom.ledger.store import LedgerReader


class _Statement(NamedTuple):
    """What an event tells of a prize."""

    chain: str
    sequence: int
    id: str
    told: Told
    round: str
    digest: bytes = b""
    """Of the record that a jackpot or a promotion judged."""


def compare_prizes(replayed: Replayed, now: LedgerReader) -> None:
    """Find a prize that a felt paid and nobody gave, or that somebody gave and no felt paid."""
    for table in sorted({**replayed.prized_by_felts, **replayed.prized_by_jackpots}):
        if replayed.prized_by_felts[table] != replayed.prized_by_jackpots[table]:
            raise _disagreement(table, replayed, now)
    for claimed in replayed.claimed:
        if claimed.automatic:
            _compare_sat(claimed, now)


def _compare_sat(claimed: ClaimJudged, now: LedgerReader) -> None:
    """Whoever is said to have sat at a winning seat sat there when the round began."""
    event = AsStored(now).find_event(felt_chain(claimed.table), begun_name(claimed.round))
    begun = happened(event) if event else None
    players = {one.seat: one.player for one in begun.players} if isinstance(begun, RoundBegun) else {}
    if not claimed.sat.items() <= players.items():
        what = f"claim {claimed.claim} names others than sat at {claimed.table} in round {claimed.round}"
        raise wrong(what, claimed.chain, claimed.sequence, claimed.id, players, dict(claimed.sat))


def _disagreement(table: str, replayed: Replayed, now: LedgerReader) -> NotAsReplayed:
    by_felt = _summed(_at_felt(table, now))
    elsewhere = list(_elsewhere(table, replayed, now))
    given = _summed(iter(elsewhere))
    for what in dict.fromkeys((*by_felt, *given)):
        paid, gave = by_felt.get(what), given.get(what)
        if (paid.told.cents if paid else 0) != (gave.told.cents if gave else 0):
            found = paid or gave
            assert found is not None
            told = f"felt {table} and its jackpots and promotions do not agree about {what}"
            return wrong(told, found.chain, found.sequence, found.id, _in_words(gave), _in_words(paid))
    for one in elsewhere:
        dealt = past_round(AsStored(now), one.round)
        if dealt is None or round_digest(dealt.played) != one.digest:
            told = f"it is about other cards, wagers or answers than round {one.round} was dealt and played with"
            key = f"what the key of {one.round} deals"
            return wrong(told, one.chain, one.sequence, one.id, key, "another record of the round")
    raise AssertionError("The sums differ, but nothing else does.")


def _summed(told: Iterator[_Statement]) -> dict[str, _Statement]:
    """Everything that is told of one matter together, at the place of the first."""
    sums: dict[str, _Statement] = {}
    for one in told:
        before = sums.setdefault(one.told.what, one._replace(told=one.told._replace(cents=0)))
        both = before.told._replace(cents=before.told.cents + one.told.cents)
        sums[one.told.what] = before._replace(told=both)
    return sums


def _at_felt(table: str, now: LedgerReader) -> Iterator[_Statement]:
    chain, state = felt_chain(table), None
    for sequence, id, happening in told_by(now, chain):
        if isinstance(happening, RoundPlayed) and state is not None:
            for told in told_by_felt(state, happening):
                yield _Statement(chain, sequence, id, told, "")
        state = FELTS.after(state, happening)


def _elsewhere(table: str, replayed: Replayed, now: LedgerReader) -> Iterator[_Statement]:
    for jackpot in sorted(replayed.jackpots):
        chain, state = jackpot_chain(jackpot), None
        for sequence, id, happening in told_by(now, chain):
            if isinstance(happening, PrizesWon) and happening.automatic and happening.table == table:
                assert state is not None
                digest = record_digest(happening.record)
                for told in told_by_jackpot(happening, state):
                    yield _Statement(chain, sequence, id, told, happening.round, digest)
            state = JACKPOTS.after(state, happening)
    for promotion in sorted(replayed.promotions):
        chain = promotion_chain(promotion)
        for sequence, id, happening in told_by(now, chain):
            if isinstance(happening, PromotionPrizePaid) and happening.automatic and happening.table == table:
                digest = record_digest(happening.record)
                for told in told_by_promotion(happening):
                    yield _Statement(chain, sequence, id, told, happening.round, digest)


def _in_words(one: _Statement | None) -> str:
    return f"{one.told.cents} cents (event {one.id})" if one else "nothing"
