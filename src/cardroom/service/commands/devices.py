"""Devices that connect over the network: added for a table, renewed, removed; and what blocks one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from cardroom.errors import BadInput
from cardroom.ledger import Json, Time
from cardroom.room.codec import decode, encode
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import LoggerGap
from cardroom.room.setup.tabulator_models import DeviceKind
from cardroom.room.site.device import (
    BadDeviceChange,
    Devices,
    DeviceState,
    block_device,
    new_device_token,
    refuse_rounds,
    register_device,
    renew_device,
    require_active_device,
    require_blocked_device,
    require_device,
    token_digest,
    unblock_device,
    withdraw_device,
)
from cardroom.room.site.state import SiteState
from cardroom.room.table.live_round_steps import require_live_table
from cardroom.room.tabulator.installation import require_open_table
from cardroom.room.tabulator.plausibility import accept_rounds
from cardroom.service.commands.data_logger import LoggerLineCommands
from cardroom.service.commands.handler import Body
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.results import LoggerRecordsResult
from cardroom.service.commands.unit_of_work import UnitOfWork


class NoDeviceHold(BadInput):
    """A device with no gap to accept."""


class DeviceSummary(NamedTuple):
    """A device after a command."""

    device: str
    table: str
    kind: DeviceKind
    generation: int
    """The generation of its token."""
    withdrawn: str
    """Why it was removed; empty while it is active."""
    held_up: str
    """Why people must look at it; empty when nothing blocks it."""
    digest: str
    """The digest of its token."""


class DeviceTokenResult(NamedTuple):
    """A device with a new token."""

    summary: DeviceSummary
    token: str | None
    """Shown once. None where the command was carried out before: the token was shown then, and is not stored."""


def summarize_device(device: str, state: DeviceState) -> DeviceSummary:
    """A device as the commands return it."""
    held_up = state.held_up.why if state.held_up else ""
    return DeviceSummary(device, state.table, state.kind, state.generation, state.withdrawn, held_up, state.digest)


class DeviceCommands(LoggerLineCommands):
    """Devices; their state is on the room's chain."""

    def list_devices(self) -> Devices:
        """Every device that was ever added, by name."""
        return self.room().devices

    def get_device(self, device: str) -> DeviceState:
        """A device by its name."""
        return require_device(self.list_devices(), device)

    def register_device(self, id: str, who: str, table: str, device: str, kind: str) -> DeviceTokenResult:
        """Give a device access for one table: one of its tabulator, or the console of a dealer who deals there."""
        key, secret, now = self.generate_key(), self.get_room_secret(), self.clock()
        body: Body = {"do": "register-device", "who": who, "table": table, "device": device, "kind": kind}
        if kind == DeviceKind.CONSOLE:
            return _make_token_result(self._register_console(id, who, table, device, body, key, now), key, secret)

        def decide(uow: UnitOfWork) -> tuple[DomainEvent, ...]:
            model = require_open_table(uow.tabulator(table)).tabulator.table.model
            return register_device(
                uow.room().devices, device, kind, table, model, who=who, key=key, secret=secret, now=now
            )

        self.tabulator(table)
        return _make_token_result(
            self._execute_on_device(id, device, body, decide, Locks(tabulators=[table])), key, secret
        )

    def _register_console(
        self, id: str, who: str, table: str, device: str, body: Body, key: bytes, now: Time
    ) -> DeviceSummary:
        secret = self.get_room_secret()

        def decide(uow: UnitOfWork) -> tuple[DomainEvent, ...]:
            state = require_live_table(uow.table(table))
            if state.closed:
                raise BadDeviceChange(f"Table {table} is closed ({state.closed}): open it first (cardroom table add).")
            devices, kind = uow.room().devices, DeviceKind.CONSOLE
            return register_device(devices, device, kind, table, None, who=who, key=key, secret=secret, now=now)

        self.table(table)
        return self._execute_on_device(id, device, body, decide, Locks(tables=[table]))

    def renew_device_token(self, id: str, who: str, device: str, why: str) -> DeviceTokenResult:
        """Give a device another token: the one before it is no longer accepted."""
        body: Body = {"do": "renew-device-token", "who": who, "device": device, "why": why}
        key, secret = self.generate_key(), self.get_room_secret()

        def decide(uow: UnitOfWork) -> tuple[DomainEvent, ...]:
            return renew_device(uow.room().devices, device, who=who, why=why, key=key, secret=secret)

        return _make_token_result(self._execute_on_device(id, device, body, decide), key, secret)

    def withdraw_device(self, id: str, who: str, device: str, why: str) -> DeviceSummary:
        """End a device's access."""
        body: Body = {"do": "withdraw-device", "who": who, "device": device, "why": why}
        return self._execute_on_device(
            id, device, body, lambda uow: withdraw_device(uow.room().devices, device, who=who, why=why)
        )

    def hold_device(
        self, id: str, who: str, device: str, why: str, gap: LoggerGap | None = None, *, too_many: bool = False
    ) -> DeviceSummary:
        """Record that people must look at what a device sends."""
        options: Body = {"gap": encode(gap) if gap else None, "too_many": too_many}
        body: Body = {"do": "hold-device", "who": who, "device": device, "why": why, **options}

        def decide(uow: UnitOfWork) -> tuple[DomainEvent, ...]:
            return block_device(uow.room().devices, device, who=who, why=why, gap=gap, too_many=too_many)

        return self._execute_on_device(id, device, body, decide)

    def accept_device_rounds(
        self, id: str, who: str, device: str, rounds: int, why: str, *, second: str | None
    ) -> DeviceSummary:
        """Let a device that has sent more rounds than its table can have played send so many of them: it continues, and
        each is counted once. Two people accept that (BJ-54)."""
        body: Body = {
            "do": "accept-rounds",
            "who": who,
            "second": second,
            "device": device,
            "rounds": rounds,
            "why": why,
        }
        table = require_device(self.list_devices(), device).table

        def decide(uow: UnitOfWork) -> tuple[DomainEvent, ...]:
            room = uow.room()
            device_state = require_blocked_device(room.devices, device)
            if device_state.table != table:
                raise NoDeviceHold(f"Device {device} was moved meanwhile: send the command again.")
            state = require_open_table(uow.tabulator(table)).tabulator
            accepted = accept_rounds(state, rounds, device=device, who=who, second=second, why=why)
            uow.apply_to_tabulator(table, accepted)
            return unblock_device(room.devices, device, who=who)

        return self._execute_on_device(id, device, body, decide, Locks(tabulators=[table]))

    def refuse_device_rounds(self, id: str, who: str, device: str, why: str, *, second: str | None) -> DeviceSummary:
        """Refuse the rounds that a device has sent too many of: they are never counted, and its token is no longer
        accepted. Two people refuse them (BJ-54)."""
        body: Body = {"do": "refuse-rounds", "who": who, "second": second, "device": device, "why": why}
        return self._execute_on_device(
            id,
            device,
            body,
            lambda uow: refuse_rounds(uow.room().devices, device, who=who, second=second, why=why),
        )

    def release_device(self, id: str, who: str, device: str) -> DeviceSummary:
        """Record that what a device sends follows again."""
        body: Body = {"do": "release-device", "who": who, "device": device}
        return self._execute_on_device(
            id, device, body, lambda uow: unblock_device(uow.room().devices, device, who=who)
        )

    def accept_logger_gap(self, id: str, who: str, device: str, why: str, *, second: str | None) -> LoggerRecordsResult:
        """Let a data logger continue after records that were lost or cannot be counted: the counter's reading replaces
        them. Two people accept that (BJ-34)."""
        device_state = require_active_device(self.list_devices(), device)
        gap = device_state.held_up.gap if device_state.held_up else None
        if gap is None:
            hold_text = (
                f"something else blocks it: {device_state.held_up.why}"
                if device_state.held_up
                else "nothing blocks it."
            )
            raise NoDeviceHold(f"Device {device} has no gap to accept: {hold_text}")
        return self.skip_records(id, who, device_state.table, gap.mark, gap.counter, why, second=second)

    def _execute_on_device(
        self,
        id: str,
        device: str,
        body: Body,
        decide: Callable[[UnitOfWork], tuple[DomainEvent, ...]],
        locks: Locks = Locks(),  # noqa: B008
    ) -> DeviceSummary:
        def decide_summary(uow: UnitOfWork) -> Json:
            new_events = decide(uow)
            room: SiteState = uow.apply_to_room(new_events) if new_events else uow.room()
            entry: Json = encode(summarize_device(device, require_device(room.devices, device)))
            return entry

        return self.execute(id, body, locks | Locks(room=True), decide_summary, _decode_device_summary)


def _make_token_result(summary: DeviceSummary, key: bytes, secret: bytes) -> DeviceTokenResult:
    """The token of the key, if the result has its digest: the result of an earlier attempt has another one's."""
    token = new_device_token(summary.device, summary.generation, key)
    return DeviceTokenResult(summary, token if token_digest(token, secret) == summary.digest else None)


def _decode_device_summary(data: Any) -> DeviceSummary:
    return decode(DeviceSummary, data)
