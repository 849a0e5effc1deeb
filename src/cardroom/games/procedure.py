"""The dealing procedure of a table: what a dealer does in a round, in the order of the rule sheet.

An automatic table follows the state machine. A dealer with real cards follows the same steps, which are data here; the
conformance kit compares their order with the state machine.

For a game that does not state its procedure, it is inferred from a hundred rounds with fixed shuffles and different
decisions. A step that some of them did not need has a condition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from cardroom.cards import Shoe
from cardroom.cards.shuffle import ChaCha20Source, shuffle_items
from cardroom.enums import TypeableEnum
from cardroom.games.actions import ChanceTurn, DealerStep, DealerTurn, Decide, RoundEnd, SeatTurn, TakeStep, Turn
from cardroom.games.card_places import Place
from cardroom.games.playable_table import Table
from cardroom.games.round import Round, find_bet_fault, make_full_bets

if TYPE_CHECKING:
    from cardroom.games.game import Game


class StepKind(TypeableEnum, StrEnum):
    """The kind of a step."""

    WAGERS = "wagers"
    """Players place their wagers."""
    TABULATE = "tabulate"
    """The tabulator counts the jackpot wagers."""
    DEAL = "deal"
    DECIDE = "decide"
    """Each player in turn decides."""
    REVEAL = "reveal"
    """Face-down cards are turned over."""
    PAY = "pay"
    """The take or pay of some wagers before the round has ended."""
    TAKE_OR_PAY = "take or pay"
    COLLECT = "collect"
    """The cards go back, and the next round can begin."""


class ProcedureStep(NamedTuple):
    """One step of the dealer."""

    name: str
    """Its name in commands."""
    kind: StepKind
    text: str
    """What the dealer does."""
    rule: str
    """The rule of the sheet."""
    condition: str = ""
    """When the step is needed; empty for always. A step with a condition may be skipped."""
    places: tuple[str, ...] = ()
    """Where cards are dealt: ``hand``, ``fourth`` for each seat's, ``dealer``, ``community`` for the table's."""
    questions: tuple[str, ...] = ()
    """The questions that players decide."""
    step: DealerStep | None = None
    """The dealer's step in the rules, if there is one."""

    def covers(self, turn: Turn) -> bool:
        """Whether a turn of a round belongs to this step."""
        match turn:
            case ChanceTurn(place):
                return place_name(place) in self.places
            case SeatTurn(question=question):
                return question in self.questions
            case DealerTurn(step):
                return step is self.step
            case RoundEnd():
                return False


Procedure = tuple[ProcedureStep, ...]

COLLECT_CARDS: Final = ProcedureStep(
    "collect", StepKind.COLLECT, "Collect the cards; the next round can begin.", "rules"
)


def place_name(place: Place) -> str:
    """A place as a dealer enters it, without the seat.

    >>> from cardroom.games.card_places import Pile
    >>> place_name(Place(Pile.FOURTH, 2)), place_name(Place(Pile.HAND))
    ('fourth', 'dealer')
    """
    return str(place) if place.seat is None else str(place.pile)


def select_needed_steps(table: Table, steps: Iterable[tuple[ProcedureStep, str]]) -> Procedure:
    """The steps that a layout needs: those without a wager's name, and those whose wager it offers."""
    return tuple(step for step, wager in steps if not wager or wager in table.offers)


def tabulation_steps(table: Table, rule: str) -> Procedure:
    """The step that counts the jackpot wagers, where the layout has any (BJ-3)."""
    names = [offered.wager.name for offered in table.offers.values() if offered.wager.jackpot]
    if not names:
        return ()
    text = (
        f"Press the tabulate button. Check that a light is on for each wager on {' and '.join(names)}, and collect the "
        "wagers that are collected before the deal."
    )
    return (ProcedureStep("tabulate", StepKind.TABULATE, text, rule, step=DealerStep.TABULATE),)


_ROUNDS: Final = 100
_SEATS: Final = 3
_DEFAULT_CONDITION: Final = "the rules require it"
_RULE: Final = "rules"
_DEALER_STEP_TEXTS: Final = {
    DealerStep.REVEAL: "Turn over the face-down cards.",
    DealerStep.PAY_TREASURE: "Take or pay.",
}


@lru_cache(maxsize=256)
def infer_procedure(game: Game, table: Table) -> Procedure:
    """The steps of a table, inferred from rounds."""
    rounds = [tuple(_play_turns(game, table, number)) for number in range(_ROUNDS)]
    steps: list[ProcedureStep] = []
    for turns in sorted(rounds, key=lambda turns: len(_group_steps(turns)), reverse=True):
        _insert_steps(steps, turns)
    constant_steps = set(range(len(steps))).intersection(*(_find_used_steps(steps, turns) for turns in rounds))
    conditioned_steps = [
        step if index in constant_steps else step._replace(condition=_DEFAULT_CONDITION)
        for index, step in enumerate(steps)
    ]
    return (
        ProcedureStep("wagers", StepKind.WAGERS, "Players place their wagers.", _RULE),
        *tabulation_steps(table, "BJ-3"),
        *_number_repeated_steps(conditioned_steps),
        ProcedureStep("take-or-pay", StepKind.TAKE_OR_PAY, "Take or pay every wager, seat by seat.", _RULE),
        COLLECT_CARDS,
    )


