"""Settlements as terminal pages: the result of every stake."""

from __future__ import annotations

from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.game_facts import GameFacts
from cardroom.games.money import format_cents
from cardroom.games.record_settlement import (
    PossibleOutcome,
    SettledRecord,
    StakeResult,
    UncertainStake,
    describe_uncertain_stake,
)
from cardroom.games.settlement import Payment, Settlement
from cardroom.games.view import stake_name, wager_name
from cardroom.paytables import Dollars, Loss, describe_pay
from cardroom.terminal.cards import card_tags, face
from cardroom.terminal.console import QUIET, TITLE, net_style

NO_PAYOUT: Final = (Loss(), Dollars(0))


def net_text(cents: int) -> Text:
    """A gain or a loss with its sign and color."""
    return Text(f"+{format_cents(cents)}" if cents > 0 else format_cents(cents), net_style(cents))


def settlement_table(settlement: Settlement, facts: GameFacts) -> RenderableType:
    """Every stake of every seat, and the totals of the seats and the card room."""
    grid = _grid(facts)
    for seat in settlement.seats:
        _add_seat(grid, facts, seat, settlement.seat_payments(seat))
    house = (format_cents(settlement.wagered), format_cents(settlement.returned), net_text(settlement.house_net))
    grid.add_row(Text("The card room", "bold"), "", *house)
    return grid


def record_page(result: SettledRecord) -> RenderableType:
    """The settlement of a recorded round: its note, the dealer's hand, every stake, and the effect of unknown cards."""
    if result.is_certain:
        table = settlement_table(result.settlement, result.facts)
    else:
        table = _grid(result.facts)
        for seat in sorted({stake.seat for stake in result.stake_results}):
            _add_seat(table, result.facts, seat, tuple(stake for stake in result.stake_results if stake.seat == seat))
    note = [Text.assemble(("Note: ", QUIET), result.note)] if result.note else []
    dealer = [Text.assemble(("The dealer: ", QUIET), result.dealer_description)] if result.dealer_description else []
    return Group(*note, *dealer, table, *([_unknown_cards_text(result)] if result.unknown_counts else []))


def _unknown_cards_text(result: SettledRecord) -> Text:
    """Whether the unknown cards could change the payouts."""
    assert result.unknown_counts is not None
    places_text = ", ".join(f"{number} at {place}" for place, number in result.unknown_counts.items())
    cards = "card is" if sum(result.unknown_counts.values()) == 1 else "cards are"
    text = Text(f"{sum(result.unknown_counts.values())} {cards} unknown: {places_text}. ")
    if result.is_certain:
        return text.append("They cannot change the payouts.", "bold")
    several = (
        "1 stake depends" if len(result.uncertain_stakes) == 1 else f"{len(result.uncertain_stakes)} stakes depend"
    )
    return text.append(f"{several} on them; all others are certain.", "bold")


def _grid(facts: GameFacts) -> Grid:
    grid = Grid(title=f"{facts.name}: take or pay", title_style=TITLE, title_justify="left", box=box.SIMPLE_HEAD)
    grid.add_column("What happened", ratio=1)
    grid.add_column("Pays", max_width=16)
    for amount in ("Wagered", "Returned", "Net"):
        grid.add_column(amount, justify="right", no_wrap=True)
    return grid


