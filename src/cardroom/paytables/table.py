"""Printed columns, and the paytables of wagers: usually one column, sometimes two that work together."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import Final

from cardroom.errors import BadInput, shorten
from cardroom.paytables.pay import BadPay, Basis, BonusKind, Loss, OperatorBonus, Pay, Percent, describe_pay, parse_pay

OTHER: Final = "other"
"""The event of a line for all hands that match no line above it."""
CUSTOM_NOTE: Final = "the operator's own, not from the sheet"
"""The note on a custom paytable."""


class BadBonus(BadInput):
    """An operator's amount that the printed table does not allow."""


@dataclass(frozen=True, slots=True)
class PaytableLine:
    """One line of a table: an event, its printed label and cell, and the pay in force.

    The pay in force is the printed one, unless a ruling overrides it (`ruling` has its number) or the operator has
    filled an open cell.
    """

    trigger: str
    label: str
    pay: Pay
    cell: str
    ruling: str | None = None


@dataclass(frozen=True, slots=True)
class _WagerTable:
    """The game, the wager, the name, and the lines of a table."""

    game: str
    wager: str
    name: str
    basis: Basis
    lines: tuple[PaytableLine, ...]
    _: KW_ONLY
    feature: str | None = None  # the bonus feature that the table is for
    decks: tuple[int, ...] = ()  # the numbers of decks it may be used with; empty for any

    @property
    def _title(self) -> str:
        return f'The {self.wager} table "{self.name}"'


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableColumn(_WagerTable):
    """One printed column of an appendix; a blank cell has no line."""

    sheet: str
    appendix: str
    title: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Paytable(_WagerTable):
    """What a table uses for one wager: usually one printed column, sometimes two that work together.

    >>> from cardroom.paytables import paytable
    >>> table = paytable("texas-shootout", "quick-draw", "TS/QD 1")
    >>> table
    paytable('texas-shootout', 'quick-draw', 'TS/QD 1')
    >>> print(table)
    TS/QD 1
      Four of a Kind, Suited    500 to 1
      Royal Flush               250 to 1
    ...
    """

    columns: tuple[PaytableColumn, ...] = ()

    def __repr__(self) -> str:
        if self._is_as_printed:
            arguments = (self.game, self.wager, self.name, *([self.feature] if self.feature else []))
            return f"paytable({', '.join(map(repr, arguments))})"
        return f"Paytable({', '.join(f'{field.name}={getattr(self, field.name)!r}' for field in fields(self))})"

    @property
    def _is_as_printed(self) -> bool:
        """Whether the lines are those of its columns, with nothing filled in."""
        printed = {(line.cell, line.pay) for column in self.columns for line in column.lines}
        return bool(self.columns) and printed.issuperset((line.cell, line.pay) for line in self.lines)

    def __str__(self) -> str:
        """The table as a sheet prints it: its name, then a line for each event."""
        width = max((len(line.label) for line in self.lines), default=0)
        lines = (f"  {line.label:{width}}  {describe_pay(line.pay)}" for line in self.lines)
        return "\n".join([self.display_name or f"{self.wager}, without a table", *lines])

    @property
    def is_custom(self) -> bool:
        """Whether it is on no sheet. An even-money wager has no table."""
        return bool(self.lines) and not self.columns

    @property
    def display_name(self) -> str:
        """Its name for people, with a note if it is custom."""
        return f"{self.name} ({CUSTOM_NOTE})" if self.is_custom else self.name

    def find_matching_line(self, triggers: Collection[str]) -> PaytableLine | None:
        """The line that pays a hand which meets these events: the first one, from the top line down.

        None means that no line matches and the wager loses. A blank cell has no line, so the hand falls through:
        TS/QD 3 has no line for a suited pair. A line for ``other`` matches every hand.

        >>> from cardroom.paytables import paytable
        >>> paytable("texas-shootout", "quick-draw", "TS/QD 1").find_matching_line(["any-pair", "suited-pair"]).cell
        '3'
        >>> paytable("texas-shootout", "quick-draw", "TS/QD 3").find_matching_line(["any-pair", "suited-pair"]) is None
        True
        """
        if isinstance(triggers, str):
            raise TypeError(f'Pass a collection of events: ["{triggers}"] for a single one.')
        return next((line for line in self.lines if line.trigger in triggers or line.trigger == OTHER), None)

    def find_line(self, trigger: str) -> PaytableLine | None:
        """The line that names this event."""
        return next((line for line in self.lines if line.trigger == trigger), None)

    def find_pay(self, triggers: Collection[str]) -> Pay:
        """The pay of a hand that meets these events; a loss if no line matches."""
        line = self.find_matching_line(triggers)
        return line.pay if line else Loss()

    @property
    def operator_lines(self) -> tuple[PaytableLine, ...]:
        """The open lines: their amounts are left to the operator."""
        return tuple(line for line in self.lines if isinstance(line.pay, OperatorBonus))

    @property
    def is_numeric(self) -> bool:
        """Whether every line has a pay; a percentage of a meter is one."""
        return not self.operator_lines

    def missing_bonuses(self, bonuses: Mapping[str, str | Pay]) -> tuple[str, ...]:
        """The events of the open lines that these bonuses leave open, from the top line down."""
        return tuple(line.trigger for line in self.operator_lines if line.trigger not in bonuses)

    def with_bonuses(self, bonuses: Mapping[str, str | Pay]) -> "Paytable":
        """The same table with the operator's amounts on its open lines; lines not named stay open.

        >>> from cardroom.paytables import paytable
        >>> open_table = paytable("deuces-wild", "bonus-jackpot", "A")
        >>> filled = open_table.with_bonuses({"five-wild-cards": "$5,000"})
        >>> filled.lines[0].pay, filled.is_numeric
        (Dollars(cents=500000), True)
        """
        open_triggers = [line.trigger for line in self.operator_lines]
        bonuses = self._drop_other(bonuses)
        for trigger in bonuses:
            if trigger not in open_triggers:
                open_list, short_name = quote_names(open_triggers), shorten(trigger)
                raise BadBonus(f'{self._title} leaves no bonus open for "{short_name}"; the open ones are {open_list}.')
        return replace(
            self,
            lines=tuple(
                replace(line, pay=self._parse_bonus(line, line.pay, bonuses[line.trigger]))
                if isinstance(line.pay, OperatorBonus) and line.trigger in bonuses
                else line
                for line in self.lines
            ),
        )

    def _drop_other(self, bonuses: Mapping[str, str | Pay]) -> Mapping[str, str | Pay]:
        """Some sheets print a line for anything else and leave it open, others mean the same by printing none: there
        an operator may say that it loses, and nothing else."""
        if OTHER not in bonuses or not self.operator_lines or any(line.trigger == OTHER for line in self.lines):
            return bonuses
        bonus = bonuses[OTHER]
        if bonus != Loss() and not (isinstance(bonus, str) and bonus.strip().lower() == describe_pay(Loss())):
            raise BadBonus(
                f"{self._title} prints no line for anything else, so it loses; "
                f'give {OTHER} = "{describe_pay(Loss())}" or leave it out.'
            )
        return {trigger: pay for trigger, pay in bonuses.items() if trigger != OTHER}

    def _parse_bonus(self, line: PaytableLine, open_pay: OperatorBonus, bonus: str | Pay) -> Pay:
        """Read one amount and see that it is of a kind that the cell accepts."""
        try:
            pay = bonus if isinstance(bonus, Pay) else parse_pay(bonus, self.basis)
        except BadPay as error:
            raise BadBonus(f'The bonus for "{line.trigger}" cannot be read: {error}') from error
        if isinstance(pay, OperatorBonus):
            raise BadBonus(f'The bonus for "{line.trigger}" is still open; give an amount, such as "50" or "$500".')
        match pay, open_pay.accepted_kind:
            case Percent(), BonusKind.BONUS:
                requirement = 'a fixed bonus, such as "50" or "$500"'
            case Percent(), _:
                return pay
            case _, BonusKind.JACKPOT:
                requirement = 'a share of the meter, such as "100%"'
            case _:
                return pay
        raise BadBonus(f'{self._title} takes no {describe_pay(pay)} for "{line.trigger}"; give {requirement}.')


