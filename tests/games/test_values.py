"""Rounds, tables, and views are values: copies are equal, with the same hash, in another process too."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import cardroom
from cardroom.games import Onlooker, Round, View, default_setup, dump_round, game, game_slugs, load_round, view
from cardroom.games.frozen_map import FrozenMap
from cardroom_conformance.sample_rounds import positions
from tests.deadline import LIMIT

every_game = pytest.mark.parametrize("slug", game_slugs())
SEEDS = range(3)
COPIES: dict[str, Callable[[object], object]] = {
    "copied": copy.copy,
    "deep-copied": copy.deepcopy,
    "pickled": lambda value: pickle.loads(pickle.dumps(value)),
}
every_copy = pytest.mark.parametrize("copy_value", COPIES.values(), ids=COPIES)


def list_positions(slug: str) -> list[Round]:
    rounds = [position for seed in SEEDS for position in positions(slug, seed)]
    assert len(rounds) > 3 * len(SEEDS)
    return rounds


def make_views(position: Round) -> list[View]:
    return [view(position, viewer) for viewer in (*position.seats, *Onlooker)]


@every_game
@every_copy
def test_a_copy_of_a_round_at_any_point_is_equal(slug: str, copy_value: Callable[[Round], Round]) -> None:
    for position in list_positions(slug):
        duplicate = copy_value(position)
        assert duplicate == position
        assert hash(duplicate) == hash(position)
        assert duplicate.turn == position.turn
        assert duplicate.legal_actions() == position.legal_actions()
        assert dump_round(duplicate) == dump_round(position)
        if position.is_terminal:
            assert game(slug).settle(duplicate) == game(slug).settle(position)


@every_game
@every_copy
def test_a_copy_of_a_table_is_equal(slug: str, copy_value: Callable[[object], object]) -> None:
    for table in {id(position.table): position.table for position in list_positions(slug)}.values():
        duplicate = copy_value(table)
        assert duplicate == table
        assert hash(duplicate) == hash(table)
        assert {table: "found"}[duplicate] == "found"


@every_game
@every_copy
def test_a_copy_of_a_view_is_equal(slug: str, copy_value: Callable[[object], object]) -> None:
    for position in list_positions(slug)[::7]:
        for seen in make_views(position):
            assert copy_value(seen) == seen
            assert hash(copy_value(seen)) == hash(seen)


@every_game
def test_a_round_loaded_from_its_record_is_the_same_key(slug: str) -> None:
    for position in list_positions(slug)[::5]:
        assert {position: "found"}[load_round(dump_round(position))] == "found"


@every_game
def test_all_positions_of_a_round_are_different(slug: str) -> None:
    for seed in SEEDS:
        line = list(positions(slug, seed))
        assert len(set(line)) == len(line)


@every_game
def test_the_mappings_of_a_round_and_its_table_cannot_be_changed(slug: str) -> None:
    end = list_positions(slug)[-1]
    for mapping in (end.bets, end.bets[end.seats[0]], end.piles, end.decisions, end.table.offers, end.table.spots):
        assert isinstance(mapping, FrozenMap)
        before = dict(mapping)
        for change in (
            lambda values: values.__setitem__("x", 1),
            lambda values: values.update(x=1),
            lambda values: values.setdefault("x", 1),
            lambda values: values.__ior__({"x": 1}),
            lambda values: values.clear(),
            lambda values: values.popitem(),
            lambda values: values.pop(next(iter(values), "x")),
            lambda values: values.__delitem__(next(iter(values), "x")),
        ):
            with pytest.raises(TypeError):
                change(mapping)
        assert mapping == before


def test_a_change_of_the_callers_dictionary_does_not_change_a_setup() -> None:
    wagers = dict(default_setup("three-card-prime").wagers)
    setup = replace(default_setup("three-card-prime"), wagers=wagers)
    before = hash(setup)
    wagers.clear()
    assert hash(setup) == before
    assert setup == default_setup("three-card-prime")


OTHER_PROCESS = """
import pickle, sys
sent = pickle.loads(sys.stdin.buffer.read())
keys = {value: at for at, value in enumerate(sent)}
copies = pickle.loads(pickle.dumps(sent))
assert [keys[value] for value in copies] == list(range(len(sent)))
sys.stdout.buffer.write(pickle.dumps(copies))
"""


def test_rounds_and_views_are_equal_after_a_trip_through_another_process() -> None:
    sent: list[object] = []
    for slug in game_slugs():
        for position in positions(slug, 1):
            sent += [position, *make_views(position)[:1]]
        sent.append(position.table)
    assert len(sent) > 200
    completed = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS],
        input=pickle.dumps(sent),
        env={"PYTHONPATH": str(Path(cardroom.__file__).parents[1]), "PYTHONHASHSEED": "7"},
        capture_output=True,
        timeout=LIMIT,
    )
    assert completed.returncode == 0, completed.stderr.decode()
    received = pickle.loads(completed.stdout)
    assert received == sent
    assert [hash(value) for value in received] == [hash(value) for value in sent]
