"""A claim of a live round and what was typed of the round agree, whichever comes first: the cards, the wager and the
answers by which a prize is paid are those that the round keeps.

A hand of a live round as it is claimed of a jackpot: what the claim leaves out is as it was typed in the round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cardroom.cards import Deck, parse_card
from cardroom.errors import BadInput
from cardroom.games import Table
from cardroom.games.money import format_cents
from cardroom.games.record import parse_place
from cardroom.room.claim.prior_claims import Cards, PriorClaim, find_surplus_cards, merge_cards
from cardroom.room.claim.typed_hand import TypedHand, drop_unused_cards
from cardroom.room.jackpot.events import PrizesWon
from cardroom.room.promotion.state import PromotionPrizePaid
from cardroom.room.table.events import CardsTyped, LiveRound


class InputContradictsClaim(BadInput):
    """Something that a claim rests on, typed otherwise."""


class ClaimContradictsInput(BadInput):
    """A claim that contradicts what was typed of its round."""


class InputContradiction(NamedTuple):
    """What a claim tells, and what is typed."""

    item: str
    claimed_value: str
    typed_value: str


class DuplicateCard(NamedTuple):
    """A card that a claim has at one place, and that was typed at another, although the deck has too few of it."""

    card: str
    claimed_at: str
    typed_at: str
    copies: int
    """How many the deck has."""

    @property
    def number(self) -> str:
        return "once" if self.copies == 1 else f"{self.copies} times"


def refuse_input_against_claims(
    typed_event: CardsTyped, after: LiveRound, deck: Deck, jackpot_claims: Sequence[tuple[str, PriorClaim]]
) -> None:
    """Refuse what contradicts a claim that stands, pending or paid. Claims come with the names of their jackpots;
    ``after`` is the round with what is typed now."""
    for jackpot, claim in jackpot_claims:
        for contradiction in find_contradictions(typed_event, claim):
            raise InputContradictsClaim(_contradiction_text(contradiction, jackpot, claim))
    claims = [claim for _, claim in jackpot_claims]
    for jackpot, claim in jackpot_claims:
        for same in find_duplicate_cards(claim, after.cards, claims, deck):
            if same.typed_at in typed_event.cards:
                raise InputContradictsClaim(_duplicate_card_text(same, jackpot, claim))


def refuse_claim_against_input(
    won: PrizesWon, live: LiveRound, deck: Deck, other_claims: Iterable[PriorClaim], *, is_ended: bool
) -> None:
    """Refuse a claim that contradicts what was typed of its round, or has a card that was typed elsewhere in it.
    ``other_claims`` are the other claims of the round."""
    _refuse_contradictions(PriorClaim.from_event(won, ""), won, live, deck, other_claims, is_ended=is_ended)


def refuse_promotion_against_input(
    paid: Iterable[PromotionPrizePaid], cards: Cards, live: LiveRound, deck: Deck, *, is_ended: bool
) -> None:
    """Refuse promotions' prizes for cards that contradict what was typed of their round."""
    for prize in paid:
        _refuse_contradictions(PriorClaim("", (), True, cards), prize, live, deck, (), is_ended=is_ended)


def _refuse_contradictions(
    claim: PriorClaim,
    won: PrizesWon | PromotionPrizePaid,
    live: LiveRound,
    deck: Deck,
    other_claims: Iterable[PriorClaim],
    *,
    is_ended: bool,
) -> None:
    round_text = f"In round {won.round} of table {won.table}"
    advice = (
        "The round has ended, so what was typed stays: claim what was typed."
        if is_ended
        else "Correct what was typed first, or claim what was typed."
    )
    for item, claimed_value, typed_value in find_disagreements(claim, live):
        was = "were" if item.startswith("the cards") else "was"
        raise ClaimContradictsInput(
            f"{round_text} {item} {was} typed as {typed_value}, and this claim says {claimed_value}. {advice}"
        )
    for same in find_duplicate_cards(claim, live.cards, (claim, *other_claims), deck):
        raise ClaimContradictsInput(
            f"{round_text} {same.card} was typed at {same.typed_at!r}, and this claim has it at {same.claimed_at!r}: "
            "the deck "
            f"has it {same.number}. {advice}"
        )


def find_contradictions(typed_event: CardsTyped, claim: PriorClaim) -> Iterator[InputContradiction]:
    """Where what is typed now is not what a claim rests on. Of a hand a claim may tell fewer cards than lay there: in
    Texas Shootout the two that were kept."""
    for place, pile in typed_event.cards.items():
        claimed_cards = claim.cards.get(place, ())
        if not Counter(claimed_cards) <= Counter(pile) and (pile or place in typed_event.corrects):
            yield InputContradiction(f"the cards at {place!r}", " ".join(claimed_cards), " ".join(pile))
    for seat, spots in typed_event.wagers.items():
        for spot, cents in claim.wagers.get(int(seat), {}).items():
            if spots.get(spot, cents) != cents:
                yield InputContradiction(
                    f"seat {seat}'s wager on {spot}", format_cents(cents), format_cents(spots[spot])
                )
    for seat_, question, answer in typed_event.answers:
        claimed_answer = claim.answers.get((seat_, question), answer)
        if claimed_answer != answer and (answer or f"seat {seat_} {question}" in typed_event.corrects):
            yield InputContradiction(f"seat {seat_}'s answer to {question}", claimed_answer, answer)


