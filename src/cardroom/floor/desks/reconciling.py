"""Reconciliation: the bank's statement of a day beside the books as they stood at the end of that day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from typing import Final

from cardroom.errors import BadInput
from cardroom.floor.desks.answers import AccountReconciled, account_reconciled, account_reconciled_entry
from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.kept.account import deposit_told, missing_perhaps, moved_by, moved_since, payment_told
from cardroom.floor.kept.chains import ROOM, jackpot_chain
from cardroom.jackpots.happenings import Reconciled
from cardroom.jackpots.meter.reconciling import (
    BadStatement,
    Entered,
    Statement,
    UnconfirmedShortage,
    reconcile_account,
)
from cardroom.jackpots.references import plain_name
from cardroom.jackpots.setup.calendar import Calendar, Time
from cardroom.jackpots.setup.room import RoomSettings
from cardroom.jackpots.statements import Movement
from cardroom.ledger import Head, Json

TRIES: Final = 10


class AccountMoves(BadInput):
    """Money moved on the account at this very moment: the command is to be sent again."""


@dataclass(frozen=True, slots=True)
class _Looked:
    """What the books told before anything was locked."""

    settings: RoomSettings
    sequence: int
    """How far the chain was read."""
    day: date
    ends: Time | None
    """When the statement ends; None for one of today, which ends now."""
    later: tuple[Movement, ...]
    in_transit: tuple[Entered, ...]
    outstanding: tuple[Entered, ...]

    @property
    def entered(self) -> dict[str, str]:
        """By its number, the day on which the books have what the statement lacks."""
        local = self.settings.calendar.local
        return {one.name: local(time).date().isoformat() for one, time in (*self.in_transit, *self.outstanding)}


class ReconcilingDesk(Desk):
    """What the office holds against the books."""

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
    ) -> AccountReconciled:
        """Compare the balance of the bank's statement of a day, today where none is given, with the books as they stood
        at its end. ``in_transit`` names deposit slips, ``outstanding`` payments, that were entered before and are not
        on the statement yet. A shortage closes the jackpot until it is made good, and has to be confirmed: a mistyped
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

        def once(unnamed: tuple[Movement, ...] = ()) -> AccountReconciled:
            looked = self._look(jackpot, day, in_transit, outstanding)

            def decide(draft: Draft) -> Json:
                head = draft.head(chain)
                if head is None or draft.room().settings != looked.settings:
                    raise _moves(jackpot)
                # A statement of today ends now, behind everything that the books have.
                ends = max(self._clock(), head.time + 1) if looked.ends is None else looked.ends
                later = () if looked.ends is None else (*looked.later, *self._since_then(head, jackpot, looked))
                told = Statement(
                    statement_cents,
                    looked.day,
                    ends,
                    later,
                    looked.in_transit,
                    looked.outstanding,
                    unnamed,
                )
                happened = reconcile_account(
                    draft.jackpot(jackpot), told, who=who, second=second, why=why, shortage_cents=shortage_cents
                )
                (reconciled,) = (one for one in happened if isinstance(one, Reconciled))
                at = f"{looked.settings.calendar.local(ends):%Y-%m-%d %H:%M}" if looked.ends is None else None
                after = draft.at_jackpot(jackpot, happened)
                return account_reconciled_entry(after, reconciled, at, looked.entered)

            return self._do(id, body, (chain, ROOM), decide, account_reconciled)

        for _ in range(TRIES):
            try:
                told = once()
            except AccountMoves:
                continue
            except UnconfirmedShortage:
                return once(self._unnamed(jackpot, day, (*in_transit, *outstanding)))
            if not told.surplus:
                return told
            named = [one.name for one in (*told.in_transit, *told.outstanding)]
            return told._replace(unnamed=self._unnamed(jackpot, told.day, named))
        raise _moves(jackpot)

    def missing_perhaps(self, jackpot: str, day: date | None = None) -> tuple[Movement, ...]:
        """What a statement of a day, today where none is given, may not have yet: what the books have before its end,
        and no statement of an earlier day had."""
        calendar, now = self.room().settings.calendar, self._clock()
        today = calendar.local(now).date()
        of = day or today
        ends = None if of == today else midnight_after(of, calendar)
        return missing_perhaps(self.ledger, jackpot, self.jackpot(jackpot).reconciled, of, ends)

    def _unnamed(self, jackpot: str, day: date | None, named: Sequence[str]) -> tuple[Movement, ...]:
        """The same without what a person has named."""
        plain = {plain_name(one) for one in named}
        return tuple(one for one in self.missing_perhaps(jackpot, day) if not plain & set(_called(one)))

    def _look(self, jackpot: str, day: date | None, in_transit: Sequence[str], outstanding: Sequence[str]) -> _Looked:
        self.jackpot(jackpot)
        settings, now = self.room().settings, self._clock()
        calendar = settings.calendar
        today = calendar.local(now).date()
        of = day or today
        if of > today:
            raise BadStatement(f"It is {today}: a statement of {of} cannot be there yet.")
        first = next(self.ledger.events(jackpot_chain(jackpot), 0, 1))
        # The evening before, an account that is opened today has nothing: that can be told.
        if of < (opened := calendar.local(first.time).date()) - timedelta(days=1):
            raise BadStatement(
                f"{jackpot} was opened on {opened}: it had no account on {of}. Check the statement's day."
            )
        head = self.ledger.head(jackpot_chain(jackpot))
        assert head is not None
        ends = None if of == today else midnight_after(of, calendar)
        return _Looked(
            settings,
            head.sequence,
            of,
            ends,
            () if ends is None else moved_since(self.ledger, jackpot, ends, head.sequence),
            tuple(deposit_told(self.ledger, jackpot, typed) for typed in in_transit),
            tuple(payment_told(self.ledger, jackpot, typed) for typed in outstanding),
        )

    def _since_then(self, head: Head, jackpot: str, looked: _Looked) -> tuple[Movement, ...]:
        """What moved while the books were looked at."""
        missing = head.sequence - looked.sequence
        events = list(self.ledger.events(head.chain, looked.sequence, missing)) if missing else []
        if len(events) != missing:  # some of it is about to be stored together with this
            raise _moves(jackpot)
        return tuple(movement for event in events for movement in moved_by(event))


def _called(movement: Movement) -> tuple[str, str]:
    """How a person may name a movement: in full, or by its number alone."""
    plain = plain_name(movement.name)
    return plain, plain.partition(" ")[2]


def midnight_after(day: date, calendar: Calendar) -> Time:
    """When a day of the bank ends: at midnight, by the clocks of the room."""
    return calendar.moment(datetime.combine(day + timedelta(days=1), clock_time()))


def _moves(jackpot: str) -> AccountMoves:
    return AccountMoves(f"Money moves on the account of {jackpot} at this moment: send the command again.")
