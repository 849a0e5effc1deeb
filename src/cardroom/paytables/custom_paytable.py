"""Custom paytables, from a small TOML file.

    game = "three-card-prime"
    wager = "prime"
    name = "generous"
    basis = "to 1"

    [lines]                             # from the top line down
    same-color-player-and-dealer = "5"
    same-color-player = "3"
    other = "loss"

A table for a feature that rides on a wager also says `feature = "color"`. `other` is whatever no line above it names;
left out, it loses. In a table setup the same content is in the wager's section `table`, without game and wager.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from cardroom.documents import BadText, decode_text, read_toml
from cardroom.errors import BadInput, shorten, suggest_name
from cardroom.paytables.catalog import UnknownPaytable, paytables
from cardroom.paytables.pay import BadPay, Basis, BonusKind, Loss, OperatorBonus, Pay, Percent, describe_pay, parse_pay
from cardroom.paytables.table import OTHER, Paytable, PaytableLine, quote_names

LONGEST_NAME: Final = 40
_REQUIRED = ("game", "wager", "name", "basis", "lines")
_KEYS = (*_REQUIRED, "feature")


class BadPaytable(BadInput):
    """A file that is no paytable, or one that the rules of the game do not allow."""


@dataclass(frozen=True, slots=True)
class PaytableSpec:
    """A custom paytable as an operator writes it. It may be wrong: ``build_custom_paytable`` is the
    door that checks it."""

    name: str
    basis: str
    lines: tuple[tuple[str, str], ...]
    """Event and pay, from the top line down."""


def paytable_to_spec(table: Paytable) -> PaytableSpec:
    """The specification of a custom table."""
    return PaytableSpec(table.name, str(table.basis), tuple((line.trigger, line.cell) for line in table.lines))


def build_custom_paytable(game: str, wager: str, spec: PaytableSpec, feature: str | None = None) -> Paytable:
    """The table in force for a wager of a game, or for a feature that rides on it.

    >>> own = PaytableSpec("generous", "to 1", (("same-color-player", "4"),))
    >>> build_custom_paytable("three-card-prime", "prime", own).find_pay(["same-color-player"])
    ToOne(odds=Fraction(4, 1))
    """
    basis = _parse_basis(spec.basis)
    try:
        printed_tables = paytables(game, wager, feature)
    except UnknownPaytable as error:
        raise BadPaytable(str(error)) from error
    if len(spec.name) > LONGEST_NAME or not spec.name.isprintable():
        raise BadPaytable(f"The name of a paytable has {LONGEST_NAME} letters at most, all in one line.")
    if not spec.name.strip() or spec.name in [table.name for table in printed_tables]:
        raise BadPaytable(
            f'A paytable of its own needs a name of its own; "{shorten(spec.name)}" is empty or a printed name.'
        )
    if not any(table.lines for table in printed_tables):
        raise BadPaytable(f"{game} {wager} is paid by the rules and not by a table; it takes no paytable of its own.")
    if not spec.lines:
        raise BadPaytable('The paytable has no lines; write [lines] and under it event = "pay", the highest first.')
    _refuse_misplaced_other(spec)
    lines = tuple(_build_line(trigger, pay, basis, printed_tables) for trigger, pay in spec.lines)
    _refuse_overruled(lines, printed_tables)
    return Paytable(game=game, wager=wager, name=spec.name, basis=basis, lines=lines, feature=printed_tables[0].feature)


def load_paytable(path_or_text: Path | str) -> Paytable:
    """Read a custom paytable from a file, or from its text (which always has more than one line).

    >>> table = load_paytable('''
    ... game = "three-card-prime"
    ... wager = "prime"
    ... name = "generous"
    ... basis = "to 1"
    ... lines = { same-color-player-and-dealer = "5", same-color-player = "3", other = "loss" }
    ... ''')
    >>> [describe_pay(line.pay) for line in table.lines]
    ['5 to 1', '3 to 1', 'loss']
    """
    text = path_or_text
    if isinstance(text, Path) or "\n" not in text:
        try:
            text = decode_text(Path(text).read_bytes(), str(text))
        except BadText as error:
            raise BadPaytable(str(error)) from error
        except (OSError, ValueError) as error:
            file, why = shorten(str(path_or_text)), shorten(str(error), 200)
            raise BadPaytable(f'The file "{file}" cannot be read ({why}); give a TOML text file.') from error
    return parse_custom_paytable(read_toml(text, BadPaytable, "The paytable"))


def parse_custom_paytable(content: Mapping[str, Any]) -> Paytable:
    """A custom paytable from the mapping that TOML gives."""
    missing = [key for key in _REQUIRED if key not in content]
    if missing:
        raise BadPaytable(f"The paytable does not say its {quote_names(missing)}; it needs {quote_names(_REQUIRED)}.")
    unknown = [key for key in content if key not in _KEYS]
    if unknown:
        raise BadPaytable(f"A paytable has no {quote_names(unknown)}; it may say {quote_names(_KEYS)}.")
    game, wager, name, basis = (_require_text(content, key) for key in ("game", "wager", "name", "basis"))
    feature = _require_text(content, "feature") if "feature" in content else None
    return build_custom_paytable(game, wager, PaytableSpec(name, basis, parse_spec_lines(content["lines"])), feature)


def parse_spec_lines(rows: object) -> tuple[tuple[str, str], ...]:
    """Event and pay of each line, written as a section, or as a list of pairs where names have no order."""
    pairs = list(rows.items()) if isinstance(rows, Mapping) else rows
    if not isinstance(pairs, list) or not pairs:
        raise BadPaytable('The paytable has no lines; write [lines] and under it event = "pay", the highest first.')
    pays: dict[str, str] = {}
    for pair in pairs:
        match pair:
            case (str(trigger), str(pay)):
                if trigger in pays:
                    raise BadPaytable(f'The line "{shorten(trigger)}" stands twice; say it once.')
                pays[trigger] = pay
            case (str(trigger), _):
                short_name = shorten(trigger)
                raise BadPaytable(f'The pay of "{short_name}" is not text; write {short_name} = "5" with quotes.')
            case _:
                raise BadPaytable('A line of the paytable is an event and its pay, such as ["straight", "4"].')
    return tuple(pays.items())


def change_pays(table: Paytable, pays: Mapping[str, str]) -> Paytable:
    """A table with other pays on some of its lines, by event, as they are typed; under a name that says so.

    >>> from cardroom.paytables import paytable
    >>> table = change_pays(paytable("three-card-prime", "prime", "PRW-1"), {"same-color-player": "2"})
    >>> table.name, [describe_pay(line.pay) for line in table.lines]
    ('PRW-1, changed', ['4 to 1', '2 to 1', 'loss'])
    """
    printed_tables = paytables(table.game, table.wager, table.feature)
    triggers = [line.trigger for line in table.lines]
    for trigger in pays:
        if trigger not in triggers:
            trigger_list = quote_names(triggers)
            raise BadPaytable(f'Table {table.name} has no line "{shorten(trigger)}"; its lines are {trigger_list}.')
    lines = tuple(
        _build_line(line.trigger, pays[line.trigger], table.basis, printed_tables) if line.trigger in pays else line
        for line in table.lines
    )
    if all(new.pay == line.pay for new, line in zip(lines, table.lines, strict=True)):
        return table
    return replace(table, name=f"{table.name}, changed", lines=lines, columns=())


def _require_text(content: Mapping[str, Any], key: str) -> str:
    value = content[key]
    if not isinstance(value, str):
        raise BadPaytable(f'The {key} of the paytable is not text; write {key} = "…" with quotes.')
    return value


def _parse_basis(text: str) -> Basis:
    try:
        return Basis(text)
    except ValueError as error:
        raise BadPaytable(
            f'"{shorten(text)}" is no basis for odds; write "{Basis.TO_ONE}" or "{Basis.FOR_ONE}".'
        ) from error


def _build_line(trigger: str, cell: str, basis: Basis, printed_tables: tuple[Paytable, ...]) -> PaytableLine:
    lines = [line for table in printed_tables for line in table.lines]
    same_lines = [line for line in lines if line.trigger == trigger]
    is_other = trigger == OTHER and printed_tables[0].feature is None
    if not same_lines and not is_other:
        triggers = dict.fromkeys(line.trigger for line in lines)
        suggestion = suggest_name(trigger, triggers)
        raise BadPaytable(
            f'The wager has no event "{shorten(trigger)}"; its events are {quote_names(triggers)}.{suggestion}'
        )
    try:
        pay = parse_pay(cell, basis)
    except BadPay as error:
        raise BadPaytable(f'The pay of "{trigger}" cannot be read: {error}') from error
    if _needs_meter(pay) and not any(_needs_meter(line.pay) for line in lines):
        raise BadPaytable(
            f'The wager has no meter, so "{trigger}" cannot pay {describe_pay(pay)}; give odds or dollars.'
        )
    for line in same_lines:
        if line.ruling and pay != line.pay:
            raise BadPaytable(f'Ruling {line.ruling} sets the pay of "{trigger}"; write "{describe_pay(line.pay)}".')
    return PaytableLine(trigger, same_lines[0].label if same_lines else "Anything else", pay, cell)


def _refuse_misplaced_other(spec: PaytableSpec) -> None:
    """A line below the one that takes whatever is left could never be met."""
    triggers = [trigger for trigger, _ in spec.lines]
    if OTHER in triggers[:-1]:
        raise BadPaytable(f'"{OTHER}" is whatever no line above it names; write it last.')


def _refuse_overruled(lines: tuple[PaytableLine, ...], printed_tables: tuple[Paytable, ...]) -> None:
    """What a ruling has decided does not change because a table leaves its line out."""
    pays_by_trigger = {line.trigger: line.pay for line in lines}
    other_pay = pays_by_trigger.get(OTHER, Loss())
    for line_with_ruling in (line for table in printed_tables for line in table.lines if line.ruling):
        if line_with_ruling.trigger not in pays_by_trigger and other_pay != line_with_ruling.pay:
            pays = describe_pay(line_with_ruling.pay)
            raise BadPaytable(
                f'Ruling {line_with_ruling.ruling} sets the pay of "{line_with_ruling.trigger}"; give it a line of its '
                f'own above "{OTHER}": {line_with_ruling.trigger} = "{pays}".'
            )


def _needs_meter(pay: Pay) -> bool:
    return isinstance(pay, Percent) or (isinstance(pay, OperatorBonus) and pay.accepted_kind is not BonusKind.BONUS)
