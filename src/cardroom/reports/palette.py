"""The colors of charts: Okabe and Ito's palette, which people with any type of color vision can distinguish."""

from __future__ import annotations

from typing import Final

BLACK: Final = "#000000"
ORANGE: Final = "#E69F00"
SKY_BLUE: Final = "#56B4E9"
BLUISH_GREEN: Final = "#009E73"
YELLOW: Final = "#F0E442"
BLUE: Final = "#0072B2"
VERMILLION: Final = "#D55E00"
REDDISH_PURPLE: Final = "#CC79A7"

OKABE_ITO: Final = (BLACK, ORANGE, SKY_BLUE, BLUISH_GREEN, YELLOW, BLUE, VERMILLION, REDDISH_PURPLE)

# Lines and text without data. Data colors also differ in lightness, for black-and-white prints.
QUIET_INK: Final = "#595959"
GRID: Final = "#D9D9D9"
PAPER: Final = "#FFFFFF"
NEUTRALS: Final = (QUIET_INK, GRID, PAPER)
