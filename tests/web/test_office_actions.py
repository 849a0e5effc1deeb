"""Actions of the office: impossible actions are refused with a reason, and each refusal is next to its field."""

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
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup
from cardroom.service.commands.cage import PaymentService, PlayerService
from cardroom.service.commands.claims import ClaimService
from cardroom.service.commands.jackpots import JackpotService
from cardroom.service.commands.promotions import PromotionService
from cardroom.service.commands.site import DayService, MalfunctionService, SiteService
from cardroom.service.commands.users import UserService
from cardroom.web.middleware.permissions import find_route_permission
from cardroom.web.pages.office.table_form import blank_table
from tests.browser.office_scenes import BANKED, CLAIM, JACKPOT, TABLE, open_office_room
from tests.browser.page_fields import read_fields
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
from tests.web.rooms import ServedRoom, new_id, serve_room
from tests.web.users import Visitor, add_signature, visit

DEALT: Final = "table-1"
WILD: Final = "five-wild"
PRIME: Final = jackpot_example("three-card-prime")


@pytest.fixture
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with open_office_room(tmp_path_factory.mktemp("office")) as room:
        room.card_room.jackpots.open(new_id(), "Olga", jackpot_example("deuces-wild", "bonus").jackpot_setup(WILD))
        room.card_room.add_table(
            new_id(),
            "Olga",
            RoomTableSetup(DEALT, PRIME.table_setup, tabulator=UnitSetup(PRIME.tabulator_setup(DEALT), "T-1001")),
        )
        yield room


def find_visitor(office: ServedRoom, path: str, user: str | None = None) -> Visitor:
    """A user with the permission for a path, signed in once per test."""
    login = user or next(login for role, login in LOGINS.items() if has_permission(role, permission_at(path)))
    signed_in = (visitor for visitor in office.visitors if isinstance(visitor, Visitor) and visitor.login == login)
    return next(signed_in, None) or visit(office, login)


def permission_at(path: str) -> Permission:
    route = path.partition("?")[0]
    allowed = find_route_permission("POST", route) or find_route_permission("GET", route)
    assert allowed is not None
    assert allowed.permission is not None
    return allowed.permission


def get_page(office: ServedRoom, path: str) -> httpx.Response:
    return find_visitor(office, path).get(path)


def send(office: ServedRoom, path: str, by: str | None = None, **typed: str) -> httpx.Response:
    return find_visitor(office, path, by).send_form(path, typed)


def second(path: str, by: str | None = None, **typed: str) -> dict[str, str]:
    """Form values with the signature of a second person if the path needs one; ``by`` sends them."""
    permission = permission_at(path)
    first = by or next(login for role, login in LOGINS.items() if has_permission(role, permission))
    countersigners = PERMISSIONS[permission].countersigners
    others = (login for role, login in LOGINS.items() if role in countersigners and login != first)
    return add_signature(other, **typed) if (other := next(others, "")) else typed


def find_refusals(page: httpx.Response) -> dict[str, str]:
    """The refusals on a page by field; the empty name stands for the form as a whole."""
    refusals = re.findall(r'<p class="refusal[^"]*"(?: id="refusal-([^"]+)")? role="alert">([^<]*)</p>', page.text)
    return {name: unescape(sentence) for name, sentence in refusals}


def test_paying_a_claim_that_was_paid_meanwhile_is_refused(office: ServedRoom) -> None:
    path = f"/office/jackpots/{JACKPOT}/pay/{CLAIM}"
    first = add_signature(CAGE, id="a" * 32)
    assert send(office, path, SUPERVISOR, **first).headers["location"].endswith(f"/claim/{CLAIM}?done={'a' * 32}")
    again = send(office, path, SUPERVISOR, **first)
    assert (again.status_code, again.headers["location"].partition("?")[2]) == (303, f"done={'a' * 32}")
    for other in (
        send(office, path, CAGE, **add_signature(SURVEILLANCE, id="b" * 32)),
        send(office, path, SURVEILLANCE, **first),
        send(office, path.replace("/pay/", "/refuse/"), CAGE, **add_signature(SUPERVISOR, id="c" * 32, why="no")),
    ):
        assert other.status_code == 409
        assert "was already paid to" in other.text
        assert f"verified by {SUPERVISOR} and {CAGE}, " in other.text
    assert "was already paid" in get_page(office, path).text


