"""A card room for the load test: tables with seated players, added before the server starts; and the server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from bench.live.bots import Seat
from cardroom.games import TableSetup, default_setup, game
from cardroom.ledger import open_ledger
from cardroom.service import CardRoom, PlayTerms, RoomTableSetup
from cardroom.web.services.sessions import GuestTokens

SEATS: Final = 5
RICH: Final = 1_000_000_00
TERMS: Final = PlayTerms(betting=600, deciding=600)


def layout(slug: str) -> TableSetup:
    """A table without the wagers that need a jackpot."""
    setup = default_setup(slug, seats=SEATS)
    offered = game(slug).open(setup).offers
    return replace(setup, wagers={slug: wager for slug, wager in setup.wagers.items() if not offered[slug].has_meter})


def open_room(url: str, tables: int, slug: str = "three-card-prime", seats: int = SEATS) -> list[Seat]:
    """This many tables, each with this many players who never run out of play money."""
    taken: list[Seat] = []
    with open_ledger(url) as ledger:
        card_room = CardRoom(ledger)
        tokens = GuestTokens(card_room.get_room_secret())
        for number in range(1, tables + 1):
            table = f"{slug}-{number}"
            card_room.add_table(f"open {table}", "Olga", RoomTableSetup(table, layout(slug), TERMS))
            for seat in range(1, seats + 1):
                player = card_room.players.admit_guest(f"admit {table}-{seat}").player
                card_room.players.pay_in(f"pay {player}", "Olga", player, RICH, "bench", second="Carl")
                card_room.take_seat(f"sit {player}", player, table, seat, RICH)
                taken.append(Seat(table, seat, tokens.issue(player)))
        # The operator comes last: in a room with users, the second person of each payment would have to sign.
        card_room.users.add_first_operator("bench", "olga", "Olga", "four loud geese of the bench")
    return taken


@contextmanager
def serving(url: str, errors: Path, *options: str) -> Iterator[tuple[tuple[str, int], int]]:
    """A server on this ledger: its address and its process id."""
    command = [
        str(Path(sys.executable).with_name("cardroom")),
        "serve",
        "--database",
        url,
        "--port",
        "0",
        "--log-level",
        "warning",
        *options,
    ]
    with errors.open("w") as log, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split("//")[-1].strip()
            host, _, port = address.partition(":")
            yield (host, int(port)), server.pid
        finally:
            server.terminate()
            server.wait(60)
