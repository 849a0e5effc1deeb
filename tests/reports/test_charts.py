"""Charts state what they show, are readable with any color vision, and are the same file every time."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from cardroom.errors import BadInput
from cardroom.odds import Odds, WagerOutcome
from cardroom.reports.charts import (
    Chart,
    Convergence,
    EdgeBar,
    Fan,
    contribution_chart,
    convergence_chart,
    edge_bars,
    edge_chart,
    fan_chart,
    meter_chart,
    png,
    svg,
    write_chart,
)
from cardroom.reports.charts.frame import WIDTH, balance_lines
from cardroom.reports.definitions import PLUS_MINUS
from cardroom.reports.palette import NEUTRALS, OKABE_ITO

SOURCE = "a count by hand"


def toss(paytable: str = "one", pays: int = 1, options: dict[str, int] | None = None) -> Odds:
    endings = (
        WagerOutcome("heads", f"{pays} to 1", 4, Fraction(pays)),
        WagerOutcome("tails", "loss", 5, Fraction(-1)),
        WagerOutcome("the-edge", "push", 1, Fraction(0)),
    )
    return Odds("toss", "heads", paytable, options or {}, endings)


def meter() -> Odds:
    endings = (
        WagerOutcome("seven-sevens", "100% of the meter", 1, Fraction(-1), percent=Fraction(1)),
        WagerOutcome("six-sevens", "$50", 10, Fraction(49)),
        WagerOutcome("other", "loss", 989, Fraction(-1)),
    )
    return Odds("toss", "sevens", "S", {}, endings, is_jackpot=True)


CHARTS: dict[str, Callable[[], Chart]] = {
    "edges": lambda: edge_chart("Toss", edge_bars([toss(), toss("two", 2)]), SOURCE),
    "contributions": lambda: contribution_chart("Toss", toss(), SOURCE),
    "contributions of a jackpot": lambda: contribution_chart("Sevens", meter(), SOURCE),
    "meter": lambda: meter_chart("Sevens", meter(), SOURCE),
    "convergence": lambda: convergence_chart("Toss", Convergence([10, 100], [0.1, -0.09], [0.3, 0.1], -0.1), SOURCE),
    "fan": lambda: fan_chart("Toss", Fan([0, 50, 100], {5: [10, 3, 1], 50: [10, 9, 8], 95: [10, 15, 17]}), SOURCE),
}

every_chart = pytest.mark.parametrize("name", CHARTS)


@cache
def drawn(name: str) -> str:
    return svg(CHARTS[name]())


def text_of_chart(chart: Chart) -> str:
    return " ".join(text.strip() for text in ET.fromstring(svg(chart)).itertext() if text.strip())


@every_chart
def test_a_chart_is_valid_svg_of_one_width(name: str) -> None:
    root = ET.fromstring(drawn(name))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.attrib["width"] == str(WIDTH)


@every_chart
def test_a_chart_names_its_finding_its_units_and_its_source(name: str) -> None:
    chart = CHARTS[name]()
    chart_text = text_of_chart(chart)
    assert chart.title in chart_text
    assert f"Source: {SOURCE}" in chart_text
    assert re.search(r"(percent|dollars|units|rounds)", chart_text)


@every_chart
def test_every_color_is_of_the_palette(name: str) -> None:
    used = re.findall(r'(?:fill|stroke)="([^"]+)"', drawn(name))
    allowed = {color.lower() for color in (*OKABE_ITO, *NEUTRALS, "none", "transparent")} | {"#000"}
    assert {color.lower() for color in used} <= allowed
    assert {color.lower() for color in used} & {color.lower() for color in OKABE_ITO[1:]}


@every_chart
def test_the_same_figures_give_the_same_drawing(name: str) -> None:
    assert svg(CHARTS[name]()) == drawn(name)


@every_chart
def test_a_chart_is_self_contained(name: str) -> None:
    references = re.findall(r'(?:href|src)="([^"]*)"|url\(([^)]*)\)', drawn(name))
    assert references == []


def test_png_is_png_and_the_same_every_time() -> None:
    first, second = (png(CHARTS["edges"]()) for _ in range(2))
    assert first.startswith(b"\x89PNG\r\n\x1a\n")
    assert first == second


def test_the_edge_chart_states_the_rank_of_the_table_in_use() -> None:
    dear, cheap = toss("dear"), toss("cheap", 2)
    chart = edge_chart("Toss", edge_bars([dear, cheap], table_in_use=dear), SOURCE)
    assert chart.title == "Toss: the table in use has a house edge of 10.000%, highest of 2 (−30.000% to 10.000%)"


def test_a_table_between_others_is_named_by_its_rank() -> None:
    tables = [toss("cheap", 3), toss("middle", 2), toss("dear")]
    chart = edge_chart("Toss", edge_bars(tables, table_in_use=tables[1]), SOURCE)
    assert "2nd lowest of 3" in chart.title


def test_without_tables_only_the_options_are_named() -> None:
    labels = [edge.label for edge in edge_bars([toss("", options={"bonus": flag}) for flag in (True, False)])]
    assert labels == ["with bonus", "no bonus"]


def test_a_title_has_lines_of_similar_length() -> None:
    lines = balance_lines("Toss: after 131,072,000 rounds the mean is −0.02911 ± 0.00027; it lies inside the band", 60)
    assert len(lines) == 2
    assert abs(len(lines[0]) - len(lines[1])) < 16
    assert any("−0.02911 ± 0.00027" in line for line in lines)
    assert balance_lines("", 60) == []


def test_ticks_of_a_logarithmic_axis_are_powers_of_ten() -> None:
    chart = convergence_chart("Toss", Convergence([50, 5_000], [0.1, 0.1], [0.3, 0.1]), SOURCE)
    chart_text = text_of_chart(chart)
    assert "100 1k" in chart_text
    chart = convergence_chart("Toss", Convergence([200, 500], [0.1, 0.1], [0.3, 0.1]), SOURCE)
    assert "200 500" in text_of_chart(chart)


def test_zero_has_no_sign_on_an_axis() -> None:
    chart_text = text_of_chart(contribution_chart("Toss", toss(), SOURCE))
    assert "+0.00 " not in chart_text
    assert " 0 " in chart_text


def test_only_options_that_differ_are_named() -> None:
    labels = [edge.label for edge in edge_bars([toss(options={"decks": 6}), toss(options={"decks": 8})])]
    assert labels == ["one, 6 decks", "one, 8 decks"]
    assert [edge.label for edge in edge_bars([toss(options={"decks": 6}), toss("two", 1, {"decks": 6})])] == [
        "one",
        "two",
    ]


def test_a_wager_that_depends_on_its_meter_has_no_edge_chart() -> None:
    assert edge_bars([meter()]) == ()
    with pytest.raises(BadInput, match="meter"):
        edge_chart("Sevens", (), SOURCE)


def test_a_single_edge_is_stated() -> None:
    assert edge_chart("Toss", [EdgeBar("one", 0.1)], SOURCE).title == "Toss: the house edge is 10.000%"


def test_the_contribution_chart_draws_every_outcome() -> None:
    chart_text = text_of_chart(contribution_chart("Toss", toss(), SOURCE))
    for label in ("Heads", "Tails", "The edge", "+0.40000", "−0.50000", "0.00000"):
        assert label in chart_text


def test_the_title_states_who_gains() -> None:
    assert contribution_chart("Toss", toss(), SOURCE).title.startswith("Toss: the house keeps 10.000%.")
    assert contribution_chart("Toss", toss("two", 2), SOURCE).title.startswith("Toss: the player gains 30.000%.")


def test_many_small_outcomes_are_drawn_together() -> None:
    prizes = tuple(WagerOutcome(f"prize-{number}", f"{number} to 1", 1, Fraction(number)) for number in range(1, 31))
    chart_text = text_of_chart(contribution_chart("Raffle", Odds("raffle", "one", "R", {}, prizes), SOURCE))
    assert "15 smaller outcomes" in chart_text
    assert "Prize 30" in chart_text
    assert "Prize 15" not in chart_text


def test_break_even_is_marked_on_the_meter_chart() -> None:
    odds = meter()
    assert odds.break_even_meter == 500
    chart = meter_chart("Sevens", odds, SOURCE, wager_cents=200)
    assert chart.title == "Sevens returns 50.00% from fixed prizes and breaks even at a meter of $1,000.00"
    assert "break-even: $1,000.00" in text_of_chart(chart)


def test_a_wager_without_a_meter_has_no_meter_chart() -> None:
    with pytest.raises(BadInput):
        meter_chart("Toss", toss(), SOURCE)


@pytest.mark.parametrize(("exact", "where"), [(-0.1, "inside"), (0.5, "outside")])
def test_convergence_states_whether_the_exact_value_is_in_the_band(exact: float, where: str) -> None:
    chart = convergence_chart("Toss", Convergence([10, 100], [0.1, -0.09], [0.3, 0.1], exact), SOURCE)
    assert f"is {where} the 95% band" in chart.title


def test_convergence_needs_no_exact_value() -> None:
    chart = convergence_chart("Toss", Convergence([10, 100], [0.1, -0.09], [0.3, 0.1]), SOURCE)
    assert chart.title == "Toss: after 100 rounds the mean is −0.09000 ± 0.10000"
    assert PLUS_MINUS == "± is one standard error."
    assert PLUS_MINUS in str(chart.spec["title"])


def test_the_fan_names_its_middle_half_and_its_median() -> None:
    fan = Fan([0, 100], {5: [100, 60], 25: [100, 80], 50: [100, 95], 75: [100, 110], 95: [100, 130]}, unit="dollars")
    title = fan_chart("Duel", fan, SOURCE).title
    assert title == "Duel: after 100 rounds 50% of sessions end between 80 and 110 dollars; the median is 95"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Convergence([1, 2], [0.0], [0.0, 0.0]),
        lambda: Convergence([1], [0.0], [0.0]),
        lambda: Convergence([2, 1], [0.0, 0.0], [0.0, 0.0]),
        lambda: Convergence([0, 1], [0.0, 0.0], [0.0, 0.0]),
        lambda: Fan([1], {5: [1.0], 95: [2.0]}),
        lambda: Fan([1, 2], {50: [1.0, 2.0]}),
        lambda: Fan([1, 2], {-5: [1.0, 2.0], 95: [1.0, 2.0]}),
        lambda: Fan([1, 2], {5: [1.0], 95: [1.0, 2.0]}),
    ],
)
def test_figures_that_do_not_fit_together_are_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(BadInput):
        wrong()


@pytest.mark.parametrize("suffix", [".svg", ".PNG"])
def test_a_chart_is_written_by_the_suffix_of_its_file(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"chart{suffix}"
    write_chart(CHARTS["meter"](), file)
    assert file.read_bytes()[:4] in (b"<svg", b"\x89PNG")
    assert [one.name for one in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize("name", ["chart.jpg", "chart", "chart.pdf"])
def test_other_kinds_of_pictures_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match=r"\.svg or \.png"):
        write_chart(CHARTS["meter"](), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_chart_in_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        write_chart(CHARTS["meter"](), tmp_path / "nowhere" / "chart.svg")


def test_a_chart_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "chart.svg").mkdir()
    with pytest.raises(BadInput):
        write_chart(CHARTS["meter"](), tmp_path / "chart.svg")
    assert [one.name for one in tmp_path.iterdir()] == ["chart.svg"]
