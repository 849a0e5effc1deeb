"""Tables to test with: a table of Three Card Prime for play money, guests at it, a clock that is set by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest

from cardroom.cards import Card, Deck, Seal, parse_cards
from cardroom.chart_of_accounts import CENT
from cardroom.games import ChanceTurn, Deal, DealerTurn, TableSetup, TakeStep, default_setup, game
from cardroom.service import CardRoom, PlayTerms, RoomTableSetup, TableResult

PRIME = "prime-1"
ANTE = {"ante-play": 10_00}
UNTIMED = PlayTerms(betting=0, deciding=0)
_commands = count(1)


def an_id() -> str:
    return f"deed-{next(_commands)}"


def without_meters(slug: str, seats: int = 5) -> TableSetup:
    """The default set-up of a game without the wagers that need a jackpot."""
    setup = default_setup(slug, seats=seats)
    offered = game(slug).open(setup).offers
    return replace(setup, wagers={one: made for one, made in setup.wagers.items() if not offered[one].has_meter})


def open_prime(card_room: CardRoom, terms: PlayTerms = UNTIMED, table: str = PRIME, seats: int = 5) -> TableResult:
    setup = RoomTableSetup(table, without_meters("three-card-prime", seats), terms)
    opened = card_room.add_table(an_id(), "Olga", setup).play
    assert opened is not None
    return opened


def guests(card_room: CardRoom, number: int, table: str = PRIME, buy_in: int = 200_00) -> list[str]:
    """So many guests, who sit down at the first free seats."""
    players = [card_room.players.admit_guest(an_id()).player for _ in range(number)]
    for player in players:
        card_room.take_seat(an_id(), player, table, buy_in=buy_in)
    return players


def all_wager(
    card_room: CardRoom, players: Iterable[str], table: str = PRIME, wagers: Mapping[str, int] = ANTE
) -> None:
    for player in players:
        card_room.place_wagers(an_id(), player, table, wagers)


def asked(card_room: CardRoom, table: str = PRIME) -> str:
    """The player whose turn it is."""
    state = card_room.table(table)
    seated = state.occupant(state.deciding_seat)
    assert seated is not None
    return seated.player


def play_on(card_room: CardRoom, table: str = PRIME, answer: str | None = None) -> None:
    """Let everybody answer the same, or the first that they can, until the round has ended."""
    while card_room.table(table).playing:
        position = card_room.read_position(table)
        assert position is not None
        said = answer or str(position.round.seat_turn.options[0])
        card_room.make_decision(an_id(), asked(card_room, table), table, said)


def worth(card_room: CardRoom, player: str) -> int:
    """All that a player has: balance, chips, wagers."""
    state = card_room.player_account(player)
    seats = (card_room.table(table).seat_of(player) for table in state.seats)
    return state.balance + sum(one.chips + one.wagered for one in seats if one)


def rig(monkeypatch: pytest.MonkeyPatch, on_top: str) -> None:
    """Let every shoe begin with these cards, here and when it is dealt again."""
    front = parse_cards(on_top)

    def shuffle(_: Seal, deck: Deck, __: Mapping[int, str] | None = None) -> tuple[Card, ...]:
        rest = list(deck.cards())
        for one in front:
            rest.remove(one)
        return (*front, *rest)

    monkeypatch.setattr(Seal, "shuffle", shuffle)


def stack(
    card_room: CardRoom,
    monkeypatch: pytest.MonkeyPatch,
    table: str,
    wagers: Mapping[str, int],
    piles: Mapping[str, str],
    *,
    seats: int,
) -> None:
    """Let these cards be dealt to these places; in which order the game deals is asked of the game itself."""
    at = card_room.table(table).open_table
    left = {place: list(parse_cards(text)) for place, text in piles.items()}
    wanted = {one for pile in left.values() for one in pile}
    spare = iter(one for one in at.table.deck.cards() if one not in wanted)
    dealt, order = at.game.begin(at.table, dict.fromkeys(range(1, seats + 1), wagers)), list[Card]()
    while isinstance(dealt.turn, ChanceTurn | DealerTurn):
        if isinstance(dealt.turn, DealerTurn):
            dealt = dealt.apply(TakeStep(dealt.turn.step))
            continue
        pile = left.get(str(dealt.turn.place))
        order.append(pile.pop(0) if pile else next(spare))
        dealt = dealt.apply(Deal(order[-1]))
    assert not any(left.values()), "some of the cards are not dealt before anybody is asked"
    rig(monkeypatch, " ".join(map(str, order)))


def books(card_room: CardRoom) -> dict[str, int]:
    """Every account that has something on it, in cents."""
    return {str(account): amount // CENT for account, amount in card_room.ledger.balances().items() if amount}


def stacked(
    card_room: CardRoom, monkeypatch: pytest.MonkeyPatch, hands: dict[int, str], dealer: str
) -> Callable[[], tuple[str, ...]]:
    """Let these hands be dealt; gives what lies there then."""
    piles = {f"seat {seat} hand": hand for seat, hand in hands.items()} | {"dealer": dealer}
    stack(card_room, monkeypatch, PRIME, ANTE, piles, seats=len(hands))

    def lying() -> tuple[str, ...]:
        position = card_room.read_position(PRIME)
        assert position is not None
        return tuple(" ".join(map(str, position.round.hand(seat))) for seat in (*hands, None))

    return lying


class HandClock:
    """A clock that goes on by hand, or by so many microseconds with every look at it."""

    def __init__(self, now: int = 1_800_000_000_000_000, tick: int = 0) -> None:
        self.now, self.tick = now, tick

    def __call__(self) -> int:
        self.now += self.tick
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += round(seconds * 1_000_000)


def seeded_keys(seed: int) -> Callable[[], bytes]:
    """The same keys every time."""
    random = Random(seed)
    return lambda: random.randbytes(32)


def events_of(card_room: CardRoom, chain: str) -> list[tuple[str, Mapping[str, Any]]]:
    return [(event.kind, event.payload) for event in card_room.ledger.events(chain)]
