"""What displays show to players, and the recent events that dealers and the office read."""

from __future__ import annotations

from datetime import date

from cardroom.room.descriptions.displays import DisplayScreen, JackpotStatus
from cardroom.service import CardRoom
from tests.service.card_rooms import (
    DIAMOND_ROYAL,
    THREE_OF_A_KIND,
    all_seven,
    new_id,
    open_room,
    play,
    play_fast,
    presses,
)
from tests.service.test_promotions import STRAIGHTS


def read_display(card_room: CardRoom) -> DisplayScreen:
    (display,) = card_room.displays.list_displays("prime-1")
    assert isinstance(display, DisplayScreen)
    return display


def test_a_display_follows_the_meter(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, "prime-2", seats=6)
    (panel,) = read_display(card_room).panels
    assert panel.amounts[0].cents == 5_001_20
    assert panel.status is JackpotStatus.OPEN


def test_a_display_shows_a_win_as_pending_until_it_is_decided(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, "prime-2", seats=6, round_id="r1")
    in_a_file.claims.claim_hand("win", "Kim", "final-four", "prime-2", "r1", DIAMOND_ROYAL)
    (panel,) = read_display(in_a_file).panels
    assert panel.status is JackpotStatus.PENDING
    assert "$5,001.20" in panel.message
    in_a_file.claims.refuse(new_id(), "Vera", "final-four", "win", "a card came from the floor")
    assert read_display(in_a_file).panels[0].status is JackpotStatus.OPEN


def test_a_disabled_jackpot_shows_as_unavailable(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    in_a_file.jackpots.disable(new_id(), "Olga", "final-four", "new signs")
    (panel,) = read_display(in_a_file).panels
    assert (panel.status, panel.amounts) == (JackpotStatus.UNAVAILABLE, ())


def test_a_display_shows_both_jackpots_and_the_rules_of_a_promotion(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    in_a_file.jackpots.open(new_id(), "Olga", all_seven())
    in_a_file.link_table(new_id(), "Olga", "prime-1", "all-seven", "as the operator wants it")
    in_a_file.promotions.announce(new_id(), "Olga", STRAIGHTS)
    display = read_display(in_a_file)
    assert [panel.jackpot for panel in display.panels] == ["final-four", "all-seven"]
    assert display.promotions == (f"Summer Straights: {STRAIGHTS.rules}",)
    in_a_file.promotions.end(new_id(), "Olga", STRAIGHTS.id, "rain")
    assert read_display(in_a_file).promotions == ()


def test_a_display_shows_a_promotion_on_its_days_only(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    in_a_file.promotions.announce(new_id(), "Olga", STRAIGHTS._replace(first=date(2099, 1, 1)))
    assert read_display(in_a_file).promotions == ()


def test_the_last_fifty_rounds_of_a_table_are_listed_newest_first(card_room: CardRoom) -> None:
    open_room(card_room)
    card_room.tabulate_all(presses("prime-1", 300))
    last = play(card_room, seats=2).round
    card_room.void_round(new_id(), "Sam", "prime-1", last, "the shuffler jammed", second="Flo")
    rounds = card_room.history.list_tabulator_rounds("prime-1")
    assert len(rounds) == 50
    assert [event.kind for event in rounds[:3]] == ["round-voided", "round-tabulated", "round-tabulated"]
    assert [event.payload["round"] for event in rounds[:3]] == [last, last, "prime-1-299"]
    assert len(card_room.history.list_tabulator_rounds("prime-1", 280)) == 280


def test_the_events_of_a_jackpot_are_listed_without_the_wagers_of_each_round(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play_fast(in_a_file)
    for number in range(52):
        play(in_a_file, round_id=f"r{number}")
        in_a_file.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", f"r{number}", THREE_OF_A_KIND)
    events = in_a_file.history.list_jackpot_events("final-four")
    assert len(events) == 50
    assert {event.kind for event in events} == {"prizes-paid"}
    assert events[0].payload["round"] == "r51"
    assert date.fromtimestamp(events[0].time / 1e6) >= date(2024, 1, 1)  # noqa: DTZ012
