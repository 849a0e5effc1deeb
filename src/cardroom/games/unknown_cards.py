"""A round of which some cards are known to nobody: what is certain, and what they could change.

Every payment says which cards it looks at. Where none of them is unknown it is certain. Where some are, every card that
they can have been is tried, and the least and the most that came of it are told with the cards that made it so. Only
cards with which the rules allow the round as it was written can have been there. Where there are too many to try them
all, some are tried, and the answer says that it is not the whole answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, permutations
from typing import Final, NamedTuple, TypeAlias

from cardroom.cards import Card, ChaCha20Source
from cardroom.faults import BadInput
from cardroom.games.game import RoundNotOver
from cardroom.games.money import money
from cardroom.games.places import Pile, Place
from cardroom.games.record import replayed
from cardroom.games.round import Round
from cardroom.games.settlement import Payment, Settlement
from cardroom.games.turns import ChanceTurn
from cardroom.games.written import BadRecord, Written

MOST: Final = 30_000
"""So many seats are settled for one question at most, which takes some ten seconds."""
TRIED: Final = 2_000
"""So many ways to fill the places are tried where there are more than can all be tried."""

Stake: TypeAlias = tuple[int, str, str]
"""A seat, a spot, and the chips on it."""
Filled: TypeAlias = Mapping[Place, tuple[Card, ...]]
"""What the unknown cards of each place can have been."""

WHATEVER: Final = "the same whatever the unknown cards were"


class Possible(NamedTuple):
    """One thing that can have come of a stake."""

    returned: int
    payments: tuple[Payment, ...]
    """How it came to that; none where nothing would have been won."""
    cards: Filled
    """The cards that make it so."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A stake of which nobody can say what goes back without knowing more cards."""

    seat: int
    spot: str
    stake: str
    wagered: int
    least: Possible
    most: Possible
    tried: int
    """In how many ways the unknown cards were filled in."""
    exact: bool
    """Whether those were all there are: then nothing less and nothing more is possible."""

    @property
    def changes(self) -> bool:
        """Whether the cards are known to change the answer; else all that was tried came to the same."""
        return self.least.returned != self.most.returned


Settled: TypeAlias = Payment | Doubt


def doubt_words(doubt: Doubt) -> str:
    """Whether the unknown cards change the answer, and from what to what, in a sentence."""
    span = f"{money(doubt.least.returned)} to {money(doubt.most.returned)}"
    if doubt.exact:
        return f"unknown cards decide: {span} goes back"
    if doubt.changes:
        return f"unknown cards decide: {span} or more apart goes back; {doubt.tried:,} ways were tried, not all"
    return f"not decided: all of {doubt.tried:,} ways that were tried, of more, give back {span.split(' to ')[0]}"


def settle_unknown(said: Written) -> tuple[Settled, ...]:
    """Every stake of a written round: the payment where it is certain, and else what is in doubt."""
    return _Search(said).settled()


@dataclass(slots=True)
class _Found:
    """What came of filling some places in all ways, or in some."""

    exact: bool
    tried: int = 0
    first: Filled = field(default_factory=dict)
    least: dict[Stake, Possible] = field(default_factory=dict)
    """In the order in which the stakes are taken or paid."""
    most: dict[Stake, Possible] = field(default_factory=dict)
    same: dict[Stake, tuple[Payment, ...]] = field(default_factory=dict)
    """The payments of stakes of which they were the same each time."""
    events: dict[Stake, set[str]] = field(default_factory=dict)
    needs: dict[tuple[int, str], set[Place]] = field(default_factory=dict)
    """By seat and spot: the unknown places that its payments look at."""
    impossible: bool = False
    """Whether some cards did not fit the round as it was written."""

    def add(self, by_stake: Mapping[Stake, tuple[Payment, ...]], cards: Filled) -> None:
        if not self.tried:
            self.first = cards
        for stake in dict.fromkeys((*self.least, *by_stake)):
            payments = by_stake.get(stake, ())
            one = Possible(sum(payment.paid for payment in payments), payments, cards)
            if stake not in self.least:
                # A prize that the cards before these did not win.
                before = Possible(0, (), self.first) if self.tried else one
                self.least[stake], self.most[stake], self.same[stake] = before, before, before.payments
                self.events[stake] = set()
            self.least[stake] = min(self.least[stake], one, key=_back)
            self.most[stake] = max(self.most[stake], one, key=_back)
            self.events[stake].update(payment.event for payment in payments)
            if self.same[stake] != payments:
                self.same[stake] = ()
        self.tried += 1


