"""What happens to a player's account, in sentences: every kind has its words here and nowhere else."""

from __future__ import annotations

from cardroom.floor.players.happenings import (
    ChipsBought,
    ChipsReturned,
    PaidIn,
    PaidOut,
    PlayerAdmitted,
    PrizeCredited,
)
from cardroom.games.money import format_cents
from cardroom.jackpots import Happening


def player_sentences(happening: Happening) -> str:
    """What happened, in a sentence.

    >>> player_sentences(PaidOut("ann-lee", 50_00, "Carl", "Vera", "slip 2"))
    'Carl and Vera paid $50 out at the cage, slip 2.'
    """
    match happening:
        case PlayerAdmitted(guest=True, cents=cents, money=of):
            return f"Came in as a guest with {format_cents(cents)} of {of.label}."
        case PlayerAdmitted(who=who, money=of):
            return f"{who} admitted the player, whose balance is of {of.label}."
        case PaidIn(cents=cents, who=who, second=second, reference=reference):
            return f"{who} and {second} took {format_cents(cents)} in at the cage, {reference}."
        case PaidOut(cents=cents, who=who, second=second, reference=reference):
            return f"{who} and {second} paid {format_cents(cents)} out at the cage, {reference}."
        case ChipsBought(table=table, seat=seat, cents=cents, round=number):
            return f"Bought {format_cents(cents)} in chips at seat {seat} of {table}, round {number}."
        case ChipsReturned(table=table, seat=seat, cents=cents, round=number, gone=gone):
            kept = "" if gone else " The wagers of the round that was played stayed."
            return f"Got {format_cents(cents)} in chips back from seat {seat} of {table}, round {number}.{kept}"
        case PrizeCredited(jackpot=jackpot, claim=claim, seat=seat, cents=cents):
            return f"Got the prize of {format_cents(cents)} of jackpot {jackpot}, claim {claim}, seat {seat}."
    raise TypeError(f"{happening.kind} does not happen to a player.")
