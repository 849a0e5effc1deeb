"""From a key to the cards on the layout: whether a seal opens, which order follows, and where its cards went.

Anybody can do this with what is told when a round has ended: its id, the seal that was shown before the first wager,
the key, the players' words, and the record of what was dealt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from cardroom.cards import Card, Deck, Seal
from cardroom.cards.shuffle_by_hand import ShuffleByHand, shuffle_by_hand
from cardroom.faults import BadInput, quoted
from cardroom.games.actions import Deal, Decide, TakeStep
from cardroom.games.places import Place
from cardroom.games.record import round_from
from cardroom.games.round import Round
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn
from cardroom.games.written import a_list, mapping, seat_named

_HEX: Final = re.compile("[0-9a-f]{64}")
_NAMES: Final = ("round", "seal", "key", "record")


class BadSeal(BadInput):
    """What is no seal, no key or no exported round."""


class DealtCard(NamedTuple):
    """A card of the order, and what lay at the place where it went."""

    place: Place
    card: Card
    recorded: Card


@dataclass(frozen=True, slots=True)
class Told:
    """What is told of a sealed round."""

    round: str
    key: bytes
    seal: str | None
    """As it was shown; None where nobody said it."""
    words: Mapping[int, str]
    deck: Deck
    played: Round | None = None
    """The round, where its record was told."""


@dataclass(frozen=True, slots=True)
class SealCheck:
    """The whole way, and whether each part of it holds."""

    told: Told
    by_hand: ShuffleByHand
    same_order: bool
    """Whether the shuffle that deals comes to the order that was worked out by hand."""
    dealt: tuple[DealtCard, ...]

    @property
    def opens(self) -> bool | None:
        """Whether the key opens the seal that was shown; None where nobody said which one was."""
        return None if self.told.seal is None else self.told.seal == self.by_hand.seal

    @property
    def astray(self) -> tuple[DealtCard, ...]:
        """Places where another card lay than the one that went there."""
        return tuple(one for one in self.dealt if one.card != one.recorded)

    @property
    def holds(self) -> bool:
        return self.opens is not False and self.same_order and not self.astray

    def entry(self) -> dict[str, Any]:
        """As JSON."""
        told, by_hand = self.told, self.by_hand
        entry: dict[str, Any] = {
            "round": told.round,
            "key": told.key.hex(),
            "words": {str(seat): one for seat, one in told.words.items()},
            "seal": by_hand.seal,
            "shown": told.seal,
            "opens": self.opens,
            "message": by_hand.message.hex(),
            "stream_key": by_hand.stream_key,
            "left_out": by_hand.left_out,
            "draws": [one._asdict() for one in by_hand.draws],
            "order": [str(one) for one in by_hand.order],
        }
        if told.played is not None:
            entry["dealt"] = [
                {"place": str(one.place), "card": str(one.card), "recorded": str(one.recorded)} for one in self.dealt
            ]
        return entry | {"holds": self.holds}


def hex_32(text: object, what: str) -> str:
    """32 bytes in hexadecimal: a key or a seal.

    >>> hex_32("00ff", "The key")
    Traceback (most recent call last):
    ...
    cardroom.games.sealed.BadSeal: The key has 64 hexadecimal digits; '00ff' has not.
    """
    digits = text.strip().lower() if isinstance(text, str) else ""
    if not _HEX.fullmatch(digits):
        raise BadSeal(f"{what} has 64 hexadecimal digits; {quoted(text)} has not.")
    return digits


def told_in(entry: object) -> Told:
    """What an exported round tells: ``cardroom rounds export``, or the document of a round over HTTP."""
    top = mapping(entry, "the exported round")
    if "rounds" in top:
        rounds = a_list(top["rounds"], "'rounds'")
        if len(rounds) != 1:
            raise BadSeal(f"One round is checked at a time, and this document has {len(rounds):,}: export one of them.")
        top = mapping(rounds[0], "the exported round")
    missing = [name for name in _NAMES if name not in top]
    if missing:
        raise BadSeal(
            f"An exported round has {', '.join(_NAMES)}; this document lacks {', '.join(missing)}. Name a file that "
            "`cardroom rounds export ROUND -o FILE.json` wrote."
        )
    if not isinstance(top["round"], str):
        raise BadSeal(f"'round' is the id of a round; {quoted(top['round'])} is none.")
    words = {seat_named(seat): word for seat, word in mapping(top.get("words", {}), "'words'").items()}
    for word in words.values():
        if not isinstance(word, str):
            raise BadSeal(f"The words of a seat are a text; {quoted(word)} is none.")
    played = round_from(top["record"])
    key = bytes.fromhex(hex_32(top["key"], "The key"))
    return Told(top["round"], key, hex_32(top["seal"], "The seal"), words, played.table.deck, played)


def check_seal(told: Told) -> SealCheck:
    """Go the whole way from the key: twice, once as the round was dealt and once by hand."""
    by_hand = shuffle_by_hand(told.key, told.round, told.words, told.deck)
    same = Seal(told.key, told.round).shuffle(told.deck, told.words) == by_hand.order
    return SealCheck(told, by_hand, same, () if told.played is None else _dealt(told.played, by_hand.order))


def _dealt(end: Round, order: tuple[Card, ...]) -> tuple[DealtCard, ...]:
    """The cards of the order, each at the place where the rules put it; the round goes on with what was recorded."""
    found, r = list[DealtCard](), end.game.begin(end.table, end.bets)
    while True:
        match r.turn:
            case ChanceTurn(place) if len(end.dealt.get(place, ())) > len(r.dealt.get(place, ())):
                recorded = end.dealt[place][len(r.dealt.get(place, ()))]
                found.append(DealtCard(place, order[len(found)], recorded))
                r = r.apply(Deal(recorded))
            case SeatTurn(seat, question) if (seat, question) in end.decisions:
                r = r.apply(Decide(seat, end.decisions[seat, question]))
            case DealerTurn(step) if step in end.steps:
                r = r.apply(TakeStep(step))
            case Over() | _:
                return tuple(found)
