"""A round as JSON, at any point, and back again through the rules: a record that breaks them is refused.

Only what happened is written: the set-up, the wagers, the cards by place, the answers and the dealer's steps. The
order follows from the rules, so a person can write a finished round down from the table. Amounts are whole cents.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cardroom.cards import Card, card
from cardroom.documents import read_json
from cardroom.faults import BadInput, quoted, shortened
from cardroom.games.actions import DealerStep, Decide, TakeStep
from cardroom.games.book import game
from cardroom.games.decisions import Decision
from cardroom.games.money import cents_or_dollars
from cardroom.games.places import Pile, Place
from cardroom.games.round import Round
from cardroom.games.setup import setup_entry, setup_from
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn

_DECISION: Final = frozenset({"seat", "question", "answer"})
_NO_SEAT: Final = 1_000
_SEAT: Final = re.compile("[1-9][0-9]{0,2}")
_SEAT_PLACE: Final = re.compile(r"seat (\S+) (.+)")


class BadRecord(BadInput):
    """A record of a round that cannot be read, or that the rules do not allow."""


def round_entry(r: Round) -> dict[str, Any]:
    """The record of a round."""
    return {
        "table": setup_entry(r.table.setup),
        "wagers": {str(seat): dict(spots) for seat, spots in r.bets.items()},
        "cards": {str(place): [str(one) for one in pile] for place, pile in sorted(r.dealt.items(), key=_by_seat)},
        "decisions": [
            {"seat": seat, "question": question, "answer": str(decision)}
            for (seat, question), decision in r.decisions.items()
        ],
        "steps": [str(step) for step in r.steps],
    }


def _by_seat(item: tuple[Place, tuple[Card, ...]]) -> tuple[int, str]:
    place, _ = item
    return place.seat or 0, place.pile


def to_json(r: Round) -> str:
    """The record of a round as JSON."""
    return json.dumps(round_entry(r), indent=2)


def from_json(text: str) -> Round:
    """Read a round from its JSON record."""
    return round_from(read_record(text))


def read_record(text: str) -> Mapping[str, Any]:
    """What a JSON record says, before the rules have looked at it."""
    return _mapping(read_json(text, BadRecord, "This"), "the record")


def round_from(entry: object) -> Round:
    """Play a record again: every card, answer and step must be one that the rules allow at that point.

    Dealer's steps may be left out; then they are taken as they fall due, as far as the record goes on.
    """
    top = _mapping(entry, "the record")
    unknown = set(top) - {"table", "wagers", "cards", "decisions", "steps", "meters"}
    if unknown:
        raise BadRecord(
            f"The record has {_some(map(quoted, sorted(unknown)))}, which is not known: use table, wagers, cards, "
            "decisions, steps and meters."
        )
    setup = setup_from(_mapping(top.get("table", {}), "'table'"))
    rules = game(setup.game)
    wagers = {
        _seat(seat): {spot: cents_or_dollars(amount) for spot, amount in _mapping(spots, f"seat {seat}").items()}
        for seat, spots in _mapping(top.get("wagers", {}), "'wagers'").items()
    }
    return _Replay(rules.begin(rules.open(setup), wagers), top).played()


class _Replay:
    """Feeds a record's cards and answers to the rules in the order in which they ask for them."""

    def __init__(self, start: Round, entry: Mapping[str, Any]) -> None:
        self.round = start
        self.cards = {
            place_named(place): [_card(name) for name in _list(pile, f"cards at {place}")]
            for place, pile in _mapping(entry.get("cards", {}), "'cards'").items()
        }
        self.answers: dict[tuple[int, str], Decision] = {}
        for answer in _list(entry.get("decisions", []), "'decisions'"):
            seat, question, decision = _decision(_mapping(answer, "a decision"))
            if (seat, question) in self.answers:
                raise BadRecord(f"Seat {seat} answers {quoted(question)} twice: a question is answered once.")
            self.answers[seat, question] = decision
        self.steps = [_step(name) for name in _list(entry["steps"], "'steps'")] if "steps" in entry else None

    def played(self) -> Round:
        while self._one_more():
            pass
        left = [f"{len(pile)} at {place}" for place, pile in self.cards.items() if pile]
        if left:
            raise BadRecord(
                f"The record has cards that nobody was dealt: {_some(left)}. In the rules {self.round.due}."
            )
        if self.answers:
            unasked = _some(f"{shortened(str(answer))} by seat {seat}" for (seat, _), answer in self.answers.items())
            raise BadRecord(
                f"The record has decisions that nobody was asked for: {unasked}. In the rules {self.round.due}."
            )
        if self.steps:
            raise self._too_much("dealer's steps that were not due", _some(self.steps))
        return self.round

    def _next_cards(self) -> list[Card]:
        """The cards of the record for the next places, as far as it has them."""
        cards = []
        for place in self.round.next_places:
            pile = self.cards.get(place)
            if not pile:
                break
            cards.append(pile.pop(0))
        return cards

    def _too_much(self, what: str, listed: str) -> BadRecord:
        return BadRecord(f"The record has {what}: {listed}. By the rules {self.round.due}.")

    def _one_more(self) -> bool:
        match self.round.turn:
            case ChanceTurn(place):
                if not self.cards.get(place):
                    return False
                self.round = self.round.fallen(self._next_cards())
            case SeatTurn(seat, question):
                if (seat, question) not in self.answers:
                    return False
                self.round = self.round.apply(Decide(seat, self.answers.pop((seat, question))))
            case DealerTurn(step):
                if self.steps is not None:
                    if not self.steps or self.steps[0] is not step:
                        return False
                    self.steps.pop(0)
                self.round = self.round.apply(TakeStep(step))
            case Over():
                return False
        return True


def _mapping(value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadRecord(f"A section with names is expected for {shortened(where)}; {quoted(value)} is none.")
    return value


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadRecord(f"A list is expected for {shortened(where)}; {quoted(value)} is none.")
    return value


def _some(texts: Iterable[str], most: int = 9) -> str:
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
        raise BadRecord(f"A decision has seat, question and answer, and no {_some(map(quoted, unknown))}.")
    for name in ("question", "answer"):
        if not isinstance(entry[name], str):
            raise BadRecord(f"The {name} of a decision is a text; {quoted(entry[name])} is none.")
    return _seat(entry["seat"]), entry["question"], Decision.parse(entry["answer"])


def _card(name: object) -> Card:
    return card(name if isinstance(name, str) else quoted(name))


def _seat(value: object) -> int:
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
        return Place(Pile(of_a_seat[2]), _seat(of_a_seat[1]))
    raise BadRecord(f"{quoted(text)} is not a place for cards: write {', '.join(seats)}, or such as 'seat 1 hand'.")
