"""What is known of a round that a dealer deals: the steps that were taken, and what somebody typed. Nothing else.

What happens at a felt. Amounts are cents, times are microseconds since 1970.

No card stands in any of them but those that a player names in an answer, which must outlive the program: all cards
follow from the round's key, which is told when the round has ended.

What happens at a live table. Cards stand in the books where somebody typed them, because a payment needed them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from cardroom.room.codec import JsonObject, array_like
from cardroom.room.event_types import DomainEvent, event_type
from cardroom.room.table.terms import PlayTerms


class CountMethod(StrEnum):
    """Who counted the jackpot wagers of a round."""

    NOT_COUNTED = ""
    """Nobody yet: no such step was taken, or a data logger's record is still under way."""
    BUTTON = "button"
    """The tabulator, when the step was taken."""
    BY_HAND = "by hand"
    """The dealer, while the tabulator is broken."""
    RECORDED = "recorded"
    """The tabulator or its data logger itself, before the step was taken."""


@array_like
class TypedDecision(NamedTuple):
    """What a player said, as the dealer typed it."""

    seat: int
    question: str
    answer: str


class LiveRound(NamedTuple):
    """A round that a dealer deals, as far as it has come."""

    dealer: str
    positions: tuple[int, ...]
    """Those that play."""
    linked: tuple[str, ...] = ()
    """The wagers whose prizes a jackpot pays."""
    taken: tuple[str, ...] = ()
    """The steps, by name."""
    counted: CountMethod = CountMethod.NOT_COUNTED
    cards: Mapping[str, tuple[str, ...]] = {}
    """By place."""
    wagers: Mapping[str, Mapping[str, int]] = {}
    """By seat, then by spot, in cents."""
    answers: tuple[TypedDecision, ...] = ()


@dataclass(frozen=True, slots=True)
class TableEvent(DomainEvent):
    """What happens at a felt stands on its own chain."""

    table: str


@array_like
class SeatAmount(NamedTuple):
    """An amount for a seat."""

    seat: int
    cents: int


@array_like
class SeatPlayer(NamedTuple):
    """Who has a seat."""

    seat: int
    player: str


class SeatStakes(NamedTuple):
    """The wagers of a seat, and the words that the player adds to the shuffle."""

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


# A felt opens and closes.


@event_type("table-opened")
class TableOpened(TableEvent):
    """A felt opens, also again after it was closed. The seal of its first round is shown from now on."""

    who: str
    opening: int
    """How often it has been opened."""
    setup: JsonObject
    layout: tuple[str, ...]
    terms: PlayTerms
    seal: str
    tabulated: bool = False
    """Whether a tabulator counts its jackpot wagers."""


@event_type("table-paused")
class TablePaused(TableEvent):
    """No new round begins; wagers of a round that has not begun go back."""

    who: str
    why: str


@event_type("table-resumed")
class TableResumed(TableEvent):
    who: str


@event_type("table-closed")
class TableClosed(TableEvent):
    """Nobody sits there any more. The key of the round that never came is told."""

    who: str
    why: str
    key: str


# People come and go.


@event_type("seat-taken")
class SeatTaken(TableEvent):
    """Somebody sits down with chips, or buys more. Company is the house's own, with chips of the house."""

    seat: int
    player: str
    cents: int
    at: int
    is_bot: bool = False


@event_type("seat-left")
class SeatLeft(TableEvent):
    """The chips before the seat go back. Wagers of a round that is played stay, and the seat with them."""

    seat: int
    player: str
    cents: int
    has_wagers: bool = False
    is_bot: bool = False
    wanted_by: str = ""
    """Who wanted the seat of company, or of somebody who has been silent for long; else it was left freely."""
    was_absent: bool = False
    """Whether the house had called, and nobody had answered."""


@event_type("absence-warned")
class AbsenceWarned(TableEvent):
    """Others wait for a seat, and nobody is there: the house calls."""

    seat: int
    player: str
    until: int
    """When the answer must be there."""


@event_type("absence-ended")
class AbsenceEnded(TableEvent):
    """Whom the house called is there."""

    seat: int
    player: str


# A round.


@event_type("wagers-placed")
class WagersPlaced(TableEvent):
    """The wagers of a seat, complete: they take the place of those that it has laid before. None takes them back."""

    seat_wagers: SeatStakes
    cents: int
    """What lies on the layout for the seat with them."""
    deadline: int
    """Until when wagers are taken; 0 for no clock."""
    at: int


