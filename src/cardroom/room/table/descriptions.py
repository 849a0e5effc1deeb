"""What happens at a felt, in sentences: every kind has its words here and nowhere else.

What happens at a live table, in sentences: every kind has its words here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from cardroom.games.money import format_cents
from cardroom.room.event_types import DomainEvent
from cardroom.room.table.events import (
    AbsenceEnded,
    AbsenceWarned,
    CardsTyped,
    CountMethod,
    DecisionMade,
    LiveRoundCanceled,
    LiveRoundEnded,
    LiveRoundEvent,
    LiveRoundStarted,
    RoundCanceled,
    RoundPlayed,
    RoundStarted,
    SealRenewed,
    SeatAmount,
    SeatLeft,
    SeatStakes,
    SeatTaken,
    SettledStake,
    StepTaken,
    StepUndone,
    TableClosed,
    TableOpened,
    TablePaused,
    TableResumed,
    WagersPlaced,
)
from cardroom.room.table.state import DECIDED_BY_CLOCK, DECIDED_FOR_ABSENT, round_id
from cardroom.room.table.terms import DealingMode

TimeFormat = Callable[[int], str]
"""How a moment is written for whoever reads."""


def describe_table_event(event: DomainEvent, format_time: TimeFormat) -> str:
    """What happened, in one or several sentences.

    >>> describe_table_event(SeatTaken("prime-1", 2, "ann-lee", 200_00, 0), str)
    'ann-lee took seat 2 with $200 in chips.'
    """
    return " ".join(_table_sentences(event, format_time))


def _table_sentences(event: DomainEvent, format_time: TimeFormat) -> Iterator[str]:
    match event:
        case TableOpened():
            yield from _describe_opened(event)
        case TablePaused(who=who, why=why):
            yield f"{who} paused the table: {why}. No new round begins; wagers of a round that had not begun went back."
        case TableResumed(who=who):
            yield f"{who} let rounds begin again."
        case TableClosed(who=who, why=why, key=key):
            yield f"{who} closed the table: {why}."
            if key:
                yield f"The key of the round that never came is {key}."
        case SeatTaken(seat=seat, player=player, cents=cents, is_bot=company):
            whose = " of the house" if company else ""
            yield f"{player} took seat {seat} with {format_cents(cents)} in chips{whose}."
        case AbsenceWarned(seat=seat, player=player, until=until):
            yield f"Others wait for seat {seat}, and nobody is there: the house calls {player}."
            yield from _deadline_texts(until, "The seat is kept", format_time)
        case AbsenceEnded(seat=seat, player=player):
            yield f"{player} is there, at seat {seat}."
        case SeatLeft(seat=seat, player=player, cents=cents, was_absent=True):
            yield f"{player} did not answer, and was led away from seat {seat} with {format_cents(cents)}."
        case SeatLeft(seat=seat, player=player, cents=cents, has_wagers=stays):
            yield f"{player} left seat {seat} with {format_cents(cents)}."
            if stays:
                yield "The wagers of the round that was played stayed."
        case WagersPlaced(seat_wagers=seat_wagers, cents=cents, deadline=deadline):
            yield (
                f"Seat {seat_wagers.seat} laid {_seat_wagers_text(seat_wagers)}: {format_cents(cents)}."
                if seat_wagers.spots
                else (f"Seat {seat_wagers.seat} took its wagers back.")
            )
            yield from _player_seed_texts([seat_wagers])
            yield from _deadline_texts(deadline, "Wagers are taken", format_time)
        case RoundStarted():
            yield from _describe_started(event, format_time)
        case DecisionMade():
            yield from _describe_decision(event, format_time)
        case RoundPlayed():
            yield from _describe_played(event)
        case RoundCanceled(number=number, who=who, second=second, why=why, key=key, table=table):
            yield f"{who} and {second} called round {round_id(table, number)} off: {why}. Every wager went back."
            yield f"Its key is {key}."
        case SealRenewed(table=table, number=number, seal=seal, who=who, second=second, why=why):
            people = f"{who} and {second}" if second else who
            yield f"{people} gave round {round_id(table, number)} a new key: {why}. Every wager was returned."
            yield _next_seal_text(seal)
        case _:
            raise TypeError(f"{event.kind} does not happen at a felt.")


def _describe_opened(event: TableOpened) -> Iterator[str]:
    terms = event.terms
    yield f"{event.who} opened the table for {event.setup['game']}, {terms.mode}, for {terms.money.label}."
    if terms.owner:
        yield f"It is a private table of {terms.owner}."
    if terms.mode is DealingMode.AUTOMATIC:
        clocks = (("wagers", terms.betting), ("an answer", terms.deciding))
        yield " ".join(f"{_format_seconds(seconds)} for {purpose}." for purpose, seconds in clocks)
    if event.tabulated:
        yield "A tabulator counts its jackpot wagers."
    if event.seal:
        yield _next_seal_text(event.seal)


def _format_seconds(seconds: int) -> str:
    return f"{seconds} seconds" if seconds else "No clock"


def _describe_started(event: RoundStarted, format_time: TimeFormat) -> Iterator[str]:
    players = {seat_player.seat: seat_player.player for seat_player in event.players}
    yield f"Round {round_id(event.table, event.number)} began under the seal {event.seal}."
    yield " ".join(
        f"Seat {seat_player.seat} ({players[seat_player.seat]}) wagers {_seat_wagers_text(seat_player)}."
        for seat_player in event.wagers
    )
    yield from _player_seed_texts(event.wagers)
    for seat_player in event.returned_wagers:
        yield f"{_seat_wagers_text(seat_player)} of seat {seat_player.seat} went back: its jackpot takes no wagers."
    if event.linked:
        yield f"Wagers that play for a jackpot: {', '.join(event.linked)}."
    yield from _describe_turn(event.deciding_seat, event.deadline, format_time)


def _describe_decision(event: DecisionMade, format_time: TimeFormat) -> Iterator[str]:
    who = _DECIDER_TEXTS.get(event.by, event.by)
    cents = f", which puts {format_cents(event.cents)} down" if event.cents else ""
    yield f"Seat {event.seat}, asked {event.question!r}, answered {event.answer!r} by {who}{cents}."
    yield from _describe_turn(event.deciding_seat, event.deadline, format_time)


def decider_text(decider: str) -> str:
    """Who answered.

    >>> decider_text("clock"), decider_text("ann-lee")
    ('the clock: the safe answer', 'ann-lee')
    """
    return {DECIDED_BY_CLOCK: "the clock: the safe answer", DECIDED_FOR_ABSENT: "had left: the safe answer"}.get(
        decider, decider
    )


_DECIDER_TEXTS: Final = {
    DECIDED_BY_CLOCK: "the clock (the safe answer)",
    DECIDED_FOR_ABSENT: "the house, because the seat was left (the safe answer)",
}


def _describe_turn(seat: int, deadline: int, format_time: TimeFormat) -> Iterator[str]:
    if seat:
        yield f"Seat {seat} is asked."
        yield from _deadline_texts(deadline, "The answer must be there", format_time)


def _describe_played(event: RoundPlayed) -> Iterator[str]:
    yield (
        f"Round {round_id(event.table, event.number)} ended: {_amounts_text(event.returned) or 'nobody gets anything'}."
    )
    if event.prizes:
        yield f"Of that, prizes of jackpots and promotions: {_amounts_text(event.prizes)}."
    for unverified in event.waiting:
        prize = f"{format_cents(unverified.cents)} of jackpot {unverified.jackpot} for seat {unverified.seat}"
        yield f"{prize} waits for two people (claim {unverified.claim})."
    for spot, cents in event.meters.items():
        yield f"The meter of {spot} showed {format_cents(cents)}."
    if event.filled:
        yield f"The house brought {format_cents(event.filled)} in chips."
    yield f"Its key is {event.key}."
    yield _next_seal_text(event.seal)


def _next_seal_text(seal: str) -> str:
    return f"The seal of the next round is {seal}."


def _seat_wagers_text(seat_wagers: SeatStakes) -> str:
    return ", ".join(f"{format_cents(cents)} on {spot}" for spot, cents in seat_wagers.spots.items())


def _player_seed_texts(placed: Iterable[SeatStakes]) -> Iterator[str]:
    for seat_wagers in placed:
        if seat_wagers.player_seed:
            yield f"Seat {seat_wagers.seat} added the words {seat_wagers.player_seed!r} to the shuffle."


def _amounts_text(rows: Iterable[SeatAmount]) -> str:
    return ", ".join(f"seat {amount.seat} gets {format_cents(amount.cents)}" for amount in rows)


def _deadline_texts(deadline: int, purpose: str, format_time: TimeFormat) -> Iterator[str]:
    if deadline:
        yield f"{purpose} until {format_time(deadline)}."


_COUNT_METHOD_TEXTS = {
    CountMethod.BUTTON: "The tabulator counted the jackpot wagers.",
    CountMethod.BY_HAND: "The jackpot wagers were counted by hand.",
    CountMethod.RECORDED: "The tabulator had told of the jackpot wagers itself.",
}


def describe_live_event(event: LiveRoundEvent) -> str:
    """What happened, in one or several sentences.

    >>> describe_live_event(StepUndone("prime-1", 17, "deal", "Kim"))
    'Kim took step deal of round prime-1.17 back.'
    """
    return " ".join(_live_sentences(event, round_id(event.table, event.number)))


def _live_sentences(event: LiveRoundEvent, round: str) -> Iterator[str]:
    match event:
        case LiveRoundStarted(dealer=dealer, positions=positions, linked=linked):
            yield f"{dealer} began round {round} at positions {_positions_text(positions)}."
            if linked:
                yield f"Wagers that play for a jackpot: {', '.join(linked)}."
        case StepTaken(step=step, who=who, positions=positions, counted=count_method):
            yield f"{who} took step {step} of round {round}."
            if positions:
                yield f"Those that play are {_positions_text(positions)}."
            if count_method in _COUNT_METHOD_TEXTS:
                yield _COUNT_METHOD_TEXTS[count_method]
        case StepUndone(step=step, who=who):
            yield f"{who} took step {step} of round {round} back."
        case CardsTyped():
            yield from _describe_cards_typed(event, round)
        case LiveRoundEnded(who=who, settled_stakes=settled_stakes):
            yield f"{who} ended round {round}."
            yield from map(_stake_text, settled_stakes)
        case LiveRoundCanceled(who=who, second=second, why=why):
            yield f"{who} and {second} called round {round} off: {why}. Every wager went back."
        case _:
            raise TypeError(f"{event.kind} does not happen at a live table.")


def _describe_cards_typed(event: CardsTyped, round: str) -> Iterator[str]:
    yield f"{event.who} typed for round {round}:"
    input_texts = [f"{place} {' '.join(pile) or 'nothing'}" for place, pile in event.cards.items()]
    input_texts += [f"seat {seat} wagers {_spots_text(spots)}" for seat, spots in event.wagers.items()]
    input_texts += [
        f"seat {decision.seat}, asked {decision.question!r}, {decision.answer or 'nothing'}"
        for decision in event.answers
    ]
    yield "; ".join(input_texts) + "."
    if event.corrects:
        yield f"That corrects {', '.join(event.corrects)}."


def _stake_text(stake: SettledStake) -> str:
    return (
        f"Seat {stake.seat}, {stake.stake} of {format_cents(stake.wagered)} on {stake.spot}: {stake.event}, "
        f"{format_cents(stake.returned)} back."
    )


def _spots_text(spots: Mapping[str, int]) -> str:
    return ", ".join(f"{format_cents(cents)} on {spot}" for spot, cents in spots.items()) or "nothing"


def _positions_text(positions: Iterable[int]) -> str:
    return ", ".join(map(str, positions))
