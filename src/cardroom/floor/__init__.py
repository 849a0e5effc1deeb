"""The floor: tables, jackpots, claims and promotions on one ledger. Commands go in, events and answers come out."""

from cardroom.floor.desks.answers import (
    AccountReconciled,
    ClaimDecided,
    ClaimMade,
    JackpotStanding,
    LightsReported,
    MeterStanding,
    PromotionPaid,
    PromotionStanding,
    RecordsTaken,
    RoomStanding,
    RoundCounted,
    TableStanding,
)
from cardroom.floor.desks.days import DayStanding
from cardroom.floor.desks.forwarding import Accepted, Forwarded, forward
from cardroom.floor.desks.heads import HeadsOut
from cardroom.floor.desks.malfunctions import ReportStanding
from cardroom.floor.desks.rounds import Press
from cardroom.floor.desks.tables import CannotLink
from cardroom.floor.floor import Floor
from cardroom.floor.kept.logger_file import LoggerFile, LoggerFull
from cardroom.floor.kept.subjects import UnknownJackpot, UnknownPromotion, UnknownTable
from cardroom.floor.kept.table import BadTable, TableState
from cardroom.floor.kept.waiting import DepositDue
from cardroom.floor.safekeeping import backup, restore
from cardroom.floor.verification.report import Discrepancy, FloorReport
from cardroom.floor.verification.whole import verify, verify_floor

__all__ = [
    "Accepted",
    "AccountReconciled",
    "BadTable",
    "CannotLink",
    "ClaimDecided",
    "ClaimMade",
    "DayStanding",
    "DepositDue",
    "Discrepancy",
    "Floor",
    "FloorReport",
    "Forwarded",
    "HeadsOut",
    "JackpotStanding",
    "LightsReported",
    "LoggerFile",
    "LoggerFull",
    "MeterStanding",
    "Press",
    "PromotionPaid",
    "PromotionStanding",
    "RecordsTaken",
    "ReportStanding",
    "RoomStanding",
    "RoundCounted",
    "TableStanding",
    "TableState",
    "UnknownJackpot",
    "UnknownPromotion",
    "UnknownTable",
    "backup",
    "forward",
    "restore",
    "verify",
    "verify_floor",
]
