"""Gymnasium is an extra: whoever wants environments installs it."""

from __future__ import annotations

from importlib.util import find_spec

from cardroom.faults import BadInput


class NoGymnasium(BadInput, ImportError):
    """An environment that cannot be made for want of a package."""


def refuse_without_gymnasium() -> None:
    """Say what to install, when it is missing."""
    if find_spec("gymnasium") is None:
        raise NoGymnasium("Environments need Gymnasium, which is not installed: pip install 'cardroom[research]'.")
