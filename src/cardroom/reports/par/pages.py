"""The pages of a PAR sheet, for paper and screen."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.games import default_setup
from cardroom.games.rulings import GENERAL_RULE
from cardroom.reports.definitions import DEFINITIONS
from cardroom.reports.documents.blocks import (
    DIGEST,
    Block,
    Document,
    Grid,
    GridColumn,
    Heading,
    Items,
    Paragraph,
    Signatures,
    Terms,
    number_columns,
)
from cardroom.reports.documents.dates import format_day
from cardroom.reports.documents.numbers import format_dollars, format_fixed, format_fraction, format_percent
from cardroom.reports.par.content import EmbeddedContent
from cardroom.reports.par.jackpots import jackpot_section
from cardroom.reports.par.sections import confirmation_section, gameplay_section, limits_text, setup_section
from cardroom.reports.par.sheet import ParSheet, WagerFigures, volatility_index, wager_pairs
from cardroom.reports.par.top_awards import top_awards
from cardroom.reports.par.wager import wager_pages


def sheet_document(sheet: ParSheet) -> Document:
    """The complete PAR sheet."""
    facts = sheet.table.facts
    embedded = EmbeddedContent.from_sheet(sheet)
    return Document(
        kind="PAR sheet",
        title=facts.name,
        facts=(
            ("Rule sheet", facts.sheet_title),
            ("Jurisdiction", sheet.law.name),
            ("Table", f"{sheet.table.deck.description}, {sheet.table.seats} seats, {_wagers(len(sheet.table.offers))}"),
            ("Setup", _origin(sheet)),
            ("Program", str(sheet.program)),
            ("Prepared", format_day(sheet.prepared)),
            (DIGEST, embedded.digest),
        ),
        prepared=sheet.prepared,
        digest=embedded.digest,
        content_json=embedded.to_json(),
        stamp=sheet.stamp,
        blocks=(
            *_summary(sheet),
            *setup_section(sheet),
            Heading(1, "Wagers", new_page=True),
            *(block for figures in sheet.wagers for block in wager_pages(figures)),
            *jackpot_section(sheet),
            *top_awards(sheet),
            *confirmation_section(sheet),
            *_strategies(sheet),
            *gameplay_section(sheet.table),
            *_rules_reading(sheet),
            *_method(sheet),
            *_signatures(sheet),
        ),
    )


def _wagers(count: int) -> str:
    return f"{count} wager{'s' * (count > 1)}"


def _origin(sheet: ParSheet) -> str:
    if sheet.table.setup == default_setup(sheet.table.facts.slug):
        return "the program's default, for evaluation; amounts that the rules leave to the operator are examples"
    return "the operator's"


def _summary(sheet: ParSheet) -> Iterator[Block]:
    priced_wagers = [figures for figures in sheet.wagers if not figures.depends_on_meter]
    on_meters = [figures for figures in sheet.wagers if figures.depends_on_meter]
    yield Heading(1, "Summary")
    yield Paragraph(
        f"Every figure applies to one player and freshly shuffled cards, {_decision_text(sheet)}. "
        "Method defines the units, the terms, and the way of counting."
    )
    if sheet.stamp:
        yield Paragraph(
            f"{sheet.stamp}. Some figures of this sheet are simulated, with the standard error under Method. They "
            "help to design a game; figures for approval are exact."
        )
    if priced_wagers:
        columns = _columns("Wager", "House edge", "Element of risk", "Deviation", "Volatility", "Hit frequency")
        yield Grid(columns, tuple(map(_summary_row, priced_wagers)))
    yield from _pair_section(sheet)
    if on_meters:
        columns = _columns("Jackpot on a meter", "Fixed return", "Break-even meter", "Hit frequency")
        yield Grid(columns, tuple(map(_meter_row, on_meters)))


def _decision_text(sheet: ParSheet) -> str:
    """The player's strategy, as a phrase."""
    if not sheet.policy:
        return "with the best decision at every choice"
    return f"exact figures with the best decision at every choice, simulated figures under {sheet.policy}"


def _pair_section(sheet: ParSheet) -> Iterator[Block]:
    together = list(wager_pairs(sheet))
    if together:
        columns = (
            GridColumn("Two equal wagers together", wide=True),
            *number_columns("House edge", "Element of risk"),
        )
        rows = tuple(
            (
                f"{pair.first.name}, with {pair.second.name}",
                format_percent(pair.house_edge, 4 if pair.is_exact else 3),
                format_percent(pair.element_of_risk, 4 if pair.is_exact else 3),
                "exact" if pair.is_exact else "simulated",
            )
            for pair in together
        )
        yield Grid((*columns, GridColumn("Method")), rows)
    for words in dict.fromkeys(pair.text for pair in together):
        yield Paragraph(f"{words} The figures are of the sum of both wagers.", quiet=True)


def _columns(first: str, *titles: str) -> tuple[GridColumn, ...]:
    return (GridColumn(first, wide=True), GridColumn("Paytable"), *number_columns(*titles), GridColumn("Method"))


def _summary_row(figures: WagerFigures) -> tuple[str, ...]:
    odds, digits, index = figures.odds, figures.percent_digits, volatility_index(figures.odds)
    assert odds.house_edge is not None
    assert odds.element_of_risk is not None
    assert odds.standard_deviation is not None
    assert index is not None
    return (
        figures.name,
        odds.paytable or "even money",
        format_percent(odds.house_edge, digits),
        format_percent(odds.element_of_risk, digits),
        format_fixed(odds.standard_deviation, 4),
        format_fixed(index, 4),
        format_percent(odds.hit_frequency, 2),
        _method_name(figures),
    )


