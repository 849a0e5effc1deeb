"""A replay of one chain: the rules accept each event, with the entries and unique keys that follow from it.

The chain of a player account: the balance is the sum of its events, and never below zero.

The chain of a user: two people decide about logins, and one user is the first of the room.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Any, Final

from cardroom.chart_of_accounts import Currency
from cardroom.room.dual_control import is_same_person
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.events import JackpotClosed, JackpotReopened
from cardroom.room.player.account import GUEST_CENTS, BalancePaidIn, BalancePaidOut, PlayerAccountOpened
from cardroom.room.user.events import Countersigned, RoleAssigned, UserDeactivated, UserRecovered, UserRegistered
from cardroom.room.user.permissions import MINUTE, Role
from cardroom.room.user.registration import can_countersign
from cardroom.service.chains.aggregates import PLAYER_ACCOUNTS, TABULATORS, USERS, Aggregate
from cardroom.service.chains.names import user_chain
from cardroom.service.verification.agreement import StatementDigest
from cardroom.service.verification.chain_agreement import read_player_chips, read_player_credits
from cardroom.service.verification.invariant import ENTRIES_FOLLOW, JUDGED_ALIKE, TWO_PEOPLE, ReplayedRoom, invariant
from cardroom.service.verification.replay_result import (
    LoneDecision,
    PostingLines,
    ReplayResult,
    ReportReference,
    find_value_difference,
)
from cardroom.service.verification.report import replay_mismatch
from cardroom.service.verification.security_checks import list_second_person_events, read_signature


class ChainReplay:
    """The replay of one chain."""

    aggregate: Aggregate[Any] = TABULATORS

    def __init__(self, chain: str, result: ReplayResult) -> None:
        self.chain, self.result = chain, result
        self.state: Any = None
        self.time = 0
        """The time of the present event."""

    def replay_event(self, sequence: int, id: str, event: DomainEvent, lines: PostingLines) -> None:
        """Apply an event by the rules."""
        after = self.aggregate.apply(self.state, event)
        booked = [
            (str(posting.debit), str(posting.credit), posting.amount)
            for posting in self.aggregate.postings(self.state, after, event)
        ]
        if booked != lines:
            problem = "its entries do not follow from it"
            raise ENTRIES_FOLLOW.mismatch(problem, self.chain, sequence, id, booked, lines)
        self.inspect(sequence, id, event, self.state, after)
        self.result.second_person_events += list_second_person_events(self.chain, sequence, id, self.time, event)
        self.state = after

    def inspect(self, sequence: int, id: str, event: DomainEvent, before: Any, after: Any) -> None:
        """Check what states and entries do not show."""

    def _note_report(self, report: str, sequence: int, id: str) -> None:
        """The event names a report; whether it was open then is checked once the room's chain is replayed."""
        if report:
            self.result.report_references.append(ReportReference(self.chain, sequence, id, self.time, report))

    def finish(self, last: int) -> None:
        """The chain is at its end."""


class JudgedChainReplay(ChainReplay):
    """A chain on which hands are paid: the rules judge each hand again, and must lead to the same events."""

    def __init__(self, chain: str, result: ReplayResult) -> None:
        super().__init__(chain, result)
        self._expected: deque[DomainEvent] = deque()

    def _expect(self, events: Iterable[DomainEvent]) -> None:
        self._expected.extend(events)

    def _compare_expected(self, sequence: int, id: str, event: DomainEvent) -> None:
        due = self._expected.popleft()
        if due == event:
            return
        expected, actual = (
            {"kind": each.kind, "version": each.version, "payload": _drop_texts(each.payload)} for each in (due, event)
        )
        if expected != actual:
            path, should, is_ = find_value_difference(expected, actual)
            raise JUDGED_ALIKE.mismatch(f"judged again, its {path} differs", self.chain, sequence, id, should, is_)

    def finish(self, last: int) -> None:
        super().finish(last)
        if self._expected:
            of = "statement" if isinstance(self._expected[0], JackpotClosed | JackpotReopened) else "claim"
            raise JUDGED_ALIKE.mismatch(
                f"a {of} is not complete", self.chain, last, "", self._expected[0].kind, "the end of the chain"
            )


def _drop_texts(payload: Any) -> Any:
    """The payload without the descriptions of hands: a later program may word them better, and what was won are the
    event, the cards, and the amount."""
    if isinstance(payload, dict):
        return {name: _drop_texts(value) for name, value in payload.items() if name != "words"}
    if isinstance(payload, list | tuple):
        return [_drop_texts(value) for value in payload]
    return payload


