"""Dueling for Dollars by the million rounds: the tables for the kernels, filled from the game and its best play."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Rank, of_code
from cardroom.games import Decision, Pile, Place, Table, Verb
from cardroom.games.dueling_for_dollars.bonuses import TIE_AFTER_TIE, TWO_PLUS_TWO, lines_met, starts_two_plus_two
from cardroom.games.dueling_for_dollars.rules import BURNT_BEFORE_WAR, TIE_QUESTION
from cardroom.games.places import BURN, COMMUNITY
from cardroom.hands import codes
from cardroom.odds.dueling_for_dollars.kernels import (
    DRAWN,
    KINDS_OF_CARD,
    LEADS,
    PAIRS,
    DuelTables,
    after_starts,
    play_duels,
)
from cardroom.odds.dueling_for_dollars.pricer import JACKPOT_OF_TIES, MAIN
from cardroom.odds.dueling_for_dollars.strategy import simple_wars
from cardroom.odds.dueling_for_dollars.war import Result, endings_at_war, leads, results, wars
from cardroom.odds.pricer import Progress, silent
from cardroom.odds.rounds.deals import LANES, ROUNDS, Counts, Places, deal
from cardroom.odds.rounds.plan import WagerPlan, plan, planned
from cardroom.odds.rounds.simulation import Laid, Prepared, Simulator, check_strategy

TWO_PLUS_TWO_WAGER: Final = "two-plus-two"


class Start(NamedTuple):
    """What the first two cards decide."""

    lead: int
    """1 the player is ahead, 0 a tie, -1 the house."""
    war: bool
    tie_plus: tuple[str, ...]
    combo: tuple[str, ...]
    tie_after_tie: tuple[str, ...]
    """The lines that the two cards meet without a war."""
    qualified: bool
    """For 2 + 2."""


@dataclass(frozen=True)
class PreparedDuels(Prepared):
    """A table of Dueling for Dollars."""

    wagers: tuple[WagerPlan, ...]
    looked_up: DuelTables = field(repr=False)
    places: Places = field(repr=False)
    """A row for each kind of round: where each wager's ending stands in its list; -1 where no round is of the kind."""

    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        kinds = self._play(seed, block, rounds, listed=0)[0].sum(axis=0)
        there = np.flatnonzero(kinds)
        counts = np.zeros(self.starts[-1], np.int64)
        for at, start in enumerate(self.starts[:-1]):
            np.add.at(counts, start + self.places[there, at], kinds[there])
        return counts

    def each_round(self, seed: int, block: int, rounds: int) -> Places:
        return self.places[self._play(seed, block, rounds, listed=rounds)[1]]

    def _play(self, seed: int, block: int, rounds: int, listed: int) -> tuple[Counts, Counts]:
        counts, kinds = np.zeros((LANES, len(self.places)), np.int64), np.empty(listed, np.int64)
        play_duels(np.uint64(seed), block, rounds, self.looked_up, counts, kinds)
        return counts, kinds

    def laid(self, seed: int, block: int, turn: int) -> Laid:
        shoe, t = self.looked_up.codes, self.looked_up
        dealt = np.empty((DRAWN, ROUNDS), np.uint16)
        deal(dealt, len(shoe), np.uint64(seed), block, turn // ROUNDS)
        used = dealt[:, turn % ROUNDS].tolist()
        burnt = [place for place in range(len(shoe)) if place not in used][:BURNT_BEFORE_WAR]
        mine, community, war, war_community, *added = (of_code(int(shoe[place])) for place in used)
        at_war = t.at_war[t.starts[mine.code * KINDS_OF_CARD + community.code]]
        return Laid(
            cards={
                Place(Pile.HAND, 1): (mine,),
                COMMUNITY: (community,),
                BURN: tuple(of_code(int(shoe[place])) for place in burnt),
                Place(Pile.WAR, 1): (war,),
                Place(Pile.WAR_COMMUNITY): (war_community,),
                Place(Pile.ADDED_COMMUNITY): tuple(added),
            },
            decisions={TIE_QUESTION: Decision(Verb.WAR if at_war else Verb.SURRENDER)},
        )


class DuelingForDollarsSimulator(Simulator):
    """Dueling for Dollars, on the PLAYER or the PLAY spot."""

    game = "dueling-for-dollars"

    def prepare(self, table: Table, strategy: str = "best", progress: Progress = silent) -> PreparedDuels:
        check_strategy(strategy)
        spot = next(spot for spot, offered in table.spots.items() if offered.wager.slug == MAIN)
        bonus, decks = bool(table.options["tie_after_tie_bonus"]), table.deck.decks
        at_war = (wars if strategy == "best" else simple_wars)(spot, bonus, decks)
        plans = {slug: plan(table, slug, progress=progress) for slug in table.offered}
        if strategy != "best":
            plans[MAIN] = planned(plans[MAIN].question, tuple(endings_at_war(spot, bonus, decks, at_war)))
        if len(at_war) < len(Rank) and JACKPOT_OF_TIES in plans:
            # It is priced for a war on every tie.
            plans[JACKPOT_OF_TIES] = replace(plans[JACKPOT_OF_TIES], exact=None)
        starts = starts_of(spot, at_war)
        kinds = list(dict.fromkeys(starts))
        places = np.column_stack([_Ends(spot, bonus, one).places(kinds) for one in plans.values()])
        looked_up = duel_tables(table, spot, starts, kinds, TWO_PLUS_TWO_WAGER in table.offered)
        return PreparedDuels(tuple(plans.values()), looked_up, places)


def _pairs() -> list[tuple[Card, Card]]:
    return [(mine, community) for mine in STANDARD_DECK for community in STANDARD_DECK]


def starts_of(spot: str, at_war: Collection[Rank]) -> list[Start]:
    """Of all pairs of first cards."""
    return [
        Start(
            lead=leads(spot)[mine.rank, community.rank],
            war=mine.rank == community.rank and mine.rank in at_war,
            tie_plus=lines_met("tie-plus", (mine, community)),
            combo=lines_met("combo", (mine, community)),
            tie_after_tie=lines_met(JACKPOT_OF_TIES, (mine, community)),
            qualified=starts_two_plus_two(mine, community),
        )
        for mine, community in _pairs()
    ]


def duel_tables(table: Table, spot: str, starts: list[Start], kinds: list[Start], two_plus_two: bool) -> DuelTables:
    """What the kernels look up for a duel on a spot, with or without the wager that two more cards are dealt for."""
    # The two cards of a start are equals for the bonus wagers, so one row serves both orders.
    by_row: dict[frozenset[Card], int] = {}
    rows = np.zeros(PAIRS, np.int64)
    for at, (pair, start) in enumerate(zip(_pairs(), starts, strict=True)):
        if start.war or start.qualified:
            rows[at] = by_row.setdefault(frozenset(pair), len(by_row))
    row_starts = codes([sorted(pair)[0], sorted(pair)[-1]] for pair in by_row)
    ahead = np.array([1 + leads(spot)[mine.rank, community.rank] for mine, community in _pairs()], np.uint8)
    war, added = after_starts(row_starts, ahead)
    return DuelTables(
        codes=np.array([card.code for card in table.deck.cards()], np.uint8),
        starts=np.array([kinds.index(start) for start in starts], np.uint8),
        at_war=np.array([start.war for start in kinds]),
        adds=np.array([start.qualified and two_plus_two for start in kinds]),
        rows=rows,
        war=war,
        added=added,
    )


class _Ends:
    """How one wager ends, by the kind of the round."""

    def __init__(self, spot: str, bonus: bool, wager: WagerPlan) -> None:
        self.wager = wager
        self._results = results(spot, bonus)
        self._duels = [(one.event, one.pays, one.net, one.wagered) for one in wager.endings]

    def places(self, starts: list[Start]) -> NDArray[np.int16]:
        """For each start, all the ways in which the round can go on."""
        return np.concatenate([self._after(start).ravel() for start in starts])

    def _after(self, start: Start) -> NDArray[np.int16]:
        """By who is ahead in the war, what Tie After Tie makes of it, and what 2 + 2 makes of the added cards."""
        found = np.full((LEADS, len(TIE_AFTER_TIE), len(TWO_PLUS_TWO)), -1, np.int16)
        match self.wager.slug:
            case "duel" if start.war:
                for lead in range(LEADS):
                    found[lead] = self._duel(self._results.war[lead - 1])
            case "duel":
                alone = {1: self._results.win, 0: self._results.surrender, -1: self._results.loss}
                found[:] = self._duel(alone[start.lead])
            case "tie-plus":
                found[:] = self.wager.place(start.tie_plus)
            case "combo":
                found[:] = self.wager.place(start.combo)
            case "tie-after-tie" if start.war:
                found[:] = self.wager.places(TIE_AFTER_TIE)[None, :, None]
            case "tie-after-tie":
                found[:] = self.wager.place(start.tie_after_tie)
            case "two-plus-two" if start.qualified:
                found[:] = self.wager.places(TWO_PLUS_TWO)
            case "two-plus-two":
                found[:] = self.wager.place(TWO_PLUS_TWO[-1])
        return found

    def _duel(self, result: Result) -> int:
        end = result.event, result.pays, result.net, result.wagered
        return self._duels.index(end) if end in self._duels else -1


SIMULATOR: Final = DuelingForDollarsSimulator()
