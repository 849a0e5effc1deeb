"""Things that people do at the same instant: each has one defined result, the user who is the quicker.

Calls race to a real server over connections of their own. What decides is the order in which the ledger takes them:
they are carried out one after the other, and each is decided by what lies there then. Which orders were met is counted,
so that no test passes because nothing raced.
"""

from __future__ import annotations

from collections import Counter

from tests.service.table_scenes import ANTE, UNTIMED, HandClock
from tests.web.races.command_order import Stream
from tests.web.races.served import TIMES, Served, fresh_id, races, statuses

# Seats.


def test_of_two_who_take_one_seat_exactly_one_gets_it(room: Served) -> None:
    met = Counter[int]()
    for _ in races(met):
        table, _ = room.table()
        ann, bob = room.guests(2)
        said = room.together(room.seat(ann, table, seat=3), room.seat(bob, table, seat=3))
        assert statuses(said) == [200, 409]
        loser = said[0] if said[1].done else said[1]
        assert loser.sentence == f"Seat 3 of {table} is taken. Free seats: 1, 2, 4, 5."
        met[said.index(loser)] += 1
        assert [one.player for one in room.play_table(table).seats] == [ann if said[0].done else bob]
    assert set(met) == {0, 1}


def test_five_who_take_any_seat_sit_at_five(room: Served) -> None:
    for _ in range(TIMES // 5):
        table, _ = room.table()
        said = room.together(*(room.seat(one, table) for one in room.guests(6)))
        assert statuses(said) == [200] * 5 + [409]
        assert sorted(one.body["seat"] for one in said if one.done) == [1, 2, 3, 4, 5]
        (refused,) = [one for one in said if not one.done]
        assert refused.sentence.startswith(f"All 5 seats of {table} are taken")


def test_a_player_with_two_connections_takes_one_seat(room: Served) -> None:
    met = Counter[int]()
    for _ in races(met):
        table, _ = room.table()
        (ann,) = room.guests(1)
        said = room.together(room.seat(ann, table, seat=1), room.seat(ann, table, seat=2))
        assert statuses(said) == [200, 409]
        seat = 1 if said[0].done else 2
        assert said[2 - seat].sentence == f"You already have seat {seat} of {table}. Leave it first."
        assert [(one.seat, one.player) for one in room.play_table(table).seats] == [(seat, ann)]
        assert room.card_room.player_account(ann).balance == 800_00
        met[seat] += 1
    assert set(met) == {1, 2}


def test_chips_for_two_tables_come_off_one_balance(room: Served) -> None:
    met = Counter[int]()
    for _ in races(met):
        tables = [room.table()[0] for _ in range(2)]
        (ann,) = room.guests(1)
        said = room.together(*(room.seat(ann, table, buy_in_cents=600_00) for table in tables))
        assert statuses(said) == [200, 422]
        winner = 0 if said[0].done else 1
        assert said[1 - winner].sentence == f"The balance of {ann} is $400, less than $600. Buy fewer chips."
        assert dict(room.card_room.player_account(ann).seats) == {tables[winner]: 1}
        assert room.card_room.player_account(ann).balance == 400_00
        met[winner] += 1
    assert set(met) == {0, 1}


def test_a_guest_who_comes_in_twice_at_once_is_one_guest(room: Served) -> None:
    for _ in range(TIMES):
        id = fresh_id()
        before = len(room.card_room.list_players())
        called = room.call("nobody", "POST", "/guests", id=id)._replace(token=None)
        said = room.together(*[called] * 4)
        assert [one.status for one in said] == [201] * 4
        assert all(one.body == said[0].body for one in said)
        assert len(room.card_room.list_players()) == before + 1


# Wagers.


def test_when_all_wager_at_once_the_round_begins_once(room: Served) -> None:
    last = Counter[int]()
    for _ in range(TIMES):
        table, players = room.table(5)
        said = room.together(*(room.wager(one, table) for one in players))
        assert [one.status for one in said] == [200] * 5
        assert Counter(one.body["state"] for one in said) == {"betting": 4, "playing": 1}
        assert len({one.body["version"] for one in said}) == 5
        (begun,) = room.happened(table, "round-started")
        assert [one["seat"] for one in begun["wagers"]] == [1, 2, 3, 4, 5]
        assert len(room.happened(table, "wagers-placed")) == 5
        last[[one.body["state"] for one in said].index("playing")] += 1
    assert len(last) > 1


def test_a_wager_twice_with_one_id_is_laid_once(room: Served) -> None:
    for _ in range(TIMES):
        table, (ann, _) = room.table(2)
        said = room.together(*[room.wager(ann, table, id="the same")] * 3)
        assert [one.status for one in said] == [200] * 3
        assert said[0].body == said[1].body == said[2].body
        assert len(room.happened(table, "wagers-placed")) == 1
        again = room.lines.say(room.wager(ann, table, id="the same"))
        assert again == said[0]


def test_of_two_contents_under_one_id_the_first_counts(room: Served) -> None:
    met = Counter[int]()
    for _ in races(met):
        table, (ann, _) = room.table(2)
        amounts = 10_00, 20_00
        said = room.together(*(room.wager(ann, table, {"ante-play": one}, "one id") for one in amounts))
        assert statuses(said) == [200, 409]
        winner = 0 if said[0].done else 1
        assert "already used for another command" in said[1 - winner].sentence
        assert [one["seat_wagers"]["spots"] for one in room.happened(table, "wagers-placed")] == [
            {"ante-play": amounts[winner]}
        ]
        met[winner] += 1
    assert set(met) == {0, 1}


def test_of_two_wagers_under_two_ids_the_later_one_lies_there(room: Served) -> None:
    met = Counter[int]()
    for _ in races(met):
        table, (ann, _) = room.table(2)
        said = room.together(*(room.wager(ann, table, {"ante-play": one}) for one in (10_00, 20_00)))
        assert statuses(said) == [200, 200]
        later = max((0, 1), key=lambda one: said[one].body["version"])
        (laid,) = room.play_table(table).seat_wagers
        assert laid.spots == {"ante-play": (10_00, 20_00)[later]}
        assert (
            said[later].body["chips_cents"] == room.play_table(table).seats[0].chips == 200_00 - laid.spots["ante-play"]
        )
        met[later] += 1
    assert set(met) == {0, 1}


# Answers.


def test_of_two_answers_of_one_player_the_first_counts(room: Served) -> None:
    met = Counter[str]()
    for _ in races(met):
        table, (ann, _) = room.playing(2)
        said = room.together(room.answer(ann, table, "play"), room.answer(ann, table, "fold"))
        assert statuses(said) == [200, 409]
        winner = 0 if said[0].done else 1
        assert (
            said[1 - winner].sentence == f"It is not the turn of seat 1: in round {table}.1, it is the turn of seat 2."
        )
        answer = ("play", "fold")[winner]
        assert room.answers(table) == [(1, answer, ann)]
        met[answer] += 1
    assert set(met) == {"play", "fold"}


def test_an_answer_from_two_connections_with_one_id_is_given_once_and_shown_twice(room: Served) -> None:
    for _ in range(TIMES):
        table, (ann, bob) = room.playing(2)
        call = room.answer(ann, table, "play", "the same")
        said = room.together(call, call)
        assert statuses(said) == [200, 200]
        assert said[0].body == said[1].body
        room.lines.say(room.answer(bob, table, "fold"))
        assert room.lines.say(call) == said[0], "also when the round has gone on"
        assert room.answers(table) == [(1, "play", ann), (2, "fold", bob)]


def test_of_two_players_who_answer_at_once_the_one_who_is_asked_counts_and_the_next_if_it_comes_after(
    room: Served,
) -> None:
    """Seat 1 is asked, and seat 2 after it. Seat 1 always counts; seat 2 counts if its answer is taken after that of
    seat 1, and is shown that it is not its turn if before. Seat 3 never counts: it would be asked only after seat 2."""
    met = Counter[tuple[int, int]]()
    for _ in races(met, 2 * TIMES):
        table, (ann, bob, cid) = room.playing(3)
        said = room.together(*(room.answer(one, table, "play") for one in (bob, ann)))
        assert said[1].status == 200
        late = room.lines.say(room.answer(cid, table, "play")) if not said[0].done else None
        if said[0].done:
            assert room.answers(table) == [(1, "play", ann), (2, "play", bob)]
            assert said[0].body["version"] == said[1].body["version"] + 1
        else:
            assert said[0].sentence == f"It is not the turn of seat 2: in round {table}.1, it is the turn of seat 1."
            assert late is not None
            assert late.status == 409
            assert room.answers(table) == [(1, "play", ann)]
        met[said[0].status, said[1].status] += 1
    assert set(met) == {(200, 200), (409, 200)}


def test_who_leaves_and_answers_at_once_has_answered_or_has_left_but_not_both(room: Served) -> None:
    met = Counter[int]()
    for _ in races(met):
        table, (ann, bob) = room.playing(2)
        answered, left = room.together(room.answer(ann, table, "play"), room.leave(ann, table))
        assert left.status == 200
        assert room.answers(table) == [(1, "play", ann) if answered.done else (1, "fold", "left")]
        if not answered.done:
            assert answered.status == 409
            assert answered.sentence == f"It is not the turn of seat 1: in round {table}.1, it is the turn of seat 2."
        assert room.card_room.player_account(ann).balance == (980_00 if answered.done else 990_00)
        room.lines.say(room.answer(bob, table, "fold"))
        assert room.play_table(table).seat_of(ann) is None
        met[answered.status] += 1
    assert set(met) == {200, 409}


def test_a_seat_that_is_left_and_taken_at_once_is_taken_by_one_who_comes_after(room: Served) -> None:
    met = Counter[int]()
    for _ in races(met):
        table, (ann,) = room.table(1)
        (bob,) = room.guests(1)
        left, taken = room.together(room.leave(ann, table), room.seat(bob, table, seat=1))
        assert left.status == 200
        assert taken.status in (200, 409)
        assert [one.player for one in room.play_table(table).seats] == ([bob] if taken.done else [])
        met[taken.status] += 1
    assert set(met) == {200, 409}


def test_some_user_who_was_silent_for_long_keeps_a_seat_by_a_wager_that_comes_before_any_user_wants_it(
    by_hand: Served, clock: HandClock
) -> None:
    met = Counter[int]()
    for _ in races(met):
        table, (ann,) = by_hand.table(1, UNTIMED._replace(silence=60), seats=1)
        (bob,) = by_hand.guests(1)
        clock.wait(61)
        said = by_hand.together(by_hand.wager(ann, table), by_hand.seat(bob, table))
        assert statuses(said) == [200, 409]
        if said[0].done:
            assert said[1].sentence.startswith(f"All 1 seats of {table} are taken")
        else:
            assert said[0].sentence == f"You have no seat at {table}: take one first."
            assert by_hand.card_room.player_account(ann).balance == 1_000_00
        assert [one.player for one in by_hand.play_table(table).seats] == [ann if said[0].done else bob]
        met[said[0].status] += 1
    assert set(met) == {200, 409}


def test_who_leaves_twice_at_once_has_left_once(room: Served) -> None:
    for _ in range(TIMES // 2):
        table, (ann, _) = room.table(2)
        said = room.together(room.leave(ann, table), room.leave(ann, table))
        assert statuses(said) == [200, 409]
        assert room.card_room.player_account(ann).balance == 1_000_00
        assert len(room.happened(table, "seat-left")) == 1


def test_the_last_who_leaves_and_the_last_who_wagers_begin_one_round(room: Served) -> None:
    """Of three who sit there one has laid wagers. One leaves while the other lays: the round begins once, when both are
    done, with two wagers."""
    met = Counter[str]()
    for _ in races(met):
        table, (ann, bob, cid) = room.table(3)
        room.card_room.place_wagers(fresh_id(), ann, table, ANTE)
        said = room.together(room.leave(bob, table), room.wager(cid, table))
        assert statuses(said) == [200, 200]
        assert sorted(one.body["state"] for one in said) == ["betting", "playing"]
        (begun,) = room.happened(table, "round-started")
        assert [one["seat"] for one in begun["wagers"]] == [1, 3]
        met[said[0].body["state"]] += 1
    assert set(met) == {"betting", "playing"}


# Two connections.


def test_a_player_with_two_streams_sees_the_same_on_both(room: Served) -> None:
    rounds = 10  # for which the chips last, whatever comes
    table, (ann, bob) = room.table(2)
    path, token = f"/tables/{table}/stream", room.house.tokens.issue(ann)
    with Stream(room.address, path, token) as one, Stream(room.address, path, token) as other:
        for _ in range(rounds):
            assert statuses(room.together(room.wager(ann, table), room.wager(bob, table))) == [200, 200]
            assert statuses(room.together(room.answer(ann, table, "play"), room.answer(ann, table, "fold"))) == [
                200,
                409,
            ]
            room.lines.say(room.answer(bob, table, "fold"))
        for stream in (one, other):
            stream.until(room.card_room.read_table_version(table))
            seen = [view.version for view in stream.views]
            assert seen == sorted(set(seen))
            assert len(seen) > rounds
    first, second = dict(one.views), dict(other.views)
    both = first.keys() & second.keys()
    assert len(both) > rounds
    assert all(first[version] == second[version] for version in both)
    assert one.views[-1] == other.views[-1]
