"""What an attack starts from: a floor in a file, or a card room at the command line."""

from __future__ import annotations

from tests.cli.conftest import books_with_staff, house
from tests.floor.conftest import in_a_file

__all__ = ["books_with_staff", "house", "in_a_file"]
