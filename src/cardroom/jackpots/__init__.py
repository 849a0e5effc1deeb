"""The Bonus Jackpot System: set-ups, meters, prizes, claims and promotions. Pure: time, ids and names come in."""

from cardroom.jackpots.applying import Contradiction, apply
from cardroom.jackpots.changes import BadChange, change_bonus, change_parameters, remove_jackpot
from cardroom.jackpots.claim import Claim, Prize
from cardroom.jackpots.claims import Surveillance, claim_hand, claim_record, jackpot_of, pay_claim
from cardroom.jackpots.counting import BadCount, count_wagers
from cardroom.jackpots.custody import (
    BadAdjustment,
    add_seed,
    correct_malfunction,
    deposit,
    lower_to_the_cap,
    reconcile,
    recover_seed,
    remove_hidden,
)
from cardroom.jackpots.data_logger import BadLog, Logger, Record, new_logger, read_log, take_records
from cardroom.jackpots.happening import Happening, Json
from cardroom.jackpots.jackpot import BadJackpot, Jackpot, open_jackpot
from cardroom.jackpots.people import NobodyNamed, SamePerson
from cardroom.jackpots.posting import postings
from cardroom.jackpots.promotions import (
    BadPromotion,
    NoPromotion,
    PaidOut,
    Promotion,
    PromotionState,
    apply_promotion,
    begin_promotion,
    end_promotion,
    open_promotion,
    pay_promotion,
    promotion_entry,
    promotion_from,
    promotion_prize,
    promotion_state_entry,
    promotion_state_from,
    read_promotion,
)
from cardroom.jackpots.reading import BadFile
from cardroom.jackpots.reasons import Increase, Reduction
from cardroom.jackpots.refusing import refuse_claim
from cardroom.jackpots.service import (
    BadService,
    CannotJoin,
    disable,
    enable,
    join_table,
    leave_table,
    linking_faults,
    open_for_play,
    with_displayed_bonuses,
)
from cardroom.jackpots.setup import (
    JackpotKind,
    JackpotSetup,
    LevelSetup,
    OfferSetup,
    jackpot_setup_entry,
    jackpot_setup_from,
    read_jackpot_setup,
)
from cardroom.jackpots.state import JackpotState, Meter
from cardroom.jackpots.tablevision import (
    CannotDisplay,
    Display,
    JackpotReading,
    LevelReading,
    display_entry,
    displays,
)
from cardroom.jackpots.tabulator import (
    CannotTabulate,
    count_by_hand,
    declare_broken,
    declare_repaired,
    install,
    press_button,
    read_counter,
    report_lights,
    void_round,
)
from cardroom.jackpots.tabulator_models import DisplayKind, Model, model
from cardroom.jackpots.tabulator_reading import read_tabulator_setup
from cardroom.jackpots.tabulator_replay import (
    JackpotCount,
    jackpot_counts,
    lammers_in_place_of_lights,
    lights,
    stay_on_layout,
)
from cardroom.jackpots.tabulator_replay import apply as apply_tabulator
from cardroom.jackpots.tabulator_replay import postings as tabulator_postings
from cardroom.jackpots.tabulator_setup import (
    BadTabulatorSetup,
    LammerSensor,
    TabulatedTable,
    TabulatorSetup,
    WagerSensor,
    sensor_for,
    tabulated_table,
)
from cardroom.jackpots.tabulator_state import TabulatorState
from cardroom.jackpots.tabulator_state import state_entry as tabulator_state_entry
from cardroom.jackpots.tabulator_state import state_from as tabulator_state_from
from cardroom.jackpots.typed_hand import BadHand, TypedHand, typed_round
from cardroom.jackpots.winning import BadClaim
from cardroom.jackpots.written_state import state_entry, state_from

__all__ = [
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
    "BadTabulatorSetup",
    "CannotDisplay",
    "CannotJoin",
    "CannotTabulate",
    "Claim",
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
    "Json",
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
    "SamePerson",
    "Surveillance",
    "TabulatedTable",
    "TabulatorSetup",
    "TabulatorState",
    "TypedHand",
    "WagerSensor",
    "add_seed",
    "apply",
    "apply_promotion",
    "apply_tabulator",
    "begin_promotion",
    "change_bonus",
    "change_parameters",
    "claim_hand",
    "claim_record",
    "correct_malfunction",
    "count_by_hand",
    "count_wagers",
    "declare_broken",
    "declare_repaired",
    "deposit",
    "disable",
    "display_entry",
    "displays",
    "enable",
    "end_promotion",
    "install",
    "jackpot_counts",
    "jackpot_of",
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
    "pay_promotion",
    "postings",
    "press_button",
    "promotion_entry",
    "promotion_from",
    "promotion_prize",
    "promotion_state_entry",
    "promotion_state_from",
    "read_counter",
    "read_jackpot_setup",
    "read_log",
    "read_promotion",
    "read_tabulator_setup",
    "reconcile",
    "recover_seed",
    "refuse_claim",
    "remove_hidden",
    "remove_jackpot",
    "report_lights",
    "sensor_for",
    "state_entry",
    "state_from",
    "stay_on_layout",
    "tabulated_table",
    "tabulator_postings",
    "tabulator_state_entry",
    "tabulator_state_from",
    "take_records",
    "typed_round",
    "void_round",
    "with_displayed_bonuses",
]
