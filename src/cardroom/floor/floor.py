"""The floor of one card room: a method for every command, on one ledger."""

from __future__ import annotations

from cardroom.floor.desks.claims import ClaimDesk
from cardroom.floor.desks.days import DayDesk
from cardroom.floor.desks.devices import DeviceDesk
from cardroom.floor.desks.displays import DisplayDesk
from cardroom.floor.desks.heads import HeadsDesk
from cardroom.floor.desks.jackpots import JackpotDesk
from cardroom.floor.desks.live_looks import LiveLookDesk
from cardroom.floor.desks.malfunctions import MalfunctionDesk
from cardroom.floor.desks.payments import PaymentDesk
from cardroom.floor.desks.players import PlayerDesk
from cardroom.floor.desks.prizes_back import PrizesBackDesk
from cardroom.floor.desks.promotions import PromotionDesk
from cardroom.floor.desks.recall import RecallDesk
from cardroom.floor.desks.reconciling import ReconcilingDesk
from cardroom.floor.desks.room import RoomDesk
from cardroom.floor.desks.room_keys import RoomKeyDesk
from cardroom.floor.desks.table_life import TableLifeDesk
from cardroom.floor.desks.voids import VoidDesk


class Floor(
    RoomKeyDesk,
    LiveLookDesk,
    PlayerDesk,
    TableLifeDesk,
    DeviceDesk,
    VoidDesk,
    JackpotDesk,
    ClaimDesk,
    PaymentDesk,
    PrizesBackDesk,
    ReconcilingDesk,
    PromotionDesk,
    DisplayDesk,
    RecallDesk,
    RoomDesk,
    MalfunctionDesk,
    DayDesk,
    HeadsDesk,
):
    """Every command begins with an id of the sender's making and the name of who sends it.

    Sent again with the same id it changes nothing and gives the first answer again; with the same id and something
    else in it, it is refused. What is not allowed is refused with a sentence (``BadInput``) and changes nothing. An
    answer means that all of it is on disk.

    >>> from tempfile import TemporaryDirectory
    >>> from cardroom.jackpots import read_jackpot_setup
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
    ...     floor = Floor(ledger)
    ...     opened = floor.open_jackpot("morning-1", "Olga", setup)
    ...     again = floor.open_jackpot("morning-1", "Olga", setup)
    ...     deposited = floor.deposit("morning-2", "Carl", "final-four", 5_000_00, "slip 17")
    >>> opened.shown(), again == opened, deposited.undeposited
    (500000, True, 0)
    """
