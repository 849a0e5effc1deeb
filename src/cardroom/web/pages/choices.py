"""What a seat may answer, as its page offers it: a button for each verb, and two places where cards are laid out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from cardroom.games import Decision, Round, SeatTurn
from cardroom.games.actions import Verb
from cardroom.games.game import decision_cost
from cardroom.games.view import GROUP_NAMES


class Sorting(NamedTuple):
    """Two places for the cards of a hand that has to be laid out: what is taken, and the rest."""

    taken: str
    rest: str
    picks: int
    """How many cards go to the first place."""


class Choice(NamedTuple):
    """One way to answer; where it speaks of cards, all ways with the same verb together."""

    verb: str
    label: str
    cost: int
    meaning: str
    picks: int
    """How many cards have to be taken for it."""
    answers: tuple[str, ...]
    """The answers as they are sent."""


def choices_of(round_: Round, asked: SeatTurn) -> tuple[Choice, ...]:
    """The answers in the order of the turn; those that speak of cards once for each verb."""
    by_verb: dict[Verb, list[Decision]] = {}
    for one in (*asked.options, *asked.unlisted_options):
        by_verb.setdefault(one.verb, []).append(one)
    made = []
    for verb, options in by_verb.items():
        first = options[0]
        made.append(
            Choice(
                verb=str(verb),
                label=str(verb).capitalize(),
                cost=decision_cost(round_, first),
                meaning=_how_to(round_, first),
                picks=len(first.groups[0]) if first.groups else 0,
                answers=tuple(map(str, options)),
            )
        )
    return tuple(made)


_PLACES: Final = {
    Verb.KEEP: ("keep", "put aside"),
    Verb.SPLIT: ("first hand", "second hand"),
    Verb.SET: ("high hand", "low hand"),
    Verb.CHOOSE: ("your choice", "the rest"),
}
"""What the two places of a hand are called while it is laid out."""


def sorting_for(choices: Iterable[Choice]) -> Sorting | None:
    """The places for all answers that speak of cards: one may be meant for several."""
    of_cards = [one for one in choices if one.picks]
    if not of_cards:
        return None
    taken, rest = zip(*(_PLACES.get(Verb(one.verb), ("taken", "the rest")) for one in of_cards), strict=True)
    return Sorting(" or ".join(taken), " or ".join(rest), max(one.picks for one in of_cards))


def _how_to(round_: Round, decision: Decision) -> str:
    """What an answer means; of one that speaks of cards, which ones to take for it."""
    if not decision.groups:
        return round_.game.describe_decision(decision)
    number, names = len(decision.groups[0]), GROUP_NAMES.get(decision.verb, ())
    what = f"take {number} cards" if number > 1 else "take a card"
    return f"{what} for the {names[0]}" if len(names) > 1 else what


def house_way_of(round_: Round) -> str:
    """What the house would do where cards have to be laid out; empty where there is nothing to lay out."""
    safe = round_.game.default_decision(round_)
    return str(safe) if safe.groups else ""
