"""Bots: seats that the house plays with basic strategy, through the same commands as players.

Bots never play alone: they wager after a player has. The basic strategy of a setup is computed once, in another
process, because that can take a minute; until then a bot follows the coach's best advice. The server that runs a table
plays its bots.

The warm-up plays a few rounds of each game before the server opens, so that the first player does not wait for code
that is loaded and compiled on first use."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from cardroom.cards import ChaCha20Source, shuffle_shoe
from cardroom.errors import BadInput
from cardroom.games import Decide, SeatTurn, Table, advance, game, view, view_to_json
from cardroom.ledger import Lease, LeaseLost, LedgerDamaged, LedgerUnavailable
from cardroom.ledger.errors import format_error
from cardroom.odds.pricer import BestAdvice, Policy
from cardroom.service import CardRoom, Occupant, SharedTableView, TablePhase
from cardroom.web.services.change_feed import ChangeFeed
from cardroom.web.services.executors import Executors
from cardroom.web.services.jobs import Jobs
from cardroom.web.services.lease_manager import LeaseManager
from cardroom.web.services.worker_computations import compute_policy, parse_table

log = logging.getLogger(__name__)

Pause: TypeAlias = Callable[[], float]
"""The seconds that a bot waits before it acts."""

BOT_OWNER: Final = "the house"
BOT_NAMES: Final = ("Ada", "Blaise", "Carl", "Dora", "Emmy", "Florence", "Georg")
"""The names of the bots."""
BOT_BUY_IN: Final = 100
"""In minimum wagers."""
BOT_MINIMUM_CHIPS: Final = 10
"""In minimum wagers. With less, a bot gets more chips, so that it can always follow its strategy."""


def human_pause() -> float:
    """About a second, like a person."""
    return random.uniform(0.6, 1.6)  # noqa: S311 (not security relevant)


class BotTurn(NamedTuple):
    """The next action of a bot."""

    seat: int
    version: int
    """The table's version, which is part of the command id, so that the action is executed once."""
    question: bool
    """Whether a decision is due; otherwise wagers are."""


class Bots:
    """Plays all bots."""

    def __init__(
        self,
        card_room: CardRoom,
        executors: Executors,
        change_feed: ChangeFeed,
        lease_manager: LeaseManager,
        jobs: Jobs,
        pause: Pause = human_pause,
    ) -> None:
        self._card_room, self._executors, self._change_feed, self._lease_manager = (
            card_room,
            executors,
            change_feed,
            lease_manager,
        )
        self._jobs, self._pause = jobs, pause
        self._busy: dict[tuple[str, BotTurn], asyncio.Task[None]] = {}
        change_feed.add_table_listener(self.on_table_change)

    @property
    def is_busy(self) -> bool:
        """Whether a bot has a pending action."""
        return bool(self._busy)

    def on_table_change(self, snapshot: SharedTableView) -> None:
        """Start the due actions of a table's bots."""
        if any(occupant.is_bot for occupant in snapshot.state.seats):
            self._jobs.get(compute_policy, snapshot.state.setup)
        if self._lease_manager.lease(snapshot.state.table) is None:
            return
        for due in _bot_turns(snapshot):
            key = snapshot.state.table, due
            if key not in self._busy:
                self._busy[key] = asyncio.ensure_future(self._act(snapshot, due))
                self._busy[key].add_done_callback(lambda _, key=key: self._busy.pop(key))  # type: ignore[misc]

    async def _act(self, snapshot: SharedTableView, turn: BotTurn) -> None:
        await asyncio.sleep(self._pause())
        lease = self._lease_manager.lease(snapshot.state.table)
        if lease is None:
            return
        try:
            await self._executors.execute(self._decide if turn.question else self._place_wagers, snapshot, turn, lease)
        except LeaseLost:
            self._lease_manager.drop_lease(lease)
        except BadInput as fault:
            # The state has changed, and the table continues without this action. The sentence stays out of the log,
            # because it may name the seat's cards.
            kind = type(fault).__name__
            log.info(
                "a bot's command was refused", extra={"table": snapshot.state.table, "seat": turn.seat, "fault": kind}
            )
        except (LedgerUnavailable, LedgerDamaged) as fault:
            log.warning(
                "a bot cannot act",
                extra={"table": snapshot.state.table, "seat": turn.seat, "fault": format_error(fault)},
            )
        self._change_feed.notify_table(snapshot.state.table)

    def _place_wagers(self, snapshot: SharedTableView, turn: BotTurn, lease: Lease) -> None:
        table, occupant = snapshot.state.table, _require_seated(snapshot, turn.seat)
        wagers = minimum_wagers(snapshot.state.open_table.table)
        id = f"bot/{table}/{turn.seat}/{turn.version}"
        if occupant.chips < BOT_MINIMUM_CHIPS * sum(wagers.values()):
            seat_bot(self._card_room, f"{id}/chips", table, turn.seat, occupant.player, lease=lease)
        self._card_room.place_bot_wagers(id, table, turn.seat, wagers, snapshot.state.round, lease=lease)

    def _decide(self, snapshot: SharedTableView, turn: BotTurn, lease: Lease) -> None:
        assert snapshot.position is not None
        table, play = snapshot.state.table, self._policy_for(snapshot.state.setup)
        answer = str(play(view(snapshot.position.round, turn.seat)))
        id = f"bot/{table}/{turn.seat}/{turn.version}"
        self._card_room.make_bot_decision(id, table, turn.seat, answer, snapshot.state.round, lease=lease)

    def _policy_for(self, setup: str) -> Policy:
        """The basic strategy of a setup, or the coach's best advice until it is computed."""
        result = self._jobs.get(compute_policy, setup)
        return BestAdvice(parse_table(setup)) if result is None or result.fault else result.value

    def end(self) -> None:
        for task in self._busy.values():
            task.cancel()


