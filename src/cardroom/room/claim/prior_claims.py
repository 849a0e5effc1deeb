"""Earlier claims of a round: their hands, their status, and the cards that they state.

Commands and the verification both build it from the events of a jackpot in their order, so both get the same result.

Claims of one round state the same cards: all seats share the dealer's and the community cards, and a seat has one hand
for all its wagers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cardroom.cards import Deck, parse_card
from cardroom.chart_of_accounts import CENT
from cardroom.games import game
from cardroom.games.setup import setup_from_json
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.claim.revaluation import find_group_leader
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.events import (
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    PrizesPaid,
    PrizesReversed,
    PrizesWon,
)
from cardroom.room.jackpot.pending_claims import Claim, JackpotPrize

Cards = Mapping[str, tuple[str, ...]]
"""By place."""


class PriorClaim(NamedTuple):
    """A claim of a round, or prizes of it paid at once."""

    claim: str
    """Empty for prizes paid at once."""
    prizes: tuple[JackpotPrize, ...]
    """Without refused prizes."""
    paid: bool
    cards: Cards
    """As stated in the claim."""
    command: str = ""
    """The id of the command that made the claim."""
    wagers: Mapping[int, Mapping[str, int]] = {}
    """By seat of a winning hand: its wagers in cents, as stated in the claim."""
    answers: Mapping[tuple[int, str], str] = {}
    """By seat and question, as stated in the claim."""

    @classmethod
    def from_event(cls, won: PrizesWon, claim: str, *, paid: bool = False) -> PriorClaim:
        """The claim that one event records."""
        cards = {place: tuple(pile) for place, pile in won.record["cards"].items()}
        command = claim or (won.claim if isinstance(won, PrizesPaid) else "")
        hands = {prize.hand_seat for prize in won.prizes}
        wagers = {int(seat): spots for seat, spots in won.record["wagers"].items() if int(seat) in hands}
        decisions = {
            (decision["seat"], decision["question"]): decision["answer"] for decision in won.record["decisions"]
        }
        answers = {key: answer for key, answer in decisions.items() if key[0] in hands}
        return cls(claim, won.prizes, paid, cards, command, wagers, answers)

    def advice(self, jackpot: str) -> str:
        """How to undo a wrong claim or payment."""
        if self.claim:
            return f"ask a supervisor to refuse claim {self.claim} on jackpot {jackpot} first"
        return f"ask a supervisor to reverse the prize {self.command} on jackpot {jackpot} first"


class PriorClaims(NamedTuple):
    """The claims of a round on one jackpot that are not refused."""

    earlier: tuple[PriorClaim, ...] = ()
    shown: Mapping[str, int] = {}
    """By level: the cents that it showed when the round's claims were locked."""

    @property
    def winning_keys(self) -> frozenset[tuple[int, int, str]]:
        """Seat, hand, and stake of every claimed prize."""
        return frozenset(_winning_key(prize) for prior in self.earlier for prize in prior.prizes)

    def is_new(self, prize: JackpotPrize) -> bool:
        """Whether a prize is not claimed yet."""
        return _winning_key(prize) not in self.winning_keys

    def cents_paid_by_dealer(self, seat: int) -> int:
        """The cents that the dealer paid a seat at once."""
        return sum(
            prize.cents for prior in self.earlier if not prior.claim for prize in prior.prizes if prize.seat == seat
        )

    @property
    def seats_paid_by_dealer(self) -> frozenset[int]:
        """The seats that the dealer paid at once."""
        return frozenset(prize.seat for prior in self.earlier if not prior.claim for prize in prior.prizes)

    @property
    def unverified_seats(self) -> frozenset[int]:
        """The seats whose hands are claimed but not paid."""
        return frozenset(prize.hand_seat for prior in self.earlier if not prior.paid for prize in prior.prizes)

    def paid_events(self, level: str) -> tuple[str, ...]:
        """The triggers with a paid winner on a level, so that their amounts are final."""
        paid = (prize for prior in self.earlier if prior.paid for prize in prior.prizes if prize.level == level)
        return tuple(dict.fromkeys(prize.event for prize in paid))

    def prizes_on(self, level: str) -> tuple[JackpotPrize, ...]:
        """All prizes of the round on a level."""
        return tuple(prize for prior in self.earlier for prize in prior.prizes if prize.level == level)

    def claim_id_of(self, prize: JackpotPrize) -> str:
        """The claim of the prize; empty if it was paid at once."""
        return self.find_holder(prize).claim

    def find_holder(self, prize: JackpotPrize) -> PriorClaim:
        """The claim or payment of the prize."""
        return next(
            prior
            for prior in self.earlier
            for held_prize in prior.prizes
            if _winning_key(held_prize) == _winning_key(prize)
        )

    def apply_event(self, event: DomainEvent, table: str, round_id: str) -> PriorClaims:
        """The claims of the round after another event of the jackpot."""
        match event:
            case PrizesPaid() if (event.table, event.round) == (table, round_id):
                return self._with_prizes("", event, paid=True)
            case PrizesReversed() if (event.table, event.round) == (table, round_id):
                return self._without(event)
            case ClaimLocked() if (event.table, event.round) == (table, round_id):
                meters = {level: withdrawal.before // CENT for level, withdrawal in event.levels.items()}
                return self._with_prizes(event.claim, event)._replace(shown={**self.shown, **meters})
            case ClaimJoined():
                is_of_round = (event.table, event.round) == (table, round_id)
                extended = self._with_prizes(event.claim, event) if is_of_round else self
                return extended._with_revaluation(event.claims, (table, round_id))
            case ClaimRefused(claim=claim, seats=seats):
                remaining = tuple(
                    prior._replace(
                        prizes=tuple(prize for prize in prior.prizes if prize.seat not in seats),
                        cards=_cards_without_seats(prior, seats),
                        wagers={seat: spots for seat, spots in prior.wagers.items() if seat not in seats},
                        answers={key: answer for key, answer in prior.answers.items() if key[0] not in seats},
                    )
                    if prior.claim == claim
                    else prior
                    for prior in self.earlier
                )
                nonempty = tuple(prior for prior in remaining if prior.prizes)
                return self._replace(earlier=nonempty)._with_revaluation(event.claims, (table, round_id))
            case ClaimPaid(claim=claim):
                paid = tuple(prior._replace(paid=True) if prior.claim == claim else prior for prior in self.earlier)
                return self._replace(earlier=paid)
        return self

    def _with_prizes(self, claim: str, won: PrizesWon, *, paid: bool = False) -> PriorClaims:
        return self._replace(earlier=(*self.earlier, PriorClaim.from_event(won, claim, paid=paid)))

    def _without(self, reversal: PrizesReversed) -> PriorClaims:
        """Remove reversed prizes, and the cards of their hands from other claims, unless those claims have prizes of
        the same hands."""
        reversed_claim = next(prior for prior in self.earlier if not prior.claim and prior.prizes == reversal.prizes)
        hands = {prize.hand_seat for prize in reversal.prizes}
        remaining = (prior for prior in self.earlier if prior is not reversed_claim)
        trimmed = (
            prior._replace(cards=_cards_without_seats(prior, hands - {prize.hand_seat for prize in prior.prizes}))
            for prior in remaining
        )
        return self._replace(earlier=tuple(trimmed))

    def _with_revaluation(self, pending: Iterable[Claim], round_key: tuple[str, str]) -> PriorClaims:
        """Update prizes and displayed amounts after the replay of a level."""
        claims = [claim for claim in pending if claim.round_key == round_key]
        if not claims:
            return self
        prizes = {claim.id: claim.prizes for claim in claims}
        meters = dict(self.shown)
        for claim in claims:
            for part in claim.parts:
                first = find_group_leader(claims, claim, part.level)
                if first is claim:
                    meters[part.level] = part.before.display // CENT
        earlier = tuple(prior._replace(prizes=prizes.get(prior.claim, prior.prizes)) for prior in self.earlier)
        return self._replace(earlier=earlier, shown=meters)


def _winning_key(prize: JackpotPrize) -> tuple[int, int, str]:
    return prize.seat, prize.hand_seat, prize.stake


def _cards_without_seats(earlier: PriorClaim, seats: Iterable[int]) -> Cards:
    """The cards of a claim without those of refused seats."""
    seat_prefixes = tuple(f"seat {seat} " for seat in seats)
    return {place: pile for place, pile in earlier.cards.items() if not place.startswith(seat_prefixes)}


def refuse_contradiction(won: PrizesWon, other_claims: Iterable[tuple[str, PriorClaim]]) -> None:
    """Refuse cards that contradict other claims of the round, on any jackpot. ``other_claims`` have the names of their
    jackpots. A claim may state only some cards of a hand: in Texas Shootout, the two that were kept."""
    cards_by_place = {place: tuple(pile) for place, pile in won.record["cards"].items()}
    for jackpot, earlier in other_claims:
        for place, pile in earlier.cards.items():
            pile_before = cards_by_place.setdefault(place, pile)
            if not Counter(pile_before) <= Counter(pile) and not Counter(pile) <= Counter(pile_before):
                raise _contradiction_error(won, place, jackpot, earlier)
            cards_by_place[place] = max(pile_before, pile, key=len)
    deck = game(won.game).open(setup_from_json(won.ordered_record["table"])).deck
    for name, number, copies in find_surplus_cards(deck, cards_by_place):
        raise BadClaim(
            f"Together with other claims, round {won.round} of table {won.table} would have {name} {number} times; the "
            f"deck has it {copies} time{'s' * (copies != 1)}. Check the cards."
        )


def find_surplus_cards(deck: Deck, piles: Cards) -> Iterator[tuple[str, int, int]]:
    """Cards that are on the table more often than in the deck: name, number on the table, number in the deck."""
    for name, number in Counter(name for pile in piles.values() for name in pile).items():
        if number > (copies := deck.count_copies(parse_card(name))):
            yield name, number, copies


def merge_cards(*sources: Cards) -> Cards:
    """The cards by place, each place from the source with most of its cards."""
    places = dict.fromkeys(place for source in sources for place in source)
    return {place: max((source.get(place, ()) for source in sources), key=len) for place in places}


def _contradiction_error(won: PrizesWon, place: str, jackpot: str, earlier: PriorClaim) -> BadClaim:
    before, cards_now = " ".join(earlier.cards[place]), " ".join(won.record["cards"].get(place, ()))
    source = f"in claim {earlier.claim}" if earlier.claim else "when a prize was paid"
    return BadClaim(
        f"In round {won.round} of table {won.table}, the cards at {place!r} were {before} {source}, and are "
        f"{cards_now} now. Claims of one round must agree: check the cards. If the earlier cards were wrong: "
        f"{earlier.advice(jackpot)}."
    )
