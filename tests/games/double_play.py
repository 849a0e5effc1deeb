"""Rounds of 3 Card Double Play Poker for the tests: each is a record of one seat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cardroom.cards import format_cards, parse_cards
from cardroom.games import ChanceTurn, Deal, Payment, Round, WagerSetup, default_setup, game, round_from_json
from cardroom.games.setup import setup_to_json
from cardroom.games.three_card_double_play.divisions import suggest_setting

SLUG = "three-card-double-play"
RULES = game(SLUG)
PAIR_OF_NINES_DEALER = "9c 9d 7s 4d 2h"
DECK = RULES.facts.decks[0].cards()
JACKPOTS = ("super-3s", "super-six")


def play_round(
    six: str,
    *,
    dealer: str = PAIR_OF_NINES_DEALER,
    way: str | None = None,
    double: bool = False,
    wagers: dict[str, int] | None = None,
    tables: dict[str, WagerSetup] | None = None,
) -> Round:
    """Return a finished round of one seat. The cards are set in the house way unless ``way`` says otherwise."""
    setup = default_setup(SLUG)
    setup = replace(setup, wagers={**setup.wagers, **(tables or {})})
    record: dict[str, Any] = {
        "table": setup_to_json(setup),
        "wagers": {"1": wagers or {"high-low": 1000}},
        "cards": {"seat 1 hand": six.split(), "dealer": dealer.split()},
        "decisions": [
            {"seat": 1, "question": "set", "answer": way or str(suggest_setting(parse_cards(six)))},
            {"seat": 1, "question": "double", "answer": "double" if double else "stand"},
        ],
    }
    return round_from_json(record)


def override_paytable(wager: str, name: str, **bonuses: str) -> dict[str, WagerSetup]:
    """Return the default setup of one wager with another paytable; the events of ``bonuses`` have underscores."""
    offered = default_setup(SLUG).wagers[wager]
    bonus_by_event = {event.replace("_", "-"): amount for event, amount in bonuses.items()}
    return {wager: replace(offered, paytable=name, bonuses=bonus_by_event)}


def find_payment(round_: Round, stake: str, meters: dict[str, int] | None = None) -> Payment:
    (payment,) = (payment for payment in RULES.settle(round_, meters).payments if payment.stake == stake)
    return payment


def compute_nets(round_: Round) -> dict[str, int]:
    return {payment.stake: payment.net for payment in RULES.settle(round_).payments}


def settle_bonus(spot: str, six: str, table: str | None = None, **more: Any) -> Payment:
    amount = 100 if spot in JACKPOTS else 500
    tables = override_paytable(spot, table) if table else None
    dealer = format_cards([card for card in DECK if card not in parse_cards(six)][:5])
    round_ = play_round(six, dealer=dealer, wagers={"high-low": 1000, spot: amount}, tables=tables, **more)
    return find_payment(round_, spot, {spot: 10_000_00})


def begin_round(bets: dict[int, dict[str, int]] | None = None) -> Round:
    return RULES.begin(RULES.open(default_setup(SLUG)), bets or {1: {"high-low": 1000}})


def deal_round(round_: Round, *order: str) -> Round:
    """Deal these cards, and then cards of a fresh deck until the next decision."""
    cards = [card for text in order for card in parse_cards(text)]
    other_cards = [card for card in DECK if card not in cards]
    while isinstance(round_.turn, ChanceTurn):
        round_ = round_.apply(Deal(cards.pop(0) if cards else other_cards.pop(0)))
    return round_
