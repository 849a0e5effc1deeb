"""The jobs of worker processes: advice, strategies, prices, PAR sheets, and the office's house edges.

The module imports only what the jobs need. The packages for PAR sheets are imported with the first sheet.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple, TypeVar

import orjson

from cardroom.cards import parse_cards
from cardroom.errors import BadInput
from cardroom.games import Decision, Table, View, game
from cardroom.games.registry import find_package
from cardroom.games.setup import setup_from_json
from cardroom.kernels import cached_value
from cardroom.odds import (
    Advice,
    BasicStrategy,
    Odds,
    PriceQuery,
    PriceRequest,
    advise,
    compute_odds,
    find_requests,
)
from cardroom.odds.pricer import Policy, Settings, pricer
from cardroom.odds.prices import JACKPOT_WAGER_CENTS
from cardroom.odds.result import Setting
from cardroom.odds.table_prices import DECKS, convert_dollar_prizes, request_at
from cardroom.paytables import Paytable, change_pays, paytable
from cardroom.reports.documents.numbers import format_dollars, format_percent
from cardroom.web.services.workers import report_progress

R = TypeVar("R")


def ready() -> bool:
    """The first job of a worker; everything is loaded when it returns."""
    return True


def compute_advice(setup: str, view_json: View, meters: Mapping[str, int]) -> tuple[Advice, ...]:
    """The coach's advice to a seat, from the seat's view."""
    return advise(parse_table(setup), view_json, meters)


def compute_policy(setup: str) -> Policy:
    """The basic strategy of a table. It takes seconds to compute and is cached on disk."""
    table = parse_table(setup)
    slug = table.facts.slug
    return _load_or_compute(slug, f"policy {setup}", lambda: pricer(slug).basic_policy(table))


def _load_or_compute(slug: str, name: str, compute: Callable[[], R]) -> R:
    """A value that depends only on its name and on the source files of the game's pricer. A package may change without
    notice, so its values are computed every time."""
    if find_package(slug):
        return compute()
    digest = hashlib.sha256(name.encode()).hexdigest()[:16]
    return cached_value(f"strategy-{digest}", compute, type(pricer(slug)).__module__)


@lru_cache(64)
def parse_table(setup: str) -> Table:
    """The table of a setup."""
    parsed_setup = setup_from_json(orjson.loads(setup))
    return game(parsed_setup.game).open(parsed_setup)


class WagerEdge(NamedTuple):
    """The house edge of a wager."""

    wager: str
    """The wager's name."""
    edge: Fraction
    """As a fraction of the wager before the deal."""
    standard_error: float | None
    """Of a simulated edge; None if it is exact."""


def price_edge(setup: str) -> WagerEdge | None:
    """The house edge of a table's main wager; None if it depends on a meter."""
    table = parse_table(setup)
    main = next(iter(table.offers))
    odds = compute_odds(request_at(table, main), progress=report_progress)
    if odds.house_edge is None:
        return None
    error = None if odds.standard_error is None else odds.standard_error / odds.initial_wager
    return WagerEdge(table.offers[main].wager.name, odds.house_edge, error)


def price_overview(slug: str, wager: str) -> tuple[Odds, ...]:
    """The odds of every printed paytable of a wager, with the default options."""
    return tuple(
        compute_odds(request, progress=report_progress) for request in find_requests(PriceQuery(game=slug, wager=wager))
    )


def price_strategy(slug: str, wager: str) -> BasicStrategy | None:
    """The basic strategy of a wager with its first paytable, cached on disk; None if it has no decisions."""
    first = find_requests(PriceQuery(game=slug, wager=wager))[0]

    def compute() -> BasicStrategy | None:
        try:
            return pricer(slug).basic_strategy(wager, first.table, first.settings, report_progress)
        except BadInput:
            return None

    pays = [(line.trigger, line.pay) for line in first.table.lines]
    return _load_or_compute(slug, f"text {wager} {first.table.basis} {pays} {first.settings}", compute)


