"""Wagers that should play for a jackpot and at present do not: they are disabled (BJ-36).

An automatic table claims what is won there, with the round that it dealt as the proof.

Small fixed prizes are paid at once, as a dealer pays them. Every other prize is locked and waits for two people
(BJ-50); the table plays on meanwhile. All of it belongs to the command that ended the round, so nothing here refuses:
what cannot be paid now waits (BJ-51).

Jackpots at a table: the TABULATE step is the tabulator of the table, whose sensors see the wagers.

What the tabulator counts, and what the meters take in, is stored with the start of the round. A percentage prize
becomes a claim by itself with the round as its proof, and waits for two people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, NamedTuple, TypeAlias

from cardroom.games import BadBet, Payment, Round, round_to_json
from cardroom.ledger import Clock, Ledger, UniqueKey, system_clock
from cardroom.room.claim.new_claim import ClaimSubmission, claim_record
from cardroom.room.claim.prior_claims import PriorClaims
from cardroom.room.jackpot.events import PrizesPaid
from cardroom.room.jackpot.pending_claims import JackpotPrize, cents_by_seat
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.promotion.state import Payer, PromotionRecord, has_winning_hand, pay_hands
from cardroom.room.setup.tabulator import CountedWager
from cardroom.room.table.automatic_round import RoundPosition, RoundPrizes
from cardroom.room.table.events import SeatAmount, SeatStakes, UnverifiedPrize
from cardroom.room.table.state import Occupant, TableState
from cardroom.room.tabulator.events import RoundRecorded
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.tabulator.unit import CoveredPositions, press_button, void_round
from cardroom.service.chains.names import promotion_chain, tabulator_chain
from cardroom.service.commands.claims import refuse_uncounted
from cardroom.service.commands.handler import JackpotSearch, KeyFactory, generate_key
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.promotions import PromotionService
from cardroom.service.commands.tabulation import TabulationCommands
from cardroom.service.commands.unit_of_work import StateAccess, StateChanged, UnitOfWork
from cardroom.service.commands.void_rounds import RoundCounted, VoidRoundCommands, reverse_counts
from cardroom.service.queries.chain_history import RoundAftermath, RoundCountRecord, find_counted_round


def explain_disabled_wager(states: StateAccess, unit: TabulatedTableState, wager: CountedWager) -> str:
    """Why a wager is disabled now; empty where it is available. ``wager`` is one of those that the table plays with."""
    if unit.closed:
        return f"the tabulator of {unit.id} is closed"
    if unit.active_table.is_disabled(wager):
        return f"{unit.id} plays for no jackpot on it"
    return (states.jackpot(wager.jackpot).unavailability or "") if wager.jackpot is not None else ""


def find_disabled_wagers(states: StateAccess, unit: TabulatedTableState) -> dict[str, str]:
    """The disabled wagers of a table, and why."""
    reasons = {
        counted_wager.wager: explain_disabled_wager(states, unit, counted_wager)
        for counted_wager in unit.active_table.wagers
    }
    return {wager: why for wager, why in reasons.items() if why}


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that an automatic table has dealt to its end."""

    table: str
    round: str
    game_round: Round
    dealer: str
    """The table's name as the dealer: ``automatic_dealer``."""
    counted_round: RoundCountRecord | None = None
    """How its tabulator counted it, by an earlier command or by this one; None where it has no tabulator, or there was
    nothing to count."""
    players: Mapping[int, str] = field(default_factory=dict)
    """By seat, the players who have a balance; bots have none."""

    @property
    def record(self) -> dict[str, Any]:
        """As ``cardroom settle`` reads it."""
        return round_to_json(self.game_round)


class ImmediatePrize(NamedTuple):
    """A prize that the table pays with the round."""

    seat: int
    stake: str
    jackpot: str
    cents: int


class LockedPrize(NamedTuple):
    """A prize that is locked until two people have verified it."""

    seat: int
    stake: str
    jackpot: str
    claim: str
    cents: int


class RoundPrizeClaims(NamedTuple):
    """What the jackpots of a table pay for a round."""

    paid: tuple[ImmediatePrize, ...] = ()
    pending: tuple[LockedPrize, ...] = ()
    meters: Mapping[str, int] = {}
    """By spot, the meter of which a part was won, in cents."""


