"""Sections of a PAR sheet: the table setup, how the game is played, and the confirmation by simulation.

The description of the game uses the texts of the dealer's page and the rules page. The result of the confirmation
follows from the tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Final

from cardroom.games import Table, game
from cardroom.games.money import format_cents
from cardroom.games.playable_table import FeatureOffer, WagerOffer
from cardroom.games.procedure import ProcedureStep
from cardroom.odds.simulation.tally import LEVEL, MIN_EXPECTED_COUNT, Agreement
from cardroom.paytables import CUSTOM_NOTE, describe_pay
from cardroom.reports.documents.blocks import Block, Grid, GridColumn, Heading, Items, Paragraph, Terms, number_columns
from cardroom.reports.documents.numbers import (
    capitalize_slug,
    format_fixed,
    format_percent,
    format_signed,
    humanize_slug,
)
from cardroom.reports.par.confirmation_run import Confirmation
from cardroom.reports.par.sheet import ParSheet


def setup_section(sheet: ParSheet) -> Iterator[Block]:
    """The section."""
    yield Heading(1, "Table setup")
    yield Terms(tuple(_option_rows(sheet)))
    yield Grid(
        (
            GridColumn("Wager", wide=True),
            GridColumn("Paytable"),
            GridColumn("Appendix"),
            GridColumn("Odds"),
            GridColumn("Limits"),
            GridColumn("Feature"),
        ),
        tuple(_wager_row(offered) for offered in sheet.table.offers.values()),
    )
    for offered in sheet.table.offers.values():
        if offered.paytable.is_custom:
            yield Paragraph(f"{offered.wager.name}: paytable {offered.paytable.name} is {CUSTOM_NOTE}.")
        bonuses = sheet.table.setup.wagers[offered.wager.slug].bonuses
        if bonuses:
            bonus_text = ", ".join(f"{humanize_slug(event)} {amount}" for event, amount in bonuses.items())
            yield Paragraph(f"{offered.wager.name}, amounts set by the operator: {bonus_text}.")
        if offered.feature:
            yield from _feature(offered, offered.feature)


def _option_rows(sheet: ParSheet) -> Iterator[tuple[str, str]]:
    table, law = sheet.table, sheet.law
    yield "Cards", f"{table.deck.description}, {table.deck.size} cards"
    yield "Seats", str(table.seats)
    yield "Tabulator", humanize_slug(table.setup.tabulator) if table.setup.tabulator else "none"
    if table.spots_per_player is not None:
        yield "Spots a player may use", str(table.spots_per_player)
    if table.payout_limit is not None:
        yield "Payout limit", f"{table.payout_limit.text} ({law.aggregate_source or 'GEN-5'})"
    if law.one_wager is not None:
        yield "Largest wager by law", f"{format_cents(law.one_wager)} ({law.one_wager_source})"
    if law.fourth_wager is not None:
        yield "Largest fourth wager by law", f"{format_cents(law.fourth_wager)} ({law.fourth_wager_source})"
    for option in table.facts.options:
        value = table.options[option.name]
        value_text = ("yes" if value else "no") if isinstance(value, bool) else humanize_slug(value)
        rule = f", {option.rule}" if option.rule else ""
        yield f"Option {option.name.replace('_', ' ')}", f"{value_text} ({option.text}{rule})"


def _wager_row(offered: WagerOffer) -> tuple[str, ...]:
    table = offered.paytable
    appendices = ", ".join(dict.fromkeys(column.appendix for column in table.columns))
    return (
        offered.wager.name,
        table.name or "rules of play",
        "not printed" if table.is_custom else appendices or "none",
        f"{table.basis}",
        limits_text(offered),
        humanize_slug(offered.feature.kind) if offered.feature else "none",
    )


def limits_text(offered: WagerOffer) -> str:
    """``$10 to $200 in steps of $10``, or one amount."""
    limits = offered.limits
    if limits.minimum == limits.maximum:
        return format_cents(limits.minimum)
    return f"{format_cents(limits.minimum)} to {format_cents(limits.maximum)} by {format_cents(limits.step)}"


def _feature(offered: WagerOffer, feature: FeatureOffer) -> Iterator[Block]:
    prizes = ", ".join(f"{humanize_slug(line.trigger)} {describe_pay(line.pay)}" for line in feature.paytable.lines)
    yield Paragraph(
        f"{capitalize_slug(feature.kind)} on {offered.wager.name}, table {feature.paytable.display_name}, for wagers "
        "of "
        f"{format_cents(feature.qualifying)} or more: {prizes}. "
        "The figures of this sheet do not include what the feature pays."
    )


def gameplay_section(table: Table) -> Iterator[Block]:
    """The section: the rules in short, the steps of a round, and the player's decisions."""
    rules = game(table.facts.slug)
    yield Heading(1, "How the game is played")
    yield Paragraph(" ".join(rules.summary.split()))
    yield Items(tuple(map(_step, rules.procedure(table))), numbered=True)
    if rules.verb_descriptions:
        yield Terms(tuple((humanize_slug(verb), meaning) for verb, meaning in rules.verb_descriptions.items()))


