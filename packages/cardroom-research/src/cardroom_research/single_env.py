"""One round at a time of any installed game, by its rules alone, as a Gymnasium ``Env``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, overload

import numpy as np
from gymnasium import Env
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from cardroom.cards import JOKER_CODE
from cardroom.games import Decide, Decision, Pile, Place, Round, SeatTurn, TableSetup, Verb, View, advance, game, view
from cardroom.odds.simulation.batch import FACE_DOWN_CODE, NOT_DEALT_CODE, Observations
from cardroom.odds.simulation.rules_engine import SEAT, RoundRandom, shuffle_shoe
from cardroom_research.registry import BadEnvironment, check_bets, check_seed, open_table

PLACES: Final = (*(Place(pile, SEAT) for pile in Pile), *(Place(pile) for pile in Pile))
"""Every place of cards: the seat's own, then the table's."""
VERBS: Final = tuple(Verb)

_ROWS: Final = {place: row for row, place in enumerate(PLACES)}
_VERB_BYTES: Final = {verb: bytes((number,)) for number, verb in enumerate(VERBS)}
_FACE_DOWN: Final = FACE_DOWN_CODE & 0xFF
_BACK, _BLANK = bytes((_FACE_DOWN,)), bytes((NOT_DEALT_CODE & 0xFF,))


class RoundEnv(Env[Any, Any]):
    """An episode is a round of one seat. The reward is the seat's net result in whole cents: 0 during the round, and
    the settlement by the rules at the end.

    An action is the index of a decision among the options of the turn. An action outside the options changes nothing,
    and ``info["refused"]`` explains why. A round without a decision has one step, with action 0.

    ``max_options`` is the most options of a turn and ``max_answers`` the most decisions of a round that an observation
    has room for. A round that needs more is refused.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self,
        game: str = "three-card-prime",
        *,
        setup: TableSetup | None = None,
        bets: Mapping[str, int] | None = None,
        meters: Mapping[str, int] | None = None,
        max_options: int = 32,
        max_answers: int = 8,
    ) -> None:
        self.table = open_table(game, setup)
        self.bets, self.meters = check_bets(self.table, bets), dict(meters or {})
        self._rules = _rules(game)
        # Raises an error for wagers that the table does not take. A round never changes, so all begin with this one.
        self._first_round = self._rules.begin(self.table, {SEAT: self.bets})
        facts = self.table.facts
        self._cards = facts.table_cards + facts.seat_cards
        self._answer = 1 + 2 * self._cards  # a verb, cards, and a separator between two hands
        self._max_options, self._max_answers = max_options, max_answers
        self._no_cards = _BLANK * (len(PLACES) * self._cards)
        self._wagers = np.array([self.bets.get(spot, 0) for spot in self.table.spots], np.int64)
        self._seed: int | None = None
        self._turn = 0
        self._round: Round | None = None
        self._over = False
        self._options: tuple[Decision, ...] = ()
        self.observation_space = self._space()
        self.action_space = Discrete(max_options)

    def _space(self) -> Dict:
        max_wager = max(offered.limits.maximum for offered in self.table.spots.values())
        return Dict(
            {
                "cards": Box(NOT_DEALT_CODE, JOKER_CODE, (len(PLACES), self._cards), np.int8),
                "options": Box(NOT_DEALT_CODE, JOKER_CODE, (self._max_options, self._answer), np.int8),
                "answers": Box(NOT_DEALT_CODE, JOKER_CODE, (self._max_answers, self._answer), np.int8),
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
        self._advance(self._first_round)
        return self._observe(), self._info(0)

    def step(self, action: int) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """Take an action at the current turn."""
        if self._round is None or self._over:
            raise BadEnvironment("There is no current round: call reset() first.")
        options, index = self._options, int(action)
        if not 0 <= index < max(1, len(options)):
            allowed = ", ".join(f"{index} ({option})" for index, option in enumerate(options)) or "0 (go on)"
            info = self._info(0) | {"refused": f"Action {action} is not an option: choose from {allowed}."}
            return self._observe(), 0.0, False, False, info
        if options:
            self._advance(self._round.apply(Decide(SEAT, options[index])))
        net = 0
        if self._round.is_terminal:
            self._over, net = True, self._rules.settle(self._round, self.meters).net(SEAT)
        return self._observe(), float(net), self._over, False, self._info(net)

    def action_masks(self) -> NDArray[np.bool_]:
        """The actions that are options now."""
        mask = np.zeros(self._max_options, np.bool_)
        mask[: max(1, len(self._options))] = True
        return mask

    # Observations

    @property
    def round(self) -> Round:
        """The round, hidden cards included. Do not show it to the player."""
        if self._round is None:
            raise BadEnvironment("There is no current round: call reset() first.")
        return self._round

    def _advance(self, round_: Round) -> None:
        self._round, self._shoe = advance(round_, self._shoe)
        turn = self._round.turn
        self._options = turn.options if isinstance(turn, SeatTurn) else ()
        if len(self._options) > self._max_options:
            raise BadEnvironment(
                f"This turn has {len(self._options)} options, and the environment has room for {self._max_options}: "
                f"create it with max_options={len(self._options)} or more."
            )

    def _observe(self) -> Observations:
        """The seat's view as numbers."""
        assert self._round is not None
        seat_view = view(self._round, SEAT)
        return {
            "cards": self._encode_cards(seat_view),
            "options": self._encode_decisions(self._options, self._max_options),
            "answers": self._encode_answers(seat_view),
            "wagers": self._wagers.copy(),
        }

    def _encode_cards(self, seat_view: View) -> NDArray[np.int8]:
        """A row for each place."""
        size = self._cards
        codes = bytearray(self._no_cards)
        for place, pile in seat_view.piles.items():
            if len(pile) > size:
                raise BadEnvironment(f"{place} has {len(pile)} cards; the facts of the game allow {size} in a round.")
            start = _ROWS[place] * size
            codes[start : start + len(pile)] = [_FACE_DOWN if card is None else card.code for card in pile]
        return np.frombuffer(codes, np.int8).reshape(len(PLACES), size)

    def _encode_answers(self, seat_view: View) -> NDArray[np.int8]:
        """A row for each decision of the round, in order."""
        decisions = seat_view.decisions.values()
        if len(decisions) > self._max_answers:
            raise BadEnvironment(
                f"This round has {len(decisions)} decisions, and the environment has room for {self._max_answers}: "
                f"create it with max_answers={len(decisions)} or more."
            )
        answers = [answer if isinstance(answer, Decision) else Decision(answer) for answer in decisions]
        return self._encode_decisions(answers, self._max_answers)

    def _encode_decisions(self, decisions: Sequence[Decision], rows: int) -> NDArray[np.int8]:
        """A row for each decision: the number of the verb, then the cards, with -1 between two hands."""
        size = self._answer
        if not decisions:
            return np.full((rows, size), NOT_DEALT_CODE, np.int8)
        codes = b"".join([_decision_codes(decision).ljust(size, _BLANK) for decision in decisions])
        if len(codes) > len(decisions) * size:
            raise BadEnvironment(
                f"A decision names more than the {self._cards} cards that the facts of the game allow."
            )
        return np.frombuffer(bytearray(codes.ljust(rows * size, _BLANK)), np.int8).reshape(rows, size)

    def _info(self, net: int) -> dict[str, Any]:
        assert self._round is not None
        turn = self._round.turn
        return {
            "action_mask": self.action_masks(),
            "question": turn.question if isinstance(turn, SeatTurn) else "",
            "options": OptionTexts(self._options),
            "cents": net,
            "round": self._turn - 1,
        }


_rules = game
"""The game's rules, under another name because ``game`` is the slug in an environment."""


class OptionTexts(Sequence[str]):
    """The options of a turn as text. An agent that only counts them does not wait for the text.

    >>> from cardroom.games.actions import options
    >>> OptionTexts(options(Verb.FOLD, Verb.PLAY))
    ('fold', 'play')
    """

    __slots__ = ("_decisions",)

    def __init__(self, decisions: Sequence[Decision]) -> None:
        self._decisions = decisions

    def __len__(self) -> int:
        return len(self._decisions)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return tuple(map(str, self._decisions[index])) if isinstance(index, slice) else str(self._decisions[index])

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def _decision_codes(decision: Decision) -> bytes:
    groups = [bytes([card.code for card in group]) for group in decision.groups]
    return _VERB_BYTES[decision.verb] + _BACK.join(groups)
