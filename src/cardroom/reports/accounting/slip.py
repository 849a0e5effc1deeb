"""The payout slip: a page for each winner of a claim, to sign and to file with the check.

It is made from the jackpot's chain alone, so a reprint at any time is the same. It names its event with the hash, so
the slip leads to the event.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from cardroom.chart_of_accounts import Currency
from cardroom.ledger import Event, Time
from cardroom.reports.accounting.report import BadReportFile
from cardroom.reports.documents.dates import format_iso_minutes
from cardroom.reports.documents.files import check_writable, write_bytes
from cardroom.reports.documents.numbers import spell_amount
from cardroom.reports.documents.pdf import compile_pdf
from cardroom.reports.documents.program_version import current_program
from cardroom.room.amount_text import format_amount, format_dollars
from cardroom.room.descriptions.event_descriptions import responsible_people
from cardroom.room.descriptions.event_phrases import HOUSE_TEXT, NOT_ENTERED_TEXT, player_text
from cardroom.room.jackpot.pending_claims import JackpotPrize
from cardroom.room.payment_references import Payout
from cardroom.room.setup.calendar import Calendar
from cardroom.service import CardRoom
from cardroom.service.queries.claims import ClaimHistory

ATTACHMENT_NAME: Final = "slip.json"
_TEMPLATE: Final = files("cardroom.reports.accounting") / "slip.typ"
_CURRENCY_TEXT: Final = {Currency.REAL: "dollars", Currency.PLAY: "play money, without cash value"}


class SlipStatus(StrEnum):
    """The status of a winner's prizes."""

    PAID = "PAID"
    NOT_PAID = "NOT PAID"
    REFUSED = "REFUSED"


@dataclass(frozen=True, slots=True)
class SlipPrize:
    """One prize of a hand."""

    words: str
    cards: tuple[str, ...]
    line: str
    """The pay of the paytable line."""
    source: str
    amount: str


@dataclass(frozen=True, slots=True)
class Slip:
    """The page of one winner. Times are by the card room's clock."""

    room: str
    jackpot: str
    jackpot_id: str
    money: Currency
    of_money: str
    """The currency as text."""
    status: SlipStatus
    claim: str
    order: int
    seat: int
    table: str
    game: str
    round: str
    dealer: str
    """The person who entered the claim."""
    dealt: str
    """The person who counted the round."""
    claimed: str
    decided: str
    """The time of payment or refusal; empty while the claim is pending."""
    times: str
    """The time zone of the times, as a sentence."""
    prizes: tuple[SlipPrize, ...]
    amount: str
    words: str
    sources: tuple[tuple[str, str], ...]
    """The sources of the money, with amounts."""
    player: str
    payment: str
    verified: str
    """The person who verified or refused it."""
    surveillance: str
    why: str
    """The reason for a refusal."""
    chain: str
    event: str
    sequence: int
    hash: str


def claim_slips(card_room: CardRoom, jackpot: str, claim: str) -> tuple[Slip, ...]:
    """The slips of a claim in any status: one for each winner, in the order of the seats."""
    story, calendar = card_room.payments.get_claim_history(jackpot, claim), card_room.calendar
    seats = sorted({prize.seat for prize in story.lock.prizes})
    return tuple(_slip(card_room, story, seat, calendar) for seat in seats)