def test_a_decision_about_a_claim_that_was_refused_meanwhile_names_the_people_and_the_reason(
    office: ServedRoom,
) -> None:
    Both(office.card_room).claims.refuse(new_id(), CAGE, JACKPOT, CLAIM, "A card was seen", second=SUPERVISOR)
    response = send(office, f"/office/jackpots/{JACKPOT}/pay/{CLAIM}", CAGE, **add_signature(SUPERVISOR, id="b" * 32))
    assert response.status_code == 409
    assert "was already refused by carl and sam" in response.text
    assert "A card was seen." in response.text


def test_a_change_from_an_outdated_page_is_refused(office: ServedRoom) -> None:
    path = f"/office/jackpots/{BANKED}/change/main"
    starting_state = unescape(re.findall(r'name="starting-state" value="([^"]*)"', get_page(office, path).text)[0])
    signed = add_signature(SUPERVISOR, why="Agreed", **{"starting-state": starting_state})
    assert send(office, path, id="a" * 32, contribution="1/4", **signed).status_code == 303
    late = send(office, path, id="b" * 32, contribution="20%", ceiling="$60,000", **signed)
    assert late.status_code == 422
    assert set(find_refusals(late)) == {""}
    assert str(office.card_room.jackpot(BANKED).meters[0].parameters.contribution) == "1/4"
    assert send(office, path, id="a" * 32, contribution="1/4", **signed).status_code == 303


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        (f"/office/jackpots/{BANKED}/take-back/main", "main has no pending change"),
        (f"/office/jackpots/{BANKED}/remove", "is a progressive and holds the players"),
        (f"/office/jackpots/{BANKED}/enable", "is not disabled"),
        (f"/office/jackpots/{JACKPOT}/deposit", "is for play money"),
        (f"/office/jackpots/{JACKPOT}/add-seed", "is pending on level"),
        (f"/office/jackpots/{WILD}/reconcile", "has no bank account"),
        (f"/office/tables/{TABLE}/resume", "is not paused"),
        ("/office/day/close", "No gaming day is open"),
    ],
)
def test_the_page_of_an_impossible_action_says_why_and_has_no_form(
    office: ServedRoom, path: str, sentence: str
) -> None:
    for page in (get_page(office, path), send(office, path, **second(path, id="a" * 32, why="so"))):
        assert page.status_code == 409
        assert sentence in page.text
        assert 'class="action-form' not in page.text


def test_a_repeated_action_of_a_second_tab_is_refused(office: ServedRoom) -> None:
    for path, sentence in (
        (f"/office/jackpots/{WILD}/disable", "disabled"),
        (f"/office/jackpots/{WILD}/remove", "removed"),
        (f"/office/tables/{TABLE}/pause", "already paused"),
        (f"/office/tables/{TABLE}/remove", "already closed"),
        (f"/office/tabulators/{DEALT}/remove", "already removed"),
    ):
        assert send(office, path, **second(path, id=new_id(), why="Worn out")).status_code == 303, path
        again = send(office, path, **second(path, id=new_id(), why="Worn out"))
        assert again.status_code == 409
        assert sentence in again.text
    assert "was removed permanently" in get_page(office, f"/office/jackpots/{WILD}/disable").text
    assert "none: it was removed" in get_page(office, f"/office/jackpots/{WILD}").text


def test_every_unreadable_field_is_refused_at_once(office: ServedRoom) -> None:
    deposit = send(office, f"/office/jackpots/{BANKED}/deposit", dollars="", slip="")
    assert set(find_refusals(deposit)) == {"dollars", "slip"}
    statement = send(
        office, f"/office/jackpots/{BANKED}/reconcile", dollars="x", day="x", in_transit="S-9", outstanding=""
    )
    assert set(find_refusals(statement)) == {"dollars", "day", "in_transit"}
    seed = send(office, f"/office/jackpots/{BANKED}/add-seed", level="main", dollars="", why="", second="")
    assert set(find_refusals(seed)) == {"dollars", "why", "second"}
    room = send(office, "/office/room/change", time_zone="Mars", day_starts="25", why="", second=OPERATOR)
    assert set(find_refusals(room)) == {"time_zone", "day_starts", "why", "second"}
    assert set(find_refusals(send(office, f"/office/tables/{TABLE}/pause", why=""))) == {"why"}


