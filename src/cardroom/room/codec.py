"""Encode typed values as JSON values, and decode them, by the fields that a type declares.

A value with fields becomes an object, or an array where the field names would be repeated for every wager. Decoding is
strict: it refuses missing fields, unknown fields, and values of another type.

>>> class Stake(NamedTuple):
...     amount: int
...     share: Fraction | None
>>> encode(Stake(5, Fraction(1, 3)))
{'amount': 5, 'share': '1/3'}
>>> decode(Stake, {"amount": 5, "share": None})
Stake(amount=5, share=None)
>>> decode(Stake, {"amount": "5", "share": None})  # doctest: +ELLIPSIS
Traceback (most recent call last):
...
cardroom.room.codec.DecodeError: {'amount': '5', 'share': None} is not an object with values for amount, share, ...

The order of the wagers on a layout is stored with a setup, because stored JSON objects have no order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache
from operator import itemgetter
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from cardroom.errors import BadInput, quote

T = TypeVar("T")
JsonObject = dict[str, Any]
"""A JSON object; encoding and decoding leave it unchanged."""
_array_like_types: set[type] = set()


class DecodeError(BadInput):
    """JSON values that do not encode a value of the type."""


class Codec(NamedTuple):
    """How values of a type are encoded and decoded."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


def array_like(cls: type[T]) -> type[T]:
    """Class decorator: encode values of this type as an array of their field values."""
    _array_like_types.add(cls)
    return cls


def register_codec(cls: type[T], encoder: Callable[[T], Any], decoder: Callable[[Any], T]) -> None:
    """Encode and decode values of this type with these functions, in the form of a setup file."""
    _REGISTERED[cls] = Codec(encoder, decoder)


def encode(value: object) -> Any:
    """A value as JSON values."""
    cls: Any = type(value)
    return codec_for(cls).encode(value)


def decode(cls: type[T], data: object) -> T:
    """The value that these JSON values encode."""
    annotation: Any = cls
    value: T = codec_for(annotation).decode(data)
    return value


@cache
def codec_for(annotation: Any) -> Codec:
    """The codec of a type, built once."""
    origin, inside = get_origin(annotation), get_args(annotation)
    if annotation is Any or annotation == JsonObject:
        return Codec(_unchanged, _unchanged)
    if origin in (Union, UnionType):
        return _optional_codec(codec_for(next(member for member in inside if member is not NoneType)))
    if origin is tuple:
        return _list_codec(codec_for(inside[0]), tuple)
    if origin is frozenset:
        item_codec = codec_for(inside[0])
        return Codec(lambda value: sorted(map(item_codec.encode, value)), _list_codec(item_codec, frozenset).decode)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping_codec(codec_for(inside[1]))
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    return (
        _REGISTERED[annotation]
        if annotation in _REGISTERED
        else _enum_codec(annotation)
        if issubclass(annotation, Enum)
        else _fields_codec(annotation)
    )


def _unchanged(value: Any) -> Any:
    return value


def _require_type(cls: type) -> Callable[[Any], Any]:
    def read(entry: Any) -> Any:
        if type(entry) is not cls:
            raise DecodeError(f"{quote(entry)} is not a value of the type {cls.__name__}.")
        return entry

    return read


_SCALARS: Final[dict[Any, Codec]] = {cls: Codec(_unchanged, _require_type(cls)) for cls in (str, int, bool)}
_decode_text, _decode_list, _decode_object = _require_type(str), _require_type(list), _require_type(dict)
_decode_fraction = lru_cache(1024)(Fraction)
_REGISTERED: Final[dict[type, Codec]] = {
    Fraction: Codec(str, lambda entry: _decode_fraction(_decode_text(entry))),
    date: Codec(date.isoformat, lambda entry: date.fromisoformat(_decode_text(entry))),
}


def _enum_codec(cls: type[Enum]) -> Codec:
    return Codec(lambda value: cls(value).value, cls)


def _optional_codec(codec: Codec) -> Codec:
    return Codec(
        lambda value: None if value is None else codec.encode(value),
        lambda entry: None if entry is None else codec.decode(entry),
    )


