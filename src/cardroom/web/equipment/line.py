"""The line from a device to its server: calls with a token, again and again while nobody answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

import httpx

from cardroom.errors import BadInput
from cardroom.web.equipment.failures import Trouble

CALLS: Final = "/api/v1/devices"
FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 5.0
"""Seconds between two attempts: each pause is twice the one before."""
ANSWER_WITHIN: Final = 10.0
"""Seconds in which a server must answer a call."""
SAYS_HERE_EVERY: Final = 15.0
"""Seconds; a room that hears nothing for a minute sends somebody to look."""
_AWAY: Final = (429, 500, 502, 503, 504)


class NoAnswer(Exception):
    """The server is away, or the answer never came: nobody knows whether it was done."""


class GaveUp(BadInput):
    """The device waited for as long as it was told to."""


class Refused(BadInput):
    """The server said no, with a status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status

    @property
    def may_change(self) -> bool:
        """Whether people can do something about it, so that the same call may be sent again later."""
        return self.status == 409


class AnotherAnswer(BadInput):
    """A server that answers the same command in two ways."""


def refuse_another(id: str, first: Any, again: Any) -> None:
    """What is sent again gets the first answer again."""
    if again != first:
        raise AnotherAnswer(f"{id} was sent again and got another answer: {again}, not {first}.")


class Answer(NamedTuple):
    """What a server answers."""

    status: int
    content: Any
    headers: Mapping[str, str]


class Line:
    """A device's calls. ``pause`` waits for some seconds, ``patience`` is how long a device waits in all."""

    def __init__(
        self, client: httpx.Client, token: str, trouble: Trouble, pause: Callable[[float], None], patience: float
    ) -> None:
        self._client, self._token, self._pause, self._patience = client, token, pause, patience
        self.trouble = trouble
        self.calls = 0

    def once(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None) -> Answer:
        """One call. The connection may break on the way there or on the way back; the device cannot tell which."""
        cut = self.trouble.comes("cut")
        if cut and self.trouble.any_of(2):
            raise NoAnswer("The connection broke before anything was sent.")
        self.calls += 1
        try:
            answer = self._client.request(
                method, CALLS + path, json=body, headers={"authorization": f"Bearer {self._token}", **(headers or {})}
            )
            content = answer.json() if answer.content else None
        except (httpx.HTTPError, ValueError) as fault:
            raise NoAnswer(f"{type(fault).__name__}: {fault}") from None
        if cut:
            raise NoAnswer("The connection broke before the answer was read.")
        if answer.status_code in _AWAY:
            raise NoAnswer(_sentence(content, answer.status_code))
        if answer.status_code >= 400:
            raise Refused(answer.status_code, _sentence(content, answer.status_code))
        return Answer(answer.status_code, content, dict(answer.headers))

    def patiently(self, method: str, path: str, body: Any = None) -> Answer:
        """The same call until somebody answers."""
        for _ in self.pauses():
            try:
                return self.once(method, path, body)
            except NoAnswer as fault:
                why = fault
        raise GaveUp(f"Nobody answered {method} {path} for {self._patience:,.0f} seconds. The last attempt: {why}")

    def wait(self, seconds: float) -> None:
        """Wait, and say now and then that the device is there. Nobody needs to hear it."""
        while seconds > SAYS_HERE_EVERY:
            self._pause(SAYS_HERE_EVERY)
            seconds -= SAYS_HERE_EVERY
            with suppress(NoAnswer, Refused):
                self.once("POST", "/here")
        self._pause(seconds)

    def pauses(self) -> Iterator[int]:
        """Attempts, with a pause before each but the first that is twice the one before; they end when the patience
        does."""
        yield 1
        waited, pause, attempt = 0.0, FIRST_PAUSE, 1
        while waited < self._patience:
            self._pause(pause)
            waited, pause, attempt = waited + pause, min(2 * pause, LONGEST_PAUSE), attempt + 1
            yield attempt


def _sentence(content: Any, status: int) -> str:
    """
    >>> _sentence({"error": "No."}, 409), _sentence(None, 502)
    ('No.', 'The server answered with status 502.')
    """
    told = content.get("error") if isinstance(content, dict) else None
    return str(told) if told else f"The server answered with status {status}."
