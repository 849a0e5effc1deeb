"""Paytables that nobody printed: a small TOML file for a question that starts with "what if".

    game = "three-card-prime"
    wager = "prime"
    name = "generous"
    basis = "to 1"

    [lines]                             # from the top line down
    same-color-player-and-dealer = "5"
    same-color-player = "3"
    other = "loss"

A table for a feature that rides on a wager also says `feature = "color"`. `other` is whatever no line above it names;
left out, it loses. In the set-up of a table the same stands in the wager's section `table`, without game and wager.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from cardroom.documents import BadText, plain_text, read_toml
from cardroom.faults import BadInput, close_to, shortened
from cardroom.paytables.pay import Accepts, BadPay, Basis, Loss, OperatorBonus, Pay, Percent, parse_pay, words
from cardroom.paytables.printed import UnknownPaytable, paytables
from cardroom.paytables.table import OTHER, Line, Paytable, listed

LONGEST_NAME: Final = 40
_REQUIRED = ("game", "wager", "name", "basis", "lines")
_KEYS = (*_REQUIRED, "feature")


class BadPaytable(BadInput):
    """A file that is no paytable, or one that the rules of the game do not allow."""


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A paytable that nobody printed, as an operator writes it. It may be wrong: ``own_paytable`` is the door that
    checks it."""

    name: str
    basis: str
    lines: tuple[tuple[str, str], ...]
    """Event and pay, from the top line down."""


def own_table(table: Paytable) -> OwnTable:
    """A table that nobody printed, as it would be written."""
    return OwnTable(table.name, str(table.basis), tuple((line.event, line.cell) for line in table.lines))


def own_paytable(game: str, wager: str, own: OwnTable, feature: str | None = None) -> Paytable:
    """The table in force for a wager of a game, or for a feature that rides on it.

    >>> own = OwnTable("generous", "to 1", (("same-color-player", "4"),))
    >>> own_paytable("three-card-prime", "prime", own).pay(["same-color-player"])
    ToOne(odds=Fraction(4, 1))
    """
    basis = _basis(own.basis)
    try:
        printed = paytables(game, wager, feature)
    except UnknownPaytable as fault:
        raise BadPaytable(str(fault)) from fault
    if len(own.name) > LONGEST_NAME or not own.name.isprintable():
        raise BadPaytable(f"The name of a paytable has {LONGEST_NAME} letters at most, all in one line.")
    if not own.name.strip() or own.name in [table.name for table in printed]:
        raise BadPaytable(
            f'A paytable of its own needs a name of its own; "{shortened(own.name)}" is empty or a printed name.'
        )
    if not any(table.lines for table in printed):
        raise BadPaytable(f"{game} {wager} is paid by the rules and not by a table; it takes no paytable of its own.")
    if not own.lines:
        raise BadPaytable('The paytable has no lines; write [lines] and under it event = "pay", the highest first.')
    _refuse_order(own)
    lines = tuple(_line(event, pay, basis, printed) for event, pay in own.lines)
    _refuse_overruled(lines, printed)
    return Paytable(game=game, wager=wager, name=own.name, basis=basis, lines=lines, feature=printed[0].feature)


def load_paytable(path_or_text: Path | str) -> Paytable:
    """Read a custom paytable from a file, or from its text (which always has more than one line).

    >>> table = load_paytable('''
    ... game = "three-card-prime"
    ... wager = "prime"
    ... name = "generous"
    ... basis = "to 1"
    ... lines = { same-color-player-and-dealer = "5", same-color-player = "3", other = "loss" }
    ... ''')
    >>> [words(line.pay) for line in table.lines]
    ['5 to 1', '3 to 1', 'loss']
    """
    text = path_or_text
    if isinstance(text, Path) or "\n" not in text:
        try:
            text = plain_text(Path(text).read_bytes(), str(text))
        except BadText as fault:
            raise BadPaytable(str(fault)) from fault
        except (OSError, ValueError) as fault:
            file, why = shortened(str(path_or_text)), shortened(str(fault), 200)
            raise BadPaytable(f'The file "{file}" cannot be read ({why}); give a TOML text file.') from fault
    return paytable_from(read_toml(text, BadPaytable, "The paytable"))


def paytable_from(content: Mapping[str, Any]) -> Paytable:
    """A custom paytable from the mapping that TOML gives."""
    missing = [key for key in _REQUIRED if key not in content]
    if missing:
        raise BadPaytable(f"The paytable does not say its {listed(missing)}; it needs {listed(_REQUIRED)}.")
    unknown = [key for key in content if key not in _KEYS]
    if unknown:
        raise BadPaytable(f"A paytable has no {listed(unknown)}; it may say {listed(_KEYS)}.")
    game, wager, name, basis = (_text(content, key) for key in ("game", "wager", "name", "basis"))
    feature = _text(content, "feature") if "feature" in content else None
    return own_paytable(game, wager, OwnTable(name, basis, own_lines(content["lines"])), feature)