class CustomPaytable(NamedTuple):
    """A wager to price: a printed paytable with changed pays, options, and the meter."""

    game: str
    wager: str
    table: str
    pays: tuple[tuple[str, str], ...] = ()
    """By event, as typed; only pays that differ from the printed ones."""
    settings: tuple[tuple[str, str], ...] = ()
    meter_cents: int | None = None


class PriceResult(NamedTuple):
    """The price of a wager."""

    table: Paytable
    odds: Odds
    printed: Odds | None
    """The odds with the printed pays, if pays were changed and the printed ones are complete."""
    choices: tuple[Settings, ...]
    """All possible combinations of options."""
    seconds: float
    """The computing time."""


def price_paytable(request: CustomPaytable) -> PriceResult:
    """Price a wager with a changed paytable."""
    started_at = perf_counter()
    base = paytable(request.game, request.wager, request.table)
    table = change_pays(base, dict(request.pays))
    choices = pricer(request.game).settings(request.wager)
    settings = _choose_settings(choices, dict(request.settings))
    odds = _price_table(request, table, settings, remember=table is base)
    with_print = table is not base and base.is_numeric
    printed = _price_table(request, base, settings, remember=True) if with_print else None
    return PriceResult(table, odds, printed, choices, perf_counter() - started_at)


def _price_table(request: CustomPaytable, table: Paytable, settings: Settings, *, remember: bool) -> Odds:
    meter = None if request.meter_cents is None else Fraction(request.meter_cents, JACKPOT_WAGER_CENTS)
    question = PriceRequest(request.game, request.wager, table, settings)
    if table.decks and settings.get(DECKS) not in table.decks:
        allowed = " or ".join(map(str, table.decks))
        raise BadInput(
            f"Paytable {table.name} is for {allowed} decks. Choose another number of decks or another paytable."
        )
    if not question.is_jackpot and not table.is_numeric:
        missing = ", ".join(line.label for line in table.operator_lines)
        raise BadInput(
            f"Paytable {request.table} leaves these amounts to the operator: {missing}. Type what each pays."
        )
    return compute_odds(
        replace(question, meter=meter if question.has_meter_prize else None),
        use_cache=remember,
        progress=report_progress,
    )


def _choose_settings(choices: tuple[Settings, ...], requested: Mapping[str, str]) -> Settings:
    """The first combination with the requested options. Unknown options are refused."""
    for name in requested:
        if name not in choices[0]:
            raise BadInput(f"This wager has no option {name!r}. Its options: {', '.join(choices[0]) or 'none'}.")
    fitting = [choice for choice in choices if all(str(choice[name]) == value for name, value in requested.items())]
    if not fitting:
        available = "; ".join(
            f"{name}: {', '.join(dict.fromkeys(str(choice[name]) for choice in choices))}" for name in requested
        )
        raise BadInput(f"The wager has no such combination of options. Possible values: {available}.")
    return fitting[0]


def price_hand(slug: str, wager: str, table: str, hand: str) -> tuple[tuple[Decision, Fraction], ...]:
    """The expected value of each decision with a hand, in units of the wager, best first."""
    question = find_requests(PriceQuery(game=slug, wager=wager, paytable=table))[0]
    hand_cards = parse_cards(hand)
    decks = game(slug).facts.decks
    next((deck for deck in decks if deck.decks == question.settings.get(DECKS)), decks[0]).check(hand_cards)
    return pricer(slug).hand_values(wager, question.table, question.settings, hand_cards)


def print_par_sheet(setup: str, form: str, prepared: date) -> bytes:
    """The PAR sheet of a table as a file: ``.pdf`` or ``.html``."""
    from cardroom.reports.par.files import ParFormat, render_sheet
    from cardroom.reports.par.sheet import par_sheet

    return render_sheet(par_sheet(parse_table(setup).setup, prepared), ParFormat(form))


