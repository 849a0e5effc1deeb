"""Who has won what in a round. The rules of the game decide, never what somebody typed in as the event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cardroom.errors import BadInput, quote
from cardroom.games import Round, round_from_json
from cardroom.games.record import BadRecord
from cardroom.games.table import WagerOffer
from cardroom.jackpots.meter.state import JackpotState, Meter
from cardroom.jackpots.pending import Prize
from cardroom.jackpots.setup.opening import Jackpot
from cardroom.paytables import Percent, describe_pay


class BadClaim(BadInput):
    """A claim that the rules, or the state of the jackpot, do not allow."""


def offer_of(jackpot: Jackpot, slug: str) -> WagerOffer:
    """The jackpot's wager in a game."""
    if slug not in jackpot.offers:
        raise BadClaim(f"Jackpot {jackpot.id} is not for {quote(slug)}: it is for {', '.join(jackpot.offers)}.")
    return jackpot.offers[slug]


def play_record(jackpot: Jackpot, record: Mapping[str, Any]) -> Round:
    """Play a finished round again through the rules."""
    return round_from_json({**record, "table": displayed_table(jackpot, record)})


def displayed_table(jackpot: Jackpot, record: Mapping[str, Any]) -> dict[str, Any]:
    """The table's set-up of a record. The operator's amounts are those that the jackpot displays, whatever the record
    says."""
    match record:
        case {"table": {"game": str(slug), "wagers": {**wagers}, **setup}}:
            offer = offer_of(jackpot, slug)
        case _:
            raise _no_jackpot_wager()
    match wagers.get(offer.wager.slug):
        case {"paytable": str(name), **wager}:
            pass
        case _:
            raise _no_jackpot_wager()
    if name != offer.paytable.name:
        pays = quote(offer.paytable.name)
        raise BadClaim(f"The round was played by table {quote(name)}; jackpot {jackpot.id} pays {pays}.")
    bonuses = next(one.bonuses for one in jackpot.setup.offers if one.game == slug)
    wagers[offer.wager.slug] = {**wager, "paytable": name, "bonuses": dict(bonuses)}
    return {str(name): value for name, value in setup.items()} | {"game": slug, "wagers": wagers}


def _no_jackpot_wager() -> BadRecord:
    return BadRecord(
        "The record does not show a table with the jackpot's wager: it needs 'table' with 'game' and 'wagers'."
    )


def prizes_of(state: JackpotState, jackpot: Jackpot, played: Round, by: int | None = None) -> tuple[Prize, ...]:
    """Every prize of a finished round on the jackpot's spot, the shares of meters not yet valued. Where one hand only
    is known, ``by`` is its seat: then only what this hand wins is a prize, whoever gets it."""
    offer = offer_of(jackpot, played.table.facts.slug)
    prizes = tuple(one for one in _prizes(state, jackpot, offer, played) if by in (None, one.by))
    if not prizes:
        payments = played.game.settle(played).payments
        hands = [one for one in payments if one.spot == offer.wager.slug and by in (None, one.seat)]
        told = "; ".join(f"seat {one.seat}: {one.text}" for one in hands) or "nobody wagered on it"
        raise BadClaim(f"Nobody has won on {offer.wager.slug}: {told}.")
    return prizes


def _prizes(state: JackpotState, jackpot: Jackpot, offer: WagerOffer, played: Round) -> Iterator[Prize]:
    for payment in played.game.settle(played).payments:
        if payment.spot != offer.wager.slug:
            continue
        meter = share = None
        if payment.meter is not None and payment.meter.paid_stake is not None:
            continue  # the player's other hand has the share (TS-7)
        if isinstance(payment.pay, Percent):
            wagered = played.wager_cents(payment.seat, payment.spot)
            meter, share = paying_meter(state, jackpot, payment.event, wagered).name, payment.pay.share
        elif not payment.returned:
            continue
        yield Prize(
            seat=payment.seat,
            stake=payment.stake,
            event=payment.event,
            words=payment.text,
            cards=tuple(map(str, payment.cards)),
            pays=describe_pay(payment.pay),
            level=meter,
            share=share,
            cents=payment.returned or 0,  # a share of a meter is valued when it is claimed
            hand=payment.hand_seat,
        )


def paying_meter(state: JackpotState, jackpot: Jackpot, event: str, wager_cents: int) -> Meter:
    """The level that pays an event for a wager: the highest that lists it and takes the wager, no other (BJ-9)."""
    for level, meter in zip(jackpot.setup.levels, state.meters, strict=True):
        if event in level.pays and wager_cents >= meter.parameters.minimum:
            return meter
    raise BadClaim(f"No level of jackpot {jackpot.id} pays {quote(event)} for a wager of {wager_cents} cents.")
