"""Deeds of the office: what cannot be done is told and never passed over, and each refusal stands by its field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from inspect import signature
from pathlib import Path
from typing import Final, NamedTuple

import httpx
import pytest

from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.setup.example import jackpot_example
from cardroom.room.user.permissions import PERMISSIONS, Permission, Role, has_permission, join_roles
from cardroom.service import CardRoom
from cardroom.web.middleware.permissions import find_route_permission
from cardroom.web.pages.office.table_form import blank_table
from tests.browser.office_scenes import BANKED, CLAIM, JACKPOT, TABLE, a_room
from tests.service.card_rooms import DIAMOND_ROYAL, open_room, play
from tests.service.live_scenes import PRIME as LIVE
from tests.service.live_scenes import begin, live_prime, steps, tabulate
from tests.service.staff import (
    CAGE,
    DEALER,
    LOGINS,
    OPERATOR,
    PLAYER,
    SUPERVISOR,
    SURVEILLANCE,
    Both,
    password_of,
    staffed,
)
from tests.web.rooms import Served, an_id, served
from tests.web.users import Visitor, signed_by, visit

DEALT: Final = "table-1"
WILD: Final = "five-wild"
PRIME: Final = jackpot_example("three-card-prime")


@pytest.fixture
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with a_room(tmp_path_factory.mktemp("office")) as room:
        room.floor.open_jackpot(an_id(), "Olga", jackpot_example("deuces-wild", "bonus").jackpot_setup(WILD))
        room.floor.install_tabulator(an_id(), "Olga", PRIME.table_setup, PRIME.tabulator_setup(DEALT), "T-1001")
        yield room


def somebody(office: Served, path: str, who: str | None = None) -> Visitor:
    """Somebody who may do what is done at an address, signed in once for a test."""
    login = who or next(login for role, login in LOGINS.items() if has_permission(role, right_at(path)))
    known = (one for one in office.visitors if isinstance(one, Visitor) and one.login == login)
    return next(known, None) or visit(office, login)


def right_at(path: str) -> Permission:
    door = find_route_permission("POST", path.partition("?")[0]) or find_route_permission("GET", path.partition("?")[0])
    assert door is not None
    assert door.permission is not None
    return door.permission


def look(office: Served, path: str) -> httpx.Response:
    return somebody(office, path).look(path)


def send(office: Served, path: str, by: str | None = None, **typed: str) -> httpx.Response:
    return somebody(office, path, by).sends(path, typed)


def second(path: str, by: str | None = None, **typed: str) -> dict[str, str]:
    """What is typed, signed by a second person where two are needed; ``by`` sends it."""
    right = right_at(path)
    first = by or next(login for role, login in LOGINS.items() if has_permission(role, right))
    others = (login for role, login in LOGINS.items() if role in PERMISSIONS[right].countersigners and login != first)
    return signed_by(other, **typed) if (other := next(others, "")) else typed


def beside(page: httpx.Response) -> dict[str, str]:
    """What is refused, by field; what is about the whole has no field."""
    found = re.findall(r'<p class="refusal[^"]*"(?: id="refusal-([^"]+)")? role="alert">([^<]*)</p>', page.text)
    return {name: unescape(sentence) for name, sentence in found}


def test_who_pays_a_claim_that_was_paid_meanwhile_is_told_so(office: Served) -> None:
    path = f"/office/jackpots/{JACKPOT}/pay/{CLAIM}"
    first = signed_by(CAGE, id="a" * 32)
    assert send(office, path, SUPERVISOR, **first).headers["location"].endswith(f"/claim/{CLAIM}?done={'a' * 32}")
    again = send(office, path, SUPERVISOR, **first)
    assert (again.status_code, again.headers["location"].partition("?")[2]) == (303, f"done={'a' * 32}")
    for other in (
        send(office, path, CAGE, **signed_by(SURVEILLANCE, id="b" * 32)),
        send(office, path, SURVEILLANCE, **first),
        send(office, path.replace("/pay/", "/refuse/"), CAGE, **signed_by(SUPERVISOR, id="c" * 32, why="no")),
    ):
        assert other.status_code == 409
        assert "was paid already to" in other.text
        assert f"verified by {SUPERVISOR} and {CAGE}, 20" in other.text
        assert "Nothing was done now." in other.text
    assert "was paid already" in look(office, path).text


def test_who_decides_about_a_claim_that_was_refused_meanwhile_is_told_by_whom_and_why(office: Served) -> None:
    Both(office.floor).refuse_claim(an_id(), CAGE, JACKPOT, CLAIM, "A card was seen", second=SUPERVISOR)
    told = send(office, f"/office/jackpots/{JACKPOT}/pay/{CLAIM}", CAGE, **signed_by(SUPERVISOR, id="b" * 32))
    assert told.status_code == 409
    assert "was refused already by carl and sam" in told.text
    assert "A card was seen. Nothing was done now." in told.text


def test_a_change_that_starts_from_what_is_no_longer_so_is_not_made(office: Served) -> None:
    path = f"/office/jackpots/{BANKED}/change/main"
    stands = {"stands": unescape(re.findall(r'name="stands" value="([^"]*)"', look(office, path).text)[0])}
    signed = signed_by(SUPERVISOR, why="Agreed", **stands)
    assert send(office, path, id="a" * 32, contribution="1/4", **signed).status_code == 303
    late = send(office, path, id="b" * 32, contribution="20%", ceiling="$60,000", **signed)
    assert late.status_code == 422
    assert "Somebody has changed this since your page was drawn: nothing was done now." in beside(late)[""]
    assert str(office.floor.jackpot(BANKED).meters[0].parameters.contribution) == "1/4"
    assert send(office, path, id="a" * 32, contribution="1/4", **signed).status_code == 303


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (f"/office/jackpots/{BANKED}/take-back/main", "Nothing waits for the reset of main"),
        (f"/office/jackpots/{BANKED}/remove", "is a progressive: its money is the players"),
        (f"/office/jackpots/{BANKED}/enable", "is not disabled"),
        (f"/office/jackpots/{JACKPOT}/deposit", "is of play money"),
        (f"/office/jackpots/{JACKPOT}/add-seed", "is pending on level"),
        (f"/office/jackpots/{WILD}/reconcile", "It has no bank account"),
        (f"/office/tables/{TABLE}/resume", "is not paused"),
        ("/office/day/close", "No day is open: open one first, on the first page of the office."),
    ],
)
def test_the_address_of_a_deed_that_cannot_be_done_now_says_so_and_has_no_form(
    office: Served, path: str, sentence: str
) -> None:
    for page in (look(office, path), send(office, path, **second(path, id="a" * 32, why="so"))):
        assert page.status_code == 409
        assert sentence in page.text
        assert 'class="deed' not in page.text


def test_what_a_second_tab_does_again_is_told(office: Served) -> None:
    for path, sentence in (
        (f"/office/jackpots/{WILD}/disable", "is disabled already"),
        (f"/office/jackpots/{WILD}/remove", "was removed already"),
        (f"/office/tables/{TABLE}/pause", "is paused already"),
        (f"/office/tables/{TABLE}/close", "is closed already"),
        (f"/office/tabulators/{DEALT}/close", "was taken away already"),
    ):
        assert send(office, path, **second(path, id=an_id(), why="Worn out")).status_code == 303, path
        again = send(office, path, **second(path, id=an_id(), why="Worn out"))
        assert again.status_code == 409
        assert sentence in again.text
        assert "Nothing was done now." in again.text
    assert "was removed for good" in look(office, f"/office/jackpots/{WILD}/disable").text
    assert "none: it was removed" in look(office, f"/office/jackpots/{WILD}").text


def test_every_field_that_cannot_be_read_is_told_at_once_beside_itself(office: Served) -> None:
    deposit = send(office, f"/office/jackpots/{BANKED}/deposit", dollars="", slip="")
    assert set(beside(deposit)) == {"dollars", "slip"}
    statement = send(
        office, f"/office/jackpots/{BANKED}/reconcile", dollars="x", day="x", in_transit="S-9", outstanding=""
    )
    told = beside(statement)
    assert set(told) == {"dollars", "day", "in_transit"}
    assert "'x' is not a day" in told["day"]
    seed = send(office, f"/office/jackpots/{BANKED}/add-seed", level="main", dollars="", why="", second="")
    assert set(beside(seed)) == {"dollars", "why", "second"}
    room = send(office, "/office/room/change", time_zone="Mars", day_starts="25", why="", second=OPERATOR)
    assert set(beside(room)) == {"time_zone", "day_starts", "why", "second"}
    assert set(beside(send(office, f"/office/tables/{TABLE}/pause", why=""))) == {"why"}


def test_a_second_person_who_does_not_sign_is_told_beside_the_login(office: Served) -> None:
    path = "/office/room/change"
    before = office.floor.ledger.chain_lengths("room")
    for typed, sentence in (
        ({"second": SUPERVISOR}, "signs in with the password"),
        (signed_by(OPERATOR), "Two people answer for what holds in the whole room"),
        ({"second": SUPERVISOR, "second-password": "not that one"}, "The login or the password is wrong"),
        ({"second": "nobody", "second-password": "not that one"}, "The login or the password is wrong"),
        (signed_by(DEALER), "who signs beside another to change what holds in the room is supervisor or operator"),
    ):
        told = send(office, path, why="Agreed", name="Elsewhere", **typed)
        assert told.status_code == 422
        assert sentence in beside(told)["second"]
        assert password_of(SUPERVISOR) not in told.text
    assert office.floor.ledger.chain_lengths("room") == before
    assert send(office, path, **signed_by(SUPERVISOR, why="Agreed", name="Elsewhere")).status_code == 303


def test_what_the_floor_refuses_stands_beside_the_field_that_it_is_about(office: Served) -> None:
    nothing = send(office, f"/office/jackpots/{BANKED}/deposit", dollars="$0", slip="S-1")
    assert "must be above zero" in beside(nothing)["dollars"]
    assert send(office, f"/office/jackpots/{BANKED}/deposit", dollars="5", slip="S-1").status_code == 303
    used = send(office, f"/office/jackpots/{BANKED}/deposit", dollars="5", slip="s-1")
    assert "was entered already" in beside(used)["slip"]
    tomorrow = send(office, f"/office/jackpots/{BANKED}/reconcile", dollars="5", day="2199-01-01")
    assert "cannot be there yet" in beside(tomorrow)["day"]
    change = signed_by(SUPERVISOR, contribution="0%", ceiling="$1", why="so")
    assert set(beside(send(office, f"/office/jackpots/{BANKED}/change/main", **change))) == {"contribution", "ceiling"}
    admit = send(office, "/office/admit", player="Ann Lee", money="room")
    assert "cannot be a player's name" in beside(admit)["player"]


def test_the_form_of_a_table_says_that_its_edges_leave_out_a_bonus_feature(office: Served) -> None:
    typed = blank_table("texas-shootout") | {"table": "texas-9", "mode": "live", "money": "room"}
    color = {"feature.shootout-bonus": "color", "feature_paytable.shootout-bonus": "TS/CB 1"}
    warned = "<strong>These edges leave out what the Color Bonus pays.</strong>"
    assert warned not in send(office, "/office/tables/new/check", **typed).text
    assert (
        warned in send(office, "/office/tables/new/check", **typed, **color, **{"qualifying.shootout-bonus": "$5"}).text
    )


def test_the_form_of_a_table_warns_of_what_it_can_owe_and_takes_a_payout_limit(office: Served) -> None:
    typed = blank_table("texas-shootout") | {"table": "texas-9"}
    warned = send(office, "/office/tables/new/check", **typed).text
    assert "<strong>One player can win $1,000,000 in one deal" in warned
    assert "It breaks no rule and can open." in warned
    assert "$100,000, in the bank or in a line of credit" in warned
    frenzy = {"feature.jackpot": "five-ace-frenzy", "feature_paytable.jackpot": "TS/FAF 1", "qualifying.jackpot": "$2"}
    frenzy |= {"feature_bonus.jackpot.five-aces": "$50,000", "payout_limit": "$20,000"}
    frenzy |= {"offer.jackpot": "on", "paytable.jackpot": "TS/JP 3", "min.jackpot": "$2", "max.jackpot": "$2"}
    assert "One player can win $50,000 in one deal (Five Ace Frenzy, 5 Aces)" in (
        send(office, "/office/tables/new/check", **typed | frenzy).text
    )
    low = send(office, "/office/tables/new/check", **typed | {"payout_limit": "$100"}).text
    assert "is below $5,000: it must cover the largest wager" in low
    limited = send(office, "/office/tables/new/check", **typed | {"payout_limit": "$20,000"}).text
    assert "One player can win" not in limited
    assert "payout_limit = &#34;$20,000&#34;" in limited
    assert send(office, "/office/tables/new", **typed | {"payout_limit": "$20,000", "id": an_id()}).status_code == 303
    assert office.floor.table("texas-9").open_table.table.payout_limit is not None


def test_a_table_that_a_dealer_deals_has_no_clocks_and_no_buy_in(office: Served) -> None:
    live = {"game": "three-card-prime", "table": "prime-9", "mode": "live", "money": "room"}
    drawn = send(office, "/office/tables/new/check", **live, betting="20")
    assert 'name="betting"' not in drawn.text
    assert "a dealer has no seconds for wagers" not in drawn.text
    sent = send(office, "/office/tables/new", **live, betting="20", deciding="5", buy_in="$200")
    assert sent.status_code == 422
    assert "has no seconds for wagers or for an answer, and no customary buy-in" in sent.text
    assert "prime-9" not in office.floor.read_table_versions()


def test_a_name_that_no_table_can_have_or_one_has_is_told_beside_the_name(office: Served) -> None:
    for name, sentence in (("Table one!", "cannot be a table&#39;s name"), (TABLE, "is open already: close it")):
        page = send(
            office, "/office/tables/new", **{**blank_table("three-card-prime"), "table": name, "betting": "9999"}
        )
        field = page.text.split('id="f-table"')[1].split("</div>")[0]
        assert sentence in field
        assert "seconds for wagers are not possible" in page.text.split('id="f-betting"')[1].split("</div>")[0]


def test_a_jackpot_that_does_not_grow_is_not_said_to(office: Served) -> None:
    assert "Open: it can be won." in look(office, f"/office/jackpots/{WILD}").text
    assert "Open: it grows and can be won." in look(office, f"/office/jackpots/{BANKED}").text


def test_a_refused_claim_says_why_and_shows_no_amount_as_paid(office: Served) -> None:
    Both(office.floor).refuse_claim(an_id(), CAGE, JACKPOT, CLAIM, "A card was seen", second=SUPERVISOR)
    page = look(office, f"/office/jackpots/{JACKPOT}/claim/{CLAIM}").text
    became = page.split("What became of it</h2>")[1].split("</table>")[0]
    assert "Paid to" not in became
    assert "$" not in became
    assert '<td data-head="Why">A card was seen</td>' in became


def test_the_foot_speaks_of_play_money_only_where_it_is(office: Served) -> None:
    assert "Play money has no value" in look(office, f"/office/jackpots/{JACKPOT}").text
    for path in (f"/office/jackpots/{BANKED}", "/office/reports", f"/office/jackpots/{BANKED}/deposit"):
        assert "Play money has no value" not in look(office, path).text


def test_the_day_book_says_on_which_page_a_day_is_opened(office: Served) -> None:
    page = look(office, "/office/reports/day-book")
    assert "cardroom day" not in page.text
    assert "open one on the first page of the office" in page.text
    assert look(office, "/office/reports/day-book?day=abc").status_code == 400


def test_a_number_in_the_address_that_is_none_is_refused(office: Served) -> None:
    for path in ("/office/ledger/room?from=abc", "/office/ledger/room?from=-1", f"/office/jackpots/{BANKED}?before=x"):
        page = look(office, path)
        assert page.status_code == 400
        assert "in the address is no whole number from 1 on" in page.text


def test_a_link_is_offered_to_jackpots_that_fit_and_to_no_other(office: Served) -> None:
    office.floor.unlink_jackpot(an_id(), "Olga", DEALT, BANKED, "Moved")
    page = look(office, f"/office/tabulators/{DEALT}/link")
    assert re.findall(r'<option value="([^"]*)"', page.text) == [BANKED]


class Step(NamedTuple):
    """Something that is done in the office, or at a console."""

    address: str
    """One at which it is done."""
    commands: tuple[Callable[..., object], ...]
    """The floor's commands for it."""


