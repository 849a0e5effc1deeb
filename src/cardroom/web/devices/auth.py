"""Authentication of devices: the device of a token, and its allowed requests.

A console also needs a signed-in dealer, whose login the ledger records. An idle console is locked like every other
device.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container
from hashlib import sha256
from typing import Annotated, Final, NamedTuple

from fastapi import Depends, Header, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from cardroom.room.jackpot.event_values import LoggerGap
from cardroom.room.setup.tabulator_models import DeviceKind
from cardroom.room.site.device import DeviceBlock, DeviceState
from cardroom.room.tabulator.plausibility import TooManyRounds
from cardroom.room.tabulator.unit import CannotTabulate
from cardroom.room.user.command_ids import device_actor, device_command_id
from cardroom.room.user.permissions import Permission, has_permission, permission_error
from cardroom.room.user.sign_in import UserSession
from cardroom.service import CardRoom
from cardroom.service.commands.second_signature import Signature, SignatureRequest
from cardroom.web.devices.errors import NoDealerSignedIn, NotForThisDevice, TokenHolder
from cardroom.web.middleware.rejections import client_address
from cardroom.web.services.app_context import AppContext

_BEARER = HTTPBearer(
    auto_error=False,
    scheme_name="device",
    description="The token of a device, shown once when the device was added.",
)
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]


class DeviceCaller(NamedTuple):
    """An authenticated device."""

    card_room: CardRoom
    device: str
    registration: DeviceState

    @property
    def table(self) -> str:
        return self.registration.table

    @property
    def who(self) -> str:
        """The device as the actor of a command."""
        return device_actor(self.device)

    def command(self, id: str) -> str:
        """The id of a command, unique to the device.

        >>> DeviceCaller(None, "T-1001", None).command("17")
        'device T-1001/17'
        """
        return device_command_id(self.device, id)

    def is_still_registered(self) -> bool:
        """Whether its token is still valid."""
        current = self.card_room.get_device(self.device)
        return not current.withdrawn and current.generation == self.registration.generation

    def may_continue(self, command: str) -> bool:
        """Whether this command can take the device off hold. A repeated command cannot."""
        return self.registration.held_up is not None and self.card_room.ledger.find_result(command) is None

    def refuse_on_hold(self, command: str, sensors: Container[str]) -> None:
        """Refuse a press while the device is on hold. Held rounds are never counted; on hold for another reason, a
        press must include the counter readings."""
        hold = self.registration.held_up
        if hold is None or self.card_room.ledger.find_result(command) is not None:
            return
        if hold.too_many:
            raise TooManyRounds(hold.why)
        sensor_numbers = [str(wager.sensor) for wager in self.card_room.tabulator(self.table).active_table.wagers]
        if missing := [sensor for sensor in sensor_numbers if sensor not in sensors]:
            raise CannotTabulate(
                f"{self.device} is on hold, so each press must include the unit's counter. Send 'counter' for sensor "
                f"{', '.join(missing)}. Reason for the hold: {hold.why}"
            )

    def suspend(self, command: str, reason: str, gap: LoggerGap | None = None, *, too_many: bool = False) -> None:
        """Put the device on hold until people check it."""
        if self.registration.held_up == DeviceBlock(reason, gap, too_many):
            return  # already on hold for this reason
        # The same command may be refused for another reason later, which is a new hold.
        id = f"{command} held up {sha256(reason.encode()).hexdigest()[:12]}"
        self.card_room.hold_device(id, self.who, self.device, reason, gap, too_many=too_many)

    def resume(self, command: str) -> None:
        """Take the device off hold."""
        self.card_room.release_device(f"{command} went on", self.who, self.device)


async def authenticate_device(request: Request, _: Credentials) -> DeviceCaller:
    """The device of the request's token, which the route has authenticated."""
    holder: TokenHolder = request.state.holder
    return DeviceCaller(request.app.state.card_room, *holder)


AnyDevice = Annotated[DeviceCaller, Depends(authenticate_device)]


