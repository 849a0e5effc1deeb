"""Take or pay from what a dealer typed: some seats' wagers, some cards, some answers.

Cards that nobody typed are filled in only so that the rules can run; a payment that looks at one of them, or hangs on
an answer that nobody typed, is not told, and a sentence says what is missing instead.

>>> from cardroom.cards import parse_cards
>>> from cardroom.games import default_setup, game
>>> rules = game("three-card-prime")
>>> table = rules.open(default_setup("three-card-prime"))
>>> wagers = {2: {"ante-play": 1000, "prime": 500, "pair-bonus": 500}}
>>> typed = PartialRound(wagers, {Place(Pile.HAND, 2): parse_cards("9d 9h Kc")}, {(2, "play"): Decision.parse("fold")})
>>> settled = settle_partial_round(rules, table, typed)
>>> [(payment.stake, payment.event, payment.returned) for payment in settled.payments]
[('ante', 'fold', 0), ('prime', 'other', 0)]
>>> settled.missing_inputs
("Seat 2's Pair Bonus needs the card at 'seat 2 fourth'.",)
>>> [(asked.seat, asked.question, *map(str, asked.options)) for asked in settled.pending_decisions]
[(2, 'play', 'fold', 'play')]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cardroom.cards import Card
from cardroom.errors import BadInput
from cardroom.games.actions import ChanceTurn, Deal, DealerTurn, Decide, Decision, RoundEnd, SeatTurn, TakeStep
from cardroom.games.places import Pile, Place
from cardroom.games.round import Bets, Round
from cardroom.games.settlement import Payment, apply_payout_limit, share_meters
from cardroom.games.table import Table

if TYPE_CHECKING:
    from cardroom.games.game import Game


@dataclass(frozen=True, slots=True)
class PartialRound:
    """What was typed of a round."""

    wagers: Bets
    """By seat; seats of which no wagers were typed are left out."""
    cards: Mapping[Place, Sequence[Card]] = field(default_factory=dict)
    decisions: Mapping[tuple[int, str], Decision] = field(default_factory=dict)
    """By seat and question."""


class PendingDecision(NamedTuple):
    """What a seat is asked, by what was typed."""

    seat: int
    question: str
    options: tuple[Decision, ...]
    """What it may say. Answers that name cards are among them once the seat's cards are all typed."""
    has_more_options: bool
    """Whether it may say more than that, when its cards are typed."""


@dataclass(frozen=True, slots=True)
class PartialSettlement:
    """What can be said of the payments."""

    payments: tuple[Payment, ...]
    """Those that are certain, seat by seat."""
    missing_inputs: tuple[str, ...]
    """What others still need, a sentence each."""
    rejected_inputs: tuple[str, ...]
    """What was typed and does not belong to such a round, a sentence each."""
    pending_decisions: tuple[PendingDecision, ...] = ()
    """What the seats are asked; what comes behind a question that nobody answered is not among it."""
    uncertain_spots: frozenset[tuple[int, str]] = frozenset()
    """The seats and spots with a payment that is not certain yet."""


def settle_partial_round(
    game: Game, table: Table, partial_round: PartialRound, fill_cards: Iterable[Card] | None = None
) -> PartialSettlement:
    """Take or pay as far as it is certain. ``fill_cards`` is the order in which cards are taken that nobody typed: it
    never changes anything that is told."""
    if not partial_round.wagers:
        return PartialSettlement((), (), ())
    filler = _RoundFiller(partial_round, tuple(table.deck.cards() if fill_cards is None else fill_cards))
    final_round = filler.play(Round.begin(game, table, partial_round.wagers))
    certain_payments, missing_inputs, uncertain_spots = list[Payment](), list[str](), set[tuple[int, str]]()
    for payment in game.payments(final_round):
        missing_input = filler.describe_missing_input(final_round, payment)
        if missing_input:
            missing_inputs.append(
                f"Seat {payment.seat}'s {table.spots[payment.spot].wager.name} needs {missing_input}."
            )
            uncertain_spots.add((payment.seat, payment.spot))
        else:
            certain_payments.append(payment)
    # A percentage is shared by those of whom it is certain that they won it.
    payments = apply_payout_limit(
        share_meters(certain_payments, {}), table.payout_limit, game.early_payment_spots
    ).payments
    rejected_inputs, pending_decisions = tuple(filler.describe_rejected(final_round)), tuple(filler.pending_decisions)
    return PartialSettlement(
        payments, tuple(dict.fromkeys(missing_inputs)), rejected_inputs, pending_decisions, frozenset(uncertain_spots)
    )


class IncompleteRound(BadInput):
    """A round of which something was not typed."""


def require_complete_round(game: Game, table: Table, partial_round: PartialRound) -> Round:
    """The round of the seats whose wagers were typed, played to its end, if all of it was typed. Burnt cards are
    nobody's: any will do."""
    if not partial_round.wagers:
        raise IncompleteRound(
            "Nothing was typed of the round: type the wagers, cards and answers of those who have won."
        )
    filler = _RoundFiller(partial_round, tuple(table.deck.cards()))
    final_round = filler.play(Round.begin(game, table, partial_round.wagers))
    if missing := list(filler.describe_missing()):
        *first, last = missing
        missing_text = f"{', '.join(first)} and {last} are" if first else f"{last} is"
        raise IncompleteRound(f"The round was not typed whole: {missing_text} missing.")
    for sentence in filler.describe_rejected(final_round):
        raise IncompleteRound(sentence)
    return final_round


