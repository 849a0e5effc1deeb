"""The house is as it is drawn: every folder, whom it asks, and nobody in a circle."""

from __future__ import annotations

from tests.project.diagrams import ITSELF, all_folders, asked_by, drawn
from tests.project.imports import cycle, folders, rooms


def test_every_folder_of_the_house_is_drawn_once_and_no_other() -> None:
    assert sorted(line.folder for line in drawn()) == list(all_folders())


def test_every_arrow_is_an_import_and_every_import_an_arrow() -> None:
    arrows = 0
    for line in drawn():
        assert line.asks == asked_by(line.folder), line.folder
        arrows += len(line.asks)
    assert arrows > len(rooms())


def test_arrows_point_down() -> None:
    places = {line.folder: number for number, line in enumerate(drawn())}
    for line in drawn():
        for asked in line.asks:
            if "/" not in line.folder:
                assert places[asked] > places[line.folder], f"{line.folder} asks {asked}, which is drawn above it"
            elif asked != ITSELF:
                assert places[f"{line.room}/{asked}"] > places[line.folder], f"{line.folder} asks {asked}"


def test_no_folders_ask_each_other_in_a_circle() -> None:
    assert len(folders()) > len(rooms())
    assert cycle(folders()) == ()


def test_a_circle_would_be_found() -> None:
    assert cycle({"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("a")}) == ("a", "b", "c", "a")
    assert cycle({"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset()}) == ()