def _bot_turns(snapshot: SharedTableView) -> Iterator[BotTurn]:
    state = snapshot.state
    bots = [occupant for occupant in state.seats if occupant.is_bot and not occupant.leaving]
    if state.phase is TablePhase.PLAYING:
        yield from (
            BotTurn(occupant.seat, snapshot.version, question=True)
            for occupant in bots
            if occupant.seat == state.deciding_seat
        )
    elif state.phase is TablePhase.BETTING:
        seats = {occupant.seat for occupant in bots}
        if any(occupant.seat not in seats for occupant in state.seat_wagers):
            yield from (
                BotTurn(seat, snapshot.version, question=False) for seat in seats if state.wagers_at(seat) is None
            )


def _require_seated(snapshot: SharedTableView, seat: int) -> Occupant:
    occupant = snapshot.state.occupant(seat)
    assert occupant is not None
    return occupant


def seat_bot(card_room: CardRoom, id: str, table: str, seat: int, name: str, *, lease: Lease | None = None) -> None:
    """Seat a bot or give it more chips."""
    card_room.seat_bot(
        id, BOT_OWNER, table, seat, name, bot_chips(card_room.table(table).open_table.table), lease=lease
    )


def bot_chips(table: Table) -> int:
    """The chips of a new bot, in cents."""
    return BOT_BUY_IN * sum(minimum_wagers(table).values())


def minimum_wagers(table: Table) -> Mapping[str, int]:
    """The minimum wagers to be dealt in: on the first spot and on every other required one."""
    amounts: dict[str, int] = {}
    covered_wagers = set[str]()
    for place, (spot, offered) in enumerate(table.spots.items()):
        slug = offered.wager.slug
        if slug not in covered_wagers and (place == 0 or offered.wager.required):
            amounts[spot] = offered.limits.minimum
            covered_wagers.add(slug)
    return amounts


WARM_UP_ROUNDS = 3
"""Several rounds, because one round does not include every decision."""


def warm_up(tables: Iterable[Table]) -> None:
    """Play some rounds in memory, at one table of each game."""
    for table in {candidate.facts.slug: candidate for candidate in tables}.values():
        for seed in range(WARM_UP_ROUNDS):
            _play_round(table, seed)


def _play_round(table: Table, seed: int) -> None:
    rules = game(table.facts.slug)
    round_, shoe = (
        rules.begin(table, {1: minimum_wagers(table)}),
        shuffle_shoe(table.deck, ChaCha20Source.from_seed(seed)),
    )
    while True:
        round_, shoe = advance(round_, shoe)
        view_to_json(view(round_, 1))
        if not isinstance(round_.turn, SeatTurn):
            rules.settle(round_, dict.fromkeys(table.spots, 0))
            return
        round_ = round_.apply(Decide(round_.turn.seat, round_.turn.options[-1]))
