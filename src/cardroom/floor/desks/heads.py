"""Heads of all chains go out of the house with every day's close, and can be sent again."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.kept.chains import ROOM
from cardroom.floor.kept.outside import Outside, carry_away, folder_of, newest_heads
from cardroom.jackpots import read_as, written
from cardroom.jackpots.happenings import HeadsSent
from cardroom.jackpots.people import named
from cardroom.jackpots.room.days import CannotKeepDay
from cardroom.jackpots.setup.calendar import Time
from cardroom.ledger import BadHeads, Json


class HeadsOut(NamedTuple):
    """Heads that went out."""

    day: date
    digest: str
    time: Time
    where: str


class HeadsDesk(Desk):
    """What lies outside tells whether somebody rewrote what lies here."""

    def send_heads(self, id: str, who: str) -> HeadsOut:
        """Send the heads of all chains to where the room's set-up says, and note that they went. They go out first: a
        note of heads that never went would be worse than heads that nobody noted."""
        sender = named(who, "name")
        if (before := self.ledger.carried(id)) is not None:
            return _read(before.answer)
        state = self.room()
        if state.days.closed is None:
            raise CannotKeepDay("Heads go out with the close of a day: none was closed yet (cardroom day close).")
        document = self.ledger.export_heads()
        where = carry_away(state.settings, state.days.closed, document)
        out = HeadsOut(state.days.closed, document["digest"], document["time"], where)

        def decide(draft: Draft) -> Json:
            draft.at_room((HeadsSent(sender, *out),))
            entry: dict[str, Json] = written(out)
            return entry

        return self._do(id, {"do": "send-heads", "who": who}, (ROOM,), decide, _read)

    def outside_heads(self) -> Outside:
        """The newest heads outside, held against the books where they can be read."""
        state = self.room()
        sent = state.outside
        if not state.settings.heads_folder:
            return Outside() if sent is None else Outside(sent.where, sent.time)
        found = newest_heads(folder_of(state.settings))
        gone = sent.where if sent is not None and not Path(sent.where).exists() else ""
        if found is None:
            return Outside(missing=gone)
        where = str(found.file)
        try:
            wrong = tuple(one.sentence for one in self.ledger.check_heads(found.document))
        except BadHeads as fault:
            return Outside(where, None, True, (f"{where}: {fault}",), gone)
        return Outside(where, int(found.document["time"]), True, wrong, gone)


def _read(entry: Any) -> HeadsOut:
    return read_as(HeadsOut, entry)
