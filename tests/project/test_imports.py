"""The core runs with its own requirements alone, and everything else names the extra that it needs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path
from typing import Final

import pytest

from cardroom import __version__
from cardroom.errors import BadInput
from cardroom.extras import MissingExtra, require_packages

ROOT: Final = Path(__file__).parents[2]
PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PACKAGES_BESIDE: Final = [
    tomllib.loads(file.read_text("utf-8"))["project"] for file in sorted(ROOT.glob("packages/*/pyproject.toml"))
]
CORE: Final = ("numpy", "numba", "llvmlite", "platformdirs", "filelock")
OF_OTHER_EXTRAS: Final = (
    *("sqlalchemy", "alembic", "psycopg", "orjson", "argon2", "cryptography"),
    *("altair", "vl_convert", "typst", "cyclonedx", "dask", "distributed", "cardroom_equipment_simulators"),
    *("fastapi", "starlette", "uvicorn", "uvloop", "httptools", "httpx", "jinja2", "websockets", "prometheus_client"),
)
"""Packages that the command line does not need."""
RESTRICTED: Final = """
import sys
CORE = {{*sys.stdlib_module_names, "cardroom", "__main__", *{core!r}}}
class RefusingFinder:
    def find_spec(self, name, path=None, target=None):
        package = name.partition(".")[0]
        if {refused}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, RefusingFinder())
{program}
"""


def run_alone(program: str, refused: str = "package not in CORE") -> subprocess.CompletedProcess[str]:
    """Run a program as if only the core, or everything except what is refused, were installed."""
    restricted = RESTRICTED.format(core=CORE, refused=refused, program=program)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "COLUMNS": "100"}
    return subprocess.run([sys.executable, "-c", restricted], capture_output=True, text=True, env=environment, cwd=ROOT)


README: Final = """
import doctest, re
text = open("README.md", encoding="utf-8").read()
library = text[text.index("## As a library"):text.index("## A card room")]
test = doctest.DocTestParser().get_doctest(library, {}, "README.md", "README.md", 0)
runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
runner.run(test)
print(runner.failures, runner.tries)
"""


def test_the_library_examples_of_the_readme_run_with_the_core_alone() -> None:
    done = run_alone(README)
    assert done.stderr == ""
    failed, tried = map(int, done.stdout.split()[-2:])
    assert (failed, tried >= 15) == (0, True), done.stdout


def test_the_core_deals_ranks_prices_and_simulates_alone() -> None:
    done = run_alone(
        "from cardroom.cards import Seal, Deck, parse_cards\n"
        "from cardroom.hands import FIVE_CARD, best_five, evaluate_many, compute_strength\n"
        "from cardroom.games.example_rounds import example_json\n"
        "from cardroom.games.record import load_round\n"
        "import cardroom.odds.generic, cardroom.odds.simulation\n"
        "print(len(Seal(bytes(32), 'round').shuffle(Deck.SIX)), best_five('As Ks Qs Js Ts').description)\n"
        "print(sorted(set(sys.modules) & {'cryptography', 'rich', 'typer', 'orjson', 'packaging'}))\n"
    )
    assert (done.stderr, done.stdout.splitlines()) == ("", ["312 royal flush", "[]"])


PACKAGES: Final = {
    "cardroom.ledger": ("service", "Ledgers need sqlalchemy, alembic and orjson, which are not installed"),
    "cardroom.service": ("service", "Card rooms need sqlalchemy"),
    "cardroom.room": ("service", "Jackpots need orjson, which is not installed"),
    "cardroom.web": ("web", "Servers need fastapi"),
    "cardroom.terminal": ("cli", "Pages in the terminal need rich, which is not installed"),
    "cardroom.reports.charts": ("reports", "Charts need altair, vl_convert and typst, which are not installed"),
    "cardroom.reports.displays": ("reports", "Drawn displays need vl_convert"),
    "cardroom.reports.documents.pdf": ("reports", "Printed documents need typst, which is not installed"),
}


def test_a_package_that_needs_more_names_its_extra() -> None:
    program = "from importlib import import_module\nfrom cardroom.extras import MissingExtra\n"
    program += f"for package in {list(PACKAGES)!r}:\n"
    program += "    try: import_module(package)\n    except MissingExtra as fault: print(fault)\n"
    done = run_alone(program)
    assert done.stderr == ""
    for message, (extra, sentence) in zip(done.stdout.splitlines(), PACKAGES.values(), strict=True):
        assert message.startswith(sentence)
        assert message.endswith(f": pip install 'cardroom[{extra}]'.")


def test_a_cluster_names_its_extra() -> None:
    program = (
        "from cardroom.odds.simulation.cluster import simulate_on_cluster\n"
        "simulate_on_cluster('tcp://127.0.0.1:1', None, 1, 1)"
    )
    assert "Clusters need dask and distributed, which are not installed: pip install 'cardroom[cluster]'." in (
        run_alone(program).stderr
    )


def test_the_command_without_its_extra_says_one_sentence() -> None:
    done = run_alone("sys.argv = ['cardroom', 'games']\nfrom cardroom.cli import main\nmain()")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "Commands need typer, rich and packaging, which are not installed: pip install 'cardroom[cli]'.\n"
    )


COMMANDS: Final = {
    ("games",): None,
    ("settle", "--example", "dueling-for-dollars"): None,
    ("strategy", "dueling-for-dollars", "--hand", "8c 8d"): None,
    ("--help",): None,
    ("jackpot", "--help"): None,
    ("user", "--help"): None,
    ("serve", "--help"): None,
    ("verify",): "cardroom[service]",
    ("user", "list"): "cardroom[service]",
    ("jackpot", "print-example", "three-card-prime"): "cardroom[service]",
    ("day", "show"): "cardroom[service]",
    ("device", "watch", "--token", "x", "--server", "http://127.0.0.1:1"): "cardroom[equipment-simulators]",
    ("device", "simulate", "milky-way", "--token", "x"): "cardroom[equipment-simulators]",
    ("rounds", "list"): "cardroom[service]",
    ("rounds", "export", "-o", "x.json"): "cardroom[service]",
    ("serve", "--demo"): "cardroom[",
    ("par", "dueling-for-dollars", "-o", "sheet.pdf"): "cardroom[reports]",
}


def test_commands_whose_extra_is_missing_say_one_sentence_and_end_with_2() -> None:
    program = "from cardroom.cli import main\n" + f"for words in {list(COMMANDS)!r}:\n"
    program += (
        "    sys.argv = ['cardroom', *words]\n"
        "    print('=', file=sys.stderr)\n"
        "    try: main()\n"
        "    except SystemExit as ended: print(int(ended.code or 0), file=sys.stderr)\n"
    )
    done = run_alone(program, f"package in {OF_OTHER_EXTRAS!r}")
    outputs = [part.strip().splitlines() for part in done.stderr.split("=\n")[1:]]
    assert len(outputs) == len(COMMANDS), done.stderr
    for (words, extra), lines in zip(COMMANDS.items(), outputs, strict=True):
        if extra is None:
            assert lines == ["0"], (words, lines)
        else:
            assert len(lines) == 2, (words, lines)
            assert (lines[1], extra in lines[0], "pip install" in lines[0]) == ("2", True, True), (words, lines)


def test_a_missing_extra_is_bad_input_and_an_import_error() -> None:
    with pytest.raises(MissingExtra) as missing:
        require_packages("reports", "Charts", "numpy", "no_such_package")
    assert isinstance(missing.value, BadInput)
    assert isinstance(missing.value, ImportError)
    assert str(missing.value) == (
        "Charts need no_such_package, which is not installed: pip install 'cardroom[reports]'."
    )


def test_the_core_requires_four_packages_and_all_has_every_extra() -> None:
    required = [requirement.partition(">")[0] for requirement in PROJECT["dependencies"]]
    assert required == ["numpy", "numba", "platformdirs", "filelock"]
    extras = dict(PROJECT["optional-dependencies"])
    (all_extras,) = extras.pop("all")
    of_packages = {name for name, requirements in extras.items() if requirements == [f"cardroom-{name}"]}
    assert of_packages == {"research", "equipment-simulators"}
    assert set(all_extras.removeprefix("cardroom[").removesuffix("]").split(",")) == set(extras) - of_packages
    with_commands = {"cardroom[cli]", "cardroom[service,reports]"}
    assert all(set(extras[name]) & with_commands for name in extras.keys() - {"cli"} - of_packages), (
        "they include the commands"
    )


def test_a_package_beside_the_core_requires_exactly_the_core_of_its_version() -> None:
    assert len(PACKAGES_BESIDE) == 3
    for package in PACKAGES_BESIDE:
        core, *others = package["dependencies"]
        assert core in (f"cardroom=={__version__}", f"cardroom[service]=={__version__}"), package["name"]
        assert package["version"] == PROJECT["version"] == __version__
        assert not [other for other in others if other.startswith("cardroom")], package["name"]


def test_every_package_that_is_required_is_pinned() -> None:
    pinned = {line.partition("==")[0] for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines()}
    extras = [requirement for group in PROJECT["optional-dependencies"].values() for requirement in group]
    for requirement in (*extras, *(item for package in PACKAGES_BESIDE for item in package["dependencies"])):
        name = re.split(r"[\[><=]", requirement)[0]
        assert name.startswith("cardroom") or name in pinned, name
    assert requires("numba") is not None
