"""What a dealer's console is answered. Amounts are whole cents."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from cardroom.floor import ClaimMade, FeltStanding
from cardroom.web.devices.answers import Mark


class LiveStanding(BaseModel):
    """The table after a command."""

    table: str
    version: int = Field(description="How many events there have been at the table.")
    state: Literal["betting", "playing", "paused", "closed"]
    round: str = Field(description="The round that is dealt, or comes next.")


class Step(BaseModel):
    """A step of the dealing procedure."""

    step: str
    kind: Literal["wagers", "tabulate", "deal", "decide", "reveal", "pay", "take or pay", "collect"]
    words: str = Field(description="What the dealer does.")
    rule: str = Field(description="Where the sheet says so.")
    only_if: str | None = Field(description="When it has to be taken; null: always. With a condition it may be passed.")
    taken: bool


class TypedAnswer(BaseModel):
    """What a player said."""

    seat: int
    question: str
    answer: str


class Dealing(BaseModel):
    """The round that is dealt: what somebody has entered, and nothing else."""

    dealer: str
    positions: list[int]
    counted: Literal["button", "by hand", "recorded"] | None = Field(
        description="How the jackpot wagers were counted; null while they are not, or a record is under way."
    )
    cards: dict[str, list[str]]
    wagers: dict[str, dict[str, int]]
    answers: list[TypedAnswer]


class Stack(BaseModel):
    """Chips of one value."""

    value_cents: int
    number: int


class StakeShown(BaseModel):
    """A stake, taken or paid."""

    spot: str
    stake: str
    event: str
    words: str
    cards: list[str]
    pays: str
    wagered_cents: int
    returned_cents: int | None = Field(description="Null for a share of a meter.")
    take_cents: int = Field(description="What goes into the rack.")
    pay_cents: int = Field(description="What the rack pays besides the wager.")
    claim: bool = Field(description="Whether a jackpot pays it: claim it.")
    final: bool = Field(description="Whether the amount cannot change any more under the table's payout limit.")


class SeatShown(BaseModel):
    """A seat that was typed."""

    seat: int
    take_cents: int
    pay_cents: int
    chips: list[Stack] = Field(description="What is paid, in chips.")
    chip_words: str = Field(examples=["$25 x 2, $5 x 1"])
    payments: list[StakeShown]


class TakeOrPay(BaseModel):
    """Take or pay, as far as it is certain."""

    seats: list[SeatShown]
    missing: list[str] = Field(description="What other payments still need, a sentence each.")
    astray: list[str] = Field(description="What was typed and does not belong to such a round.")
    not_final: list[str] = Field(description="Which amounts may still be reduced by the payout limit, and why.")
    open_positions: list[int] = Field(description="The positions that could still share the payout limit.")


class SensorAt(BaseModel):
    """A sensor, and the wager that it sees."""

    sensor: int
    wager: str


class TabulatorShown(BaseModel):
    """The table's tabulator. Lights are those of the present round."""

    model: str
    data_logger: bool
    broken: str | None
    closed: str | None
    sensors: list[SensorAt]
    counters: list[int]
    lights: list[Mark]
    lammers: list[Mark] = Field(description="Where a lammer stands in for a light that has failed.")
    stay: list[Mark] = Field(description="Wagers that are not collected before the deal.")


class LiveTable(BaseModel):
    """A live table, for its dealer."""

    table: str
    game: str
    state: Literal["betting", "playing", "paused", "closed"]
    version: int
    round: str
    seats: int
    steps: list[Step]
    due: list[str] = Field(description="The steps that can be taken now; none while no round is dealt.")
    dealing: Dealing | None
    take_or_pay: TakeOrPay | None
    tabulator: TabulatorShown | None
    meters: dict[str, int] = Field(description="What the meters show, by spot.")


class PrizeWon(BaseModel):
    """What a hand has won."""

    seat: int
    event: str
    words: str
    cents: int


class Claimed(BaseModel):
    """What was claimed: prizes that are paid at once, and prizes that wait for a second person."""

    claim: str
    paid: list[PrizeWon]
    pending: list[PrizeWon]


def standing_answer(standing: FeltStanding) -> LiveStanding:
    state: Any = str(standing.state)
    return LiveStanding(table=standing.table, version=standing.version, state=state, round=standing.round)


def claimed_answer(made: ClaimMade) -> Claimed:
    paid, pending = (
        [PrizeWon(seat=one.seat, event=one.event, words=one.words, cents=one.cents) for one in prizes]
        for prizes in (made.paid, made.pending)
    )
    return Claimed(claim=made.claim, paid=paid, pending=pending)
