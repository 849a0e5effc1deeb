"""A round as JSON at any point, and replayed through the rules: a record that breaks them is refused.

A record contains only what happened: the setup, the wagers, the cards by place, the decisions, and the dealer's steps.
The order follows from the rules, so a person can record a finished round from the table. Amounts are whole cents. A
card that is unknown (discarded, folded, burned, never turned over) is written ``?``.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cardroom.cards import Card, Deck, parse_card
from cardroom.documents import read_json
from cardroom.errors import BadInput, quote, shorten
from cardroom.games.actions import ChanceTurn, DealerStep, DealerTurn, Decide, Decision, RoundEnd, SeatTurn, TakeStep
from cardroom.games.card_places import Pile, Place
from cardroom.games.game import Game
from cardroom.games.money import parse_amount
from cardroom.games.playable_table import Table
from cardroom.games.registry import game
from cardroom.games.round import Round
from cardroom.games.setup import setup_from_json, setup_to_json

MAX_NOTE_LENGTH: Final = 1_000
UNKNOWN_CARD_MARKS: Final = ("?", "??")
"""The marks of an unknown card in a record; a view uses the second for a card back."""

_RECORD_KEYS: Final = ("table", "wagers", "cards", "decisions", "steps", "meters", "note")
_DECISION_KEYS: Final = frozenset({"seat", "question", "answer"})
_SEAT_LIMIT: Final = 1_000
_SEAT_PATTERN: Final = re.compile("[1-9][0-9]{0,2}")
_SEAT_PLACE_PATTERN: Final = re.compile(r"seat (\S+) (.+)")
_BIDI_CONTROLS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that display the letters of a text in another order."""


class BadRecord(BadInput):
    """A record of a round that cannot be read or that breaks the rules."""


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A parsed record, not yet checked against the rules."""

    start: Round
    """The wagers on the layout, and no card dealt."""
    cards: Mapping[Place, tuple[Card | None, ...]]
    """In the order of the deal; None for an unknown card."""
    decisions: Mapping[tuple[int, str], Decision]
    steps: tuple[DealerStep, ...] | None
    """None where the record leaves them out: then they are taken when they are due."""
    meters: Mapping[str, int]
    """What jackpots show, in cents by spot."""
    note: str

    @property
    def game(self) -> Game:
        return self.start.game

    @property
    def table(self) -> Table:
        return self.start.table

    @property
    def unknown_counts(self) -> dict[Place, int]:
        """The number of unknown cards by place."""
        return {place: pile.count(None) for place, pile in self.cards.items() if None in pile}

    @property
    def known_cards(self) -> Counter[Card]:
        """The known cards."""
        return Counter(
            card_or_none for pile in self.cards.values() for card_or_none in pile if card_or_none is not None
        )


def parse_record_json(text: str, source_name: str = "This") -> Mapping[str, Any]:
    """The content of a JSON record, not yet checked. ``source_name`` names the text in error sentences."""
    return require_mapping(read_json(text, BadRecord, source_name), "the record")


def parse_record(document: object) -> RoundRecord:
    """Read a record: its names, its amounts, its cards."""
    top = require_mapping(document, "the record")
    unknown_keys = set(top) - set(_RECORD_KEYS)
    if "record" in unknown_keys:
        raise BadRecord("This is an exported round: settle the value of its 'record'.")
    if unknown_keys:
        raise BadRecord(
            f"The record has {join_first(map(quote, sorted(unknown_keys)))}, which is unknown: use "
            f"{', '.join(_RECORD_KEYS[:-1])} "
            f"and {_RECORD_KEYS[-1]}."
        )
    setup = setup_from_json(require_mapping(top.get("table", {}), "'table'"))
    rules = game(setup.game)
    bets = {
        parse_seat(seat): {
            spot: parse_amount(amount) for spot, amount in require_mapping(spots, f"seat {seat}").items()
        }
        for seat, spots in require_mapping(top.get("wagers", {}), "'wagers'").items()
    }
    table = rules.open(setup)
    cards = {
        parse_place(place): tuple([_parse_card(name, place) for name in require_list(pile, f"cards at {place}")])
        for place, pile in require_mapping(top.get("cards", {}), "'cards'").items()
    }
    _check_card_counts(table.deck, cards)
    answers = _parse_decisions(require_list(top.get("decisions", []), "'decisions'"))
    steps = tuple([_parse_step(name) for name in require_list(top["steps"], "'steps'")]) if "steps" in top else None
    meters = parse_meters(top.get("meters", {}), table)
    note = parse_note(top.get("note", ""))
    return RoundRecord(rules.begin(table, bets), _fill_named_cards(cards, answers), answers, steps, meters, note)


def _fill_named_cards(
    cards: Mapping[Place, tuple[Card | None, ...]], decisions: Mapping[tuple[int, str], Decision]
) -> dict[Place, tuple[Card | None, ...]]:
    """Fill in the cards that a seat's decisions name, where its hand has unknown cards."""
    filled_piles = dict(cards)
    for seat in dict.fromkeys(seat for seat, _ in decisions):
        place = Place(Pile.HAND, seat)
        if None not in filled_piles.get(place, ()):
            continue
        named_counts = Counter[Card]()
        for (decision_seat, _), decision in decisions.items():
            if decision_seat == seat:
                named_counts |= Counter(pile_card for group in decision.groups for pile_card in group)
        hidden_cards = list(
            (named_counts - Counter(pile_card for pile_card in filled_piles[place] if pile_card is not None)).elements()
        )
        filled_piles[place] = tuple(
            [
                hidden_cards.pop() if pile_card is None and hidden_cards else pile_card
                for pile_card in filled_piles[place]
            ]
        )
    return filled_piles


