"""What a dealer's console tells: the bodies of its calls.

What a dealer's console is answered. Amounts are whole cents.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from cardroom.service import ClaimResult, TableResult
from cardroom.web.devices.models import DeviceRequest, Id, Places, Position, RoundName, SensorMark, Text

Positions = Annotated[list[Position], Field(max_length=16, description="Those that play.", examples=[[1, 2, 5]])]
Seat = Annotated[str, Field(pattern=r"^[1-9][0-9]?$", description="The number of a seat.")]
Spot = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,60}$", description="A spot of the layout.")]
Word = Annotated[str, Field(pattern=r"^[!-~]([ -~]{0,58}[!-~])?$")]
Cards = Annotated[
    str,
    Field(pattern=r"^[ -~]{0,200}$", description="Cards as text; an empty one takes them back.", examples=["Jd Qd Kd"]),
]
Answer = Annotated[
    str, Field(pattern=r"^[ -~]{0,200}$", description="As it was said; an empty one takes it back.", examples=["play"])
]
Cents = Annotated[int, Field(ge=0, le=10**12)]
Piles = Annotated[
    dict[Word, Cards],
    Field(max_length=60, description="By place, all cards there.", examples=[{"seat 2 hand": "Jd Qd Kd"}]),
]


class BeginRequest(DeviceRequest):
    """A dealer begins a round."""

    id: Id
    positions: Positions


class StepRequest(DeviceRequest):
    """The dealer takes a step."""

    id: Id
    step: Word
    positions: Positions | None = Field(default=None, description="Who plays, told anew with the wagers.")
    covered: Places | None = Field(default=None, description="Where jackpot wagers lie, told with TABULATE.")
    lammers: Places = Field(default={}, description="Beside which of them lammers lie that no sensor sees.")


class UndoRequest(DeviceRequest):
    """The last step was not meant."""

    id: Id


class CardsRequest(DeviceRequest):
    """What a payment needs. What was typed before for the same place, seat or question is replaced."""

    id: Id
    cards: Piles = Field(default={})
    wagers: dict[Seat, Annotated[dict[Spot, Cents], Field(max_length=20)]] = Field(
        default={}, max_length=16, description="By seat: its wagers in cents, all of them."
    )
    answers: dict[Seat, Annotated[dict[Word, Answer], Field(max_length=10)]] = Field(
        default={}, max_length=16, description="By seat and question."
    )


class EndRequest(DeviceRequest):
    """All steps are taken."""

    id: Id


class VoidRequest(DeviceRequest):
    """The round is void; two people say so."""

    id: Id
    second: Text = Field(description="The login of the second person, who answers for it too.", examples=["sam"])
    second_password: str = Field(max_length=300, description="Of the second person, who signs for this one act.")
    why: Text = Field(examples=["the shuffler jammed"])


class ClaimRequest(DeviceRequest):
    """A hand that won a jackpot's prize."""

    id: Id
    round: RoundName
    seat: Position
    wager: Spot = Field(description="The jackpot wager.", examples=["final-four"])
    wagered_cents: Cents | None = Field(default=None, description="As it was typed, when left out.")
    cards: Piles | None = Field(
        default=None,
        description="By place, without the seat: hand, fourth, dealer, community. As they were typed, when left out.",
    )
    answers: dict[Word, Answer] | None = Field(
        default=None, max_length=10, description="By question. As they were typed, when left out."
    )


class LiveTableResult(BaseModel):
    """The table after a command."""

    table: str
    version: int = Field(description="How many events there have been at the table.")
    state: Literal["betting", "playing", "paused", "closed"]
    round: str = Field(description="The round that is dealt, or comes next.")


class StepModel(BaseModel):
    """A step of the dealing procedure."""

    step: str
    kind: Literal["wagers", "tabulate", "deal", "decide", "reveal", "pay", "take or pay", "collect"]
    words: str = Field(description="What the dealer does.")
    rule: str = Field(description="Where the sheet says so.")
    only_if: str | None = Field(description="When it has to be taken; null: always. With a condition it may be passed.")
    taken: bool


class EnteredDecisionModel(BaseModel):
    """What a player said."""

    seat: int
    question: str
    answer: str


class DealModel(BaseModel):
    """The round that is dealt: what somebody has entered, and nothing else."""

    dealer: str
    positions: list[int]
    counted: Literal["button", "by hand", "recorded"] | None = Field(
        description="How the jackpot wagers were counted; null while they are not, or a record is under way."
    )
    cards: dict[str, list[str]]
    wagers: dict[str, dict[str, int]]
    answers: list[EnteredDecisionModel]


class ChipStackModel(BaseModel):
    """Chips of one value."""

    value_cents: int
    number: int


class StakeModel(BaseModel):
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


class SeatPaymentsModel(BaseModel):
    """A seat that was typed."""

    seat: int
    take_cents: int
    pay_cents: int
    chips: list[ChipStackModel] = Field(description="What is paid, in chips.")
    chip_words: str = Field(examples=["$25 x 2, $5 x 1"])
    payments: list[StakeModel]


class TakeOrPayModel(BaseModel):
    """Take or pay, as far as it is certain."""

    seats: list[SeatPaymentsModel]
    missing: list[str] = Field(description="What other payments still need, a sentence each.")
    astray: list[str] = Field(description="What was typed and does not belong to such a round.")
    not_final: list[str] = Field(description="Which amounts may still be reduced by the payout limit, and why.")
    open_positions: list[int] = Field(description="The positions that could still share the payout limit.")


class SensorWagerModel(BaseModel):
    """A sensor, and the wager that it sees."""

    sensor: int
    wager: str


class TabulatorModel(BaseModel):
    """The table's tabulator. Lights are those of the present round."""

    model: str
    data_logger: bool
    broken: str | None
    closed: str | None
    sensors: list[SensorWagerModel]
    counters: list[int]
    lights: list[SensorMark]
    lammers: list[SensorMark] = Field(description="Where a lammer stands in for a light that has failed.")
    stay: list[SensorMark] = Field(description="Wagers that are not collected before the deal.")


class LiveTableResponse(BaseModel):
    """A live table, for its dealer."""

    table: str
    game: str
    state: Literal["betting", "playing", "paused", "closed"]
    version: int
    round: str
    seats: int
    steps: list[StepModel]
    due: list[str] = Field(description="The steps that can be taken now; none while no round is dealt.")
    dealing: DealModel | None
    take_or_pay: TakeOrPayModel | None
    tabulator: TabulatorModel | None
    meters: dict[str, int] = Field(description="What the meters show, by spot.")


class PrizeModel(BaseModel):
    """What a hand has won."""

    seat: int
    event: str
    words: str
    cents: int


class ClaimResponse(BaseModel):
    """What was claimed: prizes that are paid at once, and prizes that wait for a second person."""

    claim: str
    paid: list[PrizeModel]
    pending: list[PrizeModel]


def live_table_result(result: TableResult) -> LiveTableResult:
    state: Any = str(result.state)
    return LiveTableResult(table=result.table, version=result.version, state=state, round=result.round)


def claim_response(claim: ClaimResult) -> ClaimResponse:
    paid, pending = (
        [PrizeModel(seat=prize.seat, event=prize.event, words=prize.words, cents=prize.cents) for prize in prizes]
        for prizes in (claim.paid, claim.pending)
    )
    return ClaimResponse(claim=claim.claim, paid=paid, pending=pending)
