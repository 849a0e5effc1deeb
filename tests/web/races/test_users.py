"""Commands that users send at the same instant: each race has one defined result, and the faster user wins.

Calls race to a real server over separate connections. The order in which the ledger takes them decides: the server
carries them out one after the other, and each is decided by the state at that moment. The tests count which orders
occurred, so no test passes because nothing raced.
"""

from __future__ import annotations

from collections import Counter

from tests.service.table_scenes import ANTE, UNTIMED, HandClock
from tests.web.races.command_order import Stream
from tests.web.races.served import TIMES, RaceRoom, fresh_id, run_race, sort_statuses

# Seats.


def test_of_two_players_who_take_one_seat_exactly_one_gets_it(room: RaceRoom) -> None:
    outcomes = Counter[int]()
    for _ in run_race(outcomes):
        table, _ = room.open_table()
        ann, bob = room.admit_guests(2)
        responses = room.send_together(room.seat(ann, table, seat=3), room.seat(bob, table, seat=3))
        assert sort_statuses(responses) == [200, 409]
        loser = responses[0] if responses[1].succeeded else responses[1]
        assert loser.sentence == f"Seat 3 of {table} is taken. Free seats: 1, 2, 4, 5."
        outcomes[responses.index(loser)] += 1
        assert [seat.player for seat in room.get_table(table).seats] == [ann if responses[0].succeeded else bob]
    assert set(outcomes) == {0, 1}


