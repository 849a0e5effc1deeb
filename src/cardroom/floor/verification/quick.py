"""The two events of every round, replayed in a hurry.

Nearly all events are rounds that were tabulated and wagers that were counted. Here they are checked with plain numbers,
without making a state, a happening and postings for each. Whatever is not beyond doubt is left to the rules proper,
which come to the same result or say what is wrong; a test holds the two to each other.
"""

from __future__ import annotations

from typing import Any

from cardroom.accounts import Account, AccountKind
from cardroom.floor.kept.table import TableState
from cardroom.jackpots import Happening, JackpotKind
from cardroom.jackpots.meter.state import JackpotState, Meter
from cardroom.jackpots.tabulator import replay as tabulator
from cardroom.jackpots.tabulator.state import Tally
from cardroom.jackpots.tabulator.unit import TABULATED

Lines = list[tuple[str, str, int]]
Payload = dict[str, Any]
_CASH = str(Account(AccountKind.HOUSE_CASH, "house"))


class RunningMeter:
    """A progressive with one level between two other events."""

    def __init__(self, state: JackpotState) -> None:
        (meter,) = state.meters
        self._state, self._meter = state, meter
        self._least, self._ceiling = meter.parameters.minimum, meter.parameters.ceiling
        self._display, self._reserve, self._carry, self._reserve_carry = (
            meter.display,
            meter.reserve,
            meter.carry,
            meter.reserve_carry,
        )
        self._counted, self._wagered = state.counted, state.wagered
        owner = f"{state.id}/{meter.name}"
        self._display_account = str(Account(AccountKind.DISPLAY, owner))
        self._reserve_account = str(Account(AccountKind.RESERVE, owner))
        self._funding = str(Account(AccountKind.UNDEPOSITED, state.id))
        self._receipts: dict[str, str] = {}

    @classmethod
    def of(cls, state: JackpotState | None) -> RunningMeter | None:
        """Where counted wagers change nothing but one meter: claims that are pending remember what comes in."""
        if state is None or state.kind is not JackpotKind.PROGRESSIVE or state.claims or len(state.meters) != 1:
            return None
        return cls(state)

    def take(self, payload: Payload, lines: Lines) -> bool:
        """Whether the wagers were counted as they should be; if so, they are on the meter."""
        meter = self._meter
        amount, levels = payload["amount"], payload["levels"]
        if len(levels) != 1 or payload["jackpot"] != self._state.id or payload["wagers"][0][0] < self._least:
            return False
        before, shown, reserved, spilt, carry, reserve_carry = levels[meter.name]
        display = before + shown
        if (
            spilt
            or before != self._display
            or shown < 0
            or amount * meter.step + self._carry != shown * meter.over + carry
            or amount * meter.reserve_step + self._reserve_carry != reserved * meter.reserve_over + reserve_carry
            or not 0 <= carry < meter.over
            or not 0 <= reserve_carry < meter.reserve_over
            or (self._ceiling is not None and display > self._ceiling)
        ):
            return False
        table = payload["table"]
        receipts = self._receipts.get(table)
        if receipts is None:
            receipts = self._receipts[table] = str(Account(AccountKind.GROSS_RECEIPTS, table))
        booked = [(receipts, self._display_account, shown)] if shown else []
        if reserved:
            booked.append((receipts, self._reserve_account, reserved))
        if booked:
            booked.append((self._funding, _CASH, shown + reserved))
        if booked != lines:
            return False
        self._display, self._carry, self._reserve_carry = display, carry, reserve_carry
        self._reserve += reserved
        self._counted += payload["count"]
        self._wagered += amount
        return True

    @property
    def state(self) -> JackpotState:
        """The jackpot as it stands now."""
        meter, state = self._meter, self._state
        gained = self._display - meter.display + self._reserve - meter.reserve
        now: Meter = meter._replace(
            display=self._display,
            reserve=self._reserve,
            carry=self._carry,
            reserve_carry=self._reserve_carry,
            contributed=meter.contributed + gained,
        )
        return state._replace(
            meters=(now,), undeposited=state.undeposited + gained, counted=self._counted, wagered=self._wagered
        )


class RunningTally:
    """A table between two other events: only the last round and how many wagers there were are remembered."""

    def __init__(self, state: TableState) -> None:
        self._state = state
        self._id = state.id
        self._wagers = len(state.tabulator.table.wagers)
        self._counters = list(state.tabulator.counters)
        self._last: Payload | None = None
        self._tray = str(Account(AccountKind.CHIP_TRAY, self._id))
        self._receipts = str(Account(AccountKind.GROSS_RECEIPTS, self._id))

    def take(self, payload: Payload, lines: Lines) -> bool:
        """Whether the round was recorded as it should be; if so, it counts."""
        wagers = payload["wagers"]
        if len(wagers) != self._wagers or payload["table"] != self._id or "record" in payload:
            return False
        collected = 0
        for counter, wager in zip(self._counters, wagers, strict=True):
            if wager["counter"] != counter + wager["count"]:
                return False
            if wager["collected"]:
                for each, number in wager["stakes"]:
                    collected += each * number
        if lines != ([(self._tray, self._receipts, collected)] if collected else []):
            return False
        self._counters = [wager["counter"] for wager in wagers]
        self._last = payload
        return True

    @property
    def state(self) -> TableState:
        """The table as it stands now: all rounds but the last are tallied, and the rules add the last."""
        if self._last is None:
            return self._state
        before = self._state.tabulator
        tallies = tuple(
            Tally(tally.counted + wager["counter"] - wager["count"] - first, tally.by_hand, tally.taken_back)
            for tally, wager, first in zip(before.tallies, self._last["wagers"], before.counters, strict=True)
        )
        last = Happening(TABULATED, 1, self._last)
        return self._state._replace(tabulator=tabulator.apply(before._replace(tallies=tallies), last))