def automatic_dealer_name(table: str) -> str:
    """The name of the dealer at an automatic table.

    >>> automatic_dealer_name("prime-1")
    'automatic table prime-1'
    """
    return f"automatic table {table}"


def find_won_jackpots(played: Round, count_event: RoundRecorded | None) -> tuple[str, ...]:
    """The jackpots for which a round was counted and on whose wager a player has won."""
    if count_event is None:
        return ()
    spots = find_winning_spots(played)
    return tuple(
        wager.jackpot
        for wager in count_event.wagers
        if wager.jackpot is not None and wager.count and wager.wager in spots
    )


def find_winning_spots(played: Round) -> frozenset[str]:
    """The spots on which a player has won something."""
    return frozenset(payment.spot for payment in played.game.settle(played).payments if _is_win(payment))


def _is_win(payment: Payment) -> bool:
    return payment.meter is not None or bool(payment.returned)


def lock_claims(table: str, jackpots: Collection[str]) -> Locks:
    """What is locked to claim prizes on these jackpots; nothing where nothing was won."""
    return Locks(room=True, tabulators=[table], jackpots=jackpots) if jackpots else Locks()


def claim_round_prizes(uow: UnitOfWork, finished: FinishedRound) -> RoundPrizeClaims:
    """Claim every prize of a round on every jackpot for which it was counted; the claim's id is the round's. The locks
    of ``lock_claims`` are held."""
    paid, waiting, meters = list[ImmediatePrize](), list[LockedPrize](), dict[str, int]()
    at_once = Counter[int]()
    recorded = finished.counted_round
    for jackpot in find_won_jackpots(finished.game_round, recorded.event if recorded else None):
        assert recorded is not None
        before = uow.jackpot(jackpot)
        request = ClaimSubmission(
            claim=finished.round,
            table=finished.table,
            round=finished.round,
            dealer=finished.dealer,
            counted=recorded.sequence,
            dealer_limit_cents=uow.room().settings.dealer_pays,
            prior_claims=PriorClaims(),
            dealt_by=recorded.dealer,
            paid_on_other_jackpots=dict(at_once),
            automatic=True,
            players_by_seat=finished.players,
        )
        won = claim_record(before, finished.record, request)
        refuse_uncounted(won, recorded, uow.tabulator(finished.table), jackpot, finished.round)
        after = uow.apply_to_jackpot(jackpot, won)
        now = [prize for item in won if isinstance(item, PrizesPaid) for prize in item.prizes]
        locked = [prize for item in after.claims if item.id == finished.round for prize in item.prizes]
        at_once.update(cents_by_seat(now))
        paid += (ImmediatePrize(prize.seat, prize.stake, jackpot, prize.cents) for prize in now)
        waiting += (LockedPrize(prize.seat, prize.stake, jackpot, finished.round, prize.cents) for prize in locked)
        meters |= _find_shown_meter(before, locked, finished.game_round)
    return RoundPrizeClaims(tuple(paid), tuple(waiting), meters)


class AutomaticPromotionPrize(NamedTuple):
    """A promotion's prize, which the table pays with the round."""

    seat: int
    promotion: str
    cents: int


def find_won_promotions(running: Iterable[PromotionRecord], played: Round) -> tuple[str, ...]:
    """The promotions that pay a hand of a round."""
    promotions = (promotion.state.promotion for promotion in running)
    return tuple(promotion.id for promotion in promotions if has_winning_hand(promotion, played))


def pay_promotions(
    uow: UnitOfWork, promotions: Iterable[str], finished: FinishedRound, day: date
) -> tuple[AutomaticPromotionPrize, ...]:
    """Pay what promotions give for a round, as far as their dates and limits allow. Their chains are locked; the table
    plays for their currency."""
    pays = list[AutomaticPromotionPrize]()
    for id in promotions:
        payer = Payer(finished.dealer, automatic=True)
        paid = tuple(pay_hands(uow.promotion(id), finished.table, finished.round, finished.record, day, payer))
        uow.apply_to_promotion(id, paid)
        pays += (AutomaticPromotionPrize(payment.seat, id, payment.cents) for payment in paid)
    return tuple(pays)


