"""Every refusal has one form, ``{"error": "a sentence"}``, and a status that a program can test."""

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
from cardroom.service.commands.results import MoreLocksNeeded
from cardroom.web.middleware.rejections import DAMAGED, RateLimited, key_unavailable
from cardroom.web.middleware.sign_in_queue import QueueFull
from cardroom.web.services.presence import CLIENT_CLOSED_REQUEST
from cardroom.web.services.workers import WorkersBusy

log = logging.getLogger(__name__)


class Refusal(BaseModel):
    """Why something was not done. Nothing was changed."""

    model_config = ConfigDict(extra="forbid")
    error: str = Field(description="What is wrong and what would be right, in a sentence.")


class NoSuchTable(BadInput):
    """A table that is not there for the caller."""


class NoGuests(BadInput):
    """Guests are not admitted here."""


class ForgedForm(BadInput):
    """A form that another page than our own has sent."""


class NotSignedIn(BadInput):
    """A call that needs a token, and has none that the room made."""


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
    MoreLocksNeeded: 503,
    WorkersBusy: 503,
    BadInput: 422,
    LedgerUnavailable: 503,
    LedgerDamaged: 503,
}
"""The first that fits."""

MEANINGS: Final = {
    400: "The body cannot be read.",
    401: "There is no token, or one that this room did not make.",
    403: "Somebody else may do this, or nobody here.",
    404: "It is not there for you.",
    409: "Not now: another moment, another seat, another id.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    422: "It can be read, but is not right.",
    429: "Too often: `Retry-After` says in how many seconds it may be tried again.",
    503: "The house cannot do it at the moment: send it again, with the same id.",
}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What the description of a call says about the ways in which it can be refused."""
    return {status: {"model": Refusal, "description": MEANINGS[status]} for status in statuses}


def refusal_response(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """The one form of a refusal."""
    return Response(orjson.dumps({"error": sentence}), status, headers, "application/json")


def status_of(fault: Exception) -> int:
    """The status that tells a program what kind of refusal it is."""
    return next(status for kind, status in STATUSES.items() if isinstance(fault, kind))


def install_error_handlers(app: FastAPI) -> None:
    """Teach an application the house's way to say no."""

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
        # The books know the command by the player's name and the id; the sender knows the id alone.
        return refusal_response(409, "This id was used before for another command: give this one an id of its own.")

    @app.exception_handler(LedgerDamaged)
    async def damaged(_: Request, fault: Exception) -> Response:
        log.error("the books are damaged", exc_info=fault)
        return refusal_response(503, DAMAGED)

    @app.exception_handler(RequestValidationError)
    async def not_right(request: Request, fault: RequestValidationError) -> Response:
        return refusal_response(422, sentence(fault.errors()[0], _field_names(request)))

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
            "a fault of our own", extra={"number": number, "fault": type(fault).__name__}
        )  # the server tells more
        return refusal_response(500, f"Something went wrong here; it was noted under the number {number}.")


def _http_error_sentence(request: Request, status: int, detail: str, headers: Mapping[str, str]) -> str:
    match status:
        case HTTPStatus.NOT_FOUND if detail == HTTPStatus.NOT_FOUND.phrase:
            return "There is nothing at this address: /api/v1/openapi.json lists what there is."
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return f"{quote(request.method)} is not possible here: use {headers['Allow'] or 'another method'}."
    return str(detail)


def _allowed_methods(request: Request) -> list[str]:
    """Every method that is described for an address."""
    methods = set[str]()
    for path, calls in request.app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\\{[^}]+\\}", "[^/]+", re.escape(path)), request.url.path):
            methods.update(method.upper() for method in calls)
    return sorted(methods)


# What pydantic found, in a sentence.

_VALIDATION_SENTENCES: Final[Mapping[str, str]] = {
    "missing": "{name} is missing.",
    "extra_forbidden": "{name} is not known: use {known}.",
    "string_type": "{name} must be a text; {found} is none.",
    "int_type": "{name} must be a whole number; {found} is none.",
    "int_parsing": "{name} must be a whole number; {found} is none.",
    "bool_type": "{name} must be true or false; {found} is neither.",
    "dict_type": "{name} must be a section with names; {found} is none.",
    "list_type": "{name} must be a list; {found} is none.",
    "model_attributes_type": "{name} must be a section with names; {found} is none.",
    "string_too_short": "{name} is too short: at least {min_length} characters.",
    "string_too_long": "{name} is too long: at most {max_length} characters.",
    "too_long": "{name} has too many entries: at most {max_length}.",
    "too_short": "{name} has too few entries: at least {min_length}.",
    "greater_than_equal": "{name} is too small: at least {ge}, not {found}.",
    "less_than_equal": "{name} is too large: at most {le}, not {found}.",
    "literal_error": "{name} cannot be {found}: choose {expected}.",
    "enum": "{name} cannot be {found}: choose {expected}.",
}
_PATTERNS: Final[dict[str, str]] = {}


def describe_pattern(pattern: str, words: str) -> str:
    """A pattern for texts, and what a sentence says that they are made of."""
    _PATTERNS[pattern] = words
    return pattern


def sentence(wrong: Mapping[str, Any], field_names: tuple[str, ...] = ()) -> str:
    """What is wrong with a call, and what would be right.

    >>> sentence({"type": "missing", "loc": ("body", "id"), "input": {}})
    "'id' is missing."
    >>> sentence({"type": "extra_forbidden", "loc": ("body", "ids"), "input": 5}, ("id", "seat"))
    "'ids' is not known: use id, seat."
    """
    _, *path = wrong["loc"] or ("body",)
    name = quote(".".join(map(str, path))) if path else "The body"
    ctx = dict(wrong.get("ctx") or {})
    if wrong["type"] == "string_pattern_mismatch":
        made_of = _PATTERNS.get(ctx["pattern"], "other characters")
        return f"{name} cannot be {quote(wrong['input'])}: use {made_of}."
    template = _VALIDATION_SENTENCES.get(wrong["type"], "{name} cannot be {found}.")
    if wrong["type"] == "missing" and not path:
        template = "The body is missing: send JSON."
    value = quote(wrong.get("input"))
    return template.format_map({"name": name, "known": ", ".join(field_names) or "nothing", "found": value, **ctx})


def _field_names(request: Request) -> tuple[str, ...]:
    """What the body of a call may say."""
    field = getattr(request.scope.get("route"), "body_field", None)
    annotation = getattr(getattr(field, "field_info", None), "annotation", None)
    kinds = [
        model
        for model in (annotation, *get_args(annotation))
        if isinstance(model, type) and issubclass(model, BaseModel)
    ]
    return tuple(name for kind in kinds for name in kind.model_fields)
