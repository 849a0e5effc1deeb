"""Jackpots on a PAR sheet: the contributions, the total return, and the winners of one round."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardroom.games.money import format_cents
from cardroom.odds.simulation.meter_winners import (
    MAX_SEATS,
    JointProbabilities,
    UnknownWinners,
    exclusive_wins,
    single_seat_wins,
)
from cardroom.odds.simulation.progressive import Progressive
from cardroom.reports.documents.blocks import Block, Grid, GridColumn, Heading, Paragraph, Terms, number_columns
from cardroom.reports.documents.numbers import (
    capitalize_slug,
    format_fraction,
    format_one_in,
    format_percent,
    humanize_slug,
)
from cardroom.reports.par.jackpot_figures import JackpotFigures, LevelFigures, jackpot_figures
from cardroom.reports.par.sheet import ParSheet, WagerFigures
from cardroom.room.setup.jackpot import LevelSetup


def jackpot_section(sheet: ParSheet) -> Iterator[Block]:
    """The section; empty if the table has no jackpot."""
    wagers = [figures for figures in sheet.wagers if figures.offered.wager.jackpot]
    if not wagers:
        return
    yield Heading(1, "Jackpots")
    for figures in wagers:
        yield Heading(2, figures.name)
        yield from _setup_blocks(sheet, figures)
        yield from _winners(sheet, figures)


def _setup_blocks(sheet: ParSheet, figures: WagerFigures) -> Iterator[Block]:
    jackpot = sheet.jackpots.get(figures.offered.wager.slug)
    if jackpot is None:
        if figures.has_percentages:
            yield Paragraph(
                "This sheet was made without a setup of the jackpot: the operator sets contribution, seed, reserve, "
                "and reset, so there is no total return. The figures of the fixed prizes are under Wagers."
            )
        else:
            yield Paragraph(
                "No prize of its table is a percentage of a meter, so there are no contributions and no resets."
            )
        return
    one_seat_figures = jackpot_figures(jackpot, figures.odds, figures.wager_cents, None, 1)
    yield Terms(tuple(_setup_rows(one_seat_figures)))
    full = None
    if isinstance(figures.winners, JointProbabilities) and 1 < sheet.table.seats <= MAX_SEATS:
        full = jackpot_figures(jackpot, figures.odds, figures.wager_cents, figures.winners, sheet.table.seats)
    yield _returns(one_seat_figures, full)
    yield Paragraph(_long_run_text(one_seat_figures), quiet=True)


def _setup_rows(jackpot: JackpotFigures) -> Iterator[tuple[str, str]]:
    setup = jackpot.jackpot.setup
    yield "Jackpot", f"{setup.name} at {setup.location}, {setup.kind}"
    for figures in jackpot.levels:
        level = figures.level
        yield f"Meter {level.name}", f"pays {', '.join(map(humanize_slug, level.pays))}"
        if not jackpot.is_progressive:
            yield "Amount", f"{format_cents(level.seed)}, the house's money; it does not grow (BJ-5)"
            continue
        yield "Contribution", f"{format_percent(level.contribution, 2)} of each wager goes to the meter"
        yield "Reserve", f"{format_percent(level.reserve, 2)} of each wager is reserved for resets"
        yield (
            "Seed and reset",
            f"{format_cents(level.seed)} at the start, and again after the whole meter is won (BJ-12)",
        )
        yield (
            "Ceiling",
            "none" if level.ceiling is None else f"{format_cents(level.ceiling)}; money above it is overflow",
        )
        yield "Whole meter won", _reset_text(figures)
        average = figures.average_meter
        if average is not None:
            yield "Average meter", f"{format_cents(round(average))} in the long run with one seat{_ceiling_text(level)}"


def _ceiling_text(level: LevelSetup) -> str:
    return "" if level.ceiling is None else ", as if there were no ceiling"


def _reset_text(figures: LevelFigures) -> str:
    if not figures.resets:
        return "never: no line takes all of it"
    return (
        f"once in {format_one_in(figures.resets)} wagers; a seed costs {format_percent(figures.seeds, 4)} of each wager"
    )


def _returns(one_seat_figures: JackpotFigures, full_table_figures: JackpotFigures | None) -> Grid:
    cases = [("One seat", one_seat_figures)] + (
        [(f"{full_table_figures.seats} seats at one table", full_table_figures)] if full_table_figures else []
    )
    names = ["Fixed prizes", "At reset", "Total return", "House edge"]
    if one_seat_figures.is_progressive:
        names[1:1] = ["Contribution", "Seeds"]

    def cells(case: JackpotFigures) -> tuple[str, ...]:
        middle = (format_percent(case.contribution), format_percent(case.seeds)) if case.is_progressive else ()
        total, edge = format_percent(case.total_return), format_percent(1 - case.total_return)
        total_cells = (f"at most {total}", f"at least {edge}") if case.has_ceiling else (total, edge)
        return (format_percent(case.odds.fixed_return), *middle, format_percent(case.reset_return), *total_cells)

    rows = tuple((name, *cells(figures)) for name, figures in cases)
    return Grid((GridColumn("Return to player", wide=True), *number_columns(*names)), rows)


def _long_run_text(figures: JackpotFigures) -> str:
    if not figures.is_progressive:
        return "The amount is fixed, so the total return applies to every round."
    text = "In the long run a meter pays out what comes in: the contributions, and the seeds of its resets. "
    if figures.has_ceiling:
        text += (
            "With a ceiling the total is a bound: the meter pays no more than comes in, and no more than one that is "
            "always at its ceiling. Money above the ceiling is overflow, players' money that pays for resets. "
        )
    else:
        text += (
            f"With the fixed prizes, this is exactly {format_fraction(figures.total_return)} of a wager with one seat. "
        )
    if figures.seeds > figures.reserve:
        text += (
            f"The reserve pays {format_percent(figures.reserve)} of each wager toward the seeds, and the house pays "
            "the rest. "
        )
    else:
        text += "The reserve pays all seeds in the long run. "
    return text + (
        "Seats that win a line together share it (BJ-4), and the whole meter is reset once (BJ-12), so several seats "
        "need fewer seeds."
    )


def _winners(sheet: ParSheet, figures: WagerFigures) -> Iterator[Block]:
    winners = figures.winners
    if winners is None:
        return
    if isinstance(winners, UnknownWinners) or sheet.table.seats > MAX_SEATS:
        yield from _bounds(sheet, figures, winners)
        return
    seats = range(1, sheet.table.seats + 1)
    for place, line in enumerate(winners.lines):
        if not line.probability:
            continue
        rows = []
        for number in seats:
            seat_wins = winners.winners(number)
            counts = seat_wins.winner_counts(place)
            several = sum((chance for count, chance in counts.items() if count > 1), Fraction(0))
            rows.append(
                (
                    str(number),
                    format_one_in(seat_wins.win_probability(place)),
                    format_one_in(several),
                    str(max(counts)),
                    format_percent(seat_wins.average_share(place), 6),
                )
            )
        title = f"{capitalize_slug(line.trigger)}, {format_percent(line.share, 0)}"
        yield Grid(
            (
                GridColumn(f"{title}: seats", wide=True),
                *number_columns("Won once in", "Shared once in", "Most winners", "A winner's share"),
            ),
            tuple(rows),
        )
    yield Paragraph(
        "Exact counts for rounds in which this many seats make the wager: how often the line is won, how often several "
        "seats share it, and the average part of the line's percentage that a winner gets.",
        quiet=True,
    )


def _bounds(sheet: ParSheet, figures: WagerFigures, winners: JointProbabilities | UnknownWinners) -> Iterator[Block]:
    reason = (
        winners.reason
        if isinstance(winners, UnknownWinners)
        else f"Joint winners of more than {MAX_SEATS} seats are not counted."
    )
    lines = [line for line in figures.percentage_lines if line.probability]
    meter = Progressive(tuple(lines), 0, Fraction(0))
    lower_bound, upper_bound = single_seat_wins(meter.prizes), exclusive_wins(meter.prizes, sheet.table.seats)
    yield Paragraph(
        f"{reason} For any cards, a round of {sheet.table.seats} seats wins from the meter at least once in "
        f"{format_one_in(lower_bound.hit_probability)} rounds, as one seat does, and at most once in "
        f"{format_one_in(upper_bound.hit_probability)}, as if no two seats won in one round."
    )
    yield Grid(
        (
            GridColumn("Line", wide=True),
            *number_columns("Part of the meter", "One seat, once in", "All seats, at most once in"),
        ),
        tuple(
            (
                capitalize_slug(line.trigger),
                format_percent(line.share, 0),
                format_one_in(line.probability),
                format_one_in(line.probability * sheet.table.seats),
            )
            for line in lines
        ),
    )