class _RoundFiller:
    """Plays a typed round to its end with whatever is missing filled in, and remembers what that was."""

    def __init__(self, partial_round: PartialRound, fill_cards: tuple[Card, ...]) -> None:
        self._partial_round = partial_round
        self._fill = fill_cards
        self._remaining_cards = {place: list(pile) for place, pile in partial_round.cards.items() if pile}
        self._named_cards = {seat: list(self._cards_named_only_in_decisions(seat)) for seat in partial_round.wagers}
        self._unknown_counts = Counter[Place]()
        self._missing_decisions: dict[tuple[int, str], str] = {}
        self._refused_decisions: list[tuple[int, str]] = []
        self.pending_decisions: list[PendingDecision] = []

    def _cards_named_only_in_decisions(self, seat: int) -> Iterator[Card]:
        """Cards that a seat's answers name and that were not typed as its hand: they are known with the answer."""
        named_counts = Counter[Card]()
        for (decision_seat, _), decision in self._partial_round.decisions.items():
            if decision_seat == seat:
                named_counts |= Counter(card for group in decision.groups for card in group)
        yield from (named_counts - Counter(self._partial_round.cards.get(Place(Pile.HAND, seat), ()))).elements()

    def play(self, r: Round) -> Round:
        while True:
            match r.turn:
                case ChanceTurn(place):
                    r = r.apply(Deal(self._next_card(r, place)))
                case SeatTurn() as turn:
                    r = r.apply(Decide(turn.seat, self._decide(r, turn)))
                case DealerTurn(step):
                    r = r.apply(TakeStep(step))
                case RoundEnd():
                    return r

    def _next_card(self, r: Round, place: Place) -> Card:
        if self._remaining_cards.get(place):
            return self._remaining_cards[place].pop(0)
        named_cards = self._named_cards.get(place.seat) if place.seat is not None and place.pile is Pile.HAND else None
        if named_cards:
            return named_cards.pop(0)
        self._unknown_counts[place] += 1
        dealt_counts = Counter(card for pile in r.piles.values() for card in pile)
        dealt_counts.update(
            card for pile in (*self._remaining_cards.values(), *self._named_cards.values()) for card in pile
        )
        return next(card for card in self._fill if dealt_counts[card] < r.table.deck.count_copies(card))

    def _record_question(self, r: Round, turn: SeatTurn) -> None:
        """Remember what a seat is asked, unless that hangs on an answer which it has not given."""
        if any(seat == turn.seat for seat, _ in self._missing_decisions):
            return
        if not r.game.has_fixed_questions and any(self._unknown_counts.values()):
            return  # whether it is asked at all may hang on cards that nobody typed
        all_options = (*turn.options, *turn.unlisted_options)
        has_unknown_cards = any(cards and place.seat == turn.seat for place, cards in self._unknown_counts.items())
        certain_options = tuple(option for option in all_options if not (has_unknown_cards and option.groups))
        self.pending_decisions.append(
            PendingDecision(turn.seat, turn.question, certain_options, len(certain_options) < len(all_options))
        )

    def _decide(self, r: Round, turn: SeatTurn) -> Decision:
        self._record_question(r, turn)
        decision = self._partial_round.decisions.get((turn.seat, turn.question))
        if decision is not None and turn.allows(decision):
            return decision
        verbs = " or ".join(dict.fromkeys(str(option.verb) for option in turn.options))
        self._missing_decisions[turn.seat, turn.question] = verbs
        if decision is not None:
            self._refused_decisions.append((turn.seat, r.why_not(Decide(turn.seat, decision)) or ""))
        return r.game.default_decision(r)

    def describe_missing_input(self, final_round: Round, payment: Payment) -> str:
        """What a payment needs first; nothing when it is certain. What it needs besides may hang on that: a hand that
        nobody typed says nothing about the cards that are looked at after it, or about the questions."""
        inputs = final_round.game.payment_inputs(final_round, payment)
        for place in inputs.places:
            if self._unknown_counts[place]:
                return f"the {'cards' if self._unknown_counts[place] > 1 else 'card'} at {str(place)!r}"
            if self._remaining_cards.get(place):
                return f"the player for whom the cards at {str(place)!r} were dealt"
        for seat in inputs.seats or (payment.seat,):
            for question in inputs.questions:
                if (seat, question) in self._missing_decisions:
                    return f"seat {seat}'s answer to {question!r}: {self._missing_decisions[seat, question]}"
        return ""

    def describe_missing(self) -> Iterator[str]:
        """What was filled in, besides burnt cards."""
        for place, number in self._unknown_counts.items():
            if number and place.pile is not Pile.BURN:
                yield f"{'the cards' if number > 1 else 'the card'} at {str(place)!r}"
        for seat, question in self._missing_decisions:
            yield f"seat {seat}'s answer to {question!r}"

    def describe_rejected(self, final_round: Round) -> Iterator[str]:
        """What was typed and has no place in the round; nobody knows of a seat whose cards are not all typed. Cards of
        the table may have been dealt for somebody else."""
        incomplete_seats = {
            place.seat for place, cards in self._unknown_counts.items() if cards and place.pile is not Pile.BURN
        }
        complete_seats = frozenset() if None in incomplete_seats else frozenset(final_round.seats) - incomplete_seats
        yield from (sentence for seat, sentence in self._refused_decisions if seat in complete_seats)
        for place, pile in self._remaining_cards.items():
            if pile and place.seat in complete_seats:
                yield f"By what is typed no card is dealt at {str(place)!r} for {' '.join(map(str, pile))}."
        for seat, question in self._partial_round.decisions:
            if seat in complete_seats and (seat, question) not in final_round.decisions:
                yield f"By what is typed seat {seat} is not asked {question!r}."
