"""The state of a table where people play."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from cardroom.games import Game, Table, game
from cardroom.games.setup import setup_from_json
from cardroom.room.codec import array_like, restore_wager_order
from cardroom.room.table.events import LiveRound, SeatStakes, TableOpened
from cardroom.room.table.terms import PlayTerms, WrongPhase, play_terms_to_mapping
from cardroom.room.tabulator.setup_changes import SetupText
from cardroom.translation import gettext

DECIDED_BY_CLOCK = "clock"
DECIDED_FOR_ABSENT = "left"


class TablePhase(StrEnum):
    """The phase of a table."""

    BETTING = "betting"
    PLAYING = "playing"
    PAUSED = "paused"
    CLOSED = "closed"


@array_like
class Occupant(NamedTuple):
    """A player or bot at a seat."""

    seat: int
    player: str
    chips: int
    """Chips at the seat, in cents."""
    wagered: int
    """Wagers on the layout, in cents."""
    is_bot: bool
    leaving: bool
    """Whether the player has left while the wagers are still in play."""
    since: int
    """The time of the last action: seat taken, chips bought, or wagers placed."""


@array_like
class SeatDecision(NamedTuple):
    """A decision in the current round."""

    seat: int
    question: str
    answer: str
    by: str


@array_like
class AbsenceWarning(NamedTuple):
    """A warning of an absent player."""

    seat: int
    until: int
    """When the player must be back."""


class TableState(NamedTuple):
    """A table after its latest event, without the cards of its round, which follow from the key."""

    table: str
    setup: str
    """The game's setup, as JSON from ``cardroom.games.setup.setup_to_json``."""
    terms: PlayTerms
    opening: int
    closed: str
    """Why it is closed; empty while it is open."""
    seats: tuple[Occupant, ...]
    rack: int
    """The float: the house's chips at the table, in cents."""
    number: int
    """The number of the current or next round."""
    seal: str
    """The shuffle seal of its key."""
    playing: bool
    seat_wagers: tuple[SeatStakes, ...]
    deadline: int
    """When bets close, or the decision is due; 0 for no clock."""
    paused: str = ""
    """Why the table is paused; empty while it is not."""
    deciding_seat: int = 0
    """The seat whose turn it is; 0 for none."""
    decisions: tuple[SeatDecision, ...] = ()
    linked: tuple[str, ...] = ()
    """The wagers of the current round whose prizes a jackpot pays."""
    tabulated: bool = False
    """Whether a tabulator counts its jackpot wagers."""
    live: LiveRound | None = None
    """The current round of a live table."""
    warnings: tuple[AbsenceWarning, ...] = ()
    """The open warnings of absent players."""
    rounds: int = 0
    """The number of rounds that ended or were voided, without numbers whose round never began."""
    last: int = 0
    """The number of the last of these rounds; 0 for none."""

    @property
    def phase(self) -> TablePhase:
        """The phase of the table."""
        if self.closed:
            return TablePhase.CLOSED
        if self.playing or self.live is not None:
            return TablePhase.PLAYING
        return TablePhase.PAUSED if self.paused else TablePhase.BETTING

    @property
    def round(self) -> str:
        """The id of the current or next round."""
        return round_id(self.table, self.number)

    @property
    def game(self) -> Game:
        """The rules of the table."""
        return self.open_table.game

    @property
    def open_table(self) -> OpenTable:
        """The game and the validated setup."""
        return open_table(self.setup)

    @property
    def setup_texts(self) -> SetupText:
        """The setup and the terms as JSON."""
        return SetupText(orjson.loads(self.setup), play=play_terms_to_mapping(self.terms))

    def occupant(self, seat: int) -> Occupant | None:
        """The occupant of a seat; None if it is free."""
        for occupant in self.seats:
            if occupant.seat == seat:
                return occupant
        return None

    def seat_of(self, player: str) -> Occupant | None:
        """The occupant with a player's name, not a bot; None if the player has no seat."""
        return next((occupant for occupant in self.seats if occupant.player == player and not occupant.is_bot), None)

    def warning_at(self, seat: int) -> AbsenceWarning | None:
        """The open warning of a seat; None if it has none."""
        return next((warning for warning in self.warnings if warning.seat == seat), None)

    def wagers_at(self, seat: int) -> SeatStakes | None:
        """The wagers of a seat; None if it has none."""
        return next((wagers for wagers in self.seat_wagers if wagers.seat == seat), None)

    @property
    def last_round(self) -> str | None:
        """The id of the last round that ended or was voided."""
        return round_id(self.table, self.last) if self.last else None

    def without_round(self, **changed: Any) -> TableState:
        """The state after the current round, with the next number."""
        return self._replace(rounds=self.rounds + 1, last=self.number, number=self.number + 1, **changed)

    def with_seats(self, *changed: Occupant, freed_seat: int = 0, **changes: Any) -> TableState:
        """The state with changed seats, without the freed seat, and with other changes."""
        seats = {occupant.seat: occupant for occupant in (*self.seats, *changed) if occupant.seat != freed_seat}
        return self._replace(seats=tuple([seats[seat] for seat in sorted(seats)]), **changes)


def closed_error(state: TableState) -> WrongPhase:
    """The refusal of an action at a closed table."""
    return WrongPhase(gettext("Table {table} is closed: {reason}.").format(table=state.table, reason=state.closed))


class OpenTable(NamedTuple):
    """A game's rules and a validated table of it."""

    game: Game
    table: Table


@lru_cache(1024)
def open_table(setup: str) -> OpenTable:
    """The table of a setup. It is cached: setups seldom change, and every command needs it."""
    table_setup = setup_from_json(orjson.loads(setup))
    rules = game(table_setup.game)
    return OpenTable(rules, rules.open(table_setup))


def setup_text(event: TableOpened) -> str:
    """The setup of an opening, as states store it."""
    return orjson.dumps(restore_wager_order(event.setup, event.layout)).decode()


def round_id(table: str, number: int) -> str:
    """
    >>> round_id("prime-1", 17)
    'prime-1.17'
    """
    return f"{table}.{number}"


def parse_round_id(id: str) -> tuple[str, int] | None:
    """The table and the number of a round's id.

    >>> parse_round_id("prime-1.17"), parse_round_id("prime-1"), parse_round_id("prime-1.007")
    (('prime-1', 17), None, None)
    """
    table, dot, number = id.rpartition(".")
    if not dot or not table or not number.isascii() or not number.isdigit() or number.startswith("0"):
        return None
    return (table, int(number)) if len(number) < 16 else None


def wagers_by_seat(placed: Iterable[SeatStakes]) -> dict[int, dict[str, int]]:
    """The wagers by seat and spot."""
    return {wagers.seat: dict(wagers.spots) for wagers in placed}


def player_seeds(placed: Iterable[SeatStakes]) -> dict[int, str]:
    """The players' own seeds by seat."""
    return {wagers.seat: wagers.player_seed for wagers in placed if wagers.player_seed}
