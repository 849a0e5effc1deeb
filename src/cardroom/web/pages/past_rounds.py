"""The page of a past round: the replay step by step, every payment, and the check of its shuffle.

The page of a player's own rounds: the balance, the seats, and the rounds, page by page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import orjson
from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from cardroom.cards import format_cards
from cardroom.games import Decision
from cardroom.games.settlement import Payment
from cardroom.games.view import GROUP_NAMES, stake_name, wager_name
from cardroom.room.setup.calendar import Calendar
from cardroom.room.table.events import DecisionMade
from cardroom.room.table.state import open_table, parse_round_id, player_seeds
from cardroom.room.user.permissions import Permission
from cardroom.service import CardRoom, UnknownRound, UnknownTable
from cardroom.service.commands.tables import require_visible
from cardroom.service.queries.chain_history import describe_wager_void
from cardroom.service.queries.past_live_rounds import PastLiveRound
from cardroom.service.queries.past_rounds import PastRound
from cardroom.service.queries.round_check import check_live_round, check_round, list_shuffle_steps
from cardroom.service.queries.round_search import AnyPastRound
from cardroom.translation import gettext
from cardroom.web.api.refusals import status_of
from cardroom.web.middleware.permissions import get_caller
from cardroom.web.pages.pending_prizes import list_pending_prizes
from cardroom.web.pages.requests import get_app_context, signed_in_player
from cardroom.web.pages.round_frames import build_frames, decider_label, describe_void, seat_of
from cardroom.web.pages.table_view import verb_label
from cardroom.web.pages.templating import (
    HEADERS,
    display_name,
    format_page_time,
    render_fragment,
    render_page,
    zone_note,
)

router = APIRouter(include_in_schema=False)


class StakeRow(NamedTuple):
    """A stake that was taken or paid."""

    name: str
    payment: Payment
    by_jackpot: bool
    """Whether a jackpot pays it: with the round, or after two people verify it."""


class DecisionRow(NamedTuple):
    """A decision, with its groups of cards by name."""

    seat: int
    player: str
    question: str
    label: str
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    by: str
    cents: int


class RoundViewer(NamedTuple):
    """The visitor of a round's page."""

    player: str | None
    sees_all: bool
    """Whether the person may see all rounds, with the names of the players."""

    def player_name(self, player: str) -> str:
        """A player's name: in full for staff, as at the table for players."""
        return player if self.sees_all else display_name(player)


def get_viewer(request: Request) -> RoundViewer:
    return RoundViewer(signed_in_player(request), get_caller(request).may(Permission.SEE_ROUNDS))


def find_round(card_room: CardRoom, id: str, viewer: RoundViewer) -> AnyPastRound:
    """A past round for a visitor. Only the owner sees the rounds of a practice table, and only players of a round see
    the names of its players."""
    round_number = parse_round_id(id)
    if round_number is None:
        raise UnknownRound(gettext("There is no such round."))
    require_visible(card_room.table(round_number[0]), viewer.player or "")
    past_round = card_room.get_round(id)
    return (
        past_round if viewer.sees_all or isinstance(past_round, PastLiveRound) else past_round.redact_for(viewer.player)
    )


@router.get("/rounds/{id}")
async def show_round(request: Request, id: str, step: str = "") -> Response:
    """A round, at one of its steps; at the end by default."""
    context, viewer = get_app_context(request), get_viewer(request)
    try:
        variables = await context.executors.query(_round_variables, context.card_room, id, viewer, step)
    except (UnknownRound, UnknownTable) as fault:
        return render_page(request, "rounds/unknown.html", status=status_of(fault), sentence=str(fault))
    return render_page(request, f"rounds/{variables.pop('template')}", **variables)


@router.get("/rounds/{id}/steps/{step}")
async def show_step(request: Request, id: str, step: str) -> Response:
    """The replay at one step, to be swapped into the open page."""
    context, viewer = get_app_context(request), get_viewer(request)
    variables = await context.executors.query(_step_variables, context.card_room, id, viewer, step)
    return Response(
        render_fragment("rounds/step.html", **variables), headers=HEADERS, media_type="text/html; charset=utf-8"
    )


@router.get("/rounds/{id}/record.json")
async def download_record(request: Request, id: str) -> Response:
    """The record that ``cardroom settle -`` reads; for a round that a dealer dealt, what was entered."""
    return await _download(request, id, "record", lambda past_round: _record(past_round))


@router.get("/rounds/{id}/round.json")
async def download_round(request: Request, id: str) -> Response:
    """Everything that is stored of the round, as ``cardroom rounds export`` writes it."""
    return await _download(request, id, "round", lambda past_round: past_round.to_json())


async def _download(
    request: Request, id: str, suffix: str, to_json: Callable[[AnyPastRound], dict[str, Any]]
) -> Response:
    context, viewer = get_app_context(request), get_viewer(request)
    entry = await context.executors.query(lambda: to_json(find_round(context.card_room, id, viewer)))
    headers = {"Content-Disposition": f'attachment; filename="{id}.{suffix}.json"'}
    return Response(
        orjson.dumps(entry, option=orjson.OPT_INDENT_2), headers=HEADERS | headers, media_type="application/json"
    )


def _record(past_round: AnyPastRound) -> dict[str, Any]:
    return past_round.record if isinstance(past_round, PastRound) else past_round.to_json()


def _round_variables(card_room: CardRoom, id: str, viewer: RoundViewer, step: str) -> dict[str, Any]:
    past_round = find_round(card_room, id, viewer)
    variables = (
        _live_round_variables(past_round, card_room.calendar)
        if isinstance(past_round, PastLiveRound)
        else _dealt_round_variables(card_room, past_round, viewer, step)
    )
    calendar = card_room.calendar
    return {
        "past": past_round,
        "facts": open_table(past_round.setup).game.facts,
        "money": past_round.money,
        "ended": format_page_time(calendar, past_round.time),
        "times": zone_note(calendar),
        **variables,
    }


