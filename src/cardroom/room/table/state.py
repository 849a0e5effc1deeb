"""A felt between two happenings."""

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
from cardroom.room.table.terms import PlayTerms

DECIDED_BY_CLOCK = "clock"
DECIDED_FOR_ABSENT = "left"


class TablePhase(StrEnum):
    """What a felt is doing."""

    BETTING = "betting"
    PLAYING = "playing"
    PAUSED = "paused"
    CLOSED = "closed"


@array_like
class Occupant(NamedTuple):
    """Somebody at a seat."""

    seat: int
    player: str
    chips: int
    """Before the seat, in cents."""
    wagered: int
    """On the layout, in cents."""
    is_bot: bool
    leaving: bool
    """Whether the player has left while the wagers are still played."""
    since: int
    """When the seat was taken, chips were bought or wagers were laid there last."""


@array_like
class SeatDecision(NamedTuple):
    """An answer of the round that is played."""

    seat: int
    question: str
    answer: str
    by: str


@array_like
class AbsenceWarning(NamedTuple):
    """A seat that the house has called."""

    seat: int
    until: int
    """When the answer must be there."""


class TableState(NamedTuple):
    """A felt between two happenings. The cards of its round are not in it: they follow from the key."""

    table: str
    setup: str
    """The game's set-up, as JSON of what ``cardroom.games.setup.setup_entry`` gives."""
    terms: PlayTerms
    opening: int
    closed: str
    """Why it is closed; empty while it is open."""
    seats: tuple[Occupant, ...]
    rack: int
    """The float: the house's own chips at the felt, in cents."""
    number: int
    """Of the round that is played, or comes next."""
    seal: str
    """What was shown of its key before the first wager."""
    playing: bool
    seat_wagers: tuple[SeatStakes, ...]
    deadline: int
    """When the wagers, or the answer that is due, must be there; 0 for no clock."""
    paused: str = ""
    """Why no new round begins; empty while rounds are played."""
    deciding_seat: int = 0
    """The seat that is asked; 0 for none."""
    decisions: tuple[SeatDecision, ...] = ()
    linked: tuple[str, ...] = ()
    """The wagers of the round that is played whose prizes a jackpot pays."""
    tabulated: bool = False
    """Whether a tabulator counts its jackpot wagers."""
    live: LiveRound | None = None
    """The round that a dealer deals at a live table."""
    warnings: tuple[AbsenceWarning, ...] = ()
    """The seats that the house has called, as long as nobody has answered."""
    rounds: int = 0
    """How many rounds were played or called off. A number whose round never began counts as none."""
    last: int = 0
    """The number of the last of them; 0 for none."""

    @property
    def phase(self) -> TablePhase:
        """What the table is doing."""
        if self.closed:
            return TablePhase.CLOSED
        if self.playing or self.live is not None:
            return TablePhase.PLAYING
        return TablePhase.PAUSED if self.paused else TablePhase.BETTING

    @property
    def round(self) -> str:
        """The id of the round that is played, or comes next."""
        return round_id(self.table, self.number)

    @property
    def game(self) -> Game:
        """The rules that it plays by."""
        return self.open_table.game

    @property
    def open_table(self) -> OpenTable:
        """The table that its set-up opens."""
        return open_table(self.setup)

    def occupant(self, seat: int) -> Occupant | None:
        """Who sits there; None when the seat is free."""
        for occupant_ in self.seats:
            if occupant_.seat == seat:
                return occupant_
        return None

    def seat_of(self, player: str) -> Occupant | None:
        """Where somebody sits; company has no name that a player could have."""
        return next(
            (occupant_ for occupant_ in self.seats if occupant_.player == player and not occupant_.is_bot), None
        )

    def warning_at(self, seat: int) -> AbsenceWarning | None:
        """The house's call to a seat that does not answer; None when it was not called."""
        return next((warning for warning in self.warnings if warning.seat == seat), None)

    def wagers_at(self, seat: int) -> SeatStakes | None:
        """What a seat has laid for the coming round; None when it has not."""
        return next((wagers for wagers in self.seat_wagers if wagers.seat == seat), None)

    @property
    def last_round(self) -> str | None:
        """The round that was played or called off last."""
        return round_id(self.table, self.last) if self.last else None

    def without_round(self, **changed: Any) -> TableState:
        """With the present round over, and the next number to come."""
        return self._replace(rounds=self.rounds + 1, last=self.number, number=self.number + 1, **changed)

    def with_seats(self, *changed: Occupant, freed_seat: int = 0, **changes: Any) -> TableState:
        """With some seats as they are now, without one that is free, and with what else has changed besides."""
        seats = {occupant_.seat: occupant_ for occupant_ in (*self.seats, *changed) if occupant_.seat != freed_seat}
        return self._replace(seats=tuple([seats[seat] for seat in sorted(seats)]), **changes)


class OpenTable(NamedTuple):
    """A game and the table that it is played at."""

    game: Game
    table: Table


@lru_cache(1024)
def open_table(setup: str) -> OpenTable:
    """The table that a set-up opens; set-ups seldom change, and every command asks."""
    table_setup = setup_from_json(orjson.loads(setup))
    rules = game(table_setup.game)
    return OpenTable(rules, rules.open(table_setup))


def setup_text(event: TableOpened) -> str:
    """The set-up that a felt was opened with, as its states keep it."""
    return orjson.dumps(restore_wager_order(event.setup, event.layout)).decode()


def round_id(table: str, number: int) -> str:
    """
    >>> round_id("prime-1", 17)
    'prime-1.17'
    """
    return f"{table}.{number}"


def parse_round_id(id: str) -> tuple[str, int] | None:
    """The table and the number that a round's id names.

    >>> parse_round_id("prime-1.17"), parse_round_id("prime-1"), parse_round_id("prime-1.007")
    (('prime-1', 17), None, None)
    """
    table, dot, number = id.rpartition(".")
    if not dot or not table or not number.isascii() or not number.isdigit() or number.startswith("0"):
        return None
    return (table, int(number)) if len(number) < 16 else None


def wagers_by_seat(placed: Iterable[SeatStakes]) -> dict[int, dict[str, int]]:
    """By seat and spot, as a round begins with them."""
    return {wagers.seat: dict(wagers.spots) for wagers in placed}


def player_seeds(placed: Iterable[SeatStakes]) -> dict[int, str]:
    """By seat, what players added to the shuffle."""
    return {wagers.seat: wagers.player_seed for wagers in placed if wagers.player_seed}
