"""Authentication and refusals of the device API.

Every invalid token gets the same refusal, so that guessing does not reveal which devices exist. A refusal has a status
and a sentence: ``{"error": "..."}``.
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
from cardroom.room.setup.tabulator_models import DeviceKind
from cardroom.room.site.device import DeviceState, is_valid_token, parse_device_token
from cardroom.room.tabulator.data_logger import BadLoggerRecord
from cardroom.room.tabulator.installation import BadInstallation
from cardroom.room.tabulator.unit import CannotTabulate, CounterDiffers
from cardroom.room.user.permissions import PermissionDenied
from cardroom.room.user.sign_in import SignInFailed
from cardroom.service import CardRoom, UnknownRound, WrongPhase
from cardroom.service.commands.unit_of_work import StateChanged
from cardroom.web.middleware.rejections import DAMAGED, RateLimited, key_unavailable
from cardroom.web.middleware.sign_in_queue import QueueFull

security_log: Final = logging.getLogger("cardroom.security")


class BadToken(BadInput):
    """The token is invalid or no longer valid."""


class TokenHolder(NamedTuple):
    """The device of a token."""

    device: str
    registration: DeviceState


def find_token_holder(card_room: CardRoom, token: str) -> TokenHolder:
    """The device of a valid token."""
    parsed = parse_device_token(token)
    registration = card_room.list_devices().get(parsed.device) if parsed else None
    if parsed is None or registration is None:
        raise _bad_token("unknown token", parsed.device if parsed else "")
    if parsed.generation != registration.generation or not is_valid_token(
        token, registration.digest, card_room.get_room_secret()
    ):
        raise _bad_token("old token", parsed.device)
    if registration.withdrawn:
        _log_refusal("token of a removed device", parsed.device)
        raise BadToken(
            f"Device {parsed.device} was removed ({registration.withdrawn}). Add it again to get a new token."
        )
    return TokenHolder(parsed.device, registration)


def _bad_token(reason: str, device: str) -> BadToken:
    _log_refusal(reason, device)
    return BadToken(
        "This token is not valid. It is unknown, or the device has a newer one. An operator can issue a new token in "
        "the office."
    )


def _log_refusal(reason: str, device: str) -> None:
    """Log a rejected device, without its token."""
    security_log.warning("device rejected", extra={"reason": reason, "device": device})


log = logging.getLogger(__name__)

_MAX_REPORTED: Final = 3


class DeviceRefusal(BaseModel):
    """The reason for a refusal. A refused request changes nothing."""

    error: str = Field(description="What is wrong, and what to do.")


class NotForThisDevice(BadInput):
    """Another kind of device does this."""


class NoDealerSignedIn(BadInput):
    """No dealer is signed in at the console."""


class NotAtThisTable(BadInput):
    """The table does not have this, or it belongs to another table."""


_MEANINGS: Final = {
    400: "The body cannot be read.",
    401: "No token, or an invalid one.",
    403: "Another kind of device does this.",
    409: "The request conflicts with the current state: the id was used for another command, the counter differs, or "
    "the table is closed. If people must check the device, it is put on hold.",
    413: "The body is too large.",
    422: "The body is invalid for this request.",
    429: "Too many requests of this device. Wait for Retry-After seconds, then repeat it with the same id.",
    503: "The server cannot store it now. Repeat it with the same id.",
}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The refusals of a route, for the OpenAPI document."""
    return {status: {"model": DeviceRefusal, "description": _MEANINGS[status]} for status in statuses}


def refusal_response(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """The response of a refusal."""
    return JSONResponse({"error": sentence}, status, headers)


def response_to_error(fault: Exception) -> Response:
    """The response to an error. Unexpected errors are raised."""
    match fault:
        case RequestValidationError():
            return refusal_response(422, _sentence(fault.errors()))
        case HTTPException():
            return refusal_response(fault.status_code, f"{fault.detail.removesuffix('.')}.")
        case BadCommandOutcome():
            return refusal_response(422, f"The ledger cannot store this: {fault}")
        case RateLimited() | QueueFull():
            return refusal_response(_status(fault), str(fault), {"retry-after": str(math.ceil(fault.wait))})
        case LedgerDamaged():
            log.error("the ledger is damaged", exc_info=fault)
            return refusal_response(503, DAMAGED, {"retry-after": "1"})
        case LedgerUnavailable() | StateChanged():
            return refusal_response(503, str(fault), {"retry-after": "1"})
        case RoomKeyError():
            return refusal_response(503, str(key_unavailable(fault)), {"retry-after": "1"})
        case BadInput():
            status = _status(fault)
            return refusal_response(status, str(fault), {"www-authenticate": "Bearer"} if status == 401 else None)
    raise fault


def is_malformed(fault: Exception, kind: DeviceKind) -> bool:
    """Whether a working device would not have sent the request. A differing counter puts the device on hold instead,
    and at a console people make mistakes about the rules."""
    match fault:
        case RequestValidationError() | HTTPException() | NotForThisDevice() | CommandIdReused():
            return True
        case LedgerUnavailable() | LedgerDamaged() | RoomKeyError() | StateChanged() | CounterDiffers():
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
    """The errors of a body, by place.

    >>> _sentence([{"loc": ("body", "covered", "1", 0), "msg": "Input should be a valid integer", "type": "int_type"}])
    'covered.1.0: Input should be a valid integer.'
    """
    sentences = []
    for fault in faults[:_MAX_REPORTED]:
        place = ".".join(str(part) for part in fault["loc"][1:] if part != "[key]") or "the body"
        sentences.append(f"{place}: {fault['msg']}")
    more = f" and {len(faults) - _MAX_REPORTED} more" if len(faults) > _MAX_REPORTED else ""
    return f"{'; '.join(sentences)}{more}."
