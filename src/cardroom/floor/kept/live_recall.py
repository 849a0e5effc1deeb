"""Live rounds that have ended, read back from the felt's chain: who dealt, which steps, what was typed and shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from cardroom.cards import Deck
from cardroom.errors import BadInput
from cardroom.floor.felt.live_round import LiveRound
from cardroom.floor.felt.naming import begun_name
from cardroom.floor.felt.state import FeltState, number_of, opened, set_up_text
from cardroom.floor.kept.chains import felt_chain
from cardroom.floor.kept.felt_recall import Recalling, opening_of
from cardroom.floor.kept.recall import RecordedRound, VoidedWagers, happened
from cardroom.floor.live.happenings import (
    CardsTyped,
    LiveRoundBegun,
    LiveRoundCalledOff,
    LiveRoundEnded,
    StepTaken,
    StepUndone,
    TakenOrPaid,
)
from cardroom.floor.live.paying import rack_payments
from cardroom.floor.live.typing import typed_after
from cardroom.games import Payment
from cardroom.ledger import Event, Time


@dataclass(frozen=True)
class PastLiveRound:
    """A live round that has ended, as its chain tells it."""

    id: str
    table: str
    number: int
    live: LiveRound
    """What was known of it at its end."""
    ended: LiveRoundEnded | LiveRoundCalledOff
    time: Time
    """When it ended."""
    setup: str
    """Of the table then, as JSON."""
    money: str
    voided: VoidedWagers | None = None
    """How its jackpot wagers were voided, where the round was not called off at the table."""

    @property
    def game(self) -> str:
        return opened(self.setup).game.facts.slug

    @property
    def is_void(self) -> bool:
        return isinstance(self.ended, LiveRoundCalledOff)

    @property
    def wagered(self) -> Mapping[int, int]:
        """By seat, the stakes that were shown to be taken or paid, and what was typed as wagered for a jackpot, in
        cents: no rack pays that, so it is not among what was shown. Jackpot wagers that were voided went back."""
        sums = self._sums("wagered")
        for seat, cents in self._for_jackpots():
            sums[seat] = sums.get(seat, 0) + cents
        return sums

    def _for_jackpots(self) -> Iterator[tuple[int, int]]:
        if self.is_void or self.voided is not None:
            return
        spots = opened(self.setup).table.spots
        for seat, typed in self.live.wagers.items():
            for spot, cents in typed.items():
                if spots[spot].wager.slug in self.live.linked:
                    yield int(seat), cents

    @property
    def returned(self) -> Mapping[int, int]:
        """By seat, what was shown to go back, in cents."""
        return self._sums("returned")

    def _sums(self, name: str) -> dict[int, int]:
        sums: dict[int, int] = {}
        for one in self.ended.shown if isinstance(self.ended, LiveRoundEnded) else ():
            sums[one.seat] = sums.get(one.seat, 0) + getattr(one, name)
        return sums

    def settled_again(self) -> tuple[Payment, ...]:
        """What the rack takes and pays by what was typed."""
        return rack_payments(opened(self.setup), self.live)

    @cached_property
    def before_limit(self) -> Mapping[tuple[int, str, str], int]:
        """What would have gone back without the table's payout limit, for the stakes that it reduced, by seat, spot,
        and stake."""
        if self.is_void or opened(self.setup).table.payout_limit is None:
            return {}
        try:
            payments = self.settled_again()
        except BadInput:  # what the check of the round says
            return {}
        return {
            (one.seat, one.spot, one.stake): one.unlimited_return
            for one in payments
            if one.unlimited_return is not None
        }

    @property
    def payout_limit(self) -> int | None:
        """What the table paid at most on covered wagers, in cents; None without a limit."""
        limit = opened(self.setup).table.payout_limit
        return limit.cents if limit else None

    def summary(self) -> dict[str, Any]:
        """As JSON in a list; amounts in whole cents, of those stakes that were typed."""
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

    def entry(self) -> dict[str, Any]:
        """As JSON; every amount in whole cents."""
        live, ended = self.live, self.ended
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
            "answers": [one._asdict() for one in live.answers],
        }
        if isinstance(ended, LiveRoundCalledOff):
            return entry | {"shown": [], "void": {"who": ended.who, "second": ended.second, "why": ended.why}}
        if self.voided is not None:
            entry["jackpot_wagers_void"] = self.voided._asdict()
        return entry | {"shown": [one._asdict() | self._limited(one) for one in ended.shown]}

    def _limited(self, one: TakenOrPaid) -> dict[str, Any]:
        before = self.before_limit.get((one.seat, one.spot, one.stake))
        return {} if before is None else {"before_limit": before}


def past_live_round(ledger: Recalling, id: str) -> PastLiveRound | None:
    """A live round by its id, however long ago; None when none of that id has ended."""
    told = number_of(id)
    if told is None:
        return None
    table, number = told
    chain = felt_chain(table)
    last, first = ledger.find_event(chain, id), ledger.find_event(chain, begun_name(id))
    if last is None or first is None or first.kind != LiveRoundBegun.kind:
        return None
    begun, ended = happened(first), happened(last)
    assert isinstance(begun, LiveRoundBegun)
    assert isinstance(ended, LiveRoundEnded | LiveRoundCalledOff)
    live = LiveRound(begun.dealer, begun.positions, begun.linked)
    for event in ledger.events(chain, first.sequence, last.sequence - first.sequence - 1):
        live = _after(live, happened(event))
    opening = opening_of(ledger, table, begun.opening)
    setup, money = set_up_text(opening), str(opening.terms.money)
    return PastLiveRound(id, table, number, live, ended, last.time, setup, money)


class TypedInRound(NamedTuple):
    """What was typed of a live round, as far as it has come."""

    live: LiveRound
    ended: bool
    setup: str
    """Of the table then, as JSON."""

    @property
    def deck(self) -> Deck:
        return opened(self.setup).table.deck


def typed_in_round(ledger: Recalling, felt: FeltState, round_id: str) -> TypedInRound | None:
    """What was typed of a round of a live table, in play or ended; None where the table dealt no such round live."""
    if felt.live is not None and felt.round == round_id:
        return TypedInRound(felt.live, False, felt.setup)
    past = past_live_round(ledger, round_id)
    return TypedInRound(past.live, True, past.setup) if past is not None and past.table == felt.table else None


def who_dealt(ledger: Recalling, recorded: RecordedRound) -> str:
    """Who dealt a round: at a live table the dealer who began it, whoever pressed the button; elsewhere who counted
    it (BJ-48)."""
    counted = recorded.counted
    first = None if counted.automatic else _told_at(ledger, counted.table, counted.round, begun_name(counted.round))
    return first.dealer if isinstance(first, LiveRoundBegun) else recorded.dealt_by


def live_call_off(ledger: Recalling, table: str, id: str) -> LiveRoundCalledOff | None:
    """How a live round was called off; None when it was not."""
    event = live_call_off_event(ledger, table, id)
    last = happened(event) if event is not None else None
    return last if isinstance(last, LiveRoundCalledOff) else None


def live_call_off_event(ledger: Recalling, table: str, id: str) -> Event | None:
    """The event by which a live round was called off; None when it was not."""
    last = _event_at(ledger, table, id, id)
    return last if last is not None and last.kind == LiveRoundCalledOff.kind else None


def _told_at(ledger: Recalling, table: str, id: str, name: str) -> object:
    event = _event_at(ledger, table, id, name)
    return happened(event) if event is not None else None


def _event_at(ledger: Recalling, table: str, id: str, name: str) -> Event | None:
    told = number_of(id)
    return ledger.find_event(felt_chain(table), name) if told is not None and told[0] == table else None


def _after(live: LiveRound, happening: object) -> LiveRound:
    match happening:
        case StepTaken(step=step, positions=positions, counted=counted):
            return live._replace(
                taken=(*live.taken, step), positions=positions or live.positions, counted=counted or live.counted
            )
        case StepUndone():
            return live._replace(taken=live.taken[:-1])
        case CardsTyped():
            return typed_after(live, happening)
    return live
