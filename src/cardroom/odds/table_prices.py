"""Prices of the wagers of an open table, and the expected result of a seat's wagers before the deal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import hypot
from typing import Final

from cardroom.errors import quote, suggest_name
from cardroom.games import Table
from cardroom.games.money import format_cents
from cardroom.games.payout_limit import odds_to_one
from cardroom.odds.pricer import Progress, Settings, ignore_progress, pricer
from cardroom.odds.prices import BadPriceRequest, PriceRequest, compute_odds, refuse_idle_meter
from cardroom.odds.result import Setting, WagerLimit
from cardroom.paytables import Basis, Dollars, ForOne, Paytable, ToOne

ONE_DOLLAR: Final = 100
DECKS: Final = "decks"


def request_at(table: Table, wager: str, settings: Settings | None = None) -> PriceRequest:
    """The price request for a wager at this table. Prizes in dollars are compared with the smallest wager. ``settings``
    choose what the setup leaves open; the default is the usual.

    >>> from cardroom.games import default_setup, game
    >>> duel = request_at(game("dueling-for-dollars").open(default_setup("dueling-for-dollars")), "duel")
    >>> dict(duel.settings)
    {'decks': 6, 'tie_after_tie_bonus': False}
    """
    offered = table.offers[wager]
    paytable = convert_dollar_prizes(offered.paytable, offered.limits.minimum)
    return PriceRequest(
        table.facts.slug,
        wager,
        paytable,
        settings_at(table, wager) if settings is None else settings,
        features=features_at(table, wager),
        limit=limit_at(table, wager, offered.limits.minimum),
    )


def limit_at(table: Table, wager: str, cents: int) -> WagerLimit | None:
    """The table's payout limit for figures of a wager of this many cents; None if no limit covers it."""
    limit, offered = table.payout_limit, table.offers[wager]
    if limit is None or not any(table.spots[spot].wager.slug == wager for spot in limit.spots):
        return None
    triggers = frozenset(line.trigger for line in offered.paytable.lines if odds_to_one(line.pay))
    return WagerLimit(limit.cents, cents, offered.limits.maximum, triggers)


def features_at(table: Table, wager: str) -> tuple[str, ...]:
    """The bonus feature of a wager at the table; the figures of the wager leave it out."""
    feature = table.offers[wager].feature
    return (feature.name,) if feature else ()


def exclusions_at(table: Table) -> tuple[str, ...]:
    """What all figures of the table leave out: its bonus features with their wagers, and its payout limit."""
    features = tuple(
        f"{feature} on {table.offers[slug].wager.name}" for slug in table.offers for feature in features_at(table, slug)
    )
    return (*features, *limit_exclusion(table))


def limit_exclusion(table: Table, wager: str | None = None) -> tuple[str, ...]:
    """The payout limit, if it covers the wager (or any): simulated rounds do not depend on the amount of the wager."""
    limit = table.payout_limit
    if limit is None or (wager is not None and limit_at(table, wager, 1) is None):
        return ()
    return (f"the payout limit of {format_cents(limit.cents)} a deal",)


def requests_at(table: Table, wager: str | None = None, meter_cents: int | None = None) -> tuple[PriceRequest, ...]:
    """The price requests for one wager of a table or all, under every combination of options that can occur there. A
    meter is compared with the smallest wager too."""
    if wager is not None and wager not in table.offers:
        offered, suggestion = ", ".join(table.offers), suggest_name(wager, table.offers)
        raise BadPriceRequest(f"This table offers no wager {quote(wager)}: it offers {offered}.{suggestion}")
    requests = tuple(
        request_at(table, item, settings)
        for item in table.offers
        if wager in (None, item)
        for settings in possible_settings(table, item)
    )
    refuse_idle_meter(meter_cents, requests)
    if meter_cents is None:
        return requests
    return tuple(
        replace(item, meter=Fraction(meter_cents, table.offers[item.wager].limits.minimum)) if item.is_jackpot else item
        for item in requests
    )


