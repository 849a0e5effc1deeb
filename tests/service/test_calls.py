"""A user who has gone without a word: called while others wait, and led away between two rounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.room.table.state import TableState
from cardroom.service import BadPlayTerms, CardRoom, PlayTerms, WrongPhase, verify_card_room
from cardroom.service.chain_descriptions import describe_events
from cardroom.service.chains.names import table_chain
from tests.service.forger import Change, found, together, where
from tests.service.table_scenes import ANTE, PRIME, UNTIMED, HandClock, an_id, events_of, guests, open_prime, play_on

AWAY = 45
"""Seconds: the usual term."""
PLAY_TABLE = table_chain(PRIME)


def two_wait(card_room: CardRoom, terms: PlayTerms = UNTIMED) -> tuple[str, str, str]:
    """Ann and Bob have laid their wagers, and Cat has gone."""
    open_prime(card_room, terms)
    ann, bob, cat = guests(card_room, 3)
    for one in (ann, bob):
        card_room.place_wagers(an_id(), one, PRIME, ANTE)
    return ann, bob, cat


def play_table(card_room: CardRoom) -> TableState:
    return card_room.table(PRIME)


def test_who_does_not_answer_is_led_away_with_the_chips_and_the_others_play(timed: CardRoom, clock: HandClock) -> None:
    ann, bob, cat = two_wait(timed)
    timed.call_absent_player(an_id(), cat, PRIME)
    assert [one.until - clock() for one in play_table(timed).warnings] == [AWAY * 1_000_000]
    clock.wait(AWAY)
    with pytest.raises(WrongPhase):
        timed.remove_absent_player(an_id(), cat, PRIME)
    clock.wait(1)
    timed.remove_absent_player(an_id(), cat, PRIME)
    assert (timed.player_account(cat).balance, dict(timed.player_account(cat).seats)) == (1_000_00, {})
    assert play_table(timed).playing, "nobody else was waited for"
    assert [one.player for one in play_table(timed).seats] == [ann, bob]
    assert play_table(timed).warnings == ()
    play_on(timed)
    left = [result for kind, result in events_of(timed, PLAY_TABLE) if kind == "seat-left"]
    assert [(one["player"], one["was_absent"]) for one in left] == [(cat, True)]
    said = " ".join(one.sentences for one in describe_events(timed.ledger.events(PLAY_TABLE), str))
    assert f"{cat} at seat 3 is absent while others wait, and was warned." in said
    assert f"{cat} did not return and was removed from seat 3 with $200." in said
    assert verify_card_room(timed.ledger).is_consistent


@pytest.mark.parametrize("how", ["seen", "wagers", "chips", "leaves"])
def test_who_is_there_answers_by_being_seen_or_by_anything_done_at_the_seat(
    timed: CardRoom, clock: HandClock, how: str
) -> None:
    ann, _, cat = two_wait(timed)
    timed.place_wagers(an_id(), ann, PRIME, {})
    timed.call_absent_player(an_id(), cat, PRIME)
    clock.wait(AWAY - 1)
    match how:
        case "seen":
            timed.answer_call(an_id(), cat, PRIME)
        case "wagers":
            timed.place_wagers(an_id(), cat, PRIME, ANTE)
        case "chips":
            timed.take_seat(an_id(), cat, PRIME, buy_in=10_00)
        case "leaves":
            timed.leave_seat(an_id(), cat, PRIME)
    assert play_table(timed).warnings == ()
    clock.wait(10)
    with pytest.raises(WrongPhase, match="has no warning" if how != "leaves" else "You have no seat"):
        timed.remove_absent_player(an_id(), cat, PRIME)
    assert verify_card_room(timed.ledger).is_consistent


def test_no_user_is_called_for_whom_no_user_waits(timed: CardRoom, clock: HandClock) -> None:
    open_prime(timed)
    ann, bob = guests(timed, 2)
    no_user_waits = pytest.raises(WrongPhase)
    with no_user_waits:
        timed.call_absent_player(an_id(), ann, PRIME)
    timed.place_wagers(an_id(), ann, PRIME, ANTE)
    with no_user_waits:
        timed.call_absent_player(an_id(), ann, PRIME)
    timed.call_absent_player(an_id(), bob, PRIME)
    with pytest.raises(WrongPhase):
        timed.call_absent_player(an_id(), bob, PRIME)
    timed.place_wagers(an_id(), bob, PRIME, ANTE)
    assert play_table(timed).playing
    for one in (ann, bob):
        with no_user_waits:
            timed.call_absent_player(an_id(), one, PRIME)
    with pytest.raises(WrongPhase):
        timed.answer_call(an_id(), bob, PRIME)
    with pytest.raises(WrongPhase):
        timed.remove_absent_player(an_id(), bob, PRIME)


def test_no_user_is_led_away_while_a_round_is_played(timed: CardRoom, clock: HandClock) -> None:
    ann, bob, cat = two_wait(timed, PlayTerms(betting=20, deciding=0))
    timed.call_absent_player(an_id(), cat, PRIME)
    clock.wait(21)
    assert timed.apply_timeout(PRIME) is not None
    clock.wait(AWAY)
    with pytest.raises(WrongPhase):
        timed.remove_absent_player(an_id(), cat, PRIME)
    play_on(timed)
    timed.remove_absent_player(an_id(), cat, PRIME)
    assert [one.player for one in play_table(timed).seats] == [ann, bob]
    assert verify_card_room(timed.ledger).is_consistent


def test_whom_the_seat_is_given_to_next_is_not_called(timed: CardRoom, clock: HandClock) -> None:
    _, _, cat = two_wait(timed)
    dan = timed.admit_guest(an_id()).player
    timed.call_absent_player(an_id(), cat, PRIME)
    timed.leave_seat(an_id(), cat, PRIME)
    play_on(timed)
    timed.take_seat(an_id(), dan, PRIME, seat=3)
    clock.wait(1_000)
    for one in (cat, dan):
        with pytest.raises(WrongPhase):
            timed.remove_absent_player(an_id(), one, PRIME)
    assert play_table(timed).seat_of(dan) is not None


def test_terms_may_say_that_no_user_is_called(timed: CardRoom) -> None:
    _, _, cat = two_wait(timed, UNTIMED._replace(away=0))
    with pytest.raises(WrongPhase, match="prime-1"):
        timed.call_absent_player(an_id(), cat, PRIME)
    with pytest.raises(BadPlayTerms):
        open_prime(timed, UNTIMED._replace(away=-1), table="prime-2")


def test_a_call_is_in_the_books_and_outlives_the_program(timed: CardRoom, clock: HandClock) -> None:
    _, _, cat = two_wait(timed)
    timed.call_absent_player(an_id(), cat, PRIME)
    again = CardRoom(timed.ledger, clock)
    assert again.table(PRIME).warnings == play_table(timed).warnings != ()
    clock.wait(AWAY + 1)
    again.remove_absent_player(an_id(), cat, PRIME)
    assert play_table(timed).playing


def longer(seconds: int) -> Change:
    """Books in which the user who is called has more time."""
    calls = (where(PLAY_TABLE, "absence-warned", at, until=lambda until: until + seconds * 1_000_000) for at in (1, 2))
    return together(where(PLAY_TABLE, "table-opened", terms=lambda terms: terms | {"away": AWAY + seconds}), *calls)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda: where(PLAY_TABLE, "absence-warned", until=lambda until: until + 70_000_000),
            "was given a different time to answer",
        ),
        (
            lambda: where(PLAY_TABLE, "absence-warned", until=lambda until: until - 70_000_000),
            "was given a different time to answer",
        ),
        (lambda: where(PLAY_TABLE, "absence-warned", seat=2), "cannot be warned at seat 2"),
        (
            lambda: where(PLAY_TABLE, "table-opened", terms=lambda terms: terms | {"away": 0}),
            "called at a table without calls",
        ),
        (lambda: where(PLAY_TABLE, "absence-ended", seat=1), "was not warned at seat 1"),
        (lambda: longer(15), "a player was removed too early"),
        (lambda: where(PLAY_TABLE, "seat-left", player="eve"), "eve cannot leave seat 3"),
    ],
    ids=["later", "earlier", "another seat", "no calls", "another answer", "too early", "somebody else"],
)
def test_a_forged_call_is_found(
    timed: CardRoom, clock: HandClock, tmp_path: Path, change: object, sentence: str
) -> None:
    _, _, cat = two_wait(timed)
    timed.call_absent_player(an_id(), cat, PRIME)
    timed.answer_call(an_id(), cat, PRIME)
    clock.wait(30)
    timed.call_absent_player(an_id(), cat, PRIME)
    clock.wait(AWAY + 1)
    timed.remove_absent_player(an_id(), cat, PRIME)
    assert verify_card_room(timed.ledger).is_consistent
    assert callable(change)
    assert sentence in found(timed, tmp_path, change())


def test_some_user_who_was_never_called_cannot_have_been_led_away(timed: CardRoom, tmp_path: Path) -> None:
    _, _, cat = two_wait(timed)
    timed.leave_seat(an_id(), cat, PRIME)
    assert "cannot be removed from seat 3" in found(timed, tmp_path, where(PLAY_TABLE, "seat-left", was_absent=True))
