"""Take or pay from what a dealer typed: some seats' wagers, some cards, some answers.

Cards that nobody typed are filled in only so that the rules can run; a payment that looks at one of them, or hangs on
an answer that nobody typed, is not told, and a sentence says what is missing instead.

>>> from cardroom.cards import cards
>>> from cardroom.games import default_setup, game
>>> rules = game("three-card-prime")
>>> table = rules.open(default_setup("three-card-prime"))
>>> wagers = {2: {"ante-play": 1000, "prime": 500, "pair-bonus": 500}}
>>> typed = TypedRound(wagers, {Place(Pile.HAND, 2): cards("9d 9h Kc")}, {(2, "play"): Decision.parse("fold")})
>>> settled = settle_typed(rules, table, typed)
>>> [(payment.stake, payment.event, payment.returned) for payment in settled.payments]
[('ante', 'fold', 0), ('prime', 'other', 0)]
>>> settled.missing
("Seat 2's Pair Bonus needs the card at 'seat 2 fourth'.",)
>>> [(asked.seat, asked.question, *map(str, asked.options)) for asked in settled.asked]
[(2, 'play', 'fold', 'play')]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cardroom.cards import Card
from cardroom.faults import BadInput
from cardroom.games.actions import Deal, Decide, TakeStep
from cardroom.games.bets import Bets
from cardroom.games.decisions import Decision
from cardroom.games.places import Pile, Place
from cardroom.games.round import Round
from cardroom.games.settlement import Payment, shared, within_limit
from cardroom.games.table import Table
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn

if TYPE_CHECKING:
    from cardroom.games.game import Game


@dataclass(frozen=True, slots=True)
class TypedRound:
    """What was typed of a round."""

    wagers: Bets
    """By seat; seats of which no wagers were typed are left out."""
    cards: Mapping[Place, Sequence[Card]] = field(default_factory=dict)
    answers: Mapping[tuple[int, str], Decision] = field(default_factory=dict)
    """By seat and question."""


class TypedQuestion(NamedTuple):
    """What a seat is asked, by what was typed."""

    seat: int
    question: str
    options: tuple[Decision, ...]
    """What it may say. Answers that name cards are among them once the seat's cards are all typed."""
    more: bool
    """Whether it may say more than that, when its cards are typed."""


@dataclass(frozen=True, slots=True)
class TypedSettlement:
    """What can be said of the payments."""

    payments: tuple[Payment, ...]
    """Those that are certain, seat by seat."""
    missing: tuple[str, ...]
    """What others still need, a sentence each."""
    astray: tuple[str, ...]
    """What was typed and does not belong to such a round, a sentence each."""
    asked: tuple[TypedQuestion, ...] = ()
    """What the seats are asked; what comes behind a question that nobody answered is not among it."""
    uncertain: frozenset[tuple[int, str]] = frozenset()
    """The seats and spots with a payment that is not certain yet."""


def settle_typed(game: Game, table: Table, typed: TypedRound, fill: Iterable[Card] | None = None) -> TypedSettlement:
    """Take or pay as far as it is certain. ``fill`` is the order in which cards are taken that nobody typed: it never
    changes anything that is told."""
    if not typed.wagers:
        return TypedSettlement((), (), ())
    whole = _Whole(typed, tuple(table.deck.cards() if fill is None else fill))
    end = whole.played(Round.begin(game, table, typed.wagers))
    certain, missing, uncertain = list[Payment](), list[str](), set[tuple[int, str]]()
    for payment in game.payments(end):
        wanted = whole.wanted(end, payment)
        if wanted:
            missing.append(f"Seat {payment.seat}'s {table.spots[payment.spot].wager.name} needs {wanted}.")
            uncertain.add((payment.seat, payment.spot))
        else:
            certain.append(payment)
    # A percentage is shared by those of whom it is certain that they won it.
    payments = within_limit(shared(certain, {}), table.payout_limit, game.paid_first).payments
    astray, asked = tuple(whole.astray(end)), tuple(whole.asked)
    return TypedSettlement(payments, tuple(dict.fromkeys(missing)), astray, asked, frozenset(uncertain))


class NotAllTyped(BadInput):
    """A round of which something was not typed."""


def whole_round(game: Game, table: Table, typed: TypedRound) -> Round:
    """The round of the seats whose wagers were typed, played to its end, if all of it was typed. Burnt cards are
    nobody's: any will do."""
    if not typed.wagers:
        raise NotAllTyped("Nothing was typed of the round: type the wagers, cards and answers of those who have won.")
    whole = _Whole(typed, tuple(table.deck.cards()))
    end = whole.played(Round.begin(game, table, typed.wagers))
    if missing := list(whole.missing()):
        *first, last = missing
        listed = f"{', '.join(first)} and {last} are" if first else f"{last} is"
        raise NotAllTyped(f"The round was not typed whole: {listed} missing.")
    for sentence in whole.astray(end):
        raise NotAllTyped(sentence)
    return end