def _find_shown_meter(before: JackpotState, locked: Iterable[JackpotPrize], played: Round) -> dict[str, int]:
    """The amount of the level of which the first of the prizes is a part."""
    levels = [prize.level for prize in locked if prize.level is not None]
    slug = before.jackpot.offers[played.table.facts.slug].wager.slug
    return {slug: before.meter(levels[0]).displayed_cents} if levels else {}


_CACHE_TIME: Final = 1_000_000
_CountKey: TypeAlias = tuple[str, tuple[SeatStakes, ...]]
"""A round, and its wagers."""


@dataclass(frozen=True, slots=True)
class RoundCounts:
    """How the current round of a table was counted, read before the round is void."""

    state: TableState
    recorded: RoundCounted | None = None
    """None while it is not counted."""
    traces: Sequence[JackpotSearch[RoundAftermath]] = ()

    @property
    def locks(self) -> Locks:
        """What is locked to take the counts back."""
        if not self.state.tabulated:
            return Locks()
        names = [UniqueKey(tabulator_chain(self.state.table), self.state.round)]
        return Locks(
            tabulators=[self.state.table], jackpots=[trace.jackpot for trace in self.traces], unique_keys=names
        )

    def void(self, uow: UnitOfWork, state: TableState, who: str, second: str, why: str) -> None:
        """Take the contributions of the void round off the meters."""
        if not state.tabulated:
            return
        table, round_id, recorded = state.table, state.round, self.recorded
        if (uow.find_count_event(table, round_id) is None) != (recorded is None):
            raise StateChanged
        tabulator = uow.tabulator(table).tabulator
        if recorded is None or round_id in tabulator.voided:
            return
        uow.apply_to_tabulator(
            table, void_round(tabulator, round_id, who=who, second=second, reason=why, recorded=recorded)
        )
        reverse_counts(uow, recorded, self.traces, who, second, why)


