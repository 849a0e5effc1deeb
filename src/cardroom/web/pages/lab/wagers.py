"""One wager in the lab, whose paytable can be changed in place: the address contains the changes.

The hand calculator shows the value of each decision for the cards that the visitor taps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from cardroom.cards import JOKER, Card, format_cards, parse_cards
from cardroom.cards.card import RANK_LETTERS, SUIT_LETTERS
from cardroom.errors import BadInput
from cardroom.games import Decision, game
from cardroom.games.money import format_cents, parse_dollars
from cardroom.games.registry import UnknownGame
from cardroom.odds.prices import JACKPOT_WAGER_CENTS
from cardroom.odds.result import first_policy
from cardroom.paytables import OperatorBonus, Pay, Paytable, describe_pay, paytable, paytables
from cardroom.reports.documents.numbers import format_signed
from cardroom.web.pages.lab.figures import (
    describe_exact_return,
    describe_exclusions,
    describe_setting,
    figure_rows,
    meter_chart,
    outcome_rows,
)
from cardroom.web.pages.lab.games import list_games
from cardroom.web.pages.requests import get_app_context, signed_in_player
from cardroom.web.pages.templating import HEADERS, render_fragment, render_page
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.jobs import Lane
from cardroom.web.services.presence import CLIENT_CLOSED_REQUEST, run_while_connected
from cardroom.web.services.worker_computations import CustomPaytable, PriceResult, price_hand, price_paytable
from cardroom.web.services.workers import WorkersBusy

router = APIRouter(include_in_schema=False)
PAY: Final = "pay."
SET: Final = "set."
FIGURES_WAIT_SECONDS: Final = 0.3
"""Seconds that a page waits for its figures before it is sent without them."""
PROGRESS: Final = "progress"
ADDRESS: Final = "Lab-Address"
"""The response header of a part of the page with the address of the whole page."""


class PaytableQuery(NamedTuple):
    """The query of an address, parsed but not yet priced."""

    changed: CustomPaytable
    compared_table: str
    """Another printed paytable to compare with; empty for none."""
    entered_pays: Mapping[str, str]
    """The text of the fields, by trigger."""
    meter: str

    @property
    def base(self) -> Paytable:
        return paytable(self.changed.game, self.changed.wager, self.changed.table)

    @property
    def address(self) -> str:
        """The shortest address of the same query."""
        pairs = [("table", self.changed.table)] if self.changed.table else []
        pairs += [(PAY + event, pay) for event, pay in self.changed.pays]
        pairs += [(SET + name, value) for name, value in self.changed.settings]
        pairs += [("meter", self.meter)] if self.meter else []
        pairs += [("with", self.compared_table)] if self.compared_table else []
        path = f"/lab/{self.changed.game}/wagers/{self.changed.wager}"
        return f"{path}?{urlencode(pairs)}" if pairs else path


def format_pay(pay: Pay) -> str:
    """A payout as text that can be parsed again.

    >>> from cardroom.paytables import parse_pay, Basis
    >>> format_pay(parse_pay("25%", Basis.FOR_ONE)), format_pay(parse_pay("3:2", Basis.TO_ONE))
    ('25%', '3 to 2')
    """
    return "" if isinstance(pay, OperatorBonus) else describe_pay(pay).removesuffix(" of the meter")


def parse_query(slug: str, wager: str, query: Mapping[str, str]) -> PaytableQuery:
    """Parse an address. A payout that equals the printed one is not a change."""
    facts = game(slug).facts
    if wager not in {wager_facts.slug for wager_facts in facts.wagers}:
        slugs = ", ".join(wager_facts.slug for wager_facts in facts.wagers)
        raise UnknownGame(f"{facts.name} has no wager {wager!r}. Its wagers are {slugs}.")
    first = next(
        (wager_facts for wager_facts in paytables(slug, wager) if wager_facts.is_numeric), paytables(slug, wager)[0]
    )
    base = paytable(slug, wager, query.get("table", first.name))
    beside = query.get("with", "")
    if beside:
        paytable(slug, wager, beside)
    entered = {name.removeprefix(PAY): pay.strip() for name, pay in query.items() if name.startswith(PAY)}
    printed = {line.trigger: format_pay(line.pay) for line in base.lines}
    meter = query.get("meter", "").strip()
    changed = CustomPaytable(
        game=slug,
        wager=wager,
        table=base.name,
        pays=tuple((event, pay) for event, pay in entered.items() if pay != printed.get(event, "")),
        settings=tuple((name.removeprefix(SET), value) for name, value in query.items() if name.startswith(SET)),
        meter_cents=parse_dollars(meter) if meter else None,
    )
    return PaytableQuery(changed, beside, entered, meter)


async def price_query(context: AppContext, query: PaytableQuery) -> tuple[PriceResult, PriceResult | None]:
    """The price of the paytable, and of the one to compare with."""
    if not query.compared_table:
        return await _price(context, query.changed), None
    comparison = query.changed._replace(table=query.compared_table, pays=())
    first, second = await asyncio.gather(_price(context, query.changed), _price(context, comparison))
    return first, second


async def _price(context: AppContext, request: CustomPaytable) -> PriceResult:
    return await context.jobs.compute(Lane.PAGE, price_paytable, request, topic=request.game)


def render_figures(query: PaytableQuery, price: PriceResult, beside: PriceResult | None) -> str:
    """The figures, outcomes, and meter chart of a query."""
    columns = [(price.table.name or "by the rules", price.odds)]
    if price.printed is not None and query.compared_table != query.changed.table:
        columns.append((f"{query.changed.table} as printed", price.printed))
    if beside is not None:
        columns.append((beside.table.name, beside.odds))
    answers = [odds for _, odds in columns]
    meter = Fraction(query.changed.meter_cents, JACKPOT_WAGER_CENTS) if query.changed.meter_cents is not None else None
    tables = [(price.table.name, price.odds)] + ([(beside.table.name, beside.odds)] if beside else [])
    return render_fragment(
        "lab/figures.html",
        names=[name for name, _ in columns],
        rows=list(figure_rows(answers)),
        exact_values=[describe_exact_return(priced_odds) for priced_odds in answers],
        outcomes=[(name, outcome_rows(odds), f"{odds.combinations:,}", odds.simulated_rounds) for name, odds in tables],
        meters=[(name, meter_chart(odds, meter)) for name, odds in tables if odds.is_jackpot],
        notes=list(dict.fromkeys(note for priced_odds in answers for note in priced_odds.notes)),
        policy=first_policy(priced_odds.policy for priced_odds in answers),
        left_out=describe_exclusions(game(query.changed.game).facts.wager(query.changed.wager), answers),
        seconds=max(priced_odds.seconds for priced_odds in (price, beside) if priced_odds is not None),
    )


def form_variables(query: PaytableQuery, price: PriceResult | None) -> dict[str, Any]:
    """The fields of the form: the printed payouts, or the changed ones."""
    changed = query.changed
    facts = game(changed.game).facts
    lines = [
        {
            "event": line.trigger,
            "printed": line.label,
            "cell": format_pay(line.pay),
            "shown": query.entered_pays.get(line.trigger, format_pay(line.pay)),
            "open": isinstance(line.pay, OperatorBonus),
            "overruled": line.ruling,
        }
        for line in query.base.lines
    ]
    choices: dict[str, dict[str, str]] = {}
    for choice in price.choices if price else ():
        for name, value in choice.items():
            choices.setdefault(name, {})[str(value)] = describe_setting(name, value)
    return {
        "facts": facts,
        "wager": facts.wager(changed.wager),
        "tables": [choice.name for choice in paytables(changed.game, changed.wager) if choice.name],
        "chosen": changed.table,
        "beside": query.compared_table,
        "lines": lines,
        "choices": {name: options for name, options in choices.items() if len(options) > 1},
        "wanted": dict(changed.settings),
        "on_a_meter": facts.wager(changed.wager).jackpot is not None,
        "meter": query.meter,
        "one_dollar": format_cents(JACKPOT_WAGER_CENTS),
    }


@router.get("/lab/{slug}/wagers/{wager}")
async def show_wager(request: Request, slug: str, wager: str) -> Response:
    """A wager, its paytable, and its figures; with ``part`` only the figures."""
    context = get_app_context(request)
    signed_in_player(request)
    query = dict(request.query_params)
    part = query.pop("part", "")
    paytable_query, price, refusal, figures, status = None, None, "", "", 200
    try:
        paytable_query = parse_query(slug, wager, query)
        if part == PROGRESS:
            return Response(_progress_text(context, paytable_query), 200, HEADERS, "text/plain; charset=utf-8")
        async with asyncio.timeout(None if part else FIGURES_WAIT_SECONDS):
            price, beside = await price_query(context, paytable_query)
            figures = render_figures(paytable_query, price, beside)
    except TimeoutError:
        pass  # the page is sent without its figures and requests them
    except UnknownGame as unknown:
        return await list_games(request, str(unknown))
    except BadInput as refused:
        refusal = str(refused)
        status = 503 if isinstance(refused, WorkersBusy) else 422
    if part:
        if refusal or paytable_query is None:
            return Response(refusal, status, HEADERS, "text/plain; charset=utf-8")
        return Response(figures, 200, HEADERS | {ADDRESS: paytable_query.address}, "text/html; charset=utf-8")
    if paytable_query is None:
        paytable_query = parse_query(slug, wager, {})
    form = form_variables(paytable_query, price)
    return render_page(request, "lab/wager.html", status=status, refusal=refusal, figures=figures, **form)


def _progress_text(context: AppContext, query: PaytableQuery) -> str:
    progress = context.jobs.progress(price_paytable, query.changed)
    return f"{progress.label}, {round(progress.fraction * 100)}%" if progress else ""


MAX_CARDS: Final = 7


class DecisionValue(NamedTuple):
    """A decision and its value, in units of the wager."""

    label: str
    groups: tuple[tuple[str, ...], ...]
    value: str
    loss: str
    """Its cost against the best decision; empty for the best."""


def value_decisions(values: tuple[tuple[Decision, Fraction], ...]) -> list[DecisionValue]:
    """Decisions with their values, the best first."""
    best = values[0][1]
    return [
        DecisionValue(
            label=str(decision.verb).capitalize(),
            groups=tuple(tuple(map(str, group)) for group in decision.groups),
            value=format_signed(value, 6),
            loss=format_signed(value - best, 6) if value != best else "",
        )
        for decision, value in values
    ]


class HandQuery(NamedTuple):
    """A hand to compute."""

    wager: str
    table: str
    hand: str
    """The cards, separated by blanks."""


def parse_hand_query(slug: str, query: Mapping[str, str]) -> HandQuery:
    """Parse an address. The default is the main wager, its first numeric paytable, and no cards."""
    facts = game(slug).facts
    wagers = {wager_facts.slug: wager_facts for wager_facts in facts.wagers if not wager_facts.jackpot}
    wager = query.get("wager") or facts.wagers[0].slug
    if wager not in wagers:
        raise UnknownGame(f"{facts.name} has no wager {wager!r} to compute. Use {' or '.join(wagers)}.")
    tables = paytables(slug, wager)
    first = next((wager_facts for wager_facts in tables if wager_facts.is_numeric), tables[0])
    table = query.get("table") or first.name
    hand = query.get("cards", "").strip()
    return HandQuery(wager, table if any(wager_facts.name == table for wager_facts in tables) else first.name, hand)


@router.get("/lab/{slug}/hand")
async def show_hand(request: Request, slug: str) -> Response:
    """Each decision with its value; with ``part`` only those. A caller who disconnects cancels the computation."""
    context = get_app_context(request)
    signed_in_player(request)
    query = dict(request.query_params)
    part = query.pop("part", "")
    refusal, status = "", 200
    answers: list[DecisionValue] = []
    hand: tuple[Card, ...] = ()
    try:
        hand_query = parse_hand_query(slug, query)
    except UnknownGame as unknown:
        return await list_games(request, str(unknown))
    try:
        hand = parse_cards(hand_query.hand) if hand_query.hand else ()
        if len(hand) > MAX_CARDS:
            raise BadInput(f"A hand has at most {MAX_CARDS} cards in these games, not {len(hand)}.")
        if hand:
            priced_values = await run_while_connected(
                request,
                context.jobs.run(Lane.PAGE, price_hand, slug, hand_query.wager, hand_query.table, format_cards(hand)),
            )
            if priced_values is None:
                return Response(status_code=CLIENT_CLOSED_REQUEST)
            answers = value_decisions(priced_values)
    except BadInput as refused:
        refusal, status = str(refused), 503 if isinstance(refused, WorkersBusy) else 422
    variables: dict[str, Any] = {"answers": answers, "refusal": refusal, "hand": [str(card) for card in hand]}
    if part:
        return Response(render_fragment("lab/decisions.html", **variables), status, HEADERS, "text/html; charset=utf-8")
    facts = game(slug).facts
    return render_page(
        request,
        "lab/hand.html",
        status=status,
        facts=facts,
        wagers=[wager for wager in facts.wagers if not wager.jackpot],
        tables=[wager.name for wager in paytables(slug, hand_query.wager) if wager.name and wager.is_numeric],
        query=hand_query,
        suits=[[f"{rank}{suit}" for rank in reversed(RANK_LETTERS)] for suit in reversed(SUIT_LETTERS)],
        joker=str(JOKER) if any(deck.jokers for deck in facts.decks) else "",
        **variables,
    )