def test_a_missing_or_wrong_signature_is_refused_next_to_the_login(office: ServedRoom) -> None:
    path = "/office/room/change"
    before = office.card_room.ledger.chain_lengths("room")
    for typed, sentence in (
        ({"second": SUPERVISOR}, "must type a password"),
        (add_signature(OPERATOR), "Two people"),
        ({"second": SUPERVISOR, "second-password": "not that one"}, "The login or the password is wrong"),
        ({"second": "nobody", "second-password": "not that one"}, "The login or the password is wrong"),
        (add_signature(DEALER), "only supervisors and operators may sign as the second person"),
    ):
        response = send(office, path, why="Agreed", name="Elsewhere", **typed)
        assert response.status_code == 422
        assert sentence in find_refusals(response)["second"]
        assert password_of(SUPERVISOR) not in response.text
    assert office.card_room.ledger.chain_lengths("room") == before
    assert send(office, path, **add_signature(SUPERVISOR, why="Agreed", name="Elsewhere")).status_code == 303


def test_a_refusal_by_the_card_room_is_next_to_its_field(office: ServedRoom) -> None:
    nothing = send(office, f"/office/jackpots/{BANKED}/deposit", dollars="$0", slip="S-1")
    assert set(find_refusals(nothing)) == {"dollars"}
    assert send(office, f"/office/jackpots/{BANKED}/deposit", dollars="5", slip="S-1").status_code == 303
    used = send(office, f"/office/jackpots/{BANKED}/deposit", dollars="5", slip="s-1")
    assert set(find_refusals(used)) == {"slip"}
    tomorrow = send(office, f"/office/jackpots/{BANKED}/reconcile", dollars="5", day="1/1/2199")
    assert set(find_refusals(tomorrow)) == {"day"}
    change = add_signature(SUPERVISOR, contribution="0%", ceiling="$1", why="so")
    assert set(find_refusals(send(office, f"/office/jackpots/{BANKED}/change/main", **change))) == {
        "contribution",
        "ceiling",
    }
    admit = send(office, "/office/admit", player="Ann Lee", money="room")
    assert set(find_refusals(admit)) == {"player"}


def test_the_form_of_a_table_says_that_its_edges_do_not_include_a_bonus_feature(office: ServedRoom) -> None:
    typed = blank_table("texas-shootout") | {"table": "texas-9", "mode": "live", "money": "room"}
    color = {"feature.shootout-bonus": "color", "feature_paytable.shootout-bonus": "TS/CB 1"}
    note = "<strong>These house edges do not include the Color Bonus.</strong>"
    assert note not in send(office, "/office/tables/new/check", **typed).text
    assert (
        note in send(office, "/office/tables/new/check", **typed, **color, **{"qualifying.shootout-bonus": "$5"}).text
    )


def test_the_form_of_a_table_warns_of_what_it_can_owe_and_takes_a_payout_limit(office: ServedRoom) -> None:
    typed = blank_table("texas-shootout") | {"table": "texas-9"}
    warned = send(office, "/office/tables/new/check", **typed).text
    assert "<strong>One player can win $1,000,000 in one deal" in warned
    assert "No errors." in warned
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
    assert send(office, "/office/tables/new", **typed | {"payout_limit": "$20,000", "id": new_id()}).status_code == 303
    assert office.card_room.table("texas-9").open_table.table.payout_limit is not None


def test_a_change_of_a_table_shows_every_difference_before_two_people_sign_it(office: ServedRoom) -> None:
    path, card_room = f"/office/tables/{DEALT}/change", office.card_room
    fields = read_fields(get_page(office, path).text)
    assert "Nothing is changed yet." in send(office, "/office/tables/new/check", **fields).text
    cheaper = fields | {"paytable.pair-bonus": "PB 1+PB/LD 3"}
    difference = "pair-bonus paytable: PB 1+PB/LD 1 to PB 1+PB/LD 3"
    assert difference in send(office, "/office/tables/new/check", **cheaper).text
    review = send(office, path, **cheaper)
    assert (review.status_code, difference in review.text, 'name="second"' in review.text) == (200, True, True)
    before = card_room.ledger.chain_lengths("")
    signed = read_fields(review.text) | {"why": "The new layout"}
    del signed["second"], signed["second-password"]
    assert send(office, f"{path}/sign", **signed).status_code == 422, "nobody else has signed"
    assert card_room.ledger.chain_lengths("") == before
    done = send(office, f"{path}/sign", **second(f"{path}/sign", **signed))
    assert done.headers["location"].startswith(f"/office/tabulators/{DEALT}?done=")
    assert card_room.read_table_setup(DEALT).game.wagers["pair-bonus"].paytable == "PB 1+PB/LD 3"


