"""A jackpot is opened in the browser, and then a table that plays for it: its tabulator and its table in one step."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from cardroom.chart_of_accounts import Currency
from cardroom.room.setup.jackpot import read_jackpot_setup
from cardroom.service import DealingMode
from tests.browser.page_fields import read_fields
from tests.browser.users import Caller, open_staff_window
from tests.browser.visit import WIDTHS, follow
from tests.service.staff import OPERATOR, staffed
from tests.web.rooms import GAMES, ServedRoom, serve_room


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with serve_room(tmp_path_factory.mktemp("office")) as room:
        staffed(room.card_room)
        yield room


@pytest.fixture(scope="module")
def operator(office: ServedRoom) -> Iterator[Caller]:
    with Caller(office) as caller:
        yield caller


def test_a_jackpot_with_faults_is_mended_opened_and_gets_a_table(browser: Browser, office: ServedRoom) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/jackpots")
        page.get_by_role("link", name="Open a jackpot").click()
        follow(page.get_by_role("link", name="Three Card Prime"))
        expect(page.get_by_text("No errors. It can open.")).to_be_visible()
        expect(page.get_by_text("51.4507%")).to_be_visible()
        expect(page.get_by_text("$207,207.69.")).to_be_visible()
        page.get_by_label("Id", exact=True).fill("Evening Four")
        page.get_by_label("Contribution").fill("a fifth")
        page.get_by_label("Ceiling").fill("$4,000")
        page.get_by_role("checkbox", name="four card royal").uncheck()
        page.get_by_label("Money").select_option("play")
        expect(page.get_by_text("4 errors")).to_be_visible()
        level = page.locator("#level-1")
        expect(page.locator(".field:has(#f-jackpot) .fault")).to_contain_text("'Evening Four' is not an id")
        expect(level).to_contain_text("'a fifth' is not a share of a wager")
        expect(level).to_contain_text("The ceiling of $4,000 must be above the reset value of $5,000. [BJ-11]")
        expect(page.get_by_text("for the smallest wager")).to_be_visible()
        visit.is_in_order()
        follow(page.get_by_role("button", name="Open the jackpot"))
        expect(page.get_by_text("4 errors")).to_be_visible()
        assert office.card_room.list_jackpots() == ()
        page.get_by_label("Id", exact=True).fill("evening-four")
        page.get_by_label("Contribution").fill("25%")
        page.get_by_label("Ceiling").fill("")
        page.get_by_role("checkbox", name="four card royal").check()
        expect(page.get_by_text("No errors. It can open.")).to_be_visible()
        expect(page.locator(".setup-text")).to_contain_text("This table is for play money.")
        file = page.locator(".setup-text .payload").inner_text()
        page.get_by_role("button", name="Open the jackpot").click()
        expect(page.get_by_text("Open: it grows and can be won.")).to_be_visible()
        state = office.card_room.jackpot("evening-four")
        assert (state.money, state.meters[0].displayed_cents, state.jackpot.setup) == (
            Currency.PLAY,
            5_000_00,
            read_jackpot_setup(file),
        )

        follow(page.get_by_role("link", name="Set up a table for it"))
        expect(page.get_by_text("No errors. It can open.")).to_be_visible()
        page.get_by_label("Name", exact=True).fill("prime-7")
        page.get_by_label("Location").fill("Second Street")
        page.get_by_label("Location").blur()
        expect(page.get_by_text("a meter has one location. [BJ-10]")).to_be_visible()
        visit.is_in_order()
        page.get_by_label("Location").fill("Main Street")
        page.get_by_label("Sensor 1 counts").select_option("prime")
        expect(page.get_by_text("pays a share of a meter (F4P-1), and no jackpot of prime-7 has one")).to_be_visible()
        page.get_by_label("Sensor 1 counts").select_option("final-four=evening-four")
        expect(page.get_by_text("No errors. It can open.")).to_be_visible()
        page.get_by_role("button", name="Open the table").click()
        expect(page.get_by_role("heading", name="prime-7")).to_be_visible()
        visit.is_in_order()
    assert office.card_room.tabulator("prime-7").jackpots == ("evening-four",)
    assert office.card_room.jackpot("evening-four").tables == ("prime-7",)
    guest = office.admit_guest()
    guest.sit("prime-7")
    guest.wager("prime-7", ante_play=10_00, final_four=1_00)
    assert office.card_room.jackpot("evening-four").counted == 1


def test_a_live_table_for_the_rooms_own_money_is_set_up_with_its_tabulator(
    browser: Browser, office: ServedRoom
) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/jackpots/new?game=dueling-for-dollars")
        page.get_by_role("button", name="Open the jackpot").click()
        page.get_by_role("link", name="Set up a table for it").click()
        page.get_by_label("Name", exact=True).fill("duel-7")
        page.get_by_role("button", name="Open the table").click()
        expect(page.get_by_role("heading", name="duel-7")).to_be_visible()
        expect(page.get_by_text("live, for the room's money")).to_be_visible()
        page.get_by_role("link", name="Dealer's console").click()
        expect(page).to_have_url(f"{office.url}/dealer/duel-7")
    state = office.card_room.table("duel-7")
    assert (state.terms.mode, state.terms.money) == (DealingMode.LIVE, Currency.REAL)
    assert office.card_room.tabulator("duel-7").jackpots == ("tie-after-tie",)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_forms_are_in_order_at_every_width(browser: Browser, office: ServedRoom, width: int) -> None:
    with open_staff_window(browser, office, OPERATOR, width) as visit:
        for path in ("/office/jackpots/new?game=deuces-wild", "/office/jackpots/new?game=texas-shootout&kind=bonus"):
            visit.go(path)
            visit.is_in_order()


@pytest.mark.parametrize("kind", ["progressive", "bonus"])
@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_a_form_that_opens_as_it_is_and_leads_to_a_table(
    office: ServedRoom, operator: Caller, slug: str, kind: str
) -> None:
    form = read_fields(operator.get("/office/jackpots/new", params={"game": slug, "kind": kind}).text)
    form |= {"jackpot": f"{slug}-{kind}", "money": "play"}
    answer = operator.send_form("/office/jackpots/new", form)
    assert answer.status_code == 303, answer.text
    assert office.card_room.jackpot(f"{slug}-{kind}").kind == kind
    page = operator.get("/office/tables/new", params={"jackpot": f"{slug}-{kind}"}).text
    assert "No errors. It can open." in page
    form = read_fields(page) | {"table": f"of-{slug}-{kind}", "unit": f"{slug}-{kind}"}
    answer = operator.send_form("/office/tables/new", form)
    assert answer.status_code == 303, answer.text
    assert office.card_room.tabulator(f"of-{slug}-{kind}").jackpots == (f"{slug}-{kind}",)
    events = office.card_room.ledger.chain_lengths("")
    assert operator.send_form("/office/tables/new", form).status_code == 303, "sent twice, it is done once"
    assert office.card_room.ledger.chain_lengths("") == events
    other = operator.send_form("/office/tables/new", form | {"id": f"another form of {slug} {kind}"})
    assert "is open already: give the new table a new name" in other.text.replace("&#39;", "'")


def test_a_form_that_is_sent_twice_opens_one_jackpot_and_a_used_id_is_refused_beside_it(operator: Caller) -> None:
    form = read_fields(operator.get("/office/jackpots/new?game=three-card-prime").text)
    form |= {"jackpot": "twice"}
    assert [operator.send_form("/office/jackpots/new", form).status_code for _ in range(2)] == [303, 303]
    again = operator.send_form("/office/jackpots/new", form | {"id": "another-form"})
    assert again.status_code == 422
    assert "There is a jackpot twice already: give the new one a name of its own." in again.text


def test_a_removed_table_is_added_again_with_the_setup_that_it_had(office: ServedRoom, operator: Caller) -> None:
    form = read_fields(operator.get("/office/jackpots/new?game=three-card-prime").text)
    operator.send_form("/office/jackpots/new", form | {"jackpot": "standing", "money": "play"})
    form = read_fields(operator.get("/office/tables/new?jackpot=standing").text)
    form |= {"table": "standing-1", "unit": "S-1"}
    assert operator.send_form("/office/tables/new", form).status_code == 303
    office.card_room.remove_table("close-1", "Rosa", "standing-1", "A pause")
    page = operator.get("/office/tables/new?table=standing-1").text
    form = read_fields(page)
    assert (form["unit"], form["location"]) == ("S-1", "Main Street")
    assert operator.send_form("/office/tables/new", form).status_code == 303
