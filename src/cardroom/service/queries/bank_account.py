"""A jackpot's bank account by its chain: the movements since a moment, and when a deposit slip or check was entered.

How long the oldest money of a jackpot has waited in the cage for its deposit, and the deadline.

The oldest money is deposited first. Other payments from the cage take the newest, so that waiting money never looks
newer than it is. So what waits is the newest money that came in and was not paid out, and a search back along the chain
ends where all of it has come in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple

from cardroom.chart_of_accounts import CENT, AccountKind, Amount
from cardroom.ledger import Event, Ledger
from cardroom.room.jackpot.bank_reconciliation import BadStatement, EnteredMovement, statement_cutoff
from cardroom.room.jackpot.event_values import BankMovement, LastStatement
from cardroom.room.jackpot.events import CageReimbursed, ClaimPaid, JackpotDeposited
from cardroom.room.jackpot.postings import account_change, bank_movements
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.payment_references import PaymentMethod, normalize_reference, payment_key, slip_key, slip_text
from cardroom.room.setup.calendar import Calendar, Time
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.service.chains.names import jackpot_chain
from cardroom.service.queries.chain_history import list_newest_first, read_domain_event

_SLIP_PREFIX: Final = "slip "
_MOVEMENT_EVENT_TYPES: Final = (CageReimbursed.kind, ClaimPaid.kind, JackpotDeposited.kind)


def list_movements_since(ledger: Ledger, jackpot: str, since: Time, last: int) -> tuple[BankMovement, ...]:
    """The movements of the account from this moment on, up to the event with the number ``last``; the oldest first."""
    movements_found: list[BankMovement] = []
    for event in list_newest_first(ledger, jackpot_chain(jackpot)):
        if event.time < since:
            break
        if event.sequence <= last:
            movements_found += reversed(list(list_event_movements(event)))
    return tuple(reversed(movements_found))


def list_unconfirmed_movements(
    ledger: Ledger, jackpot: str, last: LastStatement | None, day: date, ends: Time | None
) -> tuple[BankMovement, ...]:
    """The movements that the ledger has before the end of a statement, and no statement of an earlier day had: the
    oldest first."""
    since, open_then = statement_cutoff(day, last)
    movements_found: list[BankMovement] = []
    for event in list_newest_first(ledger, jackpot_chain(jackpot)):
        if event.time < since:
            break
        if event.kind in _MOVEMENT_EVENT_TYPES and (ends is None or event.time < ends):
            movements_found += reversed(list(list_event_movements(event)))
    earlier = (_find_movement(ledger, jackpot, normalize_reference(name)) for name in open_then)
    return (*(entered.movement for entered in earlier if entered is not None), *reversed(movements_found))


def list_event_movements(event: Event) -> Iterator[BankMovement]:
    """The movements of one event."""
    return bank_movements(read_domain_event(event))


def find_deposit(ledger: Ledger, jackpot: str, reference: str) -> EnteredMovement:
    """The deposit that a person names: by the number of its slip, or as it is printed (``slip 4472``)."""
    plain = normalize_reference(reference)
    printed = plain.startswith(_SLIP_PREFIX)
    names = [plain, slip_key(reference)] if printed else [slip_key(reference)]
    deposits = [deposit_event for name in names if (deposit_event := _find_movement(ledger, jackpot, name)) is not None]
    words = " ".join(reference.split()) if printed else slip_text(reference)
    if len(deposits) > 1:
        several = " and ".join(deposit_event.movement.name for deposit_event in deposits)
        raise BadStatement(f"{words} may be {several}: say which of them is in transit.")
    if not deposits:
        raise BadStatement(f"No deposit of {jackpot} has {words}: name one that was entered.")
    return deposits[0]


def find_payment(ledger: Ledger, jackpot: str, reference: str) -> EnteredMovement:
    """The payment that a person names: by its number, or by its kind and number."""
    plain = normalize_reference(reference)
    kinds = [kind for kind in PaymentMethod if plain.startswith(f"{kind} ")]
    names = [plain] if kinds else [payment_key(kind, plain) for kind in PaymentMethod]
    payments = [payment for name in names if (payment := _find_movement(ledger, jackpot, name)) is not None]
    if len(payments) > 1:
        several = " and ".join(payment.movement.name for payment in payments)
        raise BadStatement(f"{reference} is the number of {several}: say which of them is outstanding.")
    if payments and payments[0].movement.amount < 0:
        return payments[0]
    chain = jackpot_chain(jackpot)
    if any(ledger.find_event(chain, name) is not None for name in names):
        raise BadStatement(
            f"{reference} was paid by the cage or the operator, not from the bank account of {jackpot}. No statement "
            "of the bank will have it: leave it out."
        )
    raise BadStatement(
        f"Nothing was paid from the bank account of {jackpot} as {reference}: name a check or a transfer that was "
        "entered."
    )


def _find_movement(ledger: Ledger, jackpot: str, name: str) -> EnteredMovement | None:
    event = ledger.find_event(jackpot_chain(jackpot), name)
    moved = (
        []
        if event is None
        else [movement for movement in list_event_movements(event) if normalize_reference(movement.name) == name]
    )
    return EnteredMovement(moved[0], event.time) if event is not None and moved else None


class DepositDue(NamedTuple):
    """Money to deposit at the bank."""

    jackpot: str
    amount: Amount
    """Every whole cent that waits."""
    since: date
    """The gaming day on which the oldest of it came in."""
    by: date
    """The last day on which the deposit is in time."""
    today: date

    @property
    def is_due(self) -> bool:
        """Whether the deposit must be made by today."""
        return self.today >= self.by

    @property
    def overdue_days(self) -> int:
        """How many days it is overdue."""
        return max((self.today - self.by).days, 0)


def find_deposit_due(ledger: Ledger, state: JackpotState, calendar: Calendar, now: Time) -> DepositDue | None:
    """The money to deposit, and its deadline; None where there is none, or the jurisdiction has no deadline."""
    most = state.law.deposit_days
    if state.kind is not JackpotKind.PROGRESSIVE or most is None or state.undeposited < CENT:
        return None
    waits_since = find_oldest_waiting(list_newest_first(ledger, jackpot_chain(state.id)), state.id, state.undeposited)
    since = calendar.day_of(now if waits_since is None else waits_since)
    amount = state.undeposited // CENT * CENT
    return DepositDue(state.id, amount, since, since + timedelta(days=most), calendar.day_of(now))


def find_oldest_waiting(events: Iterable[Event], jackpot: str, undeposited: Amount) -> Time | None:
    """When the oldest waiting cent came in; less than a cent cannot be deposited."""
    needed, left_since, total = undeposited - CENT + 1, 0, 0
    for event in events:
        if event.kind == JackpotDeposited.kind:
            continue
        came_in = account_change(read_domain_event(event), AccountKind.UNDEPOSITED, jackpot)
        canceled = min(max(came_in, 0), left_since)
        left_since += max(-came_in, 0) - canceled
        total += max(came_in, 0) - canceled
        if total >= needed:
            return event.time
    return None