def _live_round_variables(past_round: PastLiveRound, calendar: Calendar) -> dict[str, Any]:
    facts = open_table(past_round.setup).game.facts
    return {
        "template": "live.html",
        "check": check_live_round(past_round),
        "voided": describe_wager_void(past_round.voided, format_page_time(calendar, past_round.voided.time))
        if past_round.voided
        else "",
        "wagers": {
            seat: [(wager_name(facts, spot), cents) for spot, cents in spots.items()]
            for seat, spots in past_round.live.wagers.items()
        },
        "stakes": [
            (stake_name(facts, stake.spot, stake.stake), stake) for stake in getattr(past_round.ended, "shown", ())
        ],
    }


def _dealt_round_variables(
    card_room: CardRoom, past_round: PastRound, viewer: RoundViewer, step: str
) -> dict[str, Any]:
    check = check_round(past_round)
    is_verified = bool(check.dealt)
    return {
        "template": "page.html",
        "own_seat": seat_of(past_round, viewer.player),
        "player_name": viewer.player_name,
        "check": check,
        "other_steps": tuple(
            check_step for check_step in check.steps if not check_step.holds or check_step is check.steps[-1]
        ),
        "replay": render_fragment("rounds/step.html", **_frame_variables(past_round, viewer, step))
        if is_verified
        else "",
        "stakes": _stake_rows(past_round) if is_verified and not past_round.is_void else {},
        "prizes": list_pending_prizes(card_room, past_round),
        "void_text": describe_void(past_round.void_details) if past_round.void_details else "",
        "decisions": tuple(_decision_row(past_round, decision) for decision in past_round.answers),
        "seeds": player_seeds(past_round.begun.wagers),
        "steps": list_shuffle_steps(past_round, check),
        "fresh_deck": format_cards(open_table(past_round.setup).table.deck.cards()),
    }


def _step_variables(card_room: CardRoom, id: str, viewer: RoundViewer, step: str) -> dict[str, Any]:
    past_round = find_round(card_room, id, viewer)
    if not isinstance(past_round, PastRound):
        raise UnknownRound(gettext("A dealer dealt this round, so it has no replay."))
    return _frame_variables(past_round, viewer, step)


def _frame_variables(past_round: PastRound, viewer: RoundViewer, step: str) -> dict[str, Any]:
    """The replay at a step, counted from one. Without a valid step, at the end."""
    frames = build_frames(past_round, viewer.player)
    number = int(step) if step.isascii() and step.isdigit() and len(step) < 4 else 0
    at = number if 0 < number <= len(frames) else len(frames)
    names = {"player_name": viewer.player_name}
    return {"past": past_round, "frame": frames[at - 1], "at": at, "frames": frames, **names}


def _stake_rows(past_round: PastRound) -> dict[int, list[StakeRow]]:
    """The payment of every stake, by seat."""
    facts, spots = past_round.facts, past_round.game_round.table.spots
    rows: dict[int, list[StakeRow]] = {}
    for payment in past_round.settlement.payments:
        linked = spots[payment.spot].wager.slug in past_round.begun.linked
        row = StakeRow(stake_name(facts, payment.spot, payment.stake), payment, linked and payment.known_return > 0)
        rows.setdefault(payment.seat, []).append(row)
    return rows


def _decision_row(past_round: PastRound, decision_record: DecisionMade) -> DecisionRow:
    decision = Decision.parse(decision_record.answer)
    group_names = GROUP_NAMES.get(decision.verb, ("",) * len(decision.groups))
    groups = tuple((name, tuple(map(str, group))) for name, group in zip(group_names, decision.groups, strict=True))
    user = past_round.players[decision_record.seat]
    by = user if decision_record.by == user else decider_label(decision_record.by)
    return DecisionRow(
        decision_record.seat,
        user,
        decision_record.question,
        verb_label(decision.verb),
        groups,
        by,
        decision_record.cents,
    )


PAGE_SIZE: Final = 25


@router.get("/me")
async def show_my_rounds(request: Request, before: str = "") -> Response:
    """The visitor's own rounds, the newest first; with ``before``, those before that round."""
    context, player = get_app_context(request), signed_in_player(request)
    if step := get_caller(request).sign_in_step:
        return RedirectResponse(f"{step.page}?next=/me", 303)
    if player is None:
        return render_page(request, "my_rounds/no_player.html", guests=context.options.guests)
    try:
        variables = await context.executors.query(_my_rounds_variables, context.card_room, player, before)
    except UnknownRound as fault:
        return render_page(request, "rounds/unknown.html", status=status_of(fault), sentence=str(fault))
    return render_page(request, "my_rounds/page.html", **variables)


def _my_rounds_variables(card_room: CardRoom, player: str, before: str) -> dict[str, Any]:
    state, calendar = card_room.player_account(player), card_room.calendar
    history = card_room.page_player_rounds(player, before=before or None, limit=PAGE_SIZE)
    seats = [(card_room.table(table), seat) for table, seat in state.seats.items()]
    return {
        "state": state,
        "seats": [
            (table_state, occupant)
            for table_state, seat in seats
            if (occupant := table_state.occupant(seat)) is not None
        ],
        "rounds": [
            (
                occupant,
                occupant.summarize_player(player),
                format_page_time(calendar, occupant.time),
                list_pending_prizes(card_room, occupant, seat_of(occupant, player)),
            )
            for occupant in history.rounds
        ],
        "before": before,
        "next": history.before,
        "times": zone_note(calendar),
    }