def possible_settings(table: Table, wager: str) -> Iterator[Settings]:
    """Every combination of options that can occur at the table. The setup fixes some options; others depend on another
    wager of the player and occur if the table offers that wager.

    >>> from cardroom.games import default_setup, game
    >>> table = game("texas-shootout").open(default_setup("texas-shootout"))
    >>> [dict(settings) for settings in possible_settings(table, "shootout")]
    [{'ties': 'lose'}, {'ties': 'push'}]
    """
    fixed: Mapping[str, Setting] = {DECKS: table.deck.decks, **table.options}
    pricing = pricer(table.facts.slug)
    for settings in pricing.settings(wager):
        if any(name in fixed and fixed[name] != value for name, value in settings.items()):
            continue
        linked = pricing.linked_wager(wager, settings)
        if linked is None or linked.wager in table.offers:
            yield settings


def settings_at(table: Table, wager: str) -> Settings:
    """The combination of options at the table."""

    def fits(name: str, value: object) -> bool:
        return value == (table.deck.decks if name == DECKS else table.options.get(name, value))

    combinations = pricer(table.facts.slug).settings(wager)
    return next(
        combination for combination in combinations if all(fits(name, value) for name, value in combination.items())
    )


def convert_dollar_prizes(table: Paytable, cents: int) -> Paytable:
    """The table with its prizes in dollars as odds on a wager of this many cents. At one dollar it stays as it is."""
    if cents == ONE_DOLLAR:
        return table
    kind = ToOne if table.basis is Basis.TO_ONE else ForOne
    lines = tuple(
        replace(line, pay=kind(Fraction(line.pay.cents, cents)))
        if isinstance(line.pay, Dollars) and line.pay.cents
        else line
        for line in table.lines
    )
    return replace(table, lines=lines)


@dataclass(frozen=True, slots=True)
class ExpectedResult:
    """The expected net result of some rounds, in cents, with each wager played by its own best strategy."""

    cents: Fraction
    standard_error: float | None
    """Of simulated cents; None if they are exact."""


def predict_result(
    table: Table,
    rounds: Iterable[tuple[Mapping[str, int], int]],
    meters: Mapping[str, int],
    progress: Progress = ignore_progress,
) -> ExpectedResult:
    """The expected result of wagers by spot, each with its number of rounds. Meters do not change; bonus features do
    not count.

    >>> from cardroom.games import default_setup, game
    >>> prime = game("three-card-prime").open(default_setup("three-card-prime"))
    >>> float(predict_result(prime, [({"ante-play": 10_00}, 100)], {}).cents) / 100  # doctest: +ELLIPSIS
    -28.95...
    """
    total, errors = Fraction(0), dict[str, float]()
    for wagers, times in rounds:
        for spot in wagers:
            odds = compute_odds(seat_request(table, wagers, spot, meters), progress=progress)
            assert odds.expected_return is not None, "every meter is known"
            total += odds.expected_return * wagers[spot] * times
            if odds.standard_error is not None:
                # All rounds of a wager use one simulation, so they share its error.
                slug = table.spots[spot].wager.slug
                errors[slug] = errors.get(slug, 0.0) + odds.standard_error * wagers[spot] * times
    return ExpectedResult(total, hypot(*errors.values()) if errors else None)


def seat_request(table: Table, wagers: Mapping[str, int], spot: str, meters: Mapping[str, int]) -> PriceRequest:
    """The price request for one of a seat's wagers at this table, for its amount and beside the seat's other wagers."""
    offered, cents = table.spots[spot], wagers[spot]
    slug = offered.wager.slug
    meter = Fraction(meters[spot], cents) if spot in meters else None
    return PriceRequest(
        table.facts.slug,
        slug,
        convert_dollar_prizes(offered.paytable, cents),
        _seat_settings(table, wagers, spot),
        meter,
    )


def _seat_settings(table: Table, wagers: Mapping[str, int], spot: str) -> Settings:
    """The table's options, or those that another wager of the seat causes if it is as large (TS-3)."""
    slug, pricing = table.spots[spot].wager.slug, pricer(table.facts.slug)
    for settings in pricing.settings(slug):
        linked = pricing.linked_wager(slug, settings)
        if linked is not None and wagers.get(linked.wager, 0) >= wagers[spot]:
            return settings
    return settings_at(table, slug)
