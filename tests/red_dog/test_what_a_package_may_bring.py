"""A package may bring a faster pricer or simulator of its game; what was computed follows its files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.red_dog.installed import Installed

OWN = """
from cardroom.odds.generic.pricer import GenericPricer
from cardroom.odds.generic.simulator import GenericSimulator
from red_dog.rules import RULES


class Own(GenericPricer):
    def price(self, *question, **how):
        print("priced by the package")
        return super().price(*question, **how)


class OwnSimulator(GenericSimulator):
    def prepare(self, *table, **how):
        print("simulated by the package")
        return super().prepare(*table, **how)


PRICER, SIMULATOR, NEITHER = Own(RULES), OwnSimulator(RULES), "neither"
"""


@pytest.fixture
def another(red_dog: Installed, tmp_path: Path) -> Installed:
    """The package in a folder that a test may change."""
    site = tmp_path / "site"
    shutil.copytree(red_dog.site, site)
    (site / "red_dog" / "own.py").write_text(OWN)
    return Installed(site)


def announce(another: Installed, group: str, what: str) -> None:
    (about,) = another.site.glob("*.dist-info")
    with (about / "entry_points.txt").open("a") as file:
        file.write(f"\n[{group}]\nred-dog = red_dog.own:{what}\n")


def test_its_own_pricer_is_asked(another: Installed) -> None:
    announce(another, "cardroom.pricers", "PRICER")
    assert "priced by the package" in another.cardroom("cardroom odds red-dog --no-cache")


def test_its_own_simulator_plays(another: Installed) -> None:
    announce(another, "cardroom.simulators", "SIMULATOR")
    assert "simulated by the package" in another.cardroom("cardroom simulate red-dog --rounds 100 --seed 1")


@pytest.mark.parametrize(
    ("group", "typed"),
    [("cardroom.pricers", "odds red-dog"), ("cardroom.simulators", "simulate red-dog --rounds 100")],
)
def test_what_is_neither_gets_a_sentence_that_names_the_package(another: Installed, group: str, typed: str) -> None:
    announce(another, group, "NEITHER")
    done = another.run("-c", "from cardroom.cli import main; main()", *typed.split())
    assert done.returncode == 2
    assert "'red-dog'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_figure_is_computed_again_when_the_package_changes(another: Installed) -> None:
    def edge() -> float:
        (found,) = json.loads(another.cardroom("cardroom odds red-dog --json"))
        value: float = found["house_edge"]
        return value

    before = edge()
    rules = another.site / "red_dog" / "rules.py"
    changed = rules.read_text("utf-8").replace(
        '"in-sequence", words, cards, Push()', '"in-sequence", words, cards, Loss()'
    )
    rules.write_text(changed.replace("import Push", "import Loss, Push"), "utf-8")
    assert edge() > before + 0.1


def test_a_hand_is_held_against_the_shoe_that_is_asked_about(red_dog: Installed) -> None:
    typed = "strategy", "red-dog", "--hand", "7c 7c", "--decks", "1"
    done = red_dog.run("-c", "from cardroom.cli import main; main()", *typed)
    assert done.returncode == 2
    assert "one deck has only one" in done.stderr
