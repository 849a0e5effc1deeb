"""The page about random numbers, its commands run: what it shows is what happens."""

from __future__ import annotations

import pytest

from tests.cli.card_room import House
from tests.cli.test_jackpot_guide import walk


def test_the_page_about_random_numbers_tells_the_truth(empty_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(empty_house.folder)
    assert walk(empty_house, "random-numbers.md", COLUMNS="300") == 2
