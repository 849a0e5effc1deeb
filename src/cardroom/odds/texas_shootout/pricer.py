"""The odds of Texas Shootout.

Everything is exact: the main game and its best play come from the tablebase, in which every deal is counted; Shootout
Bonus and Jackpot are counted for that play, Quick Draw over every four cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Deck
from cardroom.faults import BadInput
from cardroom.games import Decision, Pile, Place, SeatTurn, Table, View
from cardroom.games.texas_shootout.features import qualified
from cardroom.games.texas_shootout.quick_draw import QUICK_DRAW_EVENTS, quick_draw_bits, quick_draw_by_strength
from cardroom.games.texas_shootout.rules import BONUS_QUESTION, HAND_QUESTION
from cardroom.hands import FOUR_CARD
from cardroom.hands.tables import Tables, tables
from cardroom.kernels import kept_arrays, kernel
from cardroom.odds.endings import EventCounts, endings
from cardroom.odds.play import Play, asked, own_cards
from cardroom.odds.pricer import Advice, Beside, Priced, Pricer, Progress, Settings, SimpleStrategy, silent
from cardroom.odds.result import Ending
from cardroom.odds.texas_shootout.best_play import best_boards, best_ends, simple_choices, simple_strategy
from cardroom.odds.texas_shootout.classes import own_choice
from cardroom.odds.texas_shootout.hands import codes_in_order, decision, every_hand, ways_dealt
from cardroom.odds.texas_shootout.prizes import Stake
from cardroom.odds.texas_shootout.results import (
    ENDS,
    QUICK_DRAW,
    RESULTS,
    TIES,
    end_net,
    end_results,
    end_words,
    ended,
    ties_with,
)
from cardroom.odds.texas_shootout.seat import SeatWagers, bonus_values, joint_choice_values
from cardroom.odds.texas_shootout.sides import SideCounts, bonus_endings, jackpot_endings
from cardroom.odds.texas_shootout.tablebase.file import tablebase
from cardroom.odds.texas_shootout.worth import values_of_hand
from cardroom.paytables import Paytable, words

_MAIN_NOTE: Final = ("Every deal of player, dealer and board is counted.",)

_TIES_PUSH: Final = Beside(
    "quick-draw",
    "A tie pushes for a player whose Quick Draw wager is at least as large as the Texas Shootout wager (TS-3).",
)


class TexasShootoutPricer(Pricer):
    """The odds of Texas Shootout."""

    game = "texas-shootout"

    def settings(self, wager: str) -> tuple[Settings, ...]:
        return tuple({"ties": ties} for ties in TIES) if wager == "shootout" else ({},)

    def beside(self, wager: str, settings: Settings) -> Beside | None:
        return _TIES_PUSH if wager == "shootout" and _ties(settings) == "push" else None

    def price(self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent) -> Priced:
        match wager:
            case "quick-draw":
                return Priced(tuple(endings(quick_draw_kinds(), table)))
            case "shootout":
                ties = _ties(settings)
                return Priced(tuple(main_endings(best_ends(ties), ties)), notes=_MAIN_NOTE)
            case "shootout-bonus":
                bonus = tuple(bonus_endings(_boards(settings), table))
                return Priced(bonus, notes=_side_notes(settings))
            case "jackpot":
                jackpot = tuple(jackpot_endings(_boards(settings), table))
                return Priced(jackpot, notes=_side_notes(settings)[:1])
        raise _no_wager(wager)

    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        """For ``shootout``: the choices for four cards. For ``shootout-bonus``: where to place it when the first two of
        the four cards are the first hand of a split and the last two the second."""
        if wager not in ("shootout", "shootout-bonus"):
            raise BadInput(f"{wager} asks the player nothing: ask for shootout or shootout-bonus.")
        if len(hand) != 4:
            raise BadInput(f"A Texas Shootout hand has four cards; there are {len(hand)}.")
        Deck.SIX.check(hand)
        if wager == "shootout-bonus":
            placed = bonus_values(hand[:2], hand[2:], Stake(100, table))
            return tuple(sorted(((Decision(verb), value / 100) for verb, value in placed.items()), key=_worst_last))
        codes = codes_in_order(hand)
        found: dict[Decision, Fraction] = {}
        for choice, value in enumerate(values_of_hand(codes.tolist(), _ties(settings))):
            found.setdefault(decision(codes, choice), value)
        return tuple(sorted(found.items(), key=_worst_last))

    def simple_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent
    ) -> SimpleStrategy:
        if wager != "shootout":
            raise BadInput(f"{wager} has no strategy of its own: ask for shootout.")
        return simple_strategy(_ties(settings))

    def simple_play(self, table: Table, progress: Progress = silent) -> Play:
        return CountsPoints(table, simple_choices())

    def advise(self, table: Table, seen: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        """The exact value of each decision over all the seat's wagers. A seat that is asked sees its own four cards and
        no others; whoever shows it more is told so."""
        match seen.turn:
            case SeatTurn(asked, question, options) if asked == seat:
                pass
            case _:
                raise BadInput(f"Seat {seat} is not asked anything now.")
        hand = _own_hand(seen, seat)
        wagers = seat_wagers(table, seen, seat, meters)
        if _other_cards(seen, seat):
            raise BadInput(
                f"Seat {seat} is asked before any other card lies open, and is advised from its own four cards alone: "
                "ask with the view of that moment."
            )
        if question == HAND_QUESTION:
            return joint_choice_values(hand, wagers)
        assert question == BONUS_QUESTION
        assert wagers.bonus is not None
        answer = seen.decisions[seat, HAND_QUESTION]
        assert isinstance(answer, Decision)
        first, second = answer.groups
        values = bonus_values(first, second, wagers.bonus)
        advice = (Advice(option, values[option.verb]) for option in options)
        return tuple(sorted(advice, key=lambda one: -one.value))


@dataclass(frozen=True)
class CountsPoints:
    """Plays the two cards with the most points; the Shootout Bonus of a split goes where it is worth the most."""

    table: Table
    choices: NDArray[np.uint8] = field(repr=False)
    """By class of hands."""

    def __call__(self, seen: View) -> Decision:
        turn, hand = asked(seen), own_cards(seen, Pile.HAND)
        wagers = seat_wagers(self.table, seen, turn.seat, {})
        if turn.question == HAND_QUESTION:
            codes = codes_in_order(hand)
            number, order = tablebase().place(codes.tolist())
            return decision(codes, own_choice(int(self.choices[number]), order))
        answer = seen.decisions[turn.seat, HAND_QUESTION]
        assert isinstance(answer, Decision)
        assert wagers.bonus is not None
        first, second = answer.groups
        values = bonus_values(first, second, wagers.bonus)
        return max(turn.options, key=lambda one: values[one.verb])


def _boards(settings: Settings) -> SideCounts:
    """The side wagers are not asked about ties, but the play of the main game is: a seat with a Quick Draw wager plays
    another way."""
    return best_boards(_ties(settings))


def _side_notes(settings: Settings) -> tuple[str, ...]:
    ties = {"lose": "losing", "push": "pushing"}[_ties(settings)]
    return (
        f"Counted exactly for the best play of the main game, ties {ties}.",
        "A split's Shootout Bonus is matched or rides on the better hand, whatever is worth more.",
    )


def _worst_last(item: tuple[Decision, Fraction]) -> Fraction:
    return -item[1]


def _no_wager(wager: str) -> BadInput:
    return BadInput(f"Texas Shootout has no wager {wager!r}: ask for shootout, quick-draw, shootout-bonus or jackpot.")


def _ties(settings: Settings) -> str:
    ties = settings.get("ties", TIES[0])
    if ties not in TIES:
        raise BadInput(f"'ties' cannot be {ties!r}: choose {' or '.join(TIES)}.")
    return str(ties)


# Quick Draw


@kernel
def _count_quick_draw(
    hands: NDArray[np.uint8], dealt: NDArray[np.int64], t: Tables, by_strength: NDArray[np.uint16]
) -> NDArray[np.int64]:
    """In how many deals the events are met, by their bits; at most 312 choose 4, about 3.9e8."""
    found = np.zeros(1 << len(QUICK_DRAW_EVENTS), np.int64)
    for at in range(len(hands)):
        found[quick_draw_bits(hands, at, t, by_strength)] += dealt[at]
    return found


@cache
def quick_draw_kinds() -> EventCounts:
    """How many of the 312 choose 4 first four cards meet exactly which events, the best one first."""

    def counted() -> dict[str, NDArray[np.int64]]:
        hands = every_hand()
        return {"found": _count_quick_draw(hands, ways_dealt(hands), tables(FOUR_CARD), quick_draw_by_strength())}

    found = kept_arrays("shootout-quick-draw", counted)["found"]
    return {
        tuple(event for place, event in enumerate(QUICK_DRAW_EVENTS) if int(bits) >> place & 1): int(found[bits])
        for bits in np.flatnonzero(found)
    }


# The main game


def main_endings(ends: Sequence[int], ties: str) -> list[Ending]:
    """The ways a round can end, the best first; two hands that do the same in either order are one way."""
    found: dict[str, Ending] = {}
    for end in sorted(
        range(ENDS), key=lambda one: (len(end_results(one)), -end_net(one, "push"), -max(end_results(one)))
    ):
        event, round_ = end_words(end), ended(end_results(end), ties)
        before = found[event].combinations if event in found else 0
        pays = words(round_.stakes[0].pay) if end < RESULTS else f"net {end_net(end, ties):+d}"
        found[event] = Ending(event, pays, ends[end] + before, round_.net, round_.wagered)
    return list(found.values())


# Advice


def _own_hand(seen: View, seat: int) -> tuple[Card, ...]:
    hand = seen.piles[Place(Pile.HAND, seat)]
    if any(card is None for card in hand):
        raise BadInput(f"This view does not show seat {seat}'s cards: ask with the seat's own view.")
    return tuple(card for card in hand if card is not None)


def _other_cards(seen: View, seat: int) -> tuple[Card, ...]:
    """Every other card that lies open."""
    own = Place(Pile.HAND, seat)
    return tuple(card for place, pile in seen.piles.items() if place != own for card in pile if card is not None)


def seat_wagers(table: Table, seen: View, seat: int, meters: Mapping[str, int]) -> SeatWagers:
    """What a seat has on the table."""
    bets = seen.bets[seat]
    shootout = bets["shootout"]
    return SeatWagers(
        shootout=shootout,
        ties=ties_with(shootout, bets.get(QUICK_DRAW, 0)),
        bonus=_stake(table, "shootout-bonus", bets),
        jackpot=_stake(table, "jackpot", bets),
        meter=meters.get("jackpot", 0),
    )


def _stake(table: Table, spot: str, bets: Mapping[str, int]) -> Stake | None:
    if spot not in bets:
        return None
    offered = table.spots[spot]
    return Stake(bets[spot], offered.paytable, qualified(offered, bets[spot]))


PRICER: Final = TexasShootoutPricer()
