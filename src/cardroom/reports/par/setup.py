"""The table set-up on a PAR sheet: what the operator decided, wager by wager."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.games.money import money
from cardroom.games.table import Offered, OfferedFeature
from cardroom.paytables import NOT_PRINTED, words
from cardroom.reports.paper.blocks import Block, Grid, GridColumn, Heading, Paragraph, Terms
from cardroom.reports.paper.numbers import sentence, spoken
from cardroom.reports.par.sheet import ParSheet


def table_setup(sheet: ParSheet) -> Iterator[Block]:
    """The section."""
    yield Heading(1, "Table set-up")
    yield Terms(tuple(_decided(sheet)))
    yield Grid(
        (
            GridColumn("Wager", wide=True),
            GridColumn("Paytable"),
            GridColumn("Appendix"),
            GridColumn("Odds"),
            GridColumn("Limits"),
            GridColumn("Feature"),
        ),
        tuple(_row(offered) for offered in sheet.table.offered.values()),
    )
    for offered in sheet.table.offered.values():
        if offered.paytable.is_own:
            yield Paragraph(f"{offered.wager.name}: paytable {offered.paytable.name} is {NOT_PRINTED}.")
        given = sheet.table.setup.wagers[offered.wager.slug].bonuses
        if given:
            told = ", ".join(f"{spoken(event)} {amount}" for event, amount in given.items())
            yield Paragraph(f"{offered.wager.name}, amounts that the operator gave: {told}.")
        if offered.feature:
            yield from _feature(offered, offered.feature)


def _decided(sheet: ParSheet) -> Iterator[tuple[str, str]]:
    table, law = sheet.table, sheet.law
    yield "Cards", f"{table.deck.words}, {table.deck.size} cards"
    yield "Seats", str(table.seats)
    yield "Tabulator", spoken(table.setup.tabulator) if table.setup.tabulator else "none named"
    if table.spots_per_player is not None:
        yield "Spots a player may use", str(table.spots_per_player)
    if table.payout_limit is not None:
        yield "Payout limit", f"{table.payout_limit.words} ({law.aggregate_source or 'GEN-5'})"
    if law.one_wager is not None:
        yield "Largest wager by law", f"{money(law.one_wager)} ({law.one_wager_source})"
    if law.fourth_wager is not None:
        yield "Largest fourth wager by law", f"{money(law.fourth_wager)} ({law.fourth_wager_source})"
    for option in table.facts.options:
        value = table.options[option.name]
        told = ("yes" if value else "no") if isinstance(value, bool) else spoken(value)
        yield f"Option {option.name.replace('_', ' ')}", f"{told} ({option.words})"


def _row(offered: Offered) -> tuple[str, ...]:
    table = offered.paytable
    appendices = ", ".join(dict.fromkeys(column.appendix for column in table.columns))
    return (
        offered.wager.name,
        table.name or "rules of play",
        "not printed" if table.is_own else appendices or "none",
        f"{table.basis}",
        limits_words(offered),
        spoken(offered.feature.kind) if offered.feature else "none",
    )


def limits_words(offered: Offered) -> str:
    """``$10 to $200 in steps of $10``, or one amount."""
    limits = offered.limits
    if limits.minimum == limits.maximum:
        return money(limits.minimum)
    return f"{money(limits.minimum)} to {money(limits.maximum)} by {money(limits.step)}"


def _feature(offered: Offered, feature: OfferedFeature) -> Iterator[Block]:
    prizes = ", ".join(f"{spoken(line.event)} {words(line.pay)}" for line in feature.paytable.lines)
    yield Paragraph(
        f"{sentence(feature.kind)} on {offered.wager.name}, table {feature.paytable.called}, for wagers of "
        f"{money(feature.qualifying)} or more: {prizes}. "
        "What the feature pays is not part of the figures of this sheet."
    )
