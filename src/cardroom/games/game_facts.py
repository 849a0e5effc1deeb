"""The spots of a layout and the facts of a game that the rest of the house asks for."""

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
        """How many positions a unit of this model watches."""
        return 16 if self in (TabulatorType.ANDROMEDA_3C, TabulatorType.ANDROMEDA_3D) else 7


class JackpotWager(NamedTuple):
    """What a jackpot wager may be (BJ-6): one amount from the list, or any one amount that the operator fixes."""

    amounts: tuple[int, ...] = ()
    rule: str = "BJ-6"
    has_scaled_prizes: bool = False
    """Whether the fixed prizes are printed for one dollar and grow with the wager."""


class Feature(NamedTuple):
    """A prize of its own that may ride on a wager which is large enough."""

    kind: str
    name: str
    paytable_group: str
    """What its printed tables are called; two kinds can use the same ones."""
    rule: str = "rules"
    qualifying_rule: str = "rules"
    """What asks for a wager that is large enough."""


@dataclass(frozen=True, slots=True)
class Wager:
    """A wager that the rules offer, and the spots of the layout where it can be placed."""

    slug: str
    name: str
    spots: tuple[str, ...] = ()
    """Every betting spot that it can have, when that is not one spot of the same name."""
    required: bool = False
    """Whether every player must make it."""
    stakes: int = 1
    """How many equal stakes the amount is put on before the deal, such as one on each of two hands."""
    largest_raise: int = 1
    """The largest single wager that may follow, in units of the first."""
    most_units: int = 1
    """On how many units at most a line of its paytable pays a player in a deal, raises and second hands included."""
    divisor: int = 1
    """Into how many equal parts the wager may have to be divided (a surrender halves it)."""
    jackpot: JackpotWager | None = None
    features: tuple[Feature, ...] = ()
    """The features that it may have, one at a time."""
    qualifying: int = 0
    """The least wager, in cents, for which a set-up may offer one of the features."""
    decks_rule: str = "paytables"
    """What ties some of its printed tables to numbers of decks."""

    @property
    def most_stakes(self) -> int:
        """On how many stakes at most a line of its paytable pays a player in a deal: a raise is one, whatever its
        size. A prize in dollars is paid on each."""
        return self.most_units - self.largest_raise + 1

    def feature(self, kind: str) -> Feature | None:
        """The feature of this kind, if the wager may have it."""
        return next((feature for feature in self.features if feature.kind == kind), None)


class GameOption(NamedTuple):
    """A choice that the rules leave to the operator."""

    name: str
    values: tuple[str | bool, ...]
    text: str

    @property
    def default(self) -> str | bool:
        """The first one."""
        return self.values[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """What a game is, in a small table of facts."""

    slug: str
    name: str
    sheet: str
    """The rule sheet's file name, which begins with its number; or what the rules are known by."""
    decks: tuple[Deck, ...]
    """What it may be dealt from; the first is the default."""
    wagers: tuple[Wager, ...]
    tabulators: tuple[TabulatorType, ...]
    options: tuple[GameOption, ...] = ()
    table_cards: int = 0
    """Cards that the table itself can need in a round: the dealer's, the community's, burnt ones."""
    seat_cards: int = 0
    """Cards that one seat can need in a round."""
    most_spots: int | None = None
    """How many spots one player may use by the rules of play, whatever the jurisdiction."""
    promotion_consent: str = ""
    """Whose written consent the sheet asks for before a promotion is added to the game; nobody's when empty."""

    @property
    def sheet_title(self) -> str:
        """The rule sheet as people cite it, by its title and date."""
        return sheet_title(self.slug) if has_sheet(self.slug) else self.sheet

    def wager(self, slug: str) -> Wager:
        """The wager with this slug."""
        return next(wager for wager in self.wagers if wager.slug == slug)

    def seats(self, deck: Deck) -> int:
        """How many seats the deck serves; as many as it has cards where no seat is dealt any."""
        if not self.seat_cards:
            return deck.size
        return (deck.size - self.table_cards) // self.seat_cards
