"""A data logger's records on their way to the server."""

from __future__ import annotations

from typing import Final

from cardroom.floor.desks.rounds import RoundDesk
from cardroom.floor.kept.logger_file import LoggerFile
from cardroom.jackpots.contents import LoggerMark

TOGETHER: Final = 100
"""Records that are forwarded with one command."""


def forward(file: LoggerFile, floor: RoundDesk, who: str, table: str) -> int:
    """Forward all that waits to the server, which takes each record once; how many were forwarded.

    The same records make the same command, so what was sent before a crash may be sent again.
    """
    forwarded = 0
    while file.waiting:
        records = file.waiting[:TOGETHER]
        id = f"{file.logger.unit} {records[0].number}-{records[-1].number} {records[-1].seal}"
        taken = floor.take_records(id, who, table, records)
        file.acknowledge(LoggerMark(taken.number, taken.seal))
        forwarded += len(records)
    return forwarded
