"""What these tests have found once, shown in few words, so that it stays found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.jackpot.lifecycle import BadParameterChange
from cardroom.service import CardRoom
from tests.crash.commands import carry_out
from tests.crash.evening import Evening


@pytest.fixture
def card_room(tmp_path: Path) -> Iterator[CardRoom]:
    with open_ledger(f"sqlite:///{tmp_path}/ledger.db") as ledger:
        card_room = CardRoom(ledger)
        for one in Evening(0).opening():
            carry_out(card_room, one.command)
        yield card_room


def test_after_a_void_round_the_bank_still_holds_whole_cents(card_room: CardRoom) -> None:
    for round_id in ("r1", "r2"):
        card_room.tabulate(round_id, "Kim", "prime-1", {1: [1]})
    card_room.jackpots.deposit_to_bank(
        "all", "Cy", "final-four", card_room.jackpot("final-four").undeposited // 100, "slip"
    )
    card_room.void_round("void", "Kim", "prime-1", "r1", "the shuffler jammed", second="Flo")
    in_the_bank = card_room.jackpot("final-four").escrow
    assert in_the_bank % 100 == 0
    assert (
        card_room.jackpots.reconcile("bank", "Cy", "final-four", in_the_bank // 100, day=None).summary.unavailable
        is None
    )


def test_changes_that_wait_on_two_levels_take_no_more_than_the_wager_together(card_room: CardRoom) -> None:
    card_room.jackpots.change_parameters("one", "Ada", "ties", "suit", {"reserve": "60%"}, "new quarter", second="Carl")
    with pytest.raises(BadParameterChange):
        card_room.jackpots.change_parameters(
            "two", "Ada", "ties", "color", {"reserve": "60%"}, "new quarter", second="Carl"
        )


def test_a_claim_that_is_refused_while_a_round_is_declared_void_does_not_keep_the_rounds_money(
    card_room: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = card_room.jackpot("final-four").meter("main")
    card_room.tabulate("r1", "Kim", "prime-1", {1: [1]})
    card_room.tabulate("r2", "Kim", "prime-1", {1: [1]})
    royal = TypedHand("final-four", 100, {"hand": "Jd Qd Kd", "fourth": "Ad"})
    card_room.claims.claim_hand("claim", "Kim", "final-four", "prime-1", "r2", royal)
    looked_up = card_room._find_round_effect

    def some_user_else_refuses_meanwhile(*what: str) -> object:
        found = looked_up(*what)
        if card_room.jackpot("final-four").claims:
            CardRoom(card_room.ledger).claims.refuse("refuse", "Flo", "final-four", "claim", "a misdeal")
        return found

    monkeypatch.setattr(card_room, "_find_round_effect", some_user_else_refuses_meanwhile)
    card_room.void_round("void", "Kim", "prime-1", "r1", "the shuffler jammed", second="Flo")
    (of_r2,) = [one for one in card_room.ledger.events("jackpot:final-four") if one.id.endswith("r2/2")]
    after = card_room.jackpot("final-four").meter("main")
    assert after.display - before.display == of_r2.payload["levels"]["main"][1]


def test_who_wagered_one_dollar_does_not_win_what_two_dollars_win(card_room: CardRoom) -> None:
    card_room.tabulate("r1", "Kim", "shootout-1", {1: [1, 2], 2: [2]})
    cards = {"hand": "Ks Ks", "community": "Ks Ks Ks 2c 3d"}
    with pytest.raises(BadClaim, match=r"\$1.*\$2"):
        card_room.claims.claim_hand(
            "two", "Kim", "shootout", "shootout-1", "r1", TypedHand("jackpot", 2_00, cards, seat=1)
        )
    with pytest.raises(BadClaim, match=r"\$2.*\$1"):
        card_room.claims.claim_hand(
            "one", "Kim", "shootout", "shootout-1", "r1", TypedHand("jackpot", 1_00, cards, seat=2)
        )
    made = card_room.claims.claim_hand(
        "right", "Kim", "shootout", "shootout-1", "r1", TypedHand("jackpot", 2_00, cards, seat=2)
    )
    assert made.order == 1