def _meter_row(figures: WagerFigures) -> tuple[str, ...]:
    odds = figures.odds
    assert odds.break_even_meter is not None
    return (
        f"{figures.name}, {limits_text(figures.offered)}",
        odds.paytable,
        format_percent(odds.fixed_return),
        format_dollars(odds.break_even_meter, figures.wager_cents),
        format_percent(odds.hit_frequency, 2),
        _method_name(figures),
    )


def _method_name(figures: WagerFigures) -> str:
    return "exact" if figures.is_exact else "simulated"


def _strategies(sheet: ParSheet) -> Iterator[Block]:
    yield Heading(1, "Strategy")
    if sheet.policy:
        yield Paragraph(
            f"Simulated figures of this sheet assume {sheet.policy}. The basic strategy below can be remembered; its "
            "cost is the loss against that policy."
        )
    else:
        yield Paragraph(
            "All figures of this sheet assume the best play: at each choice, the decision with the highest exact "
            "value. The basic strategy below can be remembered; its cost is the loss against the best play."
        )
    strategy_wagers = [figures for figures in sheet.wagers if figures.strategy]
    for figures in strategy_wagers:
        yield Heading(2, figures.name)
        yield from _strategy(figures)
    silent = [figures.name for figures in sheet.wagers if not figures.strategy]
    if silent:
        yield Paragraph(f"These wagers have no decisions of their own: {', '.join(silent)}.")


def _strategy(figures: WagerFigures) -> Iterator[Block]:
    strategy = figures.strategy
    assert strategy is not None
    rules = tuple(rule.text[:1].upper() + rule.text[1:].rstrip(".") + "." for rule in strategy.rules)
    yield Items(rules, numbered=True)
    digits = 8 if strategy.simulated_rounds is None else 6
    text = (
        f"Expected return {format_fixed(strategy.expected_return, digits)} units per round; "
        f"{strategy.baseline_text} has {format_fixed(strategy.best_return, digits)}. "
    )
    if strategy.cost == 0 and not strategy.policy:
        text += "The strategy is the best play: it costs nothing."
    elif strategy.simulated_rounds is None:
        text += (
            f"The strategy costs {format_fixed(strategy.cost, 8)} units per round, exactly "
            f"{format_fraction(strategy.cost)}."
        )
    else:
        assert strategy.standard_error is not None
        text += (
            f"The strategy costs {format_fixed(strategy.cost, 6)} units per round, simulated over "
            f"{strategy.simulated_rounds:,} rounds with a standard error of {format_fixed(strategy.standard_error, 6)}."
        )
    yield Paragraph(text)


def _rules_reading(sheet: ParSheet) -> Iterator[Block]:
    yield Heading(1, "Interpretation of the rules")
    yield Paragraph(
        "The rule sheet governs this report. Where it is silent, contradicts itself, or lost a column, this report "
        f"reads it as follows. {GENERAL_RULE}"
    )
    yield Terms(tuple((ruling.number, ruling.text) for ruling in sheet.rulings))


def _method(sheet: ParSheet) -> Iterator[Block]:
    yield Heading(1, "Method")
    yield Terms(tuple((figures.name, _method_text(figures)) for figures in sheet.wagers))
    yield Paragraph(
        "Counts are whole numbers and returns are fractions; a decimal is rounded once, when it is printed. "
        "The counts use the same rules that settle a live table."
    )
    yield Heading(2, "Definitions")
    yield Terms(DEFINITIONS)
    yield from _program(sheet)


def _method_text(figures: WagerFigures) -> str:
    odds = figures.odds
    if odds.simulated_rounds is None:
        return f"Exact enumeration: each of {odds.combinations:,} equally likely combinations of cards is counted."
    assert odds.standard_error is not None
    policy = f" The player follows {odds.policy}." if odds.policy else ""
    return (
        f"Simulated over {odds.simulated_rounds:,} rounds with a fixed seed; the standard error of the expected return "
        f"is {format_fixed(odds.standard_error, 6)} units.{policy} {odds.unhit_sentence}".rstrip()
    )


def _program(sheet: ParSheet) -> Iterator[Block]:
    program = sheet.program
    yield Heading(2, "Program and digest")
    yield Terms(
        (
            ("Program", f"Cardroom {program.cardroom}"),
            ("Build", f"`{program.build}`, from the SHA-256 digest of the program's source, rulings included"),
            ("Forms", f"`{program.forms}`, from the SHA-256 digest of the page templates"),
            ("Typeset with", f"typst {program.typst}, altair {program.altair}, vl-convert {program.vl_convert}"),
            (
                "Digest",
                (
                    "SHA-256 of the content inside the file: program, date, interpretation of the rules, setup, and "
                    "every figure as an exact fraction."
                ),
            ),
            (
                "Check",
                (
                    "`cardroom par --check FILE` with the same program recomputes every figure from the setup inside "
                    "the file, prints every page again, and reports whether the file is the same byte for byte."
                ),
            ),
        )
    )


def _signatures(sheet: ParSheet) -> Iterator[Block]:
    yield Heading(1, "Signatures")
    if sheet.stamp:
        yield Paragraph("This sheet has no signature lines: its figures are simulated and not for approval.")
        return
    yield Signatures(
        "The signatures below cover the content with the digest at the foot of every page. A file that passes the "
        "check and shows that digest is the signed file.",
        ("Mathematician", "Operator", "Regulator"),
    )
