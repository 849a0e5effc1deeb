"""The prizes of a round, and the division of a line's prize among its winners.

The rules of the game decide who wins, never a typed trigger. A line is one trigger on one level. The first payment of
a line fixes it; before that, all claimed winners share it equally, however late they are claimed (BJ-27).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cardroom.errors import BadInput, quote
from cardroom.games import Round, round_from_json
from cardroom.games.playable_table import WagerOffer
from cardroom.games.record import BadRecord
from cardroom.paytables import Percent, describe_pay
from cardroom.room.jackpot.pending_claims import Claim, ClaimPart, JackpotPrize
from cardroom.room.jackpot.state import JackpotState, Meter
from cardroom.room.setup.jackpot_validation import Jackpot


class BadClaim(BadInput):
    """A claim that the rules or the state of the jackpot do not allow."""


def find_offer(jackpot: Jackpot, slug: str) -> WagerOffer:
    """The jackpot's wager in a game."""
    if slug not in jackpot.offers:
        raise BadClaim(f"Jackpot {jackpot.id} is for {', '.join(jackpot.offers)}, not for {quote(slug)}.")
    return jackpot.offers[slug]


def play_record(jackpot: Jackpot, record: Mapping[str, Any]) -> Round:
    """Replay a finished round through the rules."""
    return round_from_json({**record, "table": displayed_setup(jackpot, record)})


def displayed_setup(jackpot: Jackpot, record: Mapping[str, Any]) -> dict[str, Any]:
    """The table's setup of a record, with the operator's bonuses that the jackpot displays."""
    match record:
        case {"table": {"game": str(slug), "wagers": {**wagers}, **setup}}:
            offer = find_offer(jackpot, slug)
        case _:
            raise _no_jackpot_wager_error()
    match wagers.get(offer.wager.slug):
        case {"paytable": str(name), **wager}:
            pass
        case _:
            raise _no_jackpot_wager_error()
    if name != offer.paytable.name:
        pays = quote(offer.paytable.name)
        raise BadClaim(f"The round was played with paytable {quote(name)}; jackpot {jackpot.id} pays {pays}.")
    bonuses = next(offer_setup.bonuses for offer_setup in jackpot.setup.offers if offer_setup.game == slug)
    wagers[offer.wager.slug] = {**wager, "paytable": name, "bonuses": dict(bonuses)}
    return {str(name): value for name, value in setup.items()} | {"game": slug, "wagers": wagers}


def _no_jackpot_wager_error() -> BadRecord:
    return BadRecord(
        "The record does not show a table with the jackpot's wager: it needs 'table' with 'game' and 'wagers'."
    )


def find_prizes(
    state: JackpotState, jackpot: Jackpot, game_round: Round, hand_seat: int | None = None
) -> tuple[JackpotPrize, ...]:
    """Every prize of a finished round on the jackpot's spot; shares of meters are valued later. With ``hand_seat``,
    only the prizes that the hand of this seat wins, for any seat."""
    offer = find_offer(jackpot, game_round.table.facts.slug)
    prizes = tuple(
        prize for prize in _iterate_prizes(state, jackpot, offer, game_round) if hand_seat in (None, prize.hand_seat)
    )
    if not prizes:
        payments = game_round.game.settle(game_round).payments
        hands = [prize for prize in payments if prize.spot == offer.wager.slug and hand_seat in (None, prize.seat)]
        hands_text = "; ".join(f"seat {prize.seat}: {prize.text}" for prize in hands) or "no player wagered on it"
        raise BadClaim(f"No hand wins on {offer.wager.slug}: {hands_text}.")
    return prizes


