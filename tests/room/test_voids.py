"""A void round is as if it had never been counted; where a claim stands behind it, the claim decides."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.chart_of_accounts import CENT, DOLLAR
from cardroom.room.claim.new_claim import claim_typed_hand
from cardroom.room.claim.resolution import refuse_claim
from cardroom.room.dual_control import SamePerson
from cardroom.room.jackpot.events import ClaimRefused, WagersCounted, WagersReversed
from cardroom.room.jackpot.lifecycle import BadParameterChange, change_parameters
from cardroom.room.jackpot.wager_counts import LaterEvents, count_wagers, reverse_wagers
from tests.examples import examples
from tests.room.jackpots import TIES, JackpotLedger, duel_hand, paid


def play(ledger: JackpotLedger, round_id: str, wagers: int) -> None:
    ledger.do(count_wagers(ledger.state, "t1", wagers, round_id=round_id))


def void(ledger: JackpotLedger, round_id: str) -> WagersReversed:
    at = next(n for n, one in enumerate(ledger.events) if isinstance(one, WagersCounted) and one.round == round_id)
    counted = ledger.events[at]
    assert isinstance(counted, WagersCounted)
    since = LaterEvents.from_events(ledger.events[at + 1 :])
    (back,) = ledger.do(
        reverse_wagers(ledger.state, counted, since, who="Sam", second="Flo", why="the shuffler jammed")
    )
    assert isinstance(back, WagersReversed)
    return back


def win(ledger: JackpotLedger, claim: str, event: str = "color", seat: int = 1, round_id: str | None = None) -> None:
    ledger.do(claim_typed_hand(ledger.state, duel_hand(event, seat), seat, ledger.submission(claim, "t2", round_id)))


def refuse(ledger: JackpotLedger, claim: str) -> ClaimRefused:
    (refused,) = ledger.do(refuse_claim(ledger.state, claim, refused_by="Flo", why="no wager on the spot"))
    assert isinstance(refused, ClaimRefused)
    return refused


def pay(ledger: JackpotLedger, claim: str) -> None:
    ledger.do(paid(ledger.state, claim, verified_by="Flo"))


def test_two_people_declare_a_round_void() -> None:
    ledger = JackpotLedger(TIES)
    play(ledger, "r1", 8)
    (counted,) = (one for one in ledger.events if isinstance(one, WagersCounted))
    for second in (None, " ", "sam"):
        with pytest.raises(SamePerson):
            reverse_wagers(ledger.state, counted, LaterEvents(), who="Sam", second=second, why="the shuffler jammed")


@given(st.lists(st.integers(1, 90), min_size=1, max_size=8), st.data())
@settings(deadline=None, max_examples=examples(40))
def test_a_void_round_is_as_if_it_had_never_been_counted(rounds: list[int], data: st.DataObject) -> None:
    ledger, never = JackpotLedger(TIES), JackpotLedger(TIES)
    gone = data.draw(st.sets(st.sampled_from(range(len(rounds)))))
    for number, wagers in enumerate(rounds):
        play(ledger, f"r{number}", wagers)
        if number not in gone:
            play(never, f"r{number}", wagers)
    for number in data.draw(st.permutations(sorted(gone))):
        void(ledger, f"r{number}")
    assert ledger.state.meters == never.state.meters
    assert (ledger.state.counted, ledger.state.undeposited) == (never.state.counted, never.state.undeposited)


def test_a_round_that_was_counted_after_a_claim_comes_off_at_once_and_out_of_what_came_in_since() -> None:
    ledger, never = JackpotLedger(TIES), JackpotLedger(TIES)
    for one in (ledger, never):
        play(one, "r1", 8)
        win(one, "c1")
    play(ledger, "r2", 80)
    for one in (ledger, never):
        play(one, "r3", 3)
    back = void(ledger, "r2")
    assert back.levels["color"].shown == 10 * DOLLAR
    assert ledger.state.meters == never.state.meters
    assert ledger.state.claims == never.state.claims
    for one in (ledger, never):
        refuse(one, "c1")
    assert ledger.state.meters == never.state.meters


def test_a_round_before_a_claim_comes_off_when_the_claim_is_refused_and_is_won_when_it_is_paid() -> None:
    refused, paid = JackpotLedger(TIES), JackpotLedger(TIES)
    for ledger in (refused, paid):
        play(ledger, "r1", 80)
        win(ledger, "c1")
        back = void(ledger, "r1")
        assert ledger.state.claims[0].cents == 510_00
        assert back.remembered["color"].claim == "c1"
        assert set(back.levels) == {"suit"}  # no prize on the other level
    gone = refuse(refused, "c1")
    assert [one.round for one in gone.levels["color"].void] == ["r1"]
    assert refused.state.meter("color").displayed_cents == 500_00
    pay(paid, "c1")
    assert paid.state.meter("color").displayed_cents == 500_00
    late = JackpotLedger(TIES)
    play(late, "r1", 80)
    win(late, "c1")
    pay(late, "c1")
    assert void(late, "r1").won == ("color",)
    assert late.state.meter("color").displayed_cents == 500_00


def test_a_void_round_moves_on_to_the_next_claim_behind_it() -> None:
    ledger = JackpotLedger(TIES)
    play(ledger, "r1", 80)
    win(ledger, "c1", "two")
    play(ledger, "r2", 80)
    win(ledger, "c2", "two")
    void(ledger, "r1")
    refuse(ledger, "c1")
    assert [one.round for one in ledger.state.claims[0].parts[0].void] == ["r1"]
    assert ledger.state.claims[0].cents == 52_00  # a tenth of $520
    refuse(ledger, "c2")
    assert ledger.state.meter("color").displayed_cents == 510_00
    assert ledger.state.meter("color").contributed == 10 * DOLLAR


def test_a_void_round_comes_off_before_a_claim_that_was_made_after_the_void() -> None:
    ledger, never = JackpotLedger(TIES), JackpotLedger(TIES)
    for one in (ledger, never):
        play(one, "r1", 80)
        play(one, "r2", 80)
    win(ledger, "c1")
    for one in (ledger, never):
        void(one, "r1")
        play(one, "r3", 80)
        win(one, "c2")
    gone = refuse(ledger, "c1")
    assert [one.round for one in gone.levels["color"].void] == ["r1"]
    assert ledger.state.claims[0].cents == never.state.claims[0].cents == 520_00
    for one in (ledger, never):
        pay(one, "c2")
    assert ledger.state.meters == never.state.meters
    assert ledger.state.undeposited == never.state.undeposited


def test_a_void_round_comes_off_by_the_rates_that_it_was_counted_by() -> None:
    """A claim that joins an earlier one brings a change into force at the earlier one's place: behind the round."""
    ledger = JackpotLedger(TIES)
    ledger.do(change_parameters(ledger.state, "color", {"contribution": "1%"}, who="Ada", second="Cy", why="slow"))
    play(ledger, "r1", 80)
    win(ledger, "c1", "two", 1, "won")
    win(ledger, "c2", "color", 2, "won")
    void(ledger, "r1")
    refuse(ledger, "c2")
    refuse(ledger, "c1")
    assert ledger.state.meter("color").display == 500 * DOLLAR
    assert ledger.state.meter("color").contributed == 0


