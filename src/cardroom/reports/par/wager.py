"""One wager on a PAR sheet: its figures, every outcome, and charts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardroom.games.money import money
from cardroom.odds import Odds
from cardroom.reports.charts.contribution import contribution_chart
from cardroom.reports.charts.edge import edge_chart, edges_of
from cardroom.reports.charts.frame import Chart, svg
from cardroom.reports.charts.meter import meter_chart
from cardroom.reports.charts.source import source_of
from cardroom.reports.paper.blocks import Block, Grid, GridColumn, Heading, Items, Paragraph, Picture, numbers
from cardroom.reports.paper.numbers import MINUS, dollars, fixed, fraction, percent, sentence, signed, spoken
from cardroom.reports.par.bands import confidence_bands
from cardroom.reports.par.likelihood import one_in
from cardroom.reports.par.netting import by_net
from cardroom.reports.par.sheet import WagerFigures, volatility_index

FEWEST_DIGITS = 8
MOST_DIGITS = 10
SIMULATED_DIGITS = 6
"""A simulation does not know more of a probability or of a return."""


def wager_pages(figures: WagerFigures) -> Iterator[Block]:
    """Everything about one wager."""
    table = figures.odds.paytable
    yield Heading(2, f"{figures.name}, table {table}" if table else figures.name)
    yield Grid(
        (GridColumn("Figure"), GridColumn("Value", numeric=True), GridColumn("Exactly, or in other words", wide=True)),
        tuple(_meter_figures(figures) if figures.hangs_on_meter else _figures(figures)),
    )
    yield _outcomes(figures.odds)
    if figures.hangs_on_meter:
        yield Paragraph("Returns stand for a meter at zero: a percentage prize counts as the loss of the wager.", True)
    notes = (*figures.odds.notes, *((figures.beside.words,) if figures.beside else ()))
    if notes:
        yield Items(notes)
    if _breaks_even(figures):
        yield _by_meter(figures)
    for chart in _charts(figures):
        yield Picture(svg(chart), chart.title)
    yield from by_net(figures)
    yield from confidence_bands(figures)


def _figures(figures: WagerFigures) -> Iterator[tuple[str, str, str]]:
    odds = figures.odds
    expected, edge, risk = odds.expected_return, odds.house_edge, odds.element_of_risk
    assert expected is not None
    assert edge is not None
    assert risk is not None
    down = "1 unit is" if odds.initial_wager == 1 else f"{odds.initial_wager} units are"
    told = fixed(expected, 10 if figures.is_exact else SIMULATED_DIGITS)
    digits = figures.percent_digits
    yield "Expected return", told, f"{_exactly(odds)} units a round; {down} down before the deal"
    if odds.unhit:
        yield "Prizes that no round won", f"up to {signed(odds.unhit_at_most, SIMULATED_DIGITS)}", odds.unhit_words
    yield "Return to player", percent(1 - edge, digits), "of the initial wager"
    yield "House edge", percent(edge, digits), "of the initial wager"
    yield "Element of risk", percent(risk, digits), f"of the average wager of {fixed(odds.average_wager, 6)} units"
    yield from _spread(odds, "")
    yield "Hit frequency", percent(odds.hit_frequency, digits), _one_in_words(odds.hit_frequency)
    if odds.jackpot:
        yield "Fixed return", percent(odds.fixed_return), "of the wager; no prize comes off a meter"
    if figures.break_even_prize is not None:
        top = odds.outcomes[0]
        yield (
            "Break-even prize",
            dollars(figures.break_even_prize, figures.wager_cents),
            f"on {spoken(top.event)}, for the wager to be fair; the set-up pays {top.pays}",
        )
    if figures.at_maximum is not None and figures.at_maximum.house_edge is not None:
        yield "House edge", percent(figures.at_maximum.house_edge), _at_maximum(figures)


def _at_maximum(figures: WagerFigures) -> str:
    smallest, largest = money(figures.wager_cents), money(figures.offered.limits.maximum)
    return f"with the largest wager, {largest}; the figures above are for the smallest, {smallest}"


def _meter_figures(figures: WagerFigures) -> Iterator[tuple[str, str, str]]:
    odds = figures.odds
    even = odds.break_even_meter
    assert even is not None
    yield "Fixed return", percent(odds.fixed_return), f"{fraction(odds.fixed_return)} of the wager, without the meter"
    yield "Part of the meter", percent(odds.meter_part, 8), f"{fraction(odds.meter_part)} of it won a round on average"
    yield (
        "Break-even meter",
        dollars(even, figures.wager_cents),
        f"{fraction(even)} wagers of {money(figures.wager_cents)}",
    )
    yield "Average wager", fixed(odds.average_wager, 6), "units"
    yield from _spread(figures.at_empty_meter, ", with a meter at zero")
    yield "Hit frequency", percent(odds.hit_frequency), _one_in_words(odds.hit_frequency)
    # The meter does not grow with the wager, so a larger one needs a larger meter to be fair.
    largest = figures.offered.limits.maximum
    at_maximum = figures.at_maximum or odds
    if largest > figures.wager_cents and at_maximum.break_even_meter is not None:
        yield "Break-even meter", dollars(at_maximum.break_even_meter, largest), _at_maximum(figures)


def _spread(odds: Odds, when: str) -> Iterator[tuple[str, str, str]]:
    deviation, index = odds.standard_deviation, volatility_index(odds)
    assert deviation is not None
    assert index is not None
    yield "Standard deviation", fixed(deviation, 6), f"units a round{when}"
    yield "Volatility index", fixed(index, 6), f"1.645 standard deviations for one unit initially wagered{when}"


def _exactly(odds: Odds) -> str:
    assert odds.expected_return is not None
    if odds.standard_error is None:
        return fraction(odds.expected_return)
    return f"simulated, standard error {fixed(odds.standard_error, SIMULATED_DIGITS)}"


def _one_in_words(probability: Fraction) -> str:
    return f"once in {fixed(1 / probability, 2)} rounds" if probability else "never"


def _outcomes(odds: Odds) -> Grid:
    """Every outcome; digits enough for all but the very rarest, which "once in" tells better."""
    rarest = min((one.probability for one in odds.outcomes if one.combinations), default=Fraction(1))
    smallest = min((abs(one.contribution) for one in odds.outcomes if one.contribution), default=Fraction(1))
    digits = _digits(rarest), _digits(smallest)
    if odds.simulated_rounds:
        digits = SIMULATED_DIGITS, SIMULATED_DIGITS
    total = odds.net_without_meter if odds.expected_return is None else odds.expected_return
    rows = [
        (
            sentence(one.event),
            _pays(one.pays),
            f"{one.combinations:,}",
            fixed(one.probability, digits[0]),
            one_in(one.probability) if one.combinations or odds.is_exact else "unknown",
            signed(one.contribution, digits[1]),
        )
        for one in odds.outcomes
    ]
    rows.append(("In all", "", f"{odds.combinations:,}", fixed(1, digits[0]), "", signed(total, digits[1])))
    counted = "Rounds" if odds.simulated_rounds else "Combinations"
    return Grid(
        (
            GridColumn("Outcome", wide=True),
            GridColumn("Pays"),
            *numbers(counted, "Probability", "Once in", "Return"),
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
    """Enough to show two digits of the smallest value."""
    digits = FEWEST_DIGITS
    while digits < MOST_DIGITS and smallest * 10**digits < 10:
        digits += 1
    return digits


def _breaks_even(figures: WagerFigures) -> bool:
    """Whether a rising meter makes the wager fair; fixed prizes that are too generous do so alone."""
    even = figures.odds.break_even_meter
    return figures.hangs_on_meter and even is not None and even > 0


def _by_meter(figures: WagerFigures) -> Grid:
    """What the wager is worth as the meter grows, up to break-even."""
    even = figures.odds.break_even_meter
    assert even is not None
    rows = []
    for quarters in range(5):
        meter = even * quarters / 4
        odds = figures.at_meter(meter)
        edge, deviation, index = odds.house_edge, odds.standard_deviation, volatility_index(odds)
        assert edge is not None
        assert deviation is not None
        assert index is not None
        rows.append(
            (
                "Break-even" if quarters == 4 else f"{quarters * 25}% of break-even" if quarters else "Empty",
                dollars(meter, figures.wager_cents),
                percent(1 - edge),
                percent(edge),
                fixed(deviation, 4),
                fixed(index, 4),
            )
        )
    return Grid(
        (
            GridColumn("Meter", wide=True),
            *numbers("Shows", "Return to player", "House edge", "Std. deviation", "Volatility index"),
        ),
        tuple(rows),
    )


def _charts(figures: WagerFigures) -> Iterator[Chart]:
    odds = figures.odds
    source = source_of([odds])
    yield contribution_chart(figures.name, odds, source)
    if _breaks_even(figures):
        yield meter_chart(figures.name, odds, source, figures.wager_cents)
    if figures.compared:
        yield edge_chart(figures.name, edges_of((odds, *figures.compared), in_use=odds), source)
