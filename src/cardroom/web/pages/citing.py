"""Rulings are cited by their numbers, and the number leads to the ruling."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from markupsafe import Markup, escape

_NUMBER: Final = re.compile(r"\b[A-Z]{2,3}-\d+\b")
_TYPED: Final = re.compile(r"`([^`]+)`")


def cited(text: str, rulings: Collection[str], at: str = "") -> Markup:
    """A text in which the numbers of these rulings are links, to this page or to the one that is named, and what stands
    between backticks is set as it is typed.

    >>> cited("Equal hands <win> (TP-1), not XY-9.", {"TP-1"})
    Markup('Equal hands &lt;win&gt; (<a href="#TP-1">TP-1</a>), not XY-9.')
    >>> cited("TP-1", {"TP-1"}, "/rules/three-card-prime")
    Markup('<a href="/rules/three-card-prime#TP-1">TP-1</a>')
    >>> cited("written `PB 1+PB/LD 3`.", ())
    Markup('written <code>PB 1+PB/LD 3</code>.')
    """

    def link(found: re.Match[str]) -> str:
        number = found[0]
        return f'<a href="{escape(at)}#{number}">{number}</a>' if number in rulings else number

    typed = _TYPED.sub(r"<code>\1</code>", str(escape(text)))
    return Markup(_NUMBER.sub(link, typed))  # noqa: S704 (the text is escaped, numbers are letters and digits)
