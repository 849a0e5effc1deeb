"""The printed paytables of the five games, and the kinds of pay they promise.

>>> table = paytable("three-card-prime", "ante-play", "PW/BB 1")
>>> line = table.first(["bad-beat-straight"])
>>> words(line.pay), returned(line.pay, 10_00)
('4 to 1', 5000)
"""

from cardroom.paytables.custom import BadPaytable, OwnTable, changed_paytable, load_paytable, own_paytable
from cardroom.paytables.listing import as_json
from cardroom.paytables.pay import (
    Accepts,
    AmountUnknown,
    BadPay,
    BadWager,
    Basis,
    Dollars,
    ForOne,
    Loss,
    NotToTheCent,
    OperatorBonus,
    Pay,
    Percent,
    Push,
    ToOne,
    given_back,
    parse_pay,
    payable,
    returned,
    words,
)
from cardroom.paytables.printed import UnknownPaytable, columns, games, paytable, paytables, wagers
from cardroom.paytables.table import NOT_PRINTED, OTHER, BadBonus, Column, Line, Paytable

__all__ = [
    "NOT_PRINTED",
    "OTHER",
    "Accepts",
    "AmountUnknown",
    "BadBonus",
    "BadPay",
    "BadPaytable",
    "BadWager",
    "Basis",
    "Column",
    "Dollars",
    "ForOne",
    "Line",
    "Loss",
    "NotToTheCent",
    "OperatorBonus",
    "OwnTable",
    "Pay",
    "Paytable",
    "Percent",
    "Push",
    "ToOne",
    "UnknownPaytable",
    "as_json",
    "changed_paytable",
    "columns",
    "games",
    "given_back",
    "load_paytable",
    "own_paytable",
    "parse_pay",
    "payable",
    "paytable",
    "paytables",
    "returned",
    "wagers",
    "words",
]
