"""Exact odds, the best strategy, and a coach."""

from __future__ import annotations

from cardroom.odds.pricer import Advice, BasicStrategy, NothingToDecide, advise, pricer
from cardroom.odds.prices import BadPriceRequest, PriceQuery, PriceRequest, compute_odds, find_requests
from cardroom.odds.pricing import price
from cardroom.odds.result import Odds, OutcomeLine, WagerOutcome, to_json

__all__ = [
    "Advice",
    "BadPriceRequest",
    "BasicStrategy",
    "NothingToDecide",
    "Odds",
    "OutcomeLine",
    "PriceQuery",
    "PriceRequest",
    "WagerOutcome",
    "advise",
    "compute_odds",
    "find_requests",
    "price",
    "pricer",
    "to_json",
]
