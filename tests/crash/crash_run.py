"""An evening with crashes: lives that end by violence until the script is done, and what must hold afterwards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, Final

from cardroom.chart_of_accounts import CENT, Account
from cardroom.ledger import Ledger, open_ledger, schema
from cardroom.room.user.command_ids import original_command_id
from cardroom.service import CardRoom
from cardroom.service.chains.names import HEADS_CHAIN
from cardroom.service.queries.site import list_gaming_days
from cardroom.service.verification.run import verify
from tests.crash.driver import acknowledged, sheet_of
from tests.crash.evening import Evening, Expected, done
from tests.crash.kill_points import KillPoint, Way, draw
from tests.crash.kill_report import noted
from tests.crash.model import Model
from tests.crash.process_pool import fault_of
from tests.crash.tally import ACKNOWLEDGED, KILLS, VERIFIED, count_life
from tests.examples import there_is_time

ROOT = Path(__file__).parents[2]
KILLED = (signal.SIGKILL, signal.SIGXFSZ)


class ProcessPool:
    """Lives of drivers: all of a call at the same time."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.process_pool"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self.is_ready = False

    def live(self, url: str, lives: Mapping[Path, KillPoint | None]) -> dict[Path, bool]:
        """Whether the driver of each script was killed; if not, it came to the end of its script."""
        return {script: ended != 0 for script, ended in self.ends(url, lives).items()}

    def ends(self, url: str, lives: Mapping[Path, KillPoint | None]) -> dict[Path, int]:
        """The signal that killed the driver of each script; 0 if it came to the end of its script."""
        if not self.is_ready:
            assert self._line() == "ready\n"
            self.is_ready = True
        asked = [
            {"url": url, "script": str(script), "acknowledgements": str(acknowledgements_of(script))}
            | {"kill_point": kill_point.entry() if kill_point else None}
            for script, kill_point in lives.items()
        ]
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        ended = json.loads(self._line())
        for script, one in zip(lives, ended, strict=True):
            assert one.get("signal", signal.SIGKILL) in KILLED, f"A driver died by itself: {one}"
            assert one.get("code", 0) == 0, fault_of(script).read_text()
        return {script: one.get("signal", 0) for script, one in zip(lives, ended, strict=True)}

    def _line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()
        self.process.wait()


def fresh_life(url: str, script: Path, kill_point: KillPoint | None) -> bool:
    """A driver that is started as a program of its own; whether it was killed. By the clock it may happen at any time
    after its start."""
    result = [
        url,
        str(script),
        str(acknowledgements_of(script)),
        json.dumps(kill_point.entry() if kill_point else None),
    ]
    driver = subprocess.Popen([sys.executable, "-m", "tests.crash.driver", *result], cwd=ROOT)
    if kill_point is not None and kill_point.way is Way.CLOCK:
        with suppress(subprocess.TimeoutExpired):
            driver.wait(0.5 + kill_point.number / 6_000)
        driver.kill()
    ended = driver.wait()
    assert ended == 0 or -ended in KILLED, f"The driver ended with {ended}."
    return ended != 0


def acknowledgements_of(script: Path) -> Path:
    return script.with_suffix(".told")


def write_script(folder: Path, expected: Sequence[Expected], name: str = "evening") -> Path:
    script = folder / f"{name}.script"
    script.write_text("".join(json.dumps(one.command) + "\n" for one in expected))
    return script


def kill_points(seed: int, url: str, within: int = 8) -> Iterator[KillPoint]:
    """The deaths of an evening, one for each life."""
    random = Random(f"dooms of {seed}")
    while True:
        yield draw(random, url.startswith("sqlite"), within)


def endure(
    pool: ProcessPool, url: str, scripts: Sequence[Path], seed: int, kills: int, within: int = 8
) -> Counter[str]:
    """Live through scripts, side by side, with so many kills at most, then to their ends; the tally of all lives."""
    tally, left, coming = Counter[str](), list(scripts), kill_points(seed, url, within)
    while left:
        lives = {script: next(coming) if tally[KILLS] < kills else None for script in left}
        ended = pool.ends(url, lives)
        for script, kill_point in lives.items():
            count_life(tally, ended[script], kill_point.way if kill_point else None, noted(sheet_of(script)))
        left = [script for script, signal in ended.items() if signal]
    return tally


def run_evening_with_kills(
    pool: ProcessPool, url: str, folder: Path, seed: int, commands: int, kills: int, within: int = 8
) -> Counter[str]:
    """An evening of so many commands with so many kills at most; what was counted."""
    evening = Evening(seed)
    expected = evening.commands(commands)
    script = write_script(folder, expected)
    tally = endure(pool, url, [script], seed, kills, within)
    check_answers(expected, script)
    check_ledger(url, evening.model, list(done(expected)))
    tally[ACKNOWLEDGED] += len(expected)
    tally[VERIFIED] += 1
    return tally


# What must hold.


def check_answers(expected: Sequence[Expected], script: Path) -> None:
    """Every command was acknowledged once, and answered as the model says, meter by meter."""
    result = acknowledged(acknowledgements_of(script))
    assert [one["id"] for one in result] == [one.command["id"] for one in expected]
    for one, ack in zip(expected, result, strict=True):
        if one.answer is None:
            assert "refused" in ack, f"{one.command} had to be refused, but was answered {ack}."
        else:
            assert "answer" in ack, f"{one.command} was refused: {ack['refused']}"
            assert differs(one.answer, ack["answer"]) is None, f"{one.command}: {differs(one.answer, ack['answer'])}"


