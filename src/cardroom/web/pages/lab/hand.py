"""The hand calculator: tap the cards that you hold, and see what each decision is worth."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.cards import JOKER, Card, format_cards, parse_cards
from cardroom.cards.card import RANK_LETTERS, SUIT_LETTERS
from cardroom.errors import BadInput
from cardroom.games import Decision, game
from cardroom.games.registry import UnknownGame
from cardroom.paytables import paytables
from cardroom.reports.documents.numbers import format_signed
from cardroom.web.pages.drawing import HEADERS, fragment, page
from cardroom.web.pages.lab.games import list_games
from cardroom.web.pages.visitors import house_of, player_name
from cardroom.web.room.waiting import NOBODY_READS, while_here
from cardroom.web.room.workers import TooBusy

router = APIRouter(include_in_schema=False)
MOST_CARDS: Final = 7


class ValuedAnswer(NamedTuple):
    """A decision and what it is worth, in units of the wager."""

    words: str
    groups: tuple[tuple[str, ...], ...]
    value: str
    behind: str
    """What it costs against the best; empty for the best."""


def valued(values: tuple[tuple[Decision, Fraction], ...]) -> list[ValuedAnswer]:
    """Decisions as they are shown, the best first."""
    best = values[0][1]
    return [
        ValuedAnswer(
            words=str(one.verb).capitalize(),
            groups=tuple(tuple(map(str, group)) for group in one.groups),
            value=format_signed(value, 6),
            behind=format_signed(value - best, 6) if value != best else "",
        )
        for one, value in values
    ]


class Held(NamedTuple):
    """What is asked about."""

    wager: str
    table: str
    hand: str
    """The cards, apart by blanks."""


def held(slug: str, query: Mapping[str, str]) -> Held:
    """Read an address: the main wager, its first table that says what it pays, no cards yet."""
    facts = game(slug).facts
    known = {one.slug: one for one in facts.wagers if not one.jackpot}
    wager = query.get("wager") or facts.wagers[0].slug
    if wager not in known:
        raise UnknownGame(f"{facts.name} asks nothing about {wager!r}: ask about {' or '.join(known)}.")
    tables = paytables(slug, wager)
    first = next((one for one in tables if one.is_numeric), tables[0])
    table = query.get("table") or first.name
    hand = query.get("cards", "").strip()
    return Held(wager, table if any(one.name == table for one in tables) else first.name, hand)


@router.get("/lab/{slug}/hand")
async def show_hand(request: Request, slug: str) -> Response:
    """Each decision with its value; with ``part`` only that. Whoever goes away is not advised."""
    house = house_of(request)
    player_name(request)
    query = dict(request.query_params)
    part = query.pop("part", "")
    refusal, status = "", 200
    answers: list[ValuedAnswer] = []
    hand: tuple[Card, ...] = ()
    try:
        asked = held(slug, query)
    except UnknownGame as unknown:
        return await list_games(request, str(unknown))
    try:
        hand = parse_cards(asked.hand) if asked.hand else ()
        if len(hand) > MOST_CARDS:
            raise BadInput(f"Nobody holds {len(hand)} cards in these games: {MOST_CARDS} is the most.")
        if hand:
            found = await while_here(request, house.lab.hand(slug, asked.wager, asked.table, format_cards(hand)))
            if found is None:
                return Response(status_code=NOBODY_READS)
            answers = valued(found)
    except BadInput as refused:
        refusal, status = str(refused), 503 if isinstance(refused, TooBusy) else 422
    shown: dict[str, Any] = {"answers": answers, "refusal": refusal, "hand": [str(card) for card in hand]}
    if part:
        return Response(fragment("lab/answers.html", **shown), status, HEADERS, "text/html; charset=utf-8")
    facts = game(slug).facts
    return page(
        request,
        "lab/hand.html",
        status=status,
        facts=facts,
        wagers=[one for one in facts.wagers if not one.jackpot],
        tables=[one.name for one in paytables(slug, asked.wager) if one.name and one.is_numeric],
        asked=asked,
        suits=[[f"{rank}{suit}" for rank in reversed(RANK_LETTERS)] for suit in reversed(SUIT_LETTERS)],
        joker=str(JOKER) if any(deck.jokers for deck in facts.decks) else "",
        **shown,
    )
