"""What was set is changed by two people, a malfunction is reported in time, and what waits is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Final

import pytest
from playwright.sync_api import Browser, Error, Page, Route, expect

from cardroom.games.example_rounds import example_json
from cardroom.room.setup.example import jackpot_example
from cardroom.service import RoomTableSetup, UnitSetup
from tests.browser.office_scenes import BANKED, open_office_room
from tests.browser.users import Caller, open_staff_window, sign_as_second
from tests.browser.visit import WIDTHS, follow
from tests.service.staff import CAGE, OPERATOR, SUPERVISOR, password_of
from tests.web.rooms import ServedRoom, new_id

DEALT: Final = "table-1"
"""A table of Three Card Prime at which people deal."""
PRIME: Final = jackpot_example("three-card-prime")
ROUND: Final = example_json("three-card-prime")
"""Seat 2 has a flush on the Pair Bonus."""


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with open_office_room(tmp_path_factory.mktemp("office")) as room:
        wild = jackpot_example("deuces-wild", "bonus").jackpot_setup("five-wild")
        room.card_room.jackpots.open(new_id(), "Olga", wild)
        room.card_room.add_table(
            new_id(),
            "Olga",
            RoomTableSetup(DEALT, PRIME.table_setup, tabulator=UnitSetup(PRIME.tabulator_setup(DEALT), "T-1001")),
        )
        yield room


def sign(page: Page, button: str, *, second: str = "", why: str = "Agreed in March") -> None:
    if why:
        page.get_by_label("Reason").fill(why)
    if second:
        sign_as_second(page, second)
    page.get_by_role("button", name=button).click()


def test_a_lower_rate_waits_for_the_reset_and_is_taken_back_by_two_people(browser: Browser, office: ServedRoom) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go(f"/office/jackpots/{BANKED}")
        follow(page.get_by_role("link", name="Change the settings of main"))
        expect(page.get_by_text("Nothing is changed yet")).to_be_visible()
        page.get_by_label("Contribution").fill("lots")
        page.get_by_label("Ceiling").fill("$60,000")
        page.get_by_label("Ceiling").blur()
        expect(page.get_by_text("This would be refused: ")).to_be_visible()
        page.get_by_label("Contribution").fill("20%")
        page.get_by_label("Contribution").blur()
        expect(page.get_by_text("ceiling $50,000.00 to $60,000.")).to_be_visible()
        page.get_by_label("Contribution").fill("15%")
        page.get_by_label("Contribution").blur()
        expect(page.get_by_text("at the next reset of main, because players")).to_be_visible()
        visit.is_in_order()
        sign(page, "Save the change")
        expect(page.get_by_role("alert").filter(has_text="Two people must sign for")).to_be_visible()
        expect(page.get_by_label("Contribution")).to_have_value("15%")
        sign(page, "Save the change", second=SUPERVISOR)
        expect(page.get_by_text("A change takes effect at the next reset of main.")).to_be_visible()
        expect(page.get_by_role("region", name="Parameters")).to_contain_text("main, after the reset")
        meter = office.card_room.jackpot(BANKED).meters[0]
        assert meter.parameters.contribution == Fraction(1, 5)
        page.get_by_role("link", name="Cancel the pending change of main").click()
        sign(page, "Cancel the change", second=SUPERVISOR)
        expect(page.get_by_text("A change takes effect at the next reset of main.")).to_have_count(0)
        assert office.card_room.jackpot(BANKED).waiting == ()


def test_an_improvement_holds_at_once(browser: Browser, office: ServedRoom) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go(f"/office/jackpots/{BANKED}/change/main")
        page.get_by_label("Contribution").fill("1/4")
        sign(page, "Save the change", second=SUPERVISOR)
        expect(page.get_by_role("region", name="Parameters")).to_contain_text("25%")
    assert office.card_room.jackpot(BANKED).meters[0].parameters.contribution == Fraction(1, 4)


def test_the_houses_own_amount_is_changed_and_a_bonus_jackpot_removed_for_good(
    browser: Browser, office: ServedRoom
) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/jackpots/five-wild")
        page.get_by_role("link", name="Change the amount for five wild cards").click()
        page.get_by_label("New amount").fill("$5,000")
        sign(page, "Change the amount", second=SUPERVISOR)
        expect(page.get_by_role("heading", name="Deuces Wild")).to_be_visible()
        offer = office.card_room.jackpot("five-wild").setup["offers"][0]
        assert offer["bonuses"]["five-wild-cards"] == "$5,000"
        page.get_by_role("link", name="Remove it permanently").click()
        expect(page.get_by_text("it cannot be enabled again")).to_be_visible()
        visit.is_in_order()
        sign(page, "Remove it permanently", second=OPERATOR)
        expect(page.get_by_role("alert").filter(has_text="cannot be the second person besides olga")).to_be_visible()
        sign(page, "Remove it permanently", second=SUPERVISOR)
        expect(page.get_by_text("Unavailable:")).to_be_visible()
        assert office.card_room.jackpot("five-wild").removed


def test_a_malfunction_is_reported_sent_and_closed_and_its_clock_is_open_now(
    browser: Browser, office: ServedRoom
) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/malfunctions")
        page.get_by_role("link", name="Report a malfunction").click()
        page.get_by_label("Report number").fill("R-31")
        page.get_by_label("Equipment").select_option(BANKED)
        page.get_by_label("What happened").fill("The display is dark")
        page.get_by_label("Found", exact=True).fill("tomorrow")
        sign(page, "Open the report", why="")
        expect(page.get_by_role("alert").filter(has_text="'tomorrow'")).to_be_visible()
        page.get_by_label("Found", exact=True).fill("2026-01-01 21:40")
        sign(page, "Open the report", why="")
        expect(page.get_by_role("region", name="Open reports")).to_contain_text("overdue by")
        visit.is_in_order()
        page = visit.go("/office")
        row = page.get_by_role("region", name="Open now").get_by_role("row").filter(has_text="report R-31, overdue by")
        row.get_by_role("link").click()
        page.get_by_role("link", name="Mark as sent …").click()
        sign(page, "Mark as sent", why="")
        expect(page.get_by_role("alert").filter(has_text="The reference is missing")).to_be_visible()
        page.get_by_label("How it was sent").fill("e-mail to agent Ng")
        sign(page, "Mark as sent", why="")
        expect(page.get_by_role("region", name="Open reports")).to_contain_text("e-mail to agent Ng")
        page.get_by_role("link", name="Close …").click()
        sign(page, "Close the report")
        expect(page.get_by_text("No report is open.")).to_be_visible()
    assert office.card_room.room().reports == ()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_forms_are_in_order_at_every_width(browser: Browser, office: ServedRoom, width: int) -> None:
    with open_staff_window(browser, office, OPERATOR, width) as visit:
        for path in (f"/office/jackpots/{BANKED}/change/main", "/office/malfunctions/new", "/office/malfunctions"):
            visit.go(path)
            visit.is_in_order()


def test_what_is_typed_while_an_earlier_change_is_checked_stays(browser: Browser, office: ServedRoom) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/promotions")
        page.get_by_role("link", name="Announce a promotion").click()
        follow(page.get_by_role("link", name="Three Card Prime"))
        expect(page.get_by_text("The rules are empty: write the rules that are displayed.")).to_be_visible()
        held: list[Route] = []
        page.route("**/new/check", lambda route: route.continue_() if held else held.append(route))
        with page.expect_request("**/new/check"):
            page.get_by_label("Extra prize").fill("$600")
            page.get_by_label("Extra prize").blur()
        with page.expect_response("**/new/check"):
            page.get_by_label("Last day").fill("2199-12-31")
            page.get_by_label("Last day").blur()
        with suppress(Error):  # no user waits for it any more
            held[0].continue_()
        for label, typed in (("Extra prize", "$600"), ("Last day", "2199-12-31")):
            expect(page.get_by_label(label)).to_have_value(typed)
        visit.is_in_order()


def test_a_promotion_is_announced_with_consent_paid_by_two_people_and_ended(
    browser: Browser, office: ServedRoom
) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/promotions")
        page.get_by_role("link", name="Announce a promotion").click()
        page.get_by_role("link", name="Dueling for Dollars").click()
        expect(page.get_by_text("needs the written consent of Galaxy Gaming:")).to_be_visible()
        follow(page.get_by_role("link", name="Three Card Prime"))
        expect(page.get_by_text("The rules are empty: write the rules that are displayed.")).to_be_visible()
        page.get_by_label("Last day").fill("2020-01-01")
        page.get_by_label("Rules").fill("Every flush wins $600 more.")
        page.get_by_label("Extra prize").fill("$600")
        page.get_by_label("Extra prize").blur()
        expect(page.locator(".field:has(#f-last) .fault")).to_contain_text("The last day, 2020-01-01, is before")
        visit.is_in_order()
        page.get_by_label("Last day").fill("2199-12-31")
        for label, chosen in (("Wager", "pair-bonus"), ("Paytable", "PB 1+PB/LD 1"), ("Line", "flush")):
            page.get_by_label(label).select_option(chosen)
            expect(page.locator(".setup-text")).to_contain_text(chosen)
        page.get_by_role("button", name="Announce it").click()
        expect(page.get_by_role("region", name="Promotions")).to_contain_text("Every flush wins $600 more.")
        visit.is_in_order()
    with open_staff_window(browser, office, SUPERVISOR) as visit:
        page = visit.go("/office/promotions")
        page.get_by_role("link", name="Pay …").click()
        page.get_by_label("Table").select_option(DEALT)
        page.get_by_label("Round", exact=True).fill("r1")
        page.get_by_label("Round record").fill("[]")
        sign(page, "Pay the prize", second=CAGE, why="")
        expect(page.get_by_role("alert").filter(has_text="The record is []")).to_be_visible()
        page.get_by_label("Round record").fill(ROUND)
        sign(page, "Pay the prize", second=SUPERVISOR, why="")
        expect(page.get_by_role("alert").filter(has_text="Two people must sign for")).to_be_visible()
        visit.is_in_order()
        sign(page, "Pay the prize", second=CAGE, why="")
        expect(page.get_by_role("region", name="Promotions")).to_contain_text("1 prize")
        (paid,) = office.card_room.list_promotions()
        assert office.card_room.promotion(paid).state.paid.cents == 600_00
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/promotions")
        page.get_by_role("link", name="End …").click()
        sign(page, "End the promotion")
        expect(page.get_by_role("region", name="Promotions")).to_contain_text("ended")


def test_the_room_is_set_up_by_two_people_and_a_fault_stands_beside_its_field(
    browser: Browser, office: ServedRoom
) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/room")
        page.get_by_role("link", name="Change settings").click()
        page.get_by_label("Name", exact=True).fill("Main Street Card Room")
        page.get_by_label("Dealer payout limit").fill("plenty")
        sign(page, "Save the settings", second=SUPERVISOR)
        expect(page.locator(".field:has(#f-dealer_pays) .refusal")).to_contain_text("'plenty' is not an amount")
        visit.is_in_order()
        page.get_by_label("Dealer payout limit").fill("$250")
        sign(page, "Save the settings", second=SUPERVISOR)
        expect(page.get_by_role("region", name="Changes")).to_contain_text("dealer's payout limit: $500 to $250")
        visit.is_in_order()
    settings = office.card_room.room().settings
    assert (settings.name, settings.dealer_pays) == ("Main Street Card Room", 250_00)


def test_no_page_says_what_the_program_runs_on_its_own_machine(office: ServedRoom) -> None:
    form = {
        "id": new_id(),
        "second": SUPERVISOR,
        "second-password": password_of(SUPERVISOR),
        "why": "x",
        "name": "Another",
        "heads_command": "touch x",
    }
    before = office.card_room.room().settings
    with Caller(office) as caller:
        caller.send_form("/office/room/change", form)
    assert office.card_room.room().settings == before._replace(name="Another")


def test_a_table_is_taken_off_its_jackpot_linked_again_and_its_tabulator_taken_away(
    browser: Browser, office: ServedRoom
) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/tables")
        page.get_by_role("region", name="Tabulators").get_by_role("link", name=DEALT).click()
        for words, after in (("Unlink from a jackpot", ()), ("Link to a jackpot", (BANKED,))):
            page.get_by_role("link", name=words).click()
            page.get_by_label("Jackpot", exact=True).select_option(BANKED)
            visit.is_in_order()
            sign(page, words)
            expect(page.get_by_role("heading", name=f"Tabulator of {DEALT}")).to_be_visible()
            assert office.card_room.tabulator(DEALT).jackpots == after
        page.get_by_role("link", name="Change the location").click()
        page.get_by_label("New location").fill("Second Street")
        sign(page, "Change the location")
        expect(page.get_by_role("alert").filter(has_text="a meter has one location")).to_be_visible()
        page = visit.go(f"/office/tabulators/{DEALT}/remove")
        sign(page, "Remove the table")
        expect(page.get_by_text("Removed: Agreed in March.")).to_be_visible()
        visit.is_in_order()
