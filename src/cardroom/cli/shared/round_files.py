"""Files of exported rounds: a round a line, or one document."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import orjson

from cardroom.cli.shared.new_file import NoNewFile, refuse_if_there
from cardroom.floor.kept.round_search import AnyRound
from cardroom.private_files import open_private_file

STANDARD_OUTPUT: Final = "-"


def write_rounds(rounds: Iterable[AnyRound], output: str) -> int:
    """Write rounds as they are read, so that a million of them needs no more memory than one; how many there were."""
    if output == STANDARD_OUTPUT:
        return _written(sys.stdout.buffer.write, _lines(rounds))
    path = Path(output)
    refuse_if_there(path)
    pieces = _document(rounds) if path.suffix == ".json" else _lines(rounds)
    try:
        with open_private_file(path, "xb") as file:
            return _written(file.write, pieces)
    except OSError as fault:
        raise NoNewFile(f"{path} cannot be written: {fault.strerror or fault}.") from None


def _lines(rounds: Iterable[AnyRound]) -> Iterator[tuple[bytes, int]]:
    for one in rounds:
        yield orjson.dumps(one.entry(), option=orjson.OPT_APPEND_NEWLINE), 1


def _document(rounds: Iterable[AnyRound]) -> Iterator[tuple[bytes, int]]:
    before = b'{"rounds": [\n'
    for one in rounds:
        yield before + orjson.dumps(one.entry()), 1
        before = b",\n"
    yield (b"\n]}\n" if before == b",\n" else before + b"]}\n"), 0


def _written(write: Callable[[bytes], object], pieces: Iterable[tuple[bytes, int]]) -> int:
    count = 0
    for piece, rounds in pieces:
        write(piece)
        count += rounds
    return count
