"""A table that deals by itself, as far as tabulator and jackpots are concerned: it counts, and ends its rounds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from cardroom.accounts import Currency
from cardroom.cards import parse_cards
from cardroom.floor import Floor, verify_floor
from cardroom.floor.desks.automatic_claims import (
    PromotionPays,
    RoundClaimed,
    RoundOver,
    automatic_dealer,
    claim_chains,
    claim_round,
    jackpots_won,
    pay_promotions,
    promotions_won,
)
from cardroom.floor.desks.draft import Draft
from cardroom.floor.kept.chains import promotion_chain
from cardroom.floor.kept.recall import recorded_round
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
from cardroom.jackpots import JackpotSetup
from cardroom.jackpots.setup.tabulator import TabulatorSetup
from cardroom.jackpots.tabulator.unit import press_button
from tests.floor.scenes import all_seven, final_four, new_id, prime_sensors, prime_table

SAT = {1: "ada", 2: "bea", 3: "cid"}
NOBODY_WINS = {1: ("2c 5d 9h", "Jc")}
DIAMOND = {1: ("Jd Qd Kd", "Ad")}
"""All of the Final Four."""
THREE_SEVENS = {1: ("7c 7d 7h", "Ac")}
"""$25 of the house's money."""


def for_play(setup: JackpotSetup) -> JackpotSetup:
    return setup._replace(money=Currency.PLAY)


def sensors_for_play(table: str, *jackpots: str) -> TabulatorSetup:
    return replace(prime_sensors(table, *jackpots), money=Currency.PLAY)


def open_play_room(floor: Floor, *, both: bool = False) -> None:
    """Players, a Final Four of play money and one table; All Seven too, where both are wanted."""
    for player in SAT.values():
        floor.admit_player(new_id(), "Olga", player, Currency.PLAY)
    floor.open_jackpot(new_id(), "Olga", for_play(final_four("play-four")))
    jackpots = ["play-four"]
    if both:
        floor.open_jackpot(new_id(), "Olga", for_play(all_seven()))
        jackpots.append("all-seven")
    floor.open_table(new_id(), "Olga", prime_table(), sensors_for_play("play-1", *jackpots), unit="unit-p")


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


def count(floor: Floor, round_id: str, covered: Mapping[int, Any], table: str = "play-1") -> None:
    """The table presses its own button."""

    def decide(draft: Draft) -> None:
        state = draft.table(table)
        told = press_button(state.tabulator, round_id, covered, dealer=automatic_dealer(table), automatic=True)
        draft.at_table(table, told)
        floor._count(draft, table, told, late=False)

    floor.ledger.execute(floor._at_linked(new_id(), table, {"do": "count"}, decide, rounds=(round_id,)))


def whole_but_for_the_felt(floor: Floor) -> bool:
    """Whether all is whole but that no felt has dealt these rounds: that is compared last of all."""
    found = verify_floor(floor.ledger).discrepancy
    assert found is not None
    return re.search("felt [a-z0-9-]+ and its (tabulator|jackpots and promotions) do not agree", str(found)) is not None


def end(
    floor: Floor,
    round_id: str,
    played: Round,
    *,
    table: str = "play-1",
    sat: Mapping[int, str] = SAT,
    when: date | None = None,
) -> tuple[RoundClaimed, tuple[PromotionPays, ...]]:
    """The round ends: what it won is claimed, and promotions are paid."""
    recorded = recorded_round(floor.ledger, table, round_id)
    over = RoundOver(table, round_id, played, automatic_dealer(table), recorded, sat)
    won = jackpots_won(played, recorded.counted if recorded else None)
    promoted = promotions_won(floor.running_promotions(played.table.facts.slug, Currency.PLAY), played)
    answers: list[tuple[RoundClaimed, tuple[PromotionPays, ...]]] = []

    def decide(draft: Draft) -> None:
        claimed = claim_round(draft, over) if won else RoundClaimed()
        answers.append((claimed, pay_promotions(draft, promoted, over, when or floor._today())))

    chains = (*claim_chains(table, won), *map(promotion_chain, promoted))
    if not chains:
        return RoundClaimed(), ()
    floor.ledger.execute(floor._command(new_id(), {"do": "end"}, chains, decide))
    return answers[-1]
