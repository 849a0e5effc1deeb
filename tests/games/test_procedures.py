"""The dealing procedures compared with the sheets. The conformance kit checks that their order fits the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from cardroom.games import Table, TableSetup, default_setup, game, game_slugs
from cardroom.games.procedure import ProcedureStep, StepKind, infer_procedure


def find_procedure(slug: str, *left_out: str, **options: str | bool) -> Sequence[ProcedureStep]:
    """Return the steps of a table that does not offer some of the default wagers."""
    return game(slug).procedure(open_table(slug, *left_out, **options))


def open_table(slug: str, *left_out: str, **options: str | bool) -> Table:
    setup: TableSetup = default_setup(slug)
    wagers = {name: wager for name, wager in setup.wagers.items() if name not in left_out}
    return game(slug).open(replace(setup, wagers=wagers, options=options))


def list_names(steps: Sequence[ProcedureStep]) -> list[str]:
    return [step.name for step in steps]


SHEETS = {
    "deuces-wild": [
        ("wagers", "rules 15 and 16"),
        ("tabulate", "rule 17"),
        ("initial-cards", "rule 18"),
        ("pay-treasure", "rule 20"),
        ("second-round", "rule 21"),
        ("fourth-cards", "rule 21(b)"),
        ("third-round", "rule 22"),
        ("last-cards", "rules 22(b) and 23"),
        ("reveal", "rule 23"),
        ("take-or-pay", "rule 24"),
        ("collect", "rules 24 and 25"),
    ],
    "three-card-prime": [
        ("wagers", "rule 1"),
        ("tabulate", "Jackpot wagers, BJ-3"),
        ("deal", "rule 1"),
        ("decide", "rule 2"),
        ("reveal", "rule 3"),
        ("take-or-pay", "rules 4 and 5"),
        ("collect", "rules"),
    ],
    "texas-shootout": [
        ("wagers", "rules of play"),
        ("tabulate", "Jackpot, BJ-3 and BJ-20"),
        ("deal", "rules of play"),
        ("decide", "rules of play; Appendix B, note 5"),
        ("reveal", "rules of play, house way"),
        ("community-cards", "rules of play"),
        ("take-or-pay", "rules of play; Appendices A to C"),
        ("collect", "rules"),
    ],
    "dueling-for-dollars": [
        ("wagers", "rule 1"),
        ("tabulate", "Bonus and Progressive Jackpots, BJ-3"),
        ("deal", "rule 2"),
        ("compare", "rules 3 to 5"),
        ("ties", "rules 6 and 7"),
        ("war", "rule 9"),
        ("added-cards", "2 + 2 Jackpot"),
        ("take-or-pay", "rules 10 to 12"),
        ("collect", "rules"),
    ],
    "three-card-double-play": [
        ("wagers", "rule 1"),
        ("tabulate", "Jackpot wagers, BJ-3"),
        ("deal", "rule 2"),
        ("decide", "rules 3 and 4"),
        ("reveal", "rule 6"),
        ("take-or-pay", "rules 7 to 10"),
        ("collect", "rules"),
    ],
}


@pytest.mark.parametrize("slug", SHEETS)
def test_the_steps_have_the_order_and_the_rules_of_the_sheet(slug: str) -> None:
    assert [(step.name, step.rule) for step in find_procedure(slug)] == SHEETS[slug]
    assert set(SHEETS) == set(game_slugs())


@pytest.mark.parametrize("slug", SHEETS)
def test_nothing_is_tabulated_without_a_jackpot_wager(slug: str) -> None:
    jackpots = [wager.slug for wager in game(slug).facts.wagers if wager.jackpot]
    assert jackpots
    steps = find_procedure(slug, *jackpots)
    assert "tabulate" not in list_names(steps)
    assert StepKind.TABULATE not in {step.kind for step in infer_procedure(game(slug), open_table(slug, *jackpots))}


def test_three_card_treasure_is_paid_before_the_second_round_if_it_is_offered() -> None:
    with_it, without = (
        list_names(find_procedure("deuces-wild")),
        list_names(find_procedure("deuces-wild", "three-card-treasure")),
    )
    assert with_it.index("pay-treasure") == with_it.index("second-round") - 1
    assert "pay-treasure" not in without


def test_a_duel_cites_the_rules_of_its_version_and_burns_only_if_the_operator_says_so() -> None:
    with_play = find_procedure("dueling-for-dollars", duel_spots="play", burn=True)
    rules = {step.name: step.rule for step in with_play}
    assert (rules["ties"], rules["burn"], rules["war"]) == ("rules 4 and 5", "rule 6", "rule 7")
    assert list_names(with_play).index("burn") == list_names(with_play).index("war") - 1
    assert "burn" not in list_names(find_procedure("dueling-for-dollars"))
    assert "added-cards" not in list_names(find_procedure("dueling-for-dollars", "two-plus-two"))


def test_only_steps_that_a_round_can_skip_have_a_condition() -> None:
    conditional = {slug: {step.name for step in find_procedure(slug) if step.condition} for slug in game_slugs()}
    assert conditional == {
        "deuces-wild": {"pay-treasure", "second-round", "fourth-cards", "third-round", "last-cards", "reveal"},
        "three-card-prime": set(),
        "texas-shootout": set(),
        "dueling-for-dollars": {"ties", "war", "added-cards"},
        "three-card-double-play": set(),
    }


@pytest.mark.parametrize("slug", game_slugs())
def test_a_procedure_does_not_depend_on_the_order_of_the_wagers(slug: str) -> None:
    setup = default_setup(slug)
    backwards = game(slug).open(replace(setup, wagers=dict(reversed(setup.wagers.items()))))
    assert list_names(infer_procedure(game(slug), backwards)) == list_names(
        infer_procedure(game(slug), open_table(slug))
    )
