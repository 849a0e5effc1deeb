"""Failures on demand: what goes wrong, how often, and in which round.

>>> parse_failures(["lost-lines=0.1,repeat=0.25", "jump=2@17,clock=-90s"])
FailurePlan(lost_lines=0.1, garbled=0.0, late=0.0, repeat=0.25, cut=0.0, jump=CounterJump(by=2, at=17), forget=0, \
clock=-90000000)

The line from a device to its server: calls with a token, again and again while nobody answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import Any, Final, NamedTuple

import httpx

from cardroom.errors import BadInput, quote

_OFTEN: Final = {
    "lost-lines": "a press, or a line of the logger, is lost on the way there",
    "garbled": "a line of the logger is changed on the way",
    "late": "a press or a record comes behind the ones after it",
    "repeat": "what was answered is sent once more",
    "cut": "the connection breaks before the answer is read",
}
_CLOCK: Final = re.compile(r"([+-]?)([0-9]{1,9})(s|m|h|d)?")
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class BadFailure(BadInput):
    """A failure that nobody can make happen."""


class CounterJump(NamedTuple):
    """A counter that goes on by itself."""

    by: int
    at: int
    """The round before whose press it does; 0 for none."""


class FailurePlan(NamedTuple):
    """What goes wrong. The first five say how often, from 0 to 1."""

    lost_lines: float = 0.0
    garbled: float = 0.0
    late: float = 0.0
    repeat: float = 0.0
    cut: float = 0.0
    jump: CounterJump = CounterJump(0, 0)
    forget: int = 0
    """The round of which the unit forgets to tell; 0 for none."""
    clock: int = 0
    """Microseconds by which the unit's clock is ahead."""


def parse_failures(texts: Iterable[str]) -> FailurePlan:
    """The failures that somebody has typed, such as ``lost-lines=0.1,late=0.2``."""
    options: dict[str, Any] = {}
    for part_text in (part.strip() for text in texts for part in text.split(",")):
        name, _, value = part_text.partition("=")
        if name in _OFTEN:
            options[name.replace("-", "_")] = _parse_share(part_text, value)
        elif name == "jump":
            by, _, at = value.partition("@")
            options[name] = CounterJump(_parse_number(part_text, by), _parse_number(part_text, at))
        elif name == "forget":
            options[name] = _parse_number(part_text, value.removeprefix("@"))
        elif name == "clock":
            options[name] = _parse_microseconds(part_text, value)
        else:
            often = ", ".join(f"{name}=0.1 ({meaning})" for name, meaning in _OFTEN.items())
            raise BadFailure(
                f"{quote(part_text)} is no failure: choose {often}, jump=1@17 (the counter goes on by one before "
                "round 17), "
                "forget=17 (round 17 is never told of), clock=+90s."
            )
    return FailurePlan()._replace(**options)


def _parse_share(text: str, value: str) -> float:
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 0.9:
        raise BadFailure(f"{quote(text)} does not say how often: give a share from 0 to 0.9, such as 0.1.")
    return share


def _parse_number(text: str, value: str) -> int:
    if not value.isascii() or not value.isdigit() or not int(value[:9]) > 0 or len(value) > 9:
        raise BadFailure(f"{quote(text)} needs whole numbers from 1, such as jump=1@17 or forget=17.")
    return int(value)


def _parse_microseconds(text: str, value: str) -> int:
    match = _CLOCK.fullmatch(value)
    if not match:
        raise BadFailure(f"{quote(text)} is no difference of clocks: write it as +90s, -5m, 2h or 1d.")
    sign, number, unit = match.groups()
    return int(f"{sign}{number}") * _UNITS[unit or "s"] * 1_000_000


class FailureInjector:
    """The dice by which failures happen. They are apart from those of the wagers, so that the same seed lays the same
    wagers whatever goes wrong."""

    def __init__(self, failures: FailurePlan, dice: Random) -> None:
        self.plan, self._dice = failures, dice
        self.counts: dict[str, int] = {}
        """How often each failure came."""

    def occurs(self, name: str) -> bool:
        """Whether a failure that happens now and then happens now."""
        share: float = getattr(self.plan, name)
        # One throw for each question, so that one failure more or less does not change when the others come.
        occurs = self._dice.random() < share
        if occurs:
            self.record(name)
        return occurs

    def record(self, name: str) -> None:
        """Remember that it came."""
        self.counts[name] = self.counts.get(name, 0) + 1

    def pick(self, number: int) -> int:
        """One of so many."""
        return self._dice.randrange(number)


