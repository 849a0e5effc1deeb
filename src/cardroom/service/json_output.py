"""Results and states of the card room as JSON, for programs.

Names that end in ``cents`` are whole cents; the other amounts are hundredths of a cent.

Users as JSON, for programs. There is no password, PIN, or token in it, and a digest reveals none.

Player accounts as JSON, for programs; every amount in whole cents, with its currency.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from cardroom.ledger import Time
from cardroom.room.codec import encode
from cardroom.room.jackpot.pending_claims import Claim
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.player.account import PlayerAccount
from cardroom.room.promotion.setup import promotion_to_mapping
from cardroom.room.promotion.state import PromotionState
from cardroom.room.setup.site import SiteSettings
from cardroom.room.site.events import DayOpenItem
from cardroom.room.site.malfunction_reports import MalfunctionReport, describe_clock
from cardroom.room.table.state import Occupant, TableState
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.tabulator.state import LayoutMark
from cardroom.room.user.sign_in import UserSession, locked_places
from cardroom.room.user.state import UserState
from cardroom.service.commands.cage import PlayerAccountSummary
from cardroom.service.commands.devices import DeviceSummary, DeviceTokenResult
from cardroom.service.commands.displays import ManualSign
from cardroom.service.commands.heads import SentHeads
from cardroom.service.commands.results import (
    ClaimDecisionResult,
    ClaimResult,
    JackpotSummary,
    LightsResult,
    PromotionPaymentResult,
    PromotionSummary,
    ReconciliationResult,
    RoomSummary,
    RoomTableResult,
    RoundCountResult,
    TableResult,
    TabulatorSummary,
    decode_jackpot_summary,
    decode_tabulator_summary,
    encode_jackpot_summary,
    encode_tabulator_summary,
)
from cardroom.service.commands.site import DaySummary
from cardroom.service.queries.bank_account import DepositDue
from cardroom.service.queries.site import GamingDay, RoomChange

if TYPE_CHECKING:
    from cardroom.service.card_room import CardRoom


@singledispatch
def result_to_json(answer: object) -> dict[str, Any]:
    """The result of a command."""
    raise TypeError(f"{type(answer).__name__} is not a result of a command.")


@result_to_json.register
def _(summary: JackpotSummary) -> dict[str, Any]:
    entry = summary._asdict()
    entry["meters"] = [
        {"shown_cents" if name == "shown" else name: value for name, value in meter._asdict().items()}
        for meter in summary.meters
    ]
    if not summary.given_up:
        del entry["given_up"]
    return {name: list(value) if isinstance(value, tuple) else value for name, value in entry.items()}


@result_to_json.register
def _(summary: TabulatorSummary) -> dict[str, Any]:
    changes = [change._asdict() for change in summary.changes]
    extra = {"jackpots": list(summary.jackpots), "counters": list(summary.counters), "changes": changes}
    return {**summary._asdict(), **extra}


@result_to_json.register
def _(reported: LightsResult) -> dict[str, Any]:
    marks = {"dark": _marks_to_json(reported.dark), "lammers": _marks_to_json(reported.lammers)}
    return {**result_to_json(reported.summary), **marks}


def _marks_to_json(marks: Iterable[LayoutMark]) -> list[dict[str, int]]:
    return [{"position": mark.position, "sensor": mark.sensor} for mark in marks]


@result_to_json.register
def _(summary: RoomSummary) -> dict[str, Any]:
    return {"settings": settings_to_json(summary.settings)}


def settings_to_json(settings: SiteSettings) -> dict[str, Any]:
    """The settings of the room; amounts are cents."""
    entry = settings._asdict()
    return {"dealer_pays_cents" if name == "dealer_pays" else name: value for name, value in entry.items()}


@result_to_json.register
def _(count: RoundCountResult) -> dict[str, Any]:
    marks = {name: _marks_to_json(getattr(count, name)) for name in ("lights", "lammers", "stay")}
    return {
        "table": count.table,
        "round": count.round,
        "counts": dict(count.counts),
        "counters": list(count.counters),
        **marks,
        "shown_cents": {jackpot: list(levels) for jackpot, levels in count.meters.items()},
        "bonus": list(count.bonus),
        "money": str(count.money),
    }


@result_to_json.register
def _(result: ClaimResult) -> dict[str, Any]:
    return {
        "claim": result.claim,
        "order": result.order,
        "paid": list(map(encode, result.paid)),
        "pending": list(map(encode, result.pending)),
        "revalued_cents": dict(result.revalued),
        "cents": result.cents,
        "summary": result_to_json(result.summary),
    }


@result_to_json.register
def _(decided: ClaimDecisionResult) -> dict[str, Any]:
    prizes = list(map(encode, decided.prizes))
    return {
        "claim": decided.claim,
        "prizes": prizes,
        "cents": decided.cents,
        "payouts": list(map(encode, decided.payouts)),
        "summary": result_to_json(decided.summary),
    }


@result_to_json.register
def _(reconciled: ReconciliationResult) -> dict[str, Any]:
    """The jackpot, as every command on a jackpot returns it, and the statement beside it."""
    moved = {
        name: [movement._asdict() for movement in getattr(reconciled, name)]
        for name in ("in_transit", "outstanding", "later", "unnamed")
    }
    extra = {
        "day": reconciled.day.isoformat(),
        "statement": reconciled.statement,
        **moved,
        "adjusted": reconciled.adjusted,
        "books": reconciled.books,
        "at": reconciled.at,
    }
    summary = result_to_json(reconciled.summary)
    return {**summary, "surplus": reconciled.surplus, "reconciliation": extra}


@result_to_json.register
def _(summary: PromotionSummary) -> dict[str, Any]:
    return summary._asdict()


@result_to_json.register
def _(paid: PromotionPaymentResult) -> dict[str, Any]:
    return {"seats": list(paid.seats), "cents": paid.cents, "summary": result_to_json(paid.summary)}


@result_to_json.register
def _(summary: DeviceSummary) -> dict[str, Any]:
    entry: dict[str, Any] = encode(summary)
    del entry["digest"]
    states = {"withdrawn": summary.withdrawn or None, "held_up": summary.held_up or None}
    return {**entry, **states, "shown_once": True}


@result_to_json.register
def _(token_result: DeviceTokenResult) -> dict[str, Any]:
    return {**result_to_json(token_result.summary), "token": token_result.token}


# States, as the commands return them, and more.


def summarize_jackpot(state: JackpotState) -> JackpotSummary:
    """A jackpot as the commands return it."""
    return decode_jackpot_summary(encode_jackpot_summary(state))


def summarize_promotion(state: PromotionState) -> PromotionSummary:
    """A promotion as the commands return it."""
    promotion, paid = state.promotion, state.paid
    left = promotion.most_prizes - paid.prizes, promotion.most_cents - paid.cents
    return PromotionSummary(promotion.id, state.ended, paid.prizes, paid.cents, *left, promotion.money)


def jackpot_to_json(state: JackpotState) -> dict[str, Any]:
    """One jackpot in full."""
    return {
        **result_to_json(summarize_jackpot(state)),
        "setup": state.setup,
        "counted": state.counted,
        "wagered": state.wagered,
        "parameters": {meter.name: encode(meter.parameters) for meter in state.meters},
        "waiting": {change.level: encode(change.after) for change in state.waiting},
        "claims": [pending_claim_to_json(claim) for claim in state.claims],
    }


def deposit_due_to_json(due: DepositDue | None) -> dict[str, Any] | None:
    """What must be deposited; the amount is in hundredths of a cent."""
    if due is None:
        return None
    days = {"since": due.since.isoformat(), "by": due.by.isoformat(), "overdue_days": due.overdue_days}
    return {"amount": due.amount, **days, "is_due": due.is_due}


def pending_claim_to_json(claim: Claim) -> dict[str, Any]:
    """A claim that waits for a second person."""
    ids = {"claim": claim.id, "order": claim.order, "table": claim.table, "round": claim.round}
    prizes = list(map(encode, claim.prizes))
    sat = {str(seated.seat): seated.player for seated in claim.sat}
    by = {"dealer": claim.dealer, "dealt": claim.dealt, "automatic": claim.automatic, "sat": sat}
    return {**ids, **by, "prizes": prizes, "cents": claim.cents}


def tabulator_to_json(state: TabulatedTableState) -> dict[str, Any]:
    """One table with its game. A closed one has no unit: the unit is free."""
    entry = {
        "game": state.tabulator.table.game,
        **result_to_json(decode_tabulator_summary(encode_tabulator_summary(state))),
    }
    return entry | {"unit": "", "counters": []} if state.closed else entry


def promotion_to_json(state: PromotionState) -> dict[str, Any]:
    """One promotion with its rules."""
    return {**result_to_json(summarize_promotion(state)), "setup": promotion_to_mapping(state.promotion)}


def card_room_to_json(card_room: CardRoom, now: Time) -> dict[str, Any]:
    """The whole card room."""
    return {
        "jackpots": [
            {
                **jackpot_to_json(card_room.jackpot(item)),
                "deposit_due": deposit_due_to_json(card_room.jackpots.find_deposit_due(item)),
            }
            for item in card_room.list_jackpots()
        ],
        "tables": [tabulator_to_json(card_room.tabulator(item)) for item in card_room.list_tabulators()],
        "promotions": [promotion_to_json(card_room.promotion(item).state) for item in card_room.list_promotions()],
        "signs": [manual_sign_to_json(item) for item in card_room.displays.list_manual_signs() if item.needs_attention],
        "malfunctions": malfunction_reports_to_json(card_room.room().reports, now),
    }


def day_summary_to_json(summary: DaySummary) -> dict[str, Any]:
    """A gaming day after a command."""
    entry: dict[str, Any] = encode(summary)
    return entry


def room_changes_to_json(changes: Sequence[RoomChange]) -> list[dict[str, Any]]:
    """The setups of the room; their times are microseconds since 1970, UTC."""
    return [
        {**room_change._asdict(), "changes": [each._asdict() for each in room_change.changes]}
        for room_change in changes
    ]


def sent_heads_to_json(heads: SentHeads) -> dict[str, Any]:
    """Heads that were sent."""
    entry: dict[str, Any] = encode(heads)
    return entry


def gaming_day_to_json(day: GamingDay | None, matters: Sequence[DayOpenItem]) -> dict[str, Any]:
    """The gaming day; without an open one, the open items all the same."""
    if day is None:
        return {"day": None, "is_open": False, "open": list(map(encode, matters))}
    closed = day.closed
    entry = {"day": str(day.day), "opened": day.opened, "opened_by": day.opened_by, "is_open": closed is None}
    if closed is None:
        return {**entry, "open": list(map(encode, matters))}
    close_event = closed.event
    return {
        **entry,
        "closed": closed.time,
        "closed_by": close_event.who,
        "open": list(map(encode, close_event.open)),
        "jackpots": [item._asdict() for item in close_event.jackpots],
        "ends": [item._asdict() for item in close_event.ends],
        "digest": close_event.digest,
    }


def malfunction_reports_to_json(reports: Sequence[MalfunctionReport], now: Time) -> list[dict[str, Any]]:
    """Malfunction reports with their deadlines."""
    return [malfunction_report_to_json(report, now) for report in reports]


def malfunction_report_to_json(report: MalfunctionReport, now: Time) -> dict[str, Any]:
    """One report; its times are microseconds since 1970, UTC."""
    return {**encode(report), "clock": describe_clock(report, now)}


def manual_sign_to_json(sign: ManualSign) -> dict[str, Any]:
    """A sign that a person changes, and what it must show."""
    return {"table": sign.table, "display": str(sign.kind), "changed": str(sign.change_method), "says": sign.text}


@result_to_json.register
def _(summary: TableResult) -> dict[str, Any]:
    return {
        "table": summary.table,
        "version": summary.version,
        "state": str(summary.state),
        "seat": summary.seat,
        "chips_cents": summary.chips,
        "round": summary.round,
    }


@result_to_json.register
def _(summary: RoomTableResult) -> dict[str, Any]:
    tabulator = {} if summary.tabulator is None else result_to_json(summary.tabulator)
    play = {} if summary.play is None else result_to_json(summary.play)
    return {**tabulator, **play, "changes": [change._asdict() for change in summary.changes]}


def table_to_json(state: TableState) -> dict[str, Any]:
    """A table where people play, and its options; times are seconds."""
    terms = state.terms
    return {
        "table": state.table,
        "game": state.game.facts.slug,
        "mode": str(terms.mode),
        "money": str(terms.money),
        "state": str(state.phase),
        "why": state.closed or state.paused or None,
        "round": state.round,
        "seats": state.open_table.table.seats,
        "seated": {str(seated_player.seat): seated_player.player for seated_player in state.seats},
        "betting": terms.betting,
        "deciding": terms.deciding,
        "buy_in_cents": terms.buy_in,
    }


def user_to_json(state: UserState) -> dict[str, Any]:
    """A user with a login."""
    return {
        "login": state.login,
        "name": state.name,
        "role": str(state.role),
        "state": describe_user_state(state),
        "has_pin": bool(state.pin),
    }


def user_details_to_json(state: UserState, now: Time) -> dict[str, Any]:
    """The same, with the active sessions."""
    sessions = [
        {"session": seal, "address": item.address, "until": item.until, "locked": item.locked or None}
        for seal, item in state.sessions.items()
        if item.until >= now
    ]
    return {
        **user_to_json(state),
        "wrong_passwords": sum(item.counted for item in state.attempts.values()),
        "locked_at": locked_places(state, now),
        "dismissed": state.deactivation_reason or None,
        "sessions": sessions,
    }


def session_to_json(session: UserSession) -> dict[str, Any]:
    """A signed-in user."""
    return {
        "login": session.login,
        "name": session.name,
        "role": str(session.role),
        "session": session.digest,
        "until": session.until,
        "must_choose": session.must_change_password,
    }


def describe_user_state(state: UserState) -> str:
    """The state of a user, in a word or two."""
    if state.deactivation_reason:
        return "dismissed"
    if state.locked_places:
        return "locked"
    if not state.password:
        return "needs a new password"
    return "has a password for one use" if state.one_time_until else "active"


def account_summary_to_json(summary: PlayerAccountSummary) -> dict[str, Any]:
    """A player account after a command."""
    return _account_to_json(summary.player, str(summary.money), summary.guest, summary.balance)


def player_account_to_json(state: PlayerAccount, seated: Mapping[str, Occupant] | None = None) -> dict[str, Any]:
    """A player account with its seats, and the chips there where they are available."""
    seats = [
        {"table": table, "seat": seat, **_chips_to_json((seated or {}).get(table))}
        for table, seat in state.seats.items()
    ]
    return {**_account_to_json(state.player, str(state.money), state.guest, state.balance), "seats": seats}


def _chips_to_json(seated: Occupant | None) -> dict[str, int]:
    return {} if seated is None else {"chips_cents": seated.chips, "down_cents": seated.wagered}


def _account_to_json(player: str, money: str, guest: bool, balance: int) -> dict[str, Any]:
    return {"player": player, "money": money, "guest": guest, "balance_cents": balance}
