"""PDFs of the office: they have the exact figures, and the server itself typesets none of them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import typst

from cardroom.reports.documents.pdf import extract_attachment
from tests.browser.office_scenes import CLAIM, JACKPOT, open_office_room
from tests.service.staff import CAGE
from tests.web.rooms import ServedRoom
from tests.web.users import visit


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with open_office_room(tmp_path_factory.mktemp("office")) as room:
        yield room


@pytest.fixture(autouse=True)
def no_typesetting_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """typst never releases what it has typeset, and the server runs for months."""
    monkeypatch.delattr(typst, "compile")


def test_a_report_is_typeset_in_another_process(office: ServedRoom) -> None:
    auditor = visit(office, CAGE)
    pages = auditor.get(f"/office/downloads/report/history.pdf?of={JACKPOT}")
    assert (pages.status_code, pages.headers["content-type"]) == (200, "application/pdf")
    assert pages.headers["content-disposition"] == 'attachment; filename="history.pdf"'
    attached = json.loads(extract_attachment(pages.content) or "")
    figures = auditor.get(f"/office/downloads/report/history.json?of={JACKPOT}").json()
    assert attached["parts"] == figures["parts"]


def test_the_slips_of_a_claim_are_typeset_in_another_process(office: ServedRoom) -> None:
    slips = visit(office, CAGE).get(f"/office/jackpots/{JACKPOT}/slip/{CLAIM}")
    assert slips.status_code == 200
    assert [slip["claim"] for slip in json.loads(extract_attachment(slips.content) or "")] == [CLAIM]


def test_a_claim_that_does_not_exist_has_no_slips(office: ServedRoom) -> None:
    assert visit(office, CAGE).get(f"/office/jackpots/{JACKPOT}/slip/claim-9").status_code == 404
