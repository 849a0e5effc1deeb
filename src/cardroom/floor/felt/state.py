"""A felt between two happenings."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from cardroom.floor.felt.happenings import FeltOpened, Laid
from cardroom.floor.felt.live_round import LiveRound
from cardroom.floor.felt.terms import FeltTerms
from cardroom.games import Game, Table, game
from cardroom.games.setup import setup_from_json
from cardroom.jackpots.layout import on_layout
from cardroom.jackpots.plain import in_a_row

CLOCK = "clock"
LEFT = "left"


class Phase(StrEnum):
    """What a felt is doing."""

    BETTING = "betting"
    PLAYING = "playing"
    PAUSED = "paused"
    CLOSED = "closed"


@in_a_row
class Seated(NamedTuple):
    """Somebody at a seat."""

    seat: int
    player: str
    chips: int
    """Before the seat, in cents."""
    down: int
    """On the layout, in cents."""
    company: bool
    leaving: bool
    """Whether the player has left while the wagers are still played."""
    since: int
    """When the seat was taken, chips were bought or wagers were laid there last."""


@in_a_row
class Said(NamedTuple):
    """An answer of the round that is played."""

    seat: int
    question: str
    answer: str
    by: str


@in_a_row
class Called(NamedTuple):
    """A seat that the house has called."""

    seat: int
    until: int
    """When the answer must be there."""


class FeltState(NamedTuple):
    """A felt between two happenings. The cards of its round are not in it: they follow from the key."""

    table: str
    setup: str
    """The game's set-up, as JSON of what ``cardroom.games.setup.setup_entry`` gives."""
    terms: FeltTerms
    opening: int
    closed: str
    """Why it is closed; empty while it is open."""
    seats: tuple[Seated, ...]
    rack: int
    """The float: the house's own chips at the felt, in cents."""
    number: int
    """Of the round that is played, or comes next."""
    seal: str
    """What was shown of its key before the first wager."""
    playing: bool
    laid: tuple[Laid, ...]
    deadline: int
    """When the wagers, or the answer that is due, must be there; 0 for no clock."""
    paused: str = ""
    """Why no new round begins; empty while rounds are played."""
    asked: int = 0
    """The seat that is asked; 0 for none."""
    answers: tuple[Said, ...] = ()
    linked: tuple[str, ...] = ()
    """The wagers of the round that is played whose prizes a jackpot pays."""
    tabulated: bool = False
    """Whether a tabulator counts its jackpot wagers."""
    live: LiveRound | None = None
    """The round that a dealer deals at a live table."""
    called: tuple[Called, ...] = ()
    """The seats that the house has called, as long as nobody has answered."""
    rounds: int = 0
    """How many rounds were played or called off. A number whose round never began counts as none."""
    last: int = 0
    """The number of the last of them; 0 for none."""

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        if self.closed:
            return Phase.CLOSED
        if self.playing or self.live is not None:
            return Phase.PLAYING
        return Phase.PAUSED if self.paused else Phase.BETTING

    @property
    def round(self) -> str:
        """The id of the round that is played, or comes next."""
        return round_id(self.table, self.number)

    @property
    def game(self) -> Game:
        """The rules that it plays by."""
        return self.at.game

    @property
    def at(self) -> OpenTable:
        """The table that its set-up opens."""
        return opened(self.setup)

    def seated(self, seat: int) -> Seated | None:
        """Who sits there; None when the seat is free."""
        for one in self.seats:
            if one.seat == seat:
                return one
        return None

    def seat_of(self, player: str) -> Seated | None:
        """Where somebody sits; company has no name that a player could have."""
        return next((one for one in self.seats if one.player == player and not one.company), None)

    def called_at(self, seat: int) -> Called | None:
        """The house's call to a seat that does not answer; None when it was not called."""
        return next((one for one in self.called if one.seat == seat), None)

    def laid_at(self, seat: int) -> Laid | None:
        """What a seat has laid for the coming round; None when it has not."""
        return next((one for one in self.laid if one.seat == seat), None)

    @property
    def last_round(self) -> str | None:
        """The round that was played or called off last."""
        return round_id(self.table, self.last) if self.last else None

    def after_round(self, **changed: Any) -> FeltState:
        """With the present round over, and the next number to come."""
        return self._replace(rounds=self.rounds + 1, last=self.number, number=self.number + 1, **changed)

    def with_seats(self, *changed: Seated, gone: int = 0, **besides: Any) -> FeltState:
        """With some seats as they are now, without one that is free, and with what else has changed besides."""
        seats = {one.seat: one for one in (*self.seats, *changed) if one.seat != gone}
        return self._replace(seats=tuple([seats[seat] for seat in sorted(seats)]), **besides)


class OpenTable(NamedTuple):
    """A game and the table that it is played at."""

    game: Game
    table: Table


@lru_cache(1024)
def opened(setup: str) -> OpenTable:
    """The table that a set-up opens; set-ups seldom change, and every command asks."""
    read = setup_from_json(orjson.loads(setup))
    rules = game(read.game)
    return OpenTable(rules, rules.open(read))


def set_up_text(told: FeltOpened) -> str:
    """The set-up that a felt was opened with, as its states keep it."""
    return orjson.dumps(on_layout(told.setup, told.layout)).decode()


def round_id(table: str, number: int) -> str:
    """
    >>> round_id("prime-1", 17)
    'prime-1.17'
    """
    return f"{table}.{number}"


def number_of(id: str) -> tuple[str, int] | None:
    """The table and the number that a round's id names.

    >>> number_of("prime-1.17"), number_of("prime-1"), number_of("prime-1.007")
    (('prime-1', 17), None, None)
    """
    table, dot, number = id.rpartition(".")
    if not dot or not table or not number.isascii() or not number.isdigit() or number.startswith("0"):
        return None
    return (table, int(number)) if len(number) < 16 else None


def wagers_of(laid: Iterable[Laid]) -> dict[int, dict[str, int]]:
    """By seat and spot, as a round begins with them."""
    return {one.seat: dict(one.spots) for one in laid}


def words_of(laid: Iterable[Laid]) -> dict[int, str]:
    """By seat, what players added to the shuffle."""
    return {one.seat: one.words for one in laid if one.words}
