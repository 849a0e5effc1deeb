"""A void round is as if it had never been counted; where a claim stands behind it, the claim decides."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.accounts import CENT, DOLLAR
from cardroom.room.claim.new_claim import claim_typed_hand
from cardroom.room.claim.resolution import refuse_claim
from cardroom.room.dual_control import SamePerson
from cardroom.room.jackpot.events import ClaimRefused, WagersCounted, WagersReversed
from cardroom.room.jackpot.lifecycle import BadParameterChange, change_parameters
from cardroom.room.jackpot.wager_counts import LaterEvents, count_wagers, reverse_wagers
from tests.examples import examples
from tests.room.jackpots import TIES, Books, duel_hand, paid


def play(books: Books, round_id: str, wagers: int) -> None:
    books.do(count_wagers(books.state, "t1", wagers, round_id=round_id))


def void(books: Books, round_id: str) -> WagersReversed:
    at = next(n for n, one in enumerate(books.happened) if isinstance(one, WagersCounted) and one.round == round_id)
    counted = books.happened[at]
    assert isinstance(counted, WagersCounted)
    since = LaterEvents.from_events(books.happened[at + 1 :])
    (back,) = books.do(reverse_wagers(books.state, counted, since, who="Sam", second="Flo", why="the shuffler jammed"))
    assert isinstance(back, WagersReversed)
    return back


def win(books: Books, claim: str, event: str = "color", seat: int = 1, round_id: str | None = None) -> None:
    books.do(claim_typed_hand(books.state, duel_hand(event, seat), seat, books.asked(claim, "t2", round_id)))


def refuse(books: Books, claim: str) -> ClaimRefused:
    (refused,) = books.do(refuse_claim(books.state, claim, refused_by="Flo", why="no wager on the spot"))
    assert isinstance(refused, ClaimRefused)
    return refused


def pay(books: Books, claim: str) -> None:
    books.do(paid(books.state, claim, verified_by="Flo"))


def test_two_people_declare_a_round_void() -> None:
    books = Books(TIES)
    play(books, "r1", 8)
    (counted,) = (one for one in books.happened if isinstance(one, WagersCounted))
    for second in (None, " ", "sam"):
        with pytest.raises(SamePerson, match="Two people answer for a void round"):
            reverse_wagers(books.state, counted, LaterEvents(), who="Sam", second=second, why="the shuffler jammed")


@given(st.lists(st.integers(1, 90), min_size=1, max_size=8), st.data())
@settings(deadline=None, max_examples=examples(40))
def test_a_void_round_is_as_if_it_had_never_been_counted(rounds: list[int], data: st.DataObject) -> None:
    books, never = Books(TIES), Books(TIES)
    gone = data.draw(st.sets(st.sampled_from(range(len(rounds)))))
    for number, wagers in enumerate(rounds):
        play(books, f"r{number}", wagers)
        if number not in gone:
            play(never, f"r{number}", wagers)
    for number in data.draw(st.permutations(sorted(gone))):
        void(books, f"r{number}")
    assert books.state.meters == never.state.meters
    assert (books.state.counted, books.state.undeposited) == (never.state.counted, never.state.undeposited)


def test_a_round_that_was_counted_after_a_claim_comes_off_at_once_and_out_of_what_came_in_since() -> None:
    books, never = Books(TIES), Books(TIES)
    for one in (books, never):
        play(one, "r1", 8)
        win(one, "c1")
    play(books, "r2", 80)
    for one in (books, never):
        play(one, "r3", 3)
    back = void(books, "r2")
    assert back.levels["color"].shown == 10 * DOLLAR
    assert books.state.meters == never.state.meters
    assert books.state.claims == never.state.claims
    for one in (books, never):
        refuse(one, "c1")
    assert books.state.meters == never.state.meters


def test_a_round_before_a_claim_comes_off_when_the_claim_is_refused_and_is_won_when_it_is_paid() -> None:
    refused, paid = Books(TIES), Books(TIES)
    for books in (refused, paid):
        play(books, "r1", 80)
        win(books, "c1")
        back = void(books, "r1")
        assert books.state.claims[0].cents == 510_00
        assert back.remembered["color"].claim == "c1"
        assert set(back.levels) == {"suit"}  # nobody won on the other level
    gone = refuse(refused, "c1")
    assert [one.round for one in gone.levels["color"].void] == ["r1"]
    assert refused.state.meter("color").displayed_cents == 500_00
    pay(paid, "c1")
    assert paid.state.meter("color").displayed_cents == 500_00
    late = Books(TIES)
    play(late, "r1", 80)
    win(late, "c1")
    pay(late, "c1")
    assert void(late, "r1").won == ("color",)
    assert late.state.meter("color").displayed_cents == 500_00


def test_a_void_round_moves_on_to_the_next_claim_behind_it() -> None:
    books = Books(TIES)
    play(books, "r1", 80)
    win(books, "c1", "two")
    play(books, "r2", 80)
    win(books, "c2", "two")
    void(books, "r1")
    refuse(books, "c1")
    assert [one.round for one in books.state.claims[0].parts[0].void] == ["r1"]
    assert books.state.claims[0].cents == 52_00  # a tenth of $520
    refuse(books, "c2")
    assert books.state.meter("color").displayed_cents == 510_00
    assert books.state.meter("color").contributed == 10 * DOLLAR


def test_a_void_round_comes_off_before_a_claim_that_was_made_after_the_void() -> None:
    books, never = Books(TIES), Books(TIES)
    for one in (books, never):
        play(one, "r1", 80)
        play(one, "r2", 80)
    win(books, "c1")
    for one in (books, never):
        void(one, "r1")
        play(one, "r3", 80)
        win(one, "c2")
    gone = refuse(books, "c1")
    assert [one.round for one in gone.levels["color"].void] == ["r1"]
    assert books.state.claims[0].cents == never.state.claims[0].cents == 520_00
    for one in (books, never):
        pay(one, "c2")
    assert books.state.meters == never.state.meters
    assert books.state.undeposited == never.state.undeposited


def test_a_void_round_comes_off_by_the_rates_that_it_was_counted_by() -> None:
    """A claim that joins an earlier one brings a change into force at the earlier one's place: behind the round."""
    books = Books(TIES)
    books.do(change_parameters(books.state, "color", {"contribution": "1%"}, who="Ada", second="Cy", why="slow"))
    play(books, "r1", 80)
    win(books, "c1", "two", 1, "won")
    win(books, "c2", "color", 2, "won")
    void(books, "r1")
    refuse(books, "c2")
    refuse(books, "c1")
    assert books.state.meter("color").display == 500 * DOLLAR
    assert books.state.meter("color").contributed == 0


