"""Documents that people send, each kind read in one place: JSON for records, TOML for what an operator has written.

What two readers could understand in two ways is refused: a name that stands twice in one section, a number that no
amount of money is, a value that is none.

>>> read_json('{"wagers": {"1": 500, "1": 900}}', BadInput, "The record")
Traceback (most recent call last):
...
cardroom.faults.BadInput: The record says '1' twice in one section: say it once.
"""

from __future__ import annotations

import json
import tomllib
from typing import Any, Final

from cardroom.faults import BadInput, quoted, shortened

MOST_DIGITS: Final = 18
"""Cents with eighteen digits are more money than there is; they still fit into the books."""


def read_json(text: str, fault: type[BadInput], what: str) -> Any:
    """The value that a JSON text holds. ``what`` names the text at the beginning of a sentence."""

    def whole_number(digits: str) -> int:
        if len(digits.lstrip("-")) > MOST_DIGITS:
            raise fault(f"{what} has a number of {len(digits):,} digits: no amount has more than {MOST_DIGITS}.")
        return int(digits)

    def no_number(name: str) -> None:
        raise fault(f"{what} has {name} where a number is expected: write amounts as whole cents.")

    def section(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise fault(f"{what} says {quoted(name)} twice in one section: say it once.")
            found[name] = value
        return found

    try:
        return json.loads(text, parse_int=whole_number, parse_constant=no_number, object_pairs_hook=section)
    except json.JSONDecodeError as wrong:
        raise fault(f"{what} is not JSON: {wrong.msg} in line {wrong.lineno}, column {wrong.colno}.") from None
    except RecursionError:
        raise fault(f"{what} is nested too deeply to be read.") from None


def read_toml(text: str, fault: type[BadInput], what: str) -> dict[str, Any]:
    """The mapping that a TOML text holds; TOML itself refuses a name that stands twice."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise fault(f"{what} is not TOML: {shortened(str(wrong), 200)}.") from None
    except ValueError:  # more digits than Python reads
        raise fault(f"{what} has a number of thousands of digits: no amount has more than {MOST_DIGITS}.") from None
    except RecursionError:
        raise fault(f"{what} is nested too deeply to be read.") from None
