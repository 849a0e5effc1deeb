"""Rounds of a table that have ended, read back from its chain and dealt again from their keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Protocol

from cardroom.games import GameFacts, Round, Settlement, round_to_json
from cardroom.games.serialization import payment_to_json
from cardroom.ledger import Event, Time
from cardroom.room.table.automatic_round import replay_round, round_seal
from cardroom.room.table.events import (
    DecisionMade,
    RoundCanceled,
    RoundPlayed,
    RoundStarted,
    SeatAmount,
    TableOpened,
    UnverifiedPrize,
)
from cardroom.room.table.reducer import round_start_key, table_opening_key
from cardroom.room.table.state import SeatDecision, open_table, parse_round_id, player_seeds, setup_text
from cardroom.service.chains.names import table_chain
from cardroom.service.queries.chain_history import read_domain_event

ANONYMOUS_PLAYER: Final = "a player"
"""The name of a player whose name is hidden."""


class EventSource(Protocol):
    """A source of stored events: the ledger, or a snapshot of it."""

    def find_event(self, chain: str, name: str, /) -> Event | None:
        """The event of a chain with a unique key."""

    def events(self, chain: str, after: int, limit: int, /) -> Iterator[Event]:
        """The events of a chain after a place, at most so many."""


@dataclass(frozen=True)
class PastRound:
    """A round that has ended, as its chain records it."""

    id: str
    table: str
    number: int
    begun: RoundStarted
    answers: tuple[DecisionMade, ...]
    ended: RoundPlayed | RoundCanceled
    time: Time
    """When it ended."""
    setup: str
    """The setup of the table then, as JSON."""
    money: str
    seal: str

    @property
    def facts(self) -> GameFacts:
        """The facts of its game."""
        return open_table(self.setup).game.facts

    @property
    def game(self) -> str:
        """The slug of the game."""
        return self.facts.slug

    @property
    def players(self) -> dict[int, str]:
        """Who sat where."""
        return {player.seat: player.player for player in self.begun.players}

    def redact_for(self, player: str | None) -> PastRound:
        """The round as any person may check it: only players who sat there see the names."""
        names = set(self.players.values())
        if player in names:
            return self
        seated = tuple(item._replace(player=ANONYMOUS_PLAYER) for item in self.begun.players)
        answers = tuple(replace(item, by=ANONYMOUS_PLAYER) if item.by in names else item for item in self.answers)
        return replace(self, begun=replace(self.begun, players=seated), answers=answers)

    @property
    def is_void(self) -> bool:
        """Whether it was voided, so that every wager went back."""
        return isinstance(self.ended, RoundCanceled)

    @property
    def key(self) -> str:
        """The key of the shuffle, which opens the seal."""
        return self.ended.key

    @cached_property
    def game_round(self) -> Round:
        """The round, dealt again from its key."""
        decisions = [
            SeatDecision(decision.seat, decision.question, decision.answer, decision.by) for decision in self.answers
        ]
        seal = round_seal(bytes.fromhex(self.key), self.id)
        return replay_round(open_table(self.setup), seal, self.begun.wagers, decisions).round

    @property
    def record(self) -> dict[str, Any]:
        """The input of ``cardroom settle``."""
        entry = round_to_json(self.game_round)
        meters = dict(self.ended.meters) if isinstance(self.ended, RoundPlayed) else {}
        return entry | {"meters": meters} if meters else entry

    @cached_property
    def settlement(self) -> Settlement:
        """Every payment of a round that was not voided, settled again."""
        meters = self.ended.meters if isinstance(self.ended, RoundPlayed) else {}
        return self.game_round.game.settle(self.game_round, meters)

    @property
    def payments(self) -> list[dict[str, Any]]:
        """The output of ``cardroom settle``; nothing for a void round."""
        if not isinstance(self.ended, RoundPlayed):
            return []
        return [payment_to_json(payment) for payment in self.settlement.payments]

    @cached_property
    def wagered(self) -> Mapping[int, int]:
        """What each seat put on the layout, before the deal and with its decisions, in cents."""
        spots = open_table(self.setup).table.spots
        down = {
            item.seat: sum(spots[spot].wager.stakes * cents for spot, cents in item.spots.items())
            for item in self.begun.wagers
        }
        for item in self.answers:
            down[item.seat] = down.get(item.seat, 0) + item.cents
        return down

    @property
    def returned(self) -> Mapping[int, int]:
        """What each seat got back at the table, in cents; of a void round, every wager."""
        if not isinstance(self.ended, RoundPlayed):
            return self.wagered
        return {amount.seat: amount.cents for amount in self.ended.returned}

    @property
    def prizes(self) -> tuple[SeatAmount, ...]:
        """What jackpots and promotions paid with the round."""
        return self.ended.prizes if isinstance(self.ended, RoundPlayed) else ()

    @property
    def waiting(self) -> tuple[UnverifiedPrize, ...]:
        """Prizes that were locked when the round ended."""
        return self.ended.waiting if isinstance(self.ended, RoundPlayed) else ()

    @property
    def void_details(self) -> dict[str, str] | None:
        """Who voided the round, and why; None for one that was played to its end."""
        off = self.ended
        return {"who": off.who, "second": off.second, "why": off.why} if isinstance(off, RoundCanceled) else None

    def summarize(self) -> dict[str, Any]:
        """As JSON in a list: without the cards, which would have to be dealt again; amounts in whole cents."""
        return {
            "round": self.id,
            "table": self.table,
            "number": self.number,
            "game": self.game,
            "money": self.money,
            "mode": "automatic",
            "ended": self.time,
            "players": {str(seat): player for seat, player in self.players.items()},
            "wagered_cents": sum(self.wagered.values()),
            "returned_cents": sum(self.returned.values()),
            "void": self.is_void,
        }

    def summarize_player(self, player: str) -> dict[str, Any]:
        """The same of a player's own seat."""
        seat = next(seat for seat, name in self.players.items() if name == player)
        wagered, returned = self.wagered.get(seat, 0), self.returned.get(seat, 0)
        amounts = {"wagered_cents": wagered, "returned_cents": returned, "net_cents": returned - wagered}
        identity = {name: value for name, value in self.summarize().items() if name not in ("players", "mode")}
        return {**identity, "seat": seat, **amounts}

    def to_json(self) -> dict[str, Any]:
        """As JSON; every amount in whole cents."""
        entry: dict[str, Any] = {
            "round": self.id,
            "table": self.table,
            "number": self.number,
            "game": self.game,
            "money": self.money,
            "ended": self.time,
            "players": {str(seat): player for seat, player in self.players.items()},
            "record": self.record,
            "payments": self.payments,
            "returned_cents": {str(seat): cents for seat, cents in self.returned.items()},
            "seal": self.seal,
            "key": self.key,
            "words": {str(seat): words for seat, words in player_seeds(self.begun.wagers).items()},
            "answered_by": [{"seat": item.seat, "question": item.question, "by": item.by} for item in self.answers],
            "wagered_cents": {str(seat): cents for seat, cents in self.wagered.items()},
        }
        if self.void_details is not None:
            return entry | {"void": self.void_details}
        if self.prizes:
            entry["prizes_cents"] = {str(item.seat): item.cents for item in self.prizes}
        if self.waiting:
            entry["waiting"] = [item._asdict() for item in self.waiting]
        return entry


