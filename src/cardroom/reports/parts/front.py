"""What the pages are made of besides our own files: packages that are brought in when the program is built."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from typing import Final

from cardroom.reports.parts.part import NOBODY_TOLD, Part, Shelf

_NAME: Final = "package-lock.json"
_IN_THE_REPOSITORY: Final = Path(__file__).parents[4] / "front" / _NAME
_IN_THE_PACKAGE: Final = Path(__file__).parents[2] / "web" / "static" / "vendor" / _NAME
LOCK: Final = _IN_THE_REPOSITORY if _IN_THE_REPOSITORY.is_file() else _IN_THE_PACKAGE
_FOLDER: Final = "node_modules/"


def front_parts(program: str, lock: Path = LOCK) -> tuple[Part, ...]:
    """From the file that pins them; none where the program was installed without it."""
    if not lock.is_file():
        return ()
    packages = json.loads(lock.read_text("utf-8"))["packages"]
    return tuple(
        Part(
            path.rpartition(_FOLDER)[2],
            one["version"],
            one.get("license", NOBODY_TOLD),
            Shelf.NPM,
            needed_by=(program,),
            hash=_hash(one.get("integrity", "")),
        )
        for path, one in packages.items()
        if path
    )


def _hash(integrity: str) -> tuple[str, str] | None:
    """
    >>> _hash("sha512-AAECAw==")
    ('SHA-512', '00010203')
    """
    algorithm, _, digest = integrity.partition("-")
    return ("SHA-512", b64decode(digest).hex()) if algorithm == "sha512" else None
