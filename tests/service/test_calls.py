"""An absent player: warned while others wait, and removed between two rounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.room.table.state import TableState
from cardroom.service import BadPlayTerms, CardRoom, PlayTerms, WrongPhase, verify_card_room
from cardroom.service.chain_descriptions import describe_events
from cardroom.service.chains.names import table_chain
from tests.service.forger import Change, found, together, where
from tests.service.table_scenes import ANTE, PRIME, UNTIMED, HandClock, an_id, events_of, guests, open_prime, play_on

TIME_TO_RETURN = 45
"""Seconds; the default of the terms."""
PLAY_TABLE = table_chain(PRIME)


def leave_two_waiting(card_room: CardRoom, terms: PlayTerms = UNTIMED) -> tuple[str, str, str]:
    """Ann and Bob make their wagers and wait for Cat, who is absent."""
    open_prime(card_room, terms)
    ann, bob, cat = guests(card_room, 3)
    for player in (ann, bob):
        card_room.place_wagers(an_id(), player, PRIME, ANTE)
    return ann, bob, cat


def read_table(card_room: CardRoom) -> TableState:
    return card_room.table(PRIME)


def test_an_absent_player_who_does_not_return_is_removed_with_the_chips_and_the_others_play(
    timed: CardRoom, clock: HandClock
) -> None:
    ann, bob, cat = leave_two_waiting(timed)
    timed.call_absent_player(an_id(), cat, PRIME)
    assert [warning.until - clock() for warning in read_table(timed).warnings] == [TIME_TO_RETURN * 1_000_000]
    clock.wait(TIME_TO_RETURN)
    with pytest.raises(WrongPhase):
        timed.remove_absent_player(an_id(), cat, PRIME)
    clock.wait(1)
    timed.remove_absent_player(an_id(), cat, PRIME)
    assert (timed.player_account(cat).balance, dict(timed.player_account(cat).seats)) == (1_000_00, {})
    assert read_table(timed).playing, "the round waits for no other player"
    assert [seat.player for seat in read_table(timed).seats] == [ann, bob]
    assert read_table(timed).warnings == ()
    play_on(timed)
    left = [payload for kind, payload in events_of(timed, PLAY_TABLE) if kind == "seat-left"]
    assert [(payload["player"], payload["was_absent"]) for payload in left] == [(cat, True)]
    text = " ".join(description.sentences for description in describe_events(timed.ledger.events(PLAY_TABLE), str))
    assert f"{cat} at seat 3 is absent while others wait, and was warned." in text
    assert f"{cat} did not return and was removed from seat 3 with $200." in text
    assert verify_card_room(timed.ledger).is_consistent


@pytest.mark.parametrize("action", ["reply", "wagers", "chips", "leaves"])
def test_a_warned_player_ends_the_warning_by_a_reply_or_by_any_action_at_the_seat(
    timed: CardRoom, clock: HandClock, action: str
) -> None:
    ann, _, cat = leave_two_waiting(timed)
    timed.place_wagers(an_id(), ann, PRIME, {})
    timed.call_absent_player(an_id(), cat, PRIME)
    clock.wait(TIME_TO_RETURN - 1)
    match action:
        case "reply":
            timed.answer_call(an_id(), cat, PRIME)
        case "wagers":
            timed.place_wagers(an_id(), cat, PRIME, ANTE)
        case "chips":
            timed.take_seat(an_id(), cat, PRIME, buy_in=10_00)
        case "leaves":
            timed.leave_seat(an_id(), cat, PRIME)
    assert read_table(timed).warnings == ()
    clock.wait(10)
    with pytest.raises(WrongPhase, match="has no warning" if action != "leaves" else "You have no seat"):
        timed.remove_absent_player(an_id(), cat, PRIME)
    assert verify_card_room(timed.ledger).is_consistent


def test_a_player_is_warned_only_while_another_player_waits(timed: CardRoom, clock: HandClock) -> None:
    open_prime(timed)
    ann, bob = guests(timed, 2)
    refused_without_waiting_players = pytest.raises(WrongPhase)
    with refused_without_waiting_players:
        timed.call_absent_player(an_id(), ann, PRIME)
    timed.place_wagers(an_id(), ann, PRIME, ANTE)
    with refused_without_waiting_players:
        timed.call_absent_player(an_id(), ann, PRIME)
    timed.call_absent_player(an_id(), bob, PRIME)
    with pytest.raises(WrongPhase):
        timed.call_absent_player(an_id(), bob, PRIME)
    timed.place_wagers(an_id(), bob, PRIME, ANTE)
    assert read_table(timed).playing
    for player in (ann, bob):
        with refused_without_waiting_players:
            timed.call_absent_player(an_id(), player, PRIME)
    with pytest.raises(WrongPhase):
        timed.answer_call(an_id(), bob, PRIME)
    with pytest.raises(WrongPhase):
        timed.remove_absent_player(an_id(), bob, PRIME)


def test_an_absent_player_is_not_removed_during_a_round(timed: CardRoom, clock: HandClock) -> None:
    ann, bob, cat = leave_two_waiting(timed, PlayTerms(betting=20, deciding=0))
    timed.call_absent_player(an_id(), cat, PRIME)
    clock.wait(21)
    assert timed.apply_timeout(PRIME) is not None
    clock.wait(TIME_TO_RETURN)
    with pytest.raises(WrongPhase):
        timed.remove_absent_player(an_id(), cat, PRIME)
    play_on(timed)
    timed.remove_absent_player(an_id(), cat, PRIME)
    assert [seat.player for seat in read_table(timed).seats] == [ann, bob]
    assert verify_card_room(timed.ledger).is_consistent


def test_a_warning_does_not_apply_to_the_next_player_at_the_seat(timed: CardRoom, clock: HandClock) -> None:
    _, _, cat = leave_two_waiting(timed)
    dan = timed.players.admit_guest(an_id()).player
    timed.call_absent_player(an_id(), cat, PRIME)
    timed.leave_seat(an_id(), cat, PRIME)
    play_on(timed)
    timed.take_seat(an_id(), dan, PRIME, seat=3)
    clock.wait(1_000)
    for player in (cat, dan):
        with pytest.raises(WrongPhase):
            timed.remove_absent_player(an_id(), player, PRIME)
    assert read_table(timed).seat_of(dan) is not None


def test_terms_can_disable_absence_warnings(timed: CardRoom) -> None:
    _, _, cat = leave_two_waiting(timed, UNTIMED._replace(away=0))
    with pytest.raises(WrongPhase, match="prime-1"):
        timed.call_absent_player(an_id(), cat, PRIME)
    with pytest.raises(BadPlayTerms):
        open_prime(timed, UNTIMED._replace(away=-1), table="prime-2")


def test_a_warning_is_in_the_ledger_and_survives_a_restart(timed: CardRoom, clock: HandClock) -> None:
    _, _, cat = leave_two_waiting(timed)
    timed.call_absent_player(an_id(), cat, PRIME)
    restarted = CardRoom(timed.ledger, clock)
    assert restarted.table(PRIME).warnings == read_table(timed).warnings != ()
    clock.wait(TIME_TO_RETURN + 1)
    restarted.remove_absent_player(an_id(), cat, PRIME)
    assert read_table(timed).playing


def extend_warnings(seconds: int) -> Change:
    """A change to a ledger in which the warned player has more time."""
    warnings = (
        where(PLAY_TABLE, "absence-warned", at, until=lambda until: until + seconds * 1_000_000) for at in (1, 2)
    )
    return together(
        where(PLAY_TABLE, "table-opened", terms=lambda terms: terms | {"away": TIME_TO_RETURN + seconds}), *warnings
    )


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
        (lambda: extend_warnings(15), "a player was removed too early"),
        (lambda: where(PLAY_TABLE, "seat-left", player="eve"), "eve cannot leave seat 3"),
    ],
    ids=["later", "earlier", "another seat", "no warnings", "another reply", "too early", "another player"],
)
def test_a_forged_warning_is_found(
    timed: CardRoom, clock: HandClock, tmp_path: Path, change: object, sentence: str
) -> None:
    _, _, cat = leave_two_waiting(timed)
    timed.call_absent_player(an_id(), cat, PRIME)
    timed.answer_call(an_id(), cat, PRIME)
    clock.wait(30)
    timed.call_absent_player(an_id(), cat, PRIME)
    clock.wait(TIME_TO_RETURN + 1)
    timed.remove_absent_player(an_id(), cat, PRIME)
    assert verify_card_room(timed.ledger).is_consistent
    assert callable(change)
    assert sentence in found(timed, tmp_path, change())


def test_a_player_who_was_never_warned_cannot_have_been_removed(timed: CardRoom, tmp_path: Path) -> None:
    _, _, cat = leave_two_waiting(timed)
    timed.leave_seat(an_id(), cat, PRIME)
    assert "cannot be removed from seat 3" in found(timed, tmp_path, where(PLAY_TABLE, "seat-left", was_absent=True))