def _iterate_prizes(
    state: JackpotState, jackpot: Jackpot, offer: WagerOffer, game_round: Round
) -> Iterator[JackpotPrize]:
    for payment in game_round.game.settle(game_round).payments:
        if payment.spot != offer.wager.slug:
            continue
        meter = share = None
        if payment.meter is not None and payment.meter.paid_stake is not None:
            continue  # the player's other hand has the share (TS-7)
        if isinstance(payment.pay, Percent):
            wagered = game_round.wager_cents(payment.seat, payment.spot)
            meter, share = find_paying_meter(state, jackpot, payment.event, wagered).name, payment.pay.share
        elif not payment.returned:
            continue
        yield JackpotPrize(
            seat=payment.seat,
            stake=payment.stake,
            event=payment.event,
            words=payment.text,
            cards=tuple(map(str, payment.cards)),
            pays=describe_pay(payment.pay),
            level=meter,
            share=share,
            cents=payment.returned or 0,  # the claim values a share of a meter
            hand=payment.hand_seat,
        )


def find_paying_meter(state: JackpotState, jackpot: Jackpot, event: str, wager_cents: int) -> Meter:
    """The one level that pays a trigger for a wager: the highest that lists it and takes the wager (BJ-9)."""
    for level, meter in zip(jackpot.setup.levels, state.meters, strict=True):
        if event in level.pays and wager_cents >= meter.parameters.minimum:
            return meter
    raise BadClaim(f"No level of jackpot {jackpot.id} pays {quote(event)} for a wager of {wager_cents} cents.")


def divide_line(group: Iterable[Claim], level: str, event: str, cents: int) -> Iterator[Claim]:
    """Divide a line's prize equally among its winners; odd cents go to the first from the dealer's left (BJ-4)."""
    claims = {claim.id: claim for claim in group}
    won = [
        (prize.seat, claim.id, index)
        for claim in claims.values()
        for index, prize in enumerate(claim.prizes)
        if (prize.level, prize.event) == (level, event)
    ]
    won.sort(key=lambda item: item[0])
    for place, (_, id, index) in enumerate(won):
        share, odd = divmod(cents, len(won))
        prizes = list(claims[id].prizes)
        prizes[index] = prizes[index]._replace(cents=share + (place < odd))
        claims[id] = claims[id]._replace(prizes=tuple(prizes))
    return iter(claims.values())


def claimed_events(claim: Claim, level: str) -> tuple[str, ...]:
    """The triggers of the lines that a claim won on a level."""
    return tuple(dict.fromkeys(prize.event for prize in claim.prizes_on(level)))


def held_events(group: Iterable[Claim], level: str, paid: Iterable[str]) -> tuple[str, ...]:
    """The triggers whose prizes the pending claims of a round hold on a level, except those with a paid winner."""
    events = (
        event
        for claim in group
        for event in claimed_events(claim, level)
        if (part := claim.part(level)) and part.holds(event)
    )
    return tuple(event for event in dict.fromkeys(events) if event not in paid)


def remove_refused(
    claims: Sequence[Claim], before: Claim, remaining_claim: Claim, part: ClaimPart
) -> tuple[dict[str, Claim], int]:
    """The claims of a round with a paid claim, after a refusal left only part of one of them; and the cents that go
    back to the level. The other winners of a line without a paid winner share its prize; a prize without another
    winner goes back."""
    level, returned = part.level, 0
    group = {claim.id: claim for claim in claims if claim.round_key == remaining_claim.round_key} | {
        remaining_claim.id: remaining_claim
    }
    for event in claimed_events(before, level):
        refused_cents = _cents([before], level, event) - _cents([remaining_claim], level, event)
        if event not in part.paid and any(event in claimed_events(claim, level) for claim in group.values()):
            other_claims = [
                claim
                for claim in claims
                if claim.round_key == remaining_claim.round_key and claim.id != remaining_claim.id
            ]
            line_cents = _cents([before, *other_claims], level, event)
            group |= {claim.id: claim for claim in divide_line(group.values(), level, event, line_cents)}
        elif part.holds(event):
            returned += refused_cents
    return group, returned


def _cents(claims: Iterable[Claim], level: str, event: str) -> int:
    return sum(prize.cents for claim in claims for prize in claim.prizes_on(level) if prize.event == event)
