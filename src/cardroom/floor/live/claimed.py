"""What a claim of a live round rests on stands as it was typed: the round keeps the cards, the wager and the answers by
which a prize is paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardroom.faults import BadInput
from cardroom.floor.live.happenings import CardsTyped
from cardroom.games.money import money
from cardroom.jackpots.claim.earlier import EarlierClaim


class RestsOnIt(BadInput):
    """Something that a claim rests on, typed otherwise."""


class Contradiction(NamedTuple):
    """What a claim tells, and what is typed now."""

    what: str
    claimed: str
    typed: str


def refuse_what_is_claimed(told: CardsTyped, claimed: Iterable[tuple[str, EarlierClaim]]) -> None:
    """Refuse what contradicts a claim that stands, pending or paid. Claims come with the names of their jackpots."""
    for jackpot, claim in claimed:
        for found in contradictions(told, claim):
            raise RestsOnIt(_sentence(found, jackpot, claim))


def contradictions(told: CardsTyped, claim: EarlierClaim) -> Iterator[Contradiction]:
    """Where what is typed is not what a claim rests on. Of a hand a claim may tell fewer cards than lay there: in Texas
    Shootout the two that were kept."""
    for place, pile in told.cards.items():
        kept = claim.cards.get(place, ())
        if not Counter(kept) <= Counter(pile) and (pile or place in told.corrects):
            yield Contradiction(f"the cards at {place!r}", " ".join(kept), " ".join(pile))
    for seat, spots in told.wagers.items():
        for spot, cents in claim.wagers.get(int(seat), {}).items():
            if spots.get(spot, cents) != cents:
                yield Contradiction(f"seat {seat}'s wager on {spot}", money(cents), money(spots[spot]))
    for seat_, question, answer in told.answers:
        said = claim.answers.get((seat_, question), answer)
        if said != answer and (answer or f"seat {seat_} {question}" in told.corrects):
            yield Contradiction(f"seat {seat_}'s answer to {question}", said, answer)


def _sentence(found: Contradiction, jackpot: str, claim: EarlierClaim) -> str:
    by = f"claim {claim.claim} of {jackpot}" if claim.claim else f"a prize of {jackpot}"
    now = f"typed as {found.typed} now" if found.typed else "taken back now"
    rests = f"{found.what[0].upper()}{found.what[1:]}: {found.claimed} by {by}, and {now}"
    if claim.claim and claim.paid:
        return f"{rests}. The claim was paid by what was typed before, so that stands."
    return f"{rests}. What a claim rests on stands as long as the claim does. Was it wrong? {claim.advice(jackpot)}."
