"""Strategy cards: a wager's basic strategy, its cost, and its assumptions.

A letter page has four cards, three by five inches each, with marks to cut along.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Final

from cardroom.errors import BadInput
from cardroom.games import game
from cardroom.odds import BasicStrategy, Odds, PriceQuery, PriceRequest, compute_odds, find_requests, pricer
from cardroom.odds.pricer import Progress, ignore_progress
from cardroom.odds.result import Setting
from cardroom.reports.documents.files import write_bytes
from cardroom.reports.documents.numbers import MINUS, format_fixed, format_fraction, format_percent
from cardroom.reports.documents.pdf import compile_pages, compile_pdf
from cardroom.reports.documents.program_version import current_program

_UNITS: Final = {
    ("deuces-wild", "ante-play-raise"): "one Ante",
    ("three-card-prime", "ante-play"): "one Ante",
    ("texas-shootout", "shootout"): "one Texas Shootout wager",
    ("dueling-for-dollars", "duel"): "one duel",
    ("three-card-double-play", "high-low"): "one High wager with the Low equal",
}
"""Base wagers whose names differ from their spots."""


class NoStrategy(BadInput):
    """The game has no decisions for the player."""


@dataclass(frozen=True, slots=True)
class StrategyCard:
    """A card, with its texts as printed."""

    game: str
    """The slug of the game, which selects the card's color."""
    name: str
    wager: str
    assumed: str
    """The paytable and the options."""
    rules: tuple[str, ...]
    cost: str
    """The cost against the best play, in percent of a unit."""
    exactly: str
    """The cost as a fraction, or its method."""
    edges: str
    unit: str


def strategy_cards(slug: str, progress: Progress = ignore_progress) -> tuple[StrategyCard, ...]:
    """A card for each wager with decisions in the game's default setup."""
    cards = tuple(_build_cards(slug, progress))
    if not cards:
        raise NoStrategy(f"{game(slug).facts.name} has no decisions for the player, so there is no strategy to print.")
    return cards


def _build_cards(slug: str, progress: Progress) -> Iterator[StrategyCard]:
    for wager in game(slug).facts.wagers:
        request = find_requests(PriceQuery(game=slug, wager=wager.slug))[0]
        try:
            strategy = _strategy(request, progress)
        except BadInput:  # the wager needs no decision
            continue
        yield _build_card(request, strategy, progress)


def strategy_card(request: PriceRequest, progress: Progress = ignore_progress) -> StrategyCard:
    """The card of one wager under one table."""
    return _build_card(request, _strategy(request, progress), progress)


def _strategy(request: PriceRequest, progress: Progress) -> BasicStrategy:
    return pricer(request.game).basic_strategy(request.wager, request.table, request.settings, progress)


def _build_card(request: PriceRequest, strategy: BasicStrategy, progress: Progress) -> StrategyCard:
    odds = compute_odds(request, progress=progress)
    facts = game(request.game).facts
    wager = facts.wager(request.wager).name
    unit = _UNITS.get((request.game, request.wager), f"one {wager} wager")
    return StrategyCard(
        game=request.game,
        name=facts.name,
        wager=wager,
        assumed=", ".join(_assumptions(request)),
        rules=tuple(_sentence(rule.text) for rule in strategy.rules),
        cost=_cost(strategy),
        exactly=_exact_text(strategy),
        edges=_edges(strategy, odds),
        unit=f"A unit is {unit}",
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def _assumptions(request: PriceRequest) -> Iterator[str]:
    if request.table.name:
        yield f"Paytable {request.table.name}"
    for name, value in request.settings.items():
        yield _setting(name.replace("_", " "), value)


def _setting(name: str, value: Setting) -> str:
    if isinstance(value, bool):
        return f"with {name}" if value else f"no {name}"
    return f"{value} {name if value != 1 else name.removesuffix('s')}" if isinstance(value, int) else f"{name} {value}"


def _cost(strategy: BasicStrategy) -> str:
    if strategy.cost == 0 and not strategy.policy:
        return "Costs nothing: it is the best play"
    error = "" if strategy.standard_error is None else f" ± {_short(Fraction(strategy.standard_error))}"
    return f"Costs {_short(strategy.cost)}{error} of a unit against {strategy.policy or 'the best play'}"


def _exact_text(strategy: BasicStrategy) -> str:
    if strategy.simulated_rounds is not None:
        return f"Simulated over {strategy.simulated_rounds:,} rounds; ± is one standard error"
    return f"Exactly {format_fraction(strategy.cost)} of a unit" if strategy.cost else ""


def _short(part: Fraction) -> str:
    """A percentage with three significant digits.

    >>> _short(Fraction(1, 395)), _short(Fraction(3, 10**7)), _short(Fraction(-1, 30))
    ('0.253%', '0.0000300%', '−3.33%')
    """
    share, digits = abs(part) * 100, 2
    while share and share * 10**digits < 100:
        digits += 1
    return (MINUS if part < 0 else "") + f"{format_fixed(share, digits)}%"


def _edges(strategy: BasicStrategy, odds: Odds) -> str:
    best_edge, strategy_edge = (
        format_percent(-net / odds.initial_wager, 3) for net in (strategy.best_return, strategy.expected_return)
    )
    return (
        f"House edge {strategy_edge}"
        if strategy_edge == best_edge
        else f"House edge {strategy_edge} with it, {best_edge} "
        f"{'under the policy found' if strategy.policy else 'at best'}"
    )


_TEMPLATE: Final = files("cardroom.reports.strategy_cards") / "pocket.typ"
DEFAULT_CARD_COLOR: Final = "#1d4a36"
CARD_COLORS: Final = {
    "deuces-wild": "#17452f",
    "three-card-prime": "#1a2f54",
    "texas-shootout": "#571f1f",
    "dueling-for-dollars": "#2d3b44",
    "three-card-double-play": "#432447",
}
"""The colors of the tables in the browser; a game of an installed package has the default color."""


def print_cards(cards: Sequence[StrategyCard], file: Path, prepared: date) -> None:
    """Write the cards as one PDF."""
    write_bytes(file, cards_pdf(cards, prepared))


def cards_pdf(cards: Sequence[StrategyCard], prepared: date) -> bytes:
    """The pages; the same cards and day give the same bytes."""
    return compile_pdf(_TEMPLATE, _inputs(cards), datetime.combine(prepared, time(), UTC))


def cards_pages(cards: Sequence[StrategyCard], pixels_per_inch: int) -> list[bytes]:
    """The pages as they look on paper, each a PNG."""
    return compile_pages(_TEMPLATE, _inputs(cards), pixels_per_inch)


def _inputs(cards: Sequence[StrategyCard]) -> dict[str, str]:
    card_data = [asdict(card) | {"color": CARD_COLORS.get(card.game, DEFAULT_CARD_COLOR)} for card in cards]
    return {"cards": json.dumps({"cards": card_data, "program": f"Cardroom {current_program().cardroom}"})}
