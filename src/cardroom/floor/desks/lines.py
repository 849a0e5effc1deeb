"""Lines of a data logger that come over the network: what follows is counted, and the answer says how far that goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.readings import ReadingDesk
from cardroom.floor.desks.rounds import refuse_counted
from cardroom.floor.kept.table import open_at
from cardroom.jackpots import read_as, written
from cardroom.jackpots.contents import LoggerGap
from cardroom.jackpots.tabulator.logger import taken
from cardroom.jackpots.tabulator.sent_lines import read_sent, take_sent
from cardroom.ledger import Json


class LinesTaken(NamedTuple):
    """How far the lines of a data logger were taken: what the logger may let go of."""

    table: str
    number: int
    """Of the last record that is in the books."""
    seal: str
    """Its seal; empty where that record was lost and two people have accepted it."""
    rounds: tuple[str, ...]
    """The rounds that were new."""
    known: int
    """How many of the records were in the books before."""
    held_up: str
    """Why the others could not be taken; empty when there are none."""
    for_people: bool
    """Whether sending again does not help: people have to look at it."""
    gap: LoggerGap | None
    """Where two people may let the logger go on."""
    too_many: bool
    """Whether the table cannot have played so many rounds: two people accept or refuse them."""


class LineDesk(ReadingDesk):
    """What loggers forward themselves."""

    def take_lines(self, id: str, who: str, table: str, lines: Sequence[str], *, lost_up_to: int = 0) -> LinesTaken:
        """Take over the lines of a data logger as far as they follow on what is known; ``lost_up_to`` is
        the last record that the logger itself has no longer, 0 when it has all."""
        body: dict[str, Json] = {
            "do": "take-lines",
            "who": who,
            "table": table,
            "lines": list(lines),
            "lost_up_to": lost_up_to,
        }
        sent, pace = read_sent(lines), self._pace_of_records(table)

        def decide(draft: Draft) -> Json:
            state = self._dealt_by_people(open_at(self._linked(draft, table)))
            before = set[str]()

            def refuse(round_id: str) -> None:
                twice = before & {round_id}
                refuse_counted(draft, table, (*twice, round_id), lambda: self.calendar)
                before.add(round_id)

            take = take_sent(state.tabulator, sent, refuse, pace, lost_up_to=lost_up_to)
            after = draft.at_table(table, take.tabulated)
            self._count(draft, table, take.tabulated, late=True)
            mark = taken(after.tabulator)
            return {
                "table": table,
                "number": mark.number,
                "seal": mark.seal,
                "rounds": [one.round for one in take.tabulated],
                "known": take.known,
                "held_up": take.held_up,
                "for_people": take.for_people,
                "gap": written(take.gap) if take.gap else None,
                "too_many": take.too_many,
            }

        rounds = {record.round for record in sent.records}
        return self._steady(lambda: self._at_linked(id, table, body, decide, rounds=rounds), _lines_taken, table)


def _lines_taken(entry: Any) -> LinesTaken:
    return read_as(LinesTaken, entry)
