"""Whether a PAR sheet is still the one that was made, and whether its figures hold.

Everything is computed again from the set-up that travels inside the file, and the pages are set again: a file that
this program made is the same to the last byte.
"""

from __future__ import annotations

import json
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from cardroom.faults import BadInput
from cardroom.games.setup import setup_from
from cardroom.jackpots.setup.jackpot import jackpot_setup_from
from cardroom.odds.pricer import Progress, silent
from cardroom.reports.paper.html import carried
from cardroom.reports.paper.pdf import attached
from cardroom.reports.paper.program import this_program
from cardroom.reports.par.confirming import Confirm
from cardroom.reports.par.content import FORM, Content, Sealed, canonical, content_of, digest_of
from cardroom.reports.par.differences import content_differences, page_differences
from cardroom.reports.par.files import BadParFile, ParForm, par_form, printed
from cardroom.reports.par.sheet import ParSheet, par_sheet

_ENDS: Final = {ParForm.PDF: b"%%EOF", ParForm.HTML: b"</html>"}
_LAST: Final = {ParForm.PDF: b"", ParForm.HTML: b"\n"}
"""What stands behind it."""


class Verdict(StrEnum):
    """What became of a sheet since it was made."""

    UNCHANGED = "unchanged"
    CHANGED = "changed content"
    OTHER_VERSION = "made by another program version"


class ParCheck(NamedTuple):
    """What the check found, and why."""

    verdict: Verdict
    sentence: str
    digest: str | None = None
    """That the file shows, where it could be read."""
    differences: tuple[str, ...] = ()
    """What is not as it was made, place by place."""

    @property
    def holds(self) -> bool:
        """Whether the sheet is as it was made."""
        return self.verdict is Verdict.UNCHANGED


def check_par(path: Path | str, *, remember: bool = False, progress: Progress = silent) -> ParCheck:
    """Check a file. ``remember=True`` takes figures that this program computed before for granted."""
    path = Path(path)
    form = par_form(path)
    try:
        file = path.read_bytes()
    except OSError as fault:
        raise BadParFile(f"{path} cannot be read: {fault.strerror or fault}. Name a PAR sheet.") from None
    if form is ParForm.PDF and file.startswith(b"%PDF-") and _ENDS[form] not in file:
        return ParCheck(Verdict.CHANGED, "The file is cut off: a PDF has an end, and this one has none.")
    try:
        text = _inside(file, form)
        if text is None:
            raise BadParFile(f"{path} is no PAR sheet of this program: nothing inside says what it was made from.")
        sealed = Sealed.from_json(text)
    except BadParFile:
        raise
    except ValueError:
        return ParCheck(Verdict.CHANGED, "The content inside the file was damaged or cut off: it cannot be read.")
    added = _added(file, form)
    if added:
        return ParCheck(Verdict.CHANGED, _added_words(added), sealed.digest)
    return _checked(sealed, file, form, remember, progress)


def _added(file: bytes, form: ParForm) -> int:
    """How many bytes stand behind the end that a file of this form has."""
    _, _, behind = file.rpartition(_ENDS[form])
    return max(len(behind) - len(_LAST[form]), 0) if _ENDS[form] in file else 0


def _added_words(bytes_added: int) -> str:
    """
    >>> _added_words(1)
    'One byte was added behind the end of the file: take it away, and check what is left.'
    """
    what, away = ("One byte was", "it") if bytes_added == 1 else (f"{bytes_added:,} bytes were", "them")
    return f"{what} added behind the end of the file: take {away} away, and check what is left."


def _inside(file: bytes, form: ParForm) -> str | None:
    return attached(file) if form is ParForm.PDF else carried(file.decode("utf-8", errors="replace"))


def _checked(sealed: Sealed, file: bytes, form: ParForm, remember: bool, progress: Progress) -> ParCheck:
    content, digest = sealed.content, sealed.digest
    if digest_of(content) != digest:
        return ParCheck(Verdict.CHANGED, "The content inside the file does not have the digest that it shows.", digest)
    if content["form"] != FORM or content.get("program") != this_program(content.get("game")).entry():
        return ParCheck(Verdict.OTHER_VERSION, _made_by(content), digest)
    try:
        sheet = _again(content, remember, progress)
    except (BadInput, KeyError, TypeError, ValueError) as fault:
        return ParCheck(Verdict.CHANGED, f"The set-up inside the file cannot have been printed: {fault}", digest)
    again = json.loads(canonical(content_of(sheet)))
    if canonical(again) != canonical(content):
        told = f"Computed anew, the content inside the file is another: {_different(again, content)}."
        return ParCheck(Verdict.CHANGED, told, digest, content_differences(content, again))
    pages = printed(sheet, form)
    if pages != file:
        return ParCheck(Verdict.CHANGED, _unlike(file, pages), digest, _on_pages(file, pages, form))
    return ParCheck(Verdict.UNCHANGED, "Every figure was computed anew and every page set anew: they agree.", digest)


def _unlike(file: bytes, pages: bytes) -> str:
    if file.startswith(pages):
        return _added_words(len(file) - len(pages))
    if pages.startswith(file):
        return f"The file is cut off: the last {len(pages) - len(file):,} bytes are missing."
    return "The content inside the file holds, but its pages were changed."


def _on_pages(file: bytes, pages: bytes, form: ParForm) -> tuple[str, ...]:
    """Words can be compared on a screen's page; those of a PDF are drawn."""
    if form is ParForm.PDF:
        return ()
    return page_differences(file.decode("utf-8", errors="replace"), pages.decode())


def _again(content: Content, remember: bool, progress: Progress) -> ParSheet:
    made = content["confirmation"]
    return par_sheet(
        setup_from(content["setup"]),
        date.fromisoformat(content["prepared"]),
        confirm=Confirm(0) if made is None else Confirm(int(made["rounds"]), int(made["seed"])),
        jackpots=[jackpot_setup_from(entry) for entry in content["jackpots"]],
        remember=remember,
        progress=progress,
    )


def _made_by(content: Content) -> str:
    made_by, here = content.get("program"), this_program(content.get("game"))
    told = f"Cardroom {made_by.get('cardroom')}, build {made_by.get('build')}" if isinstance(made_by, dict) else "?"
    return (
        f"The content inside the file has its digest, but the file was made by {told}, and this is {here}: "
        "check it with the version that made it."
    )


def _different(again: Content, content: Content) -> str:
    """Which parts of the content differ, in its words."""
    parts = [name for name in (again | content) if again.get(name) != content.get(name)]
    return ", ".join(name.replace("_", " ") for name in parts) or "the order of its parts"
