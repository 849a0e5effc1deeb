"""TableVision: every kind of screen, and how jackpots may stand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cardroom.service import RoomTableSetup, UnitSetup
from cardroom.web.services.practice_tables import open_demo
from tests.screens.scene import SCREENS, SIZES, Scene, Stage, Story
from tests.service.card_rooms import DIAMOND_ROYAL, all_seven, new_id, open_room, play, prime_sensors, prime_table
from tests.web.rooms import GAMES, ServedRoom, serve_room


@contextmanager
def a_wall_of_screens(folder: Path) -> Iterator[ServedRoom]:
    """The demonstration room, two linked tables, and one table that plays for two jackpots."""
    with serve_room(folder) as room:
        open_demo(room.card_room)
        open_room(room.card_room)
        room.card_room.jackpots.open(new_id(), "Olga", all_seven())
        sensors = prime_sensors("prime-3", "final-four", "all-seven")
        room.card_room.add_table(
            new_id(), "Olga", RoomTableSetup(sensors.table, prime_table(), tabulator=UnitSetup(sensors, "unit-3"))
        )
        play(room.card_room, "prime-1", rounds=7)
        yield room


def pending(stage: Stage) -> None:
    play(stage.card_room, "prime-1", seats=1, round_id="won")
    stage.card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "won", DIAMOND_ROYAL)
    stage.go("/displays/prime-2/monitor").locator(".vision-status").wait_for()


def unavailable(stage: Stage) -> None:
    stage.card_room.jackpots.disable(new_id(), "Olga", "final-four", "New felt")
    stage.go("/displays/prime-1/monitor").locator(".vision-status").wait_for()


def sign_unavailable(stage: Stage) -> None:
    stage.card_room.jackpots.disable(new_id(), "Olga", "three-card-prime-1-final-four", "New felt")
    stage.go("/displays/three-card-prime-1/led").locator(".sign.unavailable").wait_for()


def closed(stage: Stage) -> None:
    stage.card_room.remove_table(new_id(), "Olga", "prime-1", "The evening is over")
    stage.go("/displays/prime-1")


SCENES: Final = (
    *(Scene(f"display-{game}", f"/displays/{game}-1") for game in GAMES),
    Scene("display-led", "/displays/three-card-prime-1/led"),
    Scene("display-frame", "/displays/three-card-prime-1/frame"),
    Scene("display-monitor", "/displays/prime-1/monitor"),
    Scene("display-two-jackpots", "/displays/prime-3/monitor"),
    Scene("display-pending", "/displays/prime-2/monitor", pending),
    Scene("display-unavailable", "/displays/prime-1/monitor", unavailable),
    Scene("display-led-unavailable", "/displays/three-card-prime-1/led", sign_unavailable),
    Scene("display-closed", "/displays/prime-1", closed),
)
STORY: Final = Story(
    a_wall_of_screens,
    (
        Scene("displays", "/displays", sizes=SIZES),
        *(scene._replace(sizes=SCREENS) for scene in SCENES),
        Scene("refused-screen", "/displays/three-card-prime-1/monitor", sizes=SIZES),
    ),
)
