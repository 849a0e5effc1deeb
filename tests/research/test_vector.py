"""Many rounds in parallel: each has the views, decisions, and payments of a round at the table."""

from dataclasses import replace

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from cardroom.cards import parse_cards as read
from cardroom.errors import BadInput
from cardroom.games import default_setup, game
from cardroom.games.deuces_wild.rules import fortune_selections
from cardroom.games.texas_shootout.rules import hand_options
from cardroom.odds.simulation.batch import RoundBatch, batch_class
from cardroom_research import RoundVectorEnv, env_id
from tests.research.seen import dealt, play_and_check

GAMES = ("deuces-wild", "three-card-prime", "texas-shootout", "dueling-for-dollars", "three-card-double-play")
LAYOUTS = [
    ("three-card-prime", {"ante-play": 10_00}),
    ("three-card-prime", {"ante-play": 20_00, "prime": 7_00, "pair-bonus": 3_00, "all-six": 1_00}),
    ("three-card-prime", {"ante-play": 10_00, "final-four": 1_00, "all-seven": 1_00}),
    ("dueling-for-dollars", {"player": 10_00}),
    ("dueling-for-dollars", {"dealer": 30_00, "tie-plus": 2_00, "combo": 5_00, "two-plus-two": 1_00}),
    ("dueling-for-dollars", {"player": 10_00, "tie-after-tie": 1_00}),
    ("deuces-wild", {"ante-play-raise": 10_00}),
    (
        "deuces-wild",
        {"ante-play-raise": 10_00, "three-card-treasure": 5_00, "five-card-fortune": 1_00, "bonus-jackpot": 1_00},
    ),
    ("deuces-wild", {"five-card-fortune": 1_00}),
    ("deuces-wild", {"bonus-jackpot": 1_00}),
    ("texas-shootout", {"shootout": 10_00}),
    ("texas-shootout", {"shootout": 10_00, "quick-draw": 10_00, "shootout-bonus": 1_00, "jackpot": 1_00}),
    ("three-card-double-play", {"high-low": 10_00}),
    ("three-card-double-play", {"high-low": 30_00, "pick-3": 2_00, "pick-5": 3_00, "super-3s": 1_00}),
    ("three-card-double-play", {"high-low": 10_00, "super-six": 1_00}),
]
RARE = {f"choose {places}" for places in ("1 2", "1 3", "2 3", "1 2 3")}
"""Several wild cards occur together in one round out of hundreds."""


def batch(slug: str, bets: dict[str, int], options: dict[str, str | bool] | None = None) -> RoundBatch:
    setup = default_setup(slug)
    table = game(slug).open(setup if options is None else replace(setup, options=options))
    kind = batch_class(slug)
    assert kind is not None
    return kind(table, bets, {spot: 5_000_00 for spot in bets if table.spots[spot].has_meter})


def environment(slug: str, bets: dict[str, int] | None = None, rows: int = 1, **how: object) -> RoundVectorEnv:
    spots = game(slug).open(default_setup(slug)).spots
    meters = {spot: 5_000_00 for spot in bets or {} if spots[spot].has_meter}
    return RoundVectorEnv(slug, rows, bets=bets, meters=meters, **how)  # type: ignore[arg-type]


def check_layout(slug: str, bets: dict[str, int], rounds: int) -> None:
    env = environment(slug, bets, rows=32)
    met = play_and_check(env, rounds, seed=2026)
    verbs = {str(verb) for verb in env.batch.flow.verbs}
    called_for = {str(one) for one in env.batch.actions if one.verb is None or one.verb in verbs}
    assert called_for - RARE <= met


@pytest.mark.parametrize(("slug", "bets"), LAYOUTS)
def test_every_round_has_the_views_options_and_payments_of_the_rules(slug: str, bets: dict[str, int]) -> None:
    check_layout(slug, bets, rounds=160)


@pytest.mark.long
@pytest.mark.parametrize(("slug", "bets"), LAYOUTS)
def test_thousands_of_rounds_are_paid_by_the_rules(slug: str, bets: dict[str, int]) -> None:
    check_layout(slug, bets, rounds=4_000)


@pytest.mark.parametrize("options", [{"burn": True, "tie_after_tie_bonus": True}, {"duel_spots": "play"}])
def test_the_options_of_a_table_hold_in_a_batch(options: dict[str, str | bool]) -> None:
    setup = default_setup("dueling-for-dollars")
    spot = "play" if "duel_spots" in options else "player"
    env = RoundVectorEnv("dueling-for-dollars", 32, setup=replace(setup, options=options), bets={spot: 10_00})
    assert play_and_check(env, 400, seed=3) == {"war", "surrender", "go on"}


