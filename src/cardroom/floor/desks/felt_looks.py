"""What there is to see at a felt: by whoever looks, and afterwards by everybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

from cardroom.errors import quote
from cardroom.floor.desks.felt_calls import FeltCallDesk
from cardroom.floor.desks.felts import visible
from cardroom.floor.felt.faults import UnknownRound
from cardroom.floor.felt.playing import Position
from cardroom.floor.felt.state import FeltState, Phase, number_of
from cardroom.floor.kept.chains import felt_chain, felt_of, table_chain
from cardroom.floor.kept.felt_recall import PastRound, past_round
from cardroom.floor.kept.live_recall import PastLiveRound, past_live_round
from cardroom.floor.kept.recall import voided_wagers
from cardroom.floor.kept.round_search import (
    AnyRound,
    Page,
    Source,
    before_round,
    merged,
    numbered,
    page_of,
    played_by,
    sat_at,
)
from cardroom.floor.kept.subjects import FELTS
from cardroom.games import Onlooker, view, view_to_json

MOST_LOOKED: Final = 1_000
"""Rounds that are looked at for a page, where a player sat out most of them."""


class FeltLook(NamedTuple):
    """A felt at one moment, for several people to look at. It holds all cards: only what ``entry`` gives goes out."""

    state: FeltState
    version: int
    position: Position | None
    meters: Mapping[str, int]
    """What the meters of its jackpots show, in cents by spot."""
    jackpots: frozenset[str]
    """Those that its meters belong to: other tables may move them too."""

    def entry(self, player: str | None) -> dict[str, Any]:
        """What one of them may see, as JSON; nobody in particular sees what the public display shows."""
        state = self.state
        here = state.seat_of(player) if player is not None else None
        entry: dict[str, Any] = {
            "table": state.table,
            "game": state.game.facts.slug,
            "money": str(state.terms.money),
            "state": str(state.phase),
            "version": self.version,
            "seat": here.seat if here else None,
            "chips_cents": here.chips if here else 0,
            "seats": {str(one.seat): {"player": one.player, "chips_cents": one.chips} for one in state.seats},
            "round": None,
            "coming": {"round": state.round, "seal": state.seal} if state.phase is not Phase.PLAYING else None,
            "laid": {str(one.seat): dict(one.spots) for one in state.laid} if not state.playing else {},
            "last_round": state.last_round,
            "meters": dict(self.meters),
        }
        if self.position is not None:
            seen = view(self.position.round, here.seat if here else Onlooker.DISPLAY)
            entry["round"] = {"round": state.round, "seal": state.seal, "view": view_to_json(seen)}
        if state.deadline:
            entry["deadline"] = state.deadline
        return entry


class FeltLookDesk(FeltCallDesk):
    """Where felts are looked at."""

    def felt_look(self, table: str) -> FeltLook:
        """A felt at this moment."""
        version, state, position = self._lying(table)
        return FeltLook(state, version, position, self._shown(state), self._meters_of(state))

    def look(self, table: str, player: str | None = None) -> dict[str, Any]:
        """What a player, or anybody who walks by, may see of a felt."""
        look = self.felt_look(table)
        visible(look.state, player or "")
        return look.entry(player)

    def round_played(self, id: str) -> dict[str, Any]:
        """A round that has ended: its record, payments, seal and key, and who sat where."""
        return self._past(id).entry()

    def past_round(self, id: str) -> PastRound:
        """A round that has ended."""
        return self._past(id)

    def _past(self, id: str) -> PastRound:
        found = past_round(self.ledger, id)
        if found is None:
            raise UnknownRound(self._why_unknown(id))
        return found

    def _why_unknown(self, id: str) -> str:
        named = number_of(id)
        head = self.ledger.head(felt_chain(named[0])) if named else None
        state = self._memory.state(FELTS, head) if head else None
        if state is not None and state.phase is Phase.PLAYING and state.round == id:
            return f"Round {id} is played now: it is told when it has ended."
        if state is not None and past_live_round(self.ledger, id) is not None:
            return f"Round {id} was dealt by a dealer: it has no seal and no key. `cardroom rounds show {id}` tells it."
        if state is not None and not state.closed and state.round == id:
            return f"Round {id} has not begun: it is told when it has ended."
        return f"There is no round {id!r} that has ended: a round's id is such as prime-1.17."

    def any_round(self, id: str) -> AnyRound:
        """A round that has ended, whoever dealt it."""
        live = past_live_round(self.ledger, id)
        return self._with_void(live) if live is not None else self._past(id)

    def _with_void(self, past: AnyRound) -> AnyRound:
        """The round; one that a dealer dealt says whether its jackpot wagers were voided afterwards."""
        if not isinstance(past, PastLiveRound) or past.is_void or self.ledger.head(table_chain(past.table)) is None:
            return past
        if past.id not in self.table(past.table).tabulator.voided:
            return past
        return replace(past, voided=voided_wagers(self.ledger, past.table, past.id))

    def past_rounds(
        self, table: str, *, first: int = 1, last: int | None = None, oldest_first: bool = False
    ) -> Iterator[AnyRound]:
        """The rounds of a table that have ended, from one number to another, the newest first."""
        newest = self._newest(table)
        numbers = range(first, (newest if last is None else min(last, newest)) + 1)
        return map(self._with_void, numbered(self.ledger, table, numbers if oldest_first else reversed(numbers)))

    def recent_rounds(self) -> Iterator[AnyRound]:
        """The rounds of all tables that have ended, the newest first."""
        heads = (self.ledger.head(felt_chain(table)) for table in self.felts())
        return merged(
            Source[AnyRound](head.time, partial(self.past_rounds, felt_of(head.chain) or "")) for head in heads if head
        )

    def history(self, player: str) -> Iterator[PastRound]:
        """The rounds that a player has played, the newest first."""
        self.player(player)
        return (one for one in played_by(self.ledger, player, self._newest) if player in one.players.values())

    def history_page(self, player: str, *, before: str | None = None, limit: int = 50) -> Page:
        """The rounds that a player has played before another one, the newest first, a page of them."""
        self.player(player)
        start = None
        if before is not None:
            # Whoever never sat at a table learns nothing of its rounds here.
            named = number_of(before)
            start = before_round(self.ledger, before) if named and sat_at(self.ledger, player, named[0]) else None
            if start is None:
                raise UnknownRound(f"You have played no round {quote(before)}: give one that you have, as `before`.")
        return page_of(played_by(self.ledger, player, self._newest, start), player, limit, MOST_LOOKED)

    def _newest(self, table: str) -> int:
        """The number of the last round of a table that may have ended."""
        return self.felt(table).number - 1
