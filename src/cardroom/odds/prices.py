"""Requests for prices, and their odds, computed or cached.

An unknown name is an error with a sentence. Odds are cached in the user's cache folder under a digest of everything
that they depend on: the source code of the pricer, the game, the wager, every line of the table, and the options. The
program itself contains no figures.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from cardroom.errors import BadInput, quote, suggest_name
from cardroom.games import game, game_slugs
from cardroom.games.registry import find_package
from cardroom.kernels import cache_folder
from cardroom.odds.pricer import PricedWager, Progress, Settings, ignore_progress, pricer
from cardroom.odds.result import Odds, Setting, WagerLimit, WagerOutcome
from cardroom.paytables import (
    OTHER,
    BadPay,
    OperatorBonus,
    Pay,
    Paytable,
    PaytableLine,
    Percent,
    describe_pay,
    parse_pay,
    paytable,
    paytables,
)

JACKPOT_WAGER_CENTS = 100
"""The jackpot wager of all figures: meters and dollar prizes count in wagers of one dollar."""


class BadPriceRequest(BadInput):
    """A game, wager, table, or option that does not exist."""


@dataclass(frozen=True, slots=True)
class PriceRequest:
    """One wager under one table and one combination of options."""

    game: str
    wager: str
    table: Paytable
    settings: Settings
    meter: Fraction | None = None
    """In wagers."""
    features: tuple[str, ...] = ()
    """Bonus features of the wager at a table; its figures leave them out."""
    limit: WagerLimit | None = None
    """The payout limit of the table, if it covers the wager."""

    @property
    def exclusions(self) -> tuple[str, ...]:
        """What the figures leave out, as phrases."""
        lines = self.table.operator_lines
        if self.meter is not None and lines[:1] == self.table.lines[:1]:
            lines = lines[1:]  # the given meter takes the place of this amount
        return (*self.features, *(f"the operator's bonus for {line.label}" for line in lines))

    @property
    def is_jackpot(self) -> bool:
        """Whether the wager plays for a jackpot."""
        return game(self.game).facts.wager(self.wager).jackpot is not None

    @property
    def has_meter_prize(self) -> bool:
        """Whether the price depends on a meter. An open bonus on the top line of a jackpot's table counts as one."""
        open_top = self.table.operator_lines[:1] == self.table.lines[:1]
        return self.is_jackpot and (open_top or any(isinstance(line.pay, Percent) for line in self.table.lines))


@dataclass(frozen=True, slots=True)
class PriceQuery:
    """Selects price requests; None selects all."""

    game: str | None = None
    wager: str | None = None
    paytable: str | None = None
    settings: Mapping[str, Setting] | None = None
    """Values of options; the others keep their usual value."""
    all_settings: bool = False
    meter_cents: int | None = None
    bonuses: Mapping[str, str | Pay] | None = None
    table: Paytable | None = None
    """A custom paytable."""


def find_requests(query: PriceQuery) -> tuple[PriceRequest, ...]:
    """Every request that the query selects, in the order of the rule sheets. A part of the query that changes no
    request is an error."""
    requests = tuple(_matching_requests(query))
    if not requests:
        raise BadPriceRequest(_no_match_message(query))
    refuse_idle_meter(query.meter_cents, requests)
    for name in query.settings or {}:
        if not any(name in request.settings for request in requests):
            raise BadPriceRequest(f"The option {quote(name)} changes none of these figures: leave it out.")
    for event in query.bonuses or {}:
        if not any(_takes_bonus(request, event) for request in requests):
            raise BadPriceRequest(
                f"A bonus for {quote(event)} completes none of these tables: name the wager "
                "and the paytable, and give every amount that the table leaves open."
            )
    if (
        query.all_settings
        and (query.paytable or query.table)
        and not any(_has_options(request) for request in requests)
    ):
        raise BadPriceRequest("No option changes the figures of this table: leave out --all.")
    return requests


def refuse_idle_meter(cents: int | None, requests: Sequence[PriceRequest]) -> None:
    """Refuse a meter that no prize depends on."""
    if cents is not None and not any(request.has_meter_prize for request in requests):
        raise BadPriceRequest("None of these prizes is a percentage of a meter: leave out --meter.")


def _has_options(request: PriceRequest) -> bool:
    """Whether its wager has more than one combination of options."""
    return len(pricer(request.game).settings(request.wager)) > 1


def _takes_bonus(request: PriceRequest, event: str) -> bool:
    """Whether the operator sets an amount in the table of the request, or may say that all else loses."""
    open_triggers = [line.trigger for line in request.table.lines if _is_open_line(line, request.table)]
    return event in open_triggers or (event == OTHER and bool(open_triggers) and request.table.find_line(OTHER) is None)


def _is_open_line(line: PaytableLine, table: Paytable) -> bool:
    try:
        return isinstance(parse_pay(line.cell, table.basis), OperatorBonus)
    except BadPay:
        return False  # a printed phrase that a ruling interprets


