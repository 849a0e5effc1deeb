"""The order of the wagers on a layout, written beside a set-up: stored values keep no order of names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def layout_of(setup: Mapping[str, Any]) -> list[str]:
    """The wagers of a table's set-up in the order of the layout.

    >>> layout_of({"game": "three-card-prime", "wagers": {"prime": {}, "all-six": {}}})
    ['prime', 'all-six']
    """
    return list(setup["wagers"])


def in_order(setup: Mapping[str, Any], layout: list[str]) -> dict[str, Any]:
    """The set-up with its wagers in the order of the layout again.

    >>> in_order({"wagers": {"all-six": {}, "prime": {}}}, ["prime", "all-six"])
    {'wagers': {'prime': {}, 'all-six': {}}}
    """
    return {**setup, "wagers": {wager: setup["wagers"][wager] for wager in layout}}


def told(payload: Mapping[str, Any]) -> dict[str, Any]:
    """A payload that holds the record of a round, with the layout of its table beside it."""
    return {**payload, "layout": layout_of(payload["record"]["table"])}


def record_in(payload: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a round as it was when ``told`` was given it."""
    record = payload["record"]
    return {**record, "table": in_order(record["table"], payload["layout"])}
