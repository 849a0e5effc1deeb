"""Rounds of Dueling for Dollars for the tests, made from records."""

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
    """One player: the card, the wagers, the decision after a tie, and the card of the war."""

    card: str
    spot: str = "player"
    bonuses: dict[str, int] = field(default_factory=dict)
    answer: str | None = None
    war: str | None = None
    wager: int = 10_00


def make_setup(
    *,
    decks: int = 6,
    tables: dict[str, str] | None = None,
    jackpot: int = 1_00,
    jurisdiction: str = "washington",
    **options: str | bool,
) -> TableSetup:
    """Return a setup with these paytables, jackpot wager, and options. The first printed paytable is the default."""
    setup = default_setup("dueling-for-dollars")
    wagers = dict(setup.wagers)
    for slug, name in (tables or {}).items():
        wagers[slug] = replace(wagers[slug], paytable=name)
    for slug in ("tie-after-tie", "two-plus-two"):
        wagers[slug] = replace(wagers[slug], limits=WagerLimits(jackpot, jackpot, jackpot))
    return replace(setup, wagers=wagers, decks=decks, options=options, jurisdiction=jurisdiction)


def play_round(
    *seats: Seat,
    community: str,
    war_community: str | None = None,
    added: str = "",
    burn: str = "",
    setup: TableSetup | None = None,
) -> Round:
    """Return the round that the record of these seats and cards describes."""
    record: dict[str, Any] = {
        "table": setup_to_json(setup or make_setup()),
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


def settle_round(*seats: Seat, **more: Any) -> Settlement:
    return RULES.settle(play_round(*seats, **more))


def settle_war(card: str, community: str, spot: str = "player", **more: Any) -> Settlement:
    """Settle a tie of eights and the war that follows."""
    if spot == "play":
        more.setdefault("setup", make_setup(duel_spots="play"))
    return settle_round(Seat("8c", spot, answer="war", war=card), community="8d", war_community=community, **more)


def compute_nets(settlement: Settlement, seat: int = 1) -> dict[str, int]:
    """Return what each stake of a seat won or lost."""
    return {payment.stake: payment.net for payment in settlement.seat_payments(seat)}


def settle_bonus(slug: str, card: str, community: str, *, wager: int = 10_00, **more: Any) -> Payment:
    """Return the payment of one bonus wager of a seat that surrenders a tie."""
    answer = "surrender" if card[0] == community[0] else None
    settlement = settle_round(Seat(card, bonuses={slug: wager}, answer=answer), community=community, **more)
    (payment,) = (payment for payment in settlement.payments if payment.spot == slug)
    return payment


def settle_tie_after_tie(
    four: str, name: str = "PT-BJS-DFD-TAT-02", *, answer: str = "war", wager: int = 1_00
) -> Payment:
    """Settle the jackpot for the player, community, war, and war community cards; a surrender has no war cards."""
    card, community, *war_cards = four.split()
    seat = Seat(card, bonuses={"tie-after-tie": wager}, answer=answer, war=war_cards[0] if war_cards else None)
    setup = make_setup(tables={"tie-after-tie": name}, jackpot=wager)
    end = play_round(seat, community=community, war_community=war_cards[1] if war_cards else None, setup=setup)
    settlement = RULES.settle(end, {"tie-after-tie": 50_000_00})
    (payment,) = (payment for payment in settlement.payments if payment.spot == "tie-after-tie")
    return payment


def settle_two_plus_two(four: str, name: str = "PT-BJS-DFD-22-02", *, wager: int = 1_00) -> Payment:
    """Settle the jackpot for the player, community, and two added cards."""
    card, community, *added = four.split()
    answer = "surrender" if card[0] == community[0] else None
    seat = Seat(card, bonuses={"two-plus-two": wager}, answer=answer)
    setup = make_setup(tables={"two-plus-two": name}, jackpot=wager)
    end = play_round(seat, community=community, added=" ".join(added), setup=setup)
    settlement = RULES.settle(end, {"two-plus-two": 20_000_00})
    (payment,) = (payment for payment in settlement.payments if payment.spot == "two-plus-two")
    return payment


def trace_places(round_: Round, order: str, answers: dict[int, Verb] | None = None) -> list[str]:
    """Return the places that these cards go to, with these decisions at ties. The round must end with the last card."""
    places = []
    for card in parse_cards(order):
        while isinstance(round_.turn, SeatTurn):
            seat = round_.turn.seat
            round_ = round_.apply(Decide(seat, Decision((answers or {})[seat])))
        assert isinstance(round_.turn, ChanceTurn)
        places.append(str(round_.turn.place))
        round_ = round_.apply(Deal(card))
    assert round_.is_terminal
    return places


def deal_first_cards(hands: str, community: str, setup: TableSetup | None = None) -> Round:
    """Deal the first cards of a round that has as many seats as ``hands`` has cards."""
    opened_table = RULES.open(setup or make_setup())
    spot = next(iter(opened_table.spots))
    round_ = RULES.begin(opened_table, {seat: {spot: 1000} for seat, _ in enumerate(parse_cards(hands), 1)})
    for card in (*parse_cards(hands), *parse_cards(community)):
        round_ = round_.apply(Deal(card))
    return round_
