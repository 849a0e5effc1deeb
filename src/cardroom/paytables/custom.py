"""Paytables that nobody printed: a small TOML file for a question that starts with "what if".

    game = "three-card-prime"
    wager = "prime"
    name = "generous"
    basis = "to 1"

    [lines]                             # from the top line down
    same-color-player-and-dealer = "5"
    same-color-player = "3"
    other = "loss"

A table for a feature that rides on a wager also says `feature = "color"`.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cardroom.documents import read_toml
from cardroom.faults import BadInput, shortened
from cardroom.paytables.pay import Accepts, BadPay, Basis, OperatorBonus, Pay, Percent, parse_pay, words
from cardroom.paytables.printed import UnknownPaytable, paytables
from cardroom.paytables.table import Line, Paytable, listed

_REQUIRED = ("game", "wager", "name", "basis", "lines")
_KEYS = (*_REQUIRED, "feature")


class BadPaytable(BadInput):
    """A file that is no paytable, or one that the rules of the game do not allow."""


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
    content = _content(path_or_text)
    game, wager, name = (_text(content, key) for key in ("game", "wager", "name"))
    basis = _basis(_text(content, "basis"))
    feature = _text(content, "feature") if "feature" in content else None
    try:
        printed = paytables(game, wager, feature)
    except UnknownPaytable as fault:
        raise BadPaytable(str(fault)) from fault
    if not name or name in [table.name for table in printed]:
        raise BadPaytable(
            f'A paytable of its own needs a name of its own; "{shortened(name)}" is empty or a printed name.'
        )
    rows = content["lines"]
    if not isinstance(rows, dict) or not rows:
        raise BadPaytable('The paytable has no lines; write [lines] and under it event = "pay", the highest first.')
    return Paytable(
        game=game,
        wager=wager,
        name=name,
        basis=basis,
        lines=tuple(_line(event, pay, basis, printed) for event, pay in rows.items()),
        feature=printed[0].feature,
    )


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


def _content(path_or_text: Path | str) -> dict[str, Any]:
    text = path_or_text
    if isinstance(text, Path) or "\n" not in text:
        try:
            text = Path(text).read_text(encoding="utf-8")
        except (OSError, ValueError) as fault:
            file, why = shortened(str(path_or_text)), shortened(str(fault), 200)
            raise BadPaytable(f'The file "{file}" cannot be read ({why}); give a TOML text file.') from fault
    content = read_toml(text, BadPaytable, "The paytable")
    missing = [key for key in _REQUIRED if key not in content]
    if missing:
        raise BadPaytable(f"The paytable does not say its {listed(missing)}; it needs {listed(_REQUIRED)}.")
    unknown = [key for key in content if key not in _KEYS]
    if unknown:
        raise BadPaytable(f"A paytable has no {listed(unknown)}; it may say {listed(_KEYS)}.")
    return content


def _text(content: dict[str, Any], key: str) -> str:
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


def _line(event: str, cell: object, basis: Basis, printed: tuple[Paytable, ...]) -> Line:
    lines = [line for table in printed for line in table.lines]
    same = [line for line in lines if line.event == event]
    if not same:
        known = dict.fromkeys(line.event for line in lines)
        raise BadPaytable(f'The wager has no event "{shortened(event)}"; its events are {listed(known)}.')
    if not isinstance(cell, str):
        raise BadPaytable(f'The pay of "{event}" is not text; write {event} = "5" with quotes.')
    try:
        pay = parse_pay(cell, basis)
    except BadPay as fault:
        raise BadPaytable(f'The pay of "{event}" cannot be read: {fault}') from fault
    if _needs_meter(pay) and not any(_needs_meter(line.pay) for line in lines):
        raise BadPaytable(f'The wager has no meter, so "{event}" cannot pay {words(pay)}; give odds or dollars.')
    for line in same:
        if line.overruled and pay != line.pay:
            raise BadPaytable(f'Ruling {line.overruled} sets the pay of "{event}"; write "{words(line.pay)}".')
    return Line(event, same[0].printed, pay, cell)


def _needs_meter(pay: Pay) -> bool:
    return isinstance(pay, Percent) or (isinstance(pay, OperatorBonus) and pay.accepts is not Accepts.BONUS)