class _Whole:
    """Plays a typed round to its end with whatever is missing filled in, and remembers what that was."""

    def __init__(self, typed: TypedRound, fill: tuple[Card, ...]) -> None:
        self._typed = typed
        self._fill = fill
        self._left = {place: list(pile) for place, pile in typed.cards.items() if pile}
        self._named = {seat: list(self._only_in_answers(seat)) for seat in typed.wagers}
        self._unknown = Counter[Place]()
        self._unanswered: dict[tuple[int, str], str] = {}
        self._wrong: list[tuple[int, str]] = []
        self.asked: list[TypedQuestion] = []

    def _only_in_answers(self, seat: int) -> Iterator[Card]:
        """Cards that a seat's answers name and that were not typed as its hand: they are known with the answer."""
        named = Counter[Card]()
        for (who, _), decision in self._typed.answers.items():
            if who == seat:
                named |= Counter(card for group in decision.groups for card in group)
        yield from (named - Counter(self._typed.cards.get(Place(Pile.HAND, seat), ()))).elements()

    def played(self, r: Round) -> Round:
        while True:
            match r.turn:
                case ChanceTurn(place):
                    r = r.apply(Deal(self._card(r, place)))
                case SeatTurn() as turn:
                    r = r.apply(Decide(turn.seat, self._answer(r, turn)))
                case DealerTurn(step):
                    r = r.apply(TakeStep(step))
                case Over():
                    return r

    def _card(self, r: Round, place: Place) -> Card:
        if self._left.get(place):
            return self._left[place].pop(0)
        named = self._named.get(place.seat) if place.seat is not None and place.pile is Pile.HAND else None
        if named:
            return named.pop(0)
        self._unknown[place] += 1
        gone = Counter(card for pile in r.dealt.values() for card in pile)
        gone.update(card for pile in (*self._left.values(), *self._named.values()) for card in pile)
        return next(card for card in self._fill if gone[card] < r.table.deck.copies(card))

    def _note(self, r: Round, turn: SeatTurn) -> None:
        """Remember what a seat is asked, unless that hangs on an answer which it has not given."""
        if any(seat == turn.seat for seat, _ in self._unanswered):
            return
        if not r.game.always_asks and any(self._unknown.values()):
            return  # whether it is asked at all may hang on cards that nobody typed
        may_say = (*turn.options, *turn.also)
        unknown = any(cards and place.seat == turn.seat for place, cards in self._unknown.items())
        known = tuple(one for one in may_say if not (unknown and one.groups))
        self.asked.append(TypedQuestion(turn.seat, turn.question, known, len(known) < len(may_say)))

    def _answer(self, r: Round, turn: SeatTurn) -> Decision:
        self._note(r, turn)
        said = self._typed.answers.get((turn.seat, turn.question))
        if said is not None and turn.allows(said):
            return said
        verbs = " or ".join(dict.fromkeys(str(option.verb) for option in turn.options))
        self._unanswered[turn.seat, turn.question] = verbs
        if said is not None:
            self._wrong.append((turn.seat, r.why_not(Decide(turn.seat, said)) or ""))
        return r.game.safe_answer(r)

    def wanted(self, end: Round, payment: Payment) -> str:
        """What a payment needs first; nothing when it is certain. What it needs besides may hang on that: a hand that
        nobody typed says nothing about the cards that are looked at after it, or about the questions."""
        needs = end.game.needs(end, payment)
        for place in needs.places:
            if self._unknown[place]:
                return f"the {'cards' if self._unknown[place] > 1 else 'card'} at {str(place)!r}"
            if self._left.get(place):
                return f"the player for whom the cards at {str(place)!r} were dealt"
        for seat in needs.seats or (payment.seat,):
            for question in needs.questions:
                if (seat, question) in self._unanswered:
                    return f"seat {seat}'s answer to {question!r}: {self._unanswered[seat, question]}"
        return ""

    def missing(self) -> Iterator[str]:
        """What was filled in, besides burnt cards."""
        for place, number in self._unknown.items():
            if number and place.pile is not Pile.BURN:
                yield f"{'the cards' if number > 1 else 'the card'} at {str(place)!r}"
        for seat, question in self._unanswered:
            yield f"seat {seat}'s answer to {question!r}"

    def astray(self, end: Round) -> Iterator[str]:
        """What was typed and has no place in the round; nobody knows of a seat whose cards are not all typed. Cards of
        the table may have been dealt for somebody else."""
        unknown = {place.seat for place, cards in self._unknown.items() if cards and place.pile is not Pile.BURN}
        known = frozenset() if None in unknown else frozenset(end.seats) - unknown
        yield from (sentence for seat, sentence in self._wrong if seat in known)
        for place, pile in self._left.items():
            if pile and place.seat in known:
                yield f"By what is typed no card is dealt at {str(place)!r} for {' '.join(map(str, pile))}."
        for seat, question in self._typed.answers:
            if seat in known and (seat, question) not in end.decisions:
                yield f"By what is typed seat {seat} is not asked {question!r}."
