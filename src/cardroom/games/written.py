"""What a record says of a round, before it is played again: the table, the wagers, the cards by place, the answers.

A card that nobody can know any more (discarded, folded, burnt, never turned over) is written ``?``.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cardroom.cards import Card, Deck, card
from cardroom.documents import read_json
from cardroom.faults import BadInput, quoted, shortened
from cardroom.games.actions import DealerStep
from cardroom.games.book import game
from cardroom.games.decisions import Decision
from cardroom.games.game import Game
from cardroom.games.money import cents_or_dollars
from cardroom.games.places import Pile, Place
from cardroom.games.round import Round
from cardroom.games.setup import setup_from
from cardroom.games.table import Table

LONGEST_NOTE: Final = 1_000
UNKNOWN: Final = ("?", "??")
"""How a record writes a card that nobody knows; a view writes the second for a back."""

_KNOWN: Final = ("table", "wagers", "cards", "decisions", "steps", "meters", "note")
_DECISION: Final = frozenset({"seat", "question", "answer"})
_NO_SEAT: Final = 1_000
_SEAT: Final = re.compile("[1-9][0-9]{0,2}")
_SEAT_PLACE: Final = re.compile(r"seat (\S+) (.+)")
_TURNED_ABOUT: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that make a reader see letters in another order than they stand."""


class BadRecord(BadInput):
    """A record of a round that cannot be read, or that the rules do not allow."""


@dataclass(frozen=True, slots=True)
class Written:
    """A record that can be read; whether the rules allow what it says is not decided yet."""

    start: Round
    """The wagers on the layout, and no card dealt."""
    cards: Mapping[Place, tuple[Card | None, ...]]
    """In the order in which they were dealt; None for a card that nobody knows."""
    answers: Mapping[tuple[int, str], Decision]
    steps: tuple[DealerStep, ...] | None
    """None where the record leaves them out: then they are taken as they fall due."""
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
    def unknown(self) -> dict[Place, int]:
        """How many cards nobody knows, by place."""
        return {place: pile.count(None) for place, pile in self.cards.items() if None in pile}

    @property
    def known(self) -> Counter[Card]:
        """The cards that somebody knows."""
        return Counter(one for pile in self.cards.values() for one in pile if one is not None)


def read_record(text: str, what: str = "This") -> Mapping[str, Any]:
    """What a JSON record says, before the rules have looked at it. ``what`` names the text in a sentence."""
    return mapping(read_json(text, BadRecord, what), "the record")


def written(entry: object) -> Written:
    """Read a record: its names, its amounts, its cards."""
    top = mapping(entry, "the record")
    unknown = set(top) - set(_KNOWN)
    if "record" in unknown:
        raise BadRecord("This is an exported round: settle what stands under its 'record'.")
    if unknown:
        raise BadRecord(
            f"The record has {some(map(quoted, sorted(unknown)))}, which is not known: use {', '.join(_KNOWN[:-1])} "
            f"and {_KNOWN[-1]}."
        )
    setup = setup_from(mapping(top.get("table", {}), "'table'"))
    rules = game(setup.game)
    bets = {
        seat_named(seat): {spot: cents_or_dollars(amount) for spot, amount in mapping(spots, f"seat {seat}").items()}
        for seat, spots in mapping(top.get("wagers", {}), "'wagers'").items()
    }
    table = rules.open(setup)
    cards = {
        place_named(place): tuple([_card(name, place) for name in a_list(pile, f"cards at {place}")])
        for place, pile in mapping(top.get("cards", {}), "'cards'").items()
    }
    _refuse_too_many(table.deck, cards)
    answers = _answers(a_list(top.get("decisions", []), "'decisions'"))
    steps = tuple([_step(name) for name in a_list(top["steps"], "'steps'")]) if "steps" in top else None
    meters = read_meters(top.get("meters", {}), table)
    note = read_note(top.get("note", ""))
    return Written(rules.begin(table, bets), _with_named(cards, answers), answers, steps, meters, note)


def _with_named(
    cards: Mapping[Place, tuple[Card | None, ...]], answers: Mapping[tuple[int, str], Decision]
) -> dict[Place, tuple[Card | None, ...]]:
    """Cards that a seat's answers name are known with them, whatever was written as its hand."""
    found = dict(cards)
    for seat in dict.fromkeys(seat for seat, _ in answers):
        place = Place(Pile.HAND, seat)
        if None not in found.get(place, ()):
            continue
        named = Counter[Card]()
        for (who, _), decision in answers.items():
            if who == seat:
                named |= Counter(one for group in decision.groups for one in group)
        hidden = list((named - Counter(one for one in found[place] if one is not None)).elements())
        found[place] = tuple([hidden.pop() if one is None and hidden else one for one in found[place]])
    return found


