"""What happens at a live table. Cards stand in the books where somebody typed them, because a payment needed them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cardroom.floor.felt.happenings import OfAFelt
from cardroom.floor.felt.live_round import Counting, TypedAnswer
from cardroom.jackpots.happenings.kind import declared
from cardroom.jackpots.plain import in_a_row


@dataclass(frozen=True, slots=True)
class OfALiveRound(OfAFelt):
    """What happens in a round that a dealer deals stands on the felt's chain."""

    number: int


@in_a_row
class TakenOrPaid(NamedTuple):
    """A stake as the dealer was shown it: what it was, and what goes back to the player."""

    seat: int
    spot: str
    stake: str
    event: str
    wagered: int
    returned: int


@declared("live-round-begun")
class LiveRoundBegun(OfALiveRound):
    """A dealer begins a round."""

    opening: int
    """How often the felt had been opened: by that its set-up is found."""
    dealer: str
    positions: tuple[int, ...]
    """Those that play."""
    linked: tuple[str, ...] = ()
    """The wagers whose prizes a jackpot pays."""


@declared("step-taken")
class StepTaken(OfALiveRound):
    """The dealer takes a step of the procedure; steps with a condition before it were not needed."""

    step: str
    who: str
    positions: tuple[int, ...] = ()
    """Those that play, where the step says it anew."""
    counted: Counting = Counting.NOBODY


@declared("step-undone")
class StepUndone(OfALiveRound):
    """The last step was not meant: it counted nothing, and is taken back."""

    step: str
    who: str


@declared("cards-typed")
class CardsTyped(OfALiveRound):
    """What a payment needs is typed: cards by place, a seat's wagers, a seat's answers. What was typed before for the
    same place, seat or question is replaced; nothing takes it back."""

    who: str
    cards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    wagers: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    answers: tuple[TypedAnswer, ...] = ()
    corrects: tuple[str, ...] = ()
    """What was typed before, and is different now."""


@declared("live-round-ended")
class LiveRoundEnded(OfALiveRound):
    """All steps were taken. What was shown to be taken and paid at seats that were typed; nothing that nobody typed."""

    who: str
    shown: tuple[TakenOrPaid, ...] = ()


@declared("live-round-called-off")
class LiveRoundCalledOff(OfALiveRound):
    """The round is void, as after a malfunction of the shuffler: every wager goes back. Two people say so."""

    who: str
    second: str
    why: str
