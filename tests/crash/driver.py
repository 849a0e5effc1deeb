"""A process that carries out an evening's deeds on a floor, and acknowledges each once it is answered.

Started again after a crash it goes on with the first deed that was not acknowledged, under the same id:

    python -m tests.crash.driver URL SCRIPT ACKNOWLEDGEMENTS [DOOM]

The script has a deed in JSON on each line, and the acknowledgements get a line for each. A line without an end was
never written.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from cardroom.errors import BadInput
from cardroom.ledger import LedgerUnavailable, open_ledger
from cardroom.service import CardRoom
from tests.crash.commands import carry_out
from tests.crash.hand import Hand, SharedClock
from tests.crash.kill_points import Doom, Fate, Way
from tests.crash.kill_report import Sheet
from tests.crash.tables.deeds import carry_out as carry_out_at_a_table
from tests.crash.tables.deeds import is_stored
from tests.deadline import Deadline

LAST = 12
"""Acknowledged commands that are looked for at the beginning of a life: more than most lives acknowledge."""
CLOCK = "clock"
"""The file of the clock that the drivers of all scripts in a folder share."""
"""Seconds for which a deed is sent again to a database that cannot take it."""


def acknowledged(path: Path) -> list[dict[str, Any]]:
    """What was acknowledged, in the order of the script."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


def live(
    url: str,
    script: Path,
    acknowledgements: Path,
    doom: Doom | None = None,
    beginning: int | None = None,
    sheet: Sheet | None = None,
) -> int:
    """Go on with a script to its end; how many times the database could not take a deed. ``beginning`` is a pipe that
    is told when each command begins; on the sheet stands what it is in the middle of."""
    deeds = [json.loads(line) for line in script.read_bytes().splitlines()]
    done = acknowledged(acknowledgements)
    _drop_what_was_cut_short(acknowledgements)
    hand, unavailable = Hand(SharedClock(script.parent / CLOCK)), 0
    fate = Fate(doom, url, sheet)
    fate.begins(0)
    with open_ledger(url, hand.clock) as ledger, acknowledgements.open("ab", buffering=0) as told:
        floor = CardRoom(ledger, hand.clock, hand.key)
        _refuse_to_go_on_without(floor, deeds, done)
        unavailable += _send_again(floor, hand, deeds, done, fate)
        for number, deed in enumerate(deeds[len(done) :], 1):
            if beginning is not None:
                os.write(beginning, b"%d\n" % number)
            fate.begins(number)
            fate.settled()
            answer, failures = answer_of(floor, hand, deed)
            unavailable += failures
            fate.stored()
            told.write(json.dumps(answer).encode() + b"\n")
            fate.settled()
    return unavailable


def sheet_of(script: Path) -> Path:
    """Where the driver of a script notes what it is in the middle of."""
    return script.with_suffix(".sheet")


def _drop_what_was_cut_short(acknowledgements: Path) -> None:
    if acknowledgements.exists():
        whole = acknowledgements.read_bytes()
        os.truncate(acknowledgements, whole.rfind(b"\n") + 1)


def answer_of(floor: CardRoom, hand: Hand, deed: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """The answer, or the sentence of a refusal; and how often it had to be sent again."""
    failures, deadline = 0, Deadline()
    hand.deed, carried_out = deed, carry_out_at_a_table if "time" in deed else carry_out
    while True:
        try:
            return {"id": deed["id"], "answer": carried_out(floor, deed)}, failures
        except BadInput as fault:
            return {"id": deed["id"], "refused": str(fault)}, failures
        except LedgerUnavailable:
            failures += 1
            deadline.check("the database")
            time.sleep(0.05)  # cannot fail: it is sent again


def _refuse_to_go_on_without(floor: CardRoom, deeds: list[dict[str, Any]], done: list[dict[str, Any]]) -> None:
    """What was acknowledged last is in the books before anything is sent again: that would put it there."""
    answered = [number for number, one in enumerate(done) if "answer" in one]
    for number in answered[-LAST:]:
        if not is_stored(floor, deeds[number], done[number]["answer"]):
            raise AssertionError(f"{deeds[number]} was acknowledged, and is lost: {done[number]}.")


def _send_again(
    floor: CardRoom, hand: Hand, deeds: list[dict[str, Any]], done: list[dict[str, Any]], fate: Fate
) -> int:
    """Some commands that were carried out: they get their first answer again, and nothing changes. What was refused
    is left alone, because by now it might be allowed; and nobody sends what a clock decides."""
    carried_out = [number for number, one in enumerate(done) if "answer" in one and deeds[number]["do"] != "clock"]
    unavailable = 0
    for number in carried_out[-1:] + carried_out[len(carried_out) // 2 :: len(deeds)]:
        again, failures = answer_of(floor, hand, deeds[number])
        unavailable += failures
        fate.note(again=1)
        if again != done[number]:
            raise AssertionError(f"Sent again, {deeds[number]} was answered {again}, but at first {done[number]}.")
    return unavailable


def main(url: str, script: str, acknowledgements: str, doom: str = "null") -> None:
    told, sheet = json.loads(doom), Sheet(sheet_of(Path(script)))
    read = Doom(**told | {"way": Way(told["way"])}) if told else None
    live(url, Path(script), Path(acknowledgements), read, sheet=sheet)


if __name__ == "__main__":
    main(*sys.argv[1:])
