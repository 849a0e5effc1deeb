"""The language of each request: a catalog under ``cardroom/locale``, chosen by the browser's Accept-Language header.

Without a catalog every page is in English. ``make messages`` updates the template ``cardroom.pot``; ``pybabel init``
and ``pybabel compile`` with the domain ``cardroom`` make a catalog from it.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from cardroom.translation import use_translations

DOMAIN: Final = "cardroom"
LOCALE_FOLDER: Final = Path(__file__).parents[2] / "locale"
DEFAULT_LANGUAGE: Final = "en"
_MAX_LANGUAGES: Final = 20
"""A browser sends a few; the rest of a longer header is ignored."""


def preferred_languages(header: str) -> Iterator[str]:
    """The languages of an Accept-Language header, the most wanted first, each followed by its base language.

    >>> list(preferred_languages("de;q=0.5, es-MX, fr;q=0"))
    ['es-MX', 'es', 'de']
    """
    weighted = []
    for part in header.split(",")[:_MAX_LANGUAGES]:
        tag, _, weight = part.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if tag.strip() and quality > 0:
            weighted.append((-quality, tag.strip()))
    for _, tag in sorted(weighted, key=lambda item: item[0]):
        yield tag
        if "-" in tag:
            yield tag.partition("-")[0]


@cache
def _installed_catalogs() -> dict[str, Path]:
    """The compiled catalogs by language tag."""
    catalogs = LOCALE_FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    return {catalog.parts[-3].replace("_", "-"): catalog for catalog in catalogs}


@cache
def _load_catalog(language: str) -> gettext.NullTranslations:
    with _installed_catalogs()[language].open("rb") as catalog:
        return gettext.GNUTranslations(catalog)


@lru_cache(maxsize=256)
def find_translations(header: str) -> tuple[str, gettext.NullTranslations]:
    """The language that the pages are shown in for an Accept-Language header, and its translations."""
    for language in preferred_languages(header):
        if language in _installed_catalogs():
            return language, _load_catalog(language)
        if language == DEFAULT_LANGUAGE:
            break
    return DEFAULT_LANGUAGE, gettext.NullTranslations()


class LanguageMiddleware:
    """Chooses the translations of each request and each live connection."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        header = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
        language, translations = find_translations(header.decode("latin-1"))
        scope["language"] = language
        with use_translations(translations):
            await self._app(scope, receive, send)