def _matching_requests(query: PriceQuery) -> Iterator[PriceRequest]:
    for slug in _games(query):
        for wager in _wagers(slug, query):
            for table in _tables(slug, wager, query):
                for settings in _settings(slug, wager, query):
                    if table.decks and settings.get("decks") not in table.decks:
                        continue
                    yield PriceRequest(slug, wager, table, settings, _meter(slug, wager, query))


def _games(query: PriceQuery) -> Sequence[str]:
    slug = query.table.game if query.table else query.game
    if slug is None:
        return game_slugs()
    return (game(slug).facts.slug,)


def _wagers(slug: str, query: PriceQuery) -> Sequence[str]:
    slugs = [wager.slug for wager in game(slug).facts.wagers]
    wanted_slug = query.table.wager if query.table else query.wager
    if wanted_slug is None:
        return slugs
    if wanted_slug not in slugs:
        if query.game is None and query.table is None:
            return ()  # another game may have it
        suggestion = suggest_name(wanted_slug, slugs)
        listing = ", ".join(slugs)
        raise BadPriceRequest(
            f"{game(slug).facts.name} has no wager {quote(wanted_slug)}: it has {listing}.{suggestion}"
        )
    return (wanted_slug,)


def _tables(slug: str, wager: str, query: PriceQuery) -> Iterator[Paytable]:
    bonuses = query.bonuses or {}
    if query.table:
        candidates: Sequence[Paytable] = (query.table,)
    elif query.paytable is not None and (query.wager is not None or _has_table(slug, wager, query.paytable)):
        candidates = (paytable(slug, wager, query.paytable),)
    elif query.paytable is not None:
        return
    else:
        candidates = paytables(slug, wager)
    is_single = len(candidates) == 1 and bool(candidates[0].lines)
    for table in candidates:
        open_events = {line.trigger for line in table.operator_lines}
        if is_single:
            table = table.with_bonuses(bonuses)
        else:
            table_bonuses = {event: pay for event, pay in bonuses.items() if event in open_events}
            if open_events and OTHER in bonuses:
                table_bonuses[OTHER] = bonuses[OTHER]
            table = table.with_bonuses(table_bonuses)
        if is_single or table.is_numeric or _has_only_open_top(slug, wager, table):
            yield _check_table(slug, wager, table)


def _has_only_open_top(slug: str, wager: str, table: Paytable) -> bool:
    """A jackpot's table with a bonus on the top line is priced for its break-even."""
    jackpot = game(slug).facts.wager(wager).jackpot is not None
    return jackpot and table.operator_lines == table.lines[:1]


def _has_table(slug: str, wager: str, name: str) -> bool:
    return any(table.name == name for table in paytables(slug, wager))


def _check_table(slug: str, wager: str, table: Paytable) -> Paytable:
    """A table that can be priced. On a jackpot's table the top line may stay open, because break-even solves for it."""
    open_triggers = table.missing_bonuses({})
    if game(slug).facts.wager(wager).jackpot or not open_triggers:
        return table
    example = f"--bonus {open_triggers[0]}=50"
    raise BadPriceRequest(
        f"Table {table.name} leaves these amounts to the operator: {', '.join(open_triggers)}. Give each, such as "
        f"{example}."
    )


def _settings(slug: str, wager: str, query: PriceQuery) -> Sequence[Settings]:
    combinations = pricer(slug).settings(wager)
    wanted_options = {name: value for name, value in (query.settings or {}).items() if name in combinations[0]}
    if query.settings and query.game is not None:
        _refuse_unknown_options(slug, query.settings)
    matches = [
        combination
        for combination in combinations
        if all(combination[name] == value for name, value in wanted_options.items())
    ]
    if wanted_options and not matches:
        choices = "; ".join(
            f"{name}: {_format_values({combination[name] for combination in combinations})}" for name in wanted_options
        )
        raise BadPriceRequest(f"{wager} of {slug} does not have these options. Choose from {choices}.")
    if query.all_settings:
        return matches
    defaults = {name: value for name, value in combinations[0].items() if name not in wanted_options}
    return [
        combination for combination in matches if all(combination[name] == value for name, value in defaults.items())
    ]


def _refuse_unknown_options(slug: str, settings: Mapping[str, Setting]) -> None:
    option_names = {
        name
        for wager in game(slug).facts.wagers
        for combination in pricer(slug).settings(wager.slug)
        for name in combination
    }
    for name in settings:
        if name not in option_names:
            listing = f"it has {', '.join(sorted(option_names))}" if option_names else "it has none"
            suggestion, game_name = suggest_name(name, option_names), game(slug).facts.name
            raise BadPriceRequest(
                f"No figure of {game_name} depends on the option {quote(name)}: {listing}.{suggestion}"
            )