@lru_cache(maxsize=256)
def max_cards_by_place(game: Game, table: Table) -> Mapping[str, int]:
    """The most cards at each place, by ``place_name``.

    >>> from cardroom.games import default_setup, game
    >>> rules = game("three-card-prime")
    >>> dict(max_cards_by_place(rules, rules.open(default_setup("three-card-prime"))))
    {'hand': 3, 'fourth': 1, 'burn': 1, 'dealer': 3}
    """
    max_counts = dict[str, int]()
    for number in range(_ROUNDS):
        chance_turns = (turn for turn in _play_turns(game, table, number) if isinstance(turn, ChanceTurn))
        place_counts = Counter(place for turn in chance_turns for place in (turn.place, *turn.following_places))
        for place, cards in place_counts.items():
            max_counts[place_name(place)] = max(cards, max_counts.get(place_name(place), 0))
    return max_counts


def _play_turns(game: Game, table: Table, number: int) -> Iterator[Turn]:
    """The turns of one round, without the tabulation."""
    seats = range(1, min(_SEATS, table.seats) + 1)
    r = Round.begin(game, table, {seat: _make_trial_bets(game, table, seat, number) for seat in seats})
    shoe = Shoe(shuffle_items(table.deck.cards(), ChaCha20Source.from_seed(f"procedure {number}")))
    while not isinstance(r.turn, RoundEnd):
        turn = r.turn
        if turn != DealerTurn(DealerStep.TABULATE):
            yield turn
        match turn:
            case ChanceTurn():
                r, shoe = r.deal(shoe)
            case SeatTurn(seat, _, options):
                # In every third round all players decide alike.
                r = r.apply(Decide(seat, options[(number // 3 + number % 3 * seat) % len(options)]))
            case DealerTurn(step):
                r = r.apply(TakeStep(step))


def _make_trial_bets(game: Game, table: Table, seat: int, number: int) -> dict[str, int]:
    """As many wagers as possible, and in every second round as few: a single spot where the rules allow it."""
    all_wagers = make_full_bets(game, table, seat)
    if number % 2 == 0:
        return all_wagers
    spot = tuple(table.spots)[number // 2 % len(table.spots)]
    single_wagers = [
        {spot: table.spots[spot].limits.minimum},
        *({other_spot: cents} for other_spot, cents in all_wagers.items()),
    ]
    return next((wagers for wagers in single_wagers if find_bet_fault(game, table, seat, wagers) is None), all_wagers)


def _group_steps(turns: Sequence[Turn]) -> list[ProcedureStep]:
    """The steps of one round: consecutive cards are one step, and so are consecutive questions."""
    steps: list[ProcedureStep] = []
    for turn in turns:
        step = _make_step(turn)
        if steps and steps[-1].kind is step.kind and step.step is None:
            steps[-1] = _join_steps(steps[-1], step)
        else:
            steps.append(step)
    return steps


def _make_step(turn: Turn) -> ProcedureStep:
    match turn:
        case ChanceTurn(place, following_places):
            names = tuple(dict.fromkeys(map(place_name, (place, *following_places))))
            return ProcedureStep("deal", StepKind.DEAL, f"Deal: {', '.join(names)}.", _RULE, places=names)
        case SeatTurn(question=question, options=options):
            verbs = " or ".join(dict.fromkeys(str(option.verb) for option in options))
            return ProcedureStep(
                "decide", StepKind.DECIDE, f"Each player in turn: {verbs}.", _RULE, questions=(question,)
            )
        case DealerTurn(step):
            kind = StepKind.REVEAL if step is DealerStep.REVEAL else StepKind.PAY
            return ProcedureStep(str(step).replace(" ", "-"), kind, _DEALER_STEP_TEXTS[step], _RULE, step=step)
        case RoundEnd():
            raise AssertionError("a round that is over has no next step")


def _join_steps(first_step: ProcedureStep, second_step: ProcedureStep) -> ProcedureStep:
    places = tuple(dict.fromkeys((*first_step.places, *second_step.places)))
    questions = tuple(dict.fromkeys((*first_step.questions, *second_step.questions)))
    text = f"Deal: {', '.join(places)}." if places else first_step.text
    return first_step._replace(places=places, questions=questions, text=text)


def _insert_steps(steps: list[ProcedureStep], turns: Sequence[Turn]) -> None:
    """Add a step for every turn that none covers; a question joins those at the same point."""
    position = 0
    for step, turn in zip(_steps_of_turns(turns), turns, strict=True):
        match_index = next((place for place in range(position, len(steps)) if steps[place].covers(turn)), None)
        if match_index is not None:
            position = match_index
        elif steps and step.kind is StepKind.DECIDE is steps[position].kind:
            steps[position] = _join_steps(steps[position], step)
        else:
            position = min(position + 1, len(steps))
            steps.insert(position, step)


def _steps_of_turns(turns: Sequence[Turn]) -> Iterator[ProcedureStep]:
    """The step of each turn of a round."""
    steps, place = _group_steps(turns), 0
    for turn in turns:
        if not steps[place].covers(turn):
            place += 1
        yield steps[place]


def _find_used_steps(steps: Sequence[ProcedureStep], turns: Sequence[Turn]) -> set[int]:
    """The indexes of the steps that a round needed."""
    index, used_steps = 0, set[int]()
    for turn in turns:
        index = next(place for place in range(index, len(steps)) if steps[place].covers(turn))
        used_steps.add(index)
    return used_steps


def _number_repeated_steps(steps: Iterable[ProcedureStep]) -> Iterator[ProcedureStep]:
    """Number the second and further steps of one name."""
    name_counts = Counter[str]()
    for step in steps:
        name_counts[step.name] += 1
        yield step if name_counts[step.name] == 1 else step._replace(name=f"{step.name}-{name_counts[step.name]}")