class PlayerAccountReplay(ChainReplay):
    aggregate = PLAYER_ACCOUNTS

    def __init__(self, chain: str, result: ReplayResult) -> None:
        super().__init__(chain, result)
        self._chips = StatementDigest(read_player_chips)
        self._credits = StatementDigest(read_player_credits)

    def inspect(self, sequence: int, id: str, event: DomainEvent, before: Any, after: Any) -> None:  # noqa: ARG002
        self._chips.add_event(event)
        self._credits.add_event(event)
        if isinstance(event, PlayerAccountOpened):
            self._check_opening_balance(sequence, id, event)
        if isinstance(event, BalancePaidIn | BalancePaidOut) and is_same_person(event.who, event.second):
            raise TWO_PEOPLE.mismatch(
                "one person did what takes two", self.chain, sequence, id, "two people", event.second
            )

    def _check_opening_balance(self, sequence: int, id: str, admitted: PlayerAccountOpened) -> None:
        """A guest's account begins with play money, and every other account with nothing."""
        should = (Currency.PLAY, GUEST_CENTS) if admitted.guest else (admitted.money, 0)
        if (actual := (admitted.money, admitted.cents)) != should:
            amounts = [f"{cents} cents of {of.label}" for of, cents in (should, actual)]
            raise replay_mismatch("the account begins with a different amount", self.chain, sequence, id, *amounts)

    def finish(self, last: int) -> None:
        super().finish(last)
        self.result.player_accounts[self.state.player] = self.state
        self.result.player_chips |= self._chips.digests()
        self.result.player_credits |= self._credits.digests()


_CLOCK_TOLERANCE: Final = MINUTE
"""Longer than two servers' clocks and transactions can be apart."""


@invariant(
    "recoveries-are-marked",
    "users and the room",
    "Each recovery of an operator at the machine is on the chains of the operator and of the room.",
)
def recoveries_are_marked(room: ReplayedRoom) -> None:
    users = room.result.users
    marks_by_login = Counter(mark.login for mark in (room.result.room.recoveries if room.result.room else ()))
    for login in sorted({*users, *marks_by_login}):
        recovery_count = users[login].machine_recoveries if login in users else 0
        if recovery_count != marks_by_login[login]:
            problem = (
                f"the room's chain and the chain of {login} disagree about the recoveries of {login} at the machine"
            )
            raise replay_mismatch(
                problem, user_chain(login), 0, login, f"{recovery_count} marks", marks_by_login[login]
            )


class UserReplay(ChainReplay):
    aggregate = USERS

    def inspect(self, sequence: int, id: str, event: DomainEvent, before: Any, after: Any) -> None:
        if isinstance(event, Countersigned):
            self.result.signatures.append(read_signature(self.chain, sequence, id, event, before))
        if (able := can_countersign(after)) != (before is not None and can_countersign(before)):
            self.result.signing_changes.setdefault(after.login, []).append((self.time, able))
        if not isinstance(event, UserRegistered | RoleAssigned | UserRecovered | UserDeactivated):
            return
        if is_same_person(event.who, event.second):
            raise TWO_PEOPLE.mismatch(
                "one person did what takes two", self.chain, sequence, id, "two people", event.second
            )
        if not event.second and after.role is not Role.PLAYER:
            first = isinstance(event, UserRegistered) and event.who == event.login
            alone = LoneDecision(self.chain, sequence, id, self.time, event.who, first)
            self.result.lone_decisions.append(alone)
        if not isinstance(event, UserRegistered) and is_same_person(event.who, event.login):
            raise replay_mismatch(
                "one person alone has decided it", self.chain, sequence, id, "a second person", event.who
            )

    def finish(self, last: int) -> None:
        super().finish(last)
        self.result.users[self.state.login] = self.state


@invariant(
    "room-has-one-first-operator",
    "users",
    "One user is the first operator of the room, and one person alone decides about users only after that.",
)
def room_has_one_first_operator(room: ReplayedRoom) -> None:
    alone = room.result.lone_decisions
    firsts = sorted((decision for decision in alone if decision.is_first), key=lambda decision: decision.time)
    for second in firsts[1:]:
        problem = "a different user was the first operator of the room"
        raise replay_mismatch(problem, second.chain, second.sequence, second.id, firsts[0].chain, second.chain)
    for decision in alone:
        if not firsts or decision.time < firsts[0].time:
            problem = "one person added it before the room had a first operator"
            raise replay_mismatch(
                problem, decision.chain, decision.sequence, decision.id, "the first operator before it", decision.chain
            )


@invariant(
    "two-people-decide-about-users",
    "users",
    "One person alone decides about a user only while no other user can sign.",
)
def two_people_decide_about_users(room: ReplayedRoom) -> None:
    for decision in room.result.lone_decisions:
        for login, changes in room.result.signing_changes.items():
            if login != decision.who and not decision.is_first and _could_sign(changes, decision.time):
                problem = f"{decision.who} decided alone although {login} could sign"
                raise replay_mismatch(
                    problem, decision.chain, decision.sequence, decision.id, "a second person", "none"
                )


def _could_sign(changes: Sequence[tuple[int, bool]], time: int) -> bool:
    """Whether a user was able to sign at a time, and had been for a while: the decision may not have seen a change that
    another server stored at almost the same time."""
    last = next(((since, able) for since, able in reversed(changes) if since <= time), (time, False))
    return last[1] and last[0] < time - _CLOCK_TOLERANCE
