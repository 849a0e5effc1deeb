"""Cookies: what they are called, and how they are sent. Over a secure line a browser sends them nowhere else, and
nobody else can have set them."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

SESSION: Final = "cardroom_session"
SEEN: Final = "cardroom_seen"


def called(name: str, secure: bool) -> str:
    """
    >>> called("cardroom_session", True)
    '__Host-cardroom_session'
    """
    return f"__Host-{name}" if secure else name


def give(response: Response, name: str, value: str, secure: bool) -> None:
    """A cookie that no script reads and no other page's call carries."""
    response.set_cookie(called(name, secure), value, path="/", httponly=True, samesite="strict", secure=secure)


def take_away(response: Response, name: str, secure: bool) -> None:
    response.delete_cookie(called(name, secure), path="/", httponly=True, samesite="strict", secure=secure)
