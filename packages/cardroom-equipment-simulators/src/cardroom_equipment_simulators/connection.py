"""A simulated device's connection to its server, with configurable failures and retries.

>>> parse_failures(["lost-lines=0.1,repeat=0.25", "jump=2@17,clock=-90s"])
FailurePlan(lost_lines=0.1, garbled=0.0, late=0.0, repeat=0.25, cut=0.0, jump=CounterJump(by=2, at=17), forget=0, \
clock=-90000000)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import Any, Final, NamedTuple

import httpx

from cardroom.errors import BadInput, quote

_FREQUENT_FAILURES: Final = {
    "lost-lines": "a press or a logger line is lost on the way",
    "garbled": "a logger line is changed on the way",
    "late": "a press or record arrives after later ones",
    "repeat": "a completed request is sent again",
    "cut": "the connection breaks before the response is read",
}
_CLOCK: Final = re.compile(r"([+-]?)([0-9]{1,9})(s|m|h|d)?")
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class BadFailure(BadInput):
    """The failure specification is invalid."""


class CounterJump(NamedTuple):
    """A counter that advances by itself."""

    by: int
    at: int
    """The round before whose press it advances; 0 for none."""


class FailurePlan(NamedTuple):
    """The failures of a run. The first five are probabilities from 0 to 1."""

    lost_lines: float = 0.0
    garbled: float = 0.0
    late: float = 0.0
    repeat: float = 0.0
    cut: float = 0.0
    jump: CounterJump = CounterJump(0, 0)
    forget: int = 0
    """The round that the unit does not report; 0 for none."""
    clock: int = 0
    """Microseconds by which the unit's clock is ahead."""


def parse_failures(texts: Iterable[str]) -> FailurePlan:
    """Failures from text such as ``lost-lines=0.1,late=0.2``."""
    options: dict[str, Any] = {}
    for part_text in (part.strip() for text in texts for part in text.split(",")):
        name, _, value = part_text.partition("=")
        if name in _FREQUENT_FAILURES:
            options[name.replace("-", "_")] = _parse_share(part_text, value)
        elif name == "jump":
            by, _, at = value.partition("@")
            options[name] = CounterJump(_parse_number(part_text, by), _parse_number(part_text, at))
        elif name == "forget":
            options[name] = _parse_number(part_text, value.removeprefix("@"))
        elif name == "clock":
            options[name] = _parse_microseconds(part_text, value)
        else:
            examples = ", ".join(f"{name}=0.1 ({meaning})" for name, meaning in _FREQUENT_FAILURES.items())
            raise BadFailure(
                f"{quote(part_text)} is not a failure. Choose {examples}, jump=1@17 (the counter advances by one "
                "before round 17), forget=17 (round 17 is not reported), clock=+90s."
            )
    return FailurePlan()._replace(**options)


def _parse_share(text: str, value: str) -> float:
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 0.9:
        raise BadFailure(f"{quote(text)} needs a probability from 0 to 0.9, such as 0.1.")
    return share


def _parse_number(text: str, value: str) -> int:
    if not value.isascii() or not value.isdigit() or not int(value[:9]) > 0 or len(value) > 9:
        raise BadFailure(f"{quote(text)} needs whole numbers from 1, such as jump=1@17 or forget=17.")
    return int(value)


def _parse_microseconds(text: str, value: str) -> int:
    match = _CLOCK.fullmatch(value)
    if not match:
        raise BadFailure(f"{quote(text)} is not a clock difference. Use +90s, -5m, 2h, or 1d.")
    sign, number, unit = match.groups()
    return int(f"{sign}{number}") * _UNITS[unit or "s"] * 1_000_000


class FailureInjector:
    """The random source of failures. It is separate from that of the wagers, so the same seed places the same wagers
    with any failures."""

    def __init__(self, failures: FailurePlan, dice: Random) -> None:
        self.plan, self._dice = failures, dice
        self.counts: dict[str, int] = {}
        """The number of times that each failure occurred."""

    def occurs(self, name: str) -> bool:
        """Whether a random failure occurs now."""
        share: float = getattr(self.plan, name)
        # Draw once per call, so that one failure does not change when the others occur.
        occurs = self._dice.random() < share
        if occurs:
            self.record(name)
        return occurs

    def record(self, name: str) -> None:
        """Count a failure."""
        self.counts[name] = self.counts.get(name, 0) + 1

    def pick(self, number: int) -> int:
        """A random number below ``number``."""
        return self._dice.randrange(number)