def quote_names(names: Collection[str]) -> str:
    """Names in quotes for a sentence.

    >>> quote_names(["PRW-1", "PRW-2"])
    '"PRW-1", "PRW-2"'
    >>> quote_names([])
    'none'
    """
    return ", ".join(f'"{shorten(name)}"' for name in names) or "none"


@dataclass(frozen=True, slots=True)
class PairHalf:
    """The columns for one half, and the names of their lines."""

    columns: tuple[str, ...]
    trigger_format: str = "{event}"
    label_format: str = "{printed}"

    def lines(self, column: PaytableColumn) -> tuple[PaytableLine, ...]:
        """The lines of a column as they are called on this side."""
        return tuple(
            replace(
                line,
                trigger=self.trigger_format.format(event=line.trigger),
                label=self.label_format.format(printed=line.label),
            )
            for line in column.lines
        )


@dataclass(frozen=True, slots=True)
class ColumnPair:
    """A wager whose tables are made of two columns; the one above is matched first."""

    name: str
    """The pattern of the name, such as ``{below}+{above}``."""
    upper: PairHalf
    lower: PairHalf

    def build_tables(self, columns: Sequence[PaytableColumn]) -> tuple[Paytable, ...]:
        """Every column below with every one above."""
        return tuple(
            self._build_table(upper, lower, columns)
            for lower in columns
            if lower.name in self.lower.columns
            for upper in columns
            if upper.name in self.upper.columns
        )

    def shows_name(self, column: str) -> bool:
        """Whether a column's name is part of the table's name; otherwise it cannot be chosen."""
        return ("{below}" if column in self.lower.columns else "{above}") in self.name

    def _build_table(self, upper: PaytableColumn, lower: PaytableColumn, columns: Sequence[PaytableColumn]) -> Paytable:
        pair_columns = tuple(column for column in columns if column in (upper, lower))
        return replace(
            paytable_from_column(pair_columns[0]),
            name=self.name.format(above=upper.name, below=lower.name),
            lines=self.upper.lines(upper) + self.lower.lines(lower),
            columns=pair_columns,
        )


def paytable_from_column(column: PaytableColumn) -> Paytable:
    """The paytable of a single column."""
    return Paytable(
        game=column.game,
        wager=column.wager,
        name=column.name,
        basis=column.basis,
        lines=column.lines,
        columns=(column,),
        feature=column.feature,
        decks=column.decks,
    )