def test_six_players_who_take_any_seat_fill_five_seats(room: RaceRoom) -> None:
    for _ in range(TIMES // 5):
        table, _ = room.open_table()
        responses = room.send_together(*(room.seat(player, table) for player in room.admit_guests(6)))
        assert sort_statuses(responses) == [200] * 5 + [409]
        assert sorted(response.body["seat"] for response in responses if response.succeeded) == [1, 2, 3, 4, 5]
        (refused,) = [response for response in responses if not response.succeeded]
        assert refused.sentence.startswith(f"All 5 seats of {table} are taken")


def test_a_player_with_two_connections_takes_one_seat(room: RaceRoom) -> None:
    outcomes = Counter[int]()
    for _ in run_race(outcomes):
        table, _ = room.open_table()
        (ann,) = room.admit_guests(1)
        responses = room.send_together(room.seat(ann, table, seat=1), room.seat(ann, table, seat=2))
        assert sort_statuses(responses) == [200, 409]
        seat = 1 if responses[0].succeeded else 2
        assert responses[2 - seat].sentence == f"You already have seat {seat} of {table}. Leave it first."
        assert [(seat.seat, seat.player) for seat in room.get_table(table).seats] == [(seat, ann)]
        assert room.card_room.player_account(ann).balance == 800_00
        outcomes[seat] += 1
    assert set(outcomes) == {1, 2}


def test_one_balance_pays_for_chips_at_only_one_of_two_tables(room: RaceRoom) -> None:
    outcomes = Counter[int]()
    for _ in run_race(outcomes):
        tables = [room.open_table()[0] for _ in range(2)]
        (ann,) = room.admit_guests(1)
        responses = room.send_together(*(room.seat(ann, table, buy_in_cents=600_00) for table in tables))
        assert sort_statuses(responses) == [200, 422]
        winner = 0 if responses[0].succeeded else 1
        assert responses[1 - winner].sentence == f"The balance of {ann} is $400, less than $600. Buy fewer chips."
        assert dict(room.card_room.player_account(ann).seats) == {tables[winner]: 1}
        assert room.card_room.player_account(ann).balance == 400_00
        outcomes[winner] += 1
    assert set(outcomes) == {0, 1}


def test_a_guest_who_is_admitted_four_times_at_once_is_one_guest(room: RaceRoom) -> None:
    for _ in range(TIMES):
        id = fresh_id()
        before = len(room.card_room.players.list_players())
        call = room.call("stranger", "POST", "/guests", id=id)._replace(token=None)
        responses = room.send_together(*[call] * 4)
        assert [response.status for response in responses] == [201] * 4
        assert all(response.body == responses[0].body for response in responses)
        assert len(room.card_room.players.list_players()) == before + 1


# Wagers.


def test_when_all_players_wager_at_once_the_round_starts_once(room: RaceRoom) -> None:
    last = Counter[int]()
    for _ in range(TIMES):
        table, players = room.open_table(5)
        responses = room.send_together(*(room.wager(player, table) for player in players))
        assert [response.status for response in responses] == [200] * 5
        assert Counter(response.body["state"] for response in responses) == {"betting": 4, "playing": 1}
        assert len({response.body["version"] for response in responses}) == 5
        (started,) = room.payloads_of(table, "round-started")
        assert [wager["seat"] for wager in started["wagers"]] == [1, 2, 3, 4, 5]
        assert len(room.payloads_of(table, "wagers-placed")) == 5
        last[[response.body["state"] for response in responses].index("playing")] += 1
    assert len(last) > 1


def test_a_wager_sent_three_times_with_one_id_is_placed_once(room: RaceRoom) -> None:
    for _ in range(TIMES):
        table, (ann, _) = room.open_table(2)
        responses = room.send_together(*[room.wager(ann, table, id="the same")] * 3)
        assert [response.status for response in responses] == [200] * 3
        assert responses[0].body == responses[1].body == responses[2].body
        assert len(room.payloads_of(table, "wagers-placed")) == 1
        again = room.connections.send(room.wager(ann, table, id="the same"))
        assert again == responses[0]


def test_of_two_wagers_under_one_id_the_first_counts(room: RaceRoom) -> None:
    outcomes = Counter[int]()
    for _ in run_race(outcomes):
        table, (ann, _) = room.open_table(2)
        amounts = 10_00, 20_00
        responses = room.send_together(*(room.wager(ann, table, {"ante-play": amount}, "one id") for amount in amounts))
        assert sort_statuses(responses) == [200, 409]
        winner = 0 if responses[0].succeeded else 1
        assert "already used for another command" in responses[1 - winner].sentence
        assert [payload["seat_wagers"]["spots"] for payload in room.payloads_of(table, "wagers-placed")] == [
            {"ante-play": amounts[winner]}
        ]
        outcomes[winner] += 1
    assert set(outcomes) == {0, 1}


def test_of_two_wagers_under_two_ids_the_later_one_counts(room: RaceRoom) -> None:
    outcomes = Counter[int]()
    for _ in run_race(outcomes):
        table, (ann, _) = room.open_table(2)
        responses = room.send_together(*(room.wager(ann, table, {"ante-play": amount}) for amount in (10_00, 20_00)))
        assert sort_statuses(responses) == [200, 200]
        later = max((0, 1), key=lambda number: responses[number].body["version"])
        (placed,) = room.get_table(table).seat_wagers
        assert placed.spots == {"ante-play": (10_00, 20_00)[later]}
        assert (
            responses[later].body["chips_cents"]
            == room.get_table(table).seats[0].chips
            == 200_00 - placed.spots["ante-play"]
        )
        outcomes[later] += 1
    assert set(outcomes) == {0, 1}


# Decisions.


def test_of_two_decisions_of_one_player_the_first_counts(room: RaceRoom) -> None:
    outcomes = Counter[str]()
    for _ in run_race(outcomes):
        table, (ann, _) = room.open_playing_table(2)
        responses = room.send_together(room.decide(ann, table, "play"), room.decide(ann, table, "fold"))
        assert sort_statuses(responses) == [200, 409]
        winner = 0 if responses[0].succeeded else 1
        assert (
            responses[1 - winner].sentence
            == f"It is not the turn of seat 1: in round {table}.1, it is the turn of seat 2."
        )
        answer = ("play", "fold")[winner]
        assert room.list_decisions(table) == [(1, answer, ann)]
        outcomes[answer] += 1
    assert set(outcomes) == {"play", "fold"}


def test_a_decision_from_two_connections_with_one_id_counts_once_and_gets_the_same_response_twice(
    room: RaceRoom,
) -> None:
    for _ in range(TIMES):
        table, (ann, bob) = room.open_playing_table(2)
        call = room.decide(ann, table, "play", "the same")
        responses = room.send_together(call, call)
        assert sort_statuses(responses) == [200, 200]
        assert responses[0].body == responses[1].body
        room.connections.send(room.decide(bob, table, "fold"))
        assert room.connections.send(call) == responses[0], "also when the round has moved on"
        assert room.list_decisions(table) == [(1, "play", ann), (2, "fold", bob)]


def test_of_two_players_who_decide_at_once_the_next_seat_counts_only_after_the_first(
    room: RaceRoom,
) -> None:
    """It is the turn of seat 1, and then of seat 2. Seat 1 always counts. Seat 2 counts if its decision arrives
    after that of seat 1, and is refused otherwise. Seat 3 never counts: its turn is only after seat 2."""
    outcomes = Counter[tuple[int, int]]()
    for _ in run_race(outcomes, 2 * TIMES):
        table, (ann, bob, cid) = room.open_playing_table(3)
        responses = room.send_together(*(room.decide(player, table, "play") for player in (bob, ann)))
        assert responses[1].status == 200
        late = room.connections.send(room.decide(cid, table, "play")) if not responses[0].succeeded else None
        if responses[0].succeeded:
            assert room.list_decisions(table) == [(1, "play", ann), (2, "play", bob)]
            assert responses[0].body["version"] == responses[1].body["version"] + 1
        else:
            assert (
                responses[0].sentence == f"It is not the turn of seat 2: in round {table}.1, it is the turn of seat 1."
            )
            assert late is not None
            assert late.status == 409
            assert room.list_decisions(table) == [(1, "play", ann)]
        outcomes[responses[0].status, responses[1].status] += 1
    assert set(outcomes) == {(200, 200), (409, 200)}


def test_a_player_who_decides_and_leaves_at_once_has_decided_or_the_default_action_counts(room: RaceRoom) -> None:
    outcomes = Counter[int]()
    for _ in run_race(outcomes):
        table, (ann, bob) = room.open_playing_table(2)
        answered, left = room.send_together(room.decide(ann, table, "play"), room.leave(ann, table))
        assert left.status == 200
        assert room.list_decisions(table) == [(1, "play", ann) if answered.succeeded else (1, "fold", "left")]
        if not answered.succeeded:
            assert answered.status == 409
            assert answered.sentence == f"It is not the turn of seat 1: in round {table}.1, it is the turn of seat 2."
        assert room.card_room.player_account(ann).balance == (980_00 if answered.succeeded else 990_00)
        room.connections.send(room.decide(bob, table, "fold"))
        assert room.get_table(table).seat_of(ann) is None
        outcomes[answered.status] += 1
    assert set(outcomes) == {200, 409}


def test_a_seat_that_is_left_and_taken_at_once_goes_only_to_a_player_who_comes_after(room: RaceRoom) -> None:
    outcomes = Counter[int]()
    for _ in run_race(outcomes):
        table, (ann,) = room.open_table(1)
        (bob,) = room.admit_guests(1)
        left, taken = room.send_together(room.leave(ann, table), room.seat(bob, table, seat=1))
        assert left.status == 200
        assert taken.status in (200, 409)
        assert [seat.player for seat in room.get_table(table).seats] == ([bob] if taken.succeeded else [])
        outcomes[taken.status] += 1
    assert set(outcomes) == {200, 409}


def test_an_idle_player_keeps_the_seat_with_a_wager_before_another_player_takes_it(
    timed_room: RaceRoom, clock: HandClock
) -> None:
    outcomes = Counter[int]()
    for _ in run_race(outcomes):
        table, (ann,) = timed_room.open_table(1, UNTIMED._replace(silence=60), seats=1)
        (bob,) = timed_room.admit_guests(1)
        clock.wait(61)
        responses = timed_room.send_together(timed_room.wager(ann, table), timed_room.seat(bob, table))
        assert sort_statuses(responses) == [200, 409]
        if responses[0].succeeded:
            assert responses[1].sentence.startswith(f"All 1 seats of {table} are taken")
        else:
            assert responses[0].sentence == f"You have no seat at {table}: take one first."
            assert timed_room.card_room.player_account(ann).balance == 1_000_00
        assert [seat.player for seat in timed_room.get_table(table).seats] == [ann if responses[0].succeeded else bob]
        outcomes[responses[0].status] += 1
    assert set(outcomes) == {200, 409}


def test_a_player_who_leaves_twice_at_once_has_left_once(room: RaceRoom) -> None:
    for _ in range(TIMES // 2):
        table, (ann, _) = room.open_table(2)
        responses = room.send_together(room.leave(ann, table), room.leave(ann, table))
        assert sort_statuses(responses) == [200, 409]
        assert room.card_room.player_account(ann).balance == 1_000_00
        assert len(room.payloads_of(table, "seat-left")) == 1


def test_the_last_player_who_leaves_and_the_last_who_wagers_start_one_round(room: RaceRoom) -> None:
    """One of three players has wagered. One leaves while the other wagers: the round starts once, after both, with
    two wagers."""
    outcomes = Counter[str]()
    for _ in run_race(outcomes):
        table, (ann, bob, cid) = room.open_table(3)
        room.card_room.place_wagers(fresh_id(), ann, table, ANTE)
        responses = room.send_together(room.leave(bob, table), room.wager(cid, table))
        assert sort_statuses(responses) == [200, 200]
        assert sorted(response.body["state"] for response in responses) == ["betting", "playing"]
        (started,) = room.payloads_of(table, "round-started")
        assert [wager["seat"] for wager in started["wagers"]] == [1, 3]
        outcomes[responses[0].body["state"]] += 1
    assert set(outcomes) == {"betting", "playing"}


# Two connections.


def test_a_player_with_two_streams_sees_the_same_on_both(room: RaceRoom) -> None:
    rounds = 10  # the chips are enough for them with any cards
    table, (ann, bob) = room.open_table(2)
    path, token = f"/tables/{table}/stream", room.context.tokens.issue(ann)
    with Stream(room.address, path, token) as first_stream, Stream(room.address, path, token) as second_stream:
        for _ in range(rounds):
            assert sort_statuses(room.send_together(room.wager(ann, table), room.wager(bob, table))) == [200, 200]
            assert sort_statuses(
                room.send_together(room.decide(ann, table, "play"), room.decide(ann, table, "fold"))
            ) == [
                200,
                409,
            ]
            room.connections.send(room.decide(bob, table, "fold"))
        for stream in (first_stream, second_stream):
            stream.wait_for(room.card_room.read_table_version(table))
            versions = [view.version for view in stream.views]
            assert versions == sorted(set(versions))
            assert len(versions) > rounds
    first, second = dict(first_stream.views), dict(second_stream.views)
    both = first.keys() & second.keys()
    assert len(both) > rounds
    assert all(first[version] == second[version] for version in both)
    assert first_stream.views[-1] == second_stream.views[-1]
