"""One round at a time of any game, by its rules alone."""

from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from cardroom.cards import card_from_code
from cardroom.errors import BadInput
from cardroom.games import Decision, SeatTurn, game, view
from cardroom.odds.simulation.rules_engine import group_bets
from cardroom_research import RoundEnv, env_id
from cardroom_research.single_env import PLACES, VERBS
from tests.packages.high_card import install
from tests.red_dog.conftest import red_dog  # noqa: F401 (a fixture)
from tests.red_dog.installed import Installed
from tests.research.test_vector import GAMES


def read(row: np.ndarray) -> str:
    """An option, decoded from its numbers."""
    verb, *rest = [int(one) for one in row if one != -2]
    said = " ".join("|" if code == -1 else str(card_from_code(code)) for code in rest)
    return f"{VERBS[verb]} {said}".strip()


@pytest.mark.parametrize("slug", GAMES)
def test_gymnasiums_checker_passes(slug: str) -> None:
    check_env(gymnasium.make(env_id(slug)).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("slug", GAMES)
def test_observations_match_the_view_and_rewards_match_the_settlement(slug: str) -> None:
    table = RoundEnv(slug).table
    bets = group_bets(table)[0]
    meters = {spot: 100_00 for spot in bets if table.spots[spot].has_meter}
    env, chance = RoundEnv(slug, bets=bets, meters=meters), np.random.default_rng(1)
    asked = 0
    for number in range(25):
        seen, info = env.reset(seed=8 if number == 0 else None)
        ended, won = False, 0.0
        while not ended:
            assert env.observation_space.contains(seen)
            shown = view(env.round, 1)
            for place, pile in shown.piles.items():
                codes = seen["cards"][PLACES.index(place)].tolist()
                assert codes[: len(pile)] == [-1 if card is None else card.code for card in pile]
                assert set(codes[len(pile) :]) <= {-2}
            assert (seen["cards"] != -2).sum() == sum(map(len, shown.piles.values()))
            options = shown.turn.options if isinstance(shown.turn, SeatTurn) else ()
            assert (
                [read(row) for row in seen["options"] if row[0] >= 0]
                == list(map(str, options))
                == list(info["options"])
            )
            assert [read(row) for row in seen["answers"] if row[0] >= 0] == list(map(str, shown.decisions.values()))
            assert info["action_mask"].sum() == max(1, len(options))
            asked += bool(options)
            action = int(chance.choice(np.flatnonzero(info["action_mask"])))
            seen, reward, ended, truncated, info = env.step(action)
            won += reward
            assert not truncated
        assert won == info["cents"] == game(slug).settle(env.round, meters).net(1)
        assert info["round"] == number
    assert asked


def test_an_action_outside_the_options_changes_nothing_and_is_reported() -> None:
    env = RoundEnv()
    seen, _ = env.reset(seed=1)
    after, reward, ended, _, info = env.step(17)
    assert (reward, ended) == (0.0, False)
    assert info["refused"] == "Action 17 is not an option: choose from 0 (fold), 1 (play)."
    assert all((seen[key] == after[key]).all() for key in seen)
    assert env.step(0)[1:3] == (-10_00.0, True)


def test_a_seed_plays_the_same_rounds_again() -> None:
    env = RoundEnv("texas-shootout")
    first = [env.reset(seed=4)[0]["cards"].tolist(), env.reset()[0]["cards"].tolist()]
    again = [env.reset(seed=4)[0]["cards"].tolist(), env.reset()[0]["cards"].tolist()]
    assert first == again
    assert first[0] != first[1]


def test_calls_that_cannot_be_carried_out_are_refused() -> None:
    with pytest.raises(BadInput):
        RoundEnv().step(0)
    with pytest.raises(BadInput, match="'speed'"):
        RoundEnv().reset(options={"speed": 1})
    with pytest.raises(BadInput, match=r"\$0.03"):
        RoundEnv(bets={"ante-play": 3})


PROGRAM = """
import gymnasium, numpy as np
from gymnasium.utils.env_checker import check_env
from cardroom_research import RoundEnv, RoundVectorEnv, env_id
check_env(gymnasium.make(env_id("red-dog")).unwrapped, skip_render_check=True)
env = RoundEnv("red-dog")
nets = set()
for number in range(60):
    _, info = env.reset(seed=number)
    while True:
        _, reward, ended, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
        if ended:
            break
    nets.add(int(reward))
print(sorted(nets))
try:
    RoundVectorEnv("red-dog")
except Exception as fault:
    print(fault)
"""


def test_an_installed_game_is_played_by_its_rules(red_dog: Installed) -> None:  # noqa: F811
    done = red_dog.run("-W", "error", "-c", PROGRAM)
    assert done.returncode == 0, done.stderr
    nets, refused = done.stdout.splitlines()
    assert {-2000, 0, 2000} <= set(map(int, nets.strip("[]").split(",")))
    assert refused.startswith("Red Dog")


def finished_rounds(env: RoundEnv, seed: int) -> Iterator[dict[str, np.ndarray]]:
    """The last observation of one deal for every course of actions, each compared with the rules at each turn."""
    courses: list[tuple[int, ...]] = [()]
    while courses:
        course = courses.pop()
        seen, _ = env.reset(seed=seed)
        for action in course:
            asked = env.round.seat_turn
            decision = asked.options[action]
            seen, *_ = env.step(action)
            assert env.round.decision(1, asked.question) == decision
            answers = [Decision.parse(read(row)) for row in seen["answers"] if row[0] >= 0]
            assert answers == list(env.round.decisions.values())
            assert answers[-1] == decision
        turn = env.round.turn
        if isinstance(turn, SeatTurn):
            assert [Decision.parse(read(row)) for row in seen["options"] if row[0] >= 0] == list(turn.options)
            courses += [(*course, action) for action in range(len(turn.options))]
        else:
            yield seen


@pytest.mark.parametrize(
    ("slug", "bets", "seed", "courses"),
    [
        # Ten divisions into two hands; the higher hand may be doubled or not.
        ("three-card-double-play", {"high-low": 20_00}, 1, 20),
        # Three deuces: a single card, two of them, or all three for Five Card Fortune.
        ("deuces-wild", {"five-card-fortune": 1_00}, 4314, 7),
        ("deuces-wild", {"ante-play-raise": 10_00, "five-card-fortune": 1_00}, 4314, 21),
        # Keep any two of four cards, or split them in three ways; after a split the bonus wager is placed.
        ("texas-shootout", {"shootout": 10_00, "shootout-bonus": 5_00}, 1, 15),
        ("three-card-prime", {"ante-play": 10_00}, 1, 2),
        ("dueling-for-dollars", {"player": 10_00}, 6, 2),
    ],
)
def test_every_answer_is_taken_and_shown_with_its_own_cards(
    slug: str, bets: dict[str, int], seed: int, courses: int
) -> None:
    env = RoundEnv(slug, bets=bets)
    ends = [seen["answers"].tobytes() for seen in finished_rounds(env, seed)]
    assert len(set(ends)) == len(ends) == courses


MANY_ANSWERS = '''
"""A player names one of forty pairs of cards, twelve times."""

from itertools import combinations, islice

from cardroom.cards import STANDARD_DECK, Deck
from cardroom.games import Decision, Game, GameFacts, RoundEnd, SeatTurn, Verb, Wager
from cardroom.games.settlement import fixed_payment
from cardroom.paytables import Push

PAIRS = tuple(Decision(Verb.KEEP, (pair,)) for pair in islice(combinations(STANDARD_DECK, 2), 40))


class ManyAnswers(Game):
    facts = GameFacts(
        slug="many-answers", name="Many Answers", sheet="many-answers", decks=(Deck.ONE,),
        wagers=(Wager("wager", "Wager", required=True),), tabulators=(), table_cards=0, seat_cards=2,
    )

    def turn(self, r):
        number = len(r.decisions) + 1
        return SeatTurn(1, f"pair {number}", PAIRS) if number <= 12 else RoundEnd()

    def is_face_up(self, r, place):
        return True

    def payments(self, r):
        yield fixed_payment(1, "wager", "wager", r.wager_cents(1, "wager"), "end", "end", (), Push())


RULES = ManyAnswers()
'''

MANY_ANSWERS_PAYTABLES = """
game = "many-answers"
sheet = "many-answers"
wagers = ["wager"]
table = []
"""

MANY_ANSWERS_PROGRAM = """
from cardroom.cards import card_from_code
from cardroom_research import RoundEnv
from cardroom_research.single_env import VERBS

def read(row):
    verb, *codes = [code for code in row.tolist() if code != -2]
    return f"{VERBS[verb]} {' '.join(str(card_from_code(code)) for code in codes)}"

try:
    RoundEnv("many-answers").reset(seed=1)
except Exception as fault:
    print(fault)
env = RoundEnv("many-answers", max_options=40)
try:
    env.reset(seed=1)
    for number in range(9):
        env.step(number)
except Exception as fault:
    print(fault)
env = RoundEnv("many-answers", max_options=40, max_answers=12)
seen, info = env.reset(seed=1)
assert env.observation_space.contains(seen)
assert [read(row) for row in seen["options"]] == list(info["options"])
chosen = []
for number in range(12):
    chosen.append(info["options"][39 - number])
    seen, reward, ended, _, info = env.step(39 - number)
assert [read(row) for row in seen["answers"]] == chosen
print(ended, len(set(chosen)))
"""


def test_a_game_with_more_options_and_answers_needs_more_room(tmp_path: Path) -> None:
    install(
        tmp_path,
        slug="many-answers",
        package="many-answers",
        module="many_answers",
        rules=MANY_ANSWERS,
        paytables=MANY_ANSWERS_PAYTABLES,
    )
    done = Installed(tmp_path).run("-W", "error", "-c", MANY_ANSWERS_PROGRAM)
    assert done.returncode == 0, done.stderr
    options, answers, end = done.stdout.splitlines()
    assert options.endswith("create it with max_options=40 or more.")
    assert answers.endswith("create it with max_answers=9 or more.")
    assert end == "True 12"
