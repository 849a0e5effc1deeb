"""A device in the browser: registered, its token shown once, renewed, withdrawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.users import open_staff_window
from tests.browser.visit import follow
from tests.service.live_scenes import PRIME
from tests.service.staff import staffed
from tests.web.devices.evening import open_faulty_room
from tests.web.rooms import ServedRoom


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[ServedRoom]:
    with open_faulty_room(tmp_path) as room:
        staffed(room.card_room)
        yield room


def says(room: ServedRoom, token: str) -> int:
    headers = {"authorization": f"Bearer {token}"}
    return httpx.post(f"{room.url}/api/v1/devices/here", headers=headers).status_code


def test_a_token_is_shown_once_and_a_device_is_renewed_and_withdrawn(browser: Browser, evening: ServedRoom) -> None:
    with open_staff_window(browser, evening) as visit:
        page = visit.go("/office/devices")
        visit.is_in_order()
        follow(page.get_by_role("link", name="Add a device"))
        page.get_by_label("Table").select_option("way-1")
        page.get_by_label("Kind").select_option("led")
        page.get_by_label("Name", exact=True).fill("S-1001")
        page.get_by_label("Name", exact=True).blur()
        expect(page.get_by_text("This would be refused: Device S-1001")).to_be_visible()
        follow(page.get_by_role("button", name="Add it and show its token"))
        expect(page.locator("#refusal-device")).to_contain_text("S-1001")
        visit.is_in_order()
        page.get_by_label("Name", exact=True).fill("S-1002")
        expect(page.get_by_text("S-1002 works for way-1 as its LED sign")).to_be_hidden()
        page.get_by_label("Name", exact=True).blur()
        expect(page.get_by_text("S-1002 works for way-1 as its LED sign")).to_be_visible()
        page.get_by_role("button", name="Add it and show its token").click()
        shown = page.locator(".token code")
        expect(shown).to_be_visible()
        token = shown.inner_text()
        assert token.startswith("S-1002.1.")
        assert says(evening, token) == 200
        visit.is_in_order()
        page.reload()
        expect(page.get_by_text("The token was already shown")).to_be_visible()
        assert token not in page.content()
        page.goto(page.url)
        expect(page.get_by_label("Name", exact=True)).to_have_value("")
        assert token not in page.content()

        row = visit.go("/office/devices").get_by_role("row", name="S-1002")
        expect(row).to_contain_text("connected")
        row.get_by_role("link", name="New token").click()
        page.get_by_label("Reason").fill("The paper lay about")
        page.get_by_role("button", name="Issue a new token").click()
        expect(shown).to_contain_text("S-1002.2.")
        second = shown.inner_text()
        assert (says(evening, token), says(evening, second)) == (401, 200)

        page.get_by_role("link", name="All devices").first.click()
        page.get_by_role("link", name="Remove … S-1002").click()
        page.get_by_label("Reason").fill("It went back")
        page.get_by_role("button", name="Remove it").click()
        expect(page.get_by_role("region", name="Removed").get_by_role("row", name="S-1002")).to_be_visible()
        assert says(evening, second) == 401
        visit.is_in_order()


def test_a_list_that_is_open_follows_what_is_heard(browser: Browser, evening: ServedRoom) -> None:
    with open_staff_window(browser, evening) as visit:
        page = visit.go("/office/devices")
        row = page.get_by_role("row", name="S-1001")
        expect(row).to_contain_text("silent")
        token = evening.card_room.renew_device_token("renew", "Olga", "S-1001", "its paper is gone").token
        expect(row).to_contain_text("not connected yet")
        assert says(evening, str(token)) == 200
        expect(row).to_contain_text("connected")
        console = visit.go(f"/dealer/{PRIME}")
        expect(console.get_by_text("T-3001, tabulator: sends invalid requests")).to_be_visible()
        evening.card_room.renew_device_token("renew 2", "Olga", "T-3001", "it babbles")
        expect(console.get_by_text("T-3001, tabulator: sends invalid requests")).to_be_hidden()
        visit.is_in_order()
