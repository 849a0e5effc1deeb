"""Jackpots at a table: counted with the round, claimed by themselves, verified by two people, paid to the balance."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput
from cardroom.games import BadBet, TableSetup
from cardroom.ledger import open_ledger
from cardroom.room.setup.tabulator import TabulatorSetup, WagerSensor
from cardroom.service import CannotAddTable, CardRoom, PlayTerms, RoomTableSetup, UnitSetup, verify_card_room
from cardroom.service.commands.handler import AutomaticTableRefusal
from tests.service.automatic import for_play, sensors_for_play
from tests.service.card_rooms import deuces_sensors, deuces_table, final_four, five_wild, new_id, prime_table, whole
from tests.service.table_scenes import (
    UNTIMED,
    HandClock,
    all_wager,
    an_id,
    events_of,
    guests,
    play_on,
    seeded_keys,
    stack,
    worth,
)
from tests.service.test_promotions import STRAIGHTS

PLAY = "play-1"
TICK = 1_000
"""Microseconds between two looks at the clock."""
ASLEEP = 600_000_000
"""The same on a machine that stands still for ten minutes wherever it can."""
DIAMOND_ROYAL = {
    "seat 1 hand": "Jd Qd Kd",
    "seat 1 fourth": "Ad",
    "seat 2 hand": "2c 5d 9h",
    "seat 2 fourth": "Jc",
}
"""Seat 1 wins all of the Final Four, and seat 2 nothing."""
WAGERS = {"ante-play": 10_00, "final-four": 1_00}


@contextmanager
def opened(url: str, tick: int) -> Iterator[CardRoom]:
    clock = HandClock(tick=tick)
    with open_ledger(url, clock) as ledger:
        yield CardRoom(ledger, clock, seeded_keys(tick))


@pytest.fixture
def card_room(url: str) -> Iterator[CardRoom]:
    """Its clock and its keys are the same every time."""
    with opened(url, TICK) as card_room:
        yield card_room


def layout() -> TableSetup:
    """Without All Seven, which would need a jackpot of its own."""
    setup = prime_table()
    return replace(setup, wagers={one: made for one, made in setup.wagers.items() if one != "all-seven"})


def sensors(table: str = PLAY) -> TabulatorSetup:
    setup = sensors_for_play(table, "play-four")
    looking = [one for one in setup.sensors if isinstance(one, WagerSensor) and one.wager == "final-four"]
    return replace(setup, sensors=tuple(looking))


def open_room(card_room: CardRoom, *tables: str) -> None:
    card_room.jackpots.open(new_id(), "Olga", for_play(final_four("play-four")))
    for table in tables or (PLAY,):
        unit = UnitSetup(sensors(table), f"unit-{table}")
        card_room.add_table(an_id(), "Olga", RoomTableSetup(table, layout(), UNTIMED, unit))


def meter(card_room: CardRoom) -> int:
    return card_room.jackpot("play-four").meters[0].displayed_cents


def test_the_meter_rises_in_the_command_that_begins_the_round(card_room: CardRoom) -> None:
    open_room(card_room)
    ann, bob = guests(card_room, 2, PLAY)
    assert card_room.view_table_json(PLAY)["meters"] == {"final-four": 5_000_00}
    card_room.place_wagers(an_id(), ann, PLAY, WAGERS)
    assert meter(card_room) == 5_000_00
    card_room.place_wagers(an_id(), bob, PLAY, WAGERS)
    assert meter(card_room) == 5_000_40
    assert card_room.view_table_json(PLAY)["meters"] == {"final-four": 5_000_40}
    (counted,) = [result for kind, result in events_of(card_room, f"tabulator:{PLAY}") if kind == "round-tabulated"]
    assert (counted["round"], counted["automatic"]) == ("play-1.1", True)
    play_on(card_room, PLAY)
    assert verify_card_room(card_room.ledger).discrepancy is None


def test_a_percentage_prize_is_locked_and_two_people_pay_it_to_the_balance(
    card_room: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_room(card_room)
    ann, bob = guests(card_room, 2, PLAY)
    stack(card_room, monkeypatch, PLAY, WAGERS, DIAMOND_ROYAL, seats=2)
    all_wager(card_room, [ann, bob], PLAY, WAGERS)
    shown = meter(card_room)
    play_on(card_room, PLAY)
    past = card_room.get_round_json("play-1.1")
    (waiting,) = past["waiting"]
    assert (waiting["seat"], waiting["jackpot"], waiting["cents"]) == (1, "play-four", shown)
    assert meter(card_room) == 5_000_00
    before = worth(card_room, ann)
    all_wager(card_room, [ann, bob], PLAY, {"ante-play": 10_00})
    play_on(card_room, PLAY)
    (claim,) = card_room.jackpot("play-four").claims
    with pytest.raises(BadInput):
        card_room.payments.pay(an_id(), "Vera", "play-four", claim.id, paid={})
    card_room.payments.pay(an_id(), "Vera", "play-four", claim.id, paid={}, second="Uma")
    assert card_room.player_account(ann).balance >= shown
    net = sum(one["net"] for one in card_room.get_round_json("play-1.2")["payments"] if one["seat"] == 1)
    assert worth(card_room, ann) == before + shown + net
    assert verify_card_room(card_room.ledger).discrepancy is None


def test_a_machine_that_stands_still_in_the_middle_of_every_command_has_whole_books(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The events of a round have the time by which it was decided, however long that took."""
    with opened(url, ASLEEP) as card_room:
        test_a_percentage_prize_is_locked_and_two_people_pay_it_to_the_balance(card_room, monkeypatch)