CHANGES = [{"contribution": "1/11"}, {"contribution": "1/9"}, {"seed": "$400"}, {"contribution": "1/6"}]
EVENING = st.lists(
    st.one_of(st.integers(1, 60), st.sampled_from(["color", "two"]), st.sampled_from(CHANGES), st.just("void")),
    max_size=9,
)


@given(EVENING, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=examples(40))
def test_after_refusals_void_rounds_are_as_if_nobody_had_claimed(
    evening: list[int | str | dict[str, str]], chance: Random
) -> None:
    """On a level without a ceiling, to the hundredth of a cent, whatever rates came into force in between, and whether
    the winners of a round were claimed together or one by one."""
    books, never = Books(TIES), Books(TIES)
    rounds, claims = list[str](), list[str]()
    for number, one in enumerate(evening):
        if isinstance(one, int):
            rounds.append(f"r{number}")
            for some in (books, never):
                play(some, rounds[-1], one)
        elif isinstance(one, dict):
            if not books.state.pending_on("color"):
                for some in (books, never):
                    with suppress(BadParameterChange):
                        some.do(change_parameters(some.state, "color", one, who="Ada", second="Cy", why="new"))
        elif one == "void":
            if rounds:
                gone = rounds.pop(chance.randrange(len(rounds)))
                void(books, gone)
                void(never, gone)
        else:
            # Now and then another winner of the round that was claimed first.
            joins = 0 < len(claims) < 6 and chance.random() < 0.4
            win(books, f"c{number}", one, len(claims) % 6 + 1, "won" if joins or not claims else f"w{number}")
            claims.append(f"c{number}")
    chance.shuffle(claims)
    for claim in claims:
        refuse(books, claim)
    now, then = books.state.meter("color"), never.state.meter("color")
    assert now._replace(**exact(then)) == then
    assert (now.carry * then.over, now.reserve_carry * then.reserve_over) == (
        then.carry * now.over,
        then.reserve_carry * now.reserve_over,
    )
    assert books.state.waiting_change("color") == never.state.waiting_change("color")
    assert books.state.undeposited == never.state.undeposited
    assert books.state.counted == never.state.counted
    assert not any(claim.cents * CENT for claim in books.state.claims)


