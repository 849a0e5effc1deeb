"""A table's payout limit at a live table: winners of one deal share it (GEN-5), so an amount is final only when no
position that is still open could have a share. What is not final is not paid, and what was paid does not change.

Take or pay at a live table, for each seat that was typed: which chips the dealer takes and which he pays.

What a jackpot pays is claimed (``Floor.claim_hand``) and no part of it: the wager was counted and collected before.
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
"""What a step pays: wagers that are paid before the deal is over, and all others."""


class ChangesPaidAmount(BadInput):
    """Something that would change an amount which was paid already."""


class OpenLimitShares(NamedTuple):
    """What of the payout limit is still open."""

    payments: frozenset[tuple[int, str, str]] = frozenset()
    """The stakes whose amount is not final, by seat, spot, and stake."""
    positions: tuple[int, ...] = ()
    """The positions that could still have a share."""
    why: str = ""
    """Why an amount is not final; empty when every amount is."""
    advice: str = ""
    """What to type."""

    @property
    def sentence(self) -> str:
        """Both; empty when every amount is final."""
        return f"{self.why}: {self.advice}." if self.payments else ""

    def is_final(self, payment: Payment) -> bool:
        return (payment.seat, payment.spot, payment.stake) not in self.payments


def find_open_shares(
    open_table: OpenTable, live: LiveRound, settlement: PartialSettlement, early: Sequence[bool] = (True, False)
) -> OpenLimitShares:
    """What of these payments may still be reduced. ``early`` says which are asked for: those that are paid before the
    deal is over, and count first, or the others."""
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
    """By position, what it could still win on these spots: one whose wagers were not typed with the largest wagers."""
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
    """Why what these seats are paid is not final, and what to type."""
    position_word, its, has = (
        ("position", "its", "it has") if len(positions) == 1 else ("positions", "their", "they have")
    )
    paid = f"seat {seats[0]} is" if len(seats) == 1 else f"seats {_join_numbers(seats)} are"
    could = (
        f"{position_word} {_join_numbers(positions)} could share the payout limit of {format_cents(limit.cents)} a deal"
    )
    cards = f"{its} cards where {has} a wager on {limited_wager_names(table)}"
    return f"What {paid} paid is not final, because {could}", f"type {its} wagers, and {cards}"


def limited_wager_names(table: Table) -> str:
    """The wagers that share the payout limit of a table; nothing where it has none."""
    spots = table.payout_limit.spots if table.payout_limit else frozenset[str]()
    names = dict.fromkeys(offer.wager.name for spot, offer in table.spots.items() if spot in spots)
    return _join_numbers([*names], "or") if names else ""


def _join_numbers(items: Sequence[object], conjunction: str = "and") -> str:
    *first, last = map(str, items)
    return f"{', '.join(first)} {conjunction} {last}" if first else last


def refuse_unfinal_payment(state: TableState, live: LiveRound, step: ProcedureStep) -> None:
    """Refuse to pay what is not final."""
    if step.kind not in EARLINESS_BY_STEP or state.open_table.table.payout_limit is None:
        return
    still = find_open_shares(
        state.open_table, live, _settle_limited(state.open_table, live), EARLINESS_BY_STEP[step.kind]
    )
    if still.payments:
        raise WrongPhase(f"{still.why}: before step {step.name}, {still.advice}.")


def refuse_change_of_paid(state: TableState, live: LiveRound, typed_event: CardsTyped) -> None:
    """Refuse what changes an amount under the payout limit once its step was taken: the dealer undoes the step first,
    and the books have that."""
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
            f"With this seat {paid_payment.seat}'s {name} has {amount} instead of "
            f"{format_cents(paid_payment.known_return)} back under "
            "the payout limit "
            ""
            f"of {format_cents(limit.cents)} a deal, and step {step.name} was taken: undo it, type this, and settle "
            "the "
            "difference with the player."
        )
    still = find_open_shares(open_table, apply_cards_typed(live, typed_event), after, EARLINESS_BY_STEP[step.kind])
    if still.payments:
        raise ChangesPaidAmount(f"{still.why}, and step {step.name} was taken: undo it, or first {still.advice}.")


def _changed_payments(
    open_table: OpenTable, before: PartialSettlement, after: PartialSettlement, early: Sequence[bool]
) -> Iterator[tuple[Payment, Payment | None]]:
    """The payments under the limit that are others now."""
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
    """Whether a jackpot pays it, when it wins: it is claimed, and not paid from the rack."""
    final: bool = True
    """Whether the amount cannot change any more: a position that is still open could share the table's payout limit."""

    @property
    def take(self) -> int:
        """What goes into the rack, in cents."""
        return 0 if self._is_paid_elsewhere else max(self.payment.wagered - self.payment.known_return, 0)

    @property
    def pay(self) -> int:
        """What the rack pays besides the wager that stays with the player, in cents."""
        return 0 if self._is_paid_elsewhere else max(self.payment.known_return - self.payment.wagered, 0)

    @property
    def _is_paid_elsewhere(self) -> bool:
        return self.by_claim or self.payment.returned is None

    @property
    def is_claimable(self) -> bool:
        """Whether there is something to claim."""
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
        """Whether no amount of the seat can change any more."""
        return all(payment.final for payment in self.payments)

    @property
    def chips(self) -> tuple[tuple[int, int], ...]:
        """What is paid, in chips."""
        return split_into_chips(self.pay)


class TakeOrPaySheet(NamedTuple):
    """What is certain for the seats that were typed, and what is missing."""

    round: str
    seats: tuple[SeatTakeOrPay, ...]
    missing: tuple[str, ...]
    astray: tuple[str, ...]
    questions: tuple[PendingDecision, ...] = ()
    """What the seats are asked, by what was typed."""
    shares: OpenLimitShares = OpenLimitShares()
    """What of the table's payout limit is still open."""

    @property
    def not_final(self) -> tuple[str, ...]:
        """Why amounts are not final, and what to type; nothing when they are."""
        return (self.shares.sentence,) if self.shares.sentence else ()


def compute_take_or_pay(state: TableState, live: LiveRound) -> TakeOrPaySheet:
    """What the dealer takes and pays by what was typed."""
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
    """The stakes that the rack took or paid, as they were shown."""
    payments = list_rack_payments(state.open_table, live)
    return tuple(
        SettledStake(payment.seat, payment.spot, payment.stake, payment.event, payment.wagered, payment.known_return)
        for payment in payments
    )


def list_rack_payments(open_table: OpenTable, live: LiveRound) -> tuple[Payment, ...]:
    """What the rack takes or pays by what was typed; what a jackpot pays, and what is not certain, is left out."""
    linked = _linked_spots(open_table, live)
    payments = _settle_input(open_table, live).payments
    return tuple(payment for payment in payments if payment.spot not in linked and payment.returned is not None)


def _settle_input(open_table: OpenTable, live: LiveRound) -> PartialSettlement:
    return settle_partial_round(open_table.game, open_table.table, build_typed_round(live))


def _linked_spots(open_table: OpenTable, live: LiveRound) -> frozenset[str]:
    return frozenset(spot for spot, offered in open_table.table.spots.items() if offered.wager.slug in live.linked)
