"""Complete rounds are the same as in the golden files, line by line."""

from __future__ import annotations

import pytest

from cardroom.games import game_slugs
from tests.games.playthrough import SEEDS, find_golden_file, lines


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("slug", game_slugs())
def test_a_playthrough_is_the_same_as_its_golden_file(slug: str, seed: int) -> None:
    assert list(lines(slug, seed)) == find_golden_file(slug, seed).read_text("utf-8").splitlines()
