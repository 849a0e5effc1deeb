"""Somebody who has gone without a word: called while others wait, and led away between two rounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.floor import BadTerms, FeltTerms, Floor, NotNow, verify_floor
from cardroom.floor.felt.state import FeltState
from cardroom.floor.kept.chains import felt_chain
from cardroom.floor.telling import told_events
from tests.floor.felt_scenes import ANTE, PRIME, UNTIMED, HandClock, an_id, events_of, guests, open_prime, play_on
from tests.floor.forger import Change, found, together, where

AWAY = 45
"""Seconds: the usual term."""
FELT = felt_chain(PRIME)


def two_wait(floor: Floor, terms: FeltTerms = UNTIMED) -> tuple[str, str, str]:
    """Ann and Bob have laid their wagers, and Cat has gone."""
    open_prime(floor, terms)
    ann, bob, cat = guests(floor, 3)
    for one in (ann, bob):
        floor.lay_wagers(an_id(), one, PRIME, ANTE)
    return ann, bob, cat


def felt(floor: Floor) -> FeltState:
    return floor.felt(PRIME)


def test_who_does_not_answer_is_led_away_with_the_chips_and_the_others_play(timed: Floor, clock: HandClock) -> None:
    ann, bob, cat = two_wait(timed)
    timed.call_seat(an_id(), cat, PRIME)
    assert [one.until - clock() for one in felt(timed).called] == [AWAY * 1_000_000]
    clock.wait(AWAY)
    with pytest.raises(NotNow, match="still has time to answer"):
        timed.lead_away(an_id(), cat, PRIME)
    clock.wait(1)
    timed.lead_away(an_id(), cat, PRIME)
    assert (timed.player(cat).balance, dict(timed.player(cat).seats)) == (1_000_00, {})
    assert felt(timed).playing, "nobody else was waited for"
    assert [one.player for one in felt(timed).seats] == [ann, bob]
    assert felt(timed).called == ()
    play_on(timed)
    left = [told for kind, told in events_of(timed, FELT) if kind == "seat-left"]
    assert [(one["player"], one["away"]) for one in left] == [(cat, True)]
    said = " ".join(one.sentences for one in told_events(timed.ledger.events(FELT), str))
    assert f"Others wait for seat 3, and nobody is there: the house calls {cat}." in said
    assert f"{cat} did not answer, and was led away from seat 3 with $200." in said
    assert verify_floor(timed.ledger).is_whole


@pytest.mark.parametrize("how", ["seen", "wagers", "chips", "leaves"])
def test_who_is_there_answers_by_being_seen_or_by_anything_done_at_the_seat(
    timed: Floor, clock: HandClock, how: str
) -> None:
    ann, _, cat = two_wait(timed)
    timed.lay_wagers(an_id(), ann, PRIME, {})
    timed.call_seat(an_id(), cat, PRIME)
    clock.wait(AWAY - 1)
    match how:
        case "seen":
            timed.answer_call(an_id(), cat, PRIME)
        case "wagers":
            timed.lay_wagers(an_id(), cat, PRIME, ANTE)
        case "chips":
            timed.take_seat(an_id(), cat, PRIME, buy_in=10_00)
        case "leaves":
            timed.leave_seat(an_id(), cat, PRIME)
    assert felt(timed).called == ()
    clock.wait(10)
    with pytest.raises(NotNow, match="is not called" if how != "leaves" else "You have no seat"):
        timed.lead_away(an_id(), cat, PRIME)
    assert verify_floor(timed.ledger).is_whole


def test_nobody_is_called_for_whom_nobody_waits(timed: Floor, clock: HandClock) -> None:
    open_prime(timed)
    ann, bob = guests(timed, 2)
    nobody_waits = pytest.raises(NotNow, match="Nobody waits for seat")
    with nobody_waits:
        timed.call_seat(an_id(), ann, PRIME)
    timed.lay_wagers(an_id(), ann, PRIME, ANTE)
    with nobody_waits:
        timed.call_seat(an_id(), ann, PRIME)
    timed.call_seat(an_id(), bob, PRIME)
    with pytest.raises(NotNow, match="is called already"):
        timed.call_seat(an_id(), bob, PRIME)
    timed.lay_wagers(an_id(), bob, PRIME, ANTE)
    assert felt(timed).playing
    for one in (ann, bob):
        with nobody_waits:
            timed.call_seat(an_id(), one, PRIME)
    with pytest.raises(NotNow, match="is not called"):
        timed.answer_call(an_id(), bob, PRIME)
    with pytest.raises(NotNow, match="is not called: call it first"):
        timed.lead_away(an_id(), bob, PRIME)


def test_nobody_is_led_away_while_a_round_is_played(timed: Floor, clock: HandClock) -> None:
    ann, bob, cat = two_wait(timed, FeltTerms(betting=20, deciding=0))
    timed.call_seat(an_id(), cat, PRIME)
    clock.wait(21)
    assert timed.let_the_clock_decide(PRIME) is not None
    clock.wait(AWAY)
    with pytest.raises(NotNow, match="nobody is led away before it has ended"):
        timed.lead_away(an_id(), cat, PRIME)
    play_on(timed)
    timed.lead_away(an_id(), cat, PRIME)
    assert [one.player for one in felt(timed).seats] == [ann, bob]
    assert verify_floor(timed.ledger).is_whole


def test_whom_the_seat_is_given_to_next_is_not_called(timed: Floor, clock: HandClock) -> None:
    _, _, cat = two_wait(timed)
    dan = timed.admit_guest(an_id()).player
    timed.call_seat(an_id(), cat, PRIME)
    timed.leave_seat(an_id(), cat, PRIME)
    play_on(timed)
    timed.take_seat(an_id(), dan, PRIME, seat=3)
    clock.wait(1_000)
    for one in (cat, dan):
        with pytest.raises(NotNow):
            timed.lead_away(an_id(), one, PRIME)
    assert felt(timed).seat_of(dan) is not None


def test_terms_may_say_that_nobody_is_called(timed: Floor) -> None:
    _, _, cat = two_wait(timed, UNTIMED._replace(away=0))
    with pytest.raises(NotNow, match="Nobody is called at prime-1"):
        timed.call_seat(an_id(), cat, PRIME)
    with pytest.raises(BadTerms, match="-1 seconds for a call are not possible"):
        open_prime(timed, UNTIMED._replace(away=-1), table="prime-2")


def test_a_call_is_in_the_books_and_outlives_the_program(timed: Floor, clock: HandClock) -> None:
    _, _, cat = two_wait(timed)
    timed.call_seat(an_id(), cat, PRIME)
    again = Floor(timed.ledger, clock)
    assert again.felt(PRIME).called == felt(timed).called != ()
    clock.wait(AWAY + 1)
    again.lead_away(an_id(), cat, PRIME)
    assert felt(timed).playing


def longer(seconds: int) -> Change:
    """Books in which whoever is called has more time."""
    calls = (where(FELT, "seat-called", at, until=lambda until: until + seconds * 1_000_000) for at in (1, 2))
    return together(where(FELT, "felt-opened", terms=lambda terms: terms | {"away": AWAY + seconds}), *calls)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda: where(FELT, "seat-called", until=lambda until: until + 70_000_000), "had another time to answer"),
        (lambda: where(FELT, "seat-called", until=lambda until: until - 70_000_000), "had another time to answer"),
        (lambda: where(FELT, "seat-called", seat=2), "cannot be called at seat 2"),
        (lambda: where(FELT, "felt-opened", terms=lambda terms: terms | {"away": 0}), "called where nobody is"),
        (lambda: where(FELT, "call-answered", seat=1), "was not called at seat 1"),
        (lambda: longer(15), "led away too early"),
        (lambda: where(FELT, "seat-left", player="eve"), "eve cannot leave seat 3"),
    ],
    ids=["later", "earlier", "another seat", "no calls", "another answer", "too early", "somebody else"],
)
def test_a_forged_call_is_found(timed: Floor, clock: HandClock, tmp_path: Path, change: object, sentence: str) -> None:
    _, _, cat = two_wait(timed)
    timed.call_seat(an_id(), cat, PRIME)
    timed.answer_call(an_id(), cat, PRIME)
    clock.wait(30)
    timed.call_seat(an_id(), cat, PRIME)
    clock.wait(AWAY + 1)
    timed.lead_away(an_id(), cat, PRIME)
    assert verify_floor(timed.ledger).is_whole
    assert callable(change)
    assert sentence in found(timed, tmp_path, change())


def test_somebody_who_was_never_called_cannot_have_been_led_away(timed: Floor, tmp_path: Path) -> None:
    _, _, cat = two_wait(timed)
    timed.leave_seat(an_id(), cat, PRIME)
    assert "cannot be led away from seat 3" in found(timed, tmp_path, where(FELT, "seat-left", away=True))
