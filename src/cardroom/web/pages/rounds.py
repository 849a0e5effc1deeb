"""A round that has ended: the felt step by step, what every stake came to, and its shuffle to check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import orjson
from fastapi import APIRouter, Request, Response

from cardroom.accounts import Currency
from cardroom.cards import format_cards
from cardroom.floor import Floor, UnknownFelt, UnknownRound
from cardroom.floor.desks.felts import visible
from cardroom.floor.felt.happenings import Answered
from cardroom.floor.felt.state import number_of, opened, words_of
from cardroom.floor.felt.telling import by_words
from cardroom.floor.kept.felt_recall import PastRound
from cardroom.floor.kept.live_recall import PastLiveRound
from cardroom.floor.kept.recall import voided_text
from cardroom.floor.kept.round_check import check_live_round, check_round
from cardroom.floor.kept.round_search import AnyRound
from cardroom.floor.kept.shuffle_steps import shuffle_steps
from cardroom.floor.people.permissions import Right
from cardroom.games import Decision
from cardroom.games.settlement import Payment
from cardroom.games.view import GROUP_NAMES, stake_name, wager_name
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.web.api.refusals import status_of
from cardroom.web.pages.drawing import HEADERS, fragment, page
from cardroom.web.pages.prizes import prizes_told
from cardroom.web.pages.recalled import moments, seat_of
from cardroom.web.pages.visitors import house_of, player_name
from cardroom.web.rights.caller import caller_of

router = APIRouter(include_in_schema=False)


class StakeRow(NamedTuple):
    """A stake that was taken or paid."""

    name: str
    payment: Payment
    by_jackpot: bool
    """Whether a jackpot pays what it won: at once, or when two people have verified it."""


class AnswerRow(NamedTuple):
    """An answer, with the cards that it spoke of by what they were called."""

    seat: int
    player: str
    question: str
    verb: str
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    by: str
    cents: int


class Looker(NamedTuple):
    """Who looks at a round."""

    player: str | None
    sees_all: bool
    """Whether the person may look at everybody's rounds: names are told then."""


def looker_at(request: Request) -> Looker:
    return Looker(player_name(request), caller_of(request).may(Right.SEE_ROUNDS))


def look_up(floor: Floor, id: str, looker: Looker) -> AnyRound:
    """A round that has ended, for a visitor: a private table's rounds are its owner's, and who sat at any table is told
    only to those who did."""
    named = number_of(id)
    if named is None:
        raise UnknownRound("There is no round of that name: a round's id is such as prime-1.17.")
    visible(floor.felt(named[0]), looker.player or "")
    past = floor.any_round(id)
    return past if looker.sees_all or isinstance(past, PastLiveRound) else past.told_to(looker.player)


@router.get("/rounds/{id}")
async def show_round(request: Request, id: str, step: str = "") -> Response:
    """The round, at one of its steps; at the end when none is named."""
    house, looker = house_of(request), looker_at(request)
    try:
        shown = await house.clerks.look(_drawn, house.floor, id, looker, step)
    except (UnknownRound, UnknownFelt) as fault:
        return page(request, "rounds/unknown.html", status=status_of(fault), sentence=str(fault))
    return page(request, f"rounds/{shown.pop('template')}", **shown)


@router.get("/rounds/{id}/steps/{step}")
async def show_step(request: Request, id: str, step: str) -> Response:
    """The felt at one step, to be put into the page that is open."""
    house, looker = house_of(request), looker_at(request)
    shown = await house.clerks.look(_felt_at, house.floor, id, looker, step)
    return Response(fragment("rounds/felt.html", **shown), headers=HEADERS, media_type="text/html; charset=utf-8")


@router.get("/rounds/{id}/record.json")
async def take_record(request: Request, id: str) -> Response:
    """What ``cardroom settle -`` reads; of a round that a dealer dealt, what was typed."""
    return await _taken_along(request, id, "record", lambda past: _record(past))


@router.get("/rounds/{id}/round.json")
async def take_round(request: Request, id: str) -> Response:
    """All that is known of the round, as ``cardroom rounds export`` writes it."""
    return await _taken_along(request, id, "round", lambda past: past.entry())


