"""The office: what is open, the ledger with its proof, a jackpot from won to paid, tables set up, all verified."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.office_scenes import CLAIM, JACKPOT, TABLE, a_room
from tests.browser.visit import WIDTHS, visiting
from tests.web.rooms import Served

PAGES = (
    "/office",
    "/office/day/close",
    "/office/ledger",
    f"/office/ledger/jackpot:{JACKPOT}",
)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with a_room(tmp_path_factory.mktemp("office")) as room:
        yield room


@pytest.mark.parametrize("width", WIDTHS)
def test_the_pages_of_the_office_are_in_order_at_every_width(browser: Browser, office: Served, width: int) -> None:
    with visiting(browser, office.url, width) as visit:
        for path in PAGES:
            visit.go(path)
            visit.is_in_order()


def test_what_is_open_leads_to_where_it_is_seen_to(browser: Browser, office: Served) -> None:
    with visiting(browser, office.url) as visit:
        page = visit.go("/office")
        expect(page.get_by_role("region", name="Open now")).to_contain_text(f"claim {CLAIM} of $500.02 of play money")
        expect(page.get_by_role("region", name="Tables")).to_contain_text(TABLE)


def test_a_chain_is_told_with_every_hash_computed_again(browser: Browser, office: Served) -> None:
    events = sum(1 for _ in office.floor.ledger.events(f"jackpot:{JACKPOT}"))
    with visiting(browser, office.url) as visit:
        page = visit.go(f"/office/ledger/jackpot:{JACKPOT}")
        expect(page.get_by_text("✓ computed again")).to_have_count(events)
        expect(page.get_by_text("✓ follows")).to_have_count(events)
        expect(page.get_by_text("Every hash of this page was computed again and holds")).to_be_visible()
        expect(page.locator("#event-4")).to_contain_text("Prize claimed and locked: prize won.")
        expect(page.locator("#event-4 .entries")).to_contain_text("$500.02")


def test_what_is_answered_in_a_round_is_told_only_when_it_has_ended(browser: Browser, office: Served) -> None:
    player = office.guest()
    player.sit(TABLE, seat=2)
    player.wager(TABLE, ante_play=10_00)
    others = [one for one in office.players if one is not player]
    others[0].wager(TABLE, ante_play=10_00)
    state = office.floor.felt(TABLE)
    asked = next(one for one in office.players if one.name == state.seated(state.asked).player)  # type: ignore[union-attr]
    asked.answer(TABLE, "play")
    with visiting(browser, office.url) as visit:
        page = visit.go(f"/office/ledger/felt:{TABLE}")
        last = page.locator(".event").last
        expect(last).to_contain_text("The round is still played")
        expect(last).to_contain_text("✓ computed again")
        expect(last.locator("details")).to_have_count(0)
    taken = httpx.get(f"{office.url}/office/downloads/ledger.jsonl", params={"chain": f"felt:{TABLE}"})
    assert "round-begun" in taken.text.splitlines()[-1]
    state = office.floor.felt(TABLE)
    next(one for one in office.players if one.name == state.seated(state.asked).player).answer(TABLE, "play")  # type: ignore[union-attr]


def test_a_form_of_another_page_changes_nothing(office: Served) -> None:
    answer = httpx.post(
        f"{office.url}/office/day/open", data={"who": "Rosa"}, headers={"Origin": "http://elsewhere.example"}
    )
    assert answer.status_code == 403
    assert "nothing was changed" in answer.text
    assert office.floor.room().days.open is None
