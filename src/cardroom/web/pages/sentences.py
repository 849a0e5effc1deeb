"""The one sentence that says what is going on at a felt and what the visitor may do."""

from __future__ import annotations

from cardroom.floor.felt.state import Phase
from cardroom.games.actions import SeatTurn, Verb
from cardroom.games.money import format_cents
from cardroom.games.view import GROUP_NAMES
from cardroom.web.pages.choices import Choice
from cardroom.web.pages.naming import called
from cardroom.web.pages.scene import Scene


def sentence(scene: Scene) -> str:
    """What is going on, and what the visitor may do."""
    state = scene.state
    match state.phase:
        case Phase.CLOSED:
            return f"The table is closed: {state.closed}."
        case Phase.PLAYING:
            return _playing(scene)
        case Phase.PAUSED:
            return f"The table is paused: {state.paused}. {_ended(scene)}".strip()
    if scene.me is None:
        return (
            "Take a seat to play." if len(state.seats) < state.at.table.seats else "Every seat is taken; you look on."
        )
    if state.laid_at(scene.me.seat) is not None:
        return f"Your wagers lie there. {_waiting(scene)}"
    return f"{_ended(scene)} Lay your chips, then deal.".strip()


def _playing(scene: Scene) -> str:
    if scene.choices:
        return f"Your turn: {_or([_choice(one) for one in scene.choices])}."
    turn = scene.seen.turn if scene.seen else None
    if isinstance(turn, SeatTurn):
        return f"{_name(scene, turn.seat)} decides."
    return "The dealer deals."


def _choice(one: Choice) -> str:
    what = one.verb
    if one.picks:
        names = GROUP_NAMES.get(Verb(one.verb), ())
        if len(names) > 1:
            what += f" your cards into {_both(names[0], names[1])}"
        else:
            what += f" {one.picks} cards" if one.picks > 1 else " a card"
    return what + (f" for {format_cents(one.cost)}" if one.cost else "")


def _both(first: str, second: str) -> str:
    """
    >>> _both("first hand", "second hand"), _both("high hand", "low hand")
    ('two hands', 'high hand and low hand')
    """
    return "two hands" if first.startswith("first") else f"{first} and {second}"


def _or(parts: list[str]) -> str:
    """
    >>> _or(["fold"]), _or(["fold", "play"]), _or(["fold", "play", "raise"])
    ('fold', 'fold, or play', 'fold, play, or raise')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, or {parts[-1]}"


def _waiting(scene: Scene) -> str:
    late = [one.seat for one in scene.neighbours if not one.ready]
    missing = [_name(scene, seat) for seat in late]
    if not missing:
        return "The cards come."
    if all(scene.state.called_at(seat) for seat in late):
        return f"The house calls {' and '.join(missing)}; without an answer you go on."
    return f"Waiting for {missing[0]}." if len(missing) == 1 else f"Waiting for {len(missing)} other seats."


def _name(scene: Scene, seat: int) -> str:
    other = next((one for one in scene.neighbours if one.seat == seat), None)
    return f"{called(other.player)} at seat {seat}" if other and other.player else f"Seat {seat}"


def _ended(scene: Scene) -> str:
    result = scene.result
    if result is None:
        return ""
    if result.void:
        return f"Round {result.round} was called off ({result.void}): every wager went back."
    waits = sum(one.cents for one in scene.prizes if one.waits and one.round == result.round)
    prize = f" A prize of {format_cents(waits)} is locked until two people have verified it." if waits else ""
    if result.net > 0:
        return f"You won {format_cents(result.net)}.{prize}"
    return (f"You lost {format_cents(-result.net)}." if result.net < 0 else "You broke even.") + prize
