"""TableVision in a real browser: what a player reads from two metres away, and how soon it is true."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from cardroom.reports.led_letters import HEIGHT, led_letters
from cardroom.room.descriptions.displays import display_texts, format_meter
from cardroom.room.setup.example import build_demo_table
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup
from tests.browser.users import open_staff_window
from tests.browser.visit import WIDTHS, open_window
from tests.service.card_rooms import (
    DIAMOND_ROYAL,
    all_seven,
    new_id,
    open_room,
    play,
    play_fast,
    prime_sensors,
    prime_table,
    shown,
)
from tests.service.staff import DEALER, staffed
from tests.web.rooms import GAMES, WITHOUT_CLOCK, ServedRoom, serve_room

SCREENS = ((1920, 1080), (3840, 2160), (1080, 1920))
_CUT_OFF = """[...document.querySelectorAll('.wall, .vision, .panel, .prizes, .vision-foot, .sign, .meter, .event')]
    .filter(one => one.scrollWidth > one.clientWidth + 2
        || (!one.matches('.meter, .event') && one.scrollHeight > one.clientHeight + 4))
    .map(one => `${one.className} ${one.scrollWidth}x${one.scrollHeight} in ${one.clientWidth}x${one.clientHeight}`)"""


@pytest.fixture(scope="module")
def prime(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    """Two tables of Three Card Prime whose monitors show one Final Four, and a third with a bonus jackpot."""
    with serve_room(tmp_path_factory.mktemp("prime")) as room:
        open_room(room.card_room)
        room.card_room.jackpots.open(new_id(), "Olga", all_seven("bonus"))
        sensors = prime_sensors("prime-3", "all-seven", kind="bonus")
        room.card_room.add_table(
            new_id(), "Olga", RoomTableSetup(sensors.table, prime_table(), tabulator=UnitSetup(sensors, "unit-3"))
        )
        yield room


def amount(card_room: CardRoom) -> str:
    return format_meter(shown(card_room))


def shown_on(meter: Locator) -> int:
    """The cents that a display shows at this moment."""
    return int(re.sub(r"\D", "", meter.inner_text()))


@pytest.mark.parametrize("width", WIDTHS)
def test_displays_are_in_order_at_every_width(browser: Browser, room: ServedRoom, width: int) -> None:
    with open_window(browser, room.url, width) as visit:
        page = visit.go("/displays")
        expect(page.get_by_role("link", name="LED line of texas-shootout-1")).to_be_visible()
        visit.is_in_order()
        for screen in ("three-card-prime-1", "dueling-for-dollars-1/monitor"):
            visit.go(f"/displays/{screen}")
            visit.is_in_order()


@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_every_table_fits_on_its_screen_with_the_amount_first(
    browser: Browser, room: ServedRoom, screen: tuple[int, int]
) -> None:
    with open_window(browser, room.url, *screen) as visit:
        for game in GAMES:
            page = visit.go(f"/displays/{game}-1")
            assert page.evaluate(_CUT_OFF) == [], game
            box = page.locator(".meter, .led-amount").first.bounding_box()
            assert box is not None
            if screen[0] > screen[1]:
                assert box["height"] > screen[1] / 5, game
            expect(page.locator("button, input, nav, .rail")).to_have_count(0)


def test_a_meter_that_rises_at_a_table_is_followed_by_its_display(browser: Browser, room: ServedRoom) -> None:
    shown, ann = build_demo_table("dueling-for-dollars", "duel-alone"), room.admit_guest()
    room.card_room.jackpots.open(new_id(), "Olga", shown.jackpot)
    unit = UnitSetup(shown.tabulator, shown.unit)
    room.card_room.add_table(new_id(), "Olga", RoomTableSetup(shown.table, shown.setup, WITHOUT_CLOCK, unit))
    ann.sit(table := shown.table)
    with open_window(browser, room.url) as visit:
        page = visit.go(f"/displays/{table}/monitor")
        meter = page.locator(".meter [data-meter]")
        expect(meter).to_have_text("$5,000.00")
        ann.wager(table, player=10_00, tie_after_tie=1_00)
        expect(meter).to_have_text("$5,000.20")


def test_a_meter_that_rises_at_one_table_is_followed_at_the_other(browser: Browser, prime: ServedRoom) -> None:
    with open_window(browser, prime.url) as visit:
        page = visit.go("/displays/prime-2/monitor")
        meter = page.locator(".meter [data-meter]")
        expect(meter).to_have_text(amount(prime.card_room))
        for _ in range(2):  # the first may come with the page itself
            play(prime.card_room, "prime-1")
            expect(meter).to_have_text(amount(prime.card_room))


def test_an_amount_rolls_up_and_never_shows_more_than_the_meter(browser: Browser, prime: ServedRoom) -> None:
    with open_window(browser, prime.url) as visit:
        visit.page.emulate_media(reduced_motion="no-preference")
        visit.page.clock.install(time=0)
        visit.page.clock.pause_at(1)  # frames are drawn by hand
        page, meter = visit.go("/displays/prime-1"), visit.page.locator(".meter [data-meter]")
        expect(meter).to_have_text(amount(prime.card_room))
        before = shown(prime.card_room)
        play_fast(prime.card_room)
        play(prime.card_room, "prime-1", rounds=50)
        expect(meter).to_have_attribute("data-amount", amount(prime.card_room))
        seen = [shown_on(meter)]
        for _ in range(20):
            page.clock.run_for(50)
            seen.append(shown_on(meter))
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (before, shown(prime.card_room))
    assert len(set(seen)) > 5


def test_what_is_won_is_pending_on_every_screen_until_it_is_refused(browser: Browser, prime: ServedRoom) -> None:
    card_room = prime.card_room
    with open_window(browser, prime.url) as visit:
        page = visit.go("/displays/prime-2")
        was = amount(card_room)
        play(card_room, "prime-1", seats=1, round_id="won")
        claim = card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "won", DIAMOND_ROYAL).claim
        status = page.locator(".vision-status")
        expect(status).to_contain_text(display_texts()["status"]["pending"])
        expect(status).to_contain_text("is being verified")
        expect(page.locator(".meter [data-meter]")).not_to_have_text(was)
        visit.is_in_order()
        card_room.claims.refuse(new_id(), "Olga", "final-four", claim, "The cards were misread")
        expect(status).to_have_count(0)


def test_a_jackpot_that_is_not_available_shows_no_amount(browser: Browser, prime: ServedRoom) -> None:
    with open_window(browser, prime.url) as visit:
        page = visit.go("/displays/prime-1")
        prime.card_room.jackpots.disable(new_id(), "Olga", "final-four", "New felt")
        expect(page.locator(".vision-status")).to_contain_text(display_texts()["status"]["unavailable"])
        expect(page.locator(".meter")).to_have_count(0)
        expect(page.locator(".limits div", has_text="Final Four")).to_have_text("Final Four Jackpot not available")
        shine = "one => getComputedStyle(one).color"
        assert page.locator(".prize").first.evaluate(shine) == page.locator(".notice").first.evaluate(shine)
        expect(page.locator(".prize").first).to_have_css("text-decoration-line", "line-through")
        visit.is_in_order()
        prime.card_room.jackpots.enable(new_id(), "Olga", "final-four")
        expect(page.locator(".meter [data-meter]")).to_have_text(amount(prime.card_room))


def test_a_bonus_jackpot_says_what_the_sheets_ask_for_to_the_letter(browser: Browser, prime: ServedRoom) -> None:
    with open_window(browser, prime.url) as visit:
        page = visit.go("/displays/prime-3")
        expect(page.get_by_text(display_texts()["notices"]["bonus"], exact=True)).to_be_visible()
        visit.is_in_order()


def test_a_jackpot_that_was_removed_is_on_no_screen(browser: Browser, prime: ServedRoom) -> None:
    with open_window(browser, prime.url) as visit:
        page = visit.go("/displays/prime-3")
        expect(page.locator(".panel")).to_have_count(1)
        prime.card_room.jackpots.remove(new_id(), "Olga", "all-seven", "It is not played", second="Lee")
        expect(page.locator(".panel")).to_have_count(0)
        visit.is_in_order()


def spelled_by(lights: Locator) -> str:
    codes = lights.evaluate_all("all => all.map(one => one.getAttribute('href').slice('#led-'.length))")
    return "".join(chr(int(code)) for code in codes)


def test_the_lights_of_a_sign_spell_what_it_says(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go("/displays/three-card-prime-1/led")
        spelled = spelled_by(page.locator(".led-amount use"))
        assert spelled == page.locator(".sign p.unseen").first.text_content()
        assert re.fullmatch(r"\$[\d,]+\.\d\d", spelled)
        running = page.locator(".sign p.unseen").last.text_content()
        assert spelled_by(page.locator(".led-running use")) == re.sub(r"\s", "", running or "")


def test_a_sign_that_must_not_move_cuts_nothing(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:  # which has asked for no motion
        visit.page.clock.install(time=0)
        visit.page.clock.pause_at(1)  # the next phrase does not follow
        page = visit.go("/displays/three-card-prime-1/led")
        high = page.locator(".led-running").get_attribute("viewBox")
        assert high == "0 0 132 18"  # two lines of lights
        lines = page.locator(".led-running g").evaluate_all("""all => all.map(one => {
            const [x, y] = one.getAttribute("transform").match(/-?\\d+/g).map(Number);
            const right = [...one.children].filter(light => getComputedStyle(light).display !== "none")
                .reduce((most, light) => Math.max(most, light.getBBox().x + light.getBBox().width), 0);
            return {x, y, right, phrase: one.dataset.phrase};
        })""")
        shown = [line for line in lines if line["x"] > 0]
        assert [(line["y"], line["phrase"]) for line in shown] == [(1, "1"), (10, "1")]
        assert all(0 < line["right"] <= 132 - 4 for line in lines)


def test_every_letter_of_the_required_wording_has_its_lights() -> None:
    words = "".join(sentence for part in display_texts().values() for sentence in part.values())
    assert set(words) - set(" {}") <= set(led_letters())
    assert all(0 <= y < HEIGHT for lights in led_letters().values() for _, y in lights)


def test_a_screen_that_is_not_there_is_named(browser: Browser, room: ServedRoom) -> None:
    with open_window(browser, room.url) as visit:
        page = visit.go("/displays/three-card-prime-1/monitor")
        expect(page.locator(".refusal")).to_contain_text("has no monitor. It has LED line and Picture frame")
        visit.is_in_order()
        expect(visit.go("/displays/nowhere").locator(".refusal")).to_contain_text("nowhere")


def test_pages_with_play_money_say_so(browser: Browser, prime: ServedRoom, room: ServedRoom) -> None:
    staffed(prime.card_room)
    with open_staff_window(browser, prime, DEALER) as visit:
        for address in ("/displays", "/dealer"):
            expect(visit.go(address).locator("body")).not_to_contain_text("lay money")
    with open_window(browser, room.url) as visit:
        expect(visit.go("/").locator("footer")).to_have_text("Play money has no cash value.")
        shown = build_demo_table("three-card-prime", "play-9")
        room.card_room.jackpots.open(new_id(), "Olga", shown.jackpot)
        room.card_room.add_table(
            new_id(),
            "Olga",
            RoomTableSetup(shown.tabulator.table, shown.setup, tabulator=UnitSetup(shown.tabulator, shown.unit)),
        )
        expect(visit.go("/displays").locator("footer")).to_have_text("Play money has no cash value.")
