"""Texas Shootout by the million rounds: the tables for the kernels, filled from the game and its strategies.

All spots carry one unit, so a Quick Draw wager covers ties wherever the table offers it (TS-3). Bonus features are not
played: they are prizes of their own beside the wagers, and no price has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import of_code
from cardroom.games import Decision, Pile, Place, Table, Verb
from cardroom.games.places import COMMUNITY, DEALER_HAND
from cardroom.games.texas_shootout.quick_draw import QUICK_DRAW_EVENTS, quick_draw_bits, quick_draw_by_strength
from cardroom.games.texas_shootout.rules import BONUS_QUESTION, HAND_QUESTION
from cardroom.hands import FOUR_CARD
from cardroom.hands.tables import Tables, tables
from cardroom.kernels import kernel
from cardroom.odds.pricer import Progress, Settings, silent
from cardroom.odds.rounds.deals import Counts, Places
from cardroom.odds.rounds.plan import Placing, WagerPlan, plan, planned
from cardroom.odds.rounds.simulation import Laid, Prepared, Simulator, check_strategy
from cardroom.odds.texas_shootout.best_play import best_choices, simple_choices, simple_ends
from cardroom.odds.texas_shootout.boards import HAND_KINDS
from cardroom.odds.texas_shootout.classes import hand_classes
from cardroom.odds.texas_shootout.deals import deal_to_tray, new_tray
from cardroom.odds.texas_shootout.hands import HANDS, decision, every_hand, numbers, pair_places
from cardroom.odds.texas_shootout.kernels import (
    WAYS,
    count_rounds,
    every_way,
    list_rounds,
    play_of,
    plays,
    seat_tables,
)
from cardroom.odds.texas_shootout.pricer import main_endings
from cardroom.odds.texas_shootout.prizes import jackpot_ending, kind_ending, matched_ending
from cardroom.odds.texas_shootout.results import MAIN, QUICK_DRAW, RESULTS, end_words, ties_with
from cardroom.odds.texas_shootout.sides import (
    FIRST_HAND,
    MATCH,
    SECOND_HAND,
    SideCounts,
    bonus_endings,
    counts_for,
    jackpot_endings,
    placements,
)

BONUS: Final = "shootout-bonus"
JACKPOT: Final = "jackpot"

_QUICK_ENDS: Final = 16
"""Room for the endings of Quick Draw, which has a dozen lines."""


@dataclass(frozen=True)
class PreparedShootout(Prepared):
    """A table of Texas Shootout."""

    wagers: tuple[WagerPlan, ...]
    plays: NDArray[np.uint8] = field(repr=False)
    """By hand: what the seat does with it, and how Quick Draw ends."""
    places: Places = field(repr=False)
    """By the way that a round goes: where each wager's ending stands in its list, Quick Draw's left at 0; -1 where no
    round goes that way."""

    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        quick = np.zeros(_QUICK_ENDS, np.int64)
        ways = count_rounds(block, rounds, np.uint64(seed), self.plays, seat_tables(), quick)
        there = np.flatnonzero(ways)
        counts = np.zeros(self.starts[-1], np.int64)
        for at, wager in enumerate(self.wagers):
            start, end = self.starts[at : at + 2]
            if wager.slug == QUICK_DRAW:
                counts[start:end] = quick[: end - start]
            else:
                np.add.at(counts, start + self.places[there, at], ways[there])
        return counts

    def each_round(self, seed: int, block: int, rounds: int) -> Places:
        quick, ways = np.empty(rounds, np.uint8), np.empty(rounds, np.int32)
        list_rounds(block, np.uint64(seed), self.plays, seat_tables(), quick, ways)
        found = self.places[ways]
        for at, wager in enumerate(self.wagers):
            if wager.slug == QUICK_DRAW:
                found[:, at] = quick
        return found

    def laid(self, seed: int, block: int, turn: int) -> Laid:
        tray = new_tray()
        deal_to_tray(tray, turn, block, np.uint64(seed))
        cards = [of_code(int(code)) for code in tray.codes[:, 0]]
        hand = np.sort(tray.codes[:4, 0])
        choice, placement = play_of(int(self.plays[numbers(hand[None])[0]]))
        answer = decision(hand, choice)
        decisions = {HAND_QUESTION: answer}
        if answer.verb is Verb.SPLIT:
            # The listed split names the higher hand first, the play that with the lowest card.
            first = tuple(sorted((of_code(int(hand[place])) for place in pair_places()[choice, :2]), reverse=True))
            verbs = [Verb.MATCH, Verb.FIRST_HAND, Verb.SECOND_HAND]
            if answer.groups[0] != first:
                verbs[FIRST_HAND], verbs[SECOND_HAND] = verbs[SECOND_HAND], verbs[FIRST_HAND]
            decisions[BONUS_QUESTION] = Decision(verbs[placement])
        return Laid(
            cards={
                Place(Pile.HAND, 1): tuple(cards[:4]),
                DEALER_HAND: tuple(cards[4:8]),
                COMMUNITY: tuple(cards[8:]),
            },
            decisions=decisions,
        )


class TexasShootoutSimulator(Simulator):
    """Texas Shootout."""

    game = "texas-shootout"

    def prepare(self, table: Table, strategy: str = "best", progress: Progress = silent) -> PreparedShootout:
        check_strategy(strategy)
        ties = ties_with(1, int(QUICK_DRAW in table.offered))
        plans = {slug: plan(table, slug, _settings(slug, ties), progress=progress) for slug in table.offered}
        by_class = best_choices(ties) if strategy == "best" else simple_choices()
        boards = counts_for(hand_classes(), by_class) if {BONUS, JACKPOT} & plans.keys() else None
        if strategy != "best":
            plans |= dict(_simple_plans(plans, ties, boards))
        quick = quick_draw_places(plans[QUICK_DRAW]) if QUICK_DRAW in plans else np.zeros(HANDS, np.uint8)
        placed = np.full(HANDS, MATCH, np.uint8)
        if boards is not None and BONUS in plans:
            placed = _placements_by_hand(by_class, placements(boards, plans[BONUS].question.table))
        return PreparedShootout(
            tuple(plans.values()),
            plays(hand_classes().by_hand(by_class), placed, quick),
            np.column_stack([_PLACES[slug](one) for slug, one in plans.items()]),
        )


def _simple_plans(
    plans: Mapping[str, WagerPlan], ties: str, boards: SideCounts | None
) -> Iterator[tuple[str, WagerPlan]]:
    """The wagers that the seat's play changes. Quick Draw hangs on the first four cards alone."""
    yield MAIN, planned(plans[MAIN].question, tuple(main_endings(simple_ends(), ties)))
    if boards is not None:
        for slug, endings in ((BONUS, bonus_endings), (JACKPOT, jackpot_endings)):
            if slug in plans:
                question = plans[slug].question
                yield slug, planned(question, tuple(endings(boards, question.table)))


