"""The dealing procedure of a game, stated or inferred, follows the order of its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

import pytest

from cardroom.games import Round, Turn, game, game_slugs
from cardroom.games.procedure import Procedure, ProcedureStep, StepKind, infer_procedure
from cardroom_conformance.sample_rounds import meter_rounds, positions, replay_positions

every_game = pytest.mark.parametrize("slug", game_slugs())
MANY_SEEDS = range(60)


def walk_procedure(procedure: Procedure, turns: Iterable[Turn]) -> list[ProcedureStep]:
    """The steps that a round takes: each turn belongs to the current step, or to a later one."""
    position, steps = 0, list[ProcedureStep]()
    for turn in turns:
        covering = [place for place in range(position, len(procedure)) if procedure[place].covers(turn)]
        assert covering, f"{turn} belongs to none of {[step.name for step in procedure[position:]]}"
        position = covering[0]
        if not steps or steps[-1] is not procedure[position]:
            steps.append(procedure[position])
    return steps


@cache
def turns_of(slug: str, seed: int) -> tuple[Round, list[Turn]]:
    rounds = list(positions(slug, seed))
    return rounds[-1], [round_.turn for round_ in rounds if not round_.is_terminal]


def skipped_steps(procedure: Procedure, steps: Sequence[ProcedureStep], end: Round) -> list[ProcedureStep]:
    """Steps of the rules without a condition that the round did not take."""
    jackpots = any(spot in end.table.jackpot_spots for spots in end.bets.values() for spot in spots)
    return [
        step
        for step in procedure
        if (step.places or step.questions or step.step) and not step.condition and step not in steps
        if step.kind is not StepKind.TABULATE or jackpots
    ]


@every_game
@pytest.mark.parametrize("find", [False, True])
def test_steps_come_in_the_order_of_the_rules(slug: str, find: bool) -> None:
    rules, met, asked_for = game(slug), Counter[str](), set[str]()
    for seed in MANY_SEEDS:
        end, turns = turns_of(slug, seed)
        procedure = infer_procedure(rules, end.table) if find else rules.procedure(end.table)
        steps = walk_procedure(procedure, turns)
        assert skipped_steps(procedure, steps, end) == []
        met.update(step.name for step in steps)
        asked_for |= {step.name for step in procedure if step.places or step.questions or step.step}
    assert met.keys() == asked_for, "each step of the rules occurs in some round"


@every_game
def test_rounds_with_meter_prizes_follow_the_procedure(slug: str) -> None:
    rounds = meter_rounds(slug)
    for _, end in rounds.wins:
        turns = [position.turn for position in replay_positions(end) if not position.is_terminal]
        procedure = end.game.procedure(end.table)
        assert skipped_steps(procedure, walk_procedure(procedure, turns), end) == []
    assert bool(rounds.wins) == bool(rounds.wagers)


@every_game
def test_every_step_has_its_own_name_a_text_and_a_rule(slug: str) -> None:
    rules = game(slug)
    table = next(positions(slug, 0)).table
    procedure = rules.procedure(table)
    assert len({step.name for step in procedure}) == len(procedure)
    assert all(step.text.endswith(".") and step.rule for step in procedure)
    kinds = [step.kind for step in procedure]
    assert (kinds[0], kinds[-2:]) == (StepKind.WAGERS, [StepKind.TAKE_OR_PAY, StepKind.COLLECT])
    assert (StepKind.TABULATE in kinds) == bool(table.jackpot_spots)