_JACKPOT: Final = "/office/jackpots/final-four"
STEPS: Final = {
    "pay or refuse a claim": Step(f"{_JACKPOT}/pay/1", (CardRoom.pay_claim, CardRoom.refuse_claim)),
    "call a round off": Step("/dealer/prime-1/void", (CardRoom.call_off_live_round,)),
    "change what is set on a level": Step(f"{_JACKPOT}/change/main", (CardRoom.change_parameters,)),
    "change the amount of a bonus": Step(f"{_JACKPOT}/bonus/deuces-wild.royal", (CardRoom.change_bonus,)),
    "add seed money": Step(f"{_JACKPOT}/add-seed", (CardRoom.add_seed,)),
    "recover seed money": Step(f"{_JACKPOT}/recover-seed", (CardRoom.recover_seed,)),
    "correct a malfunction": Step(f"{_JACKPOT}/correct", (CardRoom.correct_malfunction,)),
    "lower the display to the cap": Step(f"{_JACKPOT}/to-the-cap", (CardRoom.lower_to_ceiling,)),
    "book money not displayed": Step(f"{_JACKPOT}/not-displayed", (CardRoom.remove_undisplayed_money,)),
    "pay the cage back": Step(f"{_JACKPOT}/reimburse", (CardRoom.reimburse_cage,)),
    "remove a bonus jackpot": Step(f"{_JACKPOT}/remove", (CardRoom.remove_jackpot,)),
    "change what holds in the room": Step("/office/room/change", (CardRoom.configure_room,)),
    "take a player's money in": Step("/office/players/ann/pay-in", (CardRoom.pay_in,)),
    "pay a player's money out": Step("/office/players/ann/pay-out", (CardRoom.pay_out,)),
    "let a player sign in": Step("/office/players/ann/sign-in", (CardRoom.add_user, CardRoom.recover_user)),
    "register or recover a person": Step("/office/people/new", (CardRoom.add_user, CardRoom.recover_user)),
    "give another role, or dismiss": Step("/office/people/ann/role", (CardRoom.assign_role, CardRoom.deactivate_user)),
    "pay a promotion's prize": Step("/office/promotions/summer/pay", (CardRoom.pay_promotion,)),
    "open a jackpot": Step("/office/jackpots/new", (CardRoom.open_jackpot,)),
    "take money to the bank": Step(f"{_JACKPOT}/deposit", (CardRoom.deposit_to_bank,)),
    "hold a bank statement against the books": Step(f"{_JACKPOT}/reconcile", (CardRoom.reconcile_account,)),
    "disable a jackpot": Step(f"{_JACKPOT}/disable", (CardRoom.disable_jackpot,)),
    "bring a jackpot back": Step(f"{_JACKPOT}/enable", (CardRoom.enable_jackpot,)),
    "set up a table": Step("/office/tables/new", (CardRoom.install_tabulator, CardRoom.add_table)),
    "pause, resume or close a table": Step(
        "/office/tables/prime-1/close", (CardRoom.pause_table, CardRoom.resume_table, CardRoom.remove_table)
    ),
    "link, unlink or move a tabulator": Step(
        "/office/tabulators/prime-1/link", (CardRoom.link_jackpot, CardRoom.unlink_jackpot, CardRoom.move_tabulator)
    ),
    "open or close a gaming day": Step("/office/day/open", (CardRoom.open_day, CardRoom.close_day)),
    "report, send or close a malfunction": Step(
        "/office/malfunctions/new",
        (CardRoom.report_malfunction, CardRoom.send_malfunction_report, CardRoom.close_malfunction_report),
    ),
    "announce or end a promotion": Step(
        "/office/promotions/new", (CardRoom.announce_promotion, CardRoom.end_promotion)
    ),
    "admit a player": Step("/office/admit", (CardRoom.admit_player,)),
    "register, renew or withdraw a device": Step(
        "/office/devices/new", (CardRoom.register_device, CardRoom.renew_device_token, CardRoom.withdraw_device)
    ),
    "accept a gap of a data logger": Step("/office/devices/A1-77/accept-gap", (CardRoom.accept_logger_gap,)),
    "accept or refuse rounds of a device": Step(
        "/office/devices/T-1001/accept-rounds", (CardRoom.accept_device_rounds, CardRoom.refuse_device_rounds)
    ),
    "deal at a live table": Step("/dealer/prime-1/step", (CardRoom.begin_live_round, CardRoom.take_step)),
    "verify the books": Step("/office/verify", ()),
}
"""What the office's document calls them."""


