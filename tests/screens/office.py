"""The office, after a jackpot was won."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page

from cardroom.chart_of_accounts import Currency
from tests.browser.office_scenes import BANKED, CLAIM, JACKPOT, TABLE, open_office_room
from tests.browser.users import sign_as_second
from tests.screens.scene import Scene, Stage, Story
from tests.service.staff import CAGE, OPERATOR, SUPERVISOR
from tests.web.rooms import new_id

VERIFY: Final = "/office/verify"
REIMBURSE: Final = f"/office/jackpots/{BANKED}/reimburse"
VOID: Final = f"/office/tables/{TABLE}/void"


def signed_in_at(login: str, address: str) -> Callable[[Stage], None]:
    """A page that this user opens."""

    def reach(stage: Stage) -> None:
        stage.sign_in(login)
        stage.go(address)

    return reach


def operator_recovered(stage: Stage) -> None:
    """Two people at the machine have recovered the operator, and another user opens the office."""
    stage.card_room.users.recover_operator(new_id(), OPERATOR, "Ann Lee", "Bo Ray", "room")
    signed_in_at(SUPERVISOR, "/office")(stage)


def faults(stage: Stage) -> None:
    page = stage.go("/office/tables/new?game=three-card-prime")
    page.get_by_label("Seats", exact=True).fill("20")
    page.locator("#wager-ante-play").get_by_label("Max", exact=True).fill("$500")
    page.keyboard.press("Tab")
    page.locator("#wager-ante-play .fault").wait_for()


def day_to_close(stage: Stage) -> None:
    stage.card_room.days.open(new_id(), "Rosa Diaz")
    stage.go("/office/day/close")


def paying(stage: Stage) -> Page:
    stage.sign_in(SUPERVISOR)
    return stage.go(f"/office/jackpots/{JACKPOT}/pay/{CLAIM}")


def one_alone(stage: Stage) -> None:
    page = paying(stage)
    page.get_by_role("button", name="Pay $500.02 of play money").click()
    page.get_by_role("alert").filter(has_text="Two people").wait_for()


def reconciling(stage: Stage) -> None:
    stage.sign_in(OPERATOR)
    stage.go(f"/office/jackpots/{BANKED}/reconcile")


def player(stage: Stage) -> None:
    stage.go(f"/office/players/{stage.room.players[0].name}")


def player_action(stage: Stage) -> None:
    # A guest has play money, which the cage does not handle, so this is a player with an account.
    stage.card_room.players.admit_player(new_id(), "Carl", "ann-lee", Currency.REAL)
    stage.sign_in(CAGE)
    stage.go("/office/players/ann-lee").get_by_role("link", name="Pay in").click()
    stage.page.get_by_label("Amount").wait_for()


def people(stage: Stage) -> None:
    stage.sign_in(OPERATOR)
    stage.go("/office/users")


def one_time_password(stage: Stage) -> None:
    page = stage.go(f"/office/users/{CAGE}/recover")
    sign_as_second(page, SUPERVISOR)
    page.locator("form.action-form button").first.click()
    page.locator(".once").wait_for()


def verifying(stage: Stage) -> None:
    stage.sign_in(OPERATOR)
    page = stage.go(VERIFY)
    with page.expect_request(f"**{VERIFY}/progress"):
        page.get_by_role("button", name="Verify everything").click()
    page.locator("#bar").wait_for()


def verified(stage: Stage) -> None:
    stage.go(VERIFY).get_by_role("button", name="Verify again").wait_for()


STORY: Final = Story(
    open_office_room,
    (
        Scene("office", "/office"),
        Scene("office-day-open", "/office/day/open"),
        Scene("office-day-close", "/office/day/close", day_to_close),
        Scene("office-ledger", "/office/ledger"),
        Scene("office-chain", f"/office/ledger/jackpot:{JACKPOT}"),
        Scene("office-jackpots", "/office/jackpots"),
        Scene("office-jackpot", f"/office/jackpots/{JACKPOT}"),
        Scene("office-claim", f"/office/jackpots/{JACKPOT}/claim/{CLAIM}"),
        Scene("office-pay", f"/office/jackpots/{JACKPOT}/pay/{CLAIM}", paying),
        Scene("office-pay-refused", f"/office/jackpots/{JACKPOT}/pay/{CLAIM}", one_alone),
        Scene("office-refuse", f"/office/jackpots/{JACKPOT}/refuse/{CLAIM}"),
        Scene("office-action", f"/office/jackpots/{BANKED}/reconcile", reconciling),
        Scene("office-tables", "/office/tables"),
        Scene("office-table", f"/office/tables/{TABLE}"),
        Scene("office-table-action", f"/office/tables/{TABLE}/pause"),
        Scene("office-new-table", "/office/tables/new?game=dueling-for-dollars"),
        Scene("office-new-table-faults", "/office/tables/new", faults),
        Scene("office-players", "/office/players?guests=too"),
        Scene("office-player", "/office/players/{player}", player),
        Scene("office-player-action", "/office/players/{player}/pay-in", player_action),
        Scene("office-admit", "/office/admit"),
        Scene("office-people", "/office/users", people),
        Scene("office-people-log", "/office/users/log"),
        Scene("office-people-new", "/office/users/new"),
        Scene("office-people-each", "/office/users/one-of-each"),
        Scene("office-people-role", f"/office/users/{CAGE}/role"),
        Scene("office-people-one-time-password", "/office/users/{login}/{action_name}", one_time_password),
        Scene("office-rounds", f"/office/rounds?table={TABLE}"),
        Scene("office-reports", "/office/reports"),
        Scene("office-report", f"/office/reports/history?of={JACKPOT}"),
        Scene("office-verify", VERIFY),
        Scene("office-verifying", f"{VERIFY}/progress", verifying),
        Scene("office-verified", VERIFY, verified),
        Scene("office-reimburse", REIMBURSE, signed_in_at(OPERATOR, REIMBURSE)),
        Scene("office-void", VOID, signed_in_at(OPERATOR, VOID)),
        Scene("office-operator-recovered", "/office", operator_recovered),
    ),
    who=OPERATOR,
)
