"""Who speaks: the device of a token, and what it may ask for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container
from hashlib import sha256
from typing import Annotated, NamedTuple

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from cardroom.floor import Floor
from cardroom.floor.people.senders import device_id, device_name
from cardroom.jackpots.contents import LoggerGap
from cardroom.jackpots.room.devices import DeviceStands, HeldUp
from cardroom.jackpots.setup.devices import DeviceKind
from cardroom.jackpots.tabulator.pace import TooManyRounds
from cardroom.jackpots.tabulator.unit import CannotTabulate
from cardroom.web.devices.refusals import NotForThisDevice
from cardroom.web.devices.tokens import Holder

_BEARER = HTTPBearer(
    auto_error=False,
    scheme_name="device",
    description="The token of a device, as it was shown when the device was registered.",
)
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)]


class Speaker(NamedTuple):
    """A device that speaks for its table."""

    floor: Floor
    device: str
    stands: DeviceStands

    @property
    def table(self) -> str:
        return self.stands.table

    @property
    def who(self) -> str:
        """Who did it: the device, and not a person."""
        return device_name(self.device)

    def command(self, id: str) -> str:
        """The id of a command: no two devices ever meet in one.

        >>> Speaker(None, "T-1001", None).command("17")
        'device T-1001/17'
        """
        return device_id(self.device, id)

    def still_speaks(self) -> bool:
        """Whether its token is still worth something."""
        now = self.floor.device(self.device)
        return not now.withdrawn and now.generation == self.stands.generation

    def may_go_on(self, command: str) -> bool:
        """Whether the device waits for people, and not any longer once this command is carried out. The repetition of
        an old one says nothing of how it stands now."""
        return self.stands.held_up is not None and self.floor.ledger.find_result(command) is None

    def refuse_on_hold(self, command: str, sensors: Container[str]) -> None:
        """While more rounds were sent than the table can have played, none is counted. A device that waits for people
        for another reason shows what its counter says, or is not believed."""
        held = self.stands.held_up
        if held is None or self.floor.ledger.find_result(command) is not None:
            return
        if held.too_many:
            raise TooManyRounds(held.why)
        wanted = [str(wager.sensor) for wager in self.floor.table(self.table).playing.wagers]
        if missing := [sensor for sensor in wanted if sensor not in sensors]:
            raise CannotTabulate(
                f"{self.device} waits for people on the floor, so its presses say what the unit's counter shows: send "
                f"'counter' for sensor {', '.join(missing)}. Why it waits: {held.why}"
            )

    def hold_up(self, command: str, why: str, gap: LoggerGap | None = None, *, too_many: bool = False) -> None:
        """Let the floor hear that people have to look at what the device sends."""
        if self.stands.held_up == HeldUp(why, gap, too_many):
            return  # the floor has heard, however often it is sent
        # The same command may be refused for another reason later, which is another thing to hear of.
        id = f"{command} held up {sha256(why.encode()).hexdigest()[:12]}"
        self.floor.hold_up_device(id, self.who, self.device, why, gap, too_many=too_many)

    def go_on(self, command: str) -> None:
        """Let the floor hear that what the device sends follows again."""
        self.floor.let_device_go_on(f"{command} went on", self.who, self.device)


async def speaker(request: Request, _: Credentials) -> Speaker:
    """The device whose token came with the call; it was let in before (`calling`)."""
    holder: Holder = request.state.holder
    return Speaker(request.app.state.floor, *holder)


AnyDevice = Annotated[Speaker, Depends(speaker)]


def speaking(what: str, *kinds: DeviceKind) -> Callable[[AnyDevice], Awaitable[Speaker]]:
    """A device of one of these kinds; ``what`` says what no other kind does."""

    async def of_that_kind(one: AnyDevice) -> Speaker:
        if one.stands.kind not in kinds:
            those = " or a ".join(kind.words for kind in kinds)
            raise NotForThisDevice(
                f"{one.device} is the {one.stands.kind.words} of {one.table}: it does not {what}. A {those} does, with "
                "a token of its own."
            )
        return one

    return of_that_kind


Tabulating = Annotated[Speaker, Depends(speaking("post presses", DeviceKind.TABULATOR))]
Logging = Annotated[Speaker, Depends(speaking("forward records", DeviceKind.DATA_LOGGER))]
Counting = Annotated[Speaker, Depends(speaking("count wagers", DeviceKind.TABULATOR, DeviceKind.DATA_LOGGER))]
Console = Annotated[Speaker, Depends(speaking("run a live table", DeviceKind.CONSOLE))]
Sign = Annotated[Speaker, Depends(speaking("fetch the LED sign", DeviceKind.LED))]
Monitor = Annotated[Speaker, Depends(speaking("fetch the monitor's display", DeviceKind.MONITOR))]
