"""Wagers before the deal: whose, how much, until when; and when a round begins."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from cardroom.floor.felt.faults import NotEnough, NotNow
from cardroom.floor.felt.happenings import AtSeat, Laid, RoundBegun, WagersLaid
from cardroom.floor.felt.playing import Position
from cardroom.floor.felt.state import FeltState, Phase, Seated
from cardroom.floor.felt.terms import SECOND
from cardroom.games import BadBet
from cardroom.games.money import format_cents
from cardroom.games.round import find_bet_fault

MOST_WORDS: Final = 100
"""Characters that a player can add to the shuffle."""


def lay(state: FeltState, here: Seated, wagers: Mapping[str, int], words: str, now: int) -> WagersLaid:
    """The wagers of a seat, complete. Laid again before the round begins they take the place of the first ones; none at
    all takes them back."""
    _refuse_unless_betting(state, now)
    if not words.isprintable() or len(words) > MOST_WORDS:
        raise BadBet(f"Words for the shuffle are up to {MOST_WORDS} characters that can be printed.")
    if words and not wagers:
        raise BadBet("Words go into the shuffle with wagers: send both, or leave the words out to take wagers back.")
    at = state.at
    if wagers and (fault := find_bet_fault(at.game, at.table, here.seat, wagers)):
        raise BadBet(fault)
    if not wagers and not state.laid_at(here.seat):
        raise BadBet(f"Seat {here.seat} has no wager: put one on a spot ({', '.join(at.table.spots)}).")
    cents = put_down_first(state, wagers)
    if cents > here.chips + here.down:
        raise NotEnough(
            f"These wagers take {format_cents(cents)}, and {format_cents(here.chips + here.down)} in chips lie "
            "before seat "
            f"{here.seat}: wager less, or buy more chips."
        )
    laid = Laid(here.seat, dict(wagers), words)
    return WagersLaid(state.table, laid, cents, _betting_until(state, laid, now), now)


def put_down_first(state: FeltState, wagers: Mapping[str, int]) -> int:
    """What wagers put on the layout before the deal: some lie on two hands at once."""
    spots = state.at.table.spots
    return sum(spots[spot].wager.stakes * cents for spot, cents in wagers.items())


def _refuse_unless_betting(state: FeltState, now: int) -> None:
    match state.phase:
        case Phase.CLOSED:
            raise NotNow(f"Table {state.table} is closed: {state.closed}.")
        case Phase.PAUSED:
            raise NotNow(f"Table {state.table} is paused ({state.paused}): wagers are taken when it goes on.")
        case Phase.PLAYING:
            raise NotNow(f"Round {state.round} is played: wagers are taken when it has ended.")
    if state.deadline and now > state.deadline:
        raise NotNow(f"The time for wagers on round {state.round} has run out: wager on the next one.")


def _betting_until(state: FeltState, laid: Laid, now: int) -> int:
    """The clock runs from the first wager that lies there."""
    others = any(one.seat != laid.seat for one in state.laid)
    if not state.terms.betting or not (others or laid.spots):
        return 0
    return state.deadline or now + state.terms.betting * SECOND


def is_ready(state: FeltState) -> bool:
    """Whether everybody who sits there has laid wagers."""
    return bool(state.laid) and len(state.laid) == len(state.seats) and state.phase is Phase.BETTING


def without_spots(state: FeltState, gone: Collection[str]) -> tuple[tuple[Laid, ...], tuple[Laid, ...]]:
    """The wagers that are played, and those that go back because their jackpot takes none. A seat whose other wagers
    may not stand alone gets all of them back."""
    played, back = list[Laid](), list[Laid]()
    at = state.at
    for one in state.laid:
        kept = {spot: cents for spot, cents in one.spots.items() if spot not in gone}
        if len(kept) < len(one.spots) and (not kept or find_bet_fault(at.game, at.table, one.seat, kept)):
            kept = {}
        if kept:
            played.append(one._replace(spots=kept))
        if len(kept) < len(one.spots):
            back.append(Laid(one.seat, {spot: of for spot, of in one.spots.items() if spot not in kept}))
    return tuple(played), tuple(back)


def begun(
    state: FeltState,
    played: tuple[Laid, ...],
    back: tuple[Laid, ...],
    position: Position,
    linked: tuple[str, ...],
    now: int,
) -> RoundBegun:
    """The round begins with these wagers, and is dealt so far."""
    names = {one.seat: one.player for one in state.seats}
    players = tuple(AtSeat(one.seat, names[one.seat]) for one in played)
    asked = position.asked
    until = deciding_until(state, asked, now)
    return RoundBegun(state.table, state.number, state.opening, state.seal, played, players, asked, until, linked, back)


def deciding_until(state: FeltState, asked: int, now: int) -> int:
    """When the answer of the seat that is asked must be there."""
    return now + state.terms.deciding * SECOND if asked and state.terms.deciding else 0
