"""Keep claims and typed cards of a live round consistent: a prize is paid by the cards, wagers, and decisions that the
round records.

Claims and typed cards may come in any order. A claim takes what it leaves out from what was typed.
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
    """Typed input that contradicts a claim."""


class ClaimContradictsInput(BadInput):
    """A claim that contradicts the typed input of its round."""


class InputContradiction(NamedTuple):
    """A difference between a claim and the typed input."""

    item: str
    claimed_value: str
    typed_value: str


class DuplicateCard(NamedTuple):
    """A card that a claim has at one place and the typed input at another, although the deck has too few of it."""

    card: str
    claimed_at: str
    typed_at: str
    copies: int
    """The number of such cards in the deck."""

    @property
    def number(self) -> str:
        return "once" if self.copies == 1 else f"{self.copies} times"


def refuse_input_against_claims(
    typed_event: CardsTyped, after: LiveRound, deck: Deck, jackpot_claims: Sequence[tuple[str, PriorClaim]]
) -> None:
    """Refuse typed input that contradicts a pending or paid claim. Claims come with the names of their jackpots;
    ``after`` is the round with the new input."""
    for jackpot, claim in jackpot_claims:
        for contradiction in find_contradictions(typed_event, claim):
            raise InputContradictsClaim(_contradiction_text(contradiction, jackpot, claim))
    claims = [claim for _, claim in jackpot_claims]
    for jackpot, claim in jackpot_claims:
        for duplicate in find_duplicate_cards(claim, after.cards, claims, deck):
            if duplicate.typed_at in typed_event.cards:
                raise InputContradictsClaim(_duplicate_card_text(duplicate, jackpot, claim))


def refuse_claim_against_input(
    won: PrizesWon, live: LiveRound, deck: Deck, other_claims: Iterable[PriorClaim], *, is_ended: bool
) -> None:
    """Refuse a claim that contradicts the typed input of its round, or has a card that was typed at another place.
    ``other_claims`` are the other claims of the round."""
    _refuse_contradictions(PriorClaim.from_event(won, ""), won, live, deck, other_claims, is_ended=is_ended)


def refuse_promotion_against_input(
    paid: Iterable[PromotionPrizePaid], cards: Cards, live: LiveRound, deck: Deck, *, is_ended: bool
) -> None:
    """Refuse promotion prizes for cards that contradict the typed input of their round."""
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
        "The round has ended, so its typed cards are final: claim as typed."
        if is_ended
        else "Correct the typed cards first, or claim as typed."
    )
    for item, claimed_value, typed_value in find_disagreements(claim, live):
        was = "were" if item.startswith("the cards") else "was"
        raise ClaimContradictsInput(
            f"{round_text}, {item} {was} typed as {typed_value}, but this claim has {claimed_value}. {advice}"
        )
    for duplicate in find_duplicate_cards(claim, live.cards, (claim, *other_claims), deck):
        raise ClaimContradictsInput(
            f"{round_text}, {duplicate.card} was typed at {duplicate.typed_at!r}, but this claim has it at "
            f"{duplicate.claimed_at!r}: the deck has it {duplicate.number}. {advice}"
        )


def find_contradictions(typed_event: CardsTyped, claim: PriorClaim) -> Iterator[InputContradiction]:
    """The differences between new typed input and a claim. A claim may state only some cards of a hand: in Texas
    Shootout, the two that were kept."""
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
    for decision_seat, question, answer in typed_event.answers:
        claimed_answer = claim.answers.get((decision_seat, question), answer)
        if claimed_answer != answer and (answer or f"seat {decision_seat} {question}" in typed_event.corrects):
            yield InputContradiction(f"seat {decision_seat}'s decision on {question}", claimed_answer, answer)


def find_disagreements(claim: PriorClaim, live: LiveRound) -> Iterator[InputContradiction]:
    """The differences between a claim and the typed input of its round. Either may have only some cards of a hand,
    because not all cards may be typed yet."""
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
            yield InputContradiction(f"seat {decision.seat}'s decision on {decision.question}", answer, decision.answer)


def find_duplicate_cards(
    claim: PriorClaim, typed_cards: Cards, claims: Iterable[PriorClaim], deck: Deck
) -> Iterator[DuplicateCard]:
    """The cards of a claim that were typed at other places of its round, if the deck has too few of them. ``claims``
    are all claims of the round."""
    merged_cards = merge_cards(typed_cards, *(other_claim.cards for other_claim in claims))
    surplus = {name for name, _, _ in find_surplus_cards(deck, merged_cards)}
    for place, pile in claim.cards.items():
        for name in (card for card in pile if card in surplus):
            for typed_place in typed_cards:
                if typed_place != place and name in typed_cards[typed_place]:
                    yield DuplicateCard(name, place, typed_place, deck.count_copies(parse_card(name)))


def _contradiction_text(contradiction: InputContradiction, jackpot: str, claim: PriorClaim) -> str:
    claim_text = _claim_text(jackpot, claim)
    input_text = f"now typed as {contradiction.typed_value}" if contradiction.typed_value else "now deleted"
    return (
        f"{contradiction.item[0].upper()}{contradiction.item[1:]}: {contradiction.claimed_value} in {claim_text}, "
        f"{input_text}. {_advice_text(jackpot, claim)}"
    )


def _duplicate_card_text(duplicate: DuplicateCard, jackpot: str, claim: PriorClaim) -> str:
    return (
        f"{duplicate.card} is at {duplicate.claimed_at!r} in {_claim_text(jackpot, claim)}, and now typed at "
        f"{duplicate.typed_at!r}: the deck has it {duplicate.number}. {_advice_text(jackpot, claim)}"
    )


def _claim_text(jackpot: str, claim: PriorClaim) -> str:
    return f"claim {claim.claim} of {jackpot}" if claim.claim else f"a prize of {jackpot}"


def _advice_text(jackpot: str, claim: PriorClaim) -> str:
    if claim.claim and claim.paid:
        return "The claim is paid, so the cards that it was paid by are final."
    return (
        f"The cards of a claim cannot change while it is pending or paid. If they are wrong: {claim.advice(jackpot)}."
    )


class MissingInput(BadInput):
    """A hand without the typed input that a claim needs."""


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
    """The hand of a seat, with the typed cards that were dealt for it: another seat's war has its own community
    cards."""
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
        raise MissingInput(f"The wager of seat {seat} on {wager} is missing: type it, or send wagered_cents.")
    return spots[wager]
