"""Live tables to test with: Three Card Prime with its tabulator, a Deuces Wild table with a data logger."""

from __future__ import annotations

from dataclasses import replace

from cardroom.chart_of_accounts import Currency
from cardroom.games import TableSetup
from cardroom.service import CardRoom, DealingMode, PlayTerms, RoomTableSetup, TableResult, UnitSetup
from tests.service.card_rooms import deuces_sensors, deuces_table, five_wild, open_room, prime_table
from tests.service.staff import Both
from tests.service.table_scenes import an_id

PRIME = "prime-1"
WILD = "wild-1"
LIVE = PlayTerms(mode=DealingMode.LIVE, money=Currency.REAL)
TO_THE_END = ("deal", "decide", "reveal", "take-or-pay", "collect")


def open_live(card_room: CardRoom, table: str = PRIME, setup: TableSetup | None = None) -> TableResult:
    """Let a dealer deal at a new table, or at one whose wagers are counted already."""
    if table in card_room.list_tabulators() and not card_room.tabulator(table).closed:
        counted = card_room.read_table_setup(table)
        opened = card_room.change_table(an_id(), "Olga", counted._replace(play=LIVE), "dealt here from now on")
    else:
        opened = card_room.add_table(an_id(), "Olga", RoomTableSetup(table, setup or prime_table(), LIVE))
    assert opened.play is not None
    return opened.play


def live_prime(card_room: CardRoom) -> None:
    """A live table of Three Card Prime that plays for the Final Four."""
    open_room(card_room, tables=1)
    open_live(card_room)


def live_wild(card_room: CardRoom) -> None:
    """A live table of Deuces Wild, whose Andromeda-1 counts through its data logger."""
    card_room.jackpots.open(an_id(), "Olga", five_wild())
    unit = UnitSetup(deuces_sensors(WILD), "A1-77")
    card_room.add_table(an_id(), "Olga", RoomTableSetup(WILD, deuces_table(), LIVE, unit))


def begin(card_room: CardRoom, table: str = PRIME, positions: tuple[int, ...] = (1, 2, 3), dealer: str = "Kim") -> str:
    return card_room.begin_live_round(an_id(), dealer, table, positions).round


def steps(card_room: CardRoom, *names: str, table: str = PRIME, dealer: str = "Kim") -> TableResult:
    standing = None
    for name in names:
        standing = card_room.take_step(an_id(), dealer, table, name)
    assert standing is not None
    return standing


def tabulate(card_room: CardRoom, *positions: int, table: str = PRIME) -> TableResult:
    return card_room.take_step(an_id(), "Kim", table, "tabulate", covered={1: list(positions)})


def whole_round(card_room: CardRoom, table: str = PRIME, positions: tuple[int, ...] = (1, 2, 3)) -> str:
    """A round in which no user types anything."""
    round_id = begin(card_room, table, positions)
    steps(card_room, "wagers", table=table)
    tabulate(card_room, *positions, table=table)
    steps(card_room, *TO_THE_END, table=table)
    card_room.end_live_round(an_id(), "Kim", table)
    return round_id


def an_hour_with_a_dealer(card_room: CardRoom, table: str = "live-hour") -> None:
    """Everything that can happen at a live table."""
    open_live(card_room, table)
    now = card_room.read_table_setup(table)
    card_room.change_table(an_id(), "Olga", now._replace(game=replace(now.game, seats=5)), "a smaller layout")
    begin(card_room, table)
    card_room.type_cards(an_id(), "Kim", table, {"dealer": "2c 3c 4d"}, wagers={2: {"ante-play": 10_00}})
    card_room.type_cards(an_id(), "Kim", table, {"dealer": "2c 3c 4c"}, answers={2: {"play": "fold"}})
    steps(card_room, "wagers", table=table)
    card_room.undo_step(an_id(), "Kim", table)
    card_room.take_step(an_id(), "Kim", table, "wagers", positions=[2])
    steps(card_room, *TO_THE_END, table=table)
    card_room.end_live_round(an_id(), "Kim", table)
    begin(card_room, table)
    second = "lee" if "lee" in card_room.users.list_users() else "Lee"  # in books that have people, a user who can sign
    Both(card_room).void_live_round(an_id(), "Kim", table, "the shuffler jammed", second=second)
    card_room.remove_table(an_id(), "Olga", table, "the evening is over")