def _list_codec(item_codec: Codec, kind: Callable[[Any], Any]) -> Codec:
    write, decode_item = item_codec
    if item_codec in _SCALARS.values():
        (cls,) = (cls for cls, form in _SCALARS.items() if form == item_codec)

        def read_all(entry: Any) -> Any:
            if type(entry) is not list or tuple(map(type, entry)) != (cls,) * len(entry):
                raise DecodeError(f"{quote(entry)} is not a list of values of the type {cls.__name__}.")
            return kind(entry)

        return Codec(list, read_all)
    return Codec(
        lambda value: [write(item) for item in value],
        lambda entry: kind([decode_item(item) for item in _decode_list(entry)]),
    )


def _mapping_codec(item_codec: Codec) -> Codec:
    write, decode_item = item_codec
    return Codec(
        lambda value: {name: write(item) for name, item in value.items()},
        lambda entry: {name: decode_item(item) for name, item in _decode_object(entry).items()},
    )


def _fields_codec(cls: type) -> Codec:
    hints = get_type_hints(cls)
    if dataclasses.is_dataclass(cls):
        return _object_codec(cls, tuple(field.name for field in dataclasses.fields(cls)), hints)
    names: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]
    return _array_codec(cls, names, hints) if cls in _array_like_types else _object_codec(cls, names, hints)


def _array_codec(cls: Any, names: tuple[str, ...], hints: Mapping[str, Any]) -> Codec:
    types = tuple(hints[name] for name in names)
    assert set(types) <= _SCALARS.keys(), f"An array-like type has only scalar fields: {cls}."

    def read(entry: Any) -> Any:
        if type(entry) is not list or tuple(map(type, entry)) != types:
            raise DecodeError(f"{quote(entry)} is not an array of {', '.join(names)}.")
        return cls(*entry)

    return Codec(list, read)


def _object_codec(cls: Any, names: tuple[str, ...], hints: Mapping[str, Any]) -> Codec:
    writers = [(name, codec_for(hints[name]).encode) for name in names]
    single = tuple(name for name in names if hints[name] in _SCALARS)
    types, all_values, single_values = (
        tuple(hints[name] for name in single),
        _items_getter(names),
        _items_getter(single),
    )
    decoders = [(index, codec_for(hints[name]).decode) for index, name in enumerate(names) if name not in single]
    number = len(names)
    error_text = f"{{}} is not an object with values for {', '.join(names)}, each of its type."

    def write(value: Any) -> dict[str, Any]:
        return {name: writer(getattr(value, name)) for name, writer in writers}

    def read(entry: Any) -> Any:
        # All fields are checked together, because a replay decodes millions of objects.
        try:
            values = [*all_values(entry)]
            if len(entry) != number or tuple(map(type, single_values(entry))) != types:
                raise DecodeError(error_text.format(quote(entry)))
        except (KeyError, TypeError):
            raise DecodeError(error_text.format(quote(entry))) from None
        for index, reader in decoders:
            values[index] = reader(values[index])
        return cls(*values)

    return Codec(write, read)


def _items_getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that returns the values under these names."""
    if len(names) > 1:
        return itemgetter(*names)
    return lambda entry: tuple(entry[name] for name in names)


def wager_order(setup: Mapping[str, Any]) -> tuple[str, ...]:
    """The wagers of a table's setup in the order of the layout.

    >>> wager_order({"game": "three-card-prime", "wagers": {"prime": {}, "all-six": {}}})
    ('prime', 'all-six')
    """
    return tuple(setup["wagers"])


def restore_wager_order(setup: Mapping[str, Any], layout: Sequence[str]) -> dict[str, Any]:
    """The setup with its wagers in the order of the layout.

    >>> restore_wager_order({"wagers": {"all-six": {}, "prime": {}}}, ["prime", "all-six"])
    {'wagers': {'prime': {}, 'all-six': {}}}
    """
    return {**setup, "wagers": {wager: setup["wagers"][wager] for wager in layout}}


def restore_record_order(record: Mapping[str, Any], layout: Sequence[str]) -> dict[str, Any]:
    """The record of a round with the wagers of its table in the order of the layout."""
    return {**record, "table": restore_wager_order(record["table"], layout)}