def _check_card_counts(deck: Deck, cards: Mapping[Place, tuple[Card | None, ...]]) -> None:
    """Refuse more copies of a card than the deck has, and name their places."""
    places = defaultdict[Card, list[str]](list)
    for place, pile in cards.items():
        for pile_card in pile:
            if pile_card is not None:
                places[pile_card].append(str(place))
    for pile_card, place_names in places.items():
        if fault := deck.explain_impossible([pile_card] * (len(place_names) - 1), pile_card):
            place_text = " and ".join(
                repr(place) + (f" {times} times" if times > 1 else "") for place, times in Counter(place_names).items()
            )
            raise BadRecord(f"{fault.removesuffix('.')}: look at {place_text}.")


def _parse_decisions(documents: list[Any]) -> dict[tuple[int, str], Decision]:
    answers: dict[tuple[int, str], Decision] = {}
    for document in documents:
        seat, question, decision = _parse_decision(require_mapping(document, "a decision"))
        if (seat, question) in answers:
            raise BadRecord(f"Seat {seat} decides {quote(question)} twice: give one decision.")
        answers[seat, question] = decision
    return answers


def parse_meters(document: object, table: Table) -> dict[str, int]:
    """The amounts on the meters, in cents by spot."""
    if not isinstance(document, Mapping):
        example = '{"jackpot": 1000000}'
        raise BadRecord(f"'meters' names spots and amounts, such as {example}; {quote(document)} does not.")
    meter_spots = [spot for spot, offered in table.spots.items() if offered.has_meter]
    for spot in document:
        if spot not in meter_spots:
            raise BadRecord(f"There is no meter for {quote(spot)}: this table has {_describe_meters(meter_spots)}.")
    meters = {spot: parse_amount(amount) for spot, amount in document.items()}
    for spot, cents in meters.items():
        if cents < 0:
            raise BadRecord(f"The meter of {quote(spot)} cannot show {cents} cents: a meter shows zero or more.")
    return meters


def _describe_meters(spots: list[str]) -> str:
    return f"one for {', '.join(spots)}" if spots else "none, because no line of its tables pays a percentage"


