"""What a dealer's console shows of a live table: the procedure, what was typed, take or pay, the tabulator's lights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from cardroom.floor.desks.dark_wagers import dark_wagers
from cardroom.floor.desks.live import LiveDesk
from cardroom.floor.felt.faults import UnknownRound
from cardroom.floor.felt.live_round import Counting, LiveRound
from cardroom.floor.felt.state import FeltState, number_of, opened
from cardroom.floor.kept.chains import felt_chain, table_chain
from cardroom.floor.kept.live_recall import PastLiveRound, TypedInRound, past_live_round, typed_in_round
from cardroom.floor.kept.recall import recorded_round
from cardroom.floor.kept.round_claims import SeatClaim, round_claims
from cardroom.floor.kept.table import TableState
from cardroom.floor.live.dealing import dealt_live
from cardroom.floor.live.paying import SeatPayment, SeatTakeOrPay, TakeOrPay, take_or_pay
from cardroom.floor.live.steps import steps_due, steps_of
from cardroom.floor.live.typing import typed_round
from cardroom.games import round_to_json
from cardroom.games.money import describe_chips
from cardroom.games.partial_settlement import require_complete_round
from cardroom.jackpots.tabulator.replay import Mark, lammers_in_place_of_lights, lights, stay_on_layout
from cardroom.paytables import describe_pay


class LiveLook(NamedTuple):
    """A live table at one moment, for its dealer."""

    state: FeltState
    version: int
    unit: TableState | None
    """The table's tabulator."""
    in_the_books: bool
    """Whether the jackpot wagers of the round are counted."""
    dark: Mapping[str, str]
    """The wagers for jackpots that cannot be made now, and why."""
    meters: Mapping[str, int]
    paying: TakeOrPay | None
    claims: tuple[SeatClaim, ...] = ()
    """What was claimed of the round."""

    def entry(self) -> dict[str, Any]:
        """As JSON; every amount in whole cents."""
        state, live = self.state, self.state.live
        return {
            "table": state.table,
            "game": state.game.facts.slug,
            "state": str(state.phase),
            "version": self.version,
            "round": state.round,
            "seats": state.at.table.seats,
            "steps": list(_steps(state, live)),
            "due": [one.name for one in steps_due(state, live)] if live else [],
            "dealing": _dealing(live, self.in_the_books) if live else None,
            "take_or_pay": take_or_pay_entry(self.paying) if self.paying else None,
            "tabulator": _tabulator(self.unit, state.round if live else None) if self.unit else None,
            "meters": dict(self.meters),
        }


def _steps(state: FeltState, live: LiveRound | None) -> Iterable[dict[str, Any]]:
    taken = live.taken if live else ()
    for one in steps_of(state):
        yield {
            "step": one.name,
            "kind": str(one.kind),
            "words": one.text,
            "rule": one.rule,
            "only_if": one.condition or None,
            "taken": one.name in taken,
        }


def _dealing(live: LiveRound, in_the_books: bool) -> dict[str, Any]:
    return {
        "dealer": live.dealer,
        "positions": list(live.positions),
        "counted": str(live.counted) or (str(Counting.RECORDED) if in_the_books else None),
        "cards": {place: list(pile) for place, pile in live.cards.items()},
        "wagers": {seat: dict(spots) for seat, spots in live.wagers.items()},
        "answers": [one._asdict() for one in live.answers],
    }


def take_or_pay_entry(paying: TakeOrPay) -> dict[str, Any]:
    """Take or pay as JSON."""
    return {
        "seats": [_seat(one) for one in paying.seats],
        "missing": list(paying.missing),
        "astray": list(paying.astray),
        "not_final": list(paying.not_final),
        "open_positions": list(paying.shares.positions),
    }


def _seat(one: SeatTakeOrPay) -> dict[str, Any]:
    return {
        "seat": one.seat,
        "take_cents": one.take,
        "pay_cents": one.pay,
        "chips": [{"value_cents": value, "number": number} for value, number in one.chips],
        "chip_words": describe_chips(one.pay),
        "payments": [_payment(each) for each in one.payments],
    }


