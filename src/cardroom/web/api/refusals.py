"""Refusals of the API: ``{"error": "a sentence"}`` with a status that a program can test."""

from __future__ import annotations

import logging
import math
import re
import uuid
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, get_args

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from cardroom.errors import BadInput, quote
from cardroom.ledger import CommandIdReused, LedgerDamaged, LedgerUnavailable
from cardroom.ledger.encryption import RoomKeyError
from cardroom.room.user.permissions import PermissionDenied
from cardroom.room.user.registration import UsersExist
from cardroom.room.user.sign_in import NoSession, SignInFailed, WrongPin
from cardroom.service import NotYourSeat, UnknownPlayer, UnknownRound, UnknownTable, WrongPhase
from cardroom.service.commands.unit_of_work import StateChanged
from cardroom.web.middleware.rejections import DAMAGED, RateLimited, key_unavailable
from cardroom.web.middleware.sign_in_queue import QueueFull
from cardroom.web.services.presence import CLIENT_CLOSED_REQUEST
from cardroom.web.services.workers import WorkersBusy

log = logging.getLogger(__name__)


class Refusal(BaseModel):
    """The reason for a refusal. A refused request changes nothing."""

    model_config = ConfigDict(extra="forbid")
    error: str = Field(description="What is wrong, and what to do.")


class NoSuchTable(BadInput):
    """The table does not exist for the caller."""


class NoGuests(BadInput):
    """This server admits no guests."""


class ForgedForm(BadInput):
    """A form that another site sent."""


class NotSignedIn(BadInput):
    """The request needs a valid token."""


STATUSES: Final[Mapping[type[Exception], int]] = {
    NotSignedIn: 401,
    SignInFailed: 401,
    NoSession: 401,
    WrongPin: 401,
    PermissionDenied: 403,
    ForgedForm: 403,
    UsersExist: 409,
    NoGuests: 403,
    NotYourSeat: 403,
    NoSuchTable: 404,
    UnknownTable: 404,
    UnknownPlayer: 404,
    UnknownRound: 404,
    WrongPhase: 409,
    CommandIdReused: 409,
    RateLimited: 429,
    QueueFull: 503,
    StateChanged: 503,
    WorkersBusy: 503,
    BadInput: 422,
    LedgerUnavailable: 503,
    LedgerDamaged: 503,
}
"""The first match counts."""

