"""A real kernel runs the notebook from top to bottom, and its output is the stored one."""

from __future__ import annotations

from typing import Any

import pytest
from handbook.notebook import page_files
from nbclient.exceptions import CellExecutionError

from tests.project.notebook import NOTEBOOK, load_notebook, outputs_of, run


def test_the_output_of_the_notebook_is_the_stored_one() -> None:
    notebook = load_notebook()
    assert outputs_of(run(notebook)) == outputs_of(notebook)
    kinds = {kind for kind, _ in outputs_of(notebook)}
    assert kinds == {"stdout", "text/markdown", "text/plain", "image/svg+xml"}


def test_output_in_several_pieces_is_one_output() -> None:
    complete, pieces = load_notebook(), load_notebook()
    outputs = next(cell.outputs for cell in pieces.cells if cell.get("outputs"))
    first = outputs[0]
    outputs[:1] = [type(first)({**first, "text": part}) for part in (first.text[:1], first.text[1:])]
    assert outputs_of(pieces) == outputs_of(complete)


def test_a_changed_output_is_found() -> None:
    notebook, changed = load_notebook(), load_notebook()
    outputs = [cell.outputs[0] for cell in changed.cells if cell.get("outputs")]
    outputs[0].text = outputs[0].text.replace("-226743", "-226742")
    assert outputs_of(changed) != outputs_of(notebook)
    drawing = outputs[-1].data
    drawing["image/svg+xml"] = drawing["image/svg+xml"].replace("against the exact one", "against another one")
    assert outputs_of(changed)[-2] != outputs_of(notebook)[-2]


def test_a_cell_that_fails_ends_the_notebook() -> None:
    notebook = load_notebook()
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "code"][:1]
    notebook.cells[0].source = "assert 6 * 9 == 42, 'not in this base'"
    with pytest.raises(CellExecutionError, match="not in this base"):
        run(notebook)


def test_the_page_has_every_text_every_cell_and_every_output() -> None:
    files = page_files(NOTEBOOK, "notebook")
    page = files.pop("notebook.md")
    cells: list[Any] = load_notebook().cells
    assert page.count("```python\n") == sum(cell.cell_type == "code" for cell in cells)
    assert page.startswith("# A researcher's notebook")
    assert "](../docs/" not in page
    assert "expected return    -226743/7830200" in page
    ((name, drawing),) = files.items()
    assert f"![Simulated return of Ante and Play, against the exact one]({name})" in page
    assert drawing.startswith("<svg")