@pytest.mark.parametrize(("slug", "bets"), LAYOUTS)
def test_hidden_cards_do_not_change_an_observation(slug: str, bets: dict[str, int]) -> None:
    one = batch(slug, bets)
    hidden_somewhere = False
    for node in range(len(one.flow.nodes)):
        cards = np.stack([dealt(one, 9, turn) for turn in range(40)])
        nodes, answers = np.full(40, node), np.full((40, len(one.questions)), -1, np.int8)
        hidden = one.card_faces[node] < 2
        others = cards.copy()
        others[:, hidden] = np.roll(cards[:, hidden], 1, axis=0) if hidden.any() else cards[:, hidden]
        hidden_somewhere |= bool((others != cards).any())
        before, after = one.observe(cards, nodes, answers), one.observe(others, nodes, answers)
        assert all((before[key] == after[key]).all() for key in before)
        assert (one.masks(cards, nodes) == one.masks(others, nodes)).all()
    # A seat without a decision sees all cards at the end.
    assert hidden_somewhere == one.deal_plan.has_decision.any()


def test_several_wild_cards_may_be_chosen_and_others_not() -> None:
    one = batch("deuces-wild", {"five-card-fortune": 1_00})
    sizes = set()
    for text in ("Jk 2s 2h", "Jk 2s Kd", "2d Kd 9c", "Ah Kd 9c", "2s 2h 2d", "2s 2h 3c"):
        hand = sorted(read(text), key=lambda card: -card.code)
        cards = dealt(one, 1, 1)
        cards[:3] = [card.code for card in hand]
        mask = one.masks(cards[None], one.start_nodes(cards[None]))[0]
        allowed = [one.decision(cards, at) for at in np.flatnonzero(mask).tolist()]
        assert sorted(map(str, allowed)) == sorted(map(str, fortune_selections(tuple(hand))))
        sizes.add(len(allowed))
    assert sizes == {3, 4, 7}


def test_cards_that_look_the_same_have_one_keep_and_one_split() -> None:
    one = batch("texas-shootout", {"shootout": 10_00, "shootout-bonus": 1_00})
    for text in (
        "As As Kd 9c",
        "As Kd Kd 9c",
        "As Kd 9c 9c",
        "As As 9c 9c",
        "As As As 9c",
        "As 9c 9c 9c",
        "As As As As",
    ):
        hand = read(text)
        cards = dealt(one, 1, 1)
        cards[:4] = [card.code for card in hand]
        mask = one.masks(cards[None], one.start_nodes(cards[None]))[0]
        allowed = [one.decision(cards, at) for at in np.flatnonzero(mask).tolist()]
        assert sorted(map(str, allowed)) == sorted(map(str, hand_options(hand)))
        assert all(one.action(cards, said) in np.flatnonzero(mask) for said in hand_options(hand))
        assert all(
            one.action(cards, said.with_reversed_groups) == one.action(cards, said) for said in hand_options(hand)
        )


def last_allowed(masks: np.ndarray) -> np.ndarray:
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def rewards(env: RoundVectorEnv, steps: int, seed: int | list[int | None]) -> np.ndarray:
    """Rows that always take the last allowed action."""
    _, info = env.reset(seed=seed)
    calls = []
    for _ in range(steps):
        _, reward, _, _, info = env.step(last_allowed(info["action_mask"]))
        calls.append(reward)
    return np.array(calls)


def test_a_row_plays_the_same_rounds_with_any_other_rows_and_threads() -> None:
    many = rewards(environment("three-card-prime", rows=2_000, workers=2), 6, seed=5)
    assert (many == rewards(environment("three-card-prime", rows=2_000, workers=1), 6, seed=5)).all()
    assert (many[:, :3] == rewards(environment("three-card-prime", rows=3), 6, seed=5)).all()
    assert (many[:, 4:5] == rewards(environment("three-card-prime"), 6, seed=9)).all()
    assert (many[:, [7, 2]] == rewards(environment("three-card-prime", rows=2), 6, seed=[12, 7])).all()
    assert (many != rewards(environment("three-card-prime", rows=2_000), 6, seed=6)).any()


def test_without_a_seed_the_next_rounds_follow() -> None:
    env = environment("three-card-prime", rows=4)
    first, _ = env.reset(seed=1)
    second, info = env.reset()
    assert info["round"].tolist() == [1] * 4
    assert (first["cards"] != second["cards"]).any()
    again, _ = env.reset(seed=1)
    assert (first["cards"] == again["cards"]).all()
    unseeded = [environment("three-card-prime", rows=4).reset()[0]["cards"].tolist() for _ in range(2)]
    assert unseeded[0] != unseeded[1]


def test_with_same_step_reset_the_next_round_follows_in_the_same_step() -> None:
    env = environment("three-card-prime", rows=8, autoreset_mode=AutoresetMode.SAME_STEP)
    env.reset(seed=1)
    seen, reward, ended, _, info = env.step(np.ones(8, np.int64))
    assert ended.all()
    assert info["_final_obs"].all()
    assert (info["round"].tolist(), info["final_info"]["round"].tolist()) == ([1] * 8, [0] * 8)
    assert (seen["question"] == 1).all()
    last = info["final_obs"][3]
    assert env.single_observation_space.contains(last)
    assert last["question"] == 0
    assert (last["cards"][4:7] >= 0).all(), "the dealer's cards are face up at the end"
    next_step = environment("three-card-prime", rows=8)
    next_step.reset(seed=1)
    assert (next_step.step(np.ones(8, np.int64))[1] == reward).all()