def own_lines(rows: object) -> tuple[tuple[str, str], ...]:
    """Event and pay of each line, written as a section, or as a list of pairs where names have no order."""
    pairs = list(rows.items()) if isinstance(rows, Mapping) else rows
    if not isinstance(pairs, list) or not pairs:
        raise BadPaytable('The paytable has no lines; write [lines] and under it event = "pay", the highest first.')
    found: dict[str, str] = {}
    for pair in pairs:
        match pair:
            case (str(event), str(pay)):
                if event in found:
                    raise BadPaytable(f'The line "{shortened(event)}" stands twice; say it once.')
                found[event] = pay
            case (str(event), _):
                named = shortened(event)
                raise BadPaytable(f'The pay of "{named}" is not text; write {named} = "5" with quotes.')
            case _:
                raise BadPaytable('A line of the paytable is an event and its pay, such as ["straight", "4"].')
    return tuple(found.items())


def changed_paytable(table: Paytable, pays: Mapping[str, str]) -> Paytable:
    """A table with other pays on some of its lines, by event, as they are typed; under a name that says so.

    >>> from cardroom.paytables import paytable
    >>> table = changed_paytable(paytable("three-card-prime", "prime", "PRW-1"), {"same-color-player": "2"})
    >>> table.name, [words(line.pay) for line in table.lines]
    ('PRW-1, changed', ['4 to 1', '2 to 1', 'loss'])
    """
    printed = paytables(table.game, table.wager, table.feature)
    events = [line.event for line in table.lines]
    for event in pays:
        if event not in events:
            there = listed(events)
            raise BadPaytable(f'Table {table.name} has no line "{shortened(event)}"; its lines are {there}.')
    lines = tuple(
        _line(line.event, pays[line.event], table.basis, printed) if line.event in pays else line
        for line in table.lines
    )
    if all(new.pay == line.pay for new, line in zip(lines, table.lines, strict=True)):
        return table
    return replace(table, name=f"{table.name}, changed", lines=lines, columns=())


def _text(content: Mapping[str, Any], key: str) -> str:
    value = content[key]
    if not isinstance(value, str):
        raise BadPaytable(f'The {key} of the paytable is not text; write {key} = "…" with quotes.')
    return value


def _basis(text: str) -> Basis:
    try:
        return Basis(text)
    except ValueError as fault:
        raise BadPaytable(
            f'"{shortened(text)}" is no basis for odds; write "{Basis.TO_ONE}" or "{Basis.FOR_ONE}".'
        ) from fault


def _line(event: str, cell: str, basis: Basis, printed: tuple[Paytable, ...]) -> Line:
    lines = [line for table in printed for line in table.lines]
    same = [line for line in lines if line.event == event]
    anything_else = event == OTHER and printed[0].feature is None
    if not same and not anything_else:
        known = dict.fromkeys(line.event for line in lines)
        meant = close_to(event, known)
        raise BadPaytable(f'The wager has no event "{shortened(event)}"; its events are {listed(known)}.{meant}')
    try:
        pay = parse_pay(cell, basis)
    except BadPay as fault:
        raise BadPaytable(f'The pay of "{event}" cannot be read: {fault}') from fault
    if _needs_meter(pay) and not any(_needs_meter(line.pay) for line in lines):
        raise BadPaytable(f'The wager has no meter, so "{event}" cannot pay {words(pay)}; give odds or dollars.')
    for line in same:
        if line.overruled and pay != line.pay:
            raise BadPaytable(f'Ruling {line.overruled} sets the pay of "{event}"; write "{words(line.pay)}".')
    return Line(event, same[0].printed if same else "Anything else", pay, cell)


def _refuse_order(own: OwnTable) -> None:
    """A line below the one that takes whatever is left could never be met."""
    events = [event for event, _ in own.lines]
    if OTHER in events[:-1]:
        raise BadPaytable(f'"{OTHER}" is whatever no line above it names; write it last.')


def _refuse_overruled(lines: tuple[Line, ...], printed: tuple[Paytable, ...]) -> None:
    """What a ruling has decided does not change because a table leaves its line out."""
    events = {line.event: line.pay for line in lines}
    rest = events.get(OTHER, Loss())
    for ruled in (line for table in printed for line in table.lines if line.overruled):
        if ruled.event not in events and rest != ruled.pay:
            pays = words(ruled.pay)
            raise BadPaytable(
                f'Ruling {ruled.overruled} sets the pay of "{ruled.event}"; give it a line of its own above '
                f'"{OTHER}": {ruled.event} = "{pays}".'
            )


def _needs_meter(pay: Pay) -> bool:
    return isinstance(pay, Percent) or (isinstance(pay, OperatorBonus) and pay.accepts is not Accepts.BONUS)
