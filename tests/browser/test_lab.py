"""The lab: what wagers are worth, counted in other processes while the page stays open."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from cardroom.games import default_setup, game, round_from_json, view
from cardroom.games.setup import setup_to_json
from cardroom.odds import PriceQuery, advise, compute_odds, find_requests
from cardroom.odds.table_prices import request_at
from cardroom.paytables import load_paytable
from cardroom.reports.documents.numbers import format_percent, format_signed
from cardroom.reports.par import check_par
from cardroom.web.services.app_context import ServerOptions
from tests.browser.visit import WIDTHS, Visit, open_window
from tests.examples import only_long
from tests.web.rooms import ServedRoom, serve_room

PRIME = "/lab/three-card-prime/wagers/prime"
GENEROUS = """
game = "three-card-prime"
wager = "prime"
name = "Generous"
basis = "to 1"
[lines]
same-color-player-and-dealer = "5"
same-color-player = "3"
other = "loss"
"""


def figure(visit: Visit, name: str) -> str:
    """The first column of a figure of the open page."""
    return (
        visit.page.locator(".figures tr", has=visit.page.get_by_role("rowheader", name=name))
        .locator("td")
        .first.inner_text()
    )


def test_the_lobby_says_the_exact_edge_when_it_is_known(browser: Browser, tmp_path: Path) -> None:
    with serve_room(tmp_path, ServerOptions(guests=True)) as room, open_window(browser, room.url) as visit:
        room.open_table("duel-1", "dueling-for-dollars")
        page = visit.go("/")
        edge_cell = page.locator("#table-duel-1 .edge")
        expect(edge_cell).to_contain_text("exact")
        table = game("dueling-for-dollars").open(default_setup("dueling-for-dollars"))
        edge = compute_odds(request_at(table, "duel")).house_edge
        assert edge is not None
        expect(edge_cell).to_contain_text(f"{format_percent(edge, 3)} exact")
        visit.is_in_order()


def test_the_first_page_shows_each_house_edge_when_it_is_known(browser: Browser, tmp_path: Path) -> None:
    rules = ServerOptions(guests=True)
    with serve_room(tmp_path, rules) as room, open_window(browser, room.url) as visit:
        page = visit.go("/lab")
        rows = page.locator(".edge-bars tbody tr")
        expect(rows).to_have_count(5)
        table = game("deuces-wild").open(default_setup("deuces-wild"))
        edge = compute_odds(request_at(table, next(iter(table.offers)))).house_edge
        assert edge is not None
        expect(rows.first).to_contain_text(format_percent(edge, 4))
        expect(rows.first.locator("rect")).to_have_count(1)
        visit.is_in_order()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_pages_of_the_lab_are_in_order_at_every_width(browser: Browser, room: ServedRoom, width: int) -> None:
    with open_window(browser, room.url, width) as visit:
        visit.go("/lab")
        visit.is_in_order()
        page = visit.go("/lab/dueling-for-dollars")
        expect(page.locator(".in-progress")).to_have_count(0)
        visit.is_in_order()
        page = visit.go("/lab/dueling-for-dollars/wagers/tie-after-tie?meter=25000")
        expect(page.locator(".chart")).to_be_visible()
        visit.is_in_order()
        page = visit.go("/lab/dueling-for-dollars/hand?cards=8c+8d")
        expect(page.locator(".decisions tbody tr")).to_have_count(2)
        visit.is_in_order()
        visit.go("/lab/dueling-for-dollars/simulation")
        visit.is_in_order()


def test_a_pay_changed_in_place_has_the_edge_of_the_same_table_in_a_file(browser: Browser, room: ServedRoom) -> None:
    (asked,) = find_requests(PriceQuery(table=load_paytable(GENEROUS)))
    exact = compute_odds(asked, use_cache=False)
    assert exact.house_edge is not None
    with open_window(browser, room.url) as visit:
        page = visit.go(PRIME)
        expect(page.locator(".figures")).to_be_visible()
        page.get_by_label("Same Color Player and Dealer").fill("5")
        page.wait_for_url("**pay.same-color-player-and-dealer=5")
        assert figure(visit, "House edge") == format_percent(exact.house_edge)
        assert figure(visit, "Expected return") == f"{format_signed(exact.expected_return or Fraction(0), 6)} units"
        assert figure(visit, "Hit frequency") == format_percent(exact.hit_frequency)
        expect(page.locator(".exact-value")).to_have_text(re.compile(r"Computed in \d+ ms"))
        visit.is_in_order()
        sent = page.url
    with open_window(browser, room.url) as other:  # the address shows the same to others
        other.page.goto(sent)
        expect(other.page.get_by_label("Same Color Player and Dealer")).to_have_value("5")
        assert figure(other, "House edge") == format_percent(exact.house_edge)


def test_a_pay_that_cannot_be_read_is_refused_beside_its_table(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go(PRIME)
        expect(page.locator(".figures")).to_be_visible()
        page.get_by_label("Same Color Player and Dealer").fill("much")
        expect(page.locator("#lab-refusal")).to_contain_text('"much" is not a pay')
        page.get_by_role("button", name="As printed").click()
        expect(page.locator("#lab-refusal")).to_be_empty()
        visit.is_in_order()


def test_two_paytables_are_compared_side_by_side(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go("/lab/three-card-prime/wagers/ante-play?table=PW%2FBB+1&with=PW%2FBB+3")
        expect(page.locator(".figures thead th")).to_have_text(["Figure", "PW/BB 1", "PW/BB 3"])
        expect(page.locator(".outcomes")).to_have_count(2)
        visit.is_in_order()


def test_the_hand_calculator_agrees_with_the_coach(browser: Browser, room: ServedRoom) -> None:
    setup = default_setup("three-card-prime")
    entry = {
        "table": setup_to_json(setup),
        "wagers": {"1": {"ante-play": 1000}},
        "cards": {
            "seat 1 hand": ["Qh", "6d", "4c"],
            "seat 1 fourth": ["2s"],
            "burn": ["9c"],
            "dealer": ["Kd", "8c", "5h"],
        },
    }
    coach = advise(game("three-card-prime").open(setup), view(round_from_json(entry), 1))
    with open_window(browser, room.url) as visit:
        page = visit.go("/lab/three-card-prime/hand")
        for card in ("Queen of hearts", "Six of diamonds", "Four of clubs"):
            page.get_by_role("button", name=card).click()
        rows = page.locator(".decisions tbody tr")
        expect(rows).to_have_count(2)
        shown = [(row.locator("th").inner_text().strip(), row.locator("td").first.inner_text()) for row in rows.all()]
        assert shown == [(str(option.decision).capitalize(), format_signed(option.value / 1000, 6)) for option in coach]
        assert "cards=Qh+6d+4c" in page.url
        visit.is_in_order()


def test_a_simulation_runs_to_its_end_and_agrees_with_the_exact_value(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go("/lab/dueling-for-dollars/simulation")
        page.get_by_label("Rounds").fill("200,000")
        page.get_by_label("Seed").fill("42")
        page.get_by_role("button", name="Simulate").click()
        expect(page.locator(".run-status")).to_contain_text("All 200,000 rounds played")
        expect(page.locator(".chart")).to_be_visible()
        for z in page.locator("table.odds tbody td:nth-child(5)").all_inner_texts():
            assert abs(float(z.replace("−", "-"))) < 4
        visit.is_in_order()


def test_a_simulation_is_stopped_and_one_too_many_rounds_are_refused(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go("/lab/texas-shootout/simulation")  # the one that takes longest
        page.get_by_label("Rounds").fill("100,000,001")
        page.get_by_role("button", name="Simulate").click()
        expect(page.locator(".refusal")).to_contain_text("100,000,001 rounds are not possible here")
        expect(page.get_by_label("Rounds")).to_have_value("100,000,001")
        page.get_by_label("Rounds").fill("100,000,000")
        page.get_by_role("button", name="Simulate").click()
        page.get_by_role("button", name="Stop").click()
        expect(page.locator(".run-status")).to_contain_text("It was stopped.")
        expect(page.get_by_role("button", name="Stop")).to_have_count(0)
        visit.is_in_order()


@pytest.mark.parametrize("form", ["html", *only_long("pdf")])
def test_a_par_sheet_that_is_downloaded_holds(browser: Browser, room: ServedRoom, tmp_path: Path, form: str) -> None:
    with open_window(browser, room.url, accept_downloads=True) as visit:
        page = visit.go("/lab/dueling-for-dollars")
        with page.expect_download() as download:
            page.get_by_role("link", name=form.upper(), exact=True).click()
        assert download.value.suggested_filename == f"dueling-for-dollars-par.{form}"
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
    assert check_par(file).holds
