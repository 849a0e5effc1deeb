"""What happens at a felt, in sentences: every kind has its words here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from cardroom.floor.felt.happenings import (
    Answered,
    CallAnswered,
    Cents,
    FeltClosed,
    FeltOpened,
    FeltPaused,
    FeltResumed,
    Laid,
    RoundBegun,
    RoundCalledOff,
    RoundPlayed,
    SealRenewed,
    SeatCalled,
    SeatLeft,
    SeatTaken,
    WagersLaid,
)
from cardroom.floor.felt.state import CLOCK, LEFT, round_id
from cardroom.floor.felt.terms import Mode
from cardroom.games.money import format_cents
from cardroom.jackpots import Happening

TimeTold = Callable[[int], str]
"""How a moment is written for whoever reads."""


def felt_sentences(happening: Happening, told: TimeTold) -> str:
    """What happened, in one or several sentences.

    >>> felt_sentences(SeatTaken("prime-1", 2, "ann-lee", 200_00, 0), str)
    'ann-lee took seat 2 with $200 in chips.'
    """
    return " ".join(_told(happening, told))


def _told(happening: Happening, told: TimeTold) -> Iterator[str]:
    match happening:
        case FeltOpened():
            yield from _opened(happening)
        case FeltPaused(who=who, why=why):
            yield f"{who} paused the table: {why}. No new round begins; wagers of a round that had not begun went back."
        case FeltResumed(who=who):
            yield f"{who} let rounds begin again."
        case FeltClosed(who=who, why=why, key=key):
            yield f"{who} closed the table: {why}."
            if key:
                yield f"The key of the round that never came is {key}."
        case SeatTaken(seat=seat, player=player, cents=cents, company=company):
            whose = " of the house" if company else ""
            yield f"{player} took seat {seat} with {format_cents(cents)} in chips{whose}."
        case SeatCalled(seat=seat, player=player, until=until):
            yield f"Others wait for seat {seat}, and nobody is there: the house calls {player}."
            yield from _until(until, "The seat is kept", told)
        case CallAnswered(seat=seat, player=player):
            yield f"{player} is there, at seat {seat}."
        case SeatLeft(seat=seat, player=player, cents=cents, away=True):
            yield f"{player} did not answer, and was led away from seat {seat} with {format_cents(cents)}."
        case SeatLeft(seat=seat, player=player, cents=cents, stays=stays):
            yield f"{player} left seat {seat} with {format_cents(cents)}."
            if stays:
                yield "The wagers of the round that was played stayed."
        case WagersLaid(laid=laid, cents=cents, deadline=deadline):
            yield (
                f"Seat {laid.seat} laid {_spots(laid)}: {format_cents(cents)}."
                if laid.spots
                else (f"Seat {laid.seat} took its wagers back.")
            )
            yield from _words([laid])
            yield from _until(deadline, "Wagers are taken", told)
        case RoundBegun():
            yield from _begun(happening, told)
        case Answered():
            yield from _answered(happening, told)
        case RoundPlayed():
            yield from _played(happening)
        case RoundCalledOff(number=number, who=who, second=second, why=why, key=key, table=table):
            yield f"{who} and {second} called round {round_id(table, number)} off: {why}. Every wager went back."
            yield f"Its key is {key}."
        case SealRenewed(table=table, number=number, seal=seal, who=who, second=second, why=why):
            people = f"{who} and {second}" if second else who
            yield f"{people} gave round {round_id(table, number)} a new key: {why}. Every wager was returned."
            yield _next(seal)
        case _:
            raise TypeError(f"{happening.kind} does not happen at a felt.")


def _opened(opened: FeltOpened) -> Iterator[str]:
    terms = opened.terms
    yield f"{opened.who} opened the table for {opened.setup['game']}, {terms.mode}, for {terms.money.label}."
    if terms.owner:
        yield f"It is a private table of {terms.owner}."
    if terms.mode is Mode.AUTOMATIC:
        clocks = (("wagers", terms.betting), ("an answer", terms.deciding))
        yield " ".join(f"{_seconds(seconds)} for {what}." for what, seconds in clocks)
    if opened.tabulated:
        yield "A tabulator counts its jackpot wagers."
    if opened.seal:
        yield _next(opened.seal)


def _seconds(seconds: int) -> str:
    return f"{seconds} seconds" if seconds else "No clock"


def _begun(begun: RoundBegun, told: TimeTold) -> Iterator[str]:
    players = {one.seat: one.player for one in begun.players}
    yield f"Round {round_id(begun.table, begun.number)} began under the seal {begun.seal}."
    yield " ".join(f"Seat {one.seat} ({players[one.seat]}) wagers {_spots(one)}." for one in begun.wagers)
    yield from _words(begun.wagers)
    for one in begun.back:
        yield f"{_spots(one)} of seat {one.seat} went back: its jackpot takes no wagers."
    if begun.linked:
        yield f"Wagers that play for a jackpot: {', '.join(begun.linked)}."
    yield from _asked(begun.asked, begun.deadline, told)


def _answered(answered: Answered, told: TimeTold) -> Iterator[str]:
    who = _WHO.get(answered.by, answered.by)
    cents = f", which puts {format_cents(answered.cents)} down" if answered.cents else ""
    yield f"Seat {answered.seat}, asked {answered.question!r}, answered {answered.answer!r} by {who}{cents}."
    yield from _asked(answered.asked, answered.deadline, told)


def by_words(by: str) -> str:
    """Who answered.

    >>> by_words("clock"), by_words("ann-lee")
    ('the clock: the safe answer', 'ann-lee')
    """
    return {CLOCK: "the clock: the safe answer", LEFT: "had left: the safe answer"}.get(by, by)


_WHO: Final = {CLOCK: "the clock (the safe answer)", LEFT: "the house, because the seat was left (the safe answer)"}


def _asked(seat: int, deadline: int, told: TimeTold) -> Iterator[str]:
    if seat:
        yield f"Seat {seat} is asked."
        yield from _until(deadline, "The answer must be there", told)


def _played(played: RoundPlayed) -> Iterator[str]:
    yield f"Round {round_id(played.table, played.number)} ended: {_amounts(played.returned) or 'nobody gets anything'}."
    if played.prizes:
        yield f"Of that, prizes of jackpots and promotions: {_amounts(played.prizes)}."
    for one in played.waiting:
        prize = f"{format_cents(one.cents)} of jackpot {one.jackpot} for seat {one.seat}"
        yield f"{prize} waits for two people (claim {one.claim})."
    for spot, cents in played.meters.items():
        yield f"The meter of {spot} showed {format_cents(cents)}."
    if played.filled:
        yield f"The house brought {format_cents(played.filled)} in chips."
    yield f"Its key is {played.key}."
    yield _next(played.seal)


def _next(seal: str) -> str:
    return f"The seal of the next round is {seal}."


def _spots(laid: Laid) -> str:
    return ", ".join(f"{format_cents(cents)} on {spot}" for spot, cents in laid.spots.items())


def _words(laid: Iterable[Laid]) -> Iterator[str]:
    for one in laid:
        if one.words:
            yield f"Seat {one.seat} added the words {one.words!r} to the shuffle."


def _amounts(rows: Iterable[Cents]) -> str:
    return ", ".join(f"seat {one.seat} gets {format_cents(one.cents)}" for one in rows)


def _until(deadline: int, what: str, told: TimeTold) -> Iterator[str]:
    if deadline:
        yield f"{what} until {told(deadline)}."
