"""Descriptions of a table's events in sentences. Every event is described here and nowhere else."""

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
    TableChanged,
    TableClosed,
    TableOpened,
    TablePaused,
    TableResumed,
    WagersPlaced,
)
from cardroom.room.table.state import DECIDED_BY_CLOCK, DECIDED_FOR_ABSENT, round_id
from cardroom.room.table.terms import DealingMode

TimeFormat = Callable[[int], str]
"""Formats a time for the reader."""


def describe_table_event(event: DomainEvent, format_time: TimeFormat) -> str:
    """The description of an event, in one or more sentences.

    >>> describe_table_event(SeatTaken("prime-1", 2, "ann-lee", 200_00, 0), str)
    'ann-lee took seat 2 with $200 in chips.'
    """
    return " ".join(_table_sentences(event, format_time))


def _table_sentences(event: DomainEvent, format_time: TimeFormat) -> Iterator[str]:
    match event:
        case TableChanged(who=who, second=second, why=why, changes=changes):
            yield f"{f'{who} and {second}' if second else who} changed the table: {why}."
            yield f"{'; '.join(change.text for change in changes)}."
        case TableOpened():
            yield from _describe_opened(event)
        case TablePaused(who=who, why=why):
            yield f"{who} paused the table: {why}. No new round begins; wagers on the next round were returned."
        case TableResumed(who=who):
            yield f"{who} resumed the table."
        case TableClosed(who=who, why=why, key=key):
            yield f"{who} closed the table: {why}."
            if key:
                yield f"The key of the next round, which was not dealt, is {key}."
        case SeatTaken(seat=seat, player=player, cents=cents, is_bot=is_bot):
            bot_text = " from the house (a bot)" if is_bot else ""
            yield f"{player} took seat {seat} with {format_cents(cents)} in chips{bot_text}."
        case AbsenceWarned(seat=seat, player=player, until=until):
            yield f"{player} at seat {seat} is absent while others wait, and was warned."
            yield from _deadline_texts(until, "The seat is kept", format_time)
        case AbsenceEnded(seat=seat, player=player):
            yield f"{player} is back at seat {seat}."
        case SeatLeft(seat=seat, player=player, cents=cents, was_absent=True):
            yield f"{player} did not return and was removed from seat {seat} with {format_cents(cents)}."
        case SeatLeft(seat=seat, player=player, cents=cents, has_wagers=has_wagers):
            yield f"{player} left seat {seat} with {format_cents(cents)}."
            if has_wagers:
                yield "The wagers in the current round stayed."
        case WagersPlaced(seat_wagers=seat_wagers, cents=cents, deadline=deadline):
            yield (
                f"Seat {seat_wagers.seat} bet {_seat_wagers_text(seat_wagers)}: {format_cents(cents)}."
                if seat_wagers.spots
                else f"Seat {seat_wagers.seat} took its bets back."
            )
            yield from _player_seed_texts([seat_wagers])
            yield from _deadline_texts(deadline, "Bets are open", format_time)
        case RoundStarted():
            yield from _describe_started(event, format_time)
        case DecisionMade():
            yield from _describe_decision(event, format_time)
        case RoundPlayed():
            yield from _describe_played(event)
        case RoundCanceled(number=number, who=who, second=second, why=why, key=key, table=table):
            yield f"{who} and {second} voided round {round_id(table, number)}: {why}. Every wager was returned."
            yield f"Its key is {key}."
        case SealRenewed(table=table, number=number, seal=seal, who=who, second=second, why=why):
            people = f"{who} and {second}" if second else who
            yield f"{people} gave round {round_id(table, number)} a new key: {why}. Every wager was returned."
            yield _next_seal_text(seal)
        case _:
            raise TypeError(f"{event.kind} is not an event of a table.")


def _describe_opened(event: TableOpened) -> Iterator[str]:
    terms = event.terms
    yield f"{event.who} opened the table for {event.setup['game']}, {terms.mode}, for {terms.money.label}."
    if terms.owner:
        yield f"It is a private table of {terms.owner}."
    if terms.mode is DealingMode.AUTOMATIC:
        clocks = (("bets", terms.betting), ("a decision", terms.deciding))
        yield " ".join(f"{_format_seconds(seconds)} for {purpose}." for purpose, seconds in clocks)
    if event.tabulated:
        yield "A tabulator counts its jackpot wagers."
    if event.seal:
        yield _next_seal_text(event.seal)


def _format_seconds(seconds: int) -> str:
    return f"{seconds} seconds" if seconds else "No clock"


def _describe_started(event: RoundStarted, format_time: TimeFormat) -> Iterator[str]:
    players = {seat_player.seat: seat_player.player for seat_player in event.players}
    yield f"Round {round_id(event.table, event.number)} began with the shuffle seal {event.seal}."
    yield " ".join(
        f"Seat {seat_player.seat} ({players[seat_player.seat]}) bet {_seat_wagers_text(seat_player)}."
        for seat_player in event.wagers
    )
    yield from _player_seed_texts(event.wagers)
    for seat_player in event.returned_wagers:
        yield f"{_seat_wagers_text(seat_player)} was returned to seat {seat_player.seat}: its jackpot takes no wagers."
    if event.linked:
        yield f"Wagers with a jackpot: {', '.join(event.linked)}."
    yield from _describe_turn(event.deciding_seat, event.deadline, format_time)


def _describe_decision(event: DecisionMade, format_time: TimeFormat) -> Iterator[str]:
    who = _DECIDER_TEXTS.get(event.by, event.by)
    cents = f", for {format_cents(event.cents)} more" if event.cents else ""
    yield f"Seat {event.seat} decided {event.answer!r} on {event.question!r}, by {who}{cents}."
    yield from _describe_turn(event.deciding_seat, event.deadline, format_time)


