"""What workers think about when somebody asks what a wager is worth. Nothing is loaded here but what that needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from time import perf_counter
from typing import NamedTuple

from cardroom.cards import parse_cards
from cardroom.errors import BadInput
from cardroom.games import Decision, game
from cardroom.odds import BasicStrategy, Odds, PriceQuery, PriceRequest, compute_odds, find_requests, pricer
from cardroom.odds.pricer import Settings
from cardroom.odds.prices import JACKPOT_WAGER_CENTS
from cardroom.odds.table_prices import DECKS, request_at
from cardroom.paytables import Paytable, change_pays, paytable
from cardroom.web.room.thoughts import table_of
from cardroom.web.room.workers import tell


class Edge(NamedTuple):
    """What the house keeps of a wager."""

    wager: str
    """Its name."""
    edge: Fraction
    """Of what is wagered before the deal."""
    standard_error: float | None
    """Of the edge, when it was simulated; None when it is exact."""


def edge_at(setup: str) -> Edge | None:
    """The edge of a table's main wager; None where it hangs on a meter."""
    table = table_of(setup)
    main = next(iter(table.offers))
    odds = compute_odds(request_at(table, main), progress=tell)
    if odds.house_edge is None:
        return None
    error = None if odds.standard_error is None else odds.standard_error / odds.initial_wager
    return Edge(table.offers[main].wager.name, odds.house_edge, error)


def overview(slug: str, wager: str) -> tuple[Odds, ...]:
    """Every printed table of a wager that says what it pays, under the usual options."""
    return tuple(compute_odds(one, progress=tell) for one in find_requests(PriceQuery(game=slug, wager=wager)))


def strategy(slug: str, wager: str) -> BasicStrategy | None:
    """The strategy to remember for a wager on its first table; None where it asks the player nothing."""
    first = find_requests(PriceQuery(game=slug, wager=wager))[0]
    try:
        return pricer(slug).basic_strategy(wager, first.table, first.settings, tell)
    except BadInput:
        return None


class Changed(NamedTuple):
    """A wager as somebody asks about it: a printed table, other pays on its lines, options, what the meter shows."""

    game: str
    wager: str
    table: str
    pays: tuple[tuple[str, str], ...] = ()
    """By event, as they were typed; only those that differ from the print."""
    settings: tuple[tuple[str, str], ...] = ()
    meter_cents: int | None = None


class Answered(NamedTuple):
    """What it is worth."""

    table: Paytable
    odds: Odds
    printed: Odds | None
    """The same with the printed pays, where others were typed and the print says what it pays."""
    choices: tuple[Settings, ...]
    """Every combination of options that can be asked for."""
    seconds: float
    """How long it was thought about."""


def priced(asked: Changed) -> Answered:
    """Price a wager under a table that was changed."""
    begun = perf_counter()
    base = paytable(asked.game, asked.wager, asked.table)
    table = change_pays(base, dict(asked.pays))
    choices = pricer(asked.game).settings(asked.wager)
    settings = _chosen(choices, dict(asked.settings))
    odds = _answer(asked, table, settings, remember=table is base)
    with_print = table is not base and base.is_numeric
    printed = _answer(asked, base, settings, remember=True) if with_print else None
    return Answered(table, odds, printed, choices, perf_counter() - begun)


def _answer(asked: Changed, table: Paytable, settings: Settings, *, remember: bool) -> Odds:
    meter = None if asked.meter_cents is None else Fraction(asked.meter_cents, JACKPOT_WAGER_CENTS)
    question = PriceRequest(asked.game, asked.wager, table, settings)
    if table.decks and settings.get(DECKS) not in table.decks:
        allowed = " or ".join(map(str, table.decks))
        raise BadInput(f"Table {table.name} is for {allowed} decks: choose another number of decks, or another table.")
    if not question.is_jackpot and not table.is_numeric:
        missing = ", ".join(line.label for line in table.operator_lines)
        raise BadInput(f"Table {asked.table} leaves these amounts to the operator: {missing}. Type what each pays.")
    return compute_odds(
        replace(question, meter=meter if question.has_meter_prize else None), use_cache=remember, progress=tell
    )


def _chosen(choices: tuple[Settings, ...], wanted: Mapping[str, str]) -> Settings:
    """The first combination that has what is wanted; options that the wager does not know are refused."""
    for name in wanted:
        if name not in choices[0]:
            raise BadInput(f"No figure of this wager depends on {name!r}: it has {', '.join(choices[0]) or 'none'}.")
    fitting = [one for one in choices if all(str(one[name]) == value for name, value in wanted.items())]
    if not fitting:
        told = "; ".join(f"{name}: {', '.join(dict.fromkeys(str(one[name]) for one in choices))}" for name in wanted)
        raise BadInput(f"The wager cannot be asked with that. It can be asked with {told}.")
    return fitting[0]


def hand_values(slug: str, wager: str, table: str, hand: str) -> tuple[tuple[Decision, Fraction], ...]:
    """What each decision is worth with these cards, in units of the wager, the best first."""
    question = find_requests(PriceQuery(game=slug, wager=wager, paytable=table))[0]
    held = parse_cards(hand)
    decks = game(slug).facts.decks
    next((deck for deck in decks if deck.decks == question.settings.get(DECKS)), decks[0]).check(held)
    return pricer(slug).hand_values(wager, question.table, question.settings, held)
