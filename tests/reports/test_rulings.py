"""The rulings of PAR sheets and of the documentation are the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardroom.games import game_slugs
from cardroom.reports.par.rulings import all_rulings, general_rule, rulings

DOCUMENTED = " ".join((Path(__file__).parents[2] / "docs" / "rulings.md").read_text("utf-8").split())


@pytest.mark.parametrize("ruling", all_rulings(), ids=lambda ruling: ruling.number)
def test_the_documentation_has_every_ruling_word_for_word(ruling) -> None:
    assert f"- **{ruling.number}** {ruling.text}" in DOCUMENTED


def test_no_ruling_of_the_documentation_is_missing() -> None:
    numbers = re.findall(r"- \*\*([A-Z]+-\d+)\*\*", DOCUMENTED)
    assert sorted(numbers) == sorted(ruling.number for ruling in all_rulings())


def test_the_general_rule_is_documented() -> None:
    assert f"**In general.** {general_rule()}" in DOCUMENTED


@pytest.mark.parametrize("slug", game_slugs())
def test_a_game_has_its_own_rulings_and_no_other_games(slug: str) -> None:
    found = [ruling.number for ruling in rulings(slug)]
    prefixes = {number.partition("-")[0] for number in found}
    assert prefixes - {"GEN", "BJ"} == {next(iter(prefixes - {"GEN", "BJ"}))}
    assert "GEN-1" in found
    assert "BJ-4" in found
    assert not any(number.startswith("BJ") for number in (one.number for one in rulings(slug, jackpots=False)))
