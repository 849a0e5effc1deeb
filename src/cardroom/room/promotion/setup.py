"""Promotions: an operator's extra prize, or a raised pay, for a paytable trigger of a wager (WAC 230-06-030).

The rules are written and displayed. Every player who makes the wager has the same chance: a promotion depends on
triggers, never on players. Its prizes are dollars, never another chance to gamble. It has dates and limits, and the
house pays it.

>>> from datetime import date
>>> promotion = validate_promotion(read_promotion('''
... id = "summer-straights"
... name = "Summer Straights"
... game = "three-card-prime"
... wager = "pair-bonus"
... paytable = "PB 1+PB/LD 3"
... event = "straight"
... prize = "$25"
... first = "2024-06-01"
... last = "2024-08-31"
... most_prizes = 100
... most_dollars = "$2,500"
... rules = "Every straight on the Pair Bonus wins $25 more while the promotion lasts."
... '''))
>>> compute_promotion_prize(promotion, "straight", date(2024, 7, 4), PromotionTotals(99, 247_500), wagered=500)
2500
>>> compute_promotion_prize(promotion, "straight", date(2024, 7, 4), PromotionTotals(100, 250_000), wagered=500)
0
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any, Final, NamedTuple

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.games import SetupFault, game
from cardroom.games.money import format_cents
from cardroom.paytables import (
    ForOne,
    Paytable,
    ToOne,
    compute_exact_return,
    describe_pay,
    is_payable,
    parse_pay,
    paytable,
)
from cardroom.room.codec import array_like, register_codec
from cardroom.room.setup.jackpot import currency_to_mapping
from cardroom.room.setup.toml_reader import InvalidSetup, SetupSection, UnreadableSetup, read_toml

_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NAMES: Final = ("id", "name", "game", "wager", "paytable", "event")


class BadPromotion(InvalidSetup):
    """A promotion that breaks rules; ``faults`` has all of them."""

    beginning = "The promotion cannot start:"


class NoPromotion(BadInput):
    """The promotion does not pay, or does not exist."""


class Promotion(NamedTuple):
    """A promotion as written in its setup file; ``validate_promotion`` checks it."""

    id: str
    name: str
    game: str
    wager: str
    paytable: str
    event: str
    rules: str
    first: date
    last: date
    most_prizes: int
    most_cents: int
    prize: int | None = None
    """An extra prize in cents."""
    pay: str | None = None
    """Or a raised pay, such as ``"60 to 1"``."""
    consent: str = ""
    """The document by which the game's owner consents, if the sheet requires consent."""
    money: Currency = Currency.REAL
    """The currency that it pays, at tables of the same currency."""

    def runs_on(self, day: date) -> bool:
        """Whether a day is between its dates."""
        return self.first <= day <= self.last


@array_like
class PromotionTotals(NamedTuple):
    """The prizes that a promotion has paid so far."""

    prizes: int = 0
    cents: int = 0


def read_promotion(text: str) -> Promotion:
    """Read a promotion from TOML."""
    return promotion_from_mapping(read_toml(text, "The promotion"))


def promotion_from_mapping(mapping: object) -> Promotion:
    """A promotion from a TOML or JSON mapping."""
    top = SetupSection(mapping, "the promotion")
    promotion = Promotion(
        **{name: top.require(name, str) for name in _NAMES},
        rules=top.get("rules", str, ""),
        first=_date(top, "first"),
        last=_date(top, "last"),
        most_prizes=top.require("most_prizes", int),
        most_cents=top.amount("most_dollars"),
        prize=top.amount("prize") if "prize" in top else None,
        pay=top.require("pay", str) if "pay" in top else None,
        consent=top.get("consent", str, "").strip(),
        money=top.money(),
    )
    top.refuse_unread()
    return promotion


def _date(top: SetupSection, name: str) -> date:
    text = top.require(name, str)
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UnreadableSetup(f'{quote(name)} must be a date such as "2024-06-01"; {quote(text)} is not.') from None


def promotion_to_mapping(promotion: Promotion) -> dict[str, Any]:
    """The mapping that ``promotion_from_mapping`` reads."""
    entry: dict[str, Any] = {name: getattr(promotion, name) for name in (*_NAMES, "rules", "most_prizes")}
    entry |= {"first": promotion.first.isoformat(), "last": promotion.last.isoformat()}
    entry |= {"most_dollars": format_cents(promotion.most_cents)}
    entry |= {"pay": promotion.pay} if promotion.prize is None else {"prize": format_cents(promotion.prize)}
    return entry | ({"consent": promotion.consent} if promotion.consent else {}) | currency_to_mapping(promotion.money)