def find_past_round(ledger: EventSource, id: str) -> PastRound | None:
    """A round by its id, however long ago; None when none of that id has ended."""
    table_and_number = parse_round_id(id)
    if table_and_number is None:
        return None
    table, number = table_and_number
    chain = table_chain(table)
    last, first = ledger.find_event(chain, id), ledger.find_event(chain, round_start_key(id))
    if last is None or first is None or first.kind != RoundStarted.kind:
        return None  # a live round has only the cards that were entered
    between = ledger.events(chain, first.sequence, last.sequence - first.sequence - 1)
    answers = tuple(decision for event in between if isinstance(decision := _decode_decision(event), DecisionMade))
    begin_event, end_event = read_domain_event(first), read_domain_event(last)
    assert isinstance(begin_event, RoundStarted)
    assert isinstance(end_event, RoundPlayed | RoundCanceled)
    opening = get_opening(ledger, table, begin_event.opening)
    setup, money = setup_text(opening), str(opening.terms.money)
    return PastRound(id, table, number, begin_event, answers, end_event, last.time, setup, money, begin_event.seal)


def _decode_decision(event: Event) -> object:
    return read_domain_event(event) if event.kind == DecisionMade.kind else None


def get_opening(ledger: EventSource, table: str, opening: int) -> TableOpened:
    """The setup of a table at a time."""
    event = ledger.find_event(table_chain(table), table_opening_key(opening))
    assert event is not None
    opening_event = read_domain_event(event)
    assert isinstance(opening_event, TableOpened)
    return opening_event
