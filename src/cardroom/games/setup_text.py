"""A set-up as the file that an operator keeps: what ``read_setup`` reads again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardroom.documents import toml_key, toml_lines
from cardroom.games.setup import TableSetup, setup_entry


def setup_text(setup: TableSetup, beside: Mapping[str, Any] | None = None) -> str:
    """The set-up in TOML; ``beside`` is what else its file says, the sections last.

    >>> from cardroom.games import read_setup
    >>> setup = read_setup('game = "three-card-prime"\\n[wagers.prime]\\nlimits = { min = "$1", max = "$5" }')
    >>> print(setup_text(setup, {"table": "prime-1"}))
    table = "prime-1"
    game = "three-card-prime"
    seats = 6
    jurisdiction = "washington"
    <BLANKLINE>
    [wagers.prime]
    paytable = ""
    limits = { min = "$1", max = "$5", step = "$1" }
    <BLANKLINE>
    """
    more, entry = dict(beside or {}), setup_entry(setup)
    wagers = entry.pop("wagers")
    plain = {name: value for name, value in {**more, **entry}.items() if not isinstance(value, Mapping)}
    sections = {name: value for name, value in {**entry, **more}.items() if isinstance(value, Mapping)}
    lines = [*toml_lines(plain), ""]
    for slug, wager in wagers.items():
        lines += [f"[wagers.{toml_key(slug)}]", *toml_lines(wager), ""]
    for name, section in sections.items():
        lines += [f"[{toml_key(name)}]", *toml_lines(section), ""]
    return "\n".join(lines)
