"""People on the card room, who look at what holds a device up and do what the sentence asks for."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from types import TracebackType

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.service.staff import Both

COUNTER = re.compile(r"as it was before that round \(([\d ]+)\)")
LOGGER_COUNTER = re.compile(r"the counter of (\S+) shows ([\d,]+), but ([\d,]+) wagers")


class FloorStaff(AbstractContextManager["FloorStaff"]):
    """Rosa and Lee come when a device says that it waits for people."""

    def __init__(self, database: str, device: str) -> None:
        self._ledger, self._device = open_ledger(database), device
        self._card_room = CardRoom(self._ledger)
        self.result: list[str] = []
        """What the device said."""
        self.heard: list[str] = []
        """What held the device up when they came."""

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._ledger.close()

    def come(self, result: str) -> None:
        """Do what is asked for, before the device tries again."""
        card_room, stands = self._card_room, self._card_room.get_device(self._device)
        number, table = len(self.heard) + 1, stands.table
        assert stands.held_up is not None, result
        why = stands.held_up.why
        self.result.append(result)
        self.heard.append(why)
        if said := COUNTER.search(why):
            counters = [int(text) for text in said[1].split()]
        elif said := LOGGER_COUNTER.search(why):
            (known,) = card_room.tabulator(table).tabulator.counters
            shows, follows = (int(text.replace(",", "")) for text in said.groups()[1:])
            counters = [known + shows - follows]
        else:
            assert stands.held_up.gap is not None, why
            Both(card_room).accept_logger_gap(f"gap {number}", "rosa", self._device, "the memory was wet", second="lee")
            return
        Both(card_room).read_counter(f"reading {number}", "rosa", table, counters, second="lee", why="it was looked at")
