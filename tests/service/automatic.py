"""A table that deals by itself, as far as tabulator and jackpots are concerned: it counts, and ends its rounds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from cardroom.cards import parse_cards
from cardroom.chart_of_accounts import Currency
from cardroom.games import (
    ChanceTurn,
    Deal,
    DealerTurn,
    Decide,
    Round,
    RoundEnd,
    SeatTurn,
    TakeStep,
    game,
)
from cardroom.room.setup.jackpot import JackpotSetup
from cardroom.room.setup.tabulator import TabulatorSetup
from cardroom.room.tabulator.unit import press_button
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup, verify_card_room
from cardroom.service.commands.automatic_prize_claims import (
    AutomaticPromotionPrize,
    FinishedRound,
    RoundPrizeClaims,
    automatic_dealer_name,
    claim_round_prizes,
    find_won_jackpots,
    find_won_promotions,
    lock_claims,
    pay_promotions,
)
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.unit_of_work import UnitOfWork
from cardroom.service.queries.chain_history import find_counted_round
from tests.service.card_rooms import all_seven, final_four, new_id, prime_sensors, prime_table

SAT = {1: "ada", 2: "bea", 3: "cid"}
NO_USER_WINS = {1: ("2c 5d 9h", "Jc")}
DIAMOND = {1: ("Jd Qd Kd", "Ad")}
"""All of the Final Four."""
THREE_SEVENS = {1: ("7c 7d 7h", "Ac")}
"""$25 of the house's money."""


def for_play(setup: JackpotSetup) -> JackpotSetup:
    return setup._replace(money=Currency.PLAY)


def sensors_for_play(table: str, *jackpots: str) -> TabulatorSetup:
    return replace(prime_sensors(table, *jackpots), money=Currency.PLAY)


def open_play_room(card_room: CardRoom, *, both: bool = False) -> None:
    """Players, a Final Four of play money and one table; All Seven too, where both are wanted."""
    for player in SAT.values():
        card_room.players.admit_player(new_id(), "Olga", player, Currency.PLAY)
    card_room.jackpots.open(new_id(), "Olga", for_play(final_four("play-four")))
    jackpots = ["play-four"]
    if both:
        card_room.jackpots.open(new_id(), "Olga", for_play(all_seven()))
        jackpots.append("all-seven")
    card_room.add_table(
        new_id(),
        "Olga",
        RoomTableSetup("play-1", prime_table(), tabulator=UnitSetup(sensors_for_play("play-1", *jackpots), "unit-p")),
    )


def prime_round(
    hands: Mapping[int, tuple[str, str]], dealer: str = "3s 6c 9d", wagers: tuple[str, ...] = ("final-four",)
) -> Round:
    """A finished round of Three Card Prime: by seat, the three cards and the fourth."""
    piles = {(0, "hand"): [*parse_cards(dealer)]}
    for seat, (hand, fourth) in hands.items():
        piles |= {(seat, "hand"): [*parse_cards(hand)], (seat, "fourth"): [*parse_cards(fourth)]}
    taken = {card for pile in piles.values() for card in pile}
    rules = game("three-card-prime")
    laid = {seat: {"ante-play": 10_00, **dict.fromkeys(wagers, 1_00)} for seat in hands}
    played = rules.begin(rules.open(prime_table()), laid)
    while not isinstance(played.turn, RoundEnd):
        match played.turn:
            case ChanceTurn(place):
                pile = piles.get((place.seat or 0, str(place.pile)))
                card = pile.pop(0) if pile else next(one for one, _ in played.chance_outcomes() if one not in taken)
                played = played.apply(Deal(card))
            case SeatTurn(seat, _, options):
                played = played.apply(Decide(seat, options[0]))
            case DealerTurn(step):
                played = played.apply(TakeStep(step))
    return played


def count(card_room: CardRoom, round_id: str, covered: Mapping[int, Any], table: str = "play-1") -> None:
    """The table presses its own button."""

    def decide(draft: UnitOfWork) -> None:
        state = draft.tabulator(table)
        result = press_button(state.tabulator, round_id, covered, dealer=automatic_dealer_name(table), automatic=True)
        draft.apply_to_tabulator(table, result)
        card_room._apply_counts(draft, table, result, late=False)

    locks = card_room.lock_linked(table, rounds=(round_id,))
    card_room.ledger.execute(card_room.build_command(new_id(), {"do": "count"}, locks, decide))


def whole_but_for_the_table(card_room: CardRoom) -> bool:
    """Whether all is whole but that no table has dealt these rounds: that is compared last of all."""
    found = verify_card_room(card_room.ledger).discrepancy
    assert found is not None
    return re.search("table [a-z0-9-]+ and its (tabulator|jackpots and promotions) disagree", str(found)) is not None


def end(
    card_room: CardRoom,
    round_id: str,
    played: Round,
    *,
    table: str = "play-1",
    sat: Mapping[int, str] = SAT,
    when: date | None = None,
) -> tuple[RoundPrizeClaims, tuple[AutomaticPromotionPrize, ...]]:
    """The round ends: what it won is claimed, and promotions are paid."""
    recorded = find_counted_round(card_room.ledger, table, round_id)
    over = FinishedRound(table, round_id, played, automatic_dealer_name(table), recorded, sat)
    won = find_won_jackpots(played, recorded.event if recorded else None)
    promoted = find_won_promotions(card_room.promotions.list_running(played.table.facts.slug, Currency.PLAY), played)
    answers: list[tuple[RoundPrizeClaims, tuple[AutomaticPromotionPrize, ...]]] = []

    def decide(draft: UnitOfWork) -> None:
        claimed = claim_round_prizes(draft, over) if won else RoundPrizeClaims()
        answers.append((claimed, pay_promotions(draft, promoted, over, when or card_room.today())))

    locks = lock_claims(table, won) | Locks(promotions=promoted)
    if not locks.chains:
        return RoundPrizeClaims(), ()
    card_room.ledger.execute(card_room.build_command(new_id(), {"do": "end"}, locks, decide))
    return answers[-1]
