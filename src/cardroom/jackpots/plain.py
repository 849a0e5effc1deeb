"""Typed values as plain ones, which JSON can hold, and back again: by the fields that a type declares.

A value with fields is written by their names, or in a row where the names would be repeated for every wager. Reading is
strict: what is missing, unknown or of another type was not written here.

>>> class Stake(NamedTuple):
...     amount: int
...     share: Fraction | None
>>> written(Stake(5, Fraction(1, 3)))
{'amount': 5, 'share': '1/3'}
>>> read_as(Stake, {"amount": 5, "share": None})
Stake(amount=5, share=None)
>>> read_as(Stake, {"amount": "5", "share": None})  # doctest: +ELLIPSIS
Traceback (most recent call last):
...
cardroom.jackpots.plain.NotWrittenHere: {'amount': '5', 'share': None} stands where values for amount, share belong, ...
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from datetime import date
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache
from operator import itemgetter
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from cardroom.errors import BadInput, quote

T = TypeVar("T")
Plain = dict[str, Any]
"""Plain values by name, taken as they are."""
_in_a_row: set[type] = set()


class NotWrittenHere(BadInput):
    """Plain values that are not what a type is written as."""


class Form(NamedTuple):
    """How values of a type are written and read."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def in_a_row(cls: type[T]) -> type[T]:
    """Values of this type are written as a list of what their fields hold."""
    _in_a_row.add(cls)
    return cls


def written_by(of: type[T], write: Callable[[T], Any], read: Callable[[Any], T]) -> None:
    """Values of this type are written as an operator writes them, and read as what an operator has written."""
    _OTHERS[of] = Form(write, read)


def written(value: object) -> Any:
    """A value as plain ones."""
    of: Any = type(value)
    return form(of).write(value)


def read_as(of: type[T], entry: object) -> T:
    """The value that was written as this."""
    wanted: Any = of
    value: T = form(wanted).read(entry)
    return value


@cache
def form(of: Any) -> Form:
    """The form of a type, put together once."""
    origin, inside = get_origin(of), get_args(of)
    if of is Any or of == Plain:
        return Form(_same, _same)
    if origin in (Union, UnionType):
        return _or_none(form(next(one for one in inside if one is not NoneType)))
    if origin is tuple:
        return _listed(form(inside[0]), tuple)
    if origin is frozenset:
        each = form(inside[0])
        return Form(lambda value: sorted(map(each.write, value)), _listed(each, frozenset).read)
    if origin is not None and issubclass(origin, Mapping):
        return _by_name(form(inside[1]))
    if of in _SCALARS:
        return _SCALARS[of]
    return _OTHERS[of] if of in _OTHERS else _enumerated(of) if issubclass(of, Enum) else _with_fields(of)


def _same(value: Any) -> Any:
    return value


def _exactly(of: type) -> Callable[[Any], Any]:
    def read(entry: Any) -> Any:
        if type(entry) is not of:
            raise NotWrittenHere(f"{quote(entry)} stands where a value of the type {of.__name__} belongs.")
        return entry

    return read


_SCALARS: Final[dict[Any, Form]] = {of: Form(_same, _exactly(of)) for of in (str, int, bool)}
_text, _list, _names = _exactly(str), _exactly(list), _exactly(dict)
_fraction = lru_cache(1024)(Fraction)
_OTHERS: Final[dict[type, Form]] = {
    Fraction: Form(str, lambda entry: _fraction(_text(entry))),
    date: Form(date.isoformat, lambda entry: date.fromisoformat(_text(entry))),
}


def _enumerated(of: type[Enum]) -> Form:
    return Form(lambda value: of(value).value, of)


def _or_none(some: Form) -> Form:
    return Form(
        lambda value: None if value is None else some.write(value),
        lambda entry: None if entry is None else some.read(entry),
    )


def _listed(each: Form, kind: Callable[[Any], Any]) -> Form:
    write, read = each
    if each in _SCALARS.values():
        (of,) = (of for of, form in _SCALARS.items() if form == each)

        def read_all(entry: Any) -> Any:
            if type(entry) is not list or tuple(map(type, entry)) != (of,) * len(entry):
                raise NotWrittenHere(f"{quote(entry)} stands where a list of the type {of.__name__} belongs.")
            return kind(entry)

        return Form(list, read_all)
    return Form(
        lambda value: [write(one) for one in value],
        lambda entry: kind([read(one) for one in _list(entry)]),
    )


def _by_name(each: Form) -> Form:
    write, read = each
    return Form(
        lambda value: {name: write(one) for name, one in value.items()},
        lambda entry: {name: read(one) for name, one in _names(entry).items()},
    )


def _with_fields(of: type) -> Form:
    hints = get_type_hints(of)
    if dataclasses.is_dataclass(of):
        return _named(of, tuple(one.name for one in dataclasses.fields(of)), hints)
    names: tuple[str, ...] = of._fields  # type: ignore[attr-defined]
    return _row(of, names, hints) if of in _in_a_row else _named(of, names, hints)


def _row(of: Any, names: tuple[str, ...], hints: Mapping[str, Any]) -> Form:
    types = tuple(hints[name] for name in names)
    assert set(types) <= _SCALARS.keys(), f"Only single values stand in a row, not those of {of}."

    def read(entry: Any) -> Any:
        if type(entry) is not list or tuple(map(type, entry)) != types:
            raise NotWrittenHere(f"{quote(entry)} stands where {', '.join(names)} belong in a row.")
        return of(*entry)

    return Form(list, read)


def _named(of: Any, names: tuple[str, ...], hints: Mapping[str, Any]) -> Form:
    writers = [(name, form(hints[name]).write) for name in names]
    single = tuple(name for name in names if hints[name] in _SCALARS)
    types, all_values, single_values = tuple(hints[name] for name in single), _taking(names), _taking(single)
    others = [(at, form(hints[name]).read) for at, name in enumerate(names) if name not in single]
    number = len(names)
    wanted = f"{{}} stands where values for {', '.join(names)} belong, each of its type."

    def write(value: Any) -> dict[str, Any]:
        return {name: writer(getattr(value, name)) for name, writer in writers}

    def read(entry: Any) -> Any:
        # Checked together, because a replay reads millions of them.
        try:
            values = [*all_values(entry)]
            if len(entry) != number or tuple(map(type, single_values(entry))) != types:
                raise NotWrittenHere(wanted.format(quote(entry)))
        except (KeyError, TypeError):
            raise NotWrittenHere(wanted.format(quote(entry))) from None
        for at, reader in others:
            values[at] = reader(values[at])
        return of(*values)

    return Form(write, read)


def _taking(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """What stands under these names."""
    if len(names) > 1:
        return itemgetter(*names)
    return lambda entry: tuple(entry[name] for name in names)
