"""A written round settled: the payments, how the dealer's hand was made, and what unknown cards could change.

Every payment names the cards that it looks at. If none of them is unknown, the payment is certain. If some are, every
card that they can have been is tried, and the least and the most that result are reported with the cards that made
them. Only cards with which the rules allow the round as written are tried. Where there are too many to try them all,
some are tried, and the result says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, permutations
from typing import Final, NamedTuple, TypeAlias

from cardroom.cards import Card, ChaCha20Source
from cardroom.errors import BadInput
from cardroom.games.actions import ChanceTurn
from cardroom.games.card_places import DEALER_HAND, Pile, Place
from cardroom.games.game import RoundNotOver
from cardroom.games.game_facts import GameFacts
from cardroom.games.money import format_cents
from cardroom.games.record import BadRecord, RoundRecord, parse_record, parse_record_json, replay_record
from cardroom.games.round import Round
from cardroom.games.settlement import Payment, Settlement

MAX_SETTLED_SEATS: Final = 30_000
"""So many seats are settled for one question at most, which takes some ten seconds."""
SAMPLE_SIZE: Final = 2_000
"""So many ways to fill the places are tried where there are more than can all be tried."""

StakeKey: TypeAlias = tuple[int, str, str]
"""A seat, a spot, and the chips on it."""
CardAssignment: TypeAlias = Mapping[Place, tuple[Card, ...]]
"""What the unknown cards of each place can have been."""

CERTAIN_TEXT: Final = "the same whatever the unknown cards were"


class PossibleOutcome(NamedTuple):
    """One thing that can have come of a stake."""

    returned: int
    payments: tuple[Payment, ...]
    """How it came to that; none where nothing would have been won."""
    cards: CardAssignment
    """The cards that make it so."""


@dataclass(frozen=True, slots=True)
class UncertainStake:
    """A stake whose payment depends on unknown cards."""

    seat: int
    spot: str
    stake: str
    wagered: int
    least: PossibleOutcome
    most: PossibleOutcome
    trial_count: int
    """In how many ways the unknown cards were filled in."""
    is_exact: bool
    """Whether those were all there are: then nothing less and nothing more is possible."""

    @property
    def has_range(self) -> bool:
        """Whether the cards are known to change the answer; else all that was tried came to the same."""
        return self.least.returned != self.most.returned


StakeResult: TypeAlias = Payment | UncertainStake


def describe_uncertain_stake(doubt: UncertainStake) -> str:
    """Whether the unknown cards change the answer, and from what to what, in a sentence."""
    span = f"{format_cents(doubt.least.returned)} to {format_cents(doubt.most.returned)}"
    if doubt.is_exact:
        return f"unknown cards decide: {span} goes back"
    if doubt.has_range:
        return f"unknown cards decide: {span} or more apart goes back; {doubt.trial_count:,} ways were tried, not all"
    return f"not decided: all of {doubt.trial_count:,} ways that were tried, of more, give back {span.split(' to ')[0]}"


def settle_with_unknown_cards(record: RoundRecord) -> tuple[StakeResult, ...]:
    """Every stake of a written round: the payment where it is certain, and else what is in doubt."""
    return _Search(record).settle()


@dataclass(slots=True)
class _TrialSummary:
    """What came of filling some places in all ways, or in some."""

    is_exact: bool
    trial_count: int = 0
    first: CardAssignment = field(default_factory=dict)
    least: dict[StakeKey, PossibleOutcome] = field(default_factory=dict)
    """In the order in which the stakes are taken or paid."""
    most: dict[StakeKey, PossibleOutcome] = field(default_factory=dict)
    constant_payments: dict[StakeKey, tuple[Payment, ...]] = field(default_factory=dict)
    """The payments of stakes of which they were the same each time."""
    events: dict[StakeKey, set[str]] = field(default_factory=dict)
    needs: dict[tuple[int, str], set[Place]] = field(default_factory=dict)
    """By seat and spot: the places with unknown cards that its payments depend on."""
    has_impossible_cards: bool = False
    """Whether some cards did not fit the record."""

    def add(self, by_stake: Mapping[StakeKey, tuple[Payment, ...]], cards: CardAssignment) -> None:
        if not self.trial_count:
            self.first = cards
        for stake in dict.fromkeys((*self.least, *by_stake)):
            payments = by_stake.get(stake, ())
            outcome = PossibleOutcome(sum(payment.known_return for payment in payments), payments, cards)
            if stake not in self.least:
                # A prize that the cards before these did not win.
                earlier_outcome = PossibleOutcome(0, (), self.first) if self.trial_count else outcome
                self.least[stake], self.most[stake], self.constant_payments[stake] = (
                    earlier_outcome,
                    earlier_outcome,
                    earlier_outcome.payments,
                )
                self.events[stake] = set()
            self.least[stake] = min(self.least[stake], outcome, key=_returned_cents)
            self.most[stake] = max(self.most[stake], outcome, key=_returned_cents)
            self.events[stake].update(payment.event for payment in payments)
            if self.constant_payments[stake] != payments:
                self.constant_payments[stake] = ()
        self.trial_count += 1


def _returned_cents(outcome: PossibleOutcome) -> int:
    return outcome.returned


class _Search:
    """Tries all values of the unknown cards, only at the places that a payment depends on."""

    def __init__(self, record: RoundRecord) -> None:
        self._record = record
        self._unknown_counts = record.unknown_counts
        deck, known_cards = record.table.deck, record.known_cards
        self._card_copies = {card: deck.count_copies(card) - known_cards[card] for card in deck.distinct_cards()}
        self._summaries: dict[frozenset[Place], _TrialSummary] = {}
        # Burned cards never matter.
        self._all_places = frozenset(place for place in self._unknown_counts if place.pile is not Pile.BURN)

    def settle(self) -> tuple[StakeResult, ...]:
        # In a game whose questions depend on the cards, a decision tells something about them: try all together. With
        # a payout limit too, because then a payment depends on the cards of all seats.
        is_separable = self._record.game.has_fixed_questions and self._record.table.payout_limit is None
        initial_places = frozenset[Place]() if is_separable else self._all_places
        summary = self._find_summary(initial_places)
        if not summary.trial_count:
            raise self._explain_impossible()
        results = dict[StakeKey, tuple[StakeResult, ...]]()
        for seat, spot in dict.fromkeys((seat, spot) for seat, spot, _ in summary.least):
            results |= self._settle_spot((seat, spot), initial_places)
        return tuple(result for stake in sorted(results, key=lambda stake: stake[0]) for result in results[stake])

    def _settle_spot(self, spot: tuple[int, str], places: frozenset[Place]) -> dict[StakeKey, tuple[StakeResult, ...]]:
        """All stakes of a seat on a spot, with all places tried that they can depend on."""
        summary = self._find_summary(places)
        while further_places := summary.needs[spot] - places:
            places |= further_places
            summary = self._find_summary(places)
        return {stake: self._summarize_stake(stake, summary) for stake in summary.least if stake[:2] == spot}

    def _summarize_stake(self, stake: StakeKey, summary: _TrialSummary) -> tuple[StakeResult, ...]:
        least, most = summary.least[stake], summary.most[stake]
        if summary.constant_payments[stake] and summary.is_exact:
            return summary.constant_payments[stake]
        payments = least.payments or most.payments
        wagered = sum(stake_payment.wagered for stake_payment in payments)
        if not summary.is_exact or least.returned != most.returned:
            return (UncertainStake(*stake, wagered, least, most, summary.trial_count, summary.is_exact),)
        event = " or ".join(sorted(summary.events[stake]))
        payment = replace(payments[0], event=event, text=CERTAIN_TEXT, cards=(), comparison=None)
        return (replace(payment, wagered=wagered, returned=least.returned),)

    def _find_summary(self, places: frozenset[Place]) -> _TrialSummary:
        """The outcomes of trying these places; other places are filled with any cards."""
        if places not in self._summaries:
            summary = self._run_trials(places)
            # If arbitrary cards do not fit somewhere, try all places.
            is_wider = summary.has_impossible_cards and places < self._all_places
            self._summaries[places] = self._find_summary(self._all_places) if is_wider else summary
        return self._summaries[places]

    def _run_trials(self, places: frozenset[Place]) -> _TrialSummary:
        place_counts = [(place, number) for place, number in self._unknown_counts.items() if place in places]
        limit = MAX_SETTLED_SEATS // max(1, len(self._record.start.seats))
        assignments = list(islice(_list_assignments(place_counts, self._card_copies, self._list_orders), limit + 1))
        summary = _TrialSummary(is_exact=len(assignments) <= limit)
        for assignment in assignments if summary.is_exact else self._sample_assignments(place_counts):
            self._run_trial(assignment, places, summary)
        return summary

    def _list_orders(self, place: Place, filled_cards: tuple[Card, ...]) -> Iterable[tuple[Card, ...]]:
        """The orders in which to try the cards of a place: one, unless the order matters there."""
        pile = (*filled_cards, *(card for card in self._record.cards[place] if card is not None))
        return (
            dict.fromkeys(permutations(filled_cards))
            if self._record.game.is_order_relevant(place, pile)
            else (filled_cards,)
        )

    def _sample_assignments(self, place_counts: list[tuple[Place, int]]) -> Iterator[dict[Place, tuple[Card, ...]]]:
        """A sample of the assignments, the same for the same record."""
        source = ChaCha20Source.from_seed("unknown cards")
        shoe = [card for card, copies in self._card_copies.items() for _ in range(copies)]
        for _ in range(SAMPLE_SIZE):
            assignment = dict[Place, tuple[Card, ...]]()
            taken_count = 0
            for place, number in place_counts:
                # The first steps of a shuffle, one for each card.
                for index in range(taken_count, taken_count + number):
                    swap_index = index + source.draw_below(len(shoe) - index)
                    shoe[index], shoe[swap_index] = shoe[swap_index], shoe[index]
                assignment[place] = tuple(shoe[taken_count : taken_count + number])
                taken_count += number
            yield assignment

    def _run_trial(
        self, assignment: dict[Place, tuple[Card, ...]], places: frozenset[Place], summary: _TrialSummary
    ) -> None:
        try:
            final_round = self._play(assignment | self._fill_others(assignment, places))
        except BadInput:
            if not self._all_places or self._record.game.has_fixed_questions:
                raise  # with any cards: the record itself is wrong
            summary.has_impossible_cards = True
            return
        settlement = final_round.game.settle(final_round, self._record.meters)
        settlement.require_known_meters()
        summary.add(_payments_by_stake(settlement), assignment)
        self._record_inputs(final_round, settlement, summary)

    def _play(self, filled_cards: CardAssignment) -> Round:
        final_round = replay_record(self._record, filled_cards)
        if not final_round.is_terminal:
            raise RoundNotOver(describe_unfinished(final_round))
        return final_round

    def _fill_others(self, assignment: CardAssignment, places: frozenset[Place]) -> dict[Place, tuple[Card, ...]]:
        used_counts = Counter(card for pile in assignment.values() for card in pile)
        remaining_cards = (
            card for card, copies in self._card_copies.items() for _ in range(copies - used_counts[card])
        )
        place_counts = [(place, number) for place, number in self._unknown_counts.items() if place not in places]
        return {place: tuple(islice(remaining_cards, number)) for place, number in place_counts}

    def _record_inputs(self, final_round: Round, settlement: Settlement, summary: _TrialSummary) -> None:
        """Record which unknown places each seat's spots depend on. A share of a meter depends on the other winners, and
        so on all places that the other seats' payments on that spot depend on."""
        payment_places = [
            (
                viewed_payment,
                self._unknown_counts.keys() & final_round.game.payment_inputs(final_round, viewed_payment).places,
            )
            for viewed_payment in settlement.payments
        ]
        for payment, places in payment_places:
            input_places = summary.needs.setdefault((payment.seat, payment.spot), set())
            input_places |= places
            if payment.meter:
                input_places.update(
                    *(
                        other_places
                        for other_payment, other_places in payment_places
                        if other_payment.spot == payment.spot
                    )
                )

    def _explain_impossible(self) -> BadInput:
        """Why no cards fit, with the error for arbitrary cards."""
        try:
            self._play(self._fill_others({}, frozenset()))
        except BadInput as fault:
            return BadRecord(f"No cards in place of '?' make this a round that the rules allow. With any: {fault}")
        return BadRecord("No cards in place of '?' that were tried make this a round that the rules allow.")


