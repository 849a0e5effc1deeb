"""Void rounds: every wager goes back (BJ-7), and the round's contributions are taken off the meters again (BJ-18).

A level on which a prize was paid since has paid the money out, so nothing is taken off it. Where a claim was made after
the round, the claim records the correction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cardroom.ledger import Command, Json
from cardroom.room.jackpot.events import WagersCounted
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.jackpot.wager_counts import reverse_wagers
from cardroom.room.site.malfunction_reports import require_open_report
from cardroom.room.tabulator.events import RoundCountedByHand, RoundTabulated
from cardroom.room.tabulator.unit import CannotTabulate, void_round
from cardroom.service.chains.names import ROOM_CHAIN
from cardroom.service.commands.handler import (
    AutomaticTableRefusal,
    JackpotMark,
    LinkedTableHandler,
    links_changed,
    read_jackpot_mark,
    read_shown_amounts,
)
from cardroom.service.commands.results import RoundCountResult, decode_round_count, encode_round_count
from cardroom.service.commands.unit_of_work import UnitOfWork
from cardroom.service.queries.chain_history import RoundAftermath, find_counted_round, trace_round


@dataclass(frozen=True, slots=True)
class _RoundEffect:
    """What a round contributed to a jackpot, and what became of it."""

    jackpot: str
    mark: JackpotMark
    """The mark of the jackpot when this was read."""
    counted: WagersCounted
    aftermath: RoundAftermath


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

        def command() -> Command:
            recorded = self._require_counted_round(table, round_id)
            came_in = [self._find_round_effect(jackpot, table, round_id) for jackpot in list_counted_jackpots(recorded)]

            def decide(uow: UnitOfWork) -> Json:
                before = self._require_linked(uow, table)
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
                self._reverse_round(uow, table, round_id, came_in, who, second, reason)
                counts = {item.wager: -item.count for item in voided.wagers}
                return encode_round_count(after, round_id, counts, read_shown_amounts(uow, after))

            chains = () if report is None else (ROOM_CHAIN,)
            return self._build_linked_command(
                id, table, body, decide, *(item.jackpot for item in came_in), chains=chains
            )

        return self._retry_on_link_change(command, decode_round_count, table)

    def _reverse_round(
        self,
        uow: UnitOfWork,
        table: str,
        round_id: str,
        came_in: Sequence[_RoundEffect],
        who: str,
        second: str | None,
        reason: str,
    ) -> None:
        """Take a void round's contributions off the meters."""
        for effect in came_in:
            state = uow.jackpot(effect.jackpot)
            if read_jackpot_mark(state) != effect.mark:
                raise links_changed(table)
            _refuse_if_claimed(state, effect.aftermath, table, round_id)
            back = reverse_wagers(state, effect.counted, effect.aftermath.accruals, who=who, second=second, why=reason)
            uow.apply_to_jackpot(effect.jackpot, back)

    def _require_counted_round(self, table: str, round_id: str) -> RoundTabulated | RoundCountedByHand:
        """The round as it was recorded."""
        self.tabulator(table)
        recorded = find_counted_round(self.ledger, table, round_id)
        if recorded is None:
            raise CannotTabulate(f"Round {round_id} was not counted at {table}: check its id.")
        return recorded.event

    def _find_round_effect(self, jackpot: str, table: str, round_id: str) -> _RoundEffect:
        mark, back = read_jackpot_mark(self.jackpot(jackpot)), trace_round(self.ledger, jackpot, table, round_id)
        if back.count_event is None:
            raise CannotTabulate(f"Jackpot {jackpot} has no event of round {round_id} of {table}: verify the ledger.")
        return _RoundEffect(jackpot, mark, back.count_event, back)


def _refuse_if_claimed(state: JackpotState, back: RoundAftermath, table: str, round_id: str) -> None:
    """The claims of a round are decided before the round can be void."""
    if back.prior_claims.earlier:
        first = back.prior_claims.earlier[0]
        sentence = f"Round {round_id} of {table} was claimed on {state.id}"
        if first.claim and first.paid:
            raise CannotTabulate(f"{sentence}, and claim {first.claim} was paid: it can no longer be void.")
        raise CannotTabulate(f"{sentence}: it can be void only when nothing is won in it. {first.advice(state.id)}.")


def list_counted_jackpots(recorded: RoundTabulated | RoundCountedByHand) -> Iterator[str]:
    """The jackpots to which a recorded round contributed."""
    for wager in recorded.wagers:
        if wager.jackpot is not None and wager.count:
            yield wager.jackpot
