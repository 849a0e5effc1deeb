"""A settlement for people and for programs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.money import money
from cardroom.games.settlement import Payment, Settlement
from cardroom.games.spot import GameFacts
from cardroom.paytables import words
from cardroom.terminal.cards import tags
from cardroom.terminal.names import stake_name, wager_name
from cardroom.terminal.palette import QUIET, TITLE, net_style


def signed(cents: int) -> Text:
    """A gain or a loss with its sign and color."""
    return Text(f"+{money(cents)}" if cents > 0 else money(cents), net_style(cents))


def pays(payment: Payment) -> str:
    """What the stake is paid, and what became of a share of a meter."""
    if payment.meter is None:
        return words(payment.pay)
    shared = f", shared by {payment.meter.winners}" if payment.meter.winners > 1 else ""
    unknown = "; give the meter's value to pay it" if payment.meter.cents is None else ""
    return f"{words(payment.pay)}{shared}{unknown}"


def settlement_table(settlement: Settlement, facts: GameFacts) -> RenderableType:
    """Every stake of every seat, the seats' totals and the house's."""
    grid = Grid(title=f"{facts.name}: take or pay", title_style=TITLE, title_justify="left", box=box.SIMPLE_HEAD)
    grid.add_column("What happened", ratio=1)
    grid.add_column("Pays", max_width=16)
    for amount in ("Wagered", "Returned", "Net"):
        grid.add_column(amount, justify="right", no_wrap=True)
    for seat in settlement.seats:
        of_seat = settlement.of(seat)
        grid.add_row(Text(f"Seat {seat}", "bold"))
        for payment in of_seat:
            net = signed(payment.net)
            grid.add_row(_happened(facts, payment), pays(payment), money(payment.wagered), money(payment.returned), net)
        wagered, back = sum(one.wagered for one in of_seat), sum(one.returned for one in of_seat)
        total = Text(f"Seat {seat} in all", "bold")
        grid.add_row(total, "", money(wagered), money(back), signed(back - wagered), end_section=True)
    house = (money(settlement.wagered), money(settlement.returned), signed(settlement.house))
    grid.add_row(Text("The house", "bold"), "", *house)
    return grid


def _happened(facts: GameFacts, payment: Payment) -> Text:
    """The wager, what became of it in words, and the event with the cards that made it."""
    told = Text(wager_name(facts, payment.spot))
    if payment.stake != payment.spot:
        told.append(f" · {payment.stake}")
    return told.append(f"\n{payment.words}\n{payment.event}  ", QUIET).append(tags(payment.cards))


def round_result(settlement: Settlement, facts: GameFacts, seat: int, *, short: bool) -> RenderableType:
    """One seat's result to stand under the felt; on a low screen each stake has one line."""
    grid = Grid(box=None, padding=(0, 2, 0, 0), expand=True, header_style=QUIET)
    grid.add_column("Wager", no_wrap=True)
    grid.add_column("What happened", ratio=1, no_wrap=short, overflow="ellipsis")
    grid.add_column("Pays", no_wrap=True)
    grid.add_column("Net", justify="right", no_wrap=True)
    for payment in settlement.of(seat):
        name = f"{stake_name(facts, payment.spot, payment.stake)} {money(payment.wagered)}"
        grid.add_row(name, payment.words, pays(payment), signed(payment.net))
    return grid


def settlement_entry(settlement: Settlement, facts: GameFacts) -> dict[str, Any]:
    """A settlement as JSON; every amount in whole cents."""
    return {
        "game": facts.slug,
        "payments": [payment_entry(payment) for payment in settlement.payments],
        "seats": {str(seat): _totals(settlement.of(seat)) for seat in settlement.seats},
        "house": settlement.house,
    }


def payment_entry(payment: Payment) -> dict[str, Any]:
    """One stake as JSON."""
    return {
        "seat": payment.seat,
        "spot": payment.spot,
        "stake": payment.stake,
        "event": payment.event,
        "words": payment.words,
        "cards": [str(card) for card in payment.cards],
        "pays": words(payment.pay),
        "wagered": payment.wagered,
        "returned": payment.returned,
        "net": payment.net,
        "meter": None
        if payment.meter is None
        else {
            "percent": _number(payment.meter.percent * 100),
            "winners": payment.meter.winners,
            "share": str(payment.meter.share),
            "cents": payment.meter.cents,
        },
    }


def _totals(payments: tuple[Payment, ...]) -> dict[str, int]:
    wagered, back = sum(one.wagered for one in payments), sum(one.returned for one in payments)
    return {"wagered": wagered, "returned": back, "net": back - wagered}


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
