"""A round to look at, planned beforehand, and the same round with other cards where a user cannot see them.

Four seats play: seat 2 lets the clock run out on its first question, seat 3 leaves in the middle, and seat 4 has too
few chips for what costs more. A fifth sits there without a wager, so that the clock begins the round.
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
"""Of all cards of the shoe."""


class Command(NamedTuple):
    """What a user does; whatever cards it speaks of, everybody may know the verb."""

    kind: str
    """``sit``, ``wager``, ``clock``, ``leave`` or ``answer``."""
    seat: int = 0
    verb: str = ""
    text: str = ""


class Moment(NamedTuple):
    """What lies there after a command."""

    command: Command
    round: Round | None = None
    """None before the cards are dealt."""
    places: tuple[Place, ...] = ()
    """Where the first cards of the shoe have gone."""

    @property
    def public(self) -> tuple[object, ...]:
        """What everybody knows of it: the command without its cards, who is asked what, and where cards lie."""
        turn = self.round.turn if self.round else None
        asked = (turn.seat, turn.question) if isinstance(turn, SeatTurn) else None
        return self.command[:3], asked, self.places

    @property
    def is_over(self) -> bool:
        return self.round is not None and self.round.is_terminal


@dataclass(frozen=True)
class Evening:
    """A game, who wagers what, and what they say."""

    slug: str
    wagers: Mapping[int, Mapping[str, int]]
    poor: int
    """The cents with which seat 4 sits down."""
    piles: Mapping[str, str]
    """Cards that lie at some places, to have hands that let a seat do more, or less, than others."""
    says: Mapping[tuple[int, str], Verb] = field(default_factory=dict)

    @cached_property
    def shown(self) -> DemoTable:
        return next(one for one in demo_tables() if one.setup.game == self.slug)

    @cached_property
    def table(self) -> Table:
        return game(self.slug).open(self.shown.setup)

    def order(self, seed: int) -> Order:
        """A shoe from which the first cards go to the places where this evening wants them."""
        wanted = {place: list(parse_cards(text)) for place, text in self.piles.items()}
        rest = list(self.table.deck.cards())
        for pile in wanted.values():
            for one in pile:
                rest.remove(one)
        random.Random(seed).shuffle(rest)
        dealt, order = game(self.slug).begin(self.table, self.wagers), list[Card]()
        while isinstance(dealt.turn, ChanceTurn | DealerTurn):
            if isinstance(dealt.turn, DealerTurn):
                dealt = dealt.apply(TakeStep(dealt.turn.step))
                continue
            pile = wanted.get(str(dealt.turn.place))
            order.append(pile.pop(0) if pile else rest.pop())
            dealt = dealt.apply(Deal(order[-1]))
        assert not any(wanted.values()), "some of the cards are not dealt before anybody is asked"
        return (*order, *rest)

    def played(self, order: Order, like: Sequence[Moment] = (), upto: int | None = None) -> list[Moment]:
        """The round with these cards, moment by moment, up to one of them or to the end; everybody says what they said
        in another round that it is to be ``like``."""
        return _Plan(self, order, like, upto).moments

    def seen(self, moment: Moment, viewer: int) -> frozenset[int]:
        """Which cards of the shoe a viewer sees at a moment."""
        if moment.round is None:
            return frozenset()
        looks, lying = EYES[self.slug], enumerate(moment.places)
        return frozenset(at for at, place in lying if looks(moment.round, place, viewer))

    def last_moments(self, moments: Sequence[Moment], viewer: int) -> list[int]:
        """The moments after which a viewer sees another card, and the last before the end: until then all that the
        viewer was shown must be the same whatever the others are."""
        seen = [self.seen(one, viewer) for one in moments if not one.is_over]
        return [at for at in range(len(seen)) if at + 1 == len(seen) or seen[at] != seen[at + 1]]

    def other(self, order: Order, moments: Sequence[Moment], upto: int, viewer: int, seed: int) -> Order:
        """Another shoe, of whose cards the viewer has seen the same until some moment; all piles that the viewer does
        not see are others."""
        chance = random.Random(seed)
        seen = [self.seen(one, viewer) for one in moments[: upto + 1]]
        hidden = [at for at in range(len(order)) if at not in seen[-1]]
        unseen = {place for at, place in enumerate(moments[upto].places) if at not in seen[-1]}
        for _ in range(1_000):
            moved, cards_moved = list(order), [order[at] for at in hidden]
            chance.shuffle(cards_moved)
            for at, one in zip(hidden, cards_moved, strict=True):
                moved[at] = one
            made = tuple(moved)
            again = self.played(made, moments, upto)
            # Cards that are hidden here must be hidden there: who wins Three Card Treasure shows the hand.
            if [self.seen(one, viewer) for one in again] != seen:
                continue
            if unseen == {place for at, place in enumerate(again[upto].places) if order[at] != made[at]}:
                return made
        raise AssertionError("there is no other shoe of that kind")

    def sees_no_difference(self, rounds: Sequence[tuple[Order, Sequence[Moment]]], viewer: int) -> int:
        """How many moments of two rounds there are, from the first one on, of which a viewer has seen the same."""
        (order, moments), (other, others) = rounds
        same = 0
        for one, another in zip(moments, others, strict=False):
            seen = self.seen(one, viewer)
            alike = seen == self.seen(another, viewer) and all(order[at] == other[at] for at in seen)
            if one.is_over or another.is_over or not alike:
                break
            same += 1
        return same


class _Plan:
    """Plays a round to its end and notes the moments."""

    def __init__(self, evening: Evening, order: Order, like: Sequence[Moment], upto: int | None) -> None:
        self._evening, self._order, self._like = evening, order, like
        self._places: list[Place] = []
        self.moments = [Moment(Command("sit")), *(Moment(Command("wager", seat)) for seat in PLAYING)]
        if upto == len(PLAYING):
            return
        self._note(Command("clock"), self._on(game(evening.slug).begin(evening.table, evening.wagers), ()))
        self._note(Command("leave", LEAVING), self._on(self._now, (LEAVING,)))
        while isinstance(self._now.turn, SeatTurn) and len(self.moments) - 1 != upto:
            command, said = self._next(self._now, self._now.turn)
            self._note(command, self._on(self._now.apply(Decide(self._now.turn.seat, said)), (LEAVING,)))

    @property
    def _now(self) -> Round:
        now = self.moments[-1].round
        assert now is not None
        return now

    def _note(self, command: Command, after: Round) -> None:
        self.moments.append(Moment(command, after, tuple(self._places)))

    def _on(self, played: Round, left: tuple[int, ...]) -> Round:
        """Deal until a user is asked who is there."""
        while True:
            match played.turn:
                case ChanceTurn(place):
                    played = played.apply(Deal(self._order[len(self._places)]))
                    self._places.append(place)
                case DealerTurn(step):
                    played = played.apply(TakeStep(step))
                case SeatTurn(seat) if seat in left:
                    played = played.apply(Decide(seat, played.game.default_decision(played)))
                case SeatTurn() | RoundEnd():
                    return played

    def _next(self, now: Round, turn: SeatTurn) -> tuple[Command, Decision]:
        if turn.seat == SLOW and not any(seat == SLOW for seat, _ in now.decisions):
            safe = now.game.default_decision(now)
            return Command("clock", SLOW, safe.verb), safe
        before = self._like[len(self.moments) - 1].round if self._like else None
        if before is None:
            verb = self._evening.says.get((turn.seat, turn.question), turn.options[0].verb)
            said = [one for one in turn.options if one.verb is verb][-1]
        else:
            said = _the_same(before, now, turn, self._like[len(self.moments)].command)
        return Command("answer", turn.seat, said.verb, str(said)), said


def _the_same(before: Round, now: Round, turn: SeatTurn, command: Command) -> Decision:
    """What the seat said in another round, of the cards that lie at the same places of its hand; where the rules do not
    allow that, another answer that looks the same to others."""
    meant = Decision.parse(command.text)
    hand, left = before.hand(turn.seat), list(range(len(before.hand(turn.seat))))
    groups = []
    for group in meant.groups:
        taken = []
        for one in group:
            taken.append(next(at for at in left if hand[at] == one))
            left.remove(taken[-1])
        groups.append(tuple(now.hand(turn.seat)[at] for at in taken))
    said = Decision(meant.verb, tuple(groups))
    return said if turn.allows(said) else next(one for one in turn.options if one.verb is meant.verb)


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
