"""PAR sheets as files, and the check that a sheet is unchanged and its figures are right.

The check computes everything again from the setup inside the file and prints the pages again: an unchanged file of this
program is the same byte for byte. Differences are listed place by place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import date
from enum import StrEnum
from html import unescape
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.games import TableSetup, default_setup, game
from cardroom.games.setup import setup_from_json
from cardroom.odds.pricer import Progress, ignore_progress
from cardroom.reports.documents.files import check_writable, file_format, write_bytes
from cardroom.reports.documents.html import extract_content, render_html
from cardroom.reports.documents.pdf import extract_attachment, render_pdf
from cardroom.reports.documents.program_version import current_program
from cardroom.reports.par.confirmation_run import DEFAULT_REQUEST, ConfirmationRequest
from cardroom.reports.par.content import (
    CONTENT_FORMAT,
    Content,
    EmbeddedContent,
    build_content,
    canonical_json,
    content_digest,
)
from cardroom.reports.par.pages import sheet_document
from cardroom.reports.par.sheet import ParSheet, par_sheet
from cardroom.room.setup.jackpot import JackpotSetup, jackpot_setup_from_mapping


class BadParFile(BadInput):
    """The file cannot be a PAR sheet."""


class ParFormat(StrEnum):
    """The format of a PAR sheet; the value is the file's suffix."""

    PDF = ".pdf"
    HTML = ".html"


def par_format(path: Path) -> ParFormat:
    """The format by the suffix of a file."""
    return file_format(path, ParFormat, "A PAR sheet is a .pdf or .html file", BadParFile)


def render_sheet(sheet: ParSheet, target_format: ParFormat) -> bytes:
    """The file's bytes; the same sheet gives the same bytes."""
    set_out = sheet_document(sheet)
    return render_pdf(set_out) if target_format is ParFormat.PDF else render_html(set_out).encode()


def write_par_sheet(
    slug: str,
    setup: TableSetup | None,
    path: Path | str,
    prepared: date,
    progress: Progress = ignore_progress,
    *,
    confirm: ConfirmationRequest = DEFAULT_REQUEST,
    jackpots: Sequence[JackpotSetup] = (),
    use_cache: bool = True,
) -> ParSheet:
    """Write the PAR sheet of a table as .pdf or .html, with its jackpots. Without a setup, the game's default setup is
    used; ``use_cache=False`` computes every figure again."""
    path = Path(path)
    form = par_format(path)
    if setup is not None and setup.game != game(slug).facts.slug:
        raise BadParFile(f"The setup is for {setup.game}, not for {slug}: name that game, or another setup.")
    check_writable(path)  # before the figures, which take up to minutes
    table_setup = setup or default_setup(slug)
    sheet = par_sheet(table_setup, prepared, confirm=confirm, jackpots=jackpots, use_cache=use_cache, progress=progress)
    progress("printing the pages", 0.0)
    write_bytes(path, render_sheet(sheet, form))
    progress("printing the pages", 1.0)
    return sheet


MAX_DIFFERENCES: Final = 8
MAX_TEXT_LENGTH: Final = 72
_MISSING: Final = object()


def content_differences(actual: object, expected: object) -> tuple[str, ...]:
    """Every difference between the content of a file and the recomputed one.

    >>> content_differences({"wagers": [{"name": "Duel", "combinations": 8}]}, {"wagers": [{"name": "Duel"}]})
    ('wagers, Duel, combinations: the file has 8; recomputed, there is nothing.',)
    """
    return _limit_differences(
        [
            _describe_difference(path, actual_value, expected_value)
            for path, actual_value, expected_value in _find_unequal((), actual, expected)
        ]
    )


def page_differences(actual: str, expected: str) -> tuple[str, ...]:
    """Every line of a page that differs, with the right text.

    >>> page_differences("<p>Edge <b>2.1%</b></p>", "<p>Edge <b>2.2%</b></p>")
    ('the page has "Edge 2.1%"; it should be "Edge 2.2%".',)
    """
    sentences = []
    for actual_line, expected_line in zip_longest(actual.splitlines(), expected.splitlines(), fillvalue=""):
        if actual_line != expected_line:
            sentences.append(f'the page has "{_line_text(actual_line)}"; it should be "{_line_text(expected_line)}".')
    return _limit_differences(list(dict.fromkeys(sentences)))


