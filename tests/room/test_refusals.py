"""A refused claim is as if it had never been made; what came in since stays."""

from __future__ import annotations

from contextlib import suppress
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.chart_of_accounts import CENT, DOLLAR, AccountKind
from cardroom.room.claim.new_claim import claim_record, claim_typed_hand
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.claim.resolution import refuse_claim
from cardroom.room.dual_control import NameMissing
from cardroom.room.jackpot.custody import BadAdjustment, correct_malfunction, deposit_money
from cardroom.room.jackpot.lifecycle import BadParameterChange, change_parameters
from cardroom.room.jackpot.wager_counts import count_wagers
from tests.examples import examples
from tests.room.jackpots import TIES, TIES_BONUS, JackpotLedger, duel_hand, duel_record, paid


def win(ledger: JackpotLedger, *seats: str, claim: str = "c1") -> None:
    ledger.do(claim_record(ledger.state, duel_record(*seats), ledger.submission(claim)))


def hand(ledger: JackpotLedger, event: str, seat: int, claim: str, round_id: str = "r") -> None:
    """The dealer types one hand of a round."""
    ledger.do(claim_typed_hand(ledger.state, duel_hand(event, seat), seat, ledger.submission(claim, round_id=round_id)))


def refuse(ledger: JackpotLedger, claim: str = "c1", seats: tuple[int, ...] | None = None) -> None:
    ledger.do(refuse_claim(ledger.state, claim, refused_by="Flo", why="no wager on the spot", seats=seats))


def test_a_refused_prize_goes_back_and_the_reset_with_it() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 300))
    before = ledger.state.meters
    win(ledger, "suit", "color")
    refuse(ledger)
    assert ledger.state.meters == before
    assert not ledger.state.claims


def test_what_came_in_since_stays() -> None:
    ledger, never = JackpotLedger(TIES), JackpotLedger(TIES)
    win(ledger, "suit")
    for one in (ledger, never):
        one.do(count_wagers(one.state, "t1", 13))
    refuse(ledger)
    assert ledger.state.meters == never.state.meters
    assert ledger.state.meters[0].displayed_cents == 1_001_85


def test_what_came_in_since_goes_into_the_overflow_once_the_ceiling_is_reached_again() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 1_393))
    win(ledger, "suit")
    ledger.do(count_wagers(ledger.state, "t1", 14))
    refuse(ledger)
    assert ledger.state.meters[0].displayed_cents == 1_200_00
    assert ledger.state.meters[0].overflow == 1 * DOLLAR


def test_the_house_s_seed_goes_back_to_the_house_which_the_bank_account_then_owes_it() -> None:
    ledger = JackpotLedger(TIES)
    win(ledger, "suit")
    ledger.do(deposit_money(ledger.state, 2_400_00, who="Cy", reference="slip 1"))
    refuse(ledger)
    assert ledger.state.owed == 1_500 * DOLLAR
    assert (ledger.state.escrow, ledger.state.undeposited) == (2_400 * DOLLAR, 0)
    assert ledger.state.cage_advance == 900 * DOLLAR


def test_a_later_claim_is_worth_what_it_would_have_been_without_the_refused_one() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 70))
    win(ledger, "suit")
    ledger.do(count_wagers(ledger.state, "t1", 7))
    win(ledger, "suit", "suit", claim="c2")
    assert [prize.cents for prize in ledger.state.claims[1].prizes] == [500_50, 500_50]
    refuse(ledger)
    assert [prize.cents for prize in ledger.state.claims[0].prizes] == [505_50, 505_50]
    ledger.do(paid(ledger.state, "c2", verified_by="Flo"))
    assert ledger.state.meters[0].won == 1_011 * DOLLAR


def test_a_later_claim_that_is_refused_leaves_the_earlier_one_alone() -> None:
    ledger = JackpotLedger(TIES)
    win(ledger, "suit")
    before = ledger.state
    win(ledger, "suit", claim="c2")
    ledger.do(count_wagers(ledger.state, "t1", 7))
    refuse(ledger, "c2")
    assert ledger.state.claims[0].cents == 1_000_00
    assert ledger.state.meters[0].display == before.meters[0].display + 1 * DOLLAR
    refuse(ledger, "c1")
    assert ledger.state.meters[0].displayed_cents == 1_001_00


def test_one_of_two_winners_can_be_refused_and_the_other_gets_all() -> None:
    ledger = JackpotLedger(TIES)
    win(ledger, "suit", "suit", "color")
    refuse(ledger, seats=(1,))
    (claim,) = ledger.state.claims
    assert [(prize.seat, prize.cents) for prize in claim.prizes] == [(2, 1_000_00), (3, 500_00)]
    refuse(ledger, seats=(3,))
    assert [part.level for part in ledger.state.claims[0].parts] == ["suit"]
    assert ledger.state.meters[1].displayed_cents == 500_00


def test_on_a_bonus_jackpot_the_winners_that_are_left_share_what_was_shown_when_it_was_won() -> None:
    ledger = JackpotLedger(TIES_BONUS)
    win(ledger, "suit", "suit")
    ledger.do(change_parameters(ledger.state, "suit", {"seed": "$100"}, who="Ada", second="Cy", why="new week"))
    refuse(ledger, seats=(2,))
    assert ledger.state.claims[0].cents == 2_000_00
    refuse(ledger)
    assert not ledger.state.claims


