"""The Bonus Jackpot System: set-ups, meters, prizes, claims and promotions. Pure: time, ids and names come in."""

from cardroom.extras import require_packages

require_packages("floor", "Jackpots", "orjson")

from cardroom.jackpots.claim.earlier import ClaimedBefore
from cardroom.jackpots.claim.flow import Asked, claim_record, claim_typed
from cardroom.jackpots.claim.paying import pay_claim
from cardroom.jackpots.claim.refusing import refuse_claim
from cardroom.jackpots.claim.taking_back import take_back_prizes
from cardroom.jackpots.claim.typed_hand import BadHand, TypedHand, typed_entry, typed_round
from cardroom.jackpots.claim.winning import BadClaim
from cardroom.jackpots.contents import Chips, Surveillance
from cardroom.jackpots.displays import (
    CannotDisplay,
    Display,
    JackpotReading,
    LevelReading,
    display_entry,
    displays,
)
from cardroom.jackpots.happenings import Happening, happening_from
from cardroom.jackpots.meter.applying import jackpot_after
from cardroom.jackpots.meter.changes import BadChange, change_bonus, change_parameters, remove_jackpot
from cardroom.jackpots.meter.contradictions import Contradiction
from cardroom.jackpots.meter.counting import BadCount, count_wagers
from cardroom.jackpots.meter.custody import (
    BadAdjustment,
    add_seed,
    correct_malfunction,
    deposit_money,
    lower_to_the_cap,
    recover_seed,
    remove_hidden,
)
from cardroom.jackpots.meter.posting import entries_with_the_cage, promotion_postings
from cardroom.jackpots.meter.reconciling import BadStatement, Statement, reconcile_account
from cardroom.jackpots.meter.service import (
    BadService,
    CannotJoin,
    disable_jackpot,
    enable_jackpot,
    join_table,
    leave_table,
    linking_faults,
    open_for_play,
    with_displayed_bonuses,
)
from cardroom.jackpots.meter.state import JackpotState, Meter
from cardroom.jackpots.meter.taking_back import take_back
from cardroom.jackpots.pending import Claim, Prize
from cardroom.jackpots.people import NobodyNamed, SamePerson
from cardroom.jackpots.plain import read_as, written
from cardroom.jackpots.promotion.announced import (
    BadPromotion,
    NoPromotion,
    PaidOut,
    Promotion,
    open_promotion,
    promotion_entry,
    promotion_from,
    promotion_prize,
    read_promotion,
)
from cardroom.jackpots.promotion.running import (
    PromotionState,
    RunningPromotion,
    begin_promotion,
    end_promotion,
    pay_hands,
    promotion_after,
)
from cardroom.jackpots.reasons import Increase, Reduction
from cardroom.jackpots.setup.faults import BadFile, BadJackpot, BadTabulatorSetup
from cardroom.jackpots.setup.jackpot import (
    JackpotKind,
    JackpotSetup,
    LevelSetup,
    OfferSetup,
    jackpot_setup_entry,
    jackpot_setup_from,
    read_jackpot_setup,
)
from cardroom.jackpots.setup.models import DisplayKind, Model, model
from cardroom.jackpots.setup.opening import Jackpot, open_jackpot
from cardroom.jackpots.setup.tabulator import (
    LammerSensor,
    TabulatedTable,
    TabulatorSetup,
    WagerSensor,
    sensor_for,
    tabulated_table,
)
from cardroom.jackpots.setup.tabulator_file import read_tabulator_setup
from cardroom.jackpots.tabulator.log_lines import read_log
from cardroom.jackpots.tabulator.logger import BadLog, Logger, Record, new_logger, take_records
from cardroom.jackpots.tabulator.readings import read_counter
from cardroom.jackpots.tabulator.replay import (
    JackpotCount,
    jackpot_counts,
    lammers_in_place_of_lights,
    lights,
    stay_on_layout,
    tabulator_after,
    tabulator_installed,
    tabulator_postings,
)
from cardroom.jackpots.tabulator.state import TabulatorState
from cardroom.jackpots.tabulator.unit import (
    CannotTabulate,
    count_by_hand,
    declare_broken,
    declare_repaired,
    install,
    press_button,
    report_lights,
    void_round,
)

__all__ = [
    "Asked",
    "BadAdjustment",
    "BadChange",
    "BadClaim",
    "BadCount",
    "BadFile",
    "BadHand",
    "BadJackpot",
    "BadLog",
    "BadPromotion",
    "BadService",
    "BadStatement",
    "BadTabulatorSetup",
    "CannotDisplay",
    "CannotJoin",
    "CannotTabulate",
    "Chips",
    "Claim",
    "ClaimedBefore",
    "Contradiction",
    "Display",
    "DisplayKind",
    "Happening",
    "Increase",
    "Jackpot",
    "JackpotCount",
    "JackpotKind",
    "JackpotReading",
    "JackpotSetup",
    "JackpotState",
    "LammerSensor",
    "LevelReading",
    "LevelSetup",
    "Logger",
    "Meter",
    "Model",
    "NoPromotion",
    "NobodyNamed",
    "OfferSetup",
    "PaidOut",
    "Prize",
    "Promotion",
    "PromotionState",
    "Record",
    "Reduction",
    "RunningPromotion",
    "SamePerson",
    "Statement",
    "Surveillance",
    "TabulatedTable",
    "TabulatorSetup",
    "TabulatorState",
    "TypedHand",
    "WagerSensor",
    "add_seed",
    "begin_promotion",
    "change_bonus",
    "change_parameters",
    "claim_record",
    "claim_typed",
    "correct_malfunction",
    "count_by_hand",
    "count_wagers",
    "declare_broken",
    "declare_repaired",
    "deposit_money",
    "disable_jackpot",
    "display_entry",
    "displays",
    "enable_jackpot",
    "end_promotion",
    "entries_with_the_cage",
    "happening_from",
    "install",
    "jackpot_after",
    "jackpot_counts",
    "jackpot_setup_entry",
    "jackpot_setup_from",
    "join_table",
    "lammers_in_place_of_lights",
    "leave_table",
    "lights",
    "linking_faults",
    "lower_to_the_cap",
    "model",
    "new_logger",
    "open_for_play",
    "open_jackpot",
    "open_promotion",
    "pay_claim",
    "pay_hands",
    "press_button",
    "promotion_after",
    "promotion_entry",
    "promotion_from",
    "promotion_postings",
    "promotion_prize",
    "read_as",
    "read_counter",
    "read_jackpot_setup",
    "read_log",
    "read_promotion",
    "read_tabulator_setup",
    "reconcile_account",
    "recover_seed",
    "refuse_claim",
    "remove_hidden",
    "remove_jackpot",
    "report_lights",
    "sensor_for",
    "stay_on_layout",
    "tabulated_table",
    "tabulator_after",
    "tabulator_installed",
    "tabulator_postings",
    "take_back",
    "take_back_prizes",
    "take_records",
    "typed_entry",
    "typed_round",
    "void_round",
    "with_displayed_bonuses",
    "written",
]
