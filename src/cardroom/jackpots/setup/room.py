"""What holds in the whole card room, as its operator writes it in TOML; every key may be left out.

>>> settings = read_settings('''
... name = "Main Street Card Room"
... dealer_pays = "$250"
... ''')
>>> settings.dealer_pays, settings.rounds_an_hour, str(settings.calendar)
(25000, 120, 'America/Los_Angeles, the gaming day starts at 06:00')
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from cardroom.errors import quote
from cardroom.games.money import format_cents
from cardroom.jackpots.setup.calendar import DAY_STARTS, ZONE, Calendar, open_calendar
from cardroom.jackpots.setup.faults import BadFile
from cardroom.jackpots.setup.reading import Section, read_toml

DEALER_PAYS: Final = 500_00
ROUNDS_AN_HOUR: Final = 120
"""More than any dealer deals; machines that shuffle let a quick table play sixty to eighty."""


class RoomSettings(NamedTuple):
    """What an operator decides for the whole room."""

    name: str = "Card room"
    """As it stands on slips and in the day's book."""
    time_zone: str = ZONE
    """In which times are told and days are counted."""
    day_starts: str = DAY_STARTS
    """When a gaming day begins."""
    dealer_pays: int = DEALER_PAYS
    """In cents: what one winner may get of one round from the dealer alone. More needs a second person."""
    rounds_an_hour: int = ROUNDS_AN_HOUR
    """The most that a table can play: a counter that went on by more is believed only by two people."""

    @property
    def calendar(self) -> Calendar:
        """The room's clock and days."""
        return open_calendar(self.time_zone, self.day_starts)


def read_settings(text: str) -> RoomSettings:
    """Read a room's set-up from TOML."""
    return settings_from(read_toml(text, "The room's set-up"))


def settings_from(entry: object) -> RoomSettings:
    """A room's set-up from the mapping that TOML or JSON gives."""
    _refuse_destinations(entry)
    top, default = Section(entry, "the room's set-up"), RoomSettings()
    settings = RoomSettings(
        name=top.get("name", str, default.name),
        time_zone=top.get("time_zone", str, default.time_zone),
        day_starts=top.get("day_starts", str, default.day_starts),
        dealer_pays=top.amount("dealer_pays", default.dealer_pays),
        rounds_an_hour=top.get("rounds_an_hour", int, default.rounds_an_hour),
    )
    top.refuse_unread()
    _refuse_faulty(settings)
    return settings


def settings_entry(settings: RoomSettings) -> dict[str, Any]:
    """The mapping that ``settings_from`` reads again."""
    return settings._asdict() | {"dealer_pays": format_cents(settings.dealer_pays)}


def _refuse_destinations(entry: object) -> None:
    """What a machine runs and where it writes is never in the database: a person who can change the database could
    choose it."""
    for name, setting in (("heads_folder", "folder"), ("heads_command", "command")):
        if isinstance(entry, dict) and name in entry:
            raise BadFile(
                f"'{name}' does not belong in the room's set-up: write '{setting}' under [heads] in the machine's own "
                "configuration (machine.toml)."
            )


def _refuse_faulty(settings: RoomSettings) -> None:
    _ = settings.calendar  # raises for a zone or a start of the day that there is not
    if not settings.name.strip():
        raise BadFile("'name' in the room's set-up is empty: write the name that stands on slips.")
    if settings.dealer_pays < 0:
        raise BadFile(
            f"'dealer_pays' in the room's set-up is {format_cents(settings.dealer_pays)}: write what a dealer may "
            "pay alone, "
            '"$0" for nothing.'
        )
    if not 1 <= settings.rounds_an_hour <= 3600:
        raise BadFile(
            f"'rounds_an_hour' in the room's set-up is {quote(settings.rounds_an_hour)}: write the most rounds that a "
            "table can play in an hour, 1 to 3600."
        )
