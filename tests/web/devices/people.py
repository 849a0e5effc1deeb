"""People on the floor, who look at what holds a device up and do what the sentence asks for."""

from __future__ import annotations

import re
import threading
from types import TracebackType

from cardroom.floor import Floor
from cardroom.ledger import open_ledger
from tests.floor.staff import QUICK, Both

COUNTER = re.compile(r"cardroom jackpot counter (\S+) ([\d ]+)\)")
LOGGER_COUNTER = re.compile(r"the counter of (\S+) shows ([\d,]+), but ([\d,]+) wagers")


class People:
    """Rosa and Lee come when a device is held up for longer than a moment."""

    def __init__(self, database: str, device: str) -> None:
        self._database, self._device = database, device
        self._home = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.heard: list[str] = []
        """What held the device up when they came."""

    def __enter__(self) -> People:
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._home.set()
        self._thread.join()

    def _look(self) -> None:
        with open_ledger(self._database) as ledger:
            floor, before = Floor(ledger), ""
            floor.hasher = QUICK
            while not self._home.wait(0.2):
                held_up = floor.device(self._device).held_up
                if held_up is None:
                    before = ""
                elif held_up.why != before:
                    before = held_up.why
                else:
                    self._act(floor, held_up.why)

    def _act(self, floor: Floor, why: str) -> None:
        number, table = len(self.heard) + 1, floor.device(self._device).table
        held_up = floor.device(self._device).held_up
        if why in self.heard:
            return
        self.heard.append(why)
        if told := COUNTER.search(why):
            counters = [int(one) for one in told[2].split()]
        elif told := LOGGER_COUNTER.search(why):
            (known,) = floor.table(table).tabulator.counters
            shows, follows = (int(one.replace(",", "")) for one in told.groups()[1:])
            counters = [known + shows - follows]
        else:
            assert held_up is not None
            assert held_up.gap is not None, why
            Both(floor).accept_gap(f"gap {number}", "rosa", self._device, "the memory was wet", second="lee")
            return
        Both(floor).read_counter(f"reading {number}", "rosa", table, counters, second="lee", why="it was looked at")
