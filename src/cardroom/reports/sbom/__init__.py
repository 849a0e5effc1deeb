"""The bill of materials: every package that the program needs to run, its license, and the packages that need it."""

from cardroom.reports.sbom.components import UNKNOWN_LICENSE, SoftwareComponent, all_components
from cardroom.reports.sbom.cyclonedx import bill_of_materials

__all__ = ["UNKNOWN_LICENSE", "SoftwareComponent", "all_components", "bill_of_materials"]
