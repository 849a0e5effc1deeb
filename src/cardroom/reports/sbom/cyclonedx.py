"""A bill of materials in the CycloneDX 1.6 format, for tools that look for known vulnerabilities and forbidden
licenses.

The same components give the same document, byte for byte: its serial number follows from its content, and it has no
date.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cardroom.reports.sbom.components import UNKNOWN_LICENSE, PackageIndex, SoftwareComponent, spdx_expression

SPECIFICATION: Final = "1.6"
_HASH_SOURCES: Final = {
    PackageIndex.PYPI: "the RECORD of the installed package, which has a hash of each of its files",
    PackageIndex.NPM: "the archive of the package",
}


def bill_of_materials(components: Sequence[SoftwareComponent]) -> dict[str, Any]:
    """The complete document; the first component is the program."""
    program, *dependencies = components
    urls = {component.name: component.url for component in components}
    content: dict[str, Any] = {
        "metadata": {"component": {**_component_json(program), "type": "application"}},
        "components": [_component_json(component) for component in dependencies],
        "dependencies": [_dependency_json(component, urls) for component in components],
    }
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    head = {"bomFormat": "CycloneDX", "specVersion": SPECIFICATION, "serialNumber": f"urn:uuid:{number}", "version": 1}
    return {**head, **content}


def _component_json(component: SoftwareComponent) -> dict[str, Any]:
    entry_json: dict[str, Any] = {
        "type": "library",
        "bom-ref": component.url,
        "name": component.name,
        "version": component.version,
        "purl": component.url,
    }
    if component.license != UNKNOWN_LICENSE:
        entry_json["licenses"] = [_license_json(component.license)]
    if component.hash is not None:
        algorithm, content = component.hash
        entry_json["hashes"] = [{"alg": algorithm, "content": content}]
        entry_json["properties"] = [{"name": "cardroom:hash-of", "value": _HASH_SOURCES[component.package_index]}]
    return entry_json


def _license_json(license_text: str) -> dict[str, Any]:
    expression = spdx_expression(license_text)
    return {"license": {"name": license_text}} if expression is None else {"expression": expression}


def _dependency_json(component: SoftwareComponent, urls: Mapping[str, str]) -> dict[str, Any]:
    return {"ref": component.url, "dependsOn": [urls[name] for name in component.dependencies if name in urls]}
