"""Where a session's shuffles come from: a fresh secret key for each round, or a seed that plays the same again."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import count

from cardroom.cards.shuffle import KEY_BYTES, Seal, key_from_seed


def seals(game: str, seed: str | None) -> Iterator[Seal]:
    """One sealed shuffle a round.

    >>> first, again = next(seals("deuces-wild", "7")), next(seals("deuces-wild", "7"))
    >>> first.round_name, first.commitment == again.commitment
    ('deuces-wild, round 1', True)
    """
    for number in count(1):
        name = f"{game}, round {number}"
        yield Seal(secrets.token_bytes(KEY_BYTES) if seed is None else key_from_seed(f"{seed}, {name}"), name)
