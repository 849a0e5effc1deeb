"""What a dealer's console shows of a live table: the procedure, the entered cards, take or pay, the tabulator's
lights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from cardroom.games import round_to_json
from cardroom.games.money import describe_chips
from cardroom.games.partial_settlement import require_complete_round
from cardroom.paytables import describe_pay
from cardroom.room.table.events import CountMethod, LiveRound
from cardroom.room.table.live_payments import SeatPayment, SeatTakeOrPay, TakeOrPaySheet, compute_take_or_pay
from cardroom.room.table.live_procedure import build_typed_round, next_steps, table_procedure
from cardroom.room.table.live_round_steps import require_live_table
from cardroom.room.table.state import TableState, open_table, parse_round_id
from cardroom.room.table.terms import UnknownRound
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.tabulator.state import LayoutMark, lammers_for_failed_lights, lit_lights, wagers_left_on_layout
from cardroom.service.chains.names import table_chain, tabulator_chain
from cardroom.service.commands.automatic_prize_claims import find_disabled_wagers
from cardroom.service.commands.live_rounds import LiveRoundCommands
from cardroom.service.queries.chain_history import find_counted_round
from cardroom.service.queries.claims import SeatClaim, list_round_claims
from cardroom.service.queries.past_live_rounds import (
    PastLiveRound,
    TypedLiveRound,
    find_past_live_round,
    find_typed_round,
)


class DealerTableView(NamedTuple):
    """A live table at one moment, for its dealer."""

    state: TableState
    version: int
    unit: TabulatedTableState | None
    """The table's tabulator."""
    in_the_books: bool
    """Whether the jackpot wagers of the round are counted."""
    dark: Mapping[str, str]
    """The jackpot wagers that are disabled now, and why."""
    meters: Mapping[str, int]
    paying: TakeOrPaySheet | None
    claims: tuple[SeatClaim, ...] = ()
    """The claims of the round."""

    def to_json(self) -> dict[str, Any]:
        """As JSON; every amount in whole cents."""
        state, live = self.state, self.state.live
        return {
            "table": state.table,
            "game": state.game.facts.slug,
            "state": str(state.phase),
            "version": self.version,
            "round": state.round,
            "seats": state.open_table.table.seats,
            "steps": list(_steps_to_json(state, live)),
            "due": [step.name for step in next_steps(state, live)] if live else [],
            "dealing": _round_to_json(live, self.in_the_books) if live else None,
            "take_or_pay": take_or_pay_to_json(self.paying) if self.paying else None,
            "tabulator": _tabulator_to_json(self.unit, state.round if live else None) if self.unit else None,
            "meters": dict(self.meters),
        }


def _steps_to_json(state: TableState, live: LiveRound | None) -> Iterable[dict[str, Any]]:
    taken_steps = live.taken if live else ()
    for step in table_procedure(state):
        yield {
            "step": step.name,
            "kind": str(step.kind),
            "words": step.text,
            "rule": step.rule,
            "only_if": step.condition or None,
            "taken": step.name in taken_steps,
        }


def _round_to_json(live: LiveRound, in_the_books: bool) -> dict[str, Any]:
    return {
        "dealer": live.dealer,
        "positions": list(live.positions),
        "counted": str(live.counted) or (str(CountMethod.RECORDED) if in_the_books else None),
        "cards": {place: list(pile) for place, pile in live.cards.items()},
        "wagers": {seat: dict(spots) for seat, spots in live.wagers.items()},
        "answers": [decision._asdict() for decision in live.answers],
    }


def take_or_pay_to_json(take_or_pay: TakeOrPaySheet) -> dict[str, Any]:
    """Take or pay as JSON."""
    return {
        "seats": [_seat_to_json(seat) for seat in take_or_pay.seats],
        "missing": list(take_or_pay.missing),
        "astray": list(take_or_pay.astray),
        "not_final": list(take_or_pay.not_final),
        "open_positions": list(take_or_pay.shares.positions),
    }


def _seat_to_json(seat: SeatTakeOrPay) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "take_cents": seat.take,
        "pay_cents": seat.pay,
        "chips": [{"value_cents": value, "number": number} for value, number in seat.chips],
        "chip_words": describe_chips(seat.pay),
        "payments": [_payment_to_json(each) for each in seat.payments],
    }


