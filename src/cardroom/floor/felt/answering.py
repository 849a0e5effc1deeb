"""Answers: the seat that is asked says what it does; the safe answer counts for those who are late or have left."""

from __future__ import annotations

from cardroom.errors import shorten
from cardroom.floor.felt.faults import NotEnough, NotNow
from cardroom.floor.felt.happenings import Answered
from cardroom.floor.felt.playing import Position
from cardroom.floor.felt.state import CLOCK, LEFT, FeltState, Seated
from cardroom.floor.felt.wagering import deciding_until
from cardroom.games import Decide, Decision, IllegalAction, decision_cost
from cardroom.games.money import format_cents


def answer(
    state: FeltState, position: Position, here: Seated, text: str, now: int
) -> tuple[tuple[Answered, ...], Position]:
    """A player answers. Whoever has left and is asked next has answered too."""
    if not state.playing:
        raise NotNow(f"No round is played at {state.table} now: lay wagers first.")
    if here.seat != state.asked:
        due = f"seat {state.asked} is asked" if state.asked else "nobody is asked"
        raise NotNow(f"It is not the turn of seat {here.seat}: in round {state.round} {due}.")
    if state.deadline and now > state.deadline:
        safe = position.round.game.default_decision(position.round)
        raise NotNow(f"The time for this answer has run out: {shorten(str(safe))} counts for seat {here.seat}.")
    decision = Decision.parse(text)
    if (fault := position.round.why_not(Decide(here.seat, decision))) is not None:
        raise IllegalAction(fault)
    cents = decision_cost(position.round, decision)
    if cents > here.chips:
        raise NotEnough(
            f"To {decision.verb} takes {format_cents(cents)} more, and {format_cents(here.chips)} in chips lie "
            "before seat "
            f"{here.seat}: choose what costs no more, or buy more chips."
        )
    return _on(state, position, decision, here.player, now)


def safe_answer(state: FeltState, position: Position, by: str, now: int) -> tuple[tuple[Answered, ...], Position]:
    """The safe answer counts for the seat that is asked: it puts no more money down."""
    return _on(state, position, position.round.game.default_decision(position.round), by, now)


def after_the_clock(state: FeltState, position: Position, now: int) -> tuple[tuple[Answered, ...], Position]:
    """The time of the seat that is asked has run out."""
    return safe_answer(state, position, CLOCK, now)


def for_those_who_left(state: FeltState, position: Position, now: int) -> tuple[tuple[Answered, ...], Position]:
    """The seat that is asked was left: the safe answer counts until somebody is asked who is there."""
    if not _has_left(state, position.asked):
        return (), position
    return safe_answer(state, position, LEFT, now)


def _on(
    state: FeltState, position: Position, decision: Decision, by: str, now: int
) -> tuple[tuple[Answered, ...], Position]:
    events = list[Answered]()
    while True:
        turn = position.round.seat_turn
        position, cents = position.answered(decision)
        asked = position.asked
        until = deciding_until(state, asked, now)
        events.append(Answered(state.table, turn.seat, turn.question, str(decision), by, cents, asked, until))
        if not _has_left(state, asked):
            return tuple(events), position
        decision, by = position.round.game.default_decision(position.round), LEFT


def _has_left(state: FeltState, seat: int) -> bool:
    one = state.seated(seat)
    return one is not None and one.leaving