def check_ledger(url: str, model: Model, stored: Sequence[str]) -> None:
    """Nothing lost, nothing doubled, debits = credits, chains whole, meters = replay = model."""
    report = verify(url)
    assert report.is_consistent, report.discrepancy
    with open_ledger(url) as ledger:
        assert stored_commands(ledger) == sorted(stored)
        assert CardRoom(ledger).heads.read_logged().wrong == ()
        debits, credits = sums(ledger)
        assert sum(debits.values()) == sum(credits.values())
        assert {str(account): amount for account, amount in ledger.balances().items() if amount} == model.balances()
        card_room = CardRoom(ledger)
        assert set(card_room.list_jackpots()) == set(model.jackpots)
        assert set(card_room.list_tabulators()) == set(model.tables)
        for id in model.jackpots:
            _check_jackpot(card_room, model, id)
        for id in model.tables:
            _check_table(card_room, model, id)
        _check_days(card_room, model)


def stored_commands(ledger: Ledger) -> list[str]:
    """Those of the evening; the program signs heads for itself, as often as it was killed on the way."""
    with ledger.store.read() as now:
        ids = [original_command_id(row[0]) for row in now.rows(schema.commands)]
    return sorted(id for id in ids if not id.startswith(f"{HEADS_CHAIN}/"))


def sums(ledger: Ledger) -> tuple[dict[Account, int], dict[Account, int]]:
    """Debits and credits, added up from the entries."""
    debits: dict[Account, int] = {}
    credits: dict[Account, int] = {}
    for entry in ledger.entries():
        debits[entry.debit] = debits.get(entry.debit, 0) + entry.amount
        credits[entry.credit] = credits.get(entry.credit, 0) + entry.amount
    return debits, credits


def _check_jackpot(card_room: CardRoom, model: Model, id: str) -> None:
    jackpot, state = model.jackpots[id], card_room.jackpot(id)
    assert [meter.name for meter in state.meters] == list(jackpot.levels)
    for meter in state.meters:
        level = jackpot.levels[meter.name]
        held, terms = level.held, level.terms
        assert (meter.display, meter.reserve, meter.overflow) == (held.display, held.reserve, held.overflow)
        assert (meter.pending, meter.seed_owed) == (held.pending_amount, held.seed_owed)
        now = meter.parameters
        assert (now.contribution, now.reserve, now.seed, now.ceiling, now.minimum) == (
            terms.rate,
            terms.saved,
            terms.seed,
            terms.ceiling,
            terms.minimum,
        )
        if jackpot.is_progressive:  # nothing is lost to rounding
            assert Fraction(meter.carry, meter.over) == level.exact % 1
            assert Fraction(meter.reserve_carry, meter.reserve_over) == level.exact_saved % 1
    assert {one.level for one in state.waiting} == {one.name for one in jackpot.levels.values() if one.later}
    assert [claim.id for claim in state.claims] == [claim.id for claim in jackpot.claims]
    for claim, pending in zip(state.claims, jackpot.claims, strict=True):
        assert {prize.seat: prize.cents for prize in claim.prizes} == jackpot.prizes(pending)
    assert (state.escrow, state.undeposited, state.owed) == (jackpot.escrow, jackpot.undeposited, jackpot.owed)
    assert state.cage_advance == jackpot.cage_advance
    assert state.escrow % CENT == 0  # a bank knows whole cents
    assert state.order == jackpot.order
    assert (state.unavailability is None) == jackpot.is_available


def _check_table(card_room: CardRoom, model: Model, id: str) -> None:
    table, state = model.tables[id], card_room.tabulator(id).tabulator
    assert list(state.counters) == table.counters
    assert list(card_room.tabulator(id).jackpots) == table.jackpots
    assert (bool(card_room.tabulator(id).closed), state.unit, state.table.location) == (
        table.closed,
        table.unit,
        table.location,
    )
    tallies = [(one.counted, one.by_hand, one.taken_back) for one in state.tallies]
    assert tallies == [(one.counted, one.by_hand, one.taken_back) for one in table.sensors]
    voided = table.voided | {f"reading {id}" for id in table.taken_back}
    assert (state.broken is not None, state.voided) == (table.broken, frozenset(voided))
    assert (state.logger.number if state.logger else 0) == table.records


def _check_days(card_room: CardRoom, model: Model) -> None:
    room = card_room.room()
    assert (room.days.open, room.days.closed) == (model.day, model.last_day)
    assert [one.number for one in room.reports] == list(model.reports)
    closed = [day.closed.event for day in list_gaming_days(card_room.ledger) if day.closed is not None]
    stood = {one.day: {at.jackpot: tuple(at)[3:] for at in one.jackpots} for one in closed}
    assert stood == model.stood


def differs(expected: Any, found: Any, where: str = "the answer") -> str | None:
    """The first thing that was expected and not found; more than was expected may be there."""
    if isinstance(expected, dict):
        missing = [name for name in expected if name not in found]
        if missing:
            return f"{where} has no {missing[0]}"
        parts = [(f"{where}, {name}", expected[name], found[name]) for name in expected]
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        parts = [(f"{where}, {n}", one, other) for n, (one, other) in enumerate(zip(expected, found, strict=True), 1)]
    else:
        return None if expected == found else f"{where}: expected was {expected!r}, Found: {found!r}"
    return next((result for at, one, other in parts if (result := differs(one, other, at))), None)


EVERYDAY_SEED: Final = 20261117


def seed_of_today() -> int:
    """The same every day, and a new one each time when there is time, unless ``CARDROOM_CRASH_SEED`` asks for one."""
    asked = os.environ.get("CARDROOM_CRASH_SEED")
    if asked:
        return int(asked)
    return int.from_bytes(os.urandom(4), "big") if there_is_time() else EVERYDAY_SEED