def parse_note(note: object) -> str:
    """The note of a record, which changes nothing."""
    if not isinstance(note, str):
        raise BadRecord(f"'note' must be a text; {quote(note)} is not.")
    if len(note) > MAX_NOTE_LENGTH:
        raise BadRecord(f"'note' has {len(note):,} characters: write {MAX_NOTE_LENGTH:,} at most.")
    for sign in note:
        if sign in _BIDI_CONTROLS or unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp"):
            raise BadRecord(f"'note' has the control character U+{ord(sign):04X}: write it in one line of plain text.")
    return note


def require_mapping(value: object, value_name: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadRecord(f"{shorten(value_name).capitalize()} must be an object with names; {quote(value)} is not.")
    return value


def require_list(value: object, value_name: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadRecord(f"{shorten(value_name).capitalize()} must be a list; {quote(value)} is not.")
    return value


def join_first(texts: Iterable[str], limit: int = 9) -> str:
    """The first items of a list, for a sentence."""
    items = list(texts)
    return ", ".join(items[:limit]) + (f" and {len(items) - limit} more" if len(items) > limit else "")


def _parse_decision(document: Mapping[str, Any]) -> tuple[int, str, Decision]:
    missing = sorted(_DECISION_KEYS - set(document))
    if missing:
        raise BadRecord(
            f"A decision needs seat, question, and answer; {quote(dict(document))} lacks {', '.join(missing)}."
        )
    unknown = sorted(set(document) - _DECISION_KEYS)
    if unknown:
        raise BadRecord(f"A decision has seat, question, and answer, and no {join_first(map(quote, unknown))}.")
    for name in ("question", "answer"):
        if not isinstance(document[name], str):
            raise BadRecord(f"The {name} of a decision must be a text; {quote(document[name])} is not.")
    return parse_seat(document["seat"]), document["question"], Decision.parse(document["answer"])


def _parse_card(name: object, place: str) -> Card | None:
    if name in UNKNOWN_CARD_MARKS:
        return None
    try:
        return parse_card(name if isinstance(name, str) else quote(name))
    except BadInput as fault:
        sentence = str(fault).removesuffix(".")
        raise BadRecord(f"{sentence}, or '?' for an unknown card; look at {quote(place)}.") from None


def parse_seat(value: object) -> int:
    """The number of a seat, 1 or "1" and never "01", so that no seat appears twice."""
    text = str(value) if type(value) is int and 0 < value < _SEAT_LIMIT else value
    if not isinstance(text, str) or not _SEAT_PATTERN.fullmatch(text):
        raise BadRecord(f"{quote(value)} is not a seat: seats are numbered from 1.")
    return int(text)


def _parse_step(name: object) -> DealerStep:
    try:
        return DealerStep(name)  # type: ignore[arg-type]
    except ValueError:
        raise BadRecord(f"{quote(name)} is not a dealer's step: there are {', '.join(DealerStep)}.") from None


def parse_place(text: str) -> Place:
    """A place as ``str`` writes it: ``dealer``, ``community``, ``seat 2 hand``."""
    table_places = {str(Place(pile, None)): Place(pile) for pile in Pile}
    if text in table_places:
        return table_places[text]
    match = _SEAT_PLACE_PATTERN.fullmatch(text)
    if match and match[2] in set(Pile):
        return Place(Pile(match[2]), parse_seat(match[1]))
    raise BadRecord(
        f"{quote(text)} is not a place for cards: write {', '.join(table_places)}, or such as 'seat 1 hand'."
    )


def round_to_json(r: Round) -> dict[str, Any]:
    """The record of a round."""
    return {
        "table": setup_to_json(r.table.setup),
        "wagers": {str(seat): dict(spots) for seat, spots in r.bets.items()},
        "cards": {str(place): [str(card) for card in pile] for place, pile in sorted(r.piles.items(), key=_seat_order)},
        "decisions": [
            {"seat": seat, "question": question, "answer": str(decision)}
            for (seat, question), decision in r.decisions.items()
        ],
        "steps": [str(step) for step in r.steps],
    }


def _seat_order(item: tuple[Place, tuple[Card, ...]]) -> tuple[int, str]:
    place, _ = item
    return place.seat or 0, place.pile


def dump_round(r: Round) -> str:
    """The record of a round as JSON."""
    return json.dumps(round_to_json(r), indent=2)


def load_round(text: str) -> Round:
    """Read a round from its JSON record."""
    return round_from_json(parse_record_json(text))


def round_from_json(document: object) -> Round:
    """Replay a record: the rules must allow every card, decision, and step at its point.

    Dealer's steps may be left out; then they are taken when they are due, as far as the record goes.
    """
    record = parse_record(document)
    if record.unknown_counts:
        place = next(iter(record.unknown_counts))
        raise BadRecord(f"At {str(place)!r} the record has '?': only `cardroom settle` accepts unknown cards.")
    return replay_record(record, {})


def replay_record(record: RoundRecord, filled_cards: Mapping[Place, Sequence[Card]]) -> Round:
    """Replay a record. ``filled_cards`` has a card for each unknown one, by place."""
    return _Replay(record, filled_cards).play()


class _Replay:
    """Applies a record's cards and decisions in the order of the rules."""

    def __init__(self, record: RoundRecord, filled_cards: Mapping[Place, Sequence[Card]]) -> None:
        self.round = record.start
        self.cards = {
            place: list(_fill_unknown(pile, filled_cards.get(place, ()))) for place, pile in record.cards.items()
        }
        self.decisions = dict(record.decisions)
        self.steps = None if record.steps is None else list(record.steps)

    def play(self) -> Round:
        while self._advance_once():
            pass
        leftovers = self._describe_leftovers()
        if leftovers and isinstance(self.round.turn, ChanceTurn):
            sentence = f"At {str(self.round.turn.place)!r} a card is missing"
            raise BadRecord(f"{sentence}: write it, or '?' if it is unknown. After it the record has {leftovers}.")
        if leftovers:
            raise BadRecord(f"The record has {leftovers}. By the rules, {self.round.turn_text}.")
        return self.round

    def _describe_leftovers(self) -> str:
        """What the record has and the rules did not ask for."""
        if cards := [f"{len(pile)} at {place}" for place, pile in self.cards.items() if pile]:
            return f"cards that were not dealt: {join_first(cards)}"
        if self.decisions:
            decision_texts = (f"{shorten(str(answer))} by seat {seat}" for (seat, _), answer in self.decisions.items())
            return f"decisions that were not due: {join_first(decision_texts)}"
        return f"dealer's steps that were not due: {join_first(self.steps)}" if self.steps else ""

    def _take_next_cards(self) -> list[Card]:
        """The cards of the record for the next places, as far as it has them."""
        cards = []
        for place in self.round.next_places:
            pile = self.cards.get(place)
            if not pile:
                break
            cards.append(pile.pop(0))
        return cards

    def _advance_once(self) -> bool:
        match self.round.turn:
            case ChanceTurn(place):
                if not self.cards.get(place):
                    return False
                self.round = self.round.deal_cards(self._take_next_cards())
            case SeatTurn(seat, question):
                if (seat, question) not in self.decisions:
                    return False
                self.round = self.round.apply(Decide(seat, self.decisions.pop((seat, question))))
            case DealerTurn(step):
                if self.steps is not None:
                    if not self.steps or self.steps[0] is not step:
                        return False
                    self.steps.pop(0)
                self.round = self.round.apply(TakeStep(step))
            case RoundEnd():
                return False
        return True


def _fill_unknown(pile: Sequence[Card | None], filled_cards: Sequence[Card]) -> list[Card]:
    """A pile with its unknown cards filled in, in order."""
    card_iterator = iter(filled_cards)
    return [next(card_iterator) if card is None else card for card in pile]