def _slip(card_room: CardRoom, story: ClaimHistory, seat: int, calendar: Calendar) -> Slip:
    lock, state = story.lock, card_room.jackpot(story.lock.jackpot)
    setup = state.setup
    refusal = next((candidate for candidate in story.refusals if seat in candidate.seats), None)
    payment = None if refusal else story.payment
    payout = next((candidate for candidate in payment.payouts if candidate.seat == seat), None) if payment else None
    status = SlipStatus.REFUSED if refusal else SlipStatus.PAID if payment else SlipStatus.NOT_PAID
    valued = [prize for prize in story.prizes if prize.seat == seat]
    cents = sum(prize.cents for prize in valued)
    rests_on = (story.refused if refusal else story.paid) or story.locked
    surveillance_limit, verified = state.law.surveillance_threshold, refusal or payment
    return Slip(
        room=card_room.room().settings.name,
        jackpot=setup["name"],
        jackpot_id=lock.jackpot,
        money=state.money,
        of_money=_CURRENCY_TEXT[state.money],
        status=status,
        claim=story.claim,
        order=story.order,
        seat=seat,
        table=lock.table,
        game=lock.game,
        round=lock.round,
        dealer=lock.dealer,
        dealt=lock.dealt,
        claimed=_minute(calendar, story.locked.time),
        decided="" if rests_on is story.locked else _minute(calendar, rests_on.time),
        times=calendar.zone_text,
        prizes=tuple(_prize(prize) for prize in valued),
        amount=format_dollars(cents),
        words=spell_amount(cents) + (", play money" if state.money is Currency.PLAY else ""),
        sources=_sources(story, payout) if state.money is Currency.REAL else (),
        player=player_text(payout.player) if payout else NOT_ENTERED_TEXT,
        payment=f"{payout.payment} {payout.reference}" if payout else NOT_ENTERED_TEXT,
        verified=responsible_people(verified.payload) if verified else "",
        surveillance=""
        if refusal
        else _surveillance(story, surveillance_limit is not None and cents > surveillance_limit),
        why=refusal.why if refusal else "",
        **_event_reference(rests_on),
    )


def _event_reference(event: Event) -> dict[str, Any]:
    return {"chain": event.chain, "event": event.id, "sequence": event.sequence, "hash": event.hash.hex()}


def _minute(calendar: Calendar, time: Time) -> str:
    return calendar.format_time(time)[:16]


def _prize(prize: JackpotPrize) -> SlipPrize:
    source = f"level {prize.level}" if prize.level else HOUSE_TEXT
    return SlipPrize(prize.words, prize.cards, prize.pays, source, format_dollars(prize.cents))


def _sources(story: ClaimHistory, payout: Payout | None) -> tuple[tuple[str, str], ...]:
    """The sources of a winner's money."""
    if payout is None:
        return ()
    if payout.escrow:
        part = f", of which {format_amount(payout.house)} is the house's part" if payout.house else ""
        return ((f"the jackpot's bank account{part}", format_amount(payout.escrow)),)
    parts = {"the cage": payout.undeposited, f"{HOUSE_TEXT}, chip tray of {story.lock.table}": payout.house}
    return tuple((name, format_amount(amount)) for name, amount in parts.items() if amount)


def _surveillance(story: ClaimHistory, is_needed: bool) -> str:
    reference = story.payment.surveillance if story.payment else None
    if reference is not None:
        return f"{reference.by}, {reference.at}"
    return "required before payment" if is_needed and not story.payment else ""


def slips_json(slips: Sequence[Slip]) -> list[dict[str, Any]]:
    """The slips as JSON."""
    return [asdict(slip) for slip in slips]


def _printed(slip: dict[str, Any]) -> dict[str, Any]:
    """A slip as JSON, with its times as the page shows them."""
    times = {name: format_iso_minutes(slip[name]) for name in ("claimed", "decided", "surveillance")}
    return slip | times


def slips_pdf(slips: Sequence[Slip], prepared_at: Time) -> bytes:
    """The pages, one per winner; the same slips give the same bytes."""
    content = json.dumps(slips_json(slips), indent=1, ensure_ascii=False)
    document = {
        "slips": [_printed(slip) for slip in slips_json(slips)],
        "digest": sha256(content.encode()).hexdigest(),
        "program": str(current_program()),
    }
    inputs = {"document": json.dumps(document), "content": content, "attached": ATTACHMENT_NAME}
    return compile_pdf(_TEMPLATE, inputs, datetime.fromtimestamp(prepared_at // 1_000_000, UTC))


def refuse_slip_file(path: Path) -> None:
    """Raise an error at once if a slip cannot be written there, before the payment."""
    if path.suffix.lower() != ".pdf":
        raise BadReportFile(f"A slip is a .pdf file, and {path.name!r} is not. Name a file such as slip.pdf.")
    check_writable(path)


def write_slips(card_room: CardRoom, jackpot: str, claim: str, path: Path) -> tuple[Slip, ...]:
    """Write the slips of a claim. If that fails, an earlier file stays unchanged."""
    slips = claim_slips(card_room, jackpot, claim)
    story = card_room.payments.get_claim_history(jackpot, claim)
    last = story.paid or story.refused or story.locked
    write_bytes(path, slips_pdf(slips, last.time))
    return slips