DEVICE_API: Final = "/api/v1/devices"
FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0
"""The longest pause between two attempts, in seconds. Each pause is twice the previous one."""
RESPONSE_SECONDS: Final = 10.0
"""Seconds until a request times out."""
HEARTBEAT_SECONDS: Final = 15.0
"""Seconds between heartbeats. The office shows a device as silent after a minute."""
_UNAVAILABLE_STATUSES: Final = (429, 500, 502, 503, 504)


class NoAnswer(Exception):
    """No response: the request may or may not have been executed."""


class RetriesExhausted(BadInput):
    """The device has retried until its timeout."""


class CallRefused(BadInput):
    """The server refused the request."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status

    @property
    def may_change(self) -> bool:
        """Whether people can resolve it, so that the same request may succeed later."""
        return self.status == 409


class ResponseChanged(BadInput):
    """The server gave two different responses to the same command."""


def check_same_response(id: str, first: Any, repeated: Any) -> None:
    """Check that a repeated request gets the first response."""
    if repeated != first:
        raise ResponseChanged(f"{id} was repeated and got a different response: {repeated}, not {first}.")


class DeviceResponse(NamedTuple):
    """A response of the server."""

    status: int
    content: Any
    headers: Mapping[str, str]


class DeviceConnection:
    """The requests of a device. ``pause`` waits for some seconds; ``timeout`` limits the total time of retries."""

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
        """Send one request. The connection may break before or after the server receives it."""
        cut = self.failures.occurs("cut")
        if cut and self.failures.pick(2):
            raise NoAnswer("The connection broke before anything was sent.")
        self.calls += 1
        try:
            response = self._client.request(
                method,
                DEVICE_API + path,
                json=body,
                headers={"authorization": f"Bearer {self._token}", **(headers or {})},
            )
            content = response.json() if response.content else None
        except (httpx.HTTPError, ValueError) as fault:
            raise NoAnswer(f"{type(fault).__name__}: {fault}") from None
        if cut:
            raise NoAnswer("The connection broke before the response was read.")
        if response.status_code in _UNAVAILABLE_STATUSES:
            raise NoAnswer(_sentence(content, response.status_code))
        if response.status_code >= 400:
            raise CallRefused(response.status_code, _sentence(content, response.status_code))
        return DeviceResponse(response.status_code, content, dict(response.headers))

    def send_with_retries(self, method: str, path: str, body: Any = None) -> DeviceResponse:
        """Repeat a request until there is a response."""
        for _ in self.pauses():
            try:
                return self.send_once(method, path, body)
            except NoAnswer as fault:
                reason = fault
        raise RetriesExhausted(
            f"{method} {path} got no response for {self._timeout:,.0f} seconds. The last attempt: {reason}"
        )

    def wait(self, seconds: float) -> None:
        """Wait, and send heartbeats meanwhile."""
        while seconds > HEARTBEAT_SECONDS:
            self._pause(HEARTBEAT_SECONDS)
            seconds -= HEARTBEAT_SECONDS
            with suppress(NoAnswer, CallRefused):
                self.send_once("POST", "/here")
        self._pause(seconds)

    def pauses(self) -> Iterator[int]:
        """Attempts with doubling pauses, until the timeout."""
        yield 1
        waited, pause, attempt = 0.0, FIRST_PAUSE, 1
        while waited < self._timeout:
            self._pause(pause)
            waited, pause, attempt = waited + pause, min(2 * pause, LONGEST_PAUSE), attempt + 1
            yield attempt


def _sentence(content: Any, status: int) -> str:
    """
    >>> _sentence({"error": "No."}, 409), _sentence(None, 502)
    ('No.', 'The server responded with status 502.')
    """
    error = content.get("error") if isinstance(content, dict) else None
    return str(error) if error else f"The server responded with status {status}."
