"""The translation template contains every sentence of the code and the page templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project.messages import ROOT, TEMPLATE, collect


def test_the_translation_template_is_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    collect(tmp_path / "cardroom.pot")
    collected = (tmp_path / "cardroom.pot").read_text("utf-8")
    assert collected == TEMPLATE.read_text("utf-8"), "Run `make messages` and commit the template."
