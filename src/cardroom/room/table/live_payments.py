"""Payments of a live round: the chips that the dealer takes and pays at each typed seat, and the payout limit.

The winners of one deal share the payout limit (GEN-5), so an amount is final only when no open position could have a
share. The dealer does not pay an amount that is not final, and a paid amount does not change. Jackpot prizes are
claimed and not part of it: the wager was counted and collected before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.games import Payment, Table
from cardroom.games.money import format_cents, split_into_chips
from cardroom.games.partial_settlement import PartialSettlement, PendingDecision, settle_partial_round
from cardroom.games.payout_limit import PayoutLimit, max_player_win, max_win
from cardroom.games.procedure import ProcedureStep, StepKind
from cardroom.games.settlement import odds_winnings
from cardroom.games.view import stake_name
from cardroom.room.table.events import CardsTyped, LiveRound, SettledStake
from cardroom.room.table.live_procedure import apply_cards_typed, build_typed_round, table_procedure
from cardroom.room.table.state import OpenTable, TableState
from cardroom.room.table.terms import WrongPhase

EARLINESS_BY_STEP: Final = {StepKind.PAY: (True,), StepKind.TAKE_OR_PAY: (True, False)}
"""By kind of step, what it pays: wagers that are paid before the deal is over (True), and all others (False)."""


class ChangesPaidAmount(BadInput):
    """Typed input that would change a paid amount."""


class OpenLimitShares(NamedTuple):
    """The open shares of the payout limit."""

    payments: frozenset[tuple[int, str, str]] = frozenset()
    """Seat, spot, and stake of each amount that is not final."""
    positions: tuple[int, ...] = ()
    """The positions that could still have a share."""
    why: str = ""
    """Why an amount is not final; empty if all are final."""
    advice: str = ""
    """What to type."""

    @property
    def sentence(self) -> str:
        """Reason and advice; empty if every amount is final."""
        return f"{self.why}: {self.advice}." if self.payments else ""

    def is_final(self, payment: Payment) -> bool:
        return (payment.seat, payment.spot, payment.stake) not in self.payments


def find_open_shares(
    open_table: OpenTable, live: LiveRound, settlement: PartialSettlement, early: Sequence[bool] = (True, False)
) -> OpenLimitShares:
    """The payments that may still be reduced. ``early`` selects those paid before the deal is over, which count first
    (True), and the others (False)."""
    limit = open_table.table.payout_limit
    if limit is None:
        return OpenLimitShares()
    waiting, positions, known_cents = set[tuple[int, str, str]](), dict[int, None](), 0
    possible: dict[int, int] = {}
    for first in (True, False):
        spots = frozenset(spot for spot in limit.spots if (spot in open_table.game.early_payment_spots) is first)
        sharing = [payment for payment in settlement.payments if payment.spot in spots and odds_winnings(payment)]
        known_cents += sum(map(odds_winnings, sharing))
        for seat, cents in _possible_wins(open_table.table, live, settlement, spots):
            possible[seat] = possible.get(seat, 0) + cents
        if first in early and sharing and possible and known_cents + sum(possible.values()) > limit.cents:
            waiting |= {(payment.seat, payment.spot, payment.stake) for payment in sharing}
            positions |= dict.fromkeys(possible)
    if not waiting:
        return OpenLimitShares()
    seats = sorted({seat for seat, *_ in waiting})
    return OpenLimitShares(
        frozenset(waiting),
        tuple(sorted(positions)),
        *_explain_open_shares(open_table.table, limit, sorted(positions), seats),
    )


def _possible_wins(
    table: Table, live: LiveRound, settlement: PartialSettlement, spots: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """By position, the most that it could still win on these spots, with maximum wagers if its wagers were not
    typed."""
    if not spots:
        return
    for seat in live.positions:
        typed_wagers = live.wagers.get(str(seat))
        if typed_wagers is None:
            cents = max_player_win(table, spots)
        else:
            cents = sum(
                max_win(table.spots[spot], typed_wagers[spot])
                for spot in spots
                if spot in typed_wagers and (seat, spot) in settlement.uncertain_spots
            )
        if cents:
            yield seat, cents


def _explain_open_shares(
    table: Table, limit: PayoutLimit, positions: Sequence[int], seats: Sequence[int]
) -> tuple[str, str]:
    """Why the payments of these seats are not final, and what to type."""
    position_word, its, has = (
        ("position", "its", "it has") if len(positions) == 1 else ("positions", "their", "they have")
    )
    seats_text = f"seat {seats[0]}" if len(seats) == 1 else f"seats {_join_numbers(seats)}"
    could = (
        f"{position_word} {_join_numbers(positions)} could share the payout limit of {format_cents(limit.cents)} a deal"
    )
    cards = f"{its} cards if {has} a wager on {limited_wager_names(table)}"
    return f"The payment of {seats_text} is not final, because {could}", f"type {its} wagers, and {cards}"


def limited_wager_names(table: Table) -> str:
    """The wagers that share the payout limit of a table; empty if it has none."""
    spots = table.payout_limit.spots if table.payout_limit else frozenset[str]()
    names = dict.fromkeys(offer.wager.name for spot, offer in table.spots.items() if spot in spots)
    return _join_numbers([*names], "or") if names else ""


def _join_numbers(items: Sequence[object], conjunction: str = "and") -> str:
    *first, last = map(str, items)
    return f"{', '.join(first)} {conjunction} {last}" if first else last


def refuse_unfinal_payment(state: TableState, live: LiveRound, step: ProcedureStep) -> None:
    """Refuse a step that pays amounts that are not final."""
    if step.kind not in EARLINESS_BY_STEP or state.open_table.table.payout_limit is None:
        return
    shares = find_open_shares(
        state.open_table, live, _settle_limited(state.open_table, live), EARLINESS_BY_STEP[step.kind]
    )
    if shares.payments:
        raise WrongPhase(f"{shares.why}: before step {step.name}, {shares.advice}.")


def refuse_change_of_paid(state: TableState, live: LiveRound, typed_event: CardsTyped) -> None:
    """Refuse input that changes an amount under the payout limit after its step was taken: the dealer must undo the
    step first, which the ledger records."""
    steps = [
        procedure_step
        for procedure_step in table_procedure(state)
        if procedure_step.name in live.taken and procedure_step.kind in EARLINESS_BY_STEP
    ]
    open_table = state.open_table
    limit = open_table.table.payout_limit
    if not steps or limit is None:
        return
    step = steps[-1]
    before, after = _settle_limited(open_table, live), _settle_limited(open_table, apply_cards_typed(live, typed_event))
    for paid_payment, changed_payment in _changed_payments(open_table, before, after, EARLINESS_BY_STEP[step.kind]):
        name = stake_name(open_table.game.facts, paid_payment.spot, paid_payment.stake)
        amount = "nothing" if changed_payment is None else f"{format_cents(changed_payment.known_return)} back"
        raise ChangesPaidAmount(
            f"Step {step.name} is taken, and with this input seat {paid_payment.seat}'s {name} has {amount} instead of "
            f"{format_cents(paid_payment.known_return)} back under the payout limit of {format_cents(limit.cents)} a "
            "deal: undo the step, type this, and settle the difference with the player."
        )
    shares = find_open_shares(open_table, apply_cards_typed(live, typed_event), after, EARLINESS_BY_STEP[step.kind])
    if shares.payments:
        raise ChangesPaidAmount(f"{shares.why}, and step {step.name} is taken: undo it, or first {shares.advice}.")


def _changed_payments(
    open_table: OpenTable, before: PartialSettlement, after: PartialSettlement, early: Sequence[bool]
) -> Iterator[tuple[Payment, Payment | None]]:
    """The payments under the limit that changed."""
    payments_after = {(payment.seat, payment.spot, payment.stake): payment for payment in after.payments}
    for payment_before in before.payments:
        payment_after = payments_after.get((payment_before.seat, payment_before.spot, payment_before.stake))
        if (payment_before.spot in open_table.game.early_payment_spots) not in early:
            continue
        if payment_before.unlimited_return is None and (
            payment_after is None or payment_after.unlimited_return is None
        ):
            continue
        if payment_after is None or payment_after.returned != payment_before.returned:
            yield payment_before, payment_after


def _settle_limited(open_table: OpenTable, live: LiveRound) -> PartialSettlement:
    return settle_partial_round(open_table.game, open_table.table, build_typed_round(live))


class SeatPayment(NamedTuple):
    """One stake of a seat."""

    payment: Payment
    by_claim: bool
    """Whether a jackpot pays its wins: they are claimed, not paid from the rack."""
    final: bool = True
    """Whether the amount is final: no open position could share the table's payout limit."""

    @property
    def take(self) -> int:
        """The cents that go into the rack."""
        return 0 if self._is_paid_elsewhere else max(self.payment.wagered - self.payment.known_return, 0)

    @property
    def pay(self) -> int:
        """The cents that the rack pays besides the wager, which stays with the player."""
        return 0 if self._is_paid_elsewhere else max(self.payment.known_return - self.payment.wagered, 0)

    @property
    def _is_paid_elsewhere(self) -> bool:
        return self.by_claim or self.payment.returned is None

    @property
    def is_claimable(self) -> bool:
        """Whether there is a prize to claim."""
        return self._is_paid_elsewhere and self.payment.returned != 0


