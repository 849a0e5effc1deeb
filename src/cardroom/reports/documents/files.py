"""Files are written completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from cardroom.errors import BadInput
from cardroom.private_files import open_private_file


class UnwritableFile(BadInput):
    """The file cannot be written there."""


FormatT = TypeVar("FormatT", bound=StrEnum)


def file_format(path: Path, formats: type[FormatT], sentence: str, refusal: type[BadInput]) -> FormatT:
    """The format of a file by its suffix, which is the value of the enum; the sentence names the formats."""
    try:
        return formats(path.suffix.lower())
    except ValueError:
        suffix_text = repr(path.suffix) if path.suffix else "nothing"
        raise refusal(f"{sentence}; {path.name!r} ends with {suffix_text}.") from None


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file. If that fails, an earlier file stays unchanged."""
    write_pieces(path, (content,))


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """The same for a file that is written in pieces."""
    half_written = _temporary_path(path)
    try:
        with open_private_file(half_written, "wb") as file:
            for piece in pieces:
                file.write(piece)
        half_written.replace(path)
    except BaseException as fault:
        with suppress(OSError):
            half_written.unlink(missing_ok=True)
        if isinstance(fault, OSError):
            raise _write_error(path, fault) from None
        raise


def check_writable(path: Path) -> None:
    """Raise an error at once if a file cannot be written, before the computation of its content."""
    half_written = _temporary_path(path)
    try:
        if path.is_dir():
            raise UnwritableFile(f"{path} is a folder: name a file in it.")
        if not path.parent.is_dir():
            raise UnwritableFile(f"There is no folder {path.parent}: create it, or name a file in another folder.")
        half_written.touch()  # shows missing permissions, a full disk, or a name that is too long
        half_written.unlink()
    except OSError as fault:
        raise _write_error(path, fault) from None


def _temporary_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def _write_error(path: Path, fault: OSError) -> UnwritableFile:
    reason = fault.strerror or "permission denied"
    return UnwritableFile(f"{path} cannot be written: {reason}. Name a file in a folder that you may write to.")
