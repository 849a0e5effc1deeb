"""Void rounds: every wager goes back (BJ-7), and the round's contributions are taken off the meters again (BJ-18).

A level on which a prize was paid since has paid the money out, so nothing is taken off it. Where a claim was made after
the round, the claim records the correction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from cardroom.ledger import Command, Json
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.jackpot.wager_counts import reverse_wagers
from cardroom.room.site.malfunction_reports import require_open_report
from cardroom.room.tabulator.events import RoundCountedByHand, RoundTabulated
from cardroom.room.tabulator.unit import CannotTabulate, void_round
from cardroom.service.commands.handler import (
    AutomaticTableRefusal,
    JackpotSearch,
    LinkedTableHandler,
    read_shown_amounts,
)
from cardroom.service.commands.results import RoundCountResult, decode_round_count, encode_round_count
from cardroom.service.commands.unit_of_work import UnitOfWork
from cardroom.service.queries.chain_history import RoundAftermath, find_counted_round

RoundCounted: TypeAlias = RoundTabulated | RoundCountedByHand


class VoidRoundCommands(LinkedTableHandler):
    """Declares rounds void."""

    def void_round(
        self,
        id: str,
        who: str,
        table: str,
        round_id: str,
        reason: str,
        *,
        second: str | None,
        report: str | None = None,
    ) -> RoundCountResult:
        """Declare a round void, as after a malfunction of the shuffler; it takes two people. A malfunction report that
        is named is open."""
        body: dict[str, Json] = {
            "do": "void-round",
            "who": who,
            "second": second,
            "table": table,
            "round": round_id,
            "reason": reason,
        }

        if report is not None:
            body["report"] = report

        def prepare() -> Command:
            recorded = self._require_counted_round(table, round_id)
            traces = self._trace_counts(recorded)

            def decide(uow: UnitOfWork) -> Json:
                before = uow.tabulator(table)
                if recorded.automatic:
                    raise AutomaticTableRefusal(
                        f"Round {round_id} was dealt by the automatic table {table}: it can be void only while it is "
                        "in progress."
                    )
                number = "" if report is None else require_open_report(uow.room().reports, report).number
                (voided,) = void_round(
                    before.tabulator, round_id, who=who, second=second, reason=reason, recorded=recorded, report=number
                )
                after = uow.apply_to_tabulator(table, (voided,))
                reverse_counts(uow, recorded, traces, who, second, reason)
                counts = {item.wager: -item.count for item in voided.wagers}
                return encode_round_count(after, round_id, counts, read_shown_amounts(uow, after))

            locks = self.lock_linked(table, *(trace.jackpot for trace in traces), room=report is not None)
            return self.build_command(id, body, locks, decide)

        return self.execute_prepared(prepare, decode_round_count)

    def _require_counted_round(self, table: str, round_id: str) -> RoundCounted:
        """The round as it was recorded."""
        self.tabulator(table)
        recorded = find_counted_round(self.ledger, table, round_id)
        if recorded is None:
            raise CannotTabulate(f"Round {round_id} was not counted at {table}: check its id.")
        return recorded.event

    def _trace_counts(self, recorded: RoundCounted) -> list[JackpotSearch[RoundAftermath]]:
        """What a round contributed to each jackpot, and what became of it."""
        return [self._trace_count(jackpot, recorded) for jackpot in list_counted_jackpots(recorded)]

    def _trace_count(self, jackpot: str, recorded: RoundCounted) -> JackpotSearch[RoundAftermath]:
        trace = self.trace_round(jackpot, recorded.table, recorded.round)
        if trace.result.count_event is None:
            raise CannotTabulate(
                f"Jackpot {jackpot} has no event of round {recorded.round} of {recorded.table}: verify the ledger."
            )
        return trace


def reverse_counts(
    uow: UnitOfWork,
    recorded: RoundCounted,
    traces: Sequence[JackpotSearch[RoundAftermath]],
    who: str,
    second: str | None,
    reason: str,
) -> None:
    """Take a void round's contributions off the meters."""
    for trace in traces:
        aftermath, state = trace.require_current(uow), uow.jackpot(trace.jackpot)
        assert aftermath.count_event is not None
        _refuse_if_claimed(state, aftermath, recorded.table, recorded.round)
        back = reverse_wagers(state, aftermath.count_event, aftermath.accruals, who=who, second=second, why=reason)
        uow.apply_to_jackpot(trace.jackpot, back)


def _refuse_if_claimed(state: JackpotState, back: RoundAftermath, table: str, round_id: str) -> None:
    """The claims of a round are decided before the round can be void."""
    if back.prior_claims.earlier:
        first = back.prior_claims.earlier[0]
        sentence = f"Round {round_id} of {table} was claimed on {state.id}"
        if first.claim and first.paid:
            raise CannotTabulate(f"{sentence}, and claim {first.claim} was paid: it can no longer be void.")
        raise CannotTabulate(f"{sentence}: it can be void only when nothing is won in it. {first.advice(state.id)}.")


def list_counted_jackpots(recorded: RoundCounted) -> Iterator[str]:
    """The jackpots to which a recorded round contributed."""
    for wager in recorded.wagers:
        if wager.jackpot is not None and wager.count:
            yield wager.jackpot