class PaytableChoice(NamedTuple):
    """A wager under a paytable, with the operator's amounts and options."""

    game: str
    wager: str
    paytable: str
    bonuses: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, Setting], ...] = ()


def edge_text(choice: PaytableChoice) -> str:
    """The house edge as text, computed or cached."""
    known_settings = pricer(choice.game).settings(choice.wager)[0]
    settings = {name: value for name, value in choice.settings if name in known_settings}
    request = PriceQuery(choice.game, choice.wager, choice.paytable, settings, bonuses=dict(choice.bonuses))
    return format_odds(compute_odds(find_requests(request)[0]))


def format_odds(odds: Odds) -> str:
    """
    >>> from cardroom.odds import WagerOutcome
    >>> sides = WagerOutcome("heads", "1 to 1", 1, Fraction(1)), WagerOutcome("tails", "", 2, -1)
    >>> format_odds(Odds("toss", "heads", "", {}, sides))
    'house edge 33.3333%'
    """
    edge = odds.house_edge
    if edge is None:
        even = odds.break_even_meter
        fair = f", fair when the meter shows {format_dollars(even, JACKPOT_WAGER_CENTS)}" if even is not None else ""
        return f"fixed prizes return {format_percent(odds.fixed_return)}{fair}"
    if odds.standard_error is not None:
        error = Fraction(odds.standard_error) / odds.initial_wager
        return f"house edge {format_percent(edge)} ± {format_percent(error)}, simulated"
    return f"house edge {format_percent(edge)}"


class MeterQuestion(NamedTuple):
    """A jackpot wager with the starting amounts of its levels."""

    game: str
    wager: str
    paytable: str
    bonuses: tuple[tuple[str, str], ...]
    cents: int
    """The smallest wager."""
    levels: tuple[tuple[str, int, tuple[str, ...]], ...]
    """From the highest down: name, starting amount in cents, events."""


def meter_sentences(question: MeterQuestion) -> tuple[str, ...]:
    """Sentences about the return of the wager at the starting meters, and the break-even meters."""
    table = convert_dollar_prizes(
        paytable(question.game, question.wager, question.paytable).with_bonuses(dict(question.bonuses)), question.cents
    )
    odds = compute_odds(
        PriceRequest(question.game, question.wager, table, pricer(question.game).settings(question.wager)[0])
    )
    return tuple(_describe_meters(odds, question))


def _describe_meters(odds: Odds, question: MeterQuestion) -> Iterator[str]:
    parts, starts = dict[str, Fraction](), dict[str, Fraction]()
    for name, cents, events in question.levels:
        level_events = {event for level, _, theirs in question.levels for event in theirs if level in parts}
        hits = [level for level in odds.distribution if level.trigger in events and level.trigger not in level_events]
        parts[name] = Fraction(sum(level.combinations * level.percent for level in hits)) / odds.combinations
        starts[name] = Fraction(cents, question.cents) * parts[name]
    start = sum(starts.values(), Fraction(0))
    simulated = "" if odds.simulated_rounds is None else " (simulated)"
    total_return = (odds.fixed_return + start) / odds.average_wager
    if not starts:
        yield f"The average return is {format_percent(total_return)}{simulated}. All prizes are fixed."
        return
    fixed, meters = format_percent(odds.fixed_return), format_percent(start)
    yield (
        f"At the start, the average return is {format_percent(total_return)}{simulated}: {fixed} from fixed prizes and "
        f"{meters} from the displayed amounts."
    )
    for name, part in parts.items():
        if part:
            other_return = odds.fixed_return + start - starts[name]
            fair = max((odds.average_wager - other_return) / part, Fraction(0))
            condition = "" if len(starts) == 1 else " with the others at their starting amounts"
            yield f"The wager breaks even when {name} shows {format_dollars(fair, question.cents)}{condition}."
