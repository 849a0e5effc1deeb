"""The way of a jackpot through the pages, from the win to what became of it: every open page follows by itself."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, expect

from cardroom.room.descriptions.displays import display_texts
from cardroom.room.user.permissions import Role
from cardroom.service import verify_card_room
from tests.browser.jackpot_scenes import CLAIM, JACKPOT, TABLE, Evening, open_evening, sign
from tests.browser.page_errors import PageWatch
from tests.browser.users import sign_in_browser
from tests.browser.visit import open_window
from tests.service.card_rooms import DIAMOND_ROYAL, open_room
from tests.service.live_scenes import begin, open_live, steps, tabulate
from tests.service.staff import CAGE, DEALER, SUPERVISOR, SURVEILLANCE, hire, password_of, staffed
from tests.web.rooms import serve_room

WON = "$5,000.20"
"""All of the meter: the seed, and a fifth of the winner's dollar."""
PENDING = display_texts()["status"]["pending"]


def is_won(evening: Evening) -> None:
    """The round is played, and every page tells of the prize that waits."""
    watch = evening.watch
    evening.lay()
    expect(evening.winner.page.locator(".choice")).to_have_count(2)
    expect(evening.amount).to_have_text(WON)
    before = evening.room.card_room.player_account(evening.name).balance
    watch.on(
        evening.winner.page,
        f"Your prize of {WON} is locked until two employees verify it.",
        f"A prize of {WON} from {JACKPOT} is locked until two employees verify it.",
    )
    watch.on(evening.other_player.page, "Round 1")
    watch.on(evening.display.page, PENDING, f"{WON} is being verified")
    watch.on(evening.office.page, f"claim 1 of {WON} of play money")
    watch.on(evening.jackpot.page, "royal flush A♦ K♦ Q♦ J♦")
    evening.play()
    watch.saw()
    expect(evening.amount).to_have_text("$5,000.00")
    expect(evening.office.page.get_by_role("region", name="Open now")).to_contain_text(CLAIM)
    expect(evening.other_player.page.locator(".prizes")).to_have_count(0)
    row = evening.winner.page.locator(".result tr", has_text="royal flush")
    expect(row).to_contain_text("paid by the jackpot after it is verified")
    expect(row.locator(".amount")).to_have_text("−$1")
    assert evening.room.card_room.player_account(evening.name).balance == before
    evening.is_in_order()


def to_the_claim(evening: Evening, what: str) -> None:
    """From the page on which it is listed to the form in which it is decided."""
    page = evening.cashier.go("/office")
    page.get_by_role("region", name="Open now").get_by_role("link", name=JACKPOT).click()
    page.get_by_role("link", name="Claim 1", exact=True).click()
    page.get_by_role("link", name=what).click()


def shown_on_later_pages(evening: Evening, sentence: str) -> None:
    """Who opens a page later reads the same: at the seat, of the round, among one's own rounds."""
    page = evening.winner.page.context.new_page()
    for path in (f"/tables/{TABLE}", f"/rounds/{CLAIM}", "/me"):
        page.goto(evening.room.url + path)
        expect(page.get_by_text(sentence)).to_be_visible()
    page.close()


def test_everything_follows_a_jackpot_from_the_win_to_the_payment(browser: Browser, tmp_path: Path) -> None:
    with open_evening(browser, tmp_path) as evening:
        card_room, watch = evening.room.card_room, evening.watch
        is_won(evening)
        winner, before = evening.name, card_room.player_account(evening.name).balance
        to_the_claim(evening, "Verify and pay")
        page, pay = evening.cashier.page, f"Pay {WON} of play money"
        for second in ("", SUPERVISOR):
            sign(page, pay, second)
            expect(page.get_by_role("alert").filter(has_text=f"Two people must sign for claim {CLAIM}")).to_be_visible()
        assert card_room.player_account(winner).balance == before
        expect(evening.winner.page.locator(".prizes")).to_contain_text("until two employees verify it")

        watch.on(evening.winner.page, f"The prize of {WON} from {JACKPOT} is paid: sam and carl verified it on")
        balance = f"Balance ${(before + 5_000_20) / 100:,.2f}"
        watch.on(evening.winner.page, f"It was added to the balance of {winner}.", balance)
        watch.on(evening.office.page, "No open items.")
        watch.on(evening.jackpot.page, "None.")
        sign(page, pay, CAGE)
        expect(page.get_by_role("region", name="Outcome")).to_contain_text("sam and carl")
        watch.saw()
        expect(evening.display.page.locator(".vision-status")).to_have_count(0)
        expect(evening.amount).to_have_text("$5,000.00")
        expect(evening.winner.page.locator("#sentence")).not_to_contain_text("locked")
        expect(evening.other_player.page.locator(".prizes")).to_have_count(0)
        assert card_room.player_account(winner).balance == before + 5_000_20
        evening.is_in_order()
        shown_on_later_pages(evening, f"The prize of {WON} from {JACKPOT} is paid: sam and carl verified it on")
        assert verify_card_room(card_room.ledger).is_consistent