def _settings(slug: str, ties: str) -> Settings:
    """The usual question where ties lose; the proposition wagers follow the play of a seat whose ties push."""
    if slug == QUICK_DRAW or (slug != MAIN and ties == "lose"):
        return {}
    return {"ties": ties}


def _placements_by_hand(choices: NDArray[np.uint8], by_class: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Where a hand's Shootout Bonus is placed after a split, told by the hand's own first and second pair."""
    classes = hand_classes()
    placed = by_class[classes.members.class_of]
    other = np.array([MATCH, SECOND_HAND, FIRST_HAND], np.uint8)
    return np.where(classes.turned(choices), other[placed], placed)


# Where the endings stand in the wagers' lists


@kernel
def _every_quick_draw(hands: NDArray[np.uint8], t: Tables, by_strength: NDArray[np.uint16]) -> NDArray[np.uint16]:
    found = np.empty(len(hands), np.uint16)
    for at in range(len(hands)):
        found[at] = quick_draw_bits(hands, at, t, by_strength)
    return found


def quick_draw_places(wager: Placing) -> NDArray[np.uint8]:
    """By hand."""
    bits = _every_quick_draw(every_hand(), tables(FOUR_CARD), quick_draw_by_strength())
    different, where = np.unique(bits, return_inverse=True)
    kinds = [
        tuple(event for place, event in enumerate(QUICK_DRAW_EVENTS) if met >> place & 1) for met in different.tolist()
    ]
    found: NDArray[np.uint8] = wager.places(kinds).astype(np.uint8)[where]
    return found


def _main_places(wager: WagerPlan) -> Places:
    ways = every_way()
    first, second = ways.results.T
    ends = np.where(ways.splits, RESULTS + RESULTS * first + second, first)
    events = [one.event for one in wager.endings]
    by_end = [events.index(end_words(end)) for end in range(int(ends.max()) + 1)]
    found: Places = np.array(by_end, np.int16)[ends]
    return found


def _bonus_places(wager: WagerPlan) -> Places:
    table, ways = wager.question.table, every_way()
    single = [kind_ending(kind, table) for kind in HAND_KINDS]
    alone = np.array([_place(wager, one.event) for one in single], np.int16)
    both = [[_place(wager, matched_ending(one, other, 0).event) for other in single] for one in single]
    first, second = ways.kinds.T
    matched = np.array(both, np.int16)[first, second]
    riding = np.where(ways.placement == FIRST_HAND, alone[first], alone[second])
    found: Places = np.where(ways.splits, np.where(ways.placement == MATCH, matched, riding), alone[first])
    return found


def _jackpot_places(wager: WagerPlan) -> Places:
    table, ways = wager.question.table, every_way()
    alone = [_place(wager, kind_ending(kind, table, jackpot=True).event) for kind in HAND_KINDS]
    both = [[_place(wager, jackpot_ending((one, other), table, 0).event) for other in HAND_KINDS] for one in HAND_KINDS]
    first, second = ways.kinds.T
    found: Places = np.where(ways.splits, np.array(both, np.int16)[first, second], np.array(alone, np.int16)[first])
    return found


def _place(wager: WagerPlan, event: str) -> int:
    """Of an ending; -1 where no round ends so."""
    return next((at for at, one in enumerate(wager.endings) if one.event == event), -1)


_PLACES: Final[Mapping[str, Callable[[WagerPlan], Places]]] = {
    MAIN: _main_places,
    QUICK_DRAW: lambda _: np.zeros(WAYS, np.int16),
    BONUS: _bonus_places,
    JACKPOT: _jackpot_places,
}

SIMULATOR: Final = TexasShootoutSimulator()
