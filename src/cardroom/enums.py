"""Members of an enumeration that print the way they are written in code.

>>> from enum import Enum
>>> class Color(TypeableEnum, Enum):
...     RED = "red"
>>> Color.RED, eval(repr(Color.RED)) is Color.RED
(Color.RED, True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING


class TypeableEnum:
    """A mixin for enumerations whose members appear in the ``repr`` of public values."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def name(self) -> str: ...

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
