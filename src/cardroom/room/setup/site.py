"""What holds in the whole card room, as its operator writes it in TOML; every key may be left out.

>>> settings = read_site_settings('''
... name = "Main Street Card Room"
... dealer_pays = "$250"
... ''')
>>> settings.dealer_pays, settings.rounds_an_hour, str(settings.calendar)
(25000, 120, 'America/Los_Angeles, the gaming day starts at 06:00')

A room's set-up to start from, with a line for every key, never out of date.
"""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

from cardroom.errors import quote
from cardroom.games.money import format_cents
from cardroom.room.setup.calendar import DEFAULT_DAY_START, DEFAULT_ZONE, Calendar, open_calendar
from cardroom.room.setup.toml_reader import SetupSection, UnreadableSetup, read_toml

DEFAULT_DEALER_LIMIT: Final = 500_00
DEFAULT_ROUNDS_PER_HOUR: Final = 120
"""More than any dealer deals; machines that shuffle let a quick table play sixty to eighty."""


class SiteSettings(NamedTuple):
    """What an operator decides for the whole room."""

    name: str = "Card room"
    """As it stands on slips and in the day's book."""
    time_zone: str = DEFAULT_ZONE
    """In which times are told and days are counted."""
    day_starts: str = DEFAULT_DAY_START
    """When a gaming day begins."""
    dealer_pays: int = DEFAULT_DEALER_LIMIT
    """In cents: what one winner may get of one round from the dealer alone. More needs a second person."""
    rounds_an_hour: int = DEFAULT_ROUNDS_PER_HOUR
    """The most that a table can play: a counter that went on by more is believed only by two people."""

    @property
    def calendar(self) -> Calendar:
        """The room's clock and days."""
        return open_calendar(self.time_zone, self.day_starts)


def read_site_settings(text: str) -> SiteSettings:
    """Read a room's set-up from TOML."""
    return site_settings_from_mapping(read_toml(text, "The room's set-up"))


def site_settings_from_mapping(mapping: object) -> SiteSettings:
    """A room's set-up from the mapping that TOML or JSON gives."""
    _refuse_destinations(mapping)
    top, default = SetupSection(mapping, "the room's set-up"), SiteSettings()
    settings = SiteSettings(
        name=top.get("name", str, default.name),
        time_zone=top.get("time_zone", str, default.time_zone),
        day_starts=top.get("day_starts", str, default.day_starts),
        dealer_pays=top.amount("dealer_pays", default.dealer_pays),
        rounds_an_hour=top.get("rounds_an_hour", int, default.rounds_an_hour),
    )
    top.refuse_unread()
    _refuse_faulty(settings)
    return settings


def site_settings_to_mapping(settings: SiteSettings) -> dict[str, Any]:
    """The mapping that ``settings_from`` reads again."""
    return settings._asdict() | {"dealer_pays": format_cents(settings.dealer_pays)}


def _refuse_destinations(mapping: object) -> None:
    """What a machine runs and where it writes is never in the database: a person who can change the database could
    choose it."""
    for name, setting in (("heads_folder", "folder"), ("heads_command", "command")):
        if isinstance(mapping, dict) and name in mapping:
            raise UnreadableSetup(
                f"'{name}' does not belong in the room's set-up: write '{setting}' under [heads] in the machine's own "
                "configuration (machine.toml)."
            )


def _refuse_faulty(settings: SiteSettings) -> None:
    _ = settings.calendar  # raises for a zone or a start of the day that there is not
    if not settings.name.strip():
        raise UnreadableSetup("'name' in the room's set-up is empty: write the name that stands on slips.")
    if settings.dealer_pays < 0:
        raise UnreadableSetup(
            f"'dealer_pays' in the room's set-up is {format_cents(settings.dealer_pays)}: write what a dealer may "
            "pay alone, "
            '"$0" for nothing.'
        )
    if not 1 <= settings.rounds_an_hour <= 3600:
        raise UnreadableSetup(
            f"'rounds_an_hour' in the room's set-up is {quote(settings.rounds_an_hour)}: write the most rounds that a "
            "table can play in an hour, 1 to 3600."
        )


def example_site_toml() -> str:
    """Every key with the value that it has when it is left out; only the name is the room's own.

    >>> from cardroom.room.setup.site import read_site_settings
    >>> read_site_settings(example_site_toml()) == SiteSettings(name="Main Street Card Room")
    True
    """
    default = SiteSettings(name="Main Street Card Room")
    lines = [
        "# What holds in the whole card room. A line that is left out has the value that stands here, but for the name."
    ]
    for name, value in default._asdict().items():
        shown_value = format_cents(value) if name == "dealer_pays" else value
        lines += ["", f"# {_EXPLANATIONS[name]}", f"{name} = {json.dumps(shown_value, ensure_ascii=False)}"]
    return "\n".join(lines) + "\n"


_EXPLANATIONS = {
    "name": f'As it stands on slips and in the day\'s book; without it slips say "{SiteSettings().name}".',
    "time_zone": "In which times are told and days are counted.",
    "day_starts": "When a gaming day begins.",
    "dealer_pays": "What one winner may get of one round from the dealer alone. More needs a second person.",
    "rounds_an_hour": "The most that a table can play: a counter that went on by more needs two people.",
}
