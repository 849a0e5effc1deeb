"""What is won at an automatic table is claimed by the table itself, with the round that it dealt as the proof.

Small fixed prizes are paid at once, as a dealer pays them. Whatever else is won is locked and waits for two people
(BJ-50); the table plays on meanwhile. All of it belongs to the command that ended the round, so nothing here refuses:
what cannot be paid now waits (BJ-51).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from cardroom.floor.desks.claims import refuse_uncounted
from cardroom.floor.desks.draft import Draft
from cardroom.floor.kept.chains import ROOM, jackpot_chain, table_chain
from cardroom.floor.kept.recall import RecordedRound
from cardroom.games import Payment, Round, round_to_json
from cardroom.jackpots import RunningPromotion, pay_hands
from cardroom.jackpots.claim.earlier import ClaimedBefore
from cardroom.jackpots.claim.flow import Asked, claim_record
from cardroom.jackpots.happenings import PrizesPaid, RoundRecorded
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.pending import Prize, by_seat
from cardroom.jackpots.promotion.running import Payer, pays_for


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round that an automatic table has dealt to its end."""

    table: str
    round: str
    played: Round
    dealer: str
    """As the table calls itself in the books: ``automatic_dealer``."""
    recorded: RecordedRound | None = None
    """How its tabulator counted it, by an earlier command or by this one; None where it has none, or nothing lay."""
    sat: Mapping[int, str] = field(default_factory=dict)
    """By seat, the players who have a balance; company has none."""

    @property
    def record(self) -> dict[str, Any]:
        """As ``cardroom settle`` reads it."""
        return round_to_json(self.played)


class PrizePaid(NamedTuple):
    """A prize that the table pays with the round."""

    seat: int
    stake: str
    jackpot: str
    cents: int


class PrizeWaits(NamedTuple):
    """A prize that is locked until two people have verified it."""

    seat: int
    stake: str
    jackpot: str
    claim: str
    cents: int


class RoundClaimed(NamedTuple):
    """What the jackpots of a table give for a round."""

    paid: tuple[PrizePaid, ...] = ()
    waiting: tuple[PrizeWaits, ...] = ()
    meters: Mapping[str, int] = {}
    """By spot, what the meter showed of which a part was won, in cents."""


def automatic_dealer(table: str) -> str:
    """Who deals at an automatic table.

    >>> automatic_dealer("prime-1")
    'automatic table prime-1'
    """
    return f"automatic table {table}"


def jackpots_won(played: Round, counted: RoundRecorded | None) -> tuple[str, ...]:
    """The jackpots that a round was counted for, and on whose wager somebody has won."""
    if counted is None:
        return ()
    spots = {payment.spot for payment in played.game.settle(played).payments if _wins(payment)}
    return tuple(one.jackpot for one in counted.wagers if one.jackpot is not None and one.count and one.wager in spots)


def _wins(payment: Payment) -> bool:
    return payment.meter is not None or bool(payment.returned)


def claim_chains(table: str, jackpots: Iterable[str]) -> tuple[str, ...]:
    """The chains that are locked to claim prizes on these jackpots; none where nothing was won."""
    won = tuple(map(jackpot_chain, jackpots))
    return (ROOM, table_chain(table), *won) if won else ()


def claim_round(draft: Draft, over: RoundOver) -> RoundClaimed:
    """Claim every prize of a round on every jackpot that it was counted for; a claim is called as its round. The chains
    of ``claim_chains`` are locked."""
    paid, waiting, meters = list[PrizePaid](), list[PrizeWaits](), dict[str, int]()
    at_once = Counter[int]()
    recorded = over.recorded
    for jackpot in jackpots_won(over.played, recorded.counted if recorded else None):
        assert recorded is not None
        before = draft.jackpot(jackpot)
        asked = Asked(
            claim=over.round,
            table=over.table,
            round=over.round,
            dealer=over.dealer,
            counted=recorded.sequence,
            alone=draft.room().settings.dealer_pays,
            before=ClaimedBefore(),
            dealt=recorded.dealt_by,
            elsewhere=dict(at_once),
            automatic=True,
            sat=over.sat,
        )
        won = claim_record(before, over.record, asked)
        refuse_uncounted(won, recorded, draft.table(over.table), jackpot, over.round)
        after = draft.at_jackpot(jackpot, won)
        now = [prize for one in won if isinstance(one, PrizesPaid) for prize in one.prizes]
        locked = [prize for one in after.claims if one.id == over.round for prize in one.prizes]
        at_once.update(by_seat(now))
        paid += (PrizePaid(prize.seat, prize.stake, jackpot, prize.cents) for prize in now)
        waiting += (PrizeWaits(prize.seat, prize.stake, jackpot, over.round, prize.cents) for prize in locked)
        meters |= _shown(before, locked, over.played)
    return RoundClaimed(tuple(paid), tuple(waiting), meters)


class PromotionPays(NamedTuple):
    """A promotion's prize, which the table pays with the round."""

    seat: int
    promotion: str
    cents: int


def promotions_won(running: Iterable[RunningPromotion], played: Round) -> tuple[str, ...]:
    """Those of some promotions that are for a hand of a round."""
    promotions = (one.state.promotion for one in running)
    return tuple(one.id for one in promotions if pays_for(one, played))


def pay_promotions(draft: Draft, promotions: Iterable[str], over: RoundOver, when: date) -> tuple[PromotionPays, ...]:
    """Pay what promotions give for a round, as far as their dates and limits go. Their chains are locked; the table
    plays for their money."""
    pays = list[PromotionPays]()
    for id in promotions:
        payer = Payer(over.dealer, automatic=True)
        paid = tuple(pay_hands(draft.promotion(id), over.table, over.round, over.record, when, payer))
        draft.at_promotion(id, paid)
        pays += (PromotionPays(one.seat, id, one.cents) for one in paid)
    return tuple(pays)


def _shown(before: JackpotState, locked: Iterable[Prize], played: Round) -> dict[str, int]:
    """What the level showed of which the first of the prizes is a part."""
    levels = [prize.level for prize in locked if prize.level is not None]
    slug = before.jackpot.offers[played.table.facts.slug].wager.slug
    return {slug: before.meter(levels[0]).shown} if levels else {}
