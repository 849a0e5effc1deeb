"""The printed paytables of the five games, and the kinds of pay they promise.

>>> table = paytable("three-card-prime", "ante-play", "PW/BB 1")
>>> line = table.find_matching_line(["bad-beat-straight"])
>>> describe_pay(line.pay), compute_return(line.pay, 10_00)
('4 to 1', 5000)
"""

from cardroom.paytables.catalog import (
    UnknownPaytable,
    column_to_json,
    games,
    paytable,
    paytable_columns,
    paytables,
    wagers,
)
from cardroom.paytables.custom_paytable import (
    BadPaytable,
    PaytableSpec,
    build_custom_paytable,
    change_pays,
    load_paytable,
)
from cardroom.paytables.pay import (
    BadPay,
    BadWager,
    Basis,
    BonusKind,
    Dollars,
    ForOne,
    Loss,
    NotWholeCents,
    OperatorBonus,
    Pay,
    Percent,
    Push,
    ToOne,
    UnknownAmount,
    compute_exact_return,
    compute_return,
    describe_pay,
    is_payable,
    parse_pay,
)
from cardroom.paytables.table import CUSTOM_NOTE, OTHER, BadBonus, Paytable, PaytableColumn, PaytableLine

__all__ = [
    "CUSTOM_NOTE",
    "OTHER",
    "BadBonus",
    "BadPay",
    "BadPaytable",
    "BadWager",
    "Basis",
    "BonusKind",
    "Dollars",
    "ForOne",
    "Loss",
    "NotWholeCents",
    "OperatorBonus",
    "Pay",
    "Paytable",
    "PaytableColumn",
    "PaytableLine",
    "PaytableSpec",
    "Percent",
    "Push",
    "ToOne",
    "UnknownAmount",
    "UnknownPaytable",
    "build_custom_paytable",
    "change_pays",
    "column_to_json",
    "compute_exact_return",
    "compute_return",
    "describe_pay",
    "games",
    "is_payable",
    "load_paytable",
    "parse_pay",
    "paytable",
    "paytable_columns",
    "paytables",
    "wagers",
]
