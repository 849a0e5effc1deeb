"""A past round checked by itself: its seal opened, its cards dealt one by one from the order that key and player seeds
give, its decisions made again, its payments settled again. Nothing else of the ledger is used.

The shuffle of a past round, step by step from its key to the cards on the layout, each step with its values.

Each step is computed independently, and compared with the ledger and with the program that dealt the round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from cardroom.cards import Card, ChaCha20Source, Seal, format_cards
from cardroom.cards.shuffle_trace import LABEL, LABEL_WITH_SEEDS, ShuffleTrace, trace_shuffle
from cardroom.errors import BadInput
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
from cardroom.room.table.automatic_round import cents_returned
from cardroom.room.table.events import LiveRoundEnded, RoundPlayed
from cardroom.room.table.state import open_table, player_seeds, wagers_by_seat
from cardroom.service.queries.past_live_rounds import PastLiveRound
from cardroom.service.queries.past_rounds import PastRound


class DealtCard(NamedTuple):
    """A card, and where it was put when it came off the shoe."""

    place: Place
    card: Card


class CheckStep(NamedTuple):
    """One step of a check, in a sentence, and whether it is right."""

    sentence: str
    holds: bool


class SeatSettlement(NamedTuple):
    """What a seat got, and what it gets when the round is settled again; in cents."""

    seat: int
    player: str
    wagered: int
    paid: int
    resettled: int


class RoundCheck(NamedTuple):
    """The result of a check."""

    steps: tuple[CheckStep, ...]
    order: tuple[Card, ...]
    """The cards of the shoe, from the first to the last."""
    dealt: tuple[DealtCard, ...]
    """In the order in which they came off the shoe."""
    seats: tuple[SeatSettlement, ...]

    @property
    def holds(self) -> bool:
        return all(step.holds for step in self.steps)

    @property
    def problems(self) -> tuple[str, ...]:
        """The steps that are wrong."""
        return tuple(step.sentence for step in self.steps if not step.holds)


def check_round(past: PastRound) -> RoundCheck:
    """Check a round from its key to its payments."""
    try:
        seal = Seal(bytes.fromhex(past.key), past.id)
    except (BadInput, ValueError):
        return RoundCheck((CheckStep(f"The key {past.key!r} is not a key of 32 bytes.", False),), (), (), ())
    words = player_seeds(past.begun.wagers)
    order = seal.shuffle(open_table(past.setup).table.deck, words)
    steps = [_check_seal(seal, past.seal), _check_order(order, words)]
    try:
        played, dealt = _deal_again(past, order)
    except (BadInput, StopIteration) as fault:
        return RoundCheck((*steps, CheckStep(f"The round cannot be replayed: {fault}", False)), order, (), ())
    steps.append(_check_first_cards(dealt, order, past.game_round))
    seats = tuple(_settle_seats(past, played))
    steps += _check_seats(past, played, seats)
    return RoundCheck(tuple(steps), order, dealt, seats)


def check_live_round(past: PastLiveRound) -> RoundCheck:
    """Settle again what a dealer entered, and compare it with what was shown then. There is no shuffle to check."""
    shown = past.ended.settled_stakes if isinstance(past.ended, LiveRoundEnded) else ()
    try:
        payments = () if past.is_void else past.settle_again()
    except BadInput as fault:
        return RoundCheck((CheckStep(f"The round cannot be replayed: {fault}", False),), (), (), ())
    shown_outcomes = {(line.seat, line.spot, line.stake): (line.event, line.returned) for line in shown}
    resettled_outcomes = {(line.seat, line.spot, line.stake): (line.event, line.known_return) for line in payments}
    steps = [
        CheckStep(
            f"{past.live.dealer} dealt the round: the record has only the entered cards, and no seal was shown.", True
        )
    ]
    steps += (
        CheckStep(
            f"Seat {seat}, {stake}: {_format_outcome(shown_outcomes.get((seat, spot, stake)))} was shown; settled "
            "again it is "
            f"{_format_outcome(resettled_outcomes.get((seat, spot, stake)))}.",
            False,
        )
        for seat, spot, stake in dict.fromkeys((*shown_outcomes, *resettled_outcomes))
        if shown_outcomes.get((seat, spot, stake)) != resettled_outcomes.get((seat, spot, stake))
    )
    if past.is_void:
        steps.append(CheckStep("The round was void: every wager went back.", True))
    elif shown_outcomes == resettled_outcomes:
        steps.append(CheckStep("Settled again, every entered stake has the result that was shown.", True))
    back: dict[int, int] = {}
    for line in payments:
        back[line.seat] = back.get(line.seat, 0) + line.known_return
    seats = (
        SeatSettlement(seat, "", cents, past.returned.get(seat, 0), back.get(seat, 0))
        for seat, cents in past.wagered.items()
    )
    return RoundCheck(tuple(steps), (), (), tuple(seats))


def _format_outcome(outcome: tuple[str, int] | None) -> str:
    return "nothing" if outcome is None else f"{outcome[0]}, {outcome[1]} cents back"


def check_past_round(past: PastRound | PastLiveRound) -> RoundCheck:
    """Check a round, automatic or live."""
    return check_round(past) if isinstance(past, PastRound) else check_live_round(past)


def _check_seal(seal: Seal, shown: str) -> CheckStep:
    if seal.matches(shown):
        return CheckStep("The key opens the seal that was shown before the first wager.", True)
    return CheckStep(f"The key does not open the seal: it makes {seal.commitment}, and {shown} was shown.", False)


def _check_order(order: tuple[Card, ...], words: Mapping[int, str]) -> CheckStep:
    source = (
        (f"the key and the players' seeds of {len(words)} seat{'s' * (len(words) != 1)}") if words else "the key alone"
    )
    return CheckStep(f"The order of the {len(order)} cards follows from {source}.", True)


def _check_first_cards(dealt: tuple[DealtCard, ...], order: tuple[Card, ...], played: Round) -> CheckStep:
    """The cards on the layout are the first of the order, each at the place where the rules put it."""
    piles: dict[Place, tuple[Card, ...]] = {}
    for dealt_card in dealt:
        piles[dealt_card.place] = (*piles.get(dealt_card.place, ()), dealt_card.card)
    count = played.card_count
    if piles == dict(played.piles) and tuple(dealt_card.card for dealt_card in dealt) == order[:count]:
        return CheckStep(f"The first {count} cards of the order are those that were dealt, each at its place.", True)
    return CheckStep(f"The first {count} cards of the order are not those that were dealt.", False)


def _deal_again(past: PastRound, order: tuple[Card, ...]) -> tuple[Round, tuple[DealtCard, ...]]:
    """Deal the round card by card. Each decision is made when its seat has its turn; anything else is refused."""
    at, cards, answers = open_table(past.setup), iter(order), iter(past.answers)
    played, dealt = at.game.begin(at.table, wagers_by_seat(past.begun.wagers)), list[DealtCard]()
    while not isinstance(played.turn, RoundEnd):
        match played.turn:
            case ChanceTurn(place):
                dealt.append(DealtCard(place, next(cards)))
                played = played.apply(Deal(dealt[-1].card))
            case DealerTurn(step):
                played = played.apply(TakeStep(step))
            case SeatTurn(seat, question):
                decision = next(answers, None)
                if decision is None:
                    break
                if (decision.seat, decision.question) != (seat, question):
                    raise BadRecordedDecision(
                        f"seat {seat} must decide {question!r}, and the ledger has seat {decision.seat} decide "
                        f"{decision.question!r}."
                    )
                before = cents_on_layout(played, seat)
                played = played.apply(Decide(seat, Decision.parse(decision.answer)))
                if (cents := cents_on_layout(played, seat) - before) != decision.cents:
                    raise BadRecordedDecision(
                        f"{decision.answer} of seat {seat} puts {cents} cents down, not {decision.cents}."
                    )
    if (more := next(answers, None)) is not None:
        raise BadRecordedDecision(
            f"the ledger has seat {more.seat} decide {more.question!r}, and there is no decision left."
        )
    return played, tuple(dealt)


class BadRecordedDecision(BadInput):
    """A decision that does not belong to the round."""


def _settle_seats(past: PastRound, played: Round) -> Iterator[SeatSettlement]:
    resettled = past.wagered
    if isinstance(past.ended, RoundPlayed):
        resettled = cents_returned(played, past.begun.linked, past.ended.prizes) if played.is_terminal else {}
    for seat, player in past.players.items():
        paid = past.returned.get(seat, 0)
        yield SeatSettlement(seat, player, past.wagered[seat], paid, resettled.get(seat, 0))


def _check_seats(past: PastRound, played: Round, seats: tuple[SeatSettlement, ...]) -> Iterator[CheckStep]:
    if past.is_void:
        yield CheckStep("The round was void: every wager went back.", True)
        return
    if not played.is_terminal:
        yield CheckStep(f"The round is not over: {played.turn_text}.", False)
        return
    for seat in seats:
        if seat.paid != seat.resettled:
            yield CheckStep(f"Seat {seat.seat} got {seat.paid} cents; settled again it gets {seat.resettled}.", False)
    if all(seat.paid == seat.resettled for seat in seats):
        yield CheckStep("Settled again, every seat gets what it got.", True)


def round_check_to_json(check: RoundCheck) -> dict[str, Any]:
    """A check as JSON; amounts in whole cents."""
    return {
        "holds": check.holds,
        "steps": [step._asdict() for step in check.steps],
        "dealt": [{"place": str(item.place), "card": str(item.card)} for item in check.dealt],
        "seats": {str(item.seat): _seat_to_json(item) for item in check.seats},
        "differences": list(check.problems),
    }


def _seat_to_json(settlement: SeatSettlement) -> dict[str, Any]:
    amounts = {"wagered_cents": settlement.wagered, "paid_cents": settlement.paid, "again_cents": settlement.resettled}
    return {"player": settlement.player, **amounts}


_NUMBERS_SHOWN: Final = 8
"""How many of the shuffle's numbers are shown."""


