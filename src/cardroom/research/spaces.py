"""The spaces of a vector environment's rows."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from cardroom.cards import JOKER_CODE
from cardroom.odds.rounds.batch import NOT_THERE, Batch


def observation_space(batch: Batch) -> Dict:
    """What one seat sees: the code of each card, -1 for a back and -2 for a card that is not there; the number of the
    question, 0 when nothing is asked; the action that answered each question, or -1; the cents on each spot."""
    most = max(offered.limits.maximum for offered in batch.table.spots.values())
    return Dict(
        {
            "cards": Box(NOT_THERE, JOKER_CODE, (len(batch.rows),), np.int8),
            "question": Discrete(len(batch.questions) + 1),
            "answers": Box(-1, len(batch.actions) - 1, (len(batch.questions),), np.int8),
            "wagers": Box(0, most, (len(batch.wagered),), np.int64),
        }
    )


def action_space(batch: Batch) -> Discrete:
    """One number for each answer, whatever the cards are."""
    return Discrete(len(batch.actions))
