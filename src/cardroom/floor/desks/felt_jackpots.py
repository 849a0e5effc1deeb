"""Jackpots at a felt: the TABULATE step is the tabulator of the table, whose sensors see the wagers that lie there.

What the tabulator counts, and what the meters take in, is stored with the round's beginning. A percentage prize becomes
a claim by itself with the round as its proof, and waits for two people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from cardroom.floor.desks.automatic_claims import (
    PromotionPays,
    RoundClaimed,
    RoundOver,
    automatic_dealer,
    claim_chains,
    claim_round,
    jackpots_won,
    pay_promotions,
    promotions_won,
)
from cardroom.floor.desks.dark_wagers import why_dark
from cardroom.floor.desks.desk import Keys, fresh_key
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.felt_answers import need
from cardroom.floor.desks.promotions import PromotionDesk
from cardroom.floor.desks.rounds import RoundDesk
from cardroom.floor.desks.standings import Standings
from cardroom.floor.desks.voids import VoidDesk, brought
from cardroom.floor.felt.happenings import Cents, Laid, Waiting
from cardroom.floor.felt.playing import Position
from cardroom.floor.felt.settling import RoundPrizes
from cardroom.floor.felt.state import FeltState, Seated
from cardroom.floor.kept.chains import jackpot_chain, promotion_chain, table_chain
from cardroom.floor.kept.recall import RecordedRound, recorded_round
from cardroom.floor.kept.table import TableState
from cardroom.games import BadBet
from cardroom.jackpots.setup.tabulator import CountedWager
from cardroom.jackpots.tabulator.unit import Covered, press_button, void_round
from cardroom.ledger import Clock, Ledger, UniqueKey, system_clock

_A_SECOND: Final = 1_000_000
_Counted: TypeAlias = tuple[str, tuple[Laid, ...]]
"""A round, and the wagers that lay there."""


class FeltJackpots(RoundDesk, VoidDesk, PromotionDesk):
    """What a felt has to do with its tabulator and its jackpots."""

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: Keys = fresh_key) -> None:
        super().__init__(ledger, clock, keys)
        self._tabulated: dict[str, tuple[_Counted, RecordedRound]] = {}
        """By table, what was counted last. It may not have been stored, and then others may lie there in that round."""
        self._promotions_known: tuple[int, tuple[str, ...]] = (0, ())

    def _refuse_dark(self, state: FeltState, here: Seated, wagers: Mapping[str, int]) -> None:
        """A wager whose jackpot takes none cannot be laid."""
        if not state.tabulated:
            return
        for wager, why in _dark_wagers(self, state, self.table(state.table)).items():
            for spot in _spots(state, wager):
                if spot in wagers:
                    raise BadBet(f"Seat {here.seat} cannot wager on {spot} now: {why}.")

    def _counted(self, draft: Draft, state: FeltState) -> TableState:
        """The tabulator of the table, locked with its jackpots."""
        need(draft, table_chain(state.table), names=(UniqueKey(table_chain(state.table), state.round),))
        counted = draft.table(state.table)
        need(draft, *map(jackpot_chain, counted.jackpots))
        return counted

    def _dark(self, draft: Draft, state: FeltState) -> frozenset[str]:
        """The spots whose jackpot takes no wagers now."""
        if not state.tabulated:
            return frozenset()
        dark = _dark_wagers(draft, state, self._counted(draft, state))
        return frozenset(spot for wager in dark for spot in _spots(state, wager))

    def _linked_wagers(self, draft: Draft, state: FeltState) -> tuple[str, ...]:
        """The wagers that play for a jackpot now."""
        if not state.tabulated:
            return ()
        counted = self._counted(draft, state)
        dark = _dark_wagers(draft, state, counted)
        return tuple(one.wager for one in counted.playing.wagers if one.jackpot is not None and one.wager not in dark)

    def _tabulate(self, draft: Draft, state: FeltState) -> None:
        """Press the button of the table's tabulator, if there is anything to count."""
        if not state.tabulated:
            return
        counted = self._counted(draft, state)
        tabulator = counted.tabulator
        if not any(one.spots.keys() & _all_spots(state, counted) for one in state.laid):
            return
        covered, lammers = _seen(state, counted)
        dealer = automatic_dealer(state.table)
        happenings = press_button(
            tabulator, state.round, covered, dealer=dealer, lammers=lammers or None, automatic=True
        )
        draft.at_table(state.table, happenings)
        recorded = RecordedRound(happenings[0], draft.version(table_chain(state.table)))
        self._tabulated[state.table] = (state.round, state.laid), recorded
        self._count(draft, state.table, happenings, late=False)

    def _prizes(self, draft: Draft, state: FeltState, position: Position) -> RoundPrizes:
        """What the jackpots and promotions of the table pay for a round that is over."""
        recorded = self._recorded_at(draft, state) if state.linked else None
        sat = {one.seat: one.player for one in state.seats if not one.company and state.laid_at(one.seat)}
        dealer = automatic_dealer(state.table)
        over = RoundOver(state.table, state.round, position.round, dealer, recorded, sat)
        claimed = RoundClaimed()
        if won := jackpots_won(position.round, recorded.counted if recorded else None):
            need(draft, *claim_chains(state.table, won))
            claimed = claim_round(draft, over)
        promoted = self._promoted(draft, state, over)
        if not claimed.paid and not claimed.waiting and not promoted:
            return RoundPrizes()
        at_once = Counter[int]()
        for seat, cents in [(one.seat, one.cents) for one in claimed.paid] + [
            (one.seat, one.cents) for one in promoted
        ]:
            at_once[seat] += cents
        paid = tuple(Cents(seat, cents) for seat, cents in sorted(at_once.items()))
        waiting = tuple(Waiting(one.seat, one.jackpot, one.claim, one.cents) for one in claimed.waiting)
        return RoundPrizes(paid, waiting, claimed.meters)

    def _promoted(self, draft: Draft, state: FeltState, over: RoundOver) -> tuple[PromotionPays, ...]:
        """What promotions that run pay for the round."""
        running = self.running_promotions(state.game.facts.slug, state.terms.money) if self._announced() else ()
        won = promotions_won(running, over.played)
        if not won:
            return ()
        need(draft, *map(promotion_chain, won))
        return pay_promotions(draft, won, over, self._today())

    def _announced(self) -> tuple[str, ...]:
        """The promotions that there ever were. Every round asks, so the books are looked at once a second."""
        now = self._clock()
        since, known = self._promotions_known
        if not since <= now < since + _A_SECOND:
            known = self.ledger.chains(promotion_chain(""))
            self._promotions_known = now, known
        return known

    def _recorded_at(self, draft: Draft, state: FeltState) -> RecordedRound | None:
        """How the tabulator counted the round: with this command, or with an earlier one, perhaps of another server."""
        need(draft, table_chain(state.table), names=(UniqueKey(table_chain(state.table), state.round),))
        counted, known = draft.counted(state.table, state.round), self._tabulated.get(state.table)
        here = known is not None and known[0] == (state.round, state.laid)
        if known is not None and here and (counted is None or counted.sequence == known[1].sequence):
            return known[1]
        return recorded_round(self.ledger, state.table, state.round) if counted else None

    def _void_counts(self, draft: Draft, state: FeltState, who: str, second: str, why: str) -> None:
        """What a round that is called off put on the meters comes off again."""
        if not state.tabulated:
            return
        counted = self._counted(draft, state)
        if draft.counted(state.table, state.round) is None or state.round in counted.tabulator.voided:
            return
        recorded = self._recorded(state.table, state.round)
        came_in = [self._came_in(one, state.table, state.round) for one in brought(recorded)]
        need(draft, *(jackpot_chain(one.jackpot) for one in came_in))
        void = void_round(counted.tabulator, state.round, by=who, second=second, reason=why, recorded=recorded)
        draft.at_table(state.table, void)
        self._take_back(draft, state.table, state.round, came_in, who, second, why)

    def _shown(self, state: FeltState) -> dict[str, int]:
        """What the meters of the felt's jackpots show, in cents by spot; the highest level of each. One that pays fixed
        prizes only has none."""
        shown: dict[str, int] = {}
        for wager, id in self._played_for(state):
            if meters := self.jackpot(id).meters:
                shown |= dict.fromkeys(_spots(state, wager), meters[0].shown)
        return shown

    def _meters_of(self, state: FeltState) -> frozenset[str]:
        """The jackpots that the felt plays for."""
        return frozenset(id for _, id in self._played_for(state))

    def _played_for(self, state: FeltState) -> list[tuple[str, str]]:
        """The wagers of a felt that play for a jackpot, each with it."""
        if not state.tabulated or state.closed:
            return []
        wagers = self.table(state.table).playing.wagers
        return [(one.wager, one.jackpot) for one in wagers if one.jackpot is not None]