class ShuffleValue(NamedTuple):
    """An input or output of a step."""

    name: str
    value: str
    are_cards: bool = False


class ShuffleStep(NamedTuple):
    """One step: what is done, with which values, and whether the output is right."""

    title: str
    done: str
    values: tuple[ShuffleValue, ...]
    holds: bool
    verdict: str


def list_shuffle_steps(past: PastRound, check: RoundCheck) -> tuple[ShuffleStep, ...]:
    """Every step of a round that was dealt from a key; none where the key is not a key."""
    if not check.order:
        return ()
    key, words = bytes.fromhex(past.key), player_seeds(past.begun.wagers)
    by_hand = trace_shuffle(key, past.id, words, open_table(past.setup).table.deck)
    dealer = Seal(key, past.id)
    return (
        _describe_seal(past, by_hand),
        _describe_stream(past, by_hand, dealer.stream_key(words).hex()),
        _describe_numbers(by_hand, ChaCha20Source(dealer.stream_key(words))),
        _describe_order(by_hand, check),
        _describe_deal(by_hand, check),
    )


def _describe_seal(past: PastRound, by_hand: ShuffleTrace) -> ShuffleStep:
    holds = by_hand.commitment == past.seal
    return ShuffleStep(
        "The key opens the seal",
        "SHA-256 of a label, the key and the round's id, one after the other.",
        (
            ShuffleValue("label", _format_label(LABEL)),
            ShuffleValue("key", past.key),
            ShuffleValue("id", past.id),
            ShuffleValue("SHA-256 of them", by_hand.commitment),
            ShuffleValue("shown before the first wager", past.seal),
        ),
        holds,
        "It is the seal that was shown." if holds else "It is not the seal that was shown.",
    )


