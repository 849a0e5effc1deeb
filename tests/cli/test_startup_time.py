"""`settle` and `strategy --hand` answer without what takes long to load: no compiler, no books, no charts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

import pytest
from typer.main import get_command

from cardroom.cli.app import COMMAND_MODULES, GROUP_NAMES, app
from cardroom.hands import RANKINGS
from cardroom.hands.hand import evaluator

HEAVY: Final = ("numba", "sqlalchemy", "alembic", "altair", "vl_convert", "typst", "dask", "fastapi", "httpx", "argon2")
GAMES: Final = (
    "deuces-wild",
    "three-card-prime",
    "texas-shootout",
    "dueling-for-dollars",
    "three-card-double-play",
)
HANDS: Final = {
    "three-card-prime": ("--hand", "Qh 6d 4c"),
    "three-card-double-play": ("--hand", "As Ks 9d 9c 5h 4h"),
    "deuces-wild": ("--hand", "2c Jk 9h"),
    "dueling-for-dollars": ("--hand", "8c 8d"),
    "texas-shootout": ("--hand", "Kh Qh As Tc"),
}
PROGRAM: Final = """
import sys
from cardroom.cli import main
for words in {commands!r}:
    sys.argv = ["cardroom", *words]
    try:
        main()
    except SystemExit as ended:
        assert not ended.code, words
print(sorted(set(sys.modules) & set({heavy!r})), file=sys.stderr)
"""


@pytest.fixture(scope="module", autouse=True)
def tables_are_there() -> None:
    """The first program on a machine builds the tables, with the compiler."""
    for ranking in RANKINGS:
        evaluator(ranking)


def loaded_by(*commands: tuple[str, ...]) -> str:
    program = PROGRAM.format(commands=commands, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stderr.splitlines()[-1]


def test_settling_a_round_of_any_game_loads_nothing_heavy(tmp_path: Path) -> None:
    from cardroom.games.example_rounds import example_json

    rounds = []
    for game in GAMES:
        (tmp_path / f"{game}.json").write_text(example_json(game), "utf-8")
        rounds += [("settle", str(tmp_path / f"{game}.json")), ("settle", "--example", game)]
    assert loaded_by(*rounds) == "[]"


def test_what_a_hand_is_worth_loads_nothing_heavy() -> None:
    assert loaded_by(*(("strategy", game, *hand) for game, hand in HANDS.items())) == "[]"


def test_every_command_is_found_by_its_name_in_the_module_that_has_it() -> None:
    by_module: dict[str, set[str]] = {}
    for name, module in COMMAND_MODULES.items():
        by_module.setdefault(module, set()).add(name)
    whole = get_command(app)
    for module, names in by_module.items():
        one = resolve_name(f"cardroom.cli.{module if ':' in module else f'{module}:app'}")
        if names & GROUP_NAMES:
            assert len(names) == 1
            continue
        known = {command.name or command.callback.__name__.replace("_", "-") for command in one.registered_commands}
        assert known == names, f"{module} has other commands than COMMANDS says"
    for name in COMMAND_MODULES:
        assert whole.get_command(None, name) is not None, name  # type: ignore[attr-defined]
    assert whole.get_command(None, "no-such-command") is None  # type: ignore[attr-defined]
