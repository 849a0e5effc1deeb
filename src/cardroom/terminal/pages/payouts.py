"""A settlement: what became of every stake."""

from __future__ import annotations

from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.dispute import SettledRecord
from cardroom.games.layout_words import stake_name, wager_name
from cardroom.games.money import money
from cardroom.games.settlement import Payment, Settlement
from cardroom.games.spot import GameFacts
from cardroom.games.unknown_cards import Doubt, Possible, Settled, doubt_words
from cardroom.paytables import Dollars, Loss, words
from cardroom.terminal.cards import face, tags
from cardroom.terminal.palette import QUIET, TITLE, net_style

NOTHING: Final = (Loss(), Dollars(0))


def net_text(cents: int) -> Text:
    """A gain or a loss with its sign and color."""
    return Text(f"+{money(cents)}" if cents > 0 else money(cents), net_style(cents))


def settlement_table(settlement: Settlement, facts: GameFacts) -> RenderableType:
    """Every stake of every seat, the seats' totals and the house's."""
    grid = _grid(facts)
    for seat in settlement.seats:
        _add_seat(grid, facts, seat, settlement.of(seat))
    house = (money(settlement.wagered), money(settlement.returned), net_text(settlement.house))
    grid.add_row(Text("The house", "bold"), "", *house)
    return grid


def record_page(answer: SettledRecord) -> RenderableType:
    """The answer to a written round: what was written beside it, how the dealer's hand came about, every stake, and
    what cards that nobody knows could change."""
    if answer.certain:
        table = settlement_table(answer.settlement, answer.facts)
    else:
        table = _grid(answer.facts)
        for seat in sorted({one.seat for one in answer.stakes}):
            _add_seat(table, answer.facts, seat, tuple(one for one in answer.stakes if one.seat == seat))
    note = [Text.assemble(("Note: ", QUIET), answer.note)] if answer.note else []
    dealer = [Text.assemble(("The dealer: ", QUIET), answer.dealer)] if answer.dealer else []
    return Group(*note, *dealer, table, *([_unknown(answer)] if answer.unknown else []))


def _unknown(answer: SettledRecord) -> Text:
    """Whether the unknown cards could change the answer."""
    assert answer.unknown is not None
    there = ", ".join(f"{number} at {place}" for place, number in answer.unknown.items())
    cards = "card is" if sum(answer.unknown.values()) == 1 else "cards are"
    told = Text(f"{sum(answer.unknown.values())} {cards} known to nobody: {there}. ")
    if answer.certain:
        return told.append("Whatever they were, the answer is the same.", "bold")
    several = "1 stake hangs" if len(answer.doubts) == 1 else f"{len(answer.doubts)} stakes hang"
    return told.append(f"{several} on them; all others are certain.", "bold")


def _grid(facts: GameFacts) -> Grid:
    grid = Grid(title=f"{facts.name}: take or pay", title_style=TITLE, title_justify="left", box=box.SIMPLE_HEAD)
    grid.add_column("What happened", ratio=1)
    grid.add_column("Pays", max_width=16)
    for amount in ("Wagered", "Returned", "Net"):
        grid.add_column(amount, justify="right", no_wrap=True)
    return grid


def _add_seat(grid: Grid, facts: GameFacts, seat: int, stakes: tuple[Settled, ...]) -> None:
    """A seat's stakes and, where all of them are certain, its total."""
    grid.add_row(Text(f"Seat {seat}", "bold"))
    certain = [one for one in stakes if not isinstance(one, Doubt)]
    for one in stakes:
        if isinstance(one, Doubt):
            span = f"{money(one.least.returned)}–{money(one.most.returned)}" if one.changes else "?"
            grid.add_row(_doubted(facts, one), "", money(one.wagered), span, "?")
        else:
            grid.add_row(_happened(facts, one), _pays(one), money(one.wagered), money(one.paid), _net(one))
    total, wagered = Text(f"Seat {seat} in all", "bold"), sum(one.wagered for one in stakes)
    if len(certain) < len(stakes):
        grid.add_row(total, "", money(wagered), "?", "?", end_section=True)
        return
    back = sum(one.paid for one in certain)
    grid.add_row(total, "", money(wagered), money(back), net_text(back - wagered), end_section=True)


def _happened(facts: GameFacts, payment: Payment) -> Text:
    """The wager, what became of it in words, and the event with the cards that made it; of a comparison both hands."""
    told = _named(facts, payment).append(f"\n{payment.words}\n{payment.event}  ", QUIET)
    if payment.compared is None:
        return told.append(tags(payment.cards))
    return told.append(tags(payment.compared.player)).append(" against ", QUIET).append(tags(payment.compared.dealer))


def _named(facts: GameFacts, stake: Settled) -> Text:
    told = Text(wager_name(facts, stake.spot))
    return told.append(f" · {stake.stake}") if stake.stake != stake.spot else told


def _doubted(facts: GameFacts, doubt: Doubt) -> Text:
    """The wager, and the cards that make it come to the least and to the most."""
    told = _named(facts, doubt).append(f"\n{doubt_words(doubt)}", "bold")
    for one in (doubt.least, doubt.most) if doubt.changes else ():
        told.append(f"\n{money(one.returned)} with {_with(one)}: ", QUIET).append(_came(one), QUIET)
    return told


def _with(one: Possible) -> str:
    return "; ".join(f"{' '.join(map(face, cards))} at {place}" for place, cards in one.cards.items())


def _came(one: Possible) -> str:
    return "; ".join(payment.words for payment in one.payments) or "nothing is won"


def round_result(settlement: Settlement, facts: GameFacts, seat: int, *, brief: bool = False) -> RenderableType:
    """One seat's result to stand under the felt, without headings where there is little room."""
    grid = Grid(box=None, padding=(0, 2, 0, 0), expand=True, header_style=QUIET, show_header=not brief)
    grid.add_column("Wager", overflow="fold", max_width=24)
    grid.add_column("What happened", ratio=1, overflow="fold")
    grid.add_column("Pays", overflow="fold", max_width=17)
    grid.add_column("Net", justify="right", no_wrap=True)
    for payment in settlement.of(seat):
        said = _in_brief(payment.words) if brief else payment.words
        grid.add_row(_stake(facts, payment), said, _pays(payment), _net(payment))
    return grid


def _in_brief(said: str) -> str:
    """Without what the columns beside it say: that nothing is paid, and that both hands have one wager."""
    return said.removesuffix("; one wager for both hands").removesuffix("; no line pays")


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
