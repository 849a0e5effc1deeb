"""What happens at a live table, in sentences: every kind has its words here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cardroom.floor.felt.live_round import Counting
from cardroom.floor.felt.state import round_id
from cardroom.floor.live.happenings import (
    CardsTyped,
    LiveRoundBegun,
    LiveRoundCalledOff,
    LiveRoundEnded,
    OfALiveRound,
    StepTaken,
    StepUndone,
    TakenOrPaid,
)
from cardroom.games.money import format_cents

_COUNTED = {
    Counting.BUTTON: "The tabulator counted the jackpot wagers.",
    Counting.BY_HAND: "The jackpot wagers were counted by hand.",
    Counting.RECORDED: "The tabulator had told of the jackpot wagers itself.",
}


def live_sentences(happening: OfALiveRound) -> str:
    """What happened, in one or several sentences.

    >>> live_sentences(StepUndone("prime-1", 17, "deal", "Kim"))
    'Kim took step deal of round prime-1.17 back.'
    """
    return " ".join(_told(happening, round_id(happening.table, happening.number)))


def _told(happening: OfALiveRound, round: str) -> Iterator[str]:
    match happening:
        case LiveRoundBegun(dealer=dealer, positions=positions, linked=linked):
            yield f"{dealer} began round {round} at positions {_listed(positions)}."
            if linked:
                yield f"Wagers that play for a jackpot: {', '.join(linked)}."
        case StepTaken(step=step, who=who, positions=positions, counted=counted):
            yield f"{who} took step {step} of round {round}."
            if positions:
                yield f"Those that play are {_listed(positions)}."
            if counted in _COUNTED:
                yield _COUNTED[counted]
        case StepUndone(step=step, who=who):
            yield f"{who} took step {step} of round {round} back."
        case CardsTyped():
            yield from _typed(happening, round)
        case LiveRoundEnded(who=who, shown=shown):
            yield f"{who} ended round {round}."
            yield from map(_stake, shown)
        case LiveRoundCalledOff(who=who, second=second, why=why):
            yield f"{who} and {second} called round {round} off: {why}. Every wager went back."
        case _:
            raise TypeError(f"{happening.kind} does not happen at a live table.")


def _typed(typed: CardsTyped, round: str) -> Iterator[str]:
    yield f"{typed.who} typed for round {round}:"
    told = [f"{place} {' '.join(pile) or 'nothing'}" for place, pile in typed.cards.items()]
    told += [f"seat {seat} wagers {_spots(spots)}" for seat, spots in typed.wagers.items()]
    told += [f"seat {one.seat}, asked {one.question!r}, {one.answer or 'nothing'}" for one in typed.answers]
    yield "; ".join(told) + "."
    if typed.corrects:
        yield f"That corrects {', '.join(typed.corrects)}."


def _stake(one: TakenOrPaid) -> str:
    return (
        f"Seat {one.seat}, {one.stake} of {format_cents(one.wagered)} on {one.spot}: {one.event}, "
        f"{format_cents(one.returned)} back."
    )


def _spots(spots: Mapping[str, int]) -> str:
    return ", ".join(f"{format_cents(cents)} on {spot}" for spot, cents in spots.items()) or "nothing"


def _listed(positions: Iterable[int]) -> str:
    return ", ".join(map(str, positions))
