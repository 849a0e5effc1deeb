"""The lab: what wagers are worth, counted in other processes while the page stays open."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from cardroom.games import default_setup, game
from cardroom.odds import answer
from cardroom.odds.at_table import question_at
from cardroom.reports.paper.numbers import percent
from tests.browser.visit import visiting
from tests.web.rooms import HouseRules, served

LONGEST_COUNT = 60_000
"""Milliseconds: the first count of a machine compiles what it needs."""


def test_the_lobby_says_the_exact_edge_when_it_is_known(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, HouseRules(guests=True, coach=False)) as room, visiting(browser, room.url) as visit:
        room.open_table("duel-1", "dueling-for-dollars")
        page = visit.go("/")
        told = page.locator("#felt-duel-1 .edge")
        expect(told).to_contain_text("exact", timeout=LONGEST_COUNT)
        table = game("dueling-for-dollars").open(default_setup("dueling-for-dollars"))
        edge = answer(question_at(table, "duel")).house_edge
        assert edge is not None
        expect(told).to_contain_text(f"{percent(edge, 3)} exact")
        visit.is_in_order()
