"""Take or pay at a live table, for each seat that was typed: which chips the dealer takes and which he pays.

What a jackpot pays is claimed (``Floor.claim_hand``) and no part of it: the wager was counted and collected before.
"""

from __future__ import annotations

from typing import NamedTuple

from cardroom.floor.felt.live_round import LiveRound
from cardroom.floor.felt.state import FeltState, OpenTable
from cardroom.floor.live.happenings import TakenOrPaid
from cardroom.floor.live.limit_shares import OpenShares, open_shares
from cardroom.floor.live.typing import typed_round
from cardroom.games import Payment
from cardroom.games.money import split_into_chips
from cardroom.games.partial_settlement import PartialSettlement, PendingDecision, settle_partial_round


class SeatPayment(NamedTuple):
    """One stake of a seat."""

    payment: Payment
    by_claim: bool
    """Whether a jackpot pays it, when it wins: it is claimed, and not paid from the rack."""
    final: bool = True
    """Whether the amount cannot change any more: a position that is still open could share the table's payout limit."""

    @property
    def take(self) -> int:
        """What goes into the rack, in cents."""
        return 0 if self._elsewhere else max(self.payment.wagered - self.payment.known_return, 0)

    @property
    def pay(self) -> int:
        """What the rack pays besides the wager that stays with the player, in cents."""
        return 0 if self._elsewhere else max(self.payment.known_return - self.payment.wagered, 0)

    @property
    def _elsewhere(self) -> bool:
        return self.by_claim or self.payment.returned is None

    @property
    def claim(self) -> bool:
        """Whether there is something to claim."""
        return self._elsewhere and self.payment.returned != 0


class SeatTakeOrPay(NamedTuple):
    """One seat's stakes."""

    seat: int
    payments: tuple[SeatPayment, ...]

    @property
    def take(self) -> int:
        return sum(one.take for one in self.payments)

    @property
    def pay(self) -> int:
        return sum(one.pay for one in self.payments)

    @property
    def final(self) -> bool:
        """Whether no amount of the seat can change any more."""
        return all(one.final for one in self.payments)

    @property
    def chips(self) -> tuple[tuple[int, int], ...]:
        """What is paid, in chips."""
        return split_into_chips(self.pay)


class TakeOrPay(NamedTuple):
    """What is certain for the seats that were typed, and what is missing."""

    round: str
    seats: tuple[SeatTakeOrPay, ...]
    missing: tuple[str, ...]
    astray: tuple[str, ...]
    asked: tuple[PendingDecision, ...] = ()
    """What the seats are asked, by what was typed."""
    shares: OpenShares = OpenShares()
    """What of the table's payout limit is still open."""

    @property
    def not_final(self) -> tuple[str, ...]:
        """Why amounts are not final, and what to type; nothing when they are."""
        return (self.shares.sentence,) if self.shares.sentence else ()


def take_or_pay(state: FeltState, live: LiveRound) -> TakeOrPay:
    """What the dealer takes and pays by what was typed."""
    settled, linked = _settled(state.at, live), _linked_spots(state.at, live)
    shares = open_shares(state.at, live, settled)
    seats: dict[int, list[SeatPayment]] = {}
    for one in settled.payments:
        seats.setdefault(one.seat, []).append(SeatPayment(one, one.spot in linked, shares.is_final(one)))
    by_seat = tuple(SeatTakeOrPay(seat, tuple(payments)) for seat, payments in seats.items())
    return TakeOrPay(
        state.round, by_seat, settled.missing_inputs, settled.rejected_inputs, settled.pending_decisions, shares
    )


def shown_at_the_end(state: FeltState, live: LiveRound) -> tuple[TakenOrPaid, ...]:
    """The stakes that the rack took or paid, as they were shown."""
    payments = rack_payments(state.at, live)
    return tuple(
        TakenOrPaid(one.seat, one.spot, one.stake, one.event, one.wagered, one.known_return) for one in payments
    )


def rack_payments(at: OpenTable, live: LiveRound) -> tuple[Payment, ...]:
    """What the rack takes or pays by what was typed; what a jackpot pays, and what is not certain, is left out."""
    linked = _linked_spots(at, live)
    payments = _settled(at, live).payments
    return tuple(one for one in payments if one.spot not in linked and one.returned is not None)


def _settled(at: OpenTable, live: LiveRound) -> PartialSettlement:
    return settle_partial_round(at.game, at.table, typed_round(live))


def _linked_spots(at: OpenTable, live: LiveRound) -> frozenset[str]:
    return frozenset(spot for spot, offered in at.table.spots.items() if offered.wager.slug in live.linked)