def test_a_change_that_came_into_force_with_the_reset_waits_again() -> None:
    ledger, never = JackpotLedger(TIES), JackpotLedger(TIES)
    changes = {"contribution": "10%", "reserve": "1/11", "seed": "$800"}
    for one in (ledger, never):
        one.do(count_wagers(one.state, "t1", 3))
        one.do(change_parameters(one.state, "suit", changes, who="Ada", second="Cy", why="slow"))
    win(ledger, "suit")
    assert ledger.state.meters[0].displayed_cents == 800_00
    for one in (ledger, never):
        one.do(count_wagers(one.state, "t1", 10))
    assert ledger.state.meters[0].carry != never.state.meters[0].carry
    refuse(ledger)
    assert ledger.state.meters == never.state.meters
    assert ledger.state.waiting == never.state.waiting
    assert ledger.state.undeposited == never.state.undeposited
    assert ledger.balance(AccountKind.GROSS_RECEIPTS, "house") != 0


def test_a_refusal_has_a_reason_and_names_seats_that_have_won() -> None:
    ledger = JackpotLedger(TIES)
    win(ledger, "suit")
    with pytest.raises(NameMissing):
        refuse_claim(ledger.state, "c1", refused_by="Flo", why=" ")
    with pytest.raises(BadClaim):
        refuse_claim(ledger.state, "c1", refused_by="Flo", why="no wager", seats=(2,))


def test_a_level_with_a_pending_prize_cannot_be_adjusted() -> None:
    ledger = JackpotLedger(TIES)
    win(ledger, "suit")
    with pytest.raises(BadAdjustment):
        correct_malfunction(ledger.state, "suit", 100, who="Ada", second="Cy", why="stuck", report="R-7")
    with pytest.raises(BadParameterChange):
        change_parameters(ledger.state, "suit", {"seed": "$2,000"}, who="Ada", second="Cy", why="more")
    ledger.do(correct_malfunction(ledger.state, "color", 100, who="Ada", second="Cy", why="stuck", report="R-7"))


# Six decks have six kings of spades, and two of them lie in the middle.
WINS = [
    list(seats)
    for count in (1, 2, 3)
    for seats in product(["suit", "color", "two"], repeat=count)
    if seats.count("suit") <= 2
]
CHANGES = [
    {"contribution": "1/11"},
    {"contribution": "1/9", "reserve": "1/13"},
    {"seed": "$400"},
    {"contribution": "1/6"},
    {"minimum": "$2"},
]
EVENINGS = st.lists(
    st.one_of(
        st.integers(1, 700),
        st.sampled_from(WINS),
        st.tuples(st.sampled_from(["suit", "color"]), st.sampled_from(CHANGES)),
    ),
    max_size=9,
)


def claims_of(ledger: JackpotLedger) -> list[object]:
    """What is pending, but for the numbers of the claims."""
    return [claim._replace(order=0) for claim in ledger.state.claims]


@settings(deadline=None, max_examples=examples(60))
@given(EVENINGS, st.randoms(use_true_random=False))
def test_after_refusals_everything_is_as_if_the_refused_claims_had_never_been(
    evening: list[int | list[str] | tuple[str, dict[str, str]]], chance: Random
) -> None:
    """In whatever order they are refused, and whatever change of rates their resets brought into force. Each winner of
    a round may be claimed on its own, with wagers and other claims between."""
    ledger, never = JackpotLedger(TIES), JackpotLedger(TIES)
    refused, later = [], list[tuple[str, int, str]]()

    def claim(number: int, seat: int, event: str) -> None:
        name = f"c{number}-{seat}"
        hand(ledger, event, seat, claim=name, round_id=f"r{number}")
        if chance.random() < 0.6:
            refused.append(name)
        else:
            hand(never, event, seat, claim=name, round_id=f"r{number}")

    for number, one in enumerate(evening):
        if isinstance(one, int):
            for some in (ledger, never):
                some.do(count_wagers(some.state, "t1", one))
        elif isinstance(one, tuple):
            level, changes = one
            if not ledger.state.pending_on(level):
                for some in (ledger, never):
                    with suppress(BadParameterChange):
                        some.do(change_parameters(some.state, level, changes, who="Ada", second="Cy", why="new"))
        else:
            for seat, event in enumerate(one, 1):
                if chance.random() < 0.5:
                    later.append((number, seat, event))
                else:
                    claim(number, seat, event)
        while later and chance.random() < 0.4:
            claim(*later.pop(chance.randrange(len(later))))
    chance.shuffle(refused)
    for name in refused:
        refuse(ledger, name)
    assert ledger.state.meters == never.state.meters
    assert claims_of(ledger) == claims_of(never)
    assert set(ledger.state.waiting) == set(never.state.waiting)
    assert ledger.state.undeposited == never.state.undeposited
    assert (
        sum(meter.pending for meter in ledger.state.meters) == sum(claim.cents for claim in ledger.state.claims) * CENT
    )