MEANINGS: Final = {
    400: "The body cannot be read.",
    401: "The token is missing or invalid.",
    403: "The caller may not do this.",
    404: "It does not exist for the caller.",
    409: "It conflicts with the current state or with a used id.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    422: "The request is invalid.",
    429: "Too many requests. Retry after `Retry-After` seconds.",
    503: "The server cannot do it now. Repeat it with the same id.",
}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The refusals of a route, for the OpenAPI document."""
    return {status: {"model": Refusal, "description": MEANINGS[status]} for status in statuses}


def refusal_response(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """The response of a refusal."""
    return Response(orjson.dumps({"error": sentence}), status, headers, "application/json")


def status_of(fault: Exception) -> int:
    """The HTTP status of an error."""
    return next(status for kind, status in STATUSES.items() if isinstance(fault, kind))


def install_error_handlers(app: FastAPI) -> None:
    """Install the handlers that turn errors into refusals."""

    @app.exception_handler(BadInput)
    @app.exception_handler(LedgerUnavailable)
    async def bad_input(_: Request, fault: Exception) -> Response:
        status = status_of(fault)
        headers = {401: {"WWW-Authenticate": "Bearer"}, 503: {"Retry-After": "1"}}.get(status)
        if isinstance(fault, RateLimited | QueueFull):
            headers = {"Retry-After": str(math.ceil(fault.wait))}
        return refusal_response(status, str(fault), headers)

    @app.exception_handler(RoomKeyError)
    async def no_key(_: Request, fault: RoomKeyError) -> Response:
        return refusal_response(503, str(key_unavailable(fault)), {"Retry-After": "1"})

    @app.exception_handler(CommandIdReused)
    async def another_command(_: Request, __: Exception) -> Response:
        # The ledger's id includes the player's name, which the sender does not know.
        return refusal_response(409, "This id was already used for another command. Use a new id.")

    @app.exception_handler(LedgerDamaged)
    async def damaged(_: Request, fault: Exception) -> Response:
        log.error("the ledger is damaged", exc_info=fault)
        return refusal_response(503, DAMAGED)

    @app.exception_handler(RequestValidationError)
    async def not_right(request: Request, fault: RequestValidationError) -> Response:
        return refusal_response(422, validation_sentence(fault.errors()[0], _field_names(request)))

    @app.exception_handler(HTTPException)
    async def refused_early(request: Request, fault: HTTPException) -> Response:
        headers = dict(fault.headers or {})
        if fault.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            headers["Allow"] = ", ".join(_allowed_methods(request))
        return refusal_response(
            fault.status_code, _http_error_sentence(request, fault.status_code, fault.detail, headers), headers
        )

    @app.exception_handler(ClientDisconnect)
    async def gone(_: Request, __: Exception) -> Response:
        return Response(status_code=CLIENT_CLOSED_REQUEST)

    @app.exception_handler(Exception)
    async def our_fault(_: Request, fault: Exception) -> Response:
        number = uuid.uuid4().hex[:12]
        log.error(
            "internal error", extra={"number": number, "fault": type(fault).__name__}
        )  # the server logs the traceback
        return refusal_response(500, f"An internal error occurred. Its number in the server log is {number}.")


def _http_error_sentence(request: Request, status: int, detail: str, headers: Mapping[str, str]) -> str:
    match status:
        case HTTPStatus.NOT_FOUND if detail == HTTPStatus.NOT_FOUND.phrase:
            return "There is nothing at this URL. /api/v1/openapi.json lists all routes."
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return f"{quote(request.method)} is not allowed here. Use {headers['Allow'] or 'another method'}."
    return str(detail)


def _allowed_methods(request: Request) -> list[str]:
    """The methods of a path in the OpenAPI document."""
    methods = set[str]()
    for path, calls in request.app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\\{[^}]+\\}", "[^/]+", re.escape(path)), request.url.path):
            methods.update(method.upper() for method in calls)
    return sorted(methods)


# Validation errors as sentences.

_VALIDATION_SENTENCES: Final[Mapping[str, str]] = {
    "missing": "{name} is missing.",
    "extra_forbidden": "{name} is unknown. Use {known}.",
    "string_type": "{name} must be a text, not {found}.",
    "int_type": "{name} must be a whole number, not {found}.",
    "int_parsing": "{name} must be a whole number, not {found}.",
    "bool_type": "{name} must be true or false, not {found}.",
    "dict_type": "{name} must be an object, not {found}.",
    "list_type": "{name} must be a list, not {found}.",
    "model_attributes_type": "{name} must be an object, not {found}.",
    "string_too_short": "{name} is too short. It needs at least {min_length} characters.",
    "string_too_long": "{name} is too long. The maximum is {max_length} characters.",
    "too_long": "{name} has too many entries. The maximum is {max_length}.",
    "too_short": "{name} has too few entries. The minimum is {min_length}.",
    "greater_than_equal": "{name} must be at least {ge}, not {found}.",
    "less_than_equal": "{name} must be at most {le}, not {found}.",
    "literal_error": "{name} cannot be {found}. Choose {expected}.",
    "enum": "{name} cannot be {found}. Choose {expected}.",
}
_PATTERNS: Final[dict[str, str]] = {}


def describe_pattern(pattern: str, description: str) -> str:
    """A pattern with its description for refusals."""
    _PATTERNS[pattern] = description
    return pattern


def validation_sentence(error: Mapping[str, Any], field_names: tuple[str, ...] = ()) -> str:
    """A sentence for a validation error.

    >>> validation_sentence({"type": "missing", "loc": ("body", "id"), "input": {}})
    "'id' is missing."
    >>> validation_sentence({"type": "extra_forbidden", "loc": ("body", "ids"), "input": 5}, ("id", "seat"))
    "'ids' is unknown. Use id, seat."
    """
    _, *path = error["loc"] or ("body",)
    name = quote(".".join(map(str, path))) if path else "The body"
    ctx = dict(error.get("ctx") or {})
    if error["type"] == "string_pattern_mismatch":
        description = _PATTERNS.get(ctx["pattern"], "other characters")
        return f"{name} cannot be {quote(error['input'])}. Use {description}."
    template = _VALIDATION_SENTENCES.get(error["type"], "{name} cannot be {found}.")
    if error["type"] == "missing" and not path:
        template = "The body is missing. Send JSON."
    value = quote(error.get("input"))
    return template.format_map({"name": name, "known": ", ".join(field_names) or "nothing", "found": value, **ctx})


def _field_names(request: Request) -> tuple[str, ...]:
    """The field names of the request's body."""
    field = getattr(request.scope.get("route"), "body_field", None)
    annotation = getattr(getattr(field, "field_info", None), "annotation", None)
    kinds = [
        model
        for model in (annotation, *get_args(annotation))
        if isinstance(model, type) and issubclass(model, BaseModel)
    ]
    return tuple(name for kind in kinds for name in kind.model_fields)
