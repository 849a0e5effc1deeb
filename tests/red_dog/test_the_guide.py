"""docs/adding-a-game.md, followed to the letter from an empty folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.red_dog.installed import EXAMPLE, ROOT, Installed, installed

GUIDE = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
FILES = dict(re.findall(r"\*\*`red-dog/([^`]+)`\*\*\n\n```\w+\n(.*?)\n```\n", GUIDE, re.DOTALL))
CONSOLES = re.findall(r"```console\n(.*?)\n```\n", GUIDE, re.DOTALL)
TYPED = [
    (command, printed.strip("\n"))
    for console in CONSOLES
    for command, printed in re.findall(r"^\$ (.+?)\n(.*?)(?=^\$ |\Z)", console, re.DOTALL | re.MULTILINE)
]


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Every file of the guide in an empty folder, installed."""
    folder = tmp_path_factory.mktemp("guide") / "red-dog"
    for name, content in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content + "\n", "utf-8")
    return installed(folder, tmp_path_factory.mktemp("site"))


def test_the_guide_tells_the_whole_package_and_nothing_else() -> None:
    there = {
        str(file.relative_to(EXAMPLE)): file.read_text("utf-8")
        for file in EXAMPLE.rglob("*")
        if file.is_file() and file.suffix in (".py", ".toml", ".md")
    }
    assert {name: content + "\n" for name, content in FILES.items()} == there
    assert len(there) == 7


def test_every_command_of_the_guide_prints_what_the_guide_says(followed: Installed) -> None:
    assert len(TYPED) >= 5
    for command, printed in TYPED:
        assert _plain(followed.cardroom(command)) == printed, command


def test_the_tests_of_the_guide_pass(followed: Installed, tmp_path: Path) -> None:
    folder = tmp_path / "red-dog"
    name = "tests/test_red_dog.py"
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(FILES[name] + "\n", "utf-8")
    done = followed.run(
        "-m", "pytest", str(folder), "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", str(folder)
    )
    assert done.returncode == 0, done.stdout


def test_the_guides_of_the_house_are_there(tmp_path: Path) -> None:
    linked = re.findall(r"\]\(([\w/.-]+\.md)\)", GUIDE)
    assert linked
    for link in linked:
        assert (ROOT / "docs" / link).is_file(), link


def _plain(printed: str) -> str:
    return "\n".join(line.rstrip() for line in printed.splitlines()).strip("\n")
