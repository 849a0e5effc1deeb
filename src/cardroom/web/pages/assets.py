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

from cardroom.web.pages.card_images import sprite

STATIC: Final = Path(__file__).parents[1] / "static"
_KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".png": "image/png",
}
_COMPRESSED_SUFFIXES: Final = (".css", ".js", ".svg", ".txt")
_GENERATED: Final = {"cards.svg": sprite}
"""Made by the program itself."""

_CSS_URL: Final = re.compile(r'url\("asset:([^"]+)"\)')
"""How a style names another file of the pages."""

router = APIRouter(include_in_schema=False)


class Asset(NamedTuple):
    """A file as it goes out."""

    body: bytes
    compressed: bytes | None
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
        body = _CSS_URL.sub(lambda match: f'url("{asset_url(match[1])}")', body.decode()).encode()
    squeezed = gzip.compress(body, 9, mtime=0) if Path(name).suffix in _COMPRESSED_SUFFIXES else None
    return Asset(body, squeezed, kind, hashlib.sha256(body).hexdigest()[:12])


def _read(name: str) -> bytes | None:
    if name in _GENERATED:
        return _GENERATED[name]().encode()
    file = (STATIC / name).resolve()
    return file.read_bytes() if file.is_relative_to(STATIC) and file.is_file() else None


def asset_url(name: str) -> str:
    """Where a file is found; its digest is part of the address. What is missing is named, so that it is noticed."""
    found_asset = asset(name)
    if found_asset is None:
        raise FileNotFoundError(f"The pages need {name}, and it is not there: `make run` brings it in.")
    return f"/static/{found_asset.digest}/{name}"


def is_built() -> bool:
    """Whether what comes from elsewhere has been brought in."""
    return asset("vendor/htmx.js") is not None


@router.get("/static/{digest}/{name:path}")
async def serve_asset(request: Request, digest: str, name: str) -> Response:
    """A file of the pages."""
    found_asset = asset(name)
    if found_asset is None or found_asset.digest != digest:
        return Response("There is no such file.", 404, media_type="text/plain")
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    body = found_asset.body
    if found_asset.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body = found_asset.compressed
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(body, headers=headers, media_type=found_asset.kind)
