"""A PAR sheet contains everything behind a table's figures, on paper and on screen."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace
from fractions import Fraction
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cardroom.errors import BadInput
from cardroom.games import FeatureSetup, TableSetup, UnknownGame, WagerLimits, WagerSetup, default_setup, game
from cardroom.games.playable_table import BadSetup
from cardroom.odds.payoffs import apply_paytable
from cardroom.odds.result import Odds
from cardroom.odds.table_prices import convert_dollar_prizes
from cardroom.odds.three_card_double_play.pricer import pick_3_event_counts
from cardroom.paytables import paytable, paytables
from cardroom.reports.documents.blocks import Grid, Paragraph
from cardroom.reports.documents.html import extract_content
from cardroom.reports.documents.numbers import capitalize_slug, format_dollars, format_fixed, format_percent
from cardroom.reports.documents.pdf import extract_attachment, render_pages
from cardroom.reports.par import ParSheet, par_sheet, volatility_index, write_par_sheet
from cardroom.reports.par.content import EmbeddedContent
from cardroom.reports.par.sections import setup_section
from tests.reports.pdf_text import pieces
from tests.reports.sheets import PREPARED, QUICK, SLOW, document_of, html_of, pdf_of, sheet

every_game = pytest.mark.parametrize("slug", [*QUICK, *(pytest.param(slug, marks=pytest.mark.long) for slug in SLOW)])


def text_of(page: str) -> str:
    body = page.partition("<body>")[2].partition("<script")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def rows_of(page: str) -> set[tuple[str, ...]]:
    """The cells of every row of every table."""
    return {
        tuple(unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row))
        for row in re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    }


@every_game
def test_every_outcome_of_every_wager_is_on_the_page(slug: str) -> None:
    rows = {row[:3] for row in rows_of(html_of(slug))}
    for figures in sheet(slug).wagers:
        for outcome in figures.odds.outcomes:
            pays = outcome.pays.replace("net -", "net −").replace("net +0", "net 0")
            assert (capitalize_slug(outcome.trigger), pays, f"{outcome.combinations:,}") in rows


@every_game
def test_every_wager_of_the_table_is_on_the_page_with_its_figures(slug: str) -> None:
    page_text = text_of(html_of(slug))
    for figures in sheet(slug).wagers:
        odds = figures.odds
        assert figures.offered.wager.name in page_text
        assert odds.paytable in page_text
        digits = 4 if odds.simulated_rounds is None else 3  # a simulation has no fourth decimal
        assert format_percent(odds.hit_frequency, digits) in page_text
        assert format_fixed(odds.average_wager, 6) in page_text
        if odds.house_edge is None:
            assert odds.break_even_meter is not None
            assert format_percent(odds.fixed_return) in page_text
            assert format_dollars(odds.break_even_meter, figures.wager_cents) in page_text
        else:
            assert odds.element_of_risk is not None
            assert odds.standard_deviation is not None
            assert {format_percent(odds.house_edge, digits), format_percent(odds.element_of_risk, digits)} <= set(
                page_text.split()
            )
            assert format_fixed(odds.standard_deviation, 6) in page_text
    assert {figures.offered.wager.slug for figures in sheet(slug).wagers} == set(default_setup(slug).wagers)


@every_game
def test_every_ruling_on_the_game_is_on_the_page(slug: str) -> None:
    page = unescape(html_of(slug).replace("<code>", "`").replace("</code>", "`"))
    for ruling in sheet(slug).rulings:
        assert f"<dt>{ruling.number}</dt><dd>{ruling.text}</dd>" in page


@every_game
def test_the_strategy_and_its_cost_are_on_the_page(slug: str) -> None:
    page_text = text_of(html_of(slug))
    strategies = [figures.strategy for figures in sheet(slug).wagers if figures.strategy]
    assert strategies
    for strategy in strategies:
        assert format_fixed(strategy.best_return, 8 if strategy.simulated_rounds is None else 6) in page_text
        for rule in strategy.rules:
            assert rule.text[1:].rstrip(".") in page_text


@every_game
def test_the_pdf_has_pages_and_carries_the_same_content_as_the_page(slug: str) -> None:
    pages = pdf_of(slug)
    assert pages.startswith(b"%PDF-")
    match = re.search(rb"/Type\s*/Pages\b.*?/Count (\d+)", pages, re.DOTALL)
    assert match is not None
    assert int(match[1]) > 3
    assert extract_attachment(pages) == document_of(slug).content_json
    inside = extract_content(html_of(slug))
    assert inside is not None
    assert EmbeddedContent.from_json(inside) == EmbeddedContent.from_sheet(sheet(slug))


@every_game
def test_the_digest_on_paper_can_be_copied(slug: str) -> None:
    copied = pieces(pdf_of(slug))
    assert document_of(slug).digest in copied
    assert "\u200b" not in "".join(copied)


def test_an_attachment_may_end_with_any_byte() -> None:
    """One attachment in 256 ends with a byte that looks like the end of a line."""
    ends = set[int]()
    for number in range(256):
        packed = zlib.compress(b"a" * number)
        pages = b"%PDF-1.7\n1 0 obj\n<</Type/EmbeddedFile>>\nstream\n" + packed + b"\nendstream\nendobj\n"
        assert extract_attachment(pages) == "a" * number
        ends.add(packed[-1])
    assert len(ends) == 256


def test_pages_can_be_drawn_for_a_screen() -> None:
    drawn = render_pages(document_of("dueling-for-dollars"), 30)
    assert len(drawn) > 3
    assert all(page.startswith(b"\x89PNG") for page in drawn)


class References(HTMLParser):
    """Everything that a page loads or links to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [str(value) for name, value in attrs if name in ("src", "href", "xlink:href", "srcset", "data")]
        if tag in ("link", "iframe", "object", "embed", "base"):
            self.found.append(tag)


