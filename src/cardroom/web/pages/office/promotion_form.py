"""A promotion as it is filled in: what was typed becomes a promotion, and every fault is told beside its field."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final, NamedTuple

from cardroom.accounts import Currency
from cardroom.documents import format_toml_lines
from cardroom.errors import BadInput, quote
from cardroom.games import GameFacts, default_setup, game
from cardroom.games.money import format_cents, parse_dollars
from cardroom.jackpots import BadPromotion, Promotion, open_promotion, promotion_entry
from cardroom.paytables import Paytable, paytables
from cardroom.web.pages.office.fields import Faults, Fields, Typed, by_place

_PLACES: Final = {"dates": "last", "limit": "most_prizes", "id": "promotion"}
"""Where the form has what the promotion's door calls otherwise."""


class FilledPromotion(NamedTuple):
    """A form as it stands: the promotion that it would begin, and what is against it."""

    promotion: Promotion
    faults: Faults

    @property
    def text(self) -> str:
        """The promotion's file."""
        return "\n".join(format_toml_lines(promotion_entry(self.promotion))) + "\n"

    @property
    def number(self) -> int:
        """How many faults there are."""
        return sum(map(len, self.faults.values()))


def blank(slug: str, today: date) -> dict[str, str]:
    """The form before anybody types, for a month from today; the consent, where one is needed, is theirs to name."""
    facts = game(slug).facts
    wager = facts.wagers[1] if len(facts.wagers) > 1 else facts.wagers[0]
    offered = default_setup(slug).wagers.get(wager.slug)
    tables = paytables(slug, wager.slug)
    table = next((one for one in tables if offered and one.name == offered.paytable), tables[0])
    last = date(today.year + today.month // 12, today.month % 12 + 1, min(today.day, 28))
    return {
        "game": facts.slug,
        "promotion": f"more-for-{wager.slug}",
        "name": f"More for {wager.name}",
        "wager": wager.slug,
        "paytable": table.name,
        "event": table.lines[0].trigger if table.lines else "",
        "prize": format_cents(25_00),
        "pay": "",
        "first": today.isoformat(),
        "last": last.isoformat(),
        "most_prizes": "100",
        "most_dollars": format_cents(2_500_00),
        "consent": "",
        "money": str(Currency.REAL),
        "rules": "",
    }


def table_chosen(facts: GameFacts, typed: Typed) -> tuple[str, tuple[Paytable, ...], Paytable]:
    """The wager, its paytables, and the one that is chosen; the first where it is none of them."""
    wager = next((one.slug for one in facts.wagers if one.slug == typed.get("wager")), facts.wagers[0].slug)
    tables = paytables(facts.slug, wager)
    return wager, tables, next((one for one in tables if one.name == typed.get("paytable")), tables[0])


def read_form(typed: Typed) -> FilledPromotion:
    """What a form says, with every fault at once."""
    facts = game(typed.get("game", "")).facts
    reading = Fields(typed)
    wager, _, table = table_chosen(facts, typed)
    event = next((line.trigger for line in table.lines if line.trigger == reading.text("event")), "")
    promotion = Promotion(
        id=reading.text("promotion"),
        name=reading.text("name"),
        game=facts.slug,
        wager=wager,
        paytable=table.name,
        event=event or (table.lines[0].trigger if table.lines else ""),
        rules=reading.text("rules"),
        first=reading.read("first", _date, date.min),
        last=reading.read("last", _date, date.max),
        most_prizes=reading.number("most_prizes", 100),
        most_cents=reading.read("most_dollars", parse_dollars, 10**9),
        prize=reading.read("prize", parse_dollars, 1) if reading.text("prize") else None,
        pay=reading.text("pay") or None,
        consent=reading.text("consent"),
        money=Currency.PLAY if reading.text("money") == Currency.PLAY else Currency.REAL,
    )
    faults = reading.faults
    try:
        open_promotion(promotion)
    except BadPromotion as bad:
        faults += [one._replace(section=_PLACES.get(one.section, one.section)) for one in bad.faults]
    return FilledPromotion(promotion, by_place(faults))


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{quote(text)} is not a day: write it as YYYY-MM-DD.") from None


def choices_shown(typed: Typed) -> Mapping[str, Any]:
    """What there is to choose from."""
    facts = game(typed.get("game", "")).facts
    _, tables, table = table_chosen(facts, typed)
    return {"facts": facts, "tables": tables, "lines": table.lines}