CHANGES = [{"contribution": "1/11"}, {"contribution": "1/9"}, {"seed": "$400"}, {"contribution": "1/6"}]
EVENING = st.lists(
    st.one_of(st.integers(1, 60), st.sampled_from(["color", "two"]), st.sampled_from(CHANGES), st.just("void")),
    max_size=9,
)


@given(EVENING, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=examples(40))
def test_after_refusals_void_rounds_come_off_as_without_claims(
    evening: list[int | str | dict[str, str]], chance: Random
) -> None:
    """On a level without a ceiling, to the hundredth of a cent, whatever rates came into force in between, and whether
    the winners of a round were claimed together or one by one."""
    ledger, never = JackpotLedger(TIES), JackpotLedger(TIES)
    rounds, claims = list[str](), list[str]()
    for number, one in enumerate(evening):
        if isinstance(one, int):
            rounds.append(f"r{number}")
            for some in (ledger, never):
                play(some, rounds[-1], one)
        elif isinstance(one, dict):
            if not ledger.state.pending_on("color"):
                for some in (ledger, never):
                    with suppress(BadParameterChange):
                        some.do(change_parameters(some.state, "color", one, who="Ada", second="Cy", why="new"))
        elif one == "void":
            if rounds:
                gone = rounds.pop(chance.randrange(len(rounds)))
                void(ledger, gone)
                void(never, gone)
        else:
            # Now and then another winner of the round that was claimed first.
            joins = 0 < len(claims) < 6 and chance.random() < 0.4
            win(ledger, f"c{number}", one, len(claims) % 6 + 1, "won" if joins or not claims else f"w{number}")
            claims.append(f"c{number}")
    chance.shuffle(claims)
    for claim in claims:
        refuse(ledger, claim)
    now, then = ledger.state.meter("color"), never.state.meter("color")
    assert now._replace(**exact(then)) == then
    assert (now.carry * then.over, now.reserve_carry * then.reserve_over) == (
        then.carry * now.over,
        then.reserve_carry * now.reserve_over,
    )
    assert ledger.state.waiting_change("color") == never.state.waiting_change("color")
    assert ledger.state.undeposited == never.state.undeposited
    assert ledger.state.counted == never.state.counted
    assert not any(claim.cents * CENT for claim in ledger.state.claims)


