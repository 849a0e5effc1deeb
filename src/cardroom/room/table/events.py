"""The events of a table, automatic and live. Amounts are cents, times are microseconds since 1970.

Events of automatic rounds contain no cards except those that a player names in a decision: all cards follow from the
round's key, which is revealed when the round has ended. Events of live rounds contain the steps that the dealer took
and the cards that the dealer typed because a payment needed them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from cardroom.room.codec import JsonObject, array_like
from cardroom.room.event_types import DomainEvent, event_type
from cardroom.room.jackpot.event_values import SetupChange
from cardroom.room.table.terms import PlayTerms


class CountMethod(StrEnum):
    """How the jackpot wagers of a round were counted."""

    NOT_COUNTED = ""
    """Not yet: the step was not taken, or the data logger's record has not arrived."""
    BUTTON = "button"
    """The tabulator, when the step was taken."""
    BY_HAND = "by hand"
    """The dealer, during a tabulator fault."""
    RECORDED = "recorded"
    """The tabulator or its data logger, before the step was taken."""


@array_like
class TypedDecision(NamedTuple):
    """A player's decision as the dealer typed it."""

    seat: int
    question: str
    answer: str


class LiveRound(NamedTuple):
    """The current round of a live table: steps taken and typed input."""

    dealer: str
    positions: tuple[int, ...]
    """The positions in play."""
    linked: tuple[str, ...] = ()
    """The wagers whose prizes a jackpot pays."""
    taken: tuple[str, ...] = ()
    """The names of the steps taken."""
    counted: CountMethod = CountMethod.NOT_COUNTED
    cards: Mapping[str, tuple[str, ...]] = {}
    """By place."""
    wagers: Mapping[str, Mapping[str, int]] = {}
    """By seat, then by spot, in cents."""
    answers: tuple[TypedDecision, ...] = ()


@dataclass(frozen=True, slots=True)
class TableEvent(DomainEvent):
    """An event on the chain of a table."""

    table: str


@array_like
class SeatAmount(NamedTuple):
    """An amount for a seat."""

    seat: int
    cents: int


@array_like
class SeatPlayer(NamedTuple):
    """The player at a seat."""

    seat: int
    player: str


class SeatStakes(NamedTuple):
    """The wagers of a seat, and the player's own seed for the shuffle."""

    seat: int
    spots: Mapping[str, int]
    player_seed: str = ""


@array_like
class UnverifiedPrize(NamedTuple):
    """A prize that waits for two people before it is paid to the player's balance."""

    seat: int
    jackpot: str
    claim: str
    cents: int


# A table opens and closes.


@event_type("table-opened")
class TableOpened(TableEvent):
    """A table opens, or opens again after it was closed. The shuffle seal of its next round is published."""

    who: str
    opening: int
    """The number of this opening, from 1."""
    setup: JsonObject
    layout: tuple[str, ...]
    terms: PlayTerms
    seal: str
    tabulated: bool = False
    """Whether a tabulator counts its jackpot wagers."""


@event_type("table-changed")
class TableChanged(TableOpened):
    """An open table gets another setup or other terms between two rounds; wagers on the next round are returned."""

    changes: tuple[SetupChange, ...] = ()
    why: str = ""
    second: str = ""
    """The second person, who signs for what a wager costs or pays."""


@event_type("table-paused")
class TablePaused(TableEvent):
    """No new round begins; wagers on the next round are returned."""

    who: str
    why: str


@event_type("table-resumed")
class TableResumed(TableEvent):
    who: str


@event_type("table-closed")
class TableClosed(TableEvent):
    """The table closes without players. The key of its next round, which is never dealt, is revealed."""

    who: str
    why: str
    key: str


# Players take and leave seats.


@event_type("seat-taken")
class SeatTaken(TableEvent):
    """A player takes a seat with chips, or buys more. A bot plays with chips of the house."""

    seat: int
    player: str
    cents: int
    at: int
    is_bot: bool = False


@event_type("seat-left")
class SeatLeft(TableEvent):
    """A player leaves, and the chips go back. Wagers in the current round stay, and the seat with them."""

    seat: int
    player: str
    cents: int
    has_wagers: bool = False
    is_bot: bool = False
    wanted_by: str = ""
    """The player who takes over the seat of a bot or of an idle player; empty if the player left."""
    was_absent: bool = False
    """Whether the player was removed after a warning."""


@event_type("absence-warned")
class AbsenceWarned(TableEvent):
    """A player is warned: the player is absent and others wait."""

    seat: int
    player: str
    until: int
    """When the player must be back."""


@event_type("absence-ended")
class AbsenceEnded(TableEvent):
    """A warned player is back."""

    seat: int
    player: str


