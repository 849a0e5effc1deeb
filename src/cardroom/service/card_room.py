"""One card room: a method for every command, on one ledger."""

from __future__ import annotations

from cardroom.ledger import Clock, Ledger, system_clock
from cardroom.service.commands.cage import PaymentService, PlayerService
from cardroom.service.commands.claims import ClaimService
from cardroom.service.commands.devices import DeviceCommands
from cardroom.service.commands.displays import DisplayService
from cardroom.service.commands.handler import KeyFactory, generate_key
from cardroom.service.commands.heads import HeadsService
from cardroom.service.commands.jackpots import JackpotService
from cardroom.service.commands.live_table_queries import LiveTableQueries
from cardroom.service.commands.room_keys import RoomKeyCommands
from cardroom.service.commands.site import DayService, MalfunctionService, SiteService
from cardroom.service.commands.table_queries import HistoryService
from cardroom.service.commands.table_setup import TableSetupCommands
from cardroom.service.commands.void_rounds import VoidRoundCommands


class CardRoom(
    RoomKeyCommands,
    LiveTableQueries,
    TableSetupCommands,
    DeviceCommands,
    VoidRoundCommands,
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
    ...     opened = card_room.jackpots.open("morning-1", "Olga", setup)
    ...     again = card_room.jackpots.open("morning-1", "Olga", setup)
    ...     deposited = card_room.jackpots.deposit_to_bank("morning-2", "Carl", "final-four", 5_000_00, "slip 17")
    >>> opened.shown_cents(), again == opened, deposited.undeposited
    (500000, True, 0)
    """

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: KeyFactory = generate_key) -> None:
        super().__init__(ledger, clock, keys)
        self.claims = ClaimService(self)
        self.days = DayService(self)
        self.displays = DisplayService(self)
        self.heads = HeadsService(self)
        self.history = HistoryService(self)
        self.jackpots = JackpotService(self)
        self.malfunctions = MalfunctionService(self)
        self.payments = PaymentService(self)
        self.players = PlayerService(self)
        self.site = SiteService(self)
