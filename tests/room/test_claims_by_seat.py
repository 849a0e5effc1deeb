"""Each winner of a round may be claimed on its own, in any order, and gets what all of them at once would have got."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.chart_of_accounts import DOLLAR, AccountKind
from cardroom.games import read_setup
from cardroom.games.setup import setup_to_json
from cardroom.room.claim.new_claim import claim_record, claim_typed_hand
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.claim.resolution import refuse_claim
from cardroom.room.claim.typed_hand import TypedHand, typed_hand_record
from cardroom.room.jackpot.event_values import SurveillanceCheck
from cardroom.room.jackpot.events import ClaimJoined, ClaimLocked, PrizesPaid
from cardroom.room.jackpot.lifecycle import change_parameters
from cardroom.room.jackpot.wager_counts import count_wagers
from tests.examples import examples
from tests.room.jackpots import (
    FINAL_FOUR,
    PRIME_TABLE,
    SHOOTOUT,
    SHOOTOUT_TABLE,
    TIES,
    TIES_BONUS,
    JackpotLedger,
    duel_hand,
    duel_record,
    paid,
)


def hand(ledger: JackpotLedger, event: str, seat: int, claim: str, round_id: str = "r1", table: str = "t1") -> None:
    """The dealer types one hand of a round."""
    ledger.do(claim_typed_hand(ledger.state, duel_hand(event, seat), seat, ledger.submission(claim, table, round_id)))


def pay(ledger: JackpotLedger, claim: str) -> None:
    ledger.do(paid(ledger.state, claim, verified_by="Flo", surveillance=SurveillanceCheck("Lee", "21:40")))


def refuse(ledger: JackpotLedger, claim: str) -> None:
    ledger.do(refuse_claim(ledger.state, claim, refused_by="Flo", why="no wager on the spot"))


def cents(ledger: JackpotLedger) -> dict[int, int]:
    return {prize.seat: prize.cents for claim in ledger.state.claims for prize in claim.prizes}


@pytest.mark.parametrize("setup", [TIES, TIES_BONUS])
@settings(deadline=None, max_examples=examples(20))
@given(
    st.one_of(
        st.sampled_from([["suit"], ["suit", "suit"]]),
        st.lists(st.sampled_from(["color", "two"]), min_size=1, max_size=4).filter(
            lambda events: events.count("color") <= 3
        ),
    ),
    st.permutations(range(1, 5)),
    st.lists(st.integers(0, 400), min_size=4, max_size=4),
)
def test_winners_claimed_one_by_one_get_what_they_get_together(
    setup: str, events: list[str], order: list[int], between: list[int]
) -> None:
    ledger, together = JackpotLedger(setup), JackpotLedger(setup)
    for one in (ledger, together):
        one.do(count_wagers(one.state, "t1", 1_395))
    together.do(claim_record(together.state, duel_record(*events), together.submission("all", round_id="r1")))
    for seat, number in zip((seat for seat in order if seat <= len(events)), between, strict=False):
        hand(ledger, events[seat - 1], seat, f"c{seat}")
        for one in (ledger, together):
            one.do(count_wagers(one.state, "t2", number))
    assert cents(ledger) == cents(together)
    assert ledger.state.meters == together.state.meters
    assert ledger.state.undeposited == together.state.undeposited


def test_a_record_claims_the_seats_that_are_not_claimed_yet() -> None:
    ledger = JackpotLedger(TIES)
    hand(ledger, "suit", 2, "c1")
    joined, *_ = ledger.do(
        claim_record(ledger.state, duel_record("suit", "suit", "tie"), ledger.submission("c2", round_id="r1"))
    )
    assert isinstance(joined, PrizesPaid)
    assert [prize.seat for prize in joined.prizes] == [3]
    assert cents(ledger) == {1: 500_00, 2: 500_00}
    with pytest.raises(BadClaim):
        hand(ledger, "suit", 1, "c3")


def test_a_seat_is_claimed_once_and_again_when_it_was_refused() -> None:
    ledger = JackpotLedger(TIES)
    hand(ledger, "suit", 1, "c1")
    with pytest.raises(BadClaim):
        hand(ledger, "suit", 1, "c2")
    refuse(ledger, "c1")
    hand(ledger, "color", 1, "c2")
    assert cents(ledger) == {1: 500_00}


def test_a_later_group_is_revalued_after_a_claim_joins_an_earlier_group() -> None:
    ledger = JackpotLedger(TIES)
    hand(ledger, "two", 1, "c1")
    hand(ledger, "color", 1, "later", "r2", "t2")
    assert cents(ledger) == {1: 450_00}
    assert [claim.cents for claim in ledger.state.claims] == [50_00, 450_00]
    hand(ledger, "color", 2, "c2")  # takes the whole meter: the later one has the reset
    assert [claim.cents for claim in ledger.state.claims] == [50_00, 500_00, 500_00]
    joined = ledger.events[-1]
    assert isinstance(joined, ClaimJoined)
    assert [claim.id for claim in joined.claims] == ["c1", "later", "c2"]


def test_a_member_of_a_group_waits_for_earlier_groups_but_not_for_the_others_of_its_own() -> None:
    ledger = JackpotLedger(TIES)
    hand(ledger, "suit", 1, "c1")
    hand(ledger, "suit", 1, "later", "r2", "t2")
    hand(ledger, "suit", 2, "c2")
    with pytest.raises(BadClaim):
        pay(ledger, "later")
    pay(ledger, "c2")
    with pytest.raises(BadClaim):
        pay(ledger, "later")
    pay(ledger, "c1")
    pay(ledger, "later")
    assert ledger.state.meters[0].won == 2_000 * DOLLAR


def test_once_one_is_paid_the_others_keep_what_they_have_when_one_is_refused() -> None:
    ledger = JackpotLedger(TIES)
    for seat in (1, 2, 3):
        hand(ledger, "color", seat, f"c{seat}")
    hand(ledger, "color", 1, "later", "r2", "t2")
    assert [claim.cents for claim in ledger.state.claims] == [166_67, 166_67, 166_66, 500_00]
    pay(ledger, "c2")
    before = ledger.state.meter("color").display
    refuse(ledger, "c1")
    assert [(claim.id, claim.cents) for claim in ledger.state.claims] == [("c3", 166_66), ("later", 666_67)]
    assert ledger.state.meter("color").display == before
    pay(ledger, "c3")
    pay(ledger, "later")


@pytest.mark.parametrize("first", ["c1", "c2"])
def test_wagers_that_came_in_since_are_kept_whichever_of_a_group_is_paid_first(first: str) -> None:
    ledger = JackpotLedger(TIES)
    hand(ledger, "color", 1, "earlier", "r0", "t2")
    refuse(ledger, "earlier")
    hand(ledger, "color", 1, "c1")
    ledger.do(count_wagers(ledger.state, "t1", 80))
    hand(ledger, "color", 2, "c2")
    ledger.do(count_wagers(ledger.state, "t1", 80))
    pay(ledger, first)
    refuse(ledger, {"c1": "c2", "c2": "c1"}[first])
    assert ledger.state.meter("color").displayed_cents == 500_00 + 20_00 + 250_00


def test_a_late_claim_gets_its_share_of_what_was_shown_and_nothing_off_the_display() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 1_610))  # the ceiling is reached: $30 overflow, $53.66 reserve
    hand(ledger, "suit", 1, "c1")
    pay(ledger, "c1")
    ledger.do(count_wagers(ledger.state, "t1", 70))
    before = ledger.state.meter("suit")
    hand(ledger, "suit", 2, "late")
    now, (claim,) = ledger.state.meter("suit"), ledger.state.claims
    assert claim.cents == 600_00
    assert (now.display, now.pending) == (before.display, 600 * DOLLAR)
    assert now.seed_owed - before.seed_owed == 600 * DOLLAR - (before.overflow + before.reserve) // 100 * 100
    hand(ledger, "suit", 1, "next", "r2", "t2")
    with pytest.raises(BadClaim):
        pay(ledger, "next")
    third = ledger.state
    refuse(ledger, "late")
    refuse(ledger, "next")
    assert ledger.state.meter("suit") == before
    assert third.meter("suit").pending == 600 * DOLLAR + third.claims[1].cents * 100


def test_a_late_claim_waits_for_an_earlier_late_one_of_its_round() -> None:
    """Else, should the earlier one be refused, what the later one took would be given back, too."""
    ledger = JackpotLedger(TIES)
    hand(ledger, "two", 1, "c1")
    pay(ledger, "c1")
    for seat in (2, 3):
        hand(ledger, "two", seat, f"c{seat}")
    with pytest.raises(BadClaim):
        pay(ledger, "c3")
    owed = ledger.state.meter("color").seed_owed
    refuse(ledger, "c2")
    pay(ledger, "c3")
    assert ledger.state.meter("color").seed_owed == owed - 25 * DOLLAR


def test_three_late_winners_of_a_bonus_jackpot_share_as_if_they_had_come_together() -> None:
    ledger = JackpotLedger(TIES_BONUS)
    hand(ledger, "color", 1, "c1")
    pay(ledger, "c1")
    ledger.do(change_parameters(ledger.state, "suit", {"seed": "$100"}, who="Ada", second="Cy", why="new week"))
    hand(ledger, "color", 2, "c2")
    hand(ledger, "color", 3, "c3")
    assert cents(ledger) == {2: 1_000_00, 3: 666_66}
    pay(ledger, "c3")  # no meter moves, so no claim waits
    refuse(ledger, "c2")
    assert ledger.balance(AccountKind.PRIZES, "t1") == 2_666_66 * 100


def prime(ledger: JackpotLedger, seat: int, suit: str) -> None:
    """A royal of four cards in Three Card Prime: in diamonds it wins all, else a tenth."""
    typed = TypedHand("final-four", 100, {"hand": f"J{suit} Q{suit} K{suit}", "fourth": f"A{suit}"}, seat=seat)
    record = typed_hand_record(setup_to_json(read_setup(PRIME_TABLE)), typed, {})
    ledger.do(claim_typed_hand(ledger.state, record, seat, ledger.submission(f"c{seat}", round_id="r1")))


@pytest.mark.parametrize("paid_after", [1, 2, 3])
def test_equal_winners_share_their_line_alike_after_another_line_was_paid(paid_after: int) -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    ledger.do(count_wagers(ledger.state, "t1", 6))
    for seat, suit in enumerate("dcsh", 1):
        prime(ledger, seat, suit)
        if seat == paid_after:
            pay(ledger, "c1")
            ledger.do(count_wagers(ledger.state, "t2", 6))
    assert cents(ledger) == {2: 166_71, 3: 166_71, 4: 166_70}
    held = ledger.state.meter("main").balances
    assert held.pending == 500_12 * 100
    # The house gave the meter, its reset, and what the line takes beyond the meter and the reserve.
    assert held.seed_owed - held.reserve == (10_500_12 - 60) * 100
    refuse(ledger, "c3")
    assert cents(ledger) == {2: 250_06, 4: 250_06}
    assert ledger.state.meter("main").balances == held
    pay(ledger, "c2")
    prime(ledger, 3, "s")
    assert cents(ledger) == {4: 250_06, 3: 166_71}  # a winner of their own line was paid before


def test_a_line_goes_back_when_no_winner_is_left() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    prime(ledger, 1, "d")
    prime(ledger, 2, "c")
    shown = ledger.state.meter("main").balances
    pay(ledger, "c1")
    prime(ledger, 3, "s")
    refuse(ledger, "c2")
    assert cents(ledger) == {3: 500_00}
    refuse(ledger, "c3")
    # The line was taken beyond the meter, for which the house gave it; it is the players' now.
    assert ledger.state.meter("main").balances == shown._replace(display=shown.display + 500 * DOLLAR, pending=0)
    late = ledger.state.meter("main").balances
    prime(ledger, 2, "c")
    prime(ledger, 3, "s")
    assert cents(ledger) == {2: 250_00, 3: 250_00}
    refuse(ledger, "c2")
    refuse(ledger, "c3")
    assert ledger.state.meter("main").balances == late


@pytest.mark.parametrize("setup", [TIES, TIES_BONUS])
def test_whatever_is_paid_in_between_winners_of_one_line_get_what_they_get_together(setup: str) -> None:
    """If all of them were claimed, and who was refused was refused, before the first of them was paid."""
    met: Counter[str] = Counter()
    for seed in range(300):
        _one_by_one(setup, Random(seed), met)
    assert min(met[what] for what in ("late", "shared late", "held", "refused late", "mixed")) > 20, met


def _one_by_one(setup: str, chance: Random, met: Counter[str]) -> None:
    ledger, together = JackpotLedger(setup), JackpotLedger(setup)
    events = chance.sample(["color"] * 3 + ["two"] * 3, chance.randrange(3, 7))
    kept = [event if chance.random() < 0.7 else "nothing" for event in events]
    kept = events if set(kept) == {"nothing"} else kept
    for one in (ledger, together):
        one.do(count_wagers(one.state, "t1", 397))
    together.do(claim_record(together.state, duel_record(*kept), together.submission("all", round_id="r1")))
    to_claim, pending, amounts = list(range(1, len(events) + 1)), list[int](), dict[int, int]()
    settled, came_late = set[str](), set[str]()
    chance.shuffle(to_claim)
    while to_claim or pending:
        if to_claim and chance.random() < 0.6:
            seat = to_claim.pop()
            hand(ledger, events[seat - 1], seat, f"c{seat}")
            pending.append(seat)
            event = events[seat - 1]
            came_late |= {event} if event in settled else set()
            (part,) = ledger.state.claim(f"c{seat}").parts
            met["late"] += part.late
            met["shared late"] += part.late and sum(events[other - 1] == event for other in pending) > 1
            met["held"] += bool(part.held)
            continue
        if not pending:
            continue
        seat = pending.pop(chance.randrange(len(pending)))
        event = events[seat - 1]
        if kept[seat - 1] == "nothing":
            met["refused late"] += ledger.state.claim(f"c{seat}").parts[0].late
            came_late |= {event} if event in settled else set()
            refuse(ledger, f"c{seat}")
        else:
            amounts |= {seat: ledger.state.claim(f"c{seat}").cents}
            try:
                pay(ledger, f"c{seat}")
            except BadClaim:  # an earlier late one takes its money first
                met["waits"] += 1
                pending.append(seat)
                continue
            met["mixed"] += bool(settled - {event})
            settled.add(event)
            # Who is still to be claimed, or to be refused, comes too late for this line.
            came_late |= {event} & {events[other - 1] for other in to_claim}
            came_late |= {event} & {events[other - 1] for other in pending if kept[other - 1] == "nothing"}
            ledger.do(count_wagers(ledger.state, "t2", chance.randrange(30)))
    alike = {seat: won for seat, won in amounts.items() if events[seat - 1] not in came_late}
    assert alike == {seat: won for seat, won in cents(together).items() if seat in alike}
    met["alike"] += len(alike)


def test_all_orders_of_claiming_three_winners_come_to_the_same() -> None:
    seen = set()
    for order in permutations((1, 2, 3)):
        ledger = JackpotLedger(TIES)
        for seat in order:
            hand(ledger, "color", seat, f"c{seat}")
        seen.add(tuple(sorted(cents(ledger).items())))
        kinds = [type(one) for one in ledger.events if isinstance(one, ClaimJoined | ClaimLocked)]
        assert kinds == [ClaimLocked, ClaimJoined, ClaimJoined]
    assert seen == {((1, 166_67), (2, 166_67), (3, 166_66))}


# What the dealer pays alone.


def test_fixed_prizes_up_to_the_room_s_limit_are_paid_at_once_and_no_more() -> None:
    for alone, kinds in ((20_00, ["prizes-paid"]), (19_99, ["claim-locked"]), (0, ["claim-locked"])):
        ledger = JackpotLedger(TIES)
        asked = ledger.submission("c1", alone=alone)
        done = ledger.do(claim_typed_hand(ledger.state, duel_hand("tie", 1), 1, asked))
        assert [one.kind for one in done] == kinds
        assert done[0].payload["alone"] == alone


def test_the_limit_is_for_one_seat_of_one_round() -> None:
    ledger = JackpotLedger(TIES)
    done = ledger.do(claim_record(ledger.state, duel_record("tie", "tie"), ledger.submission("c1", alone=20_00)))
    assert [one.kind for one in done] == ["prizes-paid"]


# Texas Shootout: a hand wins for the other players, too.

ROYAL = TypedHand("jackpot", 200, {"hand": "As Ks", "community": "Qs Js Ts 2d 3d"}, seat=2)


def featured(kind: str) -> str:
    feature = (
        f'feature = {{ kind = "{kind}", paytable = "TS/BF 3", qualifying = "$2", bonuses = {{ royal-flush = "$75", '
    )
    return SHOOTOUT_TABLE + feature + 'five-of-a-kind-suited = "$400" } }\n'


def type_royal(
    ledger: JackpotLedger, kind: str, typed: TypedHand, others: dict[int, int], claim: str = "c1", alone: int = 5_000_00
) -> None:
    record = typed_hand_record(setup_to_json(read_setup(featured(kind))), typed, others)
    ledger.do(claim_typed_hand(ledger.state, record, typed.seat, ledger.submission(claim, round_id="c1", alone=alone)))


def shootout(kind: str, typed: TypedHand, others: dict[int, int], alone: int = 5_000_00) -> JackpotLedger:
    ledger = JackpotLedger(SHOOTOUT, featured(kind))
    type_royal(ledger, kind, typed, others, alone=alone)
    return ledger


def at_once(ledger: JackpotLedger) -> list[tuple[int, int, int]]:
    paid = [one for one in ledger.events if isinstance(one, PrizesPaid)]
    return [(prize.seat, prize.hand_seat, prize.cents) for one in paid for prize in one.prizes]


def waiting(ledger: JackpotLedger, claim: int = 0) -> list[tuple[int, int, int]]:
    return [(prize.seat, prize.hand_seat, prize.cents) for prize in ledger.state.claims[claim].prizes]


def test_envy_pays_the_others_with_a_lammer_and_never_by_their_own_unknown_hands() -> None:
    ledger = shootout("envy", replace(ROYAL, wagered=0), {1: 200, 4: 100, 5: 200})
    assert at_once(ledger) == [(1, 2, 75_00), (5, 2, 75_00)]
    assert ledger.state.claims == ()


def test_what_a_hand_wins_for_others_waits_until_the_hand_is_verified() -> None:
    ledger = shootout("envy", ROYAL, {1: 200, 4: 100, 5: 200})
    assert at_once(ledger) == []
    assert sorted(waiting(ledger)) == [(1, 2, 75_00), (2, 2, 2_500_00), (5, 2, 75_00)]
    refuse(ledger, "c1")
    assert ledger.balance(AccountKind.PRIZES, "t1") == 0
    assert ledger.state.claims == ()


def test_a_seat_over_the_limit_makes_all_wait_that_the_hand_has_won() -> None:
    ledger = shootout("envy", replace(ROYAL, wagered=0), {1: 200, 5: 200}, alone=74_99)
    assert (at_once(ledger), waiting(ledger)) == ([], [(1, 2, 75_00), (5, 2, 75_00)])


def test_what_is_claimed_again_of_a_hand_that_still_waits_waits_too() -> None:
    ledger = shootout("envy", ROYAL, {1: 200, 5: 200})
    ledger.do(refuse_claim(ledger.state, "c1", refused_by="Flo", why="the player had left", seats=[5]))
    type_royal(ledger, "envy", ROYAL, {1: 200, 5: 200}, claim="c2")
    assert (at_once(ledger), waiting(ledger, 1)) == ([], [(5, 2, 75_00)])


def test_share_the_wealth_pays_the_winner_too() -> None:
    ledger = shootout("share-the-wealth", ROYAL, {1: 200, 4: 100})
    assert sorted(waiting(ledger)) == [(1, 2, 75_00), (2, 2, 75_00), (2, 2, 2_500_00)]


def test_a_seat_that_envied_another_may_still_claim_its_own_hand() -> None:
    ledger = shootout("envy", ROYAL, {1: 200})
    own = TypedHand("jackpot", 200, {"hand": "As Ks", "community": "Qs Js Ts 2d 3d"}, seat=1)
    record = typed_hand_record(setup_to_json(read_setup(featured("envy"))), own, {2: 200})
    ledger.do(claim_typed_hand(ledger.state, record, 1, ledger.submission("c2", round_id="c1", alone=5_000_00)))
    assert [sorted(waiting(ledger, at)) for at in (0, 1)] == [
        [(1, 2, 75_00), (2, 2, 1_250_00)],  # a quarter, shared
        [(1, 1, 1_250_00), (2, 1, 75_00)],
    ]


def test_the_record_of_a_typed_hand_has_nothing_that_no_user_shown() -> None:
    ledger = shootout("envy", ROYAL, {1: 200})
    payloads = [one.payload for one in ledger.events if isinstance(one, PrizesPaid | ClaimLocked)]
    assert len(payloads) == 1
    for payload in payloads:
        assert payload["typed_seat"] == 2
        assert set(payload["record"]) == {"table", "wagers", "cards", "decisions"}
        assert payload["record"]["cards"] == {"seat 2 hand": ["As", "Ks"], "community": ["Qs", "Js", "Ts", "2d", "3d"]}
        assert payload["record"]["wagers"] == {"1": {"jackpot": 200}, "2": {"jackpot": 200}}
        assert payload["record"]["decisions"] == []
