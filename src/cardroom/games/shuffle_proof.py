"""Verify a shuffle from its key to the cards on the layout: the seal, the order of the cards, and their places.

Anyone can verify a round that has ended from its id, the seal shown before the first wager, the key, the players'
seeds, and the record of the round.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from cardroom.cards import Card, Deck, Seal
from cardroom.cards.shuffle_trace import ShuffleTrace, trace_shuffle
from cardroom.errors import BadInput, quote
from cardroom.games.actions import ChanceTurn, Deal, DealerTurn, Decide, RoundEnd, SeatTurn, TakeStep
from cardroom.games.card_places import Place
from cardroom.games.record import parse_seat, require_list, require_mapping, round_from_json
from cardroom.games.round import Round

_HEX: Final = re.compile("[0-9a-f]{64}")
_EXPORT_KEYS: Final = ("round", "seal", "key", "record")


class BadSeal(BadInput):
    """An invalid seal, key, or exported round."""


class DealtCardCheck(NamedTuple):
    """A card of the shuffled order, its place, and the recorded card there."""

    place: Place
    card: Card
    recorded: Card


@dataclass(frozen=True, slots=True)
class SealedRound:
    """The published data of a sealed round."""

    round_id: str
    key: bytes
    seal: str | None
    """The seal as shown; None if it was not given."""
    player_seeds: Mapping[int, str]
    deck: Deck
    played_round: Round | None = None
    """The round, if its record was given."""


@dataclass(frozen=True, slots=True)
class SealCheck:
    """The result of each step of the verification."""

    sealed_round: SealedRound
    manual_shuffle: ShuffleTrace
    is_same_order: bool
    """Whether the production shuffle gives the order of the independent one."""
    card_checks: tuple[DealtCardCheck, ...]

    @property
    def is_key_match(self) -> bool | None:
        """Whether the key matches the seal that was shown; None if no seal was given."""
        return None if self.sealed_round.seal is None else self.sealed_round.seal == self.manual_shuffle.commitment

    @property
    def mismatches(self) -> tuple[DealtCardCheck, ...]:
        """Places where the recorded card is not the card of the shuffle."""
        return tuple(check for check in self.card_checks if check.card != check.recorded)

    @property
    def is_valid(self) -> bool:
        return self.is_key_match is not False and self.is_same_order and not self.mismatches

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        sealed_round, manual_shuffle = self.sealed_round, self.manual_shuffle
        document: dict[str, Any] = {
            "round": sealed_round.round_id,
            "key": sealed_round.key.hex(),
            "words": {str(seat): item for seat, item in sealed_round.player_seeds.items()},
            "seal": manual_shuffle.commitment,
            "shown": sealed_round.seal,
            "opens": self.is_key_match,
            "message": manual_shuffle.message.hex(),
            "stream_key": manual_shuffle.stream_key,
            "left_out": manual_shuffle.rejected_count,
            "draws": [item._asdict() for item in manual_shuffle.draws],
            "order": [str(item) for item in manual_shuffle.order],
        }
        if sealed_round.played_round is not None:
            document["dealt"] = [
                {"place": str(item.place), "card": str(item.card), "recorded": str(item.recorded)}
                for item in self.card_checks
            ]
        return document | {"holds": self.is_valid}


def parse_hex_32(text: object, value_name: str) -> str:
    """32 bytes in hexadecimal: a key or a seal.

    >>> parse_hex_32("00ff", "The key")
    Traceback (most recent call last):
    ...
    cardroom.games.shuffle_proof.BadSeal: The key has 64 hexadecimal digits; '00ff' has not.
    """
    digits = text.strip().lower() if isinstance(text, str) else ""
    if not _HEX.fullmatch(digits):
        raise BadSeal(f"{value_name} has 64 hexadecimal digits; {quote(text)} has not.")
    return digits


def sealed_round_from_json(document: object) -> SealedRound:
    """What an exported round tells: ``cardroom rounds export``, or the document of a round over HTTP."""
    top = require_mapping(document, "the exported round")
    if "rounds" in top:
        rounds = require_list(top["rounds"], "'rounds'")
        if len(rounds) != 1:
            raise BadSeal(f"One round is checked at a time, and this document has {len(rounds):,}: export one of them.")
        top = require_mapping(rounds[0], "the exported round")
    missing = [name for name in _EXPORT_KEYS if name not in top]
    if missing:
        raise BadSeal(
            f"An exported round has {', '.join(_EXPORT_KEYS)}; this document lacks {', '.join(missing)}. Name a file "
            "that "
            "`cardroom rounds export ROUND -o FILE.json` wrote."
        )
    if not isinstance(top["round"], str):
        raise BadSeal(f"'round' is the id of a round; {quote(top['round'])} is none.")
    player_seeds = {
        parse_seat(seat): player_seed for seat, player_seed in require_mapping(top.get("words", {}), "'words'").items()
    }
    for player_seed in player_seeds.values():
        if not isinstance(player_seed, str):
            raise BadSeal(f"The words of a seat are a text; {quote(player_seed)} is none.")
    played_round = round_from_json(top["record"])
    key = bytes.fromhex(parse_hex_32(top["key"], "The key"))
    return SealedRound(
        top["round"], key, parse_hex_32(top["seal"], "The seal"), player_seeds, played_round.table.deck, played_round
    )


def check_seal(sealed_round: SealedRound) -> SealCheck:
    """Go the whole way from the key: twice, once as the round was dealt and once by hand."""
    manual_shuffle = trace_shuffle(
        sealed_round.key, sealed_round.round_id, sealed_round.player_seeds, sealed_round.deck
    )
    is_same_order = (
        Seal(sealed_round.key, sealed_round.round_id).shuffle(sealed_round.deck, sealed_round.player_seeds)
        == manual_shuffle.order
    )
    return SealCheck(
        sealed_round,
        manual_shuffle,
        is_same_order,
        ()
        if sealed_round.played_round is None
        else _check_dealt_cards(sealed_round.played_round, manual_shuffle.order),
    )


def _check_dealt_cards(final_round: Round, order: tuple[Card, ...]) -> tuple[DealtCardCheck, ...]:
    """The cards of the order, each at the place where the rules put it; the round goes on with what was recorded."""
    checks, r = list[DealtCardCheck](), final_round.game.begin(final_round.table, final_round.bets)
    while True:
        match r.turn:
            case ChanceTurn(place) if len(final_round.piles.get(place, ())) > len(r.piles.get(place, ())):
                recorded = final_round.piles[place][len(r.piles.get(place, ()))]
                checks.append(DealtCardCheck(place, order[len(checks)], recorded))
                r = r.apply(Deal(recorded))
            case SeatTurn(seat, question) if (seat, question) in final_round.decisions:
                r = r.apply(Decide(seat, final_round.decisions[seat, question]))
            case DealerTurn(step) if step in final_round.steps:
                r = r.apply(TakeStep(step))
            case RoundEnd() | _:
                return tuple(checks)
