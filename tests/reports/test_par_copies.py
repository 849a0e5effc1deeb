"""Text copied out of a printed report is complete: a hash is one word."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardroom.reports.accounting import day_book, report_pdf, write_report
from cardroom.reports.accounting.export import json_pieces
from tests.heads.rooms import to_folder
from tests.reports.card_room import Room, record_an_evening
from tests.reports.pdf_text import pieces
from tests.reports.test_jackpot_reports import everything


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    room = record_an_evening(f"sqlite:///{tmp_path_factory.mktemp('books')}/room.db")
    yield room
    room.ledger.close()


def test_the_hashes_of_every_report_on_paper_can_be_copied(room: Room, tmp_path: Path) -> None:
    found = 0
    again = everything(room)
    for slug, report in everything(room).items():
        file = tmp_path / f"{slug}.pdf"
        write_report(report, file)
        content = "".join(json_pieces(again[slug]))
        books = next(part for part in json.loads(content)["parts"] if part["name"] == "books")
        hashes = {line["hash"] for line in books["lines"]}
        copied = pieces(file.read_bytes())
        assert all(re.fullmatch("[0-9a-f]{64}", one) for one in hashes)
        assert hashes <= set(copied), slug
        assert f"SHA-256 {hashlib.sha256(content.encode()).hexdigest()}" in copied
        assert "\u200b" not in "".join(copied)
        found += len(hashes)
    assert found > 20


def test_the_digests_of_exported_heads_can_be_copied_out_of_the_day_book(tmp_path: Path) -> None:
    room = Room(f"sqlite:///{tmp_path}/room.db")
    outside = tmp_path / "outside"
    outside.mkdir()
    day = room.card_room.days.open(room.id(), "Olga").day
    room.card_room.days.close(room.id(), "Olga")
    sent = room.card_room.heads.send(room.id(), "Olga", to_folder(outside))
    room.card_room.days.open(room.id(), "Olga")
    later = room.card_room.days.close(room.id(), "Olga")
    assert later.day > day
    copied = pieces(report_pdf(day_book(room.card_room, later.day, room.clock())))
    room.ledger.close()
    for digest in (sent.digest, later.digest):
        assert any(digest in piece for piece in copied), digest
