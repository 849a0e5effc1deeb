"""The page about random numbers, its commands run: what it shows is what happens."""

from __future__ import annotations

import pytest

from tests.cli.card_room import CliRoom
from tests.cli.test_jackpot_guide import run_guide


def test_the_page_about_random_numbers_tells_the_truth(
    empty_cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(empty_cli_room.folder)
    assert run_guide(empty_cli_room, "random-numbers.md", COLUMNS="300") == 2