def test_everything_follows_a_jackpot_that_is_refused_while_the_winner_plays_on(
    browser: Browser, tmp_path: Path
) -> None:
    with open_evening(browser, tmp_path) as evening:
        card_room, watch = evening.room.card_room, evening.watch
        is_won(evening)
        before = card_room.player_account(evening.name).balance
        for visit in (evening.winner, evening.other_player):
            visit.page.locator('[data-do="deal"]').click()
        evening.play()
        expect(evening.winner.page.locator(".result h2")).to_contain_text("Round 2")
        expect(evening.winner.page.locator(".prizes")).to_contain_text("until two employees verify it")
        expect(evening.winner.page.locator("#sentence")).not_to_contain_text("locked")
        expect(evening.amount).to_have_text("$5,000.20")

        to_the_claim(evening, "Refuse")
        page = evening.cashier.page
        sign(page, "Refuse the claim", SUPERVISOR, Reason="The fourth card was exposed")
        expect(page.get_by_role("alert").filter(has_text="Two people must sign for")).to_be_visible()
        outcome = f"The prize of {WON} from {JACKPOT} was refused by sam and carl on"
        watch.on(evening.winner.page, outcome, ": The fourth card was exposed. The money went back to the meter.")
        watch.on(evening.display.page, "$5,000.40")
        watch.on(evening.office.page, "No open items.")
        watch.on(evening.jackpot.page, "None.")
        sign(page, "Refuse the claim", CAGE, Reason="The fourth card was exposed")
        expect(page.get_by_role("region", name="Outcome")).to_contain_text("The fourth card was exposed")
        watch.saw()
        expect(evening.display.page.locator(".vision-status")).to_have_count(0)
        expect(evening.amount).to_have_text("$5,000.40")
        assert card_room.player_account(evening.name).balance == before
        evening.is_in_order()
        page = evening.winner.page.context.new_page()
        for path in (f"/rounds/{CLAIM}", "/me"):
            page.goto(evening.room.url + path)
            expect(page.get_by_text(outcome)).to_be_visible()
        assert verify_card_room(card_room.ledger).is_consistent


def test_everything_follows_a_jackpot_of_a_live_table_until_it_is_paid_in_cash(
    browser: Browser, tmp_path: Path
) -> None:
    with serve_room(tmp_path) as room, ExitStack() as stack:
        card_room, watch = room.card_room, PageWatch()
        open_room(card_room)
        open_live(card_room, "prime-1")
        hire(staffed(card_room), "kim", Role.SUPERVISOR)
        dealer, here, there, office, cashier = (stack.enter_context(open_window(browser, room.url)) for _ in range(5))
        for visit, login in ((dealer, DEALER), (office, SUPERVISOR), (cashier, "kim")):
            sign_in_browser(visit.page.context, card_room, room.url, login)
        dealer.go("/dealer/prime-1")
        here.go("/displays/prime-1/monitor")
        there.go("/displays/prime-2/monitor")
        office.go("/office")
        round_id = begin(card_room, positions=(1,))
        steps(card_room, "wagers")
        tabulate(card_room, 1)
        for visit in (here, there):
            expect(visit.page.locator(".meter [data-meter]")).to_have_text(WON)
            watch.on(visit.page, PENDING, f"{WON} is being verified", "$5,000.00")
        claim = "royal-of-kim"
        watch.on(office.page, f"claim 1 of {WON}")
        card_room.claims.claim_hand(claim, "Kim", "final-four", "prime-1", round_id, DIAMOND_ROYAL)
        watch.saw()

        page = cashier.go(f"/office/jackpots/final-four/pay/{claim}")
        fields = {"payee": "Ann Lee", "reference number": "4471"}
        pay = f"Pay {WON}"

        def pay_it(watcher: str = SURVEILLANCE) -> None:
            for label, words in fields.items():
                page.get_by_label(label).fill(words)
            page.get_by_label("Surveillance login").fill(watcher)
            page.get_by_label("Surveillance password").fill(password_of(watcher) if watcher else "")
            page.get_by_role("button", name=pay).click()

        pay_it()
        expect(page.get_by_role("alert").filter(has_text="Kim")).to_be_visible()
        sign_in_browser(page.context, card_room, room.url, SUPERVISOR)
        cashier.go(f"/office/jackpots/final-four/pay/{claim}")
        for second, words in (("", "name a second person"), (CAGE, "surveillance")):
            pay_it(second)
            expect(page.get_by_role("alert").filter(has_text=words)).to_be_visible()
        assert card_room.jackpot("final-four").claims
        pay_it()
        became = page.get_by_role("region", name="Outcome")
        for words in ("PAID", "sam", SURVEILLANCE, "Ann Lee", "cash 4471", WON):
            expect(became).to_contain_text(words)
        expect(office.page.locator("body")).not_to_contain_text(f"claim 1 of {WON}")
        for visit in (here, there):
            expect(visit.page.locator(".vision-status")).to_have_count(0)
            expect(visit.page.locator(".meter [data-meter]")).to_have_text("$5,000.00")
        for visit in (dealer, here, there, office, cashier):
            visit.is_in_order()
        assert verify_card_room(card_room.ledger).is_consistent