def row(step: str) -> str:
    """A line of the document's table: how many people, who, and who is the second."""
    allowed = PERMISSIONS[right_at(STEPS[step].address)]
    people, second = ("two", join_roles(allowed.countersigners)) if allowed.needs_two else ("one", "")
    return f"| {step} | {people} | {join_roles(allowed.roles)} | {second} |".replace("|  |", "| |")


def test_the_document_says_of_each_step_how_many_people_it_takes_and_who_they_are() -> None:
    text = (Path(__file__).parents[2] / "docs" / "office.md").read_text(encoding="utf-8")
    table = text.partition("| step | people | who | the second |\n|---|---|---|---|\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [row(step) for step in STEPS]


@pytest.mark.parametrize("step", STEPS)
def test_where_the_floor_asks_for_two_people_so_does_the_door(step: str) -> None:
    address, commands = STEPS[step]
    asked = {"second" in signature(one).parameters for one in commands}
    assert asked <= {PERMISSIONS[right_at(address)].needs_two}


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Served]:
    """A room in which a dealer has claimed more than is paid without the surveillance."""
    with served(tmp_path) as room:
        staffed(room.floor)
        open_room(room.floor)
        play(room.floor, seats=5, round_id="r1")
        room.floor.claim_hand("win", "kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
        yield room


@pytest.fixture
def dealt_live(tmp_path: Path) -> Iterator[Served]:
    """A room in which a dealer has claimed a royal flush of the round that is in play at a live table."""
    with served(tmp_path) as room:
        staffed(room.floor)
        live_prime(room.floor)
        round_id = begin(room.floor, positions=(2, 3))
        steps(room.floor, "wagers")
        tabulate(room.floor, 2, 3)
        steps(room.floor, "deal", "decide", "reveal")
        cards = {"seat 2 hand": "Jd Qd Kd", "seat 2 fourth": "Ad", "seat 3 hand": "2c 3c 4c", "dealer": "Ks 4d 2s"}
        room.floor.type_cards(an_id(), "Kim", LIVE, cards, answers={2: {"play": "play"}})
        hand = TypedHand("final-four", 100, {"hand": "Jd Qd Kd", "fourth": "Ad"}, {}, 2)
        room.floor.claim_hand("win", "Kim", "final-four", LIVE, round_id, hand)
        yield room


def test_a_claim_of_a_live_round_names_it_and_shows_what_was_typed(dealt_live: Served) -> None:
    path = "/office/jackpots/final-four/claim/win"

    def claim_page() -> str:
        return unescape(look(dealt_live, path).text)

    page = claim_page()
    assert f'<dd>prime-1.1, in play at <a href="/office/tables/{LIVE}">{LIVE}</a> now</dd>' in page
    typed = page.split("The round as it was typed at the table</h2>")[1].split("</table>")[0]
    assert "K♠ 4♦ 2♠" in typed
    assert "fourth A♦, hand J♦ Q♦ K♦" in typed
    assert '<td data-head="Answers">play</td>' in typed
    assert "2♣ 3♣ 4♣" not in typed, "another player's cards"
    paying = unescape(somebody(dealt_live, path, SUPERVISOR).look("/office/jackpots/final-four/pay/win").text)
    assert "The dealer typed at the table: dealer: K♠ 4♦ 2♠; seat 2: fourth A♦, hand J♦ Q♦ K♦, play." in paying
    steps(dealt_live.floor, "take-or-pay", "collect")
    dealt_live.floor.end_live_round(an_id(), "Kim", LIVE)
    page = claim_page()
    assert '<dd><a href="/rounds/prime-1.1">prime-1.1</a></dd>' in page
    assert "fourth A♦, hand J♦ Q♦ K♦" in page.split("The round as it was typed at the table</h2>")[1]


def test_the_pages_of_a_live_round_say_that_its_jackpot_wagers_were_voided(dealt_live: Served) -> None:
    floor = dealt_live.floor
    steps(floor, "take-or-pay", "collect")
    floor.end_live_round(an_id(), "Kim", LIVE)
    assert "voided" not in somebody(dealt_live, "/office/rounds").look("/rounds/prime-1.1").text
    assert "jackpot wagers void" not in look(dealt_live, "/office/rounds").text
    Both(floor).refuse_claim(an_id(), SUPERVISOR, "final-four", "win", "The shuffler had jammed", second=CAGE)
    Both(floor).void_round(an_id(), SUPERVISOR, LIVE, "prime-1.1", "The shuffler had jammed", second=SURVEILLANCE)
    page = unescape(somebody(dealt_live, "/office/rounds").look("/rounds/prime-1.1").text)
    assert "The jackpot wagers of this round were voided on 20" in page
    assert f"by {SUPERVISOR} and {SURVEILLANCE}: The shuffler had jammed. They went back" in page
    assert '<span class="tag">jackpot wagers void</span>' in look(dealt_live, "/office/rounds").text


def test_a_claim_of_a_round_without_a_console_says_so(watched: Served) -> None:
    page = look(watched, "/office/jackpots/final-four/claim/win").text
    assert "r1, whose cards were not typed at a console" in page
    assert "typed at the table" not in page


PAID: Final = {"player-1": "Ann Lee", "payment-1": "cash", "reference-1": "4471"}
WATCHING: Final = {"surveillance": SURVEILLANCE, "surveillance-password": password_of(SURVEILLANCE)}


def test_the_surveillance_signs_for_what_it_has_checked(watched: Served) -> None:
    path = "/office/jackpots/final-four/pay/win"
    page = somebody(watched, path, SUPERVISOR).look(path).text
    (seat,) = set(re.findall(r'name="player-(\d)"', page))
    paid = {name.replace("1", seat): text for name, text in PAID.items()}
    assert 'name="surveillance-password"' in page
    assert 'name="second"' not in page  # the dealer is a witness, and the surveillance is the second person
    heads = watched.floor.ledger.chain_lengths("jackpot:")
    for typed, sentence in (
        ({}, "Two people answer for"),
        ({"surveillance": SURVEILLANCE}, "signs in with the password"),
        ({"surveillance": CAGE, "surveillance-password": password_of(CAGE)}, "who signs beside another to check"),
        ({**WATCHING, "surveillance-password": "not that one"}, "The login or the password is wrong"),
    ):
        told = send(watched, path, SUPERVISOR, **paid, **typed)
        assert told.status_code == 422
        assert sentence in beside(told)["surveillance"], told.text
    assert watched.floor.ledger.chain_lengths("jackpot:") == heads
    assert send(watched, path, SUPERVISOR, **paid, **WATCHING).status_code == 303
    payment = watched.floor.get_claim_history("final-four", "win").payment
    assert payment is not None
    assert payment.surveillance is not None
    assert (payment.verified_by, payment.surveillance.by) == (SUPERVISOR, SURVEILLANCE)
    assert "Signed beside sam" in visit(watched, OPERATOR).get("/office/people/log").text


def test_a_name_for_which_nobody_signed_is_not_in_the_books(office: Served) -> None:
    path = f"/office/jackpots/{JACKPOT}/pay/{CLAIM}"
    assert 'name="surveillance"' not in look(office, path).text
    assert send(office, path, SUPERVISOR, **signed_by(CAGE), surveillance="uma").status_code == 303
    payment = office.floor.get_claim_history(JACKPOT, CLAIM).payment
    assert payment is not None
    assert payment.surveillance is None


PAGES: Final = (
    "/office",
    "/office/devices",
    "/office/tables",
    f"/office/tables/{TABLE}",
    f"/office/tabulators/{DEALT}",
    "/office/jackpots",
    f"/office/jackpots/{BANKED}",
    f"/office/jackpots/{JACKPOT}",
    f"/office/jackpots/{WILD}",
    f"/office/jackpots/{JACKPOT}/claim/{CLAIM}",
    "/office/promotions",
    "/office/malfunctions",
    "/office/players",
    f"/office/players/{PLAYER}",
    "/office/reports",
    "/office/reports/day-book",
    "/office/people",
    f"/office/people/log?person={DEALER}",
    "/office/room",
)


def test_no_page_leads_anybody_to_where_the_role_may_not_go(office: Served) -> None:
    followed = 0
    for role in (role for role in Role if has_permission(role, Permission.SEE_OFFICE)):
        for path in PAGES:
            page = somebody(office, path, LOGINS[role]).look(path)
            assert page.status_code == (200 if has_permission(role, right_at(path)) else 403), (role, path)
            for to in re.findall(r'<a [^>]*href="(/[^"]*)"', page.text):
                door = find_route_permission("GET", unescape(to).partition("#")[0].partition("?")[0])
                assert door is not None
                assert door.permission is not None
                assert has_permission(role, door.permission), (role, path, to)
                followed += 1
    assert followed > 1_000
    jackpot = f"/office/jackpots/{BANKED}"
    assert f"{jackpot}/change/main" in somebody(office, jackpot, OPERATOR).look(jackpot).text
    assert f"{jackpot}/change/main" not in somebody(office, jackpot, SUPERVISOR).look(jackpot).text


def test_a_malfunction_of_a_jackpot_is_reported_from_its_page_with_the_jackpot_chosen(office: Served) -> None:
    assert f"/office/malfunctions/new?of={WILD}" in look(office, f"/office/jackpots/{WILD}").text
    page = look(office, f"/office/malfunctions/new?of={WILD}")
    assert f'<option value="{WILD}" selected>' in page.text
