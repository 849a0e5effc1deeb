"""Rounds of 3 Card Double Play Poker for the tests: one seat, written as a record, and what it is paid."""

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


def played(
    six: str,
    *,
    dealer: str = PAIR_OF_NINES_DEALER,
    way: str | None = None,
    double: bool = False,
    wagers: dict[str, int] | None = None,
    tables: dict[str, WagerSetup] | None = None,
) -> Round:
    """A finished round of one seat, set in the house way unless a way is given."""
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


def with_table(wager: str, name: str, **bonuses: str) -> dict[str, WagerSetup]:
    """The default setup of one wager with another table; events of bonuses are written with underscores."""
    offered = default_setup(SLUG).wagers[wager]
    given = {event.replace("_", "-"): amount for event, amount in bonuses.items()}
    return {wager: replace(offered, paytable=name, bonuses=given)}


def paid(round_: Round, stake: str, meters: dict[str, int] | None = None) -> Payment:
    (one,) = (payment for payment in RULES.settle(round_, meters).payments if payment.stake == stake)
    return one


def nets(round_: Round) -> dict[str, int]:
    return {payment.stake: payment.net for payment in RULES.settle(round_).payments}


def bonus(spot: str, six: str, table: str | None = None, **more: Any) -> Payment:
    amount = 100 if spot in JACKPOTS else 500
    tables = with_table(spot, table) if table else None
    dealer = format_cards([card for card in DECK if card not in parse_cards(six)][:5])
    round_ = played(six, dealer=dealer, wagers={"high-low": 1000, spot: amount}, tables=tables, **more)
    return paid(round_, spot, {spot: 10_000_00})


def begun(bets: dict[int, dict[str, int]] | None = None) -> Round:
    return RULES.begin(RULES.open(default_setup(SLUG)), bets or {1: {"high-low": 1000}})


def dealt(round_: Round, *order: str) -> Round:
    """The round after these cards, or as many from the bottom of a fresh deck as it takes."""
    given = [card for text in order for card in parse_cards(text)]
    rest = [card for card in DECK if card not in given]
    while isinstance(round_.turn, ChanceTurn):
        round_ = round_.apply(Deal(given.pop(0) if given else rest.pop(0)))
    return round_
