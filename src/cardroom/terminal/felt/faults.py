"""What a player at the table asks for that cannot be."""

from __future__ import annotations

from cardroom.faults import BadInput


class BadSeating(BadInput):
    """A table that nobody can sit down at as asked."""


class NotCovered(BadInput):
    """More than the balance holds."""


class NotUnderstood(BadInput):
    """Something typed that is none of the choices."""