def describe_unfinished(r: Round) -> str:
    """What a round still needs before it can be settled."""
    if isinstance(r.turn, ChanceTurn):
        sentence = f"At {str(r.turn.place)!r} a card is missing, and the round is not over"
        return f"{sentence}: write it, or '?' if it is unknown."
    return f"The round is not over: {r.turn_text}."


def _payments_by_stake(settlement: Settlement) -> dict[StakeKey, tuple[Payment, ...]]:
    grouped_payments = dict[StakeKey, tuple[Payment, ...]]()
    for payment in settlement.payments:
        stake = (payment.seat, payment.spot, payment.stake)
        grouped_payments[stake] = (*grouped_payments.get(stake, ()), payment)
    return grouped_payments


_Orders: TypeAlias = Callable[[Place, tuple[Card, ...]], Iterable[tuple[Card, ...]]]


def _list_assignments(
    place_counts: Sequence[tuple[Place, int]], card_copies: Mapping[Card, int], orders: _Orders
) -> Iterator[dict[Place, tuple[Card, ...]]]:
    """All ways to fill places from the copies left, with these orders inside a place.

    >>> from cardroom.cards import parse_cards
    >>> left = dict.fromkeys(parse_cards("As Kd"), 1)
    >>> ways = _list_assignments([(Place(Pile.HAND), 1)], left, lambda _, two: [two])
    >>> [[*map(str, way[Place(Pile.HAND)])] for way in ways]
    [['As'], ['Kd']]
    """
    if not place_counts:
        yield {}
        return
    (place, number), *other_places = place_counts
    for cards in _list_card_choices(number, list(card_copies), card_copies):
        used_counts = Counter(cards)
        remaining_copies = (
            {card: copies - used_counts[card] for card, copies in card_copies.items()} if other_places else card_copies
        )
        yield from (
            {place: ordered_cards, **assignment}
            for ordered_cards in orders(place, cards)
            for assignment in _list_assignments(other_places, remaining_copies, orders)
        )


