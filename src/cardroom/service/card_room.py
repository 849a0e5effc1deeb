"""One card room: a method for every command, on one ledger."""

from __future__ import annotations

from cardroom.service.commands.cage import CageCommands, PaymentCommands
from cardroom.service.commands.claims import ClaimCommands, PrizeReversalCommands
from cardroom.service.commands.devices import DeviceCommands
from cardroom.service.commands.displays import DisplayQueries
from cardroom.service.commands.heads import HeadsCommands
from cardroom.service.commands.jackpots import JackpotCommands, ReconciliationCommands
from cardroom.service.commands.live_table_queries import LiveTableQueries
from cardroom.service.commands.promotions import PromotionCommands
from cardroom.service.commands.room_keys import RoomKeyCommands
from cardroom.service.commands.site import DayCommands, MalfunctionCommands, RoomCommands
from cardroom.service.commands.table_queries import HistoryQueries
from cardroom.service.commands.table_setup import TableSetupCommands
from cardroom.service.commands.void_rounds import VoidRoundCommands


class CardRoom(
    RoomKeyCommands,
    LiveTableQueries,
    CageCommands,
    TableSetupCommands,
    DeviceCommands,
    VoidRoundCommands,
    JackpotCommands,
    ClaimCommands,
    PaymentCommands,
    PrizeReversalCommands,
    ReconciliationCommands,
    PromotionCommands,
    DisplayQueries,
    HistoryQueries,
    RoomCommands,
    MalfunctionCommands,
    DayCommands,
    HeadsCommands,
):
    """Every command begins with an id that its sender makes and the name of the sender.

    A command that is sent again with the same id changes nothing and returns the first result; with the same id and
    other content it is refused. A refused command (``BadInput``, with a sentence) changes nothing. When a command
    returns, all of its events are on disk.

    >>> from tempfile import TemporaryDirectory
    >>> from cardroom.room import read_jackpot_setup
    >>> from cardroom.ledger import open_ledger
    >>> setup = read_jackpot_setup('''
    ... id = "final-four"
    ... name = "Final Four Progressive"
    ... kind = "progressive"
    ... location = "Lakewood"
    ... wager = "$1"
    ... offers = [{ game = "three-card-prime", wager = "final-four", paytable = "F4P-1" }]
    ... [[levels]]
    ... name = "main"
    ... pays = ["four-card-diamond-royal", "four-card-royal"]
    ... contribution = "20%"
    ... seed = "$5,000"
    ... ''')
    >>> with TemporaryDirectory() as folder, open_ledger(f"sqlite:///{folder}/room.db") as ledger:
    ...     card_room = CardRoom(ledger)
    ...     opened = card_room.open_jackpot("morning-1", "Olga", setup)
    ...     again = card_room.open_jackpot("morning-1", "Olga", setup)
    ...     deposited = card_room.deposit_to_bank("morning-2", "Carl", "final-four", 5_000_00, "slip 17")
    >>> opened.shown_cents(), again == opened, deposited.undeposited
    (500000, True, 0)
    """