def _step(step: ProcedureStep) -> str:
    """
    >>> from cardroom.games.procedure import COLLECT_CARDS
    >>> _step(COLLECT_CARDS)
    'Collect the cards; the next round can begin. (rules)'
    """
    condition = f"If {step.condition}: " if step.condition else ""
    return f"{condition}{step.text} ({step.rule})"


_VERDICTS: Final = {None: "not tested", False: "agrees", True: "differs"}


def confirmation_section(sheet: ParSheet) -> Iterator[Block]:
    """The section."""
    yield Heading(1, "Confirmation by simulation")
    run = sheet.confirmation
    if run is None:
        yield Paragraph("No rounds were simulated to confirm the figures of this sheet.")
        return
    if run.refusal:
        yield Paragraph(f"The figures are not confirmed, because the rounds could not be counted. {run.refusal}")
        return
    decided = f"decided by {sheet.policy}," if sheet.policy else "with the best decision at every choice,"
    yield Paragraph(
        f"{run.rounds:,} rounds were dealt with the seed {run.seed}, {decided} and settled by the rules of a live "
        f"table. No figure of this sheet comes from them. {_verdict_text(sheet, run)}"
    )
    results = zip(sheet.wagers, run.wagers, run.differences, strict=True)
    rows = tuple(
        (*_agreement_row(figures.name, agreement), _VERDICTS[differs]) for figures, agreement, differs in results
    )
    columns = number_columns("Simulated return", "z", "Chi-square", "Degrees", "p-value")
    yield Grid((GridColumn("Wager", wide=True), *columns, GridColumn("Result")), rows)
    yield Paragraph(
        "z is the difference of the mean from the expected return in standard errors; 95 of 100 are between −1.96 "
        f"and +1.96. Chi-square is over the outcomes of the wager; those with fewer than {MIN_EXPECTED_COUNT} "
        "expected are combined. The p-value is the probability of a chi-square as large or larger if the figures "
        f"are right. A wager differs if its z or its chi-square is rejected at the {format_percent(LEVEL, 0)} level, "
        "with all tests of the sheet judged together by Holm's method. Returns that depend on a meter exclude it. A "
        "simulated figure widens both by its own error.",
        quiet=True,
    )


def _verdict_text(sheet: ParSheet, run: Confirmation) -> str:
    """The result of the tests, as text."""
    level = f"at the {format_percent(LEVEL, 0)} level"
    results = zip(sheet.wagers, run.differences, strict=True)
    differ = [figures.name for figures, differs in results if differs]
    if differ:
        return (
            f"They differ from the figures of {', '.join(differ)} {level}. Do not use these figures until the "
            "difference is explained."
        )
    if not any(differs is False for differs in run.differences):
        return "No wager could be tested, so the rounds confirm nothing."
    return f"They agree with the figures {level}."


def _agreement_row(name: str, agreement: Agreement | None) -> tuple[str, ...]:
    if agreement is None:
        return name, "not played", "", "", "", ""
    z = "" if agreement.z is None else format_signed(agreement.z, 3)
    p = "" if agreement.p is None else format_fixed(agreement.p, 4)
    return name, format_signed(agreement.mean, 6), z, _chi_square(agreement, 3), str(agreement.degrees), p


def _chi_square(agreement: Agreement, digits: int) -> str:
    """An impossible outcome that was observed has an infinite z."""
    return "infinite" if agreement.chi_square == inf else format_fixed(agreement.chi_square, digits)
