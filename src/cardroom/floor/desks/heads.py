"""Heads of all chains go out of the house with every day's close, and can be sent again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.kept.chains import ROOM
from cardroom.floor.kept.outside import (
    FoundHeads,
    Outside,
    Unreadable,
    carry_away,
    fallen_words,
    file_of,
    folder_of,
    heads_in,
    in_their_order,
)
from cardroom.jackpots import read_as, written
from cardroom.jackpots.happenings import HeadsSent
from cardroom.jackpots.people import named
from cardroom.jackpots.room.days import CannotKeepDay
from cardroom.jackpots.room.state import OutsideHeads
from cardroom.jackpots.setup.calendar import Time
from cardroom.ledger import BadHeads, Json
from cardroom.ledger.export import made_at


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
        """All heads outside that can be read, held against the books: a later one does not hide an older one."""
        state = self.room()
        last = state.outside
        file = file_of(last) if last is not None else None
        folders = [file.parent] if file is not None else []
        folders += [folder_of(state.settings)] if state.settings.heads_folder else []
        found, unreadable = list[FoundHeads](), list[Unreadable]()
        for folder in dict.fromkeys(folders):
            try:
                found += heads_in(folder)
            except OSError as fault:
                unreadable.append(Unreadable(str(folder), fault.strerror or str(fault)))
        seen = {one.file for one in found} | {Path(one.folder) for one in unreadable}
        missing = str(file) if file is not None and seen.isdisjoint((file, file.parent)) else ""
        outside = Outside(missing=missing, unreadable=tuple(unreadable), files=len(found))
        return self._held_against(outside, found, last)

    def _held_against(self, outside: Outside, found: Sequence[FoundHeads], last: OutsideHeads | None) -> Outside:
        """What the books say to the heads that were found; of those that went out last and were not, what they say."""
        wrong, newest = list[str](), None
        ordered = in_their_order(found)
        for one, findings in zip(ordered, self.ledger.check_many_heads(each.document for each in ordered), strict=True):
            if isinstance(findings, BadHeads):
                wrong.append(fallen_words(one, str(findings), self.calendar))
                continue
            newest = one
            if findings:
                more = f" And {len(findings) - 1} more." if len(findings) > 1 else ""
                wrong.append(fallen_words(one, f"{findings[0].sentence}{more}", self.calendar))
        if newest is not None:
            outside = outside._replace(where=str(newest.file), time=made_at(newest.document), checked=True)
        elif last is not None and not outside.missing:
            outside = outside._replace(where=last.where, time=last.time)
        return outside._replace(wrong=tuple(wrong))


def _read(entry: Any) -> HeadsOut:
    return read_as(HeadsOut, entry)