def _payment(one: SeatPayment) -> dict[str, Any]:
    payment = one.payment
    return {
        "spot": payment.spot,
        "stake": payment.stake,
        "event": payment.event,
        "words": payment.text,
        "cards": [str(card) for card in payment.cards],
        "pays": describe_pay(payment.pay),
        "wagered_cents": payment.wagered,
        "returned_cents": payment.returned,
        "take_cents": one.take,
        "pay_cents": one.pay,
        "claim": one.claim,
        "final": one.final,
    }


def _tabulator(unit: TableState, round_id: str | None) -> dict[str, Any]:
    tabulator = unit.tabulator
    shown = tabulator.round is not None and tabulator.round.round == round_id
    return {
        "model": str(tabulator.table.tabulator),
        "data_logger": tabulator.table.model.data_logger,
        "broken": tabulator.broken,
        "closed": unit.closed or None,
        "sensors": [{"sensor": one.sensor, "wager": one.wager} for one in tabulator.table.wagers],
        "counters": list(tabulator.counters),
        "lights": _marks(lights(tabulator) if shown else ()),
        "lammers": _marks(lammers_in_place_of_lights(tabulator) if shown else ()),
        "stay": _marks(stay_on_layout(tabulator) if shown else ()),
    }


def _marks(marks: Iterable[Mark]) -> list[dict[str, int]]:
    return [{"position": mark.position, "sensor": mark.sensor} for mark in sorted(marks)]


class LiveLookDesk(LiveDesk):
    """Where live tables are looked at."""

    def live_look(self, table: str) -> LiveLook:
        """A live table at this moment."""
        version, state = self._felt_now(table)
        dealt_live(state)
        unit = self.table(table) if state.tabulated else None
        counted = unit is not None and self.ledger.find_event(table_chain(table), state.round) is not None
        paying = take_or_pay(state, state.live) if state.live else None
        dark = dark_wagers(self, unit) if unit else {}
        claims = tuple(self._claims_of(state)) if counted and state.live else ()
        return LiveLook(state, version, unit, counted, dark, self._shown(state), paying, claims)

    def _claims_of(self, state: FeltState) -> Iterator[SeatClaim]:
        """What was claimed of the present round on the jackpots that it was counted for."""
        recorded = recorded_round(self.ledger, state.table, state.round)
        for one in recorded.counted.wagers if recorded else ():
            if one.jackpot is not None and one.count:
                jackpot = self.jackpot(one.jackpot)
                yield from round_claims(self.ledger, jackpot, one.wager, state.table, state.round)

    def past_live_round(self, id: str) -> PastLiveRound | None:
        """A live round that has ended; None when there is none of that id."""
        return past_live_round(self.ledger, id)

    def live_round_dealt(self, id: str) -> PastLiveRound:
        """A live round that has ended."""
        found = self.past_live_round(id)
        if found is None:
            raise UnknownRound(f"There is no live round {id!r} that has ended: a round's id is such as prime-1.17.")
        return found

    def typed_in_round(self, table: str, id: str) -> TypedInRound | None:
        """What the dealer typed of a round, in play or ended; None where the table dealt no such round live."""
        dealt_here = number_of(id) is not None and self.ledger.head(felt_chain(table)) is not None
        return typed_in_round(self.ledger, self.felt(table), id) if dealt_here else None

    def typed_record(self, table: str, id: str) -> dict[str, Any]:
        """The record of a live round, as ``cardroom settle`` reads it, from what the dealer typed of it: all of it,
        but for seats of which nothing was typed."""
        state = self.felt(table)
        if state.live is not None and state.round == id:
            at, live = state.at, state.live
        else:
            past = self.live_round_dealt(id)
            if past.table != table:
                raise UnknownRound(f"Round {id} was not dealt at {table}, but at {past.table}.")
            at, live = opened(past.setup), past.live
        return round_to_json(require_complete_round(at.game, at.table, typed_round(live)))
