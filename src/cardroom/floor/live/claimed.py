"""A claim of a live round and what was typed of the round agree, whichever comes first: the cards, the wager and the
answers by which a prize is paid are those that the round keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cardroom.cards import Deck, parse_card
from cardroom.errors import BadInput
from cardroom.floor.felt.live_round import LiveRound
from cardroom.floor.live.happenings import CardsTyped
from cardroom.games.money import format_cents
from cardroom.jackpots.claim.agreeing import fullest, too_often
from cardroom.jackpots.claim.earlier import Cards, EarlierClaim
from cardroom.jackpots.happenings import PrizesWon, PromotionPrizePaid


class RestsOnIt(BadInput):
    """Something that a claim rests on, typed otherwise."""


class TypedOtherwise(BadInput):
    """A claim that contradicts what was typed of its round."""


class Contradiction(NamedTuple):
    """What a claim tells, and what is typed."""

    what: str
    claimed: str
    typed: str


class SameCard(NamedTuple):
    """A card that a claim has at one place, and that was typed at another, although the deck has too few of it."""

    card: str
    claimed_at: str
    typed_at: str
    copies: int
    """How many the deck has."""

    @property
    def number(self) -> str:
        return "once" if self.copies == 1 else f"{self.copies} times"


def refuse_what_is_claimed(
    told: CardsTyped, after: LiveRound, deck: Deck, claimed: Sequence[tuple[str, EarlierClaim]]
) -> None:
    """Refuse what contradicts a claim that stands, pending or paid. Claims come with the names of their jackpots;
    ``after`` is the round with what is typed now."""
    for jackpot, claim in claimed:
        for found in contradictions(told, claim):
            raise RestsOnIt(_sentence(found, jackpot, claim))
    claims = [claim for _, claim in claimed]
    for jackpot, claim in claimed:
        for same in same_cards(claim, after.cards, claims, deck):
            if same.typed_at in told.cards:
                raise RestsOnIt(_same_card_sentence(same, jackpot, claim))


def refuse_other_than_typed(
    won: PrizesWon, live: LiveRound, deck: Deck, others: Iterable[EarlierClaim], *, ended: bool
) -> None:
    """Refuse a claim that contradicts what was typed of its round, or has a card that was typed elsewhere in it.
    ``others`` are the other claims of the round."""
    _refuse(EarlierClaim.of(won, ""), won, live, deck, others, ended=ended)


def refuse_promoted_other_than_typed(
    paid: Iterable[PromotionPrizePaid], cards: Cards, live: LiveRound, deck: Deck, *, ended: bool
) -> None:
    """Refuse promotions' prizes for cards that contradict what was typed of their round."""
    for prize in paid:
        _refuse(EarlierClaim("", (), True, cards), prize, live, deck, (), ended=ended)


def _refuse(
    claim: EarlierClaim,
    won: PrizesWon | PromotionPrizePaid,
    live: LiveRound,
    deck: Deck,
    others: Iterable[EarlierClaim],
    *,
    ended: bool,
) -> None:
    at = f"In round {won.round} of table {won.table}"
    advice = (
        "The round has ended, so what was typed stays: claim what was typed."
        if ended
        else "Correct what was typed first, or claim what was typed."
    )
    for what, claimed, typed in disagreements(claim, live):
        was = "were" if what.startswith("the cards") else "was"
        raise TypedOtherwise(f"{at} {what} {was} typed as {typed}, and this claim says {claimed}. {advice}")
    for same in same_cards(claim, live.cards, (claim, *others), deck):
        raise TypedOtherwise(
            f"{at} {same.card} was typed at {same.typed_at!r}, and this claim has it at {same.claimed_at!r}: the deck "
            f"has it {same.number}. {advice}"
        )


def contradictions(told: CardsTyped, claim: EarlierClaim) -> Iterator[Contradiction]:
    """Where what is typed now is not what a claim rests on. Of a hand a claim may tell fewer cards than lay there: in
    Texas Shootout the two that were kept."""
    for place, pile in told.cards.items():
        kept = claim.cards.get(place, ())
        if not Counter(kept) <= Counter(pile) and (pile or place in told.corrects):
            yield Contradiction(f"the cards at {place!r}", " ".join(kept), " ".join(pile))
    for seat, spots in told.wagers.items():
        for spot, cents in claim.wagers.get(int(seat), {}).items():
            if spots.get(spot, cents) != cents:
                yield Contradiction(f"seat {seat}'s wager on {spot}", format_cents(cents), format_cents(spots[spot]))
    for seat_, question, answer in told.answers:
        said = claim.answers.get((seat_, question), answer)
        if said != answer and (answer or f"seat {seat_} {question}" in told.corrects):
            yield Contradiction(f"seat {seat_}'s answer to {question}", said, answer)


def disagreements(claim: EarlierClaim, live: LiveRound) -> Iterator[Contradiction]:
    """Where a claim is not what was typed of its round. Of a hand either may have fewer cards than the other, because
    not all of them were typed yet."""
    for place, claimed in claim.cards.items():
        typed = live.cards.get(place, ())
        if not Counter(claimed) <= Counter(typed) and not Counter(typed) <= Counter(claimed):
            yield Contradiction(f"the cards at {place!r}", " ".join(claimed), " ".join(typed))
    for seat, spots in claim.wagers.items():
        for spot, cents in live.wagers.get(str(seat), {}).items():
            if spots.get(spot, cents) != cents:
                yield Contradiction(f"seat {seat}'s wager on {spot}", format_cents(spots[spot]), format_cents(cents))
    for one in live.answers:
        answer = claim.answers.get((one.seat, one.question), one.answer)
        if answer != one.answer:
            yield Contradiction(f"seat {one.seat}'s answer to {one.question}", answer, one.answer)


def same_cards(claim: EarlierClaim, typed: Cards, claims: Iterable[EarlierClaim], deck: Deck) -> Iterator[SameCard]:
    """The cards of a claim that were typed at other places of its round, beyond what the deck has of them. ``claims``
    are all claims of the round."""
    crowded = {name for name, _, _ in too_often(deck, fullest(typed, *(one.cards for one in claims)))}
    for place, pile in claim.cards.items():
        for name in (one for one in pile if one in crowded):
            for other in typed:
                if other != place and name in typed[other]:
                    yield SameCard(name, place, other, deck.count_copies(parse_card(name)))


def _sentence(found: Contradiction, jackpot: str, claim: EarlierClaim) -> str:
    by = _by(jackpot, claim)
    now = f"typed as {found.typed} now" if found.typed else "taken back now"
    return f"{found.what[0].upper()}{found.what[1:]}: {found.claimed} by {by}, and {now}. {_first(jackpot, claim)}"


def _same_card_sentence(same: SameCard, jackpot: str, claim: EarlierClaim) -> str:
    return (
        f"{same.card} is at {same.claimed_at!r} by {_by(jackpot, claim)}, and typed at {same.typed_at!r} now: the deck "
        f"has it {same.number}. {_first(jackpot, claim)}"
    )


def _by(jackpot: str, claim: EarlierClaim) -> str:
    return f"claim {claim.claim} of {jackpot}" if claim.claim else f"a prize of {jackpot}"


def _first(jackpot: str, claim: EarlierClaim) -> str:
    if claim.claim and claim.paid:
        return "The claim was paid by what was typed before, so that stands."
    return f"What a claim rests on stands as long as the claim does. Was it wrong? {claim.advice(jackpot)}."
