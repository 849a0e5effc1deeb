"""A game comes as an installed package: every command knows it, and a broken one affects no other.

Each test runs the program again with a folder of packages on its path, as after an installation.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cardroom
from tests.deadline import LIMIT
from tests.packages.high_card import PAYTABLES, RULES, install

FIVE = ["deuces-wild", "three-card-prime", "texas-shootout", "dueling-for-dollars", "three-card-double-play"]
HOUSE = Path(cardroom.__file__).parents[1]

TELL = """
import json, sys
from cardroom.errors import BadInput
from cardroom.games import default_setup, game, game_slugs, list_package_faults
from cardroom.paytables import games, paytables, wagers

output = {"slugs": game_slugs(), "sheets": games(), "unfit": list_package_faults(), "asked": {}}
for slug in sys.argv[1:]:
    try:
        output["asked"][slug] = [game(slug).facts.name, [one.name for one in paytables(slug, wagers(slug)[-1])]]
        rules = game(slug)
        rules.open(default_setup(slug))
    except BadInput as fault:
        output["asked"][slug] = str(fault)
print(json.dumps(output))
"""


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(site), str(HOUSE)])
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def command(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(site, "-c", "from cardroom.cli import main; main()", *arguments)


def run_program(site: Path, *slugs: str) -> dict[str, object]:
    done = run(site, "-c", TELL, *slugs)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_an_installed_game_stands_in_the_book_behind_the_houses_own(tmp_path: Path) -> None:
    install(tmp_path)
    found = run_program(tmp_path, "high-card")
    assert found["slugs"] == found["sheets"] == [*FIVE, "high-card"]
    assert found["unfit"] == []
    assert found["asked"] == {"high-card": ["High Card", ["ACE-1", "ACE-2"]]}


def test_the_commands_list_an_installed_game_and_its_tables(tmp_path: Path) -> None:
    install(tmp_path)
    games = command(tmp_path, "games", "--json")
    assert [one["slug"] for one in json.loads(games.stdout)] == [*FIVE, "high-card"], games.stderr
    tables = json.loads(command(tmp_path, "paytables", "high-card", "--json").stdout)
    assert [(one["name"], one["lines"][0]["pays"]) for one in tables] == [("ACE-1", "10 to 1"), ("ACE-2", "11 to 1")]
    example = command(tmp_path, "settle", "--example", "high-card")
    assert json.loads(example.stdout)["table"]["game"] == "high-card", example.stderr


def test_packages_stand_by_the_names_of_their_games(tmp_path: Path) -> None:
    for slug in ("war", "baccarat"):
        install(
            tmp_path,
            slug=slug,
            package=f"a-{slug}",
            module=slug,
            rules=RULES.replace("high-card", slug),
            paytables=PAYTABLES.replace("high-card", slug),
        )
    assert run_program(tmp_path)["slugs"] == [*FIVE, "baccarat", "war"]


BROKEN: dict[str, tuple[dict[str, str | None], str]] = {
    "lacks-a-module": ({"rules": "import nothing_of_that_name"}, "No module named 'nothing_of_that_name'"),
    "divides-by-zero": ({"rules": "RULES = 1 / 0"}, "ZeroDivisionError"),
    "misspells": ({"rules": "rules = 'a misspelt name'"}, "AttributeError"),
    "has-no-rules": ({"rules": "RULES = 'draw a card'"}, "is not a Game"),
    "plays-another-game": ({"rules": RULES}, "its rules are those of 'high-card'"),
    "points-nowhere": ({"value": "?? nothing ??"}, "cannot be loaded"),
    "points-elsewhere": ({"value": "no_such_module.rules:RULES"}, "cannot be loaded"),
    "has-no-paytables": ({"paytables": None}, "there is no paytables.toml"),
    "writes-no-toml": ({"paytables": "game = "}, "cannot be read, TOMLDecodeError"),
    "forgets-its-wagers": ({"paytables": 'game = "forgets-its-wagers"'}, "cannot be read, KeyError"),
    "pays-lots": ({"paytables": PAYTABLES.replace('"11"', '"lots"')}, "cannot be read, BadPay"),
    "lost-a-cell": ({"paytables": PAYTABLES.replace(', "11"]', "]")}, "has a cell too many or too few"),
    "pays-another-game": ({"paytables": PAYTABLES.replace("high-card", "low-card")}, "is for 'low-card'"),
    "hides-a-wager": ({"paytables": PAYTABLES.replace('["wager", "ace"]', '["wager"]')}, "does not list the wager"),
    "does-not-pay": ({"paytables": PAYTABLES.replace('["wager", "ace"]', '["ace"]')}, "do not list the wager wager"),
}


def test_broken_packages_get_a_sentence_each_and_the_five_games_go_on(tmp_path: Path) -> None:
    for slug, (broken, _) in BROKEN.items():
        named = {"rules": RULES.replace("high-card", slug), "paytables": PAYTABLES}
        files = {**named, **broken}
        if files["paytables"] is not None:
            files["paytables"] = files["paytables"].replace("high-card", slug)
        install(tmp_path, slug=slug, package=f"{slug}-game", module=slug.replace("-", "_"), **files)  # type: ignore[arg-type]
    found = run_program(tmp_path, *BROKEN, "deuces-wild")
    asked, unfit = found["asked"], found["unfit"]
    assert isinstance(asked, dict)
    assert isinstance(unfit, list)
    assert found["slugs"] == FIVE
    assert asked["deuces-wild"][0] == "Deuces Wild"
    for slug, (_, why) in BROKEN.items():
        assert asked[slug].startswith(f"The package '{slug}-game' cannot provide the game '{slug}': "), asked[slug]
        assert why in asked[slug]
        assert "\n" not in asked[slug]
    assert sorted(unfit) == sorted(asked[slug] for slug in BROKEN)


def test_a_broken_package_is_named_beside_the_list_of_games_and_ends_only_what_asks_for_it(tmp_path: Path) -> None:
    install(tmp_path, rules="import nothing_of_that_name")
    listed = command(tmp_path, "games", "--json")
    assert listed.returncode == 0
    assert [one["slug"] for one in json.loads(listed.stdout)] == FIVE
    assert listed.stderr.count("'high-card-game'") == 1
    asked = command(tmp_path, "settle", "--example", "high-card")
    assert (asked.returncode, asked.stdout) == (2, "")
    assert "'high-card-game'" in asked.stderr
    assert "Traceback" not in asked.stderr


def test_two_packages_with_one_slug_are_both_refused(tmp_path: Path) -> None:
    install(tmp_path)
    install(tmp_path, package="another-high-card", module="another")
    found = run_program(tmp_path, "high-card")
    assert found["slugs"] == found["sheets"] == FIVE
    assert "'high-card-game' registers a game of that name too" in str(found["asked"])


def test_a_package_cannot_take_the_name_of_a_game_of_the_house(tmp_path: Path) -> None:
    install(tmp_path, slug="deuces-wild", rules="RULES = 1 / 0")
    found = run_program(tmp_path, "deuces-wild")
    assert found["slugs"] == found["sheets"] == FIVE
    assert str(found["asked"]).startswith("{'deuces-wild': ['Deuces Wild', ")
    assert "a built-in game has that name" in str(found["unfit"])


def test_nothing_of_a_package_is_imported_for_its_paytables(tmp_path: Path) -> None:
    install(tmp_path)
    look = (
        "import sys; from cardroom.paytables import paytable_columns; "
        "print(len(paytable_columns()), 'high_card' in sys.modules)"
    )
    seen = run(tmp_path, "-c", look)
    assert seen.stdout == "128 False\n", seen.stderr


def test_a_report_is_known_by_the_source_of_the_package_that_its_game_comes_from(tmp_path: Path) -> None:
    install(tmp_path)
    look = (
        "from cardroom.reports.documents.program_version import current_program as p; "
        "print(p('high-card').build, p('deuces-wild').build, p().build)"
    )
    before = run(tmp_path, "-c", look).stdout.split()
    with (tmp_path / "high_card" / "paytables.toml").open("a") as file:
        file.write("\n")
    after = run(tmp_path, "-c", look).stdout.split()
    assert before[1:] == after[1:]
    assert before[1] == before[2]
    assert len({before[0], after[0], before[1]}) == 3
