"""Cards of Texas Shootout for the tests of its odds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import parse_cards


def codes_of(text: str) -> NDArray[np.uint8]:
    return np.array([card.code for card in parse_cards(text)], np.uint8)
