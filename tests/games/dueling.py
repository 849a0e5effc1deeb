"""Writes rounds of Dueling for Dollars down for the tests."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from cardroom.cards import parse_cards
from cardroom.games import (
    ChanceTurn,
    Deal,
    Decide,
    Decision,
    Payment,
    Round,
    SeatTurn,
    Settlement,
    TableSetup,
    Verb,
    WagerLimits,
    default_setup,
    game,
    round_from_json,
)
from cardroom.games.setup import setup_to_json

RULES = game("dueling-for-dollars")


@dataclass
class Seat:
    """One player: the card, what was wagered where, the answer to a tie, and the card of the war."""

    card: str
    spot: str = "player"
    bonuses: dict[str, int] = field(default_factory=dict)
    answer: str | None = None
    war: str | None = None
    wager: int = 10_00


def table(
    *,
    decks: int = 6,
    tables: dict[str, str] | None = None,
    jackpot: int = 1_00,
    jurisdiction: str = "washington",
    **options: str | bool,
) -> TableSetup:
    """A setup with these tables, jackpot wager and options; without a choice the first printed tables."""
    setup = default_setup("dueling-for-dollars")
    wagers = dict(setup.wagers)
    for slug, name in (tables or {}).items():
        wagers[slug] = replace(wagers[slug], paytable=name)
    for slug in ("tie-after-tie", "two-plus-two"):
        wagers[slug] = replace(wagers[slug], limits=WagerLimits(jackpot, jackpot, jackpot))
    return replace(setup, wagers=wagers, decks=decks, options=options, jurisdiction=jurisdiction)


def played(
    *seats: Seat,
    community: str,
    war_community: str | None = None,
    added: str = "",
    burn: str = "",
    setup: TableSetup | None = None,
) -> Round:
    """A round as it was written down from the table."""
    record: dict[str, Any] = {
        "table": setup_to_json(setup or table()),
        "wagers": {str(n): {seat.spot: seat.wager, **seat.bonuses} for n, seat in enumerate(seats, 1)},
        "cards": {f"seat {n} hand": [seat.card] for n, seat in enumerate(seats, 1)} | {"community": [community]},
        "decisions": [],
    }
    for n, seat in enumerate(seats, 1):
        if seat.answer:
            record["decisions"].append({"seat": n, "question": "tie", "answer": seat.answer})
        if seat.war:
            record["cards"][f"seat {n} war"] = [seat.war]
    if war_community:
        record["cards"]["war community"] = [war_community]
    for place, pile in (("added community", added), ("burn", burn)):
        if pile:
            record["cards"][place] = pile.split()
    return round_from_json(record)


def settled(*seats: Seat, **more: Any) -> Settlement:
    return RULES.settle(played(*seats, **more))


def war(card: str, community: str, spot: str = "player", **more: Any) -> Settlement:
    """A tie of eights and then this war."""
    if spot == "play":
        more.setdefault("setup", table(duel_spots="play"))
    return settled(Seat("8c", spot, answer="war", war=card), community="8d", war_community=community, **more)


def by_stake(settlement: Settlement, seat: int = 1) -> dict[str, int]:
    """What each stake of a seat won or lost."""
    return {payment.stake: payment.net for payment in settlement.seat_payments(seat)}


def bonus(slug: str, card: str, community: str, *, wager: int = 10_00, **more: Any) -> Payment:
    """What one bonus wager of a seat that surrenders a tie gets."""
    answer = "surrender" if card[0] == community[0] else None
    settlement = settled(Seat(card, bonuses={slug: wager}, answer=answer), community=community, **more)
    (one,) = (payment for payment in settlement.payments if payment.spot == slug)
    return one


def tie_after_tie(four: str, name: str = "PT-BJS-DFD-TAT-02", *, answer: str = "war", wager: int = 1_00) -> Payment:
    """The jackpot for player, community, war and war community card; no war cards after a surrender."""
    card, community, *rest = four.split()
    seat = Seat(card, bonuses={"tie-after-tie": wager}, answer=answer, war=rest[0] if rest else None)
    setup = table(tables={"tie-after-tie": name}, jackpot=wager)
    end = played(seat, community=community, war_community=rest[1] if rest else None, setup=setup)
    (one,) = (one for one in RULES.settle(end, {"tie-after-tie": 50_000_00}).payments if one.spot == "tie-after-tie")
    return one


def two_plus_two(four: str, name: str = "PT-BJS-DFD-22-02", *, wager: int = 1_00) -> Payment:
    """The jackpot for player, community and two added cards."""
    card, community, *added = four.split()
    answer = "surrender" if card[0] == community[0] else None
    seat = Seat(card, bonuses={"two-plus-two": wager}, answer=answer)
    setup = table(tables={"two-plus-two": name}, jackpot=wager)
    end = played(seat, community=community, added=" ".join(added), setup=setup)
    (one,) = (one for one in RULES.settle(end, {"two-plus-two": 20_000_00}).payments if one.spot == "two-plus-two")
    return one


def places_dealt(round_: Round, order: str, answers: dict[int, Verb] | None = None) -> list[str]:
    """Where the cards of this order go, until the round is over or asks something without an answer."""
    places = []
    for one in parse_cards(order):
        while isinstance(round_.turn, SeatTurn):
            seat = round_.turn.seat
            round_ = round_.apply(Decide(seat, Decision((answers or {})[seat])))
        assert isinstance(round_.turn, ChanceTurn)
        places.append(str(round_.turn.place))
        round_ = round_.apply(Deal(one))
    assert round_.is_terminal
    return places


def dealt(hands: str, community: str, setup: TableSetup | None = None) -> Round:
    """The first deal for as many seats as there are cards."""
    opened = RULES.open(setup or table())
    spot = next(iter(opened.spots))
    round_ = RULES.begin(opened, {seat: {spot: 1000} for seat, _ in enumerate(parse_cards(hands), 1)})
    for one in (*parse_cards(hands), *parse_cards(community)):
        round_ = round_.apply(Deal(one))
    return round_
