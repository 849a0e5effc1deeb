"""What happens at a felt. Amounts are cents, times are microseconds since 1970.

No card stands in any of them but those that a player names in an answer, which must outlive the program: all cards
follow from the round's key, which is told when the round has ended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cardroom.floor.felt.terms import FeltTerms
from cardroom.jackpots.happenings.kind import Happening, declared
from cardroom.jackpots.plain import Plain, in_a_row


@dataclass(frozen=True, slots=True)
class OfAFelt(Happening):
    """What happens at a felt stands on its own chain."""

    table: str


@in_a_row
class Cents(NamedTuple):
    """An amount for a seat."""

    seat: int
    cents: int


@in_a_row
class AtSeat(NamedTuple):
    """Who has a seat."""

    seat: int
    player: str


class Laid(NamedTuple):
    """The wagers of a seat, and the words that the player adds to the shuffle."""

    seat: int
    spots: Mapping[str, int]
    words: str = ""


@in_a_row
class Waiting(NamedTuple):
    """A prize that waits for two people before it is paid to the player's balance."""

    seat: int
    jackpot: str
    claim: str
    cents: int


# A felt opens and closes.


@declared("felt-opened")
class FeltOpened(OfAFelt):
    """A felt opens, also again after it was closed. The seal of its first round is shown from now on."""

    who: str
    opening: int
    """How often it has been opened."""
    setup: Plain
    layout: tuple[str, ...]
    terms: FeltTerms
    seal: str
    tabulated: bool = False
    """Whether a tabulator counts its jackpot wagers."""


@declared("felt-paused")
class FeltPaused(OfAFelt):
    """No new round begins; wagers of a round that has not begun go back."""

    who: str
    why: str


@declared("felt-resumed")
class FeltResumed(OfAFelt):
    who: str


@declared("felt-closed")
class FeltClosed(OfAFelt):
    """Nobody sits there any more. The key of the round that never came is told."""

    who: str
    why: str
    key: str


# People come and go.


@declared("seat-taken")
class SeatTaken(OfAFelt):
    """Somebody sits down with chips, or buys more. Company is the house's own, with chips of the house."""

    seat: int
    player: str
    cents: int
    at: int
    company: bool = False


@declared("seat-left")
class SeatLeft(OfAFelt):
    """The chips before the seat go back. Wagers of a round that is played stay, and the seat with them."""

    seat: int
    player: str
    cents: int
    stays: bool = False
    company: bool = False
    wanted: str = ""
    """Who wanted the seat of company, or of somebody who has been silent for long; else it was left freely."""
    away: bool = False
    """Whether the house had called, and nobody had answered."""


@declared("seat-called")
class SeatCalled(OfAFelt):
    """Others wait for a seat, and nobody is there: the house calls."""

    seat: int
    player: str
    until: int
    """When the answer must be there."""


@declared("call-answered")
class CallAnswered(OfAFelt):
    """Whom the house called is there."""

    seat: int
    player: str


# A round.


@declared("wagers-laid")
class WagersLaid(OfAFelt):
    """The wagers of a seat, complete: they take the place of those that it has laid before. None takes them back."""

    laid: Laid
    cents: int
    """What lies on the layout for the seat with them."""
    deadline: int
    """Until when wagers are taken; 0 for no clock."""
    at: int


@declared("round-begun")
class RoundBegun(OfAFelt):
    """No more wagers: the cards are dealt."""

    number: int
    opening: int
    """How often the felt had been opened: by that its set-up is found."""
    seal: str
    """As it was shown before the first wager."""
    wagers: tuple[Laid, ...]
    players: tuple[AtSeat, ...]
    asked: int
    """The seat that is asked first; 0 for none."""
    deadline: int
    linked: tuple[str, ...] = ()
    """The wagers that play for a jackpot in this round: the jackpot pays their prizes."""
    back: tuple[Laid, ...] = ()
    """Jackpot wagers that go back, because their jackpot takes none any more."""


@declared("answered")
class Answered(OfAFelt):
    """A seat answers the question that it is asked."""

    seat: int
    question: str
    answer: str
    by: str
    """The player; or ``clock`` or ``left`` when the safe answer counts."""
    cents: int
    """What the answer puts on the layout."""
    asked: int
    deadline: int


@declared("round-played")
class RoundPlayed(OfAFelt):
    """Take and pay. The key is told, and the seal of the next round is shown."""

    number: int
    key: str
    returned: tuple[Cents, ...]
    """What each seat gets back: its wagers where they are returned, and what it won."""
    filled: int
    """Chips that the house had to bring for it."""
    seal: str
    prizes: tuple[Cents, ...] = ()
    """Of that, prizes of jackpots and promotions that were paid at once."""
    meters: Mapping[str, int] = field(default_factory=dict)
    """What meters showed whose percentage was won, by spot."""
    waiting: tuple[Waiting, ...] = ()


@declared("round-called-off")
class RoundCalledOff(OfAFelt):
    """The round is void: every wager goes back. Two people say so."""

    number: int
    key: str
    who: str
    second: str
    why: str
    seal: str


@declared("seal-renewed")
class SealRenewed(OfAFelt):
    """The coming round has a new key, and its seal is shown from now on. The former key is never used: it may be known,
    or it is lost. Wagers are returned. A round in progress is void: two people say so."""

    number: int
    """Of the round that the new key deals."""
    seal: str
    who: str
    why: str
    second: str = ""
