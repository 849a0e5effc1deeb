"""Devices on a bad evening: in the office, and on the console of the table at which one of them babbles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.screens.dealer import console
from tests.screens.scene import TABLETS, Scene, Stage, Story
from tests.service.staff import OPERATOR, SUPERVISOR
from tests.web.devices.evening import open_faulty_room
from tests.web.rooms import new_id

PAGE: Final = "/office/devices"
NEW: Final = f"{PAGE}/new?table=way-1"


def _register(stage: Stage, kind: str, name: str) -> None:
    page = stage.go(NEW)
    page.get_by_label("Kind").select_option(kind)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Add it and show its token").click()


def refused(stage: Stage) -> None:
    _register(stage, "monitor", "s-1001")
    stage.page.locator("#refusal-device").wait_for()


def token(stage: Stage) -> None:
    if "S-1002" not in stage.card_room.list_devices():
        _register(stage, "led", "S-1002")
    else:  # the same scene on the next screen
        page = stage.go(f"{PAGE}/S-1002/renew")
        page.get_by_label("Reason").fill("The paper lay about")
        page.get_by_role("button", name="Issue a new token").click()
    stage.page.locator(".token code").wait_for()


def shown_already(stage: Stage) -> None:
    token(stage)
    stage.page.reload()
    stage.page.get_by_text("The token was already shown").wait_for()


def too_many_rounds(stage: Stage) -> None:
    stage.card_room.hold_device(new_id(), "device T-3001", "T-3001", "too many rounds", too_many=True)
    stage.go(f"{PAGE}/T-3001/accept-rounds")


def marked(stage: Stage) -> None:
    console(stage).locator(".device-warnings").wait_for()


def sheet(stage: Stage) -> None:
    stage.sign_in(SUPERVISOR)
    page = console(stage)
    page.get_by_role("button", name="Equipment").tap()
    page.locator("#sheet .device-list").first.wait_for()


def as_operator(reach: Callable[[Stage], None]) -> Callable[[Stage], None]:
    """Reach a page as the operator again."""

    def signed_in(stage: Stage) -> None:
        stage.sign_in(OPERATOR)
        reach(stage)

    return signed_in


STORY: Final = Story(
    open_faulty_room,
    (
        Scene("office-open-devices", "/office"),
        Scene("office-devices", PAGE),
        Scene("office-device-new", NEW),
        Scene("office-device-refused", NEW, refused),
        Scene("office-device-renew", f"{PAGE}/T-3001/renew"),
        Scene("office-device-withdraw", f"{PAGE}/T-3001/withdraw"),
        Scene("office-device-gap", f"{PAGE}/A1-77/accept-gap"),
        Scene("office-device-rounds", f"{PAGE}/T-3001/accept-rounds", too_many_rounds),
        Scene("dealer-devices", "/dealer/prime-1", marked, sizes=TABLETS),
        Scene("dealer-devices-sheet", "/dealer/prime-1/equipment", sheet, sizes=TABLETS),
        Scene("office-device-token", f"{PAGE}/new", as_operator(token)),
        Scene("office-device-token-again", f"{PAGE}/S-1002/renew", shown_already),
    ),
    who=OPERATOR,
)
