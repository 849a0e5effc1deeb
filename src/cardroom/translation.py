"""Translations of the sentences that players read.

A sentence for players is written in English and passed through ``gettext`` where it is produced. The web server chooses
the translations of each request; everything else uses none and so stays English. Amounts, cards, and names are put in
after the translation, so a translator sees where they go:

>>> gettext("Play costs {amount}.").format(amount="$10")
'Play costs $10.'
>>> ngettext("{count} player", "{count} players", 3).format(count=3)
'3 players'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from gettext import NullTranslations
from typing import Final

_CURRENT: Final[ContextVar[NullTranslations]] = ContextVar("translations", default=NullTranslations())  # noqa: B039


def gettext(message: str) -> str:
    """The message in the language of the current request."""
    return _CURRENT.get().gettext(message)


def gettext_noop(message: str) -> str:
    """Mark a constant for the translators: its module passes it to ``gettext`` where it is shown.

    Messages are extracted with ``pybabel extract -k gettext_noop``.
    """
    return message


def ngettext(singular: str, plural: str, count: int) -> str:
    """The message in the language of the current request, in the plural form for the count."""
    return _CURRENT.get().ngettext(singular, plural, count)


def current_translations() -> NullTranslations:
    """The translations in use: a part of the key of a cache that contains translated text."""
    return _CURRENT.get()


@contextmanager
def use_translations(translations: NullTranslations) -> Iterator[None]:
    """Translate everything in the block with these translations."""
    token = _CURRENT.set(translations)
    try:
        yield
    finally:
        _CURRENT.reset(token)