class SeatTakeOrPay(NamedTuple):
    """One seat's stakes."""

    seat: int
    payments: tuple[SeatPayment, ...]

    @property
    def take(self) -> int:
        return sum(payment.take for payment in self.payments)

    @property
    def pay(self) -> int:
        return sum(payment.pay for payment in self.payments)

    @property
    def final(self) -> bool:
        """Whether all amounts of the seat are final."""
        return all(payment.final for payment in self.payments)

    @property
    def chips(self) -> tuple[tuple[int, int], ...]:
        """The payment in chips."""
        return split_into_chips(self.pay)


class TakeOrPaySheet(NamedTuple):
    """The certain payments of the typed seats, and the missing input."""

    round: str
    seats: tuple[SeatTakeOrPay, ...]
    missing: tuple[str, ...]
    astray: tuple[str, ...]
    questions: tuple[PendingDecision, ...] = ()
    """The decisions that the typed seats still have to make."""
    shares: OpenLimitShares = OpenLimitShares()
    """The open shares of the table's payout limit."""

    @property
    def not_final(self) -> tuple[str, ...]:
        """Why amounts are not final, and what to type; empty if all are."""
        return (self.shares.sentence,) if self.shares.sentence else ()


def compute_take_or_pay(state: TableState, live: LiveRound) -> TakeOrPaySheet:
    """The sheet of what the dealer takes and pays, from the typed input."""
    settlement, linked = _settle_input(state.open_table, live), _linked_spots(state.open_table, live)
    shares = find_open_shares(state.open_table, live, settlement)
    seats: dict[int, list[SeatPayment]] = {}
    for payment in settlement.payments:
        seats.setdefault(payment.seat, []).append(
            SeatPayment(payment, payment.spot in linked, shares.is_final(payment))
        )
    by_seat = tuple(SeatTakeOrPay(seat, tuple(payments)) for seat, payments in seats.items())
    return TakeOrPaySheet(
        state.round,
        by_seat,
        settlement.missing_inputs,
        settlement.rejected_inputs,
        settlement.pending_decisions,
        shares,
    )


def list_settled_stakes(state: TableState, live: LiveRound) -> tuple[SettledStake, ...]:
    """The stakes that the rack takes or pays, as shown to the dealer."""
    payments = list_rack_payments(state.open_table, live)
    return tuple(
        SettledStake(payment.seat, payment.spot, payment.stake, payment.event, payment.wagered, payment.known_return)
        for payment in payments
    )


def list_rack_payments(open_table: OpenTable, live: LiveRound) -> tuple[Payment, ...]:
    """The payments that the rack takes or pays, without jackpot prizes and uncertain payments."""
    linked = _linked_spots(open_table, live)
    payments = _settle_input(open_table, live).payments
    return tuple(payment for payment in payments if payment.spot not in linked and payment.returned is not None)


def _settle_input(open_table: OpenTable, live: LiveRound) -> PartialSettlement:
    return settle_partial_round(open_table.game, open_table.table, build_typed_round(live))


def _linked_spots(open_table: OpenTable, live: LiveRound) -> frozenset[str]:
    return frozenset(spot for spot, offered in open_table.table.spots.items() if offered.wager.slug in live.linked)