def require_kind(purpose: str, *kinds: DeviceKind) -> Callable[[AnyDevice], Awaitable[DeviceCaller]]:
    """Require a device of one of these kinds; ``purpose`` names what only they do."""

    async def check_kind(device: AnyDevice) -> DeviceCaller:
        if device.registration.kind not in kinds:
            allowed = " or a ".join(kind.text for kind in kinds)
            raise NotForThisDevice(
                f"{device.device} is the {device.registration.kind.text} of {device.table} and cannot {purpose}. Use "
                f"the token of a {allowed}."
            )
        return device

    return check_kind


TabulatorCaller = Annotated[DeviceCaller, Depends(require_kind("post presses", DeviceKind.TABULATOR))]
DataLoggerCaller = Annotated[DeviceCaller, Depends(require_kind("forward records", DeviceKind.DATA_LOGGER))]
CountingCaller = Annotated[
    DeviceCaller, Depends(require_kind("count wagers", DeviceKind.TABULATOR, DeviceKind.DATA_LOGGER))
]
ConsoleCaller = Annotated[DeviceCaller, Depends(require_kind("run a live table", DeviceKind.CONSOLE))]
SignCaller = Annotated[DeviceCaller, Depends(require_kind("fetch the LED sign", DeviceKind.LED))]
MonitorCaller = Annotated[DeviceCaller, Depends(require_kind("fetch the monitor's display", DeviceKind.MONITOR))]


HEADER: Final = "cardroom-session"
VIEW, DEAL, VOID = Permission.SEE_CONSOLES, Permission.DEAL, Permission.VOID_ROUNDS
"""The permissions of a console's requests, the same as those of the console's page."""


class ConsoleSession(NamedTuple):
    """A console with its signed-in dealer."""

    device: DeviceCaller
    session: UserSession
    address: str
    context: AppContext

    @property
    def who(self) -> str:
        return self.session.login

    async def sign(self, to_sign: SignatureRequest, password: str) -> Signature:
        """Sign one command for a second person."""
        return await self.context.sign(to_sign, password, permission=VOID, address=self.address)


SessionToken = Annotated[
    str,
    Header(alias="Cardroom-Session", description="The dealer's token from `POST /api/v1/sessions`.", max_length=200),
]


async def dealing_session(request: Request, device: ConsoleCaller, token: SessionToken = "") -> ConsoleSession:
    """The session of a dealer who deals at a console."""
    return await _console_session(request, device, token, DEAL)


async def voiding_session(request: Request, device: ConsoleCaller, token: SessionToken = "") -> ConsoleSession:
    """The session of a user who voids a round at a console."""
    return await _console_session(request, device, token, VOID)


async def viewing_session(request: Request, device: ConsoleCaller, token: SessionToken = "") -> ConsoleSession:
    """The session of a console that only reads. Reading does not postpone the idle lock."""
    return await _console_session(request, device, token, VIEW)


async def _console_session(
    request: Request, device: DeviceCaller, token: str, permission: Permission
) -> ConsoleSession:
    context: AppContext = request.app.state.context
    session = await context.sessions.find(token, active=permission is not VIEW, by_program=True)
    if session is None:
        raise NoDealerSignedIn(
            "No dealer is signed in at this console. Sign in with POST /api/v1/sessions and send the token as "
            "Cardroom-Session."
        )
    if session.locked:
        raise NoDealerSignedIn(
            f"The console is locked ({session.locked}). Send POST /api/v1/sessions/unlock with the PIN first."
        )
    if session.must_change_password:
        raise NoDealerSignedIn(f"{session.login} has a one-time password. Choose a new password in the browser first.")
    if not has_permission(session.role, permission):
        raise permission_error(session.login, session.role, permission)
    return ConsoleSession(device, session, client_address(request), context)


DealerSession = Annotated[ConsoleSession, Depends(dealing_session)]
VoidingSession = Annotated[ConsoleSession, Depends(voiding_session)]
ViewingSession = Annotated[ConsoleSession, Depends(viewing_session)]
