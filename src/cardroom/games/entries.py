"""Games and settlements as JSON; every amount in whole cents."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from cardroom.games.book import game, game_slugs
from cardroom.games.dispute import SettledRecord
from cardroom.games.settlement import Compared, Payment, Settlement
from cardroom.games.spot import GameFacts, Wager
from cardroom.games.unknown_cards import Doubt, Possible, doubt_words
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


def record_entry(answer: SettledRecord) -> dict[str, Any]:
    """The answer to a written round as JSON. Where a stake hangs on cards that nobody knows, sums are null."""
    entry = settlement_entry(answer.settlement, answer.facts)
    if answer.unknown is not None:
        entry |= {
            "payments": [
                _doubt_entry(one) if isinstance(one, Doubt) else {**payment_entry(one), "certain": True}
                for one in answer.stakes
            ],
            "certain": answer.certain,
            "unknown": {str(place): number for place, number in answer.unknown.items()},
        }
    if not answer.certain:
        entry["house"] = None
        for doubt in answer.doubts:
            own = [one.wagered for one in answer.stakes if one.seat == doubt.seat]
            entry["seats"][str(doubt.seat)] = {"wagered": sum(own), "returned": None, "net": None}
    dealer = {"dealer": answer.dealer} if answer.dealer else {}
    return entry | dealer | ({"note": answer.note} if answer.note else {})


def _doubt_entry(doubt: Doubt) -> dict[str, Any]:
    """A stake that hangs on cards which nobody knows."""
    return {
        **{name: getattr(doubt, name) for name in ("seat", "spot", "stake")},
        "event": None,
        "words": doubt_words(doubt),
        "cards": [],
        "pays": None,
        "wagered": doubt.wagered,
        "returned": None,
        "net": None,
        "meter": None,
        "certain": False,
        "changes": doubt.changes,
        "exact": doubt.exact,
        "tried": doubt.tried,
        "least": _possible_entry(doubt.least),
        "most": _possible_entry(doubt.most),
    }


def _possible_entry(one: Possible) -> dict[str, Any]:
    return {
        "returned": one.returned,
        "with": {str(place): [str(card) for card in cards] for place, cards in one.cards.items()},
        "payments": [payment_entry(payment) for payment in one.payments],
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
        **({} if payment.compared is None else {"compared": _compared_entry(payment.compared)}),
        **({} if payment.before_limit is None else {"before_limit": payment.before_limit}),
    }


def _compared_entry(compared: Compared) -> dict[str, list[str]]:
    return {side: [str(card) for card in cards] for side, cards in compared._asdict().items()}


def _totals(payments: tuple[Payment, ...]) -> dict[str, int]:
    wagered, back = sum(one.wagered for one in payments), sum(one.paid for one in payments)
    return {"wagered": wagered, "returned": back, "net": back - wagered}


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
