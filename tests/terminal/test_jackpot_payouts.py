"""What a payment page tells: who got the money, how, and from where."""

from __future__ import annotations

import pytest
from rich.console import Console

from cardroom.chart_of_accounts import CENT, DOLLAR
from cardroom.room.descriptions.event_phrases import payout_texts
from cardroom.room.payment_references import PaymentMethod, Payout
from cardroom.terminal.pages.payments import payout_lines

CHECK = Payout(3, "Ann Lee", PaymentMethod.CHECK, "A-77", 500_12, 500_12 * CENT, 0)


def result(payout: Payout, width: int = 200) -> list[str]:
    console = Console(width=width)
    with console.capture() as caught:
        console.print(*payout_lines(payout), sep="\n")
    return caught.get().rstrip().splitlines()


def test_a_player_without_a_name_is_shown_as_such() -> None:
    assert result(Payout(2, "declined", PaymentMethod.CASH, "6", 500_03, 500_03 * CENT, 0)) == [
        "  seat 2: $500.03, name declined, cash 6"
    ]


def test_a_payment_of_several_sources_names_them() -> None:
    cash = CHECK._replace(payment=PaymentMethod.CASH, cents=525_12, escrow=0, undeposited=500_12 * CENT)
    assert result(cash) == [
        "  seat 3: $525.12 to Ann Lee, cash A-77",
        "  $500.12 from the cage, $25.00 from the card room",
    ]


@pytest.mark.parametrize("payment", [PaymentMethod.CHECK, PaymentMethod.TRANSFER])
def test_a_check_is_shown_in_full_with_the_house_s_part(payment: PaymentMethod) -> None:
    one = CHECK._replace(payment=payment)
    assert result(one) == [f"  seat 3: $500.12 to Ann Lee, {payment} A-77"]
    more = one._replace(cents=525_12, escrow=525_12 * CENT, undeposited=-25 * DOLLAR)
    assert result(more)[1:] == [
        "  $525.12 from the bank account; $25.00 of it is the card room's part, which the cage deposits"
    ]
    narrow = result(more, 60)
    assert len(narrow) == 3
    assert all(line.startswith("  ") for line in narrow)
    assert payout_texts({"payouts": [more._asdict()]}) == (f"seat 3: Ann Lee, {payment} A-77",)