def validate_promotion(promotion: Promotion) -> Promotion:
    """Check a promotion; refuse it with all its faults."""
    faults = tuple(_find_faults(promotion))
    if faults:
        raise BadPromotion(faults)
    return promotion


def _find_faults(promotion: Promotion) -> Iterator[SetupFault]:
    law = "WAC 230-06-030"
    if not _ID.fullmatch(promotion.id):
        sentence = (
            f"{quote(promotion.id)} is not an id: use lowercase letters, digits, and hyphens, such as "
            '"summer-straights".'
        )
        yield SetupFault("id", sentence, "setup")
    if not promotion.rules.strip():
        yield SetupFault("rules", "The rules are empty: write the rules that are displayed.", law)
    if promotion.last < promotion.first:
        sentence = f"The last day, {promotion.last}, is before the first day, {promotion.first}: correct the dates."
        yield SetupFault("dates", sentence, "setup")
    if promotion.most_prizes < 1 or promotion.most_cents < 1:
        yield SetupFault("limit", "Set limits above zero in 'most_prizes' and 'most_dollars'.", "setup")
    if (promotion.prize is None) == (promotion.pay is None):
        yield SetupFault("prize", "Give either an extra 'prize' in dollars or a raised 'pay', not both.", law)
    if promotion.prize is not None and not 0 < promotion.prize <= promotion.most_cents:
        yield SetupFault("prize", "The extra prize must be above zero and at most 'most_dollars'.", "setup")
    try:
        table = _table(promotion)
    except BadInput as fault:
        yield SetupFault("paytable", str(fault), "paytables")
        return
    yield from _find_consent_faults(promotion)
    line = table.find_line(promotion.event)
    if line is None:
        events = ", ".join(table_line.trigger for table_line in table.lines)
        sentence = f"Paytable {table.name} has no line {quote(promotion.event)}. Its lines: {events}."
        yield SetupFault("event", sentence, "paytables")
    elif promotion.pay is not None:
        yield from _find_pay_faults(table, promotion.pay, promotion.event)


def _find_consent_faults(promotion: Promotion) -> Iterator[SetupFault]:
    facts = game(promotion.game).facts
    if facts.promotion_consent and not promotion.consent:
        yield SetupFault(
            "consent",
            f"A promotion for {facts.name} needs the written consent of {facts.promotion_consent}: name the document, "
            'such as consent = "letter of 2026-05-02".',
            "rule sheet",
        )


def _table(promotion: Promotion) -> Paytable:
    return paytable(promotion.game, promotion.wager, promotion.paytable)


def _find_pay_faults(table: Paytable, pay: str, event: str) -> Iterator[SetupFault]:
    try:
        raised = parse_pay(pay, table.basis)
    except BadInput as fault:
        yield SetupFault("pay", str(fault), "paytables")
        return
    line = table.find_line(event)
    assert line is not None
    match line.pay, raised:
        case (ToOne(printed), ToOne(odds)) | (ForOne(printed), ForOne(odds)):
            if odds <= printed:
                yield SetupFault(
                    "pay",
                    f"{describe_pay(raised)} is not more than {describe_pay(line.pay)}, which the paytable pays.",
                    "setup",
                )
        case _:
            sentence = (
                f"{describe_pay(line.pay)} cannot be raised to {describe_pay(raised)}: enter higher odds, or an extra "
                "prize."
            )
            yield SetupFault("pay", sentence, "setup")


def compute_promotion_prize(
    promotion: Promotion, event: str, when: date, paid: PromotionTotals, *, wagered: int, to_the_cent: bool = True
) -> int:
    """The cents that the promotion adds for a trigger: 0 for another trigger, outside its dates, or above a limit. A
    prize is paid in full or not at all, so that all winners get the same. Odds that do not pay whole cents are refused,
    or rounded down."""
    if event != promotion.event or not promotion.runs_on(when):
        return 0
    prize = _unlimited_prize(promotion, wagered, to_the_cent=to_the_cent)
    fits = paid.prizes < promotion.most_prizes and paid.cents + prize <= promotion.most_cents
    return prize if fits else 0


def _unlimited_prize(promotion: Promotion, wagered: int, *, to_the_cent: bool) -> int:
    if promotion.prize is not None:
        return promotion.prize
    assert promotion.pay is not None
    table = _table(promotion)
    line, raised = table.find_line(promotion.event), parse_pay(promotion.pay, table.basis)
    assert line is not None
    if to_the_cent and not is_payable(raised, wagered):
        raise NoPromotion(f"A wager of {format_cents(wagered)} at {describe_pay(raised)} does not pay whole cents.")
    return int(
        compute_exact_return(raised, wagered, table.basis) - compute_exact_return(line.pay, wagered, table.basis)
    )


register_codec(Promotion, promotion_to_mapping, promotion_from_mapping)