def test_without_an_automatic_reset_rows_are_reset_by_a_mask() -> None:
    env = environment("dueling-for-dollars", rows=64, autoreset_mode="Disabled")
    _, info = env.reset(seed=4)
    _, _, ended, _, _ = env.step(info["action_mask"].argmax(axis=1))
    assert ended.all()
    with pytest.raises(BadInput, match=r"\[0, 1, 2, 3, 4\]"):
        env.step(np.zeros(64, np.int64))
    half = np.arange(64) < 32
    _, info = env.reset(options={"reset_mask": half})
    assert info["round"].tolist() == [1] * 32 + [0] * 32


def test_asked_only_skips_rounds_without_a_decision() -> None:
    rows, plain, asked = (
        16,
        environment("dueling-for-dollars", rows=16),
        environment("dueling-for-dollars", rows=16, asked_only=True),
    )
    seen, info = asked.reset(seed=3)
    assert (seen["question"] == 1).all()
    until, cents = info["round"].max() + 1, np.zeros(rows, np.int64)
    _, plain_info = plain.reset(seed=3)
    for _ in range(2 * int(until)):
        before = plain_info["round"]
        _, reward, _, _, plain_info = plain.step(plain_info["action_mask"].argmax(axis=1))
        cents += np.where(before < info["round"], reward.astype(np.int64), 0)
    assert (info["skipped_rounds"] == info["round"]).all()
    assert (info["skipped_cents"] == cents).all()


def test_an_action_that_is_not_allowed_is_refused_and_changes_nothing() -> None:
    env = environment("deuces-wild", rows=3)
    seen, _ = env.reset(seed=1)
    for actions, detail in (
        (np.array([0, 2, 1]), r"Action 2 .*row 1.*0 \(fold\) or 1 \(play\)"),
        (np.array([0, 1, 99]), "Action 99 .*row 2"),
        (np.array([0, -1, 1]), "Action -1 .*row 1"),
        (np.array([0, 1]), r"\b3\b"),
        (np.array([0.0, 1.0, 1.0]), r"\b3\b"),
    ):
        with pytest.raises(BadInput, match=detail):
            env.step(actions)
    after, *_ = env.step(np.array([1, 1, 1]))
    assert (after["cards"][:, :3] == seen["cards"][:, :3]).all()
    assert (after["question"] == 3).all()


@pytest.mark.parametrize(
    ("arguments", "detail"),
    [
        ({"game": "bridge"}, "'bridge'"),
        ({"num_envs": 0}, "0 rounds"),
        ({"bets": {"ante-play": 1}}, r"\$0.01"),
        ({"bets": {"ante-play": 1000, "final-four": 100}}, r"meters=\{'final-four'"),
        ({"meters": {"ante-play": 100}}, "'ante-play'"),
        ({"workers": 0}, "0 threads"),
        (
            {"game": "deuces-wild", "bets": {"bonus-jackpot": 100}, "asked_only": True},
            "asked_only",
        ),
        ({"setup": default_setup("deuces-wild")}, "deuces-wild"),
    ],
)
def test_an_impossible_environment_is_refused(arguments: dict[str, object], detail: str) -> None:
    with pytest.raises(BadInput, match=detail):
        RoundVectorEnv(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "detail"),
    [
        ({"seed": -1}, "-1"),
        ({"seed": [1, 2, 3]}, "3 seeds.* 2 rows"),
        ({"seed": [1, None]}, "every row"),
        ({"options": {"speed": 1}}, "'speed'"),
        ({"options": {"reset_mask": [True, False]}}, r"'reset_mask'.*\b2\b"),
    ],
)
def test_an_impossible_reset_is_refused(arguments: dict[str, object], detail: str) -> None:
    with pytest.raises(BadInput, match=detail):
        environment("three-card-prime", rows=2).reset(**arguments)  # type: ignore[arg-type]
    with pytest.raises(BadInput):
        environment("three-card-prime", rows=2).step(np.zeros(2, np.int64))


@pytest.mark.parametrize("slug", GAMES)
def test_every_built_in_game_is_registered_with_gymnasium(slug: str) -> None:
    env = gymnasium.make_vec(env_id(slug), num_envs=3)
    seen, info = env.reset(seed=1)
    assert env.spec is not None
    assert env.spec.id == f"cardroom/{slug}-v0"
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.observation_space.contains(seen)
    assert info["action_mask"].shape == (3, int(env.single_action_space.n))  # type: ignore[attr-defined]
    assert env.action_space.contains(info["action_mask"].argmax(axis=1))
    env.close()