def _describe_stream(past: PastRound, by_hand: ShuffleTrace, used: str) -> ShuffleStep:
    words = tuple(
        ShuffleValue(f"seed of seat {seat}", text) for seat, text in sorted(player_seeds(past.begun.wagers).items())
    )
    action = (
        "HMAC-SHA-256 under the key: of a label, the id, and for each seat that added a seed its number and its seed."
        if words
        else "HMAC-SHA-256 under the key: of a label and the id, because no player added a seed."
    )
    holds = by_hand.stream_key == used
    return ShuffleStep(
        "The players' seeds make the key of the stream",
        action,
        (
            ShuffleValue("label", _format_label(LABEL_WITH_SEEDS if words else LABEL)),
            *words,
            ShuffleValue("authenticated, in hexadecimal", by_hand.message.hex()),
            ShuffleValue("key of the stream", by_hand.stream_key),
        ),
        holds,
        "It is the key that dealt the round." if holds else f"The round was dealt with another: {used}.",
    )


def _describe_numbers(by_hand: ShuffleTrace, source: ChaCha20Source) -> ShuffleStep:
    """Both computations of the stream must give the same numbers, all of them."""
    bounds = range(len(by_hand.order), 1, -1)
    holds = source.draw_below_each(bounds) == [draw.drawn for draw in by_hand.draws]
    first = " ".join(f"{draw.number}" for draw in by_hand.draws[:_NUMBERS_SHOWN])
    left_out = f"{by_hand.rejected_count} numbers were past the last whole multiple, and left out."
    return ShuffleStep(
        "Random numbers",
        "The key stream of ChaCha20 (RFC 8439) under that key, with a nonce of zeros, read as numbers of 32 bits."
        + (f" {left_out}" if by_hand.rejected_count else ""),
        (ShuffleValue(f"the first {_NUMBERS_SHOWN} of {len(by_hand.draws)}", f"{first} …"),),
        holds,
        "They are the numbers that dealt the round." if holds else "They are not the numbers that dealt the round.",
    )


