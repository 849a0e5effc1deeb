"""What is another in the room's set-up, setting by setting, as its operator would say it."""

from __future__ import annotations

from typing import Final, NamedTuple

from cardroom.jackpots.setup.room import RoomSettings, settings_entry

_CALLED: Final = {
    "name": "name",
    "time_zone": "time zone",
    "day_starts": "the gaming day starts",
    "dealer_pays": "a dealer pays alone",
    "rounds_an_hour": "rounds an hour at most",
}


class SettingChange(NamedTuple):
    """One setting that is another from now on, as it is written in the set-up."""

    setting: str
    before: str | int
    after: str | int

    @property
    def words(self) -> str:
        """
        >>> SettingChange("dealer_pays", "$500", "$900").words
        'a dealer pays alone: $500 to $900'
        """
        before, after = ("none" if value == "" else value for value in (self.before, self.after))
        return f"{_CALLED[self.setting]}: {before} to {after}"


def setting_changes(before: RoomSettings, after: RoomSettings) -> tuple[SettingChange, ...]:
    """Each setting that is another now."""
    one, other = settings_entry(before), settings_entry(after)
    return tuple(SettingChange(name, one[name], other[name]) for name in one if one[name] != other[name])