@every_game
def test_the_page_needs_nothing_from_outside(slug: str) -> None:
    page = html_of(slug)
    references = References()
    references.feed(page)
    assert references.found == []
    assert "http" not in page.partition("<script")[0]
    assert "@import" not in page
    assert "url(" not in page


@every_game
def test_charts_are_on_the_page(slug: str) -> None:
    page = html_of(slug)
    on_meters = sum(figures.depends_on_meter for figures in sheet(slug).wagers)
    compared = sum(bool(figures.comparisons) for figures in sheet(slug).wagers)
    assert page.count("<svg") == len(sheet(slug).wagers) + on_meters + compared
    assert page.count("breaks even at a meter of") >= on_meters


def test_the_first_page_names_the_game_the_date_and_the_program() -> None:
    page_text = text_of(html_of("three-card-prime"))
    cover = page_text[: page_text.index("Summary")]
    for fact in (
        "Three Card Prime, Rules of Play, revised September 3, 2015",
        "Washington State",
        "one deck, 6 seats, 6 wagers",
        "Cardroom",
        "3/2/2026",
    ):
        assert fact in cover
    assert EmbeddedContent.from_sheet(sheet("three-card-prime")).digest in cover


def test_the_page_has_signature_lines_and_a_footer_for_paper() -> None:
    page = html_of("three-card-prime")
    page_text = text_of(page)
    assert page_text.count("Name, title and signature") == 3
    for role in ("Mathematician", "Operator", "Regulator"):
        assert f"{role} Name, title and signature Date" in page_text
    assert 'content: "Page " counter(page) " of " counter(pages)' in page
    digest = EmbeddedContent.from_sheet(sheet("three-card-prime")).digest
    assert f'content: "PAR sheet of Three Card Prime, prepared 3/2/2026\\a SHA-256 of the content: {digest}"' in page


def test_the_method_names_the_volatility_index_and_the_program() -> None:
    method = text_of(html_of("three-card-prime")).partition(" Method Ante and Play ")[2]
    assert "At 90% confidence: 1.645 times the standard deviation for one unit initially wagered" in method
    program = sheet("three-card-prime").program
    for part in (program.cardroom, program.build, program.forms, program.typst, program.altair, program.vl_convert):
        assert part in method
    assert "cardroom par --check FILE" in method


def test_the_summary_has_the_volatility_index_of_each_wager() -> None:
    index = volatility_index(sheet("three-card-prime").wagers[0].odds)
    assert index is not None
    assert any(
        row[0] == "Ante and Play" and format_fixed(index, 4) in row
        for row in rows_of(html_of("three-card-prime"))
        if row
    )


