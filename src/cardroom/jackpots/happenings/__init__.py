"""Everything that can happen to a jackpot, at a table's tabulator and to a promotion, each kind declared once.

Happenings are the truth: states and ledger entries follow from them alone, so a replay gives the same cents.
Each is stored as its kind, its version and its content in plain values. Amounts are hundredths of a cent unless they
are called cents.

>>> happened = TableJoined("final-four", "prime-1", "Ada")
>>> happened.kind, happened.version, happened.payload
('table-joined', 1, {'jackpot': 'final-four', 'table': 'prime-1', 'who': 'Ada'})
>>> happening_from(happened.kind, happened.version, happened.payload) == happened
True
"""

from cardroom.jackpots.happenings.kind import (
    KINDS,
    Happening,
    UnknownHappening,
    declared,
    happening_from,
)
from cardroom.jackpots.happenings.of_a_jackpot import (
    Adjusted,
    BonusChanged,
    ChangeApplied,
    ChangeRequested,
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    Deposited,
    JackpotClosed,
    JackpotDisabled,
    JackpotEnabled,
    JackpotOpened,
    JackpotRemoved,
    JackpotReopened,
    MeterReset,
    OfAJackpot,
    PrizesPaid,
    PrizesWon,
    Reconciled,
    TableJoined,
    TableLeft,
    WagersCounted,
    WagersTakenBack,
)
from cardroom.jackpots.happenings.of_a_promotion import (
    PromotionBegun,
    PromotionEnded,
    PromotionPrizePaid,
)
from cardroom.jackpots.happenings.of_a_table import (
    Counted,
    CountedByHand,
    CounterRead,
    LightsFailed,
    OfATable,
    RoundRecorded,
    RoundTabulated,
    RoundVoided,
    TableSetUp,
    TabulatorBroken,
    TabulatorRepaired,
    round_of,
)
from cardroom.jackpots.happenings.of_the_room import OfTheRoom, RoomSetUp
from cardroom.jackpots.happenings.won import (
    WonInARound,
)

__all__ = [
    "KINDS",
    "Adjusted",
    "BonusChanged",
    "ChangeApplied",
    "ChangeRequested",
    "ClaimJoined",
    "ClaimLocked",
    "ClaimPaid",
    "ClaimRefused",
    "Counted",
    "CountedByHand",
    "CounterRead",
    "Deposited",
    "Happening",
    "JackpotClosed",
    "JackpotDisabled",
    "JackpotEnabled",
    "JackpotOpened",
    "JackpotRemoved",
    "JackpotReopened",
    "LightsFailed",
    "MeterReset",
    "OfAJackpot",
    "OfATable",
    "OfTheRoom",
    "PrizesPaid",
    "PrizesWon",
    "PromotionBegun",
    "PromotionEnded",
    "PromotionPrizePaid",
    "Reconciled",
    "RoomSetUp",
    "RoundRecorded",
    "RoundTabulated",
    "RoundVoided",
    "TableJoined",
    "TableLeft",
    "TableSetUp",
    "TabulatorBroken",
    "TabulatorRepaired",
    "UnknownHappening",
    "WagersCounted",
    "WagersTakenBack",
    "WonInARound",
    "declared",
    "happening_from",
    "round_of",
]