def _back(one: Possible) -> int:
    return one.returned


class _Search:
    """Tries the cards that nobody knows, place by place as payments look at them."""

    def __init__(self, said: Written) -> None:
        self._said = said
        self._unknown = said.unknown
        deck, known = said.table.deck, said.known
        self._left = {one: deck.copies(one) - known[one] for one in deck.kinds()}
        self._asked: dict[frozenset[Place], _Found] = {}
        # Nobody ever looks at a burnt card.
        self._all = frozenset(place for place in self._unknown if place.pile is not Pile.BURN)

    def settled(self) -> tuple[Settled, ...]:
        # Where a game asks by the cards, whether a question was asked says something of them: all are tried together.
        # A payout limit makes what a seat gets hang on everybody's cards: then too.
        apart = self._said.game.always_asks and self._said.table.payout_limit is None
        first = frozenset[Place]() if apart else self._all
        start = self._found(first)
        if not start.tried:
            raise self._cannot_be()
        answers = dict[Stake, tuple[Settled, ...]]()
        for seat, spot in dict.fromkeys((seat, spot) for seat, spot, _ in start.least):
            answers |= self._of_spot((seat, spot), first)
        return tuple(one for stake in sorted(answers, key=lambda stake: stake[0]) for one in answers[stake])

    def _of_spot(self, spot: tuple[int, str], places: frozenset[Place]) -> dict[Stake, tuple[Settled, ...]]:
        """All stakes of a seat on a spot, with as many places tried as they look at with any cards."""
        found = self._found(places)
        while more := found.needs[spot] - places:
            places |= more
            found = self._found(places)
        return {stake: self._answer(stake, found) for stake in found.least if stake[:2] == spot}

    def _answer(self, stake: Stake, found: _Found) -> tuple[Settled, ...]:
        least, most = found.least[stake], found.most[stake]
        if found.same[stake] and found.exact:
            return found.same[stake]
        payments = least.payments or most.payments
        wagered = sum(one.wagered for one in payments)
        if not found.exact or least.returned != most.returned:
            return (Doubt(*stake, wagered, least, most, found.tried, found.exact),)
        event = " or ".join(sorted(found.events[stake]))
        certain = replace(payments[0], event=event, words=WHATEVER, cards=(), compared=None)
        return (replace(certain, wagered=wagered, returned=least.returned),)

    def _found(self, places: frozenset[Place]) -> _Found:
        """What comes of trying these places; other places are filled with any cards."""
        if places not in self._asked:
            found = self._tried(places)
            # With cards that do not fit at a place that was filled with any, one cannot tell: all are tried then.
            wider = found.impossible and places < self._all
            self._asked[places] = self._found(self._all) if wider else found
        return self._asked[places]

    def _tried(self, places: frozenset[Place]) -> _Found:
        wanted = [(place, number) for place, number in self._unknown.items() if place in places]
        limit = MOST // max(1, len(self._said.start.seats))
        ways = list(islice(_ways(wanted, self._left, self._orders), limit + 1))
        found = _Found(exact=len(ways) <= limit)
        for way in ways if found.exact else self._some(wanted):
            self._try(way, places, found)
        return found

    def _orders(self, place: Place, filled: tuple[Card, ...]) -> Iterable[tuple[Card, ...]]:
        """The orders in which cards that fill a place are tried: one, unless the rules look at the order there."""
        pile = (*filled, *(one for one in self._said.cards[place] if one is not None))
        return dict.fromkeys(permutations(filled)) if self._said.game.order_counts(place, pile) else (filled,)

    def _some(self, wanted: list[tuple[Place, int]]) -> Iterator[dict[Place, tuple[Card, ...]]]:
        """Some of the ways, the same ones for the same record."""
        source = ChaCha20Source.seeded("unknown cards")
        shoe = [one for one, copies in self._left.items() for _ in range(copies)]
        for _ in range(TRIED):
            way = dict[Place, tuple[Card, ...]]()
            taken = 0
            for place, number in wanted:
                # The first steps of a shuffle, as many as cards are wanted.
                for at in range(taken, taken + number):
                    other = at + source.below(len(shoe) - at)
                    shoe[at], shoe[other] = shoe[other], shoe[at]
                way[place] = tuple(shoe[taken : taken + number])
                taken += number
            yield way

    def _try(self, way: dict[Place, tuple[Card, ...]], places: frozenset[Place], found: _Found) -> None:
        try:
            end = self._played(way | self._any(way, places))
        except BadInput:
            if not self._all or self._said.game.always_asks:
                raise  # whatever the cards are: the record itself is wrong
            found.impossible = True
            return
        settlement = end.game.settle(end, self._said.meters)
        settlement.refuse_unknown()
        found.add(_by_stake(settlement), way)
        self._look(end, settlement, found)

    def _played(self, filled: Filled) -> Round:
        end = replayed(self._said, filled)
        if not end.is_over:
            raise RoundNotOver(unfinished(end))
        return end

    def _any(self, way: Filled, places: frozenset[Place]) -> dict[Place, tuple[Card, ...]]:
        gone = Counter(one for pile in way.values() for one in pile)
        rest = (one for one, copies in self._left.items() for _ in range(copies - gone[one]))
        others = [(place, number) for place, number in self._unknown.items() if place not in places]
        return {place: tuple(islice(rest, number)) for place, number in others}

    def _look(self, end: Round, settlement: Settlement, found: _Found) -> None:
        """Remember which unknown cards each spot of each seat looked at. A share of a meter hangs on who else has won,
        and so on all that the others on that spot look at."""
        looked = [(one, self._unknown.keys() & end.game.needs(end, one).places) for one in settlement.payments]
        for payment, places in looked:
            needs = found.needs.setdefault((payment.seat, payment.spot), set())
            needs |= places
            if payment.meter:
                needs.update(*(others for other, others in looked if other.spot == payment.spot))

    def _cannot_be(self) -> BadInput:
        """Why no cards fit, as the rules say it with any."""
        try:
            self._played(self._any({}, frozenset()))
        except BadInput as fault:
            return BadRecord(f"No cards in place of '?' make this a round that the rules allow. With any: {fault}")
        return BadRecord("No cards in place of '?' that were tried make this a round that the rules allow.")


