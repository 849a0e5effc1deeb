"""The kinds of pay on a paytable: how to read, describe, and compute them.

>>> describe_pay(parse_pay("3:2", Basis.TO_ONE))
'3 to 2'
>>> compute_return(ToOne(Fraction(3, 2)), 10_00)
2500
>>> compute_return(ForOne(Fraction(500)), 1_00)
50000
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias, assert_never

from cardroom.enums import TypeableEnum
from cardroom.errors import BadInput, quote


class BadPay(BadInput):
    """An invalid pay."""


class BadWager(BadInput):
    """An invalid amount for a wager."""


class NotWholeCents(BadInput):
    """Odds that do not give whole cents for a wager."""


class UnknownAmount(BadInput):
    """A pay whose amount depends on a meter or on the operator, not on the wager alone."""


class Basis(TypeableEnum, StrEnum):
    """The meaning of a bare number on a table."""

    TO_ONE = "to 1"  # pays the odds and returns the wager
    FOR_ONE = "for 1"  # pays the prize and keeps the wager


class BonusKind(TypeableEnum, StrEnum):
    """What the operator may set for a cell that the sheet leaves open."""

    BONUS = "bonus"  # a fixed pay
    JACKPOT = "jackpot"  # a percentage of the meter
    EITHER = "bonus or jackpot"


@dataclass(frozen=True, slots=True)
class ToOne:
    """Pays the odds and returns the wager."""

    odds: Fraction

    def __post_init__(self) -> None:
        _refuse_negative_odds(self.odds)

    def __hash__(self) -> int:
        return hash(self.odds.as_integer_ratio())  # three times as fast as the hash of a fraction


@dataclass(frozen=True, slots=True)
class ForOne:
    """Pays the prize and keeps the wager."""

    odds: Fraction

    def __post_init__(self) -> None:
        _refuse_negative_odds(self.odds)

    def __hash__(self) -> int:
        return hash(self.odds.as_integer_ratio())  # three times as fast as the hash of a fraction


@dataclass(frozen=True, slots=True)
class Push:
    """Returns the wager and nothing more."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Keeps the wager."""


@dataclass(frozen=True, slots=True)
class Percent:
    """A share of the meter; one is the whole meter."""

    share: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise BadPay(f"A share of {self.share} of a meter cannot be paid; give more than 0 and at most 1.")


@dataclass(frozen=True, slots=True)
class Dollars:
    """A fixed prize for any wager, which is kept."""

    cents: int

    def __post_init__(self) -> None:
        if self.cents < 0:
            raise BadPay(f"A prize of {self.cents} cents cannot be paid; give zero or more.")


@dataclass(frozen=True, slots=True)
class OperatorBonus:
    """An amount that the operator must set before the table may open."""

    accepted_kind: BonusKind


Pay: TypeAlias = ToOne | ForOne | Push | Loss | Percent | Dollars | OperatorBonus
"""The pay of a line."""


def parse_pay(text: str, basis: Basis) -> Pay:
    """Read a printed cell or an operator's entry; a bare number is odds in the table's basis.

    >>> parse_pay("1,000", Basis.FOR_ONE)
    ForOne(odds=Fraction(1000, 1))
    >>> parse_pay("50 to 1", Basis.FOR_ONE)
    ToOne(odds=Fraction(50, 1))
    >>> parse_pay("even", Basis.TO_ONE)
    Traceback (most recent call last):
    ...
    cardroom.paytables.pay.BadPay: "even" is not a pay; write odds such as "5", "1,000", "2.5", "3:2", ...
    """
    cell = " ".join(text.lower().split())
    if len(cell) > _LONGEST_CELL:
        raise _pay_error(text)
    if cell in _NAMED_PAYS:
        return _NAMED_PAYS[cell]
    if match := _ODDS.fullmatch(cell):
        amount, stated, units = match.groups()
        return _read_odds(text, amount, units or "1", Basis(f"{stated} 1") if stated else basis)
    if match := _RATIO.fullmatch(cell):
        return _read_odds(text, match[1], match[2], basis)
    if match := _PERCENT.fullmatch(cell):
        share = _parse_number(match[1]) / 100
        if not 0 < share <= 1:
            raise BadPay(f'"{text}" is not a share of a meter; write more than 0% and at most 100%.')
        return Percent(share)
    if match := _DOLLARS.fullmatch(cell):
        return Dollars(int(_parse_number(match[1]) * 100))
    raise _pay_error(text)


def describe_pay(pay: Pay) -> str:
    """A pay as a dealer says it.

    >>> describe_pay(ToOne(Fraction(5, 2))), describe_pay(Percent(Fraction(1, 4))), describe_pay(Dollars(1_000_00))
    ('5 to 2', '25% of the meter', '$1,000')
    """
    match pay:
        case ToOne(odds):
            return f"{odds.numerator:,} to {odds.denominator:,}"
        case ForOne(odds):
            return f"{odds.numerator:,} for {odds.denominator:,}"
        case Push():
            return "push"
        case Loss():
            return "loss"
        case Percent(share):
            return f"{_format_decimal(share * 100)}% of the meter"
        case Dollars(cents):
            return _format_dollars(cents)
        case OperatorBonus(accepts):
            return f"operator's {accepts}"
        case _:
            assert_never(pay)


