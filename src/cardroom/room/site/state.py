"""The state of the card room as a whole, its reducer, and changes of its settings."""

from __future__ import annotations

from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.games.frozen_map import FrozenMap
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.event_types import DomainEvent
from cardroom.room.setup.site import SiteSettings, site_settings_to_mapping
from cardroom.room.site.day import GamingDays, apply_day_event, day_closing_key, day_opening_key
from cardroom.room.site.device import Devices, Units, apply_device_event, apply_unit_moved
from cardroom.room.site.events import (
    BackupRestored,
    ClockConfirmed,
    DayClosed,
    DayOpened,
    DeviceBlocked,
    DeviceRegistered,
    DeviceRenewed,
    DeviceUnblocked,
    DeviceWithdrawn,
    HeadsExported,
    HeadsKeyRecorded,
    KeyBackedUp,
    KeyRotated,
    MalfunctionReportClosed,
    MalfunctionReported,
    MalfunctionReportSent,
    OperatorRecovered,
    RecoveryAcknowledged,
    SecretRecorded,
    SecretReplaced,
    SiteConfigured,
    UnitMoved,
)
from cardroom.room.site.malfunction_reports import Reports, apply_report_event, report_key
from cardroom.room.site.recovery import Recoveries, apply_recovery_event

_SETTING_NAMES: Final = {
    "name": "name",
    "time_zone": "time zone",
    "day_starts": "start of the gaming day",
    "dealer_pays": "dealer's payout limit",
    "rounds_an_hour": "most rounds an hour",
}


class SettingChange(NamedTuple):
    """One changed setting, with its values as in the setup file."""

    setting: str
    before: str | int
    after: str | int

    @property
    def text(self) -> str:
        """
        >>> SettingChange("dealer_pays", "$500", "$900").text
        "dealer's payout limit: $500 to $900"
        """
        before, after = ("none" if value == "" else value for value in (self.before, self.after))
        return f"{_SETTING_NAMES[self.setting]}: {before} to {after}"


def list_setting_changes(before: SiteSettings, after: SiteSettings) -> tuple[SettingChange, ...]:
    """Each changed setting."""
    former, current = site_settings_to_mapping(before), site_settings_to_mapping(after)
    return tuple(SettingChange(name, former[name], current[name]) for name in former if former[name] != current[name])


class BadSiteEvent(BadInput):
    """An event or change that the state does not allow."""


class SiteState(NamedTuple):
    """The card room after its latest event; before the first one it has the default settings."""

    settings: SiteSettings = SiteSettings()
    reports: Reports = ()
    """The open malfunction reports."""
    units: Units = FrozenMap()
    """The tabulators' units."""
    days: GamingDays = GamingDays()
    devices: Devices = FrozenMap()
    """The devices, including withdrawn ones."""
    secret: str = ""
    """The digest of the card room's secret; empty while there is none."""
    heads_key: str = ""
    """The public key that signs heads; empty before the first signed head."""
    recoveries: Recoveries = ()
    """Every recovery of an operator at the machine."""
    key: str = ""
    """The fingerprint of the key that encrypts secrets in the database."""


def configure_site(
    state: SiteState, settings: SiteSettings, *, who: str, second: str, why: str
) -> tuple[SiteConfigured, ...]:
    """Change the card room's settings; two people sign, because the settings include one person's limits."""
    first_name, second_name = require_two_people(who, second, "the settings of the card room")
    if settings == state.settings:
        raise BadSiteEvent("The card room already has these settings.")
    return (SiteConfigured(who=first_name, second=second_name, why=require_text(why, "reason"), settings=settings),)


def record_heads_key(state: SiteState, key: str, *, who: str, second: str, why: str) -> tuple[HeadsKeyRecorded, ...]:
    """Record the public key that signs heads. Two people replace a recorded key."""
    if key == state.heads_key:
        raise BadSiteEvent("This key already signs heads.")
    if state.heads_key:
        first_name, second_name = require_two_people(who, second, "the key that signs heads")
        return (HeadsKeyRecorded(who=first_name, second=second_name, why=require_text(why, "reason"), key=key),)
    return (HeadsKeyRecorded(who=require_text(who, "name"), second=second, why=why, key=key),)


def apply_site_event(state: SiteState | None, event: DomainEvent) -> SiteState:
    """The card room after an event."""
    current = state or SiteState()
    match event:
        case SiteConfigured(settings=settings):
            return current._replace(settings=settings)
        case MalfunctionReported() | MalfunctionReportSent() | MalfunctionReportClosed():
            return current._replace(reports=apply_report_event(current.reports, event))
        case UnitMoved():
            return current._replace(units=apply_unit_moved(current.units, event))
        case DayOpened() | DayClosed():
            return current._replace(days=apply_day_event(current.days, event))
        case HeadsExported():
            return current
        case OperatorRecovered() | RecoveryAcknowledged():
            return current._replace(recoveries=apply_recovery_event(current.recoveries, event))
        case HeadsKeyRecorded(key=key, second=second):
            if current.heads_key and not second:
                raise BadSiteEvent("Two people must replace the key that signs heads.")
            return current._replace(heads_key=key)
        case ClockConfirmed():
            return current
        case DeviceRegistered() | DeviceRenewed() | DeviceWithdrawn() | DeviceBlocked() | DeviceUnblocked():
            return current._replace(devices=apply_device_event(current.devices, event))
        case SecretRecorded(digest=seal, key=key):
            if current.secret:
                raise BadSiteEvent("The card room already has a secret.")
            return current._replace(secret=seal, key=key)
        case SecretReplaced(digest=seal, key=key):
            return current._replace(secret=seal, key=key)
        case KeyRotated(key=key):
            return current._replace(key=key)
        case KeyBackedUp() | BackupRestored():
            return current
    raise BadSiteEvent(f"{event.kind} is not an event of the card room.")


def site_unique_keys(event: DomainEvent) -> tuple[str, ...]:
    """The unique keys of an event of the card room."""
    match event:
        case MalfunctionReported(number=number):
            return (report_key(number),)
        case DayOpened(day=day):
            return (day_opening_key(day),)
        case DayClosed(day=day):
            return (day_closing_key(day),)
    return ()
