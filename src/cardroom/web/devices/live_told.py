"""What a dealer's console tells: the bodies of its calls."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from cardroom.web.devices.told import Id, Places, Position, RoundName, Text, Told

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


class BeginTold(Told):
    """A dealer begins a round."""

    id: Id
    positions: Positions


class StepTold(Told):
    """The dealer takes a step."""

    id: Id
    step: Word
    positions: Positions | None = Field(default=None, description="Who plays, told anew with the wagers.")
    covered: Places | None = Field(default=None, description="Where jackpot wagers lie, told with TABULATE.")
    lammers: Places = Field(default={}, description="Beside which of them lammers lie that no sensor sees.")


class UndoTold(Told):
    """The last step was not meant."""

    id: Id


class CardsTold(Told):
    """What a payment needs. What was typed before for the same place, seat or question is replaced."""

    id: Id
    cards: Piles = Field(default={})
    wagers: dict[Seat, Annotated[dict[Spot, Cents], Field(max_length=20)]] = Field(
        default={}, max_length=16, description="By seat: its wagers in cents, all of them."
    )
    answers: dict[Seat, Annotated[dict[Word, Answer], Field(max_length=10)]] = Field(
        default={}, max_length=16, description="By seat and question."
    )


class EndTold(Told):
    """All steps are taken."""

    id: Id


class CallOffTold(Told):
    """The round is void; two people say so."""

    id: Id
    second: Text = Field(description="The login of the second person, who answers for it too.", examples=["sam"])
    second_password: str = Field(max_length=300, description="Of the second person, who signs for this one act.")
    why: Text = Field(examples=["the shuffler jammed"])


class ClaimTold(Told):
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
