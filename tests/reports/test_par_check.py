"""The check detects a changed PAR sheet."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cardroom.errors import BadInput
from cardroom.reports.documents.html import extract_content
from cardroom.reports.documents.numbers import format_percent
from cardroom.reports.par import Verdict, check_par
from cardroom.reports.par.content import EmbeddedContent, content_digest
from cardroom.reports.par.files import MAX_DIFFERENCES, BadParFile, content_differences
from tests.reports.sheets import html_of, pdf_of, sheet

GAME = "three-card-prime"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "par.html"
    file.write_text(html_of(GAME), "utf-8")
    return file


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    file = tmp_path / "par.pdf"
    file.write_bytes(pdf_of(GAME))
    return file


def rewritten(page: Path, change) -> None:
    """Replace the content and its digest, as a careful forger would."""
    text = page.read_text("utf-8")
    inside = extract_content(text)
    assert inside is not None
    content = json.loads(json.dumps(EmbeddedContent.from_json(inside).content))
    change(content)
    forged = EmbeddedContent(content_digest(content), content)
    text = text.replace(inside, forged.to_json()).replace(EmbeddedContent.from_json(inside).digest, forged.digest)
    page.write_text(text, "utf-8")


@pytest.mark.parametrize("kind", ["page", "paper"])
def test_an_unchanged_sheet_passes_the_check(kind: str, request: pytest.FixtureRequest) -> None:
    check = check_par(request.getfixturevalue(kind), use_cache=True)
    assert check.verdict is Verdict.UNCHANGED
    assert check.holds
    assert check.digest == EmbeddedContent.from_sheet(sheet(GAME)).digest


def test_one_changed_digit_on_the_page_is_detected(page: Path) -> None:
    edge = sheet(GAME).wagers[0].odds.house_edge
    assert edge is not None
    shown = format_percent(edge)
    other = shown.replace(shown[-2], str((int(shown[-2]) + 1) % 10))
    text = page.read_text("utf-8")
    assert shown in text
    page.write_text(text.replace(shown, other, 1), "utf-8")
    check = check_par(page, use_cache=True)
    assert check.verdict is Verdict.CHANGED
    assert "pages were changed" in check.sentence
    assert any(other in place and shown in place for place in check.differences)


def test_one_changed_digit_inside_is_detected(page: Path) -> None:
    text = page.read_text("utf-8")
    changed = re.sub(r'("combinations":)(\d)', lambda found: f"{found[1]}{9 - int(found[2])}", text, count=1)
    assert changed != text
    page.write_text(changed, "utf-8")
    check = check_par(page, use_cache=True)
    assert check.verdict is Verdict.CHANGED
    assert "digest" in check.sentence


def test_a_figure_forged_with_its_digest_is_recomputed_and_detected(page: Path) -> None:
    rewritten(page, lambda content: content["wagers"][0].update(expected_return="-1/100"))
    check = check_par(page, use_cache=True)
    assert check.verdict is Verdict.CHANGED
    assert "wagers" in check.sentence
    assert check.differences == (
        "wagers, Ante and Play, expected return: the file has -1/100; recomputed, it is -226743/7830200.",
    )


def test_many_differences_are_listed_in_part() -> None:
    differences = content_differences([1] * 30, [2] * 30)
    assert len(differences) == MAX_DIFFERENCES + 1
    assert differences[-1] == f"{30 - MAX_DIFFERENCES} more places differ."
    (missing,) = content_differences({}, {"rulings": {"TP-1": "x" * 500}})
    assert missing.startswith("rulings: the file has nothing; recomputed, it is ")
    assert len(missing) < 150


def test_a_changed_ruling_is_detected(page: Path) -> None:
    rewritten(page, lambda content: content["rulings"].update({"TP-1": "The house wins."}))
    check = check_par(page, use_cache=True)
    assert check.verdict is Verdict.CHANGED
    assert "rulings" in check.sentence


def test_a_setup_that_is_not_valid_is_detected(page: Path) -> None:
    rewritten(page, lambda content: content["setup"].update(seats=99))
    check = check_par(page, use_cache=True)
    assert check.verdict is Verdict.CHANGED
    assert "99 seats" in check.sentence


def test_another_program_version_is_reported(page: Path) -> None:
    rewritten(page, lambda content: content["program"].update(cardroom="0.0.1"))
    check = check_par(page, use_cache=True)
    assert check.verdict is Verdict.OTHER_VERSION
    assert not check.holds
    assert "0.0.1" in check.sentence


@pytest.mark.parametrize("part", [0.1, 0.5, 0.95])
def test_a_truncated_pdf_is_detected(paper: Path, part: float) -> None:
    whole = paper.read_bytes()
    paper.write_bytes(whole[: int(len(whole) * part)])
    check = check_par(paper, use_cache=True)
    assert check.verdict is Verdict.CHANGED
    assert "cut off" in check.sentence


@pytest.mark.parametrize("kind", ["page", "paper"])
@pytest.mark.parametrize(
    ("added", "detail"), [(b"x", "One byte was added"), (b"\n", "One byte"), (b" " * 300, "300 bytes")]
)
def test_bytes_after_the_end_are_distinguished_from_a_truncated_file(
    kind: str, added: bytes, detail: str, request: pytest.FixtureRequest
) -> None:
    file: Path = request.getfixturevalue(kind)
    file.write_bytes(file.read_bytes() + added)
    check = check_par(file, use_cache=True)
    assert check.verdict is Verdict.CHANGED
    assert detail in check.sentence
    assert "added after the end" in check.sentence
    assert "cut off" not in check.sentence


@pytest.mark.parametrize("kind", ["page", "paper"])
def test_a_missing_last_byte_is_a_truncated_file(kind: str, request: pytest.FixtureRequest) -> None:
    file: Path = request.getfixturevalue(kind)
    file.write_bytes(file.read_bytes()[:-1])
    check = check_par(file, use_cache=True)
    assert check.verdict is Verdict.CHANGED
    assert "cut off" in check.sentence
    assert "added" not in check.sentence


def test_an_update_after_the_end_of_a_pdf_is_detected(paper: Path) -> None:
    paper.write_bytes(paper.read_bytes() + b"\n1 0 obj\n<<>>\nendobj\n%%EOF")
    check = check_par(paper, use_cache=True)
    assert check.verdict is Verdict.CHANGED
    assert "26 bytes were added after the end" in check.sentence


def test_a_pdf_with_a_changed_byte_on_a_page_is_detected(paper: Path) -> None:
    whole = bytearray(paper.read_bytes())
    whole[len(whole) // 3] ^= 1
    paper.write_bytes(whole)
    assert check_par(paper, use_cache=True).verdict is Verdict.CHANGED


def test_a_pdf_with_a_damaged_attachment_is_detected(paper: Path) -> None:
    whole = bytearray(paper.read_bytes())
    begins = whole.index(b"stream", whole.index(b"EmbeddedFile"))
    whole[begins + 200] ^= 1
    paper.write_bytes(whole)
    check = check_par(paper, use_cache=True)
    assert check.verdict is Verdict.CHANGED
    assert not check.holds


@pytest.mark.parametrize("part", [0.3, 0.9, 0.9999])
def test_a_truncated_page_is_detected(page: Path, part: float) -> None:
    text = page.read_text("utf-8")
    page.write_text(text[: int(len(text) * part)], "utf-8")
    check = check_par(page, use_cache=True)
    assert check.verdict is Verdict.CHANGED
    assert "cut off" in check.sentence


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("letter.html", b"<html><body>Dear Sir</body></html>"),
        ("letter.pdf", b"Dear Sir"),
        ("paper.pdf", b"%PDF-1.7\nnothing attached\n%%EOF\n"),
        ("noise.html", bytes(range(256))),
    ],
)
def test_a_file_without_a_par_sheet_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(BadParFile):
        check_par(file)


def test_a_missing_file_or_another_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadParFile):
        check_par(tmp_path / "nothing.pdf")
    with pytest.raises(BadInput, match=r"\.pdf or \.html"):
        check_par(tmp_path / "nothing.doc")


@pytest.mark.parametrize("text", ["null", "[]", '{"digest": 1}', '{"digest": "a", "content": {}}', "{"])
def test_a_content_of_another_kind_is_detected(page: Path, text: str) -> None:
    whole = page.read_text("utf-8")
    inside = extract_content(whole)
    assert inside is not None
    page.write_text(whole.replace(inside, text), "utf-8")
    assert check_par(page).verdict is Verdict.CHANGED