def test_one_person_changes_what_no_wager_costs_or_pays(office: ServedRoom) -> None:
    path = f"/office/tables/{DEALT}/change"
    fewer = read_fields(get_page(office, path).text) | {"seats": "4", "mode": "live"}
    review = send(office, path, **fewer)
    assert 'name="second"' not in review.text
    signed = read_fields(review.text) | {"why": "A smaller layout, dealt in the program"}
    assert send(office, f"{path}/sign", **signed).status_code == 303
    assert office.card_room.table(DEALT).open_table.table.seats == 4
    assert office.card_room.tabulator(DEALT).game_setup.seats == 4


def test_a_table_that_a_dealer_deals_has_no_clocks_and_no_buy_in(office: ServedRoom) -> None:
    live = {"game": "three-card-prime", "table": "prime-9", "mode": "live", "money": "room"}
    drawn = send(office, "/office/tables/new/check", **live, betting="20")
    assert 'name="betting"' not in drawn.text
    sent = send(office, "/office/tables/new", **live, betting="20", deciding="5", buy_in="$200")
    assert sent.status_code == 422
    assert "At a live table the dealer keeps the time" in sent.text
    assert "prime-9" not in office.card_room.read_table_versions()


def test_an_invalid_or_used_table_name_is_refused_next_to_the_name(office: ServedRoom) -> None:
    for name, sentence in (("Table one!", "Table one!"), (TABLE, TABLE)):
        page = send(
            office, "/office/tables/new", **{**blank_table("three-card-prime"), "table": name, "betting": "9999"}
        )
        field = page.text.split('id="f-table"')[1].split("</div>")[0]
        assert 'class="refusal fault"' in field
        assert sentence in field
        assert 'class="refusal fault"' in page.text.split('id="f-betting"')[1].split("</div>")[0]


def test_only_a_progressive_is_said_to_grow(office: ServedRoom) -> None:
    assert "Open: it can be won." in get_page(office, f"/office/jackpots/{WILD}").text
    assert "Open: it grows and can be won." in get_page(office, f"/office/jackpots/{BANKED}").text


def test_a_refused_claim_says_why_and_shows_no_amount_as_paid(office: ServedRoom) -> None:
    Both(office.card_room).claims.refuse(new_id(), CAGE, JACKPOT, CLAIM, "A card was seen", second=SUPERVISOR)
    page = get_page(office, f"/office/jackpots/{JACKPOT}/claim/{CLAIM}").text
    became = page.split("Outcome</h2>")[1].split("</table>")[0]
    assert "Paid to" not in became
    assert "$" not in became
    assert '<td data-head="Why">A card was seen</td>' in became


def test_the_footer_mentions_play_money_only_on_pages_with_play_money(office: ServedRoom) -> None:
    assert "Play money has no value" in get_page(office, f"/office/jackpots/{JACKPOT}").text
    for path in (f"/office/jackpots/{BANKED}", "/office/reports", f"/office/jackpots/{BANKED}/deposit"):
        assert "Play money has no value" not in get_page(office, path).text


def test_the_day_report_says_on_which_page_a_day_is_opened(office: ServedRoom) -> None:
    page = get_page(office, "/office/reports/day-book")
    assert "cardroom day" not in page.text
    assert "Open a day on the first page of the office" in page.text
    assert get_page(office, "/office/reports/day-book?day=abc").status_code == 400


def test_an_invalid_number_in_the_url_is_refused(office: ServedRoom) -> None:
    for path in ("/office/ledger/room?from=abc", "/office/ledger/room?from=-1", f"/office/jackpots/{BANKED}?before=x"):
        page = get_page(office, path)
        assert page.status_code == 400
        assert "in the URL is not a whole number of at least 1" in page.text


def test_only_compatible_jackpots_are_offered_for_a_link(office: ServedRoom) -> None:
    office.card_room.unlink_table(new_id(), "Olga", DEALT, BANKED, "Moved")
    page = get_page(office, f"/office/tabulators/{DEALT}/link")
    assert re.findall(r'<option value="([^"]*)"', page.text) == [BANKED]


