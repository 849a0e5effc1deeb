"""A seat's view as numbers, computed independently of the environments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gymnasium.vector import AutoresetMode

from cardroom.games import Round, SeatTurn, view
from cardroom.odds.simulation.batch import Answers, RoundBatch
from cardroom.odds.simulation.batch_deals import ByteArray
from cardroom_research import RoundVectorEnv


def cards_seen(round_: Round, places: Sequence[str]) -> list[int]:
    """The code of each card of a layout; -1 for a face-down card, -2 for a missing card."""
    piles = {str(place): list(pile) for place, pile in view(round_, 1).piles.items()}
    calls = []
    for place in places:
        pile = piles.get(place, [])
        card = pile.pop(0) if pile else -2
        calls.append(card if isinstance(card, int) else -1 if card is None else card.code)
    assert not any(piles.values()), "every dealt card has its place"
    return calls


def dealt(batch: RoundBatch, seed: int, turn: int) -> ByteArray:
    """The cards of one round."""
    cards = np.empty((1, len(batch.card_places)), np.uint8)
    batch.deal(cards, np.zeros(1, np.int64), np.array([seed], np.uint64), np.array([turn], np.uint64))
    return cards[0]


def check_row(
    env: RoundVectorEnv, round_: Round, seen: dict[str, np.ndarray], mask: np.ndarray, cards: ByteArray
) -> None:
    """A row has what the seat's view shows, and allows the options of its turn."""
    turn = round_.turn
    assert seen["cards"].tolist() == cards_seen(round_, env.places)
    assert env.questions[int(seen["question"])] == (turn.question if isinstance(turn, SeatTurn) else "")
    assert dict(zip(env.batch.table.spots, seen["wagers"].tolist(), strict=True)) == {
        spot: round_.wager_cents(1, spot) for spot in env.batch.table.spots
    }
    for question, answer in zip(env.questions[1:], seen["answers"].tolist(), strict=True):
        said = round_.decision(1, question)
        assert (said is None) == (answer < 0)
        assert said is None or said == env.batch.decision(cards, answer)
    if isinstance(turn, SeatTurn):
        allowed = [env.batch.decision(cards, at) for at in np.flatnonzero(mask).tolist()]
        assert len(allowed) == len(turn.options)
        assert set(allowed) == set(turn.options)


def play_and_check(env: RoundVectorEnv, rounds: int, seed: int) -> set[str]:
    """Play this many rounds with random decisions, compare all observations with the rules, and return what
    occurred."""
    assert env.autoreset_mode is AutoresetMode.NEXT_STEP
    batch, chance = env.batch, np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    ended, played, met = np.zeros(env.num_envs, np.bool_), 0, set[str]()
    while played < rounds:
        assert env.observation_space.contains(seen)
        assert (info["action_mask"] == env.action_masks()).all()
        chosen = (info["action_mask"] * chance.random(info["action_mask"].shape)).argmax(axis=1)
        for row in range(env.num_envs):
            cards = dealt(batch, seed + row, int(info["round"][row]))
            answers: Answers = seen["answers"][row]
            round_ = batch.play_round(cards, answers)
            one = {key: values[row] for key, values in seen.items()}
            check_row(env, round_, one, info["action_mask"][row], cards)
            net = batch.rules.settle(round_, batch.meters).net(1) if ended[row] else 0
            assert (info["cents"][row], bool(ended[row])) == (net, bool(ended[row] and round_.is_terminal))
            played += int(ended[row])
            if not ended[row]:
                met.add(env.actions[int(chosen[row])])
        seen, rewards, ended, truncated, info = env.step(chosen)
        assert not truncated.any()
        assert (rewards == info["cents"]).all()
    return met
