"""The door for devices: whose token it is that came with a call.

A token that does not fit is told one thing only, whoever sends it: nobody learns by trying which devices there are.

What is refused is answered with a status and a sentence: ``{"error": "..."}``.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from fastapi import Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from cardroom.errors import BadInput
from cardroom.ledger import BadCommandOutcome, LedgerDamaged, LedgerUnavailable
from cardroom.ledger.encryption import RoomKeyError
from cardroom.ledger.errors import CommandIdReused, UniqueKeyTaken
from cardroom.room.jackpot.wager_counts import BadCount
from cardroom.room.setup.equipment import DeviceKind
from cardroom.room.site.device import DeviceState, is_valid_token, parse_device_token
from cardroom.room.tabulator.data_logger import BadLoggerRecord
from cardroom.room.tabulator.installation import BadInstallation
from cardroom.room.tabulator.unit import CannotTabulate, CounterDiffers
from cardroom.room.user.permissions import PermissionDenied
from cardroom.room.user.sign_in import SignInFailed
from cardroom.service import CardRoom, UnknownRound, WrongPhase
from cardroom.service.commands.handler import LinksChanged
from cardroom.service.commands.results import MoreLocksNeeded
from cardroom.web.middleware.rejections import DAMAGED, RateLimited, key_unavailable
from cardroom.web.middleware.sign_in_queue import QueueFull

security_log: Final = logging.getLogger("cardroom.security")


class BadToken(BadInput):
    """A token that the room has not given, or that is worth nothing any more."""


class TokenHolder(NamedTuple):
    """The device that a token speaks for."""

    device: str
    registration: DeviceState


def find_token_holder(floor: CardRoom, token: str) -> TokenHolder:
    """The device whose token it is; it may speak."""
    names = parse_device_token(token)
    registration = floor.list_devices().get(names.device) if names else None
    if names is None or registration is None:
        raise _bad_token("a token that was never given", names.device if names else "")
    if names.generation != registration.generation or not is_valid_token(
        token, registration.digest, floor.get_room_secret()
    ):
        raise _bad_token("a token that is not the present one", names.device)
    if registration.withdrawn:
        _log_refusal("the token of a device that was withdrawn", names.device)
        raise BadToken(
            f"Device {names.device} was withdrawn ({registration.withdrawn}): register it again for another token."
        )
    return TokenHolder(names.device, registration)


def _bad_token(reason: str, device: str) -> BadToken:
    _log_refusal(reason, device)
    return BadToken(
        "This token is worth nothing here: it was never given, or the device has got another since. Renew the device "
        "for a new one, in the office or with cardroom device renew."
    )


def _log_refusal(reason: str, device: str) -> None:
    """A line for whoever looks after the room; never with what came behind the device's name."""
    security_log.warning("refused at the door", extra={"door": "device", "why": reason, "device": device})


log = logging.getLogger(__name__)

_MAX_REPORTED: Final = 3


class DeviceRefusal(BaseModel):
    """Why something was not done. Nothing was changed."""

    error: str = Field(description="What is wrong, and what would be right.")


class NotForThisDevice(BadInput):
    """Something that another kind of device does."""


class NoDealerSignedIn(BadInput):
    """A console at which no dealer is signed in."""


class NotAtThisTable(BadInput):
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
    return {status: {"model": DeviceRefusal, "description": _WORDS[status]} for status in statuses}


def refusal_response(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """The answer that says no."""
    return JSONResponse({"error": sentence}, status, headers)


def response_to_error(fault: Exception) -> Response:
    """What a refusal is answered with; a fault of the program goes on."""
    match fault:
        case RequestValidationError():
            return refusal_response(422, _sentence(fault.errors()))
        case HTTPException():
            return refusal_response(fault.status_code, f"{fault.detail.removesuffix('.')}.")
        case BadCommandOutcome():
            return refusal_response(422, f"The books cannot hold that: {fault}")
        case RateLimited() | QueueFull():
            return refusal_response(_status(fault), str(fault), {"retry-after": str(math.ceil(fault.wait))})
        case LedgerDamaged():
            log.error("the books are damaged", exc_info=fault)
            return refusal_response(503, DAMAGED, {"retry-after": "1"})
        case LedgerUnavailable() | LinksChanged() | MoreLocksNeeded():
            return refusal_response(503, str(fault), {"retry-after": "1"})
        case RoomKeyError():
            return refusal_response(503, str(key_unavailable(fault)), {"retry-after": "1"})
        case BadInput():
            status = _status(fault)
            return refusal_response(status, str(fault), {"www-authenticate": "Bearer"} if status == 401 else None)
    raise fault


def is_malformed(fault: Exception, kind: DeviceKind) -> bool:
    """Whether a device that works would not have sent it. Of a counter that differs people hear anyway; and at a
    dealer's console people type, who may be wrong about what the rules allow."""
    match fault:
        case RequestValidationError() | HTTPException() | NotForThisDevice() | CommandIdReused():
            return True
        case (
            LedgerUnavailable()
            | LedgerDamaged()
            | RoomKeyError()
            | LinksChanged()
            | MoreLocksNeeded()
            | CounterDiffers()
        ):
            return False
    return kind is not DeviceKind.CONSOLE


def _status(fault: BadInput) -> int:
    match fault:
        case BadToken() | NoDealerSignedIn() | SignInFailed():
            return 401
        case NotForThisDevice() | PermissionDenied():
            return 403
        case RateLimited():
            return 429
        case QueueFull():
            return 503
        case (
            WrongPhase()
            | UnknownRound()
            | CommandIdReused()
            | UniqueKeyTaken()
            | CannotTabulate()
            | BadLoggerRecord()
            | BadInstallation()
            | BadCount()
            | NotAtThisTable()
        ):
            return 409
    return 422


def _sentence(faults: Sequence[Any]) -> str:
    """What is wrong with a body, by place.

    >>> _sentence([{"loc": ("body", "covered", "1", 0), "msg": "Input should be a valid integer", "type": "int_type"}])
    'covered.1.0: Input should be a valid integer.'
    """
    sentences = []
    for fault in faults[:_MAX_REPORTED]:
        place = ".".join(str(part) for part in fault["loc"][1:] if part != "[key]") or "the body"
        sentences.append(f"{place}: {fault['msg']}")
    more = f" and {len(faults) - _MAX_REPORTED} more" if len(faults) > _MAX_REPORTED else ""
    return f"{'; '.join(sentences)}{more}."