def _find_unequal(path: tuple[str, ...], actual: Any, expected: Any) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    if isinstance(actual, dict) and isinstance(expected, dict):
        for name in expected | actual:
            yield from _find_unequal(
                (*path, name.replace("_", " ")), actual.get(name, _MISSING), expected.get(name, _MISSING)
            )
    elif isinstance(actual, list) and isinstance(expected, list):
        for place, (actual_item, expected_item) in enumerate(zip_longest(actual, expected, fillvalue=_MISSING), 1):
            yield from _find_unequal((*path, _place_name(expected_item, place)), actual_item, expected_item)
    elif actual != expected:
        yield path, actual, expected


def _place_name(part: object, place: int) -> str:
    """The label of an item: a wager's name, an outcome's event, or the place in the list."""
    match part:
        case {"name": str(name)} | [str(name), _, *_]:
            return name
    return str(place)


def _describe_difference(path: tuple[str, ...], actual: object, expected: object) -> str:
    should = "there is nothing" if expected is _MISSING else f"it is {_value_text(expected)}"
    actual_text = "nothing" if actual is _MISSING else _value_text(actual)
    return f"{', '.join(path)}: the file has {actual_text}; recomputed, {should}."


def _value_text(value: object) -> str:
    return _shorten(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _line_text(line: str) -> str:
    return _shorten(" ".join(unescape(re.sub(r"<[^>]*>", " ", line)).split()))


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_TEXT_LENGTH else f"{text[:MAX_TEXT_LENGTH]}…"


def _limit_differences(sentences: list[str]) -> tuple[str, ...]:
    omitted_count = len(sentences) - MAX_DIFFERENCES
    return (*sentences[:MAX_DIFFERENCES], *([f"{omitted_count} more places differ."] if omitted_count > 0 else []))


_END_MARKERS: Final = {ParFormat.PDF: b"%%EOF", ParFormat.HTML: b"</html>"}
_LAST_BYTES: Final = {ParFormat.PDF: b"", ParFormat.HTML: b"\n"}
"""The text of a value."""


class Verdict(StrEnum):
    """The result of a check of a sheet."""

    UNCHANGED = "unchanged"
    CHANGED = "changed content"
    OTHER_VERSION = "made by another program version"


class ParCheck(NamedTuple):
    """The findings of the check, with the reason."""

    verdict: Verdict
    sentence: str
    digest: str | None = None
    """The digest that the file shows, if it could be read."""
    differences: tuple[str, ...] = ()
    """The differences, place by place."""

    @property
    def holds(self) -> bool:
        """Whether the sheet is unchanged."""
        return self.verdict is Verdict.UNCHANGED


def check_par(path: Path | str, *, use_cache: bool = False, progress: Progress = ignore_progress) -> ParCheck:
    """Check a file. ``use_cache=True`` uses figures that this program has cached."""
    path = Path(path)
    form = par_format(path)
    try:
        file = path.read_bytes()
    except OSError as fault:
        raise BadParFile(f"{path} cannot be read: {fault.strerror or fault}. Name a PAR sheet.") from None
    if form is ParFormat.PDF and file.startswith(b"%PDF-") and _END_MARKERS[form] not in file:
        return ParCheck(Verdict.CHANGED, "The file is cut off: the end of the PDF is missing.")
    try:
        text = _embedded_text(file, form)
        if text is None:
            raise BadParFile(f"{path} is not a PAR sheet of this program: it contains no PAR content.")
        embedded = EmbeddedContent.from_json(text)
    except BadParFile:
        raise
    except ValueError:
        return ParCheck(Verdict.CHANGED, "The content inside the file is damaged or cut off and cannot be read.")
    trailing_count = _count_trailing_bytes(file, form)
    if trailing_count:
        return ParCheck(Verdict.CHANGED, _trailing_text(trailing_count), embedded.digest)
    return _check_content(embedded, file, form, use_cache, progress)


def _count_trailing_bytes(file: bytes, form: ParFormat) -> int:
    """The number of bytes after the end of a file of this format."""
    _, _, behind = file.rpartition(_END_MARKERS[form])
    return max(len(behind) - len(_LAST_BYTES[form]), 0) if _END_MARKERS[form] in file else 0


def _trailing_text(bytes_added: int) -> str:
    """
    >>> _trailing_text(1)
    'One byte was added after the end of the file: remove it and check the file again.'
    """
    count_text, pronoun = ("One byte was", "it") if bytes_added == 1 else (f"{bytes_added:,} bytes were", "them")
    return f"{count_text} added after the end of the file: remove {pronoun} and check the file again."


def _embedded_text(file: bytes, form: ParFormat) -> str | None:
    return (
        extract_attachment(file) if form is ParFormat.PDF else extract_content(file.decode("utf-8", errors="replace"))
    )


def _check_content(
    embedded: EmbeddedContent, file: bytes, form: ParFormat, use_cache: bool, progress: Progress
) -> ParCheck:
    content, digest = embedded.content, embedded.digest
    if content_digest(content) != digest:
        return ParCheck(Verdict.CHANGED, "The content inside the file does not match its digest.", digest)
    if content["form"] != CONTENT_FORMAT or content.get("program") != current_program(content.get("game")).to_json():
        return ParCheck(Verdict.OTHER_VERSION, _version_text(content), digest)
    try:
        sheet = _recompute_sheet(content, use_cache, progress)
    except (BadInput, KeyError, TypeError, ValueError) as fault:
        return ParCheck(Verdict.CHANGED, f"The setup inside the file is not valid: {fault}", digest)
    expected = json.loads(canonical_json(build_content(sheet)))
    if canonical_json(expected) != canonical_json(content):
        changes = _content_change_text(expected, content)
        sentence = f"The recomputed content differs from the content inside the file: {changes}."
        return ParCheck(Verdict.CHANGED, sentence, digest, content_differences(content, expected))
    pages = render_sheet(sheet, form)
    if pages != file:
        return ParCheck(
            Verdict.CHANGED, _unlike_pages_text(file, pages), digest, _page_lines_differing(file, pages, form)
        )
    return ParCheck(Verdict.UNCHANGED, "Every figure was recomputed and every page printed again: they agree.", digest)


def _unlike_pages_text(file: bytes, pages: bytes) -> str:
    if file.startswith(pages):
        return _trailing_text(len(file) - len(pages))
    if pages.startswith(file):
        return f"The file is cut off: the last {len(pages) - len(file):,} bytes are missing."
    return "The content inside the file is unchanged, but its pages were changed."


def _page_lines_differing(file: bytes, pages: bytes, form: ParFormat) -> tuple[str, ...]:
    """The differences of an HTML page; the text of a PDF cannot be compared."""
    if form is ParFormat.PDF:
        return ()
    return page_differences(file.decode("utf-8", errors="replace"), pages.decode())


def _recompute_sheet(content: Content, use_cache: bool, progress: Progress) -> ParSheet:
    confirmation = content["confirmation"]
    return par_sheet(
        setup_from_json(content["setup"]),
        date.fromisoformat(content["prepared"]),
        confirm=ConfirmationRequest(0)
        if confirmation is None
        else ConfirmationRequest(int(confirmation["rounds"]), int(confirmation["seed"])),
        jackpots=[jackpot_setup_from_mapping(entry) for entry in content["jackpots"]],
        use_cache=use_cache,
        progress=progress,
    )


def _version_text(content: Content) -> str:
    made_by, running_program = content.get("program"), current_program(content.get("game"))
    version = f"Cardroom {made_by.get('cardroom')}, build {made_by.get('build')}" if isinstance(made_by, dict) else "?"
    return (
        f"The content inside the file matches its digest, but the file was made by {version}, and this is "
        f"{running_program}: "
        "check it with the version that made it."
    )


def _content_change_text(expected: Content, content: Content) -> str:
    """The names of the parts of the content that differ."""
    parts = [name for name in (expected | content) if expected.get(name) != content.get(name)]
    return ", ".join(name.replace("_", " ") for name in parts) or "the order of its parts"