def _spots(state: FeltState, wager: str) -> Iterator[str]:
    return (spot for spot, offered in state.at.table.spots.items() if offered.wager.slug == wager)


def _all_spots(state: FeltState, counted: TableState) -> frozenset[str]:
    """The spots that some sensor looks at."""
    return frozenset(spot for one in counted.tabulator.table.wagers for spot in _spots(state, one.wager))


def _dark_wagers(at: Standings, state: FeltState, counted: TableState) -> dict[str, str]:
    """The wagers that play for no jackpot at present although they should, and why."""
    dark: dict[str, str] = {}
    for one in counted.playing.wagers:
        if counted.tabulator.broken is not None and not counted.closed:
            dark[one.wager] = f"the tabulator of {state.table} is broken, and nobody is there who counts by hand"
        elif why := why_dark(at, counted, one):
            dark[one.wager] = why if one.jackpot is None else f"jackpot {one.jackpot} takes no wagers ({why})"
        elif counted.game_setup.wagers.get(one.wager) != state.at.table.setup.wagers.get(one.wager):
            dark[one.wager] = "its jackpot pays by another table than the layout says"
    return dark


def _seen(state: FeltState, counted: TableState) -> tuple[Covered, Covered]:
    """What the sensors see, and beside which wagers lammers lie where no sensor looks at them."""
    covered: dict[int, list[int]] = {}
    lammers: dict[int, list[int]] = {}
    for one in counted.tabulator.table.wagers:
        covered[one.sensor] = list(_positions(state, one, larger=False))
        marked = list(_positions(state, one, larger=True))
        if marked and one.lammer_sensor is not None:
            covered[one.lammer_sensor] = marked
        elif marked:
            lammers[one.sensor] = marked
    return covered, lammers


def _positions(state: FeltState, wager: CountedWager, *, larger: bool) -> Iterator[int]:
    """The seats that made a wager; or those of them whose wager is the larger one, which a lammer marks."""
    spots = frozenset(_spots(state, wager.wager))
    for laid in state.laid:
        made = [cents for spot, cents in laid.spots.items() if spot in spots]
        if made and (not larger or made[0] == wager.lammer_amount):
            yield laid.seat
