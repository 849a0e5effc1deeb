"""Jackpots: added, disabled and enabled, their parameters changed, their money deposited.

Reconciliation: compares the bank's statement of a day with the ledger at the end of that day.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock_time

from cardroom.chart_of_accounts import CENT
from cardroom.errors import BadInput
from cardroom.ledger import Command, Head, Json, UniqueKey
from cardroom.room.descriptions.event_phrases import superseded_parameter_texts
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot import custody, lifecycle
from cardroom.room.jackpot.bank_reconciliation import (
    BadStatement,
    BankStatement,
    EnteredMovement,
    UnconfirmedShortage,
    reconcile_account,
)
from cardroom.room.jackpot.event_values import BankMovement
from cardroom.room.jackpot.events import JackpotReconciled
from cardroom.room.jackpot.lifecycle import change_bonus, change_parameters, remove_jackpot
from cardroom.room.payment_references import PaymentMethod, normalize_reference, require_reference, slip_text
from cardroom.room.setup.calendar import Calendar, Time
from cardroom.room.setup.jackpot import JackpotSetup, jackpot_setup_to_mapping
from cardroom.room.setup.jackpot_validation import validate_jackpot
from cardroom.room.setup.site import SiteSettings
from cardroom.room.site.malfunction_reports import require_report_for
from cardroom.service.chains.aggregates import JACKPOTS
from cardroom.service.chains.names import jackpot_chain
from cardroom.service.commands.cage import payment_unique_keys, refuse_used_payment, refuse_used_reference
from cardroom.service.commands.handler import CommandHandler
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.results import (
    JackpotSummary,
    ReconciliationResult,
    decode_jackpot_summary,
    decode_reconciliation,
    encode_jackpot_summary,
    encode_reconciliation,
)
from cardroom.service.commands.unit_of_work import StateChanged, UnitOfWork
from cardroom.service.queries.bank_account import (
    DepositDue,
    find_deposit,
    find_deposit_due,
    find_payment,
    list_event_movements,
    list_movements_since,
    list_unconfirmed_movements,
)

JackpotDecision = Callable[..., tuple[DomainEvent, ...]]
"""Decides from a jackpot's state, the person, and the command's fields."""


class JackpotAlreadyOpen(BadInput):
    """A jackpot is added once."""


class JackpotService:
    """What the office does with a jackpot. ``cents`` are whole cents; every change has a name and a reason."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler

    def open(self, id: str, who: str, setup: JackpotSetup) -> JackpotSummary:
        """Add a jackpot; the operator seeds a progressive."""
        jackpot = validate_jackpot(setup)
        body: dict[str, Json] = {"do": "open-jackpot", "who": who, "setup": jackpot_setup_to_mapping(setup)}

        def decide(uow: UnitOfWork) -> Json:
            if uow.has(JACKPOTS, setup.id):
                raise JackpotAlreadyOpen(f"There is a jackpot {setup.id} already: give the new one a name of its own.")
            return encode_jackpot_summary(uow.apply_to_jackpot(setup.id, lifecycle.open_new_jackpot(jackpot, who=who)))

        return self._handler.execute(id, body, Locks(jackpots=[setup.id]), decide, decode_jackpot_summary)

    # In and out of service.

    def disable(self, id: str, who: str, jackpot: str, why: str) -> JackpotSummary:
        """Disable the jackpot: it shows as unavailable, does not grow, and cannot be won."""
        return self._change_jackpot(id, who, jackpot, "disable", lifecycle.disable_jackpot, why=why)

    def enable(self, id: str, who: str, jackpot: str) -> JackpotSummary:
        """Enable the jackpot with the amounts it had."""
        return self._change_jackpot(id, who, jackpot, "enable", lifecycle.enable_jackpot)

    def remove(self, id: str, who: str, jackpot: str, why: str, *, second: str) -> JackpotSummary:
        """Remove a bonus jackpot for good. A progressive cannot be removed: its money is the players'."""
        return self._change_jackpot(id, who, jackpot, "remove", remove_jackpot, why=why, second=second)

    # The operator's parameters.

    def change_parameters(
        self, id: str, who: str, jackpot: str, level: str, changes: Mapping[str, str], why: str, *, second: str
    ) -> JackpotSummary:
        """Change ``contribution`` or ``reserve`` (such as "12.5%"), ``seed``, ``ceiling`` or ``minimum`` (such as
        "$5,000"). A change at the players' expense waits for the reset of the level."""
        fields: dict[str, Json] = {"level": level, "changes": dict(changes), "why": why, "second": second}
        return self._change_jackpot(id, who, jackpot, "change-parameters", change_parameters, **fields)

    def change_bonus(
        self, id: str, who: str, jackpot: str, game: str, event: str, amount: str, why: str, *, second: str
    ) -> JackpotSummary:
        """Change the operator's fixed bonus on a line of the paytable, such as ``"$5,000"``."""
        fields: dict[str, Json] = {"game": game, "event": event, "amount": amount, "why": why, "second": second}
        return self._change_jackpot(id, who, jackpot, "change-bonus", change_bonus, **fields)

    # The players' money. Every adjustment takes two people.

    def correct_malfunction(
        self, id: str, who: str, jackpot: str, level: str, cents: int, why: str, *, second: str, report: str
    ) -> JackpotSummary:
        """Correct what a malfunction put on a meter: up above zero, down below; the malfunction report with this number
        is open."""
        fields: dict[str, Json] = {"level": level, "cents": cents, "why": why, "second": second, "report": report}
        body: dict[str, Json] = {"do": "correct-malfunction", "who": who, "jackpot": jackpot, **fields}

        def decide(uow: UnitOfWork) -> Json:
            number = require_report_for(uow.room().reports, report, jackpot)
            state = uow.jackpot(jackpot)
            new_events = custody.correct_malfunction(
                state, level, cents, report=number, who=who, second=second, why=why
            )
            return encode_jackpot_summary(uow.apply_to_jackpot(jackpot, new_events))

        return self._handler.execute(id, body, Locks(room=True, jackpots=[jackpot]), decide, decode_jackpot_summary)

    def add_seed(
        self, id: str, who: str, jackpot: str, level: str, cents: int, why: str, *, second: str
    ) -> JackpotSummary:
        """The operator puts more seed money on a meter, to recover it later."""
        fields: dict[str, Json] = {"level": level, "cents": cents, "why": why, "second": second}
        return self._change_jackpot(id, who, jackpot, "add-seed", custody.add_seed, **fields)

    def recover_seed(
        self, id: str, who: str, jackpot: str, level: str, cents: int, why: str, *, second: str
    ) -> JackpotSummary:
        """The operator recovers seed money."""
        fields: dict[str, Json] = {"level": level, "cents": cents, "why": why, "second": second}
        return self._change_jackpot(id, who, jackpot, "recover-seed", custody.recover_seed, **fields)

    def lower_to_ceiling(self, id: str, who: str, jackpot: str, level: str, why: str, *, second: str) -> JackpotSummary:
        """Move what is displayed above the ceiling into the overflow, where it stays the players'."""
        fields: dict[str, Json] = {"level": level, "why": why, "second": second}
        return self._change_jackpot(id, who, jackpot, "lower-to-ceiling", custody.lower_to_ceiling, **fields)

    def remove_undisplayed_money(
        self, id: str, who: str, jackpot: str, level: str, held: str, cents: int, why: str, *, second: str
    ) -> JackpotSummary:
        """Remove money that is not displayed from the ``reserve`` or the ``overflow`` and book it as gross receipts."""
        fields: dict[str, Json] = {"level": level, "holder": held, "cents": cents, "why": why, "second": second}
        return self._change_jackpot(id, who, jackpot, "remove-hidden", custody.remove_undisplayed, **fields)

    def find_deposit_due(self, jackpot: str) -> DepositDue | None:
        """The amount to deposit, and its deadline; None where nothing waits."""
        return find_deposit_due(
            self._handler.ledger, self._handler.jackpot(jackpot), self._handler.calendar, self._handler.clock()
        )

    def deposit_to_bank(self, id: str, who: str, jackpot: str, cents: int | None, reference: str) -> JackpotSummary:
        """Deposit the cage's money in the jackpot's bank account, every whole cent that waits where no amount is given;
        ``reference`` is the bank's slip, which no other deposit of the jackpot has."""
        body: dict[str, Json] = {
            "do": "deposit",
            "who": who,
            "jackpot": jackpot,
            "cents": cents,
            "reference": reference,
        }
        chain, slip_note = jackpot_chain(jackpot), slip_text(require_reference(reference, "deposit slip"))
        slip = normalize_reference(slip_note)

        def decide(uow: UnitOfWork) -> Json:
            refuse_used_reference(uow, chain, slip_note)
            state = uow.jackpot(jackpot)
            amount = state.undeposited // CENT if cents is None else cents
            deposited = custody.deposit_money(state, amount, who=who, reference=reference)
            return encode_jackpot_summary(uow.apply_to_jackpot(jackpot, deposited))

        locks = Locks(room=True, jackpots=[jackpot], unique_keys=[UniqueKey(chain, slip)])
        return self._handler.execute(id, body, locks, decide, decode_jackpot_summary)

    def reimburse_cage(
        self, id: str, who: str, jackpot: str, cents: int | None, reference: str, *, second: str | None
    ) -> JackpotSummary:
        """Pay the cage from the bank account what it advanced, every whole cent where no amount is given; ``reference``
        is the number of the transfer, which no other payment of the jackpot has."""
        body: dict[str, Json] = {
            "do": "reimburse-cage",
            "who": who,
            "jackpot": jackpot,
            "cents": cents,
            "reference": reference,
            "second": second,
        }
        chain, number = jackpot_chain(jackpot), require_reference(reference, "transfer")

        def decide(uow: UnitOfWork) -> Json:
            refuse_used_payment(uow, chain, PaymentMethod.TRANSFER, number)
            state = uow.jackpot(jackpot)
            amount = state.cage_advance // CENT if cents is None else cents
            paid_back = custody.reimburse_cage(state, amount, who=who, second=second, reference=reference)
            return encode_jackpot_summary(uow.apply_to_jackpot(jackpot, paid_back))

        names = [UniqueKey(chain, name) for name in payment_unique_keys(PaymentMethod.TRANSFER, number)]
        locks = Locks(room=True, jackpots=[jackpot], unique_keys=names)
        return self._handler.execute(id, body, locks, decide, decode_jackpot_summary)

    def _change_jackpot(
        self, id: str, who: str, jackpot: str, action: str, decide: JackpotDecision, **fields: Json
    ) -> JackpotSummary:
        """The command's fields are the keyword arguments of the decision."""

        def decide_summary(uow: UnitOfWork) -> Json:
            new_events = decide(uow.jackpot(jackpot), who=who, **fields)
            given_up: list[Json] = [
                words for event in new_events for words in superseded_parameter_texts(event.payload)
            ]
            entry = encode_jackpot_summary(uow.apply_to_jackpot(jackpot, new_events))
            return entry | ({"given_up": given_up} if given_up else {})

        body: dict[str, Json] = {"do": action, "who": who, "jackpot": jackpot, **fields}
        return self._handler.execute(id, body, Locks(jackpots=[jackpot]), decide_summary, decode_jackpot_summary)

    def reconcile(
        self,
        id: str,
        who: str,
        jackpot: str,
        statement_cents: int,
        *,
        day: date | None,
        in_transit: Sequence[str] = (),
        outstanding: Sequence[str] = (),
        second: str | None = None,
        why: str | None = None,
        shortage_cents: int = 0,
    ) -> ReconciliationResult:
        """Compare the balance of the bank's statement of a day, today where none is given, with the ledger at the end
        of that day. ``in_transit`` names deposit slips, ``outstanding`` payments, that were entered before and are not
        on the statement yet. A shortage closes the jackpot until it is made good, and must be confirmed: a mistyped
        balance is refused. A statement that replaces one of the same day, or opens a jackpot that was short, takes a
        second person and a reason."""
        body: dict[str, Json] = {
            "do": "reconcile",
            "who": who,
            "jackpot": jackpot,
            "statement": statement_cents,
            "day": day.isoformat() if day else None,
            "in_transit": list(in_transit),
            "outstanding": list(outstanding),
        }
        body |= {"second": second} if second else {}
        body |= {"why": why} if why else {}
        body |= {"shortage": shortage_cents} if shortage_cents else {}
        chain = jackpot_chain(jackpot)

        def prepare(unnamed: tuple[BankMovement, ...] = ()) -> Command:
            basis = self._read_statement_basis(jackpot, day, in_transit, outstanding)

            def decide(uow: UnitOfWork) -> Json:
                head = uow.head(chain)
                if head is None or uow.room().settings != basis.settings:
                    raise StateChanged
                # A statement of today ends now, after everything in the ledger.
                ends = max(self._handler.clock(), head.time + 1) if basis.ends is None else basis.ends
                later = () if basis.ends is None else (*basis.later, *self._list_new_movements(head, basis))
                bank_statement = BankStatement(
                    statement_cents,
                    basis.day,
                    ends,
                    later,
                    basis.in_transit,
                    basis.outstanding,
                    unnamed,
                )
                new_events = reconcile_account(
                    uow.jackpot(jackpot), bank_statement, who=who, second=second, why=why, shortage_cents=shortage_cents
                )
                (reconciled,) = (one for one in new_events if isinstance(one, JackpotReconciled))
                at = f"{basis.settings.calendar.local(ends):%Y-%m-%d %H:%M}" if basis.ends is None else None
                after = uow.apply_to_jackpot(jackpot, new_events)
                return encode_reconciliation(after, reconciled, at, basis.entered_days)

            return self._handler.build_command(id, body, Locks(room=True, jackpots=[jackpot]), decide)

        try:
            result = self._handler.execute_prepared(prepare, decode_reconciliation)
        except UnconfirmedShortage:
            unnamed = self._list_unnamed_movements(jackpot, day, (*in_transit, *outstanding))
            return self._handler.execute_prepared(lambda: prepare(unnamed), decode_reconciliation)
        if not result.surplus:
            return result
        known_names = [item.name for item in (*result.in_transit, *result.outstanding)]
        return result._replace(unnamed=self._list_unnamed_movements(jackpot, result.day, known_names))

    def list_unconfirmed_movements(self, jackpot: str, day: date | None = None) -> tuple[BankMovement, ...]:
        """What a statement of a day, today where none is given, may not have yet: what the ledger has before its end,
        and no statement of an earlier day had."""
        calendar, now = self._handler.room().settings.calendar, self._handler.clock()
        today = calendar.local(now).date()
        of = day or today
        ends = None if of == today else midnight_after(of, calendar)
        return list_unconfirmed_movements(
            self._handler.ledger, jackpot, self._handler.jackpot(jackpot).reconciled, of, ends
        )

    def _list_unnamed_movements(
        self, jackpot: str, day: date | None, known_names: Sequence[str]
    ) -> tuple[BankMovement, ...]:
        """The same without the movements that a person has named."""
        plain = {normalize_reference(item) for item in known_names}
        return tuple(
            item for item in self.list_unconfirmed_movements(jackpot, day) if not plain & set(_movement_names(item))
        )

    def _read_statement_basis(
        self, jackpot: str, day: date | None, in_transit: Sequence[str], outstanding: Sequence[str]
    ) -> _StatementBasis:
        self._handler.jackpot(jackpot)
        settings, now = self._handler.room().settings, self._handler.clock()
        calendar = settings.calendar
        today = calendar.local(now).date()
        of = day or today
        if of > today:
            raise BadStatement(f"Today is {today}: there cannot be a statement of {of} yet. Check the statement's day.")
        first = next(self._handler.ledger.events(jackpot_chain(jackpot), 0, 1))
        # At the end of the day before it was opened, an account is empty: a statement can say that.
        if of < (opened := calendar.local(first.time).date()) - timedelta(days=1):
            raise BadStatement(
                f"{jackpot} was opened on {opened}: it had no account on {of}. Check the statement's day."
            )
        head = self._handler.ledger.head(jackpot_chain(jackpot))
        assert head is not None
        ends = None if of == today else midnight_after(of, calendar)
        return _StatementBasis(
            settings,
            head.sequence,
            of,
            ends,
            () if ends is None else list_movements_since(self._handler.ledger, jackpot, ends, head.sequence),
            tuple(find_deposit(self._handler.ledger, jackpot, reference) for reference in in_transit),
            tuple(find_payment(self._handler.ledger, jackpot, reference) for reference in outstanding),
        )

    def _list_new_movements(self, head: Head, basis: _StatementBasis) -> tuple[BankMovement, ...]:
        """The movements that were stored while the account was read."""
        missing = head.sequence - basis.sequence
        events = list(self._handler.ledger.events(head.chain, basis.sequence, missing)) if missing else []
        if len(events) != missing:  # some of it is stored together with this
            raise StateChanged
        return tuple(movement for event in events for movement in list_event_movements(event))


@dataclass(frozen=True, slots=True)
class _StatementBasis:
    """What the ledger showed before anything was locked."""

    settings: SiteSettings
    sequence: int
    """How far the chain was read."""
    day: date
    ends: Time | None
    """When the statement ends; None for one of today, which ends now."""
    later: tuple[BankMovement, ...]
    in_transit: tuple[EnteredMovement, ...]
    outstanding: tuple[EnteredMovement, ...]

    @property
    def entered_days(self) -> dict[str, str]:
        """By its number, the day on which the ledger has what the statement lacks."""
        local = self.settings.calendar.local
        return {
            movement.name: local(time).date().isoformat() for movement, time in (*self.in_transit, *self.outstanding)
        }


def _movement_names(movement: BankMovement) -> tuple[str, str]:
    """How a person may name a movement: in full, or by its number alone."""
    plain = normalize_reference(movement.name)
    return plain, plain.partition(" ")[2]


def midnight_after(day: date, calendar: Calendar) -> Time:
    """The end of a day of the bank: midnight, by the room's clock."""
    return calendar.moment(datetime.combine(day + timedelta(days=1), clock_time()))
