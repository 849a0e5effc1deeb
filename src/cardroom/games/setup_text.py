"""A set-up as the file that an operator keeps: what ``read_setup`` reads again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cardroom.games.setup import TableSetup, setup_entry

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


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
    lines = [*_lines(plain), ""]
    for slug, wager in wagers.items():
        lines += [f"[wagers.{_key(slug)}]", *_lines(wager), ""]
    for name, section in sections.items():
        lines += [f"[{_key(name)}]", *_lines(section), ""]
    return "\n".join(lines)


def _lines(section: Mapping[str, Any]) -> Iterator[str]:
    for name, value in section.items():
        yield f"{_key(name)} = {_value(value)}"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(_lines(value))} }}"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False)