def _format_values(values: set[Setting]) -> str:
    return ", ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in sorted(values, key=str))


def _meter(slug: str, wager: str, query: PriceQuery) -> Fraction | None:
    if query.meter_cents is None or game(slug).facts.wager(wager).jackpot is None:
        return None
    return Fraction(query.meter_cents, JACKPOT_WAGER_CENTS)


def _no_match_message(query: PriceQuery) -> str:
    game_name = game(query.game).facts.name if query.game else "No game"
    if query.paytable is not None:
        names = [
            table.name
            for slug in _games(query)
            for wager in _wagers(slug, query)
            for table in paytables(slug, wager)
            if table.name
        ]
        listing, suggestion = ", ".join(dict.fromkeys(names)), suggest_name(query.paytable, names)
        return f"{game_name} has no such paytable {quote(query.paytable)}: choose one of {listing}.{suggestion}"
    slugs = [wager.slug for slug in _games(query) for wager in game(slug).facts.wagers]
    suggestion = suggest_name(query.wager or "", slugs)
    return f"There is no wager {quote(query.wager)}: choose one of {', '.join(slugs)}.{suggestion}"


def compute_odds(request: PriceRequest, *, use_cache: bool = True, progress: Progress = ignore_progress) -> Odds:
    """The figures of one wager. ``use_cache=False`` computes them again and stores nothing."""
    priced = _load_cached(request) if use_cache else None
    if priced is None:
        pricing = pricer(request.game)
        priced = pricing.price(request.wager, request.table, request.settings, progress)
        if use_cache:
            _save_to_cache(request, priced)
    limit = request.limit
    outcomes = priced.outcomes
    if limit is not None:
        outcomes = tuple(limit.apply(outcome, limit.wager_cents) for outcome in outcomes)
    return Odds(
        game=request.game,
        wager=request.wager,
        paytable=request.table.name,
        options=dict(request.settings),
        distribution=outcomes,
        initial_wager=priced.initial_wager,
        meter=request.meter,
        is_jackpot=request.is_jackpot,
        simulated_rounds=priced.simulated_rounds,
        policy=priced.policy,
        notes=priced.notes,
        exclusions=request.exclusions,
        limit=limit,
        unlimited_distribution=() if limit is None else priced.outcomes,
    )


def _cache_file(request: PriceRequest) -> Path:
    table = request.table
    depends_on = {
        "game": request.game,
        "wager": request.wager,
        "basis": table.basis,
        "lines": [[line.trigger, describe_pay(line.pay)] for line in table.lines],
        "settings": sorted((name, repr(value)) for name, value in request.settings.items()),
    }
    if package := find_package(request.game):
        # The price of an installed package's game depends on every file of the package.
        content = b"".join(name.encode() + b"\0" + source for name, source in package.source_files())
        depends_on["package"] = hashlib.sha256(content).hexdigest()
    digest = hashlib.sha256(json.dumps(depends_on).encode()).hexdigest()
    priced_by = type(pricer(request.game)).__module__
    return cache_folder(priced_by, __name__) / "odds" / f"{digest}.json"


def _load_cached(request: PriceRequest) -> PricedWager | None:
    try:
        entry = json.loads(_cache_file(request).read_text("utf-8"))
        return PricedWager(
            outcomes=tuple(_decode_outcome(row) for row in entry["endings"]),
            initial_wager=entry["initial_wager"],
            simulated_rounds=entry["simulated_rounds"],
            notes=tuple(entry["notes"]),
            policy=entry["policy"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None  # missing or damaged: compute it


def _save_to_cache(request: PriceRequest, priced: PricedWager) -> None:
    entry = {
        "endings": [_encode_outcome(outcome) for outcome in priced.outcomes],
        "initial_wager": priced.initial_wager,
        "simulated_rounds": priced.simulated_rounds,
        "notes": list(priced.notes),
        "policy": priced.policy,
    }
    file = _cache_file(request)
    with suppress(OSError):  # a full disk or a locked folder costs time, not the result
        file.parent.mkdir(parents=True, exist_ok=True)
        part_file = file.with_suffix(".part")
        part_file.write_text(json.dumps(entry), "utf-8")
        part_file.replace(file)


def _encode_outcome(outcome: WagerOutcome) -> list[Any]:
    parts = [[event, str(units)] for event, units in outcome.stake_wins]
    return [
        outcome.trigger,
        outcome.pays,
        outcome.combinations,
        str(outcome.net),
        str(outcome.wagered),
        str(outcome.percent),
        outcome.hit,
        parts,
    ]


def _decode_outcome(row: list[Any]) -> WagerOutcome:
    event, pays, combinations, net, wagered, percent, hit, parts = row
    stake_wins = tuple((name, Fraction(units)) for name, units in parts)
    return WagerOutcome(
        event, pays, int(combinations), Fraction(net), Fraction(wagered), Fraction(percent), hit, stake_wins
    )