def _payment_to_json(seat_payment: SeatPayment) -> dict[str, Any]:
    payment = seat_payment.payment
    return {
        "spot": payment.spot,
        "stake": payment.stake,
        "event": payment.event,
        "words": payment.text,
        "cards": [str(card) for card in payment.cards],
        "pays": describe_pay(payment.pay),
        "wagered_cents": payment.wagered,
        "returned_cents": payment.returned,
        "take_cents": seat_payment.take,
        "pay_cents": seat_payment.pay,
        "claim": seat_payment.is_claimable,
        "final": seat_payment.final,
    }


def _tabulator_to_json(unit: TabulatedTableState, round_id: str | None) -> dict[str, Any]:
    tabulator = unit.tabulator
    shown = tabulator.round is not None and tabulator.round.round == round_id
    return {
        "model": str(tabulator.table.tabulator),
        "data_logger": tabulator.table.model.data_logger,
        "broken": tabulator.broken,
        "closed": unit.closed or None,
        "sensors": [{"sensor": wager.sensor, "wager": wager.wager} for wager in tabulator.table.wagers],
        "counters": list(tabulator.counters),
        "lights": _marks_to_json(lit_lights(tabulator) if shown else ()),
        "lammers": _marks_to_json(lammers_for_failed_lights(tabulator) if shown else ()),
        "stay": _marks_to_json(wagers_left_on_layout(tabulator) if shown else ()),
    }


def _marks_to_json(marks: Iterable[LayoutMark]) -> list[dict[str, int]]:
    return [{"position": mark.position, "sensor": mark.sensor} for mark in sorted(marks)]


class LiveTableQueries(LiveRoundCommands):
    """Queries about live tables."""

    def view_live_table(self, table: str) -> DealerTableView:
        """A live table at this moment."""
        version, state = self._read_table(table)
        require_live_table(state)
        unit = self.tabulator(table) if state.tabulated else None
        is_counted = unit is not None and self.ledger.find_event(tabulator_chain(table), state.round) is not None
        paying = compute_take_or_pay(state, state.live) if state.live else None
        dark = find_disabled_wagers(self, unit) if unit else {}
        claims = tuple(self._list_claims(state)) if is_counted and state.live else ()
        return DealerTableView(state, version, unit, is_counted, dark, self._read_shown_meters(state), paying, claims)

    def _list_claims(self, state: TableState) -> Iterator[SeatClaim]:
        """The claims of the present round on the jackpots for which it was counted."""
        recorded = find_counted_round(self.ledger, state.table, state.round)
        for wager in recorded.event.wagers if recorded else ():
            if wager.jackpot is not None and wager.count:
                jackpot = self.jackpot(wager.jackpot)
                yield from list_round_claims(self.ledger, jackpot, wager.wager, state.table, state.round)

    def find_live_round(self, id: str) -> PastLiveRound | None:
        """A live round that has ended; None when no ended round has that id."""
        return find_past_live_round(self.ledger, id)

    def get_live_round(self, id: str) -> PastLiveRound:
        """A live round that has ended."""
        past = self.find_live_round(id)
        if past is None:
            raise UnknownRound(f"There is no live round {id!r} that has ended: a round's id looks like prime-1.17.")
        return past

    def find_typed_round(self, table: str, id: str) -> TypedLiveRound | None:
        """What the dealer entered for a round, in progress or ended; None where the table dealt no such round live."""
        dealt_here = parse_round_id(id) is not None and self.ledger.head(table_chain(table)) is not None
        return find_typed_round(self.ledger, self.table(table), id) if dealt_here else None

    def get_typed_record(self, table: str, id: str) -> dict[str, Any]:
        """The record of a live round, as ``cardroom settle`` reads it, from what the dealer entered: complete, except
        for seats without entries."""
        state = self.table(table)
        if state.live is not None and state.round == id:
            at, live = state.open_table, state.live
        else:
            past = self.get_live_round(id)
            if past.table != table:
                raise UnknownRound(f"Round {id} was not dealt at {table}, but at {past.table}.")
            at, live = open_table(past.setup), past.live
        return round_to_json(require_complete_round(at.game, at.table, build_typed_round(live)))
