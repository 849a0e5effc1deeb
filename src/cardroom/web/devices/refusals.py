"""What is refused is answered with a status and a sentence: ``{"error": "..."}``."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import Any, Final

from fastapi import Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from cardroom.errors import BadInput
from cardroom.floor import NotNow, UnknownRound
from cardroom.floor.desks.felt_answers import MoreNeeded
from cardroom.floor.desks.linked import LinksChanged
from cardroom.floor.kept.table import BadTable
from cardroom.floor.people.permissions import MayNot
from cardroom.floor.people.signing import SignInFailed
from cardroom.jackpots.meter.counting import BadCount
from cardroom.jackpots.setup.devices import DeviceKind
from cardroom.jackpots.tabulator.logger import BadLog
from cardroom.jackpots.tabulator.unit import CannotTabulate, CounterDiffers
from cardroom.ledger import BadCommandOutcome, LedgerDamaged, LedgerUnavailable
from cardroom.ledger.encryption import RoomKeyError
from cardroom.ledger.errors import CommandIdReused, UniqueKeyTaken
from cardroom.web.devices.tokens import BadToken
from cardroom.web.doors.faults import DAMAGED, TooOften, key_unavailable
from cardroom.web.doors.sign_in_queue import QueueFull

log = logging.getLogger(__name__)

_FAULTS_TOLD: Final = 3


class Refusal(BaseModel):
    """Why something was not done. Nothing was changed."""

    error: str = Field(description="What is wrong, and what would be right.")


class NotForThisDevice(BadInput):
    """Something that another kind of device does."""


class NobodyDeals(BadInput):
    """A console at which no dealer is signed in."""


class NotHere(BadInput):
    """Something that the table does not have, or that does not belong to it."""


_WORDS: Final = {
    400: "The body cannot be read.",
    401: "No token, or one that is worth nothing any more.",
    403: "Another kind of device does that.",
    409: "It does not go with what is known: the id was used for something else, the counter does not follow, the "
    "table is closed. The floor hears of what people have to look at.",
    413: "The body is too large.",
    422: "The body is not what the call takes.",
    429: "Too many calls of this device: wait as long as Retry-After says, and send it again with the same id.",
    503: "The books cannot take it now: send it again, with the same id.",
}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The refusals of a call, for its description."""
    return {status: {"model": Refusal, "description": _WORDS[status]} for status in statuses}


def refused(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """The answer that says no."""
    return JSONResponse({"error": sentence}, status, headers)


def answer_to(fault: Exception) -> Response:
    """What a refusal is answered with; a fault of the program goes on."""
    match fault:
        case RequestValidationError():
            return refused(422, _sentence(fault.errors()))
        case HTTPException():
            return refused(fault.status_code, f"{fault.detail.removesuffix('.')}.")
        case BadCommandOutcome():
            return refused(422, f"The books cannot hold that: {fault}")
        case TooOften() | QueueFull():
            return refused(_status(fault), str(fault), {"retry-after": str(math.ceil(fault.wait))})
        case LedgerDamaged():
            log.error("the books are damaged", exc_info=fault)
            return refused(503, DAMAGED, {"retry-after": "1"})
        case LedgerUnavailable() | LinksChanged() | MoreNeeded():
            return refused(503, str(fault), {"retry-after": "1"})
        case RoomKeyError():
            return refused(503, str(key_unavailable(fault)), {"retry-after": "1"})
        case BadInput():
            status = _status(fault)
            return refused(status, str(fault), {"www-authenticate": "Bearer"} if status == 401 else None)
    raise fault


def is_nonsense(fault: Exception, kind: DeviceKind) -> bool:
    """Whether a device that works would not have sent it. Of a counter that differs people hear anyway; and at a
    dealer's console people type, who may be wrong about what the rules allow."""
    match fault:
        case RequestValidationError() | HTTPException() | NotForThisDevice() | CommandIdReused():
            return True
        case LedgerUnavailable() | LedgerDamaged() | RoomKeyError() | LinksChanged() | MoreNeeded() | CounterDiffers():
            return False
    return kind is not DeviceKind.CONSOLE


def _status(fault: BadInput) -> int:
    match fault:
        case BadToken() | NobodyDeals() | SignInFailed():
            return 401
        case NotForThisDevice() | MayNot():
            return 403
        case TooOften():
            return 429
        case QueueFull():
            return 503
        case (
            NotNow()
            | UnknownRound()
            | CommandIdReused()
            | UniqueKeyTaken()
            | CannotTabulate()
            | BadLog()
            | BadTable()
            | BadCount()
            | NotHere()
        ):
            return 409
    return 422


def _sentence(faults: Sequence[Any]) -> str:
    """What is wrong with a body, by place.

    >>> _sentence([{"loc": ("body", "covered", "1", 0), "msg": "Input should be a valid integer", "type": "int_type"}])
    'covered.1.0: Input should be a valid integer.'
    """
    told = []
    for fault in faults[:_FAULTS_TOLD]:
        place = ".".join(str(one) for one in fault["loc"][1:] if one != "[key]") or "the body"
        told.append(f"{place}: {fault['msg']}")
    more = f" and {len(faults) - _FAULTS_TOLD} more" if len(faults) > _FAULTS_TOLD else ""
    return f"{'; '.join(told)}{more}."
