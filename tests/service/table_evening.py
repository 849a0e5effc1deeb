"""An evening at tables of all five games, with jackpots and company, in which chance decides what everybody does."""

from __future__ import annotations

from random import Random

from cardroom.games.round import find_bet_fault
from cardroom.room.setup.example import build_demo_table, demo_tables
from cardroom.room.table.state import TableState
from cardroom.service import CardRoom, PlayTerms, RoomTableSetup, UnitSetup
from tests.service.card_rooms import new_id
from tests.service.table_scenes import UNTIMED, an_id, asked, guests


def open_five_games(card_room: CardRoom, terms: PlayTerms = UNTIMED) -> tuple[str, ...]:
    """For each game a table with a tabulator and a progressive of its own."""
    for shown in demo_tables():
        one = build_demo_table(shown.setup.game, f"felt-{shown.table}")
        card_room.jackpots.open(new_id(), "Olga", one.jackpot)
        unit = UnitSetup(one.tabulator, one.unit)
        card_room.add_table(an_id(), "Olga", RoomTableSetup(one.table, one.setup, terms, unit))
    return card_room.list_tables()


def some_wagers(state: TableState, seat: int, random: Random) -> dict[str, int]:
    """What a seat may wager: what it has to, most jackpots, and some of the rest."""
    at, made = state.open_table, dict[str, int]()
    while not made or find_bet_fault(at.game, at.table, seat, made):
        made = {}
        for spot, offered in at.table.spots.items():
            wager, limits = offered.wager, at.table.setup.wagers[offered.wager.slug].limits
            if random.random() < (0.7 if wager.required or wager.jackpot else 0.2):
                made[spot] = limits.maximum if wager.jackpot and random.random() < 0.4 else limits.minimum
    return made


def play_rounds(card_room: CardRoom, table: str, players: list[str], rounds: int, random: Random) -> None:
    """Let players play so many rounds with answers that chance gives, and words of their own."""
    for number in range(rounds):
        for player in players:
            here = card_room.table(table).seat_of(player)
            assert here is not None
            words = f"round {number}" if random.random() < 0.3 else ""
            card_room.place_wagers(
                an_id(), player, table, some_wagers(card_room.table(table), here.seat, random), words
            )
        while card_room.table(table).playing:
            position = card_room.read_position(table)
            assert position is not None
            card_room.make_decision(
                an_id(), asked(card_room, table), table, str(random.choice(position.round.seat_turn.options))
            )


def an_evening_at_five_games(card_room: CardRoom, random: Random, rounds: int) -> dict[str, list[str]]:
    """Some rounds of each game; who sits where is given back."""
    seated: dict[str, list[str]] = {}
    for table in open_five_games(card_room):
        seated[table] = guests(card_room, 3, table, buy_in=1_000_00)
        play_rounds(card_room, table, seated[table], rounds, random)
    return seated
