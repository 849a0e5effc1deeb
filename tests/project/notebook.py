"""Runs the notebook with a real kernel, and reads its output.

``python -m tests.project.notebook`` runs it and stores its output.
"""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any, Final

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

from tests.deadline import LIMIT

NOTEBOOK: Final = Path(__file__).parents[2] / "examples" / "three-card-prime.ipynb"
LONGEST_SECONDS: Final = round(LIMIT)
_TEXT_IN_PICTURE: Final = re.compile(r"<text[^>]*>([^<]+)<|aria-label=\"([^\"]*)\"")


def load_notebook() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


def run(notebook: Any) -> Any:
    """A copy of a notebook with the output of this machine; a cell that fails ends it."""
    result = copy.deepcopy(notebook)
    # Through files instead of ports: other users of the machine cannot listen.
    client = NotebookClient(result, timeout=2 * LONGEST_SECONDS, config=Config(KernelManager={"transport": "ipc"}))
    # Printed text comes on a channel of its own; without this, it could be missing from the output.
    client.startup_timeout, client.iopub_timeout = LONGEST_SECONDS, LONGEST_SECONDS
    client.raise_on_iopub_timeout = True
    client.execute()
    return result


def outputs_of(notebook: Any) -> list[tuple[str, str]]:
    """The output of each cell as text: of a picture its texts and values, without the rendering of its fonts."""
    outputs: list[tuple[str, str]] = []
    for cell in notebook.cells:
        stream = ""
        for output in cell.get("outputs", ()):
            if output.output_type == "stream":
                # A busy machine sends what one cell prints in several pieces.
                text = outputs.pop()[1] + output.text if stream == output.name else output.text
                stream = output.name
                outputs.append((stream, text))
                continue
            stream = ""
            for kind, content in sorted(output.data.items()):
                if kind == "image/svg+xml":
                    content = "\n".join(a or b for a, b in _TEXT_IN_PICTURE.findall(content))
                outputs.append((kind, content))
    return outputs


def write() -> None:
    result = run(load_notebook())
    for number, cell in enumerate(result.cells, start=1):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                output.pop("execution_count", None)
                if output.output_type == "execute_result":
                    output.execution_count = None
    result.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    nbformat.validate(result)
    nbformat.write(result, NOTEBOOK)


if __name__ == "__main__":
    write()
