"""The order of the wagers on a layout, written beside a set-up: stored values keep no order of names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def layout_of(setup: Mapping[str, Any]) -> tuple[str, ...]:
    """The wagers of a table's set-up in the order of the layout.

    >>> layout_of({"game": "three-card-prime", "wagers": {"prime": {}, "all-six": {}}})
    ('prime', 'all-six')
    """
    return tuple(setup["wagers"])


def on_layout(setup: Mapping[str, Any], layout: Sequence[str]) -> dict[str, Any]:
    """The set-up with its wagers in the order of the layout again.

    >>> on_layout({"wagers": {"all-six": {}, "prime": {}}}, ["prime", "all-six"])
    {'wagers': {'prime': {}, 'all-six': {}}}
    """
    return {**setup, "wagers": {wager: setup["wagers"][wager] for wager in layout}}


def record_on_layout(record: Mapping[str, Any], layout: Sequence[str]) -> dict[str, Any]:
    """The record of a round with the wagers of its table in the order of the layout again."""
    return {**record, "table": on_layout(record["table"], layout)}
