"""A process that carries out an evening's commands on a card room, and acknowledges each once it is answered.

Started again after a crash it goes on with the first command that was not acknowledged, under the same id:

    python -m tests.crash.driver URL SCRIPT ACKNOWLEDGEMENTS [DOOM]

The script has a command in JSON on each line, and the acknowledgements get a line for each. A line without an end was
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
from tests.crash.kill_points import Killer, KillPoint, Way
from tests.crash.kill_report import Sheet
from tests.crash.script_inputs import ScriptInputs, SharedClock
from tests.crash.tables.table_commands import carry_out as carry_out_at_a_table
from tests.crash.tables.table_commands import is_stored
from tests.deadline import Deadline

LAST = 12
"""Acknowledged commands that are looked for at the beginning of a life: more than most lives acknowledge."""
CLOCK = "clock"
"""The file of the clock that the drivers of all scripts in a folder share."""
"""Seconds for which a command is sent again to a database that cannot take it."""


def acknowledged(path: Path) -> list[dict[str, Any]]:
    """What was acknowledged, in the order of the script."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [json.loads(line) for line in lines]


def live(
    url: str,
    script: Path,
    acknowledgements: Path,
    kill_point: KillPoint | None = None,
    beginning: int | None = None,
    sheet: Sheet | None = None,
) -> int:
    """Go on with a script to its end; how many times the database could not take a command. ``beginning`` is a pipe
    that is shown when each command begins; on the sheet stands what it is in the middle of."""
    commands = [json.loads(line) for line in script.read_bytes().splitlines()]
    done = acknowledged(acknowledgements)
    _drop_what_was_cut_short(acknowledgements)
    inputs, unavailable = ScriptInputs(SharedClock(script.parent / CLOCK)), 0
    killer = Killer(kill_point, url, sheet)
    killer.begins(0)
    with open_ledger(url, inputs.clock) as ledger, acknowledgements.open("ab", buffering=0) as file:
        card_room = CardRoom(ledger, inputs.clock, inputs.key)
        _refuse_to_go_on_without(card_room, commands, done)
        unavailable += _send_again(card_room, inputs, commands, done, killer)
        for number, command in enumerate(commands[len(done) :], 1):
            if beginning is not None:
                os.write(beginning, b"%d\n" % number)
            killer.begins(number)
            killer.settled()
            answer, failures = answer_of(card_room, inputs, command)
            unavailable += failures
            killer.stored()
            file.write(json.dumps(answer).encode() + b"\n")
            killer.settled()
    return unavailable


def sheet_of(script: Path) -> Path:
    """Where the driver of a script notes what it is in the middle of."""
    return script.with_suffix(".sheet")


def _drop_what_was_cut_short(acknowledgements: Path) -> None:
    if acknowledgements.exists():
        whole = acknowledgements.read_bytes()
        os.truncate(acknowledgements, whole.rfind(b"\n") + 1)


def answer_of(card_room: CardRoom, inputs: ScriptInputs, command: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """The answer, or the sentence of a refusal; and how often it had to be sent again."""
    failures, deadline = 0, Deadline()
    inputs.command, carried_out = command, carry_out_at_a_table if "time" in command else carry_out
    while True:
        try:
            return {"id": command["id"], "answer": carried_out(card_room, command)}, failures
        except BadInput as fault:
            return {"id": command["id"], "refused": str(fault)}, failures
        except LedgerUnavailable:
            failures += 1
            deadline.check("the database")
            time.sleep(0.05)  # cannot fail: it is sent again


def _refuse_to_go_on_without(card_room: CardRoom, commands: list[dict[str, Any]], done: list[dict[str, Any]]) -> None:
    """What was acknowledged last is in the books before anything is sent again: that would put it there."""
    answered = [number for number, one in enumerate(done) if "answer" in one]
    for number in answered[-LAST:]:
        if not is_stored(card_room, commands[number], done[number]["answer"]):
            raise AssertionError(f"{commands[number]} was acknowledged, and is lost: {done[number]}.")


def _send_again(
    card_room: CardRoom,
    inputs: ScriptInputs,
    commands: list[dict[str, Any]],
    done: list[dict[str, Any]],
    killer: Killer,
) -> int:
    """Some commands that were carried out: they get their first answer again, and nothing changes. What was refused
    is left alone, because by now it might be allowed; and no user sends what a clock decides."""
    carried_out = [number for number, one in enumerate(done) if "answer" in one and commands[number]["do"] != "clock"]
    unavailable = 0
    for number in carried_out[-1:] + carried_out[len(carried_out) // 2 :: len(commands)]:
        again, failures = answer_of(card_room, inputs, commands[number])
        unavailable += failures
        killer.note(again=1)
        if again != done[number]:
            raise AssertionError(f"Sent again, {commands[number]} was answered {again}, but at first {done[number]}.")
    return unavailable


def main(url: str, script: str, acknowledgements: str, kill_point: str = "null") -> None:
    file, sheet = json.loads(kill_point), Sheet(sheet_of(Path(script)))
    read = KillPoint(**file | {"way": Way(file["way"])}) if file else None
    live(url, Path(script), Path(acknowledgements), read, sheet=sheet)


if __name__ == "__main__":
    main(*sys.argv[1:])