DEVICE_API: Final = "/api/v1/devices"
FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0
"""Seconds between two attempts: each pause is twice the one before."""
RESPONSE_SECONDS: Final = 10.0
"""Seconds in which a server must answer a call."""
HEARTBEAT_SECONDS: Final = 15.0
"""Seconds; a room that hears nothing for a minute sends somebody to look."""
_AWAY: Final = (429, 500, 502, 503, 504)


class NoAnswer(Exception):
    """The server is away, or the answer never came: nobody knows whether it was done."""


class RetriesExhausted(BadInput):
    """The device waited for as long as it was told to."""


class CallRefused(BadInput):
    """The server said no, with a status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status

    @property
    def may_change(self) -> bool:
        """Whether people can do something about it, so that the same call may be sent again later."""
        return self.status == 409


class ResponseChanged(BadInput):
    """A server that answers the same command in two ways."""


def check_same_response(id: str, first: Any, repeated: Any) -> None:
    """What is sent again gets the first answer again."""
    if repeated != first:
        raise ResponseChanged(f"{id} was sent again and got another answer: {repeated}, not {first}.")


class DeviceResponse(NamedTuple):
    """What a server answers."""

    status: int
    content: Any
    headers: Mapping[str, str]


class DeviceConnection:
    """A device's calls. ``pause`` waits for some seconds, ``patience`` is how long a device waits in all."""

    def __init__(
        self,
        client: httpx.Client,
        token: str,
        failures: FailureInjector,
        pause: Callable[[float], None],
        timeout: float,
    ) -> None:
        self._client, self._token, self._pause, self._timeout = client, token, pause, timeout
        self.failures = failures
        self.calls = 0

    def send_once(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> DeviceResponse:
        """One call. The connection may break on the way there or on the way back; the device cannot tell which."""
        cut = self.failures.occurs("cut")
        if cut and self.failures.pick(2):
            raise NoAnswer("The connection broke before anything was sent.")
        self.calls += 1
        try:
            answer = self._client.request(
                method,
                DEVICE_API + path,
                json=body,
                headers={"authorization": f"Bearer {self._token}", **(headers or {})},
            )
            content = answer.json() if answer.content else None
        except (httpx.HTTPError, ValueError) as fault:
            raise NoAnswer(f"{type(fault).__name__}: {fault}") from None
        if cut:
            raise NoAnswer("The connection broke before the answer was read.")
        if answer.status_code in _AWAY:
            raise NoAnswer(_sentence(content, answer.status_code))
        if answer.status_code >= 400:
            raise CallRefused(answer.status_code, _sentence(content, answer.status_code))
        return DeviceResponse(answer.status_code, content, dict(answer.headers))

    def send_with_retries(self, method: str, path: str, body: Any = None) -> DeviceResponse:
        """The same call until somebody answers."""
        for _ in self.pauses():
            try:
                return self.send_once(method, path, body)
            except NoAnswer as fault:
                reason = fault
        raise RetriesExhausted(
            f"Nobody answered {method} {path} for {self._timeout:,.0f} seconds. The last attempt: {reason}"
        )

    def wait(self, seconds: float) -> None:
        """Wait, and say now and then that the device is there. Nobody needs to hear it."""
        while seconds > HEARTBEAT_SECONDS:
            self._pause(HEARTBEAT_SECONDS)
            seconds -= HEARTBEAT_SECONDS
            with suppress(NoAnswer, CallRefused):
                self.send_once("POST", "/here")
        self._pause(seconds)

    def pauses(self) -> Iterator[int]:
        """Attempts, with a pause before each but the first that is twice the one before; they end when the patience
        does."""
        yield 1
        waited, pause, attempt = 0.0, FIRST_PAUSE, 1
        while waited < self._timeout:
            self._pause(pause)
            waited, pause, attempt = waited + pause, min(2 * pause, LONGEST_PAUSE), attempt + 1
            yield attempt


def _sentence(content: Any, status: int) -> str:
    """
    >>> _sentence({"error": "No."}, 409), _sentence(None, 502)
    ('No.', 'The server answered with status 502.')
    """
    error = content.get("error") if isinstance(content, dict) else None
    return str(error) if error else f"The server answered with status {status}."
