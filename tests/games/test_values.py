"""Rounds, tables and views are values: equal when everything is equal, and the same in a copy or another process."""

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
from cardroom.conformance.sample_rounds import positions
from cardroom.games import Onlooker, Round, View, default_setup, dump_round, game, game_slugs, load_round, view
from cardroom.games.frozen_map import FrozenMap
from tests.deadline import LIMIT

every_game = pytest.mark.parametrize("slug", game_slugs())
SEEDS = range(3)
COPIES: dict[str, Callable[[object], object]] = {
    "copied": copy.copy,
    "deep-copied": copy.deepcopy,
    "pickled": lambda one: pickle.loads(pickle.dumps(one)),
}
copied = pytest.mark.parametrize("again", COPIES.values(), ids=COPIES)


def met(slug: str) -> list[Round]:
    found = [position for seed in SEEDS for position in positions(slug, seed)]
    assert len(found) > 3 * len(SEEDS)
    return found


def views(position: Round) -> list[View]:
    return [view(position, viewer) for viewer in (*position.seats, *Onlooker)]


@every_game
@copied
def test_a_round_at_any_point_is_the_same_again(slug: str, again: Callable[[Round], Round]) -> None:
    for position in met(slug):
        same = again(position)
        assert same == position
        assert hash(same) == hash(position)
        assert same.turn == position.turn
        assert same.legal_actions() == position.legal_actions()
        assert dump_round(same) == dump_round(position)
        if position.is_terminal:
            assert game(slug).settle(same) == game(slug).settle(position)


@every_game
@copied
def test_a_table_is_the_same_again(slug: str, again: Callable[[object], object]) -> None:
    for table in {id(position.table): position.table for position in met(slug)}.values():
        same = again(table)
        assert same == table
        assert hash(same) == hash(table)
        assert {table: "here"}[same] == "here"


@every_game
@copied
def test_a_view_is_the_same_again(slug: str, again: Callable[[object], object]) -> None:
    for position in met(slug)[::7]:
        for one in views(position):
            assert again(one) == one
            assert hash(again(one)) == hash(one)


@every_game
def test_a_round_that_was_read_again_is_the_same_key(slug: str) -> None:
    for position in met(slug)[::5]:
        assert {position: "here"}[load_round(dump_round(position))] == "here"


@every_game
def test_every_position_of_a_round_is_a_different_one(slug: str) -> None:
    for seed in SEEDS:
        line = list(positions(slug, seed))
        assert len(set(line)) == len(line)


@every_game
def test_what_lies_on_a_table_cannot_be_changed(slug: str) -> None:
    end = met(slug)[-1]
    for mapping in (end.bets, end.bets[end.seats[0]], end.piles, end.decisions, end.table.offers, end.table.spots):
        assert isinstance(mapping, FrozenMap)
        before = dict(mapping)
        for change in (
            lambda it: it.__setitem__("x", 1),
            lambda it: it.update(x=1),
            lambda it: it.setdefault("x", 1),
            lambda it: it.__ior__({"x": 1}),
            lambda it: it.clear(),
            lambda it: it.popitem(),
            lambda it: it.pop(next(iter(it), "x")),
            lambda it: it.__delitem__(next(iter(it), "x")),
        ):
            with pytest.raises(TypeError):
                change(mapping)
        assert mapping == before


def test_an_operators_own_dictionary_cannot_reach_into_a_set_up() -> None:
    wagers = dict(default_setup("three-card-prime").wagers)
    setup = replace(default_setup("three-card-prime"), wagers=wagers)
    before = hash(setup)
    wagers.clear()
    assert hash(setup) == before
    assert setup == default_setup("three-card-prime")


ELSEWHERE = """
import pickle, sys
sent = pickle.loads(sys.stdin.buffer.read())
keys = {one: at for at, one in enumerate(sent)}
again = pickle.loads(pickle.dumps(sent))
assert [keys[one] for one in again] == list(range(len(sent)))
sys.stdout.buffer.write(pickle.dumps(again))
"""


def test_rounds_and_views_come_back_from_another_process_as_they_went() -> None:
    went: list[object] = []
    for slug in game_slugs():
        for position in positions(slug, 1):
            went += [position, *views(position)[:1]]
        went.append(position.table)
    assert len(went) > 200
    back = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=pickle.dumps(went),
        env={"PYTHONPATH": str(Path(cardroom.__file__).parents[1]), "PYTHONHASHSEED": "7"},
        capture_output=True,
        timeout=LIMIT,
    )
    assert back.returncode == 0, back.stderr.decode()
    came = pickle.loads(back.stdout)
    assert came == went
    assert [hash(one) for one in came] == [hash(one) for one in went]