def exact(meter: object) -> dict[str, int]:
    """How rates and what is carried are written, which is not what they are."""
    names = ("step", "over", "carry", "reserve_step", "reserve_over", "reserve_carry")
    return {name: getattr(meter, name) for name in names}


def test_what_is_paid_after_refusals_is_what_it_is_without_the_refused_claims() -> None:
    """Rounds, void rounds, claims, refusals and payments in any order, against books in which nobody ever made the
    claims that are refused."""
    met: Counter[str] = Counter()
    for seed in range(250):
        _against_a_twin(Random(seed), met)
    assert min(met[what] for what in ("off before a claim", "off at the end", "moved on", "won", "paid")) > 10, met


def _against_a_twin(chance: Random, met: Counter[str]) -> None:
    books, twin = Books(TIES), Books(TIES)
    rounds, doomed, kept = list[str](), list[str](), list[str]()
    for number in range(chance.randrange(6, 26)):
        what = chance.choice(["round", "round", "claim", "claim", "void", "void", "refuse", "pay", "change"])
        if what == "round":
            rounds.append(f"r{number}")
            wagers = chance.randrange(1, 60)
            for one in (books, twin):
                play(one, rounds[-1], wagers)
        elif what == "claim":
            event, is_doomed = chance.choice(["color", "two"]), chance.random() < 0.5
            for one in (books,) if is_doomed else (books, twin):
                win(one, f"c{number}", event)
            (doomed if is_doomed else kept).append(f"c{number}")
        elif what == "void" and rounds:
            gone = rounds.pop(chance.randrange(len(rounds)))
            for one in (books, twin):
                met["won"] += bool(void(one, gone).won)
        elif what == "refuse" and doomed:
            _refuse(books, doomed.pop(chance.randrange(len(doomed))), met)
        elif what == "pay" and kept and books.state.pending_on("color")[0].id == kept[0]:
            assert books.state.claims[0].cents == twin.state.claims[0].cents
            for one in (books, twin):
                pay(one, kept[0])
            del kept[0]
            met["paid"] += 1
        elif what == "change" and not books.state.claims:
            for one in (books, twin):
                with suppress(BadParameterChange):
                    change = CHANGES[number % len(CHANGES)]
                    one.do(change_parameters(one.state, "color", change, who="Ada", second="Cy", why="new"))
    chance.shuffle(doomed)
    for claim in doomed:
        _refuse(books, claim, met)
    assert [claim.cents for claim in books.state.claims] == [claim.cents for claim in twin.state.claims]
    now, then = books.state.meter("color"), twin.state.meter("color")
    assert now._replace(**exact(then)) == then
    assert now.carry * then.over == then.carry * now.over
    assert books.state.waiting_change("color") == twin.state.waiting_change("color")
    assert books.state.undeposited == twin.state.undeposited


def _refuse(books: Books, claim: str, met: Counter[str]) -> None:
    before = books.state.claim(claim).parts[0].void
    gone = refuse(books, claim).levels["color"].void
    met["moved on"] += len(before) - len(gone)
    met["off before a claim" if books.state.claims else "off at the end"] += len(gone)
