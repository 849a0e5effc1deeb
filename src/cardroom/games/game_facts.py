"""The facts of a game: its wagers and their spots, decks, options, and approved tabulators."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from cardroom.cards import Deck
from cardroom.enums import TypeableEnum
from cardroom.paytables.sheets import has_sheet, sheet_title


class TabulatorType(TypeableEnum, StrEnum):
    """The models of the Bonus Jackpot System (BJ-1)."""

    MILKY_WAY = "milky-way"
    ANDROMEDA_1 = "andromeda-1"
    ANDROMEDA_3C = "andromeda-3c"
    ANDROMEDA_3D = "andromeda-3d"

    @property
    def positions(self) -> int:
        """The number of positions that a unit of this model watches."""
        return 16 if self in (TabulatorType.ANDROMEDA_3C, TabulatorType.ANDROMEDA_3D) else 7


class JackpotWager(NamedTuple):
    """What a jackpot wager may be (BJ-6): one amount from the list, or any one amount that the operator fixes."""

    amounts: tuple[int, ...] = ()
    rule: str = "BJ-6"
    has_scaled_prizes: bool = False
    """Whether the fixed prizes are printed for one dollar and grow with the wager."""


class Feature(NamedTuple):
    """A bonus feature: a separate prize on a wager that is large enough."""

    kind: str
    name: str
    paytable_group: str
    """The group of its printed tables; two kinds can use the same group."""
    rule: str = "rules"
    qualifying_rule: str = "rules"
    """The rule that requires a qualifying wager."""


@dataclass(frozen=True, slots=True)
class Wager:
    """A wager that the rules offer, and the spots of the layout where it can be placed."""

    slug: str
    name: str
    spots: tuple[str, ...] = ()
    """Every betting spot that it can have; empty for one spot with the name of the wager."""
    required: bool = False
    """Whether every player must make it."""
    stakes: int = 1
    """How many equal stakes the amount is put on before the deal, such as one on each of two hands."""
    largest_raise: int = 1
    """The largest single wager that may follow, in units of the first."""
    most_units: int = 1
    """The most units on which a line of its paytable pays a player in a deal, with raises and second hands."""
    divisor: int = 1
    """Into how many equal parts the wager may have to be divided (a surrender halves it)."""
    jackpot: JackpotWager | None = None
    features: tuple[Feature, ...] = ()
    """The features that it may have, one per table."""
    qualifying: int = 0
    """The least wager, in cents, for which a setup may offer one of the features."""
    decks_rule: str = "paytables"
    """The rule that limits some of its printed tables to numbers of decks."""

    @property
    def most_stakes(self) -> int:
        """The most stakes on which a line of its paytable pays a player in a deal: a raise is one stake of any size. A
        prize in dollars is paid on each."""
        return self.most_units - self.largest_raise + 1

    def feature(self, kind: str) -> Feature | None:
        """The feature of this kind, if the wager may have it."""
        return next((feature for feature in self.features if feature.kind == kind), None)


class GameOption(NamedTuple):
    """A choice that the rules leave to the operator; the first value is the default."""

    name: str
    values: tuple[str | bool, ...]
    text: str
    """What it decides, for players and operators."""
    rule: str = ""
    """Where the sheet says so."""

    @property
    def default(self) -> str | bool:
        """The first one."""
        return self.values[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """The facts of a game."""

    slug: str
    name: str
    sheet: str
    """The rule sheet's file name, which begins with its number, or another source of the rules."""
    decks: tuple[Deck, ...]
    """The decks that it may be dealt from; the first is the default."""
    wagers: tuple[Wager, ...]
    tabulators: tuple[TabulatorType, ...]
    options: tuple[GameOption, ...] = ()
    table_cards: int = 0
    """The most cards that the table itself needs in a round: dealer's, community, and burned cards."""
    seat_cards: int = 0
    """The most cards that one seat needs in a round."""
    most_spots: int | None = None
    """How many spots one player may use by the rules of play, whatever the jurisdiction."""
    promotion_consent: str = ""
    """The company whose written consent the sheet requires for a promotion; empty when none is."""

    @property
    def sheet_title(self) -> str:
        """The title and date of the rule sheet."""
        return sheet_title(self.slug) if has_sheet(self.slug) else self.sheet

    def wager(self, slug: str) -> Wager:
        """The wager with this slug."""
        return next(wager for wager in self.wagers if wager.slug == slug)

    def seats(self, deck: Deck) -> int:
        """The number of seats that the deck serves; its number of cards where seats receive none."""
        if not self.seat_cards:
            return deck.size
        return (deck.size - self.table_cards) // self.seat_cards