async def _taken_along(request: Request, id: str, what: str, told: Callable[[AnyRound], dict[str, Any]]) -> Response:
    house, looker = house_of(request), looker_at(request)
    entry = await house.clerks.look(lambda: told(look_up(house.floor, id, looker)))
    named = {"Content-Disposition": f'attachment; filename="{id}.{what}.json"'}
    return Response(
        orjson.dumps(entry, option=orjson.OPT_INDENT_2), headers=HEADERS | named, media_type="application/json"
    )


def _record(past: AnyRound) -> dict[str, Any]:
    return past.record if isinstance(past, PastRound) else past.entry()


def _drawn(floor: Floor, id: str, looker: Looker, step: str) -> dict[str, Any]:
    past = look_up(floor, id, looker)
    shown = _live(past, floor.calendar) if isinstance(past, PastLiveRound) else _dealt(floor, past, looker.player, step)
    calendar = floor.calendar
    return {
        "past": past,
        "facts": opened(past.setup).game.facts,
        "money": Currency(past.money).label,
        "ended": calendar.told(past.time),
        "times": calendar.said,
        **shown,
    }


def _live(past: PastLiveRound, calendar: Calendar) -> dict[str, Any]:
    facts = opened(past.setup).game.facts
    return {
        "template": "live.html",
        "check": check_live_round(past),
        "voided": voided_text(past.voided, calendar.told(past.voided.time)) if past.voided else "",
        "wagers": {
            seat: [(wager_name(facts, spot), cents) for spot, cents in spots.items()]
            for seat, spots in past.live.wagers.items()
        },
        "stakes": [(stake_name(facts, one.spot, one.stake), one) for one in getattr(past.ended, "shown", ())],
    }


def _dealt(floor: Floor, past: PastRound, player: str | None, step: str) -> dict[str, Any]:
    check = check_round(past)
    stands = bool(check.dealt)
    return {
        "template": "page.html",
        "mine": seat_of(past, player),
        "check": check,
        "rest": tuple(one for one in check.steps if not one.holds or one is check.steps[-1]),
        "felt": fragment("rounds/felt.html", **_at(past, player, step)) if stands else "",
        "stakes": _stakes(past) if stands and not past.is_void else {},
        "prizes": prizes_told(floor, past),
        "answers": tuple(_answer(past, one) for one in past.answers),
        "words": words_of(past.begun.wagers),
        "steps": shuffle_steps(past, check),
        "fresh": format_cards(opened(past.setup).table.deck.cards()),
    }


def _felt_at(floor: Floor, id: str, looker: Looker, step: str) -> dict[str, Any]:
    past = look_up(floor, id, looker)
    if not isinstance(past, PastRound):
        raise UnknownRound(f"Round {id} was dealt by a dealer: it has no steps to go through.")
    return _at(past, looker.player, step)


def _at(past: PastRound, player: str | None, step: str) -> dict[str, Any]:
    """The felt at a step, counted from one; at the end where none, or none that there is, is named."""
    told = moments(past, player)
    number = int(step) if step.isascii() and step.isdigit() and len(step) < 4 else 0
    at = number if 0 < number <= len(told) else len(told)
    return {"past": past, "moment": told[at - 1], "at": at, "moments": told}


def _stakes(past: PastRound) -> dict[int, list[StakeRow]]:
    """What became of every stake, by seat."""
    facts, spots = past.facts, past.played.table.spots
    rows: dict[int, list[StakeRow]] = {}
    for one in past.settlement.payments:
        linked = spots[one.spot].wager.slug in past.begun.linked
        row = StakeRow(stake_name(facts, one.spot, one.stake), one, linked and one.known_return > 0)
        rows.setdefault(one.seat, []).append(row)
    return rows


def _answer(past: PastRound, said: Answered) -> AnswerRow:
    decision = Decision.parse(said.answer)
    called = GROUP_NAMES.get(decision.verb, ("",) * len(decision.groups))
    groups = tuple((name, tuple(map(str, group))) for name, group in zip(called, decision.groups, strict=True))
    who = past.players[said.seat]
    by = who if said.by == who else by_words(said.by)
    return AnswerRow(said.seat, who, said.question, str(decision.verb), groups, by, said.cents)