def test_a_small_prize_is_paid_with_the_round(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    open_room(card_room)
    (ann,) = guests(card_room, 1, PLAY)
    stack(card_room, monkeypatch, PLAY, WAGERS, {"seat 1 hand": "7c 7d 7h", "seat 1 fourth": "Ac"}, seats=1)
    all_wager(card_room, [ann], PLAY, WAGERS)
    play_on(card_room, PLAY, "play")
    past = card_room.get_round_json("play-1.1")
    assert "waiting" not in past
    (prize,) = [one for one in past["payments"] if one["spot"] == "final-four"]
    assert prize["returned"] == 25_00
    assert worth(card_room, ann) == 1_000_00 + sum(one["net"] for one in past["payments"])
    assert verify_card_room(card_room.ledger).discrepancy is None


def test_a_wager_on_a_jackpot_that_takes_none_is_refused_and_one_that_lies_there_goes_back(card_room: CardRoom) -> None:
    open_room(card_room)
    ann, bob = guests(card_room, 2, PLAY)
    card_room.place_wagers(an_id(), ann, PLAY, WAGERS)
    card_room.jackpots.disable(an_id(), "Olga", "play-four", "repairs")
    with pytest.raises(BadBet):
        card_room.place_wagers(an_id(), bob, PLAY, WAGERS)
    card_room.place_wagers(an_id(), bob, PLAY, {"ante-play": 10_00})
    state = card_room.table(PLAY)
    assert state.playing
    assert [dict(one.spots) for one in state.seat_wagers] == [{"ante-play": 10_00}] * 2
    assert state.occupant(1).wagered == 10_00  # type: ignore[union-attr]
    play_on(card_room, PLAY)
    assert meter(card_room) == 5_000_00
    assert verify_card_room(card_room.ledger).discrepancy is None


def test_wagers_that_nothing_is_left_to_play_for_go_back_also_long_after_their_time(tmp_path: Path) -> None:
    clock = HandClock()
    with open_ledger(f"sqlite:///{tmp_path}/room.db", clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        card_room.jackpots.open(new_id(), "Olga", for_play(five_wild()))
        sensors = replace(deuces_sensors(PLAY), tabulator="andromeda-3d", money=Currency.PLAY)
        timed, unit = PlayTerms(betting=20, deciding=30), UnitSetup(sensors, "unit-1")
        card_room.add_table(an_id(), "Olga", RoomTableSetup(PLAY, deuces_table(), timed, unit))
        ann, bob, _ = guests(card_room, 3, PLAY)
        all_wager(card_room, (ann, bob), PLAY, {"bonus-jackpot": 1_00})
        card_room.jackpots.disable(an_id(), "Olga", "five-wild", "repairs")
        clock.wait(20 + 3600)  # no user looked at the clock for an hour, as after a power cut
        assert card_room.apply_timeout(PLAY) is not None
        assert not card_room.table(PLAY).seat_wagers
        assert verify_card_room(ledger).discrepancy is None


def test_no_user_counts_by_hand_at_an_automatic_table_so_its_jackpot_wager_is_dark(card_room: CardRoom) -> None:
    open_room(card_room)
    ann, bob = guests(card_room, 2, PLAY)
    card_room.place_wagers(an_id(), ann, PLAY, WAGERS)
    now = card_room.read_table_setup(PLAY)
    with pytest.raises(CannotAddTable, match="link the table to a jackpot"):
        card_room.change_table(an_id(), "Olga", now._replace(tabulator=None), "a quiet week")
    card_room.report_tabulator_fault(an_id(), "Olga", PLAY, "no light")
    with pytest.raises(BadBet, match=f"{PLAY}.*broken"):
        card_room.place_wagers(an_id(), bob, PLAY, WAGERS)
    card_room.place_wagers(an_id(), bob, PLAY, {"ante-play": 10_00})
    assert [dict(one.spots) for one in card_room.table(PLAY).seat_wagers] == [{"ante-play": 10_00}] * 2, (
        "what lay there went back"
    )
    play_on(card_room, PLAY)
    assert meter(card_room) == 5_000_00
    assert verify_card_room(card_room.ledger).discrepancy is None


def test_a_round_that_is_voided_comes_off_the_meter(card_room: CardRoom) -> None:
    open_room(card_room)
    (ann,) = guests(card_room, 1, PLAY)
    all_wager(card_room, [ann], PLAY, WAGERS)
    assert meter(card_room) == 5_000_20
    card_room.void_automatic_round(an_id(), "Olga", PLAY, "the screen went dark", second="Vera")
    assert meter(card_room) == 5_000_00
    assert worth(card_room, ann) == 1_000_00
    assert verify_card_room(card_room.ledger).discrepancy is None


def test_two_tables_share_a_meter(card_room: CardRoom) -> None:
    open_room(card_room, PLAY, "play-2")
    (ann,) = guests(card_room, 1, PLAY)
    (bob,) = guests(card_room, 1, "play-2")
    all_wager(card_room, [ann], PLAY, WAGERS)
    all_wager(card_room, [bob], "play-2", WAGERS)
    assert (
        card_room.view_table_json("play-2")["meters"]
        == card_room.view_table_json(PLAY)["meters"]
        == {"final-four": 5_000_40}
    )
    play_on(card_room, PLAY)
    play_on(card_room, "play-2")
    assert verify_card_room(card_room.ledger).discrepancy is None


def an_hour_at_tables(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that can happen at tables and to players."""
    open_room(card_room)
    ann, bob = guests(card_room, 2, PLAY)
    stack(card_room, monkeypatch, PLAY, WAGERS, DIAMOND_ROYAL, seats=2)
    all_wager(card_room, [ann, bob], PLAY, WAGERS)
    play_on(card_room, PLAY)
    (claim,) = card_room.jackpot("play-four").claims
    card_room.payments.pay(an_id(), "Vera", "play-four", claim.id, paid={}, second="Uma")
    all_wager(card_room, [ann], PLAY)
    card_room.call_absent_player(an_id(), bob, PLAY)
    card_room.answer_call(an_id(), bob, PLAY)
    all_wager(card_room, [bob], PLAY)
    card_room.void_automatic_round(an_id(), "Olga", PLAY, "the screen went dark", second="Vera")
    card_room.pause_table(an_id(), "Olga", PLAY, "a fire drill")
    card_room.resume_table(an_id(), "Olga", PLAY)
    assert CardRoom(card_room.ledger).renew_seals([PLAY], "the server was started") == [PLAY]
    card_room.seat_bot(an_id(), "Olga", PLAY, 3, "Kit", 100_00)
    card_room.remove_table(an_id(), "Olga", PLAY, "the evening is over")
    card_room.players.admit_player(an_id(), "Olga", "ann-lee", Currency.REAL)
    card_room.players.pay_in(an_id(), "Carl", "ann-lee", 50_00, "slip 1", second="Vera")
    card_room.players.pay_out(an_id(), "Carl", "ann-lee", 50_00, "slip 2", second="Vera")


def test_a_server_that_starts_reads_the_table_as_it_was_left(
    card_room: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_hour_at_tables(card_room, monkeypatch)
    assert CardRoom(card_room.ledger).table(PLAY) == card_room.table(PLAY)
    assert card_room.table(PLAY).rounds == 2


def test_an_hour_at_tables_is_whole(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    an_hour_at_tables(card_room, monkeypatch)
    report = verify_card_room(card_room.ledger)
    assert (report.discrepancy, report.play_tables, report.players, report.rounds) == (None, 1, 3, 1)


def test_a_promotion_that_runs_is_paid_with_the_round(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    open_room(card_room)
    (ann,) = guests(card_room, 1, PLAY)
    lasting = STRAIGHTS._replace(first=date(2000, 1, 1), last=date(2999, 1, 1), money=Currency.PLAY)
    card_room.promotions.announce(new_id(), "Olga", lasting)
    stack(card_room, monkeypatch, PLAY, WAGERS, {"seat 1 hand": "5c 6d 7h", "seat 1 fourth": "8c"}, seats=1)
    for number, prizes_left in ((1, 1), (2, 0), (3, 0)):
        before = worth(card_room, ann)
        all_wager(card_room, [ann], PLAY, WAGERS)
        play_on(card_room, PLAY, "play")
        net = sum(one["net"] for one in card_room.get_round_json(f"play-1.{number}")["payments"])
        more = 25_00 if number < 3 else 0
        assert worth(card_room, ann) == before + net + more
        paid = card_room.promotion(lasting.id).state
        assert paid.promotion.most_prizes - paid.paid.prizes == prizes_left
    assert verify_card_room(card_room.ledger).discrepancy is None


def test_no_user_counts_reads_pays_or_voids_for_a_table_that_deals_by_itself(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    (ann,) = guests(in_a_file, 1, PLAY)
    all_wager(in_a_file, [ann], PLAY, WAGERS)
    play_on(in_a_file, PLAY)
    promotion = STRAIGHTS._replace(money=Currency.PLAY)
    in_a_file.promotions.announce(an_id(), "Olga", promotion)
    record = in_a_file.get_round_json("play-1.1")["record"]
    before = whole(in_a_file)
    play_commands = (
        lambda: in_a_file.tabulate(an_id(), "Kim", PLAY, {1: (1,)}),
        lambda: in_a_file.read_counter(an_id(), "Kim", PLAY, [5]),
        lambda: in_a_file.promotions.pay(an_id(), "Kim", promotion.id, PLAY, "r9", record, second="Lee"),
        lambda: in_a_file.void_round(an_id(), "Kim", PLAY, "play-1.1", "It was mine.", second="Lee"),
    )
    for command in play_commands:
        with pytest.raises(AutomaticTableRefusal, match="play-1"):
            command()
    assert whole(in_a_file) == before
