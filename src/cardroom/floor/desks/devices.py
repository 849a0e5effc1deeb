"""Devices that speak over the network: registered for a table, renewed, withdrawn; and what holds one up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from cardroom.errors import BadInput
from cardroom.floor.desks.answers import RecordsTaken
from cardroom.floor.desks.desk import Body
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.lines import LineDesk
from cardroom.floor.kept.chains import ROOM, felt_chain, table_chain
from cardroom.floor.kept.table import open_at
from cardroom.floor.live.dealing import dealt_live
from cardroom.jackpots import Happening, read_as, written
from cardroom.jackpots.contents import LoggerGap
from cardroom.jackpots.room.device_tokens import digest_of, new_token
from cardroom.jackpots.room.devices import (
    CannotRegister,
    Devices,
    DeviceStands,
    go_on,
    hold_up,
    known_device,
    refuse_rounds,
    register_device,
    renew_device,
    speaking_device,
    withdraw_device,
)
from cardroom.jackpots.room.devices import too_many as held_for_rounds
from cardroom.jackpots.room.state import RoomState
from cardroom.jackpots.setup.devices import DeviceKind
from cardroom.jackpots.tabulator.pace import accept_rounds
from cardroom.ledger import Json, Time


class NothingHeldUp(BadInput):
    """A device that waits for nobody to accept a gap."""


class DeviceStanding(NamedTuple):
    """A device after a command."""

    device: str
    table: str
    kind: DeviceKind
    generation: int
    """Of its token."""
    withdrawn: str
    """Why it may not speak any more; empty while it may."""
    held_up: str
    """Why it waits for people; empty when it does not."""
    digest: str
    """Of its token."""


class TokenGiven(NamedTuple):
    """A device that has got a token."""

    standing: DeviceStanding
    token: str | None
    """To be shown once. None where the command was carried out before: then it was shown, and nobody has it here."""


def device_standing(device: str, stands: DeviceStands) -> DeviceStanding:
    """A device as the commands answer it."""
    held_up = stands.held_up.why if stands.held_up else ""
    return DeviceStanding(
        device, stands.table, stands.kind, stands.generation, stands.withdrawn, held_up, stands.digest
    )


class DeviceDesk(LineDesk):
    """What is known of equipment stands on the room's chain."""

    def devices(self) -> Devices:
        """Every device that was ever registered, by name."""
        return self.room().devices

    def device(self, device: str) -> DeviceStands:
        """A device by its name."""
        return known_device(self.devices(), device)

    def register_device(self, id: str, who: str, table: str, device: str, kind: str) -> TokenGiven:
        """Let a device speak for a table from now on: one of its tabulator, or the console of a dealer who deals
        there."""
        key, secret, now = self._fresh_key(), self.secret(), self._clock()
        body: Body = {"do": "register-device", "who": who, "table": table, "device": device, "kind": kind}
        if kind == DeviceKind.CONSOLE:
            return _given(self._register_console(id, who, table, device, body, key, now), key, secret)

        def decide(draft: Draft) -> tuple[Happening, ...]:
            model = open_at(draft.table(table)).tabulator.table.model
            return register_device(
                draft.room().devices, device, kind, table, model, who=who, key=key, secret=secret, now=now
            )

        self.table(table)
        return _given(self._at_device(id, device, body, decide, table_chain(table)), key, secret)

    def _register_console(
        self, id: str, who: str, table: str, device: str, body: Body, key: bytes, now: Time
    ) -> DeviceStanding:
        secret = self.secret()

        def decide(draft: Draft) -> tuple[Happening, ...]:
            state = dealt_live(draft.felt(table))
            if state.closed:
                raise CannotRegister(f"Table {table} is closed ({state.closed}): open it first (cardroom felt open).")
            devices, kind = draft.room().devices, DeviceKind.CONSOLE
            return register_device(devices, device, kind, table, None, who=who, key=key, secret=secret, now=now)

        self.felt(table)
        return self._at_device(id, device, body, decide, felt_chain(table))

    def renew_device(self, id: str, who: str, device: str, why: str) -> TokenGiven:
        """Give a device another token: the one before it is worth nothing any more."""
        body: Body = {"do": "renew-device", "who": who, "device": device, "why": why}
        key, secret = self._fresh_key(), self.secret()

        def decide(draft: Draft) -> tuple[Happening, ...]:
            return renew_device(draft.room().devices, device, who=who, why=why, key=key, secret=secret)

        return _given(self._at_device(id, device, body, decide), key, secret)

    def withdraw_device(self, id: str, who: str, device: str, why: str) -> DeviceStanding:
        """Let a device speak no more."""
        body: Body = {"do": "withdraw-device", "who": who, "device": device, "why": why}
        return self._at_device(
            id, device, body, lambda draft: withdraw_device(draft.room().devices, device, who=who, why=why)
        )

    def hold_up_device(
        self, id: str, who: str, device: str, why: str, gap: LoggerGap | None = None, *, too_many: bool = False
    ) -> DeviceStanding:
        """Note that people have to look at what a device sends."""
        told: Body = {"gap": written(gap) if gap else None, "too_many": too_many}
        body: Body = {"do": "hold-up-device", "who": who, "device": device, "why": why, **told}

        def decide(draft: Draft) -> tuple[Happening, ...]:
            return hold_up(draft.room().devices, device, who=who, why=why, gap=gap, too_many=too_many)

        return self._at_device(id, device, body, decide)

    def accept_rounds(
        self, id: str, who: str, device: str, rounds: int, why: str, *, second: str | None
    ) -> DeviceStanding:
        """Let a device that has sent more rounds than its table can have played send so many of them: it goes on, and
        each is counted once. Two people accept that (BJ-54)."""
        body: Body = {
            "do": "accept-rounds",
            "who": who,
            "second": second,
            "device": device,
            "rounds": rounds,
            "why": why,
        }
        table = known_device(self.devices(), device).table

        def decide(draft: Draft) -> tuple[Happening, ...]:
            room = draft.room()
            stands = held_for_rounds(room.devices, device)
            if stands.table != table:
                raise NothingHeldUp(f"Device {device} was moved at this very moment: send the command again.")
            state = open_at(draft.table(table)).tabulator
            accepted = accept_rounds(state, rounds, device=device, by=who, second=second, why=why)
            draft.at_table(table, accepted)
            return go_on(room.devices, device, who=who)

        return self._at_device(id, device, body, decide, table_chain(table))

    def refuse_rounds(self, id: str, who: str, device: str, why: str, *, second: str | None) -> DeviceStanding:
        """Refuse the rounds that a device has sent too many of: they are never counted, and its token is worth nothing
        any more. Two people refuse them (BJ-54)."""
        body: Body = {"do": "refuse-rounds", "who": who, "second": second, "device": device, "why": why}
        return self._at_device(
            id,
            device,
            body,
            lambda draft: refuse_rounds(draft.room().devices, device, who=who, second=second, why=why),
        )

    def let_device_go_on(self, id: str, who: str, device: str) -> DeviceStanding:
        """Note that what a device sends follows again."""
        body: Body = {"do": "let-device-go-on", "who": who, "device": device}
        return self._at_device(id, device, body, lambda draft: go_on(draft.room().devices, device, who=who))

    def accept_gap(self, id: str, who: str, device: str, why: str, *, second: str | None) -> RecordsTaken:
        """Let a data logger go on behind records that were lost or cannot be counted: the counter is read as it stood
        there, and stands for them. Two people accept that (BJ-34)."""
        stands = speaking_device(self.devices(), device)
        gap = stands.held_up.gap if stands.held_up else None
        if gap is None:
            held = f"it waits for something else: {stands.held_up.why}" if stands.held_up else "nothing holds it up."
            raise NothingHeldUp(f"Device {device} has no gap to accept: {held}")
        return self.pass_over_records(id, who, stands.table, gap.mark, gap.counter, why, second=second)

    def _at_device(
        self, id: str, device: str, body: Body, decide: Callable[[Draft], tuple[Happening, ...]], *chains: str
    ) -> DeviceStanding:
        def decided(draft: Draft) -> Json:
            happened = decide(draft)
            room: RoomState = draft.at_room(happened) if happened else draft.room()
            entry: Json = written(device_standing(device, known_device(room.devices, device)))
            return entry

        return self._do(id, body, (*chains, ROOM), decided, _standing)


def _given(standing: DeviceStanding, key: bytes, secret: bytes) -> TokenGiven:
    """The token of the key, if that is the one whose digest the answer has: an answer of before has another's."""
    token = new_token(standing.device, standing.generation, key)
    return TokenGiven(standing, token if digest_of(token, secret) == standing.digest else None)


def _standing(entry: Any) -> DeviceStanding:
    return read_as(DeviceStanding, entry)
