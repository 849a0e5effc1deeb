"""A laboratory's needs on a PAR sheet: figures that can be recomputed, confirmed, and bounded."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from html import unescape
from math import sqrt
from pathlib import Path

import pytest

from cardroom.errors import BadInput
from cardroom.games import default_setup, game
from cardroom.games.money import format_cents
from cardroom.odds import Odds, WagerOutcome
from cardroom.odds.simulation.runner import simulate, simulator
from cardroom.odds.statistics import Z_SCORES, confidence_band, rounds_until_normal, skewness
from cardroom.reports.definitions import DEFINITIONS
from cardroom.reports.documents.html import extract_content, render_html
from cardroom.reports.par import ParSheet, Verdict, check_par, par_sheet
from cardroom.reports.par.confirmation_run import ConfirmationRequest
from cardroom.reports.par.content import EmbeddedContent, build_content, content_digest
from cardroom.reports.par.files import ParFormat, render_sheet
from cardroom.reports.par.jackpot_figures import BadParJackpot, jackpot_figures
from cardroom.reports.par.pages import sheet_document
from cardroom.reports.par.sheet import wager_pairs
from cardroom.reports.par.top_awards import compute_award, max_round_win
from cardroom.room.setup.example import jackpot_example
from cardroom.room.setup.jackpot import JackpotKind, JackpotSetup, LevelSetup
from tests.reports.sheets import PREPARED, QUICK, SLOW, html_of, sheet
from tests.reports.test_par import rows_of, text_of

DUELS = "dueling-for-dollars"
every_game = pytest.mark.parametrize("slug", [*QUICK, *(pytest.param(slug, marks=pytest.mark.long) for slug in SLOW)])


# Outcomes by net result


def grid_after(page: str, title: str) -> list[list[str]]:
    """The cells of the first table after a heading."""
    match = re.search(rf"<h3>{re.escape(title)}</h3>.*?<tbody>(.*?)</table>", page, re.DOTALL)
    assert match is not None, title
    rows = re.findall(r"<tr>(.*?)</tr>", match[1], re.DOTALL)
    return [[unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)] for row in rows]


def number(text: str) -> Fraction:
    return Fraction(text.replace("−", "-").replace("+", "").replace(",", ""))


@every_game
def test_return_deviation_and_hit_frequency_follow_from_the_page_alone(slug: str) -> None:
    page = html_of(slug)
    for figures in sheet(slug).wagers:
        *lines, total = grid_after(page.replace("&#x27;", "'"), f"{figures.name}: outcomes by net result")
        on_meter = len(lines[0]) == 8
        nets = [number(line[0]) for line in lines]
        wagered, hit, counts = ([line[at + on_meter] for line in lines] for at in (1, 2, 3))
        whole = sum(map(number, counts))
        assert number(total[3 + on_meter]) == whole

        def mean(values: list[Fraction], counts: list[str] = counts, whole: Fraction = whole) -> Fraction:
            parts = (value * number(count) for value, count in zip(values, counts, strict=True))
            return sum(parts, Fraction(0)) / whole

        odds = figures.empty_meter_odds
        expected = mean(nets)
        assert expected == odds.expected_return
        assert mean([net**2 for net in nets]) - expected**2 == odds.variance
        assert mean([Fraction(one == "yes") for one in hit]) == odds.hit_frequency
        assert mean([number(one) for one in wagered]) == odds.average_wager
        if on_meter:
            parts = [Fraction(0) if line[1] == "none" else number(line[1].rstrip("%")) / 100 for line in lines]
            assert mean(parts) == odds.meter_part


@every_game
def test_the_content_has_the_nets_too(slug: str) -> None:
    for figures, entry in zip(sheet(slug).wagers, build_content(sheet(slug))["wagers"], strict=True):
        total = sum(Fraction(net) * count for net, _, _, _, count in entry["net"])
        assert total / figures.odds.combinations == figures.empty_meter_odds.expected_return


# Confirmation


@every_game
def test_simulated_rounds_confirm_every_wager(slug: str) -> None:
    made = sheet(slug).confirmation
    assert made is not None
    assert (made.rounds, made.seed) == (1_000_000, 1)
    page_text = text_of(html_of(slug))
    assert "1,000,000 rounds were dealt with the seed 1" in page_text
    for figures, found in zip(sheet(slug).wagers, made.wagers, strict=True):
        assert found is not None, figures.name
        assert found.z is not None
        assert found.p is not None
        assert abs(found.z) < 4
        assert found.p > 0.0001
        assert f"{found.p:.4f}" in page_text


def test_the_rounds_are_those_of_the_seed() -> None:
    small = par_sheet(small_duel(), PREPARED, confirm=ConfirmationRequest(20_000, 7))
    assert small.confirmation is not None
    tally = simulate(simulator(DUELS).prepare(small.table), 20_000, 7)
    assert small.confirmation.wagers[0].mean == tally.wager("duel").mean
    confirmation = par_sheet(small_duel(), PREPARED, confirm=ConfirmationRequest(20_000, 8))
    assert confirmation.confirmation != small.confirmation
    assert content_digest(build_content(confirmation)) != content_digest(build_content(small))


def test_figures_that_are_wrong_are_not_confirmed() -> None:
    from cardroom.odds.simulation.tally import measure_agreement

    duel = sheet(DUELS).wagers[0].odds
    tally = simulate(simulator(DUELS).prepare(sheet(DUELS).table), 1_000_000, 1)
    wrong = replace(
        duel,
        distribution=tuple(
            replace(outcome, combinations=outcome.combinations + 10**8) for outcome in duel.distribution
        ),
    )
    assert measure_agreement(wrong, tally.wager("duel").counts).p < 1e-6


def test_the_sentence_follows_the_tests() -> None:
    small = par_sheet(small_duel(), PREPARED, confirm=ConfirmationRequest(20_000, 7))
    page_text = text_of(render_html(sheet_document(small)))
    assert "They agree with the figures at the 1% level." in page_text
    made = small.confirmation
    assert made is not None
    assert made.wagers[0] is not None
    far = replace(made.wagers[0], chi_square=500.0)
    wrong = small._replace(confirmation=made._replace(wagers=(far, *made.wagers[1:])))
    page_text = text_of(render_html(sheet_document(wrong)))
    assert "They differ from the figures of Duel at the 1% level." in page_text
    assert "0.0000 differs" in page_text
    assert "agree with the figures" not in page_text
    assert build_content(wrong)["confirmation"]["differs"][0] is True
    nothing = small._replace(confirmation=made._replace(wagers=(None,) * len(made.wagers)))
    assert "the rounds confirm nothing" in text_of(render_html(sheet_document(nothing)))


def test_many_tests_are_judged_together() -> None:
    """One p-value of 0.005 among twenty can be chance; a single one is not."""
    from cardroom.odds.simulation.tally import Agreement, find_disagreements

    def found(chi_square: float) -> Agreement:
        return Agreement(rounds=1_000, mean=Fraction(0), z=None, chi_square=chi_square, cells=2)

    strange, usual = found(7.879), found(0.5)
    assert 0.004 < (strange.p or 0) < 0.006
    assert find_disagreements([strange]) == (True,)
    assert find_disagreements([strange, *[usual] * 19]) == (False,) * 20
    assert find_disagreements([None, strange]) == (None, True)


def test_a_sheet_without_rounds_says_so() -> None:
    plain = par_sheet(small_duel(), PREPARED, confirm=ConfirmationRequest(0))
    assert plain.confirmation is None
    assert build_content(plain)["confirmation"] is None
    assert "No rounds were simulated to confirm the figures of this sheet." in text_of(
        render_html(sheet_document(plain))
    )


@cache
def small_duel() -> object:
    base = default_setup(DUELS)
    return replace(base, wagers={"duel": base.wagers["duel"]})


@pytest.mark.parametrize("confirm", [ConfirmationRequest(0), ConfirmationRequest(5_000, 3)])
def test_a_sheet_with_its_own_rounds_and_seed_passes_the_check(tmp_path: Path, confirm: ConfirmationRequest) -> None:
    file = tmp_path / "duel.html"
    file.write_bytes(render_sheet(par_sheet(small_duel(), PREPARED, confirm=confirm), ParFormat.HTML))
    assert check_par(file, use_cache=True).verdict is Verdict.UNCHANGED


# Bands


def test_a_band_is_the_return_and_deviations_over_the_root_of_the_rounds() -> None:
    odds = sheet("three-card-prime").wagers[0].odds
    assert odds.house_edge is not None
    assert odds.standard_deviation is not None
    low, high = confidence_band(odds, 1_000_000, Z_SCORES["99%"])
    assert float(high - low) == pytest.approx(2 * 2.576 * odds.standard_deviation / 1000)
    assert (low + high) / 2 == 1 - odds.house_edge
    two_units = replace(odds, initial_wager=2)
    assert float(confidence_band(two_units, 100, Z_SCORES["90%"]).high) == pytest.approx(
        1 - float(odds.house_edge) / 2 + 1.645 * odds.standard_deviation / 20
    )


def test_the_approximation_is_poor_where_rare_prizes_carry_the_return() -> None:
    lottery = Odds("", "", "", {}, (WagerOutcome("win", "", 1, Fraction(999)), WagerOutcome("", "", 999, Fraction(-1))))
    chance = 0.001
    assert skewness(lottery) == pytest.approx((1 - 2 * chance) / sqrt(chance * (1 - chance)))
    assert rounds_until_normal(lottery) == pytest.approx(25 * skewness(lottery) ** 2, rel=0.01)


@every_game
def test_bands_are_on_the_page_with_a_mark_where_they_are_poor(slug: str) -> None:
    rows = rows_of(html_of(slug))
    for figures in sheet(slug).wagers:
        odds = figures.empty_meter_odds
        for rounds in (1_000, 10_000_000):
            mine = [row for row in rows if row and row[0] == f"{rounds:,}" and row[-1] in ("fair", "poor")]
            ends = confidence_band(odds, rounds, Z_SCORES["95%"])
            band_text = f"{100 * float(ends.low):,.2f}% to {100 * float(ends.high):,.2f}%".replace("-", "−")
            word = "fair" if rounds >= rounds_until_normal(odds) else "poor"
            assert any(row[2] == band_text and row[4] == word for row in mine)


# Jackpots


def jackpot_setup(ceiling: int | None = None) -> JackpotSetup:
    usual = jackpot_example("three-card-prime", JackpotKind.PROGRESSIVE).jackpot_setup()
    (level,) = usual.levels
    return usual._replace(levels=(replace(level, ceiling=ceiling),))


@cache
def prime(ceiling: int | None = None) -> ParSheet:
    base = default_setup("three-card-prime")
    setup = replace(base, wagers={slug: base.wagers[slug] for slug in ("ante-play", "final-four")})
    return par_sheet(setup, PREPARED, confirm=ConfirmationRequest(0), jackpots=[jackpot_setup(ceiling)])


def test_the_total_return_is_fixed_prizes_contribution_and_seeds() -> None:
    figures = prime().wagers[-1]
    alone = jackpot_figures(prime().jackpots["final-four"], figures.odds, 100, None, 1)
    whole, tenth = (line.probability for line in figures.percentage_lines)
    assert alone.total_return == figures.odds.fixed_return + Fraction(1, 5) + 5_000 * whole
    assert alone.reset_return == figures.odds.fixed_return + 5_000 * (whole + tenth / 10)
    page_text = text_of(render_html(sheet_document(prime())))
    for words in (
        "20.00% of each wager goes to the meter",
        "5.00% of each wager is reserved for resets",
        "$5,000 at the",
    ):
        assert words in page_text
    assert f"{100 * float(alone.total_return):.4f}%" in page_text


def test_the_total_return_is_what_a_long_run_of_the_meter_pays() -> None:
    """The mean of the meter changes by one linear step per wager; the sheet states the payout at its fixed point."""
    figures = prime().wagers[-1]
    (level,) = jackpot_figures(prime().jackpots["final-four"], figures.odds, 100, None, 1).levels
    meter = level.average_meter
    assert meter is not None
    taken, reset = level.wins.mean_taken, level.wins.reset_probability
    # The meter when a round is decided, minus the prizes, plus the seed and the next contribution.
    assert meter * (1 - taken) + reset * 5_000_00 + 20 == meter
    assert meter * taken / 100 == level.meter_return


def test_several_seats_cost_fewer_seeds_than_seats_apart() -> None:
    figures = prime().wagers[-1]
    one, six = (
        jackpot_figures(prime().jackpots["final-four"], figures.odds, 100, figures.winners, seats) for seats in (1, 6)
    )
    assert six.total_return > figures.odds.fixed_return
    assert six.seeds <= one.seeds


def test_a_ceiling_makes_the_total_a_bound() -> None:
    capped = prime(10_000_00)
    figures = capped.wagers[-1]
    alone = jackpot_figures(capped.jackpots["final-four"], figures.odds, 100, None, 1)
    at_ceiling = replace(figures.odds, meter=Fraction(10_000)).expected_return
    assert at_ceiling is not None
    assert alone.total_return == 1 + at_ceiling
    assert f"at most {100 * float(alone.total_return):.4f}%" in text_of(render_html(sheet_document(capped)))


def test_without_a_setup_there_is_no_contribution_and_no_seed() -> None:
    page_text = text_of(html_of("three-card-prime"))
    assert page_text.count("without a setup of the jackpot") == 2
    assert "of each wager goes to the meter" not in page_text


def test_a_sheet_with_its_jackpot_passes_the_check_and_with_another_seed_fails(tmp_path: Path) -> None:
    file = tmp_path / "prime.html"
    page = render_html(sheet_document(prime()))
    file.write_text(page, "utf-8")
    assert check_par(file, use_cache=True).verdict is Verdict.UNCHANGED
    inside = extract_content(page)
    assert inside is not None
    content = EmbeddedContent.from_json(inside).content
    content["jackpots"][0]["levels"][0]["seed"] = "$6,000"
    file.write_text(page.replace(inside, EmbeddedContent(content_digest(content), content).to_json()), "utf-8")
    assert check_par(file, use_cache=True).verdict is Verdict.CHANGED


def test_a_jackpot_of_another_table_is_refused() -> None:
    table = default_setup("dueling-for-dollars")
    with pytest.raises(BadParJackpot, match=r"three-card-prime.* dueling-for-dollars"):
        par_sheet(table, PREPARED, jackpots=[jackpot_setup()])
    with pytest.raises(BadParJackpot, match="final-four"):
        par_sheet(default_setup("three-card-prime"), PREPARED, jackpots=[jackpot_setup(), jackpot_setup()])
    base = default_setup("three-card-prime")
    wagers = {**base.wagers, "final-four": replace(base.wagers["final-four"], paytable="F4P-2")}
    with pytest.raises(BadParJackpot, match=r"F4P-1.* F4P-2"):
        par_sheet(replace(base, wagers=wagers), PREPARED, jackpots=[jackpot_setup()])
    faulty = jackpot_setup()._replace(levels=(LevelSetup("main", (), 0),))
    with pytest.raises(BadInput):
        par_sheet(base, PREPARED, jackpots=[faulty])


@every_game
def test_winners_of_one_round_are_on_the_page(slug: str) -> None:
    page_text = text_of(html_of(slug))
    for figures in sheet(slug).wagers:
        if figures.has_percentages:
            counted = "Exact counts for rounds in which" in page_text
            assert counted or "is not counted" in page_text


# Top awards


@every_game
def test_the_top_award_is_the_best_net_result_at_the_largest_wager(slug: str) -> None:
    rows = rows_of(html_of(slug))
    for figures in sheet(slug).wagers:
        odds = figures.maximum_odds or figures.odds
        best = (
            max(outcome.net for outcome in odds.distribution if outcome.combinations) * figures.offered.limits.maximum
        )
        assert compute_award(figures).cents == best
        assert any(
            row[:2] == (figures.name, format_cents(figures.offered.limits.maximum)) and format_cents(round(best)) in row
            for row in rows
            if row
        )


def test_the_most_of_a_full_table_is_stated_as_a_bound() -> None:
    awards = [compute_award(figures) for figures in sheet("three-card-prime").wagers]
    # Ante and Play $2,200, and three more spots: $10,000, $5,000 and $999.
    assert max_round_win(awards, 4) == 18_199_00
    assert max_round_win(awards, None) == 18_798_00
    page_text = text_of(html_of("three-card-prime"))
    assert "6 seats with the largest wagers, 4 spots each: the house loses at most $109,194" in page_text
    assert "This is a bound, not an exact maximum" in page_text


def test_the_most_of_a_full_table_has_its_payout_limit_once() -> None:
    setup = default_setup("three-card-prime")
    offered = {slug: setup.wagers[slug] for slug in ("ante-play", "pair-bonus", "all-six")}
    limited = par_sheet(replace(setup, wagers=offered, payout_limit=5_000_00), PREPARED, confirm=ConfirmationRequest(0))
    awards = [compute_award(figures) for figures in limited.wagers]
    assert [one.cents for one in awards] == [2_200_00, 5_000_00, 5_000_00], "each wager alone"
    assert max_round_win(awards, 4, limit=5_000_00) == 7_200_00
    assert max_round_win(awards, 4, 6, 5_000_00) == 6 * 2_200_00 + 5_000_00
    page_text = text_of(render_html(sheet_document(limited)))
    assert "the house loses at most $18,200 in fixed prizes, and at most $7,200 to one seat" in page_text


def test_a_seat_with_few_spots_leaves_the_limit_to_others() -> None:
    setup = replace(default_setup("three-card-prime"), payout_limit=5_000_00)
    limited = par_sheet(setup, PREPARED, confirm=ConfirmationRequest(0))
    awards = [compute_award(figures) for figures in limited.wagers]
    limit_once = max_round_win(awards, 2, 6, 5_000_00)
    best_apart = max(one.cents for one in awards if not one.shared_units and not one.figures.offered.wager.required)
    assert limit_once == 6 * 2_200_00 + 5_000_00 + 5 * best_apart


# In words, together, and by name


@every_game
def test_the_steps_of_a_round_are_on_the_page(slug: str) -> None:
    page_text = text_of(html_of(slug))
    for step in game(slug).procedure(sheet(slug).table):
        assert step.text in page_text


@pytest.mark.long
def test_wagers_that_affect_each_other_are_together_in_the_summary() -> None:
    (both,) = wager_pairs(sheet("texas-shootout"))
    shootout, quick_draw = both.first.odds.expected_return, both.second.odds.expected_return
    assert shootout is not None
    assert quick_draw is not None
    assert both.house_edge == -(shootout + quick_draw) / 2
    summary = text_of(html_of("texas-shootout")).partition("Table setup")[0]
    assert f"{both.first.name}, with Quick Draw {100 * float(both.house_edge):.3f}%" in summary


def test_independent_wagers_have_no_combined_figures() -> None:
    assert [list(wager_pairs(sheet(slug))) for slug in QUICK] == [[], []]


@every_game
def test_the_digest_has_its_full_label(slug: str) -> None:
    page, digest = html_of(slug), sheet_document(sheet(slug)).digest
    assert f"<dt>SHA-256 of the content</dt><dd><code>{digest}</code></dd>" in page
    assert f"SHA-256 of the content: {digest}" in page


def test_every_definition_is_in_the_docs_in_the_same_words() -> None:
    docs = Path(__file__).parents[2] / "docs" / "par-sheets.md"
    docs_text = " ".join(docs.read_text("utf-8").split())
    for name, words in DEFINITIONS:
        assert f"| {name} | {words} |" in docs_text
