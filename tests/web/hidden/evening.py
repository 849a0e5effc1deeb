"""A planned round, and the same round with other cards where a viewer cannot see them.

Four seats play. Seat 2 lets the clock run out on its first decision, seat 3 leaves during the round, and seat 4 has too
few chips for the larger wagers. A fifth player sits at the table without a wager, so the clock starts the round.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from cardroom.cards import Card, parse_cards
from cardroom.games import (
    ChanceTurn,
    Deal,
    DealerTurn,
    Decide,
    Decision,
    Round,
    RoundEnd,
    SeatTurn,
    Table,
    TakeStep,
    Verb,
    game,
)
from cardroom.games.card_places import Place
from cardroom.room.setup.example import DemoTable, demo_tables
from tests.web.hidden.eyes import EYES

PLAYING: Final = (1, 2, 3, 4)
SLOW, LEAVING, POOR, SITTING_OUT = 2, 3, 4, 5
Order = tuple[Card, ...]
"""All cards of the shoe, in order."""


class Command(NamedTuple):
    """What a user does. It may name cards; the verb is public."""

    kind: str
    """``sit``, ``wager``, ``clock``, ``leave``, or ``answer``."""
    seat: int = 0
    verb: str = ""
    text: str = ""


class Moment(NamedTuple):
    """The state of the round after a command."""

    command: Command
    round: Round | None = None
    """None before the cards are dealt."""
    places: tuple[Place, ...] = ()
    """The places of the first cards of the shoe."""

    @property
    def public(self) -> tuple[object, ...]:
        """Return what is public: the command without its cards, whose turn it is, and where the cards are."""
        turn = self.round.turn if self.round else None
        deciding = (turn.seat, turn.question) if isinstance(turn, SeatTurn) else None
        return self.command[:3], deciding, self.places

    @property
    def is_over(self) -> bool:
        return self.round is not None and self.round.is_terminal


@dataclass(frozen=True)
class Evening:
    """A game, the wagers, and the decisions."""

    slug: str
    wagers: Mapping[int, Mapping[str, int]]
    poor: int
    """The cents with which seat 4 sits down."""
    piles: Mapping[str, str]
    """The cards at some places, so that one seat has more options than another."""
    decisions: Mapping[tuple[int, str], Verb] = field(default_factory=dict)

    @cached_property
    def demo(self) -> DemoTable:
        return next(demo_table for demo_table in demo_tables() if demo_table.setup.game == self.slug)

    @cached_property
    def table(self) -> Table:
        return game(self.slug).open(self.demo.setup)

    def build_order(self, seed: int) -> Order:
        """Return a shoe that deals the planned cards to their places."""
        planned = {place: list(parse_cards(text)) for place, text in self.piles.items()}
        rest = list(self.table.deck.cards())
        for pile in planned.values():
            for card in pile:
                rest.remove(card)
        random.Random(seed).shuffle(rest)
        game_round, order = game(self.slug).begin(self.table, self.wagers), list[Card]()
        while isinstance(game_round.turn, ChanceTurn | DealerTurn):
            if isinstance(game_round.turn, DealerTurn):
                game_round = game_round.apply(TakeStep(game_round.turn.step))
                continue
            pile = planned.get(str(game_round.turn.place))
            order.append(pile.pop(0) if pile else rest.pop())
            game_round = game_round.apply(Deal(order[-1]))
        assert not any(planned.values()), "some of the cards are not dealt before the first decision"
        return (*order, *rest)

    def play(self, order: Order, reference: Sequence[Moment] = (), stop_at: int | None = None) -> list[Moment]:
        """Play the round with these cards up to a moment or to the end. With a ``reference`` round, every seat makes
        the same decisions as there."""
        return _Plan(self, order, reference, stop_at).moments

    def visible_cards(self, moment: Moment, viewer: int) -> frozenset[int]:
        """Return the positions in the shoe of the cards that a viewer sees at a moment."""
        if moment.round is None:
            return frozenset()
        is_visible, placed = EYES[self.slug], enumerate(moment.places)
        return frozenset(position for position, place in placed if is_visible(moment.round, place, viewer))

    def find_last_moments(self, moments: Sequence[Moment], viewer: int) -> list[int]:
        """Return the moments after which a viewer sees another card, and the last one before the end. Until then,
        everything that the viewer sees must be independent of the hidden cards."""
        visible = [self.visible_cards(moment, viewer) for moment in moments if not moment.is_over]
        return [
            index for index in range(len(visible)) if index + 1 == len(visible) or visible[index] != visible[index + 1]
        ]

    def change_hidden_cards(
        self, order: Order, moments: Sequence[Moment], stop_at: int, viewer: int, seed: int
    ) -> Order:
        """Return another shoe with the same visible cards up to a moment. Every pile that the viewer does not see is
        different."""
        generator = random.Random(seed)
        visible = [self.visible_cards(moment, viewer) for moment in moments[: stop_at + 1]]
        hidden = [position for position in range(len(order)) if position not in visible[-1]]
        unseen = {place for position, place in enumerate(moments[stop_at].places) if position not in visible[-1]}
        for _ in range(1_000):
            cards, hidden_cards = list(order), [order[position] for position in hidden]
            generator.shuffle(hidden_cards)
            for position, card in zip(hidden, hidden_cards, strict=True):
                cards[position] = card
            shoe = tuple(cards)
            replayed = self.play(shoe, moments, stop_at)
            # The same cards must be hidden in both rounds: a seat that wins Three Card Treasure shows its hand.
            if [self.visible_cards(moment, viewer) for moment in replayed] != visible:
                continue
            if unseen == {
                place for position, place in enumerate(replayed[stop_at].places) if order[position] != shoe[position]
            }:
                return shoe
        raise AssertionError("no such shoe exists")

    def count_same_moments(self, rounds: Sequence[tuple[Order, Sequence[Moment]]], viewer: int) -> int:
        """Count the first moments of two rounds at which a viewer has seen the same cards."""
        (order, moments), (other_order, other_moments) = rounds
        count = 0
        for moment, other_moment in zip(moments, other_moments, strict=False):
            visible = self.visible_cards(moment, viewer)
            is_same = visible == self.visible_cards(other_moment, viewer) and all(
                order[position] == other_order[position] for position in visible
            )
            if moment.is_over or other_moment.is_over or not is_same:
                break
            count += 1
        return count


class _Plan:
    """Plays a round to its end and records the moments."""

    def __init__(self, evening: Evening, order: Order, reference: Sequence[Moment], stop_at: int | None) -> None:
        self._evening, self._order, self._reference = evening, order, reference
        self._places: list[Place] = []
        self.moments = [Moment(Command("sit")), *(Moment(Command("wager", seat)) for seat in PLAYING)]
        if stop_at == len(PLAYING):
            return
        self._record(Command("clock"), self._deal(game(evening.slug).begin(evening.table, evening.wagers), ()))
        self._record(Command("leave", LEAVING), self._deal(self._now, (LEAVING,)))
        while isinstance(self._now.turn, SeatTurn) and len(self.moments) - 1 != stop_at:
            command, decision = self._choose(self._now, self._now.turn)
            self._record(command, self._deal(self._now.apply(Decide(self._now.turn.seat, decision)), (LEAVING,)))

    @property
    def _now(self) -> Round:
        now = self.moments[-1].round
        assert now is not None
        return now

    def _record(self, command: Command, after: Round) -> None:
        self.moments.append(Moment(command, after, tuple(self._places)))

    def _deal(self, game_round: Round, left: tuple[int, ...]) -> Round:
        """Deal until it is the turn of a seat that has not left."""
        while True:
            match game_round.turn:
                case ChanceTurn(place):
                    game_round = game_round.apply(Deal(self._order[len(self._places)]))
                    self._places.append(place)
                case DealerTurn(step):
                    game_round = game_round.apply(TakeStep(step))
                case SeatTurn(seat) if seat in left:
                    game_round = game_round.apply(Decide(seat, game_round.game.default_decision(game_round)))
                case SeatTurn() | RoundEnd():
                    return game_round

    def _choose(self, now: Round, turn: SeatTurn) -> tuple[Command, Decision]:
        if turn.seat == SLOW and not any(seat == SLOW for seat, _ in now.decisions):
            default = now.game.default_decision(now)
            return Command("clock", SLOW, default.verb), default
        before = self._reference[len(self.moments) - 1].round if self._reference else None
        if before is None:
            verb = self._evening.decisions.get((turn.seat, turn.question), turn.options[0].verb)
            decision = [option for option in turn.options if option.verb is verb][-1]
        else:
            decision = _same_decision(before, now, turn, self._reference[len(self.moments)].command)
        return Command("answer", turn.seat, decision.verb, str(decision)), decision


def _same_decision(before: Round, now: Round, turn: SeatTurn, command: Command) -> Decision:
    """Return the decision of another round with the cards at the same places of this hand. If the rules do not allow
    it, return another decision with the same verb."""
    reference = Decision.parse(command.text)
    hand, unused = before.hand(turn.seat), list(range(len(before.hand(turn.seat))))
    groups = []
    for group in reference.groups:
        positions = []
        for card in group:
            positions.append(next(at for at in unused if hand[at] == card))
            unused.remove(positions[-1])
        groups.append(tuple(now.hand(turn.seat)[at] for at in positions))
    decision = Decision(reference.verb, tuple(groups))
    return (
        decision if turn.allows(decision) else next(option for option in turn.options if option.verb is reference.verb)
    )


EVENINGS: Final = (
    Evening(
        "deuces-wild",
        {
            1: {"ante-play-raise": 10_00, "five-card-fortune": 2_00, "bonus-jackpot": 1_00},
            2: {"ante-play-raise": 10_00, "three-card-treasure": 3_00, "five-card-fortune": 1_00},
            3: {"ante-play-raise": 20_00, "three-card-treasure": 1_00, "five-card-fortune": 1_00},
            4: {"ante-play-raise": 10_00, "three-card-treasure": 1_00, "bonus-jackpot": 1_00},
        },
        20_00,
        {"seat 1 hand": "Kd 2s Jk", "seat 2 hand": "7c 7d 7h", "seat 3 hand": "2d 9c 4h", "seat 4 hand": "Ts 8d 3c"},
        {(1, "play"): Verb.PLAY, (1, "raise"): Verb.RAISE, (4, "play"): Verb.FOLD},
    ),
    Evening(
        "three-card-prime",
        {
            1: {"ante-play": 10_00, "prime": 1_00, "pair-bonus": 2_00, "final-four": 1_00},
            2: {"ante-play": 20_00, "all-six": 1_00},
            3: {"ante-play": 10_00, "final-four": 1_00},
            4: {"ante-play": 10_00, "prime": 1_00, "all-six": 1_00},
        },
        15_00,
        {"seat 1 hand": "Ah Kh Qh", "seat 1 fourth": "Jh", "dealer": "7c 7d 7h", "seat 3 hand": "2c 2d 2h"},
        {(1, "play"): Verb.PLAY, (4, "play"): Verb.FOLD},
    ),
    Evening(
        "texas-shootout",
        {
            1: {"shootout": 10_00, "quick-draw": 10_00, "shootout-bonus": 5_00, "jackpot": 2_00},
            2: {"shootout": 20_00, "shootout-bonus": 1_00},
            3: {"shootout": 10_00, "quick-draw": 1_00, "jackpot": 1_00},
            4: {"shootout": 10_00, "quick-draw": 2_00, "shootout-bonus": 1_00},
        },
        17_00,
        {
            "seat 1 hand": "Kh Kh 7c 2d",
            "seat 2 hand": "Qs Qs Qs Qs",
            "seat 3 hand": "9c 9c 4d 4d",
            "dealer": "As Ad Ac 3h",
        },
        {(1, "hand"): Verb.SPLIT, (1, "bonus"): Verb.MATCH, (4, "hand"): Verb.KEEP},
    ),
    Evening(
        "dueling-for-dollars",
        {
            1: {"player": 10_00, "tie-plus": 2_00, "tie-after-tie": 1_00},
            2: {"dealer": 20_00, "combo": 1_00},
            3: {"player": 10_00, "tie-after-tie": 1_00},
            4: {"dealer": 10_00, "tie-plus": 1_00, "combo": 1_00},
        },
        15_00,
        {"seat 1 hand": "9c", "seat 2 hand": "9d", "seat 3 hand": "9h", "seat 4 hand": "9s", "community": "9c"},
        {(1, "tie"): Verb.WAR, (4, "tie"): Verb.SURRENDER},
    ),
    Evening(
        "three-card-double-play",
        {
            1: {"high-low": 10_00, "pick-3": 1_00, "super-3s": 1_00},
            2: {"high-low": 20_00, "pick-5": 1_00},
            3: {"high-low": 10_00, "pick-3": 2_00, "pick-5": 1_00, "super-3s": 1_00},
            4: {"high-low": 10_00, "pick-3": 1_00},
        },
        25_00,
        {"seat 1 hand": "Ks Kh Qd Qc 5s 5h", "seat 2 hand": "As Ah Ad Ac 2c 2d", "dealer": "9s 9h 9d 8c 7c"},
        {(1, "double"): Verb.DOUBLE, (2, "double"): Verb.DOUBLE, (4, "double"): Verb.STAND},
    ),
)
