"""A bill of materials in the form of CycloneDX 1.6, for programs that look for known faults and for forbidden licences.

The same parts give the same document to the last letter: its number follows from its content, and it has no date.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cardroom.reports.parts.installed import as_expression
from cardroom.reports.parts.part import NOBODY_TOLD, Part, Shelf

SPECIFICATION: Final = "1.6"
_OF_WHAT: Final = {
    Shelf.PYPI: "the RECORD of the installed package, which has a hash of each of its files",
    Shelf.NPM: "the archive of the package",
}


def bill_of_materials(parts: Sequence[Part]) -> dict[str, Any]:
    """The whole document; the first part is the program."""
    program, *others = parts
    urls = {one.name: one.url for one in parts}
    content: dict[str, Any] = {
        "metadata": {"component": {**_component(program), "type": "application"}},
        "components": [_component(one) for one in others],
        "dependencies": [_needs(one, urls) for one in parts],
    }
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    head = {"bomFormat": "CycloneDX", "specVersion": SPECIFICATION, "serialNumber": f"urn:uuid:{number}", "version": 1}
    return {**head, **content}


def _component(part: Part) -> dict[str, Any]:
    told: dict[str, Any] = {
        "type": "library",
        "bom-ref": part.url,
        "name": part.name,
        "version": part.version,
        "purl": part.url,
    }
    if part.licence != NOBODY_TOLD:
        told["licenses"] = [_licence(part.licence)]
    if part.hash is not None:
        algorithm, content = part.hash
        told["hashes"] = [{"alg": algorithm, "content": content}]
        told["properties"] = [{"name": "cardroom:hash-of", "value": _OF_WHAT[part.shelf]}]
    return told


def _licence(licence: str) -> dict[str, Any]:
    expression = as_expression(licence)
    return {"license": {"name": licence}} if expression is None else {"expression": expression}


def _needs(part: Part, urls: Mapping[str, str]) -> dict[str, Any]:
    return {"ref": part.url, "dependsOn": [urls[one] for one in part.needs if one in urls]}
