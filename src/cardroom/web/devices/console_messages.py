"""The request and response models of a dealer's console. Amounts are whole cents."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from cardroom.service import ClaimResult, TableResult
from cardroom.web.devices.tabulator_messages import DeviceRequest, Id, Places, Position, RoundName, SensorMark, Text

Positions = Annotated[list[Position], Field(max_length=16, description="The positions in play.", examples=[[1, 2, 5]])]
Seat = Annotated[str, Field(pattern=r"^[1-9][0-9]?$", description="The number of a seat.")]
Spot = Annotated[str, Field(pattern=r"^[a-z0-9-]{1,60}$", description="A spot of the layout.")]
Word = Annotated[str, Field(pattern=r"^[!-~]([ -~]{0,58}[!-~])?$")]
Cards = Annotated[
    str,
    Field(pattern=r"^[ -~]{0,200}$", description="Cards as text. An empty text removes them.", examples=["Jd Qd Kd"]),
]
Answer = Annotated[
    str,
    Field(pattern=r"^[ -~]{0,200}$", description="The decision as text. An empty text removes it.", examples=["play"]),
]
Cents = Annotated[int, Field(ge=0, le=10**12)]
Piles = Annotated[
    dict[Word, Cards],
    Field(max_length=60, description="By place, all cards there.", examples=[{"seat 2 hand": "Jd Qd Kd"}]),
]


class BeginRequest(DeviceRequest):
    """Begins a round."""

    id: Id
    positions: Positions


class StepRequest(DeviceRequest):
    """Takes a step of the procedure."""

    id: Id
    step: Word
    positions: Positions | None = Field(
        default=None, description="The positions in play, sent again with the wagers step."
    )
    covered: Places | None = Field(default=None, description="The positions with jackpot wagers, sent with TABULATE.")
    lammers: Places = Field(default={}, description="The positions of lammers that no sensor detects.")


class UndoRequest(DeviceRequest):
    """Undoes the last step."""

    id: Id


class CardsRequest(DeviceRequest):
    """Enters what a payment needs. Earlier entries for the same place, seat, or question are replaced."""

    id: Id
    cards: Piles = Field(default={})
    wagers: dict[Seat, Annotated[dict[Spot, Cents], Field(max_length=20)]] = Field(
        default={}, max_length=16, description="By seat: all its wagers in cents."
    )
    answers: dict[Seat, Annotated[dict[Word, Answer], Field(max_length=10)]] = Field(
        default={}, max_length=16, description="By seat and question."
    )


class EndRequest(DeviceRequest):
    """Ends a round whose steps are all taken."""

    id: Id


class VoidRequest(DeviceRequest):
    """Voids a round. Two people sign."""

    id: Id
    second: Text = Field(description="The login of the second person, who signs too.", examples=["sam"])
    second_password: str = Field(max_length=300, description="The second person's password, for this command only.")
    why: Text = Field(examples=["the shuffler jammed"])


class ClaimRequest(DeviceRequest):
    """Claims the jackpot prize of a hand."""

    id: Id
    round: RoundName
    seat: Position
    wager: Spot = Field(description="The jackpot wager.", examples=["final-four"])
    wagered_cents: Cents | None = Field(default=None, description="The entered amount if left out.")
    cards: Piles | None = Field(
        default=None,
        description="By place, without the seat: hand, fourth, dealer, community. The entered cards if left out.",
    )
    answers: dict[Word, Answer] | None = Field(
        default=None, max_length=10, description="By question. The entered decisions if left out."
    )


class LiveTableResult(BaseModel):
    """The table after a command."""

    table: str
    version: int = Field(description="The number of events of the table.")
    state: Literal["betting", "playing", "paused", "closed"]
    round: str = Field(description="The current or the next round.")


class StepModel(BaseModel):
    """A step of the dealing procedure."""

    step: str
    kind: Literal["wagers", "tabulate", "deal", "decide", "reveal", "pay", "take or pay", "collect"]
    words: str = Field(description="What the dealer does.")
    rule: str = Field(description="The rule of the sheet.")
    only_if: str | None = Field(
        description="The condition of the step; null: always. A step with a condition may be skipped."
    )
    taken: bool


class EnteredDecisionModel(BaseModel):
    """An entered decision."""

    seat: int
    question: str
    answer: str


class DealModel(BaseModel):
    """The current round, with its entries only."""

    dealer: str
    positions: list[int]
    counted: Literal["button", "by hand", "recorded"] | None = Field(
        description="How the jackpot wagers were counted; null until they are."
    )
    cards: dict[str, list[str]]
    wagers: dict[str, dict[str, int]]
    answers: list[EnteredDecisionModel]


class ChipStackModel(BaseModel):
    """Chips of one value."""

    value_cents: int
    number: int


class StakeModel(BaseModel):
    """A stake that is taken or paid."""

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
    claim: bool = Field(description="Whether a jackpot pays it and the dealer must claim it.")
    final: bool = Field(description="Whether the amount is final under the table's payout limit.")


class SeatPaymentsModel(BaseModel):
    """A seat with entries."""

    seat: int
    take_cents: int
    pay_cents: int
    chips: list[ChipStackModel] = Field(description="What is paid, in chips.")
    chip_words: str = Field(examples=["$25 x 2, $5 x 1"])
    payments: list[StakeModel]


class TakeOrPayModel(BaseModel):
    """Take or pay, as far as the entries decide it."""

    seats: list[SeatPaymentsModel]
    missing: list[str] = Field(description="What other payments still need, one sentence each.")
    astray: list[str] = Field(description="Entries that are impossible in such a round.")
    not_final: list[str] = Field(description="Amounts that the payout limit may still reduce, with the reason.")
    open_positions: list[int] = Field(description="The positions that could still share the payout limit.")


class SensorWagerModel(BaseModel):
    """A sensor and its wager."""

    sensor: int
    wager: str


class TabulatorModel(BaseModel):
    """The table's tabulator. Lights are those of the current round."""

    model: str
    data_logger: bool
    broken: str | None
    closed: str | None
    sensors: list[SensorWagerModel]
    counters: list[int]
    lights: list[SensorMark]
    lammers: list[SensorMark] = Field(description="Where a lammer replaces a failed light.")
    stay: list[SensorMark] = Field(description="Wagers that stay on the layout during the deal.")


class LiveTableResponse(BaseModel):
    """A live table, for its dealer."""

    table: str
    game: str
    state: Literal["betting", "playing", "paused", "closed"]
    version: int
    round: str
    seats: int
    steps: list[StepModel]
    due: list[str] = Field(description="The steps that can be taken now; empty without a current round.")
    dealing: DealModel | None
    take_or_pay: TakeOrPayModel | None
    tabulator: TabulatorModel | None
    meters: dict[str, int] = Field(description="The meters by spot, in cents.")


class PrizeModel(BaseModel):
    """A prize of a hand."""

    seat: int
    event: str
    words: str
    cents: int


class ClaimResponse(BaseModel):
    """A claim: prizes that are paid at once, and prizes that wait for a second person."""

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
