"""What a dealer types: cards by place, a seat's wagers and answers, where a payment or a jackpot needs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from cardroom.cards import Card, parse_cards
from cardroom.errors import BadInput, quote
from cardroom.floor.felt.live_round import LiveRound, TypedAnswer
from cardroom.floor.felt.state import FeltState
from cardroom.floor.live.happenings import CardsTyped
from cardroom.floor.live.steps import steps_of
from cardroom.games import BadBet, Decision, Pile, Place
from cardroom.games.partial_settlement import PartialRound
from cardroom.games.procedure import max_cards_by_place, place_name
from cardroom.games.record import parse_place
from cardroom.games.round import find_bet_fault

Answers = Mapping[int, Mapping[str, str]]
"""By seat and question."""


_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class BadTyping(BadInput):
    """Something that cannot have been at the table."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What is typed with one command."""

    cards: Mapping[str, str] = field(default_factory=dict)
    """By place, such as ``seat 2 hand``: the cards there, all of them; an empty text takes them back."""
    wagers: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    """By seat: its wagers in cents, all of them; none takes them back."""
    answers: Answers = field(default_factory=dict)
    """An empty answer takes the earlier one back."""


def type_in(state: FeltState, live: LiveRound, typed: Typed, who: str) -> CardsTyped:
    """Take what was typed, if it can have been so. What takes the place of something else is told as a correction."""
    if not (typed.cards or typed.wagers or typed.answers):
        raise BadTyping("Nothing was typed: give cards by place, a seat's wagers, or a seat's answers.")
    piles = {str(_place(state, live, name)): _cards(text) for name, text in typed.cards.items()}
    wagers = {str(_seat(live, seat)): _wagers(state, seat, spots) for seat, spots in typed.wagers.items()}
    answers = tuple(_answers(state, live, typed.answers))
    told = CardsTyped(state.table, state.number, who, piles, wagers, answers)
    after = typed_after(live, told)
    deck = state.at.table.deck
    deck.check(card for pile in after.cards.values() for card in parse_cards(" ".join(pile)))
    corrects = tuple(sorted(_corrected(live, told)))
    return CardsTyped(state.table, state.number, who, piles, wagers, answers, corrects)


def refuse_too_many(state: FeltState, told: CardsTyped) -> None:
    """Refuse more cards at a place than ever lie there."""
    most = max_cards_by_place(state.at.game, state.at.table)
    for name, pile in told.cards.items():
        there = most.get(place_name(parse_place(name)), len(pile))
        if len(pile) > there:
            lie = "card lies" if there == 1 else "cards lie"
            raise BadTyping(f"{_number(there).capitalize()} {lie} at {name!r}, not {_number(len(pile))}.")


def _number(cards: int) -> str:
    return _NUMBERS[cards] if cards < len(_NUMBERS) else str(cards)


def _seat(live: LiveRound, seat: int) -> int:
    if seat not in live.positions:
        playing = ", ".join(map(str, live.positions))
        raise BadTyping(f"Nobody plays at seat {seat} in this round: those that play are {playing}.")
    return seat


def _place(state: FeltState, live: LiveRound, text: str) -> Place:
    place = parse_place(text)
    dealt = {name for step in steps_of(state) for name in step.places}
    if place.pile is Pile.BURN:
        raise BadTyping("Burnt cards are nobody's: they are not typed.")
    if place_name(place) not in dealt or (place.seat is None) != (_of_the_table(place_name(place))):
        known = ", ".join(_known_places(dealt))
        raise BadTyping(f"No card is dealt at {quote(text)} in this game: its places are {known}.")
    if place.seat is not None:
        _seat(live, place.seat)
    return place


def _of_the_table(name: str) -> bool:
    """Whether a place of this name is the table's own.

    >>> _of_the_table("dealer"), _of_the_table("community"), _of_the_table("fourth")
    (True, True, False)
    """
    return name not in (Pile.HAND, Pile.FOURTH, Pile.FIFTH, Pile.WAR)


def _known_places(dealt: set[str]) -> Iterator[str]:
    for name in sorted(dealt - {Pile.BURN}):
        yield repr(name if _of_the_table(name) else f"seat 1 {name}")


def _cards(text: str) -> tuple[str, ...]:
    return tuple(str(one) for one in parse_cards(text)) if text.strip() else ()


def _wagers(state: FeltState, seat: int, spots: Mapping[str, int]) -> dict[str, int]:
    at = state.at
    if spots and (fault := find_bet_fault(at.game, at.table, seat, spots)):
        raise BadBet(fault)
    return dict(spots)


def _answers(state: FeltState, live: LiveRound, answers: Answers) -> Iterator[TypedAnswer]:
    asked = dict.fromkeys(question for step in steps_of(state) for question in step.questions)
    for seat, said in answers.items():
        for question, answer in said.items():
            if question not in asked:
                raise BadTyping(f"Nobody is asked {quote(question)} in this game: questions are {', '.join(asked)}.")
            yield TypedAnswer(_seat(live, seat), question, str(Decision.parse(answer)) if answer.strip() else "")


def typed_after(live: LiveRound, told: CardsTyped) -> LiveRound:
    """What is known of the round with what was typed last."""
    piles = {**live.cards, **told.cards}
    wagers = {**live.wagers, **told.wagers}
    said = {(one.seat, one.question): one for one in (*live.answers, *told.answers)}
    return live._replace(
        cards={place: pile for place, pile in sorted(piles.items()) if pile},
        wagers={seat: spots for seat, spots in sorted(wagers.items(), key=lambda one: int(one[0])) if spots},
        answers=tuple(said[key] for key in sorted(said) if said[key].answer),
    )


def _corrected(live: LiveRound, told: CardsTyped) -> Iterator[str]:
    """What takes the place of something else."""
    for place, pile in told.cards.items():
        if live.cards.get(place, pile) != pile:
            yield place
    for seat, spots in told.wagers.items():
        if live.wagers.get(seat, spots) != spots:
            yield f"seat {seat} wagers"
    before = {(one.seat, one.question): one.answer for one in live.answers}
    for seat_, question, answer in told.answers:
        if before.get((seat_, question), answer) != answer:
            yield f"seat {seat_} {question}"


def typed_seats(live: LiveRound) -> set[int]:
    """The seats of which something was typed."""
    places = (parse_place(place).seat for place in live.cards)
    return {*map(int, live.wagers), *(one.seat for one in live.answers), *(seat for seat in places if seat)}


def typed_round(live: LiveRound) -> PartialRound:
    """What was typed, as the rules read it."""
    piles: dict[Place, tuple[Card, ...]] = {
        parse_place(place): parse_cards(" ".join(pile)) for place, pile in live.cards.items()
    }
    wagers = {int(seat): spots for seat, spots in live.wagers.items()}
    return PartialRound(wagers, piles, {(one.seat, one.question): Decision.parse(one.answer) for one in live.answers})
