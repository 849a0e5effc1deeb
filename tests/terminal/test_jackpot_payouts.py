"""What a payment page tells: who got the money, how, and from where."""

from __future__ import annotations

import pytest
from rich.console import Console

from cardroom.accounts import CENT, DOLLAR
from cardroom.jackpots.payouts import Payout
from cardroom.jackpots.references import PaidBy
from cardroom.jackpots.telling.phrases import payout_words
from cardroom.terminal.pages.claims import payout_lines

CHEQUE = Payout(3, "Ann Lee", PaidBy.CHEQUE, "A-77", 500_12, 100 * DOLLAR, 400_12 * CENT)


def told(payout: Payout, width: int = 200) -> list[str]:
    console = Console(width=width)
    with console.capture() as caught:
        console.print(*payout_lines(payout), sep="\n")
    return caught.get().rstrip().splitlines()


def test_a_player_without_a_name_is_told_as_such() -> None:
    assert told(Payout(2, "declined", PaidBy.CASH, "6", 500_03, 500_03 * CENT, 0)) == [
        "  seat 2: $500.03, name declined, cash 6"
    ]


def test_a_payment_of_several_sources_names_them() -> None:
    cash = CHEQUE._replace(payment=PaidBy.CASH, cents=525_12)
    assert told(cash) == [
        "  seat 3: $525.12 to Ann Lee, cash A-77",
        "  $100.00 from the bank account, $400.12 from the cage, $25.00 from the house",
    ]


@pytest.mark.parametrize("payment", [PaidBy.CHEQUE, PaidBy.TRANSFER])
def test_a_cheque_that_the_account_did_not_cover_warns(payment: PaidBy) -> None:
    one = CHEQUE._replace(payment=payment)
    larger = f"  {payment} A-77 is larger than what the bank account had for it"
    assert told(one)[1:] == [
        "  $100.00 from the bank account, $400.12 from the cage",
        f"{larger}: bring $400.12 there before it is presented.",
    ]
    narrow = told(one, 60)
    assert len(narrow) == 4
    assert all(line.startswith("  ") for line in narrow)
    whole = one._replace(escrow=500_12 * CENT, undeposited=0)
    assert told(whole) == [f"  seat 3: $500.12 to Ann Lee, {payment} A-77"]


def test_the_history_says_what_the_account_did_not_cover() -> None:
    stored = {**CHEQUE._asdict(), "payment": "cheque"}
    words = "seat 3: Ann Lee, cheque A-77 ($400.12 of it from the cage, the bank account had less)"
    assert payout_words({"payouts": [stored]}) == (words,)
    cash = stored | {"payment": "cash"}
    assert payout_words({"payouts": [cash]}) == ("seat 3: Ann Lee, cash A-77",)