def _list_card_choices(number: int, kinds: list[Card], card_copies: Mapping[Card, int]) -> Iterator[tuple[Card, ...]]:
    if number == 0:
        yield ()
        return
    for index, card in enumerate(kinds):
        for copies in range(1, min(number, card_copies[card]) + 1):
            yield from (
                (card,) * copies + further_cards
                for further_cards in _list_card_choices(number - copies, kinds[index + 1 :], card_copies)
            )


@dataclass(frozen=True, slots=True)
class SettledRecord:
    """The settlement of a record."""

    facts: GameFacts
    stake_results: tuple[StakeResult, ...]
    """Every stake, seat by seat."""
    dealer_description: str = ""
    """How the dealer's hand was set or ranked, in a sentence."""
    note: str = ""
    unknown_counts: Mapping[Place, int] | None = None
    """The number of unknown cards by place; None if all are known."""

    @property
    def settlement(self) -> Settlement:
        """The payments that are certain."""
        return Settlement(tuple(result for result in self.stake_results if isinstance(result, Payment)))

    @property
    def uncertain_stakes(self) -> tuple[UncertainStake, ...]:
        """The stakes that depend on unknown cards."""
        return tuple(result for result in self.stake_results if isinstance(result, UncertainStake))

    @property
    def is_certain(self) -> bool:
        return not self.uncertain_stakes