@pytest.mark.long
def test_an_open_top_line_has_the_prize_that_makes_the_wager_fair() -> None:
    jackpot = sheet("deuces-wild").wagers[-1]
    fair = jackpot.break_even_prize
    assert fair == 1_429_765
    base = default_setup("deuces-wild")
    bonus = replace(base.wagers["bonus-jackpot"], bonuses={"five-wild-cards": f"${fair}"})
    setup = replace(base, wagers={"ante-play-raise": base.wagers["ante-play-raise"], "bonus-jackpot": bonus})
    assert par_sheet(setup, PREPARED).wagers[-1].odds.expected_return == 0
    assert "$1,429,765.00" in text_of(html_of("deuces-wild"))


def test_a_meter_or_a_printed_prize_has_no_such_prize() -> None:
    for slug in QUICK:
        assert [figures.break_even_prize for figures in sheet(slug).wagers] == [None] * len(sheet(slug).wagers)


@pytest.mark.long
def test_ties_that_push_name_the_wager_that_makes_them_push() -> None:
    page_text = text_of(html_of("texas-shootout"))
    sentence = "at least as large as the Texas Shootout wager (TS-3). The figures are of the sum of both wagers."
    assert sentence in page_text
    assert all(figures.is_exact for figures in sheet("texas-shootout").wagers)


def test_returns_of_a_table_of_outcomes_add_up() -> None:
    for slug in QUICK:
        for figures in sheet(slug).wagers:
            at_zero = figures.empty_meter_odds
            assert sum((outcome.contribution for outcome in at_zero.outcomes), Fraction(0)) == at_zero.expected_return
            assert sum(outcome.combinations for outcome in at_zero.outcomes) == at_zero.combinations


def test_the_sheet_of_the_duel_has_the_figures_of_six_decks() -> None:
    page_text = text_of(html_of("dueling-for-dollars"))
    assert "6 decks, 312 cards" in page_text
    duel = sheet("dueling-for-dollars").wagers[0]
    assert duel.odds.options == {"decks": 6, "tie_after_tie_bonus": False}
    assert "The strategy is the best play: it costs nothing." in page_text


def test_a_setup_decides_decks_and_options() -> None:
    setup = replace(default_setup("dueling-for-dollars"), decks=8, options={"tie_after_tie_bonus": True})
    setup = replace(setup, wagers={"duel": setup.wagers["duel"]})
    (duel,) = par_sheet(setup, PREPARED).wagers
    assert duel.odds.options == {"decks": 8, "tie_after_tie_bonus": True}


def test_the_volatility_index_is_for_one_unit_initially_wagered() -> None:
    one = sheet("three-card-prime").wagers[0].odds
    assert volatility_index(one) == pytest.approx(1.645 * one.standard_deviation)
    assert volatility_index(replace(one, initial_wager=2)) == pytest.approx(1.645 * one.standard_deviation / 2)
    on_meter = sheet("three-card-prime").wagers[-1].odds
    assert volatility_index(on_meter) is None


# Prizes in dollars


def with_dollars(minimum: int, maximum: int) -> ParSheet:
    """Pick-3 with a table that the operator completes with dollars."""
    base = default_setup("three-card-double-play")
    events = paytable("three-card-double-play", "pick-3", "P3-9").missing_bonuses({})
    bonuses = {event: f"${amount}" for event, amount in zip(events, (5000, 500, 250, 100, 20, 10), strict=True)}
    pick_3 = WagerSetup(WagerLimits(minimum, maximum, minimum), "P3-9", bonuses)
    # Pricing the main wager would take seconds; this test needs only Pick-3.
    setup = replace(base, wagers={"high-low": base.wagers["high-low"], "pick-3": pick_3})
    return par_sheet(setup, PREPARED)


@pytest.mark.long
def test_prizes_in_dollars_are_compared_with_the_smallest_wager_and_shown_for_the_largest() -> None:
    figures = with_dollars(5_00, 10_00).wagers[1]
    assert figures.wager_cents == 5_00
    assert [outcome.pays for outcome in figures.odds.outcomes][:2] == ["$5,000", "$500"]
    smallest = Odds(
        "", "", "", {}, tuple(apply_paytable(pick_3_event_counts(), figures.offered.paytable, wager_cents=5_00))
    )
    largest = Odds(
        "", "", "", {}, tuple(apply_paytable(pick_3_event_counts(), figures.offered.paytable, wager_cents=10_00))
    )
    assert figures.odds.expected_return == smallest.expected_return
    assert figures.maximum_odds is not None
    assert figures.maximum_odds.expected_return == largest.expected_return


