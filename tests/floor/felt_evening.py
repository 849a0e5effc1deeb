"""An evening at felts of all five games, with jackpots and company, in which chance decides what everybody does."""

from __future__ import annotations

from random import Random

from cardroom.floor import FeltTerms, Floor
from cardroom.floor.felt.state import FeltState
from cardroom.games.round import find_bet_fault
from cardroom.jackpots.setup.demonstration import demonstration, shown_table
from tests.floor.felt_scenes import UNTIMED, an_id, asked, guests
from tests.floor.scenes import new_id


def open_five_games(floor: Floor, terms: FeltTerms = UNTIMED) -> tuple[str, ...]:
    """For each game a felt with a tabulator and a progressive of its own."""
    for shown in demonstration():
        one = shown_table(shown.setup.game, f"felt-{shown.table}")
        floor.open_jackpot(new_id(), "Olga", one.jackpot)
        floor.open_table(new_id(), "Olga", one.setup, one.tabulator, one.unit)
        floor.open_felt(an_id(), "Olga", one.table, one.setup, terms)
    return floor.felts()


def some_wagers(state: FeltState, seat: int, random: Random) -> dict[str, int]:
    """What a seat may wager: what it has to, most jackpots, and some of the rest."""
    at, made = state.at, dict[str, int]()
    while not made or find_bet_fault(at.game, at.table, seat, made):
        made = {}
        for spot, offered in at.table.spots.items():
            wager, limits = offered.wager, at.table.setup.wagers[offered.wager.slug].limits
            if random.random() < (0.7 if wager.required or wager.jackpot else 0.2):
                made[spot] = limits.maximum if wager.jackpot and random.random() < 0.4 else limits.minimum
    return made


def play_rounds(floor: Floor, table: str, players: list[str], rounds: int, random: Random) -> None:
    """Let players play so many rounds with answers that chance gives, and words of their own."""
    for number in range(rounds):
        for player in players:
            here = floor.felt(table).seat_of(player)
            assert here is not None
            words = f"round {number}" if random.random() < 0.3 else ""
            floor.lay_wagers(an_id(), player, table, some_wagers(floor.felt(table), here.seat, random), words)
        while floor.felt(table).playing:
            position = floor.position(table)
            assert position is not None
            floor.answer(an_id(), asked(floor, table), table, str(random.choice(position.round.seat_turn.options)))


def an_evening_at_five_games(floor: Floor, random: Random, rounds: int) -> dict[str, list[str]]:
    """Some rounds of each game; who sits where is given back."""
    seated: dict[str, list[str]] = {}
    for table in open_five_games(floor):
        seated[table] = guests(floor, 3, table, buy_in=1_000_00)
        play_rounds(floor, table, seated[table], rounds, random)
    return seated
