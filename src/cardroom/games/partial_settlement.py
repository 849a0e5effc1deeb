"""Take or pay from partial input at a dealer's console: some wagers, some cards, some decisions.

Missing cards are filled in only so that the rules can run. A payment that depends on a missing card or decision is left
out, and a sentence says what is missing.

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
from cardroom.games.card_places import Pile, Place
from cardroom.games.playable_table import Table
from cardroom.games.round import Bets, Round
from cardroom.games.settlement import Payment, apply_payout_limit, share_meters

if TYPE_CHECKING:
    from cardroom.games.game import Game


@dataclass(frozen=True, slots=True)
class PartialRound:
    """The input so far."""

    wagers: Bets
    """By seat; without seats whose wagers are missing."""
    cards: Mapping[Place, Sequence[Card]] = field(default_factory=dict)
    decisions: Mapping[tuple[int, str], Decision] = field(default_factory=dict)
    """By seat and question."""


class PendingDecision(NamedTuple):
    """A decision that a seat has to make, as far as the input shows."""

    seat: int
    question: str
    options: tuple[Decision, ...]
    """Its options. Those that name cards are included when all cards of the seat are entered."""
    has_more_options: bool
    """Whether it has more options when its cards are entered."""


@dataclass(frozen=True, slots=True)
class PartialSettlement:
    """The payments that are certain, and what the others need."""

    payments: tuple[Payment, ...]
    """The certain payments, seat by seat."""
    missing_inputs: tuple[str, ...]
    """What the other payments need, a sentence each."""
    rejected_inputs: tuple[str, ...]
    """Input that does not fit the round, a sentence each."""
    pending_decisions: tuple[PendingDecision, ...] = ()
    """The decisions that are due; without those after a missing decision."""
    uncertain_spots: frozenset[tuple[int, str]] = frozenset()
    """The seats and spots with a payment that is not certain yet."""


def settle_partial_round(
    game: Game, table: Table, partial_round: PartialRound, fill_cards: Iterable[Card] | None = None
) -> PartialSettlement:
    """Take or pay as far as it is certain. ``fill_cards`` is the order in which missing cards are filled in; it never
    changes the result."""
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
    """A round with missing input."""


def require_complete_round(game: Game, table: Table, partial_round: PartialRound) -> Round:
    """The round of the seats with wagers, played to its end, if the input is complete. Burned cards do not matter."""
    if not partial_round.wagers:
        raise IncompleteRound("The round is empty: enter the wagers, cards, and decisions of the winners.")
    filler = _RoundFiller(partial_round, tuple(table.deck.cards()))
    final_round = filler.play(Round.begin(game, table, partial_round.wagers))
    if missing := list(filler.describe_missing()):
        *first, last = missing
        missing_text = f"{', '.join(first)} and {last} are" if first else f"{last} is"
        raise IncompleteRound(f"The round is not complete: {missing_text} missing.")
    for sentence in filler.describe_rejected(final_round):
        raise IncompleteRound(sentence)
    return final_round


class _RoundFiller:
    """Plays a partial round to its end, fills in what is missing, and records what that was."""

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
        """Cards that a seat's decisions name and that were not entered as its hand: the decision makes them known."""
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
        """Record a pending decision, unless it depends on a missing one."""
        if any(seat == turn.seat for seat, _ in self._missing_decisions):
            return
        if not r.game.has_fixed_questions and any(self._unknown_counts.values()):
            return  # whether it is due may depend on missing cards
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
        """The first missing input of a payment; empty if it is certain. Further needs may depend on it: a missing hand
        decides which other cards and questions matter."""
        inputs = final_round.game.payment_inputs(final_round, payment)
        for place in inputs.places:
            if self._unknown_counts[place]:
                return f"the {'cards' if self._unknown_counts[place] > 1 else 'card'} at {str(place)!r}"
            if self._remaining_cards.get(place):
                return f"the player for whom the cards at {str(place)!r} were dealt"
        for seat in inputs.seats or (payment.seat,):
            for question in inputs.questions:
                if (seat, question) in self._missing_decisions:
                    return f"seat {seat}'s decision on {question!r}: {self._missing_decisions[seat, question]}"
        return ""

    def describe_missing(self) -> Iterator[str]:
        """What was filled in, except burned cards."""
        for place, number in self._unknown_counts.items():
            if number and place.pile is not Pile.BURN:
                yield f"{'the cards' if number > 1 else 'the card'} at {str(place)!r}"
        for seat, question in self._missing_decisions:
            yield f"seat {seat}'s decision on {question!r}"

    def describe_rejected(self, final_round: Round) -> Iterator[str]:
        """Input that has no place in the round, for seats with complete cards. Cards of the table may have been dealt
        for other seats."""
        incomplete_seats = {
            place.seat for place, cards in self._unknown_counts.items() if cards and place.pile is not Pile.BURN
        }
        complete_seats = frozenset() if None in incomplete_seats else frozenset(final_round.seats) - incomplete_seats
        yield from (sentence for seat, sentence in self._refused_decisions if seat in complete_seats)
        for place, pile in self._remaining_cards.items():
            if pile and place.seat in complete_seats:
                yield f"By this input no card is dealt at {str(place)!r} for {' '.join(map(str, pile))}."
        for seat, question in self._partial_round.decisions:
            if seat in complete_seats and (seat, question) not in final_round.decisions:
                yield f"By this input seat {seat} does not decide {question!r}."