@event_type("round-started")
class RoundStarted(TableEvent):
    """No more wagers: the cards are dealt."""

    number: int
    opening: int
    """How often the felt had been opened: by that its set-up is found."""
    seal: str
    """As it was shown before the first wager."""
    wagers: tuple[SeatStakes, ...]
    players: tuple[SeatPlayer, ...]
    deciding_seat: int
    """The seat that is asked first; 0 for none."""
    deadline: int
    linked: tuple[str, ...] = ()
    """The wagers that play for a jackpot in this round: the jackpot pays their prizes."""
    returned_wagers: tuple[SeatStakes, ...] = ()
    """Jackpot wagers that go back, because their jackpot takes none any more."""


@event_type("decision-made")
class DecisionMade(TableEvent):
    """A seat answers the question that it is asked."""

    seat: int
    question: str
    answer: str
    by: str
    """The player; or ``clock`` or ``left`` when the safe answer counts."""
    cents: int
    """What the answer puts on the layout."""
    deciding_seat: int
    deadline: int


@event_type("round-played")
class RoundPlayed(TableEvent):
    """Take and pay. The key is told, and the seal of the next round is shown."""

    number: int
    key: str
    returned: tuple[SeatAmount, ...]
    """What each seat gets back: its wagers where they are returned, and what it won."""
    filled: int
    """Chips that the house had to bring for it."""
    seal: str
    prizes: tuple[SeatAmount, ...] = ()
    """Of that, prizes of jackpots and promotions that were paid at once."""
    meters: Mapping[str, int] = field(default_factory=dict)
    """What meters showed whose percentage was won, by spot."""
    waiting: tuple[UnverifiedPrize, ...] = ()


@event_type("round-canceled")
class RoundCanceled(TableEvent):
    """The round is void: every wager goes back. Two people say so."""

    number: int
    key: str
    who: str
    second: str
    why: str
    seal: str


@event_type("seal-renewed")
class SealRenewed(TableEvent):
    """The coming round has a new key, and its seal is shown from now on. The former key is never used: it may be known,
    or it is lost. Wagers are returned. A round in progress is void: two people say so."""

    number: int
    """Of the round that the new key deals."""
    seal: str
    who: str
    why: str
    second: str = ""


@dataclass(frozen=True, slots=True)
class LiveRoundEvent(TableEvent):
    """What happens in a round that a dealer deals stands on the felt's chain."""

    number: int


@array_like
class SettledStake(NamedTuple):
    """A stake as the dealer was shown it: what it was, and what goes back to the player."""

    seat: int
    spot: str
    stake: str
    event: str
    wagered: int
    returned: int


@event_type("live-round-started")
class LiveRoundStarted(LiveRoundEvent):
    """A dealer begins a round."""

    opening: int
    """How often the felt had been opened: by that its set-up is found."""
    dealer: str
    positions: tuple[int, ...]
    """Those that play."""
    linked: tuple[str, ...] = ()
    """The wagers whose prizes a jackpot pays."""


@event_type("step-taken")
class StepTaken(LiveRoundEvent):
    """The dealer takes a step of the procedure; steps with a condition before it were not needed."""

    step: str
    who: str
    positions: tuple[int, ...] = ()
    """Those that play, where the step says it anew."""
    counted: CountMethod = CountMethod.NOT_COUNTED


@event_type("step-undone")
class StepUndone(LiveRoundEvent):
    """The last step was not meant: it counted nothing, and is taken back."""

    step: str
    who: str


@event_type("cards-typed")
class CardsTyped(LiveRoundEvent):
    """What a payment needs is typed: cards by place, a seat's wagers, a seat's answers. What was typed before for the
    same place, seat or question is replaced; nothing takes it back."""

    who: str
    cards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    wagers: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    answers: tuple[TypedDecision, ...] = ()
    corrects: tuple[str, ...] = ()
    """What was typed before, and is different now."""


@event_type("live-round-ended")
class LiveRoundEnded(LiveRoundEvent):
    """All steps were taken. What was shown to be taken and paid at seats that were typed; nothing that nobody typed."""

    who: str
    settled_stakes: tuple[SettledStake, ...] = ()


@event_type("live-round-canceled")
class LiveRoundCanceled(LiveRoundEvent):
    """The round is void, as after a malfunction of the shuffler: every wager goes back. Two people say so."""

    who: str
    second: str
    why: str
