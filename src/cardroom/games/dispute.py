"""A written round settled, with all that a dispute asks for: how the dealer's hand came about, what is certain although
some cards are known to nobody, and what somebody wrote beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cardroom.games.game import RoundNotOver
from cardroom.games.places import DEALER_HAND, Place
from cardroom.games.record import replayed
from cardroom.games.settlement import Payment, Settlement
from cardroom.games.spot import GameFacts
from cardroom.games.unknown_cards import Doubt, Settled, settle_unknown, unfinished
from cardroom.games.written import Written, read_record, written


@dataclass(frozen=True, slots=True)
class SettledRecord:
    """The answer to a written round."""

    facts: GameFacts
    stakes: tuple[Settled, ...]
    """Every stake, seat by seat."""
    dealer: str = ""
    """How the dealer's hand was set or judged, in a sentence."""
    note: str = ""
    unknown: Mapping[Place, int] | None = None
    """How many cards nobody knows, by place; None where all are known."""

    @property
    def settlement(self) -> Settlement:
        """The payments that are certain."""
        return Settlement(tuple(one for one in self.stakes if isinstance(one, Payment)))

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The stakes of which the unknown cards decide."""
        return tuple(one for one in self.stakes if isinstance(one, Doubt))

    @property
    def certain(self) -> bool:
        return not self.doubts


def settle_record(text: str, what: str = "This") -> SettledRecord:
    """Play a JSON record again through the rules and settle it. ``what`` names the text in a sentence."""
    return settle_written(written(read_record(text, what)))


def settle_written(said: Written) -> SettledRecord:
    """Settle what was written of a round."""
    if said.unknown:
        stakes = settle_unknown(said)
        return SettledRecord(said.table.facts, stakes, _dealers_hand(said), said.note, said.unknown)
    played = replayed(said, {})
    if not played.is_over:
        raise RoundNotOver(unfinished(played))
    settlement = said.game.settle(played, said.meters)
    settlement.refuse_unknown()
    return SettledRecord(said.table.facts, settlement.payments, said.game.dealers_hand(played), said.note)


def _dealers_hand(said: Written) -> str:
    """As far as all cards of the dealer are known; what the players have does not matter."""
    dealer = said.cards.get(DEALER_HAND, ())
    known = {DEALER_HAND: tuple(one for one in dealer if one is not None)}
    if None in dealer or not dealer:
        return ""
    return said.game.dealers_hand(said.start.with_piles(known))
