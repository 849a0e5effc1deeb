"""The notebook run by a real kernel, and what has to be the same whenever it runs.

``python -m tests.project.notebook`` runs it and writes down what it answered.
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
LONGEST: Final = round(LIMIT)
_WORDS_OF_A_PICTURE: Final = re.compile(r"<text[^>]*>([^<]+)<|aria-label=\"([^\"]*)\"")


def stored() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


def run(notebook: Any) -> Any:
    """A copy of a notebook with the answers of this machine; a cell that fails ends it."""
    ran = copy.deepcopy(notebook)
    # Over files rather than ports: nobody else on the machine can listen.
    client = NotebookClient(ran, timeout=2 * LONGEST, config=Config(KernelManager={"transport": "ipc"}))
    # What a cell printed comes on a line of its own: without it the answer would be there, and not what was printed.
    client.startup_timeout, client.iopub_timeout, client.raise_on_iopub_timeout = LONGEST, LONGEST, True
    client.execute()
    return ran


def answers(notebook: Any) -> list[tuple[str, str]]:
    """What each cell answered, in words: of a picture the words and values in it, not how its font was set."""
    found: list[tuple[str, str]] = []
    for cell in notebook.cells:
        stream = ""
        for output in cell.get("outputs", ()):
            if output.output_type == "stream":
                # A busy machine sends what one cell prints in several pieces.
                text = found.pop()[1] + output.text if stream == output.name else output.text
                stream = output.name
                found.append((stream, text))
                continue
            stream = ""
            for kind, content in sorted(output.data.items()):
                if kind == "image/svg+xml":
                    content = "\n".join(a or b for a, b in _WORDS_OF_A_PICTURE.findall(content))
                found.append((kind, content))
    return found


def write() -> None:
    ran = run(stored())
    for number, cell in enumerate(ran.cells, start=1):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                output.pop("execution_count", None)
                if output.output_type == "execute_result":
                    output.execution_count = None
    ran.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    nbformat.validate(ran)
    nbformat.write(ran, NOTEBOOK)


if __name__ == "__main__":
    write()
