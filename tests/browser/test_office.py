"""The office: what is open, the ledger with its proof, a jackpot from won to paid, tables set up, all verified."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from cardroom.web.services import verification as verifying
from tests.browser.office_scenes import BANKED, CLAIM, JACKPOT, TABLE, open_office_room, verify_forever
from tests.browser.users import Caller, open_staff_window, sign_as_second
from tests.browser.visit import WIDTHS, follow
from tests.service.staff import CAGE, OPERATOR, SUPERVISOR
from tests.web.rooms import ServedRoom

PAGES = (
    "/office",
    "/office/day/open",
    "/office/ledger",
    f"/office/ledger/jackpot:{JACKPOT}",
    f"/office/jackpots/{JACKPOT}",
    f"/office/jackpots/{JACKPOT}/claim/{CLAIM}",
    f"/office/jackpots/{BANKED}/recover-seed",
    f"/office/jackpots/{BANKED}/reconcile",
    "/office/tables",
    f"/office/tables/{TABLE}",
    "/office/tables/new?game=dueling-for-dollars",
    f"/office/reports/history?of={JACKPOT}",
    "/office/reports/master",
    "/office/verify",
    "/office/room",
    "/office/malfunctions/new",
    "/office/promotions",
    "/office/promotions/new?game=deuces-wild",
    f"/office/tabulators/{TABLE}",
    "/office/players?guests=too",
    f"/office/rounds?table={TABLE}",
)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with open_office_room(tmp_path_factory.mktemp("office")) as room:
        yield room


@pytest.mark.parametrize("width", WIDTHS)
def test_the_pages_of_the_office_are_in_order_at_every_width(browser: Browser, office: ServedRoom, width: int) -> None:
    with open_staff_window(browser, office, OPERATOR, width) as visit:
        for path in PAGES:
            visit.go(path)
            visit.is_in_order()


def test_what_is_open_leads_to_where_it_is_seen_to(browser: Browser, office: ServedRoom) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office")
        expect(page.get_by_role("region", name="Open now")).to_contain_text("claim 1 of $500.02 of play money")
        expect(page.get_by_role("region", name="Tables")).to_contain_text(TABLE)


def test_a_chain_is_shown_with_every_hash_computed_again(browser: Browser, office: ServedRoom) -> None:
    events = sum(1 for _ in office.card_room.ledger.events(f"jackpot:{JACKPOT}"))
    with open_staff_window(browser, office) as visit:
        page = visit.go(f"/office/ledger/jackpot:{JACKPOT}")
        expect(page.get_by_text("✓ recomputed")).to_have_count(events)
        expect(page.get_by_text("✓ linked")).to_have_count(events)
        expect(page.get_by_text("Every hash on this page was recomputed and matches")).to_be_visible()
        expect(page.locator("#event-4")).to_contain_text("Prize claimed and locked: prize won.")
        expect(page.locator("#event-4 .entries")).to_contain_text("$500.02")


def test_what_is_answered_in_a_round_is_shown_only_when_it_has_ended(browser: Browser, office: ServedRoom) -> None:
    player = office.admit_guest()
    player.sit(TABLE, seat=2)
    player.wager(TABLE, ante_play=10_00)
    others = [guest for guest in office.players if guest is not player]
    others[0].wager(TABLE, ante_play=10_00)
    state = office.card_room.table(TABLE)
    asked = next(guest for guest in office.players if guest.name == state.occupant(state.deciding_seat).player)  # type: ignore[union-attr]
    asked.decide(TABLE, "play")
    head = office.card_room.ledger.head(f"table:{TABLE}")
    assert head is not None
    with open_staff_window(browser, office) as visit:
        chains = visit.go("/office/ledger?kind=table:")
        expect(chains.get_by_role("row").filter(has_text=TABLE)).to_contain_text("shown when the round")
        assert head.hash.hex() not in chains.content()
        page = visit.go(f"/office/ledger/table:{TABLE}")
        assert head.hash.hex() not in page.content()
        last = page.locator(".event").last
        expect(last).to_contain_text("The round is still in progress")
        expect(last).to_contain_text("✓ recomputed")
        expect(last.locator("details")).to_have_count(0)
    for suffix in ("jsonl", "csv"):
        with Caller(office) as auditor:
            taken = auditor.get(f"/office/downloads/ledger.{suffix}", params={"chain": f"table:{TABLE}"})
        *_, begun, why = taken.text.splitlines()
        assert "round-started" in begun
        assert "because a short decision could be guessed" in why
        assert head.hash.hex() not in taken.text
    state = office.card_room.table(TABLE)
    next(guest for guest in office.players if guest.name == state.occupant(state.deciding_seat).player).decide(
        TABLE, "play"
    )  # type: ignore[union-attr]
    with open_staff_window(browser, office) as visit:
        assert head.hash.hex() in visit.go(f"/office/ledger/table:{TABLE}").content()


def test_a_jackpot_is_verified_and_paid_by_two_people_and_refused_for_one_alone(
    browser: Browser, tmp_path: Path
) -> None:
    with (
        open_office_room(tmp_path) as room,
        open_staff_window(browser, room, SUPERVISOR) as visit,
        open_staff_window(browser, room, OPERATOR) as other,
    ):
        beside = other.go(f"/office/jackpots/{JACKPOT}")
        expect(beside.get_by_role("region", name="Pending claims")).to_contain_text("royal flush A♠ K♠ Q♠ J♠")
        winner = room.players[0].name
        before = room.card_room.player_account(winner).balance
        page = visit.go("/office")
        page.get_by_role("link", name=JACKPOT, exact=True).click()
        page.get_by_role("link", name="Claim 1", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(
            "Claim 1 of Three Card Prime Final Four Jackpot (play money)"
        )
        expect(page.get_by_role("region", name="The round in the claim")).to_contain_text("hand Q♠ J♠ K♠")
        page.get_by_role("link", name="Verify and pay").click()
        expect(page.get_by_text(f"paid to the balance of {winner}, who sat there")).to_be_visible()
        for second in ("", SUPERVISOR):
            sign_as_second(page, second)
            page.get_by_role("button", name="Pay $500.02 of play money").click()
            expect(page.get_by_role("alert").filter(has_text=f"Two people must sign for claim {CLAIM}")).to_be_visible()
            expect(page.get_by_label("Second person's login")).to_have_value(second)
            expect(page.get_by_label("Second person's password")).to_have_value("")
            visit.is_in_order()
        assert room.card_room.player_account(winner).balance == before
        sign_as_second(page, CAGE)
        page.get_by_role("button", name="Pay $500.02 of play money").click()
        expect(page.get_by_role("region", name="Outcome")).to_contain_text("sam and carl")
        visit.is_in_order()
        assert room.card_room.player_account(winner).balance == before + 500_02
        expect(beside.get_by_role("heading", name="Pending claims")).to_be_visible()
        expect(beside.get_by_text("None.", exact=True)).to_be_visible()
        with page.expect_download() as taken:
            page.get_by_role("link", name="Payout slip to sign").click()
        assert taken.value.path().read_bytes().startswith(b"%PDF")
        page.goto(f"{room.url}/office/jackpots/{JACKPOT}/pay/{CLAIM}")
        expect(page.get_by_text("was already paid to")).to_be_visible()
        page.get_by_role("link", name="Show the current state").click()
        expect(page.get_by_text("Paid.", exact=True)).to_be_visible()


def test_a_jackpot_is_disabled_with_a_reason_and_brought_back(browser: Browser, office: ServedRoom) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go(f"/office/jackpots/{JACKPOT}")
        page.get_by_role("link", name="Disable it").click()
        expect(page.get_by_text(f"These tables take no wagers on it: {TABLE}.")).to_be_visible()
        page.get_by_role("button", name="Disable it").click()
        expect(page.get_by_role("alert").filter(has_text="The reason is missing")).to_be_visible()
        page.get_by_label("Reason").fill("The display is dark")
        page.get_by_role("button", name="Disable it").click()
        expect(page.get_by_text("Unavailable: The display is dark.")).to_be_visible()
        page.get_by_role("link", name="Enable it").click()
        page.get_by_role("button", name="Enable it").click()
        expect(page.get_by_text("Open: it grows and can be won.")).to_be_visible()
        expect(page.get_by_role("region", name="History")).to_contain_text("The display is dark")


def test_money_is_taken_to_the_bank_and_a_statement_that_is_short_closes_the_jackpot(
    browser: Browser, office: ServedRoom
) -> None:
    def sign(button: str) -> None:
        page.get_by_role("button", name=button).click()

    with open_staff_window(browser, office) as visit:
        page = visit.go("/office")
        page.get_by_role("link", name=BANKED, exact=True).click()
        page.get_by_label("Deposit slip number").fill("4471")
        sign("Record the deposit")
        expect(page.get_by_text("= bank account $5,000.00 + not yet deposited $0.00")).to_be_visible()
        page.get_by_role("link", name="Reconcile bank statement").click()
        page.get_by_label("Statement balance").fill("4,990")
        sign("Record the statement")
        expect(page.locator(".field:has(#f-shortage)")).to_contain_text("is $10 short. That closes")
        page.get_by_label("Confirmed shortage").fill("10")
        sign("Record the statement")
        expect(page.get_by_text("The bank account is short by $10.00.")).to_be_visible()
        page.get_by_role("link", name="Reconcile bank statement").click()
        page.get_by_label("Statement balance").fill("5000")
        page.get_by_label("Reason").fill("The statement was misread")
        sign_as_second(page, SUPERVISOR)
        sign("Record the statement")
        expect(page.get_by_text("Open: it grows and can be won.")).to_be_visible()
        page.get_by_role("link", name="Add seed money").click()
        page.get_by_label("Amount").fill("1000")
        page.get_by_label("Reason").fill("Holiday start")
        sign("Add it to the meter")
        expect(page.get_by_role("alert").filter(has_text="Two people")).to_be_visible()
        sign_as_second(page, SUPERVISOR)
        sign("Add it to the meter")
        expect(page.get_by_role("region", name="History")).to_contain_text("olga and sam")
        expect(page.get_by_role("region", name="Meters", exact=True)).to_contain_text("$6,000.00")


def test_a_set_up_shows_each_fault_beside_its_field_and_opens_when_there_is_none(
    browser: Browser, office: ServedRoom
) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/tables/new?game=three-card-prime")
        expect(page.locator("#edges-ante-play")).to_contain_text("house edge 2.8957%")
        expect(page.get_by_text("No errors. It can open.")).to_be_visible()
        page.get_by_label("Seats", exact=True).fill("20")
        page.get_by_label("Name", exact=True).fill("prime-9")
        main, prime = page.locator("#wager-ante-play"), page.locator("#wager-prime")
        main.get_by_label("Max", exact=True).fill("$500")
        prime.get_by_label("Min", exact=True).fill("a lot")
        prime.get_by_label("Paytable").select_option("PRW-2")
        expect(page.get_by_text("4 errors")).to_be_visible()
        expect(page.locator(".field:has(#f-seats) .fault")).to_contain_text("20 seats are not possible")
        expect(main.locator(".fault")).to_contain_text("The maximum of $500 is over $400. [WAC 230-15-140]")
        expect(prime.locator(".fault").first).to_contain_text("'a lot' is not an amount")
        expect(prime.locator(".fault").nth(1)).to_contain_text("needs the operator's bonus for")
        visit.is_in_order()
        follow(page.get_by_role("button", name="Open the table"))
        expect(page.get_by_text("4 errors")).to_be_visible()
        assert not office.card_room.read_table_version("prime-9")
        page.get_by_label("Seats", exact=True).fill("5")
        main.get_by_label("Max", exact=True).fill("$400")
        prime.get_by_role("checkbox").uncheck()
        expect(page.get_by_text("No errors. It can open.")).to_be_visible()
        expect(page.locator(".setup-text")).to_contain_text('max = "$400"')
        page.get_by_role("button", name="Open the table").click()
        expect(page.get_by_role("heading", name="prime-9")).to_be_visible()
        visit.is_in_order()
    opened = office.card_room.table("prime-9").open_table.table
    assert (opened.seats, "prime" in opened.offers) == (5, False)
    assert opened.offers["ante-play"].limits.maximum == 400_00


def test_the_last_edit_wins_when_an_earlier_check_is_answered_after_it(browser: Browser, office: ServedRoom) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/tables/new?game=three-card-prime")
        setup, seats = page.locator("#setup"), page.get_by_label("Seats", exact=True)
        expect(setup).not_to_have_attribute("aria-busy", "true")
        checks: list[Route] = []
        page.route("**/office/tables/new/check", lambda route: checks.append(route))

        for held, value in enumerate(("20", "30", "5"), 1):
            seats.fill(value)
            seats.blur()
            while len(checks) < held:  # each call lets the browser report what it has sent
                page.evaluate("0")
        _, earlier, last = checks
        expect(setup).to_have_attribute("aria-busy", "true")
        last.continue_()
        expect(setup).not_to_have_attribute("aria-busy", "true")
        expect(seats).to_have_value("5")
        with page.expect_event("requestfinished", lambda request: request == earlier.request):
            earlier.continue_()
        page.evaluate("new Promise(requestAnimationFrame)")
        expect(seats).to_have_value("5")
        expect(page.get_by_text("No errors. It can open.")).to_be_visible()


def test_a_table_is_paused_and_removed_with_a_reason(browser: Browser, office: ServedRoom) -> None:
    office.open_table("short-lived")
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/tables/short-lived")
        for words, result in (("Pause", "paused: A spilled drink"), ("Remove", "closed: A spilled drink")):
            page.get_by_role("link", name=words).click()
            page.get_by_label("Reason").fill("A spilled drink")
            page.get_by_role("button", name=f"{words} it").click()
            expect(page.get_by_text(result)).to_be_visible()
    assert office.card_room.table("short-lived").closed


def test_reports_are_tables_whose_lines_lead_to_their_events_and_files_to_take_along(
    browser: Browser, office: ServedRoom
) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/reports")
        page.get_by_role("link", name="Jackpot history").click()
        page.get_by_label("Of", exact=True).select_option(JACKPOT)
        page.get_by_role("button", name="Show").click()
        expect(page).to_have_url(f"{office.url}/office/reports/history?of={JACKPOT}&from=&to=&rounds=")
        for name, begins in (("PDF", b"%PDF"), ("CSV", b"part,"), ("JSON", b'{\n  "report": "jackpot-history"')):
            with page.expect_download() as taken:
                page.get_by_role("link", name=name, exact=True).click()
            assert taken.value.path().read_bytes().startswith(begins)
        page.get_by_role("row").filter(has_text="Prize claimed and locked").get_by_role("link").click()
        expect(page.locator("#event-4")).to_contain_text("Prize claimed and locked")
        page = visit.go("/office/reports/history?from=yesterday")
        expect(page.get_by_role("alert").filter(has_text="'yesterday' is not a date")).to_be_visible()


def test_verify_says_that_the_books_are_whole_and_can_be_given_up(
    browser: Browser, office: ServedRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/verify")
        monkeypatch.setattr(verifying, "_run_verification", verify_forever)
        page.get_by_role("button", name="Verify everything").click()
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text("was canceled")).to_be_visible()
        monkeypatch.undo()
        page.get_by_role("button", name="Verify again").click()
        expect(page.get_by_text("✓ ")).to_be_visible()
        expect(page.get_by_text("1 claim judged again")).to_be_visible()
        visit.is_in_order()


def test_a_player_is_admitted_and_two_people_take_money_in_at_the_cage(browser: Browser, office: ServedRoom) -> None:
    with open_staff_window(browser, office, CAGE) as visit:
        page = visit.go("/office/players")
        page.get_by_role("link", name="Add a player").click()
        page.get_by_label("Account name").fill("Ann Lee")
        page.get_by_role("button", name="Add the player").click()
        expect(page.get_by_role("alert").filter(has_text="'Ann Lee' cannot be a player's name")).to_be_visible()
        page.get_by_label("Account name").fill("ann-lee")
        page.get_by_role("button", name="Add the player").click()
        page.get_by_role("link", name="ann-lee", exact=True).click()
        page.get_by_role("link", name="Pay in").click()
        page.get_by_label("Amount").fill("50")
        page.get_by_label("Slip number").fill("4471")
        sign_as_second(page, CAGE)
        page.get_by_role("button", name="Record the pay-in").click()
        expect(page.get_by_role("alert").filter(has_text="cannot be the second person besides carl")).to_be_visible()
        assert office.card_room.player_account("ann-lee").balance == 0
        sign_as_second(page, SUPERVISOR)
        page.get_by_role("button", name="Record the pay-in").click()
        history = page.get_by_role("region", name="History")
        expect(history).to_contain_text("carl and sam took $50 in at the cage, 4471.")
        visit.is_in_order()
    assert office.card_room.player_account("ann-lee").balance == 50_00


def test_rounds_are_found_by_table_and_player_in_the_address(browser: Browser, office: ServedRoom) -> None:
    winner = office.players[0].name
    with open_staff_window(browser, office) as visit:
        page = visit.go("/office/rounds")
        page.get_by_label("Player").fill(winner)
        page.get_by_role("button", name="Show").click()
        row = page.get_by_role("row").filter(has_text="play-1.1")
        expect(row.get_by_role("link", name="play-1.1", exact=True)).to_have_attribute("href", "/rounds/play-1.1")
        expect(row).to_contain_text(winner)
        page.get_by_label("Player").fill("nobody-here")
        page.get_by_role("button", name="Show").click()
        expect(page.get_by_role("alert").filter(has_text="nobody-here")).to_be_visible()


def test_no_key_of_a_round_to_come_and_no_secret_of_the_room_is_on_any_page(office: ServedRoom) -> None:
    card_room, state = office.card_room, office.card_room.table(TABLE)
    key, secret = card_room.ledger.read_secret(f"table:{TABLE}", state.seal), card_room.get_room_secret()
    assert key is not None
    pages = [
        *PAGES,
        f"/office/ledger/table:{TABLE}",
        "/office/ledger/room",
        f"/office/downloads/ledger.csv?chain=table:{TABLE}",
    ]
    with Caller(office) as caller:
        for path in pages:
            result = caller.get(path)
            assert result.status_code == 200
            assert key.hex() not in result.text
            assert secret.hex() not in result.text


def test_an_address_that_leads_nowhere_is_shown_in_a_sentence(browser: Browser, office: ServedRoom) -> None:
    with open_staff_window(browser, office) as visit:
        for path, sentence in (
            ("/office/cellar", "The office has no page 'cellar'"),
            ("/office/jackpots/golden-goose", "golden-goose"),
            ("/office/ledger/table:nowhere", "The ledger has no chain 'table:nowhere'"),
        ):
            page = visit.go(path)
            expect(page.locator(".refusal")).to_contain_text(sentence)
            visit.is_in_order()
        with Caller(office) as caller:
            assert caller.get("/office/jackpots/golden-goose").status_code == 404


def test_the_same_form_sent_twice_is_done_once_and_another_one_under_its_id_is_refused(office: ServedRoom) -> None:
    def send(**typed: str) -> httpx.Response:
        said = {"id": "form-1", "slip": "4480", "dollars": "1", **typed}
        return caller.send_form(f"/office/jackpots/{BANKED}/deposit", said)

    before = office.card_room.jackpot(BANKED).escrow
    with Caller(office) as caller:
        assert [send().status_code, send().status_code] == [303, 303]
        assert office.card_room.jackpot(BANKED).escrow == before + 100_00
        other = send(dollars="2")
    assert other.status_code == 422
    assert 'value="form-1"' not in other.text
    assert office.card_room.jackpot(BANKED).escrow == before + 100_00


def test_a_form_of_another_page_changes_nothing(office: ServedRoom) -> None:
    with Caller(office) as caller:
        elsewhere = caller.send_form("/office/day/open", {}, headers={"Origin": "http://elsewhere.example"})
        guessed = caller.post("/office/day/open", data={"form": "0" * 64})
    for answer in (elsewhere, guessed):
        assert answer.status_code == 403
        assert "nothing was changed" in answer.text
    assert office.card_room.room().days.open is None