def test_dollars_as_odds_give_the_same_outcomes() -> None:
    table = paytable("three-card-prime", "final-four", "F4P-1")
    kinds = {(line.trigger,): 10 for line in table.lines}
    for cents in (1_00, 2_00, 2_50):
        outcomes_in_dollars = [
            (outcome.net, outcome.percent, outcome.is_hit)
            for outcome in apply_paytable(kinds, table, is_jackpot=True, wager_cents=cents)
        ]
        outcomes_as_odds = [
            (outcome.net, outcome.percent, outcome.is_hit)
            for outcome in apply_paytable(kinds, convert_dollar_prizes(table, cents), is_jackpot=True)
        ]
        assert outcomes_in_dollars == outcomes_as_odds


def test_a_jackpot_whose_prizes_grow_with_the_wager_keeps_its_figures() -> None:
    base = default_setup("dueling-for-dollars")
    jackpot = base.wagers["two-plus-two"]
    two_dollars = replace(jackpot, limits=WagerLimits(2_00, 2_00, 1_00))
    setup = replace(base, wagers={"duel": base.wagers["duel"], "two-plus-two": two_dollars})
    figures = par_sheet(setup, PREPARED).wagers[1]
    usual = sheet("dueling-for-dollars").wagers[-1]
    assert figures.odds.fixed_return == usual.odds.fixed_return
    assert figures.odds.break_even_meter == usual.odds.break_even_meter  # in wagers, so twice the dollars
    assert figures.odds.outcomes[2].pays == "$200"


def test_a_feature_is_named_and_not_counted() -> None:
    base = default_setup("texas-shootout")
    color = FeatureSetup("color", paytable_of_color(), 5_00, bonuses={})
    bonus = replace(base.wagers["shootout-bonus"], feature=color)
    setup = replace(base, wagers={**base.wagers, "shootout-bonus": bonus})
    table = game("texas-shootout").open(setup)
    texts = [
        block.text
        for block in setup_section(sheet("three-card-prime")._replace(table=table))
        if isinstance(block, Paragraph)
    ]
    assert any("Color on Shootout Bonus" in text and "do not include what the feature pays" in text for text in texts)
    grids = [
        block for block in setup_section(sheet("three-card-prime")._replace(table=table)) if isinstance(block, Grid)
    ]
    assert "color" in {cell for row in grids[0].rows for cell in row}


def paytable_of_color() -> str:
    return next(table.name for table in paytables("texas-shootout", "shootout-bonus", "color") if table.is_numeric)


# Files


def test_par_writes_the_file_and_reports_progress(tmp_path: Path) -> None:
    progress: dict[str, float] = {}
    file = tmp_path / "duel.html"
    written = write_par_sheet("dueling-for-dollars", None, file, PREPARED, progress.__setitem__)
    assert file.read_text("utf-8") == html_of("dueling-for-dollars")
    assert written.table.setup == default_setup("dueling-for-dollars")
    assert progress["printing the pages"] == 1.0


@pytest.mark.parametrize("name", ["par.docx", "par", "par.txt"])
def test_other_files_than_pdf_and_html_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match=r"\.pdf or \.html"):
        write_par_sheet("three-card-prime", None, tmp_path / name, PREPARED)


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_computed(tmp_path: Path) -> None:
    def nothing_is_computed(what: str, part: float) -> None:
        raise AssertionError(what)

    for wrong in (tmp_path / "nowhere" / "par.pdf", tmp_path / "folder.pdf"):
        (tmp_path / "folder.pdf").mkdir(exist_ok=True)
        with pytest.raises(BadInput):
            write_par_sheet("texas-shootout", None, wrong, PREPARED, nothing_is_computed)


def test_a_setup_of_another_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="three-card-prime"):
        write_par_sheet("deuces-wild", default_setup("three-card-prime"), tmp_path / "par.pdf", PREPARED)


def test_an_unknown_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame):
        write_par_sheet("baccarat", None, tmp_path / "par.pdf", PREPARED)


def test_a_setup_that_breaks_the_law_has_no_par_sheet(tmp_path: Path) -> None:
    setup = TableSetup("three-card-prime", {"ante-play": WagerSetup(WagerLimits(10_00, 5000_00, 10_00), "PW/BB 1")})
    with pytest.raises(BadSetup):
        write_par_sheet("three-card-prime", setup, tmp_path / "par.pdf", PREPARED)
    assert list(tmp_path.iterdir()) == []
