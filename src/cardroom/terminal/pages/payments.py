"""Claims and their prizes, promotions, due deposits, and the play-money tag as terminal pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from cardroom.cards import parse_cards
from cardroom.chart_of_accounts import Currency
from cardroom.room.amount_text import format_amount, format_dollars
from cardroom.room.descriptions.event_phrases import player_text
from cardroom.room.jackpot.event_values import ChipsOutcome
from cardroom.room.jackpot.pending_claims import Claim, JackpotPrize
from cardroom.room.payment_references import DECLINED, Payout
from cardroom.room.promotion.state import PromotionState
from cardroom.service import ClaimDecisionResult, ClaimResult, DepositDue, PromotionPaymentResult, PromotionSummary
from cardroom.service.json_output import summarize_promotion
from cardroom.terminal.cards import card_tags
from cardroom.terminal.console import BAD, COST, GOOD, QUIET, SLUG
from cardroom.terminal.pages.columns import CellText, ColumnAlign, ColumnHeading, TextColumns


def currency_tag(currency: Currency, prefix: str = "", suffix: str = "  ") -> tuple[tuple[str, str], ...]:
    """The play-money tag next to a name or an amount, for ``Text.assemble``.

    >>> currency_tag(Currency.PLAY)[0][0], currency_tag(Currency.REAL)
    ('play money  ', ())
    """
    return ((f"{prefix}{currency.label}{suffix}", COST),) if currency is Currency.PLAY else ()


def deposit_line(due: DepositDue | None) -> Iterator[RenderableType]:
    """The next bank deposit and its deadline, if money is waiting."""
    if due is None:
        return
    if due.is_due:
        yield from deposit_warning(due)
    else:
        yield Text(f"  to deposit by {due.by}: {format_amount(due.amount)}", QUIET)


def deposit_warning(due: DepositDue | None) -> Iterator[RenderableType]:
    """A warning if a deposit is due."""
    if due is not None and due.is_due:
        overdue_days = due.overdue_days
        deadline = f"is overdue by {overdue_days} day{'s' * (overdue_days != 1)}" if overdue_days else "is due today"
        age_text = f"the oldest money is from {due.since}"
        yield indent_line(f"A deposit of {format_amount(due.amount)} for {due.jackpot} {deadline}: {age_text}.", BAD)


def indent_line(text: str | Text, style: str = "") -> RenderableType:
    """An indented line under the meters, with wrapped lines at the same indent."""
    return Padding(Text(text, style) if isinstance(text, str) else text, (0, 0, 0, 2), expand=False)


def claims_table(claims: Sequence[Claim]) -> RenderableType:
    """Pending claims, oldest first."""
    return Group(*(_pending_claim(claim) for claim in claims))


def _pending_claim(claim: Claim) -> RenderableType:
    title = Text.assemble(
        (f"Claim {claim.order} pending  ", COST),
        (claim.id, SLUG),
        (f"  {claim.table}, round {claim.round}, dealt by {claim.dealt}", QUIET),
        (f", claimed by {claim.dealer}" if claim.is_claimed_by_another else "", QUIET),
        (", two people must verify it" if claim.automatic else "", COST),
    )
    return Group(title, prizes_table(claim.prizes))


def prizes_table(prizes: Sequence[JackpotPrize]) -> RenderableType:
    """The prize of each hand and its source."""
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET, show_footer=len(prizes) > 1)
    grid.add_column("Seat", justify="right")
    grid.add_column("Hand", footer="Total")
    grid.add_column("Pays")
    grid.add_column("From")
    grid.add_column("Prize", justify="right", no_wrap=True, footer=format_dollars(sum(prize.cents for prize in prizes)))
    for prize in prizes:
        hand = Text(prize.words).append("  ").append(card_tags(parse_cards(" ".join(prize.cards))))
        source = f"level {prize.level}" if prize.level else "the card room"
        grid.add_row(str(prize.seat), hand, prize.pays, source, Text(format_dollars(prize.cents), "bold"))
    return grid


def filed_claim_page(result: ClaimResult) -> RenderableType:
    """The result of a claim, and the next step."""
    parts: list[RenderableType] = []
    if result.paid:
        tag = currency_tag(result.summary.money, prefix=" ", suffix="")
        parts += [Text.assemble(("Paid at once from the chip tray:", GOOD), *tag), prizes_table(result.paid)]
    if result.pending:
        parts += [
            Text.assemble(
                (f"Claim {result.order} is pending: ", COST), *currency_tag(result.summary.money), (result.claim, SLUG)
            ),
            prizes_table(result.pending),
            *(Text(f"Claim {claim} is now {format_dollars(cents)}.", COST) for claim, cents in result.revalued.items()),
            Text(
                f"Two people verify it: cardroom claim pay {result.summary.jackpot} {quote(result.claim)} "
                "--player NAME --payment check --reference NUMBER --by LOGIN --second LOGIN",
                QUIET,
            ),
        ]
    return Group(*parts)


def decided_claim_page(result: ClaimDecisionResult, *, is_paid: bool) -> RenderableType:
    """A claim that was paid or refused."""
    heading = (
        (f"Paid: {format_dollars(result.cents)}", GOOD)
        if is_paid
        else (f"Refused: {format_dollars(result.cents)} returned", COST)
    )
    title = Text.assemble(heading, "  ", *currency_tag(result.summary.money), (f"claim {result.claim}", QUIET))
    return Group(
        title, prizes_table(result.prizes), *(line for payout in result.payouts for line in payout_lines(payout))
    )


def payout_lines(payout: Payout) -> Iterator[RenderableType]:
    """The payee and the method; the sources of the money, if there are several."""
    recipient = f", {player_text(payout.player)}" if payout.player == DECLINED else f" to {payout.player}"
    yield indent_line(f"seat {payout.seat}: {format_dollars(payout.cents)}{recipient}, {payout.text}")
    if payout.escrow and payout.house:
        part = f"{format_amount(payout.house)} of it is the card room's part, which the cage deposits"
        yield indent_line(f"{format_amount(payout.escrow)} from the bank account; {part}", QUIET)
        return
    sources = {"the bank account": payout.escrow, "the cage": payout.undeposited, "the card room": payout.house}
    parts = [f"{format_amount(amount)} from {source}" for source, amount in sources.items() if amount]
    if len(parts) > 1:
        yield indent_line(", ".join(parts), QUIET)


def reversed_prizes_page(result: ClaimDecisionResult, chips: ChipsOutcome) -> RenderableType:
    """Reversed prizes."""
    tag = currency_tag(result.summary.money)
    title = Text.assemble(
        (f"Reversed: {format_dollars(result.cents)}", COST), "  ", *tag, (f"claimed by {result.claim}", QUIET)
    )
    return Group(title, prizes_table(result.prizes), Text(_CHIPS_NOTES[chips], QUIET))


_CHIPS_NOTES = {
    ChipsOutcome.RETURNED: "The chips go back to the chip tray. The correct hand can be claimed now.",
    ChipsOutcome.LOST: "The chips are lost: the card room bears the loss. The correct hand can be claimed now.",
}


def promotions_table(promotions: Mapping[str, PromotionSummary]) -> RenderableType:
    """The promotions by name, with amounts paid and left."""
    numbers = [ColumnHeading(item, ColumnAlign.RIGHT) for item in ("Prizes", "Paid", "Prizes left", "Left")]
    rows: list[list[CellText]] = [
        [
            name,
            Text(item.promotion, SLUG),
            f"{item.prizes:,}",
            format_dollars(item.cents),
            f"{item.prizes_left:,}",
            format_dollars(item.cents_left),
            Text.assemble(*currency_tag(item.money), ("ended", QUIET) if item.ended else ("announced", GOOD)),
        ]
        for name, item in promotions.items()
    ]
    return TextColumns([ColumnHeading("Promotion"), ColumnHeading("Id"), *numbers, ColumnHeading("")], rows)


def promotion_rules_page(states: Sequence[PromotionState]) -> RenderableType:
    """The promotions with their rules."""
    if not states:
        return Text("No promotion was announced.", QUIET)
    rules = [
        Text.assemble(
            (state.promotion.id, SLUG),
            (f"  {state.promotion.first} to {state.promotion.last}  ", QUIET),
            state.promotion.rules,
            (f"  with written consent: {state.promotion.consent}" if state.promotion.consent else "", QUIET),
        )
        for state in states
    ]
    return Group(promotions_table({state.promotion.name: summarize_promotion(state) for state in states}), *rules)


def promotion_payment_text(result: PromotionPaymentResult) -> RenderableType:
    """What was paid for a round."""
    if not result.seats:
        return Text("Nothing is paid: the promotion has ended, is outside its dates, or its limit is reached.", COST)
    seats = ", ".join(map(str, result.seats))
    remainder = f"{result.summary.prizes_left:,} prizes and {format_dollars(result.summary.cents_left)} left"
    tag = currency_tag(result.summary.money, prefix=" of ", suffix="")
    return Text.assemble(
        (f"Paid {format_dollars(result.cents)}", GOOD), *tag, f" to seat {seats}  ", (remainder, QUIET)
    )
