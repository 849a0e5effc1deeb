"""Pictures of TableVision's displays."""

from cardroom.extras import require_packages

require_packages("reports", "Drawn displays", "vl_convert")

from cardroom.reports.displays.pictures import display_png, display_svg, write_display

__all__ = [
    "display_png",
    "display_svg",
    "write_display",
]
