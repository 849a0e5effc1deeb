"""Games and settlements as JSON; every amount in whole cents."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from cardroom.games.game_facts import GameFacts, Wager
from cardroom.games.record_settlement import PossibleOutcome, SettledRecord, UncertainStake, describe_uncertain_stake
from cardroom.games.registry import game, game_slugs
from cardroom.games.settlement import HandComparison, Payment, Settlement
from cardroom.paytables import describe_pay, paytables


def list_game_facts() -> tuple[GameFacts, ...]:
    """What each game is."""
    return tuple(game(slug).facts for slug in game_slugs())


def game_to_json(facts: GameFacts) -> dict[str, Any]:
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
        "wagers": [_wager_to_json(facts, wager) for wager in facts.wagers],
        "options": [
            {"name": option.name, "values": list(option.values), "default": option.default, "words": option.text}
            for option in facts.options
        ],
        "tabulators": [str(model) for model in facts.tabulators],
        "most_spots": facts.most_spots,
    }


def _wager_to_json(facts: GameFacts, wager: Wager) -> dict[str, Any]:
    return {
        "slug": wager.slug,
        "name": wager.name,
        "spots": list(wager.spots) or [wager.slug],
        "required": wager.required,
        "jackpot": None if wager.jackpot is None else {"amounts": list(wager.jackpot.amounts)},
        "features": [feature.kind for feature in wager.features],
        "paytables": [table.name for table in paytables(facts.slug, wager.slug)],
    }


def settlement_to_json(settlement: Settlement, facts: GameFacts) -> dict[str, Any]:
    """A settlement as JSON; every amount in whole cents."""
    return {
        "game": facts.slug,
        "payments": [payment_to_json(payment) for payment in settlement.payments],
        "seats": {str(seat): _sum_payments(settlement.seat_payments(seat)) for seat in settlement.seats},
        "house": settlement.house_net,
    }


def settled_record_to_json(settled_record: SettledRecord) -> dict[str, Any]:
    """The settlement of a record as JSON. Sums are null if a stake depends on unknown cards."""
    document = settlement_to_json(settled_record.settlement, settled_record.facts)
    if settled_record.unknown_counts is not None:
        document |= {
            "payments": [
                _uncertain_stake_to_json(result)
                if isinstance(result, UncertainStake)
                else {**payment_to_json(result), "certain": True}
                for result in settled_record.stake_results
            ],
            "certain": settled_record.is_certain,
            "unknown": {str(place): number for place, number in settled_record.unknown_counts.items()},
        }
    if not settled_record.is_certain:
        document["house"] = None
        for doubt in settled_record.uncertain_stakes:
            stakes = [result.wagered for result in settled_record.stake_results if result.seat == doubt.seat]
            document["seats"][str(doubt.seat)] = {"wagered": sum(stakes), "returned": None, "net": None}
    dealer = {"dealer": settled_record.dealer_description} if settled_record.dealer_description else {}
    return document | dealer | ({"note": settled_record.note} if settled_record.note else {})


def _uncertain_stake_to_json(doubt: UncertainStake) -> dict[str, Any]:
    """A stake that depends on unknown cards."""
    return {
        **{name: getattr(doubt, name) for name in ("seat", "spot", "stake")},
        "event": None,
        "words": describe_uncertain_stake(doubt),
        "cards": [],
        "pays": None,
        "wagered": doubt.wagered,
        "returned": None,
        "net": None,
        "meter": None,
        "certain": False,
        "changes": doubt.has_range,
        "exact": doubt.is_exact,
        "tried": doubt.trial_count,
        "least": _possible_outcome_to_json(doubt.least),
        "most": _possible_outcome_to_json(doubt.most),
    }


def _possible_outcome_to_json(outcome: PossibleOutcome) -> dict[str, Any]:
    return {
        "returned": outcome.returned,
        "with": {str(place): [str(card) for card in cards] for place, cards in outcome.cards.items()},
        "payments": [payment_to_json(payment) for payment in outcome.payments],
    }


def payment_to_json(payment: Payment) -> dict[str, Any]:
    """One stake as JSON."""
    return {
        **{name: getattr(payment, name) for name in ("seat", "spot", "stake", "event")},
        "words": payment.text,
        "cards": [str(card) for card in payment.cards],
        "pays": describe_pay(payment.pay),
        "wagered": payment.wagered,
        "returned": payment.known_return,
        "net": payment.known_return - payment.wagered,
        "meter": None
        if payment.meter is None
        else {
            "percent": _to_number(payment.meter.percent * 100),
            "winners": payment.meter.winners,
            "share": str(payment.meter.share),
            "cents": payment.meter.cents,
        },
        **({} if payment.comparison is None else {"compared": _comparison_to_json(payment.comparison)}),
        **({} if payment.unlimited_return is None else {"before_limit": payment.unlimited_return}),
    }


def _comparison_to_json(comparison: HandComparison) -> dict[str, list[str]]:
    return {side: [str(card) for card in cards] for side, cards in comparison._asdict().items()}


def _sum_payments(payments: tuple[Payment, ...]) -> dict[str, int]:
    wagered, returned = sum(payment.wagered for payment in payments), sum(payment.known_return for payment in payments)
    return {"wagered": wagered, "returned": returned, "net": returned - wagered}


def _to_number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