def settle_record(text: str, source_name: str = "This") -> SettledRecord:
    """Replay a JSON record and settle it. ``source_name`` names the text in error sentences."""
    return settle_round_record(parse_record(parse_record_json(text, source_name)))


def settle_round_record(record: RoundRecord) -> SettledRecord:
    """Settle a record."""
    if record.unknown_counts:
        stakes = settle_with_unknown_cards(record)
        return SettledRecord(
            record.table.facts, stakes, _describe_dealer_hand(record), record.note, record.unknown_counts
        )
    final_round = replay_record(record, {})
    if not final_round.is_terminal:
        raise RoundNotOver(describe_unfinished(final_round))
    settlement = record.game.settle(final_round, record.meters)
    settlement.require_known_meters()
    return SettledRecord(
        record.table.facts, settlement.payments, record.game.describe_dealer_hand(final_round), record.note
    )


def _describe_dealer_hand(record: RoundRecord) -> str:
    """The description of the dealer's hand if all its cards are known; the players' cards do not matter."""
    dealer = record.cards.get(DEALER_HAND, ())
    piles = {DEALER_HAND: tuple(card for card in dealer if card is not None)}
    if None in dealer or not dealer:
        return ""
    return record.game.describe_dealer_hand(record.start.with_piles(piles))
