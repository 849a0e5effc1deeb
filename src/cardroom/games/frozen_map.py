"""An immutable mapping: values that contain one can be compared, hashed, copied, and pickled.

>>> wagers = FrozenMap({"ante": 500, "prime": 100})
>>> wagers == {"prime": 100, "ante": 500}, hash(wagers) == hash(FrozenMap({"prime": 100, "ante": 500}))
(True, True)
>>> wagers["ante"] = 0
Traceback (most recent call last):
...
TypeError: A FrozenMap cannot be changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenMap(dict[K, V]):
    """An immutable ``dict``, as fast to read as any."""

    __slots__ = ("_hash",)
    _hash: int

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("A FrozenMap cannot be changed.")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self.items()))
            return self._hash

    def __copy__(self) -> FrozenMap[K, V]:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenMap, (dict(self),)


def freeze(mapping: Mapping[K, V]) -> FrozenMap[K, V]:
    """The mapping as a ``FrozenMap``; a ``FrozenMap`` is returned unchanged."""
    return mapping if isinstance(mapping, FrozenMap) else FrozenMap(mapping)
