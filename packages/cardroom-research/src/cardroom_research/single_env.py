"""One round at a time of any installed game, by its rules alone, as a Gymnasium ``Env``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium import Env
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from cardroom.cards import JOKER_CODE, Card
from cardroom.games import Decide, Decision, Pile, Place, Round, SeatTurn, TableSetup, Verb, advance, game, view
from cardroom.odds.simulation.batch import FACE_DOWN_CODE, NOT_DEALT_CODE, Observations
from cardroom.odds.simulation.rules_engine import SEAT, RoundRandom, shuffle_shoe
from cardroom_research.registry import BadEnvironment, check_bets, check_seed, open_table

PLACES: Final = (*(Place(pile, SEAT) for pile in Pile), *(Place(pile) for pile in Pile))
"""Every place of cards: the seat's own, then the table's."""
VERBS: Final = tuple(Verb)
MAX_OPTIONS: Final = 32
MAX_ANSWERS: Final = 8


class RoundEnv(Env[Any, Any]):
    """An episode is a round of one seat. The reward is the seat's net result in whole cents: 0 during the round, and
    the settlement by the rules at the end.

    An action is the index of a decision among the options of the turn. An action outside the options changes nothing,
    and ``info["refused"]`` explains why. A round without a decision has one step, with action 0.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self,
        game: str = "three-card-prime",
        *,
        setup: TableSetup | None = None,
        bets: Mapping[str, int] | None = None,
        meters: Mapping[str, int] | None = None,
    ) -> None:
        self.table = open_table(game, setup)
        self.bets, self.meters = check_bets(self.table, bets), dict(meters or {})
        self._rules = _rules(game)
        self._rules.begin(self.table, {SEAT: self.bets})  # raises an error for wagers that the table does not take
        facts = self.table.facts
        self._cards = facts.table_cards + facts.seat_cards
        self._seed: int | None = None
        self._turn = 0
        self._round: Round | None = None
        self.observation_space = self._space()
        self.action_space = Discrete(MAX_OPTIONS)

    def _space(self) -> Dict:
        max_wager = max(offered.limits.maximum for offered in self.table.spots.values())
        answer = 1 + 2 * self._cards  # a verb, cards, and a separator between two hands
        return Dict(
            {
                "cards": Box(NOT_DEALT_CODE, JOKER_CODE, (len(PLACES), self._cards), np.int8),
                "options": Box(NOT_DEALT_CODE, JOKER_CODE, (MAX_OPTIONS, answer), np.int8),
                "answers": Box(NOT_DEALT_CODE, JOKER_CODE, (MAX_ANSWERS, answer), np.int8),
                "wagers": Box(0, max_wager, (len(self.table.spots),), np.int64),
            }
        )

    # Gymnasium's interface

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin a round: the first round of a seed, or the next round without a seed."""
        if options:
            raise BadEnvironment(f"reset() has no option {next(iter(options))!r}: it takes a seed and no options.")
        if seed is not None:
            self._seed, self._turn = check_seed(seed), 0
        super().reset(seed=seed)
        if self._seed is None:
            self._seed = int(self.np_random.integers(2**62))
        self._shoe = shuffle_shoe(self.table, RoundRandom(self._seed, self._turn))
        self._turn += 1
        self._over = False
        self._advance(self._rules.begin(self.table, {SEAT: self.bets}))
        return self._observe(), self._info(0)

    def step(self, action: int) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Take an action at the current turn."""
        if self._round is None or self._over:
            raise BadEnvironment("There is no current round: call reset() first.")
        options = self._options
        if not self.action_masks()[int(action)]:
            allowed = ", ".join(f"{index} ({option})" for index, option in enumerate(options)) or "0 (go on)"
            info = self._info(0) | {"refused": f"Action {action} is not an option: choose from {allowed}."}
            return self._observe(), 0.0, False, False, info
        if options:
            self._advance(self._round.apply(Decide(SEAT, options[int(action)])))
        net = 0
        if self._round.is_terminal:
            self._over, net = True, self._rules.settle(self._round, self.meters).net(SEAT)
        return self._observe(), float(net), self._over, False, self._info(net)

    def action_masks(self) -> NDArray[np.bool_]:
        """The actions that are options now."""
        mask = np.zeros(MAX_OPTIONS, np.bool_)
        mask[: max(1, len(self._options))] = True
        return mask

    # Observations

    @property
    def round(self) -> Round:
        """The round, hidden cards included. Do not show it to the player."""
        if self._round is None:
            raise BadEnvironment("There is no current round: call reset() first.")
        return self._round

    @property
    def _options(self) -> tuple[Decision, ...]:
        assert self._round is not None
        turn = self._round.turn
        return turn.options if isinstance(turn, SeatTurn) else ()

    def _advance(self, round_: Round) -> None:
        self._round, self._shoe = advance(round_, self._shoe)
        if len(self._options) > MAX_OPTIONS:
            raise BadEnvironment(
                f"This game has a turn with {len(self._options)} options: an environment supports {MAX_OPTIONS}."
            )

    def _observe(self) -> Observations:
        """The seat's view as numbers."""
        assert self._round is not None
        seat_view, spaces = view(self._round, SEAT), self._space().spaces
        observations: Observations = {
            key: np.full(box.shape or (), NOT_DEALT_CODE, np.int8) for key, box in spaces.items() if key != "wagers"
        }
        for place, pile in seat_view.piles.items():
            row = PLACES.index(place)
            for index, card in enumerate(pile):
                observations["cards"][row, index] = _code(card)
        for index, option in enumerate(self._options):
            _write_decision(observations["options"][index], option)
        for index, answer in enumerate(seat_view.decisions.values()):
            _write_decision(
                observations["answers"][index], answer if isinstance(answer, Decision) else Decision(answer)
            )
        observations["wagers"] = np.array([self.bets.get(spot, 0) for spot in self.table.spots], np.int64)
        return observations

    def _info(self, net: int) -> dict[str, Any]:
        assert self._round is not None
        turn = self._round.turn
        return {
            "action_mask": self.action_masks(),
            "question": turn.question if isinstance(turn, SeatTurn) else "",
            "options": tuple(map(str, self._options)),
            "cents": net,
            "round": self._turn - 1,
        }


_rules = game
"""The game's rules, under another name because ``game`` is the slug in an environment."""


def _code(card: Card | None) -> int:
    return FACE_DOWN_CODE if card is None else card.code


def _write_decision(row: NDArray[np.int8], decision: Decision) -> None:
    """The number of the verb, then the cards, with -1 between two hands."""
    codes = [VERBS.index(decision.verb)]
    for index, group in enumerate(decision.groups):
        codes += ([FACE_DOWN_CODE] if index else []) + [card.code for card in group]
    row[: len(codes)] = codes
