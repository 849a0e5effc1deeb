"""A bill of materials in the CycloneDX 1.6 format, for tools that look for known vulnerabilities and forbidden
licenses.

The same components give the same document, byte for byte: its serial number follows from its content, and it has no
date.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Final

from cardroom.extras import require_packages
from cardroom.reports.sbom.components import UNKNOWN_LICENSE, PackageIndex, SoftwareComponent

require_packages("reports", "Bills of materials", "cyclonedx")

from cyclonedx.contrib.license.factories import LicenseFactory  # noqa: E402 (checked before it is imported)
from cyclonedx.model import HashAlgorithm, HashType, Property  # noqa: E402
from cyclonedx.model.bom import Bom  # noqa: E402
from cyclonedx.model.component import Component, ComponentType  # noqa: E402
from cyclonedx.output.json import JsonV1Dot6  # noqa: E402
from packageurl import PackageURL  # noqa: E402

_HASH_SOURCES: Final = {
    PackageIndex.PYPI: "the RECORD of the installed package, which has a hash of each of its files",
    PackageIndex.NPM: "the archive of the package",
}


def bill_of_materials(components: Sequence[SoftwareComponent]) -> str:
    """The complete document as JSON; the first component is the program."""
    parts = {component.name: _cyclonedx_component(component) for component in components}
    bom = Bom(components=list(parts.values())[1:], serial_number=uuid.UUID(int=0))
    bom.metadata.timestamp = None  # type: ignore[assignment]  # the library has a date by default
    bom.metadata.component = parts[components[0].name]
    bom.metadata.component.type = ComponentType.APPLICATION
    for component in components:
        needed = [parts[name] for name in component.dependencies if name in parts]
        bom.register_dependency(parts[component.name], needed)
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, JsonV1Dot6(bom).output_as_string())
    return JsonV1Dot6(bom).output_as_string(indent=2)


def _cyclonedx_component(component: SoftwareComponent) -> Component:
    namespace, _, name = component.name.rpartition("/")
    url = PackageURL(component.package_index, namespace, name, component.version)
    result = Component(name=component.name, version=component.version, purl=url, bom_ref=url.to_string())
    if component.license != UNKNOWN_LICENSE:
        result.licenses.add(LicenseFactory().make_from_string(component.license))
    if component.hash is not None:
        algorithm, digest = component.hash
        result.hashes.add(HashType(alg=HashAlgorithm(algorithm), content=digest))
        result.properties.add(Property(name="cardroom:hash-of", value=_HASH_SOURCES[component.package_index]))
    return result
