"""Sign-in: the time to sign in, which is long on purpose, and the time to look up a session, which is short."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from argon2.low_level import Type, hash_secret_raw

from bench.measure import Figure, Promise, in_turns, second_run
from bench.result_table import Sheet
from cardroom.ledger import open_ledger
from cardroom.service import CardRoom

SUBJECT: Final = "sign-in"
CORES: Final = 2
_PASSWORD: Final = "seven quiet owls"
_ASKED: Final = 1_000


def sheets() -> list[Sheet]:
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder:
        note = (
            "Argon2id checks a password with 64 MB and four passes: about 200 ms on a current core, once per sign-in "
            "for the card room, and once per guess for a thief."
        )
        return [Sheet("Sign-in", tuple(_figures(Path(folder))), note)]


def _figures(folder: Path) -> list[Figure]:
    with open_ledger(f"sqlite:///{folder}/room.db") as ledger:
        card_room = CardRoom(ledger)
        card_room.users.add_first_operator("first", "olga", "Olga", _PASSWORD)
        signing = in_turns(lambda: card_room.users.sign_in("olga", _PASSWORD, "bench"), _one_pass, at_least=3)
        token = card_room.users.sign_in("olga", _PASSWORD, "bench").token
        asked = second_run(lambda: [card_room.users.find_session(token) for _ in range(_ASKED)], 0.5) / _ASKED
    promise = Promise("one pass of argon2id over 64 MB", signing.yardsticks, 2.0)
    return [
        Figure("signing in", signing.seconds * 1e3, "ms", promise),
        Figure("session lookup in the ledger", asked * 1e3, "ms"),
    ]


def _one_pass() -> object:
    """One pass, as a weaker setting would use."""
    return hash_secret_raw(_PASSWORD.encode(), b"sixteen bytes of", 1, 65_536, 1, 32, Type.ID)
