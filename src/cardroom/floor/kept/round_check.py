"""A past round checked by itself: its seal opened, its cards dealt one by one from the order that key and words give,
its answers given again, its payments settled again. Nothing else of the books is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from cardroom.cards import Card, Seal
from cardroom.errors import BadInput
from cardroom.floor.felt.happenings import RoundPlayed
from cardroom.floor.felt.settling import returned_to_seats
from cardroom.floor.felt.state import opened, wagers_of, words_of
from cardroom.floor.kept.felt_recall import PastRound
from cardroom.floor.kept.live_recall import PastLiveRound
from cardroom.floor.live.happenings import LiveRoundEnded
from cardroom.games import (
    ChanceTurn,
    Deal,
    DealerTurn,
    Decide,
    Decision,
    Place,
    Round,
    RoundEnd,
    SeatTurn,
    TakeStep,
    cents_on_layout,
)


class DealtCard(NamedTuple):
    """A card, and where it was put when it came off the shoe."""

    place: Place
    card: Card


class Step(NamedTuple):
    """One step of a check, in a sentence, and whether it holds."""

    sentence: str
    holds: bool


class SeatSettled(NamedTuple):
    """What a seat got, and what it gets when the round is settled again; in cents."""

    seat: int
    player: str
    wagered: int
    paid: int
    again: int


class RoundCheck(NamedTuple):
    """What came of a check."""

    steps: tuple[Step, ...]
    order: tuple[Card, ...]
    """The cards of the shoe, from the first to the last."""
    dealt: tuple[DealtCard, ...]
    """In the order in which they came off the shoe."""
    seats: tuple[SeatSettled, ...]

    @property
    def holds(self) -> bool:
        return all(step.holds for step in self.steps)

    @property
    def wrong(self) -> tuple[str, ...]:
        """The steps that do not hold."""
        return tuple(step.sentence for step in self.steps if not step.holds)


def check_round(past: PastRound) -> RoundCheck:
    """Check a round from its key to its payments."""
    try:
        seal = Seal(bytes.fromhex(past.key), past.id)
    except (BadInput, ValueError):
        return RoundCheck((Step(f"The key {past.key!r} is no key of 32 bytes.", False),), (), (), ())
    words = words_of(past.begun.wagers)
    order = seal.shuffle(opened(past.setup).table.deck, words)
    steps = [_opens(seal, past.seal), _order(order, words)]
    try:
        played, dealt = _dealt_again(past, order)
    except (BadInput, StopIteration) as fault:
        return RoundCheck((*steps, Step(f"The round cannot be played like this: {fault}", False)), order, (), ())
    steps.append(_first_cards(dealt, order, past.played))
    seats = tuple(_settled(past, played))
    steps += _seat_steps(past, played, seats)
    return RoundCheck(tuple(steps), order, dealt, seats)


def check_live_round(past: PastLiveRound) -> RoundCheck:
    """Settle what a dealer typed again, and compare it with what was shown then. There is no shuffle to check."""
    shown = past.ended.shown if isinstance(past.ended, LiveRoundEnded) else ()
    try:
        payments = () if past.is_void else past.settled_again()
    except BadInput as fault:
        return RoundCheck((Step(f"The round cannot be played like this: {fault}", False),), (), (), ())
    told = {(one.seat, one.spot, one.stake): (one.event, one.returned) for one in shown}
    again = {(one.seat, one.spot, one.stake): (one.event, one.known_return) for one in payments}
    steps = [
        Step(f"{past.live.dealer} dealt the round: only what was typed is known of it, and no seal was shown.", True)
    ]
    steps += (
        Step(
            f"Seat {seat}, {stake}: {_in_cents(told.get((seat, spot, stake)))} was shown; settled again it is "
            f"{_in_cents(again.get((seat, spot, stake)))}.",
            False,
        )
        for seat, spot, stake in dict.fromkeys((*told, *again))
        if told.get((seat, spot, stake)) != again.get((seat, spot, stake))
    )
    if past.is_void:
        steps.append(Step("The round was called off: every wager went back.", True))
    elif told == again:
        steps.append(Step("Settled again, every stake that was typed comes to what was shown.", True))
    back: dict[int, int] = {}
    for one in payments:
        back[one.seat] = back.get(one.seat, 0) + one.known_return
    seats = (
        SeatSettled(seat, "", cents, past.returned.get(seat, 0), back.get(seat, 0))
        for seat, cents in past.wagered.items()
    )
    return RoundCheck(tuple(steps), (), (), tuple(seats))


def _in_cents(told: tuple[str, int] | None) -> str:
    return "nothing" if told is None else f"{told[0]}, {told[1]} cents back"


def check_any(past: PastRound | PastLiveRound) -> RoundCheck:
    """Check a round, whoever dealt it."""
    return check_round(past) if isinstance(past, PastRound) else check_live_round(past)


def _opens(seal: Seal, shown: str) -> Step:
    if seal.matches(shown):
        return Step("The key opens the seal that was shown before the first wager.", True)
    return Step(f"The key does not open the seal: it makes {seal.commitment}, and {shown} was shown.", False)


def _order(order: tuple[Card, ...], words: Mapping[int, str]) -> Step:
    said = f"the key and the words of {len(words)} seat{'s' * (len(words) != 1)}" if words else "the key alone"
    return Step(f"The order of the {len(order)} cards follows from {said}.", True)


def _first_cards(dealt: tuple[DealtCard, ...], order: tuple[Card, ...], played: Round) -> Step:
    """The cards on the layout are the first of the order, each at the place where the rules put it."""
    laid: dict[Place, tuple[Card, ...]] = {}
    for one in dealt:
        laid[one.place] = (*laid.get(one.place, ()), one.card)
    count = played.card_count
    if laid == dict(played.piles) and tuple(one.card for one in dealt) == order[:count]:
        return Step(f"The first {count} cards of the order are those that were dealt, each at its place.", True)
    return Step(f"The first {count} cards of the order are not those that were dealt.", False)


def _dealt_again(past: PastRound, order: tuple[Card, ...]) -> tuple[Round, tuple[DealtCard, ...]]:
    """The round card by card. Each answer is given when its seat is asked its question; anything else is refused."""
    at, cards, answers = opened(past.setup), iter(order), iter(past.answers)
    played, dealt = at.game.begin(at.table, wagers_of(past.begun.wagers)), list[DealtCard]()
    while not isinstance(played.turn, RoundEnd):
        match played.turn:
            case ChanceTurn(place):
                dealt.append(DealtCard(place, next(cards)))
                played = played.apply(Deal(dealt[-1].card))
            case DealerTurn(step):
                played = played.apply(TakeStep(step))
            case SeatTurn(seat, question):
                said = next(answers, None)
                if said is None:
                    break
                if (said.seat, said.question) != (seat, question):
                    raise BadAnswer(
                        f"seat {seat} is asked {question!r}, and the books have seat {said.seat} answer "
                        f"{said.question!r}."
                    )
                before = cents_on_layout(played, seat)
                played = played.apply(Decide(seat, Decision.parse(said.answer)))
                if (cents := cents_on_layout(played, seat) - before) != said.cents:
                    raise BadAnswer(f"{said.answer} of seat {seat} puts {cents} cents down, not {said.cents}.")
    if (more := next(answers, None)) is not None:
        raise BadAnswer(f"the books have seat {more.seat} answer {more.question!r}, and nobody is asked any more.")
    return played, tuple(dealt)


class BadAnswer(BadInput):
    """An answer that does not belong to the round."""


def _settled(past: PastRound, played: Round) -> Iterator[SeatSettled]:
    again = past.wagered
    if isinstance(past.ended, RoundPlayed):
        again = returned_to_seats(played, past.begun.linked, past.ended.prizes) if played.is_terminal else {}
    for seat, player in past.players.items():
        paid = past.returned.get(seat, 0)
        yield SeatSettled(seat, player, past.wagered[seat], paid, again.get(seat, 0))


def _seat_steps(past: PastRound, played: Round, seats: tuple[SeatSettled, ...]) -> Iterator[Step]:
    if past.is_void:
        yield Step("The round was called off: every wager went back.", True)
        return
    if not played.is_terminal:
        yield Step(f"The round is not over: {played.turn_text}.", False)
        return
    for one in seats:
        if one.paid != one.again:
            yield Step(f"Seat {one.seat} got {one.paid} cents; settled again it gets {one.again}.", False)
    if all(one.paid == one.again for one in seats):
        yield Step("Settled again, every seat gets what it got.", True)


def check_entry(check: RoundCheck) -> dict[str, Any]:
    """A check as JSON; amounts in whole cents."""
    return {
        "holds": check.holds,
        "steps": [step._asdict() for step in check.steps],
        "dealt": [{"place": str(one.place), "card": str(one.card)} for one in check.dealt],
        "seats": {str(one.seat): _seat_entry(one) for one in check.seats},
        "differences": list(check.wrong),
    }


def _seat_entry(one: SeatSettled) -> dict[str, Any]:
    amounts = {"wagered_cents": one.wagered, "paid_cents": one.paid, "again_cents": one.again}
    return {"player": one.player, **amounts}
