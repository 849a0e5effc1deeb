"""Wheels built without make are complete, and the core runs with the two packages that it requires."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
LOCK: Final = ROOT / "requirements.lock"
pytestmark = pytest.mark.long


def run(*words: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    outside = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, env=outside | more, cwd="/")


def done(*words: str | Path, **more: str) -> str:
    result = run(*words, **more)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The core, and beside it its packages, built from a new clone without make."""
    folder = tmp_path_factory.mktemp("built")
    done("git", "clone", "--quiet", ROOT, folder / "clone")
    packages = sorted((folder / "clone" / "packages").iterdir())
    done(
        sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder / "dist", folder / "clone", *packages
    )
    (built,) = (folder / "dist").glob("cardroom-*.whl")
    assert len(list((folder / "dist").glob("*.whl"))) == 1 + len(packages)
    return built


@pytest.fixture(scope="module")
def pins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The versions of the lock, without hashes: the wheel itself has none there."""
    file = tmp_path_factory.mktemp("pins") / "pins.txt"
    lines = LOCK.read_text("utf-8").splitlines()
    file.write_text("\n".join(line.removesuffix(" \\") for line in lines if "--hash" not in line), "utf-8")
    return file


def installed(folder: Path, wheel: Path, pins: Path, extras: str) -> Path:
    venv.create(folder, with_pip=True)
    programs = folder / "bin"
    wanted = f"cardroom{extras} @ {wheel.as_uri()}"
    done(programs / "python", "-m", "pip", "install", "--quiet", "-c", pins, "-f", wheel.parent, wanted)
    return programs


def test_the_wheel_has_all_that_is_not_python(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    tracked = done("git", "-C", ROOT, "ls-files", "src/cardroom").splitlines()
    wanted = {file.removeprefix("src/") for file in tracked}
    vendor = ("htmx.js", "fraunces.woff2", "source-sans-3.woff2", "htmx.LICENSE.txt", "package-lock.json")
    wanted |= {f"cardroom/web/static/vendor/{name}" for name in vendor}
    assert wanted <= packed, wanted - packed
    assert {name.partition("/")[0] for name in packed if not name.startswith("cardroom-")} == {"cardroom"}


def test_the_wheels_of_the_packages_beside_the_core_are_complete(wheel: Path) -> None:
    for package in sorted((ROOT / "packages").iterdir()):
        (built,) = wheel.parent.glob(f"{package.name.replace('-', '_')}-*.whl")
        packed = {name for name in zipfile.ZipFile(built).namelist() if ".dist-info/" not in name}
        tracked = done("git", "-C", package / "src", "ls-files", ".").splitlines()
        assert packed == set(tracked), package.name


def test_a_wheel_without_the_files_of_the_pages_is_not_built(tmp_path: Path) -> None:
    done("git", "clone", "--quiet", ROOT, tmp_path / "clone")
    nowhere = {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_cache": str(tmp_path / "kept")}
    build = (sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "-w", tmp_path / "dist")
    refused = run(*build, tmp_path / "clone", npm_config_fetch_retries="0", **nowhere)
    assert refused.returncode
    assert "The fonts and the script of the pages could not be installed" in refused.stdout + refused.stderr
    assert not list(tmp_path.glob("dist/*"))


def test_the_core_alone_ranks_prices_and_says_what_is_missing(wheel: Path, pins: Path, tmp_path: Path) -> None:
    programs = installed(tmp_path / "core", wheel, pins, "")
    listed = done(programs / "python", "-m", "pip", "list", "--format", "freeze")
    packages = {line.partition("==")[0].partition(" @")[0] for line in listed.splitlines()}
    assert packages - {"pip", "setuptools"} == {"cardroom", "numpy", "numba", "llvmlite"}
    program = (
        "from cardroom.hands import best_five; from cardroom.odds import PriceQuery, compute_odds, find_requests\n"
        "print(best_five('As Ks Qs Js Ts').description)\n"
        "(question,) = find_requests(PriceQuery('three-card-prime', 'ante-play', 'PW/BB 1'))\n"
        "print(compute_odds(question).house_edge)"
    )
    assert done(programs / "python", "-c", program) == "royal flush\n226743/7830200\n"
    refused = run(programs / "cardroom", "games")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr.endswith("pip install 'cardroom[cli]'.\n")


@contextmanager
def serving(programs: Path, home: Path) -> Iterator[str]:
    """The demonstration room from the wheel; yields its address."""
    words = [str(programs / "cardroom"), "serve", "--demo", "--port", "0", "--log-level", "warning"]
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"HOME": str(home)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=outside, cwd="/") as server:
        try:
            assert server.stdout is not None
            said = ""
            while (found := re.search(r"http://[\w.:]+", said)) is None:
                line = server.stdout.readline()
                assert line, "the server has ended"
                said += line
            yield found[0]
        finally:
            server.terminate()


def fetched(address: str) -> str:
    with urllib.request.urlopen(address) as answer:
        assert answer.status == 200
        return str(answer.read().decode("latin-1"))


def test_everything_runs_from_the_wheel(wheel: Path, pins: Path, tmp_path: Path) -> None:
    programs = installed(tmp_path / "all", wheel, pins, "[all,research,equipment-simulators]")
    cardroom, home = programs / "cardroom", {"HOME": str(tmp_path)}
    finished = tmp_path / "round.json"
    finished.write_text(done(cardroom, "settle", "--example", "deuces-wild", **home), "utf-8")
    assert "take or pay" in done(cardroom, "settle", finished, **home)
    sheet = tmp_path / "sheet.pdf"
    done(cardroom, "par", "dueling-for-dollars", "-o", sheet, **home)
    assert sheet.read_bytes().startswith(b"%PDF")
    assert "htmx.org" in done(cardroom, "dependency", "export", **home)
    done(programs / "python", "-c", "import cardroom_research; cardroom_research.RoundEnv('deuces-wild').reset(seed=1)")
    refused = run(cardroom, "device", "simulate", "comet", "--token", "x", **home)
    assert (refused.returncode, "comet" in refused.stderr) == (2, True)
    with serving(programs, tmp_path) as address:
        lobby = fetched(address)
        files = {*re.findall(r'(?:href|src)="(/static/[^"]+)"', lobby)}
        assert any("htmx" in file for file in files)
        for file in files:
            assert fetched(address + file)
