"""The dealing procedure that a game states, or that is found for it, against the order in which its rules ask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import pytest

from cardroom.conformance.play import played_again, positions
from cardroom.conformance.rigged import meter_rounds
from cardroom.games import Round, Turn, game, game_slugs
from cardroom.games.found_procedure import found_procedure
from cardroom.games.procedure import Procedure, ProcedureStep, StepKind

every_game = pytest.mark.parametrize("slug", game_slugs())
MANY = range(60)


def walked(procedure: Procedure, turns: Iterable[Turn]) -> list[ProcedureStep]:
    """The steps that a round takes: each turn falls into the present step, or into a later one."""
    at, taken = 0, list[ProcedureStep]()
    for turn in turns:
        covering = [place for place in range(at, len(procedure)) if procedure[place].covers(turn)]
        assert covering, f"{turn} comes nowhere in {[one.name for one in procedure[at:]]}"
        at = covering[0]
        if not taken or taken[-1] is not procedure[at]:
            taken.append(procedure[at])
    return taken


@cache
def turns_of(slug: str, seed: int) -> tuple[Round, list[Turn]]:
    there = list(positions(slug, seed))
    return there[-1], [one.turn for one in there if not one.is_over]


def passed_over(procedure: Procedure, taken: Sequence[ProcedureStep], end: Round) -> list[ProcedureStep]:
    """Steps for which the rules wait, and which the round did without although they have no condition."""
    jackpots = any(spot in end.table.jackpot_spots for spots in end.bets.values() for spot in spots)
    return [
        one
        for one in procedure
        if (one.places or one.questions or one.step) and not one.only_if and one not in taken
        if one.kind is not StepKind.TABULATE or jackpots
    ]


@every_game
@pytest.mark.parametrize("find", [False, True])
def test_steps_come_in_the_order_in_which_the_rules_ask(slug: str, find: bool) -> None:
    rules, met, asked_for = game(slug), Counter[str](), set[str]()
    for seed in MANY:
        end, turns = turns_of(slug, seed)
        procedure = found_procedure(rules, end.table) if find else rules.procedure(end.table)
        taken = walked(procedure, turns)
        assert passed_over(procedure, taken, end) == []
        met.update(one.name for one in taken)
        asked_for |= {one.name for one in procedure if one.places or one.questions or one.step}
    assert met.keys() == asked_for, "each step that the rules wait for is met in some round"


@every_game
def test_rounds_in_which_meters_pay_follow_the_procedure_too(slug: str) -> None:
    rounds = meter_rounds(slug)
    for _, end in rounds.won:
        turns = [one.turn for one in played_again(end) if not one.is_over]
        procedure = end.game.procedure(end.table)
        assert passed_over(procedure, walked(procedure, turns), end) == []
    assert bool(rounds.won) == bool(rounds.wagers)


@every_game
def test_every_step_has_a_name_of_its_own_words_and_a_rule(slug: str) -> None:
    rules = game(slug)
    table = next(positions(slug, 0)).table
    procedure = rules.procedure(table)
    assert len({one.name for one in procedure}) == len(procedure)
    assert all(one.words.endswith(".") and one.rule for one in procedure)
    kinds = [one.kind for one in procedure]
    assert (kinds[0], kinds[-2:]) == (StepKind.WAGERS, [StepKind.TAKE_OR_PAY, StepKind.COLLECT])
    assert (StepKind.TABULATE in kinds) == bool(table.jackpot_spots)
