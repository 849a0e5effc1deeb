"""One wager on a PAR sheet: its figures, its outcomes, the spread of its return, and charts.

The outcomes are also grouped by net result, from which each figure can be computed again.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from cardroom.games.money import format_cents
from cardroom.odds import Odds
from cardroom.odds.statistics import (
    BAND_ROUNDS,
    COCHRAN_FACTOR,
    Z_SCORES,
    NetOutcome,
    confidence_band,
    group_by_net,
    rounds_until_normal,
    skewness,
)
from cardroom.reports.charts.frame import Chart, source_line, svg
from cardroom.reports.charts.wager_charts import contribution_chart, edge_bars, edge_chart, meter_chart
from cardroom.reports.documents.blocks import (
    Block,
    Grid,
    GridColumn,
    Heading,
    Items,
    Paragraph,
    Picture,
    number_columns,
)
from cardroom.reports.documents.numbers import (
    MINUS,
    capitalize_slug,
    format_dollars,
    format_exact,
    format_fixed,
    format_fraction,
    format_one_in,
    format_percent,
    format_signed,
    humanize_slug,
)
from cardroom.reports.par.sheet import WagerFigures, volatility_index


def confidence_bands(figures: WagerFigures) -> Iterator[Block]:
    """The table of one wager."""
    odds = figures.empty_meter_odds
    fair = rounds_until_normal(odds)
    rows = []
    for rounds in BAND_ROUNDS:
        bands = (confidence_band(odds, rounds, deviations) for deviations in Z_SCORES.values())
        cells = (f"{format_percent(interval.low, 2)} to {format_percent(interval.high, 2)}" for interval in bands)
        rows.append((f"{rounds:,}", *cells, "fair" if rounds >= fair else "poor"))
    yield Grid(
        (
            *number_columns("Rounds"),
            *number_columns(*(f"Return, {share}" for share in Z_SCORES)),
            GridColumn("Approximation"),
        ),
        tuple(rows),
    )
    empty = " and an empty meter" if figures.depends_on_meter else ""
    yield Paragraph(
        f"Bands of the actual return to the player for one unit per round{empty}, by the normal distribution: the "
        f"expected return plus and minus {_deviations()} standard deviations divided by the root of the rounds. The "
        f"skewness of a round is {format_fixed(skewness(odds), 2)}; by Cochran's rule ({COCHRAN_FACTOR} times its "
        f"square) the approximation is fair from {_round_up(fair)} rounds on. With fewer rounds a band means little, "
        "because most such runs have no rare prize.",
        quiet=True,
    )


def _deviations() -> str:
    first, *rest = (f"{float(deviation):.3f}" for deviation in Z_SCORES.values())
    return f"{', '.join((first, *rest[:-1]))} and {rest[-1]}"


def _round_up(rounds: int) -> str:
    """The number rounded up to two significant digits.

    >>> _round_up(12_345), _round_up(7)
    ('13,000', '7')
    """
    scale = 10 ** max(len(str(rounds)) - 2, 0)
    return f"{ceil(rounds / scale) * scale:,}"


_NET_DIGITS = 10
_SIMULATED_NET_DIGITS = 6


def net_outcome_section(figures: WagerFigures) -> Iterator[Block]:
    """The section of one wager."""
    odds = figures.empty_meter_odds
    lines, digits = group_by_net(odds), _NET_DIGITS if figures.is_exact else _SIMULATED_NET_DIGITS
    yield Heading(2, f"{figures.name}: outcomes by net result")
    yield Paragraph(_net_explanation(figures), quiet=True)
    on_meter = any(line.percent for line in lines)
    returned = [Fraction(line.combinations, odds.combinations) * line.net for line in lines]
    squares = [part * line.net for part, line in zip(returned, lines, strict=True)]
    count_title = "Combinations" if figures.is_exact else "Rounds"
    names = (
        "Net",
        *(("Of the meter",) if on_meter else ()),
        "Wagered",
        "Hit",
        count_title,
        "Probability",
        "Return",
        "Square",
    )
    rows = [
        (
            format_exact(line.net),
            *((_meter_part(line),) if on_meter else ()),
            format_exact(line.wagered).lstrip("+"),
            "yes" if line.hit else "no",
            f"{line.combinations:,}",
            format_fixed(Fraction(line.combinations, odds.combinations), digits),
            format_signed(part, digits),
            format_fixed(square, digits),
        )
        for line, part, square in zip(lines, returned, squares, strict=True)
    ]
    total = (
        "Total",
        *(("",) if on_meter else ()),
        format_fixed(odds.average_wager, 6),
        format_percent(odds.hit_frequency, 4),
        f"{odds.combinations:,}",
        format_fixed(1, digits),
        format_signed(sum(returned, Fraction(0)), digits),
        format_fixed(sum(squares, Fraction(0)), digits),
    )
    yield Grid(tuple(GridColumn(name, numeric=True) for name in names), (*rows, total), total=True)


def _meter_part(line: NetOutcome) -> str:
    return format_percent(line.percent, 0) if line.percent else "none"


def _net_explanation(figures: WagerFigures) -> str:
    text = (
        "Net and wagered in units, exact. Return is net times probability, square is net times return. Expected "
        "return: the sum of net times combinations over all combinations. Standard deviation: the root of the "
        "squares' sum minus the square of the expected return. Hit frequency: the combinations of lines that are a "
        "hit, divided by all."
    )
    if figures.depends_on_meter:
        text += " Net results are for an empty meter; a line also wins its part of the meter, in wagers."
    if not figures.is_exact:
        text += " The rounds are simulated, so each figure has the error stated under Method."
    return text


MIN_DIGITS = 8
MAX_DIGITS = 10
SIMULATED_DIGITS = 6
"""The decimals of simulated probabilities and returns."""


def wager_pages(figures: WagerFigures) -> Iterator[Block]:
    """Everything about one wager."""
    table = figures.odds.paytable
    yield Heading(2, f"{figures.name}, table {table}" if table else figures.name)
    yield Grid(
        (GridColumn("Figure"), GridColumn("Value", numeric=True), GridColumn("Exact value or other form", wide=True)),
        tuple(_meter_figures(figures) if figures.depends_on_meter else _figures(figures)),
    )
    yield _outcomes(figures.odds)
    if figures.depends_on_meter:
        yield Paragraph("Returns are for a meter at zero: a percentage prize counts as the loss of the wager.", True)
    notes = (*figures.odds.notes, *((figures.required_wager.text,) if figures.required_wager else ()))
    if notes:
        yield Items(notes)
    if _can_break_even(figures):
        yield _meter_grid(figures)
    for chart in _charts(figures):
        yield Picture(svg(chart), chart.title)
    yield from net_outcome_section(figures)
    yield from confidence_bands(figures)


def _figures(figures: WagerFigures) -> Iterator[tuple[str, str, str]]:
    odds = figures.odds
    expected, edge, risk = odds.expected_return, odds.house_edge, odds.element_of_risk
    assert expected is not None
    assert edge is not None
    assert risk is not None
    initial_text = "1 unit is" if odds.initial_wager == 1 else f"{odds.initial_wager} units are"
    expected_text = format_fixed(expected, 10 if figures.is_exact else SIMULATED_DIGITS)
    digits = figures.percent_digits
    yield (
        "Expected return",
        expected_text,
        f"{_exact_text(odds)} units per round; {initial_text} before the deal",
    )
    if odds.unhit_lines:
        yield (
            "Prizes that no round won",
            f"up to {format_signed(odds.unhit_return_bound, SIMULATED_DIGITS)}",
            odds.unhit_sentence,
        )
    yield "Return to player", format_percent(1 - edge, digits), "of the initial wager"
    yield "House edge", format_percent(edge, digits), "of the initial wager"
    yield (
        "Element of risk",
        format_percent(risk, digits),
        f"of the average wager of {format_fixed(odds.average_wager, 6)} units",
    )
    yield from _volatility_rows(odds, "")
    yield "Hit frequency", format_percent(odds.hit_frequency, digits), _one_in_text(odds.hit_frequency)
    if odds.is_jackpot:
        yield "Fixed return", format_percent(odds.fixed_return), "of the wager; no prize comes from a meter"
    if figures.break_even_prize is not None:
        top = odds.outcomes[0]
        yield (
            "Break-even prize",
            format_dollars(figures.break_even_prize, figures.wager_cents),
            f"on {humanize_slug(top.trigger)}, for the wager to be fair; the setup pays {top.pays}",
        )
    if figures.maximum_odds is not None and figures.maximum_odds.house_edge is not None:
        yield "House edge", format_percent(figures.maximum_odds.house_edge), _maximum_text(figures)


def _maximum_text(figures: WagerFigures) -> str:
    smallest, largest = format_cents(figures.wager_cents), format_cents(figures.offered.limits.maximum)
    return f"with the largest wager, {largest}; the figures above are for the smallest, {smallest}"


def _meter_figures(figures: WagerFigures) -> Iterator[tuple[str, str, str]]:
    odds = figures.odds
    even = odds.break_even_meter
    assert even is not None
    yield (
        "Fixed return",
        format_percent(odds.fixed_return),
        f"{format_fraction(odds.fixed_return)} of the wager, without the meter",
    )
    yield (
        "Part of the meter",
        format_percent(odds.meter_part, 8),
        f"{format_fraction(odds.meter_part)} of it won per round on average",
    )
    yield (
        "Break-even meter",
        format_dollars(even, figures.wager_cents),
        f"{format_fraction(even)} wagers of {format_cents(figures.wager_cents)}",
    )
    yield "Average wager", format_fixed(odds.average_wager, 6), "units"
    yield from _volatility_rows(figures.empty_meter_odds, ", with a meter at zero")
    yield "Hit frequency", format_percent(odds.hit_frequency), _one_in_text(odds.hit_frequency)
    # The meter does not grow with the wager, so a larger wager needs a larger meter to be fair.
    largest = figures.offered.limits.maximum
    at_maximum = figures.maximum_odds or odds
    if largest > figures.wager_cents and at_maximum.break_even_meter is not None:
        yield "Break-even meter", format_dollars(at_maximum.break_even_meter, largest), _maximum_text(figures)


def _volatility_rows(odds: Odds, condition: str) -> Iterator[tuple[str, str, str]]:
    deviation, index = odds.standard_deviation, volatility_index(odds)
    assert deviation is not None
    assert index is not None
    yield "Standard deviation", format_fixed(deviation, 6), f"units per round{condition}"
    yield (
        "Volatility index",
        format_fixed(index, 6),
        f"1.645 standard deviations for one unit initially wagered{condition}",
    )


def _exact_text(odds: Odds) -> str:
    assert odds.expected_return is not None
    if odds.standard_error is None:
        return format_fraction(odds.expected_return)
    return f"simulated, standard error {format_fixed(odds.standard_error, SIMULATED_DIGITS)}"


def _one_in_text(probability: Fraction) -> str:
    return f"once in {format_fixed(1 / probability, 2)} rounds" if probability else "never"


def _outcomes(odds: Odds) -> Grid:
    """Every outcome, with enough digits for all but the rarest, for which "once in" is more precise."""
    rarest = min((outcome.probability for outcome in odds.outcomes if outcome.combinations), default=Fraction(1))
    smallest = min(
        (abs(outcome.contribution) for outcome in odds.outcomes if outcome.contribution), default=Fraction(1)
    )
    digits = _digits(rarest), _digits(smallest)
    if odds.simulated_rounds:
        digits = SIMULATED_DIGITS, SIMULATED_DIGITS
    total = odds.net_without_meter if odds.expected_return is None else odds.expected_return
    rows = [
        (
            capitalize_slug(outcome.trigger),
            _pays(outcome.pays),
            f"{outcome.combinations:,}",
            format_fixed(outcome.probability, digits[0]),
            format_one_in(outcome.probability) if outcome.combinations or odds.is_exact else "unknown",
            format_signed(outcome.contribution, digits[1]),
        )
        for outcome in odds.outcomes
    ]
    rows.append(
        ("Total", "", f"{odds.combinations:,}", format_fixed(1, digits[0]), "", format_signed(total, digits[1]))
    )
    count_title = "Rounds" if odds.simulated_rounds else "Combinations"
    return Grid(
        (
            GridColumn("Outcome", wide=True),
            GridColumn("Pays"),
            *number_columns(count_title, "Probability", "Once in", "Return"),
        ),
        tuple(rows),
        total=True,
    )


def _pays(pays: str) -> str:
    """A net result with a true minus sign.

    >>> _pays("net -2"), _pays("net +0"), _pays("10 to 1")
    ('net −2', 'net 0', '10 to 1')
    """
    return pays.replace("net -", f"net {MINUS}").replace("net +0", "net 0")


def _digits(smallest: Fraction) -> int:
    """The decimals that show two digits of the smallest value."""
    digits = MIN_DIGITS
    while digits < MAX_DIGITS and smallest * 10**digits < 10:
        digits += 1
    return digits


def _can_break_even(figures: WagerFigures) -> bool:
    """Whether a rising meter makes the wager fair; very generous fixed prizes do so alone."""
    even = figures.odds.break_even_meter
    return figures.depends_on_meter and even is not None and even > 0


def _meter_grid(figures: WagerFigures) -> Grid:
    """The value of the wager as the meter grows, up to break-even."""
    even = figures.odds.break_even_meter
    assert even is not None
    rows = []
    for quarters in range(5):
        meter = even * quarters / 4
        odds = figures.odds_at_meter(meter)
        edge, deviation, index = odds.house_edge, odds.standard_deviation, volatility_index(odds)
        assert edge is not None
        assert deviation is not None
        assert index is not None
        rows.append(
            (
                "Break-even" if quarters == 4 else f"{quarters * 25}% of break-even" if quarters else "Empty",
                format_dollars(meter, figures.wager_cents),
                format_percent(1 - edge),
                format_percent(edge),
                format_fixed(deviation, 4),
                format_fixed(index, 4),
            )
        )
    return Grid(
        (
            GridColumn("Meter", wide=True),
            *number_columns("Shows", "Return to player", "House edge", "Std. deviation", "Volatility index"),
        ),
        tuple(rows),
    )


def _charts(figures: WagerFigures) -> Iterator[Chart]:
    odds = figures.odds
    source = source_line([odds])
    yield contribution_chart(figures.name, odds, source)
    if _can_break_even(figures):
        yield meter_chart(figures.name, odds, source, figures.wager_cents)
    if figures.comparisons:
        yield edge_chart(figures.name, edge_bars((odds, *figures.comparisons), table_in_use=odds), source)