def _add_seat(grid: Grid, facts: GameFacts, seat: int, stakes: tuple[StakeResult, ...]) -> None:
    """A seat's stakes and, if all of them are certain, its total."""
    grid.add_row(Text(f"Seat {seat}", "bold"))
    certain = [stake for stake in stakes if not isinstance(stake, UncertainStake)]
    for stake in stakes:
        if isinstance(stake, UncertainStake):
            span = (
                f"{format_cents(stake.least.returned)}–{format_cents(stake.most.returned)}" if stake.has_range else "?"
            )
            grid.add_row(_doubt_text(facts, stake), "", format_cents(stake.wagered), span, "?")
        else:
            grid.add_row(
                _payment_text(facts, stake),
                _pays(stake),
                format_cents(stake.wagered),
                format_cents(stake.known_return),
                _net(stake),
            )
    total, wagered = Text(f"Seat {seat} total", "bold"), sum(stake.wagered for stake in stakes)
    if len(certain) < len(stakes):
        grid.add_row(total, "", format_cents(wagered), "?", "?", end_section=True)
        return
    returned = sum(stake.known_return for stake in certain)
    grid.add_row(
        total, "", format_cents(wagered), format_cents(returned), net_text(returned - wagered), end_section=True
    )


def _payment_text(facts: GameFacts, payment: Payment) -> Text:
    """The wager, its result as text, and the event with its cards; both hands of a comparison."""
    text = _stake_label(facts, payment).append(f"\n{payment.text}\n{payment.event}  ", QUIET)
    if payment.comparison is None:
        return text.append(card_tags(payment.cards))
    return (
        text.append(card_tags(payment.comparison.player))
        .append(" vs. ", QUIET)
        .append(card_tags(payment.comparison.dealer))
    )


def _stake_label(facts: GameFacts, stake: StakeResult) -> Text:
    label = Text(wager_name(facts, stake.spot))
    return label.append(f" · {stake.stake}") if stake.stake != stake.spot else label


def _doubt_text(facts: GameFacts, doubt: UncertainStake) -> Text:
    """The wager, and the cards that give it the minimum and the maximum."""
    text = _stake_label(facts, doubt).append(f"\n{describe_uncertain_stake(doubt)}", "bold")
    for possibility in (doubt.least, doubt.most) if doubt.has_range else ():
        text.append(f"\n{format_cents(possibility.returned)} with {_cards_text(possibility)}: ", QUIET).append(
            _payments_text(possibility), QUIET
        )
    return text


def _cards_text(possibility: PossibleOutcome) -> str:
    return "; ".join(f"{' '.join(map(face, cards))} at {place}" for place, cards in possibility.cards.items())


def _payments_text(possibility: PossibleOutcome) -> str:
    return "; ".join(payment.text for payment in possibility.payments) or "no win"


def round_result(settlement: Settlement, facts: GameFacts, seat: int, *, is_brief: bool = False) -> RenderableType:
    """One seat's result below the table, without headings if there is little space."""
    grid = Grid(box=None, padding=(0, 2, 0, 0), expand=True, header_style=QUIET, show_header=not is_brief)
    grid.add_column("Wager", overflow="fold", max_width=24)
    grid.add_column("What happened", ratio=1, overflow="fold")
    grid.add_column("Pays", overflow="fold", max_width=17)
    grid.add_column("Net", justify="right", no_wrap=True)
    for payment in settlement.seat_payments(seat):
        description = _shorten(payment.text) if is_brief else payment.text
        grid.add_row(_stake_text(facts, payment), description, _pays(payment), _net(payment))
    return grid


def _shorten(description: str) -> str:
    """Without the facts that other columns show: that nothing is paid, and that both hands share one wager."""
    return description.removesuffix("; one wager for both hands").removesuffix("; no line pays")


def _stake_text(facts: GameFacts, payment: Payment) -> str:
    """The name of the stake with its chips. A stake that shares them, such as a split's second hand, has none."""
    name = stake_name(facts, payment.spot, payment.stake)
    return f"{name} {format_cents(payment.wagered)}" if payment.wagered else f"{name} (same wager)"


def _pays(payment: Payment) -> str:
    """The pay of a stake. A stake without a wager cannot lose."""
    if payment.pay in NO_PAYOUT:
        return describe_pay(Loss()) if payment.wagered else "no prize"
    return payment.pay_text


def _net(payment: Payment) -> Text:
    return net_text(payment.known_return - payment.wagered) if payment.wagered or payment.known_return else Text("")