def exact(meter: object) -> dict[str, int]:
    """How rates and what is carried are written, which is not what they are."""
    names = ("step", "over", "carry", "reserve_step", "reserve_over", "reserve_carry")
    return {name: getattr(meter, name) for name in names}


def test_what_is_paid_after_refusals_is_what_it_is_without_the_refused_claims() -> None:
    """Rounds, void rounds, claims, refusals and payments in any order, compared with a ledger that never had the
    claims that are refused."""
    met: Counter[str] = Counter()
    for seed in range(250):
        _against_a_twin(Random(seed), met)
    assert min(met[what] for what in ("off before a claim", "off at the end", "moved on", "won", "paid")) > 10, met


def _against_a_twin(chance: Random, met: Counter[str]) -> None:
    ledger, twin = JackpotLedger(TIES), JackpotLedger(TIES)
    rounds, doomed, kept = list[str](), list[str](), list[str]()
    for number in range(chance.randrange(6, 26)):
        what = chance.choice(["round", "round", "claim", "claim", "void", "void", "refuse", "pay", "change"])
        if what == "round":
            rounds.append(f"r{number}")
            wagers = chance.randrange(1, 60)
            for one in (ledger, twin):
                play(one, rounds[-1], wagers)
        elif what == "claim":
            event, is_doomed = chance.choice(["color", "two"]), chance.random() < 0.5
            for one in (ledger,) if is_doomed else (ledger, twin):
                win(one, f"c{number}", event)
            (doomed if is_doomed else kept).append(f"c{number}")
        elif what == "void" and rounds:
            gone = rounds.pop(chance.randrange(len(rounds)))
            for one in (ledger, twin):
                met["won"] += bool(void(one, gone).won)
        elif what == "refuse" and doomed:
            _refuse(ledger, doomed.pop(chance.randrange(len(doomed))), met)
        elif what == "pay" and kept and ledger.state.pending_on("color")[0].id == kept[0]:
            assert ledger.state.claims[0].cents == twin.state.claims[0].cents
            for one in (ledger, twin):
                pay(one, kept[0])
            del kept[0]
            met["paid"] += 1
        elif what == "change" and not ledger.state.claims:
            for one in (ledger, twin):
                with suppress(BadParameterChange):
                    change = CHANGES[number % len(CHANGES)]
                    one.do(change_parameters(one.state, "color", change, who="Ada", second="Cy", why="new"))
    chance.shuffle(doomed)
    for claim in doomed:
        _refuse(ledger, claim, met)
    assert [claim.cents for claim in ledger.state.claims] == [claim.cents for claim in twin.state.claims]
    now, then = ledger.state.meter("color"), twin.state.meter("color")
    assert now._replace(**exact(then)) == then
    assert now.carry * then.over == then.carry * now.over
    assert ledger.state.waiting_change("color") == twin.state.waiting_change("color")
    assert ledger.state.undeposited == twin.state.undeposited


def _refuse(ledger: JackpotLedger, claim: str, met: Counter[str]) -> None:
    before = ledger.state.claim(claim).parts[0].void
    gone = refuse(ledger, claim).levels["color"].void
    met["moved on"] += len(before) - len(gone)
    met["off before a claim" if ledger.state.claims else "off at the end"] += len(gone)
