"""Live rounds that have ended, read back from the table's chain: who dealt, which steps, what was entered and shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from cardroom.cards import Deck
from cardroom.errors import BadInput
from cardroom.games import Payment
from cardroom.ledger import Event, Time
from cardroom.room.table.events import (
    CardsTyped,
    LiveRound,
    LiveRoundCanceled,
    LiveRoundEnded,
    LiveRoundStarted,
    SettledStake,
    StepTaken,
    StepUndone,
)
from cardroom.room.table.live_payments import list_rack_payments
from cardroom.room.table.live_procedure import apply_cards_typed
from cardroom.room.table.reducer import round_start_key
from cardroom.room.table.state import TableState, open_table, parse_round_id, setup_text
from cardroom.service.chains.names import table_chain
from cardroom.service.queries.chain_history import RoundCountRecord, WagerVoid, read_domain_event
from cardroom.service.queries.past_rounds import EventSource, get_opening


@dataclass(frozen=True)
class PastLiveRound:
    """A live round that has ended, as its chain records it."""

    id: str
    table: str
    number: int
    live: LiveRound
    """Its state at its end."""
    ended: LiveRoundEnded | LiveRoundCanceled
    time: Time
    """When it ended."""
    setup: str
    """The setup of the table then, as JSON."""
    money: str
    voided: WagerVoid | None = None
    """How its jackpot wagers were voided, where the round was not voided at the table."""

    @property
    def game(self) -> str:
        return open_table(self.setup).game.facts.slug

    @property
    def is_void(self) -> bool:
        return isinstance(self.ended, LiveRoundCanceled)

    @property
    def wagered(self) -> Mapping[int, int]:
        """By seat, the stakes that were shown to be taken or paid, and the entered wagers for a jackpot, in cents: no
        rack pays those, so they are not among what was shown. Voided jackpot wagers were returned."""
        sums = self._sum_by_seat("wagered")
        for seat, cents in self._list_jackpot_stakes():
            sums[seat] = sums.get(seat, 0) + cents
        return sums

    def _list_jackpot_stakes(self) -> Iterator[tuple[int, int]]:
        if self.is_void or self.voided is not None:
            return
        spots = open_table(self.setup).table.spots
        for seat, typed_wagers in self.live.wagers.items():
            for spot, cents in typed_wagers.items():
                if spots[spot].wager.slug in self.live.linked:
                    yield int(seat), cents

    @property
    def returned(self) -> Mapping[int, int]:
        """By seat, what was shown to be returned, in cents."""
        return self._sum_by_seat("returned")

    def _sum_by_seat(self, name: str) -> dict[int, int]:
        sums: dict[int, int] = {}
        for line in self.ended.settled_stakes if isinstance(self.ended, LiveRoundEnded) else ():
            sums[line.seat] = sums.get(line.seat, 0) + getattr(line, name)
        return sums

    def settle_again(self) -> tuple[Payment, ...]:
        """What the rack takes and pays according to the entries."""
        return list_rack_payments(open_table(self.setup), self.live)

    @cached_property
    def amounts_before_limit(self) -> Mapping[tuple[int, str, str], int]:
        """What would have been returned without the table's payout limit, for the stakes that it reduced, by seat,
        spot, and stake."""
        if self.is_void or open_table(self.setup).table.payout_limit is None:
            return {}
        try:
            payments = self.settle_again()
        except BadInput:  # the check of the round reports it
            return {}
        return {
            (payment.seat, payment.spot, payment.stake): payment.unlimited_return
            for payment in payments
            if payment.unlimited_return is not None
        }

    @property
    def payout_limit(self) -> int | None:
        """What the table paid at most on covered wagers, in cents; None without a limit."""
        limit = open_table(self.setup).table.payout_limit
        return limit.cents if limit else None

    def summarize(self) -> dict[str, Any]:
        """As JSON in a list; amounts in whole cents, of those stakes that were entered."""
        return {
            "round": self.id,
            "table": self.table,
            "number": self.number,
            "game": self.game,
            "money": self.money,
            "mode": "live",
            "ended": self.time,
            "dealer": self.live.dealer,
            "positions": list(self.live.positions),
            "wagered_cents": sum(self.wagered.values()),
            "returned_cents": sum(self.returned.values()),
            "void": self.is_void,
            "jackpot_wagers_void": self.voided is not None,
        }

    def to_json(self) -> dict[str, Any]:
        """As JSON; every amount in whole cents."""
        live, end_event = self.live, self.ended
        entry: dict[str, Any] = {
            "round": self.id,
            "table": self.table,
            "number": self.number,
            "game": self.game,
            "money": self.money,
            "mode": "live",
            "ended": self.time,
            "dealer": live.dealer,
            "positions": list(live.positions),
            "steps": list(live.taken),
            "counted": str(live.counted) or None,
            "cards": {place: list(pile) for place, pile in live.cards.items()},
            "wagers": {seat: dict(spots) for seat, spots in live.wagers.items()},
            "answers": [item._asdict() for item in live.answers],
        }
        if isinstance(end_event, LiveRoundCanceled):
            return entry | {
                "shown": [],
                "void": {"who": end_event.who, "second": end_event.second, "why": end_event.why},
            }
        if self.voided is not None:
            entry["jackpot_wagers_void"] = self.voided._asdict()
        return entry | {"shown": [item._asdict() | self._limit_to_json(item) for item in end_event.settled_stakes]}

    def _limit_to_json(self, line: SettledStake) -> dict[str, Any]:
        before = self.amounts_before_limit.get((line.seat, line.spot, line.stake))
        return {} if before is None else {"before_limit": before}


def find_past_live_round(ledger: EventSource, id: str) -> PastLiveRound | None:
    """A live round by its id, however long ago; None when none of that id has ended."""
    table_and_number = parse_round_id(id)
    if table_and_number is None:
        return None
    table, number = table_and_number
    chain = table_chain(table)
    last, first = ledger.find_event(chain, id), ledger.find_event(chain, round_start_key(id))
    if last is None or first is None or first.kind != LiveRoundStarted.kind:
        return None
    begin_event, end_event = read_domain_event(first), read_domain_event(last)
    assert isinstance(begin_event, LiveRoundStarted)
    assert isinstance(end_event, LiveRoundEnded | LiveRoundCanceled)
    live = LiveRound(begin_event.dealer, begin_event.positions, begin_event.linked)
    for event in ledger.events(chain, first.sequence, last.sequence - first.sequence - 1):
        live = _apply_event(live, read_domain_event(event))
    opening = get_opening(ledger, table, begin_event.opening)
    setup, money = setup_text(opening), str(opening.terms.money)
    return PastLiveRound(id, table, number, live, end_event, last.time, setup, money)


class TypedLiveRound(NamedTuple):
    """What was entered for a live round so far."""

    live: LiveRound
    is_ended: bool
    setup: str
    """The setup of the table then, as JSON."""

    @property
    def deck(self) -> Deck:
        return open_table(self.setup).table.deck


def find_typed_round(ledger: EventSource, table: TableState, round_id: str) -> TypedLiveRound | None:
    """What was entered for a round of a live table, in progress or ended; None where the table dealt no such round
    live."""
    if table.live is not None and table.round == round_id:
        return TypedLiveRound(table.live, False, table.setup)
    past = find_past_live_round(ledger, round_id)
    return TypedLiveRound(past.live, True, past.setup) if past is not None and past.table == table.table else None


def find_dealer(ledger: EventSource, recorded: RoundCountRecord) -> str:
    """The dealer of a round: at a live table the dealer who began it, not the one who pressed the button; elsewhere
    who counted it (BJ-48)."""
    count_event = recorded.event
    first = (
        None
        if count_event.automatic
        else _read_keyed_event(ledger, count_event.table, count_event.round, round_start_key(count_event.round))
    )
    return first.dealer if isinstance(first, LiveRoundStarted) else recorded.dealer


def find_live_cancellation(ledger: EventSource, table: str, id: str) -> LiveRoundCanceled | None:
    """How a live round was voided; None when it was not."""
    event = find_live_cancellation_event(ledger, table, id)
    last = read_domain_event(event) if event is not None else None
    return last if isinstance(last, LiveRoundCanceled) else None


def find_live_cancellation_event(ledger: EventSource, table: str, id: str) -> Event | None:
    """The event that voided a live round; None when none did."""
    last = _find_keyed_event(ledger, table, id, id)
    return last if last is not None and last.kind == LiveRoundCanceled.kind else None


def _read_keyed_event(ledger: EventSource, table: str, id: str, name: str) -> object:
    event = _find_keyed_event(ledger, table, id, name)
    return read_domain_event(event) if event is not None else None


def _find_keyed_event(ledger: EventSource, table: str, id: str, name: str) -> Event | None:
    table_and_number = parse_round_id(id)
    return (
        ledger.find_event(table_chain(table), name)
        if table_and_number is not None and table_and_number[0] == table
        else None
    )


def _apply_event(live: LiveRound, event: object) -> LiveRound:
    match event:
        case StepTaken(step=step, positions=positions, counted=counting):
            return live._replace(
                taken=(*live.taken, step), positions=positions or live.positions, counted=counting or live.counted
            )
        case StepUndone():
            return live._replace(taken=live.taken[:-1])
        case CardsTyped():
            return apply_cards_typed(live, event)
    return live