def _refuse_too_many(deck: Deck, cards: Mapping[Place, tuple[Card | None, ...]]) -> None:
    """A card that is there more often than the deck has it is named with the places where it lies."""
    places = defaultdict[Card, list[str]](list)
    for place, pile in cards.items():
        for one in pile:
            if one is not None:
                places[one].append(str(place))
    for one, where in places.items():
        if fault := deck.why_not([one] * (len(where) - 1), one):
            lie = " and ".join(
                repr(place) + (f" {times} times" if times > 1 else "") for place, times in Counter(where).items()
            )
            raise BadRecord(f"{fault.removesuffix('.')}: look at {lie}.")


def _answers(listed: list[Any]) -> dict[tuple[int, str], Decision]:
    answers: dict[tuple[int, str], Decision] = {}
    for one in listed:
        seat, question, decision = _decision(mapping(one, "a decision"))
        if (seat, question) in answers:
            raise BadRecord(f"Seat {seat} answers {quoted(question)} twice: a question is answered once.")
        answers[seat, question] = decision
    return answers


def read_meters(entry: object, table: Table) -> dict[str, int]:
    """What the meters show, in cents by spot."""
    if not isinstance(entry, Mapping):
        example = '{"jackpot": 1000000}'
        raise BadRecord(f"'meters' names spots and amounts, such as {example}; {quoted(entry)} does not.")
    there = [spot for spot, offered in table.spots.items() if offered.has_meter]
    for spot in entry:
        if spot not in there:
            raise BadRecord(f"There is no meter for {quoted(spot)}: this table has {_meters_of(there)}.")
    meters = {spot: cents_or_dollars(amount) for spot, amount in entry.items()}
    for spot, cents in meters.items():
        if cents < 0:
            raise BadRecord(f"The meter of {quoted(spot)} cannot show {cents} cents: a meter shows zero or more.")
    return meters


def _meters_of(spots: list[str]) -> str:
    return f"one for {', '.join(spots)}" if spots else "none, for no line of its tables pays a percentage"


def read_note(note: object) -> str:
    """What somebody wrote beside the round, as it stands: it changes nothing."""
    if not isinstance(note, str):
        raise BadRecord(f"'note' is a text; {quoted(note)} is none.")
    if len(note) > LONGEST_NOTE:
        raise BadRecord(f"'note' has {len(note):,} characters: write {LONGEST_NOTE:,} at most.")
    for sign in note:
        if sign in _TURNED_ABOUT or unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp"):
            raise BadRecord(f"'note' has the control character U+{ord(sign):04X}: write it in one line of plain text.")
    return note


def mapping(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadRecord(f"A section with names is expected for {shortened(where)}; {quoted(value)} is none.")
    return value


def a_list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadRecord(f"A list is expected for {shortened(where)}; {quoted(value)} is none.")
    return value


def some(texts: Iterable[str], most: int = 9) -> str:
    """The first of many things, for a sentence."""
    listed = list(texts)
    return ", ".join(listed[:most]) + (f" and {len(listed) - most} more" if len(listed) > most else "")


def _decision(entry: Mapping[str, Any]) -> tuple[int, str, Decision]:
    missing = sorted(_DECISION - set(entry))
    if missing:
        raise BadRecord(
            f"A decision needs seat, question and answer; {quoted(dict(entry))} lacks {', '.join(missing)}."
        )
    unknown = sorted(set(entry) - _DECISION)
    if unknown:
        raise BadRecord(f"A decision has seat, question and answer, and no {some(map(quoted, unknown))}.")
    for name in ("question", "answer"):
        if not isinstance(entry[name], str):
            raise BadRecord(f"The {name} of a decision is a text; {quoted(entry[name])} is none.")
    return seat_named(entry["seat"]), entry["question"], Decision.parse(entry["answer"])


def _card(name: object, place: str) -> Card | None:
    if name in UNKNOWN:
        return None
    try:
        return card(name if isinstance(name, str) else quoted(name))
    except BadInput as fault:
        told = str(fault).removesuffix(".")
        raise BadRecord(f"{told}, or '?' for one that nobody knows; look at {quoted(place)}.") from None


def seat_named(value: object) -> int:
    """A seat has one way to be written, so that nobody is at the table twice: 1 or "1", never "01"."""
    text = str(value) if type(value) is int and 0 < value < _NO_SEAT else value
    if not isinstance(text, str) or not _SEAT.fullmatch(text):
        raise BadRecord(f"{quoted(value)} is not a seat: seats are numbered from 1.")
    return int(text)


def _step(name: object) -> DealerStep:
    try:
        return DealerStep(name)  # type: ignore[arg-type]
    except ValueError:
        raise BadRecord(f"{quoted(name)} is not a dealer's step: there are {', '.join(DealerStep)}.") from None


def place_named(text: str) -> Place:
    """A place as ``str`` writes it: ``dealer``, ``community``, ``seat 2 hand``."""
    seats = {str(Place(pile, None)): Place(pile) for pile in Pile}
    if text in seats:
        return seats[text]
    of_a_seat = _SEAT_PLACE.fullmatch(text)
    if of_a_seat and of_a_seat[2] in set(Pile):
        return Place(Pile(of_a_seat[2]), seat_named(of_a_seat[1]))
    raise BadRecord(f"{quoted(text)} is not a place for cards: write {', '.join(seats)}, or such as 'seat 1 hand'.")
