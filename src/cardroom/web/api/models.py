"""The request and response models of the API. The OpenAPI document is generated from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from cardroom.games import game_slugs
from cardroom.web.api.refusals import describe_pattern

MAX_CENTS = 10**15
"""The largest amount that the ledger can store."""

CommandId = Annotated[
    str,
    StringConstraints(pattern=describe_pattern(r"^[ -~]{1,100}$", "1 to 100 printable ASCII characters")),
    Field(description="Chosen by the sender. A repeated request gets the first response."),
]


def _require_integer(value: object) -> object:
    """Convert a whole float to an integer, because JSON has one number type."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


# The bounds come before the validator, because the OpenAPI document would not include them otherwise.
Cents = Annotated[int, Field(ge=0, le=MAX_CENTS), BeforeValidator(_require_integer)]
BuyIn = Annotated[int, Field(ge=1, le=MAX_CENTS), BeforeValidator(_require_integer)]
SeatNumber = Annotated[int, Field(ge=1, le=100), BeforeValidator(_require_integer)]
BotCount = Annotated[int, Field(ge=0, le=6), BeforeValidator(_require_integer)]
PlayerBalance = Annotated[int, Field(description="In cents.")]
Game = Annotated[str, Field(json_schema_extra={"enum": list(game_slugs())})]


class RequestModel(BaseModel):
    """A request. It is strict: a number is not a text, and unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewGuestRequest(RequestModel):
    """Admits a guest."""

    id: CommandId


class NewTableRequest(RequestModel):
    """Opens a private practice table."""

    id: CommandId
    game: Game
    setup: dict[str, Any] | None = Field(
        None,
        description="A complete setup in place of the default one, as `cardroom settle --example` prints it under "
        "`table`, without meter wagers.",
    )
    company: BotCount = Field(0, description="The number of bots. At least one seat must stay free.")


class SeatRequest(RequestModel):
    """Takes a seat with chips."""

    id: CommandId
    seat: SeatNumber | None = Field(None, description="The first free seat if left out.")
    buy_in_cents: BuyIn | None = Field(None, description="The usual amount if left out.")


class LeaveSeatRequest(RequestModel):
    """Leaves a seat."""

    id: CommandId


RoundId = Annotated[str, StringConstraints(max_length=80)] | None


class WagersRequest(RequestModel):
    """All wagers of a seat. An empty set removes them."""

    id: CommandId
    wagers: dict[Annotated[str, StringConstraints(max_length=60)], Cents] = Field(
        max_length=20, description="By spot, in cents."
    )
    words: str = Field("", max_length=100, description="Your own seed, added to the shuffle.")
    round: RoundId = Field(None, description="The round of the wagers. Refused if another round is next.")


class DecisionRequest(RequestModel):
    """A player's decision."""

    id: CommandId
    answer: str = Field(
        min_length=1, max_length=200, description="One of the options of the seat's turn, exactly as listed there."
    )
    round: RoundId = Field(None, description="The round of the decision. Refused if another round is in progress.")
    question: Annotated[str, StringConstraints(max_length=60)] | None = Field(
        None, description="The question of the decision. Refused if the seat has another one."
    )


# Responses


class ResponseModel(BaseModel):
    """A response."""

    model_config = ConfigDict(extra="forbid")


class GuestResponse(ResponseModel):
    """A new guest."""

    player: str
    token: str
    balance_cents: PlayerBalance
    money: Literal["play"]


class PlayerSeatResponse(ResponseModel):
    """A seat of the player."""

    table: str
    seat: int
    chips_cents: PlayerBalance


class PlayerResponse(ResponseModel):
    """The calling player."""

    player: str
    balance_cents: PlayerBalance
    money: Literal["play", "room"]
    seats: list[PlayerSeatResponse]


class TableListing(ResponseModel):
    """A table in the list."""

    table: str
    game: str
    mode: Literal["automatic", "live"]
    money: Literal["play", "room"]
    state: Literal["betting", "playing", "paused", "closed"]
    seats: dict[str, str | None] = Field(description="Players by seat; null for a free seat.")
    jackpots: dict[str, int] = Field(description="The meters by spot, in cents.")


class NewTableResponse(ResponseModel):
    """A new private practice table."""

    table: str


class SeatResponse(ResponseModel):
    """The table after a command, for the caller's seat."""

    table: str
    version: int = Field(description="The number of events of the table.")
    state: Literal["betting", "playing", "paused", "closed"]
    seat: int | None
    chips_cents: PlayerBalance
    round: str = Field(description="The current or the next round.")


class SeatModel(ResponseModel):
    """A seated player."""

    player: str
    chips_cents: PlayerBalance


class NextRoundModel(ResponseModel):
    """The next round."""

    round: str
    seal: str = Field(description="Commits to the key of its shuffle before the first wager.")


class ViewModel(ResponseModel):
    """A round as the caller may see it. Face-down cards are `??`."""

    viewer: int | str
    wagers: dict[str, dict[str, int]]
    cards: dict[str, list[str]]
    decisions: list[dict[str, Any]]
    turn: dict[str, Any]


class CurrentRoundModel(ResponseModel):
    """The current round."""

    round: str
    seal: str
    view: ViewModel


class TableResponse(ResponseModel):
    """A table as the caller may see it."""

    table: str
    game: str
    money: Literal["play", "room"]
    state: Literal["betting", "playing", "paused", "closed"]
    version: int
    seat: int | None
    chips_cents: PlayerBalance
    seats: dict[str, SeatModel]
    round: CurrentRoundModel | None
    coming: NextRoundModel | None
    laid: dict[str, dict[str, int]] = Field(description="The wagers of the next round, by seat.")
    last_round: str | None
    meters: dict[str, int]
    deadline: int = Field(0, description="The deadline of the wagers or the decision, in microseconds since 1970.")


class AdviceOptionModel(ResponseModel):
    """An option and its expected value."""

    answer: str
    value_cents: float = Field(description="The expected net result of the affected stakes.")
    fraction: str = Field(description="The exact value.")
    standard_error: float | None = Field(description="Of a simulated value; null if it is exact.")


class AdviceResponse(ResponseModel):
    """All options of the seat, best first."""

    table: str
    version: int
    round: str
    seat: int
    question: str
    options: list[AdviceOptionModel]


class PlayerRoundModel(ResponseModel):
    """A past round of the caller's seat."""

    round: str = Field(description="`GET /api/v1/rounds/{round}` has the details.")
    table: str
    number: int
    game: str
    money: Literal["play", "room"]
    ended: int = Field(description="Its end, in microseconds since 1970, UTC.")
    seat: int
    wagered_cents: PlayerBalance
    returned_cents: PlayerBalance
    net_cents: PlayerBalance
    void: bool = Field(description="Whether the round is void and every wager was returned.")


class PlayerRoundsResponse(ResponseModel):
    """Past rounds of the caller, newest first."""

    rounds: list[PlayerRoundModel]
    before: str | None = Field(description="Send it as `before` for the next page; null at the end.")


class PastRoundResponse(BaseModel):
    """A round that has ended."""

    round: str
    table: str
    record: dict[str, Any] = Field(description="The input of `cardroom settle -`.")
    payments: list[dict[str, Any]] = Field(description="Its output.")
    seal: str
    key: str


class HealthResponse(ResponseModel):
    """The state of the server."""

    status: Literal["ok"]
    version: str
    database: Literal["reachable"]
    server: str
    """The name of this server process."""
    tables: int
    """The number of tables that it runs."""
