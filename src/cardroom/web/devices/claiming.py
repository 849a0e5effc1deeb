"""A hand that a dealer claims: what is left out is as it was typed in the round."""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.floor import Floor
from cardroom.floor.felt.live_round import LiveRound
from cardroom.floor.felt.state import opened
from cardroom.floor.live.claiming import hand_as_typed
from cardroom.games import Table
from cardroom.jackpots import TypedHand
from cardroom.web.devices.refusals import NotHere


def jackpot_played_for(floor: Floor, table: str, wager: str, round_id: str) -> str:
    """The jackpot that a wager of the table played for in a round; now, where nothing was counted for it."""
    if not floor.felt(table).tabulated:
        raise NotHere(f"{table} has no tabulator, so nobody plays for a jackpot there.")
    if counted := floor.jackpot_of(wager, table, round_id):
        return counted
    linked = {one.wager: one.jackpot for one in floor.table(table).playing.wagers if one.jackpot is not None}
    if wager not in linked:
        raise NotHere(f"{table} plays for no jackpot with {wager}: it plays for {', '.join(linked) or 'none'}.")
    return linked[wager]


def claimed_hand(
    floor: Floor,
    table: str,
    round_id: str,
    seat: int,
    wager: str,
    *,
    wagered: int | None = None,
    cards: Mapping[str, str] | None = None,
    answers: Mapping[str, str] | None = None,
) -> TypedHand:
    """The hand of a seat."""
    if wagered is not None and cards is not None and answers is not None:
        return TypedHand(wager, wagered, cards, answers, seat)
    at, live = _dealt(floor, table, round_id)
    return hand_as_typed(at, live, seat, wager, wagered=wagered, cards=cards, answers=answers)


def _dealt(floor: Floor, table: str, round_id: str) -> tuple[Table, LiveRound]:
    state = floor.felt(table)
    if state.live is not None and state.round == round_id:
        return state.at.table, state.live
    past = floor.live_round_dealt(round_id)
    if past.table != table:
        raise NotHere(f"Round {round_id} was not dealt at {table}.")
    return opened(past.setup).table, past.live
