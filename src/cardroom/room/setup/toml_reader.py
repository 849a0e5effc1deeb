"""Read setup files section by section, and say in a sentence what is missing or wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from cardroom import documents
from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.games import SetupFault
from cardroom.games.money import parse_dollars


class UnreadableSetup(BadInput):
    """A setup file that cannot be read."""


class InvalidSetup(BadInput):
    """A setup that breaks rules; ``faults`` has all of them."""

    beginning: ClassVar[str]
    """The first line, which may contain the number of ``{faults}`` and other values."""

    def __init__(self, faults: tuple[SetupFault, ...], **values: str) -> None:
        self.faults = faults
        number = "one fault" if len(faults) == 1 else f"{len(faults)} faults"
        super().__init__("\n".join([self.beginning.format(faults=number, **values), *map(str, faults)]))


class InvalidJackpot(InvalidSetup):
    """A setup that breaks rules; ``faults`` has all of them."""

    beginning = "The jackpot cannot be added. Its setup has {faults}:"


class InvalidTabulator(InvalidSetup):
    """A setup that breaks rules; ``faults`` has all of them."""

    beginning = "The tabulator cannot be used. Its setup has {faults}:"


T = TypeVar("T")
_RATE = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})? ?%?|-?[0-9]{1,15}/0*[1-9][0-9]{0,14}")
_KINDS = {str: "a text", int: "a whole number", list: "a list"}


def read_toml(text: str, document: str) -> dict[str, Any]:
    """The mapping of a TOML text."""
    return documents.read_toml(text, UnreadableSetup, document)


def parse_rate(text: object) -> Fraction:
    """An exact share of a wager: a percentage or a fraction.

    >>> parse_rate("12.5%"), parse_rate("1/3")
    (Fraction(1, 8), Fraction(1, 3))
    """
    if isinstance(text, str) and _RATE.fullmatch(text.strip()):
        return Fraction(text.strip()[:-1].strip()) / 100 if text.strip().endswith("%") else Fraction(text)
    raise UnreadableSetup(
        f'{quote(text)} is not a share of a wager: write a percentage such as "12.5%" or a fraction such as "1/8".'
    )


class SetupSection(documents.DocumentSection):
    """One section of a setup file."""

    error_type = UnreadableSetup
    no_section = "{where} must be a section with names; {found} is not."
    missing = "{name} is missing in {where}."
    wrong_kind = "{name} in {where} must be {kind}; {found} is not."
    wrong_value = "{name} in {where}: {wrong}"
    unknown = "{name} in {where} is not known: use {known}."

    def amount(self, name: str, default: int | None = None) -> int:
        """A dollar amount, in cents."""
        return self._parse_optional(parse_dollars, name, default)

    def money(self) -> Currency:
        """The currency: real money by default."""
        currency_name = self.get("money", str, str(Currency.REAL))
        if currency_name not in set(Currency):
            raise UnreadableSetup(
                f"'money' in {self._where} must be {' or '.join(map(quote, Currency))}, not {quote(currency_name)}."
            )
        return Currency(currency_name)

    def amount_or_none(self, name: str) -> int | None:
        """A dollar amount, in cents; None if it is missing."""
        self._read_names.add(name)
        return self.amount(name) if name in self else None

    def rate(self, name: str, default: Fraction | None = None) -> Fraction:
        """An exact share of a wager."""
        return self._parse_optional(parse_rate, name, default)

    def _parse_optional(self, parse: Callable[[str], T], name: str, default: T | None) -> T:
        self._read_names.add(name)
        if name not in self._content and default is not None:
            return default
        return self._parse(name, self.require(name, str), parse)

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; empty if it is missing."""
        values: list[Any] = self.get(name, list, [])
        if not all(isinstance(value, str) for value in values):
            raise self._error(self.wrong_kind, name, kind="a list of texts", found=quote(values))
        return tuple(values)

    def named_texts(self, name: str) -> dict[str, str]:
        """Texts by name; empty if they are missing."""
        self._read_names.add(name)
        entry = self._content.get(name, {})
        if not isinstance(entry, Mapping) or not all(isinstance(value, str) for value in entry.values()):
            raise UnreadableSetup(
                f"{quote(name)} in {self._where} must have a text for each name; {quote(entry)} does not."
            )
        return dict(entry)

    def sections(self, name: str) -> tuple[SetupSection, ...]:
        """A list of sections; empty if it is missing."""
        entries: list[Any] = self.get(name, list, [])
        return tuple(SetupSection(entry, f"{name}, number {number}") for number, entry in enumerate(entries, 1))
