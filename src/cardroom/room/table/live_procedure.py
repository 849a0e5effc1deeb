"""The procedure of a live table: which steps come next, which the dealer may skip or undo, and what the dealer types.

The dealer types cards by place and a seat's wagers and decisions, if a payment or a jackpot needs them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from cardroom.cards import Card, parse_cards
from cardroom.errors import BadInput, quote
from cardroom.games import BadBet, Decision, Pile, Place
from cardroom.games.partial_settlement import PartialRound
from cardroom.games.procedure import Procedure, ProcedureStep, StepKind, max_cards_by_place, place_name
from cardroom.games.record import parse_place
from cardroom.games.round import find_bet_fault
from cardroom.room.table.events import CardsTyped, CountMethod, LiveRound, TypedDecision
from cardroom.room.table.state import TableState, open_table
from cardroom.room.table.terms import WrongPhase


def table_procedure(state: TableState) -> Procedure:
    """The procedure of the table, without the tabulate step if it has no tabulator."""
    return _load_procedure(state.setup, state.tabulated)


@lru_cache(maxsize=256)
def _load_procedure(setup: str, tabulated: bool) -> Procedure:
    table = open_table(setup)
    procedure = table.game.procedure(table.table)
    return procedure if tabulated else tuple(step for step in procedure if step.kind is not StepKind.TABULATE)


def next_steps(state: TableState, live: LiveRound) -> Procedure:
    """The steps that can be taken now: the next one, and those after conditional steps."""
    steps = table_procedure(state)
    remaining = steps[_step_index(steps, live.taken[-1]) + 1 :] if live.taken else steps
    due = list[ProcedureStep]()
    for step in remaining:
        due.append(step)
        if not step.condition:
            break
    return tuple(due)


def _step_index(steps: Procedure, name: str) -> int:
    return next(index for index, step in enumerate(steps) if step.name == name)


def is_complete(state: TableState, live: LiveRound) -> bool:
    """Whether no required step is left."""
    return all(step.condition for step in next_steps(state, live))


def require_next_step(state: TableState, live: LiveRound, name: str) -> ProcedureStep:
    """The step of this name, if it can be taken now."""
    due = next_steps(state, live)
    next_step = next((step for step in due if step.name == name), None)
    if next_step is not None:
        return next_step
    steps = table_procedure(state)
    if name not in {step.name for step in steps}:
        names = ", ".join(step.name for step in steps)
        raise WrongPhase(f"{state.table} has no step {name!r}. Its steps: {names}.")
    if not due:
        raise WrongPhase(f"All steps of round {state.round} are taken: end the round.")
    if name in live.taken:
        raise WrongPhase(f"Step {name} of round {state.round} is already taken: {_steps_text(due)}.")
    if live.taken and _step_index(steps, name) < _step_index(steps, live.taken[-1]):
        raise WrongPhase(
            f"Step {name} of round {state.round} was skipped: undo {live.taken[-1]} to take it, or continue; "
            f"{_steps_text(due)}."
        )
    raise WrongPhase(f"Step {name} of round {state.round} is not due yet: {_steps_text(due)}.")


def _steps_text(due: Procedure) -> str:
    names = " or ".join(step.name for step in due)
    return f"the next step is {names}"


def require_undoable_step(state: TableState, live: LiveRound) -> ProcedureStep:
    """The last step, if it can be undone; counted wagers stay counted."""
    if not live.taken:
        raise WrongPhase(f"No step of round {state.round} is taken: there is nothing to undo.")
    steps = table_procedure(state)
    last = steps[_step_index(steps, live.taken[-1])]
    if last.kind is StepKind.TABULATE and live.counted is not CountMethod.NOT_COUNTED:
        raise WrongPhase(
            f"Step {last.name} of round {state.round} has counted the jackpot wagers and cannot be undone. To cancel "
            "the round, two people void it."
        )
    return last


AnswersBySeat = Mapping[int, Mapping[str, str]]
"""By seat and question."""


_NUMBER_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class BadTypedInput(BadInput):
    """Typed input that is not possible at the table."""


@dataclass(frozen=True, slots=True)
class TypedInput:
    """The input of one command."""

    cards: Mapping[str, str] = field(default_factory=dict)
    """By place, such as ``seat 2 hand``: all cards there; an empty text deletes them."""
    wagers: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    """By seat: all its wagers in cents; an empty mapping deletes them."""
    answers: AnswersBySeat = field(default_factory=dict)
    """Decisions; an empty one deletes the earlier one."""


def enter_cards(state: TableState, live: LiveRound, typed_input: TypedInput, who: str) -> CardsTyped:
    """Enter what the dealer typed, if it is possible. The event lists changes of earlier input as corrections."""
    if not (typed_input.cards or typed_input.wagers or typed_input.answers):
        raise BadTypedInput("The input is empty: type cards, a seat's wagers, or a seat's decisions.")
    piles = {str(_parse_place(state, live, name)): _parse_cards(text) for name, text in typed_input.cards.items()}
    wagers = {
        str(_require_seat(live, seat)): _parse_wagers(state, seat, spots) for seat, spots in typed_input.wagers.items()
    }
    answers = tuple(_parse_answers(state, live, typed_input.answers))
    event = CardsTyped(state.table, state.number, who, piles, wagers, answers)
    after = apply_cards_typed(live, event)
    deck = state.open_table.table.deck
    deck.check(card for pile in after.cards.values() for card in parse_cards(" ".join(pile)))
    corrects = tuple(sorted(_list_corrections(live, event)))
    return CardsTyped(state.table, state.number, who, piles, wagers, answers, corrects)


def refuse_surplus_cards(state: TableState, event: CardsTyped) -> None:
    """Refuse more cards at a place than the game deals there."""
    card_limits = max_cards_by_place(state.open_table.game, state.open_table.table)
    for name, pile in event.cards.items():
        limit = card_limits.get(place_name(parse_place(name)), len(pile))
        if len(pile) > limit:
            cards_text = f"{_number_text(limit)} card{'s' if limit != 1 else ''}"
            raise BadTypedInput(f"{name!r} takes {cards_text}, not {_number_text(len(pile))}.")


def _number_text(cards: int) -> str:
    return _NUMBER_WORDS[cards] if cards < len(_NUMBER_WORDS) else str(cards)


def _require_seat(live: LiveRound, seat: int) -> int:
    if seat not in live.positions:
        playing = ", ".join(map(str, live.positions))
        raise BadTypedInput(f"Seat {seat} is not in this round. Seats in play: {playing}.")
    return seat


def _parse_place(state: TableState, live: LiveRound, text: str) -> Place:
    place = parse_place(text)
    place_labels = {name for step in table_procedure(state) for name in step.places}
    if place.pile is Pile.BURN:
        raise BadTypedInput("Burned cards belong to no hand: do not type them.")
    if place_name(place) not in place_labels or (place.seat is None) != (_is_table_place(place_name(place))):
        places_text = ", ".join(_place_names(place_labels))
        raise BadTypedInput(f"This game deals no cards at {quote(text)}. Its places: {places_text}.")
    if place.seat is not None:
        _require_seat(live, place.seat)
    return place


def _is_table_place(name: str) -> bool:
    """Whether a place of this name is the table's own.

    >>> _is_table_place("dealer"), _is_table_place("community"), _is_table_place("fourth")
    (True, True, False)
    """
    return name not in (Pile.HAND, Pile.FOURTH, Pile.FIFTH, Pile.WAR)


def _place_names(place_labels: set[str]) -> Iterator[str]:
    for name in sorted(place_labels - {Pile.BURN}):
        yield repr(name if _is_table_place(name) else f"seat 1 {name}")


def _parse_cards(text: str) -> tuple[str, ...]:
    return tuple(str(card) for card in parse_cards(text)) if text.strip() else ()


def _parse_wagers(state: TableState, seat: int, spots: Mapping[str, int]) -> dict[str, int]:
    open_table = state.open_table
    if spots and (fault := find_bet_fault(open_table.game, open_table.table, seat, spots)):
        raise BadBet(fault)
    return dict(spots)


def _parse_answers(state: TableState, live: LiveRound, answers: AnswersBySeat) -> Iterator[TypedDecision]:
    questions = dict.fromkeys(question for step in table_procedure(state) for question in step.questions)
    for seat, seat_answers in answers.items():
        for question, answer in seat_answers.items():
            if question not in questions:
                raise BadTypedInput(
                    f"This game has no decision {quote(question)}. Its decisions: {', '.join(questions)}."
                )
            yield TypedDecision(
                _require_seat(live, seat), question, str(Decision.parse(answer)) if answer.strip() else ""
            )


def apply_cards_typed(live: LiveRound, event: CardsTyped) -> LiveRound:
    """The round with the new input."""
    piles = {**live.cards, **event.cards}
    wagers = {**live.wagers, **event.wagers}
    decisions = {(item.seat, item.question): item for item in (*live.answers, *event.answers)}
    return live._replace(
        cards={place: pile for place, pile in sorted(piles.items()) if pile},
        wagers={seat: spots for seat, spots in sorted(wagers.items(), key=lambda item: int(item[0])) if spots},
        answers=tuple(decisions[key] for key in sorted(decisions) if decisions[key].answer),
    )


def _list_corrections(live: LiveRound, event: CardsTyped) -> Iterator[str]:
    """The items whose earlier input changes."""
    for place, pile in event.cards.items():
        if live.cards.get(place, pile) != pile:
            yield place
    for seat, spots in event.wagers.items():
        if live.wagers.get(seat, spots) != spots:
            yield f"seat {seat} wagers"
    before = {(decision.seat, decision.question): decision.answer for decision in live.answers}
    for decision_seat, question, answer in event.answers:
        if before.get((decision_seat, question), answer) != answer:
            yield f"seat {decision_seat} {question}"


def typed_seats(live: LiveRound) -> set[int]:
    """The seats with typed input."""
    places = (parse_place(place).seat for place in live.cards)
    return {*map(int, live.wagers), *(decision.seat for decision in live.answers), *(seat for seat in places if seat)}


def build_typed_round(live: LiveRound) -> PartialRound:
    """The typed input as a partial round for the rules."""
    piles: dict[Place, tuple[Card, ...]] = {
        parse_place(place): parse_cards(" ".join(pile)) for place, pile in live.cards.items()
    }
    wagers = {int(seat): spots for seat, spots in live.wagers.items()}
    return PartialRound(
        wagers,
        piles,
        {(decision.seat, decision.question): Decision.parse(decision.answer) for decision in live.answers},
    )