def compute_exact_return(pay: Pay, wager_cents: int, basis: Basis) -> int | Fraction:
    """The exact amount in cents that goes back to the player, with the wager where it is returned.

    >>> compute_exact_return(ToOne(Fraction(3, 2)), 5, Basis.TO_ONE), compute_exact_return(Push(), 5, Basis.TO_ONE)
    (Fraction(25, 2), 5)
    >>> [compute_exact_return(Dollars(50_00), 5_00, basis) for basis in (Basis.FOR_ONE, Basis.TO_ONE)]
    [5000, 5500]
    """
    match pay:
        case ToOne(odds):
            return wager_cents + wager_cents * odds
        case ForOne(odds):
            return wager_cents * odds
        case Push():
            return wager_cents
        case Loss():
            return 0
        case Dollars(cents):
            # On a "to 1" table an operator's prize wins like the odds beside it: the wager goes back with it (GEN-3).
            return cents + wager_cents if basis is Basis.TO_ONE else cents
        case Percent():
            raise UnknownAmount(
                f"A wager alone does not say what {describe_pay(pay)} is: it depends on the jackpot's meter."
            )
        case OperatorBonus():
            raise UnknownAmount(f"The {describe_pay(pay)} has no amount yet; the operator must set it first.")
        case _:
            assert_never(pay)


def compute_return(pay: Pay, wager_cents: int, basis: Basis = Basis.FOR_ONE) -> int:
    """The same in whole cents. A prize in dollars includes the wager only on a "to 1" table.

    >>> compute_return(Push(), 5_00), compute_return(Loss(), 5_00), compute_return(ToOne(Fraction(2)), 5_00)
    (500, 0, 1500)
    >>> compute_return(ToOne(Fraction(3, 2)), 5)
    Traceback (most recent call last):
    ...
    cardroom.paytables.pay.NotWholeCents: A wager of $0.05 at 3 to 2 cannot be paid to the cent; ...
    """
    if not _is_wager(wager_cents):
        raise BadWager(f"{quote(wager_cents)} is not a wager; give whole cents, zero or more.")
    amount = compute_exact_return(pay, wager_cents, basis)
    if amount.denominator != 1:
        assert isinstance(pay, ToOne | ForOne)  # all others are whole cents
        raise NotWholeCents(
            f"A wager of {_format_dollars(wager_cents)} at {describe_pay(pay)} cannot be paid to the cent; "
            f"wager a multiple of {_format_dollars(pay.odds.denominator)}."
        )
    return amount.numerator


def is_payable(pay: Pay, wager_cents: int) -> bool:
    """Whether a wager can be paid to the cent.

    A share of a meter depends on the meter, so any wager is payable; an amount that the operator has not set is not.

    >>> is_payable(ToOne(Fraction(3, 2)), 5), is_payable(ToOne(Fraction(3, 2)), 6)
    (False, True)
    """
    if not _is_wager(wager_cents):
        return False
    match pay:
        case ToOne(odds) | ForOne(odds):
            return (wager_cents * odds).denominator == 1
        case OperatorBonus():
            return False
        case _:
            return True


_NAMED_PAYS: dict[str, Pay] = {"push": Push(), "loss": Loss(), **{mark: OperatorBonus(mark) for mark in BonusKind}}

_LONGEST_CELL = 40
_WHOLE = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)"
_AMOUNT = rf"{_WHOLE}(?:\.[0-9]+)?"
_ODDS = re.compile(rf"({_AMOUNT})(?: (to|for) ({_WHOLE}))?")
_RATIO = re.compile(rf"({_WHOLE}):({_WHOLE})")
_PERCENT = re.compile(rf"({_AMOUNT})%")
_DOLLARS = re.compile(rf"\$({_WHOLE}(?:\.[0-9]{{2}})?)")


def _read_odds(text: str, amount: str, units: str, basis: Basis) -> Pay:
    pays, wager = _parse_number(amount), _parse_number(units)
    # Zero to 1 gives the wager back and zero for 1 keeps it: too easy to mix up, so neither is read.
    if pays == 0 or wager == 0:
        raise BadPay(f'"{text}" has a zero in its odds; write "push", "loss" or "$0" for a line that wins nothing.')
    return ToOne(pays / wager) if basis is Basis.TO_ONE else ForOne(pays / wager)


def _parse_number(digits: str) -> Fraction:
    return Fraction(digits.replace(",", ""))


def _pay_error(text: str) -> BadPay:
    excerpt = text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]}…"
    return BadPay(
        f'"{excerpt}" is not a pay; write odds such as "5", "1,000", "2.5", "3:2", "50 to 1" or "500 for 1", '
        'a prize such as "$1,000", a share of the meter such as "25%", '
        'or "push", "loss", "bonus", "jackpot" or "bonus or jackpot".'
    )


def _refuse_negative_odds(odds: Fraction) -> None:
    if odds < 0:
        raise BadPay(f"Odds of {odds} cannot be paid; give zero or more.")


def _is_wager(wager_cents: object) -> bool:
    return isinstance(wager_cents, int) and wager_cents >= 0


def _format_dollars(cents: int) -> str:
    dollars, cents_part = divmod(cents, 100)
    return f"${dollars:,}.{cents_part:02}" if cents_part else f"${dollars:,}"


def _format_decimal(number: Fraction) -> str:
    exact = Decimal(number.numerator) / Decimal(number.denominator)
    return f"{exact:f}" if Fraction(exact) == number else str(number)
