"""Rounds of a felt that have ended, read back from its chain and dealt again from their keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Protocol

from cardroom.floor.felt.happenings import (
    Answered,
    Cents,
    FeltOpened,
    RoundBegun,
    RoundCalledOff,
    RoundPlayed,
    Waiting,
)
from cardroom.floor.felt.naming import begun_name, opening_name
from cardroom.floor.felt.playing import dealt, seal_of
from cardroom.floor.felt.state import Said, number_of, opened, set_up_text, words_of
from cardroom.floor.kept.chains import felt_chain
from cardroom.floor.kept.recall import happened
from cardroom.games import GameFacts, Round, Settlement, round_to_json
from cardroom.games.serialization import payment_to_json
from cardroom.ledger import Event, Time

SOMEBODY: Final = "somebody"
"""Stands for a player whose name is not told."""


class Recalling(Protocol):
    """Where events are found again: the ledger, or a look at it."""

    def find_event(self, chain: str, name: str, /) -> Event | None:
        """The event of a chain that has a name."""

    def events(self, chain: str, after: int, limit: int, /) -> Iterator[Event]:
        """So many events of a chain after a place."""


@dataclass(frozen=True)
class PastRound:
    """A round that has ended, as its chain tells it."""

    id: str
    table: str
    number: int
    begun: RoundBegun
    answers: tuple[Answered, ...]
    ended: RoundPlayed | RoundCalledOff
    time: Time
    """When it ended."""
    setup: str
    """Of the table then, as JSON."""
    money: str
    seal: str

    @property
    def facts(self) -> GameFacts:
        """What the game is."""
        return opened(self.setup).game.facts

    @property
    def game(self) -> str:
        """The slug of the game."""
        return self.facts.slug

    @property
    def players(self) -> dict[int, str]:
        """Who sat where."""
        return {one.seat: one.player for one in self.begun.players}

    def told_to(self, player: str | None) -> PastRound:
        """The round as anybody may check it: who sat there is told only to those who did."""
        names = set(self.players.values())
        if player in names:
            return self
        seated = tuple(one._replace(player=SOMEBODY) for one in self.begun.players)
        answers = tuple(replace(one, by=SOMEBODY) if one.by in names else one for one in self.answers)
        return replace(self, begun=replace(self.begun, players=seated), answers=answers)

    @property
    def is_void(self) -> bool:
        """Whether it was called off, so that every wager went back."""
        return isinstance(self.ended, RoundCalledOff)

    @property
    def key(self) -> str:
        """The key of the shuffle, which opens the seal."""
        return self.ended.key

    @cached_property
    def played(self) -> Round:
        """The round, dealt again from its key."""
        said = [Said(one.seat, one.question, one.answer, one.by) for one in self.answers]
        seal = seal_of(bytes.fromhex(self.key), self.id)
        return dealt(opened(self.setup), seal, self.begun.wagers, said).round

    @property
    def record(self) -> dict[str, Any]:
        """What ``cardroom settle`` takes."""
        entry = round_to_json(self.played)
        meters = dict(self.ended.meters) if isinstance(self.ended, RoundPlayed) else {}
        return entry | {"meters": meters} if meters else entry

    @cached_property
    def settlement(self) -> Settlement:
        """Every payment of a round that was not called off, settled again."""
        meters = self.ended.meters if isinstance(self.ended, RoundPlayed) else {}
        return self.played.game.settle(self.played, meters)

    @property
    def payments(self) -> list[dict[str, Any]]:
        """What ``cardroom settle`` gives; nothing for a round that was called off."""
        if not isinstance(self.ended, RoundPlayed):
            return []
        return [payment_to_json(one) for one in self.settlement.payments]

    @cached_property
    def wagered(self) -> Mapping[int, int]:
        """What each seat put on the layout, before the deal and with its answers, in cents."""
        spots = opened(self.setup).table.spots
        down = {
            one.seat: sum(spots[spot].wager.stakes * cents for spot, cents in one.spots.items())
            for one in self.begun.wagers
        }
        for one in self.answers:
            down[one.seat] = down.get(one.seat, 0) + one.cents
        return down

    @property
    def returned(self) -> Mapping[int, int]:
        """What each seat got back at the table, in cents; of a round that was called off, every wager."""
        if not isinstance(self.ended, RoundPlayed):
            return self.wagered
        return {one.seat: one.cents for one in self.ended.returned}

    @property
    def prizes(self) -> tuple[Cents, ...]:
        """What jackpots and promotions paid with the round."""
        return self.ended.prizes if isinstance(self.ended, RoundPlayed) else ()

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """Prizes that were locked when the round ended."""
        return self.ended.waiting if isinstance(self.ended, RoundPlayed) else ()

    @property
    def void(self) -> dict[str, str] | None:
        """Who called the round off, and why; None for one that was played to its end."""
        off = self.ended
        return {"who": off.who, "second": off.second, "why": off.why} if isinstance(off, RoundCalledOff) else None

    def summary(self) -> dict[str, Any]:
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

    def of_player(self, player: str) -> dict[str, Any]:
        """The same of a player's own seat."""
        seat = next(seat for seat, name in self.players.items() if name == player)
        wagered, returned = self.wagered.get(seat, 0), self.returned.get(seat, 0)
        own = {"wagered_cents": wagered, "returned_cents": returned, "net_cents": returned - wagered}
        named = {name: value for name, value in self.summary().items() if name not in ("players", "mode")}
        return {**named, "seat": seat, **own}

    def entry(self) -> dict[str, Any]:
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
            "words": {str(seat): words for seat, words in words_of(self.begun.wagers).items()},
            "answered_by": [{"seat": one.seat, "question": one.question, "by": one.by} for one in self.answers],
            "wagered_cents": {str(seat): cents for seat, cents in self.wagered.items()},
        }
        if self.void is not None:
            return entry | {"void": self.void}
        if self.prizes:
            entry["prizes_cents"] = {str(one.seat): one.cents for one in self.prizes}
        if self.waiting:
            entry["waiting"] = [one._asdict() for one in self.waiting]
        return entry


def past_round(ledger: Recalling, id: str) -> PastRound | None:
    """A round by its id, however long ago; None when none of that id has ended."""
    named = number_of(id)
    if named is None:
        return None
    table, number = named
    chain = felt_chain(table)
    last, first = ledger.find_event(chain, id), ledger.find_event(chain, begun_name(id))
    if last is None or first is None or first.kind != RoundBegun.kind:
        return None  # of a live round there are only those cards that somebody typed
    between = ledger.events(chain, first.sequence, last.sequence - first.sequence - 1)
    answers = tuple(one for event in between if isinstance(one := _happened(event), Answered))
    begun, ended = happened(first), happened(last)
    assert isinstance(begun, RoundBegun)
    assert isinstance(ended, RoundPlayed | RoundCalledOff)
    opening = opening_of(ledger, table, begun.opening)
    setup, money = set_up_text(opening), str(opening.terms.money)
    return PastRound(id, table, number, begun, answers, ended, last.time, setup, money, begun.seal)


def _happened(event: Event) -> object:
    return happened(event) if event.kind == Answered.kind else None


def opening_of(ledger: Recalling, table: str, opening: int) -> FeltOpened:
    """How a felt was opened at a time of so many."""
    event = ledger.find_event(felt_chain(table), opening_name(opening))
    assert event is not None
    found = happened(event)
    assert isinstance(found, FeltOpened)
    return found