def find_disagreements(claim: PriorClaim, live: LiveRound) -> Iterator[InputContradiction]:
    """Where a claim is not what was typed of its round. Of a hand either may have fewer cards than the other, because
    not all of them were typed yet."""
    for place, claimed_cards in claim.cards.items():
        typed_cards = live.cards.get(place, ())
        if not Counter(claimed_cards) <= Counter(typed_cards) and not Counter(typed_cards) <= Counter(claimed_cards):
            yield InputContradiction(f"the cards at {place!r}", " ".join(claimed_cards), " ".join(typed_cards))
    for seat, spots in claim.wagers.items():
        for spot, cents in live.wagers.get(str(seat), {}).items():
            if spots.get(spot, cents) != cents:
                yield InputContradiction(
                    f"seat {seat}'s wager on {spot}", format_cents(spots[spot]), format_cents(cents)
                )
    for decision in live.answers:
        answer = claim.answers.get((decision.seat, decision.question), decision.answer)
        if answer != decision.answer:
            yield InputContradiction(f"seat {decision.seat}'s answer to {decision.question}", answer, decision.answer)


def find_duplicate_cards(
    claim: PriorClaim, typed_cards: Cards, claims: Iterable[PriorClaim], deck: Deck
) -> Iterator[DuplicateCard]:
    """The cards of a claim that were typed at other places of its round, beyond what the deck has of them. ``claims``
    are all claims of the round."""
    crowded = {
        name
        for name, _, _ in find_surplus_cards(
            deck, merge_cards(typed_cards, *(other_claim.cards for other_claim in claims))
        )
    }
    for place, pile in claim.cards.items():
        for name in (other_claim for other_claim in pile if other_claim in crowded):
            for typed_place in typed_cards:
                if typed_place != place and name in typed_cards[typed_place]:
                    yield DuplicateCard(name, place, typed_place, deck.count_copies(parse_card(name)))


def _contradiction_text(contradiction: InputContradiction, jackpot: str, claim: PriorClaim) -> str:
    claim_text = _claim_text(jackpot, claim)
    input_text = f"typed as {contradiction.typed_value} now" if contradiction.typed_value else "taken back now"
    return (
        f"{contradiction.item[0].upper()}{contradiction.item[1:]}: {contradiction.claimed_value} by {claim_text}, "
        f"and {input_text}. {_advice_text(jackpot, claim)}"
    )


def _duplicate_card_text(same: DuplicateCard, jackpot: str, claim: PriorClaim) -> str:
    return (
        f"{same.card} is at {same.claimed_at!r} by {_claim_text(jackpot, claim)}, and typed at {same.typed_at!r} "
        "now: the deck "
        f"has it {same.number}. {_advice_text(jackpot, claim)}"
    )


def _claim_text(jackpot: str, claim: PriorClaim) -> str:
    return f"claim {claim.claim} of {jackpot}" if claim.claim else f"a prize of {jackpot}"


def _advice_text(jackpot: str, claim: PriorClaim) -> str:
    if claim.claim and claim.paid:
        return "The claim was paid by what was typed before, so that stands."
    return f"What a claim rests on stands as long as the claim does. Was it wrong? {claim.advice(jackpot)}."


class MissingInput(BadInput):
    """A hand of which nobody typed what a claim needs."""


def typed_hand_of(
    table: Table,
    live: LiveRound,
    seat: int,
    wager: str,
    *,
    wagered: int | None = None,
    cards: Mapping[str, str] | None = None,
    answers: Mapping[str, str] | None = None,
) -> TypedHand:
    """The hand of a seat. Of the cards that were typed those count that were dealt for it: a war of another seat has
    community cards of its own."""
    decisions = (
        {decision.question: decision.answer for decision in live.answers if decision.seat == seat}
        if answers is None
        else answers
    )
    staked = _typed_wager(live, seat, wager) if wagered is None else wagered
    if cards is not None:
        return TypedHand(wager, staked, cards, decisions, seat)
    return drop_unused_cards(table, TypedHand(wager, staked, _typed_cards(live, seat), decisions, seat))


def _typed_cards(live: LiveRound, seat: int) -> dict[str, str]:
    places = {parse_place(name): pile for name, pile in live.cards.items()}
    return {
        str(place) if place.seat is None else str(place.pile): " ".join(pile)
        for place, pile in places.items()
        if place.seat in (None, seat)
    }


def _typed_wager(live: LiveRound, seat: int, wager: str) -> int:
    spots = live.wagers.get(str(seat), {})
    if wager not in spots:
        raise MissingInput(f"No wager of seat {seat} on {wager} was typed: give wagered_cents.")
    return spots[wager]