def _describe_order(by_hand: ShuffleTrace, check: RoundCheck) -> ShuffleStep:
    swaps = ", ".join(f"place {draw.below} with {draw.drawn + 1}" for draw in by_hand.draws[:_NUMBERS_SHOWN])
    holds = by_hand.order == check.order
    return ShuffleStep(
        "The order of the deck",
        "From the last place of a fresh deck to the second, each card changes places with one up to itself: the number "
        "divided by how many there are, and what is left counts from the first place.",
        (
            ShuffleValue("the first exchanges", f"{swaps} …"),
            ShuffleValue("the order", format_cards(by_hand.order), True),
        ),
        holds,
        f"The cards were dealt from these {len(by_hand.order)} cards, in this order."
        if holds
        else "The round was dealt from another order.",
    )


def _describe_deal(by_hand: ShuffleTrace, check: RoundCheck) -> ShuffleStep:
    count = len(check.dealt)
    holds = count > 0 and tuple(dealt_card.card for dealt_card in check.dealt) == by_hand.order[:count]
    return ShuffleStep(
        "The deal",
        "Cards come off the top, each to the place where the rules of the game put it.",
        tuple(
            ShuffleValue(
                str(place),
                format_cards(dealt_card.card for dealt_card in check.dealt if dealt_card.place == place),
                True,
            )
            for place in dict.fromkeys(dealt_card.place for dealt_card in check.dealt)
        ),
        holds,
        f"The first {count} cards of the order are those on the layout."
        if holds
        else "Other cards were on the layout.",
    )


def _format_label(label: bytes) -> str:
    return label.decode().replace("\x00", "\\0")