# A round.


@event_type("wagers-placed")
class WagersPlaced(TableEvent):
    """All wagers of a seat, which replace its earlier ones. An empty list takes them back."""

    seat_wagers: SeatStakes
    cents: int
    """The seat's total on the layout."""
    deadline: int
    """Until when bets are open; 0 for no clock."""
    at: int


@event_type("round-started")
class RoundStarted(TableEvent):
    """Bets are closed and the cards are dealt."""

    number: int
    opening: int
    """The number of the table's opening, which has the setup."""
    seal: str
    """The shuffle seal that was published before the first wager."""
    wagers: tuple[SeatStakes, ...]
    players: tuple[SeatPlayer, ...]
    deciding_seat: int
    """The seat that decides first; 0 for none."""
    deadline: int
    linked: tuple[str, ...] = ()
    """The wagers with a jackpot in this round, which pays their prizes."""
    returned_wagers: tuple[SeatStakes, ...] = ()
    """Jackpot wagers that are returned because their jackpot takes none."""


@event_type("decision-made")
class DecisionMade(TableEvent):
    """A seat makes a decision."""

    seat: int
    question: str
    answer: str
    by: str
    """The player; or ``clock`` or ``left`` for the default action."""
    cents: int
    """The cents that the decision puts on the layout."""
    deciding_seat: int
    deadline: int


@event_type("round-played")
class RoundPlayed(TableEvent):
    """The round is settled. Its key is revealed, and the shuffle seal of the next round is published."""

    number: int
    key: str
    returned: tuple[SeatAmount, ...]
    """The cents returned to each seat: returned wagers and winnings."""
    filled: int
    """Chips that the house added to the rack to pay them."""
    seal: str
    prizes: tuple[SeatAmount, ...] = ()
    """The part of them that is prizes of jackpots and promotions, paid at once."""
    meters: Mapping[str, int] = field(default_factory=dict)
    """By spot: the cents on each meter that pays a percentage."""
    waiting: tuple[UnverifiedPrize, ...] = ()


@event_type("round-canceled")
class RoundCanceled(TableEvent):
    """Two people void the round: every wager is returned."""

    number: int
    key: str
    who: str
    second: str
    why: str
    seal: str


@event_type("seal-renewed")
class SealRenewed(TableEvent):
    """The next round gets a new key, and its shuffle seal is published. The former key is never used: it may be known,
    or it is lost. Wagers are returned. Two people void a round in progress."""

    number: int
    """The number of the round that the new key deals."""
    seal: str
    who: str
    why: str
    second: str = ""


@dataclass(frozen=True, slots=True)
class LiveRoundEvent(TableEvent):
    """An event of a live round, on the chain of its table."""

    number: int


@array_like
class SettledStake(NamedTuple):
    """A stake as shown to the dealer: its amount, and the amount returned to the player."""

    seat: int
    spot: str
    stake: str
    event: str
    wagered: int
    returned: int


@event_type("live-round-started")
class LiveRoundStarted(LiveRoundEvent):
    """A dealer begins a live round."""

    opening: int
    """The number of the table's opening, which has the setup."""
    dealer: str
    positions: tuple[int, ...]
    """The positions in play."""
    linked: tuple[str, ...] = ()
    """The wagers whose prizes a jackpot pays."""


@event_type("step-taken")
class StepTaken(LiveRoundEvent):
    """The dealer takes a step of the procedure; conditional steps before it were skipped."""

    step: str
    who: str
    positions: tuple[int, ...] = ()
    """The positions in play, if the step changes them."""
    counted: CountMethod = CountMethod.NOT_COUNTED


@event_type("step-undone")
class StepUndone(LiveRoundEvent):
    """The dealer undoes the last step, which counted nothing."""

    step: str
    who: str


@event_type("cards-typed")
class CardsTyped(LiveRoundEvent):
    """The dealer types what a payment needs: cards by place, a seat's wagers, a seat's decisions. New input replaces
    earlier input for the same place, seat, or question; empty input deletes it."""

    who: str
    cards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    wagers: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    answers: tuple[TypedDecision, ...] = ()
    corrects: tuple[str, ...] = ()
    """The items whose earlier input changed."""


@event_type("live-round-ended")
class LiveRoundEnded(LiveRoundEvent):
    """All steps are taken. The event lists the stakes shown as taken or paid, only for seats that were typed."""

    who: str
    settled_stakes: tuple[SettledStake, ...] = ()


@event_type("live-round-canceled")
class LiveRoundCanceled(LiveRoundEvent):
    """Two people void the round, such as after a malfunction of the shuffler: every wager is returned."""

    who: str
    second: str
    why: str