def decider_text(decider: str) -> str:
    """Who made a decision.

    >>> decider_text("clock"), decider_text("ann-lee")
    ('timeout: default action', 'ann-lee')
    """
    return {DECIDED_BY_CLOCK: "timeout: default action", DECIDED_FOR_ABSENT: "had left: default action"}.get(
        decider, decider
    )


_DECIDER_TEXTS: Final = {
    DECIDED_BY_CLOCK: "timeout (the default action)",
    DECIDED_FOR_ABSENT: "the default action, because the player had left",
}


def _describe_turn(seat: int, deadline: int, format_time: TimeFormat) -> Iterator[str]:
    if seat:
        yield f"Seat {seat} decides next."
        yield from _deadline_texts(deadline, "It has time", format_time)


def _describe_played(event: RoundPlayed) -> Iterator[str]:
    yield (f"Round {round_id(event.table, event.number)} ended: {_amounts_text(event.returned) or 'no seat is paid'}.")
    if event.prizes:
        yield f"Included prizes of jackpots and promotions: {_amounts_text(event.prizes)}."
    for unverified in event.waiting:
        prize = f"{format_cents(unverified.cents)} of jackpot {unverified.jackpot} for seat {unverified.seat}"
        yield f"{prize} waits for two people (claim {unverified.claim})."
    for spot, cents in event.meters.items():
        yield f"The meter of {spot} showed {format_cents(cents)}."
    if event.filled:
        yield f"The house added {format_cents(event.filled)} in chips."
    yield f"Its key is {event.key}."
    yield _next_seal_text(event.seal)


def _next_seal_text(seal: str) -> str:
    return f"The shuffle seal of the next round is {seal}."


def _seat_wagers_text(seat_wagers: SeatStakes) -> str:
    return ", ".join(f"{format_cents(cents)} on {spot}" for spot, cents in seat_wagers.spots.items())


def _player_seed_texts(placed: Iterable[SeatStakes]) -> Iterator[str]:
    for seat_wagers in placed:
        if seat_wagers.player_seed:
            yield f"Seat {seat_wagers.seat} added its own seed {seat_wagers.player_seed!r} to the shuffle."


def _amounts_text(rows: Iterable[SeatAmount]) -> str:
    return ", ".join(f"seat {amount.seat} gets {format_cents(amount.cents)}" for amount in rows)


def _deadline_texts(deadline: int, purpose: str, format_time: TimeFormat) -> Iterator[str]:
    if deadline:
        yield f"{purpose} until {format_time(deadline)}."


_COUNT_METHOD_TEXTS = {
    CountMethod.BUTTON: "The tabulator counted the jackpot wagers.",
    CountMethod.BY_HAND: "The jackpot wagers were counted by hand.",
    CountMethod.RECORDED: "The tabulator had already reported the jackpot wagers.",
}


def describe_live_event(event: LiveRoundEvent) -> str:
    """The description of an event, in one or more sentences.

    >>> describe_live_event(StepUndone("prime-1", 17, "deal", "Kim"))
    'Kim undid step deal of round prime-1.17.'
    """
    return " ".join(_live_sentences(event, round_id(event.table, event.number)))


def _live_sentences(event: LiveRoundEvent, round: str) -> Iterator[str]:
    match event:
        case LiveRoundStarted(dealer=dealer, positions=positions, linked=linked):
            yield f"{dealer} began round {round} at positions {_positions_text(positions)}."
            if linked:
                yield f"Wagers with a jackpot: {', '.join(linked)}."
        case StepTaken(step=step, who=who, positions=positions, counted=count_method):
            yield f"{who} took step {step} of round {round}."
            if positions:
                yield f"Positions in play: {_positions_text(positions)}."
            if count_method in _COUNT_METHOD_TEXTS:
                yield _COUNT_METHOD_TEXTS[count_method]
        case StepUndone(step=step, who=who):
            yield f"{who} undid step {step} of round {round}."
        case CardsTyped():
            yield from _describe_cards_typed(event, round)
        case LiveRoundEnded(who=who, settled_stakes=settled_stakes):
            yield f"{who} ended round {round}."
            yield from map(_stake_text, settled_stakes)
        case LiveRoundCanceled(who=who, second=second, why=why):
            yield f"{who} and {second} voided round {round}: {why}. Every wager was returned."
        case _:
            raise TypeError(f"{event.kind} is not an event of a live table.")


def _describe_cards_typed(event: CardsTyped, round: str) -> Iterator[str]:
    yield f"{event.who} typed for round {round}:"
    input_texts = [f"{place} {' '.join(pile) or 'nothing'}" for place, pile in event.cards.items()]
    input_texts += [f"seat {seat} bet {_spots_text(spots)}" for seat, spots in event.wagers.items()]
    input_texts += [
        f"seat {decision.seat} on {decision.question!r}: {decision.answer or 'nothing'}" for decision in event.answers
    ]
    yield "; ".join(input_texts) + "."
    if event.corrects:
        yield f"Corrected: {', '.join(event.corrects)}."


def _stake_text(stake: SettledStake) -> str:
    return (
        f"Seat {stake.seat}, {stake.stake} of {format_cents(stake.wagered)} on {stake.spot}: {stake.event}, "
        f"{format_cents(stake.returned)} back."
    )


def _spots_text(spots: Mapping[str, int]) -> str:
    return ", ".join(f"{format_cents(cents)} on {spot}" for spot, cents in spots.items()) or "nothing"


def _positions_text(positions: Iterable[int]) -> str:
    return ", ".join(map(str, positions))
