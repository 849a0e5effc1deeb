"""What all pages of the office share: who is let in, and how a refusal is told."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

from fastapi import Request, Response
from fastapi.routing import APIRoute

from cardroom.errors import BadInput, quote
from cardroom.floor import UnknownFelt, UnknownJackpot, UnknownPlayer, UnknownPromotion, UnknownRound, UnknownTable
from cardroom.floor.kept.days import UnknownDay
from cardroom.floor.kept.subjects import UnknownPerson
from cardroom.jackpots.amounts import books, change, shown
from cardroom.jackpots.meter.state import UnknownClaim
from cardroom.jackpots.room.devices import UnknownDevice
from cardroom.web.api.refusals import status_of
from cardroom.web.pages.drawing import fragment, page
from cardroom.web.pages.forms import form_of
from cardroom.web.rights.caller import caller_of
from cardroom.web.room.house import House

SECTIONS: Final = (
    ("/office", "Open now"),
    ("/office/tables", "Tables"),
    ("/office/devices", "Devices"),
    ("/office/jackpots", "Jackpots"),
    ("/office/promotions", "Promotions"),
    ("/office/malfunctions", "Malfunctions"),
    ("/office/players", "Players"),
    ("/office/rounds", "Rounds"),
    ("/office/reports", "Reports"),
    ("/office/ledger", "Ledger"),
    ("/office/verify", "Verify"),
    ("/office/people", "People"),
    ("/office/room", "The room"),
)
"""The chapters of the book, by their addresses."""
_NOT_THERE: Final = (
    UnknownFelt,
    UnknownJackpot,
    UnknownPlayer,
    UnknownPromotion,
    UnknownRound,
    UnknownTable,
    UnknownDay,
    UnknownClaim,
    UnknownDevice,
    UnknownPerson,
)


class NothingThere(BadInput):
    """An address of the office that leads nowhere."""


class CannotNow(BadInput):
    """A deed that cannot be done as things stand; the page that it is about tells more."""

    def __init__(self, sentence: str, back: str) -> None:
        super().__init__(sentence)
        self.back = back


class NotInTheAddress(BadInput):
    """Something behind the question mark that no page of ours writes there."""


_STATUSES: Final = (((*_NOT_THERE, NothingThere), 404), ((CannotNow,), 409), ((NotInTheAddress,), 400))


class OfficeRoute(APIRoute):
    """A page of the office. A refusal is a page too, with the library's sentence; what would change something must have
    been asked by one of our own pages."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            house: House = request.app.state.house
            request.state.notices = await house.clerks.look(house.notices.read)
            try:
                if request.method not in ("GET", "HEAD"):
                    await form_of(request)  # before anything is looked up: a forged one learns nothing
                return await handle(request)
            except BadInput as fault:
                status = next((status for kinds, status in _STATUSES if isinstance(fault, kinds)), status_of(fault))
                back = fault.back if isinstance(fault, CannotNow) else ""
                return office_page(request, "office/refused.html", status=status, sentence=str(fault), back=back)

        return handled


def office_page(request: Request, template: str, *, status: int = 200, **shown: Any) -> Response:
    """A whole page of the office."""
    chapters = [(address, name) for address, name in SECTIONS if caller_of(request).may_open(address)]
    framed = {"sections": chapters, "notices": getattr(request.state, "notices", ())}
    return page(request, template, status=status, **{"done": _done(request), **AMOUNTS, **shown}, **framed)


def office_part(template: str, **shown: Any) -> str:
    """A part of such a page."""
    return fragment(template, **{**AMOUNTS, **shown})


AMOUNTS: Final[dict[str, Any]] = {"books": books, "change": change, "shown": shown}
"""How the books write amounts, for the templates: hundredths of a cent, the same with a sign, and cents."""


def _done(request: Request) -> str:
    """The id of the command that has just been carried out, as a form's answer names it in the address."""
    return request.query_params.get("done", "")[:200]


def number_in(asked: Mapping[str, str], name: str, usual: int, least: int = 1) -> int:
    """A whole number of the address, or the usual one where there is none.

    >>> number_in({"from": "26"}, "from", 1), number_in({}, "from", 1)
    (26, 1)
    >>> number_in({"from": "-3"}, "from", 1)
    Traceback (most recent call last):
    ...
    cardroom.web.pages.office.frame.NotInTheAddress: '-3' behind "from=" in the address is no whole number from 1 on.
    """
    typed = asked.get(name, "")
    if not typed:
        return usual
    if not (typed.isascii() and typed.isdigit() and len(typed) < 18 and int(typed) >= least):
        raise NotInTheAddress(f'{quote(typed)} behind "{name}=" in the address is no whole number from {least} on.')
    return int(typed)