class TableJackpotCommands(TabulationCommands, VoidRoundCommands):
    """What a table does with its tabulator and its jackpots."""

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: KeyFactory = generate_key) -> None:
        super().__init__(ledger, clock, keys)
        self._last_counts: dict[str, tuple[_CountKey, RoundCountRecord]] = {}
        """By table, the last count. It may not have been stored, and then the round may have other wagers."""
        self.promotions = PromotionService(self)
        self._cached_promotions: tuple[int, tuple[str, ...]] = (0, ())

    def _refuse_disabled_wagers(self, state: TableState, seated_player: Occupant, wagers: Mapping[str, int]) -> None:
        """Refuse a wager whose jackpot takes none."""
        if not state.tabulated:
            return
        for wager, why in _explain_disabled_wagers(self, state, self.tabulator(state.table)).items():
            for spot in _list_spots(state, wager):
                if spot in wagers:
                    raise BadBet(f"Seat {seated_player.seat} cannot wager on {spot} now: {why}.")

    def _lock_count(self, state: TableState) -> Locks:
        """What is locked to count the table's round, or to look up how it was counted; nothing where no tabulator
        counts."""
        return self.lock_linked(state.table, rounds=[state.round]) if state.tabulated else Locks()

    def _tabulate(self, uow: UnitOfWork, state: TableState) -> None:
        """Press the button of the table's tabulator, if there is anything to count."""
        if not state.tabulated:
            return
        tabulator_state = uow.tabulator(state.table)
        tabulator = tabulator_state.tabulator
        if not any(placed.spots.keys() & _find_sensor_spots(state, tabulator_state) for placed in state.seat_wagers):
            return
        covered, lammers = _read_sensors(state, tabulator_state)
        dealer = automatic_dealer_name(state.table)
        events = press_button(tabulator, state.round, covered, dealer=dealer, lammers=lammers or None, automatic=True)
        uow.apply_to_tabulator(state.table, events)
        recorded = RoundCountRecord(events[0], uow.count_events(tabulator_chain(state.table)))
        self._last_counts[state.table] = (state.round, state.seat_wagers), recorded
        self._apply_counts(uow, state.table, events, late=False)

    def _pay_round_prizes(self, uow: UnitOfWork, state: TableState, position: RoundPosition) -> RoundPrizes:
        """What the jackpots and promotions of the table pay for a finished round."""
        recorded = self._find_table_count(uow, state) if state.linked else None
        sat = {item.seat: item.player for item in state.seats if not item.is_bot and state.wagers_at(item.seat)}
        dealer = automatic_dealer_name(state.table)
        over = FinishedRound(state.table, state.round, position.round, dealer, recorded, sat)
        claimed = RoundPrizeClaims()
        if find_won_jackpots(position.round, recorded.event if recorded else None):
            claimed = claim_round_prizes(uow, over)
        promoted = self._pay_round_promotions(uow, state, over)
        if not claimed.paid and not claimed.pending and not promoted:
            return RoundPrizes()
        at_once = Counter[int]()
        for seat, cents in [(item.seat, item.cents) for item in claimed.paid] + [
            (item.seat, item.cents) for item in promoted
        ]:
            at_once[seat] += cents
        paid = tuple(SeatAmount(seat, cents) for seat, cents in sorted(at_once.items()))
        waiting = tuple(UnverifiedPrize(item.seat, item.jackpot, item.claim, item.cents) for item in claimed.pending)
        return RoundPrizes(paid, waiting, claimed.meters)

    def _pay_round_promotions(
        self, uow: UnitOfWork, state: TableState, over: FinishedRound
    ) -> tuple[AutomaticPromotionPrize, ...]:
        """What running promotions pay for the round."""
        won = self._find_won_promotions(state, over.game_round)
        return pay_promotions(uow, won, over, self.today()) if won else ()

    def _find_won_promotions(self, state: TableState, played: Round) -> tuple[str, ...]:
        """The running promotions that pay a hand of a finished round."""
        if not self._list_announced_promotions():
            return ()
        return find_won_promotions(self.promotions.list_running(state.game.facts.slug, state.terms.money), played)

    def _lock_prizes(self, state: TableState, played: Round) -> Locks:
        """What is locked to pay the prizes of a finished round that an earlier command counted."""
        locks = Locks(promotions=self._find_won_promotions(state, played))
        if not state.linked:
            return locks
        recorded = find_counted_round(self.ledger, state.table, state.round)
        won = find_won_jackpots(played, recorded.event if recorded else None)
        names = [UniqueKey(tabulator_chain(state.table), state.round)]
        return locks | Locks(tabulators=[state.table], unique_keys=names) | lock_claims(state.table, won)

    def _list_announced_promotions(self) -> tuple[str, ...]:
        """All promotions ever announced. Every round needs them, so the ledger is read once a second."""
        now = self.clock()
        since, promotions = self._cached_promotions
        if not since <= now < since + _CACHE_TIME:
            promotions = self.ledger.chains(promotion_chain(""))
            self._cached_promotions = now, promotions
        return promotions

    def _find_table_count(self, uow: UnitOfWork, state: TableState) -> RoundCountRecord | None:
        """How the tabulator counted the round: with this command, or with an earlier one, perhaps of another server."""
        count_event, cached = uow.find_count_event(state.table, state.round), self._last_counts.get(state.table)
        is_cached = cached is not None and cached[0] == (state.round, state.seat_wagers)
        if cached is not None and is_cached and (count_event is None or count_event.sequence == cached[1].sequence):
            return cached[1]
        return find_counted_round(self.ledger, state.table, state.round) if count_event else None

    def _search_counts(self, state: TableState) -> RoundCounts:
        """How the table's round was counted, and what became of it, before anything is locked."""
        recorded = find_counted_round(self.ledger, state.table, state.round) if state.tabulated else None
        return (
            RoundCounts(state, recorded.event, self._trace_counts(recorded.event)) if recorded else RoundCounts(state)
        )

    def _read_shown_meters(self, state: TableState) -> dict[str, int]:
        """What the meters of the table's jackpots show, in cents by spot; the highest level of each. A jackpot with
        fixed prizes only has none."""
        shown: dict[str, int] = {}
        for wager, id in self._list_jackpot_wagers(state):
            if meters := self.jackpot(id).meters:
                shown |= dict.fromkeys(_list_spots(state, wager), meters[0].displayed_cents)
        return shown

    def _list_played_jackpots(self, state: TableState) -> frozenset[str]:
        """The jackpots for which the table plays."""
        return frozenset(id for _, id in self._list_jackpot_wagers(state))

    def _list_jackpot_wagers(self, state: TableState) -> list[tuple[str, str]]:
        """The wagers of a table that play for a jackpot, each with it."""
        if not state.tabulated or state.closed:
            return []
        wagers = self.tabulator(state.table).active_table.wagers
        return [(wager.wager, wager.jackpot) for wager in wagers if wager.jackpot is not None]


