"""The floor: tables, jackpots, claims and promotions on one ledger. Commands go in, events and answers come out."""

from cardroom.floor.answers import (
    ClaimDecided,
    ClaimMade,
    JackpotStanding,
    MeterStanding,
    PromotionPaid,
    PromotionStanding,
    RecordsTaken,
    RoundCounted,
    TableStanding,
)
from cardroom.floor.floor import Floor
from cardroom.floor.logger_file import LoggerFile, LoggerFull, forward
from cardroom.floor.report import Discrepancy, FloorReport
from cardroom.floor.rounds import Press
from cardroom.floor.safekeeping import backup, restore
from cardroom.floor.subjects import UnknownJackpot, UnknownPromotion, UnknownTable
from cardroom.floor.table import BadTable, TableState
from cardroom.floor.tables import CannotLink
from cardroom.floor.verification import verify, verify_floor

__all__ = [
    "BadTable",
    "CannotLink",
    "ClaimDecided",
    "ClaimMade",
    "Discrepancy",
    "Floor",
    "FloorReport",
    "JackpotStanding",
    "LoggerFile",
    "LoggerFull",
    "MeterStanding",
    "Press",
    "PromotionPaid",
    "PromotionStanding",
    "RecordsTaken",
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
