"""What calls say and what they are answered, typed; the description of the API is made from this."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from cardroom.games import game_slugs
from cardroom.web.api.refusals import describe_pattern

MAX_CENTS = 10**15
"""More than all the money in the world; it still fits into the books."""

CommandId = Annotated[
    str,
    StringConstraints(pattern=describe_pattern(r"^[ -~]{1,100}$", "1 to 100 printable ASCII characters")),
    Field(description="Made by the sender. Sent again it gives the first answer again."),
]


def _require_integer(value: object) -> object:
    """JSON knows one kind of number: 5.0 is 5."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


# The bounds stand before what reads the number: the description of the API would not tell them otherwise.
Cents = Annotated[int, Field(ge=0, le=MAX_CENTS), BeforeValidator(_require_integer)]
BuyIn = Annotated[int, Field(ge=1, le=MAX_CENTS), BeforeValidator(_require_integer)]
SeatNumber = Annotated[int, Field(ge=1, le=100), BeforeValidator(_require_integer)]
BotCount = Annotated[int, Field(ge=0, le=6), BeforeValidator(_require_integer)]
PlayerBalance = Annotated[int, Field(description="In cents.")]
Game = Annotated[str, Field(json_schema_extra={"enum": list(game_slugs())})]


class RequestModel(BaseModel):
    """What a call says. Nothing is guessed: 5 is no text, and a name that is not known is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewGuestRequest(RequestModel):
    """Somebody comes in."""

    id: CommandId


class NewTableRequest(RequestModel):
    """A private practice table."""

    id: CommandId
    game: Game
    setup: dict[str, Any] | None = Field(
        None,
        description="Another set-up than the usual one, whole, as `cardroom settle --example` writes it under `table`; "
        "without wagers that play for a meter.",
    )
    company: BotCount = Field(0, description="How many seats the house fills; one at least must be left.")


class SeatRequest(RequestModel):
    """A seat, with chips."""

    id: CommandId
    seat: SeatNumber | None = Field(None, description="The first free one when left out.")
    buy_in_cents: BuyIn | None = Field(None, description="The customary amount when left out.")


class LeaveSeatRequest(RequestModel):
    """A seat is left."""

    id: CommandId


RoundId = Annotated[str, StringConstraints(max_length=80)] | None


class WagersRequest(RequestModel):
    """The wagers of a seat, complete; none at all takes back what was laid."""

    id: CommandId
    wagers: dict[Annotated[str, StringConstraints(max_length=60)], Cents] = Field(
        max_length=20, description="By spot, in cents."
    )
    words: str = Field("", max_length=100, description="Words of your own, added to the shuffle.")
    round: RoundId = Field(None, description="The round that they are for; refused when another one comes next.")


class DecisionRequest(RequestModel):
    """An answer."""

    id: CommandId
    answer: str = Field(
        min_length=1, max_length=200, description="One of the options of the seat's turn, as written there."
    )
    round: RoundId = Field(None, description="The round that it is for; refused when another one is played.")
    question: Annotated[str, StringConstraints(max_length=60)] | None = Field(
        None, description="The question that it answers; refused when the seat is asked another one."
    )


# Answers


class ResponseModel(BaseModel):
    """What a call is answered."""

    model_config = ConfigDict(extra="forbid")


class GuestResponse(ResponseModel):
    """A player who has come in."""

    player: str
    token: str
    balance_cents: PlayerBalance
    money: Literal["play"]


class PlayerSeatResponse(ResponseModel):
    """A seat that a player has."""

    table: str
    seat: int
    chips_cents: PlayerBalance


class PlayerResponse(ResponseModel):
    """The caller."""

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
    seats: dict[str, str | None] = Field(description="Who sits where; null for a free seat.")
    jackpots: dict[str, int] = Field(description="What the meters show, by spot, in cents.")


class NewTableResponse(ResponseModel):
    """A private practice table that is open now."""

    table: str


class SeatResponse(ResponseModel):
    """A felt after a command, as it concerns the caller's seat."""

    table: str
    version: int = Field(description="How many events there have been at the table.")
    state: Literal["betting", "playing", "paused", "closed"]
    seat: int | None
    chips_cents: PlayerBalance
    round: str = Field(description="The round that is played, or comes next.")


class SeatModel(ResponseModel):
    """Somebody at a seat."""

    player: str
    chips_cents: PlayerBalance


class NextRoundModel(ResponseModel):
    """The round that comes next."""

    round: str
    seal: str = Field(description="What fixes the key of its shuffle before the first wager.")


class ViewModel(ResponseModel):
    """A round as the caller may see it; card backs are `??`."""

    viewer: int | str
    wagers: dict[str, dict[str, int]]
    cards: dict[str, list[str]]
    decisions: list[dict[str, Any]]
    turn: dict[str, Any]


class CurrentRoundModel(ResponseModel):
    """The round that is played."""

    round: str
    seal: str
    view: ViewModel


class TableResponse(ResponseModel):
    """What the caller may see of a table."""

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
    laid: dict[str, dict[str, int]] = Field(description="The wagers of the coming round, by seat.")
    last_round: str | None
    meters: dict[str, int]
    deadline: int = Field(0, description="When the wagers or the answer must be there, in microseconds since 1970.")


class AdviceOptionModel(ResponseModel):
    """An answer, and what it is worth."""

    answer: str
    value_cents: float = Field(description="The expected net result of the stakes that hang on it.")
    fraction: str = Field(description="The same, exactly.")
    standard_error: float | None = Field(description="Of the value, when it was simulated; null when it is exact.")


class AdviceResponse(ResponseModel):
    """Every answer that the seat may give, the best first."""

    table: str
    version: int
    round: str
    seat: int
    question: str
    options: list[AdviceOptionModel]


class PlayerRoundModel(ResponseModel):
    """A round that the caller has played, as it concerns the caller's seat."""

    round: str = Field(description="`GET /api/v1/rounds/{round}` tells it in full.")
    table: str
    number: int
    game: str
    money: Literal["play", "room"]
    ended: int = Field(description="When it ended, in microseconds since 1970, UTC.")
    seat: int
    wagered_cents: PlayerBalance
    returned_cents: PlayerBalance
    net_cents: PlayerBalance
    void: bool = Field(description="Whether it was called off, and every wager went back.")


class PlayerRoundsResponse(ResponseModel):
    """Rounds that the caller has played, the newest first."""

    rounds: list[PlayerRoundModel]
    before: str | None = Field(description="Send it as `before` to get the next page; null at the end.")


class PastRoundResponse(BaseModel):
    """A round that has ended."""

    round: str
    table: str
    record: dict[str, Any] = Field(description="What `cardroom settle -` takes.")
    payments: list[dict[str, Any]] = Field(description="What it gives.")
    seal: str
    key: str


class HealthResponse(ResponseModel):
    """How the server is."""

    status: Literal["ok"]
    version: str
    database: Literal["reachable"]
    server: str
    """Its name, of this run: of several servers each has its own."""
    tables: int
    """How many it runs."""
