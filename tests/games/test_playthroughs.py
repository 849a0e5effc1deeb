"""Whole rounds, line by line, as in the golden files."""

from __future__ import annotations

import pytest

from cardroom.games import game_slugs
from tests.games.playthrough import SEEDS, file_of, lines


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("slug", game_slugs())
def test_a_playthrough_goes_as_written_down(slug: str, seed: int) -> None:
    assert list(lines(slug, seed)) == file_of(slug, seed).read_text("utf-8").splitlines()
