"""Printed columns, and the paytables that a table uses for its wagers."""

from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Final

from cardroom.faults import BadInput, shortened
from cardroom.paytables.pay import Accepts, BadPay, Basis, Loss, OperatorBonus, Pay, Percent, parse_pay, words

OTHER: Final = "other"
"""The event of a line that takes whatever no line above it names."""
NOT_PRINTED: Final = "the operator's own, not from the sheet"
"""Said of a table that no sheet has."""


class BadBonus(BadInput):
    """An operator's amount that the printed table has no room for."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table: an event, its printed label and cell, and the pay in force.

    The pay in force is the printed one unless a ruling overrules it (`overruled` names the ruling) or the
    operator has filled an open cell.
    """

    event: str
    printed: str
    pay: Pay
    cell: str
    overruled: str | None = None


@dataclass(frozen=True, slots=True)
class _OfAWager:
    """What a table is for, what it is called and what it pays."""

    game: str
    wager: str
    name: str
    basis: Basis
    lines: tuple[Line, ...]
    _: KW_ONLY
    feature: str | None = None  # the prize of its own, riding on the wager, that the table is for
    decks: tuple[int, ...] = ()  # the numbers of decks it may be used with; empty where the sheet sets no limit

    @property
    def _title(self) -> str:
        return f'The {self.wager} table "{self.name}"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Column(_OfAWager):
    """One printed column of an appendix; a blank cell has no line."""

    sheet: str
    appendix: str
    title: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Paytable(_OfAWager):
    """What a table uses for one wager: usually one printed column, sometimes two that work together."""

    columns: tuple[Column, ...] = ()

    @property
    def is_own(self) -> bool:
        """Whether no sheet prints it. A wager that is paid even money by the rules has no table at all."""
        return bool(self.lines) and not self.columns

    @property
    def called(self) -> str:
        """Its name for people, who are told when no sheet prints it."""
        return f"{self.name} ({NOT_PRINTED})" if self.is_own else self.name

    def first(self, events: Collection[str]) -> Line | None:
        """The line that pays a hand which meets these events: the first one, from the top line down.

        None means that no line matches and the wager loses. Where the cell of a higher line is blank, the hand
        falls through: TS/QD 3 has no line for a suited pair. A line for anything else takes every hand that comes
        down to it.

        >>> from cardroom.paytables import paytable
        >>> paytable("texas-shootout", "quick-draw", "TS/QD 1").first(["any-pair", "suited-pair"]).cell
        '3'
        >>> paytable("texas-shootout", "quick-draw", "TS/QD 3").first(["any-pair", "suited-pair"]) is None
        True
        """
        if isinstance(events, str):
            raise TypeError(f'The events of a hand come as a collection; write ["{events}"] for a single one.')
        return next((line for line in self.lines if line.event in events or line.event == OTHER), None)

    def line(self, event: str) -> Line | None:
        """The line that names this event."""
        return next((line for line in self.lines if line.event == event), None)

    def pay(self, events: Collection[str]) -> Pay:
        """What a hand that meets these events is paid: what no line pays is lost."""
        line = self.first(events)
        return line.pay if line else Loss()

    @property
    def operator_lines(self) -> tuple[Line, ...]:
        """The lines whose amount the operator has yet to give."""
        return tuple(line for line in self.lines if isinstance(line.pay, OperatorBonus))

    @property
    def is_numeric(self) -> bool:
        """Whether every line says what it pays; a percentage of a meter does."""
        return not self.operator_lines

    def missing_bonuses(self, bonuses: Mapping[str, str | Pay]) -> tuple[str, ...]:
        """The events of the open lines that these bonuses leave open, from the top line down."""
        return tuple(line.event for line in self.operator_lines if line.event not in bonuses)

    def with_bonuses(self, bonuses: Mapping[str, str | Pay]) -> "Paytable":
        """The same table with the operator's amounts on its open lines; lines not named stay open.

        >>> from cardroom.paytables import paytable
        >>> open_table = paytable("deuces-wild", "bonus-jackpot", "A")
        >>> filled = open_table.with_bonuses({"five-wild-cards": "$5,000"})
        >>> filled.lines[0].pay, filled.is_numeric
        (Dollars(cents=500000), True)
        """
        open_events = [line.event for line in self.operator_lines]
        bonuses = self._without_the_rest(bonuses)
        for event in bonuses:
            if event not in open_events:
                there, named = listed(open_events), shortened(event)
                raise BadBonus(f'{self._title} leaves no bonus open for "{named}"; the open ones are {there}.')
        return replace(
            self,
            lines=tuple(
                replace(line, pay=self._bonus(line, line.pay, bonuses[line.event]))
                if isinstance(line.pay, OperatorBonus) and line.event in bonuses
                else line
                for line in self.lines
            ),
        )

    def _without_the_rest(self, bonuses: Mapping[str, str | Pay]) -> Mapping[str, str | Pay]:
        """Some sheets print a line for anything else and leave it open, others mean the same by printing none: there
        an operator may say that it loses, and nothing else."""
        if OTHER not in bonuses or not self.operator_lines or any(line.event == OTHER for line in self.lines):
            return bonuses
        given = bonuses[OTHER]
        if given != Loss() and not (isinstance(given, str) and given.strip().lower() == words(Loss())):
            raise BadBonus(
                f"{self._title} prints no line for anything else, so it loses; "
                f'give {OTHER} = "{words(Loss())}" or leave it out.'
            )
        return {event: pay for event, pay in bonuses.items() if event != OTHER}

    def _bonus(self, line: Line, open_pay: OperatorBonus, given: str | Pay) -> Pay:
        """Read one amount and see that it is of a kind that the cell accepts."""
        try:
            pay = given if isinstance(given, Pay) else parse_pay(given, self.basis)
        except BadPay as fault:
            raise BadBonus(f'The bonus for "{line.event}" cannot be read: {fault}') from fault
        if isinstance(pay, OperatorBonus):
            raise BadBonus(f'The bonus for "{line.event}" is still open; give an amount, such as "50" or "$500".')
        match pay, open_pay.accepts:
            case Percent(), Accepts.BONUS:
                right = 'a fixed bonus, such as "50" or "$500"'
            case Percent(), _:
                return pay
            case _, Accepts.JACKPOT:
                right = 'a share of the meter, such as "100%"'
            case _:
                return pay
        raise BadBonus(f'{self._title} takes no {words(pay)} for "{line.event}"; give {right}.')


def listed(names: Collection[str]) -> str:
    """Names in quotes for a sentence.

    >>> listed(["PRW-1", "PRW-2"])
    '"PRW-1", "PRW-2"'
    >>> listed([])
    'none'
    """
    return ", ".join(f'"{shortened(name)}"' for name in names) or "none"
