"""Style, script, fonts and pictures: read once, compressed once, served under an address that changes with the content.

So a browser may keep them for ever, and never shows a page of today in the style of yesterday.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.web.pages.playing_cards import sprite

STATIC: Final = Path(__file__).parents[1] / "static"
_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".png": "image/png",
}
_SQUEEZED: Final = (".css", ".js", ".svg", ".txt")
_DRAWN: Final = {"cards.svg": sprite}
"""Made by the program itself."""

_OTHER: Final = re.compile(r'url\("asset:([^"]+)"\)')
"""How a style names another file of the pages."""

router = APIRouter(include_in_schema=False)


class Asset(NamedTuple):
    """A file as it goes out."""

    body: bytes
    squeezed: bytes | None
    kind: str
    digest: str


@cache
def asset(name: str) -> Asset | None:
    """A file of the pages by its name; None where there is none."""
    kind = _KINDS.get(Path(name).suffix)
    body = _read(name)
    if kind is None or body is None:
        return None
    if kind.startswith("text/css"):
        body = _OTHER.sub(lambda named: f'url("{address(named[1])}")', body.decode()).encode()
    squeezed = gzip.compress(body, 9, mtime=0) if Path(name).suffix in _SQUEEZED else None
    return Asset(body, squeezed, kind, hashlib.sha256(body).hexdigest()[:12])


def _read(name: str) -> bytes | None:
    if name in _DRAWN:
        return _DRAWN[name]().encode()
    file = (STATIC / name).resolve()
    return file.read_bytes() if file.is_relative_to(STATIC) and file.is_file() else None


def address(name: str) -> str:
    """Where a file is found; its digest is part of the address. What is missing is named, so that it is noticed."""
    found = asset(name)
    if found is None:
        raise FileNotFoundError(f"The pages need {name}, and it is not there: `make run` brings it in.")
    return f"/static/{found.digest}/{name}"


def is_built() -> bool:
    """Whether what comes from elsewhere has been brought in."""
    return asset("vendor/htmx.js") is not None


@router.get("/static/{digest}/{name:path}")
async def serve_asset(request: Request, digest: str, name: str) -> Response:
    """A file of the pages."""
    found = asset(name)
    if found is None or found.digest != digest:
        return Response("There is no such file.", 404, media_type="text/plain")
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    body = found.body
    if found.squeezed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body = found.squeezed
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(body, headers=headers, media_type=found.kind)
