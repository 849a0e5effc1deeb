"""The researcher's notebook: a real kernel runs it from top to bottom, and answers what is written there."""

from __future__ import annotations

from typing import Any

import pytest
from handbook.notebook import written
from nbclient.exceptions import CellExecutionError

from tests.project.notebook import NOTEBOOK, answers, run, stored


def test_the_notebook_answers_what_is_written_in_it() -> None:
    notebook = stored()
    assert answers(run(notebook)) == answers(notebook)
    kinds = {kind for kind, _ in answers(notebook)}
    assert kinds == {"stdout", "text/markdown", "text/plain", "image/svg+xml"}


def test_what_a_cell_prints_in_several_pieces_is_one_answer() -> None:
    whole, pieces = stored(), stored()
    outputs = next(cell.outputs for cell in pieces.cells if cell.get("outputs"))
    first = outputs[0]
    outputs[:1] = [type(first)({**first, "text": part}) for part in (first.text[:1], first.text[1:])]
    assert answers(pieces) == answers(whole)


def test_another_answer_would_be_found() -> None:
    notebook, changed = stored(), stored()
    outputs = [cell.outputs[0] for cell in changed.cells if cell.get("outputs")]
    outputs[0].text = outputs[0].text.replace("-226743", "-226742")
    assert answers(changed) != answers(notebook)
    drawing = outputs[-1].data
    drawing["image/svg+xml"] = drawing["image/svg+xml"].replace("against the exact one", "against another one")
    assert answers(changed)[-2] != answers(notebook)[-2]


def test_a_cell_that_fails_ends_the_notebook() -> None:
    notebook = stored()
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code"][:1]
    notebook.cells[0].source = "assert 6 * 9 == 42, 'not in this base'"
    with pytest.raises(CellExecutionError, match="not in this base"):
        run(notebook)


def test_the_page_has_every_word_every_cell_and_every_answer() -> None:
    files = written(NOTEBOOK, "notebook")
    page = files.pop("notebook.md")
    cells: list[Any] = stored().cells
    assert page.count("```python\n") == sum(cell.cell_type == "code" for cell in cells)
    assert page.startswith("# A researcher's notebook")
    assert "](../docs/" not in page
    assert "expected return    -226743/7830200" in page
    ((name, drawing),) = files.items()
    assert f"![Simulated return of Ante and Play, against the exact one]({name})" in page
    assert drawing.startswith("<svg")