def unfinished(r: Round) -> str:
    """What is missing before a round can be settled; a card by its place first."""
    if isinstance(r.turn, ChanceTurn):
        missing = f"At {str(r.turn.place)!r} a card is missing, and the round is not over"
        return f"{missing}: write it, or '?' if nobody knows it."
    return f"The round is not over: {r.due}."


def _by_stake(settlement: Settlement) -> dict[Stake, tuple[Payment, ...]]:
    found = dict[Stake, tuple[Payment, ...]]()
    for one in settlement.payments:
        stake = (one.seat, one.spot, one.stake)
        found[stake] = (*found.get(stake, ()), one)
    return found


_Orders: TypeAlias = Callable[[Place, tuple[Card, ...]], Iterable[tuple[Card, ...]]]


def _ways(
    wanted: Sequence[tuple[Place, int]], left: Mapping[Card, int], orders: _Orders
) -> Iterator[dict[Place, tuple[Card, ...]]]:
    """Every way to fill places with cards of which so many copies are left, inside a place in these orders.

    >>> from cardroom.cards import cards
    >>> left = dict.fromkeys(cards("As Kd"), 1)
    >>> [[*map(str, way[Place(Pile.HAND)])] for way in _ways([(Place(Pile.HAND), 1)], left, lambda _, two: [two])]
    [['As'], ['Kd']]
    """
    if not wanted:
        yield {}
        return
    (place, number), *others = wanted
    for cards in _choices(number, list(left), left):
        gone = Counter(cards)
        rest = {one: copies - gone[one] for one, copies in left.items()} if others else left
        yield from ({place: laid, **way} for laid in orders(place, cards) for way in _ways(others, rest, orders))


def _choices(number: int, kinds: list[Card], left: Mapping[Card, int]) -> Iterator[tuple[Card, ...]]:
    if number == 0:
        yield ()
        return
    for at, one in enumerate(kinds):
        for copies in range(1, min(number, left[one]) + 1):
            yield from ((one,) * copies + more for more in _choices(number - copies, kinds[at + 1 :], left))
