"""The floor: tables, jackpots, claims and promotions on one ledger. Commands go in, events and answers come out."""

from cardroom.extras import require_packages

require_packages("floor", "Card rooms", "sqlalchemy", "alembic", "orjson", "argon2", "cryptography")

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
from cardroom.floor.desks.devices import DeviceStanding, TokenGiven
from cardroom.floor.desks.felt_answers import FeltStanding
from cardroom.floor.desks.felt_looks import FeltLook
from cardroom.floor.desks.felt_opening import BadFelt
from cardroom.floor.desks.felts import Companion
from cardroom.floor.desks.forwarding import Accepted, Forwarded, forward
from cardroom.floor.desks.heads import HeadsOut
from cardroom.floor.desks.lines import LinesTaken
from cardroom.floor.desks.live_looks import LiveLook
from cardroom.floor.desks.malfunctions import ReportStanding
from cardroom.floor.desks.players import PlayerStanding, money_named
from cardroom.floor.desks.rounds import Press
from cardroom.floor.desks.tables import CannotLink
from cardroom.floor.felt.faults import NoSuchSeat, NotEnough, NotNow, NotYours, UnknownRound
from cardroom.floor.felt.state import FeltState, Phase, Seated
from cardroom.floor.felt.terms import BadTerms, FeltTerms, Mode
from cardroom.floor.floor import Floor
from cardroom.floor.kept.felt_recall import PastRound
from cardroom.floor.kept.logger_file import LoggerFile, LoggerFull
from cardroom.floor.kept.subjects import UnknownFelt, UnknownJackpot, UnknownPlayer, UnknownPromotion, UnknownTable
from cardroom.floor.kept.table import BadTable, TableState
from cardroom.floor.kept.waiting import DepositDue
from cardroom.floor.live.paying import TakeOrPay
from cardroom.floor.players.admitting import BadPlayer
from cardroom.floor.players.state import PlayerState
from cardroom.floor.safekeeping import backup, restore
from cardroom.floor.verification.report import Discrepancy, FloorReport
from cardroom.floor.verification.whole import verify, verify_floor

__all__ = [
    "Accepted",
    "AccountReconciled",
    "BadFelt",
    "BadPlayer",
    "BadTable",
    "BadTerms",
    "CannotLink",
    "ClaimDecided",
    "ClaimMade",
    "Companion",
    "DayStanding",
    "DepositDue",
    "DeviceStanding",
    "Discrepancy",
    "FeltLook",
    "FeltStanding",
    "FeltState",
    "FeltTerms",
    "Floor",
    "FloorReport",
    "Forwarded",
    "HeadsOut",
    "JackpotStanding",
    "LightsReported",
    "LinesTaken",
    "LiveLook",
    "LoggerFile",
    "LoggerFull",
    "MeterStanding",
    "Mode",
    "NoSuchSeat",
    "NotEnough",
    "NotNow",
    "NotYours",
    "PastRound",
    "Phase",
    "PlayerStanding",
    "PlayerState",
    "Press",
    "PromotionPaid",
    "PromotionStanding",
    "RecordsTaken",
    "ReportStanding",
    "RoomStanding",
    "RoundCounted",
    "Seated",
    "TableStanding",
    "TableState",
    "TakeOrPay",
    "TokenGiven",
    "UnknownFelt",
    "UnknownJackpot",
    "UnknownPlayer",
    "UnknownPromotion",
    "UnknownRound",
    "UnknownTable",
    "backup",
    "forward",
    "money_named",
    "restore",
    "verify",
    "verify_floor",
]
