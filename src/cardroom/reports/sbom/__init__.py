"""What the program is made of: every package that it needs to run, its licence, and who needs it."""

from cardroom.reports.sbom.components import UNKNOWN_LICENSE, SoftwareComponent, all_components
from cardroom.reports.sbom.cyclonedx import bill_of_materials

__all__ = ["UNKNOWN_LICENSE", "SoftwareComponent", "all_components", "bill_of_materials"]
