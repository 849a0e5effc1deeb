"""Books with many rounds in them: played through the floor like all others, but some thousand of them to a commit."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from bench.live.room import RICH, TERMS, layout
from cardroom.accounts import Currency
from cardroom.games import game
from cardroom.ledger import Command, CommandResult, Ledger, open_ledger, system_clock
from cardroom.ledger.transaction import Transaction
from cardroom.service import CardRoom, TablePhase

AT_ONCE: Final = 2_000
"""Commands to a commit."""


class Bulk(Ledger):
    """A ledger of one writer, who waits for the disk once in a while. For books that are only made to be measured."""

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

    def commit(self) -> None:
        if self._group is not None:
            batch = self._group.build_batch()
            assert batch is not None
            self.store.commit(batch)
            self._group = None


def fill(url: str, slug: str, *, tables: int, rounds: int, seats: int, first: str = "") -> None:
    """Play so many rounds at some tables, each with so many seats; then everybody leaves."""
    with open_ledger(url) as ledger:
        floor = CardRoom(ledger)
        names = [f"{slug}-{number}" for number in range(1, tables + 1)]
        players = {table: [f"{first or 'past'}-{table}-{seat}" for seat in range(1, seats + 1)] for table in names}
        for table in names:
            if not floor.read_table_version(table):
                floor.add_table(f"open {table}", "Olga", table, layout(slug), TERMS)
            for player in players[table]:
                floor.admit_player(f"admit {player}", "Olga", player, Currency.PLAY)
                floor.pay_in(f"pay {player}", "Olga", player, RICH, "bench", second="Carl")
                floor.take_seat(f"sit {player}", player, table, None, RICH)
        bulk = Bulk(ledger)
        past = _Past(CardRoom(bulk), slug)
        for number in range(rounds):
            table = names[number % tables]
            past.play(table, players[table], f"{first}{number}")
        bulk.commit()
        for table in names:
            for player in players[table]:
                floor.leave_seat(f"leave {player}", player, table)


class _Past:
    """Somebody who plays rounds one after the other, answering at random."""

    def __init__(self, floor: CardRoom, slug: str) -> None:
        self._floor, self._random = floor, random.Random(7)
        table = game(slug).open(layout(slug))
        spot, offered = next(iter(table.spots.items()))
        self._wagers = {spot: offered.limits.minimum}

    def play(self, table: str, players: Sequence[str], name: str) -> None:
        for player in players:
            standing = self._floor.place_wagers(f"w{name}/{player}", player, table, self._wagers)
        answers = 0
        while standing.state is TablePhase.PLAYING:
            # As the floor has it in hand: what was just decided is not on disk yet.
            _, position = self._floor._cached_positions[table]
            turn = position.round.seat_turn
            answers += 1
            said = str(self._random.choice(turn.options))
            standing = self._floor.make_decision(f"a{name}/{table}/{answers}", players[turn.seat - 1], table, said)
