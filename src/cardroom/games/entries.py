"""Games and settlements as JSON; every amount in whole cents."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from cardroom.games.book import game, game_slugs
from cardroom.games.settlement import Payment, Settlement
from cardroom.games.spot import GameFacts, Wager
from cardroom.paytables import paytables, words


def all_facts() -> tuple[GameFacts, ...]:
    """What each game is."""
    return tuple(game(slug).facts for slug in game_slugs())


def game_entry(facts: GameFacts) -> dict[str, Any]:
    """A game as JSON."""
    return {
        "slug": facts.slug,
        "name": facts.name,
        "sheet": facts.sheet,
        "sheet_title": facts.sheet_title,
        "decks": [
            {"decks": deck.decks, "jokers": deck.jokers, "cards": deck.size, "seats": facts.seats(deck)}
            for deck in facts.decks
        ],
        "wagers": [_wager_entry(facts, wager) for wager in facts.wagers],
        "options": [
            {"name": option.name, "values": list(option.values), "default": option.default, "words": option.words}
            for option in facts.options
        ],
        "tabulators": [str(model) for model in facts.tabulators],
        "most_spots": facts.most_spots,
    }


def _wager_entry(facts: GameFacts, wager: Wager) -> dict[str, Any]:
    return {
        "slug": wager.slug,
        "name": wager.name,
        "spots": list(wager.spots) or [wager.slug],
        "required": wager.required,
        "jackpot": None if wager.jackpot is None else {"amounts": list(wager.jackpot.amounts)},
        "features": [feature.kind for feature in wager.features],
        "paytables": [table.name for table in paytables(facts.slug, wager.slug)],
    }


def settlement_entry(settlement: Settlement, facts: GameFacts) -> dict[str, Any]:
    """A settlement as JSON; every amount in whole cents."""
    return {
        "game": facts.slug,
        "payments": [payment_entry(payment) for payment in settlement.payments],
        "seats": {str(seat): _totals(settlement.of(seat)) for seat in settlement.seats},
        "house": settlement.house,
    }


def payment_entry(payment: Payment) -> dict[str, Any]:
    """One stake as JSON."""
    return {
        **{name: getattr(payment, name) for name in ("seat", "spot", "stake", "event", "words")},
        "cards": [str(card) for card in payment.cards],
        "pays": words(payment.pay),
        "wagered": payment.wagered,
        "returned": payment.paid,
        "net": payment.paid - payment.wagered,
        "meter": None
        if payment.meter is None
        else {
            "percent": _number(payment.meter.percent * 100),
            "winners": payment.meter.winners,
            "share": str(payment.meter.share),
            "cents": payment.meter.cents,
        },
    }


def _totals(payments: tuple[Payment, ...]) -> dict[str, int]:
    wagered, back = sum(one.wagered for one in payments), sum(one.paid for one in payments)
    return {"wagered": wagered, "returned": back, "net": back - wagered}


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
