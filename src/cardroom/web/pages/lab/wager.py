"""One wager in the lab: its paytable can be changed in place, and what was changed is in the address."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.games import game
from cardroom.games.money import format_cents, parse_dollars
from cardroom.games.registry import UnknownGame
from cardroom.odds.prices import JACKPOT_WAGER_CENTS
from cardroom.odds.result import first_policy
from cardroom.paytables import OperatorBonus, Pay, Paytable, describe_pay, paytable, paytables
from cardroom.web.pages.drawing import HEADERS, fragment, page
from cardroom.web.pages.lab.drawings import meter_drawing
from cardroom.web.pages.lab.figures import exactly, left_out, outcomes, rows, setting_words
from cardroom.web.pages.lab.games import list_games
from cardroom.web.pages.visitors import house_of, player_name
from cardroom.web.room.house import House
from cardroom.web.room.pricing_thoughts import Answered, Changed
from cardroom.web.room.workers import TooBusy

router = APIRouter(include_in_schema=False)
PAY: Final = "pay."
SET: Final = "set."
AT_ONCE: Final = 0.3
"""Seconds that a page waits for its figures before it comes without them."""
PROGRESS: Final = "progress"
ADDRESS: Final = "Lab-Address"
"""The header of a part of the page that says where the whole is found."""


class Asked(NamedTuple):
    """What an address asks for, read but not yet priced."""

    changed: Changed
    beside: str
    """Another printed table, to stand beside; empty for none."""
    typed: Mapping[str, str]
    """What was typed into the fields, by event."""
    meter: str

    @property
    def base(self) -> Paytable:
        return paytable(self.changed.game, self.changed.wager, self.changed.table)

    @property
    def address(self) -> str:
        """The shortest address that asks the same."""
        asked = [("table", self.changed.table)] if self.changed.table else []
        asked += [(PAY + event, pay) for event, pay in self.changed.pays]
        asked += [(SET + name, value) for name, value in self.changed.settings]
        asked += [("meter", self.meter)] if self.meter else []
        asked += [("with", self.beside)] if self.beside else []
        path = f"/lab/{self.changed.game}/wagers/{self.changed.wager}"
        return f"{path}?{urlencode(asked)}" if asked else path


def typed_pay(pay: Pay) -> str:
    """A pay as it can be typed again.

    >>> from cardroom.paytables import parse_pay, Basis
    >>> typed_pay(parse_pay("25%", Basis.FOR_ONE)), typed_pay(parse_pay("3:2", Basis.TO_ONE))
    ('25%', '3 to 2')
    """
    return "" if isinstance(pay, OperatorBonus) else describe_pay(pay).removesuffix(" of the meter")


def asked_for(slug: str, wager: str, query: Mapping[str, str]) -> Asked:
    """Read an address. A pay that is typed as it is printed has not been changed."""
    facts = game(slug).facts
    if wager not in {one.slug for one in facts.wagers}:
        known = ", ".join(one.slug for one in facts.wagers)
        raise UnknownGame(f"{facts.name} has no wager {wager!r}: it has {known}.")
    first = next((one for one in paytables(slug, wager) if one.is_numeric), paytables(slug, wager)[0])
    base = paytable(slug, wager, query.get("table", first.name))
    beside = query.get("with", "")
    if beside:
        paytable(slug, wager, beside)
    typed = {name.removeprefix(PAY): pay.strip() for name, pay in query.items() if name.startswith(PAY)}
    printed = {line.trigger: typed_pay(line.pay) for line in base.lines}
    meter = query.get("meter", "").strip()
    changed = Changed(
        game=slug,
        wager=wager,
        table=base.name,
        pays=tuple((event, pay) for event, pay in typed.items() if pay != printed.get(event, "")),
        settings=tuple((name.removeprefix(SET), value) for name, value in query.items() if name.startswith(SET)),
        meter_cents=parse_dollars(meter) if meter else None,
    )
    return Asked(changed, beside, typed, meter)


async def answers_to(house: House, asked: Asked) -> tuple[Answered, Answered | None]:
    """What the table is worth, and the one beside it."""
    if not asked.beside:
        return await house.lab.price(asked.changed), None
    other = asked.changed._replace(table=asked.beside, pays=())
    first, second = await asyncio.gather(house.lab.price(asked.changed), house.lab.price(other))
    return first, second


def drawn_figures(asked: Asked, told: Answered, beside: Answered | None) -> str:
    """The figures, the outcomes and the meter of what was asked for."""
    columns = [(told.table.name or "by the rules", told.odds)]
    if told.printed is not None and asked.beside != asked.changed.table:
        columns.append((f"{asked.changed.table} as printed", told.printed))
    if beside is not None:
        columns.append((beside.table.name, beside.odds))
    answers = [odds for _, odds in columns]
    shown = Fraction(asked.changed.meter_cents, JACKPOT_WAGER_CENTS) if asked.changed.meter_cents is not None else None
    tables = [(told.table.name, told.odds)] + ([(beside.table.name, beside.odds)] if beside else [])
    return fragment(
        "lab/figures.html",
        names=[name for name, _ in columns],
        rows=list(rows(answers)),
        exactly=[exactly(one) for one in answers],
        outcomes=[(name, outcomes(odds), f"{odds.combinations:,}", odds.simulated_rounds) for name, odds in tables],
        meters=[(name, meter_drawing(odds, shown)) for name, odds in tables if odds.is_jackpot],
        notes=list(dict.fromkeys(note for one in answers for note in one.notes)),
        policy=first_policy(one.policy for one in answers),
        left_out=left_out(game(asked.changed.game).facts.wager(asked.changed.wager), answers),
        thought=max(one.seconds for one in (told, beside) if one is not None),
    )


def shown_form(asked: Asked, told: Answered | None) -> dict[str, Any]:
    """What the fields show: the printed pays, or what was typed over them."""
    changed = asked.changed
    facts = game(changed.game).facts
    lines = [
        {
            "event": line.trigger,
            "printed": line.label,
            "cell": typed_pay(line.pay),
            "shown": asked.typed.get(line.trigger, typed_pay(line.pay)),
            "open": isinstance(line.pay, OperatorBonus),
            "overruled": line.ruling,
        }
        for line in asked.base.lines
    ]
    choices: dict[str, dict[str, str]] = {}
    for one in told.choices if told else ():
        for name, value in one.items():
            choices.setdefault(name, {})[str(value)] = setting_words(name, value)
    return {
        "facts": facts,
        "wager": facts.wager(changed.wager),
        "tables": [one.name for one in paytables(changed.game, changed.wager) if one.name],
        "chosen": changed.table,
        "beside": asked.beside,
        "lines": lines,
        "choices": {name: options for name, options in choices.items() if len(options) > 1},
        "wanted": dict(changed.settings),
        "on_a_meter": facts.wager(changed.wager).jackpot is not None,
        "meter": asked.meter,
        "one_dollar": format_cents(JACKPOT_WAGER_CENTS),
    }


@router.get("/lab/{slug}/wagers/{wager}")
async def show_wager(request: Request, slug: str, wager: str) -> Response:
    """A wager, its table and what it is worth; with ``part`` only the figures."""
    house = house_of(request)
    player_name(request)
    query = dict(request.query_params)
    part = query.pop("part", "")
    asked, told, refusal, figures, status = None, None, "", "", 200
    try:
        asked = asked_for(slug, wager, query)
        if part == PROGRESS:
            return Response(_how_far(house, asked), 200, HEADERS, "text/plain; charset=utf-8")
        async with asyncio.timeout(None if part else AT_ONCE):
            told, beside = await answers_to(house, asked)
            figures = drawn_figures(asked, told, beside)
    except TimeoutError:
        pass  # the page comes without its figures, and asks for them
    except UnknownGame as unknown:
        return await list_games(request, str(unknown))
    except BadInput as refused:
        refusal = str(refused)
        status = 503 if isinstance(refused, TooBusy) else 422
    if part:
        if refusal or asked is None:
            return Response(refusal, status, HEADERS, "text/plain; charset=utf-8")
        return Response(figures, 200, HEADERS | {ADDRESS: asked.address}, "text/html; charset=utf-8")
    if asked is None:
        asked = asked_for(slug, wager, {})
    form = shown_form(asked, told)
    return page(request, "lab/wager.html", status=status, refusal=refusal, figures=figures, **form)


def _how_far(house: House, asked: Asked) -> str:
    told = house.lab.so_far(asked.changed)
    return f"{told.what}, {round(told.part * 100)}%" if told else ""
