"""Queries about tables: one viewer's view of a round in progress, and past rounds for every viewer.

History: the last events of a table, a jackpot, or a promotion, newest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from cardroom.errors import quote
from cardroom.games import Onlooker, view, view_to_json
from cardroom.ledger import Event
from cardroom.room.event_types import EVENT_TYPES
from cardroom.room.jackpot.events import WagersCounted
from cardroom.room.table.automatic_round import RoundPosition
from cardroom.room.table.state import TablePhase, TableState, parse_round_id
from cardroom.room.table.terms import UnknownRound
from cardroom.room.tabulator.events import CounterRead, ReadingReversed, RoundCountedByHand, RoundTabulated, RoundVoided
from cardroom.service.chains.aggregates import TABLES
from cardroom.service.chains.names import jackpot_chain, parse_table_chain, table_chain, tabulator_chain
from cardroom.service.commands.automatic_rounds import AbsentPlayerCommands
from cardroom.service.commands.handler import CommandHandler
from cardroom.service.commands.tables import require_visible
from cardroom.service.queries.chain_history import find_wager_void, list_newest_first
from cardroom.service.queries.past_live_rounds import PastLiveRound, find_past_live_round
from cardroom.service.queries.past_rounds import PastRound, find_past_round
from cardroom.service.queries.round_search import (
    AnyPastRound,
    RoundPage,
    RoundSource,
    find_round_cursor,
    has_sat_at,
    list_numbered_rounds,
    list_player_rounds,
    make_round_page,
    merge_newest_first,
)

MAX_ROUNDS_SCANNED: Final = 1_000
"""Rounds that are read for one page, where a player sat out most of them."""


class SharedTableView(NamedTuple):
    """A table at one moment, for several viewers. It holds all cards: only what ``to_json`` returns leaves the
    server."""

    state: TableState
    version: int
    position: RoundPosition | None
    meters: Mapping[str, int]
    """What the meters of its jackpots show, in cents by spot."""
    jackpots: frozenset[str]
    """The jackpots of its meters: other tables may change them too."""

    def to_json(self, player: str | None) -> dict[str, Any]:
        """What one viewer may see, as JSON; without a viewer, what the public display shows."""
        state = self.state
        seated_player = state.seat_of(player) if player is not None else None
        entry: dict[str, Any] = {
            "table": state.table,
            "game": state.game.facts.slug,
            "money": str(state.terms.money),
            "state": str(state.phase),
            "version": self.version,
            "seat": seated_player.seat if seated_player else None,
            "chips_cents": seated_player.chips if seated_player else 0,
            "seats": {str(item.seat): {"player": item.player, "chips_cents": item.chips} for item in state.seats},
            "round": None,
            "coming": {"round": state.round, "seal": state.seal} if state.phase is not TablePhase.PLAYING else None,
            "laid": {str(item.seat): dict(item.spots) for item in state.seat_wagers} if not state.playing else {},
            "last_round": state.last_round,
            "meters": dict(self.meters),
        }
        if self.position is not None:
            visible_round = view(self.position.round, seated_player.seat if seated_player else Onlooker.DISPLAY)
            entry["round"] = {"round": state.round, "seal": state.seal, "view": view_to_json(visible_round)}
        if state.deadline:
            entry["deadline"] = state.deadline
        return entry


class TableQueries(AbsentPlayerCommands):
    """Queries about tables."""

    def view_table(self, table: str) -> SharedTableView:
        """A table at this moment."""
        version, state, position = self._read_table_in_play(table)
        return SharedTableView(
            state, version, position, self._read_shown_meters(state), self._list_played_jackpots(state)
        )

    def view_table_json(self, table: str, player: str | None = None) -> dict[str, Any]:
        """What a player, or a visitor, may see of a table."""
        table_view = self.view_table(table)
        require_visible(table_view.state, player or "")
        return table_view.to_json(player)

    def get_round_json(self, id: str) -> dict[str, Any]:
        """A round that has ended: its record, payments, seal and key, and who sat where."""
        return self._get_past_round(id).to_json()

    def get_past_round(self, id: str) -> PastRound:
        """A round that has ended."""
        return self._get_past_round(id)

    def _get_past_round(self, id: str) -> PastRound:
        past = find_past_round(self.ledger, id)
        if past is None:
            raise UnknownRound(self._explain_unknown_round(id))
        return past

    def _explain_unknown_round(self, id: str) -> str:
        table_and_number = parse_round_id(id)
        head = self.ledger.head(table_chain(table_and_number[0])) if table_and_number else None
        state = self.state_cache.load(TABLES, head) if head else None
        if state is not None and state.phase is TablePhase.PLAYING and state.round == id:
            return f"Round {id} is in progress: look again when it has ended."
        if state is not None and find_past_live_round(self.ledger, id) is not None:
            return f"Round {id} was dealt by a dealer: it has no seal and no key. `cardroom rounds show {id}` shows it."
        if state is not None and not state.closed and state.round == id:
            return f"Round {id} has not begun: look again when it has ended."
        return f"There is no round {id!r} that has ended: a round's id looks like prime-1.17."

    def get_round(self, id: str) -> AnyPastRound:
        """A round that has ended, automatic or live."""
        live = find_past_live_round(self.ledger, id)
        return self._add_wager_void(live) if live is not None else self._get_past_round(id)

    def _add_wager_void(self, past: AnyPastRound) -> AnyPastRound:
        """The round; a live one says whether its jackpot wagers were voided afterwards."""
        if not isinstance(past, PastLiveRound) or past.is_void or self.ledger.head(tabulator_chain(past.table)) is None:
            return past
        if past.id not in self.tabulator(past.table).tabulator.voided:
            return past
        return replace(past, voided=find_wager_void(self.ledger, past.table, past.id))

    def list_rounds(
        self, table: str, *, first: int = 1, last: int | None = None, oldest_first: bool = False
    ) -> Iterator[AnyPastRound]:
        """The rounds of a table that have ended, from one number to another, the newest first."""
        newest = self._read_newest_number(table)
        numbers = range(first, (newest if last is None else min(last, newest)) + 1)
        return map(
            self._add_wager_void,
            list_numbered_rounds(self.ledger, table, numbers if oldest_first else reversed(numbers)),
        )

    def list_recent_rounds(self) -> Iterator[AnyPastRound]:
        """The rounds of all tables that have ended, the newest first."""
        heads = (self.ledger.head(table_chain(table)) for table in self.list_tables())
        return merge_newest_first(
            RoundSource[AnyPastRound](head.time, partial(self.list_rounds, parse_table_chain(head.chain) or ""))
            for head in heads
            if head
        )

    def list_player_rounds(self, player: str) -> Iterator[PastRound]:
        """The rounds that a player has played, the newest first."""
        self.player_account(player)
        return (
            past
            for past in list_player_rounds(self.ledger, player, self._read_newest_number)
            if player in past.players.values()
        )

    def page_player_rounds(self, player: str, *, before: str | None = None, limit: int = 50) -> RoundPage:
        """A page of the rounds that a player has played before another one, the newest first."""
        self.player_account(player)
        start = None
        if before is not None:
            # A player who never sat at a table learns nothing of its rounds here.
            table_and_number = parse_round_id(before)
            start = (
                find_round_cursor(self.ledger, before)
                if table_and_number and has_sat_at(self.ledger, player, table_and_number[0])
                else None
            )
            if start is None:
                raise UnknownRound(f"You have played no round {quote(before)}: give one that you have, as `before`.")
        return make_round_page(
            list_player_rounds(self.ledger, player, self._read_newest_number, start), player, limit, MAX_ROUNDS_SCANNED
        )

    def _read_newest_number(self, table: str) -> int:
        """The number of the last round of a table that may have ended."""
        return self.table(table).number - 1


DEFAULT_LIMIT: Final = 50
"""The number of items unless the caller says otherwise."""
_ROUND_EVENT_TYPES: Final = frozenset(
    one.kind for one in (RoundTabulated, RoundCountedByHand, CounterRead, ReadingReversed, RoundVoided)
)
_NON_WAGER_EVENT_TYPES: Final = frozenset(EVENT_TYPES) - {WagersCounted.kind}


class HistoryService:
    """Past events of tables and jackpots."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler

    def list_tabulator_rounds(self, table: str, limit: int = DEFAULT_LIMIT) -> tuple[Event, ...]:
        """The last rounds of a table in full: counts, by hand or by the tabulator, and voids."""
        self._handler.tabulator(table)
        return self._list_newest_events(tabulator_chain(table), limit, _ROUND_EVENT_TYPES)

    def list_tabulator_changes(self, table: str, limit: int = DEFAULT_LIMIT) -> tuple[Event, ...]:
        """The last events of a table besides its counts: its setups, its tabulator, its removal."""
        self._handler.tabulator(table)
        return self._list_newest_events(tabulator_chain(table), limit, frozenset(EVENT_TYPES) - _ROUND_EVENT_TYPES)

    def list_jackpot_events(self, jackpot: str, limit: int = DEFAULT_LIMIT) -> tuple[Event, ...]:
        """The last events of a jackpot besides the wagers of each round: claims, prizes, resets, every adjustment."""
        self._handler.jackpot(jackpot)
        return self._list_newest_events(jackpot_chain(jackpot), limit, _NON_WAGER_EVENT_TYPES)

    def _list_newest_events(self, chain: str, limit: int, kinds: frozenset[str]) -> tuple[Event, ...]:
        matching = (event for event in list_newest_first(self._handler.ledger, chain) if event.kind in kinds)
        return tuple(islice(matching, limit))
