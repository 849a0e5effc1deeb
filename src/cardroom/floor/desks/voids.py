"""Void rounds: every wager goes back (BJ-7), and what the round put on the meters is taken off again (BJ-18).

A level on which something was paid since has paid the money out, so nothing is taken off it. Where a claim stands
behind the round, the claim remembers it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cardroom.floor.desks.answers import RoundCounted, round_counted, round_counted_entry
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.linked import CountsItself, LinkedDesk, Mark, mark_of, shown_at, still_changing
from cardroom.floor.kept.chains import ROOM
from cardroom.floor.kept.recall import BackToARound, back_to_round, recorded_round
from cardroom.jackpots import take_back
from cardroom.jackpots.happenings import CountedByHand, RoundTabulated, WagersCounted
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.room.reports import open_report
from cardroom.jackpots.tabulator.unit import CannotTabulate, void_round
from cardroom.ledger import Command, Json


@dataclass(frozen=True, slots=True)
class _CameIn:
    """What a round brought a jackpot, and what became of it."""

    jackpot: str
    mark: Mark
    """Of the jackpot when this was looked up."""
    counted: WagersCounted
    back: BackToARound


class VoidDesk(LinkedDesk):
    """Rounds are declared void."""

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
    ) -> RoundCounted:
        """Declare a round void, as after a malfunction of the shuffler; two people do. A report that
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
            recorded = self._recorded(table, round_id)
            came_in = [self._came_in(jackpot, table, round_id) for jackpot in brought(recorded)]

            def decide(draft: Draft) -> Json:
                before = self._linked(draft, table)
                if recorded.automatic:
                    raise CountsItself(
                        f"Round {round_id} was dealt by the automatic table {table}: it is called off there while it "
                        "is played, or it stands."
                    )
                number = "" if report is None else open_report(draft.room().reports, report).number
                (voided,) = void_round(
                    before.tabulator, round_id, by=who, second=second, reason=reason, recorded=recorded, report=number
                )
                after = draft.at_table(table, (voided,))
                self._take_back(draft, table, round_id, came_in, who, second, reason)
                counts = {one.wager: -one.count for one in voided.wagers}
                return round_counted_entry(after, round_id, counts, shown_at(draft, after))

            chains = () if report is None else (ROOM,)
            return self._at_linked(id, table, body, decide, *(one.jackpot for one in came_in), chains=chains)

        return self._steady(command, round_counted, table)

    def _take_back(
        self,
        draft: Draft,
        table: str,
        round_id: str,
        came_in: Sequence[_CameIn],
        who: str,
        second: str | None,
        reason: str,
    ) -> None:
        """What a void round put on the meters comes off again."""
        for one in came_in:
            state = draft.jackpot(one.jackpot)
            if mark_of(state) != one.mark:
                raise still_changing(table)
            _refuse_if_claimed(state, one.back, table, round_id)
            back = take_back(state, one.counted, one.back.since, who=who, second=second, why=reason)
            draft.at_jackpot(one.jackpot, back)

    def _recorded(self, table: str, round_id: str) -> RoundTabulated | CountedByHand:
        """The round as it was recorded."""
        self.table(table)
        recorded = recorded_round(self.ledger, table, round_id)
        if recorded is None:
            raise CannotTabulate(f"Round {round_id} was not counted at {table}: check its id.")
        return recorded.counted

    def _came_in(self, jackpot: str, table: str, round_id: str) -> _CameIn:
        mark, back = mark_of(self.jackpot(jackpot)), back_to_round(self.ledger, jackpot, table, round_id)
        if back.counted is None:
            raise CannotTabulate(f"Jackpot {jackpot} never heard of round {round_id} of {table}: verify the ledger.")
        return _CameIn(jackpot, mark, back.counted, back)


def _refuse_if_claimed(state: JackpotState, back: BackToARound, table: str, round_id: str) -> None:
    """What was won in a round is decided before the round can be void."""
    if back.claimed.earlier:
        first = back.claimed.earlier[0]
        told = f"Round {round_id} of {table} was claimed on {state.id}"
        if first.claim and first.paid:
            raise CannotTabulate(f"{told}, and claim {first.claim} was paid: it cannot be void any more.")
        raise CannotTabulate(f"{told}: it can be void only when nothing is won in it. {first.advice(state.id)}.")


def brought(recorded: RoundTabulated | CountedByHand) -> Iterator[str]:
    """The jackpots that a recorded round brought wagers."""
    for wager in recorded.wagers:
        if wager.jackpot is not None and wager.count:
            yield wager.jackpot
