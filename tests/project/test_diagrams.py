"""The list of packages in the document on architecture agrees with the imports."""

from __future__ import annotations

from tests.project.diagrams import ITSELF, all_folders, documented_lines, expected_imports
from tests.project.imports import find_cycle, folder_imports, package_imports


def test_every_folder_is_listed_once_and_no_other() -> None:
    assert sorted(line.folder for line in documented_lines()) == list(all_folders())


def test_every_arrow_is_an_import_and_every_import_an_arrow() -> None:
    arrows = 0
    for line in documented_lines():
        assert line.imports == expected_imports(line.folder), line.folder
        arrows += len(line.imports)
    assert arrows > len(package_imports())


def test_arrows_point_down() -> None:
    positions = {line.folder: number for number, line in enumerate(documented_lines())}
    for line in documented_lines():
        for imported in line.imports:
            if "/" not in line.folder:
                assert positions[imported] > positions[line.folder], f"{line.folder} imports {imported} above it"
            elif imported != ITSELF:
                assert positions[f"{line.package}/{imported}"] > positions[line.folder], (line.folder, imported)


def test_no_folders_import_each_other_in_a_cycle() -> None:
    assert len(folder_imports()) > len(package_imports())
    assert find_cycle(folder_imports()) == ()


def test_a_cycle_is_found() -> None:
    assert find_cycle({"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("a")}) == ("a", "b", "c", "a")
    assert find_cycle({"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset()}) == ()
