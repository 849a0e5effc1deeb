"""The bill of materials: every package that the program needs to run, its license, and the packages that need it."""

from cardroom.reports.sbom.components import UNKNOWN_LICENSE, SoftwareComponent, all_components

__all__ = ["UNKNOWN_LICENSE", "SoftwareComponent", "all_components"]
