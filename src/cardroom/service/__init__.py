"""The card room service: tables, jackpots, claims, and promotions on one ledger. It takes commands, and returns events
and results."""

from cardroom.extras import require_packages

require_packages("service", "Card rooms", "sqlalchemy", "alembic", "orjson", "argon2", "cryptography")

from cardroom.room.player.account import BadPlayerAccount, PlayerAccount
from cardroom.room.table.live_payments import TakeOrPaySheet
from cardroom.room.table.setup import RoomTableSetup, UnitSetup
from cardroom.room.table.state import Occupant, TablePhase, TableState
from cardroom.room.table.terms import (
    BadPlayTerms,
    DealingMode,
    NotEnoughChips,
    NotYourSeat,
    PlayTerms,
    UnknownRound,
    UnknownSeat,
    WrongPhase,
)
from cardroom.room.tabulator.installation import BadInstallation, TabulatedTableState
from cardroom.service.backup import create_backup, restore_backup
from cardroom.service.card_room import CardRoom
from cardroom.service.chains.aggregates import (
    UnknownJackpot,
    UnknownPlayer,
    UnknownPromotion,
    UnknownTable,
    UnknownTabulator,
)
from cardroom.service.commands.cage import PlayerAccountSummary, parse_currency
from cardroom.service.commands.data_logger import ForwardResult, GapAcceptance, LoggerLinesResult, forward_records
from cardroom.service.commands.devices import DeviceSummary, DeviceTokenResult
from cardroom.service.commands.heads import SentHeads
from cardroom.service.commands.live_table_queries import DealerTableView
from cardroom.service.commands.logger_file import LoggerFile, LoggerFull
from cardroom.service.commands.results import (
    ClaimDecisionResult,
    ClaimResult,
    JackpotSummary,
    LightsResult,
    LoggerRecordsResult,
    MeterSummary,
    PromotionPaymentResult,
    PromotionSummary,
    ReconciliationResult,
    RoomSummary,
    RoomTableResult,
    RoundCountResult,
    TableResult,
    TabulatorSummary,
)
from cardroom.service.commands.site import DaySummary, MalfunctionReportSummary
from cardroom.service.commands.table_queries import SharedTableView
from cardroom.service.commands.tables import CannotAddTable, SeatedBot
from cardroom.service.commands.tabulation import ButtonPress
from cardroom.service.commands.tabulator_setup import CannotLink
from cardroom.service.queries.bank_account import DepositDue
from cardroom.service.queries.past_rounds import PastRound
from cardroom.service.verification.report import Discrepancy, VerificationReport
from cardroom.service.verification.run import verify, verify_card_room

__all__ = [
    "BadInstallation",
    "BadPlayTerms",
    "BadPlayerAccount",
    "ButtonPress",
    "CannotAddTable",
    "CannotLink",
    "CardRoom",
    "ClaimDecisionResult",
    "ClaimResult",
    "DaySummary",
    "DealerTableView",
    "DealingMode",
    "DepositDue",
    "DeviceSummary",
    "DeviceTokenResult",
    "Discrepancy",
    "ForwardResult",
    "GapAcceptance",
    "JackpotSummary",
    "LightsResult",
    "LoggerFile",
    "LoggerFull",
    "LoggerLinesResult",
    "LoggerRecordsResult",
    "MalfunctionReportSummary",
    "MeterSummary",
    "NotEnoughChips",
    "NotYourSeat",
    "Occupant",
    "PastRound",
    "PlayTerms",
    "PlayerAccount",
    "PlayerAccountSummary",
    "PromotionPaymentResult",
    "PromotionSummary",
    "ReconciliationResult",
    "RoomSummary",
    "RoomTableResult",
    "RoomTableSetup",
    "RoundCountResult",
    "SeatedBot",
    "SentHeads",
    "SharedTableView",
    "TablePhase",
    "TableResult",
    "TableState",
    "TabulatedTableState",
    "TabulatorSummary",
    "TakeOrPaySheet",
    "UnitSetup",
    "UnknownJackpot",
    "UnknownPlayer",
    "UnknownPromotion",
    "UnknownRound",
    "UnknownSeat",
    "UnknownTable",
    "UnknownTabulator",
    "VerificationReport",
    "WrongPhase",
    "create_backup",
    "forward_records",
    "parse_currency",
    "restore_backup",
    "verify",
    "verify_card_room",
]
