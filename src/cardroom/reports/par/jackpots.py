"""Jackpots on a PAR sheet: what goes on the meter, the total return, and the winners of one round."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardroom.games.money import money
from cardroom.jackpots.setup.jackpot import LevelSetup
from cardroom.odds.rounds.means import Progressive
from cardroom.odds.rounds.winners import MOST_SEATS, Joint, Uncounted
from cardroom.odds.rounds.wins import never_two, one_seat
from cardroom.reports.paper.blocks import Block, Grid, GridColumn, Heading, Paragraph, Terms, numbers
from cardroom.reports.paper.numbers import fraction, percent, sentence, spoken
from cardroom.reports.par.jackpot_figures import JackpotFigures, LevelFigures, jackpot_figures
from cardroom.reports.par.likelihood import one_in
from cardroom.reports.par.sheet import ParSheet, WagerFigures


def jackpots(sheet: ParSheet) -> Iterator[Block]:
    """The section; nothing where the table has no jackpot."""
    wagers = [figures for figures in sheet.wagers if figures.offered.wager.jackpot]
    if not wagers:
        return
    yield Heading(1, "Jackpots")
    for figures in wagers:
        yield Heading(2, figures.name)
        yield from _set_up(sheet, figures)
        yield from _winners(sheet, figures)


def _set_up(sheet: ParSheet, figures: WagerFigures) -> Iterator[Block]:
    jackpot = sheet.jackpots.get(figures.offered.wager.slug)
    if jackpot is None:
        if figures.has_percentages:
            yield Paragraph(
                "No set-up of the jackpot was given with this sheet: contribution, seed, reserve and reset are the "
                "operator's, and no total return is told. The figures of the fixed prizes stand under Wagers."
            )
        else:
            yield Paragraph(
                "No prize of its table is a percentage of a meter: nothing is contributed and nothing reset."
            )
        return
    alone = jackpot_figures(jackpot, figures.odds, figures.wager_cents, None, 1)
    yield Terms(tuple(_decided(alone)))
    full = None
    if isinstance(figures.winners, Joint) and 1 < sheet.table.seats <= MOST_SEATS:
        full = jackpot_figures(jackpot, figures.odds, figures.wager_cents, figures.winners, sheet.table.seats)
    yield _returns(alone, full)
    yield Paragraph(_long_run(alone), quiet=True)


def _decided(one: JackpotFigures) -> Iterator[tuple[str, str]]:
    setup = one.jackpot.setup
    yield "Jackpot", f"{setup.name} at {setup.location}, {setup.kind}"
    for figures in one.levels:
        level = figures.level
        yield f"Meter {level.name}", f"pays {', '.join(map(spoken, level.pays))}"
        if not one.is_progressive:
            yield "Amount", f"{money(level.seed)}, the house's money; it does not grow (BJ-5)"
            continue
        yield "Contribution", f"{percent(level.contribution, 2)} of each wager goes on the meter"
        yield "Reserve", f"{percent(level.reserve, 2)} of each wager is kept for resets"
        yield "Seed and reset", f"{money(level.seed)} at the start, and again when the whole meter has been won (BJ-12)"
        yield (
            "Ceiling",
            "none" if level.ceiling is None else f"{money(level.ceiling)}; what comes in above it is overflow",
        )
        yield "Whole meter won", _whole(figures)
        average = figures.average_meter
        if average is not None:
            yield "Average meter", f"{money(round(average))} in the long run with one seat{_uncapped(level)}"


def _uncapped(level: LevelSetup) -> str:
    return "" if level.ceiling is None else ", if there were no ceiling"


def _whole(figures: LevelFigures) -> str:
    if not figures.resets:
        return "never: no line takes all of it"
    return f"once in {one_in(figures.resets)} wagers; a seed costs {percent(figures.seeds, 4)} of each wager"


def _returns(alone: JackpotFigures, full: JackpotFigures | None) -> Grid:
    told = [("One seat", alone)] + ([(f"{full.seats} seats at one table", full)] if full else [])
    names = ["Fixed prizes", "At reset", "Total return", "House edge"]
    if alone.is_progressive:
        names[1:1] = ["Contribution", "Seeds"]

    def cells(one: JackpotFigures) -> tuple[str, ...]:
        middle = (percent(one.contribution), percent(one.seeds)) if one.is_progressive else ()
        total, edge = percent(one.total_return), percent(1 - one.total_return)
        ends = (f"at most {total}", f"at least {edge}") if one.has_ceiling else (total, edge)
        return (percent(one.odds.fixed_return), *middle, percent(one.at_reset), *ends)

    rows = tuple((name, *cells(one)) for name, one in told)
    return Grid((GridColumn("Return to player", wide=True), *numbers(*names)), rows)


def _long_run(one: JackpotFigures) -> str:
    if not one.is_progressive:
        return "The amount is fixed, so the total return is that of every round."
    told = "In the long run a meter pays what comes in: the contributions, and the seeds of its resets. "
    if one.has_ceiling:
        told += (
            "With a ceiling the total is a bound: the meter pays no more than comes in, and no more than one that "
            "always stands at its ceiling. What comes in above it is overflow, players' money that pays resets. "
        )
    else:
        told += f"With the fixed prizes that is exactly {fraction(one.total_return)} of a wager with one seat. "
    if one.seeds > one.reserve:
        told += f"The reserve pays {percent(one.reserve)} of each wager towards the seeds, the house the rest. "
    else:
        told += "The reserve pays all seeds in the long run. "
    return told + (
        "Seats that win a line together share it (BJ-4), and the whole meter is reset once (BJ-12), so several seats "
        "cost fewer seeds."
    )


def _winners(sheet: ParSheet, figures: WagerFigures) -> Iterator[Block]:
    found = figures.winners
    if found is None:
        return
    if isinstance(found, Uncounted) or sheet.table.seats > MOST_SEATS:
        yield from _bounds(sheet, figures, found)
        return
    seats = range(1, sheet.table.seats + 1)
    for place, line in enumerate(found.lines):
        if not line.probability:
            continue
        rows = []
        for number in seats:
            at = found.at(number)
            counts = at.of_line(place)
            several = sum((chance for count, chance in counts.items() if count > 1), Fraction(0))
            rows.append(
                (
                    str(number),
                    one_in(at.won(place)),
                    one_in(several),
                    str(max(counts)),
                    percent(at.share(place), 6),
                )
            )
        title = f"{sentence(line.event)}, {percent(line.share, 0)}"
        yield Grid(
            (
                GridColumn(f"{title}: seats", wide=True),
                *numbers("Won once in", "Shared once in", "Most winners", "A winner's share"),
            ),
            tuple(rows),
        )
    yield Paragraph(
        "Rounds of so many seats that all make the wager, counted exactly: how often the line is won by somebody, how "
        "often by several who share it, and what part of the line's percentage a winner gets on average.",
        quiet=True,
    )


def _bounds(sheet: ParSheet, figures: WagerFigures, found: Joint | Uncounted) -> Iterator[Block]:
    why = found.words if isinstance(found, Uncounted) else f"Winners of more than {MOST_SEATS} seats are not counted."
    lines = [line for line in figures.percentage_lines if line.probability]
    meter = Progressive(tuple(lines), 0, Fraction(0))
    least, most = one_seat(meter.prizes), never_two(meter.prizes, sheet.table.seats)
    yield Paragraph(
        f"{why} For any cards a round of {sheet.table.seats} seats wins something off the meter at least once in "
        f"{one_in(least.hit)} rounds, as one seat does, and at most once in {one_in(most.hit)}, as if never two seats "
        "won in one round."
    )
    yield Grid(
        (GridColumn("Line", wide=True), *numbers("Of the meter", "One seat, once in", "All seats, at most once in")),
        tuple(
            (
                sentence(line.event),
                percent(line.share, 0),
                one_in(line.probability),
                one_in(line.probability * sheet.table.seats),
            )
            for line in lines
        ),
    )
