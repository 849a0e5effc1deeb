"""3 Card Double Play by the million rounds: the tables for the kernels, filled from the game and its strategies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Deck, cards
from cardroom.games import Decision, Pile, Place, Table, Verb
from cardroom.games.places import DEALER_HAND
from cardroom.games.three_card_double_play.divisions import (
    EVENTS,
    PICK_3_EVENTS,
    SUPER_3S_EVENTS,
    divisions,
    events_of,
    line_tables,
)
from cardroom.games.three_card_double_play.rules import (
    DOUBLE_QUESTION,
    LOW_HAND_EVENTS,
    SET_QUESTION,
    pick_5_event,
    super_six_event,
)
from cardroom.hands import FIVE_CARD, THREE_CARD, Category, batch
from cardroom.hands.tables import tables
from cardroom.odds.pricer import Progress, silent
from cardroom.odds.rounds.deals import Block, Places
from cardroom.odds.rounds.plan import Placing, WagerPlan, plan, planned
from cardroom.odds.rounds.simulation import Laid, Simulator, check_strategy
from cardroom.odds.rounds.wagers import PreparedWagers
from cardroom.odds.three_card_double_play.classes import class_numbers, one_of_each
from cardroom.odds.three_card_double_play.counts import THREES
from cardroom.odds.three_card_double_play.kernels import (
    DEALER,
    DEALT,
    DOUBLED_SHIFT,
    SETTING,
    SIX,
    DoublePlayTables,
    by_hand,
    number_of,
    play_double_play,
)
from cardroom.odds.three_card_double_play.results import BOTH_WIN, MAIN, doubling, ended
from cardroom.odds.three_card_double_play.setting import (
    DEALER_EVENT,
    HIGH_ALONE_EVENT,
    KIND_OF,
    KINDS,
    LowHandPays,
    SetHands,
    best_settings,
)
from cardroom.odds.three_card_double_play.strategy import simple_settings


@dataclass(frozen=True)
class PreparedDoublePlay(PreparedWagers):
    """A table of 3 Card Double Play Poker."""

    deck = Deck.ONE
    numbered = (MAIN, "pick-3", "pick-5", "super-3s", "super-six")

    wagers: tuple[WagerPlan, ...]
    settings: NDArray[np.uint8] = field(repr=False)
    """By class of six cards: how they are set, and whether they are doubled."""
    looked_up: DoublePlayTables = field(repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # The table of all hands is twenty times as large, and made again in a moment.
        return PreparedDoublePlay, (self.wagers, self.settings, self.looked_up)

    def play(self, block: Block) -> None:
        play_double_play(block, self._hands, self.looked_up, tables(THREE_CARD), tables(FIVE_CARD))

    @cached_property
    def _hands(self) -> NDArray[np.uint8]:
        """The same as ``settings`` for each hand."""
        return by_hand(self.settings)

    def laid(self, seed: int, block: int, turn: int) -> Laid:
        dealt_cards = self.dealt(DEALT, seed, block, turn)
        six = sorted(dealt_cards[:SIX], key=lambda card: card.code)
        known = int(self._hands[number_of(np.array([[card.code] for card in six], np.uint8), 0)])
        together = {six[place] for place in THREES[known & SETTING].tolist()}
        return Laid(
            cards={Place(Pile.HAND, 1): tuple(dealt_cards[:SIX]), DEALER_HAND: tuple(dealt_cards[DEALER:])},
            decisions={
                SET_QUESTION: _setting(six, together),
                DOUBLE_QUESTION: Decision(Verb.DOUBLE if known >> DOUBLED_SHIFT else Verb.STAND),
            },
        )


def _setting(six: Sequence[Card], together: set[Card]) -> Decision:
    return next(one.decision for one in divisions(six) if together in (set(one.high.cards), set(one.low.cards)))


class ThreeCardDoublePlaySimulator(Simulator):
    """3 Card Double Play Poker."""

    game = "three-card-double-play"

    def prepare(self, table: Table, strategy: str = "best", progress: Progress = silent) -> PreparedDoublePlay:
        check_strategy(strategy)
        plans = {slug: plan(table, slug, progress=progress) for slug in table.offered}
        pays = LowHandPays(plans[MAIN].question.table)
        progress(f"the {strategy} setting of every hand", 0.0)
        hands = best_settings(pays) if strategy == "best" else simple_settings(pays)
        progress(f"the {strategy} setting of every hand", 1.0)
        if strategy != "best":
            main = plans[MAIN]
            plans[MAIN] = planned(main.question, tuple(hands.played().endings(pays)), main.initial_wager)
        return PreparedDoublePlay(
            tuple(plans.values()), _bytes(hands), double_play_tables(_high_low(plans[MAIN]), plans)
        )


def _bytes(hands: SetHands) -> NDArray[np.uint8]:
    """How hands are set, and whether they are doubled, in one byte each."""
    return (hands.settings | hands.doubled.astype(np.uint8) << DOUBLED_SHIFT).astype(np.uint8)


# The tables, each from a function of the game.


def double_play_tables(high_low: Places, wagers: Mapping[str, Placing]) -> DoublePlayTables:
    """What the kernels look up: where High and Low end, and where the endings of the other wagers stand."""
    lines = range(1 << len(EVENTS))
    six_in_sequence, no_run = cards("2c 3c 4c 5c 6c 7c"), STANDARD_DECK[:SIX]
    categories = [one.category for one in (FIVE_CARD.classes[0], *FIVE_CARD.classes)]
    super_six = [super_six_event(no_run, category) for category in categories]
    return DoublePlayTables(
        strengths=batch(THREE_CARD, one_of_each(3).hands)[class_numbers(3)],
        kinds=KIND_OF,
        high_low=high_low,
        division_kinds=line_tables().kinds,
        division_lines=line_tables().lines,
        pick_3=_placed(wagers.get("pick-3"), (events_of(bits, PICK_3_EVENTS) for bits in lines)),
        super_3s=_placed(wagers.get("super-3s"), (events_of(bits, SUPER_3S_EVENTS) for bits in lines)),
        pick_5=_placed(wagers.get("pick-5"), ((pick_5_event(category),) for category in categories)),
        super_six=_placed(
            wagers.get("super-six"),
            ((event,) for event in [*super_six, super_six_event(six_in_sequence, Category.STRAIGHT_FLUSH)]),
        ),
        straight_flush=1 + [one.category for one in FIVE_CARD.classes].index(Category.STRAIGHT_FLUSH),
    )


def _high_low(wager: WagerPlan) -> Places:
    ends = [(one.event, one.wagered) for one in wager.endings]
    events = [*(LOW_HAND_EVENTS[kind] for kind in KINDS), HIGH_ALONE_EVENT, DEALER_EVENT]
    found = [
        [
            ends.index(end) if end in ends else -1
            for event in events
            for end in [(event, times * ended(BOTH_WIN).wagered)]
        ]
        for times in (1, doubling())
    ]
    return np.array(found, np.int16)


def _placed(wager: Placing | None, kinds: Iterable[tuple[str, ...]]) -> Places:
    """Where hands stand in a wager's list of endings by the events they meet; nowhere when it is not offered."""
    listed = list(kinds)
    if wager is None:
        return np.full(len(listed), -1, np.int16)
    known = {events: wager.place(events) for events in set(listed)}
    return np.array([known[events] for events in listed], np.int16)


SIMULATOR: Final = ThreeCardDoublePlaySimulator()
