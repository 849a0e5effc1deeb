"""Who speaks: the device of a token, and what it may ask for.

Who deals at a console: the device speaks for its table, and the dealer who is signed in there answers for what is
done. A console that nobody has touched for a while is locked like every other device.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container
from hashlib import sha256
from typing import Annotated, Final, NamedTuple

from fastapi import Depends, Header, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from cardroom.room.jackpot.event_values import LoggerGap
from cardroom.room.setup.equipment import DeviceKind
from cardroom.room.site.device import DeviceBlock, DeviceState
from cardroom.room.tabulator.plausibility import TooManyRounds
from cardroom.room.tabulator.unit import CannotTabulate
from cardroom.room.user.command_ids import device_actor, device_command_id
from cardroom.room.user.permissions import Permission, has_permission, permission_error
from cardroom.room.user.sign_in import UserSession
from cardroom.service import CardRoom
from cardroom.service.commands.signatures import Signature, SignatureRequest
from cardroom.web.devices.errors import NoDealerSignedIn, NotForThisDevice, TokenHolder
from cardroom.web.middleware.rejections import client_address
from cardroom.web.services.app_context import AppContext

_BEARER = HTTPBearer(
    auto_error=False,
    scheme_name="device",
    description="The token of a device, as it was shown when the device was registered.",
)
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]


class DeviceCaller(NamedTuple):
    """A device that speaks for its table."""

    floor: CardRoom
    device: str
    registration: DeviceState

    @property
    def table(self) -> str:
        return self.registration.table

    @property
    def who(self) -> str:
        """Who did it: the device, and not a person."""
        return device_actor(self.device)

    def command(self, id: str) -> str:
        """The id of a command: no two devices ever meet in one.

        >>> DeviceCaller(None, "T-1001", None).command("17")
        'device T-1001/17'
        """
        return device_command_id(self.device, id)

    def is_still_registered(self) -> bool:
        """Whether its token is still worth something."""
        now = self.floor.get_device(self.device)
        return not now.withdrawn and now.generation == self.registration.generation

    def may_continue(self, command: str) -> bool:
        """Whether the device waits for people, and not any longer once this command is carried out. The repetition of
        an old one says nothing of how it stands now."""
        return self.registration.held_up is not None and self.floor.ledger.find_result(command) is None

    def refuse_on_hold(self, command: str, sensors: Container[str]) -> None:
        """While more rounds were sent than the table can have played, none is counted. A device that waits for people
        for another reason shows what its counter says, or is not believed."""
        hold = self.registration.held_up
        if hold is None or self.floor.ledger.find_result(command) is not None:
            return
        if hold.too_many:
            raise TooManyRounds(hold.why)
        sensor_numbers = [str(wager.sensor) for wager in self.floor.tabulator(self.table).active_table.wagers]
        if missing := [sensor for sensor in sensor_numbers if sensor not in sensors]:
            raise CannotTabulate(
                f"{self.device} waits for people on the floor, so its presses say what the unit's counter shows: send "
                f"'counter' for sensor {', '.join(missing)}. Why it waits: {hold.why}"
            )

    def suspend(self, command: str, reason: str, gap: LoggerGap | None = None, *, too_many: bool = False) -> None:
        """Let the floor hear that people have to look at what the device sends."""
        if self.registration.held_up == DeviceBlock(reason, gap, too_many):
            return  # the floor has heard, however often it is sent
        # The same command may be refused for another reason later, which is another thing to hear of.
        id = f"{command} held up {sha256(reason.encode()).hexdigest()[:12]}"
        self.floor.hold_device(id, self.who, self.device, reason, gap, too_many=too_many)

    def resume(self, command: str) -> None:
        """Let the floor hear that what the device sends follows again."""
        self.floor.release_device(f"{command} went on", self.who, self.device)


async def authenticate_device(request: Request, _: Credentials) -> DeviceCaller:
    """The device whose token came with the call; it was let in before (`calling`)."""
    holder: TokenHolder = request.state.holder
    return DeviceCaller(request.app.state.floor, *holder)


AnyDevice = Annotated[DeviceCaller, Depends(authenticate_device)]


def require_kind(purpose: str, *kinds: DeviceKind) -> Callable[[AnyDevice], Awaitable[DeviceCaller]]:
    """A device of one of these kinds; ``purpose`` says what no other kind does."""

    async def check_kind(device: AnyDevice) -> DeviceCaller:
        if device.registration.kind not in kinds:
            those = " or a ".join(kind.text for kind in kinds)
            raise NotForThisDevice(
                f"{device.device} is the {device.registration.kind.text} of {device.table}: it does not {purpose}. A "
                f"{those} does, with "
                "a token of its own."
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
"""What the calls of a console take: the same rights as the console's page."""


class ConsoleSession(NamedTuple):
    """A console, and the dealer at it."""

    device: DeviceCaller
    session: UserSession
    address: str
    context: AppContext

    @property
    def who(self) -> str:
        return self.session.login

    async def sign(self, to_sign: SignatureRequest, password: str) -> Signature:
        """A second person signs in for one command."""
        return await self.context.sign(to_sign, password, permission=VOID, address=self.address)


SessionToken = Annotated[
    str, Header(alias="Cardroom-Session", description="The dealer's, from `POST /api/v1/sessions`.", max_length=200)
]


async def dealing_session(request: Request, speaker: ConsoleCaller, token: SessionToken = "") -> ConsoleSession:
    """The dealer who is signed in at a console, and does something there."""
    return await _console_session(request, speaker, token, DEAL)


async def voiding_session(request: Request, speaker: ConsoleCaller, token: SessionToken = "") -> ConsoleSession:
    """The person who is signed in at a console, and calls a round off."""
    return await _console_session(request, speaker, token, VOID)


async def viewing_session(request: Request, speaker: ConsoleCaller, token: SessionToken = "") -> ConsoleSession:
    """The same, where the console only asks what to show: that keeps no console awake."""
    return await _console_session(request, speaker, token, VIEW)


async def _console_session(request: Request, speaker: DeviceCaller, token: str, right: Permission) -> ConsoleSession:
    context: AppContext = request.app.state.context
    session = await context.sessions.find(token, active=right is not VIEW, by_program=True)
    if session is None:
        raise NoDealerSignedIn(
            "Nobody is signed in at this console: sign in (POST /api/v1/sessions) and send the token as "
            "Cardroom-Session."
        )
    if session.locked:
        raise NoDealerSignedIn(
            f"The console is locked ({session.locked}): POST /api/v1/sessions/unlock with the PIN first."
        )
    if session.must_change_password:
        raise NoDealerSignedIn(f"{session.login} has a password for one time: choose another one in the browser first.")
    if not has_permission(session.role, right):
        raise permission_error(session.login, session.role, right)
    return ConsoleSession(speaker, session, client_address(request), context)


DealerSession = Annotated[ConsoleSession, Depends(dealing_session)]
VoidingSession = Annotated[ConsoleSession, Depends(voiding_session)]
ViewingSession = Annotated[ConsoleSession, Depends(viewing_session)]