class Step(NamedTuple):
    """A step in the office or at a console."""

    address: str
    """A path of the step."""
    commands: tuple[Callable[..., object], ...]
    """The card room's commands of the step."""


_JACKPOT: Final = "/office/jackpots/final-four"
STEPS: Final = {
    "pay or refuse a claim": Step(f"{_JACKPOT}/pay/1", (PaymentService.pay, ClaimService.refuse)),
    "call a round off": Step("/dealer/prime-1/void", (CardRoom.void_live_round,)),
    "change what is set on a level": Step(f"{_JACKPOT}/change/main", (JackpotService.change_parameters,)),
    "change the amount of a bonus": Step(f"{_JACKPOT}/bonus/deuces-wild.royal", (JackpotService.change_bonus,)),
    "add seed money": Step(f"{_JACKPOT}/add-seed", (JackpotService.add_seed,)),
    "recover seed money": Step(f"{_JACKPOT}/recover-seed", (JackpotService.recover_seed,)),
    "correct a malfunction": Step(f"{_JACKPOT}/correct", (JackpotService.correct_malfunction,)),
    "lower the display to the cap": Step(f"{_JACKPOT}/to-the-cap", (JackpotService.lower_to_ceiling,)),
    "book money not displayed": Step(f"{_JACKPOT}/not-displayed", (JackpotService.remove_undisplayed_money,)),
    "pay the cage back": Step(f"{_JACKPOT}/reimburse", (JackpotService.reimburse_cage,)),
    "remove a bonus jackpot": Step(f"{_JACKPOT}/remove", (JackpotService.remove,)),
    "change what holds in the room": Step("/office/room/change", (SiteService.configure,)),
    "take a player's money in": Step("/office/players/ann/pay-in", (PlayerService.pay_in,)),
    "pay a player's money out": Step("/office/players/ann/pay-out", (PlayerService.pay_out,)),
    "let a player sign in": Step("/office/players/ann/sign-in", (UserService.add, UserService.recover)),
    "register or recover a person": Step("/office/users/new", (UserService.add, UserService.recover)),
    "give another role, or dismiss": Step("/office/users/ann/role", (UserService.assign_role, UserService.deactivate)),
    "pay a promotion's prize": Step("/office/promotions/summer/pay", (PromotionService.pay,)),
    "open a jackpot": Step("/office/jackpots/new", (JackpotService.open,)),
    "take money to the bank": Step(f"{_JACKPOT}/deposit", (JackpotService.deposit_to_bank,)),
    "reconcile a bank statement": Step(f"{_JACKPOT}/reconcile", (JackpotService.reconcile,)),
    "disable a jackpot": Step(f"{_JACKPOT}/disable", (JackpotService.disable,)),
    "bring a jackpot back": Step(f"{_JACKPOT}/enable", (JackpotService.enable,)),
    "set up a table": Step("/office/tables/new", (CardRoom.add_table,)),
    "change a table": Step("/office/tables/prime-1/change/sign", (CardRoom.change_table,)),
    "pause or resume a table": Step("/office/tables/prime-1/pause", (CardRoom.pause_table, CardRoom.resume_table)),
    "link, unlink or move a table": Step(
        "/office/tabulators/prime-1/link", (CardRoom.link_table, CardRoom.unlink_table, CardRoom.move_table)
    ),
    "remove a table": Step("/office/tables/prime-1/remove", (CardRoom.remove_table,)),
    "open or close a gaming day": Step("/office/day/open", (DayService.open, DayService.close)),
    "report, send or close a malfunction": Step(
        "/office/malfunctions/new",
        (MalfunctionService.report, MalfunctionService.send, MalfunctionService.close),
    ),
    "announce or end a promotion": Step("/office/promotions/new", (PromotionService.announce, PromotionService.end)),
    "admit a player": Step("/office/admit", (PlayerService.admit_player,)),
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
"""The steps by their names in docs/office.md."""


def row(step: str) -> str:
    """A line of the table in docs/office.md: how many people, who, and who is the second person."""
    allowed = PERMISSIONS[permission_at(STEPS[step].address)]
    people, second = ("two", join_roles(allowed.countersigners)) if allowed.needs_two else ("one", "")
    return f"| {step} | {people} | {join_roles(allowed.roles)} | {second} |".replace("|  |", "| |")


def test_the_guide_lists_the_people_of_each_step() -> None:
    text = (Path(__file__).parents[2] / "docs" / "office.md").read_text(encoding="utf-8")
    table = text.partition("| step | people | who | the second |\n|---|---|---|---|\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [row(step) for step in STEPS]


@pytest.mark.parametrize("step", STEPS)
def test_a_command_with_a_second_person_has_a_permission_with_one(step: str) -> None:
    address, commands = STEPS[step]
    has_second = {"second" in signature(command).parameters for command in commands}
    assert has_second <= {PERMISSIONS[permission_at(address)].needs_two}


@pytest.fixture
def large_claim(tmp_path: Path) -> Iterator[ServedRoom]:
    """A card room with a claim above the surveillance threshold."""
    with serve_room(tmp_path) as room:
        staffed(room.card_room)
        open_room(room.card_room)
        play(room.card_room, seats=5, round_id="r1")
        room.card_room.claims.claim_hand("win", "kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
        yield room


@pytest.fixture
def live_claim(tmp_path: Path) -> Iterator[ServedRoom]:
    """A card room with a claimed royal flush in the current round of a live table."""
    with serve_room(tmp_path) as room:
        staffed(room.card_room)
        live_prime(room.card_room)
        round_id = begin(room.card_room, positions=(2, 3))
        steps(room.card_room, "wagers")
        tabulate(room.card_room, 2, 3)
        steps(room.card_room, "deal", "decide", "reveal")
        cards = {"seat 2 hand": "Jd Qd Kd", "seat 2 fourth": "Ad", "seat 3 hand": "2c 3c 4c", "dealer": "Ks 4d 2s"}
        room.card_room.type_cards(new_id(), "Kim", LIVE, cards, answers={2: {"play": "play"}})
        hand = TypedHand("final-four", 100, {"hand": "Jd Qd Kd", "fourth": "Ad"}, {}, 2)
        room.card_room.claims.claim_hand("win", "Kim", "final-four", LIVE, round_id, hand)
        yield room


def test_a_claim_of_a_live_round_names_it_and_shows_the_dealers_entries(live_claim: ServedRoom) -> None:
    path = "/office/jackpots/final-four/claim/win"

    def claim_page() -> str:
        return unescape(get_page(live_claim, path).text)

    page = claim_page()
    assert f'<dd>prime-1.1, in play at <a href="/office/tables/{LIVE}">{LIVE}</a> now</dd>' in page
    entries = page.split("What the dealer entered at the table</h2>")[1].split("</table>")[0]
    assert "K♠ 4♦ 2♠" in entries
    assert "fourth A♦, hand J♦ Q♦ K♦" in entries
    assert '<td data-head="Decisions">play</td>' in entries
    assert "2♣ 3♣ 4♣" not in entries, "another player's cards"
    paying = unescape(find_visitor(live_claim, path, SUPERVISOR).get("/office/jackpots/final-four/pay/win").text)
    assert "The dealer entered at the table: dealer: K♠ 4♦ 2♠; seat 2: fourth A♦, hand J♦ Q♦ K♦, play." in paying
    steps(live_claim.card_room, "take-or-pay", "collect")
    live_claim.card_room.end_live_round(new_id(), "Kim", LIVE)
    page = claim_page()
    assert '<dd><a href="/rounds/prime-1.1">prime-1.1</a></dd>' in page
    assert "fourth A♦, hand J♦ Q♦ K♦" in page.split("What the dealer entered at the table</h2>")[1]


def test_the_pages_of_a_live_round_say_that_its_jackpot_wagers_were_voided(live_claim: ServedRoom) -> None:
    card_room = live_claim.card_room
    steps(card_room, "take-or-pay", "collect")
    card_room.end_live_round(new_id(), "Kim", LIVE)
    assert "voided" not in find_visitor(live_claim, "/office/rounds").get("/rounds/prime-1.1").text
    assert "jackpot wagers void" not in get_page(live_claim, "/office/rounds").text
    Both(card_room).claims.refuse(new_id(), SUPERVISOR, "final-four", "win", "The shuffler had jammed", second=CAGE)
    Both(card_room).void_round(new_id(), SUPERVISOR, LIVE, "prime-1.1", "The shuffler had jammed", second=SURVEILLANCE)
    page = unescape(find_visitor(live_claim, "/office/rounds").get("/rounds/prime-1.1").text)
    assert re.search(r"The jackpot wagers of this round were voided on \d+/\d+/20\d\d ", page)
    assert f"by {SUPERVISOR} and {SURVEILLANCE}: The shuffler had jammed. They were returned" in page
    assert '<span class="tag">jackpot wagers void</span>' in get_page(live_claim, "/office/rounds").text


def test_a_claim_of_a_round_without_a_console_says_so(large_claim: ServedRoom) -> None:
    page = get_page(large_claim, "/office/jackpots/final-four/claim/win").text
    assert "r1. Its cards were not entered at a console" in page
    assert "entered at the table" not in page


PAID: Final = {"player-1": "Ann Lee", "payment-1": "cash", "reference-1": "4471"}
WATCHING: Final = {"surveillance": SURVEILLANCE, "surveillance-password": password_of(SURVEILLANCE)}


def test_surveillance_signs_a_large_claim(large_claim: ServedRoom) -> None:
    path = "/office/jackpots/final-four/pay/win"
    page = find_visitor(large_claim, path, SUPERVISOR).get(path).text
    (seat,) = set(re.findall(r'name="player-(\d)"', page))
    paid = {name.replace("1", seat): text for name, text in PAID.items()}
    assert 'name="surveillance-password"' in page
    assert 'name="second"' not in page  # the dealer is a witness, and the surveillance is the second person
    heads = large_claim.card_room.ledger.chain_lengths("jackpot:")
    for typed, sentence in (
        ({}, "Two people"),
        ({"surveillance": SURVEILLANCE}, "must type a password"),
        ({"surveillance": CAGE, "surveillance-password": password_of(CAGE)}, "surveillance"),
        ({**WATCHING, "surveillance-password": "not that one"}, "The login or the password is wrong"),
    ):
        response = send(large_claim, path, SUPERVISOR, **paid, **typed)
        assert response.status_code == 422
        assert sentence in find_refusals(response)["surveillance"], response.text
    assert large_claim.card_room.ledger.chain_lengths("jackpot:") == heads
    assert send(large_claim, path, SUPERVISOR, **paid, **WATCHING).status_code == 303
    payment = large_claim.card_room.payments.get_claim_history("final-four", "win").payment
    assert payment is not None
    assert payment.surveillance is not None
    assert (payment.verified_by, payment.surveillance.by) == (SUPERVISOR, SURVEILLANCE)
    assert "Signed as the second person with sam" in visit(large_claim, OPERATOR).get("/office/users/log").text


def test_a_login_without_a_signature_is_not_in_the_ledger(office: ServedRoom) -> None:
    path = f"/office/jackpots/{JACKPOT}/pay/{CLAIM}"
    assert 'name="surveillance"' not in get_page(office, path).text
    assert send(office, path, SUPERVISOR, **add_signature(CAGE), surveillance="uma").status_code == 303
    payment = office.card_room.payments.get_claim_history(JACKPOT, CLAIM).payment
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
    "/office/users",
    f"/office/users/log?person={DEALER}",
    "/office/room",
)


def test_no_page_links_to_a_page_that_the_role_may_not_open(office: ServedRoom) -> None:
    followed = 0
    for role in (role for role in Role if has_permission(role, Permission.SEE_OFFICE)):
        for path in PAGES:
            page = find_visitor(office, path, LOGINS[role]).get(path)
            assert page.status_code == (200 if has_permission(role, permission_at(path)) else 403), (role, path)
            for to in re.findall(r'<a [^>]*href="(/[^"]*)"', page.text):
                allowed = find_route_permission("GET", unescape(to).partition("#")[0].partition("?")[0])
                assert allowed is not None
                assert allowed.permission is not None
                assert has_permission(role, allowed.permission), (role, path, to)
                followed += 1
    assert followed > 1_000
    jackpot = f"/office/jackpots/{BANKED}"
    assert f"{jackpot}/change/main" in find_visitor(office, jackpot, OPERATOR).get(jackpot).text
    assert f"{jackpot}/change/main" not in find_visitor(office, jackpot, SUPERVISOR).get(jackpot).text


def test_a_malfunction_form_opened_from_a_jackpot_has_the_jackpot_selected(office: ServedRoom) -> None:
    assert f"/office/malfunctions/new?of={WILD}" in get_page(office, f"/office/jackpots/{WILD}").text
    page = get_page(office, f"/office/malfunctions/new?of={WILD}")
    assert f'<option value="{WILD}" selected>' in page.text
