"""Ledgers with many past rounds, played through the card room like all others, but with thousands of commands per
commit."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from bench.live.server import RICH, TERMS, layout
from cardroom.chart_of_accounts import Currency
from cardroom.games import game
from cardroom.ledger import Command, CommandResult, Head, Ledger, open_ledger, system_clock
from cardroom.ledger.transaction import Transaction
from cardroom.service import CardRoom, RoomTableSetup, TablePhase

AT_ONCE: Final = 2_000
"""Commands per commit."""


class Bulk(Ledger):
    """A ledger with one writer that commits rarely. Only for ledgers that a benchmark measures."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(ledger.store, system_clock)
        self._group: Transaction | None = None
        self._done = 0

    def execute(self, command: Command) -> CommandResult:
        if self._group is None:
            known = sorted(set(self.chains()) | set(command.chains))
            self._group = Transaction(self.store.begin(known, [], []), system_clock, self._encrypt)
        done = self._group.execute(command)
        self._done += 1
        if self._done % AT_ONCE == 0:
            self.commit()
        return done

    def head(self, chain: str) -> Head | None:
        """A command is prepared from what the commands before it have decided, also where that is not committed yet."""
        decided = self._group and self._group._head(chain)
        return decided or super().head(chain)

    def commit(self) -> None:
        if self._group is not None:
            batch = self._group.build_batch()
            assert batch is not None
            self.store.commit(batch)
            self._group = None


def fill(url: str, slug: str, *, tables: int, rounds: int, seats: int, first: str = "") -> None:
    """Play this many rounds at these tables, each with this many seats; then all players leave."""
    with open_ledger(url) as ledger:
        card_room = CardRoom(ledger)
        names = [f"{slug}-{number}" for number in range(1, tables + 1)]
        players = {table: [f"{first or 'past'}-{table}-{seat}" for seat in range(1, seats + 1)] for table in names}
        for table in names:
            if not card_room.read_table_version(table):
                card_room.add_table(f"open {table}", "Olga", RoomTableSetup(table, layout(slug), TERMS))
            for player in players[table]:
                card_room.players.admit_player(f"admit {player}", "Olga", player, Currency.PLAY)
                card_room.players.pay_in(f"pay {player}", "Olga", player, RICH, "bench", second="Carl")
                card_room.take_seat(f"sit {player}", player, table, None, RICH)
        bulk = Bulk(ledger)
        past = _Past(CardRoom(bulk), slug)
        for number in range(rounds):
            table = names[number % tables]
            past.play(table, players[table], f"{first}{number}")
        bulk.commit()
        for table in names:
            for player in players[table]:
                card_room.leave_seat(f"leave {player}", player, table)


class _Past:
    """Plays rounds one after the other with random decisions."""

    def __init__(self, card_room: CardRoom, slug: str) -> None:
        self._card_room, self._random = card_room, random.Random(7)
        table = game(slug).open(layout(slug))
        spot, offered = next(iter(table.spots.items()))
        self._wagers = {spot: offered.limits.minimum}

    def play(self, table: str, players: Sequence[str], name: str) -> None:
        for player in players:
            standing = self._card_room.place_wagers(f"w{name}/{player}", player, table, self._wagers)
        answers = 0
        while standing.state is TablePhase.PLAYING:
            # From the card room's cache: the last decision is not yet on disk.
            _, position = self._card_room._cached_positions[table]
            turn = position.round.seat_turn
            answers += 1
            decision = str(self._random.choice(turn.options))
            standing = self._card_room.make_decision(
                f"a{name}/{table}/{answers}", players[turn.seat - 1], table, decision
            )
