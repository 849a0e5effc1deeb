"""Simulates Dueling for Dollars, by kernels or in batches, with lookup tables from the game and its best strategy."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Rank, card_from_code
from cardroom.games import Decision, Pile, Place, Table, Verb
from cardroom.games.card_places import BURN, COMMUNITY
from cardroom.games.dueling_for_dollars.bonuses import (
    TIE_AFTER_TIE,
    TWO_PLUS_TWO,
    is_two_plus_two_start,
    matching_lines,
)
from cardroom.games.dueling_for_dollars.rules import ADDED_CARDS, TIE_QUESTION, WAR_BURN_COUNT, WAR_COMMUNITY
from cardroom.hands import encode_hands
from cardroom.odds.dueling_for_dollars.basic_strategy import basic_war_ranks
from cardroom.odds.dueling_for_dollars.best_strategy import (
    DuelPayoff,
    best_war_ranks,
    duel_outcomes,
    duel_payoffs,
    leads,
)
from cardroom.odds.dueling_for_dollars.kernels import (
    CARD_PAIRS,
    CARDS_DEALT,
    CONTINUATIONS,
    KINDS_OF_CARD,
    LEADS,
    DuelTables,
    continuation_tables,
    judge_duels,
    play_duels,
)
from cardroom.odds.dueling_for_dollars.pricer import MAIN, TIE_AFTER_TIE_WAGER
from cardroom.odds.pricer import Progress, ignore_progress
from cardroom.odds.simulation.batch import Action, Answers, Cents, Kinds, RoundBatch, WagerGroup
from cardroom.odds.simulation.batch_deals import PAIR_COUNT, ByteArray, IntArray
from cardroom.odds.simulation.deals import LANES, PART_ROUNDS, Counts, Places, deal
from cardroom.odds.simulation.runner import PreparedTable, SimulatedRound, Simulator, check_strategy
from cardroom.odds.simulation.wager_plan import WagerPlan, plan_from_outcomes, plan_wager

TWO_PLUS_TWO_WAGER: Final = "two-plus-two"


class DuelStart(NamedTuple):
    """What the first two cards decide."""

    lead: int
    """1 the player is ahead, 0 a tie, -1 the house."""
    is_war: bool
    tie_plus: tuple[str, ...]
    combo: tuple[str, ...]
    tie_after_tie: tuple[str, ...]
    """The lines that the two cards meet without a war."""
    qualifies: bool
    """For 2 + 2."""


@dataclass(frozen=True)
class PreparedDuels(PreparedTable):
    """A table of Dueling for Dollars."""

    wagers: tuple[WagerPlan, ...]
    kernel_tables: DuelTables = field(repr=False)
    places: Places = field(repr=False)
    """The index of each wager's outcome, a row per kind of round; -1 if no round is of the kind."""

    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        kinds = self._play(seed, block, rounds, list_size=0)[0].sum(axis=0)
        present_kinds = np.flatnonzero(kinds)
        counts = np.zeros(self.starts[-1], np.int64)
        for at, start in enumerate(self.starts[:-1]):
            np.add.at(counts, start + self.places[present_kinds, at], kinds[present_kinds])
        return counts

    def round_outcomes(self, seed: int, block: int, rounds: int) -> Places:
        return self.places[self._play(seed, block, rounds, list_size=rounds)[1]]

    def _play(self, seed: int, block: int, rounds: int, list_size: int) -> tuple[Counts, Counts]:
        counts, kinds = np.zeros((LANES, len(self.places)), np.int64), np.empty(list_size, np.int64)
        play_duels(np.uint64(seed), block, rounds, self.kernel_tables, counts, kinds)
        return counts, kinds

    def simulated_round(self, seed: int, block: int, turn: int) -> SimulatedRound:
        shoe, t = self.kernel_tables.codes, self.kernel_tables
        dealt = np.empty((CARDS_DEALT, PART_ROUNDS), np.uint16)
        deal(dealt, len(shoe), np.uint64(seed), block, turn // PART_ROUNDS)
        places = dealt[:, turn % PART_ROUNDS].tolist()
        burnt = [place for place in range(len(shoe)) if place not in places][:WAR_BURN_COUNT]
        player_card, community, war, war_community, *added = (card_from_code(int(shoe[place])) for place in places)
        at_war = t.is_war[t.starts[player_card.code * KINDS_OF_CARD + community.code]]
        return SimulatedRound(
            cards={
                Place(Pile.HAND, 1): (player_card,),
                COMMUNITY: (community,),
                BURN: tuple(card_from_code(int(shoe[place])) for place in burnt),
                Place(Pile.WAR, 1): (war,),
                Place(Pile.WAR_COMMUNITY): (war_community,),
                Place(Pile.ADDED_COMMUNITY): tuple(added),
            },
            decisions={TIE_QUESTION: Decision(Verb.WAR if at_war else Verb.SURRENDER)},
        )


class DuelingForDollarsSimulator(Simulator):
    """Dueling for Dollars, on the PLAYER or the PLAY spot."""

    game = "dueling-for-dollars"

    def prepare(self, table: Table, strategy: str = "best", progress: Progress = ignore_progress) -> PreparedDuels:
        check_strategy(strategy)
        spot = next(spot for spot, offered in table.spots.items() if offered.wager.slug == MAIN)
        bonus, decks = bool(table.options["tie_after_tie_bonus"]), table.deck.decks
        war_ranks = (best_war_ranks if strategy == "best" else basic_war_ranks)(spot, bonus, decks)
        plans = {slug: plan_wager(table, slug, progress=progress) for slug in table.offers}
        if strategy != "best":
            plans[MAIN] = plan_from_outcomes(plans[MAIN].request, tuple(duel_outcomes(spot, bonus, decks, war_ranks)))
        if len(war_ranks) < len(Rank) and TIE_AFTER_TIE_WAGER in plans:
            # Its price assumes a war on every tie.
            plans[TIE_AFTER_TIE_WAGER] = replace(plans[TIE_AFTER_TIE_WAGER], probabilities=None)
        starts = duel_starts(spot, war_ranks)
        kinds = list(dict.fromkeys(starts))
        places = np.column_stack(
            [_OutcomePlaces(spot, bonus, wager_plan).places(kinds) for wager_plan in plans.values()]
        )
        kernel_tables = duel_tables(table, spot, starts, kinds, TWO_PLUS_TWO_WAGER in table.offers)
        return PreparedDuels(tuple(plans.values()), kernel_tables, places)


def _first_pairs() -> list[tuple[Card, Card]]:
    return [(player_card, community) for player_card in STANDARD_DECK for community in STANDARD_DECK]


def duel_starts(spot: str, war_ranks: Collection[Rank]) -> list[DuelStart]:
    """The starts of all pairs of first cards."""
    return [
        DuelStart(
            lead=leads(spot)[player_card.rank, community.rank],
            is_war=player_card.rank == community.rank and player_card.rank in war_ranks,
            tie_plus=matching_lines("tie-plus", (player_card, community)),
            combo=matching_lines("combo", (player_card, community)),
            tie_after_tie=matching_lines(TIE_AFTER_TIE_WAGER, (player_card, community)),
            qualifies=is_two_plus_two_start(player_card, community),
        )
        for player_card, community in _first_pairs()
    ]


def duel_tables(
    table: Table, spot: str, starts: list[DuelStart], kinds: list[DuelStart], two_plus_two: bool
) -> DuelTables:
    """The lookup tables for a duel on a spot, with or without the wager that needs two more community cards."""
    # The bonus wagers ignore the order of the two cards of a start, so one row serves both orders.
    by_row: dict[frozenset[Card], int] = {}
    rows = np.zeros(CARD_PAIRS, np.int64)
    for at, (pair, start) in enumerate(zip(_first_pairs(), starts, strict=True)):
        if start.is_war or start.qualifies:
            rows[at] = by_row.setdefault(frozenset(pair), len(by_row))
    row_starts = encode_hands([sorted(pair)[0], sorted(pair)[-1]] for pair in by_row)
    lead_by_pair = np.array(
        [1 + leads(spot)[player_card.rank, community.rank] for player_card, community in _first_pairs()], np.uint8
    )
    war, added = continuation_tables(row_starts, lead_by_pair)
    return DuelTables(
        codes=np.array([card.code for card in table.deck.cards()], np.uint8),
        starts=np.array([kinds.index(start) for start in starts], np.uint8),
        is_war=np.array([start.is_war for start in kinds]),
        adds_cards=np.array([start.qualifies and two_plus_two for start in kinds]),
        rows=rows,
        war_kinds=war,
        added_kinds=added,
    )


class _OutcomePlaces:
    """The outcome of one wager, by the kind of the round."""

    def __init__(self, spot: str, bonus: bool, wager: WagerPlan) -> None:
        self.wager = wager
        self._payoffs = duel_payoffs(spot, bonus)
        self._duels = [(outcome.trigger, outcome.pays, outcome.net, outcome.wagered) for outcome in wager.outcomes]

    def places(self, starts: list[DuelStart]) -> NDArray[np.int16]:
        """For each start, all ways in which the round can continue."""
        return np.concatenate([self._places_after(start).ravel() for start in starts])

    def _places_after(self, start: DuelStart) -> NDArray[np.int16]:
        """The continuations: the war result, the Tie After Tie line, and the 2 + 2 line."""
        places = np.full((LEADS, len(TIE_AFTER_TIE), len(TWO_PLUS_TWO)), -1, np.int16)
        match self.wager.slug:
            case "duel" if start.is_war:
                for lead in range(LEADS):
                    places[lead] = self._duel(self._payoffs.war[lead - 1])
            case "duel":
                payoff_by_lead = {1: self._payoffs.win, 0: self._payoffs.surrender, -1: self._payoffs.loss}
                places[:] = self._duel(payoff_by_lead[start.lead])
            case "tie-plus":
                places[:] = self.wager.place(start.tie_plus)
            case "combo":
                places[:] = self.wager.place(start.combo)
            case "tie-after-tie" if start.is_war:
                places[:] = self.wager.places(TIE_AFTER_TIE)[None, :, None]
            case "tie-after-tie":
                places[:] = self.wager.place(start.tie_after_tie)
            case "two-plus-two" if start.qualifies:
                places[:] = self.wager.places(TWO_PLUS_TWO)
            case "two-plus-two":
                places[:] = self.wager.place(TWO_PLUS_TWO[-1])
        return places

    def _duel(self, result: DuelPayoff) -> int:
        outcome = result.event, result.pays, result.net, result.wagered
        return self._duels.index(outcome) if outcome in self._duels else -1


SIMULATOR: Final = DuelingForDollarsSimulator()


class DuelBatch(RoundBatch):
    """Dueling for Dollars, on any of its spots."""

    hand_size = 1
    questions = (TIE_QUESTION,)
    all_actions = (Action(Verb.WAR), Action(Verb.SURRENDER))

    @cached_property
    def card_places(self) -> tuple[Place, ...]:
        burnt = (BURN,) * WAR_BURN_COUNT if self.table.options["burn"] else ()
        return (Place(Pile.HAND, 1), COMMUNITY, Place(Pile.WAR, 1), WAR_COMMUNITY, *ADDED_CARDS, *burnt)

    @cached_property
    def wager_groups(self) -> tuple[WagerGroup, ...]:
        return (WagerGroup(tuple(self.wagers), 2 * len(self._distinct_starts) * CONTINUATIONS),)

    # The first two cards decide whether there is a tie and whether two more cards are dealt for 2 + 2.

    @cached_property
    def _starts(self) -> list[DuelStart]:
        return duel_starts(self.wagers[MAIN], tuple(Rank))

    @cached_property
    def _distinct_starts(self) -> list[DuelStart]:
        return list(dict.fromkeys(self._starts))

    @cached_property
    def _start_sorts(self) -> IntArray:
        """Indexed by the pair number of the first two cards."""
        adds = TWO_PLUS_TWO_WAGER in self.wagers
        return np.array([start.is_war + 2 * (adds and start.qualifies) for start in self._starts], np.int64)

    def examples(self) -> tuple[tuple[Card, ...], ...]:
        of_each_sort = np.unique(self._start_sorts, return_index=True)[1].tolist()
        return tuple(tuple(STANDARD_DECK[code] for code in self._fill_row(pair)) for pair in of_each_sort)

    @cached_property
    def round_sorts(self) -> IntArray:
        sorts = np.zeros(PAIR_COUNT, np.int64)
        first, second = np.divmod(np.arange(KINDS_OF_CARD**2), KINDS_OF_CARD)
        sorts[first << 6 | second] = np.unique(self._start_sorts, return_inverse=True)[1]
        return sorts

    @cached_property
    def no_decision_nets(self) -> Cents | None:
        if TWO_PLUS_TWO_WAGER in self.wagers:
            return None  # the wager depends on two more cards
        pairs = [pair for pair, start in enumerate(self._starts) if not start.is_war]
        cards = np.array([self._fill_row(pair) for pair in pairs], np.uint8)
        nets = np.zeros(PAIR_COUNT, np.int64)
        first, second = np.divmod(np.array(pairs), KINDS_OF_CARD)
        nets[first << 6 | second] = self.nets(cards, np.full((len(cards), 1), -1, np.int8))
        return nets

    def _fill_row(self, pair: int) -> list[int]:
        """Cards of a round: these first two, and any others after them."""
        first = divmod(pair, KINDS_OF_CARD)
        others = (code for code in range(KINDS_OF_CARD) if code not in first)
        return [*first, *islice(others, len(self.card_places) - 2)]

    @cached_property
    def _tables(self) -> DuelTables:
        adds = TWO_PLUS_TWO_WAGER in self.wagers
        return duel_tables(self.table, self.wagers[MAIN], self._starts, self._distinct_starts, adds)

    def outcome_kinds(self, cards: ByteArray, answers: Answers) -> Kinds:
        kinds = np.empty((1, len(cards)), np.int32)
        is_surrendered: NDArray[np.bool_] = answers[:, 0] == self.actions.index(Action(Verb.SURRENDER))
        judge_duels(cards, is_surrendered, self._tables, kinds[0])
        return kinds


BATCH: Final = DuelBatch
