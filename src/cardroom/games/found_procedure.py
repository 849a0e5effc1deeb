"""The dealing procedure of a game that does not state it, found by playing: what the rules ask for, in their order.

A few rounds are dealt from certain orders of the deck, with other answers in each. What they ask for together is the
procedure; a step that some of them did not need has a condition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from cardroom.cards import Shoe
from cardroom.cards.shuffle import ChaCha20Source, shuffled
from cardroom.games.actions import DealerStep, Decide, TakeStep
from cardroom.games.bets import bet_fault, full_wagers
from cardroom.games.procedure import COLLECT_CARDS, Procedure, ProcedureStep, StepKind, place_name, tabulating
from cardroom.games.round import Round
from cardroom.games.table import Table
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn, Turn

if TYPE_CHECKING:
    from cardroom.games.game import Game

_ROUNDS: Final = 100
_SEATS: Final = 3
_SOMETIMES: Final = "the rules ask for it"
_RULE: Final = "rules"
_REVEALING: Final = {DealerStep.REVEAL: "Turn over what is face down.", DealerStep.PAY_TREASURE: "Take or pay."}


@lru_cache(maxsize=256)
def found_procedure(game: Game, table: Table) -> Procedure:
    """The steps of a table, as far as its rules show them."""
    rounds = [tuple(_turns(game, table, number)) for number in range(_ROUNDS)]
    steps: list[ProcedureStep] = []
    for turns in sorted(rounds, key=lambda turns: len(_grouped(turns)), reverse=True):
        _fit(steps, turns)
    always = set(range(len(steps))).intersection(*(_met(steps, turns) for turns in rounds))
    told = [one if at in always else one._replace(only_if=_SOMETIMES) for at, one in enumerate(steps)]
    return (
        ProcedureStep("wagers", StepKind.WAGERS, "Players place their wagers.", _RULE),
        *tabulating(table, "BJ-3"),
        *_named_apart(told),
        ProcedureStep("take-or-pay", StepKind.TAKE_OR_PAY, "Take or pay every wager, seat by seat.", _RULE),
        COLLECT_CARDS,
    )


@lru_cache(maxsize=256)
def most_cards(game: Game, table: Table) -> Mapping[str, int]:
    """By the name of a place, as ``place_name`` tells it: how many cards lie there at most.

    >>> from cardroom.games import default_setup, game
    >>> rules = game("three-card-prime")
    >>> dict(most_cards(rules, rules.open(default_setup("three-card-prime"))))
    {'hand': 3, 'fourth': 1, 'burn': 1, 'dealer': 3}
    """
    most = dict[str, int]()
    for number in range(_ROUNDS):
        dealt = (turn for turn in _turns(game, table, number) if isinstance(turn, ChanceTurn))
        lying = Counter(place for turn in dealt for place in (turn.place, *turn.then))
        for place, cards in lying.items():
            most[place_name(place)] = max(cards, most.get(place_name(place), 0))
    return most


def _turns(game: Game, table: Table, number: int) -> Iterator[Turn]:
    """What one round asks for; jackpot wagers are counted before it."""
    seats = range(1, min(_SEATS, table.seats) + 1)
    r = Round.begin(game, table, {seat: _wagers(game, table, seat, number) for seat in seats})
    shoe = Shoe(shuffled(table.deck.cards(), ChaCha20Source.seeded(f"procedure {number}")))
    while not isinstance(r.turn, Over):
        turn = r.turn
        if turn != DealerTurn(DealerStep.TABULATE):
            yield turn
        match turn:
            case ChanceTurn():
                r, shoe = r.deal(shoe)
            case SeatTurn(seat, _, options):
                # In every third round all players answer alike.
                r = r.apply(Decide(seat, options[(number // 3 + number % 3 * seat) % len(options)]))
            case DealerTurn(step):
                r = r.apply(TakeStep(step))


def _wagers(game: Game, table: Table, seat: int, number: int) -> dict[str, int]:
    """As many wagers as possible, and in every second round as few: one spot alone where the rules allow it."""
    every = full_wagers(game, table, seat)
    if number % 2 == 0:
        return every
    spot = tuple(table.spots)[number // 2 % len(table.spots)]
    alone = [{spot: table.spots[spot].limits.minimum}, *({other: cents} for other, cents in every.items())]
    return next((one for one in alone if bet_fault(game, table, seat, one) is None), every)


def _grouped(turns: Sequence[Turn]) -> list[ProcedureStep]:
    """The steps of one round: cards that are dealt in a row are one, and so are questions in a row."""
    steps: list[ProcedureStep] = []
    for turn in turns:
        one = _step(turn)
        if steps and steps[-1].kind is one.kind and one.step is None:
            steps[-1] = _joined(steps[-1], one)
        else:
            steps.append(one)
    return steps


def _step(turn: Turn) -> ProcedureStep:
    match turn:
        case ChanceTurn(place, then):
            names = tuple(dict.fromkeys(map(place_name, (place, *then))))
            return ProcedureStep("deal", StepKind.DEAL, f"Deal: {', '.join(names)}.", _RULE, places=names)
        case SeatTurn(question=question, options=options):
            verbs = " or ".join(dict.fromkeys(str(one.verb) for one in options))
            return ProcedureStep(
                "decide", StepKind.DECIDE, f"Each player in turn: {verbs}.", _RULE, questions=(question,)
            )
        case DealerTurn(step):
            kind = StepKind.REVEAL if step is DealerStep.REVEAL else StepKind.PAY
            return ProcedureStep(str(step).replace(" ", "-"), kind, _REVEALING[step], _RULE, step=step)
        case Over():
            raise AssertionError("a round that is over asks for nothing")


def _joined(one: ProcedureStep, other: ProcedureStep) -> ProcedureStep:
    places = tuple(dict.fromkeys((*one.places, *other.places)))
    questions = tuple(dict.fromkeys((*one.questions, *other.questions)))
    words = f"Deal: {', '.join(places)}." if places else one.words
    return one._replace(places=places, questions=questions, words=words)


def _fit(steps: list[ProcedureStep], turns: Sequence[Turn]) -> None:
    """Put a step in for every turn that none covers yet; a question joins those that are asked at the same time."""
    at = 0
    for one, turn in zip(_of_turns(turns), turns, strict=True):
        covering = next((place for place in range(at, len(steps)) if steps[place].covers(turn)), None)
        if covering is not None:
            at = covering
        elif steps and one.kind is StepKind.DECIDE is steps[at].kind:
            steps[at] = _joined(steps[at], one)
        else:
            at = min(at + 1, len(steps))
            steps.insert(at, one)


def _of_turns(turns: Sequence[Turn]) -> Iterator[ProcedureStep]:
    """The step of its round that each turn belongs to."""
    grouped, place = _grouped(turns), 0
    for turn in turns:
        if not grouped[place].covers(turn):
            place += 1
        yield grouped[place]


def _met(steps: Sequence[ProcedureStep], turns: Sequence[Turn]) -> set[int]:
    """Which of the steps a round needed."""
    at, met = 0, set[int]()
    for turn in turns:
        at = next(place for place in range(at, len(steps)) if steps[place].covers(turn))
        met.add(at)
    return met


def _named_apart(steps: Iterable[ProcedureStep]) -> Iterator[ProcedureStep]:
    """The second step of a name is told apart by its number."""
    times = Counter[str]()
    for one in steps:
        times[one.name] += 1
        yield one if times[one.name] == 1 else one._replace(name=f"{one.name}-{times[one.name]}")
