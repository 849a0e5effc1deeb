"""What the program is made of: every package that it needs to run, its licence, and who needs it."""

from cardroom.reports.parts.bom import bill_of_materials
from cardroom.reports.parts.part import NOBODY_TOLD, Part
from cardroom.reports.parts.whole import all_parts

__all__ = ["NOBODY_TOLD", "Part", "all_parts", "bill_of_materials"]
