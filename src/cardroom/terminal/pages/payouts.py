"""A settlement: what became of every stake."""

from __future__ import annotations

from typing import Final

from rich import box
from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.layout_words import stake_name, wager_name
from cardroom.games.money import money
from cardroom.games.settlement import Payment, Settlement
from cardroom.games.spot import GameFacts
from cardroom.paytables import Dollars, Loss, words
from cardroom.terminal.cards import tags
from cardroom.terminal.palette import QUIET, TITLE, net_style

NOTHING: Final = (Loss(), Dollars(0))


def net_text(cents: int) -> Text:
    """A gain or a loss with its sign and color."""
    return Text(f"+{money(cents)}" if cents > 0 else money(cents), net_style(cents))


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
            net = net_text(payment.paid - payment.wagered)
            grid.add_row(_happened(facts, payment), payment.pays, money(payment.wagered), money(payment.paid), net)
        wagered, back = sum(one.wagered for one in of_seat), sum(one.paid for one in of_seat)
        total = Text(f"Seat {seat} in all", "bold")
        grid.add_row(total, "", money(wagered), money(back), net_text(back - wagered), end_section=True)
    house = (money(settlement.wagered), money(settlement.returned), net_text(settlement.house))
    grid.add_row(Text("The house", "bold"), "", *house)
    return grid


def _happened(facts: GameFacts, payment: Payment) -> Text:
    """The wager, what became of it in words, and the event with the cards that made it."""
    told = Text(wager_name(facts, payment.spot))
    if payment.stake != payment.spot:
        told.append(f" · {payment.stake}")
    return told.append(f"\n{payment.words}\n{payment.event}  ", QUIET).append(tags(payment.cards))


def round_result(settlement: Settlement, facts: GameFacts, seat: int, *, brief: bool = False) -> RenderableType:
    """One seat's result to stand under the felt, without headings where there is little room."""
    grid = Grid(box=None, padding=(0, 2, 0, 0), expand=True, header_style=QUIET, show_header=not brief)
    grid.add_column("Wager", overflow="fold", max_width=24)
    grid.add_column("What happened", ratio=1, overflow="fold")
    grid.add_column("Pays", overflow="fold", max_width=17)
    grid.add_column("Net", justify="right", no_wrap=True)
    for payment in settlement.of(seat):
        grid.add_row(_stake(facts, payment), payment.words, _pays(payment), _net(payment))
    return grid


def _stake(facts: GameFacts, payment: Payment) -> str:
    """The chips by their name; what rides on them besides, such as the second hand of a split, has none of its own."""
    name = stake_name(facts, payment.spot, payment.stake)
    return f"{name} {money(payment.wagered)}" if payment.wagered else f"{name} (same wager)"


def _pays(payment: Payment) -> str:
    """A loss is called that on every table; where nothing was wagered nothing can be lost."""
    if payment.pay in NOTHING:
        return words(Loss()) if payment.wagered else "no prize"
    return payment.pays


def _net(payment: Payment) -> Text:
    return net_text(payment.paid - payment.wagered) if payment.wagered or payment.paid else Text("")
