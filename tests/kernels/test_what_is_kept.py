"""Kept kernels are never older than the source they rest on, and newer than nothing else."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from cardroom import kernels
from cardroom.kernels import dependency_digest, dependency_files


@pytest.fixture
def small_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    house = tmp_path / "small_house"
    (house / "rules").mkdir(parents=True)
    (house / "__init__.py").write_text("")
    (house / "rules" / "__init__.py").write_text("from small_house.rules.pays import pay\n")
    (house / "rules" / "pays.py").write_text("pay = 3\n")
    (house / "price.py").write_text(
        "def price():\n    from small_house.rules import (\n        pay,\n    )\n    return pay\n"
    )
    (house / "words.py").write_text("import small_house.price as priced\n")
    monkeypatch.setattr(kernels, "_file", kernels._file.__wrapped__)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return house


def digest(module: str) -> str:
    return dependency_digest.__wrapped__(f"small_house.{module}")


@pytest.mark.parametrize("changed", ["rules/pays.py", "rules/__init__.py", "__init__.py", "price.py"])
def test_a_change_in_anything_that_a_module_reaches_changes_its_digest(small_house: Path, changed: str) -> None:
    before = digest("price"), digest("words")
    (small_house / changed).write_text((small_house / changed).read_text() + "# another reading\n")
    after = digest("price"), digest("words")
    assert before[0] != after[0]
    assert before[1] != after[1]


def test_a_change_in_what_it_does_not_reach_keeps_it(small_house: Path) -> None:
    before = digest("price")
    (small_house / "words.py").write_text("words = 'Ante'\n")
    assert digest("price") == before


def test_a_kernel_reaches_its_rules_and_the_ranking_of_hands_and_no_report() -> None:
    for module in ("cardroom.odds.three_card_prime.pricer", "cardroom.odds.three_card_prime.simulator"):
        reached = set(dependency_files(module))
        assert {"cardroom.games.three_card_prime.rules", "cardroom.hands.ranking", "cardroom.kernels"} <= reached
        assert not [name for name in reached if name.startswith(("cardroom.reports", "cardroom.terminal"))]


def test_a_module_without_a_file_reaches_the_whole_house() -> None:
    assert dependency_digest("__main__") == kernels.source_digest()


def test_counts_that_lie_beside_a_module_are_part_of_what_it_reaches(
    small_house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "_counts_digest", kernels._counts_digest.__wrapped__)
    found = [digest("price")]
    for counted in (b"12", b"13"):
        (small_house / "rules" / "all.counts").write_bytes(counted)
        found.append(digest("price"))
    assert len(set(found)) == 3


def test_no_other_user_can_write_what_is_compiled_whatever_the_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDROOM_CACHE", str(tmp_path / "cache"))
    before = os.umask(0)
    try:
        folder = kernels.cache_folder.__wrapped__("cardroom.hands.strength")
    finally:
        os.umask(before)
    assert [oct(one.stat().st_mode)[-3:] for one in (folder, folder.parent, folder.parent.parent)] == ["700"] * 3


@pytest.mark.parametrize("damage", [None, b"", b"no value at all"], ids=["as it is", "cut off", "overwritten"])
def test_a_value_is_built_once_and_again_when_its_file_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes | None
) -> None:
    monkeypatch.setattr(kernels, "cache_folder", lambda *_: tmp_path)
    built = list[int]()

    def build() -> dict[str, int]:
        built.append(len(built))
        return {"answer": 42}

    assert [kernels.cached_value("one", build, "cardroom.odds") for _ in range(2)] == [{"answer": 42}] * 2
    assert built == [0]
    if damage is not None:
        (file,) = tmp_path.glob("values/*.pickle")
        file.write_bytes(damage)
    assert kernels.cached_value("one", build, "cardroom.odds") == {"answer": 42}
    assert len(built) == (1 if damage is None else 2)
    assert kernels.cached_value("other", build, "cardroom.odds") == {"answer": 42}
    assert len(built) == (2 if damage is None else 3)
