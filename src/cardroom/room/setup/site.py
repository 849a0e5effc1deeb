"""The settings of the card room, as its operator writes them in TOML; every key is optional.

>>> settings = read_site_settings('''
... name = "Main Street Card Room"
... dealer_pays = "$250"
... ''')
>>> settings.dealer_pays, settings.rounds_an_hour, str(settings.calendar)
(25000, 120, 'America/Los_Angeles, the gaming day starts at 06:00')
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
"""More than any dealer deals; with shuffling machines, a fast table deals sixty to eighty."""


class SiteSettings(NamedTuple):
    """The operator's settings for the whole card room."""

    name: str = "Card room"
    """The name on slips and in the day report."""
    time_zone: str = DEFAULT_ZONE
    """The time zone of times and gaming days."""
    day_starts: str = DEFAULT_DAY_START
    """When a gaming day begins."""
    dealer_pays: int = DEFAULT_DEALER_LIMIT
    """The most that a dealer may pay one winner of a round alone, in cents. More needs a second person."""
    rounds_an_hour: int = DEFAULT_ROUNDS_PER_HOUR
    """The most rounds that a table can deal in an hour: a counter that rose by more needs two people."""

    @property
    def calendar(self) -> Calendar:
        """The card room's calendar."""
        return open_calendar(self.time_zone, self.day_starts)


def read_site_settings(text: str) -> SiteSettings:
    """Read the card room's settings from TOML."""
    return site_settings_from_mapping(read_toml(text, "The card room's setup"))


def site_settings_from_mapping(mapping: object) -> SiteSettings:
    """The card room's settings from a TOML or JSON mapping."""
    _refuse_destinations(mapping)
    top, default = SetupSection(mapping, "the card room's setup"), SiteSettings()
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
    """The mapping that ``site_settings_from_mapping`` reads."""
    return settings._asdict() | {"dealer_pays": format_cents(settings.dealer_pays)}


def _refuse_destinations(mapping: object) -> None:
    """Refuse the machine's commands and folders: the database must not contain them, because a person with write
    access to the database could choose them."""
    for name, setting in (("heads_folder", "folder"), ("heads_command", "command")):
        if isinstance(mapping, dict) and name in mapping:
            raise UnreadableSetup(
                f"'{name}' does not belong in the card room's setup: write '{setting}' under [heads] in the machine's "
                "configuration (machine.toml)."
            )


def _refuse_faulty(settings: SiteSettings) -> None:
    _ = settings.calendar  # raises for an unknown time zone or start of the day
    if not settings.name.strip():
        raise UnreadableSetup("'name' in the card room's setup is empty: write the name for slips.")
    if settings.dealer_pays < 0:
        raise UnreadableSetup(
            f"'dealer_pays' in the card room's setup is {format_cents(settings.dealer_pays)}: write the most that a "
            'dealer may pay alone, or "$0" for nothing.'
        )
    if not 1 <= settings.rounds_an_hour <= 3600:
        raise UnreadableSetup(
            f"'rounds_an_hour' in the card room's setup is {quote(settings.rounds_an_hour)}: write the most rounds "
            "that a table can deal in an hour, 1 to 3600."
        )


def example_site_toml() -> str:
    """A setup file with every key and its default value, and an example name.

    >>> from cardroom.room.setup.site import read_site_settings
    >>> read_site_settings(example_site_toml()) == SiteSettings(name="Main Street Card Room")
    True
    """
    default = SiteSettings(name="Main Street Card Room")
    lines = ["# The settings of the whole card room. Every line is optional and shows its default, except the name."]
    for name, value in default._asdict().items():
        shown_value = format_cents(value) if name == "dealer_pays" else value
        lines += ["", f"# {_EXPLANATIONS[name]}", f"{name} = {json.dumps(shown_value, ensure_ascii=False)}"]
    return "\n".join(lines) + "\n"


_EXPLANATIONS = {
    "name": f'The name on slips and in the day report; the default is "{SiteSettings().name}".',
    "time_zone": "The time zone of times and gaming days.",
    "day_starts": "When a gaming day begins.",
    "dealer_pays": "The most that a dealer may pay one winner of a round alone. More needs a second person.",
    "rounds_an_hour": "The most rounds that a table can deal in an hour: a counter that rose by more needs two people.",
}
