"""The card room as aggregates: table, tabulator, jackpot, claim, promotion, player account, user, and site.

Each aggregate has its events, its state, the decisions that produce events, its postings, and its descriptions. All of
it is pure: time, ids, and names come from the caller.
"""

from cardroom.extras import require_packages

require_packages("service", "Jackpots", "orjson")

from cardroom.room.claim.new_claim import ClaimSubmission, claim_record, claim_typed_hand
from cardroom.room.claim.prior_claims import PriorClaims
from cardroom.room.claim.resolution import pay_claim, refuse_claim, reverse_prizes
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.descriptions.displays import Display, JackpotReading, LevelReading, build_displays
from cardroom.room.event_types import DomainEvent, decode_event
from cardroom.room.jackpot.bank_reconciliation import BankStatement, reconcile_account
from cardroom.room.jackpot.custody import add_seed, correct_malfunction, deposit_money, recover_seed
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.jackpot.lifecycle import (
    change_bonus,
    change_parameters,
    disable_jackpot,
    enable_jackpot,
    link_table,
    open_new_jackpot,
    remove_jackpot,
    unlink_table,
)
from cardroom.room.jackpot.pending_claims import Claim, JackpotPrize
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import JackpotState, Meter
from cardroom.room.jackpot.wager_counts import count_wagers
from cardroom.room.promotion.setup import Promotion, read_promotion, validate_promotion
from cardroom.room.promotion.state import (
    PromotionState,
    apply_promotion_event,
    end_promotion,
    pay_hands,
    start_promotion,
)
from cardroom.room.setup.jackpot import JackpotKind, JackpotSetup, LevelSetup, OfferSetup, read_jackpot_setup
from cardroom.room.setup.jackpot_validation import Jackpot, validate_jackpot
from cardroom.room.setup.tabulator import (
    LammerSensor,
    TabulatedTable,
    TabulatorSetup,
    WagerSensor,
    read_tabulator_setup,
    validate_tabulator,
)
from cardroom.room.setup.tabulator_models import BetTabulatorModel, DisplayKind, bet_tabulator_model
from cardroom.room.tabulator.data_logger import DataLogger, LoggerRecord, new_logger, take_records
from cardroom.room.tabulator.state import TabulatorState, apply_tabulator_event
from cardroom.room.tabulator.unit import (
    clear_fault,
    count_by_hand,
    press_button,
    report_fault,
    report_lights,
    void_round,
)

__all__ = [
    "BankStatement",
    "BetTabulatorModel",
    "Claim",
    "ClaimSubmission",
    "DataLogger",
    "Display",
    "DisplayKind",
    "DomainEvent",
    "Jackpot",
    "JackpotKind",
    "JackpotPrize",
    "JackpotReading",
    "JackpotSetup",
    "JackpotState",
    "LammerSensor",
    "LevelReading",
    "LevelSetup",
    "LoggerRecord",
    "Meter",
    "OfferSetup",
    "PriorClaims",
    "Promotion",
    "PromotionState",
    "SurveillanceCheck",
    "TabulatedTable",
    "TabulatorSetup",
    "TabulatorState",
    "TypedHand",
    "WagerSensor",
    "add_seed",
    "apply_jackpot_event",
    "apply_promotion_event",
    "apply_tabulator_event",
    "bet_tabulator_model",
    "build_displays",
    "change_bonus",
    "change_parameters",
    "claim_record",
    "claim_typed_hand",
    "clear_fault",
    "correct_malfunction",
    "count_by_hand",
    "count_wagers",
    "decode_event",
    "deposit_money",
    "disable_jackpot",
    "enable_jackpot",
    "end_promotion",
    "link_table",
    "new_logger",
    "open_new_jackpot",
    "pay_claim",
    "pay_hands",
    "press_button",
    "read_jackpot_setup",
    "read_promotion",
    "read_tabulator_setup",
    "reconcile_account",
    "recover_seed",
    "refuse_claim",
    "remove_jackpot",
    "report_fault",
    "report_lights",
    "reverse_prizes",
    "start_promotion",
    "take_records",
    "unlink_table",
    "validate_jackpot",
    "validate_promotion",
    "validate_tabulator",
    "void_round",
]
