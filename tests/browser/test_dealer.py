"""The dealer's console on a tablet, by touch: a whole round, what breaks, what is won, what is void."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from cardroom.games.money import format_cents
from cardroom.ledger import ConnectionLost
from cardroom.room.dual_control import SamePerson
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.payment_references import PaymentMethod
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup, verify_card_room
from tests.browser.users import Caller, open_staff_window, sign_as_second
from tests.browser.visit import WIDTHS, Visit
from tests.room.jackpots import winners
from tests.service.card_rooms import final_four, new_id, pay, prime_sensors, prime_table
from tests.service.live_scenes import open_live, steps
from tests.service.staff import DEALER, SUPERVISOR, SURVEILLANCE, Both, staffed
from tests.service.table_scenes import an_id
from tests.web.rooms import ServedRoom, serve_room
from tests.web.test_unreachable_database import make_unreachable

TABLET = (1024, 768)
_numbers = count(1)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    """A room with a Final Four; each test opens a live table of its own."""
    with serve_room(tmp_path_factory.mktemp("live")) as room:
        staffed(room.card_room).jackpots.open(new_id(), "Olga", final_four())
        yield room


def live_table(card_room: CardRoom) -> str:
    """A live table of Three Card Prime, with six positions, which plays for the Final Four."""
    table = f"live-{next(_numbers)}"
    card_room.add_table(
        new_id(),
        "Olga",
        RoomTableSetup(
            table, prime_table(), tabulator=UnitSetup(prime_sensors(table, "final-four"), f"unit of {table}")
        ),
    )
    open_live(card_room, table)
    return table


@contextmanager
def dealing(browser: Browser, house: ServedRoom, table: str) -> Iterator[Visit]:
    """A dealer with a tablet, who is signed in."""
    staffed(house.card_room)
    with open_staff_window(browser, house, DEALER, *TABLET, has_touch=True) as visit:
        visit.go(f"/dealer/{table}")
        yield visit


def tap_places(within: Locator, *positions: int) -> None:
    for position in positions:
        within.locator(".choice", has_text=str(position)).tap()


def begin(page: Page, *positions: int) -> None:
    tap_places(page.locator(".now"), *positions)
    tap(page, "Begin the round")
    is_now(page, "Wagers")


def tap(page: Page, name: str) -> None:
    page.locator(".now").get_by_role("button", name=name).tap()


def drawn_again(page: Page) -> None:
    """The page asks for its view, and has drawn it."""
    page.evaluate("""new Promise((drawn) => {
        document.addEventListener("page:updated", drawn, { once: true });
        cardroom.requestUpdate();
    }).then(() => true)""")


def is_now(page: Page, title: str) -> None:
    expect(page.locator(".now h2").first).to_have_text(title)


def tabulate(page: Page, *positions: int, button: str = "TABULATE") -> None:
    tap(page, "Wagers are down")
    is_now(page, "Tabulate")
    tap_places(page.locator(".sensor-choices").first, *positions)
    tap(page, button)
    is_now(page, "Deal")


def to_the_end(page: Page, *names: str) -> None:
    for name in names:
        tap(page, name)


def type_cards(page: Page, place: str, *cards: str) -> None:
    page.get_by_label(place, exact=True).tap()
    for card in cards:
        page.locator(f"[data-card='{card}']").tap()


def type_wager(page: Page, name: str, *chips: str) -> None:
    page.get_by_label(re.compile(f"^{name} ")).tap()
    for chip in chips:
        page.get_by_role("button", name=f"Add {chip}", exact=True).tap()


def test_a_dealer_deals_a_whole_round_of_three_card_prime_by_tapping(browser: Browser, house: ServedRoom) -> None:
    card_room, table = house.card_room, live_table(house.card_room)
    with dealing(browser, house, table) as visit:
        page = visit.page
        begin(page, 1, 2, 4)
        before = card_room.jackpot("final-four").meters[0].displayed_cents
        tabulate(page, 2, 4)
        assert card_room.jackpot("final-four").meters[0].displayed_cents == before + 40
        expect(page.locator(".light.on")).to_have_text(["2: light on", "4: light on"])
        expect(page.locator(".step.taken")).to_contain_text(["Wagers", "Tabulate"])
        to_the_end(page, "Dealt", "All players have decided", "Revealed")
        is_now(page, "Take or pay")

        page.get_by_role("button", name="Enter seat 2").tap()
        type_wager(page, "Ante and Play", "$5", "$5")
        type_wager(page, "Pair Bonus", "$5")
        type_cards(page, "seat 2 hand", "9d", "9h", "Kd")
        type_cards(page, "dealer", "Ac", "4d", "2s")
        page.get_by_role("button", name="Save").tap()
        expect(page.locator("#sheet .missing").first).to_have_text(
            "Seat 2's Ante and Play needs seat 2's decision on 'play': fold or play."
        )
        page.locator("#sheet .decisions .choice", has_text="play").tap()
        page.get_by_role("button", name="Save").tap()
        expect(page.locator("#sheet .missing")).to_have_text(["Seat 2's Pair Bonus needs the card at 'seat 2 fourth'."])
        visit.is_in_order()
        type_cards(page, "seat 2 fourth", "2c")
        page.get_by_role("button", name="Save").tap()
        expect(page.locator("#sheet .missing")).to_have_count(0)
        page.locator("#sheet").get_by_role("button", name="Close").tap()

        result = card_room.take_or_pay(table).seats
        assert [seat.seat for seat in result] == [2]
        expect(page.locator("#seat-2 .pay-line")).to_contain_text(f"${result[0].pay // 100}")
        visit.is_in_order()
        to_the_end(page, "Taken and paid", "Collected", "End round")
        expect(page.locator(".now h2")).to_have_text(f"Round {table}.2")
        expect(page.get_by_role("checkbox", name="4")).to_be_checked()
    past = card_room.get_live_round(f"{table}.1")
    assert (past.live.dealer, past.live.positions, past.live.counted) == (DEALER, (1, 2, 4), "button")
    assert past.live.cards["seat 2 hand"] == ("9d", "9h", "Kd")
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_round_is_voided_by_two_people_and_not_by_one(browser: Browser, house: ServedRoom) -> None:
    card_room, table = house.card_room, live_table(house.card_room)
    before = card_room.jackpot("final-four").meters[0].displayed_cents
    with dealing(browser, house, table) as visit:
        page = visit.page
        begin(page, 1, 2)
        tabulate(page, 1)
        page.get_by_role("button", name="Void").tap()
        sheet = page.locator("#sheet")
        expect(sheet).to_contain_text("Every wager at positions 1, 2 goes back")
        expect(sheet).to_contain_text("1 wager on Final Four Jackpot comes off the meter")
        sheet.get_by_label("What happened").fill("the shuffler jammed")
        sign_as_second(sheet, DEALER)
        sheet.get_by_role("button", name="Void the round").tap()
        expect(sheet.locator(".refusal")).to_have_text(
            "Two people must sign for a void round: dora cannot be the second person besides dora."
        )
        expect(sheet.get_by_label("What happened")).to_have_value("the shuffler jammed")
        assert card_room.table(table).live is not None
        visit.is_in_order()
        sign_as_second(sheet, SUPERVISOR)
        sheet.get_by_role("button", name="Void the round").tap()
        expect(sheet).to_be_hidden()
        expect(page.locator(".now h2")).to_have_text(f"Round {table}.2")
    assert card_room.jackpot("final-four").meters[0].displayed_cents == before


def test_with_a_broken_tabulator_wagers_are_counted_by_hand(browser: Browser, house: ServedRoom) -> None:
    card_room, table = house.card_room, live_table(house.card_room)
    with dealing(browser, house, table) as visit:
        page = visit.page
        page.get_by_role("button", name="Equipment").tap()
        page.get_by_role("button", name="Report the fault").tap()
        expect(page.locator("#sheet .refusal:not(:empty)")).to_have_text("Enter what is wrong with the tabulator.")
        page.get_by_label("What is wrong with the tabulator").fill("no light at all")
        page.get_by_role("button", name="Report the fault").tap()
        expect(page.get_by_role("button", name="Equipment")).to_contain_text("out of order")
        begin(page, 3)
        tabulate(page, 3, button="Counted by hand")
        expect(page.get_by_text("Leave these jackpot wagers on the layout: positions 3.")).to_be_visible()
        visit.is_in_order()
    live = card_room.table(table).live
    assert live is not None
    assert live.counted == "by hand"


@pytest.mark.parametrize("removal", ["disable", "unlink"])
def test_a_jackpot_that_takes_no_wagers_says_so_from_the_beginning(
    browser: Browser, tmp_path: Path, removal: str
) -> None:
    with serve_room(tmp_path) as room:
        card_room = room.card_room
        card_room.jackpots.open(new_id(), "Olga", final_four())
        table = live_table(card_room)
        with dealing(browser, room, table) as visit:
            page, meter = visit.page, visit.page.locator(".console-meters div", has_text="Final Four")
            expect(meter).to_have_text("Final Four Jackpot$5,000")
            if removal == "disable":
                card_room.jackpots.disable(new_id(), "Olga", "final-four", "its cable broke")
            else:
                card_room.unlink_table(new_id(), "Olga", table, "final-four", "a quiet week")
            why = "its cable broke" if removal == "disable" else f"{table} plays for no jackpot on it"
            expect(meter).to_have_text(f"Final Four Jackpotnot available: {why}")
            begin(page, 1, 2)
            tap(page, "Wagers are down")
            is_now(page, "Tabulate")
            expect(page.locator(".unit")).to_contain_text(
                f"Final Four Jackpot is not available: {why}. Return wagers on it and continue the round."
            )
            expect(page.locator(".sensor-choices")).to_have_count(0)
            visit.is_in_order()
            tap(page, "TABULATE")
            is_now(page, "Deal")
            page.get_by_role("button", name="Enter seat 2").tap()
            expect(page.get_by_label(re.compile("^Final Four Jackpot "))).to_be_disabled()
            type_wager(page, "Ante and Play", "$5", "$5")
            page.get_by_role("button", name="Save").tap()
            expect(page.locator("#sheet [name=was-wager-ante-play]")).to_have_value("$10")
            expect(page.locator("#sheet .refusal")).to_be_empty()
            visit.is_in_order()
        live = card_room.table(table).live
        assert live is not None
        assert live.wagers == {"2": {"ante-play": 10_00}}


def test_a_hand_is_claimed_as_it_was_typed(browser: Browser, house: ServedRoom) -> None:
    table, waiting = live_table(house.card_room), list[Route]()
    with dealing(browser, house, table) as visit:
        page = visit.page
        begin(page, 1, 2)
        tabulate(page, 2)
        page.get_by_role("button", name="Claim", exact=True).tap()
        page.locator("#sheet").get_by_role("button", name="Claim").tap()
        expect(page.locator("#sheet .refusal")).not_to_be_empty()
        page.locator("#sheet").get_by_role("button", name="Enter seat 2").tap()
        type_cards(page, "seat 2 hand", "7c", "7d", "7h")
        type_cards(page, "seat 2 fourth", "Ac")
        page.route(
            "**/seats/2", lambda route: waiting.append(route) if route.request.method == "POST" else route.continue_()
        )
        page.get_by_role("button", name="Save").tap()
        while not waiting:  # each call lets the browser report what it has sent
            page.evaluate("0")
        page.locator("#sheet").get_by_role("button", name="Close").tap()
        with page.expect_event("requestfinished", lambda request: request == waiting[0].request):
            waiting[0].continue_()
        expect(page.locator("#sheet form.sent")).to_have_count(0)  # the page has read the response
        expect(page.locator("#sheet")).to_be_hidden()  # what the dealer has closed stays closed
        page.get_by_role("button", name="Claim", exact=True).tap()
        expect(page.locator("#sheet .hand")).to_contain_text("seat 2 hand: 7c 7d 7h")
        page.locator("#sheet").get_by_role("button", name="Claim").tap()
        expect(page.locator("#sheet .won")).to_contain_text("Pay $25 now.")
        page.locator("#sheet").get_by_role("button", name="Close").tap()
        expect(page.locator("#seat-2 .claimed")).to_have_text("Final Four Jackpot. Claimed. Pay $25 now.")
        visit.is_in_order()


def test_a_seat_says_what_has_become_of_its_claim(browser: Browser, tmp_path: Path) -> None:
    with serve_room(tmp_path) as room:
        card_room = room.card_room
        card_room.jackpots.open(new_id(), "Olga", final_four())
        table = live_table(card_room)
        card_room.begin_live_round(an_id(), "Kim", table, [1, 2])
        steps(card_room, "wagers", table=table)
        card_room.take_step(an_id(), "Kim", table, "tabulate", covered={1: [2]})
        steps(card_room, "deal", "decide", "reveal", table=table)
        hand = {"seat 2 hand": "Jd Qd Kd", "seat 2 fourth": "Ad"}
        bets = {2: {"ante-play": 10_00, "final-four": 1_00}}
        card_room.type_cards(an_id(), "Kim", table, hand, wagers=bets, answers={2: {"play": "fold"}})
        won = format_cents(card_room.jackpot("final-four").meters[0].displayed_cents)
        with dealing(browser, room, table) as visit:
            page = visit.page
            row, sheet = page.locator("#seat-2"), page.locator("#sheet")
            people = "a person other than Kim and dora verifies it and surveillance checks it"
            locked = f"{won} is locked until {people}"
            offered = row.get_by_role("button", name="Claim for seat 2")

            def claim() -> str:
                offered.tap()
                expect(sheet).to_contain_text("who neither dealt nor claimed, verifies it")
                sheet.get_by_role("button", name="Claim").tap()
                expect(sheet.locator(".won")).to_contain_text(locked)
                sheet.get_by_role("button", name="Close").tap()
                expect(row.locator("p.claimed").last).to_have_text(f"Final Four Jackpot. Claimed. {locked}.")
                expect(offered).to_have_count(0)
                visit.is_in_order()
                return card_room.jackpot("final-four").claims[0].id

            card_room.claims.refuse(an_id(), "Rosa", "final-four", claim(), "the ace lay on the floor")
            # What others do in the books is looked for less often where looking takes long.
            expect(row.locator("p.claimed")).to_have_text(
                "Final Four Jackpot. Refused by Rosa: the ace lay on the floor."
            )
            again = claim()
            for dealt_or_claimed in ("Kim", "dora"):
                with pytest.raises(SamePerson):
                    pay(card_room, dealt_or_claimed, "final-four", again)
            paid = winners(card_room.jackpot("final-four").claim(again), PaymentMethod.CASH)
            checked = SurveillanceCheck(SURVEILLANCE, "now")
            Both(card_room).payments.pay(an_id(), "Rosa", "final-four", again, paid=paid, surveillance=checked)
            expect(row.locator("p.claimed").last).to_have_text(f"Final Four Jackpot. Paid: {won}, verified by Rosa.")
            expect(offered).to_have_count(0)
            visit.is_in_order()


def test_an_undone_step_comes_again_and_what_was_counted_stays(browser: Browser, house: ServedRoom) -> None:
    table = live_table(house.card_room)
    with dealing(browser, house, table) as visit:
        page = visit.page
        begin(page, 1)
        tabulate(page, 1)
        tap(page, "Dealt")
        is_now(page, "Decide")
        page.get_by_role("button", name="Undo", exact=True).tap()
        page.get_by_role("button", name="Undo step deal").tap()
        is_now(page, "Deal")
        page.get_by_role("button", name="Undo", exact=True).tap()
        page.get_by_role("button", name="Undo step tabulate").tap()
        expect(page.locator("#sheet .refusal")).to_contain_text("has counted the jackpot wagers and cannot be undone")


def test_taps_in_quick_succession_each_take_the_step_that_they_were_made_on(
    browser: Browser, house: ServedRoom
) -> None:
    card_room, table = house.card_room, live_table(house.card_room)
    with dealing(browser, house, table) as visit:
        page = visit.page
        begin(page, 1)
        tabulate(page, 1)
        # Each tap is made in the frame in which its button is drawn: as early as any finger can be.
        page.evaluate("""() => {
            const tap = () => {
                const title = document.querySelector(".now h2").textContent;
                if (title === "Deal" || title === "Decide") document.querySelector(".now .big").click();
            };
            document.addEventListener("page:updated", tap);
            tap();
        }""")
        is_now(page, "Reveal")
    live = card_room.table(table).live
    assert live is not None
    assert live.taken[-2:] == ("deal", "decide")


def test_a_tap_on_a_step_that_the_table_has_left_takes_none_and_says_so(browser: Browser, house: ServedRoom) -> None:
    card_room, table = house.card_room, live_table(house.card_room)
    with dealing(browser, house, table) as visit:
        page = visit.page
        begin(page, 1)
        tabulate(page, 1)
        page.locator(".now .big").hover()
        page.mouse.down()
        card_room.take_step(an_id(), DEALER, table, "deal")
        is_now(page, "Decide")
        page.mouse.up()
        expect(page.locator(".now .refusal").first).to_have_text(
            "The table moved on before your tap. Check the step, then tap again."
        )
        tap(page, "All players have decided")
        is_now(page, "Reveal")
    live = card_room.table(table).live
    assert live is not None
    assert live.taken[-2:] == ("deal", "decide")


def test_any_user_deals_is_named_and_a_refusal_stands_beside_the_button(browser: Browser, house: ServedRoom) -> None:
    table = live_table(house.card_room)
    with dealing(browser, house, table) as visit:
        page = visit.page
        expect(page.locator(".dealer-rail")).to_contain_text("dora dealer")
        page.get_by_role("button", name="Begin the round").tap()
        expect(page.locator(".now .refusal")).to_contain_text("No position is in play: choose positions from 1 to 6.")
        visit.is_in_order()


def test_two_tablets_show_one_table(browser: Browser, house: ServedRoom) -> None:
    table = live_table(house.card_room)
    with dealing(browser, house, table) as first, dealing(browser, house, table) as other:
        tap_places(other.page.locator(".now"), 5)
        drawn_again(other.page)
        expect(other.page.get_by_role("checkbox", name="5")).to_be_checked()  # not lost when the page is drawn again
        begin(first.page, 1)
        expect(other.page.locator(".now h2").first).to_have_text("Wagers")


def test_a_sheet_keeps_what_was_typed_when_the_books_or_the_room_are_away(browser: Browser, tmp_path: Path) -> None:
    with serve_room(tmp_path) as room:
        room.card_room.jackpots.open(new_id(), "Olga", final_four())
        table = live_table(room.card_room)
        room.card_room.begin_live_round(an_id(), "Kim", table, [1])
        with dealing(browser, room, table) as visit:
            page, sheet = visit.page, visit.page.locator("#sheet")
            said = sheet.locator(".refusal:not(:empty)")
            page.get_by_role("button", name="Void").tap()
            sheet.get_by_label("What happened").fill("the <i>shuffler</i> jammed")
            sign_as_second(sheet, SUPERVISOR)
            with make_unreachable(ConnectionLost("The books are <b>away</b>."), "begin", "read"):
                sheet.get_by_role("button", name="Void the round").tap()
                # The user who asks the books first, the round or the session, says so in its own words.
                expect(said).to_have_text(re.compile("^The (books are <b>away</b>|database is unreachable)"))
            expect(sheet.get_by_label("What happened")).to_have_value("the <i>shuffler</i> jammed")
            room.stop()
            sheet.get_by_role("button", name="Void the round").tap()
            expect(said).to_have_text("The server does not respond. Try again. A repeated tap is never counted twice.")
            expect(sheet.get_by_label("Second person's login")).to_have_value(SUPERVISOR)
            sheet.get_by_role("button", name="Cancel").tap()
            expect(sheet).to_be_hidden()
            page.get_by_role("button", name="Equipment").press("Enter")
            expect(said).to_have_text("The server does not respond. Try again. A repeated tap is never counted twice.")
            sheet.get_by_role("button", name="Close").tap()
            expect(sheet).to_be_hidden()
        assert room.card_room.table(table).live is not None


def test_nothing_is_done_from_another_page(house: ServedRoom) -> None:
    table = live_table(house.card_room)
    said = {"id": "0" * 32, "positions": "1"}
    with Caller(house, DEALER) as dealer:
        for origin in ("", "http://elsewhere.example"):
            answer = dealer.send_form(f"/dealer/{table}/begin", said, headers={"Origin": origin})
            assert answer.status_code == 403
    assert house.card_room.table(table).live is None


def test_a_form_that_is_sent_twice_is_done_once(house: ServedRoom) -> None:
    table = live_table(house.card_room)
    said = {"id": "a" * 32, "positions": "1"}
    with Caller(house, DEALER) as dealer:
        answers = [dealer.send_form(f"/dealer/{table}/begin", said) for _ in range(2)]
    for answer in answers:
        assert answer.status_code == 204, answer.text
    assert house.card_room.table(table).number == 1


def test_where_no_user_deals_it_is_said_how_a_live_table_opens(browser: Browser, room: ServedRoom) -> None:
    staffed(room.card_room)
    with open_staff_window(browser, room) as visit:
        page = visit.go("/dealer")
        expect(page.locator(".empty")).to_contain_text("No live table is open. An operator opens one in the office")
        expect(page.get_by_role("link", name="Set up a table")).to_have_attribute("href", "/office/tables/new")
        visit.is_in_order()
        page = visit.go("/dealer/three-card-prime-1")
        expect(page.locator(".refusal")).to_contain_text("is automatic")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_console_is_in_order_at_every_width(browser: Browser, house: ServedRoom, width: int) -> None:
    card_room, table = house.card_room, live_table(house.card_room)
    card_room.begin_live_round(an_id(), "Kim", table, [1, 2, 6])
    steps(card_room, "wagers", table=table)
    card_room.take_step(an_id(), "Kim", table, "tabulate", covered={1: [2]})
    with open_staff_window(browser, house, DEALER, width) as visit:
        page = visit.go("/dealer")
        expect(page.get_by_role("link", name=f"Console of {table}", exact=True)).to_be_visible()
        visit.is_in_order()
        visit.go(f"/dealer/{table}")
        visit.is_in_order()
        page.get_by_role("button", name="Enter seat 2").click()
        expect(page.locator("#sheet h2")).to_have_text("Seat 2")
        visit.is_in_order()
        small = page.locator("#sheet button:visible, .console button").evaluate_all(
            "all => all.filter(one => one.getBoundingClientRect().height < 63.5).map(one => one.outerHTML)"
        )
        assert small == []


def test_the_next_step_is_on_the_first_screen_of_a_telephone(browser: Browser, house: ServedRoom) -> None:
    card_room, table = house.card_room, live_table(house.card_room)
    with open_staff_window(browser, house, DEALER, 360, 640) as visit:
        page = visit.go(f"/dealer/{table}")

        def is_seen_whole(button: Locator) -> None:
            """Without scrolling, and with its words inside its borders."""
            expect(button).to_be_in_viewport(ratio=1)
            assert button.evaluate("one => one.scrollWidth <= one.clientWidth")

        is_seen_whole(page.get_by_role("button", name="Begin the round"))
        card_room.begin_live_round(an_id(), "Kim", table, [1, 2, 6])
        steps(card_room, "wagers", table=table)
        is_now(page, "Tabulate")
        is_seen_whole(page.get_by_role("button", name="TABULATE"))
        for name in ("Undo", "Equipment", "Claim", "Void"):
            button = page.get_by_role("button", name=name)
            inside = "one => { const words = document.createRange(); words.selectNodeContents(one);"
            inside += " return one.getBoundingClientRect().width - words.getBoundingClientRect().width }"
            assert button.evaluate(inside) >= 8, name
        card_room.take_step(an_id(), "Kim", table, "tabulate", covered={1: [2]})
        hand = {"seat 2 hand": "9d 9h Kd", "seat 2 fourth": "2c", "dealer": "Ac 4d 2s"}
        bets = {2: {"ante-play": 130_00, "pair-bonus": 5_00}}
        card_room.type_cards(an_id(), "Kim", table, hand, wagers=bets, answers={2: {"play": "play"}})
        expect(page.locator("#seat-2 .pay").first).to_be_attached()
        page.get_by_role("button", name="Enter seat 2").click()
        is_seen_whole(page.get_by_role("button", name="Save"))
        assert page.locator(".sheet-page").evaluate("one => one.scrollWidth <= one.clientWidth")
        visit.is_in_order()