def find_disabled_spots(states: StateAccess, state: TableState) -> frozenset[str]:
    """The spots whose jackpot takes no wagers now."""
    if not state.tabulated:
        return frozenset()
    dark = _explain_disabled_wagers(states, state, states.tabulator(state.table))
    return frozenset(spot for wager in dark for spot in _list_spots(state, wager))


def find_linked_wagers(states: StateAccess, state: TableState) -> tuple[str, ...]:
    """The wagers that play for a jackpot now."""
    if not state.tabulated:
        return ()
    tabulator_state = states.tabulator(state.table)
    dark = _explain_disabled_wagers(states, state, tabulator_state)
    return tuple(
        wager.wager
        for wager in tabulator_state.active_table.wagers
        if wager.jackpot is not None and wager.wager not in dark
    )


def _list_spots(state: TableState, wager: str) -> Iterator[str]:
    return (spot for spot, offered in state.open_table.table.spots.items() if offered.wager.slug == wager)


def _find_sensor_spots(state: TableState, tabulator_state: TabulatedTableState) -> frozenset[str]:
    """The spots that have a sensor."""
    return frozenset(
        spot for wager in tabulator_state.tabulator.table.wagers for spot in _list_spots(state, wager.wager)
    )


def _explain_disabled_wagers(
    states: StateAccess, state: TableState, tabulator_state: TabulatedTableState
) -> dict[str, str]:
    """The wagers that should play for a jackpot and at present do not, and why."""
    dark: dict[str, str] = {}
    for wager in tabulator_state.active_table.wagers:
        if tabulator_state.tabulator.broken is not None and not tabulator_state.closed:
            dark[wager.wager] = (
                f"the tabulator of {state.table} is broken, and an automatic table has no dealer to count by hand"
            )
        elif why := explain_disabled_wager(states, tabulator_state, wager):
            dark[wager.wager] = why if wager.jackpot is None else f"jackpot {wager.jackpot} takes no wagers ({why})"
        elif tabulator_state.game_setup.wagers.get(wager.wager) != state.open_table.table.setup.wagers.get(wager.wager):
            dark[wager.wager] = "its jackpot pays by another paytable than the layout shows"
    return dark


def _read_sensors(state: TableState, tabulator_state: TabulatedTableState) -> tuple[CoveredPositions, CoveredPositions]:
    """What the sensors see, and beside which wagers lammers are where no sensor sees them."""
    covered: dict[int, list[int]] = {}
    lammers: dict[int, list[int]] = {}
    for wager in tabulator_state.tabulator.table.wagers:
        covered[wager.sensor] = list(_list_positions(state, wager, larger=False))
        marked = list(_list_positions(state, wager, larger=True))
        if marked and wager.lammer_sensor is not None:
            covered[wager.lammer_sensor] = marked
        elif marked:
            lammers[wager.sensor] = marked
    return covered, lammers


def _list_positions(state: TableState, wager: CountedWager, *, larger: bool) -> Iterator[int]:
    """The seats that made a wager; or those of them whose wager is the larger one, which a lammer marks."""
    spots = frozenset(_list_spots(state, wager.wager))
    for placed in state.seat_wagers:
        stakes = [cents for spot, cents in placed.spots.items() if spot in spots]
        if stakes and (not larger or stakes[0] == wager.lammer_amount):
            yield placed.seat
